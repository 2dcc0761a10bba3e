"""A GitHub of a few rows on loopback, whose every answer a test can script."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

SLUG = "vllm-project/vllm"
NOW = datetime(2026, 3, 5, 4, 0, tzinfo=UTC)  # 36 minutes after the window of March 4
LISTS = ("/issues", "/issues/comments", "/pulls/comments", "/issues/events")
TOO_DEEP = {
    "message": "In order to keep the API fast for everyone, pagination is limited for "
    "this resource."
}


def z(instant: datetime) -> str:
    return f"{instant:%Y-%m-%dT%H:%M:%SZ}"


def at(text: str) -> datetime:
    return datetime.fromisoformat(text)


def user(ident: int = 17, login: str | None = None) -> dict[str, Any]:
    return {"id": ident, "login": login or f"dev-{ident:03}", "type": "User"}


def issue(number: int, updated: str, **more: Any) -> dict[str, Any]:
    return {
        "number": number,
        "id": 9_000_000 + number,
        "title": f"Issue {number}",
        "body": None,
        "state": "open",
        "state_reason": None,
        "user": user(),
        "labels": [],
        "created_at": updated,
        "updated_at": updated,
        "closed_at": None,
        "comments": 0,
        "locked": False,
        "author_association": "NONE",
        "html_url": f"https://github.com/{SLUG}/issues/{number}",
        **more,
    }


def pull(number: int, updated: str, **more: Any) -> dict[str, Any]:
    merged = {"url": "https://example.invalid", "merged_at": None}
    return issue(number, updated, pull_request=merged, draft=False, **more)


def comment(ident: int, updated: str, number: int = 1, **more: Any) -> dict[str, Any]:
    return {
        "id": ident,
        "issue_url": f"https://api.github.com/repos/{SLUG}/issues/{number}",
        "html_url": f"https://github.com/{SLUG}/issues/{number}#issuecomment-{ident}",
        "user": user(),
        "body": f"Comment {ident}",
        "created_at": updated,
        "updated_at": updated,
        "author_association": "NONE",
        **more,
    }


def review_comment(ident: int, updated: str, number: int = 1) -> dict[str, Any]:
    base = comment(ident, updated)
    del base["issue_url"]
    url = f"https://api.github.com/repos/{SLUG}/pulls/{number}"
    return {**base, "pull_request_url": url, "path": "vllm/x.py"}


def event(ident: int, created: str, number: int | None = 1, **more: Any) -> Any:
    return {
        "id": ident,
        "event": "labeled",
        "actor": user(),
        "created_at": created,
        "label": {"name": "rocm"},
        "issue": None if number is None else {"number": number},
        **more,
    }


@dataclass
class Reply:
    """A scripted answer."""

    status: int
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False


@dataclass
class FakeGitHub:
    """Rows by list, the server's clock, and what happens to which request.

    `script` maps a path below the repository's to the replies of its next requests;
    afterwards the rows are served. `on_page` is called before every answer.
    """

    now: datetime = NOW
    rows: dict[str, list[Any]] = field(default_factory=dict)
    page_size: int = 100
    max_rows: int | None = None
    max_page: int | None = None
    ignores_direction: bool = False
    most_in_time: int | None = None  # rows that a page may have without a 502
    has_cursors: bool = False  # next links of /issues go on behind a row
    full_name: str = SLUG
    created_at: str = "2023-02-09T11:23:20Z"
    script: dict[str, list[Reply]] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    on_page: Callable[[str], None] = lambda path: None
    url: str = ""

    def asked(self, path: str) -> list[str]:
        """The queries of the requests for one list."""
        return [one for one in self.requests if urlsplit(one).path.endswith(path)]

    def reply(self, target: str) -> Reply:
        parts = urlsplit(target)
        base = f"/repos/{SLUG}"
        # GitHub does not regard the letter case of names.
        is_ours = parts.path.lower().startswith(base)
        tail = parts.path[len(base) :] if is_ours else None
        self.on_page(parts.path)
        if self.script.get(tail if tail is not None else parts.path):
            return self.script[tail if tail is not None else parts.path].pop(0)
        if tail == "":
            body = {"full_name": self.full_name, "created_at": self.created_at, "id": 1}
            return Reply(200, body)
        if tail in LISTS:
            return self.page(tail, dict(parse_qsl(parts.query)), f"{self.url}{base}")
        return Reply(404, {"message": "Not Found"})

    def page(self, tail: str, query: dict[str, str], base: str) -> Reply:
        rows = list(self.rows.get(tail, []))
        if tail == "/issues/events":
            rows.sort(key=lambda row: row.get("listed_as_of", row["created_at"]))
            rows.reverse()
        else:
            assert query["sort"] == "updated" and query["direction"] == "asc"
            since = query.get("since", "")
            rows = sorted((one for one in rows if _updated(one) >= since), key=_updated)
            rows = rows[::-1] if self.ignores_direction else rows
        number, size = int(query.get("page", "1")), self.page_size
        size = min(size, int(query.get("per_page", "30")))
        if self.most_in_time is not None and size > self.most_in_time:
            return Reply(502, b"<html>Server Error</html>")
        is_behind = self.has_cursors and tail == "/issues"
        if is_behind and "after" in query:
            # What lies before the cursor is as if it were on earlier pages.
            left = [one for one in rows if _key(one) > query["after"]]
            rows = [*[{}] * ((number - 1) * size), *left]
        capped = self.max_rows is not None and len(rows) > self.max_rows
        if capped:
            rows = rows[: self.max_rows]
        is_deep = self.max_page is not None and number > self.max_page
        is_deep = is_deep and not (is_behind and "after" in query)
        if is_deep or (capped and (number - 1) * size >= len(rows)):
            return Reply(422, TOO_DEEP)
        shown, headers = rows[(number - 1) * size : number * size], {}
        if number * size < len(rows):
            more = urlencode({**query, "page": number + 1})
            if is_behind:
                more += "&" + urlencode({"after": _key(shown[-1])})
            headers["Link"] = (
                f'<{base}{tail}?{more}>; rel="next", <{base}>; rel="first"'
            )
        return Reply(200, shown, headers)


def _updated(row: Any) -> str:
    """The time a row is listed by; what has none comes last."""
    return str(row.get("updated_at", "~")) if isinstance(row, dict) else "~"


def _key(row: Any) -> str:
    """Where a row stands in its list: what a cursor holds."""
    return f"{_updated(row)} {row['id']:012}"


@contextmanager
def served(github: FakeGitHub) -> Iterator[FakeGitHub]:
    """Serve until the block ends; `github.url` is the API's address."""
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            with lock:
                github.requests.append(self.path)
                github.headers.append(dict(self.headers))
                reply = github.reply(self.path)
            body = reply.body
            if not isinstance(body, bytes):
                body = json.dumps(body).encode()
            self.send_response_only(reply.status)
            headers = {"Date": format_datetime(github.now, usegmt=True)}
            for name, value in {**headers, **reply.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[: len(body) // 2] if reply.cut else body)
            self.close_connection = reply.cut

        def log_message(self, *args: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, request: Any, client_address: Any) -> None:
            """A caller that was killed is no news."""

    server = Server(("127.0.0.1", 0), Handler)
    github.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=[0.01], daemon=True)
    thread.start()
    try:
        yield github
    finally:
        server.shutdown()
        server.server_close()


def spread(first: str, count: int, step: timedelta) -> list[str]:
    """So many times, a step apart."""
    return [z(at(first) + step * index) for index in range(count)]
