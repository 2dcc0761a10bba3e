"""Connections to the API, each answer whole within bounds of time and size.

A socket's timeout bounds only the silence between two bytes: a server or a proxy that
drips its answer, header or body, could hold a run for days. So every read of an answer
is given what is left of the time for all of it.
"""

from __future__ import annotations

import http.client
import io
import socket
import time
import weakref
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import requests
import urllib3
from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection

from pipelines.github.answers import (
    TRIES,
    TRIES_TO_CONNECT,
    Answer,
    SlowError,
    TransientError,
)

TIMEOUT = (10.0, 60.0)  # seconds to connect, and between two bytes

# From the request to the last byte of its answer. GitHub itself gives up after ten
# seconds; the largest page that its limits on text allow is some 30 MB.
ANSWER_SECONDS = 120.0
MOST_BYTES = 128_000_000
CHUNK = 65_536


class OverlongError(requests.RequestException):
    """An answer larger than any of GitHub's can be."""


class Line:
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


def broken(
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
