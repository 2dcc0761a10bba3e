"""What a proxy, a tired server or a strange day could send in the place of a page."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from datetime import timedelta
from email.utils import format_datetime
from itertools import islice
from typing import Any

import pytest

from pipelines.errors import RefusedError
from pipelines.github.client import Page, next_link
from pipelines.github.paginators import pages_of
from tests.pipelines.conftest import Bench
from tests.pipelines.scripted import Reply, at, comment, event, issue, spread

NOON = "2026-03-04T12:00:00Z"
COMMENTS = "/issues/comments"


def ids(bench: Bench) -> list[int]:
    sql = "select id from raw_github.issue_comments order by id"
    return [key for (key,) in bench.rows(sql)]


@pytest.mark.parametrize(
    "hurt",
    [
        Reply(200, b""),
        Reply(202, b""),
        Reply(202, {}),
        Reply(203, b" "),
        Reply(408, b"<html>Request Timeout</html>"),
        Reply(425, {"message": "Too Early"}),
        Reply(200, b"[" * 100_000 + b"]" * 100_000),
        Reply(200, b'[{"id": 1,}]'),
        Reply(200, b"\xff\xfe\xfa"),
        Reply(200, b"[]", {"Content-Encoding": "gzip"}),
        Reply(
            200,
            gzip.compress(bytes(9_000), mtime=0)[:-20],
            {"Content-Encoding": "gzip"},
        ),
        Reply(200, "[]"),
        Reply(200, {"items": []}),
        Reply(200, None),
    ],
    ids=lambda hurt: f"{hurt.status} {hurt.body!r:.24}",
)
def test_what_is_no_list_is_asked_for_again_and_never_a_lists_end(
    bench: Bench, hurt: Reply
) -> None:
    bench.github.rows[COMMENTS] = [comment(1, NOON)]
    bench.github.script[COMMENTS] = [hurt, hurt]
    bench.cover()
    assert ids(bench) == [1]
    assert len(bench.github.asked(COMMENTS)) == 3


def test_a_204_is_an_empty_list(bench: Bench) -> None:
    bench.github.script[COMMENTS] = [Reply(204, b"")]
    bench.cover()
    assert ids(bench) == []


def test_a_list_may_begin_with_a_byte_order_mark(bench: Bench) -> None:
    body = b"\xef\xbb\xbf" + json.dumps([comment(1, NOON)]).encode()
    bench.github.script[COMMENTS] = [Reply(200, body)]
    bench.cover()
    assert ids(bench) == [1]


def test_rows_that_are_no_rows_are_set_aside_and_the_others_kept(bench: Bench) -> None:
    rows = [None, 7, [], "x", comment(1, NOON), {"id": float("nan")}, {"id": 2**70}]
    bench.github.script[COMMENTS] = [Reply(200, json.dumps(rows).encode())]
    bench.cover()
    assert ids(bench) == [1]
    assert bench.rows("select count(*) from raw_github.quarantine") == [(6,)]


Changed = Callable[[str, dict[str, str]], dict[str, str]]


def without_page(tail: str, query: dict[str, str]) -> dict[str, str]:
    return {key: value for key, value in query.items() if key != "page"}


@pytest.mark.parametrize("tail", [COMMENTS, "/issues/events"])
def test_a_server_that_gives_the_same_page_for_ever_is_a_refusal(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, tail: str
) -> None:
    served = bench.github.page

    def page(asked: str, query: dict[str, str], base: str) -> Reply:
        if asked != tail:
            return served(asked, query, base)
        reply = served(asked, without_page(asked, query), base)
        return Reply(reply.status, reply.body)

    monkeypatch.setattr(bench.github, "page", page)
    bench.github.rows = {
        COMMENTS: [comment(key, NOON) for key in range(1, 151)],
        "/issues/events": [event(key, NOON) for key in range(1, 151)],
    }
    with pytest.raises(RefusedError, match="never ends"):
        bench.cover()
    assert len(bench.github.asked(tail)) < 5


def test_a_short_list_that_is_its_own_next_page_is_a_refusal() -> None:
    rows = [{"id": key} for key in range(100)]
    asked = pages_of(lambda url: Page(url, list(rows), None, at(NOON)), "http://h/a")
    with pytest.raises(RefusedError, match="never ends"):
        list(islice(asked, 9))


def test_a_clock_that_leaps_covers_nothing(bench: Bench) -> None:
    leap = {"Date": format_datetime(bench.github.now + timedelta(days=400), True)}
    bench.github.rows[COMMENTS] = [comment(1, NOON)]
    bench.github.script[COMMENTS] = [Reply(200, [comment(1, NOON)], leap)] * 2
    bench.cover()
    assert bench.covered("issue_comments") == [("03-04 03:24:00", "03-05 04:00:00")]
    assert bench.rows("select max(fetched_at) < '2026-04-01' from raw_github.issues")


def test_a_retry_after_may_be_a_date(bench: Bench) -> None:
    later = format_datetime(bench.github.now + timedelta(seconds=1), usegmt=True)
    limit = Reply(429, {"message": "Slow down."}, {"Retry-After": later})
    bench.github.script[COMMENTS] = [limit]
    bench.cover()
    assert any("waiting 1 s" in line for line in bench.said)


@pytest.mark.parametrize(
    "header",
    [
        '<https://h/a?page=2>; rel="next"',
        '<https://h/a?page=1>; rel="prev", <https://h/a?page=2>; rel="next"',
        "<https://h/a?page=2>; rel=next",
        '<https://h/a?page=2>; title="x"; REL="last next"',
        '<https://h/a?page=2>;rel="next",<https://h/a?page=9>;rel="last"',
    ],
)
def test_the_next_page_is_found_however_the_link_is_written(header: str) -> None:
    assert next_link(header) == "https://h/a?page=2"


@pytest.mark.parametrize(
    "header",
    [
        '<https://h/a?page=2>; rel="nextish"',
        '<https://h/a?rel="next">; rel="last"',
        '<https://h/a?page=2>; title="rel=next"',
        "rel=next",
        "",
    ],
)
def test_what_is_no_link_to_the_next_page_is_none(header: str) -> None:
    assert next_link(header) is None


def test_a_link_may_be_relative(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    served = bench.github.page
    bench.github.page_size, bench.github.has_cursors = 2, True

    def page(asked: str, query: dict[str, str], base: str) -> Reply:
        reply = served(asked, query, base)
        headers = {
            name: value.replace(bench.github.url, "")
            for name, value in reply.headers.items()
        }
        return Reply(reply.status, reply.body, headers)

    monkeypatch.setattr(bench.github, "page", page)
    times = spread(NOON, 5, timedelta(seconds=1))
    bench.github.rows["/issues"] = [issue(n, when) for n, when in enumerate(times, 1)]
    bench.cover()
    assert bench.rows("select count(*) from raw_github.issues") == [(5,)]


def test_a_page_in_which_no_time_can_be_read_is_followed_by_its_link(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.github.page_size = 2
    odd: list[Any] = [{"id": key, "updated_at": f"{NOON}?"} for key in (1, 2)]
    bench.github.rows[COMMENTS] = [*odd, comment(3, "2026-03-04T12:00:01Z")]
    bench.cover()
    assert ids(bench) == [3]
