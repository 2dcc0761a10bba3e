"""The server's manners: headers, errors, faults, and what it remembers."""

import gzip
import http.client
import json
import socket
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

import pytest

from sample.facts import closed, comment, dev, instant, issue, merged, pull, review
from sample.github.exchange import Response, refusal
from sample.rows import ChangedFile
from sample.server import serve
from sample.world import World

REPOSITORY = "/repos/example-org/sample-engine"
NOON = "2026-03-04T12:00:00Z"
TINY = World(now=instant("2026-03-04T18:00:00Z")).with_rows(
    issue(1, NOON, "Lone \ud83d surrogate and \0", labels=("a, b", "ci/build")),
    issue(2, NOON, user=None),
    pull(3, NOON, is_draft=True),
    merged(3, "2026-03-04T13:00:00Z"),
    closed(1, "2026-03-04T13:00:00Z", actor=None, state_reason="duplicate"),
    comment(3, "2026-03-04T12:30:00Z", None, via_app="app", minimized_reason="spam"),
    review(3, "2026-03-04T12:40:00Z"),
    ChangedFile(3, "a.py", 5, 2),
    ChangedFile(3, "b.py", 1, 0, "added"),
)


@pytest.fixture
def github():
    with serve(TINY) as running:
        yield running


def test_the_repository_answers_to_its_name_and_its_number(github, get) -> None:
    by_name = get(f"{github.url}{REPOSITORY}").json
    by_number = get(f"{github.url}/repositories/{by_name['id']}").json
    assert by_name["full_name"] == by_number["full_name"] == "example-org/sample-engine"
    assert by_name["url"] == f"{github.url}{REPOSITORY}"


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/repos/example-org/other/issues",
        f"{REPOSITORY}-two/issues",
        f"{REPOSITORY}/",
        f"{REPOSITORY}/issues/",
        f"{REPOSITORY}/issues/99",
        f"{REPOSITORY}/issues/99/timeline",
        f"{REPOSITORY}/pulls/1",
        f"{REPOSITORY}/nothing",
    ],
)
def test_what_is_not_there_is_a_404_in_githubs_words(github, get, path) -> None:
    answer = get(f"{github.url}{path}")
    assert (answer.status, answer.json["message"]) == (404, "Not Found")
    assert answer.headers["Content-Type"] == "application/json; charset=utf-8"


def test_only_reading_is_allowed(github) -> None:
    connection = http.client.HTTPConnection(urlsplit(github.url).netloc, timeout=5)
    connection.request("POST", f"{REPOSITORY}/issues", body=b"{}")
    assert connection.getresponse().status == 404
    connection.close()


def test_an_issue_has_no_pull_request_and_a_pull_request_has_one(github, get) -> None:
    rows = {
        r["number"]: r for r in get(f"{github.url}{REPOSITORY}/issues?state=all").json
    }
    assert [("pull_request" in rows[n], "draft" in rows[n]) for n in (1, 2, 3)] == [
        (False, False),
        (False, False),
        (True, True),
    ]
    assert rows[3]["pull_request"]["merged_at"] == "2026-03-04T13:00:00Z"
    assert rows[3]["closed_at"] == "2026-03-04T13:00:00Z"
    assert rows[3]["html_url"] == "https://github.com/example-org/sample-engine/pull/3"
    assert rows[2]["user"] is None
    assert (rows[1]["state_reason"], rows[1]["closed_by"]) == ("duplicate", None)
    assert rows[1]["title"] == "Lone \ud83d surrogate and \0"
    assert [label["name"] for label in rows[1]["labels"]] == ["a, b", "ci/build"]
    assert rows[3]["comments"] == 1


def test_a_pull_request_by_itself_has_size_and_merger(github, get) -> None:
    shown = get(f"{github.url}{REPOSITORY}/pulls/3").json
    assert shown["merged"] is True and shown["merged_by"]["login"] == "dev-003"
    sizes = (shown["additions"], shown["deletions"], shown["changed_files"])
    assert sizes == (6, 2, 2)
    files = get(f"{github.url}{REPOSITORY}/pulls/3/files").json
    assert [(f["filename"], f["status"]) for f in files] == [
        ("a.py", "modified"),
        ("b.py", "added"),
    ]
    reviews = get(f"{github.url}{REPOSITORY}/pulls/3/reviews").json
    assert [r["submitted_at"] for r in reviews] == ["2026-03-04T12:40:00Z"]


