"""Report tables of one window, read from DuckDB: the only module that opens it.

Read-only, and in UTC whatever the machine's time zone.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path

import duckdb
import pandas as pd

from pipelines.exits import UnusableError
from render import queries
from render.cells import Row, rows, text


@dataclass(frozen=True)
class Frames:
    """One DataFrame per report table, each for the same window."""

    provenance: pd.DataFrame
    headline_counts: pd.DataFrame
    listed_threads: pd.DataFrame
    ecosystem_threads: pd.DataFrame
    hot_threads: pd.DataFrame
    summary: pd.DataFrame
    trend: pd.DataFrame
    ecosystem_share: pd.DataFrame
    ecosystem_contributors: pd.DataFrame
    hot_thread_outcomes: pd.DataFrame
    comment_hours: pd.DataFrame
    topics: pd.DataFrame
    notable_changes: pd.DataFrame
    activity: pd.DataFrame
    watch_list: pd.DataFrame
    restatements: pd.DataFrame


@contextmanager
def open_warehouse(path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A read-only connection in UTC. UnusableError where there is nothing to read.

    DuckDB's own errors while the connection is in use become UnusableError as well:
    a table that is not there or not as promised is a warehouse of another version.
    """
    if not path.is_file():
        raise UnusableError(
            f"There is no warehouse at {path}: run `make report` first."
        )
    try:
        connection = duckdb.connect(str(path), read_only=True)
    except duckdb.Error as error:
        raise UnusableError(_why_unopened(path, error)) from error
    try:
        connection.execute("set timezone = 'UTC'")
        yield connection
    except duckdb.Error as error:
        first_line = str(error).splitlines()[0]
        raise UnusableError(
            f"{path} does not hold the tables of this version ({first_line}): "
            "run `make build`."
        ) from error
    finally:
        connection.close()


def is_complete(connection: duckdb.DuckDBPyConnection, window_id: str) -> bool | None:
    """Whether the window is complete; None where it has not been built at all."""
    if not _has_windows(connection):
        return None
    row = connection.execute(queries.IS_BUILT, {"window_id": window_id}).fetchone()
    return None if row is None else bool(row[0])


def latest_complete(
    connection: duckdb.DuckDBPyConnection,
    *,
    project: str,
    kind: str,
    name_ending: str = "",
) -> str | None:
    """The id of the newest complete window of a kind; None where there is none.

    `name_ending` chooses among custom windows, e.g. `20:17+1h`.
    """
    if not _has_windows(connection):
        return None
    wanted = {"project": project, "kind": kind, "name_ending": name_ending}
    row = connection.execute(queries.LATEST_COMPLETE, wanted).fetchone()
    return None if row is None else str(row[0])


def read_frames(connection: duckdb.DuckDBPyConnection, window_id: str) -> Frames:
    """All report tables of one window, rows in the order of the report.

    UnusableError where the window's provenance is not there: its build broke off.
    """
    return read_all_frames(connection, [window_id])[window_id]


def read_all_frames(
    connection: duckdb.DuckDBPyConnection, window_ids: Sequence[str]
) -> dict[str, Frames]:
    """The same for several windows: each table is read once for all of them."""
    tables = {
        field.name: _by_window(
            connection.execute(
                getattr(queries, field.name.upper()), {"window_ids": list(window_ids)}
            )
            .to_arrow_table()
            .to_pandas(),
            window_ids,
        )
        for field in fields(Frames)
    }
    for window_id, provenance in tables["provenance"].items():
        if provenance.empty:
            raise UnusableError(f"{window_id} has no provenance: run `make build`.")
    return {
        window_id: Frames(**{name: parts[window_id] for name, parts in tables.items()})
        for window_id in window_ids
    }


def _by_window(
    frame: pd.DataFrame, window_ids: Sequence[str]
) -> dict[str, pd.DataFrame]:
    """A table's rows by window, in its order; an empty table where there are none."""
    parts = dict(iter(frame.groupby("window_id", sort=False)))
    return {name: parts.get(name, frame.iloc[:0]) for name in window_ids}


def read_site_windows(connection: duckdb.DuckDBPyConnection) -> list[Row]:
    """All complete calendar windows, oldest first by project, each with the
    `fingerprint` of what its page shows: it is another where any row is.
    """
    if not _has_windows(connection):
        return []
    found = rows(connection.execute(queries.SITE_WINDOWS).to_arrow_table().to_pandas())
    tables = [row[0] for row in connection.execute(queries.REPORT_TABLES).fetchall()]
    seen: dict[str, list[str]] = defaultdict(list)
    for table in tables:
        still = f"* exclude ({', '.join(queries.MOVING)})"
        columns = still if table == "rpt_provenance" else "*"
        query = queries.ROWS_HASHED.format(name=table, columns=columns)
        for window_id, digest in connection.execute(query).fetchall():
            seen[window_id].append(digest)
    return [
        {**row, "fingerprint": "\n".join(seen[text(row, "window_id")])} for row in found
    ]


def _has_windows(connection: duckdb.DuckDBPyConnection) -> bool:
    """False in a warehouse that was loaded but never built."""
    found = connection.execute(
        "select count(*) from information_schema.tables "
        "where table_schema = 'marts' and table_name = 'windows'"
    ).fetchone()
    return bool(found and found[0])


def _why_unopened(path: Path, error: duckdb.Error) -> str:
    text = str(error)
    # A damaged file's message speaks of a "block", so not of any lock.
    if "Could not set lock" in text:
        held = text.split("PID ")[1].split(")")[0] if "PID " in text else "?"
        return (
            f"{path} is held by another process (PID {held}): "
            "wait until it is done, then run this again."
        )
    return (
        f"{path} cannot be read as a DuckDB file ({text.splitlines()[0]}): "
        "move it away and run `make report`."
    )
