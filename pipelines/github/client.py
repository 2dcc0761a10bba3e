"""One run's conversation with the API: requests, retried as GitHub deserves.

What an answer amounts to, how long GitHub's limits ask to wait, several tokens in turn,
and an answer that is whole within bounds of time and size. The tokens go to the API's
own host only, and into no message. An answer may be an error object, HTML, or a body
cut short where a list should be; each is a failure of that page, to be asked for again,
never rows and never a list's end.
"""

from __future__ import annotations

import http.client
import io
import json
import math
import re
import socket
import threading
import time
import weakref
from collections import Counter, defaultdict, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

import orjson
import requests
import tenacity
import urllib3
from requests.adapters import HTTPAdapter
from requests.auth import AuthBase
from requests.structures import CaseInsensitiveDict
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection

from pipelines import __version__
from pipelines.errors import RefusedError

# `next` as one of the relations of a link, quoted or not.
NEXT = re.compile(
    r';\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next(?=[\s;,]|$))', re.I
)

# Tries before a fault is believed. A refused connection is rarely a passing fault, and
# a 404 or a 401 hardly ever; a gateway error nearly always.
TRIES = 8
TRIES_TO_CONNECT = 4
TRIES_WHEN_DENIED = 3


# Timeouts of a proxy's, which are not the request's fault.
TOO_SLOW = (408, 425)

# What GitHub's gateways say where its servers took too long.
GAVE_UP = (502, 504)


class TransientError(RefusedError):
    """A failure worth asking again for; a refusal once that was done often enough."""

    def __init__(self, message: str, tries: int = TRIES) -> None:
        """Say what failed, and after how many tries to believe it."""
        super().__init__(message)
        self.tries = tries


class SlowError(TransientError):
    """An answer that took too long; a smaller one might not."""


class MissingError(TransientError):
    """A 404 or 410; believed after a few tries."""

    def __init__(self, message: str, status: int = 404) -> None:
        """Say what is missing, and with which status."""
        super().__init__(message, TRIES_WHEN_DENIED)
        self.status = status


class CappedError(Exception):
    """GitHub gives no page this deep of this list (a 422 about pagination)."""


def time_told(header: str) -> datetime | None:
    """The time in a header as an aware instant; None where it holds none."""
    try:
        told = parsedate_to_datetime(header)
    except (ValueError, TypeError):
        return None
    return told.astimezone(UTC) if told.tzinfo else told.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Answer:
    """One HTTP answer: where it came from, and what it says."""

    url: str
    status: int
    headers: CaseInsensitiveDict[str]
    body: bytes

    @property
    def date(self) -> datetime | None:
        """The server's clock, or None where the answer does not tell it."""
        return time_told(self.headers.get("Date", ""))

    @property
    def said(self) -> str:
        """Status and path, and GitHub's own words about an error, as one short line."""
        line = f"GitHub answered {self.status} for {urlsplit(self.url).path}"
        return f'{line} ("{self.words}")' if self.words else line

    @property
    def words(self) -> str:
        """The message of an error object; empty for anything else."""
        try:
            content = parsed(self.body)
        except ValueError:
            return ""
        told = content.get("message") if isinstance(content, dict) else None
        return " ".join(told.split())[:200] if isinstance(told, str) else ""


@dataclass(frozen=True)
class Page:
    """A usable answer: its JSON, the link to the next page, the server's clock."""

    url: str
    content: Any
    next_url: str | None
    date: datetime


def to_page(answer: Answer, kind: type, *, has_token: bool) -> Page:
    """The page that an answer holds, whose JSON must be of the kind named.

    Raises CappedError, TransientError or RefusedError for every other answer.
    """
    _believe(answer, has_token=has_token)
    if answer.date is None:
        raise TransientError(f"{answer.said} without saying when (no Date header).")
    try:
        content = kind() if answer.status == 204 else parsed(answer.body)
    except ValueError:
        raise TransientError(f"{answer.said} with a body that is no JSON.") from None
    if not isinstance(content, kind):
        raise TransientError(f"{answer.said} with no {kind.__name__} in its body.")
    link = next_link(answer.headers.get("Link", ""))
    next_url = urljoin(answer.url, link) if link else None
    if next_url and origin_of(next_url) != origin_of(answer.url):
        raise foreign(next_url)
    return Page(answer.url, content, next_url, answer.date)


