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
from datetime import UTC, datetime, timedelta
from typing import Any

import duckdb

from pipelines.coverage import Interval, Plan
from pipelines.github.batches import to_batch
from pipelines.github.client import MissingError, Page
from pipelines.github.models import ISSUE_COMMENTS, REVIEW_COMMENTS, THREADS, Resource
from pipelines.github.paginators import SincePaginator, Walked, instants, pages_of
from pipelines.github.repository import Repository
from pipelines.github.search import Found
from pipelines.github.timeline import ThreadReader
from pipelines.targeted import Chunk, LoadTarget


@dataclass(frozen=True)
class Tombstone:
    """A thread or comment that is gone.

    `kind` is `thread`, `issue_comment` or `review_comment`; `key` is the number of the
    thread or the id of the comment; `status` is what GitHub answers for it: 410, 404,
    or 301 where it has moved to another repository.
    """

    kind: str
    key: int
    number: int
    status: int


class Tombstones:
    """The tombstones of one project in an open warehouse."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, project: str, repository: str
    ) -> None:
        """Read and write through this connection."""
        self._connection = connection
        self._project = project
        self._repository = repository

    def keys(self, kind: str) -> set[int]:
        """The keys of what is known to be gone."""
        rows = self._connection.execute(
            "select cast(row_key as bigint) from raw_github.vanishings"
            " where project = ? and kind = ?",
            [self._project, kind],
        ).fetchall()
        return {key for (key,) in rows}

    def add(self, gone: Iterable[Tombstone], missed_at: datetime) -> int:
        """Write down what is gone, and count the new; the others keep their time."""
        count = 0
        for one in gone:
            if one.key in self.keys(one.kind):
                continue
            count += 1
            self._connection.execute(
                "insert into raw_github.vanishings values (?, ?, ?, ?, ?, ?, ?)",
                [
                    *(self._project, self._repository, one.kind, str(one.key)),
                    *(one.number, one.status, missed_at),
                ],
            )
        return count

    def forget(self, kind: str, back: Iterable[int]) -> int:
        """Take away the tombstones of what is back; count them."""
        returned = self.keys(kind) & set(back)
        self._connection.execute(
            "delete from raw_github.vanishings"
            " where project = ? and kind = ? and list_contains(?, row_key)",
            [self._project, kind, [str(key) for key in returned]],
        )
        return len(returned)


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class ThreadComments:
    """The comments of one thread: those thought to be there, those known to be gone.

    `counted` is how many its row counted when it was loaded; the times are the row's.
    """

    live: frozenset[int]
    gone: frozenset[int]
    counted: int | None
    created_at: datetime
    updated_at: datetime


class Loaded:
    """The rows of one project's repository in an open warehouse."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, project: str, repository: str
    ) -> None:
        """Read through this connection."""
        self._connection = connection
        self._project = project
        self._repository = repository

    def threads(self) -> set[int]:
        """The numbers of all threads."""
        rows = self._connection.execute(
            "select number from raw_github.issues where repository = ?",
            [self._repository],
        ).fetchall()
        return {number for (number,) in rows}

    def talks(self) -> dict[int, ThreadComments]:
        """The comments of each thread, by its number."""
        rows = self._connection.execute(
            """
            select
                threads.number,
                list(comments.id) filter (where gone.row_key is null),
                list(comments.id) filter (where gone.row_key is not null),
                any_value(threads.comment_count),
                epoch_us(any_value(threads.created_at)),
                epoch_us(any_value(threads.updated_at))
            from raw_github.issues as threads
            left join raw_github.issue_comments as comments using (repository, number)
            left join raw_github.vanishings as gone
                on
                    gone.project = ?
                    and gone.kind = 'issue_comment'
                    and gone.row_key = cast(comments.id as varchar)
            where threads.repository = ?
            group by threads.number
            """,
            [self._project, self._repository],
        ).fetchall()
        return {
            number: ThreadComments(
                frozenset(live or ()) - {None},
                frozenset(gone or ()),
                counted,
                *(EPOCH + timedelta(microseconds=one) for one in times),
            )
            for number, live, gone, counted, *times in rows
        }

    def review_comments(self, since: datetime, until: datetime) -> dict[int, int]:
        """Threads' numbers by the ids of comments on diffs last changed in between."""
        rows = self._connection.execute(
            "select id, number from raw_github.review_comments where repository = ?"
            " and epoch_us(updated_at) >= ? and epoch_us(updated_at) < ?",
            [self._repository, _microseconds(since), _microseconds(until)],
        ).fetchall()
        return dict(rows)


def _microseconds(instant: datetime) -> int:
    return (instant - EPOCH) // timedelta(microseconds=1)


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
    gone: list[Tombstone] = field(default_factory=list)
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
        store: LoadTarget,
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

    def reconcile(self, loaded: Loaded, tombstones: Tombstones) -> Reconciled:
        """Compare what is loaded with what there is; load and mark the differences."""
        done = Reconciled()
        talks, known = loaded.talks(), loaded.threads()
        self._look_for_threads(known, done)
        self._look_for_comments(talks, tombstones, done)
        self._look_for_review_comments(loaded, tombstones, done)
        done.late_count = self._chunk.commit(self._store)
        missed = {one.key for one in done.gone if one.kind == "thread"}
        done.back_count += tombstones.forget("thread", done.seen.keys() - missed)
        done.new_count = tombstones.add(done.gone, self._repository.now)
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
        for page in SincePaginator(self._get, url, Plan(covered[0].since)):
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
            done.gone.append(Tombstone("thread", number, number, gone.status))
            return
        home = page.content.get("repository_url")
        is_here = not self._homes or home in self._homes
        if page.content.get("number") == number and is_here:
            self._take_note(page.content, done)
        else:
            done.gone.append(Tombstone("thread", number, number, MOVED))

    def _look_for_comments(
        self, talks: dict[int, ThreadComments], tombstones: Tombstones, done: Reconciled
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
            done.back_count += tombstones.forget("issue_comment", talk.gone & there)
            for page in pages:
                rows = _not_of(page.content, talk.live | talk.gone)
                self._take(ISSUE_COMMENTS, rows, page.date)
            for key in talk.live - there:
                self._ask_for_comment("issue_comment", key, number, done)

    def _look_for_review_comments(
        self, loaded: Loaded, tombstones: Tombstones, done: Reconciled
    ) -> None:
        url, there = self._repository.url + REVIEW_COMMENTS.path, set[int]()
        known = loaded.review_comments(self._since, self._repository.now)
        for page in SincePaginator(self._get, url, Plan(self._since)):
            there |= _ids(page.rows)
            late = _not_of(page.rows, known.keys())
            late = [one for one in late if self._is_covered(REVIEW_COMMENTS, one)]
            self._take(REVIEW_COMMENTS, late, page.date)
        done.back_count += tombstones.forget("review_comment", there)
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
            done.gone.append(Tombstone(kind, key, number, gone.status))


def _is_at_odds(talk: ThreadComments, seen: Seen, covered: Interval | None) -> bool:
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
