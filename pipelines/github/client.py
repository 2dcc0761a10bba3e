"""The only module that talks to the network: one GET, retried as GitHub deserves.

The tokens go to the API's own host only, and into no message.
"""

from __future__ import annotations

import math
import threading
from collections import Counter
from datetime import datetime
from urllib.parse import urljoin, urlsplit

import requests
import tenacity
from requests.auth import AuthBase

from pipelines import __version__
from pipelines.github.answers import (
    TRIES,
    TRIES_TO_CONNECT,
    Answer,
    Page,
    TransientError,
    foreign,
    origin_of,
    to_page,
)
from pipelines.github.courtesy import Patience, limit_wait
from pipelines.github.tokens import Token, Tokens

HEADERS = {
    "Accept": "application/vnd.github+json",
    "X-GitHub-Api-Version": "2022-11-28",
    "User-Agent": f"llm-dev-highlights/{__version__}",
}
TIMEOUT = (10.0, 60.0)  # seconds to connect, and between two bytes
REDIRECTS = (301, 302, 307, 308)
MOST_REDIRECTS = 5

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
    """One run's conversation with one API; may be shared by threads.

    `first_date` and `last_date` are the server's times of its answers.
    """

    def __init__(self, api_url: str, token: str | None, patience: Patience) -> None:
        """Ask nothing yet. `token` may be several, separated by commas."""
        self.api_url = api_url
        self.patience = patience
        self.request_count = 0
        self.first_date: datetime | None = None
        self.last_date: datetime | None = None
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
    def graph_url(self) -> str:
        """Where GraphQL is asked; an Enterprise server has it beside its REST API."""
        return f"{self.api_url.removesuffix('/v3')}/graphql"

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
        while True:
            self.patience.hold()
            token = self._tokens.next()
            answer = self._send(url, token, body)
            wait = limit_wait(answer, refusals[token])
            if wait is None:
                return answer
            refusals[token] += 1
            seconds, why = wait
            left = math.ceil(self._tokens.rest(token, seconds))
            if left:
                self.patience.be_told(left, why, answer.date)

    def _send(self, url: str, token: Token, body: object = None) -> Answer:
        """One request, without redirects; to the API's own origin and no other."""
        if origin_of(url) != self._origin:
            raise foreign(url)
        with self._lock:
            self.request_count += 1
        try:
            response = self._session().request(
                "GET" if body is None else "POST",
                url,
                json=body,
                auth=TokenAuth(token.secret),
                timeout=TIMEOUT,
                allow_redirects=False,
            )
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
            # Looked up once: for every request it costs more than parsing its answer.
            around = session.merge_environment_settings(
                self.api_url, {}, None, None, None
            )
            session.proxies, session.verify = around["proxies"], around["verify"]
            session.trust_env = False
        return session

    def _broken(self, error: requests.RequestException) -> TransientError:
        """The failure of a connection; its own text could hold a proxy's password."""
        host = urlsplit(self.api_url).netloc
        what, tries = "broke the connection", TRIES
        if isinstance(error, requests.exceptions.SSLError):
            what, tries = "has no certificate to trust", TRIES_TO_CONNECT
        elif isinstance(error, requests.Timeout):
            what = "did not answer in time"
        elif "NewConnectionError" in repr(error) or "NameResolution" in repr(error):
            what = "could not be reached"
            # It has been there before, so it may come back: be more patient.
            tries = TRIES if self.first_date else TRIES_TO_CONNECT
        return TransientError(
            f"The API at {host} {what} ({tries} tries). Check the network and "
            "GITHUB_API_URL, then run the same command again.",
            tries,
        )


def _tried_enough(state: tenacity.RetryCallState) -> bool:
    error = state.outcome.exception() if state.outcome else None
    return isinstance(error, TransientError) and state.attempt_number >= error.tries
