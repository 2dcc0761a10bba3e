"""Report tables, read from DuckDB: the only module that opens it.

Read-only, and in UTC whatever the machine's time zone. A table's rows are the context
of the templates as they are: mappings of columns to Python values, in order.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import duckdb

from pipelines.errors import UnusableError
from render.escaping import safe_url

Row = Mapping[str, Any]
Rows = dict[str, Any]
"""The report tables of one window by their names, without `rpt_`: a table of one row a
window is that row, or null; any other is a list."""

SINGLE = ("provenance", "headline_counts", "summary", "activity")
ORDERED = {
    "front_page": "slot, position",
    "ecosystem_threads": "ecosystem, position",
    "ecosystem_share": "ecosystem",
    "ecosystem_contributors": "ecosystem, position",
    "hot_threads": "heat_rank",
    "hot_thread_outcomes": "position",
    "comment_hours": "position",
    "topics": "position",
    "notable_changes": "position",
    "watch_list": "position",
    "listed_threads": "listing, position",
    "listing_batches": "listing",
    "listing_digests": "listing, thread_count desc, title_prefix, author_login",
    "trend": "position",
    "restatements": "version, listing, number, change",
}
"""The other tables, and in which order their rows are shown."""

SITE_WINDOWS = """
    select
        provenance.window_id, provenance.project, provenance.window_kind,
        provenance.window_date, provenance.window_end_at, provenance.project_title,
        provenance.repository, provenance.time_zone, provenance.is_synthetic,
        provenance.data_as_of_at, provenance.languages,
        counts.new_issue_count, counts.closed_issue_count, counts.new_pr_count,
        counts.merged_pr_count, counts.closed_unmerged_pr_count
    from reports.rpt_provenance as provenance
    inner join reports.rpt_headline_counts as counts
        on provenance.window_id = counts.window_id
    where
        provenance.is_complete
        and provenance.window_kind in ('day', 'week', 'month')
    order by provenance.project, provenance.window_end_at, provenance.window_kind
"""

MOVING = ("data_as_of_at", "streams")
"""What a page of the site leaves out of its provenance: how far the newest sync reaches
moves every day, and would make every page new every day."""

ROWS_HASHED = """
    select
        window_id,
        concat_ws(
            '|', '{name}', count(*), sum(hash(hashed)), bit_xor(hash(hashed))
        ) as seen
    from (select {columns} from reports.rpt_{name}) as hashed
    group by window_id
"""
"""Whether any row of a window changed, for all windows in one pass; the sum and the
exclusive or of the rows' hashes do not depend on their order."""


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
    row = connection.execute(
        "select is_complete from marts.windows where window_id = ?", [window_id]
    ).fetchone()
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
    row = connection.execute(
        """
        select window_id from marts.windows
        where
            project = ? and window_kind = ? and ends_with(window_id, ?) and is_complete
        order by window_end_at desc
        limit 1
        """,
        [project, kind, name_ending],
    ).fetchone()
    return None if row is None else str(row[0])


def read_rows(
    connection: duckdb.DuckDBPyConnection, window_ids: Sequence[str]
) -> dict[str, Rows]:
    """All report tables of some windows, by window; one query a table.

    UnusableError where a window's provenance is not there: its build broke off.
    """
    found: dict[str, Rows] = {
        window_id: dict.fromkeys(SINGLE) | {name: [] for name in ORDERED}
        for window_id in window_ids
    }
    for name in (*SINGLE, *ORDERED):
        query = (
            f"select * from reports.rpt_{name} "
            "where window_id in (select unnest($window_ids)) "
            f"order by {ORDERED.get(name, 'window_id')}"
        )
        table = connection.execute(query, {"window_ids": list(window_ids)})
        for row in _dicts(table):
            rows = found[row["window_id"]]
            if name in SINGLE:
                rows[name] = row
            else:
                rows[name].append(row)
    for window_id, rows in found.items():
        if rows["provenance"] is None:
            raise UnusableError(f"{window_id} has no provenance: run `make build`.")
        zone = ZoneInfo(rows["provenance"]["time_zone"] or "UTC")
        found[window_id] = _prepared(rows, zone)
    return found


def _prepared(value: Any, zone: ZoneInfo, name: str = "") -> Any:
    """The value with local times, and with addresses that are harmless or null."""
    if isinstance(value, datetime):
        return value.astimezone(zone)
    if isinstance(value, list):
        return [_prepared(item, zone, name) for item in value]
    if isinstance(value, dict):
        return {key: _prepared(item, zone, key) for key, item in value.items()}
    if isinstance(value, str) and name.endswith("url"):
        return safe_url(value)
    return value


def read_site_windows(connection: duckdb.DuckDBPyConnection) -> list[Row]:
    """All complete calendar windows, oldest first by project, each with the
    `fingerprint` of what its page shows: it is another where any row is.
    """
    if not _has_windows(connection):
        return []
    found = _dicts(connection.execute(SITE_WINDOWS))
    seen: dict[str, list[str]] = defaultdict(list)
    for name in (*SINGLE, *ORDERED):
        shown = f"* exclude ({', '.join(MOVING)})" if name == "provenance" else "*"
        query = ROWS_HASHED.format(name=name, columns=shown)
        for window_id, digest in connection.execute(query).fetchall():
            seen[window_id].append(digest)
    for row in found:
        row["fingerprint"] = "\n".join(seen[row["window_id"]])
    return list(found)


def _dicts(result: duckdb.DuckDBPyConnection) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = result.to_arrow_table().to_pylist()
    return rows


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
