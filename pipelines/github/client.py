"""The only module that talks to the network: one GET, retried as GitHub deserves.

Quirks: an answer may be an error object, HTML, or a body cut short where a list should
be; each is a failure of that page and is asked again, never taken for rows or for the
end of a list. The token goes to the API's own host only, and into no message.
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urljoin, urlsplit

import orjson
import requests
import tenacity
from requests.auth import AuthBase

from pipelines import __version__
from pipelines.exits import RefusedError
from pipelines.github.courtesy import Answer, Patience, limit_wait

HEADERS = {
    "Accept": "application/vnd.github+json",
    "X-GitHub-Api-Version": "2022-11-28",
    "User-Agent": f"llm-dev-highlights/{__version__}",
}
TIMEOUT = (10.0, 60.0)  # seconds to connect, and between two bytes

# Tries before a fault is believed. A refused connection is rarely a passing fault, and
# a 404 or a 401 hardly ever; a gateway error nearly always.
TRIES = 8
TRIES_TO_CONNECT = 4
TRIES_WHEN_DENIED = 3

BACKOFF = tenacity.wait_exponential_jitter(initial=0.25, max=10, jitter=0.25)


class TransientError(RefusedError):
    """A failure worth asking again for; a refusal once that was done often enough."""

    def __init__(self, message: str, tries: int = TRIES) -> None:
        """Say what failed, and after how many tries to believe it."""
        super().__init__(message)
        self.tries = tries


class MissingError(TransientError):
    """A 404 or 410; believed after a few tries."""

    def __init__(self, message: str) -> None:
        """Say what is missing."""
        super().__init__(message, TRIES_WHEN_DENIED)


class CappedError(Exception):
    """GitHub gives no page this deep of this list (a 422 about pagination)."""


@dataclass(frozen=True)
class Page:
    """One parsed answer: its JSON, the link to the next page, the server's clock."""

    url: str
    content: Any
    next_url: str | None
    date: datetime


class TokenAuth(AuthBase):
    """Sends the token, if any, to one origin. Being set, it also keeps ~/.netrc out."""

    def __init__(self, origin: str, token: str | None) -> None:
        """Remember what to send where."""
        self._origin = origin
        self._token = token

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        """Add the header where it belongs."""
        if self._token and origin_of(request.url or "") == self._origin:
            request.headers["Authorization"] = f"Bearer {self._token}"
        return request


def origin_of(url: str) -> str:
    """Scheme, host and port of a URL, e.g. `https://api.github.com:443`."""
    parts = urlsplit(url)
    port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    return f"{parts.scheme}://{parts.hostname}:{port}"


