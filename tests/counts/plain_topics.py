"""The share of every topic on every covered day, counted anew: plain Python over the
raw rows. Nothing here is taken from the models; ratios are exact fractions.
"""

from __future__ import annotations

import csv
import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from zoneinfo import ZoneInfo

import duckdb

from tests.counts.plain_count import Day, covered_days, listings_of, threads_of
from tests.counts.plain_heat import (
    BASELINE,
    HOUR,
    SEEDS,
    comments_of,
    spoken_in,
)

# More component labels than these were not chosen by anybody.
MOST_COMPONENTS = 4
FEWEST_DAYS = 7


@dataclass(frozen=True)
class Attention:
    thread_count: int
    active_thread_count: int
    share: Fraction | None
    usual_share: Fraction | None
    expected_thread_count: Fraction | None
    lift: Fraction | None
    is_rising: bool
    is_falling: bool


@dataclass
class Named:
    """What a thread is called now, and what changed about it."""

    title: str
    labels: list[str]
    # (instant, id, event, label, title before) of each change.
    changes: list[tuple[datetime, int, str, str | None, str | None]] = field(
        default_factory=list
    )

    def title_at(self, end: datetime) -> str:
        for instant, _, event, _, before in sorted(self.changes, key=lambda c: c[:2]):
            if instant >= end and event == "renamed" and before is not None:
                return before
        return self.title

    def labels_at(self, end: datetime) -> set[str]:
        labels = set(self.labels)
        for instant, _, event, label, _ in sorted(
            self.changes, key=lambda c: c[:2], reverse=True
        ):
            if instant >= end and label is not None and event == "labeled":
                labels.discard(label)
            if instant >= end and label is not None and event == "unlabeled":
                labels.add(label)
        return labels


class Vocabulary:
    """Which topics a title and labels name."""

    def __init__(self) -> None:
        self.topics: set[str] = set()
        self.phrases: list[tuple[list[str], str]] = []
        self.by_label: dict[str, set[str]] = defaultdict(set)
        for row in read("topic_terms"):
            self.topics.add(row["topic"])
            if row["match_kind"] == "label":
                self.by_label[row["term"].lower()].add(row["topic"])
            else:
                self.phrases.append((words_of(row["term"]), row["topic"]))
        self.topics |= {row["topic"] for row in read("topics")}
        self.components = {
            row["label"].lower()
            for row in read("labels")
            if row["label_kind"] == "component"
        }

    def topics_of(self, title: str, labels: set[str]) -> set[str]:
        words = words_of(title)
        found = {
            topic
            for phrase, topic in self.phrases
            if any(
                words[place : place + len(phrase)] == phrase
                for place in range(len(words))
            )
        }
        if sum(label.lower() in self.components for label in labels) <= MOST_COMPONENTS:
            for label in labels:
                found |= self.by_label.get(label.lower(), set())
        return found


def plain_topics(
    connection: duckdb.DuckDBPyConnection,
) -> dict[tuple[str, str], Attention]:
    """The attention for every topic on every covered day, by window_id and topic."""
    connection.execute("set timezone = 'UTC'")
    vocabulary = Vocabulary()
    found: dict[tuple[str, str], Attention] = {}
    projects = connection.execute(
        "select project, repository, time_zone, window_start from raw_github.projects"
    ).fetchall()
    for project, repository, zone, clock in projects:
        days = list(covered_days(connection, project, ZoneInfo(zone), clock))
        counted = [
            counts_of(connection, project, repository, day, vocabulary) for day in days
        ]
        for place, day in enumerate(days):
            since = day.start - BASELINE - HOUR
            before = [
                counted[earlier]
                for earlier in range(place)
                if days[earlier].start >= since
            ]
            for topic in vocabulary.topics:
                active, by_topic = counted[place]
                found[day.window_id, topic] = attention(
                    by_topic.get(topic, 0),
                    active,
                    [
                        (by_earlier.get(topic, 0), all_of)
                        for all_of, by_earlier in before
                    ],
                )
    return found


def attention(count: int, active: int, before: list[tuple[int, int]]) -> Attention:
    usual = expected = lift = None
    total = sum(all_of for _, all_of in before)
    if len(before) >= FEWEST_DAYS and total:
        usual = Fraction(sum(of_topic for of_topic, _ in before), total)
        expected = active * usual
        lift = (count + 1) / (expected + 1)
    return Attention(
        count,
        active,
        Fraction(count, active) if active else None,
        usual,
        expected,
        lift,
        lift is not None and lift >= Fraction(3, 2) and count >= 3,
        lift is not None
        and expected is not None
        and lift <= Fraction(2, 3)
        and expected >= 3,
    )


def counts_of(
    connection: duckdb.DuckDBPyConnection,
    project: str,
    repository: str,
    day: Day,
    vocabulary: Vocabulary,
) -> tuple[int, dict[str, int]]:
    """The day's active threads, and how many of them each topic has."""
    active, by_topic = 0, defaultdict[str, int](int)
    for named in active_threads(connection, project, repository, day):
        active += 1
        for topic in vocabulary.topics_of(
            named.title_at(day.end), named.labels_at(day.end)
        ):
            by_topic[topic] += 1
    return active, by_topic


def active_threads(
    connection: duckdb.DuckDBPyConnection, project: str, repository: str, day: Day
) -> Iterator[Named]:
    """The threads in a listing of the day, or with a human comment in it."""
    rows = connection.execute(
        "select number, title, labels from raw_github.issues where repository = ?",
        [repository],
    ).fetchall()
    threads = threads_of(connection, project, repository)
    said = comments_of(connection, project, repository)
    changes = defaultdict(list)
    for number, *change in connection.execute(
        "select number, created_at, id, event, label_name, rename_from"
        " from raw_github.issue_events where repository = ?"
        " and event in ('labeled', 'unlabeled', 'renamed')",
        [repository],
    ).fetchall():
        changes[number].append(tuple(change))
    for (number, title, labels), thread in zip(rows, threads, strict=True):
        spoken = spoken_in(day, said[number])
        if list(listings_of(day, thread)) or any(not one.is_bot for one in spoken):
            # Of a thread that is commented on before it is opened nothing is known yet.
            known = (title or "", json.loads(labels or "[]"), changes[number])
            yield Named(*known) if thread.created_at < day.end else Named("", [])


def words_of(text: str) -> list[str]:
    """Words in lower case, letters of scripts without spaces one by one."""
    folded = "".join(
        chr(ord(sign) - 0xFEE0) if "！" <= sign <= "～" else sign for sign in text
    ).lower()
    folded = re.sub(r"(?<=[a-z0-9])(?:['’]s\b|\+)", " ", folded)
    spaced = "".join(
        f" {sign} " if unicodedata.category(sign) == "Lo" else sign for sign in folded
    )
    return re.findall(r"[a-z0-9]+|\+1\b|[^\x00-\x7f](?= )", spaced)


def read(seed: str) -> list[dict[str, str]]:
    with (SEEDS / f"{seed}.csv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))
