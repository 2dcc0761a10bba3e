"""Laws of writing: whole files, in their places, and only when something changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pipelines.errors import MisconfiguredError
from render.publish import publish, report_folder, report_stem, withdraw


@pytest.mark.parametrize(
    ("window_id", "name"),
    [
        ("vllm:day:2026-03-04", "2026-03-04"),
        ("vllm:week:2026-03-02", "2026-03-02.week"),
        ("vllm:month:2026-03-01", "2026-03-01.month"),
        ("vllm:custom:2026-12-10T20:17+1h", "2026-12-10_2017+1h"),
    ],
)
def test_every_window_has_a_file_of_its_own(window_id: str, name: str) -> None:
    assert report_stem(window_id) == name
    assert report_folder(Path("out"), window_id) == Path("out/reports/vllm")


def test_a_page_is_withdrawn_with_the_folder_it_leaves_empty(tmp_path: Path) -> None:
    for name in ("a/b/one.html", "a/two.html", "outside.html"):
        publish(tmp_path / "site" / name, "x\n")
    publish(tmp_path / "stranger.html", "x\n")
    for name in ("a/b/one.html", "a/b/gone.html", "../stranger.html"):
        withdraw(tmp_path / "site", name)
    left = {p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*.html")}
    assert left == {"site/a/two.html", "site/outside.html", "stranger.html"}
    assert not (tmp_path / "site" / "a" / "b").exists()


def test_a_document_is_written_in_utf8_with_its_own_newlines(tmp_path: Path) -> None:
    path = tmp_path / "new" / "report.md"
    publish(path, "报告\n")
    assert path.read_bytes() == "报告\n".encode()
    assert [p.name for p in path.parent.iterdir()] == ["report.md"]
    assert path.stat().st_mode & 0o777 == 0o644, "others may read it"


def test_writing_the_same_again_leaves_the_file_untouched(tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    publish(path, "one\n")
    os.utime(path, (1, 1))
    publish(path, "one\n")
    assert path.stat().st_mtime == 1
    publish(path, "two\n")
    assert path.read_text() == "two\n" and path.stat().st_mtime > 1


def test_a_failure_leaves_the_old_file_whole_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "report.md"
    publish(path, "old\n")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(MisconfiguredError, match="No space left"):
        publish(path, "new\n")
    assert path.read_text() == "old\n"
    assert [p.name for p in tmp_path.iterdir()] == ["report.md"]


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(MisconfiguredError, match="BUILD_DIR"):
        publish(tmp_path / "file" / "report.md", "x\n")
