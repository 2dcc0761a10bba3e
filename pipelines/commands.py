"""What each command does, from what is wanted to what is covered.

Nothing is fetched that is already covered, and nothing is created before data arrived.
"Now" is GitHub's clock, told by the first answer of a run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import chain
from types import TracebackType
from typing import TYPE_CHECKING, Self

import duckdb

from pipelines import __version__
from pipelines.coverage import (
    EPOCH,
    REVIEWS,
    STREAMS,
    Held,
    Interval,
    Ledger,
    Plan,
    Sync,
    Targets,
    merged,
    missing,
    planned,
)
from pipelines.errors import IncompleteError, MisconfiguredError, UnusableError
from pipelines.github.client import Client, RateLimiter
from pipelines.github.models import BY_STREAM, RESOURCES, Resource
from pipelines.github.repository import Repository, ask_for
from pipelines.progress import Progress, Say, in_columns
from pipelines.projects import Project, Settings
from pipelines.publish import published_path, refuse_foreign
from pipelines.warehouse import Warehouse, is_there
from pipelines.windows import SETTLING, Window, last_complete

if TYPE_CHECKING:
    from pipelines.load import Loader
    from pipelines.targeted import LoadTarget

# So many of the newest rows that a list should show are remembered.
MOST_HELD = 5_000


class WarehouseSession:
    """The warehouse of one run, and what reads and writes it."""

    def __init__(self, settings: Settings) -> None:
        """Touch nothing yet."""
        self.settings = settings
        self._stack = ExitStack()
        self._warehouse: Warehouse | None = None
        self._loader: Loader | None = None

    def open_if_there(self) -> None:
        """Open the warehouse if it exists; refuse a place where it cannot be."""
        warehouse = self.settings.warehouse
        exists = is_there(warehouse)
        # What could not be published in the end is not worth fetching.
        refuse_foreign(published_path(warehouse), warehouse)
        if exists:
            with ExitStack() as stack:
                self._open(stack)
                # Killed while it was created, or made by an older version.
                if not self._opened().is_prepared():
                    self._open_ledger()
                self._stack = stack.pop_all()

    def close(self) -> None:
        """Close it and clear away the working files."""
        self._stack.close()

    @property
    def is_open(self) -> bool:
        """Whether there is one; a first run has none until rows have come."""
        return self._warehouse is not None

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """The one connection to it; UnusableError where there is none."""
        return self._opened().connection

    def ledger(self) -> Ledger:
        """The project's bookkeeping."""
        return Ledger(self.connection, self.settings.project.name)

    def targets(self) -> Targets:
        """What is known of windows and threads that were read on their own."""
        return Targets(self.connection, self.settings.project.name)

    def call(self, repository: str) -> str:
        """Let GitHub's own letter case of `owner/name` be the one of all rows."""
        project = replace(self.settings.project, repository=repository)
        projects = tuple(
            project if one.name == project.name else one
            for one in self.settings.projects
        )
        self.settings = replace(self.settings, project=project, projects=projects)
        if self._warehouse is not None:
            self._warehouse.respell(repository)
        return repository

    def prepare(self) -> None:
        """Create what is missing of the raw tables, and the file itself."""
        self._open_ledger()
        if not self._opened().tables().issuperset(one.table for one in RESOURCES):
            self._loading().create()

    def held(self, plans: Mapping[str, Plan]) -> dict[str, dict[int, Held]]:
        """By stream and key, loaded rows that the walks should meet, the newest ones.

        Those known to be gone, and those that a walk jumps over, are none of them.
        """
        found: dict[str, dict[int, Held]] = {}
        for stream, plan in plans.items() if self.is_open else ():
            one = BY_STREAM[stream]
            if one.table in self._opened().tables():
                found[stream] = self._held(one, plan)
        return found

    def _held(self, one: Resource, plan: Plan) -> dict[int, Held]:
        at, project = one.version or "created_at", self.settings.project
        skipped = "".join(f" and not ({at} >= ? and {at} < ?)" for _ in plan.skipped)
        times = [(each.since, each.until) for each in plan.skipped]
        rows = self.connection.execute(
            f"select {one.key}, number, epoch_us({at}) from raw_github.{one.table}"
            f" where repository = ? and {at} >= ?{skipped} and number is not null"
            " and number not in (select number from raw_github.vanishings"
            "   where project = ? and kind = 'thread')"
            f" and cast({one.key} as varchar) not in (select row_key from"
            "   raw_github.vanishings where project = ? and kind = ?)"
            f" order by {at} desc limit {MOST_HELD}",
            [
                *(project.repository, plan.since, *chain(*times)),
                *(project.name, project.name, one.stream.removesuffix("s")),
            ],
        ).fetchall()
        return {
            key: Held(number, EPOCH + timedelta(microseconds=at))
            for key, number, at in rows
        }

    def target(self) -> tuple[Loader, Ledger]:
        """Where lists go, and the bookkeeping about them."""
        self._open_ledger()
        return self._loading(), self.ledger()

    def store(self) -> LoadTarget:
        """Where single threads go."""
        from pipelines.targeted import LoadTarget

        self._open_ledger()
        return LoadTarget(self._loading(), self.ledger(), self.targets())

    def _open(self, stack: ExitStack) -> None:
        settings = self.settings
        warehouse = Warehouse(settings.warehouse, lock_wait=settings.lock_wait)
        self._warehouse = stack.enter_context(warehouse)
        warehouse.recognise(settings.api_host, settings.projects)
        known = warehouse.spelling(settings.project.repository)
        self.settings = replace(
            settings, project=replace(settings.project, repository=known)
        )

    def _open_ledger(self) -> None:
        if self._warehouse is None:
            self._open(self._stack)
        settings = self.settings
        self._opened().prepare(settings.api_host, settings.projects)

    def _opened(self) -> Warehouse:
        if self._warehouse is None:
            raise UnusableError(f"There is no warehouse at {self.settings.warehouse}.")
        return self._warehouse

    def _loading(self) -> Loader:
        """The loader; imported late, since a run that need not load starts faster."""
        from pipelines.load import Loader

        if self._loader is None:
            loader = Loader(self._opened())
            self._loader = self._stack.enter_context(loader)
        return self._loader


