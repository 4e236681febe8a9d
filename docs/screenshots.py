"""Make the pictures of docs/server.md again: python docs/screenshots.py [--url URL].

Starts the service with the default model, opens its page in the system's Chromium and writes
docs/images/page-*.png. Look at them before they are committed.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Browser, sync_playwright

FOLDER = Path(__file__).parent / "images"
DESKTOP, PHONE = (1280, 880), (390, 844)
NUMBERS = {
    "q": "!1 @ {1, 2, 3, 4, 5, 6, 7, 8, 9}",
    "with": ["-5", "-4", "-3", "-2", "-1"],
    "weights": "uniform",
}
PICTURES = {
    "start": ({}, DESKTOP, "light"),
    "and": ({"q": "royal & woman"}, DESKTOP, "light"),
    "not": ({"q": "!day @ {day, night, morning, evening}"}, (1280, 960), "light"),
    "numbers": (NUMBERS, (1280, 1060), "dark"),
    "why": (
        {"q": "bank & !river @ {river, money, lake, finance}", "view": "why"},
        (1280, 940),
        "dark",
    ),
    "error": ({"q": "royal & womann"}, (1280, 520), "light"),
    "phone": ({"q": "!hot @ {hot, cold, warm, cool}"}, PHONE, "light"),
}


def take(browser: Browser, url: str, name: str) -> None:
    """Open the page as it is described, and keep what is seen."""
    query, (width, height), scheme = PICTURES[name]
    page = browser.new_page(
        viewport={"width": width, "height": height},
        color_scheme=scheme,
        reduced_motion="reduce",
    )
    page.goto(f"{url}?{urlencode(query, doseq=True)}")
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(1500)  # plotly draws
    page.screenshot(path=FOLDER / f"page-{name}.png", full_page=name == "phone")
    page.close()


def main() -> None:
    """Take all pictures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--url", help="a service that runs already")
    url = parser.parse_args().url
    command = [sys.executable, "-m", "andornot", "serve", "--no-browser", "--port", "0"]
    process = None if url else subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    if process is not None and process.stdout is not None:
        line = process.stdout.readline()
        url = next(word for word in line.split() if word.startswith("http://"))
    FOLDER.mkdir(exist_ok=True)
    try:
        with sync_playwright() as started:
            program = shutil.which("chromium")
            arguments = ["--no-sandbox", "--disable-gpu", "--no-first-run"]
            browser = started.chromium.launch(executable_path=program, args=arguments)
            for name in PICTURES:
                take(browser, url, name)
            browser.close()
    finally:
        if process is not None:
            process.terminate()
            process.wait()


if __name__ == "__main__":
    main()
