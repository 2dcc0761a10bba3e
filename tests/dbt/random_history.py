"""A made-up repository whose raw rows come in loads: late, edited, renamed and gone.

It writes what loads leave in `raw_github`, and it is as unkind as they may be: events
that come days late or never, labels that vanish without an event, people who change
their login or turn out to be bots, gaps in the coverage, threads found deleted, windows
that move, settings that change. `is_kind` leaves all that out: then nothing that is
loaded later changes an earlier day. The same seed is the same history.
"""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime, timedelta
from typing import Any

import duckdb

PROJECT = "sample"
REPOSITORY = "example-org/sample-engine"
LABELS = ("rocm", "v1", "bug", "ready", "documentation", "frontend", "stale")
TITLES = (
    "[ROCm] Fix crash in attention",
    "[Bug]: wrong output on MI300X",
    "[Core] Speed up the scheduler",
    "[Doc] Fix typo",
    "[Kernel] New fp8 path",
    "Memory leak after many requests",
)
WORDS = (
    "I can reproduce this on main.",
    "See #{n} for the cause.",
    "Works on ROCm 6.3 here.",
    "Fixed by #{n}?",
    "Thanks, looks good.",
    "Does it hang with 8 GPUs?",
)
BODIES = (
    "## Purpose\n\nFixes #{n}. It copies less.",
    "### Describe the bug\n\nIt crashes on MI300X. Mentioned in #{n} too.",
    "",
    "See https://github.com/example-org/sample-engine/issues/{n}",
)
STREAMS = ("threads", "issue_comments", "review_comments", "issue_events")
COLUMNS = {
    "issues": """repository number id title body state state_reason user_id user_login
        user_type author_association labels is_pull_request merged_at is_draft is_locked
        comment_count created_at updated_at closed_at html_url fetched_at""",
    "issue_comments": """repository id number user_id user_login user_type
        author_association body via_app minimized_reason created_at updated_at html_url
        fetched_at""",
    "issue_events": """repository id number event actor_id actor_login actor_type
        label_name rename_from rename_to state_reason commit_id created_at
        fetched_at""",
}
COLUMNS["review_comments"] = COLUMNS["issue_comments"]
KEYS = {"issues": "number"}