class CoveragePlan:
    """What the ledger of one project says about its streams.

    `born_at` is when the repository was created, once that is known: before it there
    was nothing to be covered.
    """

    def __init__(self, stock: WarehouseSession, settings: Settings, say: Say) -> None:
        """Look at nothing yet."""
        self.born_at: datetime | None = None
        self._session = stock
        self._settings = settings
        self._say = say

    def plans(
        self, streams: Mapping[str, Interval], *, required_from: datetime | None = None
    ) -> dict[str, Plan]:
        """The walks that are missing for these intervals, by stream.

        What a list is known not to show is asked for again only from `required_from`
        on (by default, all of it): a window needs it, a baseline goes without.
        """
        found = {}
        for stream, wanted in streams.items():
            since = wanted.since
            horizon = self._horizon(stream)
            if horizon is not None and required_from is not None:
                since = max(since, min(horizon, required_from))
            known = [*self._covered(stream), *self._unborn(wanted)]
            passed = (
                self._session.ledger().passed(stream) if self._session.is_open else []
            )
            plan = planned(Interval(since, wanted.until), merged(known), passed)
            if plan is not None:
                found[stream] = plan
        # The events must reach as far as the threads, whose walk goes up to now.
        if "threads" in found and "issue_events" in streams.keys() - found.keys():
            until = self._covered("issue_events")[-1].until
            beyond = Interval(until, until + timedelta(seconds=1))
            if plan := planned(beyond, self._covered("issue_events")):
                found["issue_events"] = plan
        return found

    def covered_until(self, stream: str) -> datetime | None:
        """The latest instant up to which a stream is covered."""
        covered = self._covered(stream)
        return covered[-1].until if covered else None

    def reaches(self, window: Window) -> bool:
        """Whether some stream is covered somewhere in a window."""
        wanted = Interval(window.start_at, window.end_at)
        return any(missing(wanted, self._covered(one)) != [wanted] for one in STREAMS)

    def settle(
        self,
        name: str,
        required: Mapping[str, Interval],
        *,
        reach: timedelta,
        now: datetime | None,
        unread: IncompleteError | None,
    ) -> None:
        """Raise IncompleteError where a stream does not cover what is required of it.

        `reach` is how far before that it was asked for. Before the repository was
        created there was nothing: that counts as covered. `now` is the server's time,
        and `unread` says why a list could not be read to its end, if so.
        """
        ledger, short = self._session.ledger(), []
        for stream, interval in required.items():
            for before in self._unborn(replace(interval, since=interval.since - reach)):
                loaded_at = now or interval.until
                ledger.add_coverage(stream, before, loaded_at)
            gaps = missing(interval, ledger.covered(stream))
            short += [f"{stream} lacks {_spelled(gap)}" for gap in gaps]
        if not short:
            return
        line = f"{name} is not complete: {'; '.join(short)}."
        if unread is not None:
            line += f" {unread}"
        elif any(self._horizon(stream) for stream in required):
            line += " GitHub's list of events does not reach back further."
        if not self._settings.allow_partial:
            raise IncompleteError(f"{line} ALLOW_PARTIAL=1 goes on with what there is.")
        self._say(f"{line} Going on with what there is (ALLOW_PARTIAL=1).")

    def _covered(self, stream: str) -> list[Interval]:
        return self._session.ledger().covered(stream) if self._session.is_open else []

    def _horizon(self, stream: str) -> datetime | None:
        return (
            self._session.ledger().horizon(stream, "capped")
            if self._session.is_open
            else None
        )

    def _unborn(self, wanted: Interval) -> list[Interval]:
        """The part of an interval that lies before the repository was created."""
        born = self.born_at
        if born is None or born <= wanted.since:
            return []
        return [Interval(wanted.since, min(born, wanted.until))]


