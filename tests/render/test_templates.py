"""Laws of the templates: they name columns of the report tables, and nothing else."""

from __future__ import annotations

import re

import pytest
from jinja2 import TemplateSyntaxError, UndefinedError, meta, nodes

from render.engine import FORMATS, TEMPLATES, environment
from render.filters import FILTERS
from render.report import context_of
from render.schema import columns
from render.warehouse import ORDERED, SINGLE
from render.words import read_words

PATHS = sorted(TEMPLATES.rglob("*.j2"))
OF_REPORTS = [path for path in PATHS if path.parent.name != "site"]
# What the renderer adds to the rows, and its parts.
BESIDE = {"pictures", "place", "stem"}
PLACE = {
    *("back", "home", "previous", "following", "languages", "data", "feed"),
    *("url", "label"),
}
COUNTED = {"count", "median", "trend"}
SECTIONS = {"ecosystem", "hot", "notable", "watch", "topics"}
PICTURES = {"share", "heat", "topics", "trend", "title"}
LOOPS = {"first", "last", "index", "index0", "get"}


def jinja_for(path):
    ending = next((e for e in FORMATS if f".{e}." in path.name), path.parent.name)
    return environment(ending if ending in FORMATS else "md", read_words("zh"))


def parsed(path):
    return jinja_for(path).parse(path.read_text("utf-8"))


def column_names() -> set[str]:
    """The columns of all report tables, and the fields of their structs."""
    names = set()
    for table in (*SINGLE, *ORDERED):
        for name, column in columns(table).items():
            names.add(name)
            names |= set(re.findall(r"(\w+) (?=\w)", column["data_type"]))
    return names


@pytest.mark.parametrize("path", OF_REPORTS, ids=lambda path: path.name)
def test_every_name_that_a_template_uses_is_a_column(path) -> None:
    macros = {
        node.name for each in OF_REPORTS for node in parsed(each).find_all(nodes.Macro)
    }
    known = column_names() | PLACE | COUNTED | SECTIONS | PICTURES | LOOPS | macros
    named = {node.attr for node in parsed(path).find_all(nodes.Getattr)}
    for call in parsed(path).find_all(nodes.Filter):
        if call.name == "where":
            named |= {keyword.key for keyword in call.kwargs}
    assert named <= known


@pytest.mark.parametrize("path", OF_REPORTS, ids=lambda path: path.name)
def test_a_template_names_only_tables_and_what_is_beside_them(path, day) -> None:
    tree = parsed(path)
    set_here = {node.name for node in tree.find_all(nodes.Name) if node.ctx == "store"}
    set_here |= {node.name for node in tree.find_all(nodes.Macro)}
    set_here |= {node.target for node in tree.find_all(nodes.Import)}
    undeclared = meta.find_undeclared_variables(tree) - set_here
    assert undeclared <= set(context_of(day)) | BESIDE | set(jinja_for(path).globals)


def test_every_report_table_is_read_by_a_template() -> None:
    named = set().union(
        *(meta.find_undeclared_variables(parsed(path)) for path in OF_REPORTS)
    )
    # The lists of the sections, made of three tables.
    indirect = {"ecosystem_threads", "hot_threads", "notable_changes", "watch_list"}
    assert named >= {*SINGLE, *ORDERED} - indirect


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_a_template_builds_no_text_in_an_expression(path) -> None:
    """Joined text could carry one stranger's words past the escaping of another's."""
    built = (nodes.Concat, nodes.Mul, nodes.Mod, nodes.MarkSafe)
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
            environment(ending, read_words("zh")).from_string(source).render(x={})


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
