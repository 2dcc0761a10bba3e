"""The bookkeeping tables of `raw_github`, each with its grain. All times are UTC.

The tables of GitHub's rows are declared by their resources and made by dlt.
"""

from __future__ import annotations

import re

from pipelines import detail_tables, published, targets, vanishings

SCHEMA_VERSION = 1

TABLES = (
    "create schema if not exists raw_github",
    # The one row that says what this file is.
    """create table if not exists raw_github.warehouse (
        schema_version integer not null, api_host varchar not null)""",
    # A project.
    """create table if not exists raw_github.projects (
        project varchar primary key, title varchar not null,
        repository varchar not null, time_zone varchar not null,
        window_start varchar not null, languages varchar[] not null,
        spotlight_ecosystem varchar not null, is_synthetic boolean not null)""",
    # A window that was asked for.
    """create table if not exists raw_github.window_requests (
        window_id varchar primary key, project varchar not null,
        window_kind varchar not null, window_date date not null,
        window_start_at timestamptz not null, window_end_at timestamptz not null,
        requested_at timestamptz not null)""",
    # A stream and a disjoint interval of it that is loaded completely.
    """create table if not exists raw_github.coverage (
        project varchar not null, stream varchar not null,
        covered_from timestamptz not null, covered_until timestamptz not null,
        loaded_at timestamptz not null)""",
    # A stream and an interval that an unfinished walk has passed: no coverage yet, as
    # rows of it may have changed and moved on to where the walk has not been.
    """create table if not exists raw_github.progress (
        project varchar not null, stream varchar not null,
        passed_from timestamptz not null, passed_until timestamptz not null)""",
    # A stream, and the instant before which nothing of it exists or is shown.
    """create table if not exists raw_github.horizons (
        project varchar not null, stream varchar not null,
        earliest_at timestamptz not null, reason varchar not null)""",
    # A run that asked GitHub and came to its end.
    """create table if not exists raw_github.syncs (
        sync_id varchar not null, project varchar not null,
        began_at timestamptz not null, ended_at timestamptz not null,
        request_count bigint not null, row_count bigint not null,
        api_host varchar not null, tool_version varchar not null)""",
    # A payload that could not become a row, and why.
    """create table if not exists raw_github.quarantine (
        project varchar not null, stream varchar not null, row_key varchar not null,
        reason varchar not null, payload varchar not null,
        quarantined_at timestamptz not null)""",
    *targets.TABLES,
    *detail_tables.TABLES,
    # A thread or comment that was loaded once and is gone from GitHub.
    vanishings.TABLE,
    # What was published, version by version.
    *published.TABLES,
)

# What `issues` lacks in a warehouse that an older version made; null until a row is
# loaded again.
LATER_COLUMNS = ("add column if not exists first_author_association varchar",)

NAMES = frozenset(
    re.findall(r"table if not exists raw_github\.(\w+)", " ".join(TABLES))
)