def _spelled(gap: Interval) -> str:
    return f"{gap.since:%Y-%m-%d %H:%M:%S} to {gap.until:%Y-%m-%d %H:%M:%S} UTC"


class Run:
    """What the commands are made of. Use it as a context manager."""

    def __init__(self, settings: Settings, say: Say) -> None:
        """Touch nothing yet."""
        self._settings = settings
        self._say = say
        self._session = WarehouseSession(settings)
        self.coverage_plan = CoveragePlan(self._session, settings, say)
        self._repository: Repository | None = None
        self._unread: IncompleteError | None = None
        self._row_count = 0
        limiter = RateLimiter(
            settings.max_wait, has_token=bool(settings.token), say=say
        )
        self._client = Client(settings.api_url, settings.token, limiter)

    def __enter__(self) -> Self:
        """Open the warehouse, if there is one."""
        self._session.open_if_there()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the warehouse and clear away the working files."""
        self._session.close()

    def ask_repository(self) -> Repository:
        """Ask GitHub about the repository: the first request of a run."""
        slug = self._project.repository
        self._repository = ask_for(slug, self._client, self._say)
        if self._repository.slug.lower() == slug.lower():
            self._session.call(self._repository.slug)
        self.coverage_plan.born_at = self._repository.created_at
        return self._repository

    def fetch(self, plans: Mapping[str, Plan]) -> None:
        """Carry the plans out: rows into the warehouse, then lines into the ledger."""
        if not plans or self._repository is None:
            return
        from pipelines.github.consistency import TRIES, contradicted
        from pipelines.github.source import readers_of
        from pipelines.load import Extraction

        url, slug = self._repository.url, self._project.repository
        client, held, progress = (
            self._client,
            self._session.held(plans),
            self._progress(),
        )
        extraction = Extraction(client, self._session.target, progress)
        left, older = dict(plans), set[str]()
        try:
            for _ in range(TRIES):
                readers = readers_of(client, url, slug, left, held)
                self._unread = extraction.run(readers)
                older = extraction.older(url)
                # Events are read after the threads, which they must not be older than.
                again = older | ({"issue_events"} if "threads" in older else set())
                left = {one: plan for one, plan in plans.items() if one in again}
                if not left:
                    break
        except BaseException:
            with suppress(Exception):
                extraction.cover(but=extraction.doubtful())
            raise
        finally:
            progress.end()
        extraction.cover(but=older)
        self._row_count = extraction.row_count
        if older:
            self._unread = contradicted(min(older))
        self._write_sync()

    @property
    def _project(self) -> Project:
        """The project, its repository in the letter case that all rows have."""
        return self._session.settings.project

    def is_targeted(self, window: Window) -> bool:
        """Whether a window was fetched on its own, and all of it."""
        return self._session.is_open and self._session.targets().has_window(window)

    def fetch_targeted(self, window: Window) -> None:
        """Fetch a window on its own: by search, timelines and a part of the lists.

        Raises IncompleteError where that cannot tell all of it.
        """
        if self._repository is None:
            return
        if not self._settings.token:
            self._say("Without GITHUB_TOKEN this takes hours: 60 requests an hour.")
        slug, has_token = self._project.repository, bool(self._settings.token)
        from pipelines.targeted import Targeted

        targeted = Targeted(
            self._client, self._repository, slug, self._say, has_token=has_token
        )
        try:
            targeted.fetch(window, self._session.store)
        except IncompleteError as error:
            if not self._settings.allow_partial:
                raise
            self._say(f"{error} Going on with what there is (ALLOW_PARTIAL=1).")
        self._row_count = targeted.row_count
        if self._session.is_open:
            self._write_sync()

    def settle(
        self, name: str, required: Mapping[str, Interval], *, reach: timedelta
    ) -> None:
        """Raise IncompleteError where a stream does not cover what is required of it.

        `reach` is how far before that it was asked for.
        """
        now = self._client.last_date
        self.coverage_plan.settle(
            name, required, reach=reach, now=now, unread=self._unread
        )

    def fetch_details(self, *more: Window, of_all: bool = False) -> None:
        """Ask for sizes, files and reviews, in a run with a token that asks anyway.

        Of these windows, and of all that were ever asked for if `of_all`.
        """
        if self._repository is None or not self._settings.token:
            return
        connection, project = self._session.connection, self._project
        from pipelines.details import Backlog, Details, DetailTables

        backlog = Backlog(connection, project.name, project.repository)
        windows = {Interval(one.start_at, one.end_at) for one in more}
        wanted = backlog.of(windows.union(backlog.asked_for()) if of_all else windows)
        budget = self._settings.detail_requests
        tables = DetailTables(connection, project.name, project.repository)
        details = Details(self._client, self._repository, tables, budget)
        details.fetch(wanted, self._say)
        ledger, now = (
            self._session.ledger(),
            self._client.last_date or self._repository.now,
        )
        for reviewed in backlog.reviewed(ledger.covered("threads")):
            if missing(reviewed, ledger.covered(REVIEWS)):
                ledger.add_coverage(REVIEWS, reviewed, now)

    def reconcile(self, reach: timedelta) -> str:
        """Mark what is loaded and gone; comments on diffs as far back as `reach`."""
        self.prepare()
        repository = self.ask_repository()
        connection, project = self._session.connection, self._project
        from pipelines.deletions import Loaded, Reconciler, Tombstones, told

        tombstones = Tombstones(connection, project.name, project.repository)
        loaded = Loaded(connection, project.name, project.repository)
        reconciler = Reconciler(
            self._client.get,
            repository,
            project.repository,
            self._session.store(),
            reach=reach,
        )
        done = reconciler.reconcile(loaded, tombstones)
        requests = _counted(self._client.request_count, "request")
        return f"{told(done, repository.now)}, in {requests}"

    def register(self, window: Window) -> None:
        """Write down that this window was asked for, and the projects' settings."""
        self.prepare()
        ledger = self._session.ledger()
        now = self._client.last_date or ledger.last_sync_ended_at()
        ledger.add_request(window, now or window.settled_at)

    def prepare(self) -> None:
        """Create what is missing of the warehouse's raw tables."""
        self._session.prepare()

    def told(self) -> str:
        """What the run did, in a few words."""
        if not self._client.request_count:
            return "nothing had to be fetched"
        requests = _counted(self._client.request_count, "request")
        return f"{_counted(self._row_count, 'row')} in {requests}"

    def _progress(self) -> Progress:
        return Progress(self._say, lambda: self._client.request_count)

    def _write_sync(self) -> None:
        client = self._client
        if client.first_date is None or client.last_date is None:
            return
        self._session.ledger().add_sync(
            Sync(
                began_at=client.first_date,
                ended_at=client.last_date,
                request_count=client.request_count,
                row_count=self._row_count,
                api_host=self._settings.api_host,
                tool_version=__version__,
            )
        )


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


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
        coverage_plan = run.coverage_plan
        covered_until = {
            stream: coverage_plan.covered_until(stream) for stream in STREAMS
        }
        now = run.ask_repository().now
        first = last_complete(of_day, now).start_at
        first -= timedelta(days=settings.baseline_days)
        needed = {
            stream: Interval(until or first, now)
            for stream, until in covered_until.items()
        }
        run.fetch(coverage_plan.plans(needed))
        run.settle(settings.project.name, needed, reach=timedelta())
        run.fetch_details(last_complete(of_day, now), of_all=True)
        return f"{settings.project.name} is loaded up to now ({run.told()})."


