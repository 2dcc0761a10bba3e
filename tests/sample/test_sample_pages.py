"""Every list to its true end, each row once; walls, caps and traps as on GitHub."""

from datetime import timedelta
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from sample.facts import comment, dev, happened, instant, issue, pull, review_comment
from sample.server import serve
from sample.world import World, build_world

REPOSITORY = "/repos/example-org/sample-engine"
NUMERIC = "/repositories/900000001"
BIRTH = instant("2026-03-04T04:00:00Z")


def many(count: int, *, spread: int = 1) -> World:
    """One thread with `count` comments of each kind and events, `spread` s apart."""
    times = [BIRTH + timedelta(seconds=1 + n * spread) for n in range(count)]
    return World().with_rows(
        pull(1, BIRTH),
        (comment(1, at) for at in times),
        (review_comment(1, at) for at in times),
        (happened("labeled", 1, at, label="x") for at in times),
    )


@pytest.mark.parametrize("size", [7, 100, 1000])
@pytest.mark.parametrize(
    ("path", "stream"),
    [
        ("/issues?state=all", "threads"),
        ("/issues?state=all&sort=updated&direction=asc", "threads"),
        ("/issues?state=all&sort=comments", "threads"),
        ("/issues/comments?sort=updated&direction=asc", "issue_comments"),
        ("/issues/comments", "issue_comments"),
        ("/pulls/comments?sort=created&direction=desc", "review_comments"),
        ("/issues/events", "events"),
    ],
)
def test_links_lead_through_every_row_once(walk, path, stream, size) -> None:
    world = build_world()
    with serve(world) as github:
        joint = "&" if "?" in path else "?"
        rows = walk(f"{github.url}{REPOSITORY}{path}{joint}per_page={size}")
    expected = [row for row in getattr(world, stream) if not _is_gone(row)]
    ids = [row["id"] for row in rows]
    assert sorted(ids) == sorted(row.id for row in expected)


def _is_gone(row: object) -> bool:
    return getattr(row, "deleted_at", None) is not None


def test_the_orders_are_githubs(walk) -> None:
    with serve(build_world()) as github:
        base = f"{github.url}{REPOSITORY}"
        created = [
            r["created_at"] for r in walk(f"{base}/issues?state=all&per_page=100")
        ]
        updated = [
            r["updated_at"]
            for r in walk(
                f"{base}/issues?state=all&sort=updated&direction=asc&per_page=100"
            )
        ]
        # `direction` means nothing without `sort` on the comment lists.
        said = walk(f"{base}/issues/comments?direction=desc&per_page=100")
        events = walk(f"{base}/issues/events?per_page=100")
    assert created == sorted(created, reverse=True)
    assert updated == sorted(updated)
    assert [r["created_at"] for r in said] == sorted(r["created_at"] for r in said)
    assert [e["id"] for e in events] == sorted((e["id"] for e in events), reverse=True)


def test_a_walk_by_update_reaches_a_row_that_is_touched_meanwhile(get) -> None:
    world = World().with_rows(
        issue(n, BIRTH + timedelta(seconds=n)) for n in range(1, 7)
    )
    with serve(world) as github:
        url = f"{github.url}{REPOSITORY}/issues?state=all&sort=updated&direction=asc"
        page = get(f"{url}&per_page=2")
        numbers = [row["number"] for row in page.json]
        touched = comment(1, BIRTH + timedelta(hours=1))
        github.become(world.with_rows(touched))
        while page.next:
            page = get(page.next)
            numbers += [row["number"] for row in page.json]
    assert numbers == [1, 2, 3, 4, 5, 6, 1]


def test_per_page_is_thirty_unless_asked_and_never_over_a_hundred(get) -> None:
    with serve(many(120)) as github:
        url = f"{github.url}{REPOSITORY}/issues/comments"
        sizes = [
            len(get(f"{url}?per_page={n}").json) for n in ("", 0, "x", 5, 100, 500)
        ]
    assert sizes == [30, 30, 30, 5, 100, 100]


def test_page_numbers_alone_meet_a_wall_that_cursors_pass(get, walk) -> None:
    world = World().with_rows(
        issue(n, BIRTH + timedelta(seconds=n)) for n in range(1, 1_251)
    )
    with serve(world) as github:
        url = f"{github.url}{REPOSITORY}/issues?state=all&per_page=100"
        assert len(walk(url)) == 1_250
        assert len(get(f"{url}&page=10").json) == 100
        refused = get(f"{url}&page=11")
        assert refused.status == 422
        assert "cursor based pagination" in refused.json["message"]
        # The wall stands at a row, not at a page.
        by_50 = f"{github.url}{REPOSITORY}/issues?per_page=50&page="
        assert [get(f"{by_50}{page}").status for page in (20, 21)] == [200, 422]
    with serve(world, max_page=0) as github:
        assert get(f"{github.url}{REPOSITORY}/issues?per_page=100").status == 422


