"""Fetch what GitHub has of a project: `python -m pipelines cover --date 2026-03-04`.

The only module here that reads the environment, and the only one that speaks.
"""

from __future__ import annotations

import os
import signal
import sys
from functools import partial

from pipelines import interruptions, multi_project
from pipelines.cli import Arguments, parse
from pipelines.errors import MisconfiguredError, run

# dlt, imported on the first load, shall neither report home nor chat, nor look for
# configuration in the working directory or at home.
SILENCE = {
    "RUNTIME__DLTHUB_TELEMETRY": "false",
    "RUNTIME__LOG_LEVEL": "CRITICAL",
    "LOAD__TRUNCATE_STAGING_DATASET": "true",
    "RESTORE_FROM_DESTINATION": "false",
}


def say(line: str) -> None:
    """One line for whoever watches."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def main() -> None:
    """Carry out the command that the command line and the environment tell."""
    arguments = parse(sys.argv[1:], os.environ)
    os.environ.update(SILENCE)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, interruptions.handle)
    told = _for_each(arguments) if arguments.of_each else _carried_out(arguments)
    if told:
        say(told)


def is_debugging() -> bool:
    """Whether tracebacks are wanted."""
    return os.environ.get("DEBUG") == "1"


def _for_each(arguments: Arguments) -> str:
    """The command for every project, and a table of what came of it."""
    acts = [
        (one.settings.project.name, partial(_carried_out, one))
        for one in arguments.of_each
    ]
    outcomes = multi_project.each(acts, say, debug=is_debugging())
    sys.stdout.write(multi_project.summary(outcomes))
    sys.stdout.flush()
    multi_project.refuse_failures(outcomes)
    return f"All {len(outcomes)} projects are done."


def _carried_out(arguments: Arguments) -> str:
    try:
        return _done(arguments)
    except Exception as error:
        # Libraries turn an interruption into errors of their own, or into nonsense.
        try:
            interruptions.raise_pending()
        except KeyboardInterrupt as interruption:
            raise interruption from error
        raise


def _done(arguments: Arguments) -> str:
    from pipelines import commands

    settings, of_day = arguments.settings, arguments.of_day
    match arguments.command:
        case "cover":
            return commands.cover(settings, of_day, arguments.day, say)
        case "sync":
            return commands.sync(settings, of_day, say)
        case "backfill" if arguments.since is not None:
            return commands.backfill(settings, arguments.since, arguments.until, say)
        case "coverage":
            sys.stdout.write(commands.coverage_table(settings))
            return ""
        case "reconcile":
            return commands.reconcile(settings, say)
        case "details":
            return commands.details(settings, say)
        case "register":
            return commands.register(settings, say)
        case "publish":
            from pipelines.publish import publish

            return publish(
                settings.warehouse,
                lock_wait=settings.lock_wait,
                parquet=settings.parquet,
            )
        case other:
            raise MisconfiguredError(f"There is no command {other!r}.")


if __name__ == "__main__":
    sys.exit(run(main, debug=is_debugging()))
