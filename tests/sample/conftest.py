"""A plain HTTP client for the sample's own tests."""

import json
import re
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from email.message import Message
from typing import Any

import pytest


@dataclass
class Answer:
    status: int
    headers: Message
    raw: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.raw)

    @property
    def next(self) -> str | None:
        found = re.search(r'<([^>]*)>; rel="next"', self.headers.get("Link", ""))
        return found[1] if found else None


def get(url: str, **headers: str) -> Answer:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(url, headers=sent)
    try:
        with urllib.request.urlopen(request, timeout=10) as reply:
            return Answer(reply.status, reply.headers, reply.read())
    except urllib.error.HTTPError as refused:
        return Answer(refused.code, refused.headers, refused.read())


def walk(url: str) -> list[dict[str, Any]]:
    """All rows of a list, by its links alone."""
    rows: list[dict[str, Any]] = []
    following: str | None = url
    while following:
        page = get(following)
        assert page.status == 200, page.raw
        rows += page.json
        following = page.next
    return rows


@pytest.fixture(name="get")
def get_fixture() -> Callable[..., Answer]:
    return get


@pytest.fixture(name="walk")
def walk_fixture() -> Callable[[str], list[dict[str, Any]]]:
    return walk
