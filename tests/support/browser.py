"""A real browser for tests: Chromium with a fresh profile, connected only to this machine.

`opened(browser, address)` is one visitor's page. At its end there must be no error on the console,
no violation of the security policy and no request to another host.
"""

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect, sync_playwright

CHROMIUM = (
    os.environ.get("CHROMIUM")
    or shutil.which("chromium-headless-shell")
    or shutil.which("chromium")
)
"""The system's Chromium, or the one installed by `playwright install chromium`. The
headless shell is the same engine without windows, which take most of a short test's time."""
ARGUMENTS = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--disable-domain-reliability",
    "--disable-sync",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)
AXE = Axe().axe_script
SECONDS = 60
"""Timeout for any action on a page: generous, even for a busy machine."""
expect.set_options(timeout=SECONDS * 1000)
PHONE, TABLET, DESK, WALL = (360, 740), (820, 1180), (1440, 900), (2560, 1440)


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        if not CHROMIUM and not Path(playwright.chromium.executable_path).exists():
            pytest.skip("no Chromium: apt-get install chromium, or playwright install chromium")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        try:
            yield browser
        finally:
            browser.close()


@contextlib.contextmanager
def opened(
    browser: Browser,
    address: str,
    *,
    size: tuple[int, int] = DESK,
    expected: tuple[str, ...] = (),
    **options: Any,
) -> Iterator[Page]:
    """Open a page with its own cookies. `expected`: parts of console messages that a test provokes,
    such as the status of a refusal, which browsers log themselves."""
    context = browser.new_context(
        base_url=address, viewport={"width": size[0], "height": size[1]}, **options
    )
    context.set_default_timeout(SECONDS * 1000)
    page, complaints = context.new_page(), []

    def console(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(message.text)

    def requested(request: Request) -> None:
        asked = urlsplit(request.url)
        if (
            asked.scheme not in ("data", "blob", "about")
            and asked.netloc != urlsplit(address).netloc
        ):
            complaints.append(f"asked another host for {request.url}")

    context.on("console", console)
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    context.on("request", requested)
    try:
        yield page
        left = [
            complaint for complaint in complaints if not any(part in complaint for part in expected)
        ]
        assert left == [], left
    finally:
        if not page.is_closed():  # a handler still waiting would fail the next test
            page.unroute_all(behavior="ignoreErrors")
        context.close()


def use_session(page: Page, client: httpx.Client) -> None:
    """Give the browser the client's session."""
    page.context.add_cookies(
        [
            {"name": name, "value": value, "url": str(client.base_url)}
            for name, value in client.cookies.items()
        ]
    )


def accessibility(page: Page) -> list[str]:
    """Return the violations that axe-core finds on the page."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    return [
        f"{one['id']}: {node['target']} {node.get('failureSummary', '')}"
        for one in found
        for node in one["nodes"]
    ]


def overflow(page: Page) -> int:
    """Return how many pixels the page is wider than its window."""
    return page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