def _believe(answer: Answer, *, has_token: bool) -> None:
    """Return for a good status; else raise what it amounts to."""
    status = answer.status
    if 200 <= status < 300:
        return
    said = answer.said
    if status == 422 and "pagination" in answer.words.lower():
        raise CappedError(said)
    if status in (404, 410):
        raise MissingError(f"{said}.", status)
    if status == 401:
        fix = "check GITHUB_TOKEN" if has_token else "set GITHUB_TOKEN"
        line = f"{said}: {fix}, then run again."
        if "bad credentials" in answer.words.lower():
            raise RefusedError(line)
        raise TransientError(line, TRIES_WHEN_DENIED)
    if status >= 500 or status in TOO_SLOW:
        kind = SlowError if status in GAVE_UP else TransientError
        raise kind(f"{said} {TRIES} times: run the same command again later.")
    if status == 403:
        raise RefusedError(f"{said}: no limit that passes; check the token's rights.")
    raise RefusedError(f"{said}, which this program does not expect.")


def parsed(body: bytes) -> Any:
    """JSON, also where it holds lone surrogates, which the fast parser refuses."""
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        pass
    try:
        return json.loads(body)
    except RecursionError:
        raise ValueError("nested too deep to be an answer") from None


def next_link(header: str) -> str | None:
    """The target of `rel="next"`; commas may occur inside of the URLs.

    >>> next_link('<https://h/a?labels=x,y>; rel="next", <https://h>; rel="last"')
    'https://h/a?labels=x,y'
    """
    for part in header.split("<")[1:]:
        target, closed, attributes = part.partition(">")
        if closed and NEXT.search(attributes):
            return target
    return None


def origin_of(url: str) -> str:
    """Scheme, host and port of a URL, e.g. `https://api.github.com:443`."""
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return "nowhere"
    return f"{parts.scheme}://{parts.hostname}:{port}"


def foreign(url: str) -> RefusedError:
    """The refusal to follow a link away from the API."""
    return RefusedError(
        f"GitHub links to {origin_of(url)}, which is not the API: not followed. Check "
        "GITHUB_API_URL."
    )


# The clocks of GitHub's machines differ, but not by as much.
LEAP = timedelta(days=1)


class ServerClock:
    """The times (UTC) of the first and the newest answer; one thread at a time."""

    def __init__(self) -> None:
        """Know no time yet."""
        self.first: datetime | None = None
        self.last: datetime | None = None
        self._first_at = 0.0  # by the monotonic clock, when the first was told

    def hear(self, answer: Answer) -> None:
        """Take note of the time of an answer; TransientError where it has leapt.

        One wrong clock must not be believed: it would cover what has not happened yet.
        """
        if answer.date is None:
            return
        now = time.monotonic()
        if self.first is None:
            self.first, self._first_at = answer.date, now
        passed = timedelta(seconds=now - self._first_at)
        if abs(answer.date - self.first - passed) > LEAP:
            raise TransientError(
                f"{answer.said} with a Date of {answer.date:%Y-%m-%d %H:%M} UTC, "
                "which its other answers contradict: run the same command again."
            )
        self.last = answer.date


# A secondary limit that names no time is given a minute at first, then twice that, …
SECONDARY_WAIT = 60.0

SECONDARY_WORDS = (
    "secondary rate limit",
    "secondary-rate-limits",
    "abuse detection",
    "abuse-rate-limits",
)

USED_UP = "its limit of requests used up"

# The reset is told in whole seconds; a second more is surely past it.
RESET_MARGIN = 1.0


class Limit(NamedTuple):
    """A wait that GitHub asks for: seconds, why, and of which resource.

    A primary limit is one resource's own, e.g. `search`; a secondary one is shared by
    all of them, and names none.
    """

    seconds: float
    why: str
    resource: str | None = None


def resource_of(url: str) -> str:
    """Which of GitHub's limits a request counts against."""
    path = urlsplit(url).path
    if path.endswith("/graphql"):
        return "graphql"
    return "search" if "/search/" in path else "core"


