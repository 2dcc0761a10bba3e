"""The only module that talks to the network: one GET, retried as GitHub deserves.

The tokens go to the API's own host only, and into no message.
"""

from __future__ import annotations

import math
import re
import threading
from collections import Counter
from datetime import datetime
from urllib.parse import urljoin, urlsplit

import requests
import tenacity
from requests.auth import AuthBase

from pipelines import __version__
from pipelines.github.answers import (
    Answer,
    Page,
    TransientError,
    foreign,
    origin_of,
    to_page,
)
from pipelines.github.clock import ServerClock
from pipelines.github.courtesy import Patience, limit_wait, resource_of
from pipelines.github.line import Line, broken, hang_up
from pipelines.github.pace import REQUESTS_A_MINUTE, Pace
from pipelines.github.tokens import Token, Tokens

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

    def __init__(self, api_url: str, token: str | None, patience: Patience) -> None:
        """Ask nothing yet. `token` may be several, separated by commas."""
        self.api_url = api_url
        self.patience = patience
        self.request_count = 0
        self._clock = ServerClock()
        is_paced = PACED.fullmatch(urlsplit(api_url).hostname or "")
        self._pace = Pace(REQUESTS_A_MINUTE, patience.sleep) if is_paced else None
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
        self.patience.stopping.set()
        hang_up()

    def _retried(self, url: str, kind: type, body: object) -> Page:
        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception_type(TransientError),
            stop=_tried_enough,
            wait=BACKOFF,
            sleep=self.patience.sleep,
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
            self.patience.hold(asked_for)
            token = self._tokens.next(asked_for)
            answer = self._send(url, token, body)
            limit = limit_wait(answer, refusals[token])
            if limit is None:
                return answer
            refusals[token] += 1
            left = self._tokens.rest(token, limit.seconds, limit.resource)
            left = math.ceil(round(left, 3))
            if left:
                self.patience.be_told(left, limit.why, answer.date, limit.resource)

    def _send(self, url: str, token: Token, body: object = None) -> Answer:
        """One request, without redirects; to the API's own origin and no other."""
        if origin_of(url) != self._origin:
            raise foreign(url)
        if self._pace:
            self._pace.hold()
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
            answer = self._line().send(request)
        except requests.RequestException as error:
            was_reached = self.first_date is not None
            raise broken(error, self.api_url, was_reached=was_reached) from error
        with self._lock:
            self._clock.hear(answer)
        return answer

    def _line(self) -> Line:
        """This thread's own connection."""
        line: Line | None = getattr(self._local, "line", None)
        if line is None:
            line = self._local.line = Line(self.api_url)
        return line


def _tried_enough(state: tenacity.RetryCallState) -> bool:
    error = state.outcome.exception() if state.outcome else None
    return isinstance(error, TransientError) and state.attempt_number >= error.tries
