from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.github.batches import set_aside, to_batch
from pipelines.github.client import next_link, parsed
from pipelines.github.models import RESOURCES, UnfitError, clean, instant, label_names
from pipelines.github.paginators import Walked
from tests.pipelines.scripted import (
    SLUG,
    comment,
    event,
    issue,
    pull,
    review_comment,
)

WHEN = "2026-03-04T12:00:00Z"
NOW = datetime(2026, 3, 5, 4, tzinfo=UTC)
THREADS, EVENTS, COMMENTS, REVIEW_COMMENTS = RESOURCES

ANY_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from([WHEN, "2026-03-04", "x\x00y", "\ud83d", 2**63, -1]),
    lambda some: (
        st.lists(some, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["id", "login", "name", "slug", "number", "merged_at", "from"]
            ),
            some,
            max_size=4,
        )
    ),
    max_leaves=8,
)
EXAMPLES = {
    "threads": pull(1, WHEN),
    "issue_events": event(1, WHEN),
    "issue_comments": comment(1, WHEN),
    "review_comments": review_comment(1, WHEN),
}


def row(resource: Any, payload: Any) -> Any:
    return resource.to_row(payload)


@pytest.mark.parametrize("resource", RESOURCES, ids=lambda one: one.stream)
@given(data=st.data())
def test_whatever_github_sends_becomes_a_storable_row_or_is_set_aside(
    resource: Any, data: st.DataObject
) -> None:
    payload = dict(EXAMPLES[resource.stream])
    for key in data.draw(st.lists(st.sampled_from(sorted(payload)), max_size=4)):
        payload[key] = data.draw(ANY_JSON)
    page = Walked([payload, EXAMPLES[resource.stream]], NOW)
    batch = to_batch(resource, SLUG, page, NOW, NOW)
    assert len(batch.rows) + len(batch.unfit) == 2
    assert batch.rows  # the good one is never lost with the bad one
    table = pa.Table.from_pylist(batch.rows, schema=resource.schema)
    table.validate(full=True)
    for one in batch.unfit:
        assert one.reason
        one.payload.encode()


def test_b1_a_null_user_is_kept_without_a_name() -> None:
    made = row(COMMENTS, comment(1, WHEN, user=None))
    assert made["user_id"] is made["user_login"] is made["user_type"] is None


def test_b5_b6_nuls_and_lone_surrogates_become_the_replacement_character() -> None:
    body = parsed(b'{"body": "a\\u0000b \\ud83d c"}')["body"]
    assert clean(body) == "a\N{REPLACEMENT CHARACTER}b \N{REPLACEMENT CHARACTER} c"


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00")))
def test_b7_all_other_text_is_kept_as_it_is(text: str) -> None:
    assert clean(text) == text


def test_b7_surrogate_pairs_are_one_character_and_stay() -> None:
    assert clean(parsed(b'"\\ud83d\\ude80"')) == "🚀"


def test_b9_text_that_looks_like_a_time_stays_text() -> None:
    made = row(THREADS, issue(1, WHEN, title=WHEN, labels=[{"name": WHEN}]))
    assert (made["title"], made["labels"]) == (WHEN, [WHEN])


def test_b10_b11_labels_keep_their_order_and_commas_in_both_of_githubs_forms() -> None:
    labels = [{"name": "rocm, amd", "color": None}, "ci/build", {"name": None}, "🔥 x"]
    assert label_names({"labels": labels}) == ["rocm, amd", "ci/build", "🔥 x"]


@pytest.mark.parametrize(
    ("payload", "is_pull"),
    [
        (pull(1, WHEN), True),
        (issue(1, WHEN), False),
        (issue(1, WHEN, pull_request=None), False),
        (issue(1, WHEN, pull_request={}), True),
    ],
)
def test_b15_a_pull_request_is_a_thread_with_a_pull_request_object(
    payload: Any, is_pull: bool
) -> None:
    assert row(THREADS, payload)["is_pull_request"] is is_pull


def test_b38_b39_an_event_without_thread_or_label_name_is_kept() -> None:
    made = row(EVENTS, event(1, WHEN, number=None, label={"name": None}))
    assert (made["number"], made["label_name"]) == (None, None)
    without = event(1, WHEN)
    del without["issue"], without["label"]
    assert row(EVENTS, without)["number"] is None


