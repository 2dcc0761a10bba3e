"""What each command does, from what is wanted to what is covered.

Nothing is fetched that is already covered, and nothing is created before data arrived.
"Now" is GitHub's clock, told by the first answer of a run.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta

from pipelines.coverage import REVIEWS, STREAMS, Interval, Plan
from pipelines.exits import IncompleteError, MisconfiguredError, UnusableError
from pipelines.github.repository import Repository
from pipelines.ledger import Ledger
from pipelines.place import is_there
from pipelines.progress import Say
from pipelines.run import Run
from pipelines.settings import Settings
from pipelines.tables import in_columns
from pipelines.warehouse import Warehouse
from pipelines.windows import SETTLING, Window, last_complete

# A window that ended longer ago than this costs less when it is fetched on its own.
OLD = timedelta(days=7)

SECOND = "%Y-%m-%d %H:%M:%SZ"

OfDay = Callable[[date], Window]


def cover(settings: Settings, of_day: OfDay, day: date | None, say: Say) -> str:
    """Fetch what the window of `day` still needs, and ask for it to be built.

    Without a day: the last complete window. An old window that no sync reaches is
    fetched on its own, where the mode allows. Says in one line what came of it.
    """
    reach = timedelta(days=settings.baseline_days)
    with Run(settings, say) as run:
        window = of_day(day) if day else None
        if window is None or _is_wanted(run, window, reach, settings):
            repository = run.ask_repository()
            window = window or last_complete(of_day, repository.now)
            _refuse_unready(window, repository, settings)
            if _is_on_its_own(run, window, repository, settings):
                if not run.is_targeted(window):
                    run.fetch_targeted(window)
            else:
                until = min(window.settled_at, repository.now)
                run.fetch(_plans(run, window, until, reach))
                required = _wanted(run, Interval(window.start_at, until))
                run.settle(window.window_id, required, reach=reach)
        run.register(window)
        run.fetch_details(window)
        return f"{window.window_id} is loaded ({run.told()})."


def sync(settings: Settings, of_day: OfDay, say: Say) -> str:
    """Bring every stream up to now; at first, from the last complete window on."""
    with Run(settings, say) as run:
        # Before the first request: DuckDB's first query with a parameter takes time.
        standing = run.standing
        covered_until = {stream: standing.covered_until(stream) for stream in STREAMS}
        now = run.ask_repository().now
        first = last_complete(of_day, now).start_at
        first -= timedelta(days=settings.baseline_days)
        needed = {
            stream: Interval(until or first, now)
            for stream, until in covered_until.items()
        }
        run.fetch(standing.plans(needed))
        run.settle(settings.project.name, needed, reach=timedelta())
        run.fetch_details(last_complete(of_day, now), of_all=True)
        return f"{settings.project.name} is loaded up to now ({run.told()})."


def backfill(settings: Settings, since: Window, until: Window | None, say: Say) -> str:
    """Fetch what is missing between the starts and ends of two days' windows."""
    name = f"{settings.project.name} {since.date} to {until.date if until else 'now'}"
    with Run(settings, say) as run:
        end = until.settled_at if until else None
        if end is None or run.standing.plans(
            _wanted(run, Interval(since.start_at, end))
        ):
            repository = run.ask_repository()
            if until is not None:
                _refuse_unready(until, repository, settings)
            elif since.start_at >= repository.now:
                raise MisconfiguredError(f"FROM={since.date} has not begun yet.")
            end = min(end or repository.now, repository.now)
            needed = Interval(since.start_at, end)
            run.fetch(run.standing.plans(_wanted(run, needed)))
            run.settle(name, _wanted(run, needed), reach=timedelta())
            run.fetch_details(of_all=True)
        return f"{name} is loaded ({run.told()})."


def reconcile(settings: Settings, say: Say) -> str:
    """Look for threads and comments that are gone from GitHub, and mark them."""
    if not is_there(settings.warehouse):
        raise UnusableError(f"There is no warehouse at {settings.warehouse} yet.")
    with Run(settings, say) as run:
        found = run.reconcile(timedelta(days=settings.baseline_days))
        return f"{settings.project.name} is reconciled: {found}."


def details(settings: Settings, say: Say) -> str:
    """Go on reading sizes, files and reviews of the windows that were asked for."""
    if not is_there(settings.warehouse):
        raise UnusableError(f"There is no warehouse at {settings.warehouse} yet.")
    if not settings.token:
        raise MisconfiguredError(
            "Details are read with a token only: without one GitHub answers 60 "
            "requests an hour. Set GITHUB_TOKEN, then run again."
        )
    with Run(settings, say) as run:
        run.prepare()
        run.ask_repository()
        run.fetch_details(of_all=True)
        return f"Details of {settings.project.name}: {run.told()}."


def register(settings: Settings, say: Say) -> str:
    """Create what is missing of the raw tables, without asking GitHub anything."""
    with Run(settings, say) as run:
        run.prepare()
        return f"{settings.warehouse} has all raw tables."


def _wanted(run: Run, interval: Interval) -> dict[str, Interval]:
    """What an interval needs of each stream.

    Of the events it needs those up to the newest thread known: only they can undo what
    has become of the threads since.
    """
    wanted = dict.fromkeys(STREAMS, interval)
    known_until = run.standing.covered_until("threads") or interval.until
    until = max(interval.until, known_until)
    return {**wanted, "issue_events": Interval(interval.since, until)}


def _plans(
    run: Run, window: Window, until: datetime, reach: timedelta
) -> dict[str, Plan]:
    """The walks that a window with its baseline still needs."""
    wanted = _wanted(run, Interval(window.start_at - reach, until))
    return run.standing.plans(wanted, required_from=window.start_at)


def _is_wanted(run: Run, window: Window, reach: timedelta, settings: Settings) -> bool:
    """Whether anything of a window is still to be fetched."""
    if settings.mode == "targeted":
        reach = timedelta()
    if settings.mode != "full" and run.is_targeted(window):
        return False
    return bool(_plans(run, window, window.settled_at, reach))


def _is_on_its_own(
    run: Run, window: Window, repository: Repository, settings: Settings
) -> bool:
    """Whether an uncovered window is fetched without what lies around it."""
    if settings.mode == "auto":
        is_old = window.end_at + OLD < repository.now
        return is_old and bool(settings.token) and not run.standing.reaches(window)
    is_covered = not _plans(run, window, window.settled_at, timedelta())
    is_over = window.settled_at <= repository.now
    return settings.mode == "targeted" and is_over and not is_covered


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
    if not is_there(path):
        raise UnusableError(f"There is no warehouse at {path} yet: run make report.")
    with Warehouse(path, lock_wait=settings.lock_wait) as warehouse:
        if "coverage" not in warehouse.tables():
            raise UnusableError(f"{path} holds no coverage: run make report.")
        lines = [("project", "stream", "covered from", "covered until")]
        for project in settings.projects:
            ledger = Ledger(warehouse.connection, project.name)
            for stream in (*STREAMS, REVIEWS):
                lines += [
                    (
                        project.name,
                        stream,
                        f"{one.since:{SECOND}}",
                        f"{one.until:{SECOND}}",
                    )
                    for one in ledger.covered(stream)
                ]
    if len(lines) == 1:
        names = ", ".join(project.name for project in settings.projects)
        return f"{path} covers nothing of {names} yet: run make report.\n"
    return in_columns(lines)
