"""Writes reports to disk: the only module that does. Atomic and idempotent."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from pipelines.errors import MisconfiguredError
from pipelines.warehouse import nearest_folder


def report_folder(build_dir: Path, window_id: str) -> Path:
    """Where the reports of a window's project live."""
    return build_dir / "reports" / window_id.split(":", 1)[0]


def report_stem(window_id: str) -> str:
    """What every file of a window's report begins with.

    >>> report_stem("vllm:week:2026-03-02")
    '2026-03-02.week'
    >>> report_stem("vllm:custom:2026-12-10T20:17+1h")
    '2026-12-10_2017+1h'
    """
    _, kind, name = window_id.split(":", 2)
    stem = name.replace("T", "_").replace(":", "")
    return f"{stem}.{kind}" if kind in ("week", "month") else stem


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
        raise _unwritable(path, error) from error


def refuse_unwritable(build_dir: Path) -> None:
    """Raise MisconfiguredError where no report could be written; create nothing."""
    try:
        with tempfile.TemporaryFile(dir=nearest_folder(build_dir)):
            pass
    except OSError as error:
        raise _unwritable(build_dir, error) from error


def _unwritable(path: Path, error: OSError) -> MisconfiguredError:
    return MisconfiguredError(
        f"{path} cannot be written ({error.strerror}): "
        "choose another BUILD_DIR or free this one."
    )


def withdraw(folder: Path, name: str) -> None:
    """Remove a file below the folder, and the folders that this leaves empty.

    A name that leads out of the folder is left alone: it is not one of ours.
    """
    path = folder / name
    if folder.resolve() not in path.resolve().parents:
        return
    path.unlink(missing_ok=True)
    for parent in path.relative_to(folder).parents[:-1]:
        with suppress(OSError):  # it is gone already, or holds something else
            (folder / parent).rmdir()


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
