"""Pull requests' sizes, files and reviews: read once, and never in a report's way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pipelines import details
from sample.facts import comment, issue, merged, pull, review
from sample.github.exchange import Request, Response, refusal
from sample.repository import World
from sample.rows import ChangedFile
from sample.server import Github, serve
from tests.pipelines.conftest import MARCH_4, VLLM, Bench
from tests.pipelines.scripted import FakeGitHub

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

    def cover(self, token: str | None = "t") -> str:
        told = {"project": SAMPLE, "projects": (SAMPLE,), "token": token}
        return self.bench.cover(MARCH_4, **told)

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
    from pipelines import sync

    settings = look.bench.settings(project=SAMPLE, projects=(SAMPLE,), token="t")
    sync.sync(settings, _of_day(), look.said.append)
    look.cover()
    assert look.asked("/pulls/1/files") == 1


def _of_day() -> Any:
    from tests.pipelines.conftest import OF_DAY

    return OF_DAY


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


def test_no_more_are_read_by_rest_than_the_allowance(
    look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(details, "ALLOWANCE", 1)
    look.cover()
    assert look.rows("number", "pull_details") == [(1,)]  # the merged one comes first
    assert any("of 1 pull requests are left out" in line for line in look.said)


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


def test_a_run_that_asks_again_leaves_out_what_was_read_since_the_window(
    look: Look,
) -> None:
    look.cover()
    told = {"project": SAMPLE, "projects": (SAMPLE,), "token": "t"}
    look.bench.cover(None, **told)  # without a date the clock must be asked for
    assert look.asked("/pulls/1/files") == look.asked("/pulls/2/files") == 1
