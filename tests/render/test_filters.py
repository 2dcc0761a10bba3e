from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from markupsafe import Markup

from render.filters import fragments, local_time, short_number, short_title, utc_time


def moment(text: str, zone: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).astimezone(ZoneInfo(zone))


@pytest.mark.parametrize(
    ("instant", "zone", "shown"),
    [
        ("2026-03-05 02:02:59", "Asia/Shanghai", "2026-03-05 10:02 (UTC+8)"),
        ("2026-03-05 02:02:59", "Asia/Kolkata", "2026-03-05 07:32 (UTC+5:30)"),
        ("2026-03-05 02:02:59", "UTC", "2026-03-05 02:02 (UTC+0)"),
        ("2026-07-05 02:02:59", "America/Los_Angeles", "2026-07-04 19:02 (UTC-7)"),
        ("2026-03-08 09:59:59", "America/Los_Angeles", "2026-03-08 01:59 (UTC-8)"),
        ("2026-03-08 10:00:00", "America/Los_Angeles", "2026-03-08 03:00 (UTC-7)"),
        ("2026-01-05 02:02:59", "America/St_Johns", "2026-01-04 22:32 (UTC-3:30)"),
    ],
)
def test_a_time_is_local_says_its_offset_and_drops_its_seconds(
    instant: str, zone: str, shown: str
) -> None:
    assert local_time(moment(instant, zone)) == shown


def test_the_same_instant_has_one_utc_name_in_every_zone() -> None:
    for zone in ("Asia/Kolkata", "America/Los_Angeles", "UTC"):
        assert utc_time(moment("2026-03-05 02:02:59", zone)) == "2026-03-05T02:02:59Z"


def test_numbers_carry_no_needless_decimals() -> None:
    assert [short_number(n) for n in (0.0, 22.0, 22.5, 110.0)] == [
        *("0", "22", "22.5", "110")
    ]


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("[Bug]: it fails", "it fails"),
        ("[ROCm][CI] Added MI325 mirrors", "Added MI325 mirrors"),
        ("fix(core): one thing", "one thing"),
        ("[RFC]: a plan", "[RFC]: a plan"),
        ("[Bug]", "[Bug]"),
        ("a " * 50, f"{'a ' * 39}a…"),
        ("漢" * 100, f"{'漢' * 80}…"),
    ],
)
def test_a_title_goes_without_its_tags_and_is_clipped_at_a_word(
    title: str, shown: str
) -> None:
    assert short_title(title) == shown


def test_fragments_stand_in_a_row_without_those_left_out() -> None:
    assert fragments(Markup("\n a\n\n b \n"), ", ") == "a, b"
