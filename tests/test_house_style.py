"""Laws of the codebase itself; what they protect is written in CONTRIBUTING.md."""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("docs", "pipelines", "render", "sample")
MODULES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))


def tracked() -> list[Path]:
    """Every file that the repository keeps."""
    found = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if found.returncode:
        pytest.skip("not a checkout")
    names = [name for name in found.stdout.split("\0") if name]
    return [ROOT / name for name in names if (ROOT / name).is_file()]


def test_a_file_has_a_noun() -> None:
    nounless = {"utils", "util", "helpers", "helper", "common", "misc"}
    assert [path for path in tracked() if nounless & {path.stem, *path.parts}] == []


def test_only_a_program_reads_the_environment() -> None:
    assert [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in MODULES
        if path.name != "__main__.py"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in ("environ", "getenv")
    ] == []


def test_render_judges_nothing_by_itself() -> None:
    """It reads report tables; counting and tagging rows is dbt's."""
    sql = (ROOT / "render" / "warehouse.py").read_text("utf-8")
    read = set(re.findall(r"\b(?:from|join)\s+(\w+)\.(?!\w+ import)", sql))
    assert read <= {"reports", "marts", "information_schema"}


def test_every_target_of_the_makefile_is_explained_by_make_alone() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.M)
    assert phony
    printed = subprocess.run(
        ["make", "--no-print-directory"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    unexplained = [
        target for target in phony[1].split() if f"make {target} " not in printed
    ]
    assert unexplained == []


def test_the_locks_name_no_index() -> None:
    for name in ("requirements.lock", "requirements-dev.lock"):
        text = (ROOT / name).read_text("utf-8")
        assert (
            "://" not in text and "--index" not in text and "--find-links" not in text
        )
        assert "--hash=sha256:" in text


def test_every_direct_dependency_is_locked_and_has_a_reason() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    project = tomllib.loads(text)
    lock = (ROOT / "requirements-dev.lock").read_text("utf-8")
    wanted = project["project"]["dependencies"] + project["dependency-groups"]["dev"]
    assert len(wanted) > 10
    lines = [line.strip() for line in text.split("\n")]
    for requirement in wanted:
        name = re.split(r"[\[<>=~]", requirement)[0]
        assert re.search(rf"^{name.lower()}==", lock, re.M), name
        # The reason stands above it, or above the group that it is in.
        above = lines.index(f'"{requirement}",')
        while lines[above].startswith('"'):
            above -= 1
        assert lines[above].startswith("#"), name


def test_every_page_that_a_page_links_to_is_here() -> None:
    missing = []
    for path in tracked():
        if path.suffix == ".md" and "golden" not in path.parts:
            text = path.read_text("utf-8")
            links = re.findall(r"\]\((?!\w+:|#|…)([^)#\s]+)[^)]*\)", text)
            missing += [(path.name, x) for x in links if not (path.parent / x).exists()]
    assert missing == []
