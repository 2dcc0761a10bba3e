"""One run over one project: its warehouse, its conversation with GitHub, its plans.

The warehouse of a first run is created when the first page of rows has arrived.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from types import TracebackType
from typing import Self

from pipelines import __version__
from pipelines.backlog import Backlog
from pipelines.coverage import REVIEWS, Interval, Plan, missing
from pipelines.detail_tables import DetailTables
from pipelines.details import Details
from pipelines.exits import IncompleteError
from pipelines.github.client import Client
from pipelines.github.consistency import TRIES, contradicted
from pipelines.github.courtesy import Patience
from pipelines.github.repository import Repository, ask_for
from pipelines.ledger import Sync
from pipelines.loaded import Loaded
from pipelines.progress import Progress, Say
from pipelines.projects import Project
from pipelines.reconcile import Reconciler, told
from pipelines.settings import Settings
from pipelines.standing import Standing
from pipelines.stock import Stock
from pipelines.targeted import Targeted
from pipelines.vanishings import Vanishings
from pipelines.windows import Window


class Run:
    """What the commands are made of. Use it as a context manager."""

    def __init__(self, settings: Settings, say: Say) -> None:
        """Touch nothing yet."""
        self._settings = settings
        self._say = say
        self._stock = Stock(settings)
        self.standing = Standing(self._stock, settings, say)
        self._repository: Repository | None = None
        self._unread: IncompleteError | None = None
        self._row_count = 0
        patience = Patience(settings.max_wait, has_token=bool(settings.token), say=say)
        self._client = Client(settings.api_url, settings.token, patience)

    def __enter__(self) -> Self:
        """Open the warehouse, if there is one."""
        self._stock.open_if_there()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the warehouse and clear away the working files."""
        self._stock.close()

    def ask_repository(self) -> Repository:
        """Ask GitHub about the repository: the first request of a run."""
        slug = self._project.repository
        self._repository = ask_for(slug, self._client, self._say)
        if self._repository.slug.lower() == slug.lower():
            self._stock.call(self._repository.slug)
        self.standing.born_at = self._repository.created_at
        return self._repository

    def fetch(self, plans: Mapping[str, Plan]) -> None:
        """Carry the plans out: rows into the warehouse, then lines into the ledger."""
        if not plans or self._repository is None:
            return
        from pipelines.extraction import Extraction
        from pipelines.github.source import readers_of

        url, slug = self._repository.url, self._project.repository
        client, held, progress = self._client, self._stock.held(plans), self._progress()
        extraction = Extraction(client, self._stock.target, progress)
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
        return self._stock.settings.project

    def is_targeted(self, window: Window) -> bool:
        """Whether a window was fetched on its own, and all of it."""
        return self._stock.is_open and self._stock.targets().has_window(window)

    def fetch_targeted(self, window: Window) -> None:
        """Fetch a window on its own: by search, timelines and a part of the lists.

        Raises IncompleteError where that cannot tell all of it.
        """
        if self._repository is None:
            return
        if not self._settings.token:
            self._say("Without GITHUB_TOKEN this takes hours: 60 requests an hour.")
        slug, has_token = self._project.repository, bool(self._settings.token)
        targeted = Targeted(
            self._client, self._repository, slug, self._say, has_token=has_token
        )
        try:
            targeted.fetch(window, self._stock.store)
        except IncompleteError as error:
            if not self._settings.allow_partial:
                raise
            self._say(f"{error} Going on with what there is (ALLOW_PARTIAL=1).")
        self._row_count = targeted.row_count
        if self._stock.is_open:
            self._write_sync()

    def settle(
        self, name: str, required: Mapping[str, Interval], *, reach: timedelta
    ) -> None:
        """Raise IncompleteError where a stream does not cover what is required of it.

        `reach` is how far before that it was asked for.
        """
        now = self._client.last_date
        self.standing.settle(name, required, reach=reach, now=now, unread=self._unread)

    def fetch_details(self, *more: Window, of_all: bool = False) -> None:
        """Ask for sizes, files and reviews, in a run with a token that asks anyway.

        Of these windows, and of all that were ever asked for if `of_all`.
        """
        if self._repository is None or not self._settings.token:
            return
        connection, project = self._stock.connection, self._project
        backlog = Backlog(connection, project.name, project.repository)
        windows = {Interval(one.start_at, one.end_at) for one in more}
        wanted = backlog.of(windows.union(backlog.asked_for()) if of_all else windows)
        budget = self._settings.detail_requests
        tables = DetailTables(connection, project.name, project.repository)
        details = Details(self._client, self._repository, tables, budget)
        details.fetch(wanted, self._say)
        ledger, now = (
            self._stock.ledger(),
            self._client.last_date or self._repository.now,
        )
        for reviewed in backlog.reviewed(ledger.covered("threads")):
            if missing(reviewed, ledger.covered(REVIEWS)):
                ledger.add_coverage(REVIEWS, reviewed, now)

    def reconcile(self, reach: timedelta) -> str:
        """Mark what is loaded and gone; comments on diffs as far back as `reach`."""
        self.prepare()
        repository = self.ask_repository()
        connection, project = self._stock.connection, self._project
        vanishings = Vanishings(connection, project.name, project.repository)
        loaded = Loaded(connection, project.name, project.repository)
        reconciler = Reconciler(
            self._client.get,
            repository,
            project.repository,
            self._stock.store(),
            reach=reach,
        )
        done = reconciler.reconcile(loaded, vanishings)
        requests = _counted(self._client.request_count, "request")
        return f"{told(done, repository.now)}, in {requests}"

    def register(self, window: Window) -> None:
        """Write down that this window was asked for, and the projects' settings."""
        self.prepare()
        ledger = self._stock.ledger()
        now = self._client.last_date or ledger.last_sync_ended_at()
        ledger.add_request(window, now or window.settled_at)

    def prepare(self) -> None:
        """Create what is missing of the warehouse's raw tables."""
        self._stock.prepare()

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
        self._stock.ledger().add_sync(
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