def limit_wait(answer: Answer, refusals: int) -> Limit | None:
    """The wait that an answer asks for; None where it is no rate limit.

    `refusals` counts the secondary limits met in a row before this one.
    """
    said = answer.body[:10_000].decode("utf-8", "replace").lower()
    resource = resource_of(answer.url)
    # GraphQL tells of its limits with a 200, too, and errors in the place of data.
    in_disguise = answer.status == 200 and resource == "graphql" and '"errors"' in said
    if answer.status not in (403, 429) and not in_disguise:
        return None
    is_used_up = answer.headers.get("X-RateLimit-Remaining", "").strip() == "0"
    retry_after = _retry_after(answer)
    if retry_after is not None:
        seconds = max(1.0, retry_after)
        return Limit(seconds, "a secondary limit", resource if is_used_up else None)
    if is_used_up:
        return Limit(_until_reset(answer), _primary(answer, resource), resource)
    if answer.status == 429 or any(words in said for words in SECONDARY_WORDS):
        return Limit(SECONDARY_WAIT * 2**refusals, "a secondary limit")
    if "rate limit exceeded" in said:
        return Limit(SECONDARY_WAIT * 2**refusals, USED_UP, resource)
    return None


def _retry_after(answer: Answer) -> float | None:
    """Seconds until the answer's `Retry-After`, which a proxy may write as a date."""
    told = answer.headers.get("Retry-After", "").strip()
    if told.isascii() and told.isdecimal():
        return float(told)
    due, now = time_told(told), answer.date
    return None if due is None or now is None else (due - now).total_seconds()


def _until_reset(answer: Answer) -> float:
    reset = answer.headers.get("X-RateLimit-Reset", "").strip()
    if not (reset.isascii() and reset.isdecimal()) or answer.date is None:
        return SECONDARY_WAIT
    return max(0.0, float(reset) - answer.date.timestamp()) + RESET_MARGIN


def _primary(answer: Answer, resource: str) -> str:
    limit = answer.headers.get("X-RateLimit-Limit", "").strip()
    what = "searches a minute" if resource == "search" else "requests an hour"
    return f"its limit of {limit} {what} used up" if limit else USED_UP


class RateLimiter:
    """The waiting of one run, shared by its threads: all wait while one was told to.

    A limit of one resource holds up those who ask for that; any other, everybody.

    Raises RefusedError once a wait would exceed `max_wait` seconds in all.
    """

    def __init__(
        self, max_wait: float, *, has_token: bool, say: Callable[[str], object]
    ) -> None:
        """Begin without a wait pending."""
        self.max_wait = max_wait
        self.stopping = threading.Event()
        self._has_token = has_token
        self.say = say
        self._lock = threading.Lock()
        self._resume_at: defaultdict[str | None, float] = defaultdict(float)
        self.waited = 0.0

    def register_wait(
        self,
        seconds: float,
        why: str,
        server_now: datetime | None,
        resource: str | None = None,
    ) -> None:
        """Take note of a wait that GitHub asked for, and say until when it lasts."""
        until = ""
        if server_now is not None:
            ends_at = server_now + timedelta(seconds=seconds)
            until = f" until {ends_at:%Y-%m-%d %H:%M:%S} UTC"
        with self._lock:
            now = time.monotonic()
            added = max(0.0, now + seconds - max(now, self._resume_at[resource]))
            if self.waited + added > self.max_wait:
                raise RefusedError(self._too_long(seconds, why, until))
            self.waited += added
            self._resume_at[resource] = max(self._resume_at[resource], now + seconds)
        if added > 0:
            self.say(f"GitHub reports {why}: waiting {seconds:.0f} s{until}")

    def wait(self, resource: str | None = None) -> None:
        """Return when no wait is pending for who asks for this."""
        while (left := self._left(resource)) > 0:
            self.sleep(left)

    def _left(self, resource: str | None) -> float:
        with self._lock:
            until = max(self._resume_at[resource], self._resume_at[None])
        return until - time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Sleep, but wake up and raise if the run is being stopped."""
        if self.stopping.wait(seconds):
            raise AbandonedError("the run is being stopped")

    def _too_long(self, seconds: float, why: str, until: str) -> str:
        advice = "Run the same command again then"
        if not self._has_token:
            advice += ", or set GITHUB_TOKEN (5,000 requests an hour instead of 60)"
        return (
            f"GitHub reports {why}{until}: {seconds:.0f} s are more than --max-wait "
            f"({self.max_wait:.0f} s) leaves. {advice}; what was loaded is kept."
        )


class AbandonedError(Exception):
    """Raised in a thread whose run is stopping for another reason."""


MINUTE = 60.0

# GitHub's bounds are 100 requests at once and 900 a minute.
REQUESTS_A_MINUTE = 800


class Pace:
    """Lets at most `limit` requests begin within any minute; shared by threads."""

    def __init__(
        self,
        limit: int,
        sleep: Callable[[float], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin with a minute in which nothing was asked."""
        self._limit = limit
        self._sleep = sleep
        self._clock = clock
        self._begun: deque[float] = deque()
        self._lock = threading.Lock()

    def wait(self) -> None:
        """Return when the next request may begin."""
        while (wait := self._reserved()) > 0:
            self._sleep(wait)

    def _reserved(self) -> float:
        """Seconds until there is room; 0 where it was just taken."""
        with self._lock:
            now = self._clock()
            while self._begun and now - self._begun[0] >= MINUTE:
                self._begun.popleft()
            if len(self._begun) >= self._limit:
                return self._begun[0] + MINUTE - now
            self._begun.append(now)
            return 0.0


