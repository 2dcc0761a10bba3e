"""A thread rewound to an instant is what it was then, whatever happened afterwards.

The macro is asked directly, of threads to which random things happened: once with all
that was ever known of them, and once with what was known at that instant.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest
from jinja2 import Environment, FileSystemLoader

MACROS = Path(__file__).parents[2] / "dbt_project" / "macros"
LABELS_MODEL = MACROS.parent / "models" / "marts" / "thread_labels.sql"
START = datetime(2026, 3, 1, tzinfo=UTC)
NOW = START + timedelta(days=30)
LABELS = ("rocm", "bug", "kv-connector", "ci/build", "Bug", "🚀", "triage, please")
THREADS, STEPS = 120, 14
TABLES = """
    create table moments (thread_id varchar, as_of_at timestamptz);
    create table threads (
        thread_id varchar, project varchar, kind varchar, number bigint, title varchar,
        labels varchar[], is_draft boolean, state varchar, state_reason varchar,
        created_at timestamptz, closed_at timestamptz, merged_at timestamptz,
        updated_at timestamptz, fetched_at timestamptz, timeline_read_at timestamptz
    );
    create table thread_states (
        thread_id varchar, state varchar, started_at timestamptz, ended_at timestamptz
    );
    create table thread_events (
        thread_id varchar, project varchar, event varchar, label varchar,
        rename_from varchar, state_reason varchar, occurred_at timestamptz,
        event_sequence bigint
    );
    create table coverage (
        project varchar, stream varchar, covered_from timestamptz,
        covered_until timestamptz
    );
"""
Event = tuple[str, str | None, str | None, datetime]


@dataclass
class Life:
    """A thread, its events, and how GitHub shows it after all of them."""

    labels: list[str]
    is_appended: bool
    title: str = "First"
    is_draft: bool = False
    events: list[Event] = field(default_factory=list)

    def happen(self, chance: random.Random, at: datetime) -> None:
        """Something does, and says so."""
        kind = chance.choice(("label", "label", "label", "label", "rename", "redraft"))
        if kind == "label":
            name = chance.choice(LABELS)
            event = "unlabeled" if name in self.labels else "labeled"
            self.events.append((event, name, None, at))
        elif kind == "rename":
            self.events.append(("renamed", None, self.title, at))
        else:
            event = "ready_for_review" if self.is_draft else "convert_to_draft"
            self.events.append((event, None, None, at))
        self.take(self.events[-1])

    def take(self, event: Event) -> None:
        """Stand as after this event."""
        what, name, _, at = event
        if what == "labeled" and name:
            self.labels.append(name)
            # GitHub does not say in which order it lists them: both must do.
            self.labels.sort(key=lambda one: 0 if self.is_appended else hash_of(one))
        elif what == "unlabeled" and name:
            self.labels.remove(name)
        elif what == "renamed":
            self.title = f"Renamed at {at:%d %H:%M:%S}"
        else:
            self.is_draft = what == "convert_to_draft"


def hash_of(name: str) -> int:
    """An order that is neither that of the names nor that of events."""
    return sum(name.encode()) % 37


def lived(seed: int, *, is_appended: bool) -> list[tuple[Life, Life, datetime]]:
    """Threads as of now, the same as of an instant of theirs, and that instant."""
    chance, pairs = random.Random(seed), []
    for _ in range(THREADS):
        born = chance.sample(LABELS, chance.randrange(4))
        life, then = Life([*born], is_appended), Life([*born], is_appended)
        # Often several in a second, and in the very second of the instant.
        hours = sorted(chance.randrange(1, 40) for _ in range(STEPS))
        for hour in hours:
            life.happen(chance, START + timedelta(hours=hour))
        instant = START + timedelta(hours=chance.randrange(1, 42))
        for event in life.events:
            if event[-1] < instant:
                then.events.append(event)
                then.take(event)
        put_on = {label for event, label, *_ in then.events if event == "labeled"}
        kept = [one for one in life.labels if one in then.labels and one in put_on]
        again = {label for _, label, _, at in life.events if at >= instant}
        deletable = sorted(set(kept) - again)
        if deletable and chance.random() < 0.3:
            # Deleted from the repository later on: no event says so.
            life.labels.remove(chance.choice(deletable))
        pairs.append((life, then, instant))
    return pairs


def rewound(lives: list[tuple[Life, datetime]], fetched_at: datetime) -> list[Any]:
    """What the macro says of each thread: title, labels, draft flag."""
    with duckdb.connect() as connection:
        connection.execute("set timezone = 'UTC'")
        connection.execute(TABLES)
        connection.execute(
            "insert into coverage values ('p', 'issue_events', ?, ?)", [START, NOW]
        )
        for number, (life, instant) in enumerate(lives):
            key = f"{number:03}"
            shown = {"thread_id": key, "title": life.title, "labels": life.labels}
            shown |= {"is_draft": life.is_draft, "project": "p", "state": "open"}
            shown |= {"created_at": START, "updated_at": fetched_at}
            shown |= {"fetched_at": fetched_at}
            connection.execute("insert into moments values (?, ?)", [key, instant])
            connection.execute(
                f"insert into threads ({', '.join(shown)})"
                f" values ({', '.join('?' for _ in shown)})",
                [*shown.values()],
            )
            for turn, event in enumerate(life.events):
                connection.execute(
                    "insert into thread_events values (?, 'p', ?, ?, ?, null, ?, ?)",
                    [key, *event, turn],
                )
        connection.execute(f"create view thread_labels as {labels_model()}")
        return connection.execute(
            f"select title, labels, is_draft from ({macro()}) order by thread_id"
        ).fetchall()


def macro() -> str:
    """The SQL of `threads_as_of`; it asks nothing of dbt."""
    # It is SQL for a database of the test's own, and no page.
    macros = Environment(loader=FileSystemLoader(MACROS), autoescape=False)
    names = ("moments", "threads", "thread_states", "thread_labels", "thread_events")
    template = macros.get_template("threads_as_of.sql")
    return str(template.module.threads_as_of(*names, "coverage"))


def labels_model() -> str:
    """The SQL of `thread_labels`, over the tables of this test."""
    text = LABELS_MODEL.read_text("utf-8")
    return re.sub(r"\{\{ ref\('(\w+)'\) \}\}", r"main.\1", text)


@pytest.mark.parametrize("is_appended", [True, False])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_happens_later_changes_nothing_not_even_the_order_of_labels(
    seed: int, is_appended: bool
) -> None:
    pairs = lived(seed, is_appended=is_appended)
    later = rewound([(life, instant) for life, _, instant in pairs], NOW)
    at_once = rewound([(then, instant) for _, then, instant in pairs], NOW)
    assert later == at_once
    truth = [(then.title, sorted(then.labels), then.is_draft) for _, then, _ in pairs]
    assert [(title, sorted(labels), draft) for title, labels, draft in later] == truth
    assert sum(len(labels) > 1 for _, labels, _ in truth) > THREADS / 4


def test_labels_whose_putting_on_is_known_stand_in_that_order() -> None:
    pairs = lived(4, is_appended=True)
    told = rewound([(life, instant) for life, _, instant in pairs], NOW)
    checked = 0
    for (_, then, _), (_, labels, _) in zip(pairs, told, strict=True):
        known = {name for event, name, *_ in then.events if event == "labeled"}
        assert [name for name in labels if name in known] == [
            name for name in then.labels if name in known
        ]
        checked += len(known) > 1
    assert checked > THREADS / 4
