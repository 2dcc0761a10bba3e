"""Writes reports to disk: the only module that does. Atomic and idempotent."""

import os
import tempfile
from pathlib import Path

from pipelines.exits import MisconfiguredError


def report_path(build_dir: Path, window_id: str, *, language: str, ending: str) -> Path:
    """Where the report of a window lives.

    >>> name = "vllm:custom:2026-12-10T20:17+1h"
    >>> report_path(Path("build"), name, language="zh", ending="md").as_posix()
    'build/reports/vllm/2026-12-10_2017+1h.zh.md'
    """
    project, kind, name = window_id.split(":", 2)
    stem = name.replace("T", "_").replace(":", "")
    if kind in ("week", "month"):
        stem = f"{stem}.{kind}"
    return build_dir / "reports" / project / f"{stem}.{language}.{ending}"


def publish(path: Path, document: str) -> None:
    """Put the document at the path, whole or not at all.

    A reader meets the old file or the new one, never half of either. A file that says
    the same already is left untouched, so that its age tells when it last changed.
    MisconfiguredError where the directory cannot be written.
    """
    content = document.encode("utf-8")
    try:
        if path.is_file() and path.read_bytes() == content:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        _replace(path, content)
    except OSError as error:
        raise MisconfiguredError(
            f"{path} cannot be written ({error.strerror}): "
            "choose another BUILD_DIR or free this one."
        ) from error


def _replace(path: Path, content: bytes) -> None:
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes files private; a report is for whoever may read the directory.
        temporary.chmod(0o644)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
