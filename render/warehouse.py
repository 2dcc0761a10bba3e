"""Report tables of one window, read from DuckDB: the only module that opens it.

Read-only, and in UTC whatever the machine's time zone.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pandas as pd

from pipelines.exits import UnusableError
from render import queries


@dataclass(frozen=True)
class Frames:
    """One DataFrame per report table, each for the same window."""

    provenance: pd.DataFrame
    headline_counts: pd.DataFrame
    listed_threads: pd.DataFrame
    ecosystem_threads: pd.DataFrame
    hot_threads: pd.DataFrame
    hot_thread_comments: pd.DataFrame


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
    wanted = {"window_id": window_id}

    def read(query: str) -> pd.DataFrame:
        frame: pd.DataFrame = (
            connection.execute(query, wanted).to_arrow_table().to_pandas()
        )
        return frame

    provenance = read(queries.PROVENANCE)
    if provenance.empty:
        raise UnusableError(f"{window_id} has no provenance: run `make build`.")
    return Frames(
        provenance=provenance,
        headline_counts=read(queries.HEADLINE_COUNTS),
        listed_threads=read(queries.LISTED_THREADS),
        ecosystem_threads=read(queries.ECOSYSTEM_THREADS),
        hot_threads=read(queries.HOT_THREADS),
        hot_thread_comments=read(queries.HOT_THREAD_COMMENTS),
    )


def _has_windows(connection: duckdb.DuckDBPyConnection) -> bool:
    """False in a warehouse that was loaded but never built."""
    found = connection.execute(
        "select count(*) from information_schema.tables "
        "where table_schema = 'marts' and table_name = 'windows'"
    ).fetchone()
    return bool(found and found[0])


def _why_unopened(path: Path, error: duckdb.Error) -> str:
    text = str(error)
    if "lock" in text.lower():
        held = text.split("PID ")[1].split(")")[0] if "PID " in text else "?"
        return (
            f"{path} is held by another process (PID {held}): "
            "wait until it is done, then run this again."
        )
    return (
        f"{path} cannot be read as a DuckDB file ({text.splitlines()[0]}): "
        "move it away and run `make report`."
    )
