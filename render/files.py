"""The files of one report: documents, pictures, data. Pure: names and contents."""

from render import machine
from render.context import Report
from render.engine import render
from render.pictures import drawn_for, picture_files
from render.words import Words

DOCUMENTS = ("md", "html")


def report_files(report: Report, *, stem: str, words: Words) -> dict[str, str]:
    """Everything that `day` writes beside each other, by file name.

    Pictures come first: no document is there before what it shows.
    """
    named = f"{stem}.{words.language}"
    pictures = drawn_for(report, words=words, named=named)
    return {
        **picture_files(pictures),
        **{
            f"{named}.{ending}": render(
                report, ending=ending, words=words, pictures=pictures
            )
            for ending in DOCUMENTS
        },
        f"{stem}.json": machine.document(report),
    }
