"""Topics, from `rpt_topics`: named, and sorted out by the table's own verdict."""

from collections.abc import Mapping

from render import context
from render.cells import Row, flag, integer, maybe_float, maybe_text, structs, text
from render.escaping import safe_url

# Of topics that neither rise nor fall, those that a reader still wants to see.
SHOWN_BUSY = 6
TITLE = "title_"

Names = Mapping[str, context.TopicName]


def topic_names(found: list[Row]) -> Names:
    """The names of the window's topics, by key."""
    return {text(row, "topic"): _name(row) for row in found}


def named(names: Names, key: str) -> context.TopicName:
    """A topic's name; one that the window's table does not hold goes by its key."""
    return names.get(key) or context.TopicName(key=key, titles={})


def topics_section(found: list[Row]) -> context.Topics:
    """The topics that rise, fall, or are merely busy, each in the table's order."""
    busy = [
        row
        for row in found
        if not flag(row, "is_rising") and not flag(row, "is_falling")
    ]
    return context.Topics(
        is_compared=any(maybe_float(row, "usual_share") is not None for row in found),
        rising=tuple(_topic(row) for row in found if flag(row, "is_rising")),
        busy=tuple(_topic(row) for row in busy[:SHOWN_BUSY]),
        falling=tuple(_topic(row) for row in found if flag(row, "is_falling")),
    )


def _name(row: Row) -> context.TopicName:
    titles = {
        column.removeprefix(TITLE): text(row, column)
        for column in row
        if str(column).startswith(TITLE) and maybe_text(row, column) is not None
    }
    return context.TopicName(key=text(row, "topic"), titles=titles)


def _topic(row: Row) -> context.Topic:
    return context.Topic(
        name=_name(row),
        thread_count=integer(row, "thread_count"),
        share=maybe_float(row, "share"),
        usual_share=maybe_float(row, "usual_share"),
        lift=maybe_float(row, "lift"),
        threads=tuple(
            context.TopicThread(
                kind=text(thread, "kind"),
                number=integer(thread, "number"),
                url=safe_url(maybe_text(thread, "url")),
                title=text(thread, "title"),
                status=text(thread, "status"),
            )
            for thread in structs(row, "threads")
        ),
    )