# By resource, and under None for all of them: when a token may ask again.
Rests = dict[str | None, float]


@dataclass(eq=False)
class Token:
    """One token, or none (an anonymous caller): limited on its own."""

    secret: str | None = field(repr=False)
    rests: Rests = field(default_factory=dict)  # by the monotonic clock

    def rests_until(self, resource: str | None) -> float:
        """When it may ask for this."""
        return max(self.rests.get(resource, 0.0), self.rests.get(None, 0.0))


class Tokens:
    """Deals the tokens out to requests, in turn; shared by the threads of a run."""

    def __init__(self, told: str | None) -> None:
        """Take one token, several separated by commas, or none."""
        secrets: list[str | None] = [*told.split(",")] if told else [None]
        self._lock = threading.Lock()
        self._all = [Token(secret) for secret in secrets]
        self._waiting = list(self._all)

    def next(self, resource: str | None = None) -> Token:
        """The one that may ask first; of those that may now, the one longest unused."""
        with self._lock:
            now = time.monotonic()
            one = min(
                self._waiting, key=lambda each: max(each.rests_until(resource), now)
            )
            self._waiting.remove(one)
            self._waiting.append(one)
            return one

    def rest(self, token: Token, seconds: float, resource: str | None = None) -> float:
        """Let a limited token rest; seconds until one of them may ask again."""
        with self._lock:
            now = time.monotonic()
            token.rests[resource] = max(token.rests_until(resource), now + seconds)
            first = min(each.rests_until(resource) for each in self._waiting)
            return max(0.0, first - now)


TIMEOUT = (10.0, 60.0)  # seconds to connect, and between two bytes

# From the request to the last byte of its answer. GitHub itself gives up after ten
# seconds; the largest page that its limits on text allow is some 30 MB.
ANSWER_SECONDS = 120.0
MOST_BYTES = 128_000_000
CHUNK = 65_536


class OverlongError(requests.RequestException):
    """An answer larger than any of GitHub's can be."""


class HttpTransport:
    """One thread's connections to the API, through the proxies of the environment.

    A session of `requests` looks them up for every request, and keeps cookies and
    redirects, which here have no place: more work than parsing most answers.
    """

    def __init__(self, url: str) -> None:
        """Look up, once, how `url` is reached."""
        with requests.Session() as session:
            around = session.merge_environment_settings(url, {}, False, None, None)
        self._adapter = _Adapter()
        self._proxies, self._verify = around["proxies"], around["verify"] or False

    def send(self, request: requests.PreparedRequest) -> Answer:
        """The answer to one request, whatever its status.

        Raises requests.RequestException where it does not come, or not whole.
        """
        response = self._adapter.send(
            request,
            stream=True,
            timeout=TIMEOUT,
            proxies=self._proxies,
            verify=self._verify,
        )
        body, size = [], 0
        for chunk in response.iter_content(CHUNK):
            body.append(chunk)
            size += len(chunk)
            if size > MOST_BYTES:
                response.close()
                raise OverlongError
        url = request.url or ""
        return Answer(url, response.status_code, response.headers, b"".join(body))


