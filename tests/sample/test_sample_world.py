"""What holds for the whole of the sample's world."""

import re
from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta

import pytest

from sample.facts import GHOST
from sample.github.past import as_of
from sample.rows import Event
from sample.world import World, build_world

START = datetime(2026, 3, 4, 3, 24, tzinfo=UTC)
END = START + timedelta(days=1)


@pytest.fixture(scope="module")
def world() -> World:
    return build_world()


def test_people_are_plainly_artificial(world: World) -> None:
    people = {row.user for row in (*world.threads, *world.issue_comments)}
    people |= {row.user for row in (*world.review_comments, *world.reviews)}
    people |= {row.actor for row in world.events}
    logins = {person.login for person in people if person}
    plain = re.compile(
        r"dev-0\d\d(-amd)?|ghost|sample-bump-bot|(sample-ci|reviewer)\[bot\]"
    )
    assert [login for login in logins if not plain.fullmatch(login)] == []
    assert {None, GHOST} <= people
    assert {"sample-bump-bot", "sample-ci[bot]", "reviewer[bot]"} <= logins
    assert any(login.endswith("-amd") for login in logins)


def test_texts_mention_nobody_but_artificial_people(world: World) -> None:
    rows = (*world.threads, *world.issue_comments, *world.review_comments)
    mentioned = {m for row in rows for m in re.findall(r"@([\w-]+)", row.body or "")}
    assert mentioned
    assert {m for m in mentioned if not re.fullmatch(r"dev-0\d\d(-amd)?", m)} == set()


def test_numbers_and_ids_grow_with_time(world: World) -> None:
    births = [(thread.created_at, thread.number) for thread in world.threads]
    assert births == sorted(births)
    assert [n for _, n in births] == sorted({n for _, n in births})
    streams = (world.threads, world.issue_comments, world.review_comments)
    for rows in (*streams, world.events, world.reviews):
        ids = [row.id for row in rows]
        assert ids == sorted(set(ids))
        assert [row.created_at for row in rows] == sorted(r.created_at for r in rows)


def test_nothing_happens_to_a_thread_before_its_birth_or_after_now(
    world: World,
) -> None:
    born = {thread.number: thread.created_at for thread in world.threads}
    said = (*world.issue_comments, *world.review_comments, *world.reviews)
    for row in (*said, *world.events):
        assert born[row.number or 0] <= row.created_at <= world.now, row


def change_told(event: Event) -> tuple[str, object, object] | None:
    """What of a thread an event changes, from what to what."""
    swings = {
        "closed": ("is_open", True, False),
        "reopened": ("is_open", False, True),
        "locked": ("is_locked", False, True),
        "unlocked": ("is_locked", True, False),
        "convert_to_draft": ("is_draft", False, True),
        "ready_for_review": ("is_draft", True, False),
        "labeled": (f"has {event.label}", False, True),
        "unlabeled": (f"has {event.label}", True, False),
        "renamed": ("title", *(event.rename or (None, None))),
    }
    return swings.get(event.event)


def test_every_event_changes_the_state_that_it_speaks_of(world: World) -> None:
    stands: dict[tuple[int | None, str], object] = {}
    for thread in world.threads:
        stands[thread.number, "is_open"] = True
        stands[thread.number, "is_draft"] = thread.is_draft
        stands[thread.number, "title"] = thread.title
    told: set[str] = set()
    for event in world.events:
        if change := change_told(event):
            aspect, before, after = change
            assert stands.get((event.number, aspect), False) == before, event
            stands[event.number, aspect] = after
            told.add(event.event)
        if event.event == "merged":
            assert stands[event.number, "is_open"], event
            assert not stands[event.number, "is_draft"], event
    assert {"convert_to_draft", "ready_for_review", "labeled", "unlabeled"} <= told
    assert {"closed", "reopened", "renamed"} <= told


