"""A page of GitHub's as rows of a table, with what could not become one set aside."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from pipelines.coverage import Interval
from pipelines.github.paging import Walked
from pipelines.github.resource import Resource
from pipelines.github.rows import Row, UnfitError, clean
from pipelines.github.strange import strange_names
from pipelines.ledger import Quarantined

LONGEST_PAYLOAD = 65_536  # characters kept of a payload that could not become a row


@dataclass(frozen=True)
class Batch:
    """The rows of one page, and how far its walk has come with it.

    `began_at` is the server's time of the walk's first answer. `covered` is set on the
    last page of a walk: the interval that is complete once its rows are committed.
    `strange` names what GitHub never sent before.
    """

    resource: Resource
    rows: list[Row]
    unfit: list[Quarantined]
    began_at: datetime
    walked: Walked
    since: datetime
    covered: Interval | None = None
    strange: frozenset[str] = frozenset()


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
    strange = strange_names(resource, page.rows)
    # The payloads have become rows: pages that wait need not hold them, too.
    walked = replace(page, rows=[])
    return Batch(resource, rows, unfit, began_at, walked, since, covered, strange)


def set_aside(payload: Any, key: str, reason: str) -> Quarantined:
    """A payload for the quarantine, under its own key if it has a readable one."""
    written = json.dumps(payload, sort_keys=True)
    value = payload.get(key) if isinstance(payload, dict) else None
    if type(value) is not int:
        value = "sha256:" + hashlib.sha256(written.encode()).hexdigest()[:32]
    return Quarantined(str(value), reason, clean(written[:LONGEST_PAYLOAD]))
