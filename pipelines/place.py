"""Where a warehouse may lie. All that would fail at its first row is found here first.

Nothing is created by looking: whether a folder takes files is tried with one that has
no name.
"""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path

from pipelines.exits import MisconfiguredError, UnusableError

# DuckDB names the catalog after the file: these would hide a schema or a catalog.
RESERVED_STEMS = frozenset(
    (
        *("raw_github", "staging", "intermediate", "marts", "reports"),
        *("builds", "seeds"),
        *("main", "temp", "system"),
    )
)

# What says nothing against the place itself: there is no room at the moment.
NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


def refuse_place(path: Path) -> None:
    """Raise where no warehouse can be opened or created at `path`.

    MisconfiguredError for a path that cannot name one, UnusableError where this user
    may not write; OSError where the disk is full.
    """
    refuse_reserved(path)
    try:
        real = path.resolve()
        if real.is_dir():
            raise MisconfiguredError(
                f"WAREHOUSE={path} is a directory; name a file in it."
            )
        folder = nearest_folder(real.parent)
        if not folder.is_dir():
            raise MisconfiguredError(
                f"WAREHOUSE={path}: {folder} is no folder; name a file in one."
            )
        with tempfile.TemporaryFile(dir=folder):
            pass
        if real.exists() and not os.access(real, os.R_OK | os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except PermissionError as error:
        raise _closed(path, error) from None
    except (OSError, RuntimeError) as error:
        number = getattr(error, "errno", None)
        if number in NO_ROOM:
            raise
        if number in (errno.ENAMETOOLONG, None):  # None: links that lead in a circle
            raise MisconfiguredError(
                f"WAREHOUSE={path} cannot be the path of a file; name another."
            ) from None
        raise _closed(path, error) from None


def refuse_reserved(path: Path) -> None:
    """Raise MisconfiguredError for a name that no warehouse can have."""
    if path.stem.lower() in RESERVED_STEMS:
        raise MisconfiguredError(
            f"WAREHOUSE={path}: {path.stem!r} is also the name of a schema or catalog "
            "in the warehouse; choose another file name."
        )
    if "'" in str(path):
        raise MisconfiguredError(
            f"WAREHOUSE={path}: the loader cannot take a path with an apostrophe; "
            "choose another."
        )


def is_there(path: Path) -> bool:
    """Whether a warehouse exists at a path that can name one."""
    refuse_place(path)
    return path.exists()


def nearest_folder(folder: Path) -> Path:
    """The folder, or the nearest one above it that exists."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder


def _closed(path: Path, error: Exception) -> UnusableError:
    said = getattr(error, "strerror", None) or type(error).__name__
    return UnusableError(
        f"{path} cannot be written ({said}): let this user write to it and its folder, "
        "or set WAREHOUSE to another file."
    )
