"""`projects.toml`: the watched repositories, and what else a run is told."""

from __future__ import annotations

import csv
import re
import tomllib
from dataclasses import dataclass, field
from datetime import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pipelines.errors import MisconfiguredError
from pipelines.windows import parse_clock

# Names go into window ids and file paths, slugs into URLs: no room for surprises.
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}", re.ASCII)
SLUG = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+", re.ASCII)
LANGUAGE = re.compile(r"[a-z]{2}", re.ASCII)

ECOSYSTEM_WORDS = (
    Path(__file__).parent.parent / "dbt_project" / "seeds" / "ecosystem_words.csv"
)


@dataclass(frozen=True)
class Project:
    """One watched repository with its report settings."""

    name: str
    title: str
    repository: str
    time_zone: str
    window_start: str
    languages: tuple[str, ...]
    spotlight: str
    is_synthetic: bool = False

    @property
    def zone(self) -> ZoneInfo:
        """The time zone in which the project's windows start."""
        return ZoneInfo(self.time_zone)

    @property
    def clock(self) -> time:
        """The local time at which the project's windows start."""
        return parse_clock(self.window_start)


def read_projects(path: Path) -> dict[str, Project]:
    """The projects of the file by name, in its order; the first one is the default.

    Raises MisconfiguredError with one line for whatever is wrong with the file.
    """
    try:
        tables = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise MisconfiguredError(
            f"{path} cannot be read ({error.strerror}): PROJECTS names the file "
            "that lists the watched repositories."
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise MisconfiguredError(f"{path} is not TOML: {error}") from None
    if not tables:
        raise MisconfiguredError(f"{path} names no project: add one, e.g. [vllm].")
    try:
        projects = {name: _to_project(name, table) for name, table in tables.items()}
        _refuse_shared_repositories(projects)
    except ValueError as error:
        raise MisconfiguredError(f"{path}: {error}.") from None
    return projects


# As a name it means every project.
ALL = "all"


def chosen(projects: dict[str, Project], name: str | None) -> Project:
    """The project of that name, or the first one where none is named."""
    if name is None:
        return next(iter(projects.values()))
    name = name.lower()
    if name not in projects:
        known = ", ".join(projects)
        raise MisconfiguredError(f"There is no project {name!r}; there is: {known}.")
    return projects[name]


def _to_project(name: str, table: Any) -> Project:
    if not NAME.fullmatch(name):
        raise ValueError(f"[{name}] is no name: lower-case letters, digits, - and _")
    if name == ALL:
        raise ValueError(f"[{name}] is no name: PROJECT={ALL} means every project")
    if not isinstance(table, dict):
        raise ValueError(f"{name} stands outside of a [project]")
    needed = {"title", "repository", "time_zone", "window_start", "languages"}
    needed |= {"spotlight"}
    if unknown := sorted(table.keys() - needed - {"is_synthetic"}):
        raise ValueError(f"[{name}] has an unknown key: {', '.join(unknown)}")
    if absent := sorted(needed - table.keys()):
        raise ValueError(f"[{name}] lacks {', '.join(absent)}")
    is_synthetic = table.get("is_synthetic", False)
    if not isinstance(is_synthetic, bool):
        raise ValueError(f"[{name}] is_synthetic is not true or false")
    project = Project(
        name=name,
        title=_text(name, table, "title"),
        repository=_matching(name, table, "repository", SLUG, "owner/name"),
        time_zone=_text(name, table, "time_zone"),
        window_start=_text(name, table, "window_start"),
        languages=_languages(name, table["languages"]),
        spotlight=_spotlight(name, table),
        is_synthetic=is_synthetic,
    )
    _try_clock_and_zone(project)
    return project


def _text(name: str, table: dict[str, Any], key: str) -> str:
    value = table[key]
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise ValueError(f"[{name}] {key} is not a line of text")
    return value


def _matching(
    name: str, table: dict[str, Any], key: str, pattern: re.Pattern[str], form: str
) -> str:
    value = _text(name, table, key)
    if not pattern.fullmatch(value) or value.rpartition("/")[2] in {".", ".."}:
        raise ValueError(f"[{name}] {key} is {value!r}, not {form}")
    return value


def _spotlight(name: str, table: dict[str, Any]) -> str:
    """An ecosystem that has rules; a misspelt one would be a quiet day for ever."""
    value = _matching(name, table, "spotlight", NAME, "like amd")
    with ECOSYSTEM_WORDS.open(encoding="utf-8", newline="") as file:
        known = sorted({row["ecosystem"] for row in csv.DictReader(file)})
    if value not in known:
        told = ", ".join(known)
        raise ValueError(f"[{name}] spotlight is {value!r}, none of {told}")
    return value


def _languages(name: str, value: Any) -> tuple[str, ...]:
    if (
        not isinstance(value, list)
        or not value
        or len(set(map(str, value))) < len(value)
    ):
        raise ValueError(f'[{name}] languages is not a list like ["zh", "en"]')
    for each in value:
        if not isinstance(each, str) or not LANGUAGE.fullmatch(each):
            raise ValueError(f"[{name}] languages holds {each!r}, not a code like zh")
    return tuple(value)


def _try_clock_and_zone(project: Project) -> None:
    try:
        project.clock  # noqa: B018
    except ValueError as error:
        raise ValueError(f"[{project.name}] window_start: {error}") from None
    try:
        project.zone  # noqa: B018
    except (KeyError, ValueError, OSError):
        zone = project.time_zone
        raise ValueError(f"[{project.name}] there is no time zone {zone!r}") from None


def _refuse_shared_repositories(projects: dict[str, Project]) -> None:
    owners: dict[str, str] = {}
    for project in projects.values():
        other = owners.setdefault(project.repository.lower(), project.name)
        if other != project.name:
            names = f"[{other}] and [{project.name}]"
            raise ValueError(f"{names} watch the same repository")


@dataclass(frozen=True)
class Settings:
    """What every command is told. Waits are in seconds.

    `mode` says how an uncovered window is fetched: `full`, `targeted`, or `auto`;
    `detail_requests` is what may be spent on pull requests' sizes, files and reviews.
    """

    project: Project
    projects: tuple[Project, ...]
    api_url: str
    warehouse: Path
    token: str | None = field(repr=False)
    baseline_days: int
    allow_partial: bool
    max_wait: float
    lock_wait: float
    mode: str = "auto"
    parquet: bool = False
    detail_requests: int = 30

    @property
    def api_host(self) -> str:
        """The host name by which the warehouse remembers where it was filled from."""
        return urlsplit(self.api_url).hostname or ""