@pytest.mark.parametrize(
    "path", ["/issues/comments", "/pulls/comments", "/issues/events"]
)
def test_a_list_ends_in_silence_at_its_cap(get, walk, path) -> None:
    with serve(many(750), max_rows=300) as github:
        url = f"{github.url}{REPOSITORY}{path}?per_page=100"
        assert len(walk(url)) == 300
        last = get(f"{url}&page=3")
        assert (len(last.json), last.next) == (100, None)
        refused = get(f"{url}&page=4")
        assert refused.status == 422
        assert "pagination is limited" in refused.json["message"]
        # A cap of rows, not of pages: eleven whole pages of 27 fit in 300.
        by_27 = f"{github.url}{REPOSITORY}{path}?per_page=27"
        assert len(walk(by_27)) == 297
        assert get(f"{by_27}&page=12").status == 422


def test_since_carries_a_walk_beyond_the_cap(get, walk) -> None:
    with serve(many(750), max_rows=300) as github:
        url = f"{github.url}{REPOSITORY}/issues/comments?sort=updated&direction=asc"
        seen: dict[int, str] = {}
        since = ""
        for _ in range(3):
            for row in walk(f"{url}&per_page=100{since}"):
                seen[row["id"]] = row["updated_at"]
            since = f"&since={max(seen.values())}"
    assert len(seen) == 750


@pytest.mark.parametrize("path", ["/issues?state=all", "/issues/comments?x=1"])
def test_since_includes_its_own_second(get, path) -> None:
    world = World().with_rows(
        issue(1, BIRTH), issue(2, BIRTH), comment(1, BIRTH), comment(2, BIRTH)
    )
    later = "2026-03-04T04:00:01Z"
    with serve(world) as github:
        url = f"{github.url}{REPOSITORY}{path}"
        assert len(get(f"{url}&since=2026-03-04T04:00:00Z").json) == 2
        assert len(get(f"{url}&since={quote('2026-03-04T09:30:00+05:30')}").json) == 2
        assert get(f"{url}&since={later}").json == []
        assert get(f"{url}&since=yesterday").status == 422


def test_since_filters_what_changed_and_not_what_was_born(get) -> None:
    world = World().with_rows(issue(1, BIRTH), comment(1, "2026-03-05T00:00:00Z"))
    with serve(world) as github:
        url = f"{github.url}{REPOSITORY}/issues?since=2026-03-04T12:00:00Z"
        assert [row["number"] for row in get(url).json] == [1]


def test_the_epoch_as_since_finds_no_thread(get) -> None:
    with serve(many(3)) as github:
        base = f"{github.url}{REPOSITORY}"
        epoch = "since=1970-01-01T00:00:00Z"
        assert get(f"{base}/issues?state=all&{epoch}").json == []
        assert len(get(f"{base}/issues/comments?{epoch}").json) == 3


def test_the_thread_list_shows_open_ones_unless_asked(walk) -> None:
    world = build_world()
    with serve(world) as github:
        url = f"{github.url}{REPOSITORY}/issues?per_page=100"
        states = ("open", "closed", "all")
        by_state = {state: walk(f"{url}&state={state}") for state in states}
        assert walk(url) == by_state["open"]
    numbers = {s: {row["number"] for row in rows} for s, rows in by_state.items()}
    assert numbers["open"] | numbers["closed"] == numbers["all"]
    assert not numbers["open"] & numbers["closed"]
    assert {row["state"] for row in by_state["closed"]} == {"closed"}


def test_links_use_the_numeric_address_on_the_clients_host(get) -> None:
    with serve(many(60)) as github:
        port = urlsplit(github.url).port
        url = f"http://127.0.0.1:{port}{REPOSITORY}"
        threads = get(f"{url}/issues?state=all&per_page=1&since=2026-01-01T00:00:00Z")
        assert threads.next is None
        said = get(f"{url}/issues/comments?per_page=20", Host="github.test:81")
    parts = urlsplit(said.next or "")
    assert (parts.netloc, parts.path) == (
        "github.test:81",
        f"{NUMERIC}/issues/comments",
    )
    assert parse_qs(parts.query) == {"per_page": ["20"], "page": ["2"]}
    assert 'rel="last"' in said.headers["Link"]


def test_a_cursor_link_keeps_the_query_and_has_no_last_page(get) -> None:
    world = World().with_rows(issue(n, BIRTH, user=dev(n)) for n in range(1, 6))
    with serve(world) as github:
        since = "since=2026-01-01T00:00:00Z"
        page = get(f"{github.url}{REPOSITORY}/issues?state=all&per_page=2&{since}")
        query = parse_qs(urlsplit(page.next or "").query)
        spoilt = get(f"{github.url}{REPOSITORY}/issues?after=nonsense")
    assert 'rel="last"' not in page.headers["Link"]
    assert (query["state"], query["page"]) == (["all"], ["2"])
    assert query["since"] == ["2026-01-01T00:00:00Z"] and query["after"]
    assert spoilt.status == 422


@pytest.mark.parametrize("tail", ["comments", "events", "timeline"])
def test_lists_of_one_thread_go_to_their_end(walk, get, tail) -> None:
    with serve(many(130)) as github:
        url = f"{github.url}{REPOSITORY}/issues"
        rows = walk(f"{url}/1/{tail}?per_page=100")
        assert len(rows) == {"comments": 130, "events": 130, "timeline": 260}[tail]
        assert [r["created_at"] for r in rows] == sorted(r["created_at"] for r in rows)
        assert get(f"{url}/2/{tail}").status == 404
