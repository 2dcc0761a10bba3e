"""The seed day's listings, counted by brute force from nothing but its rows."""

from collections import Counter
from datetime import UTC, datetime, timedelta

from sample.facts import closed, issue, merged, pull, reopened
from sample.server import serve
from sample.world import World, build_world

START = datetime(2026, 3, 4, 3, 24, tzinfo=UTC)
END = datetime(2026, 3, 5, 3, 24, tzinfo=UTC)
SEED_DAY = {
    "new_issue": 22,
    "closed_issue": 44,
    "new_pr": 113,
    "merged_pr": 59,
    "closed_unmerged_pr": 128,
}


def listings(world: World, start: datetime, end: datetime) -> dict[str, int]:
    """Every thread's events before the end, read one after the other."""
    counts: Counter[str] = Counter()
    for thread in world.threads:
        kind = "pr" if thread.is_pull_request else "issue"
        if start <= thread.created_at < end:
            counts[f"new_{kind}"] += 1
        mine = [e for e in world.events if e.number == thread.number]
        past = sorted((e.created_at, e.id, e.event) for e in mine if e.created_at < end)
        merges = [at for at, _, event in past if event == "merged"]
        swings = [(at, e) for at, _, e in past if e in ("closed", "reopened")]
        if merges:
            counts["merged_pr"] += start <= merges[0]
        elif swings and swings[-1][1] == "closed" and start <= swings[-1][0]:
            counts["closed_issue" if kind == "issue" else "closed_unmerged_pr"] += 1
    return {name: counts[name] for name in SEED_DAY}


def test_the_seed_day_has_the_counts_of_the_real_one() -> None:
    assert listings(build_world(), START, END) == SEED_DAY


def test_the_brute_force_counts_each_case_of_the_semantics() -> None:
    at = lambda hours: START + timedelta(hours=hours)  # noqa: E731
    world = World().with_rows(
        issue(1, START),
        issue(2, END),
        pull(3, END - timedelta(seconds=1)),
        issue(4, at(-30)),
        closed(4, at(1)),
        reopened(4, at(2)),
        issue(5, at(-30)),
        closed(5, at(1)),
        reopened(5, at(2)),
        closed(5, at(3)),
        issue(6, at(-30)),
        closed(6, END),
        issue(7, at(-30)),
        closed(7, at(5)),
        reopened(7, at(30)),
        pull(8, at(-30)),
        closed(8, at(1)),
        reopened(8, at(2)),
        merged(8, at(3)),
        pull(9, at(-30)),
        closed(9, START),
    )
    assert listings(world, START, END) == {
        "new_issue": 1,
        "closed_issue": 2,
        "new_pr": 1,
        "merged_pr": 1,
        "closed_unmerged_pr": 1,
    }


def test_a_client_at_the_days_last_second_counts_the_same(walk) -> None:
    """GitHub's own snapshot at the end agrees with the events: two ways, one day."""
    with serve(build_world(), now=END - timedelta(seconds=1)) as github:
        # A slow start must not let the clock reach the next window.
        github.travel(END - timedelta(seconds=1))
        url = f"{github.url}/repos/example-org/sample-engine/issues"
        rows = walk(f"{url}?state=all&per_page=100")
    rows = [row for row in rows if row["created_at"] < "2026-03-05T03:24:00Z"]
    counts: Counter[str] = Counter()
    for row in rows:
        kind = "pr" if "pull_request" in row else "issue"
        merged_at = row.get("pull_request", {}).get("merged_at")
        counts[f"new_{kind}"] += row["created_at"] >= "2026-03-04T03:24:00Z"
        if merged_at:
            counts["merged_pr"] += merged_at >= "2026-03-04T03:24:00Z"
        elif row["closed_at"] and row["closed_at"] >= "2026-03-04T03:24:00Z":
            counts["closed_issue" if kind == "issue" else "closed_unmerged_pr"] += 1
    assert dict(counts) == SEED_DAY


def test_today_the_seed_day_looks_different_than_it_did_at_its_end() -> None:
    """Reopened since: who reads only today's state would miss closes of that day."""
    world = build_world()
    closes = {
        e.number
        for e in world.events
        if e.event == "closed" and START <= e.created_at < END
    }
    later = Counter(e.event for e in world.events if e.created_at >= END)
    again = {
        e.number
        for e in world.events
        if e.event == "reopened" and e.created_at >= END and e.number in closes
    }
    assert len(again) == 6
    for event in ("labeled", "unlabeled", "renamed", "convert_to_draft", "closed"):
        assert later[event] > 0, event