def test_updated_at_is_the_last_thing_that_happened(world: World) -> None:
    last: defaultdict[int, datetime] = defaultdict(
        lambda: datetime.min.replace(tzinfo=UTC)
    )
    rows = (*world.issue_comments, *world.review_comments, *world.reviews)
    for row in (*world.threads, *rows, *world.events):
        last[row.number or 0] = max(last[row.number or 0], row.created_at)
    view = as_of(world, world.now)
    assert {n: s.updated_at for n, s in view.standings.items()} == dict(last)


def test_every_reference_in_a_text_is_a_thread(world: World) -> None:
    numbers = {thread.number for thread in world.threads}
    rows = (*world.threads, *world.issue_comments, *world.review_comments)
    texts = [row.body for row in rows if row.body]
    assert not [text for text in texts if "{#" in text or "{other}" in text]
    named = {int(n) for text in texts for n in re.findall(r"#(\d{4})\b", text)}
    assert len(named) > 50
    assert named <= numbers
    closing = r"(?:Fixes|Closes example-org/sample-engine|Closes) ?#\d{4}"
    assert sum(bool(re.search(closing, text)) for text in texts) > 40


def test_five_weeks_before_the_seed_day_have_ordinary_work_each_day(
    world: World,
) -> None:
    for ago in range(1, 36):
        start = START - timedelta(days=ago)
        end = start + timedelta(days=1)
        day = [t for t in world.threads if start <= t.created_at < end]
        said = [
            c
            for c in (*world.issue_comments, *world.review_comments)
            if start <= c.created_at < end and (c.user is None or c.user.kind == "User")
        ]
        assert 5 <= len(day) <= 60, ago
        assert len({c.number for c in said}) >= 4, ago


def test_the_size_stays_moderate(world: World) -> None:
    assert 1_200 <= len(world.threads) <= 1_600
    assert 3_000 <= len(world.issue_comments) + len(world.review_comments) <= 5_000
    assert 6_000 <= len(world.events) <= 9_000


def test_five_discussions_of_the_seed_day_have_many_voices(world: World) -> None:
    voices: defaultdict[int, set[str]] = defaultdict(set)
    counts: Counter[int] = Counter()
    for said in (*world.issue_comments, *world.review_comments):
        is_human = said.user is None or said.user.kind == "User"
        if is_human and START <= said.created_at < END:
            counts[said.number] += 1
            voices[said.number].add(said.user.login if said.user else "ghost")
    crowded = [n for n in counts if counts[n] >= 6 and len(voices[n]) >= 4]
    assert len(crowded) >= 5
    assert max(counts.values()) == 14 and len(voices[counts.most_common(1)[0][0]]) == 1


def test_the_seed_day_bears_hostile_titles_and_bodies(world: World) -> None:
    fresh = {t.title: t for t in world.threads if START <= t.created_at < END}
    assert max(map(len, fresh)) == 300
    for mark in ("<script", "{{", "](", "|", "\u202e"):
        assert any(mark in title for title in fresh), mark
    bodies = {thread.body for thread in fresh.values()}
    assert {None, ""} <= bodies
    assert any("\0" in (body or "") for body in bodies)


def test_rare_cases_are_there(world: World) -> None:
    comments = world.issue_comments
    assert any(c.edits for c in comments) and any(c.deleted_at for c in comments)
    assert any(c.user is None for c in comments)
    labels = {e.label for e in world.events if e.label}
    assert {"rocm", "triage, please", "ci/build", "🚀"} <= labels
    closes = {(e.number, e.created_at) for e in world.events if e.event == "closed"}
    second = timedelta(seconds=1)
    merges = [(e.number, e.created_at) for e in world.events if e.event == "merged"]
    assert [m for m in merges if (m[0], m[1] + second) in closes]
    fresh = {t.number for t in world.threads if START <= t.created_at < END}
    labelings = {(e.number in fresh, e.created_at) for e in world.events if e.label}
    assert (True, END) in labelings
    for instant in (START - second, START, END - second, END):
        born = {t.is_pull_request for t in world.threads if t.created_at == instant}
        assert born == {True, False}, instant
        assert instant in {at for _, at in closes}
