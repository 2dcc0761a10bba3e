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

_PROVENANCE = """
    select
        window_id, project_title, repository, time_zone, window_kind,
        window_start_at, window_end_at, is_complete, completeness, data_as_of_at,
        is_synthetic, spotlight_ecosystem, baseline_window_count,
        quarantined_row_count, streams
    from reports.rpt_provenance
    where window_id = $window_id
"""

_HEADLINE_COUNTS = """
    select
        new_issue_count, closed_issue_count, new_pr_count, merged_pr_count,
        closed_unmerged_pr_count,
        new_issue_count_median, closed_issue_count_median, new_pr_count_median,
        merged_pr_count_median, closed_unmerged_pr_count_median
    from reports.rpt_headline_counts
    where window_id = $window_id
"""

_LISTED_THREADS = """
    select
        listing, number, title, labels, author_login, event_at, url, as_of_basis
    from reports.rpt_listed_threads
    where window_id = $window_id
    order by listing, position
"""

_ECOSYSTEM_THREADS = """
    select
        ecosystem, kind, number, title, labels, author_login, is_bot_author, status,
        status_at, url, score, is_author_only, evidence, listings, comment_count,
        human_comment_count, linked_threads, excerpt
    from reports.rpt_ecosystem_threads
    where window_id = $window_id
    order by ecosystem, position
"""

_HOT_THREADS = """
    select
        thread_id, kind, number, title, author_login, url, status, status_at,
        comment_count, human_comment_count, participant_count, comments_per_hour,
        peak_hour_comment_count, baseline_per_day, velocity_ratio, heat_score,
        heat_level, participants, listings
    from reports.rpt_hot_threads
    where window_id = $window_id
    order by heat_rank
"""

_HOT_THREAD_COMMENTS = """
    select thread_id, author_login, created_at, excerpt, url, reasons
    from reports.rpt_hot_thread_comments
    where window_id = $window_id
    order by thread_id, position
"""

_LATEST_COMPLETE = """
    select window_id
    from marts.windows
    where
        project = $project
        and window_kind = $kind
        and ends_with(window_id, $name_ending)
        and is_complete
    order by window_end_at desc
    limit 1
"""

_IS_BUILT = """
    select is_complete from marts.windows where window_id = $window_id
"""


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
    row = connection.execute(_IS_BUILT, {"window_id": window_id}).fetchone()
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
    row = connection.execute(_LATEST_COMPLETE, wanted).fetchone()
    return None if row is None else str(row[0])


def read_frames(connection: duckdb.DuckDBPyConnection, window_id: str) -> Frames:
    """All report tables of one window, rows in the order of the report."""
    wanted = {"window_id": window_id}

    def read(query: str) -> pd.DataFrame:
        frame: pd.DataFrame = (
            connection.execute(query, wanted).to_arrow_table().to_pandas()
        )
        return frame

    return Frames(
        provenance=read(_PROVENANCE),
        headline_counts=read(_HEADLINE_COUNTS),
        listed_threads=read(_LISTED_THREADS),
        ecosystem_threads=read(_ECOSYSTEM_THREADS),
        hot_threads=read(_HOT_THREADS),
        hot_thread_comments=read(_HOT_THREAD_COMMENTS),
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
