"""The page in a real browser: its weight, its longest task, and how soon the first answer is there.

    python benchmarks/page.py --write results/page

Starts the service with the default model, warms it up, and opens the page 20 times in the system's
Chromium, each time without a cache. The times are those from the end of the scripts (the
DOMContentLoaded event, after which nothing is loaded but answers) to the list, and to the picture
beside it. A task is what the browser reports as a long one (over 50 ms). Needs playwright.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Browser, sync_playwright
from reporting import machine, write_report

LOADS = 20
QUERIES = {
    "the first screen": "",
    "NOT": "!day @ {day, night, morning, evening}",
    "OR": "violin | piano",
}
GOALS = {"weight": 150_000, "task": 100, "picture": 150}
WATCH = """
window.longest = 0;
new PerformanceObserver((list) => {
  for (const each of list.getEntries()) window.longest = Math.max(window.longest, each.duration);
}).observe({type: "longtask", buffered: true});
const look = () => {
  if (!window.listed && document.querySelector("#hits li")) window.listed = performance.now();
  if (!window.drawn && document.querySelector("#plot g.hit")) window.drawn = performance.now();
};
document.addEventListener("DOMContentLoaded", () => {
  window.ready = performance.now();
  new MutationObserver(look).observe(document.body, {subtree: true, childList: true});
  look();
});
"""


@contextmanager
def service() -> Iterator[str]:
    """A running service with the default model; its address."""
    command = [sys.executable, "-m", "andornot", "serve", "--no-browser", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        yield next(word for word in line.split() if word.startswith("http://"))
    finally:
        process.terminate()
        process.wait(60)


def load(browser: Browser, url: str, query: str) -> dict[str, float]:
    """Open the page once, and return what the browser measured."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    page.add_init_script(WATCH)
    page.goto(f"{url}?{urlencode({'q': query})}" if query else url)
    page.wait_for_function("() => window.drawn")
    page.wait_for_selector("#examples a")
    page.wait_for_timeout(200)
    found = page.evaluate(
        """() => {
          const files = [...performance.getEntriesByType("navigation"),
            ...performance.getEntriesByType("resource")]
            .filter((each) => !each.name.includes("/v1/"));
          const sum = (name) => files.reduce((total, each) => total + each[name], 0);
          return {weight: sum("encodedBodySize"), unpacked: sum("decodedBodySize"),
            files: files.length, task: window.longest,
            list: Math.max(0, window.listed - window.ready),
            picture: Math.max(0, window.drawn - window.ready)};
        }"""
    )
    context.close()
    return found


def measure(loads: int) -> dict:
    """Load each query as often as asked."""
    with service() as url, sync_playwright() as started:
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = started.chromium.launch(executable_path=program, args=["--no-sandbox"])
        time.sleep(3)  # the service prepares itself in the background
        result: dict = {"loads": loads, "chromium": browser.version, "queries": {}}
        for name, query in QUERIES.items():
            for _ in range(3):
                load(browser, url, query)
            found = [load(browser, url, query) for _ in range(loads)]
            result |= {key: found[0][key] for key in ("weight", "unpacked", "files")}
            result["queries"][name] = {
                key: {"median": statistics.median(values), "largest": max(values)}
                for key in ("task", "list", "picture")
                for values in [[each[key] for each in found]]
            }
        browser.close()
    return result


def table(result: dict) -> str:
    """The figures as a page."""
    lines = [
        "# The page",
        "",
        f"`python benchmarks/page.py --write results/page` on {machine()}, Chromium "
        f"{result['chromium']}; {result['loads']} loads of each query without a cache, on a warm "
        "service.",
        "",
        f"- Weight with gzip: {result['weight'] / 1e3:.0f} kB in {result['files']} files "
        f"({result['unpacked'] / 1e3:.0f} kB unpacked). The goal is {GOALS['weight'] // 1000} kB.",
        f"- Goal: no task over {GOALS['task']} ms while it loads (0: none over 50 ms).",
        f"- Goal: list and picture within {GOALS['picture']} ms after the scripts.",
        "",
        "| median (largest), ms | longest task | list | picture |",
        "|---|---|---|---|",
    ]
    for name, figures in result["queries"].items():
        cells = [f"{each['median']:.0f} ({each['largest']:.0f})" for each in figures.values()]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def main() -> None:
    """Measure, print, and write the report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--loads", type=int, default=LOADS, help="of each query")
    parser.add_argument("--write", type=Path, help="also write FILE.json and FILE.md")
    options = parser.parse_args()
    result = measure(options.loads)
    write_report(options.write, result, table(result))


if __name__ == "__main__":
    main()
