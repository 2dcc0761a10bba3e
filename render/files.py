"""The files of one report: documents, pictures, data. Pure: names and contents."""

from render import escaping, machine
from render.context import Report
from render.engine import render
from render.pictures import drawn_for, picture_files
from render.posting import postable
from render.words import Format, Words

DOCUMENTS = ("md", "html")
MARKDOWN = Format(untrusted=escaping.markdown, own=escaping.markdown_words)


def report_files(report: Report, *, stem: str, words: Words) -> dict[str, str]:
    """Everything that `day` writes beside each other, by file name.

    Pictures come first: no document is there before what it shows.
    """
    named = f"{stem}.{words.language}"
    pictures = drawn_for(report, words=words, named=named)
    documents = {
        ending: render(report, ending=ending, words=words, pictures=pictures)
        for ending in DOCUMENTS
    }
    return {
        **picture_files(pictures),
        **{f"{named}.{ending}": text for ending, text in documents.items()},
        f"{named}.post.md": postable(
            documents["md"],
            appendix=f"## {words.say('appendix.heading', MARKDOWN)}",
            more=lambda count: words.say("appendix.more", MARKDOWN, count=count),
        ),
        f"{stem}.json": machine.document(report),
    }
