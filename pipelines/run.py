"""One run over one project: its warehouse, its conversation with GitHub, its plans.

The warehouse of a first run is created when the first page of rows has arrived.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime, timedelta
from types import TracebackType
from typing import TYPE_CHECKING, Self

from pipelines import __version__
from pipelines.backlog import Backlog
from pipelines.chunk import Store
from pipelines.coverage import (
    REVIEWS,
    STREAMS,
    Interval,
    Plan,
    merged,
    missing,
    planned,
)
from pipelines.detail_tables import DetailTables
from pipelines.details import Details
from pipelines.exits import IncompleteError, UnusableError
from pipelines.fetch import fetch
from pipelines.github import apart
from pipelines.github.client import Client
from pipelines.github.courtesy import Patience
from pipelines.github.repository import Repository, ask_for
from pipelines.github.source import RESOURCES, Lanes
from pipelines.ledger import Ledger, Sync
from pipelines.loaded import Loaded
from pipelines.place import is_there
from pipelines.progress import Progress, Say
from pipelines.publish import published_path, refuse_foreign
from pipelines.reconcile import Reconciler, told
from pipelines.settings import Settings
from pipelines.targeted import Targeted
from pipelines.targets import Targets
from pipelines.vanishings import Vanishings
from pipelines.warehouse import Warehouse
from pipelines.windows import Window

if TYPE_CHECKING:
    from pipelines.intake import Intake
    from pipelines.load import Loader


class Run:
    """What the commands are made of. Use it as a context manager."""

    def __init__(self, settings: Settings, say: Say) -> None:
        """Touch nothing yet."""
        self._settings = settings
        self._say = say
        self._stack = ExitStack()
        self._warehouse: Warehouse | None = None
        self._loader: Loader | None = None
        self._repository: Repository | None = None
        self._unread: IncompleteError | None = None
        self._row_count = 0
        patience = Patience(settings.max_wait, has_token=bool(settings.token), say=say)
        self._client = Client(settings.api_url, settings.token, patience)

    def __enter__(self) -> Self:
        """Open the warehouse, if there is one."""
        warehouse = self._settings.warehouse
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
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the warehouse and clear away the working files."""
        self._stack.close()

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
            passed = self._ledger().passed(stream) if self._warehouse else []
            plan = planned(Interval(since, wanted.until), merged(known), passed)
            if plan is not None:
                found[stream] = plan
        return found

    def covered_until(self, stream: str) -> datetime | None:
        """The latest instant up to which a stream is covered."""
        covered = self._covered(stream)
        return covered[-1].until if covered else None

    def ask_repository(self) -> Repository:
        """Ask GitHub about the repository: the first request of a run."""
        slug = self._settings.project.repository
        self._repository = ask_for(slug, self._client, self._say)
        return self._repository

    def fetch(self, plans: Mapping[str, Plan]) -> None:
        """Carry the plans out: rows into the warehouse, then lines into the ledger."""
        if not plans or self._repository is None:
            return
        slug = self._settings.project.repository
        lanes = Lanes(self._client, self._repository.url, slug)
        progress = self._progress()
        try:
            fetched = fetch(apart.pages(lanes, plans), self._intake, progress)
        finally:
            progress.end()
        self._unread, self._row_count = fetched.unread, fetched.row_count
        self._write_sync()

    def is_targeted(self, window: Window) -> bool:
        """Whether a window was fetched on its own, and all of it."""
        if self._warehouse is None or "targeted_windows" not in self._opened().tables():
            return False
        return self._targets().has_window(window)

    def reaches(self, window: Window) -> bool:
        """Whether some stream is covered somewhere in a window."""
        wanted = Interval(window.start_at, window.end_at)
        return any(missing(wanted, self._covered(one)) != [wanted] for one in STREAMS)

    def fetch_targeted(self, window: Window) -> None:
        """Fetch a window on its own: by search, timelines and a part of the lists.

        Raises IncompleteError where that cannot tell all of it.
        """
        if self._repository is None:
            return
        if not self._settings.token:
            self._say("Without GITHUB_TOKEN this takes hours: 60 requests an hour.")
        slug, has_token = self._settings.project.repository, bool(self._settings.token)
        targeted = Targeted(
            self._client, self._repository, slug, self._say, has_token=has_token
        )
        try:
            targeted.fetch(window, self._store)
        except IncompleteError as error:
            if not self._settings.allow_partial:
                raise
            self._say(f"{error} Going on with what there is (ALLOW_PARTIAL=1).")
        self._row_count = targeted.row_count
        if self._warehouse is not None:
            self._write_sync()

    def settle(
        self, name: str, required: Mapping[str, Interval], *, reach: timedelta
    ) -> None:
        """Raise IncompleteError where a stream does not cover what is required of it.

        `reach` is how far before that it was asked for. Before the repository was
        created there was nothing: that counts as covered.
        """
        ledger, short = self._ledger(), []
        for stream, interval in required.items():
            for before in self._unborn(replace(interval, since=interval.since - reach)):
                loaded_at = self._client.last_date or interval.until
                ledger.add_coverage(stream, before, loaded_at)
            gaps = missing(interval, ledger.covered(stream))
            short += [f"{stream} lacks {_spelled(gap)}" for gap in gaps]
        if not short:
            return
        line = f"{name} is not complete: {'; '.join(short)}."
        if self._unread is not None:
            line += f" {self._unread}"
        elif any(self._horizon(stream) for stream in required):
            line += " GitHub's list of events does not reach back further."
        if not self._settings.allow_partial:
            raise IncompleteError(f"{line} ALLOW_PARTIAL=1 goes on with what there is.")
        self._say(f"{line} Going on with what there is (ALLOW_PARTIAL=1).")

    def fetch_details(self, *more: Window, of_all: bool = False) -> None:
        """Ask for sizes, files and reviews, in a run with a token that asks anyway.

        Of these windows, and of all that were ever asked for if `of_all`.
        """
        if self._repository is None or not self._settings.token:
            return
        # The lanes, at their end, told everyone to stop; none of them is left.
        self._client.patience.stopping.clear()
        connection, project = self._opened().connection, self._settings.project
        backlog = Backlog(connection, project.name, project.repository)
        windows = {Interval(one.start_at, one.end_at) for one in more}
        wanted = backlog.of(windows.union(backlog.asked_for()) if of_all else windows)
        budget = self._settings.detail_requests
        tables = DetailTables(connection, project.name, project.repository)
        details = Details(self._client, self._repository, tables, budget)
        details.fetch(wanted, self._say)
        ledger, now = self._ledger(), self._client.last_date or self._repository.now
        for reviewed in backlog.reviewed(ledger.covered("threads")):
            if missing(reviewed, ledger.covered(REVIEWS)):
                ledger.add_coverage(REVIEWS, reviewed, now)

    def reconcile(self, reach: timedelta) -> str:
        """Mark what is loaded and gone; comments on diffs as far back as `reach`."""
        self.prepare()
        repository = self.ask_repository()
        connection, project = self._opened().connection, self._settings.project
        vanishings = Vanishings(connection, project.name, project.repository)
        loaded = Loaded(connection, project.name, project.repository)
        reconciler = Reconciler(self._client.get, repository, reach=reach)
        done = reconciler.reconcile(loaded, vanishings)
        requests = _counted(self._client.request_count, "request")
        return f"{told(done, repository.now)}, in {requests}"

    def register(self, window: Window) -> None:
        """Write down that this window was asked for, and the projects' settings."""
        self.prepare()
        ledger = self._ledger()
        now = self._client.last_date or ledger.last_sync_ended_at()
        ledger.add_request(window, now or window.settled_at)

    def prepare(self) -> None:
        """Create what is missing of the warehouse's raw tables."""
        self._open_ledger()
        if not self._opened().tables().issuperset(one.table for one in RESOURCES):
            self._loading().create()

    def told(self) -> str:
        """What the run did, in a few words."""
        if not self._client.request_count:
            return "nothing had to be fetched"
        requests = _counted(self._client.request_count, "request")
        return f"{_counted(self._row_count, 'row')} in {requests}"

    def _open(self, stack: ExitStack) -> None:
        settings = self._settings
        warehouse = Warehouse(settings.warehouse, lock_wait=settings.lock_wait)
        self._warehouse = stack.enter_context(warehouse)
        warehouse.recognise(settings.api_host, settings.projects)

    def _open_ledger(self) -> None:
        if self._warehouse is None:
            self._open(self._stack)
        settings = self._settings
        self._opened().prepare(settings.api_host, settings.projects)

    def _opened(self) -> Warehouse:
        if self._warehouse is None:
            raise UnusableError(f"There is no warehouse at {self._settings.warehouse}.")
        return self._warehouse

    def _ledger(self) -> Ledger:
        return Ledger(self._opened().connection, self._settings.project.name)

    def _covered(self, stream: str) -> list[Interval]:
        return self._ledger().covered(stream) if self._warehouse else []

    def _horizon(self, stream: str) -> datetime | None:
        return self._ledger().horizon(stream, "capped") if self._warehouse else None

    def _unborn(self, wanted: Interval) -> list[Interval]:
        """The part of an interval that lies before the repository was created."""
        born = self._repository.created_at if self._repository else None
        if born is None or born <= wanted.since:
            return []
        return [Interval(wanted.since, min(born, wanted.until))]

    def _intake(self) -> Intake:
        from pipelines.intake import Intake

        self._open_ledger()
        return Intake(self._loading(), self._ledger())

    def _targets(self) -> Targets:
        return Targets(self._opened().connection, self._settings.project.name)

    def _store(self) -> Store:
        self._open_ledger()
        return Store(self._loading(), self._ledger(), self._targets())

    def _loading(self) -> Loader:
        """The loader; imported late, since a run that need not load starts faster."""
        from pipelines.load import Loader

        if self._loader is None:
            loader = Loader(self._opened())
            self._loader = self._stack.enter_context(loader)
        return self._loader

    def _progress(self) -> Progress:
        return Progress(self._say, lambda: self._client.request_count)

    def _write_sync(self) -> None:
        client = self._client
        if client.first_date is None or client.last_date is None:
            return
        self._ledger().add_sync(
            Sync(
                began_at=client.first_date,
                ended_at=client.last_date,
                request_count=client.request_count,
                row_count=self._row_count,
                api_host=self._settings.api_host,
                tool_version=__version__,
            )
        )


def _spelled(gap: Interval) -> str:
    return f"{gap.since:%Y-%m-%d %H:%M:%S} to {gap.until:%Y-%m-%d %H:%M:%S} UTC"


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
