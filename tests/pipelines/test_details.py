"""Pull requests' sizes, files and reviews: read once, and never in a report's way."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pipelines import commands
from pipelines.errors import MisconfiguredError
from pipelines.github.client import Client, Page
from pipelines.projects import Settings
from sample.facts import comment, issue, labeled, merged, pull, review
from sample.github.exchange import Request, Response, refusal
from sample.repository import World
from sample.rows import ChangedFile
from sample.server import Github, serve
from tests.pipelines.conftest import MARCH_4, OF_DAY, VLLM, Bench
from tests.pipelines.scripted import FakeGitHub, at

SAMPLE = replace(VLLM, repository="example-org/sample-engine")
NOON, LATER = "2026-03-04T12:00:00Z", "2026-03-04T13:00:00Z"
NOW = "2026-03-05T04:00:00Z"
DAY = World().with_rows(
    pull(1, NOON),
    pull(2, "2026-02-01T00:00:00Z"),
    comment(2, NOON),
    pull(3, "2026-02-01T00:00:00Z"),  # labelled by nobody, talked about by nobody
    issue(4, NOON),
    merged(1, LATER),
    review(1, NOON, "CHANGES_REQUESTED", "Not like this."),
    review(1, LATER, "APPROVED"),
    ChangedFile(1, "engine/rocm.py", 10, 2),
    ChangedFile(1, "engine/old.py", 0, 30, "removed"),
    ChangedFile(2, "docs/a.md", 1, 0, "added"),
)


class Look:
    """A bench with a token that covers a day of the sample."""

    def __init__(self, path: Path, github: Github) -> None:
        self.github = github
        self.bench = Bench(path, FakeGitHub(url=github.url))
        self.said = self.bench.said

    def settings(self, token: str | None = "t", **more: Any) -> Settings:
        told = {"project": SAMPLE, "projects": (SAMPLE,), "token": token}
        return self.bench.settings(**told, **more)

    def cover(self, token: str | None = "t", **more: Any) -> str:
        settings = self.settings(token, **more)
        return commands.cover(settings, OF_DAY, MARCH_4, self.said.append)

    def details(self, token: str | None = "t") -> str:
        return commands.details(
            self.settings(token, detail_requests=99), self.said.append
        )

    def covered(self) -> list[tuple[str, str]]:
        """In minutes: the sample's clock ticks while it is read."""
        lines = self.bench.covered("reviews")
        return [(since[:-3], until[:-3]) for since, until in lines]

    def rows(self, columns: str, table: str) -> list[Any]:
        sql = f"select {columns} from raw_github.{table} order by all"
        return self.bench.rows(sql)

    def asked(self, part: str) -> int:
        return sum(part in one.path for one in self.github.requests)


@pytest.fixture
def look(tmp_path: Path) -> Iterator[Look]:
    with serve(DAY, now=NOW) as github:
        yield Look(tmp_path / "w.duckdb", github)


FILES = [
    (1, "engine/old.py", "removed", 0, 30),
    (1, "engine/rocm.py", "modified", 10, 2),
    (2, "docs/a.md", "added", 1, 0),
]
REVIEWS = [
    (1, "APPROVED", "", "User"),
    (1, "CHANGES_REQUESTED", "Not like this.", "User"),
]


def test_without_graphql_the_windows_pull_requests_are_read_by_rest(look: Look) -> None:
    look.cover()
    files = look.rows("number, filename, status, additions, deletions", "changed_files")
    assert files == FILES
    assert look.rows("number, state, body, user_type", "reviews") == REVIEWS
    assert look.rows("number", "pull_details") == [(1,), (2,)]


def test_they_are_asked_for_once_and_a_covered_day_asks_nothing(look: Look) -> None:
    look.cover()
    asked = len(look.github.requests)
    look.cover()
    assert len(look.github.requests) == asked
    look.github.travel("2026-03-06T04:00:00Z")
    commands.sync(look.settings(), OF_DAY, look.said.append)
    look.cover()
    assert look.asked("/pulls/1/files") == 1


def test_without_a_token_nothing_is_asked_for(look: Look) -> None:
    look.cover(token=None)
    assert look.asked("/graphql") == look.asked("/pulls/1") == 0
    assert look.rows("number", "pull_details") == []


