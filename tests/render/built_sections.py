"""The hand-made rows of the report's sections, for the two days of `built`.

A column that a row does not name is null, as it is in the real table where nothing is
known.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from tests.render.built import (
    DAY,
    EMPTY_DAY,
    HOSTILE,
    LISTINGS,
    Tables,
    at,
    linked,
    url,
)

MEASURES = (*LISTINGS, "listing", "human_comment")
FIRST = date(2026, 2, 5)


def thread(number: int, *, kind: str = "pr", **cells: Any) -> dict[str, Any]:
    return {
        "window_id": DAY,
        "thread_id": f"vllm-project/vllm#{number}",
        "number": number,
        "kind": kind,
        "title": f"Title of {number}",
        "url": url(number, kind=kind),
        "status": "open",
    } | cells


def unkind(row: dict[str, Any]) -> dict[str, Any]:
    """A row of a table of pull requests, which names no kind."""
    return {name: cell for name, cell in row.items() if name != "kind"}


def cited(number: int, title: str = "Cited", status: str = "open") -> dict[str, Any]:
    row = thread(number, title=title, status=status)
    return {name: cell for name, cell in row.items() if name != "window_id"}


def fixed(number: int, reporters: int, days: float, **cells: Any) -> dict[str, Any]:
    return {
        "number": number,
        "url": url(number, kind="issue"),
        "affected_people_count": reporters,
        "open_days": days,
    } | cells


def summary(window_id: str, **cells: Any) -> dict[str, Any]:
    counted = {f"{measure}_count": 0 for measure in MEASURES}
    return {
        "window_id": window_id,
        **counted,
        "is_quiet": False,
        "contributor_count": 0,
        "first_timer_count": 0,
        "ecosystem": "amd",
        "ecosystem_thread_count": 0,
    } | cells


def _summaries() -> list[dict[str, Any]]:
    counts = dict(zip(LISTINGS, (3, 2, 2, 1, 0), strict=True))
    medians = dict(zip(LISTINGS, (20.0, 41.5, 110.0, 60.0, 0.0), strict=True))
    compared = {
        **{f"{name}_count": count for name, count in counts.items()},
        **{f"{name}_count_median": median for name, median in medians.items()},
        **{f"{name}_weekday_median": m + 0.5 for name, m in medians.items()},
        **{f"{name}_direction": "below" for name in LISTINGS},
    }
    return [
        summary(
            DAY,
            **compared,
            listing_count=8,
            listing_count_median=231.5,
            listing_weekday_median=240.0,
            listing_direction="below",
            human_comment_count=21,
            human_comment_count_median=18.0,
            human_comment_direction="near",
            is_quiet=True,
            merged_share=1.0,
            contributor_count=17,
            first_timer_count=2,
            busiest_hour_start_at=at("2026-03-04 10:24"),
            busiest_hour_comment_count=4,
            rising_topic="quantization",
            rising_topic_thread_count=5,
            rising_topic_lift=2.4,
            busiest_topic="ci",
            busiest_topic_thread_count=6,
            hottest_thread_id="vllm-project/vllm#31845",
            hottest_thread_number=31845,
            hottest_thread_title=HOSTILE,
            hottest_thread_url=url(31845),
            hottest_thread_human_comment_count=19,
            hottest_thread_participant_count=14,
            ecosystem_thread_count=3,
            ecosystem_thread_share=0.375,
            ecosystem_usual_share=0.28125,
            ecosystem_lift=4 / 3.25,
        ),
        summary(EMPTY_DAY),
    ]


def _trend() -> list[dict[str, Any]]:
    rows = []
    for position in range(1, 29):
        day = FIRST + timedelta(days=position - 1)
        known = position not in (3, 4)
        is_last = position == 28
        rows.append(
            {
                "window_id": DAY,
                "position": position,
                "trend_window_id": f"vllm:day:{day}" if position > 1 else None,
                "trend_date": day,
                "is_complete": known,
                **{
                    f"{name}_count": (
                        (3, 2, 2, 1, 0)[place] if is_last else position + place
                    )
                    if known
                    else None
                    for place, name in enumerate(LISTINGS)
                },
                "ecosystem": "amd",
                "ecosystem_thread_share": position / 100 if known else None,
            }
        )
    rows.append(
        {
            "window_id": EMPTY_DAY,
            "position": 28,
            "trend_window_id": EMPTY_DAY,
            "trend_date": date(2026, 3, 5),
        }
    )
    return rows


def _shares() -> list[dict[str, Any]]:
    return [
        {
            "window_id": DAY,
            "ecosystem": "amd",
            "active_thread_count": 8,
            "share": 0.375,
            "usual_share": 0.28125,
            "lift": 4 / 3.25,
            "contributor_count": 14,
        },
        {"window_id": DAY, "ecosystem": "tpu", "active_thread_count": 8},
    ]


def contributor(position: int, login: str, **cells: Any) -> dict[str, Any]:
    return {
        "window_id": DAY,
        "ecosystem": "amd",
        "position": position,
        "login": login,
        "opened_count": 1,
        "merged_count": 0,
        "comment_count": position,
        "is_active": True,
    } | cells


def _contributors() -> list[dict[str, Any]]:
    return [
        contributor(
            1,
            "amd-dev-099",
            author_affiliation="amd",
            affiliation_source="the login | says `so`",
        ),
        contributor(2, "dependabot-not"),
        contributor(3, "dev-away", is_active=False),
        *(contributor(n, f"dev-2{n:02}") for n in range(4, 16)),
    ]


def _followups() -> list[dict[str, Any]]:
    outcomes = ("merged", "closed", "reopened", "still_hot", "went_on", "cooled_off")
    statuses = ("merged", "closed", "open", "open", "draft", "open")
    return [
        thread(
            35000 + place,
            title=HOSTILE if place == 1 else f"Was hot {place}",
            position=place,
            status=status,
            status_at=at("2026-03-04 20:00") if place < 3 else None,
            human_comment_count_before=9 - place,
            human_comment_count=place,
            outcome=outcome,
        )
        for place, (outcome, status) in enumerate(
            zip(outcomes, statuses, strict=True), start=1
        )
    ]


def _hours() -> list[dict[str, Any]]:
    start = at("2026-03-04 03:24")
    return [
        {
            "window_id": window_id,
            "position": hour + 1,
            "bucket_start_at": start + timedelta(days=day, hours=hour),
            "bucket_hours": 1.0,
            "human_comment_count": 0 if day else hour % 5,
        }
        for day, window_id in enumerate((DAY, EMPTY_DAY))
        for hour in range(24)
    ]


def topic(position: int, key: str, count: int, **cells: Any) -> dict[str, Any]:
    return {
        "window_id": DAY,
        "position": position,
        "topic": key,
        "title_en": f"Topic {key}",
        "title_zh": f"话题 {key}",
        "thread_count": count,
        "share": count / 40,
        "usual_share": 1.5 / 40,
        "lift": (count + 1) / 2.5,
        "is_rising": False,
        "is_falling": False,
        "threads": [],
    } | cells


def _topics() -> list[dict[str, Any]]:
    return [
        topic(
            1,
            "quantization",
            5,
            is_rising=True,
            threads=[cited(36043, HOSTILE), cited(36042, "Fix it", "merged")],
        ),
        topic(2, "ci", 6, threads=[cited(36041)], usual_share=0.125, lift=7 / 6),
        topic(3, "new", 1, usual_share=None, lift=None),
        topic(4, "lora", 0, is_falling=True, usual_share=0.1, lift=0.2),
    ]


def _notable() -> list[dict[str, Any]]:
    nothing = {
        "tier": 4,
        "is_shown": True,
        "human_comment_count": 0,
        "labels": [],
        "topics": [],
        "listings": ["new_pr"],
        "linked_threads": [],
    }
    return [
        unkind(
            thread(
                35893,
                title="[ROCm] CK MXFP4 MoE: fall back (#35637)",
                **nothing
                | {
                    "position": 1,
                    "labels": ["rocm"],
                    "status": "merged",
                    "status_at": at("2026-03-04 22:02:59"),
                    "change_kind": "bugfix",
                    "change_matched": "fall | back",
                    "tier": 3,
                    "topics": ["quantization", "gone"],
                    "human_comment_count": 2,
                    "listings": ["merged_pr", "new_pr"],
                    "linked_threads": [
                        linked(35637, "fixes", "mi355 minimax", "closed"),
                        linked(40000, "mentions", None, None),
                    ],
                    "excerpt": "Falls back to Triton.",
                    "additions": 171,
                    "deletions": 0,
                    "changed_file_count": 2,
                    "areas": ["vllm/model_executor", "@dev/#12"],
                    "area_count": 3,
                    "highlights": ["fixes_hot_issue", "long_open", "from_the_future"],
                    "reverted_by": [
                        {"number": 35900, "url": url(35900), "status": "merged"},
                        {"number": 35901, "url": "javascript:1", "status": "open"},
                    ],
                    "fixed_heat_rank": 1,
                    "fixed_hot_number": 35637,
                    "merge_days": 41.24,
                    "merge_days_median": 1.5,
                    "fixed_issues": [
                        fixed(35637, 4, 3.26),
                        fixed(35638, 0, 0.5, url="javascript:alert(1)"),
                    ],
                },
            )
        ),
        unkind(
            thread(
                36042,
                title=HOSTILE,
                author_login="dependabot[bot]",
                is_bot_author=True,
                **nothing
                | {
                    "position": 2,
                    "status": "draft",
                    "change_kind": "from_the_future",
                    "excerpt": HOSTILE,
                },
            )
        ),
    ]


def activity(window_id: str, **cells: Any) -> dict[str, Any]:
    return {
        "window_id": window_id,
        "first_timers": [],
        "top_reviewers": [],
        "top_commenters": [],
        "first_timer_basis": "history",
        **dict.fromkeys(
            (
                *("contributor_count", "first_timer_count", "reviewer_count"),
                *("response_count", "unanswered_count", "merge_count"),
                *("reopened_count", "human_comment_count", "bot_comment_count"),
                *("open_issue_count_change", "open_pr_count_change"),
            ),
            0,
        ),
    } | cells


def _activities() -> list[dict[str, Any]]:
    return [
        activity(
            DAY,
            contributor_count=17,
            first_timer_count=14,
            first_timers=[f"dev-3{n:02}" for n in range(14)],
            first_timer_basis="association",
            reviewer_count=3,
            top_reviewers=[{"login": "dev-005", "count": 4}],
            top_commenters=[
                {"login": "dev-001", "count": 9},
                {"login": "_dev_", "count": 2},
            ],
            response_hours_median=1.55,
            response_hours_p90=20.25,
            response_count=3,
            unanswered_count=2,
            merge_hours_median=76.5,
            merge_hours_p90=718.75,
            merge_count=1,
            reopened_count=1,
            human_comment_count=21,
            bot_comment_count=7,
            bot_comment_share=0.25,
            open_issue_count_at_start=100,
            open_issue_count_at_end=101,
            open_issue_count_change=1,
            open_pr_count_change=-9,
        ),
        activity(EMPTY_DAY),
    ]


def _watched() -> list[dict[str, Any]]:
    return [
        thread(
            36075,
            kind="issue",
            title=HOSTILE,
            position=1,
            labels=["bug"],
            opened_at=at("2026-03-01 02:02:59"),
            is_shown=True,
            reasons=[
                {"reason": "severity", "severity": "wrong_output", "matched": HOSTILE},
                {"reason": "affected_people", "people_count": 4},
                {"reason": "waiting", "days": 3.05},
                {"reason": "unlinked"},
                {"reason": "from_the_future"},
            ],
            human_comment_count=3,
            linked_threads=[],
            symptom=HOSTILE,
            excerpt="Not said, for the symptom is.",
        ),
        thread(
            36043,
            position=2,
            author_login="dev-043",
            labels=[],
            status="draft",
            opened_at=at("2026-03-04 02:02:59"),
            is_shown=True,
            reasons=[{"reason": "waiting", "days": 1.0}],
            human_comment_count=0,
            linked_threads=[linked(35637, "fixes", "mi355", "closed")],
        ),
    ]


def tables() -> Tables:
    """Every section's table, with every odd case of it on the first day."""
    return {
        "reports.rpt_summary": _summaries(),
        "reports.rpt_trend": _trend(),
        "reports.rpt_ecosystem_share": _shares(),
        "reports.rpt_ecosystem_contributors": _contributors(),
        "reports.rpt_hot_thread_outcomes": _followups(),
        "reports.rpt_comment_hours": _hours(),
        "reports.rpt_topics": _topics(),
        "reports.rpt_notable_changes": _notable(),
        "reports.rpt_activity": _activities(),
        "reports.rpt_watch_list": _watched(),
    }
