from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.errors import MisconfiguredError
from pipelines.projects import chosen, read_projects

GOOD = """
[vllm]
title = "vLLM"
repository = "vllm-project/vllm"
time_zone = "Asia/Shanghai"
window_start = "11:24"
languages = ["zh", "en"]
spotlight = "amd"
"""


def read(tmp_path: Path, text: str) -> object:
    path = tmp_path / "projects.toml"
    path.write_text(text, "utf-8")
    return read_projects(path)


def test_the_projects_own_file_is_good_and_begins_with_vllm() -> None:
    projects = read_projects(Path("projects.toml"))
    assert chosen(projects, None).name == "vllm"
    assert chosen(projects, "vllm").repository == "vllm-project/vllm"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"Asia/Shanghai"', '"Asia/Atlantis"', "no time zone 'Asia/Atlantis'"),
        ('"Asia/Shanghai"', '"../../etc/passwd"', "no time zone"),
        ('"Asia/Shanghai"', '"Asia"', "no time zone"),
        ('"11:24"', '"24:00"', "window_start: '24:00'"),
        ('"11:24"', "1124", "window_start is not a line of text"),
        ('"vllm-project/vllm"', '"vllm"', "not owner/name"),
        ('"vllm-project/vllm"', '"a/b/c"', "not owner/name"),
        ('"vllm-project/vllm"', '"a/.."', "not owner/name"),
        ('"vllm-project/vllm"', '"a/b?x=1"', "not owner/name"),
        ("title =", "tilte =", "unknown key: tilte"),
        ('title = "vLLM"\n', "", "lacks title"),
        ('title = "vLLM"', 'title = " "', "title is not a line of text"),
        ('title = "vLLM"', 'title = "v\\nL"', "title is not a line of text"),
        ('["zh", "en"]', "[]", "languages"),
        ('["zh", "en"]', '["zh", "zh"]', "languages"),
        ('["zh", "en"]', '["chinese"]', "not a code like zh"),
        ('["zh", "en"]', '"zh"', "languages"),
        ('"amd"', '"AMD!"', "spotlight"),
        ('"amd"', '"amd"\nis_synthetic = "no"', "is_synthetic"),
        ("[vllm]", "[vLLM]", r"\[vLLM\] is no name"),
        ("[vllm]", '["../x"]', "is no name"),
        ("[vllm]", "[vllm", "not TOML"),
        ("[vllm]", "", "outside of a"),
    ],
)
def test_each_mistake_in_the_file_is_named_in_one_line(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    assert old in GOOD
    with pytest.raises(MisconfiguredError, match=said) as error:
        read(tmp_path, GOOD.replace(old, new, 1))
    assert "projects.toml" in str(error.value)


def test_two_projects_cannot_watch_one_repository(tmp_path: Path) -> None:
    other = GOOD.replace("[vllm]", "[again]").replace("vllm-project", "VLLM-Project")
    with pytest.raises(MisconfiguredError, match="watch the same repository"):
        read(tmp_path, GOOD + other)


def test_a_file_without_projects_and_no_file_at_all_are_refused(
    tmp_path: Path,
) -> None:
    with pytest.raises(MisconfiguredError, match="names no project"):
        read(tmp_path, "")
    with pytest.raises(MisconfiguredError, match="cannot be read"):
        read_projects(tmp_path / "none.toml")


def test_an_unknown_project_is_answered_with_the_known_ones() -> None:
    projects = read_projects(Path("projects.toml"))
    with pytest.raises(MisconfiguredError, match="no project 'sglnag'; there is: vllm"):
        chosen(projects, "sglnag")