def test_their_failure_fails_no_report_and_is_said_in_one_line(look: Look) -> None:
    look.github.faults = lambda request: (
        refusal(403, "Resource not accessible") if "/pulls/1" in request.path else None
    )
    look.cover()
    assert look.bench.covered("threads")
    assert (
        sum("reviews of pull requests are incomplete" in one for one in look.said) == 1
    )


def test_a_pull_request_that_is_gone_costs_the_others_nothing(look: Look) -> None:
    look.github.faults = lambda request: (
        refusal(404, "Not Found") if "/pulls/1" in request.path else None
    )
    look.cover()
    assert look.rows("number", "pull_details") == [(2,)]


def test_no_more_requests_are_spent_than_the_budget_and_the_rest_is_said(
    look: Look,
) -> None:
    look.cover(detail_requests=6)  # three for GraphQL in vain, three for one by REST
    assert look.rows("number", "pull_details") == [(1,)]  # the merged one comes first
    [line] = [line for line in look.said if "Sizes, files and reviews" in line]
    assert "1 of 2 pull requests" in line
    assert "python -m pipelines details" in line


def test_what_a_budget_left_out_is_read_on_by_the_next_run_and_then_no_more(
    look: Look,
) -> None:
    look.cover(detail_requests=6)
    look.details()
    assert look.rows("number", "pull_details") == [(1,), (2,)]
    assert look.asked("/pulls/1/files") == look.asked("/pulls/2/files") == 1
    asked = len(look.github.requests)
    look.details()
    assert len(look.github.requests) == asked + 1  # whether the repository is there


def test_c16_reviews_asked_for_days_later_are_all_there(look: Look) -> None:
    look.cover(token=None)
    look.github.travel("2026-03-09T04:00:00Z")
    look.details()
    assert look.rows("number, state, body, user_type", "reviews") == REVIEWS


def test_without_a_token_reading_on_is_refused_before_the_first_request(
    look: Look,
) -> None:
    look.cover()
    asked = len(look.github.requests)
    with pytest.raises(MisconfiguredError, match="Set GITHUB_TOKEN"):
        look.details(token=None)
    assert len(look.github.requests) == asked


def test_a_sync_reads_the_details_of_the_last_complete_window(look: Look) -> None:
    told = {"project": SAMPLE, "projects": (SAMPLE,), "token": "t"}
    look.bench.sync(**told)
    assert look.rows("number", "pull_details") == [(1,), (2,)]


def test_what_a_window_lists_is_read_before_what_it_only_touched(look: Look) -> None:
    touched = pull(9, "2026-02-01T00:00:00Z"), labeled(9, NOON, "rocm")
    look.github.become(World().with_rows(pull(1, NOON), *touched), now=NOW)
    look.cover(detail_requests=6)
    assert look.rows("number", "pull_details") == [(1,)]
    look.details()
    assert look.rows("number", "pull_details") == [(1,), (9,)]


def test_reviews_are_covered_where_no_pull_request_lacks_them(look: Look) -> None:
    look.cover(detail_requests=6)
    # Of 2, which was last talked about at noon, nothing is known.
    assert look.covered() == [("03-04 12:00", "03-05 03:50")]
    look.details()
    assert look.covered() == [("03-04 03:24", "03-05 03:50")]


def test_without_a_token_no_reviews_are_covered(look: Look) -> None:
    look.cover(token=None)
    assert look.covered() == []


def test_a_pull_request_changed_since_it_was_read_lacks_its_latest_reviews(
    look: Look,
) -> None:
    look.cover()
    evening = "2026-03-05T20:00:00Z"
    more = DAY.with_rows(comment(1, evening), review(1, evening))
    look.github.become(more, now="2026-03-06T04:00:00Z")
    settings = look.settings(detail_requests=0)
    commands.sync(settings, OF_DAY, look.said.append)
    assert look.covered() == [
        ("03-04 03:24", "03-05 03:50"),
        ("03-05 20:00", "03-06 03:50"),
    ]
    commands.sync(look.settings(), OF_DAY, look.said.append)
    assert look.covered() == [("03-04 03:24", "03-06 03:50")]


