"""Small changes, one to a window, each of which a build must notice by another way.

A project of its own with one thread or two to a case and a window of an hour for each.
So nothing else opens that window, and what a build fails to notice shows in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import duckdb

PROJECT = "quiet"
REPOSITORY = "example-org/quiet-engine"
START = datetime(2026, 1, 10, tzinfo=UTC)
FIRST_READ = START + timedelta(days=5)
READ_AGAIN = START + timedelta(days=6)
STREAMS = ("threads", "issue_comments", "review_comments", "issue_events")


class SmallChanges:
    """The rows before, and the changes after the first build."""

    def __init__(self, warehouse: str) -> None:
        """Write into this warehouse, where tables exist already."""
        self.warehouse = warehouse
        self.read_at = FIRST_READ
        self.last_id = 700_000

    def begin(self) -> None:
        """What the first build finds."""
        with self.opened() as self.connection:
            for project in (PROJECT, "moving", "resetting"):
                self.register(project, f"example-org/{project}-engine")
            self.thread(1, START - timedelta(hours=1))
            for number in range(2, 22):
                self.window(number)
            for case in self.cases():
                next(case)

    def change(self) -> None:
        """All the changes, as one load."""
        with self.opened() as self.connection:
            self.read_at = READ_AGAIN
            for case in self.under_way:
                next(case, None)

    def cases(self) -> list[Iterator[None]]:
        self.under_way = [
            self.a_commenter_on_an_unknown_thread_is_renamed(2),
            self.a_comment_moves_between_unknown_threads(3),
            self.a_title_comes_to_say_what_the_body_says(4),
            self.a_number_that_was_named_comes_to_be(5),
            self.a_neighbours_neighbour_is_retitled(6),
            self.a_reopening_is_listed_late(7),
            self.an_author_is_renamed_by_a_row_elsewhere(8),
            self.a_commenter_turns_out_to_be_a_bot(9),
            self.a_comment_of_a_hot_thread_is_edited(10),
            self.an_earlier_thread_of_a_newcomer_is_found(11),
            self.a_size_is_read_later(12),
            self.a_timeline_is_read_later(13),
            self.a_window_moves(14),
            self.a_link_is_taken_back(15),
            self.a_row_is_removed(16),
            self.a_thread_is_missed(17),
            self.a_comment_is_missed_under_another_number(18),
            self.the_events_come_to_be_covered(19),
            self.an_unborn_threads_baseline_grows(20),
            self.an_unborn_thread_is_loaded(21),
            self.a_project_takes_another_name(),
            self.a_project_moves_to_another_zone(),
        ]
        return self.under_way

    def a_commenter_on_an_unknown_thread_is_renamed(self, case: int) -> Iterator[None]:
        self.comment(9_002, hour(case), person=502)
        yield
        self.comment(1, hour(90), person=502, login="dev-502-new")

    def a_comment_moves_between_unknown_threads(self, case: int) -> Iterator[None]:
        moving = self.comment(9_003, hour(case))
        yield
        self.put("update raw_github.issue_comments set number = 9004", moving)

    def a_title_comes_to_say_what_the_body_says(self, case: int) -> Iterator[None]:
        said = {"title": "Odd words", "body": "Slow start: it takes minutes."}
        self.thread(case, hour(case), labels='["rocm"]', **said)
        yield
        said["title"] = "Slow start"
        self.thread(case, hour(case), labels='["rocm"]', **said)
        names = {"rename_from": "Odd words", "rename_to": "Slow start"}
        self.event(case, "renamed", hour(90), **names)

    def a_number_that_was_named_comes_to_be(self, case: int) -> Iterator[None]:
        self.thread(case, hour(case), labels='["rocm"]', body="The next is #105.")
        yield
        self.thread(105, hour(90))

    def a_neighbours_neighbour_is_retitled(self, case: int) -> Iterator[None]:
        self.thread(206, hour(0))
        self.thread(106, hour(0), body="See #206.")
        self.thread(case, hour(case), labels='["rocm"]', body="See #106.")
        yield
        self.thread(206, hour(0), title="Told otherwise, and no event says so")

    def a_reopening_is_listed_late(self, case: int) -> Iterator[None]:
        self.thread(case, hour(0))
        self.event(case, "closed", hour(1))
        yield
        self.event(case, "reopened", hour(case))

    def an_author_is_renamed_by_a_row_elsewhere(self, case: int) -> Iterator[None]:
        self.thread(case, hour(case), person=508)
        yield
        self.comment(1, hour(90), person=508, login="dev-508-new")

    def a_commenter_turns_out_to_be_a_bot(self, case: int) -> Iterator[None]:
        self.thread(case, hour(0))
        self.comment(case, hour(case), person=509)
        yield
        self.comment(1, hour(90), person=509, type="Bot")

    def a_comment_of_a_hot_thread_is_edited(self, case: int) -> Iterator[None]:
        self.thread(case, hour(0))
        said = [self.comment(case, hour(case), person=510 + n) for n in range(4)]
        yield
        self.put("update raw_github.issue_comments set body = 'Better so.'", said[3])

    def an_earlier_thread_of_a_newcomer_is_found(self, case: int) -> Iterator[None]:
        self.thread(case, hour(case), person=511, is_pull_request=True)
        yield
        self.thread(111, hour(0), person=511, is_pull_request=True)

    def a_size_is_read_later(self, case: int) -> Iterator[None]:
        self.thread(case, hour(case), labels='["rocm"]', is_pull_request=True)
        yield
        self.insert("pull_details", number=case, additions=7, deletions=3)
        self.insert("changed_files", number=case, filename="csrc/a.cu", status="added")

    def a_timeline_is_read_later(self, case: int) -> Iterator[None]:
        read_at = READ_AGAIN + timedelta(hours=1)
        self.thread(case, hour(case), labels='["late"]', fetched_at=read_at)
        self.event(case, "labeled", hour(90), label_name="late")
        yield
        self.connection.execute(
            "insert into raw_github.timelines values (?, ?, ?)",
            [PROJECT, case, read_at],
        )

    def the_events_come_to_be_covered(self, case: int) -> Iterator[None]:
        self.thread(case, hour(case), labels='["late"]', fetched_at=READ_AGAIN)
        self.event(case, "labeled", hour(90), label_name="late")
        yield
        self.connection.execute(
            "update raw_github.coverage set covered_until = ? where project = ?",
            [READ_AGAIN, PROJECT],
        )

    def an_unborn_threads_baseline_grows(self, case: int) -> Iterator[None]:
        """Made out of a discussion after the window, with what was said in it."""
        self.thread(case, hour(95))
        self.comment(case, hour(case))
        yield
        self.comment(case, hour(case - 40))

    def an_unborn_thread_is_loaded(self, case: int) -> Iterator[None]:
        self.comment(case, hour(case))
        yield
        self.thread(case, hour(95))

    def a_window_moves(self, case: int) -> Iterator[None]:
        self.thread(case, hour(case))
        self.thread(114, hour(80))
        yield
        self.window(case, 80)

    def a_link_is_taken_back(self, case: int) -> Iterator[None]:
        self.thread(115, hour(0))
        self.thread(case, hour(case), labels='["rocm"]', body="Fixes #115.")
        yield
        self.thread(case, hour(case), labels='["rocm"]', body="Fixes nothing.")

    def a_row_is_removed(self, case: int) -> Iterator[None]:
        self.thread(case, hour(case))
        yield
        self.put("delete from raw_github.issues", case, "number")

    def a_thread_is_missed(self, case: int) -> Iterator[None]:
        self.thread(case, hour(case))
        yield
        self.vanish("thread", case, case, hour(case))

    def a_comment_is_missed_under_another_number(self, case: int) -> Iterator[None]:
        self.thread(case, hour(0))
        missed = self.comment(case, hour(case))
        yield
        self.vanish("issue_comment", missed, 1, hour(case))

    def a_project_takes_another_name(self) -> Iterator[None]:
        repository = "example-org/moving-engine"
        self.comment(9_005, hour(1), repository=repository)
        self.event(None, "reopened", hour(1), repository=repository)
        yield
        for table in ("projects", "coverage"):
            self.connection.execute(
                f"update raw_github.{table} set project = 'moved'"
                " where project = 'moving'"
            )

    def a_project_moves_to_another_zone(self) -> Iterator[None]:
        last_of_march = 78 * 24  # a day of 23 hours lies in its window
        self.window(99, last_of_march, project="resetting", hours=72)
        yield
        self.connection.execute(
            "update raw_github.projects set time_zone = 'Europe/Berlin'"
            " where project = 'resetting'"
        )

    def opened(self) -> duckdb.DuckDBPyConnection:
        connection = duckdb.connect(self.warehouse)
        connection.execute("set timezone = 'UTC'")
        return connection

    def register(self, project: str, repository: str) -> None:
        self.connection.execute(
            "insert into raw_github.projects"
            " values (?, ?, ?, 'UTC', '00:00', ['en'], 'amd', true)",
            [project, project, repository],
        )
        for stream in STREAMS:
            # The whole baseline of a window of an hour is known.
            since = START - timedelta(days=29)
            self.connection.execute(
                "insert into raw_github.coverage values (?, ?, ?, ?, ?)",
                [project, stream, since, FIRST_READ, FIRST_READ],
            )

    def window(
        self, case: int, at: int | None = None, project: str = PROJECT, hours: int = 1
    ) -> None:
        start = hour(at or case) - timedelta(minutes=30)
        self.connection.execute(
            "insert or replace into raw_github.window_requests"
            " values (?, ?, 'custom', ?, ?, ?, ?)",
            [
                *(f"{project}:custom:{case}", project, start.date()),
                *(start, start + timedelta(hours=hours), FIRST_READ),
            ],
        )

    def thread(self, number: int, at: datetime, **of: Any) -> None:
        self.put("delete from raw_github.issues", number, "number")
        row = {"title": f"Case {number}", "body": "", "labels": "[]", **of}
        row = {"state": "open", "is_pull_request": False, "is_draft": False, **row}
        row["html_url"] = f"https://github.com/{REPOSITORY}/issues/{number}"
        self.insert("issues", number=number, created_at=at, updated_at=at, **row)

    def comment(self, number: int, at: datetime, **of: Any) -> int:
        self.last_id += 1
        row = {"number": number, "body": "Seen.", "created_at": at, **of}
        self.insert("issue_comments", id=self.last_id, updated_at=at, **row)
        return self.last_id

    def event(self, number: int | None, event: str, at: datetime, **of: Any) -> None:
        self.last_id += 1
        row = {"number": number, "event": event, "created_at": at, **of}
        self.insert("issue_events", id=self.last_id, **row)

    def vanish(self, kind: str, key: int, number: int, at: datetime) -> None:
        self.connection.execute(
            "insert into raw_github.vanishings values (?, ?, ?, ?, ?, 404, ?)",
            [PROJECT, REPOSITORY, kind, str(key), number, at],
        )

    def insert(self, table: str, **row: Any) -> None:
        row = {"repository": REPOSITORY, "fetched_at": self.read_at, **row}
        person = row.pop("person", 500)
        who = "actor" if table == "issue_events" else "user"
        if table in ("issues", "issue_comments", "issue_events"):
            row[f"{who}_id"] = person
            row[f"{who}_login"] = row.pop("login", f"dev-{person}")
            row[f"{who}_type"] = row.pop("type", "User")
        self.connection.execute(
            f"insert into raw_github.{table} ({', '.join(row)})"
            f" values ({', '.join('?' * len(row))})",
            list(row.values()),
        )

    def put(self, statement: str, key: int, column: str = "id") -> None:
        self.connection.execute(
            f"{statement} where {column} = ? and repository = ?", [key, REPOSITORY]
        )


def hour(number: int) -> datetime:
    """The middle of a case's window."""
    return START + timedelta(hours=number)
