"""From nothing to the first answer: install into a new environment, then ask.

    python benchmarks/first_ask.py --write results/first-ask

The first `andornot ask` after the installation, with every import and compilation; later ones,
beside `import numpy, typer` in the same run; how long the model takes to load; and how large the
package and each of its dependencies are when they are installed.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from reporting import machine, run

ROOT = Path(__file__).parent.parent
LATER = 9
SHOWN = 1_000_000  # bytes of a package that is worth a row
BASE = "import numpy, typer"  # the least that a command with vectors could import


def timed(command: list[str | Path]) -> tuple[float, str]:
    started = time.perf_counter()
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return time.perf_counter() - started, done.stdout


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def installed_sizes(packages: Path) -> dict[str, int]:
    """The bytes of each folder and module of an environment, the largest first."""
    sizes: dict[str, int] = {}
    for path in packages.iterdir():
        if path.suffix == ".dist-info":
            continue
        name = path.name.removesuffix(".libs").removesuffix(".py")
        sizes[name] = sizes.get(name, 0) + (size_of(path) if path.is_dir() else path.stat().st_size)
    return dict(sorted(sizes.items(), key=lambda item: -item[1]))


def measure() -> dict:
    with tempfile.TemporaryDirectory() as folder:
        environment = Path(folder) / "venv"
        subprocess.run([sys.executable, "-m", "venv", environment], check=True)
        bin = environment / "bin"
        installed, _ = timed([bin / "pip", "install", "--quiet", ROOT])
        ask: list[str | Path] = [bin / "andornot", "ask", "royal & woman"]
        first, answer = timed(ask)
        base: list[str | Path] = [bin / "python", "-c", BASE]
        timed(base)
        pairs = [(timed(ask)[0], timed(base)[0]) for _ in range(LATER)]  # in turn: the same load
        later, imports = (statistics.median(times) for times in zip(*pairs, strict=True))
        code = (
            "import time, andornot; andornot.default; started = time.perf_counter(); "
            "andornot.default(); print(time.perf_counter() - started)"
        )
        loading = min(float(timed([bin / "python", "-c", code])[1]) for _ in range(LATER))
        (packages,) = environment.glob("lib/python*/site-packages")
        sizes = installed_sizes(packages)
        for own in ("pip", "setuptools", "pkg_resources", "_distutils_hack"):
            sizes.pop(own, None)  # of the environment itself
    return {
        "install": installed,
        "first": first,
        "later": later,
        "imports": imports,
        "ratio": later / imports,
        "load": loading,
        "bytes": sizes["andornot"],
        "sizes": sizes,
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
            f"| `{BASE}` in the same run | {result['imports']:.2f} s |",
            f"| later ones, divided by it | {result['ratio']:.2f} |",
            f"| loading the default model | {result['load']:.3f} s |",
            f"| the installed package, with its compiled files | {result['bytes'] / 1e6:.1f} MB |",
            f"| `pip install .` itself | {result['install']:.0f} s |",
            "",
            f"Installed, with compiled files: {sum(result['sizes'].values()) / 1e6:.0f} MB in all.",
            "",
            "| package | MB |",
            "|---|---|",
            *(
                f"| {name} | {size / 1e6:.1f} |"
                for name, size in result["sizes"].items()
                if size >= SHOWN
            ),
            "",
        ]
    )


if __name__ == "__main__":
    run(__doc__, measure, table)
