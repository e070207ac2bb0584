"""A person at the dealer's console, in a real browser."""

from dataclasses import dataclass

from playwright.sync_api import Page, expect

from support.browser import DESK, opened, use_session


@dataclass
class Console:
    """A person at a console."""

    page: Page

    def keys(self, *keys: str) -> "Console":
        for key in keys:
            self.page.keyboard.press(key)
        return self

    def answered(self) -> None:
        """Wait until the house has answered every request; the socket may be faster."""
        self.page.wait_for_selector('#link[data-waiting="0"]')

    def due(self, do: str) -> None:
        """Wait until this is the next step and all earlier requests are answered."""
        self.page.wait_for_selector(f'#due[data-do="{do}"]')
        self.answered()

    def act(self, key: str, then: str) -> None:
        self.keys(key)
        self.due(then)

    def ready(self) -> None:
        self.act("m", "begin-shoe")
        self.keys("w")

    def cards(self, *cards: str) -> None:
        """Enter cards, two keys for each."""
        for card in cards:
            self.keys(*card.replace("10", "0").lower())

    def bets(self) -> None:
        self.act("o", "no-more-bets")
        self.act("n", "card")

    def writes(self, text: str) -> None:
        self.page.wait_for_selector("#ask:not([hidden])")
        self.page.keyboard.insert_text(text)
        self.keys("Control+Enter")

    def chooses(self, key: str, words: str) -> None:
        """Make a choice, after the delay that protects against keys meant for a card."""
        expect(self.page.locator("#choices li").nth(int(key) - 1)).to_contain_text(words)
        self.page.wait_for_timeout(450)
        self.keys(key)

    def confirms(self, key: str, words: str) -> None:
        """Confirm the proposal that is shown."""
        with self.page.expect_request(lambda one: one.method in ("POST", "PUT")) as sent:
            self.chooses(key, words)
        assert len(sent.value.headers["x-proposal"]) == 32

    def shows(self, part: str, words: str) -> None:
        place = self.page.locator(f"#{part}")
        expect(place).to_contain_text(words)
        expect(place).to_be_visible()


def at(browser, house, table, role="dealer", **options):
    """Open a browser, signed in, at the console of a table."""
    client = house.staff(role)
    here = opened(browser, house.address, size=DESK, **options)

    class _At:
        def __enter__(self) -> Console:
            page = here.__enter__()
            use_session(page, client)
            page.goto(f"/dealer/{table}")
            page.wait_for_selector("html[data-ready]")
            return Console(page)

        def __exit__(self, *error: object) -> None:
            client.close()
            here.__exit__(*error)

    return _At()


def wager(guest, table: str, number: int) -> None:
    body = {"round": number, "wagers": [{"bet": "player", "stake": 1000}]}
    key = {"Idempotency-Key": f"{table} {number}"}
    answer = guest.put(f"/api/tables/{table}/wagers", json=body, headers=key)
    assert answer.status_code == 200, answer.text