def to_transient_error(
    error: requests.RequestException, url: str, *, was_reached: bool
) -> TransientError:
    """The failure of a connection; its own text could hold a proxy's password."""
    what, tries, kind = "broke the connection", TRIES, TransientError
    if isinstance(error, requests.exceptions.SSLError):
        what, tries = "has no certificate to trust", TRIES_TO_CONNECT
    elif isinstance(error, OverlongError):
        what = f"answered with more than {MOST_BYTES // 1_000_000} MB"
    elif _is_late(error):
        what, kind = "did not give a whole answer in time", SlowError
    elif "NewConnectionError" in repr(error) or "NameResolution" in repr(error):
        what = "could not be reached"
        # It has been there before, so it may come back: be more patient.
        tries = TRIES if was_reached else TRIES_TO_CONNECT
    return kind(
        f"The API at {urlsplit(url).netloc} {what} ({tries} tries). Check the network "
        "and GITHUB_API_URL, then run the same command again.",
        tries,
    )


def _is_late(error: requests.RequestException) -> bool:
    """Whether time ran out; `requests` calls that a broken connection in a body."""
    inner = error.args[0] if error.args else None
    late = (requests.Timeout, urllib3.exceptions.TimeoutError)
    return isinstance(error, late) or isinstance(inner, late)


# Of all connections whose answers are being read.
SOCKETS: weakref.WeakSet[socket.socket] = weakref.WeakSet()


def hang_up() -> None:
    """Break every connection, so that nobody waits for an answer any more."""
    for one in list(SOCKETS):
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)