class Client:
    """One run's conversation with one API; may be shared by threads."""

    def __init__(self, api_url: str, token: str | None, patience: Patience) -> None:
        """Ask nothing yet."""
        self.api_url = api_url.rstrip("/")
        self.patience = patience
        self.request_count = 0
        self.first_date: datetime | None = None
        self.last_date: datetime | None = None
        self._origin = origin_of(self.api_url)
        self._auth = TokenAuth(self._origin, token)
        self._has_token = bool(token)
        self._local = threading.local()
        self._lock = threading.Lock()

    def get(self, url: str, kind: type = list) -> Page:
        """The JSON at an URL of the API, which must be of the kind named.

        Raises CappedError, or RefusedError when GitHub does not give it after retries.
        """
        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception_type(TransientError),
            stop=_tried_enough,
            wait=BACKOFF,
            sleep=self.patience.sleep,
            reraise=True,
        )
        page: Page = retrying(self._try, url, kind)
        return page

    def _try(self, url: str, kind: type) -> Page:
        answer = self._polite(url)
        for _ in range(5):
            if answer.status not in (301, 302, 307, 308):
                break
            answer = self._polite(urljoin(url, answer.headers.get("Location", "")))
        _believe(answer, has_token=self._has_token)
        if answer.date is None:
            raise TransientError(
                f"{_said(answer)} without saying when (no Date header)."
            )
        try:
            content = parsed(answer.body) if answer.body else kind()
        except ValueError:
            raise TransientError(
                f"{_said(answer)} with a body that is no JSON."
            ) from None
        if not isinstance(content, kind):
            raise TransientError(
                f"{_said(answer)} with something else than was asked for."
            )
        link = next_link(answer.headers.get("Link", ""))
        next_url = urljoin(answer.url, link) if link else None
        if next_url and origin_of(next_url) != self._origin:
            host = urlsplit(next_url).hostname
            raise RefusedError(
                f"The next page of {urlsplit(url).path} is said to be at {host}, "
                "which is not the API: not followed. Check GITHUB_API_URL."
            )
        return Page(answer.url, content, next_url, answer.date)

    def _polite(self, url: str) -> Answer:
        """Ask, waiting as often as GitHub's limits ask for it."""
        refusals = 0
        while True:
            self.patience.hold()
            answer = self._send(url)
            wait = limit_wait(answer, refusals)
            if wait is None:
                return answer
            refusals += 1
            self.patience.be_told(*wait, answer.date)

    def _send(self, url: str) -> Answer:
        if origin_of(url) != self._origin:
            raise RefusedError(
                f"GitHub points to {urlsplit(url).hostname}, which is not the API: "
                "not followed. Check GITHUB_API_URL."
            )
        with self._lock:
            self.request_count += 1
        try:
            response = self._session().get(url, timeout=TIMEOUT, allow_redirects=False)
        except requests.RequestException as error:
            raise self._broken(error) from error
        answer = Answer(url, response.status_code, response.headers, response.content)
        with self._lock:
            self.first_date = self.first_date or answer.date
            self.last_date = answer.date or self.last_date
        return answer

    def _session(self) -> requests.Session:
        session: requests.Session | None = getattr(self._local, "session", None)
        if session is None:
            session = self._local.session = requests.Session()
            session.headers.update(HEADERS)
            session.auth = self._auth
        return session

    def _broken(self, error: requests.RequestException) -> TransientError:
        host = urlsplit(self.api_url).netloc.rpartition("@")[2]
        what, tries = "broke the connection", TRIES
        if isinstance(error, requests.exceptions.SSLError):
            what, tries = "has no certificate to trust", TRIES_TO_CONNECT
        elif isinstance(error, requests.Timeout):
            what = "did not answer in time"
        elif "NewConnectionError" in repr(error) or "NameResolution" in repr(error):
            what, tries = "could not be reached", TRIES_TO_CONNECT
        return TransientError(
            f"The API at {host} {what} ({tries} tries). Check the network and "
            "GITHUB_API_URL, then run the same command again.",
            tries,
        )


def parsed(body: bytes) -> Any:
    """JSON, also where it holds lone surrogates, which the fast parser refuses."""
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        return json.loads(body)


def next_link(header: str) -> str | None:
    """The target of `rel="next"`; commas may occur inside of the URLs.

    >>> next_link('<https://h/a?labels=x,y>; rel="next", <https://h>; rel="last"')
    'https://h/a?labels=x,y'
    """
    for part in header.split("<")[1:]:
        target, closed, attributes = part.partition(">")
        if closed and 'rel="next"' in attributes.lower():
            return target
    return None


def _tried_enough(state: tenacity.RetryCallState) -> bool:
    error = state.outcome.exception() if state.outcome else None
    return isinstance(error, TransientError) and state.attempt_number >= error.tries


def _said(answer: Answer) -> str:
    return f"GitHub answered {answer.status} for {urlsplit(answer.url).path}"


def _message(answer: Answer) -> str:
    """GitHub's own words about an error, as one short line; empty where it has none."""
    try:
        content = parsed(answer.body)
    except ValueError:
        return ""
    said = content.get("message") if isinstance(content, dict) else None
    return " ".join(said.split())[:200] if isinstance(said, str) else ""


def _believe(answer: Answer, *, has_token: bool) -> None:
    """Return for a usable answer; else raise what it amounts to."""
    if 200 <= answer.status < 300:
        return
    said, words = _said(answer), _message(answer)
    quoted = f'{said} ("{words}")' if words else said
    if answer.status == 422 and "pagination" in words.lower():
        raise CappedError(quoted)
    if answer.status in (404, 410):
        raise MissingError(f"{quoted}.")
    if answer.status == 401:
        _complain_of_token(quoted, words, has_token=has_token)
    if answer.status >= 500:
        raise TransientError(
            f"{quoted} {TRIES} times. Run the same command again later."
        )
    raise RefusedError(f"{quoted}. This is no passing limit: check the token's rights.")


def _complain_of_token(quoted: str, words: str, *, has_token: bool) -> None:
    fix = "check GITHUB_TOKEN" if has_token else "set GITHUB_TOKEN"
    line = f"{quoted}: {fix}, then run again."
    if "bad credentials" in words.lower():
        raise RefusedError(line)
    raise TransientError(line, TRIES_WHEN_DENIED)