class RandomHistory:
    """The repository, and the loads of it into one warehouse. Times are UTC."""

    def __init__(self, warehouse: str, seed: int, *, is_kind: bool = False) -> None:
        """Begin with an empty repository, first read some weeks after its start."""
        self.is_kind = is_kind
        self.random = random.Random(seed)
        self.warehouse = warehouse
        self.start = datetime(2026, 1, 5, tzinfo=UTC)
        self.now = self.start + timedelta(days=20)
        self.covered_from = self.start + timedelta(days=self.random.choice((-1, 2, 9)))
        self.threads: dict[int, dict[str, Any]] = {}
        self.comments: dict[str, dict[int, dict[str, Any]]] = {
            "issue_comments": {},
            "review_comments": {},
        }
        self.late: list[dict[str, Any]] = []
        self.logins = {1000 + n: f"dev-{n:03}" for n in range(12)}
        self.logins |= {1012: "dev-amd", 1013: "sweeper[bot]"}
        self.bots = {1013}
        self.next_id = 1
        self.live(self.start, self.now)

    def live(self, since: datetime, until: datetime) -> None:
        """Let things happen in the interval; what a load finds is in `pending`."""
        self.pending: dict[str, dict[int, dict[str, Any]]] = {
            table: {} for table in COLUMNS
        }
        span = (until - since).total_seconds()
        instants = sorted(
            since + timedelta(seconds=int(self.random.random() * span))
            for _ in range(max(6, int(span / 5400)))
        )
        for instant in instants:
            acts = [
                *(self.open, self.open, self.close, self.reopen, self.merge),
                *(self.label, self.label, self.rename, self.redraft),
                *(self.say, self.say, self.say, self.say),
            ]
            if not self.is_kind:
                acts += [self.edit, self.rewrite]
                acts += [self.unlabel_silently, self.rename_person]
            self.random.choice(acts)(instant)

    def open(self, at: datetime) -> None:
        """A thread is opened."""
        number = len(self.threads) + 1
        is_pull = self.random.random() < 0.5
        self.threads[number] = {
            "repository": REPOSITORY,
            "number": number,
            "id": 10_000 + number,
            "title": f"{self.random.choice(TITLES)} {number % 7}",
            "body": self.text(BODIES),
            "state": "open",
            "is_pull_request": is_pull,
            "is_draft": is_pull and self.random.random() < 0.3,
            "labels": self.random.sample(LABELS, self.random.choice((0, 1, 2))),
            "author_association": self.random.choice(("NONE", "MEMBER", "CONTRIBUTOR")),
            "created_at": at,
            "updated_at": at,
            "html_url": f"https://github.com/{REPOSITORY}/issues/{number}",
            **self.person("user"),
        }
        self.touch(number, at)

    def close(self, at: datetime) -> None:
        """An open thread is closed."""
        if one := self.some("open"):
            one |= {"state": "closed", "closed_at": at}
            self.event(one, "closed", at)

    def reopen(self, at: datetime) -> None:
        """A closed thread that is not merged is opened again."""
        if (one := self.some("closed")) and not one.get("merged_at"):
            one |= {"state": "open", "closed_at": None}
            self.event(one, "reopened", at)

    def merge(self, at: datetime) -> None:
        """A pull request is merged and closed in one second."""
        if (one := self.some("open")) and one["is_pull_request"]:
            one |= {"state": "closed", "closed_at": at, "merged_at": at}
            self.event(one, "merged", at)
            self.event(one, "closed", at)

    def label(self, at: datetime) -> None:
        """A label is put on or taken off."""
        if one := self.some():
            label = self.random.choice(LABELS)
            had = label in one["labels"]
            one["labels"] = [each for each in one["labels"] if each != label]
            if not had:
                one["labels"] = [*one["labels"], label]
            self.event(one, "unlabeled" if had else "labeled", at, label_name=label)

    def unlabel_silently(self, at: datetime) -> None:
        """A label is deleted from the repository: no event tells of it."""
        if (one := self.some()) and self.random.random() < 0.4:
            one["labels"] = one["labels"][1:]
            self.touch(one["number"], at)

    def rename(self, at: datetime) -> None:
        """A title is changed."""
        if one := self.some():
            before, one["title"] = one["title"], self.random.choice(TITLES)
            self.event(one, "renamed", at, rename_from=before, rename_to=one["title"])

    def redraft(self, at: datetime) -> None:
        """A pull request becomes a draft or ready."""
        if (one := self.some("open")) and one["is_pull_request"]:
            one["is_draft"] = not one["is_draft"]
            event = "convert_to_draft" if one["is_draft"] else "ready_for_review"
            self.event(one, event, at)

    def rewrite(self, at: datetime) -> None:
        """A body is edited."""
        if one := self.some():
            one["body"] = self.text(BODIES)
            self.touch(one["number"], at)

    def rename_person(self, at: datetime) -> None:
        """Somebody takes another login, or is a bot; rows from now on show it."""
        if self.random.random() < 0.06:
            person = self.random.choice(list(self.logins))
            self.logins[person] = f"dev-{person}-{at:%d%H}"
            if self.random.random() < 0.2:
                self.bots ^= {person}

    def say(self, at: datetime) -> None:
        """A comment is written, now and then on a thread that no list shows."""
        one = self.some()
        if one is None:
            return
        table = "review_comments" if one["is_pull_request"] else "issue_comments"
        number = 9_999 if self.random.random() < 0.02 else one["number"]
        self.comments[table][self.next_id] = self.pending[table][self.next_id] = {
            "repository": REPOSITORY,
            "id": self.next_id,
            "number": None if self.random.random() < 0.02 else number,
            "author_association": self.random.choice(("NONE", "MEMBER")),
            "body": self.text(WORDS),
            "created_at": at,
            "updated_at": at,
            **self.person("user"),
        }
        self.next_id += 1
        self.touch(one["number"], at)

    def edit(self, at: datetime) -> None:
        """An older comment is edited, minimised or both."""
        table = self.random.choice(tuple(self.comments))
        if self.comments[table]:
            one = self.random.choice(list(self.comments[table].values()))
            one |= {"body": self.text(WORDS), "updated_at": at}
            if self.random.random() < 0.2:
                one["minimized_reason"] = "spam"
            self.pending[table][one["id"]] = one

    def event(
        self, thread: dict[str, Any], event: str, at: datetime, **of: Any
    ) -> None:
        """An event happens; some are listed late and a few are never listed."""
        row = {
            "repository": REPOSITORY,
            "id": self.next_id,
            "number": None if self.random.random() < 0.01 else thread["number"],
            "event": event,
            "created_at": at,
            **of,
            **self.person("actor"),
        }
        self.next_id += 1
        chance = self.random.random()
        if chance < 0.1 and not self.is_kind:
            self.late.append(row)
        elif chance < 0.97 or self.is_kind:
            self.pending["issue_events"][row["id"]] = row
        self.touch(thread["number"], at)

    def touch(self, number: int, at: datetime) -> None:
        self.threads[number]["updated_at"] = at
        self.pending["issues"][number] = self.threads[number]

    def some(self, state: str | None = None) -> dict[str, Any] | None:
        found = [
            one
            for one in self.threads.values()
            if state is None or one["state"] == state
        ]
        # The young are busy, the old are not forgotten.
        recent = found[-12:] if self.random.random() < 0.8 else found
        return self.random.choice(recent) if recent else None

    def text(self, choices: tuple[str, ...]) -> str:
        # Now and then a number that is still to come.
        to_come = 0 if self.is_kind else 2
        other = self.random.randint(1, max(1, len(self.threads) + to_come))
        return self.random.choice(choices).format(n=other)

    def person(self, role: str) -> dict[str, Any]:
        if self.random.random() < 0.05:
            return {f"{role}_id": None, f"{role}_login": None, f"{role}_type": None}
        one = self.random.choice(list(self.logins))
        kind = "Bot" if one in self.bots else "User"
        return {
            f"{role}_id": one,
            f"{role}_login": self.logins[one],
            f"{role}_type": kind,
        }

    def pass_time(self) -> None:
        """Between two loads some hours or days go by."""
        before = self.now
        self.now += timedelta(hours=self.random.choice((0, 3, 20, 24, 24, 31, 50, 200)))
        self.live(before, self.now)
        if self.random.random() < 0.15 and not self.is_kind:
            self.covered_from -= timedelta(days=self.random.choice((1, 5)))

    def load(self) -> None:
        """Write what is pending, and what a sync would say of it, as one load."""
        with duckdb.connect(self.warehouse) as connection:
            connection.execute("set timezone = 'UTC'")
            connection.execute("begin")
            while self.late and self.random.random() < 0.5:
                row = self.late.pop(0)
                self.pending["issue_events"][row["id"]] = row
            for table, rows in self.pending.items():
                self.write(connection, table, list(rows.values()))
            self.cover(connection)
            if not self.is_kind:
                self.add_the_rare(connection)
            connection.execute("commit")

    def write(
        self,
        connection: duckdb.DuckDBPyConnection,
        table: str,
        rows: list[dict[str, Any]],
    ) -> None:
        columns = COLUMNS[table].split()
        key = KEYS.get(table, "id")
        for row in rows:
            values = {**row, "fetched_at": self.now}
            if table == "issues":
                values["labels"] = json.dumps(row["labels"])
            connection.execute(
                f"delete from raw_github.{table} where {key} = ? and repository = ?",
                [row[key], REPOSITORY],
            )
            connection.execute(
                f"insert into raw_github.{table} ({', '.join(columns)})"
                f" values ({', '.join('?' * len(columns))})",
                [values.get(column) for column in columns],
            )

    def cover(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Say what is covered; now and then the events lag behind or have a gap."""
        connection.execute(
            "delete from raw_github.coverage where project = ?", [PROJECT]
        )
        for stream in STREAMS:
            until = self.now
            is_lagging = stream == "issue_events" and self.random.random() < 0.1
            if is_lagging and not self.is_kind:
                until -= timedelta(hours=5)
            spans = [(self.covered_from, until)]
            if self.random.random() < 0.1 and not self.is_kind:
                gap = self.start + timedelta(days=self.random.randint(10, 18))
                spans = [
                    (self.covered_from, gap),
                    (gap + timedelta(hours=30), until),
                ]
            for span in spans:
                connection.execute(
                    "insert into raw_github.coverage values (?, ?, ?, ?, ?)",
                    [PROJECT, stream, *span, self.now],
                )

    def add_the_rare(self, connection: duckdb.DuckDBPyConnection) -> None:
        """What does not come with every load."""
        chance = self.random.random
        number = self.random.randint(1, len(self.threads))
        if chance() < 0.3:
            self.vanish(connection, "thread", str(number), number)
        kind = self.random.choice(("issue_comment", "review_comment"))
        if chance() < 0.5 and self.comments[f"{kind}s"]:
            one = self.random.choice(list(self.comments[f"{kind}s"].values()))
            number_said = one["number"] or number
            self.vanish(connection, kind, str(one["id"]), number_said)
        if chance() < 0.5:
            self.ask_for_a_window(connection)
        if chance() < 0.3:
            self.move_a_window(connection)
        if chance() < 0.15:
            self.change_a_setting(connection)
        if chance() < 0.4:
            connection.execute(
                "insert or replace into raw_github.timelines values (?, ?, ?)",
                [PROJECT, number, self.now],
            )
        if chance() < 0.6 and self.threads[number]["is_pull_request"]:
            self.size(connection, number)

    def vanish(
        self,
        connection: duckdb.DuckDBPyConnection,
        kind: str,
        key: str,
        number: int,
    ) -> None:
        connection.execute(
            "insert into raw_github.vanishings select ?, ?, ?, ?, ?, 404, ?"
            " where not exists (select 1 from raw_github.vanishings"
            " where kind = ? and row_key = ?)",
            [PROJECT, REPOSITORY, kind, key, number, self.now, kind, key],
        )

    def ask_for_a_window(self, connection: duckdb.DuckDBPyConnection) -> None:
        hours = self.random.choice((1, 6, 30))
        start = self.now - timedelta(hours=self.random.randint(hours, 400))
        name = f"{PROJECT}:custom:{start:%Y-%m-%dT%H:%M}+{hours}h"
        end = start + timedelta(hours=hours)
        connection.execute(
            "insert or replace into raw_github.window_requests"
            " values (?, ?, 'custom', ?, ?, ?, ?)",
            [name, PROJECT, start.date(), start, end, self.now],
        )
        if self.random.random() < 0.3:
            connection.execute(
                "insert into raw_github.targeted_windows values (?, ?, ?, ?, ?)",
                [PROJECT, name, start, end, self.now],
            )

    def move_a_window(self, connection: duckdb.DuckDBPyConnection) -> None:
        """A window that was asked for comes to lie elsewhere under its name."""
        connection.execute(
            "update raw_github.window_requests set"
            " window_start_at = window_start_at - interval '5 hours',"
            " window_end_at = window_end_at - interval '4 hours'"
            " where window_id = (select min(window_id) from raw_github.window_requests"
            " where project = ?)",
            [PROJECT],
        )

    def change_a_setting(self, connection: duckdb.DuckDBPyConnection) -> None:
        """The projects file says something else; the zone moves every window."""
        column, value = self.random.choice(
            (
                ("spotlight_ecosystem", "nvidia"),
                ("title", "Another title"),
                ("time_zone", "America/New_York"),
                ("window_start", "07:30"),
            )
        )
        connection.execute(
            f"update raw_github.projects set {column} = ? where project = ?",
            [value, PROJECT],
        )

    def size(self, connection: duckdb.DuckDBPyConnection, number: int) -> None:
        for table in ("pull_details", "changed_files", "reviews"):
            connection.execute(
                f"delete from raw_github.{table} where number = ? and repository = ?",
                [number, REPOSITORY],
            )
        connection.execute(
            "insert into raw_github.reviews (repository, id, number, user_id,"
            " user_login, state, submitted_at, fetched_at)"
            " values (?, ?, ?, 1001, 'dev-001', 'APPROVED', ?, ?)",
            [REPOSITORY, number, number, self.now, self.now],
        )
        lines = self.random.randint(1, 900)
        connection.execute(
            "insert into raw_github.pull_details (repository, number, additions,"
            " deletions, changed_files, commits, fetched_at)"
            " values (?, ?, ?, 3, 1, 1, ?)",
            [REPOSITORY, number, lines, self.now],
        )
        connection.execute(
            "insert into raw_github.changed_files (repository, number, filename,"
            " status, additions, deletions, fetched_at)"
            " values (?, ?, ?, 'modified', ?, 3, ?)",
            [
                *(REPOSITORY, number),
                self.random.choice(("csrc/rocm/a.cu", "engine/core.py", "docs/x.md")),
                *(lines, self.now),
            ],
        )
