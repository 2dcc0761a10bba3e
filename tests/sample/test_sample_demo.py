"""`python -m sample`: the environment it gives, the signals it passes, its codes."""

import json
import os
import signal
import subprocess
import sys
import time
import tomllib
import urllib.request
from pathlib import Path

import pytest

from sample import demo
from sample.__main__ import main

ROOT = Path(__file__).parents[2]
SAMPLE = [sys.executable, "-m", "sample"]
LEAKS = {
    "GITHUB_TOKEN": "secret",
    "GITHUB_API_URL": "https://api.example.org",
    "DATE": "1999-01-01",
    "KIND": "month",
    "AT": "20:17",
    "HOURS": "1",
    "MODE": "full",
    "BASELINE_DAYS": "0",
    "ALLOW_PARTIAL": "1",
    "PARQUET": "1",
    "WAREHOUSE": "data/real.duckdb",
    "BUILD_DIR": "elsewhere",
    "PROJECT": "vllm",
    "PROJECTS": "projects.toml",
    "LOCALE": "fr",
    "MAKEFLAGS": "-- DATE=1999-01-01 GITHUB_TOKEN=secret",
    "MAKEOVERRIDES": "DATE=1999-01-01",
    "MFLAGS": "-k",
    "MAKELEVEL": "1",
    "HTTP_PROXY": "http://proxy.example.org",
}
TELL = "import os, json; print(json.dumps(dict(os.environ)), flush=True)"


def told_environments() -> list[dict[str, str]]:
    command = [*SAMPLE, "demo", "--", sys.executable, "-c", TELL]
    env = {**os.environ, **LEAKS}
    done = subprocess.run(
        command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_command_runs_once_a_language_with_the_demos_own_settings() -> None:
    environments = told_environments()
    assert [env["LOCALE"] for env in environments] == ["zh", "en"]
    for env in environments:
        ours = {name: env[name] for name in demo.OURS if name in env}
        assert ours.pop("GITHUB_API_URL").startswith("http://127.0.0.1:")
        ours.pop("LOCALE")
        assert ours == {
            "PROJECTS": "sample/projects.toml",
            "PROJECT": "sample",
            "DATE": "2026-03-04",
            "WAREHOUSE": "build/demo/warehouse.duckdb",
            "BUILD_DIR": "build/demo",
        }
        assert "secret" not in json.dumps(env)
        assert not demo.MAKES & env.keys()
        assert env["NO_PROXY"] == "127.0.0.1"
        assert env["PATH"] == os.environ["PATH"]


def test_every_setting_of_the_contract_is_known_to_the_demo() -> None:
    assert {name for name in LEAKS if name in demo.OURS} == demo.OURS


@pytest.mark.parametrize("code", [0, 1, 3, 5])
def test_a_commands_exit_code_is_the_demos(code: int) -> None:
    command = [sys.executable, "-c", f"raise SystemExit({code})"]
    assert main(["demo", "--locale", "zh", "--", *command]) == code


def test_a_failure_in_the_first_language_ends_the_demo(tmp_path: Path) -> None:
    log = tmp_path / "log"
    script = f"echo $LOCALE >> {log}; exit 4"
    assert main(["demo", "--", "sh", "-c", script]) == 4
    assert log.read_text().split() == ["zh"]


def test_a_command_ended_by_a_signal_is_told_as_a_shell_would() -> None:
    assert demo.run(["sh", "-c", "kill -9 $$"], {}) == 137


def test_an_unknown_command_is_one_clear_line(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert main(["demo", "--", "no-such-command-here"]) == 127
    assert "no-such-command-here" in capfd.readouterr().err


def test_the_server_lives_as_long_as_the_command() -> None:
    script = (
        "import os, urllib.request as r;"
        "u = os.environ['GITHUB_API_URL'] + '/repos/example-org/sample-engine';"
        "print(u, r.urlopen(u).status)"
    )
    command = [*SAMPLE, "demo", "--locale", "en", "--", sys.executable, "-c", script]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    url, status = done.stdout.split()
    assert status == "200"
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(url, timeout=5)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_reaches_the_command_and_its_children(
    tmp_path: Path, number: signal.Signals
) -> None:
    log, ready = tmp_path / "log", tmp_path / "ready"
    child = (
        "import signal, sys, time, pathlib\n"
        "def note(number, frame):\n"
        f"    pathlib.Path({str(log)!r}).write_text(str(number)); sys.exit(9)\n"
        "signal.signal(signal.SIGINT, note); signal.signal(signal.SIGTERM, note)\n"
        f"pathlib.Path({str(ready)!r}).touch(); time.sleep(30)\n"
    )
    script = tmp_path / "child.py"
    script.write_text(child)
    shell = f"trap '' INT; trap 'exit 9' TERM; {sys.executable} {script}; exit 9"
    running = subprocess.Popen([*SAMPLE, "demo", "--", "sh", "-c", shell], cwd=ROOT)
    try:
        _wait_for(ready)
        running.send_signal(number)
        assert running.wait(timeout=20) == 9
    finally:
        running.kill()
    _wait_for(log)
    assert log.read_text() == str(int(number))


def test_serve_writes_its_port_when_it_listens_and_ends_when_told(
    tmp_path: Path,
) -> None:
    port_file = tmp_path / "deep" / "port"
    command = [*SAMPLE, "serve", "--port-file", str(port_file)]
    now = ["--now", "2026-03-05T04:00:00Z"]
    running = subprocess.Popen([*command, *now], cwd=ROOT, stderr=subprocess.PIPE)
    try:
        _wait_for(port_file)
        url = f"http://127.0.0.1:{int(port_file.read_text())}/rate_limit"
        with urllib.request.urlopen(url, timeout=5) as reply:
            assert reply.headers["Date"].startswith("Thu, 05 Mar 2026 04:0")
        running.terminate()
        assert running.wait(timeout=10) == 0
    finally:
        running.kill()
        running.communicate()


def test_a_bad_instant_is_refused_before_anything_runs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["demo", "--now", "2026-03-05T04:00:00", "--", "true"])
    assert refused.value.code == 2
    assert "time zone" in capsys.readouterr().err


def test_the_demos_project_is_the_sample() -> None:
    told = tomllib.loads((ROOT / "sample" / "projects.toml").read_text())
    assert list(told) == ["sample"]
    assert told["sample"]["repository"] == "example-org/sample-engine"
    assert told["sample"]["is_synthetic"] is True


def _wait_for(path: Path) -> None:
    deadline = time.monotonic() + 20
    while not path.exists():
        assert time.monotonic() < deadline, path
        time.sleep(0.02)
