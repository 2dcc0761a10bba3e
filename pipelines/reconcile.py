"""What is loaded and gone from GitHub, and what is there and was never loaded.

No list with `since` shows what has vanished, nor what became visible again with its old
times: the threads and comments of an account that GitHub had hidden for a while. So
this pass walks the list of threads that changed in the times that are covered, and
loads, each with its timeline, those that it shows and that are not here. Known threads
that it does not show are looked for in the list of all threads, from the newest back,
and, where fewer of them are left than pages, asked for one by one. Comments are listed
again in the threads that count fewer or more of them than are loaded; comments on
diffs, which no thread counts, are listed again for the last BASELINE_DAYS days. Nothing
is believed gone before its own address says so.

What it costs, in requests: the covered threads ÷ 100; one for each thread that is
loaded late; three for each thread or comment that is gone (a passing 404 is asked for
again); comments ÷ 100 of each thread that counts too few or too many, at least one; and
the comments on diffs of those days ÷ 100. Threads that were read for a targeted window
cost one request each, or the list of all threads ÷ 100 where that is less.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from pipelines.chunk import Chunk, Store
from pipelines.coverage import Interval, Plan
from pipelines.github.answers import MissingError, Page
from pipelines.github.batches import to_batch
from pipelines.github.comments import ISSUE_COMMENTS
from pipelines.github.pages import pages_of
from pipelines.github.paging import Walked, instants, walk_updated
from pipelines.github.repository import Repository
from pipelines.github.resource import Resource
from pipelines.github.review_comments import REVIEW_COMMENTS
from pipelines.github.search import Found
from pipelines.github.thread_reader import ThreadReader
from pipelines.github.threads import THREADS
from pipelines.loaded import Loaded, Talk
from pipelines.vanishings import Vanished, Vanishings

Get = Callable[..., Page]

MOVED = 301


@dataclass(frozen=True)
class Seen:
    """A thread as GitHub shows it: how many comments it counts, and its last change."""

    count: int | None
    updated_at: datetime | None


@dataclass
class Reconciled:
    """What one pass came to know; `seen` holds the threads that are there."""

    seen: dict[int, Seen] = field(default_factory=dict)
    gone: list[Vanished] = field(default_factory=list)
    new_count: int = 0
    back_count: int = 0
    late_count: int = 0


class Reconciler:
    """One pass over one repository; `reach` is how far back diffs' comments go."""

    def __init__(
        self,
        get: Get,
        repository: Repository,
        slug: str,
        store: Store,
        *,
        reach: timedelta,
    ) -> None:
        """Ask nothing yet. What is loaded late goes into the store, under `slug`."""
        self._get = get
        self._repository = repository
        self._slug = slug
        self._store = store
        self._chunk = Chunk()
        self._since = repository.now - reach
        self._homes: set[str] = set()

    def reconcile(self, loaded: Loaded, vanishings: Vanishings) -> Reconciled:
        """Compare what is loaded with what there is; load and mark the differences."""
        done = Reconciled()
        talks, known = loaded.talks(), loaded.threads()
        self._look_for_threads(known, done)
        self._look_for_comments(talks, vanishings, done)
        self._look_for_review_comments(loaded, vanishings, done)
        done.late_count = self._chunk.commit(self._store)
        missed = {one.key for one in done.gone if one.kind == "thread"}
        done.back_count += vanishings.forget("thread", done.seen.keys() - missed)
        done.new_count = vanishings.add(done.gone, self._repository.now)
        return done

    def _look_for_threads(self, known: set[int], done: Reconciled) -> None:
        for found in self._changed_threads():
            number = found.payload["number"]
            self._take_note(found.payload, done)
            if number not in known and self._is_covered(THREADS, found.payload):
                self._load(number, found)
        if not known:
            return
        listed = f"{self._repository.url}/issues?state=all&sort=created&direction=desc"
        pages, lowest = pages_of(self._get, listed), max(known) + 1
        while sum(n < lowest for n in known - done.seen.keys()) > lowest // 100:
            page = next(pages, None)
            if page is None:
                break
            shown = list(_numbered(page.content))
            for payload in shown:
                self._take_note(payload, done)
            lowest = min((one["number"] for one in shown), default=0)
        for number in sorted(known - done.seen.keys()):
            self._ask_for_thread(number, done)

    def _changed_threads(self) -> Iterator[Found]:
        """The threads last changed since the first covered time."""
        covered = self._store.ledger.covered(THREADS.stream)
        if not covered:
            return
        url = self._repository.url + THREADS.path
        for page in walk_updated(self._get, url, Plan(covered[0].since)):
            for payload in _numbered(page.rows):
                yield Found(payload, page.date)

    def _take_note(self, payload: dict[str, Any], done: Reconciled) -> None:
        if isinstance(payload.get("repository_url"), str):
            self._homes.add(payload["repository_url"])
        count, times = payload.get("comments"), instants([payload], "updated_at")
        done.seen[payload["number"]] = Seen(
            count if type(count) is int else None, times[0] if times else None
        )

    def _is_covered(self, resource: Resource, payload: Any) -> bool:
        """Whether a row is from a time of which all rows should be here."""
        intervals = self._store.ledger.covered(resource.stream)
        return any(
            one.holds(at)
            for at in instants([payload], "updated_at")
            for one in intervals
        )

    def _load(self, number: int, found: Found) -> None:
        reader = ThreadReader(self._get, self._repository.url, self._slug)
        if read := reader.read(number, found):
            self._chunk.add(read)
        if self._chunk.is_due:
            self._chunk.commit(self._store)

    def _ask_for_thread(self, number: int, done: Reconciled) -> None:
        try:
            page = self._get(f"{self._repository.url}/issues/{number}", dict)
        except MissingError as gone:
            done.gone.append(Vanished("thread", number, number, gone.status))
            return
        home = page.content.get("repository_url")
        is_here = not self._homes or home in self._homes
        if page.content.get("number") == number and is_here:
            self._take_note(page.content, done)
        else:
            done.gone.append(Vanished("thread", number, number, MOVED))

    def _look_for_comments(
        self, talks: dict[int, Talk], vanishings: Vanishings, done: Reconciled
    ) -> None:
        intervals = self._store.ledger.covered(ISSUE_COMMENTS.stream)
        covered = intervals[-1] if intervals else None
        for number, talk in talks.items():
            seen = done.seen.get(number)
            if seen is None or not _is_at_odds(talk, seen, covered):
                continue
            pages = list(
                pages_of(self._get, f"{self._repository.url}/issues/{number}/comments")
            )
            there = _ids(row for page in pages for row in page.content)
            done.back_count += vanishings.forget("issue_comment", talk.gone & there)
            for page in pages:
                rows = _not_of(page.content, talk.live | talk.gone)
                self._take(ISSUE_COMMENTS, rows, page.date)
            for key in talk.live - there:
                self._ask_for_comment("issue_comment", key, number, done)

    def _look_for_review_comments(
        self, loaded: Loaded, vanishings: Vanishings, done: Reconciled
    ) -> None:
        url, there = self._repository.url + REVIEW_COMMENTS.path, set[int]()
        known = loaded.review_comments(self._since, self._repository.now)
        for page in walk_updated(self._get, url, Plan(self._since)):
            there |= _ids(page.rows)
            late = _not_of(page.rows, known.keys())
            late = [one for one in late if self._is_covered(REVIEW_COMMENTS, one)]
            self._take(REVIEW_COMMENTS, late, page.date)
        done.back_count += vanishings.forget("review_comment", there)
        for key, number in known.items():
            if key not in there and number in done.seen:
                self._ask_for_comment("review_comment", key, number, done)

    def _take(self, resource: Resource, rows: list[Any], date: datetime) -> None:
        if rows:
            page = Walked(rows, date)
            self._chunk.batches.append(to_batch(resource, self._slug, page, date, date))

    def _ask_for_comment(
        self, kind: str, key: int, number: int, done: Reconciled
    ) -> None:
        place = "issues" if kind == "issue_comment" else "pulls"
        try:
            self._get(f"{self._repository.url}/{place}/comments/{key}", dict)
        except MissingError as gone:
            done.gone.append(Vanished(kind, key, number, gone.status))