def node(number: int, **changes: Any) -> dict[str, Any]:
    who = {"__typename": "Bot", "login": "gemini-code-assist", "databaseId": 7}
    one = {
        "databaseId": 50 + number,
        "author": who,
        "authorAssociation": "NONE",
        "state": "COMMENTED",
        "body": "a\x00b",
        "submittedAt": NOON,
        "url": "https://github.com/o/r/pull/1#r",
    }
    pending = {**one, "databaseId": 90 + number, "submittedAt": None}
    file = {"path": "x.py", "changeType": "DELETED", "additions": 0, "deletions": 9}
    return {
        "number": number,
        "additions": 1,
        "deletions": 9,
        "changedFiles": 1,
        "commits": {"totalCount": 3},
        "mergedBy": None,
        "reviews": {"totalCount": 2, "nodes": [one, pending]},
        "files": {"totalCount": 1, "nodes": [file]},
        **changes,
    }


def graph(
    *nodes: dict[str, Any], errors: Any = None
) -> Callable[[Request], Response | None]:
    told: dict[str, Any] = {
        "data": {"repository": {f"p{n['number']}": n for n in nodes}}
    }
    if errors:
        told["errors"] = errors

    def faults(request: Request) -> Response | None:
        return Response(200, told) if request.path == "/graphql" else None

    return faults


def test_graphql_tells_many_in_one_request_under_rests_names(look: Look) -> None:
    look.github.faults = graph(node(1), node(2))
    look.cover()
    assert (look.asked("/graphql"), look.asked("/pulls/1"), look.asked("/pulls/2")) == (
        1,
        0,
        0,
    )
    assert look.rows("id, user_login, user_type, body", "reviews") == [
        (51, "gemini-code-assist[bot]", "Bot", "a\N{REPLACEMENT CHARACTER}b"),
        (52, "gemini-code-assist[bot]", "Bot", "a\N{REPLACEMENT CHARACTER}b"),
    ]
    assert look.rows("filename, status", "changed_files")[0] == ("x.py", "removed")
    assert look.rows("commits, changed_files, merged_by_id", "pull_details") == [
        (3, 1, None),
        (3, 1, None),
    ]


def test_c17_a_connection_that_ends_short_of_its_count_is_read_by_rest(
    look: Look,
) -> None:
    short = {"totalCount": 120, "nodes": []}
    look.github.faults = graph(node(1, files=short), node(2))
    look.cover()
    assert (look.asked("/pulls/1/files"), look.asked("/pulls/2/files")) == (1, 0)
    assert look.rows("number, filename", "changed_files") == [
        (1, "engine/old.py"),
        (1, "engine/rocm.py"),
        (2, "x.py"),
    ]


def test_an_answer_with_errors_is_not_believed(look: Look) -> None:
    look.github.faults = graph(
        node(1), node(2), errors=[{"type": "RESOURCE_LIMITS_EXCEEDED"}]
    )
    look.cover()
    files = look.rows("number, filename, status, additions, deletions", "changed_files")
    assert files == FILES


def test_one_that_is_not_there_costs_the_others_of_its_question_nothing(
    look: Look,
) -> None:
    errors = [{"type": "NOT_FOUND", "path": ["repository", "p1"]}]
    look.github.faults = graph(node(2), errors=errors)
    look.cover()
    assert (look.asked("/graphql"), look.asked("/pulls/1/files")) == (1, 1)
    assert look.asked("/pulls/2/files") == 0