def backfill(settings: Settings, since: Window, until: Window | None, say: Say) -> str:
    """Fetch what is missing between the starts and ends of two days' windows."""
    name = f"{settings.project.name} {since.date} to {until.date if until else 'now'}"
    with Run(settings, say) as run:
        end = until.settled_at if until else None
        if end is None or run.coverage_plan.plans(
            _wanted(run, Interval(since.start_at, end))
        ):
            repository = run.ask_repository()
            if until is not None:
                _refuse_unready(until, repository, settings)
            elif since.start_at >= repository.now:
                raise MisconfiguredError(f"FROM={since.date} has not begun yet.")
            end = min(end or repository.now, repository.now)
            needed = Interval(since.start_at, end)
            run.fetch(run.coverage_plan.plans(_wanted(run, needed)))
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
    known_until = run.coverage_plan.covered_until("threads") or interval.until
    until = max(interval.until, known_until)
    return {**wanted, "issue_events": Interval(interval.since, until)}


def _plans(
    run: Run, window: Window, until: datetime, reach: timedelta
) -> dict[str, Plan]:
    """The walks that a window with its baseline still needs."""
    wanted = _wanted(run, Interval(window.start_at - reach, until))
    return run.coverage_plan.plans(wanted, required_from=window.start_at)


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
        return is_old and bool(settings.token) and not run.coverage_plan.reaches(window)
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