class _Timed(io.RawIOBase):
    """The bytes of one answer, for as long as there is time."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        SOCKETS.add(sock)
        self._raw = sock.makefile("rb", buffering=0)
        self._silence = sock.gettimeout() or TIMEOUT[1]
        self._until = time.monotonic() + ANSWER_SECONDS

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._raw.fileno()

    def readinto(self, buffer: Any) -> int | None:
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError("the answer takes too long")
        self._sock.settimeout(min(left, self._silence))
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Response(http.client.HTTPResponse):
    def __init__(self, sock: socket.socket, *args: Any, **named: Any) -> None:
        super().__init__(sock, *args, **named)
        self.fp.close()
        self.fp = io.BufferedReader(_Timed(sock))


class _Connection(HTTPConnection):
    response_class = _Response


class _SecureConnection(HTTPSConnection):
    response_class = _Response


class _Pool(HTTPConnectionPool):
    ConnectionCls = _Connection


class _SecurePool(HTTPSConnectionPool):
    ConnectionCls = _SecureConnection


class _Adapter(HTTPAdapter):
    def init_poolmanager(self, *args: Any, **named: Any) -> None:
        super().init_poolmanager(*args, **named)
        self.poolmanager = _timed(self.poolmanager)

    def proxy_manager_for(self, *args: Any, **named: Any) -> Any:
        return _timed(super().proxy_manager_for(*args, **named))


def _timed(manager: Any) -> Any:
    """The manager, made to open connections whose answers are timed."""
    manager.pool_classes_by_scheme = {"http": _Pool, "https": _SecurePool}
    return manager


HEADERS = {
    "Accept": "application/vnd.github+json",
    "X-GitHub-Api-Version": "2022-11-28",
    "Accept-Encoding": "gzip, deflate",
    "User-Agent": f"llm-dev-highlights/{__version__}",
}
REDIRECTS = (301, 302, 307, 308)
MOST_REDIRECTS = 5

# Whose limits a minute are published. An Enterprise server has none, unless its owner
# sets some; it tells of those when they are met, as GitHub does of all.
PACED = re.compile(r"api\.github\.com|api\.[\w-]+\.ghe\.com", re.ASCII)

# 0.25 s, then twice that each time; a little chance keeps threads apart.
BACKOFF = tenacity.wait_exponential(0.25, max=10) + tenacity.wait_random(0, 0.25)


class TokenAuth(AuthBase):
    """Sends the token, if there is one. Being set, it also keeps ~/.netrc out."""

    def __init__(self, token: str | None) -> None:
        """Remember what to send."""
        self._token = token

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        """Add the header."""
        if self._token:
            request.headers["Authorization"] = f"Bearer {self._token}"
        return request


class Client:
    """One run's conversation with one API; may be shared by threads."""

    def __init__(self, api_url: str, token: str | None, limiter: RateLimiter) -> None:
        """Ask nothing yet. `token` may be several, separated by commas."""
        self.api_url = api_url
        self.limiter = limiter
        self.request_count = 0
        self._clock = ServerClock()
        is_paced = PACED.fullmatch(urlsplit(api_url).hostname or "")
        self._pace = Pace(REQUESTS_A_MINUTE, limiter.sleep) if is_paced else None
        self._origin = origin_of(api_url)
        self._tokens = Tokens(token)
        self._has_token = bool(token)
        self._local = threading.local()
        self._lock = threading.Lock()

    def get(self, url: str, kind: type = list) -> Page:
        """The JSON at an URL of the API, which must be of the kind named.

        Raises CappedError, or RefusedError when GitHub does not give it after retries.
        """
        return self._retried(url, kind, None)

    @property
    def first_date(self) -> datetime | None:
        """The server's time of the first answer."""
        return self._clock.first

    @property
    def last_date(self) -> datetime | None:
        """The server's time of the newest answer."""
        return self._clock.last

    @property
    def graph_url(self) -> str:
        """Where GraphQL is asked; an Enterprise server has it beside its REST API."""
        return f"{self.api_url.removesuffix('/v3')}/graphql"

    def stop(self) -> None:
        """Let every request of this run end soon: its threads are told to stop."""
        self.limiter.stopping.set()
        hang_up()

    def _retried(self, url: str, kind: type, body: object) -> Page:
        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception_type(TransientError),
            stop=_tried_enough,
            wait=BACKOFF,
            sleep=self.limiter.sleep,
            reraise=True,
        )
        page: Page = retrying(self._try, url, kind, body)
        return page

    def post(self, url: str, body: object) -> Page:
        """The JSON object that is the answer to a question; RefusedError as for get."""
        return self._retried(url, dict, body)

    def _try(self, url: str, kind: type, body: object) -> Page:
        answer = self._polite(url, body)
        for _ in range(MOST_REDIRECTS):
            if answer.status in REDIRECTS and "Location" in answer.headers:
                answer = self._polite(urljoin(answer.url, answer.headers["Location"]))
        return to_page(answer, kind, has_token=self._has_token)

    def _polite(self, url: str, body: object = None) -> Answer:
        """Ask, waiting as often as GitHub's limits ask for it."""
        refusals: Counter[Token] = Counter()
        asked_for = resource_of(url)
        while True:
            self.limiter.wait(asked_for)
            token = self._tokens.next(asked_for)
            answer = self._send(url, token, body)
            limit = limit_wait(answer, refusals[token])
            if limit is None:
                return answer
            refusals[token] += 1
            left = self._tokens.rest(token, limit.seconds, limit.resource)
            left = math.ceil(round(left, 3))
            if left:
                self.limiter.register_wait(left, limit.why, answer.date, limit.resource)

    def _send(self, url: str, token: Token, body: object = None) -> Answer:
        """One request, without redirects; to the API's own origin and no other."""
        if origin_of(url) != self._origin:
            raise foreign(url)
        if self._pace:
            self._pace.wait()
        with self._lock:
            self.request_count += 1
        request = requests.PreparedRequest()
        request.prepare(
            "GET" if body is None else "POST",
            url,
            headers=HEADERS,
            json=body,
            auth=TokenAuth(token.secret),
        )
        try:
            answer = self._transport().send(request)
        except requests.RequestException as error:
            was_reached = self.first_date is not None
            raise to_transient_error(
                error, self.api_url, was_reached=was_reached
            ) from error
        with self._lock:
            self._clock.hear(answer)
        return answer

    def _transport(self) -> HttpTransport:
        """This thread's own connection."""
        transport: HttpTransport | None = getattr(self._local, "transport", None)
        if transport is None:
            transport = self._local.transport = HttpTransport(self.api_url)
        return transport


def _tried_enough(state: tenacity.RetryCallState) -> bool:
    error = state.outcome.exception() if state.outcome else None
    return isinstance(error, TransientError) and state.attempt_number >= error.tries
