"""The site's files of one window: its pages in every language, and its data.

Batches of windows are made in processes of their own where there are enough of them;
each opens the warehouse for itself, to read.
"""

import dataclasses
import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from pipelines import __version__
from render import machine
from render.assemble import assemble
from render.context import Report
from render.engine import render
from render.pictures import drawn_for
from render.publish import report_stem
from render.site import ReportPage
from render.warehouse import Frames, open_warehouse, read_all_frames
from render.words import read_words

BATCH = 12
"""Windows that one process makes at a time; up to so many are not worth another."""
MOST_PROCESSES = 4

Window = Sequence[ReportPage]
"""The pages of one window."""


def made_files(warehouse: Path, windows: Sequence[Window]) -> Iterator[dict[str, str]]:
    """The files of all windows by path, a batch at a time and in their order."""
    batches = [windows[at : at + BATCH] for at in range(0, len(windows), BATCH)]
    make = partial(_batch, warehouse)
    processes = min(MOST_PROCESSES, len(batches), os.cpu_count() or 1)
    if processes < 2:
        yield from map(make, batches)
        return
    # Not by forking: the drawing engine has threads.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        yield from pool.map(make, batches)


def _batch(warehouse: Path, windows: Sequence[Window]) -> dict[str, str]:
    files: dict[str, str] = {}
    with open_warehouse(warehouse) as connection:
        frames = read_all_frames(
            connection, [pages[0].window.window_id for pages in windows]
        )
    for pages in windows:
        files |= window_files(pages, frames[pages[0].window.window_id])
    return files


def window_files(pages: Window, frames: Frames) -> dict[str, str]:
    """All files of one window."""
    report = settled(assemble(frames, tool_version=__version__))
    window = pages[0].window
    stem = report_stem(window.window_id)
    files = {f"{window.project}/{stem}.json": machine.document(report)}
    for page in pages:
        words = read_words(page.language)
        files[page.path] = render(
            report,
            ending="html",
            words=words,
            pictures=drawn_for(report, words=words, named=stem),
            place=page.place,
        )
    return files


def settled(report: Report) -> Report:
    """The report without what every sync moves: how far the newest one reaches.

    A complete window rests on streams that cover it; how much later they end is the
    project's page's to tell, or each of these pages would be new every day.
    """
    still = dataclasses.replace(report.provenance, data_as_of_at=None, streams=())
    return dataclasses.replace(report, provenance=still)
