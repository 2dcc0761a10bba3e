"""A warehouse as a build leaves it: report tables with declared types, hand-made rows.

The columns are those that the report models promise; a test that needs an odd row
changes a copy of the tables below and builds a file from it.
"""

from __future__ import annotations

import copy
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb

from tests.render.columns import COLUMNS

Tables = dict[str, list[dict[str, Any]]]

DAY = "vllm:day:2026-03-04"
EMPTY_DAY = "vllm:day:2026-03-05"
LISTINGS = ("new_issue", "closed_issue", "new_pr", "merged_pr", "closed_unmerged_pr")
HOSTILE = (
    "<img src=x onerror=alert(1)> | `rm` [x](javascript:alert(1)) *b* _i_ ~~s~~ &amp; "
    "{{ 7*7 }} @dev-001 #123 https://evil.example/?a=b \u202egnol\u202c 🚀"
)


def at(text: str) -> datetime:
    """A UTC instant written `2026-03-04 03:24`, seconds optional."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def url(number: int, *, kind: str = "issue") -> str:
    page = "issues" if kind == "issue" else "pull"
    return f"https://github.com/vllm-project/vllm/{page}/{number}"


def window(window_id: str, start: str, end: str, **changes: Any) -> dict[str, Any]:
    project, kind, name = window_id.split(":", 2)
    return {
        "window_id": window_id,
        "project": project,
        "window_kind": kind,
        "window_date": name[:10],
        "window_start_at": at(start),
        "window_end_at": at(end),
        "is_complete": True,
        "completeness": "synced",
    } | changes


def provenance(window_row: dict[str, Any], **changes: Any) -> dict[str, Any]:
    streams = ("threads", "issue_comments", "review_comments", "issue_events")
    return (
        window_row
        | {
            "project_title": "vLLM",
            "repository": "vllm-project/vllm",
            "time_zone": "Asia/Shanghai",
            "data_as_of_at": at("2026-03-06 04:00"),
            "is_synthetic": False,
            "spotlight_ecosystem": "amd",
            "languages": ["zh", "en"],
            "baseline_window_count": 28,
            "quarantined_row_count": 0,
            "streams": [
                {
                    "stream": stream,
                    "covered_from": at("2026-02-04 03:24"),
                    "covered_until": at("2026-03-06 04:00"),
                    "is_enough": True,
                }
                for stream in streams
            ],
        }
        | changes
    )


def counts(window_id: str, values: list[int], medians: list[Any]) -> dict[str, Any]:
    names = [f"{name}_count" for name in LISTINGS]
    row: dict[str, Any] = {"window_id": window_id}
    row |= dict(zip(names, values, strict=True))
    return row | {
        f"{name}_median": median for name, median in zip(names, medians, strict=True)
    }


def listed(listing: str, position: int, number: int, title: str, **changes: Any):
    kind = "issue" if listing.endswith("issue") else "pr"
    return {
        "window_id": DAY,
        "listing": listing,
        "position": position,
        "thread_id": f"vllm-project/vllm#{number}",
        "number": number,
        "kind": kind,
        "title": title,
        "labels": [],
        "author_login": f"dev-{number % 1000:03}",
        "is_bot_author": False,
        "is_draft": False,
        "event_at": at(f"2026-03-04 {23 - position:02}:02:59"),
        "url": url(number, kind=kind),
        "as_of_basis": "events",
    } | changes


def ecosystem(position: int, number: int, title: str, **changes: Any) -> dict[str, Any]:
    kind = changes.get("kind", "pr")
    return {
        "window_id": DAY,
        "ecosystem": "amd",
        "position": position,
        "thread_id": f"vllm-project/vllm#{number}",
        "number": number,
        "kind": kind,
        "title": title,
        "labels": [],
        "author_login": f"dev-{number % 1000:03}",
        "is_bot_author": False,
        "status": "open",
        "status_at": None,
        "url": url(number, kind=kind),
        "score": 0.85,
        "is_author_only": False,
        "evidence": [fired("label", "rocm", 0.85)],
        "listings": [],
        "comment_count": 0,
        "human_comment_count": 0,
        "linked_threads": [],
        "excerpt": None,
        "topic": None,
    } | changes


def fired(signal: str, matched: str, strength: float) -> dict[str, Any]:
    return {
        "rule_id": f"amd-{signal}-x",
        "signal": signal,
        "matched": matched,
        "strength": strength,
    }


def linked(number: int, relation: str, title: str | None, status: str | None):
    return {
        "thread_id": f"vllm-project/vllm#{number}",
        "number": number,
        "relation": relation,
        "title": title,
        "url": None if title is None else url(number),
        "status": status,
    }


def hot(rank: int, number: int, title: str, **changes: Any) -> dict[str, Any]:
    return {
        "window_id": DAY,
        "heat_rank": rank,
        "thread_id": f"vllm-project/vllm#{number}",
        "number": number,
        "kind": "issue",
        "title": title,
        "author_login": f"dev-{number % 1000:03}",
        "url": url(number),
        "status": "open",
        "status_at": None,
        "comment_count": 20,
        "human_comment_count": 19,
        "participant_count": 14,
        "comments_per_hour": 19 / 24,
        "peak_hour_comment_count": 4,
        "baseline_per_day": 0.5,
        "velocity_ratio": 6.0,
        "heat_score": 3.14159,
        "heat_level": 3,
        "is_new_discussion": False,
        "opened_at": at("2026-03-01 10:00"),
        "people": [
            person("dev-001", "maintainer", 5),
            person(None, "other", 2),
            person("dev-003", "from_the_future", 1),
            *(person(f"dev-1{n:02}", "other", 1) for n in range(9)),
        ],
        "roles": [
            {"role": role, "person_count": people, "comment_count": comments}
            for role, people, comments in (
                ("author", 1, 6),
                ("maintainer", 2, 5),
                ("other", 11, 8),
                ("automation", 1, 3),
            )
        ],
        "comments": [],
        "listings": [],
    } | changes


def person(login: str | None, role: str, count: int) -> dict[str, Any]:
    return {
        "login": login,
        "role": role,
        "comment_count": count,
        "first_comment_at": at("2026-03-04 11:00"),
        "last_comment_at": at("2026-03-04 13:30"),
    }


def comment(number: int, place: int, excerpt: str, **changes: Any) -> dict[str, Any]:
    return {
        "comment_id": f"issue_comment:{number}{place}",
        "author_login": f"dev-{place:03}",
        "role": "maintainer",
        "created_at": at(f"2026-03-04 1{place}:30:59"),
        "reason": "first",
        "excerpt": excerpt,
        "url": f"{url(number)}#issuecomment-{number}{place}",
    } | changes


def _day_window() -> dict[str, Any]:
    return window(DAY, "2026-03-04 03:24", "2026-03-05 03:24")


def _listed() -> list[dict[str, Any]]:
    return [
        listed(
            "new_issue",
            1,
            36075,
            "[Bug]: Garbled rollouts with GLM5 if VLLM_USE_DEEP_GEMM is not set",
            labels=["bug", "rocm"],
            author_login="S1ro1",
            event_at=at("2026-03-05 02:02:59"),
        ),
        listed("new_issue", 2, 36074, HOSTILE, labels=["a, b", "ci/build", "@x"]),
        listed("new_issue", 3, 36073, "שלום: a title from right to left"),
        listed("closed_issue", 1, 35637, "mi355 minimax m2.1 mxfp4", labels=["rocm"]),
        listed(
            "closed_issue",
            2,
            18793,
            "[New Model]: " + "很长的标题" * 50,
            author_login=None,
            as_of_basis="current",
        ),
        listed("new_pr", 1, 36043, "1. #include <Python.h>", is_draft=True),
        listed("new_pr", 2, 36042, "- Fix `unified_attention` in snake_case__twice"),
        listed(
            "merged_pr",
            1,
            35893,
            "[ROCm] CK MXFP4 MoE: fall back (#35637)",
            author_login="dependabot[bot]",
            is_bot_author=True,
            url="javascript:alert(1)",
        ),
    ]


def _ecosystem() -> list[dict[str, Any]]:
    return [
        ecosystem(
            1,
            35893,
            "[ROCm] CK MXFP4 MoE: fall back (#35637)",
            labels=["rocm", "ready"],
            status="merged",
            status_at=at("2026-03-04 22:02:59"),
            score=0.985,
            evidence=[
                fired("label", "rocm", 0.85),
                fired("title", "ROCm", 0.9),
                fired("comment", "MI355X | `x`", 0.3),
            ],
            listings=["new_pr", "merged_pr"],
            comment_count=3,
            human_comment_count=2,
            linked_threads=[
                linked(35637, "fixes", "mi355 minimax m2.1 mxfp4", "closed"),
                linked(40000, "mentions", None, None),
                linked(40002, "fixes", None, None),
                linked(40001, "mentions", None, None),
            ],
            excerpt="Validates the kernel's dimensions and falls back to Triton.",
            topic="quantization",
        ),
        ecosystem(
            2,
            36066,
            HOSTILE,
            kind="issue",
            author_login=None,
            excerpt=HOSTILE,
            comment_count=1,
            evidence=[fired("from_the_future", "<b>gfx942</b>", 0.5)],
            linked_threads=[linked(35893, "fixed_by", HOSTILE, "merged")],
            topic="quantization",
        ),
        ecosystem(
            3,
            36099,
            "Tidy a CI script",
            author_login="amd-dev-099",
            is_bot_author=True,
            status="draft",
            score=0.5,
            is_author_only=True,
            evidence=[fired("author", "amd-dev-099", 0.5)],
            listings=["new_pr"],
        ),
        *(
            ecosystem(
                4 + n,
                number,
                f"One of several, {number}",
                additions=10 if n == 4 else None,
                deletions=2 if n == 4 else None,
                areas=["csrc/`rocm`", HOSTILE] if n == 4 else [],
                area_count=2 * int(n == 4),
                topic="ci" if n < 4 else "lora",
            )
            for n, number in enumerate((*range(36110, 36114), 36120, 36121))
        ),
        ecosystem(1, 36001, "[TPU] not in the spotlight", ecosystem="tpu"),
    ]


def _hot() -> list[dict[str, Any]]:
    return [
        hot(
            1,
            31845,
            "[Bug]: [H200] MTP > 1 fails",
            status="closed",
            status_at=at("2026-03-05 01:00"),
            listings=["closed_issue"],
            comments=[
                comment(31845, 1, "Sparse MLA does not support MTP > 1 yet."),
                comment(
                    31845,
                    2,
                    "See #34552: it expands the batch.",
                    author_login=None,
                    role="other",
                    reason="cites",
                ),
            ],
        ),
        hot(
            2,
            36066,
            HOSTILE,
            author_login=None,
            heat_level=None,
            baseline_per_day=None,
            velocity_ratio=None,
            is_new_discussion=None,
            participant_count=1,
            people=[person("dev-001", "author", 19)],
            comments=[
                comment(36066, 3, HOSTILE, url="http://evil.example/", reason="later")
            ],
            waiting_on={
                "login": "x](http://e)*y*<b>",
                "since_at": at("2026-03-04 12:59:59"),
                "comment_url": "javascript:alert(1)",
                "mentioned_by": "dev-001",
            },
        ),
    ]


def tables() -> Tables:
    """A day with every odd case, and a complete day of zeros after it."""
    from tests.render import built_sections

    day = _day_window()
    empty = window(EMPTY_DAY, "2026-03-05 03:24", "2026-03-06 03:24")
    return copy.deepcopy(
        {
            "marts.windows": [day, empty],
            "reports.rpt_provenance": [
                provenance(day, is_synthetic=True, quarantined_row_count=2),
                provenance(empty, baseline_window_count=3),
            ],
            "reports.rpt_headline_counts": [
                counts(DAY, [3, 2, 2, 1, 0], [20.0, 41.5, 110.0, 60.0, 0.0]),
                counts(EMPTY_DAY, [0] * 5, [None] * 5),
            ],
            "reports.rpt_restatements": [],
            "reports.rpt_listed_threads": _listed(),
            "reports.rpt_ecosystem_threads": _ecosystem(),
            "reports.rpt_hot_threads": _hot(),
            **built_sections.tables(),
        }
    )


def build(path: Path, contents: Tables | None = None) -> Path:
    """Write the tables to a DuckDB file of their declared types."""
    with duckdb.connect(str(path)) as connection:
        connection.execute("set timezone = 'UTC'")
        for schema in ("marts", "reports"):
            connection.execute(f"create schema {schema}")
        for table, columns in COLUMNS.items():
            connection.execute(f"create table {table} ({columns})")
            _insert(connection, table, (contents or tables())[table])
    return path


def _insert(
    connection: duckdb.DuckDBPyConnection, table: str, rows: list[dict[str, Any]]
) -> None:
    names = [row[0] for row in connection.execute(f"describe {table}").fetchall()]
    marks = ", ".join("?" for _ in names)
    # Last rows first: only the query's own order can put them right.
    for row in reversed(rows):
        assert row.keys() <= set(names), f"{table} has no such column"
        values = [row.get(name) for name in names]
        connection.execute(f"insert into {table} values ({marks})", values)
