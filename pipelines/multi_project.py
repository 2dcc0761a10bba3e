"""Several projects one after the other; what stops one does not stop the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pipelines.errors import StoppedError, attempted
from pipelines.progress import Say, in_columns


@dataclass(frozen=True)
class Outcome:
    """What came of one project: its exit code, and the line that says why."""

    project: str
    code: int
    said: str


class SomeFailedError(StoppedError):
    """Not every project was done; ends with the code of the first that was not."""

    def __init__(self, failed: list[Outcome], count: int) -> None:
        """Name those that failed."""
        names = ", ".join(f"{one.project} ({one.code})" for one in failed)
        super().__init__(
            f"{len(failed)} of {count} projects failed: {names}. The others are done; "
            "once the reasons above are gone, run the same command again."
        )
        self.code = failed[0].code


def each(
    acts: Iterable[tuple[str, Callable[[], str]]], say: Say, *, debug: bool
) -> list[Outcome]:
    """Do what is to be done for each project, whatever becomes of the others."""
    return [_outcome(project, act, say, debug=debug) for project, act in acts]


def _outcome(project: str, act: Callable[[], str], say: Say, *, debug: bool) -> Outcome:
    told: list[str] = []
    said: list[str] = []
    say(f"{project}:")
    code = attempted(lambda: told.append(act()), debug=debug, say=said.append)
    for line in [*told, *said]:
        say(f"  {line.rstrip()}")
    return Outcome(project, code, (told or said)[-1].strip())


def summary(outcomes: Iterable[Outcome]) -> str:
    """One line per project: its exit code, and what it said last."""
    lines = [("project", "code", "outcome")]
    lines += [(one.project, str(one.code), one.said) for one in outcomes]
    return in_columns(lines)


def refuse_failures(outcomes: list[Outcome]) -> None:
    """Raise SomeFailedError if any project failed."""
    if failed := [one for one in outcomes if one.code]:
        raise SomeFailedError(failed, len(outcomes))
