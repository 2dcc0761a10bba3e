"""The sample from the command line.

    python -m sample serve --port-file build/port --now 2026-03-05T04:00:00Z
    python -m sample demo -- make report

`serve` writes its port to the file once it listens, and runs until it is told to
stop. `demo` serves on a free port, runs the command once for each language with the
demo's environment (`make report` where none is given), and exits with its code.
"""

import argparse
import os
import signal
import sys
import threading
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from sample import demo
from sample.facts import instant
from sample.server import serve
from sample.world import build_world

LOCALES = ("zh", "en")


def main(arguments: Sequence[str]) -> int:
    """Do what the command line says; the exit code."""
    own, command = _split(arguments)
    options = _parser().parse_args(own)
    if options.verb == "demo":
        return _demo(command or ["make", "--no-print-directory", "report"], options)
    return _serve(options)


def _serve(options: argparse.Namespace) -> int:
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    world = build_world()
    try:
        with serve(world, now=options.now, port=options.port) as github:
            sys.stderr.write(f"sample: listening on {github.url}\n")
            if options.port_file:
                _write_whole(options.port_file, github.url.rpartition(":")[2])
            stop.wait()
    except OSError as error:
        sys.stderr.write(f"sample: cannot serve: {error}; choose another --port\n")
        return 1
    return 0


def _demo(command: Sequence[str], options: argparse.Namespace) -> int:
    with serve(build_world(), now=options.now) as github:
        for locale in options.locale or LOCALES:
            env = demo.environment(os.environ, github.url, locale)
            code = demo.run(command, env)
            if code:
                return code
    return 0


def _split(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Our own arguments, and the command after the first `--`."""
    told = list(arguments)
    cut = told.index("--") if "--" in told else len(told)
    return told[:cut], told[cut + 1 :]


def _write_whole(path: Path, text: str) -> None:
    """Whoever waits for the file finds it complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.part")
    unfinished.write_text(f"{text}\n", encoding="ascii")
    unfinished.replace(path)


def _instant(told: str) -> datetime:
    try:
        return instant(told)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m sample", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    verbs = parser.add_subparsers(dest="verb", required=True)
    serving = verbs.add_parser("serve", help="serve until told to stop")
    serving.add_argument("--port", type=int, default=0, help="0 takes a free one")
    serving.add_argument("--port-file", type=Path, help="where to write the port")
    running = verbs.add_parser("demo", help="serve while a command runs")
    running.add_argument("--locale", action="append", choices=LOCALES)
    for verb in (serving, running):
        verb.add_argument("--now", type=_instant, help="e.g. 2026-03-05T04:00:00Z")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