def test_a_timeline_holds_events_comments_and_reviews(github, get) -> None:
    moments = get(f"{github.url}{REPOSITORY}/issues/3/timeline").json
    kinds = [moment["event"] for moment in moments]
    assert kinds == ["commented", "reviewed", "merged", "closed"]
    assert moments[0]["body"] is None
    assert moments[0]["performed_via_github_app"]["slug"] == "app"
    assert moments[0]["minimized"] == {"reason": "spam"}


def test_date_tells_the_simulated_clock(github, get) -> None:
    github.travel("2026-03-04T18:00:00Z")
    told = parsedate_to_datetime(get(f"{github.url}{REPOSITORY}").headers["Date"])
    assert 0 <= (told - instant("2026-03-04T18:00:00Z")).total_seconds() < 5
    reset = get(f"{github.url}/rate_limit").json["resources"]["core"]["reset"]
    assert reset > told.timestamp()


def test_the_rate_headers_count_down_and_never_refuse(github, get) -> None:
    headers = [get(f"{github.url}{REPOSITORY}").headers for _ in range(3)]
    assert [h["X-RateLimit-Remaining"] for h in headers] == ["4999", "4998", "4997"]


def test_a_body_is_zipped_only_if_asked(github, get) -> None:
    url = f"{github.url}{REPOSITORY}/issues?state=all"
    zipped = get(url, Accept_Encoding="gzip")
    assert zipped.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(zipped.raw) == get(url).raw


def test_a_connection_is_kept_for_the_next_request(github) -> None:
    connection = http.client.HTTPConnection(urlsplit(github.url).netloc, timeout=5)
    for _ in range(2):
        connection.request("GET", REPOSITORY)
        sock = connection.sock
        assert connection.getresponse().read()
        assert connection.sock is sock is not None
    connection.close()


def test_the_server_listens_on_loopback_only(github) -> None:
    port = urlsplit(github.url).port
    assert urlsplit(github.url).hostname == "127.0.0.1"
    with socket.socket() as probe:
        # Another loopback address of this machine is already outside.
        assert probe.connect_ex(("127.0.0.2", port)) != 0


def test_requests_are_remembered_without_their_token(github, get) -> None:
    get(f"{github.url}{REPOSITORY}/issues?state=all", Authorization="Bearer secret")
    get(f"{github.url}/nope")
    first, second = github.requests
    assert (first.path, first.query) == (f"{REPOSITORY}/issues", "state=all")
    assert (first.status, first.row_count, first.is_authorized) == (200, 3, True)
    assert (second.status, second.is_authorized) == (404, False)
    assert "secret" not in repr(github.requests)


def test_faults_answer_in_githubs_place_and_know_the_attempt(github, get) -> None:
    def busy_once(request):
        if request.attempt == 1 and request.path.endswith("/issues"):
            return refusal(
                403, "You have exceeded a secondary rate limit", retry_after="2"
            )
        return None

    github.faults = busy_once
    url = f"{github.url}{REPOSITORY}/issues"
    refused, granted = get(url), get(url)
    assert (refused.status, refused.headers["retry-after"]) == (403, "2")
    assert granted.status == 200
    assert get(f"{url}?page=1").status == 403


def test_a_fault_may_hang_up_or_cut_a_body_short(github, get) -> None:
    github.faults = lambda request: Response(0, is_dropped=True)
    with pytest.raises(ConnectionError):
        get(f"{github.url}{REPOSITORY}")
    github.faults = lambda request: Response(200, {"a": "b" * 50}, cut_to=20)
    with pytest.raises(http.client.IncompleteRead):
        get(f"{github.url}{REPOSITORY}")
    github.faults = lambda request: Response(
        502, b"<html>", {"Content-Type": "text/html"}
    )
    answer = get(f"{github.url}{REPOSITORY}")
    assert (answer.status, answer.raw) == (502, b"<html>")
    assert answer.headers.get_all("Content-Type") == ["text/html"]
    assert [record.status for record in github.requests] == [0, 200, 502]


def test_another_world_may_take_the_place_of_the_first(github, get) -> None:
    github.become(TINY.with_rows(issue(7, NOON, user=dev(7))))
    assert get(f"{github.url}{REPOSITORY}/issues/7").json["user"]["login"] == "dev-007"
    assert json.loads(get(f"{github.url}{REPOSITORY}/issues/2").raw)["number"] == 2
