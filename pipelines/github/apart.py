"""Reading in a process of its own, so that it does not wait for the loading.

Both are work for a processor, and one Python does only one thing at a time. The child
is forked, so it starts at once and knows what its parent knows; it never touches the
warehouse, and it ends with its parent, however that ends. Where forking is not safe
(anywhere but on Linux), the lanes are read in this process.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from pipelines.coverage import Plan
from pipelines.exits import StoppedError
from pipelines.github.parcels import unpacked
from pipelines.github.source import BY_STREAM, HEARTBEAT, Lanes, Pages

CAN_FORK = sys.platform == "linux"

SIGNALS = (signal.SIGINT, signal.SIGTERM)


def pages(lanes: Lanes, plans: Mapping[str, Plan]) -> Pages:
    """What `lanes.pages` gives, read by a process of its own where that is safe."""
    return _pages_apart(lanes, plans) if CAN_FORK else lanes.pages(plans)


def _pages_apart(lanes: Lanes, plans: Mapping[str, Plan]) -> Pages:
    receiving, sending = multiprocessing.Pipe(duplex=False)
    lifeline, held = multiprocessing.Pipe(duplex=False)
    context = multiprocessing.get_context("fork")
    child = context.Process(
        target=_read, args=[lanes, plans, sending, lifeline, held], daemon=True
    )
    with _undisturbed():
        child.start()
    sending.close()
    lifeline.close()
    try:
        yield from _received(receiving, lanes, child)
    finally:
        held.close()
        child.kill()
        child.join()
        receiving.close()


def _received(receiving: Connection, lanes: Lanes, child: BaseProcess) -> Pages:
    while True:
        if not receiving.poll(HEARTBEAT):
            yield None
            continue
        try:
            kind, content, spoken = pickle.loads(receiving.recv_bytes())
        except EOFError:
            child.join()
            raise StoppedError(
                f"The reading of GitHub's lists was ended from outside (code "
                f"{child.exitcode}). What was loaded is kept: run the same command "
                "again."
            ) from None
        lanes.client.take_over(spoken)
        if kind == "page":
            yield unpacked(content, BY_STREAM)
        elif kind == "said":
            lanes.client.patience.say(content)
        elif kind == "raised":
            raise content
        elif kind == "idle":
            yield None
        else:
            return


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Hold signals back while the process forks; the child is left without them.

    No warning is due about threads either: they are DuckDB's, whose locks the child
    never takes.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _read(
    lanes: Lanes,
    plans: Mapping[str, Plan],
    sending: Connection,
    lifeline: Connection,
    held: Connection,
) -> None:
    """All that the child does: send what the lanes give, and how they ended."""
    gc.freeze()  # What is its parent's, an open database too, is not for it to close.
    held.close()
    threading.Thread(target=_end_with_parent, args=[lifeline], daemon=True).start()
    client, lock = lanes.client, threading.Lock()

    def send(kind: str, content: Any = None) -> None:
        message = pickle.dumps(
            (kind, content, client.spoken()), pickle.HIGHEST_PROTOCOL
        )
        with lock:
            sending.send_bytes(message)

    client.patience.say = lambda line: send("said", line)
    try:
        for data in lanes.packed(plans):
            send("idle" if data is None else "page", data)
        send("ended")
    except BaseException as error:
        send("raised", _sendable(error))


def _end_with_parent(lifeline: Connection) -> None:
    """End this process once the other end of the line is closed, in whatever way."""
    with suppress(OSError, EOFError):
        lifeline.recv_bytes()
    os._exit(1)


def _sendable(error: BaseException) -> BaseException:
    """The error with its story, or one like it where it cannot be sent as it is."""
    error.add_note("".join(traceback.format_exception(error)))
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
