"""One GET, through everything the network and GitHub do to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pipelines.errors import RefusedError
from pipelines.github.client import HEADERS, Client, RateLimiter
from tests.pipelines.scripted import SLUG, FakeGitHub, Reply, comment

NOON = "2026-03-04T12:00:00Z"
COMMENTS = "/issues/comments"
TOKEN = "ghp_0123456789"
ROWS = [comment(1, NOON)]


def client(
    github: FakeGitHub, token: str | None = None, said: list[str] | None = None
) -> Client:
    say = (said if said is not None else []).append
    return Client(github.url, token, RateLimiter(5.0, has_token=bool(token), say=say))


def get(github: FakeGitHub, token: str | None = None) -> Any:
    url = f"{github.url}/repos/{SLUG}{COMMENTS}?sort=updated&direction=asc"
    return client(github, token).get(url).content


UNICORN = b"<!DOCTYPE html><html><title>Unicorn!</title></html>"


@pytest.mark.parametrize(
    "fault",
    [
        Reply(500, {"message": "Server Error"}),
        Reply(502, UNICORN),
        Reply(503, b""),
        Reply(504, UNICORN),
        Reply(200, UNICORN),
        Reply(200, b'[{"id": 1, "bo'),
        Reply(200, ROWS, cut=True),
        Reply(200, {"message": "You are not a list", "status": "403"}),
        Reply(200, b'"text"'),
        Reply(200, ROWS, {"Date": "yesterday"}),
    ],
    ids=str,
)
def test_c20_a_page_that_fails_three_times_is_asked_for_again(
    github: FakeGitHub, fault: Reply
) -> None:
    github.rows[COMMENTS] = ROWS
    github.script[COMMENTS] = [fault] * 3
    assert get(github) == ROWS
    assert len(github.requests) == 4


def test_c20_a_page_that_never_comes_is_a_refusal_and_no_end(
    github: FakeGitHub,
) -> None:
    github.rows[COMMENTS] = ROWS
    github.script[COMMENTS] = [Reply(502, UNICORN)] * 99
    with pytest.raises(RefusedError, match=r"502.*8 times"):
        get(github)
    assert len(github.requests) == 8


@pytest.mark.parametrize(
    ("reply", "tries"),
    [
        (Reply(404, {"message": "Not Found"}), 3),
        (Reply(410, {"message": "Gone"}), 3),
        (Reply(401, {"message": "Requires authentication"}), 3),
        (Reply(401, {"message": "Bad credentials"}), 1),
        (
            Reply(403, {"message": "Resource not accessible by this token"}),
            1,
        ),
        (Reply(422, {"message": "Validation Failed"}), 1),
        (Reply(400, {"message": "The API version is not supported"}), 1),
    ],
    ids=lambda one: str(getattr(one, "body", one)),
)
def test_a_denial_is_believed_after_the_tries_it_deserves(
    github: FakeGitHub, reply: Reply, tries: int
) -> None:
    github.script[COMMENTS] = [reply] * 9
    with pytest.raises(RefusedError, match=reply.body["message"]):
        get(github, TOKEN)
    assert len(github.requests) == tries


def test_an_empty_answer_is_an_empty_list(github: FakeGitHub) -> None:
    github.script[COMMENTS] = [Reply(204, b"")]
    assert get(github) == []


def test_c21_a_secondary_limit_is_waited_for_and_asked_once_more(
    github: FakeGitHub,
) -> None:
    github.rows[COMMENTS] = ROWS
    words = {"message": "You have exceeded a secondary rate limit."}
    limits = {"Retry-After": "1", "X-RateLimit-Remaining": "4200"}
    github.script[COMMENTS] = [Reply(403, words, limits)]
    assert get(github) == ROWS
    assert len(github.requests) == 2


def test_a_request_says_who_asks_and_in_which_version(github: FakeGitHub) -> None:
    get(github, TOKEN)
    sent = github.headers[0]
    assert {name: sent[name] for name in HEADERS} == HEADERS
    assert HEADERS["User-Agent"].startswith("llm-dev-highlights/")
    assert HEADERS["X-GitHub-Api-Version"] == "2022-11-28"
    assert sent["Authorization"] == f"Bearer {TOKEN}"


def test_without_a_token_nothing_is_sent_not_even_from_netrc(
    github: FakeGitHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login someone password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    get(github)
    assert "Authorization" not in github.headers[0]


def test_a_redirect_within_the_api_is_followed_with_the_token(
    github: FakeGitHub,
) -> None:
    github.script[COMMENTS] = [
        Reply(301, {"message": "Moved"}, {"Location": "/repositories/1/comments"})
    ]
    github.script["/repositories/1/comments"] = [Reply(200, ROWS)]
    assert get(github, TOKEN) == ROWS
    assert github.headers[1]["Authorization"] == f"Bearer {TOKEN}"


def test_a_redirect_away_from_the_api_is_not_followed(github: FakeGitHub) -> None:
    other = {"Location": "http://localhost:9/repositories/1"}
    github.script[COMMENTS] = [Reply(302, {"message": "Found"}, other)]
    with pytest.raises(RefusedError, match="not the API") as refusal:
        get(github, TOKEN)
    assert TOKEN not in str(refusal.value)
    assert len(github.requests) == 1


def test_redirects_in_a_circle_end(github: FakeGitHub) -> None:
    here = {"Location": f"/repos/{SLUG}{COMMENTS}"}
    github.script[COMMENTS] = [Reply(301, {"message": "Moved"}, here)] * 99
    with pytest.raises(RefusedError, match="301"):
        get(github)


def test_an_unreachable_api_is_a_refusal_that_names_it(github: FakeGitHub) -> None:
    github.url = "http://127.0.0.1:9"
    with pytest.raises(RefusedError, match=r"127\.0\.0\.1:9 could not be reached"):
        get(github, TOKEN)


def test_the_servers_clock_is_remembered(github: FakeGitHub) -> None:
    one = client(github)
    one.get(f"{github.url}/repos/{SLUG}", dict)
    github.now = github.now.replace(hour=5)
    one.get(f"{github.url}/repos/{SLUG}", dict)
    assert one.first_date is not None
    assert one.last_date is not None
    assert (one.first_date.hour, one.last_date.hour) == (4, 5)
    assert one.request_count == 2


def asked_by(github: FakeGitHub) -> list[str]:
    """The tokens of the requests so far."""
    return [one["Authorization"].removeprefix("Bearer ") for one in github.headers]


def limited(seconds: int, github: FakeGitHub, **more: str) -> Reply:
    reset = str(int(github.now.timestamp()) + seconds)
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset, **more}
    return Reply(403, {"message": "API rate limit exceeded for user ID 1."}, headers)


def test_several_tokens_are_used_in_turn(github: FakeGitHub) -> None:
    one = client(github, "ghp_a,ghp_b,ghp_c")
    for _ in range(6):
        one.get(f"{github.url}/repos/{SLUG}", dict)
    assert asked_by(github) == ["ghp_a", "ghp_b", "ghp_c"] * 2


def test_while_one_token_is_limited_the_others_go_on_without_a_wait(
    github: FakeGitHub,
) -> None:
    said: list[str] = []
    one = client(github, "ghp_a,ghp_b", said)
    github.script[""] = [limited(3000, github)]
    for _ in range(3):
        one.get(f"{github.url}/repos/{SLUG}", dict)
    assert asked_by(github) == ["ghp_a", "ghp_b", "ghp_b", "ghp_b"]
    assert said == []


def test_when_all_tokens_are_limited_the_first_to_recover_is_waited_for(
    github: FakeGitHub,
) -> None:
    said: list[str] = []
    one = client(github, "ghp_a,ghp_b", said)
    github.script[""] = [
        limited(0, github, **{"Retry-After": "1"}),
        limited(3000, github),
    ]
    one.get(f"{github.url}/repos/{SLUG}", dict)
    assert asked_by(github) == ["ghp_a", "ghp_b", "ghp_a"]
    assert len(said) == 1
    assert "waiting 1 s until 2026-03-05 04:00:01 UTC" in said[0]


def test_a_token_that_may_not_search_reads_lists_all_the_same(
    github: FakeGitHub,
) -> None:
    said: list[str] = []
    one = client(github, "ghp_a,ghp_b", said)
    found = Reply(200, {"total_count": 0, "incomplete_results": False, "items": []})
    github.script["/search/issues"] = [limited(3000, github), found]
    one.get(f"{github.url}/search/issues?q=x", dict)
    for _ in range(2):
        one.get(f"{github.url}/repos/{SLUG}", dict)
    assert asked_by(github) == ["ghp_a", "ghp_b", "ghp_a", "ghp_b"]
    assert said == []


def test_when_all_tokens_are_used_up_it_is_said_without_naming_one(
    github: FakeGitHub,
) -> None:
    one = client(github, "ghp_a,ghp_b")
    github.script[""] = [limited(3000, github), limited(2000, github)]
    with pytest.raises(RefusedError, match="2026-03-05 04:33:2") as refusal:
        one.get(f"{github.url}/repos/{SLUG}", dict)
    assert "ghp_" not in str(refusal.value)
    assert "ghp_" not in repr(one._tokens.next())


@pytest.fixture
def proxy(github: FakeGitHub, monkeypatch: pytest.MonkeyPatch) -> FakeGitHub:
    """A proxy of the environment, which answers for every host."""
    for name in ("HTTP_PROXY", "NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("http_proxy", github.url)
    return github


class TooFastError(Exception):
    """Somebody would have to wait."""


def impatient(seconds: float) -> None:
    raise TooFastError


@pytest.mark.parametrize("host", ["api.github.com", "api.some-firm.ghe.com"])
def test_githubs_own_api_is_asked_no_faster_than_it_allows(
    proxy: FakeGitHub, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.setattr("pipelines.github.client.REQUESTS_A_MINUTE", 3)
    limiter = RateLimiter(5.0, has_token=False, say=lambda line: None)
    monkeypatch.setattr(limiter, "sleep", impatient)
    one = Client(f"http://{host}", None, limiter)
    for _ in range(3):
        one.get(f"http://{host}/repos/{SLUG}", dict)
    with pytest.raises(TooFastError):
        one.get(f"http://{host}/repos/{SLUG}", dict)
    assert len(proxy.requests) == one.request_count == 3


def test_a_server_of_ones_own_sets_its_own_limits(
    github: FakeGitHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipelines.github.client.REQUESTS_A_MINUTE", 3)
    one = client(github)
    for _ in range(9):
        one.get(f"{github.url}/repos/{SLUG}", dict)
    assert len(github.requests) == 9


def test_the_proxy_of_the_environment_is_asked_instead(proxy: FakeGitHub) -> None:
    limiter = RateLimiter(5.0, has_token=False, say=lambda line: None)
    asked = f"http://api.invalid/repos/{SLUG}"
    page = Client("http://api.invalid", None, limiter).get(asked, dict)
    assert page.content["full_name"] == SLUG
    assert proxy.requests == [asked]
