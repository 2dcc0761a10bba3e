"""What a thread is linked with, from a `linked_threads` column."""

from collections import defaultdict

from render import context
from render.cells import Row, integer, maybe_text, structs, text
from render.escaping import safe_url


def linked_threads(row: Row) -> tuple[context.LinkedThread, ...]:
    """Links to threads that the warehouse knows, in the table's order."""
    return tuple(
        context.LinkedThread(
            number=integer(linked, "number"),
            url=safe_url(maybe_text(linked, "url")),
            title=text(linked, "title"),
            status=text(linked, "status"),
            relation=text(linked, "relation"),
        )
        for linked in structs(row, "linked_threads")
        if maybe_text(linked, "title") is not None
    )


def bare_links(row: Row) -> tuple[context.BareLinks, ...]:
    """Links to threads without a title, gathered by relation in order of appearance.

    GitHub leads `issues/<number>` on to the pull request where the number is one's.
    """
    by_relation: dict[str, list[context.BareThread]] = defaultdict(list)
    for linked in structs(row, "linked_threads"):
        if maybe_text(linked, "title") is None:
            repository, _, number = text(linked, "thread_id").rpartition("#")
            url = safe_url(f"https://github.com/{repository}/issues/{number}")
            by_relation[text(linked, "relation")].append(
                context.BareThread(number=integer(linked, "number"), url=url)
            )
    return tuple(
        context.BareLinks(relation, tuple(threads))
        for relation, threads in by_relation.items()
    )
