"""A person at a table in a browser: their actions and what they see."""

import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass

import httpx
from playwright.sync_api import Browser, Locator, Page, expect
from playwright.sync_api import TimeoutError as NotInTime

from support.browser import DESK, SECONDS, opened, use_session
from support.served import Served

SHIFTS = """(sinceTheFirst) => {
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifted += one.value;
  }).observe({ type: "layout-shift", buffered: sinceTheFirst });
}"""


@dataclass(frozen=True)
class Visit:
    """One person's page."""

    page: Page

    def sits_down(self, table: str) -> None:
        """Join a table as a guest."""
        self.page.request.post("/api/guests")
        self.looks_at(f"/tables/{table}")

    def uses_session_of(self, client: httpx.Client) -> None:
        """Use the session of a client that has signed in."""
        use_session(self.page, client)

    def looks_at(self, path: str) -> None:
        self.page.goto(path)
        self.page.wait_for_selector("html[data-ready]")

    def until(self, phase: str) -> None:
        self.page.wait_for_selector(f'#felt[data-phase="{phase}"]')

    def spot(self, bet: str) -> Locator:
        return self.page.locator(f'.spot[data-bet="{bet}"]')

    def puts(self, bet: str) -> None:
        """Put a chip on a spot and wait until the house accepts it, now or in a later round."""
        taken = self.page.locator(f'[data-bet="{bet}"] .spot-chips:not(.waiting) .stake')
        for _ in range(20):
            self.until("open")
            if not self.spot(bet).locator(".stake").count():  # a chip may still be on its way
                self.spot(bet).click()
                self.accepts()
            with contextlib.suppress(NotInTime):
                taken.wait_for(timeout=3000)
                return
        raise AssertionError(f"the house has taken no chip on {bet}")

    def accepts(self) -> None:
        """Accept the standing offer, if the table asks for it."""
        if self.page.locator("#offer[open]").count():
            self.page.click("#offer-accept")

    def stake(self, bet: str) -> str:
        return self.spot(bet).locator(".stake").inner_text()

    def text(self, selector: str) -> str:
        return self.page.locator(selector).inner_text()

    def shows(self, selector: str, words: str) -> None:
        """Wait until an element shows this text."""
        expect(self.page.locator(selector)).to_have_text(words)

    def waits_for(self, condition: str, *, seconds: int = SECONDS) -> None:
        """Wait for a condition in the page. (Playwright's own needs eval, which is forbidden.)"""
        deadline = time.monotonic() + seconds
        while not self.page.evaluate(condition):
            assert time.monotonic() < deadline, condition
            self.page.wait_for_timeout(100)

    def asks(self, path: str) -> dict:
        return self.page.request.get(path).json()

    def watches_shifts(self, *, since_the_first_paint: bool = False) -> None:
        self.page.evaluate(SHIFTS, since_the_first_paint)

    @property
    def shifted(self) -> float:
        """Return the layout shift since `watches_shifts`."""
        return self.page.evaluate("window.shifted")


@contextlib.contextmanager
def visiting(
    browser: Browser, served: Served, *, size=DESK, expected=(), **options
) -> Iterator[Visit]:
    """Open a visit, at whose end the page must have no errors. Browsers log every refusal on the

    console; late bets are expected here.
    """
    expected = ("status of 409", *expected)
    with opened(browser, served.address, size=size, expected=expected, **options) as page:
        yield Visit(page)
