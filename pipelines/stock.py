"""What one project has in the warehouse, opened or created when it is needed.

The file of a first run is created when the first page of rows has arrived.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from itertools import chain
from typing import TYPE_CHECKING

import duckdb

from pipelines.chunk import Store
from pipelines.coverage import Plan
from pipelines.exits import UnusableError
from pipelines.github.consistency import Held
from pipelines.github.resource import Resource
from pipelines.github.streams import BY_STREAM, RESOURCES
from pipelines.ledger import Ledger
from pipelines.place import is_there
from pipelines.publish import published_path, refuse_foreign
from pipelines.settings import Settings
from pipelines.targets import EPOCH, Targets
from pipelines.warehouse import Warehouse

if TYPE_CHECKING:
    from pipelines.load import Loader

# So many of the newest rows that a list should show are remembered.
MOST_HELD = 5_000


class Stock:
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

    def store(self) -> Store:
        """Where single threads go."""
        self._open_ledger()
        return Store(self._loading(), self.ledger(), self.targets())

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
