"""From nothing to the first answer: install into a new environment, then ask.

    python benchmarks/first_ask.py --write results/first-ask

The first `andornot ask` after the installation, with every import and compilation; later ones; how
long the model takes to load; and how large the installed package is.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from reporting import machine, run

ROOT = Path(__file__).parent.parent
LATER = 5


def timed(command: list[str | Path]) -> tuple[float, str]:
    started = time.perf_counter()
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return time.perf_counter() - started, done.stdout


def measure() -> dict:
    with tempfile.TemporaryDirectory() as folder:
        environment = Path(folder) / "venv"
        subprocess.run([sys.executable, "-m", "venv", environment], check=True)
        bin = environment / "bin"
        installed, _ = timed([bin / "pip", "install", "--quiet", ROOT])
        ask: list[str | Path] = [bin / "andornot", "ask", "royal & woman"]
        first, answer = timed(ask)
        later = sorted(timed(ask)[0] for _ in range(LATER))
        code = (
            "import time, andornot; andornot.default; started = time.perf_counter(); "
            "andornot.default(); print(time.perf_counter() - started)"
        )
        loading = min(float(timed([bin / "python", "-c", code])[1]) for _ in range(LATER))
        (package,) = environment.glob("lib/python*/site-packages/andornot")
        size = sum(path.stat().st_size for path in package.rglob("*") if path.is_file())
    return {
        "install": installed,
        "first": first,
        "later": later[LATER // 2],
        "load": loading,
        "bytes": size,
        "answer": answer.split()[1],
    }


def table(result: dict) -> str:
    return "\n".join(
        [
            "# The first answer",
            "",
            f"`python benchmarks/first_ask.py --write results/first-ask` on {machine()}; the first "
            f"word for `royal & woman` is {result['answer']}.",
            "",
            "| | |",
            "|---|---|",
            f"| first `andornot ask` after installation | {result['first']:.2f} s |",
            f"| later ones (median of {LATER}) | {result['later']:.2f} s |",
            f"| loading the default model | {result['load']:.3f} s |",
            f"| the installed package, with its compiled files | {result['bytes'] / 1e6:.1f} MB |",
            f"| `pip install .` itself | {result['install']:.0f} s |",
            "",
        ]
    )


if __name__ == "__main__":
    run(__doc__, measure, table)
