"""The simulator of GitHub that lies beside a checkout, run as a process of its own.

It is no part of the project: where it is absent, the benchmarks say so and end.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"
FOLDER = SHARED / "ghserver"


@dataclass(frozen=True)
class Server:
    """A running server: its address, and its log of requests, if it writes one."""

    url: str
    log: Path

    def requests(self) -> list[dict[str, Any]]:
        """One object per request so far, in order."""
        lines = self.log.read_text("utf-8").splitlines() if self.log.exists() else []
        return [json.loads(line) for line in lines]


def build_world(out: Path, *, background: int, comments_each: int) -> Path:
    """A world of the golden day with so much before it; built once, then kept."""
    if not (out / "expected.json").exists():
        size = ["--background", str(background), "--comments-each", str(comments_each)]
        day = ["--window", "2026-03-04 11:24", str(SHARED / "golden" / "2026-03-04")]
        command = [sys.executable, str(FOLDER / "build_world.py"), "--out", str(out)]
        subprocess.run([*command, *size, *day], check=True, stdout=subprocess.DEVNULL)
    return out


@contextmanager
def running(command: list[str], folder: Path) -> Iterator[Server]:
    """Run a server that writes its port to a file, until the block ends."""
    folder.mkdir(parents=True, exist_ok=True)
    port_file, log = folder / "port", folder / "log"
    port_file.unlink(missing_ok=True)
    log.unlink(missing_ok=True)
    with subprocess.Popen(
        [*command, "--port-file", str(port_file)], cwd=ROOT, stdout=subprocess.DEVNULL
    ) as process:
        try:
            while not (port_file.exists() and port_file.read_text()):
                if process.poll() is not None:
                    raise RuntimeError(f"{command[1]} did not start")
                time.sleep(0.02)
            yield Server(f"http://127.0.0.1:{port_file.read_text()}", log)
        finally:
            process.kill()


@contextmanager
def simulated(world: Path, folder: Path, *flags: str) -> Iterator[Server]:
    """The simulator, serving a world, with a log of what it was asked."""
    command = [sys.executable, str(FOLDER / "serve.py"), "--world", str(world)]
    log = ["--log", str(folder / "log")]
    with running([*command, *log, *flags], folder) as server:
        yield server
