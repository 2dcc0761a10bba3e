"""What one list of GitHub is, and which table its rows go to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import pyarrow as pa

from pipelines.github.rows import TIME, Payload, Row


@dataclass(frozen=True)
class Resource:
    """One list: the stream it feeds, where it is, and how a payload becomes a row.

    Attributes:
        stream: the name that coverage knows it by.
        table: the table of `raw_github`; with `repository`, `key` is its grain.
        path: below the repository's URL, with all parameters but `since`.
        columns: without `repository` and `fetched_at`, which every table has.
        person: the prefix of the columns that name who did it: `user` or `actor`.
        fields: the keys its payloads are known to have; None if that is not watched.
        kinds: the values its `event` is known to have, likewise.
        has_since: whether the list can be asked for what changed since an instant.
    """

    stream: str
    table: str
    path: str
    key: str
    columns: tuple[tuple[str, pa.DataType], ...]
    person: str
    to_row: Callable[[Payload], Row]
    has_since: bool = True
    fields: frozenset[str] | None = None
    kinds: frozenset[str] | None = None

    @cached_property
    def schema(self) -> pa.Schema:
        """The table's columns, in order."""
        first, last = ("repository", pa.string()), ("fetched_at", TIME)
        return pa.schema([first, *self.columns, last])

    @cached_property
    def firsts(self) -> tuple[str, ...]:
        """The columns whose first value stays, e.g. `first_author_association`.

        Each stands beside the column of the newest value, named without `first_`.
        """
        return tuple(name for name, _ in self.columns if name.startswith("first_"))

    @cached_property
    def version(self) -> str | None:
        """The column that tells the newer of two versions of a row, if there is one."""
        names = [name for name, _ in self.columns]
        return "updated_at" if "updated_at" in names else None


def person_columns(prefix: str) -> tuple[tuple[str, pa.DataType], ...]:
    """The three columns that name an account."""
    return (
        (f"{prefix}_id", pa.int64()),
        (f"{prefix}_login", pa.string()),
        (f"{prefix}_type", pa.string()),
    )
