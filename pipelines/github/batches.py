"""A page of GitHub's as rows of a table, with what could not become one set aside.

Names of fields and kinds of events that GitHub never sent before are noted, no values.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from pipelines.coverage import Interval, Quarantined
from pipelines.github.models import Resource, Row, UnfitError, clean
from pipelines.github.paginators import Walked

LONGEST_PAYLOAD = 65_536  # characters kept of a payload that could not become a row


@dataclass(frozen=True)
class Batch:
    """The rows of one page, and how far its walk has come with it.

    `began_at` is the server's time of the walk's first answer. `covered` is set on the
    last page of a walk: the interval that is complete once its rows are committed.
    `unknown` names what GitHub never sent before.
    """

    resource: Resource
    rows: list[Row]
    unfit: list[Quarantined]
    began_at: datetime
    walked: Walked
    since: datetime
    covered: Interval | None = None
    unknown: frozenset[str] = frozenset()


def to_batch(
    resource: Resource,
    repository: str,
    page: Walked,
    began_at: datetime,
    since: datetime,
) -> Batch:
    """A page as table rows, with what could not become one set aside."""
    rows, unfit = [], []
    for payload in page.rows:
        try:
            if not isinstance(payload, dict):
                raise UnfitError("is no object")
            row = resource.to_row(payload)
        except UnfitError as why:
            unfit.append(set_aside(payload, resource.key, str(why)))
            continue
        row["repository"], row["fetched_at"] = repository, page.date
        rows.append(row)
    covered = None
    if page.reached_from is not None:
        covered = Interval(page.reached_from, began_at)
    unknown = unknown_names(resource, page.rows)
    # The payloads have become rows: pages that wait need not hold them, too.
    walked = replace(page, rows=[])
    return Batch(resource, rows, unfit, began_at, walked, since, covered, unknown)


def set_aside(payload: Any, key: str, reason: str) -> Quarantined:
    """A payload for the quarantine, under its own key if it has a readable one."""
    written = json.dumps(payload, sort_keys=True)
    value = payload.get(key) if isinstance(payload, dict) else None
    if type(value) is not int:
        value = "sha256:" + hashlib.sha256(written.encode()).hexdigest()[:32]
    return Quarantined(str(value), reason, clean(written[:LONGEST_PAYLOAD]))


# A name is a stranger's text, and is printed: nothing that moves a cursor.
PRINTABLE = re.compile(r"[\w.+-]{1,60}", re.ASCII)
MOST_NAMES = 12


def unknown_names(resource: Resource, payloads: Iterable[Any]) -> frozenset[str]:
    """What these payloads have that the resource does not know.

    E.g. `threads.votes` for a field, `issue_events.event=voted` for a kind of event.
    """
    found: set[str] = set()
    for payload in payloads:
        if not isinstance(payload, dict):
            continue
        if resource.fields is not None and not payload.keys() <= resource.fields:
            found.update(payload.keys() - resource.fields)
        kind = payload.get("event")
        is_new = resource.kinds is not None and isinstance(kind, str)
        if is_new and kind not in (resource.kinds or ()):
            found.add(f"event={kind}")
    return frozenset(f"{resource.stream}.{_shown(name)}" for name in found)


def _shown(name: str) -> str:
    label, equals, value = name.rpartition("=")
    return f"{label}{equals}{value if PRINTABLE.fullmatch(value) else '(unprintable)'}"


def told(names: Iterable[str]) -> str:
    """One line about all that was new in a run."""
    some = sorted(names)
    shown = ", ".join(some[:MOST_NAMES])
    more = f" and {len(some) - MOST_NAMES} more" if len(some) > MOST_NAMES else ""
    return f"New in GitHub's answers, and no hindrance: {shown}{more}."
