"""What was read ahead of the loading, bounded by its size and not by its number."""

from __future__ import annotations

import queue
from collections import deque

# A page waits as bytes, or a failure instead of one; None is a lane's end.
Item = bytes | BaseException | None


class Ahead(queue.Queue[Item]):
    """A queue that is full once it holds so many bytes; one item more may always be."""

    def _init(self, maxsize: int) -> None:
        self._items: deque[Item] = deque()
        self._bytes = 0

    def _qsize(self) -> int:
        return self._bytes

    def _put(self, item: Item) -> None:
        self._items.append(item)
        self._bytes += _size(item)

    def _get(self) -> Item:
        item = self._items.popleft()
        self._bytes -= _size(item)
        return item


def _size(item: Item) -> int:
    return len(item) if isinstance(item, bytes) else 1
