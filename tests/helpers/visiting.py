"""The page in a real browser: opening it, reading its lists and its address."""

import re
import shutil
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--no-sandbox",
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
MARKS = [
    pytest.mark.skipif(CHROMIUM is None, reason="needs the system's Chromium"),
    pytest.mark.slow,  # a browser
]
REFUSED = re.compile("the server responded with a status of [45]")  # the browser logs each
PATIENCE = 60_000  # milliseconds: a busy machine fails no test


class Visit:
    """A page that was opened, with the messages of its console and the requests that it sent."""

    def __init__(self, browser, url, **options):
        self.context = browser.new_context(**{"reduced_motion": "reduce"} | options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.url = url
        self.said, self.asked = [], []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))

    def open(self, path="", **query):
        self.page.goto(
            f"{self.url}{path}?{urlencode(query, doseq=True)}" if query or path else self.url
        )
        return self.page

    @property
    def problems(self):
        return [text for text in self.said if not REFUSED.search(text)]


def expect(locator):
    from playwright.sync_api import expect as expected

    expected.set_options(timeout=PATIENCE)
    return expected(locator)


def words(page, place="#hits"):
    return page.locator(f"{place} .word").all_inner_texts()


def wait_for_words(page, expected, place="#hits"):
    expect(page.locator(f"{place} .word")).to_have_text(list(expected))


def wait_for_picture(page):
    """Wait until the picture has a dot for each word of the list."""
    page.wait_for_function(
        "() => { const rows = [...document.querySelectorAll('#hits a')].map((a) => a.dataset.word);"
        " const dots = [...document.querySelectorAll('#plot g.hit')].map((g) => g.dataset.word);"
        " return rows.length && JSON.stringify(rows.sort()) === JSON.stringify(dots.sort())"
        " && !document.querySelector('.pending'); }"
    )


def address(page):
    return {key: values[0] for key, values in parse_qs(urlsplit(page.url).query).items()}
