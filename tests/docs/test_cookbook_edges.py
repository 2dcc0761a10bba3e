"""The cookbook's queries where they could go wrong, on hand-made histories.

Each is the sample's published file emptied of threads, with a few rows of its own; the
settings are the page's.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.docs.recipes import recipes_of, settings_of
from tests.render.sample_day import ROOT

TEXT = (ROOT / "docs" / "cookbook.md").read_text("utf-8")
QUERIES = {recipe.question: recipe.query for recipe in recipes_of(TEXT)}
TABLES = ("threads", "thread_states", "thread_events", "comments", "changed_files")
SINCE = datetime(2026, 2, 4, 3, 24, tzinfo=UTC)
UNTIL = datetime(2026, 3, 5, 3, 24, tzinfo=UTC)
HOUR, SECOND = timedelta(hours=1), timedelta(seconds=1)
NOON = datetime(2026, 2, 20, 12, tzinfo=UTC)


class HandMade:
    """A history of threads and comments that a test makes up."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self.connection = connection
        self.count = 0

    def thread(
        self,
        created_at: datetime = NOON,
        *,
        closed_at: datetime | None = None,
        **facts: Any,
    ) -> str:
        self.count += 1
        state = "open" if closed_at is None else "closed"
        row = {
            "thread_id": f"o/r#{self.count}",
            "project": "sample",
            "title": "",
            "number": self.count,
            "author_id": 1,
            "kind": "pr",
            "labels": [],
            "state": state,
            "is_draft": False,
            "is_bot_author": False,
            "is_deleted": False,
            "created_at": created_at,
            "closed_at": closed_at,
            "author_association": "NONE",
            "fetched_at": UNTIL,
            **facts,
        }
        self.insert("threads", row)
        for label in row["labels"]:
            self.insert(
                "thread_labels",
                {
                    "thread_id": row["thread_id"],
                    "label": label,
                    "basis": "event",
                    "put_on_at": created_at,
                    "taken_off_at": None,
                },
            )
        spells = [("open", created_at, closed_at), ("closed", closed_at, None)]
        for name, start, end in spells[: 1 if closed_at is None else 2]:
            bounds = {"started_at": start, "ended_at": end}
            spell = {"thread_id": row["thread_id"], "state": name, "basis": "event"}
            self.insert("thread_states", spell | bounds)
        return f"o/r#{self.count}"

    def merged(self, hours: float = 1, **facts: Any) -> str:
        merged_at = NOON + hours * HOUR
        return self.thread(closed_at=merged_at, merged_at=merged_at, **facts)

    def comment(self, thread_id: str, created_at: datetime, **facts: Any) -> None:
        self.count += 1
        row = {
            "comment_id": f"issue_comment:{self.count}",
            "thread_id": thread_id,
            "project": "sample",
            "author_id": 2,
            "comment_kind": "issue_comment",
            "is_bot": False,
            "created_at": created_at,
            **facts,
        }
        self.insert("comments", row)

    def event(self, thread_id: str, event: str, occurred_at: datetime) -> None:
        self.count += 1
        row = {"event_id": str(self.count), "event_sequence": self.count}
        what = {"thread_id": thread_id, "event": event, "occurred_at": occurred_at}
        self.insert("thread_events", row | what)

    def insert(self, table: str, row: dict[str, Any]) -> None:
        names, marks = ", ".join(row), ", ".join("?" for _ in row)
        self.connection.execute(
            f"insert into marts.{table} ({names}) values ({marks})", list(row.values())
        )

    def ask(self, question: str) -> list[dict[str, Any]]:
        cursor = self.connection.execute(QUERIES[question])
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


@pytest.fixture
def made(history_path: Path, tmp_path: Path) -> Iterator[HandMade]:
    copy = tmp_path / "history.duckdb"
    shutil.copy(history_path, copy)
    with duckdb.connect(str(copy)) as connection:
        connection.execute("set timezone = 'UTC'")
        for table in TABLES:
            connection.execute(f"delete from marts.{table}")
        connection.execute(settings_of(TEXT))
        yield HandMade(connection)


ANSWERED = "How long until a person answers?"


@pytest.mark.parametrize(
    "facts",
    [
        {"is_bot": True, "author_id": 9},
        {"author_id": 1},
        {"created_at": UNTIL},
        {"missing_since_at": UNTIL - SECOND},
    ],
    ids=["a bot's", "the author's own", "one said at until", "one gone by until"],
)
def test_no_answer_is(made: HandMade, facts: dict[str, Any]) -> None:
    asked = made.thread()
    made.comment(asked, **({"created_at": NOON + HOUR} | facts))
    (row,) = made.ask(ANSWERED)
    assert (row["answered"], row["unanswered"], row["within_day"]) == (0, 1, 0)


