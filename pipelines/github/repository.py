"""The repository itself: the first request of a run, which tells what time it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from pipelines.errors import RefusedError
from pipelines.github.client import Client, MissingError
from pipelines.github.models import UnfitError, time_or_none
from pipelines.projects import SLUG


@dataclass(frozen=True)
class Repository:
    """Where GitHub has a repository, since when, and the time it said so (UTC).

    `url` is its address at the API, and `slug` its name, which differ from the asked
    ones after a renaming.
    """

    url: str
    slug: str
    created_at: datetime | None
    now: datetime


def ask_for(slug: str, client: Client, say: Callable[[str], object]) -> Repository:
    """What GitHub says of `owner/name`; RefusedError where there is none."""
    try:
        page = client.get(f"{client.api_url}/repos/{slug}", dict)
    except MissingError as error:
        host = urlsplit(client.api_url).hostname
        raise RefusedError(
            f"There is no repository {slug} at {host}, or this token may not see it: "
            f"check projects.toml and GITHUB_TOKEN. ({error})"
        ) from None
    name = page.content.get("full_name")
    if not isinstance(name, str) or not SLUG.fullmatch(name):
        name = slug
    if name.lower() != slug.lower():
        say(f"{slug} is called {name!r} now; its rows keep the name {slug}.")
    try:
        created_at = time_or_none(page.content, "created_at")
    except UnfitError:
        created_at = None
    return Repository(page.url, name, created_at, page.date)
