"""A real Chromium. Where none can be had the tests are skipped, and only there.

`tools/ensure_browser.py`, which ``make test`` calls, looks for one and installs it where it can;
when it cannot it says so in an environment variable. Without that word a missing browser fails.
"""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
NO_BROWSER = "WINODDS_NO_BROWSER"
QUIET = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)


@dataclass
class Watched:
    """A page, and what it asked for and complained about."""

    page: Page
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


@pytest.fixture(autouse=True)
def quick_pages(drawn_once: None) -> None:
    """A page is the same whoever drew its figures."""


@pytest.fixture(scope="session")
def playwright_driver() -> Iterator[Playwright]:
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def browser(playwright_driver: Playwright) -> Iterator[Browser]:
    """Chromium, the system's or Playwright's own."""
    why = os.environ.get(NO_BROWSER)
    if why:
        pytest.skip(f"no browser could be installed: {why}")
    path = next(filter(None, map(shutil.which, NAMES)), None)
    browser = playwright_driver.chromium.launch(executable_path=path, args=QUIET)
    yield browser
    browser.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A fresh profile without a network."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, offline=True)
    yield context
    context.close()


@pytest.fixture
def watched(context: BrowserContext) -> Watched:
    """A new page whose requests and errors are written down."""
    return watch(context.new_page())


def watch(page: Page) -> Watched:
    """Write down what a page asks for and complains about."""
    seen = Watched(page)
    page.on("request", lambda request: seen.requests.append(request.url))
    page.on("pageerror", lambda error: seen.complaints.append(str(error)))
    page.on(
        "console",
        lambda message: (
            seen.complaints.append(message.text) if message.type in ("error", "warning") else None
        ),
    )
    return seen