def test_what_is_too_much_for_graphql_is_asked_in_halves(
    look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = []

    def post(self: Client, url: str, body: dict[str, str]) -> Page:
        numbers = re.findall(r"p(\d+): pullRequest", body["query"])
        sizes.append(len(numbers))
        told: dict[str, Any] = {f"p{number}": node(int(number)) for number in numbers}
        answer: dict[str, Any] = {"data": {"repository": told}}
        if len(numbers) > 6:
            answer = {"data": None, "errors": [{"type": "RESOURCE_LIMITS_EXCEEDED"}]}
        return Page(url, answer, None, at(NOW))

    monkeypatch.setattr(Client, "post", post)
    some = [pull(number, NOON) for number in range(10, 30)]
    look.github.become(DAY.with_rows(*some), now=NOW)
    look.cover()
    assert sizes == [22, 12, 6, 6, 6, 4]
    assert len(look.rows("number", "pull_details")) == 22


def test_a_run_that_asks_again_leaves_out_what_was_read_since_the_window(
    look: Look,
) -> None:
    look.cover()
    told = {"project": SAMPLE, "projects": (SAMPLE,), "token": "t"}
    look.bench.cover(None, **told)  # without a date the clock must be asked for
    assert look.asked("/pulls/1/files") == look.asked("/pulls/2/files") == 1


ODD = Response(
    200,
    [
        {"id": "55", "submitted_at": NOON},
        "no object",
        {"id": 57, "state": "PENDING", "user": None, "submitted_at": None},
        {"id": 56, "state": "APPROVED", "user": None, "submitted_at": NOON},
    ],
)


def with_odd_answers(request: Request) -> Response | None:
    """A pull request whose size is a text, and reviews that are none, or pending."""
    tail = request.path.partition("/pulls/1")[2]
    if request.path.endswith("/pulls/1"):
        return Response(200, {"number": 1, "additions": "12", "commits": 3})
    if tail == "/files":
        return Response(200, [{"filename": 7}, {"filename": "a.py", "additions": 1}])
    return ODD if tail == "/reviews" else None


def test_what_cannot_become_a_row_is_set_aside_and_costs_the_others_nothing(
    look: Look,
) -> None:
    look.github.faults = with_odd_answers
    look.cover()
    assert look.rows("id, number, state", "reviews") == [(56, 1, "APPROVED")]
    assert look.rows("number, filename", "changed_files") == [
        (1, "a.py"),
        (2, "docs/a.md"),
    ]
    sizes = look.rows("number, additions, commits", "pull_details")
    assert sizes == [(1, None, None), (2, 1, 1)]
    kept = look.rows("stream, reason, row_key[:2]", "quarantine")
    assert kept == [
        ("changed_files", "filename is no text", "1/"),
        ("pull_details", "additions is no whole number", "1/"),
        ("reviews", "id is no whole number", "1/"),
        ("reviews", "is no object", "1/"),
    ]


def test_what_was_set_aside_goes_when_its_pull_request_is_read_again(
    look: Look,
) -> None:
    look.github.faults = with_odd_answers
    look.cover()
    look.github.faults = lambda request: None
    evening = "2026-03-05T20:00:00Z"
    later = DAY.with_rows(comment(1, evening), review(1, evening))
    look.github.become(later, now="2026-03-06T04:00:00Z")
    commands.sync(look.settings(), OF_DAY, look.said.append)
    assert look.rows("stream", "quarantine") == []
    assert len(look.rows("id", "reviews")) == 3


@pytest.mark.parametrize(
    "odd",
    [
        node(1, additions="1"),
        node(1, reviews={"totalCount": 1, "nodes": [None]}),
        node(1, reviews={"totalCount": 1, "nodes": [{"submittedAt": NOON}]}),
        node(1, files={"totalCount": 1, "nodes": [{"path": None}]}),
    ],
    ids=["size", "no object", "no id", "no name"],
)
def test_what_graphql_tells_oddly_is_read_by_rest(
    look: Look, odd: dict[str, Any]
) -> None:
    look.github.faults = graph(odd, node(2))
    look.cover()
    assert (look.asked("/pulls/1/files"), look.asked("/pulls/2/files")) == (1, 0)
    assert look.rows("number", "pull_details") == [(1,), (2,)]


def test_a_review_that_two_pages_show_is_one_row(look: Look) -> None:
    def faults(request: Request) -> Response | None:
        if not request.path.endswith("/pulls/1/reviews"):
            return None
        one = {"id": 1, "state": "APPROVED", "user": None, "submitted_at": NOON}
        return Response(200, [one, {**one, "state": "DISMISSED"}])

    look.github.faults = faults
    look.cover()
    assert look.rows("id, state", "reviews") == [(1, "DISMISSED")]
