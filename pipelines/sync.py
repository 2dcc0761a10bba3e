"""What each command does, from what is wanted to what is covered.

Nothing is fetched that is already covered, and nothing is created before data arrived.
"Now" is GitHub's clock, told by the first answer of a run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta

from pipelines.coverage import STREAMS, Interval
from pipelines.exits import IncompleteError, MisconfiguredError, UnusableError
from pipelines.ledger import Ledger
from pipelines.progress import Say
from pipelines.run import Repository, Run
from pipelines.settings import Settings
from pipelines.warehouse import Warehouse
from pipelines.windows import SETTLING, Window, last_complete

SECOND = "%Y-%m-%d %H:%M:%SZ"

OfDay = Callable[[date], Window]


def cover(settings: Settings, of_day: OfDay, day: date | None, say: Say) -> str:
    """Fetch what the window of `day` still needs, and ask for it to be built.

    Without a day: the last complete window. Says in one line what came of it.
    """
    with Run(settings, say) as run:
        window = of_day(day) if day else None
        if window is None or _is_missing(run, window, settings):
            repository = run.ask_repository()
            window = window or last_complete(of_day, repository.now)
            _refuse_unready(window, repository, settings)
            needed = _until_now(_wanted(window, settings), repository)
            run.fetch(run.plans(needed, required_from=window.start_at))
            required = Interval(window.start_at, needed.until)
            run.settle(needed, required, window.window_id)
        run.register(window)
        return f"{window.window_id} is loaded ({run.told()})."


def sync(settings: Settings, of_day: OfDay, say: Say) -> str:
    """Bring every stream up to now; at first, from the last complete window on."""
    with Run(settings, say) as run:
        repository = run.ask_repository()
        first = last_complete(of_day, repository.now).start_at
        first -= timedelta(days=settings.baseline_days)
        since = {stream: run.covered_until(stream) or first for stream in STREAMS}
        needed = {stream: Interval(since[stream], repository.now) for stream in STREAMS}
        plans = {
            stream: plan
            for stream, wanted in needed.items()
            for plan in run.plans(wanted, streams=[stream]).values()
        }
        run.fetch(plans)
        for stream, wanted in needed.items():
            run.settle(wanted, wanted, "now", streams=[stream])
        return f"{settings.project.name} is loaded up to now ({run.told()})."


def backfill(settings: Settings, since: Window, until: Window | None, say: Say) -> str:
    """Fetch what is missing between the starts and ends of two days' windows."""
    with Run(settings, say) as run:
        name = f"{since.date} to {until.date if until else 'now'}"
        wanted = Interval(since.start_at, until.settled_at) if until else None
        if wanted is None or run.plans(wanted):
            repository = run.ask_repository()
            if until is not None:
                _refuse_unready(until, repository, settings)
            wanted = wanted or Interval(since.start_at, repository.now)
            wanted = _until_now(wanted, repository)
            run.fetch(run.plans(wanted))
            run.settle(wanted, wanted, name)
        return f"{settings.project.name} is loaded from {name} ({run.told()})."


def register(settings: Settings, say: Say) -> str:
    """Create what is missing of the raw tables, without asking GitHub anything."""
    with Run(settings, say) as run:
        run.prepare()
        return f"{settings.warehouse} has all raw tables."


def _is_missing(run: Run, window: Window, settings: Settings) -> bool:
    wanted = _wanted(window, settings)
    return bool(run.plans(wanted, required_from=window.start_at))


def _wanted(window: Window, settings: Settings) -> Interval:
    reach = timedelta(days=settings.baseline_days)
    return Interval(window.start_at - reach, window.settled_at)


def _until_now(wanted: Interval, repository: Repository) -> Interval:
    return replace(wanted, until=min(wanted.until, repository.now))


def _refuse_unready(window: Window, repository: Repository, settings: Settings) -> None:
    """Raise where the window lies before the repository's life, or is not over."""
    born = repository.created_at
    if born is not None and window.end_at <= born:
        raise MisconfiguredError(
            f"{window.window_id} ends before {settings.project.repository} was created "
            f"({_told(born)}): choose a later DATE."
        )
    may_be_open = settings.allow_partial and window.start_at < repository.now
    if window.settled_at > repository.now and not may_be_open:
        ready = _told(window.settled_at)
        advice = "" if settings.allow_partial else ", or set ALLOW_PARTIAL=1"
        minutes = SETTLING // timedelta(minutes=1)
        raise IncompleteError(
            f"{window.window_id} is not over: it ends at {_told(window.end_at)} and is "
            f"complete {minutes} minutes later; GitHub's clock says "
            f"{_told(repository.now)}. Run again after {ready}{advice}."
        )


def _told(instant: datetime) -> str:
    return f"{instant:%Y-%m-%d %H:%M} UTC"


def coverage_table(settings: Settings) -> str:
    """What is known to be complete: one line per project, stream and interval."""
    path = settings.warehouse
    if not path.exists():
        raise UnusableError(f"There is no warehouse at {path} yet: run make report.")
    with Warehouse(path, lock_wait=settings.lock_wait) as warehouse:
        if "coverage" not in warehouse.tables():
            raise UnusableError(f"{path} holds no coverage: run make report.")
        lines = [("project", "stream", "covered from", "covered until")]
        for project in settings.projects:
            ledger = Ledger(warehouse.connection, project.name)
            for stream in STREAMS:
                lines += [
                    (
                        project.name,
                        stream,
                        f"{one.since:{SECOND}}",
                        f"{one.until:{SECOND}}",
                    )
                    for one in ledger.covered(stream)
                ]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "".join(
        "  ".join(
            f"{cell:{width}}" for cell, width in zip(line, widths, strict=True)
        ).rstrip()
        + "\n"
        for line in lines
    )
