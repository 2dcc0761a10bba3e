"""Answers that come too slowly, or never end."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import cycle, islice, repeat

import pytest

from pipelines.errors import RefusedError
from pipelines.github import client as module
from pipelines.github.client import TRIES, Client, RateLimiter
from tests.pipelines.scripted import SLUG, FakeGitHub, Reply

DATE = b"Date: Thu, 05 Mar 2026 04:00:00 GMT\r\n"
HEAD = b"HTTP/1.1 200 OK\r\n" + DATE
BODY = b'[{"id": 1}]'
LENGTH = b"Content-Length: %d\r\n\r\n" % len(BODY)
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"


@contextmanager
def dripping(at_once: bytes, drops: Iterator[bytes], pause: float) -> Iterator[str]:
    """A server that says the first bytes at once, and each of the others by itself."""
    server = socket.create_server(("127.0.0.1", 0))

    def answer(caller: socket.socket) -> None:
        with caller, suppress(OSError):
            caller.recv(65_536)
            caller.sendall(at_once)
            for drop in drops:
                time.sleep(pause)
                caller.sendall(drop)

    def serve() -> None:
        with suppress(OSError):
            while True:
                caller, _ = server.accept()
                threading.Thread(target=answer, args=[caller], daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
    finally:
        server.close()


def client(url: str) -> Client:
    return Client(url, None, RateLimiter(5.0, has_token=False, say=lambda _: None))


def one_byte_each(text: bytes) -> Iterator[bytes]:
    return (text[place : place + 1] for place in range(len(text)))


@pytest.mark.parametrize(
    ("at_once", "drops"),
    [
        (b"", cycle([b"H"])),
        (HEAD, repeat(b"X-More: 1\r\n")),
        (HEAD + b"Content-Length: 9999\r\n\r\n", repeat(b" ")),
        (HEAD + CHUNKED, repeat(b"1\r\n \r\n")),
        (HEAD + CHUNKED, repeat(b"0")),
        (HEAD + b"\r\n", repeat(b" ")),
    ],
    ids=["status", "headers", "body", "chunks", "size of a chunk", "body to its end"],
)
def test_an_answer_that_drips_is_given_up_and_asked_for_again(
    monkeypatch: pytest.MonkeyPatch, at_once: bytes, drops: Iterator[bytes]
) -> None:
    monkeypatch.setattr(module, "ANSWER_SECONDS", 0.2)
    began = time.monotonic()
    with dripping(at_once, islice(drops, 400), 0.03) as url:
        one = client(url)
        with pytest.raises(RefusedError, match=r"whole answer in time \(8 tries"):
            one.get(f"{url}/repos/{SLUG}", dict)
    assert one.request_count == TRIES
    assert time.monotonic() - began < TRIES * 0.4


def test_a_slow_answer_that_is_in_time_is_as_good_as_any(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "ANSWER_SECONDS", 5.0)
    with dripping(HEAD, one_byte_each(LENGTH + BODY), 0.005) as url:
        assert client(url).get(f"{url}/repos/{SLUG}").content == [{"id": 1}]


def test_silence_is_given_up_before_the_time_of_a_whole_answer_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "TIMEOUT", (10.0, 0.1))
    began = time.monotonic()
    with (
        dripping(HEAD, repeat(b"X"), 30.0) as url,
        pytest.raises(RefusedError, match="whole answer in time"),
    ):
        client(url).get(f"{url}/repos/{SLUG}")
    assert time.monotonic() - began < module.ANSWER_SECONDS / 10


def test_the_next_answer_on_the_same_connection_has_its_own_time(
    github: FakeGitHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ANSWER_SECONDS", 0.4)
    one = client(github.url)
    for _ in range(5):
        one.get(f"{github.url}/repos/{SLUG}", dict)
        time.sleep(0.15)
    assert len(github.requests) == 5


def test_an_answer_without_end_is_given_up_before_it_fills_the_memory(
    github: FakeGitHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 1_000_000)
    github.script[""] = [Reply(200, b" " * 2_000_000)] * TRIES
    with pytest.raises(RefusedError, match=r"more than 1 MB \(8 tries"):
        client(github.url).get(f"{github.url}/repos/{SLUG}", dict)
    assert len(github.requests) == TRIES
