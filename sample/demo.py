"""Run a command against the sample: its environment, its signals, its exit code."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType

DATE = "2026-03-04"
FOLDER = "build/demo"

# Whatever the caller set for real work must not reach the demo: not a token, not a
# warehouse, and not by way of make, whose overrides would win over the environment.
OURS = frozenset(
    [
        "ALLOW_PARTIAL",
        "AT",
        "BASELINE_DAYS",
        "BUILD_DIR",
        "DATE",
        "GITHUB_API_URL",
        "GITHUB_TOKEN",
        "HOURS",
        "KIND",
        "LOCALE",
        "MODE",
        "PARQUET",
        "PROJECT",
        "PROJECTS",
        "WAREHOUSE",
    ]
)
MAKES = frozenset(["GNUMAKEFLAGS", "MAKEFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "MFLAGS"])
NO_SUCH_COMMAND = 127


def environment(inherited: Mapping[str, str], url: str, locale: str) -> dict[str, str]:
    """What the demo's commands see: the caller's world without our own variables."""
    kept = {
        name: value
        for name, value in inherited.items()
        if name not in OURS and name not in MAKES
    }
    return {
        **kept,
        "GITHUB_API_URL": url,
        "PROJECTS": "sample/projects.toml",
        "PROJECT": "sample",
        "DATE": DATE,
        "LOCALE": locale,
        "WAREHOUSE": f"{FOLDER}/warehouse.duckdb",
        "BUILD_DIR": FOLDER,
        # A proxy that is set for the outer world cannot reach this machine's loopback.
        "NO_PROXY": "127.0.0.1",
        "no_proxy": "127.0.0.1",
    }


def run(command: Sequence[str], env: Mapping[str, str]) -> int:
    """The command's exit code; 128 + n where signal n ended it, 127 if it is unknown.

    SIGINT and SIGTERM go on to the command and all that it started.
    """
    try:
        # A group of its own: one signal reaches make and whatever make runs, once.
        child = subprocess.Popen(command, env=dict(env), process_group=0)
    except (FileNotFoundError, PermissionError) as error:
        sys.stderr.write(f"demo: cannot run {command[0]}: {error.strerror}\n")
        return NO_SUCH_COMMAND
    with _forwarding(child):
        code = child.wait()
    return 128 - code if code < 0 else code


@contextmanager
def _forwarding(child: "subprocess.Popen[bytes]") -> Iterator[None]:
    def forward(number: int, _: FrameType | None) -> None:
        if child.poll() is None:
            os.killpg(child.pid, number)

    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, forward) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
