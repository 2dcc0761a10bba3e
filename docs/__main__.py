"""`python -m docs`: writes the data dictionary, and puts dbt's pages in their place.

Reads what `dbt docs generate --static` left in `BUILD_DIR/dbt`; `make docs` does both.
The only module here that reads the environment and writes. Exit codes are those of
`pipelines.errors`.
"""

import json
import os
import sys
from pathlib import Path

from docs.dictionary import dictionary
from pipelines.errors import MisconfiguredError, run
from render.publish import publish

PAGE = Path(__file__).with_name("dictionary.md")


def write(build_dir: Path) -> None:
    """Write `docs/dictionary.md` and `BUILD_DIR/docs/index.html`.

    Raises MisconfiguredError where dbt has left nothing.
    """
    manifest = build_dir / "dbt" / "manifest.json"
    lineage = build_dir / "dbt" / "static_index.html"
    if not (manifest.is_file() and lineage.is_file()):
        raise MisconfiguredError(f"dbt has left nothing in {build_dir}: run make docs.")
    publish(PAGE, dictionary(json.loads(manifest.read_text("utf-8"))))
    publish(build_dir / "docs" / "index.html", lineage.read_text("utf-8"))
    sys.stderr.write(f"docs/dictionary.md and {build_dir}/docs/index.html\n")


if __name__ == "__main__":
    settings = os.environ
    sys.exit(
        run(
            lambda: write(Path(settings.get("BUILD_DIR") or "build")),
            debug=bool(settings.get("DEBUG")),
        )
    )
