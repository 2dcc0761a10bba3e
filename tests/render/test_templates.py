"""Laws of the templates: they say what the context documents, and all of it."""

from __future__ import annotations

import dataclasses
import inspect

import pytest
from jinja2 import TemplateSyntaxError, UndefinedError, meta, nodes

from render import context, places
from render.engine import FORMATS, TEMPLATES, environment
from render.filters import FILTERS
from render.words import read_words

PATHS = sorted(TEMPLATES.rglob("*.j2"))
# What an including template's loop hands to its parts.
HANDED = {
    "_affiliation.j2": {"affiliation"},
    "_author.md.j2": {"thread"},
    "_highlights.j2": {"thread"},
    "_reverted_by.j2": {"thread"},
    "_effect.html.j2": {"thread"},
    "_effect.md.j2": {"thread"},
    "_fixed.j2": {"thread"},
    "_group_heading.j2": {"group"},
    "_group_reason.j2": {"group"},
    "_size.j2": {"thread"},
    "_ecosystem_thread.html.j2": {"thread", "heading"},
    "_ecosystem_thread.md.j2": {"thread"},
    "_followup.j2": {"thread"},
    "_linked.html.j2": {"thread"},
    "_linked.md.j2": {"thread"},
    "_pace.j2": {"thread"},
    "_roles.j2": {"thread"},
    "_status.j2": {"thread"},
    "_topic_numbers.j2": {"topic"},
    "_watch_reasons.j2": {"thread"},
    # What `render.lists` gives to the pages that are no report.
    "feed.xml.j2": {"site_url", "items", "updated_at"},
    "home.html.j2": {"age", "languages", "shelves", "tool_version"},
    "project.html.j2": {
        *("age", "home", "languages", "shelf", "tool_version", "weekdays"),
    },
}
# What the engine adds to every report.
BESIDE = {"pictures", "place"}
# Drawn in every format, told in numbers on the page only.
DRAWN = {"trend", "comment_hours"}
# Looked up by the engine's `named`.
NAMED = {"titles"}
# In the JSON alone: a reader is shown comments and people, no score or ratio.
UNPRINTED = {
    "HotThread": {
        *("heat_score", "heat_level", "velocity_ratio", "comment_count"),
        *("comments_per_hour", "comments_per_day", "peak_hour_comment_count"),
    },
    "Participant": {"first_comment_at", "last_comment_at"},
}
FIELDS = {field.name for field in dataclasses.fields(context.Report)}
PARTS = [
    part
    for module in (context, places)
    for _, part in inspect.getmembers(module, inspect.isclass)
    if dataclasses.is_dataclass(part)
]


def jinja_for(name: str):
    ending = next((e for e in FORMATS if f".{e}." in name), "md")
    return environment(ending, read_words("zh"))


def parsed(path):
    return jinja_for(path.name).parse(path.read_text("utf-8"))


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_a_template_names_only_what_the_context_has(path) -> None:
    undeclared = meta.find_undeclared_variables(parsed(path))
    known = FIELDS | BESIDE | set(jinja_for(path.name).globals)
    known |= HANDED.get(path.name, set())
    assert undeclared <= known


@pytest.mark.parametrize(("ending", "drawn"), [("html", set()), ("md", DRAWN)])
def test_every_field_of_the_report_is_said_in_every_format(
    ending: str, drawn: set[str]
) -> None:
    named = set()
    for path in PATHS:
        if f".{ending}." in path.name or path.name.count(".") == 1:
            named |= meta.find_undeclared_variables(parsed(path))
    assert named >= FIELDS - drawn


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.__name__)
def test_every_documented_field_is_said_somewhere(part) -> None:
    said = {
        node.attr for path in PATHS for node in parsed(path).find_all(nodes.Getattr)
    } | (FIELDS | NAMED)
    unsaid = {field.name for field in dataclasses.fields(part)} - said
    assert unsaid == UNPRINTED.get(part.__name__, set()) - said


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.__name__)
def test_every_field_is_documented(part) -> None:
    lines = inspect.getsource(part).splitlines()
    for field in dataclasses.fields(part):
        [at] = [i for i, x in enumerate(lines) if x.startswith(f"    {field.name}: ")]
        assert lines[at + 1].startswith('    """'), field.name


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_a_template_builds_no_text_in_an_expression(path) -> None:
    """Joined text could carry one stranger's words past the escaping of another's."""
    built = (nodes.Concat, nodes.Add, nodes.Mul, nodes.Mod, nodes.MarkSafe)
    assert not list(parsed(path).find_all(built))


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_no_template_names_an_ecosystem(path) -> None:
    source = path.read_text("utf-8").lower()
    assert not [name for name in ("amd", "rocm", "nvidia", "tpu") if name in source]


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("source", ["{{ x | safe }}", "{{ [x] | join }}"])
def test_jinjas_own_filters_are_not_to_be_had(ending: str, source: str) -> None:
    assert set(environment(ending, read_words("zh")).filters) == set(FILTERS)
    with pytest.raises(TemplateSyntaxError, match="No filter named"):
        environment(ending, read_words("zh")).from_string(source)


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("value", [None, 0.5, True, ["a"], object()])
def test_a_value_without_a_format_is_not_printed(ending: str, value) -> None:
    template = environment(ending, read_words("zh")).from_string("{{ x }}")
    with pytest.raises(TypeError, match="use a filter"):
        template.render(x=value)


@pytest.mark.parametrize("ending", FORMATS)
def test_a_name_that_does_not_exist_is_an_error(ending: str) -> None:
    for source in ("{{ nowhere }}", "{% if nowhere %}{% endif %}", "{{ x.nowhere }}"):
        with pytest.raises((UndefinedError, TypeError)):
            environment(ending, read_words("zh")).from_string(source).render(x=1)


def test_a_strangers_text_is_escaped_without_being_asked() -> None:
    shown = {
        ending: environment(ending, read_words("zh"))
        .from_string("{{ x }}{% macro m(x) %}{{ x }}{% endmacro %} {{ m(x) }}")
        .render(x="<b>*")
        for ending in FORMATS
    }
    assert shown["xml"] == shown["html"]
    assert shown["md"] == r"\<b>\* \<b>\*"
    assert shown["html"] == "&lt;b&gt;* &lt;b&gt;*"
