"""How the programs end: five exit codes, each with one line that says what to do next.

Both `python -m pipelines` and `python -m render` end through `run`; what the codes mean
is part of the public contract.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterator


class StoppedError(Exception):
    """A run that cannot go on; the text is one line: what happened, what to do next."""

    code = 1


class MisconfiguredError(StoppedError):
    """Bad arguments or configuration; nothing was touched (exit code 2)."""

    code = 2


class IncompleteError(StoppedError):
    """The window is not complete (exit code 3)."""

    code = 3


class RefusedError(StoppedError):
    """GitHub refused, or could not be reached after retries (exit code 4)."""

    code = 4


class UnusableError(StoppedError):
    """The warehouse is locked or unreadable (exit code 5)."""

    code = 5


NO_ROOM = (
    "There is no room on the disk for what is to be written. What was committed before "
    "is kept: make room, then run the same command again."
)

# As the system words ENOSPC, EFBIG and EDQUOT, whichever library passes it on.
FULL = ("no space left on device", "file too large", "disk quota exceeded")


def run(
    main: Callable[[], None],
    *,
    debug: bool = False,
    say: Callable[[str], object] = sys.stderr.write,
) -> int:
    """Run `main`; return its exit code, having said its last line if it was stopped.

    A traceback is shown only with `debug`.
    """
    try:
        return attempted(main, debug=debug, say=say)
    except KeyboardInterrupt as stop:
        line = "Interrupted. What was loaded is kept: run the same command again."
        return _told(stop, line, 1, debug=debug, say=say)


def attempted(
    main: Callable[[], object], *, debug: bool, say: Callable[[str], object]
) -> int:
    """The same, but an interruption is not this act's alone: it is passed on."""
    try:
        main()
    except StoppedError as stop:
        return _told(stop, _one_line(str(stop)), stop.code, debug=debug, say=say)
    except Exception as error:
        if _is_interruption(error):
            raise KeyboardInterrupt from error
        if _is_disk_full(error):
            return _told(error, NO_ROOM, 1, debug=debug, say=say)
        line = f"Unexpected {type(error).__name__}: {_one_line(str(error))[:500]}"
        line += " (run again with DEBUG=1 for the whole story)"
        return _told(error, line, 1, debug=debug, say=say)
    return 0


def _told(
    error: BaseException,
    line: str,
    code: int,
    *,
    debug: bool,
    say: Callable[[str], object],
) -> int:
    if debug:
        say("".join(traceback.format_exception(error)))
    say(line + "\n")
    return code


def _is_disk_full(error: BaseException) -> bool:
    return any(words in str(one).lower() for one in _causes(error) for words in FULL)


def _is_interruption(error: BaseException) -> bool:
    """Whether someone's interruption came out of a library as an error of its own."""
    return any(
        isinstance(one, KeyboardInterrupt) or "query interrupted" in str(one).lower()
        for one in _causes(error)
    )


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """An error, and what it was raised from."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _one_line(text: str) -> str:
    return " ".join(text.split())
