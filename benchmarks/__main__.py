"""The benchmarks, one after the other, each with its tables: `make bench`.

    python -m benchmarks                       # all of them, some ten minutes
    python -m benchmarks extraction faults     # these; or NAMES="extraction faults"

What a benchmark lacks it says itself; the others run all the same, and the exit code is
1 if one of them failed. How long each takes is written in README.md beside this file.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

# Name, and what it is told; modelling comes last, since it loads the machine longest.
BENCHMARKS = {
    "extraction": [],
    "targeted": [],
    "faults": [str(seed) for seed in range(25)],  # five of each ending
    "modelling": [],
}


def run(name: str) -> bool:
    """One benchmark in a process of its own; whether it came to a good end."""
    sys.stdout.write(f"\n## {name}\n\n")
    sys.stdout.flush()
    began = time.monotonic()
    command = [sys.executable, "-m", f"benchmarks.{name}", *BENCHMARKS[name]]
    code = subprocess.run(command, cwd=Path(__file__).parent.parent).returncode
    seconds = time.monotonic() - began
    how = "done" if code == 0 else f"FAILED with {code}"
    sys.stdout.write(f"\n{name}: {how} in {seconds:.0f} s\n")
    sys.stdout.flush()
    return code == 0


def main(told: list[str]) -> int:
    """Run what is told, or all; 2 for a name that there is not, 1 for a failure."""
    names = told or list(BENCHMARKS)
    strange = [name for name in names if name not in BENCHMARKS]
    if strange:
        known = ", ".join(BENCHMARKS)
        sys.stderr.write(f"There is no benchmark {strange[0]!r}; there are {known}.\n")
        return 2
    outcomes = [run(name) for name in names]
    return 0 if all(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or os.environ.get("NAMES", "").split()))
