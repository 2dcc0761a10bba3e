"""The pages of one short list, from its first to its proven end.

For what hangs on one thread: its timeline, its comments, the files of a pull request. A
short page without a next link is the end; after a full one the next page is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from pipelines.exits import IncompleteError
from pipelines.github import parts
from pipelines.github.answers import CappedError, Page
from pipelines.github.paging import PER_PAGE, endless, refuse_again
from pipelines.github.parts import Get, with_query


def pages_of(get: Get, url: str) -> Iterator[Page]:
    """Every page of the list at `url`, asked for in full pages.

    Raises IncompleteError where GitHub caps the list, RefusedError where it never ends.
    """
    here, number, visited = with_query(url, per_page=PER_PAGE), 1, set[str]()
    shown: list[Any] = []
    while here not in visited:
        visited.add(here)
        try:
            page = parts.read(get, here)
        except CappedError as cap:
            path = urlsplit(url).path
            raise IncompleteError(f"{path} cannot be read to its end: {cap}.") from None
        refuse_again(page, shown)
        shown = page.content
        yield page
        if page.next_url is None and len(page.content) < PER_PAGE:
            return
        number += 1
        here = page.next_url or with_query(url, per_page=PER_PAGE, page=number)
    raise endless(urlsplit(url).path)
