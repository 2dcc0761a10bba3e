from __future__ import annotations

from datetime import date

import pytest

from pipelines.cli import Arguments, parse
from pipelines.errors import MisconfiguredError


def cover(*flags: str, **environ: str) -> Arguments:
    return parse(["cover", *flags], environ)


def test_variables_that_are_empty_count_as_unset() -> None:
    names = "DATE KIND PROJECT AT HOURS GITHUB_TOKEN GITHUB_API_URL WAREHOUSE"
    names += " BASELINE_DAYS MODE ALLOW_PARTIAL PROJECTS FROM TO MAX_WAIT LOCK_WAIT"
    assert cover(**dict.fromkeys(names.split(), "")).settings == cover().settings
    assert cover().day is None
    settings = cover().settings
    assert settings.api_url == "https://api.github.com"
    assert str(settings.warehouse) == "data/warehouse.duckdb"
    assert (settings.baseline_days, settings.allow_partial) == (28, False)


def test_an_option_wins_over_its_variable() -> None:
    told = cover("--date", "2026-03-04", DATE="2026-03-05")
    assert told.day == date(2026, 3, 4)
    assert cover(DATE="2026-03-05").day == date(2026, 3, 5)


@pytest.mark.parametrize(
    ("kind", "window_id"),
    [
        ("", "vllm:day:2026-03-04"),
        ("day", "vllm:day:2026-03-04"),
        ("week", "vllm:week:2026-03-02"),
        ("month", "vllm:month:2026-03-01"),
    ],
)
def test_the_kind_says_which_window_a_day_names(kind: str, window_id: str) -> None:
    assert cover(KIND=kind).of_day(date(2026, 3, 4)).window_id == window_id


def test_at_and_hours_make_a_custom_window() -> None:
    told = cover(AT="20:17", HOURS="1")
    window = told.of_day(date(2026, 12, 10))
    assert window.window_id == "vllm:custom:2026-12-10T20:17+1h"


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({"DATE": "2026-02-30"}, "DATE: there is no day 2026-02-30"),
        ({"DATE": "yesterday"}, "DATE: 'yesterday' is not a date"),
        ({"KIND": "hour"}, "KIND=hour"),
        ({"KIND": "custom"}, "needs AT and HOURS"),
        ({"KIND": "week", "AT": "20:17", "HOURS": "1"}, "exclude each other"),
        ({"AT": "20:17"}, "AT and HOURS go together"),
        ({"HOURS": "1"}, "AT and HOURS go together"),
        ({"AT": "25:00", "HOURS": "1"}, "AT: '25:00'"),
        ({"AT": "20:17", "HOURS": "0"}, "HOURS=0"),
        ({"AT": "20:17", "HOURS": "1.5"}, r"HOURS=1\.5"),
        ({"AT": "20:17", "HOURS": "745"}, "HOURS=745"),
        ({"BASELINE_DAYS": "-1"}, "BASELINE_DAYS=-1"),
        ({"BASELINE_DAYS": "many"}, "BASELINE_DAYS=many"),
        ({"BASELINE_DAYS": "２８"}, "BASELINE_DAYS"),
        ({"ALLOW_PARTIAL": "yes"}, "ALLOW_PARTIAL=yes"),
        ({"MODE": "fast"}, "MODE=fast"),
        ({"PROJECT": "sglnag"}, "there is: vllm"),
        ({"PROJECTS": "none.toml"}, "cannot be read"),
        ({"GITHUB_API_URL": "api.github.com"}, "GITHUB_API_URL"),
        ({"GITHUB_API_URL": "ftp://api.github.com"}, "GITHUB_API_URL"),
        ({"GITHUB_API_URL": "https://"}, "GITHUB_API_URL"),
        ({"GITHUB_API_URL": "http://127.0.0.1:99999"}, "GITHUB_API_URL"),
        ({"GITHUB_API_URL": "https://me:secret@host"}, "must not hold a name"),
        ({"MAX_WAIT": "soon"}, "max-wait 'soon'"),
        ({"LOCK_WAIT": "-1"}, "lock-wait"),
        ({"GITHUB_TOKEN": "secret\x07"}, "GITHUB_TOKEN holds"),
        ({"GITHUB_TOKEN": "löwe"}, "GITHUB_TOKEN holds"),
    ],
)
def test_each_wrong_value_is_refused_in_one_line(
    environ: dict[str, str], said: str
) -> None:
    with pytest.raises(MisconfiguredError, match=said) as error:
        cover(**environ)
    assert "\n" not in str(error.value)
    assert "secret" not in str(error.value)
    assert "löwe" not in str(error.value)


@pytest.mark.parametrize(
    "argv", [[], ["fetch"], ["cover", "--dat", "2026-03-04"], ["cover", "2026-03-04"]]
)
def test_a_wrong_command_line_is_refused_in_one_line(argv: list[str]) -> None:
    with pytest.raises(MisconfiguredError, match="--help"):
        parse(argv, {})


def test_a_backfill_needs_a_first_day_before_its_last() -> None:
    with pytest.raises(MisconfiguredError, match="needs its first day"):
        parse(["backfill"], {})
    with pytest.raises(MisconfiguredError, match="is after"):
        parse(["backfill", "--from", "2026-03-05", "--to", "2026-03-04"], {})
    told = parse(["backfill"], {"FROM": "2026-03-01", "TO": "2026-03-04"})
    assert told.since is not None
    assert told.until is not None
    assert (told.since.date, told.until.date) == (date(2026, 3, 1), date(2026, 3, 4))


def test_a_token_is_in_no_text_of_the_settings() -> None:
    told = cover(GITHUB_TOKEN=" ghp_0123456789 ")
    assert told.settings.token == "ghp_0123456789"
    assert "ghp_" not in repr(told)


@pytest.mark.parametrize(
    "text", ["one,two", " one two ", "one,\n two,", "one,,two", "one two one"]
)
def test_several_tokens_may_stand_between_commas_or_blanks(text: str) -> None:
    assert cover(GITHUB_TOKEN=text).settings.token == "one,two"


def test_a_token_of_nothing_but_commas_is_none() -> None:
    assert cover(GITHUB_TOKEN=" , ").settings.token is None


@pytest.mark.parametrize(
    ("text", "seconds"), [("90", 90), ("90s", 90), ("15m", 900), ("2h", 7200)]
)
def test_waits_are_told_in_seconds_minutes_or_hours(text: str, seconds: int) -> None:
    assert cover(MAX_WAIT=text).settings.max_wait == seconds
