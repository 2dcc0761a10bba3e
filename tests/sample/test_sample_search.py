"""The issue search, against what the rows say."""

from urllib.parse import quote

import pytest

from sample.facts import closed, comment, instant, issue, merged, pull
from sample.server import serve
from sample.world import World

TINY = World(now=instant("2026-03-10T00:00:00Z")).with_rows(
    issue(1, "2026-03-04T03:24:00Z"),
    issue(2, "2026-03-05T03:23:59Z"),
    closed(2, "2026-03-06T00:00:00Z", state_reason="completed"),
    pull(3, "2026-03-05T03:24:00Z"),
    merged(3, "2026-03-05T12:00:00Z"),
    pull(4, "2026-03-01T00:00:00Z"),
    closed(4, "2026-03-05T00:00:00Z"),
    comment(1, "2026-03-08T00:00:00Z"),
)


@pytest.mark.parametrize(
    ("terms", "numbers"),
    [
        ("is:issue", [2, 1]),
        ("is:pr", [3, 4]),
        ("is:pr is:merged", [3]),
        ("is:pr is:unmerged is:closed", [4]),
        ("is:open", [1]),
        ("created:2026-03-04T03:24:00Z..2026-03-05T03:23:59Z", [2, 1]),
        ("created:2026-03-04T03:24:01Z..2026-03-05T03:23:58Z", []),
        ("created:2026-03-05", [3, 2]),
        ("merged:2026-03-05..2026-03-05", [3]),
        ("closed:>=2026-03-05T12:00:00Z", [3, 2]),
        ("closed:>2026-03-05T12:00:00Z", [2]),
        ("closed:<2026-03-05T12:00:00Z", [4]),
        ("closed:<=2026-03-05T12:00:00Z", [3, 4]),
        ("closed:*..2026-03-05", [3, 4]),
        ("updated:>2026-03-07", [1]),
    ],
)
def test_terms_find_what_the_rows_say(get, terms, numbers) -> None:
    query = quote(f"repo:example-org/sample-engine {terms}")
    with serve(TINY) as github:
        found = get(f"{github.url}/search/issues?q={query}").json
    assert [item["number"] for item in found["items"]] == numbers
    assert found["total_count"] == len(numbers)
    assert found["incomplete_results"] is False


def test_another_repository_has_nothing(get) -> None:
    with serve(TINY) as github:
        found = get(f"{github.url}/search/issues?q=repo:example-org/other").json
    assert found["total_count"] == 0


@pytest.mark.parametrize(
    "query", ["", "q=", "q=is:strange", "q=created:soon", "q=word"]
)
def test_what_is_not_understood_is_refused(get, query) -> None:
    with serve(TINY) as github:
        assert get(f"{github.url}/search/issues?{query}").status == 422


def test_a_search_gives_a_thousand_rows_and_no_more(get) -> None:
    crowd = World().with_rows(issue(n, "2026-03-04T00:00:00Z") for n in range(1, 1_102))
    with serve(crowd) as github:
        url = f"{github.url}/search/issues?q=is:issue&per_page=100&page="
        last = get(f"{url}10")
        assert (len(last.json["items"]), last.json["total_count"]) == (100, 1_101)
        assert last.next is None
        assert "first 1000" in get(f"{url}11").json["message"]
