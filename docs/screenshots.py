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
DESKTOP, PHONE = (1280, 860), (390, 844)
DAY = "!day @ {day, night, morning, evening}"
PICTURES = {
    "first": ("", {}, DESKTOP, "light"),
    "not": ("", {"q": DAY}, DESKTOP, "dark"),
    "error": ("", {"q": "royal & woman"}, (1280, 700), "light"),
    "lesson": ("lesson.html", {}, (1280, 1000), "light"),
    "phone": ("", {"q": "violin | piano"}, PHONE, "light"),
}


def take(browser: Browser, url: str, name: str) -> None:
    """Open the page as it is described, and keep what is seen."""
    path, query, (width, height), scheme = PICTURES[name]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=scheme,
        reduced_motion="reduce",
        has_touch=name == "phone",
        is_mobile=name == "phone",
    )
    page = context.new_page()
    page.goto(f"{url}{path}?{urlencode(query)}")
    page.wait_for_load_state("networkidle")
    if name == "error":
        page.locator("#query").fill("royal & womann")
        page.keyboard.press("Enter")
        page.wait_for_selector("#stale:not([hidden])")
    if name == "lesson":
        page.get_by_role("button", name="plain mean").click()
        page.locator("#origin-slider").scroll_into_view_if_needed()
    page.screenshot(path=FOLDER / f"page-{name}.png")
    context.close()


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
