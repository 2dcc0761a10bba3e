"""What is new in GitHub's answers: names of fields and kinds of events, no values."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from pipelines.github.resource import Resource

# A name is a stranger's text, and is printed: nothing that moves a cursor.
PRINTABLE = re.compile(r"[\w.+-]{1,60}", re.ASCII)
MOST_NAMES = 12


def strange_names(resource: Resource, payloads: Iterable[Any]) -> frozenset[str]:
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
