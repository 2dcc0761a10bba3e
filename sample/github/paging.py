"""Pages of a list, and the `Link` to the next one.

Two kinds, as GitHub has them. A **cursor** list (the threads) gives links that carry
`page` and `after`; only `after` is believed, and a page number alone meets a wall. A
**numbered** list knows pages only, and may end in silence: at the cap a full page
comes without a next link, and what lies beyond is refused.
"""

import base64
import binascii
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import quote

from sample.github.exchange import Request, Response, invalid
from sample.github.shapes import Json

Row = TypeVar("Row")
Key = tuple[Any, int]

WALL = (
    "Pagination with the page parameter is not supported for large datasets, "
    "please use cursor based pagination (after/before)"
)
CAP = (
    "In order to keep the API fast for everyone, pagination is limited for this "
    "resource."
)


def per_page(request: Request) -> int:
    """Rows a page: 30 unless asked, never more than 100."""
    return min(request.number("per_page", 30), 100)


def numbered(
    rows: Sequence[Row],
    request: Request,
    base: str,
    show: Callable[[Row], Json],
    *,
    cap: int | None = None,
) -> Response:
    """One page of a numbered list; `cap` is how many rows it gives at the most."""
    size, page = per_page(request), request.number("page", 1)
    if cap is not None and page * size > cap:
        return invalid(CAP)
    last = max(1, -(-len(rows) // size))
    links = {}
    if page < last and (cap is None or (page + 1) * size <= cap):
        links["next"] = {"page": str(page + 1)}
        if cap is None or last * size <= cap:
            links["last"] = {"page": str(last)}
    if page > 1:
        links |= {"prev": {"page": str(page - 1)}, "first": {"page": "1"}}
    shown = [show(row) for row in rows[(page - 1) * size : page * size]]
    return Response(200, shown, _link_header(request, base, links))


def by_cursor(
    rows: Sequence[tuple[Key, Row]],
    request: Request,
    base: str,
    show: Callable[[Row], Json],
    *,
    max_page: int,
    descending: bool,
) -> Response:
    """One page of a cursor list of keyed rows in order; the wall is in pages of 100."""
    size, page = per_page(request), request.number("page", 1)
    if "after" in request.query:
        key = _key(request.query["after"])
        if key is None:
            return invalid("The cursor is invalid.")
        rest = [
            (each, row)
            for each, row in rows
            if (_told(each) < key if descending else _told(each) > key)
        ]
    elif page * size > max_page * 100:
        return invalid(WALL)
    else:
        rest = list(rows[(page - 1) * size :])
    links: dict[str, dict[str, str]] = {}
    if len(rest) > size:
        after = _cursor(rest[size - 1][0])
        links["next"] = {"page": str(page + 1), "after": after}
    shown = [show(row) for _, row in rest[:size]]
    return Response(200, shown, _link_header(request, base, links))


def _told(key: Key) -> tuple[str, int]:
    """A key as a cursor holds it: texts of one width sort as what they stand for."""
    value = f"{key[0]:09d}" if isinstance(key[0], int) else str(key[0])
    return value, key[1]


def _cursor(key: Key) -> str:
    value, number = _told(key)
    return base64.urlsafe_b64encode(f"{value}|{number}".encode()).decode()


def _key(cursor: str) -> tuple[str, int] | None:
    try:
        value, _, number = base64.urlsafe_b64decode(cursor).decode().rpartition("|")
        return value, int(number)
    except (binascii.Error, ValueError):
        return None


def _link_header(
    request: Request, base: str, links: Mapping[str, Mapping[str, str]]
) -> dict[str, str]:
    """The asked query with the page replaced, at the repository's numeric address."""
    parts = []
    for relation, changes in links.items():
        query = {key: told for key, told in request.query.items() if key != "after"}
        told = "&".join(
            f"{quote(key)}={quote(value, safe=':')}"
            for key, value in {**query, **changes}.items()
        )
        parts.append(f'<{base}?{told}>; rel="{relation}"')
    return {"Link": ", ".join(parts)} if parts else {}
