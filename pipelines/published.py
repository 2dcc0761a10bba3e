"""What was published for a window, kept: its counts and its lists, version by version.

Which windows have a new version is decided in dbt (`int_publications_drafted`); here it
is written down, once. Nothing is ever changed or removed. A version is dated by the
server's time that its data are known up to.
"""

from __future__ import annotations

import duckdb

COUNTS = (
    *("window_id", "version", "project", "completeness"),
    *("window_start_at", "window_end_at", "published_at", "fetched_until"),
    *("vanished_thread_count", "tool_version"),
    *("new_issue_count", "closed_issue_count", "new_pr_count", "merged_pr_count"),
    "closed_unmerged_pr_count",
)

TABLES = (
    # A window and a version of it: its counts, and what they rested on.
    """create table if not exists raw_github.published_counts (
        window_id varchar not null, version integer not null, project varchar not null,
        completeness varchar not null, window_start_at timestamptz not null,
        window_end_at timestamptz not null, published_at timestamptz not null,
        fetched_until timestamptz, vanished_thread_count bigint not null,
        tool_version varchar, new_issue_count bigint not null,
        closed_issue_count bigint not null, new_pr_count bigint not null,
        merged_pr_count bigint not null, closed_unmerged_pr_count bigint not null,
        primary key (window_id, version))""",
    # By which rules such a version was built.
    """create table if not exists raw_github.published_rules (
        window_id varchar not null, version integer not null, rules varchar not null,
        primary key (window_id, version))""",
    # A thread in a listing of such a version, as it was shown.
    """create table if not exists raw_github.published_listings (
        window_id varchar not null, version integer not null, listing varchar not null,
        thread_id varchar not null, title varchar not null, labels varchar[] not null,
        is_draft boolean not null, event_at timestamptz not null,
        as_of_basis varchar not null)""",
)

# What dbt builds for it; a warehouse that an older release built has none of it.
NEEDED = (
    *("int_publications_drafted", "rpt_listed_threads"),
    *("published_counts", "published_rules"),
)

DRAFTED = """
    create temp table drafted as
    select window_id, version
    from built.intermediate.int_publications_drafted
    anti join built.raw_github.published_counts using (window_id, version)
"""

KEPT = (
    f"""
    insert into built.raw_github.published_counts ({", ".join(COUNTS)})
    select {", ".join(COUNTS)}
    from built.intermediate.int_publications_drafted
    semi join drafted using (window_id, version)
    order by window_id, version
    """,
    """
    insert into built.raw_github.published_rules
    select window_id, version, rules
    from built.intermediate.int_publications_drafted
    semi join drafted using (window_id, version)
    where rules is not null
    order by window_id, version
    """,
    """
    insert into built.raw_github.published_listings
    select
        window_id, version, listing, thread_id, title, labels, is_draft, event_at,
        as_of_basis
    from built.reports.rpt_listed_threads
    inner join drafted using (window_id)
    order by window_id, listing, position
    """,
)


def keep(connection: duckdb.DuckDBPyConnection) -> int:
    """Keep the new versions of the warehouse attached as `built`; how many there are.

    All of them or none: it is one transaction, and a version is kept once.
    """
    found = connection.execute(
        "select count(*) from duckdb_tables()"
        " where database_name = 'built' and list_contains(?, table_name)",
        [list(NEEDED)],
    ).fetchone()
    if found != (len(NEEDED),):
        return 0
    connection.execute("begin")
    connection.execute(DRAFTED)
    row = connection.execute("select count(*) from drafted").fetchone()
    for insert in KEPT if row != (0,) else ():
        connection.execute(insert)
    connection.execute("drop table drafted")
    connection.execute("commit")
    return int(row[0]) if row else 0