@pytest.mark.parametrize(
    ("change", "column", "value"),
    [
        ({"body": None}, "body", None),
        ({"state_reason": "superseded"}, "state_reason", "superseded"),
        ({"state_reason": None}, "state_reason", None),
        ({"draft": True}, "is_draft", True),
        ({"locked": True, "active_lock_reason": None}, "is_locked", True),
        ({"user": {"id": 7, "login": "Copilot", "type": "Bot"}}, "user_type", "Bot"),
        ({"author_association": "MANNEQUIN"}, "author_association", "MANNEQUIN"),
        ({"author_association": "NEW_KIND"}, "author_association", "NEW_KIND"),
    ],
    ids=str,
)
def test_b4_b20_to_b23_b40_open_values_of_a_thread_are_kept_as_they_come(
    change: dict[str, Any], column: str, value: Any
) -> None:
    assert row(THREADS, pull(1, WHEN) | change)[column] == value


def test_b24_b35_who_speaks_through_an_app_or_is_hidden_is_known_by_it() -> None:
    app = {"slug": "some-app", "name": "Some App"}
    made = row(COMMENTS, comment(1, WHEN, performed_via_github_app=app))
    assert (made["via_app"], made["user_type"]) == ("some-app", "User")
    hidden = row(COMMENTS, comment(1, WHEN, minimized={"reason": "spam"}))
    assert hidden["minimized_reason"] == "spam"
    assert row(COMMENTS, comment(1, WHEN, minimized=None))["minimized_reason"] is None
    assert made["minimized_reason"] is None


def test_b41_b42_nested_objects_become_neither_columns_nor_rows() -> None:
    more = {
        "type": {"name": "Bug"},
        "sub_issues_summary": {"total": 2},
        "pinned_comment": comment(5, WHEN),
        "reactions": {"+1": 3, "-1": 1},
    }
    batch = to_batch(THREADS, SLUG, Walked([issue(1, WHEN) | more], NOW), NOW, NOW)
    assert [set(one) for one in batch.rows] == [set(THREADS.schema.names)]
    assert (batch.unfit, batch.unknown) == ([], frozenset())


def test_events_of_kinds_unknown_here_are_kept_by_their_name() -> None:
    assert row(EVENTS, event(1, WHEN, event="sub_issue_moved"))["event"] == (
        "sub_issue_moved"
    )


@pytest.mark.parametrize("value", [None, "", "soon", "2026-03-04T12:00:00", 5, True])
def test_a_time_that_names_no_instant_is_none(value: Any) -> None:
    with pytest.raises(UnfitError):
        instant(value)


def test_c7_a_time_with_an_offset_is_the_same_instant_in_utc() -> None:
    five_past = datetime(2026, 11, 30, 0, 5, tzinfo=UTC)
    assert instant("2026-11-30T01:05:00+01:00") == five_past


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"id": None}, "id is no positive number"),
        ({"id": "7"}, "id is no positive number|id is no whole number"),
        ({"created_at": "soon"}, "created_at is no time"),
        ({"body": 7}, "body is no text"),
        ({"issue_url": None, "html_url": None}, "its URLs name no thread"),
    ],
)
def test_a_payload_that_cannot_become_a_row_says_why(
    change: dict[str, Any], reason: str
) -> None:
    with pytest.raises(UnfitError, match=reason):
        row(COMMENTS, {**comment(1, WHEN), **change})


@pytest.mark.parametrize("payload", [None, 7, "text", [1], [[]]])
def test_what_is_no_object_is_set_aside_under_a_key_of_its_own(payload: Any) -> None:
    batch = to_batch(THREADS, SLUG, Walked([payload], NOW), NOW, NOW)
    assert [one.reason for one in batch.unfit] == ["is no object"]
    assert batch.unfit[0].row_key.startswith("sha256:")


def test_the_same_odd_payload_is_set_aside_under_the_same_key() -> None:
    one, two = {"a": 1, "b": 2}, {"b": 2, "a": 1}
    assert set_aside(one, "id", "x") == set_aside(two, "id", "x")
    assert set_aside({"id": 7}, "id", "x").row_key == "7"


def test_the_number_of_a_thread_is_read_from_the_urls_of_either_kind() -> None:
    assert row(COMMENTS, comment(1, WHEN, number=36075))["number"] == 36075
    assert row(REVIEW_COMMENTS, review_comment(1, WHEN, number=3))["number"] == 3
    moved = comment(1, WHEN, number=5)
    moved["issue_url"] = "https://api.github.com/repositories/599547518/issues/5"
    assert row(COMMENTS, moved)["number"] == 5


def test_a_comma_inside_of_a_link_does_not_break_it() -> None:
    header = '<https://h/i?labels=a,b&page=2>; rel="next", <https://h/i>; rel="prev"'
    assert next_link(header) == "https://h/i?labels=a,b&page=2"
    assert next_link('<https://h/i?page=9>; rel="last"') is None
    assert next_link("") is None
