from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from requests.structures import CaseInsensitiveDict

from pipelines.errors import RefusedError
from pipelines.github import client
from pipelines.github.client import Answer, RateLimiter, limit_wait

DATE = "Thu, 05 Mar 2026 04:00:00 GMT"
NOW = datetime(2026, 3, 5, 4, tzinfo=UTC)
EPOCH = int(NOW.timestamp())
SECONDARY = {"message": "You have exceeded a secondary rate limit. Please wait."}
PRIMARY = {"message": "API rate limit exceeded for 198.51.100.7."}
RIGHTS = {"message": "Resource not accessible by personal access token"}


def answer(status: int, body: Any = None, **headers: Any) -> Answer:
    told = {name.replace("_", "-"): str(value) for name, value in headers.items()}
    return Answer(
        "https://api.github.com/repos/a/b",
        status,
        CaseInsensitiveDict({"Date": DATE, **told}),
        json.dumps(body).encode(),
    )


def seconds(one: Answer, refusals: int = 0) -> float | None:
    wait = limit_wait(one, refusals)
    return None if wait is None else wait[0]


@pytest.mark.parametrize("status", [403, 429])
def test_c21_retry_after_is_tested_first(status: int) -> None:
    one = answer(
        status,
        SECONDARY,
        Retry_After=3348,
        X_RateLimit_Remaining=0,
        X_RateLimit_Reset=EPOCH + 5,
    )
    assert seconds(one) == 3348


@pytest.mark.parametrize("status", [403, 429])
def test_c21_an_exhausted_limit_lasts_until_its_reset_by_the_servers_clock(
    status: int,
) -> None:
    one = answer(status, PRIMARY, X_RateLimit_Remaining=0, X_RateLimit_Reset=EPOCH + 3)
    assert seconds(one) == 4


def test_c21_a_reset_in_the_past_is_no_negative_wait() -> None:
    one = answer(403, PRIMARY, X_RateLimit_Remaining=0, X_RateLimit_Reset=EPOCH - 999)
    assert seconds(one) == 1


def test_c21_a_secondary_limit_without_a_time_is_given_a_minute_then_two() -> None:
    one = answer(403, SECONDARY, X_RateLimit_Remaining=4200)
    assert [seconds(one, refusals) for refusals in (0, 1, 2)] == [60, 120, 240]


def test_the_older_words_for_a_secondary_limit_are_understood() -> None:
    words = {"message": "You have triggered an abuse detection mechanism."}
    assert seconds(answer(403, words)) == 60


def test_a_429_without_any_word_is_a_limit() -> None:
    assert seconds(answer(429, None)) == 60


@pytest.mark.parametrize("status", [200, 401, 404, 500, 502])
def test_other_answers_are_no_limits(status: int) -> None:
    assert limit_wait(answer(status, SECONDARY, Retry_After=9), 0) is None


def test_c21_a_real_403_is_no_limit() -> None:
    assert limit_wait(answer(403, RIGHTS, X_RateLimit_Remaining=4999), 0) is None


SEARCH = "https://api.github.com/search/issues?q=x"
GRAPH = "https://api.github.com/graphql"


@pytest.mark.parametrize(("url", "resource"), [(SEARCH, "search"), (GRAPH, "graphql")])
def test_a_limit_of_one_resource_is_no_limit_of_the_others(
    url: str, resource: str
) -> None:
    spent = {"X_RateLimit_Remaining": 0, "X_RateLimit_Reset": EPOCH + 9}
    one = replace(answer(403, PRIMARY, **spent), url=url)
    assert limit_wait(one, 0) == (10, "its limit of requests used up", resource)
    timed = replace(answer(429, PRIMARY, Retry_After=7, **spent), url=url)
    assert limit_wait(timed, 0) == (7, "a secondary limit", resource)


def test_a_secondary_limit_met_while_searching_is_everybodys() -> None:
    one = answer(403, SECONDARY, Retry_After=7, X_RateLimit_Remaining=29)
    assert limit_wait(replace(one, url=SEARCH), 0) == (7, "a secondary limit", None)


def test_c21_graphql_tells_of_its_limit_with_a_200() -> None:
    errors = {"errors": [{"type": "RATE_LIMITED"}]}
    spent = {"X_RateLimit_Remaining": 0, "X_RateLimit_Reset": EPOCH + 3}
    assert seconds(replace(answer(200, errors, **spent), url=GRAPH)) == 4
    secondary = {"errors": [{"message": SECONDARY["message"]}]}
    assert seconds(replace(answer(200, secondary), url=GRAPH)) == 60
    # The last answer before the limit is an answer.
    assert limit_wait(replace(answer(200, {"data": {}}, **spent), url=GRAPH), 0) is None
    assert limit_wait(replace(answer(200, errors), url=GRAPH), 0) is None


class Clock:
    """A clock that only moves while someone sleeps."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    one = Clock()

    def sleep(self: RateLimiter, seconds: float) -> None:
        one.now += seconds

    monkeypatch.setattr(client, "time", one)
    monkeypatch.setattr(RateLimiter, "sleep", sleep)
    return one


def limiter(max_wait: float, said: list[str], has_token: bool = False) -> RateLimiter:
    return RateLimiter(max_wait, has_token=has_token, say=said.append)


def test_a_wait_is_told_with_the_time_it_ends_by_the_servers_clock(
    clock: Clock,
) -> None:
    said: list[str] = []
    one = limiter(100, said)
    one.register_wait(42, "a secondary limit", NOW)
    one.wait()
    assert clock.now == 1042
    assert said == [
        "GitHub reports a secondary limit: waiting 42 s until 2026-03-05 04:00:42 UTC"
    ]


def test_threads_that_are_told_of_the_same_limit_wait_for_it_once(
    clock: Clock,
) -> None:
    said: list[str] = []
    one = limiter(60, said)
    for _ in range(3):
        one.register_wait(42, "a secondary limit", NOW)
    one.wait()
    assert clock.now == 1042
    assert len(said) == 1


def test_waits_add_up_and_end_at_max_wait_at_once(clock: Clock) -> None:
    one = limiter(60, [])
    one.register_wait(42, "a secondary limit", NOW)
    one.wait()
    with pytest.raises(RefusedError, match=r"--max-wait \(60 s\)"):
        one.register_wait(42, "a secondary limit", NOW)
    assert clock.now == 1042


def test_who_may_not_search_may_still_read_lists(clock: Clock) -> None:
    one = limiter(100, [])
    one.register_wait(42, "its limit of 30 searches a minute used up", NOW, "search")
    one.wait("core")
    assert clock.now == 1000
    one.wait("search")
    assert clock.now == 1042
    one.register_wait(10, "a secondary limit", NOW)
    one.wait("core")
    assert clock.now == 1052


@pytest.mark.parametrize("has_token", [True, False])
def test_who_has_no_token_is_told_what_one_gives(has_token: bool) -> None:
    one = limiter(1, [], has_token)
    with pytest.raises(RefusedError) as refusal:
        one.register_wait(3600, "its limit of 60 requests an hour used up", NOW)
    assert ("GITHUB_TOKEN" in str(refusal.value)) is not has_token
    assert "2026-03-05 05:00:00 UTC" in str(refusal.value)
