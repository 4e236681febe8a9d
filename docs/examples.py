"""Run the examples of the documentation and write what they print into the pages.

    python docs/examples.py               # report the examples whose output differs
    python docs/examples.py --write       # replace the outputs shown by those printed
    python docs/examples.py README.md docs/ask.md

Read the changed outputs before they are committed. The tests compare them (tests/docs).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "helpers"))

from pages import Example, Runner, agree, examples, pages  # noqa: E402


def refresh(path: Path, *, write: bool) -> None:
    """Run the examples of a page and report, or replace, the outputs that differ."""
    text = path.read_text()
    changes: list[tuple[Example, str]] = []
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(Path(folder))
        for example in examples(text):
            missing = example.missing()
            if not example.runs or missing:
                reason = (
                    example.marks.get("not run") or f"missing: {', '.join(missing) or 'a service'}"
                )
                print(f"  not run ({reason}): {example.code.splitlines()[0]}")
                continue
            printed = runner.run(example)
            if example.output is None or example.marks.get("output") == "varies":
                continue
            if not agree(example.output, printed):
                print(f"  differs: {example.code.splitlines()[0]}\n{printed}")
            if "..." not in example.output:
                changes.append((example, printed))
    if write:
        for example, printed in reversed(changes):
            end = example.start + len(example.output or "")
            text = text[: example.start] + printed + text[end:]
        path.write_text(text)


def main() -> None:
    """Run the pages that are named, or all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("pages", nargs="*", help="such as docs/ask.md; default: all")
    parser.add_argument("--write", action="store_true", help="write the outputs into the pages")
    arguments = parser.parse_args()
    for name, path in pages().items():
        if not arguments.pages or name in arguments.pages:
            print(name)
            refresh(path, write=arguments.write)


if __name__ == "__main__":
    main()
