"""What was loaded once and is gone: deleted and moved threads, deleted comments.

No list with `since` shows what has vanished. So this pass walks the list of threads
from the newest back, and asks one by one for those that it does not show; where fewer
known threads are left than pages, they are asked for directly. Comments are listed
again in the threads that count fewer of them than are loaded; comments on diffs, which
no thread counts, are listed again for the last BASELINE_DAYS days. Nothing is believed
gone before its own address says so.

What it costs, in requests: threads ÷ 100, and one for each thread known behind the last
page read; three for each thread or comment that is gone (a passing 404 is asked for
again); comments ÷ 100 of each thread that counts too few, at least one; and the
comments on diffs of those days ÷ 100.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from pipelines.coverage import Plan
from pipelines.github.answers import MissingError, Page
from pipelines.github.pages import pages_of
from pipelines.github.paging import walk_updated
from pipelines.github.repository import Repository
from pipelines.github.review_comments import REVIEW_COMMENTS
from pipelines.loaded import Loaded, Talk
from pipelines.vanishings import Vanished, Vanishings

Get = Callable[..., Page]

MOVED = 301


@dataclass
class Reconciled:
    """What one pass came to know. `counts` tells the comments of the threads seen."""

    counts: dict[int, int | None] = field(default_factory=dict)
    gone: list[Vanished] = field(default_factory=list)
    new_count: int = 0
    back_count: int = 0


class Reconciler:
    """One pass over one repository; `reach` is how far back diffs' comments go."""

    def __init__(self, get: Get, repository: Repository, *, reach: timedelta) -> None:
        """Ask nothing yet."""
        self._get = get
        self._repository = repository
        self._since = repository.now - reach
        self._homes: set[str] = set()

    def reconcile(self, loaded: Loaded, vanishings: Vanishings) -> Reconciled:
        """Compare what is loaded with what there is, and write down what is gone."""
        done = Reconciled()
        self._look_for_threads(loaded, done)
        self._look_for_comments(loaded, vanishings, done)
        missed = {one.key for one in done.gone if one.kind == "thread"}
        done.back_count += vanishings.forget("thread", done.counts.keys() - missed)
        done.new_count = vanishings.add(done.gone, self._repository.now)
        return done

    def _look_for_threads(self, loaded: Loaded, done: Reconciled) -> None:
        left = loaded.threads()
        if not left:
            return
        listed = f"{self._repository.url}/issues?state=all&sort=created&direction=desc"
        for page in pages_of(self._get, listed):
            shown = {row["number"]: row for row in _numbered(page.content)}
            self._homes |= {
                row["repository_url"] for row in shown.values() if _has_home(row)
            }
            done.counts |= {number: _count(row) for number, row in shown.items()}
            lowest = min(shown, default=0)
            behind = sum(number < lowest for number in left)
            if behind <= lowest // 100:
                break
        for number in sorted(left - done.counts.keys()):
            self._ask_for_thread(number, done)

    def _ask_for_thread(self, number: int, done: Reconciled) -> None:
        try:
            page = self._get(f"{self._repository.url}/issues/{number}", dict)
        except MissingError as gone:
            done.gone.append(Vanished("thread", number, number, gone.status))
            return
        is_here = not self._homes or page.content.get("repository_url") in self._homes
        if page.content.get("number") == number and is_here:
            done.counts[number] = _count(page.content)
        else:
            done.gone.append(Vanished("thread", number, number, MOVED))

    def _look_for_comments(
        self, loaded: Loaded, vanishings: Vanishings, done: Reconciled
    ) -> None:
        for number, talk in loaded.talks().items():
            if _is_at_odds(talk, done.counts.get(number)):
                there = set(self._comments_of(number))
                back = talk.gone & there
                done.back_count += vanishings.forget("issue_comment", back)
                for key in talk.live - there:
                    self._ask_for_comment("issue_comment", key, number, done)
        url = self._repository.url + REVIEW_COMMENTS.path
        there = {
            row["id"]
            for walked in walk_updated(self._get, url, Plan(self._since))
            for row in walked.rows
            if isinstance(row, dict) and type(row.get("id")) is int
        }
        done.back_count += vanishings.forget("review_comment", there)
        known = loaded.review_comments(self._since, self._repository.now)
        for key, number in known.items():
            if key not in there and number in done.counts:
                self._ask_for_comment("review_comment", key, number, done)

    def _comments_of(self, number: int) -> Iterator[int]:
        url = f"{self._repository.url}/issues/{number}/comments"
        for page in pages_of(self._get, url):
            for row in page.content:
                if isinstance(row, dict) and type(row.get("id")) is int:
                    yield row["id"]

    def _ask_for_comment(
        self, kind: str, key: int, number: int, done: Reconciled
    ) -> None:
        place = "issues" if kind == "issue_comment" else "pulls"
        try:
            self._get(f"{self._repository.url}/{place}/comments/{key}", dict)
        except MissingError as gone:
            done.gone.append(Vanished(kind, key, number, gone.status))


def _is_at_odds(talk: Talk, count: int | None) -> bool:
    """Whether a thread counts too few comments, or enough to have some of them back."""
    if count is None:
        return False
    has_lost = len(talk.live) > count or (talk.counted or 0) > count
    return has_lost or (bool(talk.gone) and len(talk.live) < count)


def _numbered(rows: list[Any]) -> Iterator[dict[str, Any]]:
    for row in rows:
        if isinstance(row, dict) and type(row.get("number")) is int:
            yield row


def _has_home(thread: dict[str, Any]) -> bool:
    return isinstance(thread.get("repository_url"), str)


def _count(thread: dict[str, Any]) -> int | None:
    count = thread.get("comments")
    return count if type(count) is int else None


def told(done: Reconciled, started_at: datetime) -> str:
    """What a pass found, in one line."""
    return (
        f"{done.new_count:,} newly gone, {done.back_count:,} back, as of "
        f"{started_at:%Y-%m-%d %H:%M} UTC"
    )