def test_a_ghosts_word_answers_a_person_but_not_another_ghost(made: HandMade) -> None:
    for author_id in (1, None):
        asked = made.thread(author_id=author_id)
        made.comment(asked, NOON + 2 * HOUR, author_id=None)
    (row,) = made.ask(ANSWERED)
    assert (row["answered"], row["unanswered"], row["median_hours"]) == (1, 1, 2.0)


def test_the_interval_owns_its_first_instant_and_not_its_last(made: HandMade) -> None:
    for created_at in (SINCE - SECOND, SINCE, UNTIL - SECOND, UNTIL):
        made.thread(created_at)
    (row,) = made.ask(ANSWERED)
    assert row["opened"] == 2


def test_who_had_no_day_to_answer_is_not_held_against_the_share(made: HandMade) -> None:
    made.comment(made.thread(NOON), NOON + HOUR)
    made.thread(UNTIL - 24 * HOUR + SECOND)
    (row,) = made.ask(ANSWERED)
    assert (row["opened"], row["unanswered"], row["within_day"]) == (2, 1, 1.0)


def test_a_bots_thread_waits_for_nobody(made: HandMade) -> None:
    made.thread(is_bot_author=True)
    assert made.ask(ANSWERED) == []


REVIEWED = "How long does a pull request wait for its first review?"


def test_the_wait_for_a_review_begins_when_a_draft_is_ready(made: HandMade) -> None:
    born_draft, drafted_later = made.thread(), made.thread()
    made.event(born_draft, "ready_for_review", NOON + 5 * HOUR)
    made.event(drafted_later, "convert_to_draft", NOON + HOUR)
    made.event(drafted_later, "ready_for_review", NOON + 5 * HOUR)
    for pull in (born_draft, drafted_later):
        made.comment(pull, NOON + 6 * HOUR, comment_kind="review_comment")
    (row,) = made.ask(REVIEWED)
    # One hour and six.
    assert (row["reviewed"], row["median_hours"]) == (2, 3.5)


def test_a_word_on_the_thread_is_no_review(made: HandMade) -> None:
    made.comment(made.thread(), NOON + HOUR)
    made.merged()
    (row,) = made.ask(REVIEWED)
    assert (row["reviewed"], row["waiting"], row["done_without"]) == (0, 1, 1)


@pytest.mark.parametrize(
    ("merged_counts", "factor"),
    [([5, 3, 2, 2], 2), ([3, 3], 1), ([1, 1, 1], 2), ([9], 1)],
)
def test_the_absence_factor_is_the_fewest_who_made_half(
    made: HandMade, merged_counts: list[int], factor: int
) -> None:
    for author_id, count in enumerate(merged_counts, start=10):
        for _ in range(count):
            made.merged(author_id=author_id)
    made.merged(author_id=99, is_bot_author=True)
    (row,) = made.ask("How many people could we not do without?")
    assert row["contributor_absence_factor"] == factor
    assert (row["merged"], row["authors"]) == (sum(merged_counts), len(merged_counts))


def test_a_size_is_the_sum_of_all_files_and_what_is_not_known_is_said(
    made: HandMade,
) -> None:
    for sizes in ([49], [25, 25], [499], [400, 100], []):
        pull = made.merged()
        for size in sizes:
            made.insert("changed_files", {"thread_id": pull, "additions": size})
    made.connection.execute("update marts.changed_files set deletions = 0")
    rows = made.ask("Do large changes take longer to merge?")
    assert [(row["size"], row["merged"]) for row in rows] == [
        ("under 50 lines", 1),
        ("50 to 499 lines", 2),
        ("500 lines and more", 1),
        ("not known", 1),
    ]


def test_a_merge_is_no_close_that_can_come_back(made: HandMade) -> None:
    made.merged()
    made.thread(closed_at=NOON + HOUR)
    (row,) = made.ask("How much of what was closed did not stay closed?")
    assert (row["closes"], row["reopened"]) == (1, 0)


def test_a_ghosts_last_word_is_not_the_authors(made: HandMade) -> None:
    for last_speaker in (1, 2, None):
        pull = made.thread()
        made.comment(pull, NOON + HOUR, author_id=1)
        made.comment(pull, NOON + 2 * HOUR, author_id=last_speaker)
        tag = {"thread_id": pull, "ecosystem": "amd", "is_tagged": True}
        made.insert("thread_ecosystems", tag)
    rows = made.ask("Which of AMD's pull requests are waiting for the maintainers?")
    assert [row["number"] for row in rows] == [1]


def test_a_thread_is_stale_after_fourteen_days_without_a_persons_word(
    made: HandMade,
) -> None:
    limit = UNTIL - timedelta(days=14)
    for last_word_at in (limit - SECOND, limit):
        asked = made.thread(SINCE, labels=["rocm"])
        made.comment(asked, last_word_at)
        made.comment(asked, UNTIL - HOUR, is_bot=True)
    (row,) = made.ask("Where does the backlog go stale?")
    assert (row["label"], row["open_threads"], row["stale"]) == ("rocm", 2, 1)