def _is_at_odds(talk: Talk, seen: Seen, covered: Interval | None) -> bool:
    """Whether a thread counts too few comments for what is loaded, or too many.

    Too many are told by a count that grew without a later `updated_at`, and where
    comments are covered for the whole life of the thread. `covered` is the newest
    interval that they are covered for.
    """
    count, here = seen.count, len(talk.live)
    if count is None:
        return False
    if here > count or (talk.counted or 0) > count:
        return True
    if here == count or seen.updated_at is None:
        return False
    is_covered = covered is not None and (
        covered.holds(talk.created_at) and covered.holds(seen.updated_at)
    )
    has_grown = count > (talk.counted or 0) and seen.updated_at == talk.updated_at
    return bool(talk.gone) or is_covered or has_grown


def _ids(rows: Iterable[Any]) -> set[int]:
    return {
        row["id"]
        for row in rows
        if isinstance(row, dict) and type(row.get("id")) is int
    }


def _not_of(rows: list[Any], known: Collection[int]) -> list[Any]:
    return [row for row in rows if _ids([row]) - set(known)]


def _numbered(rows: list[Any]) -> Iterator[dict[str, Any]]:
    for row in rows:
        if isinstance(row, dict) and type(row.get("number")) is int:
            yield row


def told(done: Reconciled, started_at: datetime) -> str:
    """What a pass found, in one line."""
    return (
        f"{done.new_count:,} newly gone, {done.back_count:,} back, {done.late_count:,} "
        f"rows loaded late, as of {started_at:%Y-%m-%d %H:%M} UTC"
    )
