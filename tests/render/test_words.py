"""Laws of the locale files: the same keys, all of them used, the same placeholders."""

from __future__ import annotations

import csv
import string
from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import nodes

from pipelines.errors import MisconfiguredError
from render.engine import FORMATS, TEMPLATES, environment
from render.filters import LISTINGS, WEEKDAYS
from render.words import Words, known_languages, read_words

SEEDS = Path(__file__).parents[2] / "dbt_project" / "seeds"


def seeded(seed: str, column: str) -> set[str]:
    with (SEEDS / f"{seed}.csv").open(encoding="utf-8") as lines:
        return {row[column] for row in csv.DictReader(lines)}


DRAWN = {"trend", "share", "heat", "topics"}
"""The pictures, whose words are said by `render.charts`."""
WORDED = ("span", "spans", "stepwise")
WORDED_VALUES = {
    "report_kind": {"day", "week", "month", "custom"},
    **{
        group: {"day", "week", "month", "custom"}
        for group in ("span", "spans", "span_before", "stepwise")
    },
    "kind": {"issue", "pr"},
    "role": {"author", "maintainer", "contributor", "other", "automation"},
    "roles": {"author", "maintainer", "contributor", "other", "automation"},
    "count": set(LISTINGS),
    "listing": set(LISTINGS),
    "event": set(LISTINGS),
    "status": {"open", "draft", "merged", "closed"},
    "relation": {
        *("reverts", "fixes", "mentions"),
        *("reverted_by", "fixed_by", "mentioned_by"),
    },
    "tier": {"1", "2", "3", "4", "5"},
    "signal": {"label", "title", "body", "author", "path", "comment"},
    "completeness": {"synced", "targeted", "partial"},
    "stream": {"threads", "issue_comments", "review_comments", "issue_events"},
    "reason": {"first", "last", "maintainer", "cites"},
    "chip": {
        "proposal",
        *seeded("change_kinds", "change_kind"),
        *seeded("severities", "severity"),
    },
    **{
        group: set(LISTINGS)
        for group in ("batch_listing", "ecosystem_count", "event_done")
    },
    "outcome": {"merged", "closed", "reopened", "still_hot", "went_on", "cooled_off"},
    "watch_reason": {"severity", "affected_people", "waiting", "unlinked"},
    "affiliation_source": seeded("ecosystem_people", "source"),
    "first_timer_basis": {"history", "association"},
    "language": set(known_languages()),
    "weekday": set(WEEKDAYS),
    "weekday_short": set(WEEKDAYS),
}


def calls(function: str) -> Iterator[nodes.Call]:
    jinja = environment("md", read_words("zh"))
    for path in TEMPLATES.rglob("*.j2"):
        for call in jinja.parse(path.read_text("utf-8")).find_all(nodes.Call):
            if isinstance(call.node, nodes.Name) and call.node.name == function:
                yield call


def constant(call: nodes.Call) -> str:
    first = call.args[0]
    assert isinstance(first, nodes.Const), "a key that is computed cannot be checked"
    return str(first.value)


def forms(words: Words, key: str) -> list[str]:
    sentence = words.sentences[key]
    return [sentence] if isinstance(sentence, str) else list(sentence.values())


def test_all_languages_have_the_same_keys() -> None:
    keys = {name: set(read_words(name).sentences) for name in known_languages()}
    assert known_languages() == ["en", "zh"]
    assert keys["zh"] == keys["en"]


def test_every_key_is_said_somewhere_and_every_said_key_exists() -> None:
    said = {"separator", "appendix.more", "picture.counts_read"}
    said |= {f"picture.{name}{end}" for name in DRAWN for end in ("", "_read")}
    said |= {f"duration.{unit}" for unit in ("minutes", "hours", "days")}
    # Headings that the page's contents name in a loop are said by themselves as well.
    groups = set(WORDED)
    for call in calls("say"):
        if isinstance(call.args[0], nodes.Const):
            is_group = any(keyword.key == "of" for keyword in call.kwargs)
            (groups if is_group else said).add(str(call.args[0].value))
        elif isinstance(call.args[0], nodes.CondExpr):
            said |= {str(each.value) for each in call.args[0].find_all(nodes.Const)}
    for name in ("word", "words", "quoted_word"):
        groups |= {constant(call) for call in calls(name)}
    keys = set(read_words("zh").sentences)
    in_groups = {key for key in keys if key.rpartition(".")[0] in groups}
    assert said <= keys
    assert keys == said | in_groups


@pytest.mark.parametrize("group", WORDED_VALUES)
def test_every_value_of_a_closed_set_has_a_word_and_no_other_has(group: str) -> None:
    keys = read_words("en").sentences
    found = {key.rpartition(".")[2] for key in keys if key.rpartition(".")[0] == group}
    assert found == WORDED_VALUES[group]


def test_the_languages_fill_in_the_same_values() -> None:
    zh, en = read_words("zh"), read_words("en")
    for key in zh.sentences:
        named = {
            language.language: {
                name
                for form in forms(language, key)
                for _, name, _, _ in string.Formatter().parse(form)
                if name
            }
            for language in (zh, en)
        }
        assert named["zh"] == named["en"], key


def test_a_sentence_counts_where_its_language_does() -> None:
    en, html = read_words("en"), FORMATS["html"]
    assert en.say("activity.people", html, count=1) == "1 person took part"
    assert en.say("activity.people", html, count=0) == "0 people took part"


def test_a_value_cannot_become_structure() -> None:
    words = Words("xx", {"by": "*by* {login}, {login}"})
    said = words.say("by", FORMATS["md"], login="[x](y) {login}")
    assert said == r"\*by\* " + ", ".join([r"\[x\](y) {login}"] * 2)
    assert "<b>" not in words.say("by", FORMATS["html"], login="<b>")


def test_a_value_without_a_word_stands_for_itself() -> None:
    assert read_words("zh").word("status", "converted") == "converted"


def test_an_unknown_language_names_the_known_ones() -> None:
    for name in ("fr", "", "../locales/zh", "ZH"):
        with pytest.raises(MisconfiguredError, match="en, zh"):
            read_words(name)
