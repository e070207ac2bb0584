"""Take screenshots of every page at three sizes: python docs/pictures/pages.py FOLDER [SIZE …]

The tables first run fast, to fill their roads, and then slowly, while a guest sits down and bets.
Each page is shown in light and dark. A second house has real cards and a dealer. The screenshots in
BEST go into the documentation. Look at all of them after a change of appearance.
"""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from baccarat import built_in_cards, load

HERE = Path(__file__).parent
SIZES = {"phone": (360, 740), "desk": (1440, 900), "wall": (2560, 1440)}
CARDS = built_in_cards()
IN_DARK = ("punto-banco", "double-chance", "fortune-six")
"""Tables that are also drawn in the dark theme."""
COUPS = 44
FAST = 'betting = "0.1"\ncard_pace = "0.01"\npause = "0.01"\n'
SLOW = 'betting = 12\ncard_pace = "0.7"\npause = 6\n'
MORE = (
    *("/account/limits", "/history/statement", "/history/disputes"),
    *("/rules/double-chance", "/audit", "/catalogue"),
)
STAFF = ("/pit", "/pit/decisions", "/pit/staff", "/pit/players", "/events")
"""Staff pages, which are not linked from the navigation bar of a player's page."""
BEST = {
    "lobby": "lobby-desk-light",
    "table": "double-chance-desk-light",
    "console": "console-wrong-desk-light",
}
"""Pictures used in the documentation, with the page each is made from."""
CARD_ROOM = HERE.parent.parent / "examples" / "cards" / "house.toml"
PASSWORD = "a long sentence"  # noqa: S105  (of a short-lived server)
INITIAL = "the first sentence"
CONSOLE = {
    "coup": [*"wuon", *"5h7s0d5c"],
    "wrong": [*"3c4s9h"],
    "result": ["1", "r"],
    "over": ["y", "w", "Control+Enter"],
}
"""Keys pressed before each screenshot of the console."""


def house(clock: str) -> str:
    tables = "".join(
        f'[[table]]\nid = "{card}"\ncard = "{card}"\nname = "{card.replace("-", " ").title()}"\n'
        + clock
        + limits(card)
        for card in CARDS
    )
    return f'format = 1\nname = "The Corner House"\nplay_money = "1000"\n{tables}'


def limits(card: str) -> str:
    """Return a table's own limits, which a rule card in another currency needs."""
    side_bets = (bet.id for bet in load(card).bets if bet.maximum is not None)
    own = "".join(f'[[table.bet]]\nid = "{bet}"\nmaximum = "200"\n' for bet in side_bets)
    return f'minimum = "5"\nmaximum = "1000"\n{own}'


@contextlib.contextmanager
def serving(folder: Path, house: str) -> Iterator[str]:
    """Start a server with this house file in the folder, and yield its address."""
    (folder / "house.toml").write_text(house)
    command = [sys.executable, "-m", "baccarat", "serve", "--house", "house.toml", "--port", "0"]
    with subprocess.Popen(  # noqa: S603  (our own command)
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "BACCARAT_PIT_PASSWORD": INITIAL},
    ) as server:
        try:
            yield (server.stdout or sys.stdin).readline().split()[-1]
        finally:
            for _ in range(2):  # the second signal stops it without waiting for rounds
                server.terminate()
                time.sleep(0.5)


def enter(context: BrowserContext) -> None:
    """Sign in as the pit; on first use, change the initial password."""
    for password in (PASSWORD, INITIAL):
        answer = context.request.post("/api/session", data={"account": "pit", "password": password})
        if answer.ok:
            break
    if answer.json()["given_password"]:
        token = {"X-CSRF-Token": answer.json()["csrf_token"]}
        new = {"old": INITIAL, "new": PASSWORD}
        context.request.put("/api/me/password", data=new, headers=token)


def coups_at(address: str) -> int:
    with urllib.request.urlopen(f"{address}/api/tables") as answer:  # noqa: S310  (our own server)
        return min(
            sum(table["statistics"][w] for w in ("banker", "player", "tie"))
            for table in json.load(answer)["tables"]
        )


def play(page: Page, table: str) -> None:
    """Place some bets at a table as a guest, and wait for the result."""
    page.goto(f"/tables/{table}")
    page.wait_for_selector('#felt[data-phase="open"]')
    spots = page.locator(".spot")
    for place in (0, 0, 2, spots.count() - 1):
        spots.nth(place).click()
        if page.locator("#offer-accept").is_visible():
            page.click("#offer-accept")
    page.locator(".rack-chip").nth(2).click()
    spots.nth(0).click()
    page.wait_for_selector('#felt[data-phase="settled"]', timeout=60_000)
    page.mouse.move(0, 0)
    page.wait_for_timeout(1500)


def pictures(browser: Browser, address: str, sizes: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the name and screenshot of every page, and of tables with a finished round."""
    for size, (width, height) in ((size, SIZES[size]) for size in sizes):
        for theme in ("light", "dark"):
            context = browser.new_context(
                base_url=address, color_scheme=theme, viewport={"width": width, "height": height}
            )
            page = context.new_page()
            page.goto("/")
            page.wait_for_timeout(500)
            yield f"lobby-{size}-{theme}", page.screenshot()
            page.goto("/sign-in")
            yield f"sign-in-{size}-{theme}", page.screenshot(full_page=True)
            context.request.post("/api/guests")
            for table in CARDS if theme == "light" else IN_DARK:
                play(page, table)
                yield f"{table}-{size}-{theme}", page.screenshot()
            ways = page.eval_on_selector_all(".bar a", "all => all.map(a => a.pathname)")
            page.goto("/history")
            again = page.get_attribute("tbody a", "href")
            for way in dict.fromkeys([*ways, *MORE, again, *STAFF]):
                if way == STAFF[0]:
                    context.clear_cookies()
                    enter(context)
                if way != "/":
                    page.goto(way)
                    page.wait_for_timeout(400)
                    name = "round" if way == again else way.strip("/").replace("/", "-")
                    yield f"{name}-{size}-{theme}", page.screenshot(full_page=True)
            context.close()


def consoles(browser: Browser, address: str, sizes: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the name and screenshot of the dealer's console: during a coup, with an error, and with
    the result."""
    for size, (width, height) in ((size, SIZES[size]) for size in sizes):
        for theme in ("light", "dark"):
            context = browser.new_context(
                base_url=address, color_scheme=theme, viewport={"width": width, "height": height}
            )
            enter(context)
            page = context.new_page()
            page.goto("/dealer/baize")
            page.wait_for_selector("html[data-ready]")
            if page.get_attribute("#due", "data-do") == "take-table":
                page.keyboard.press("m")
                page.wait_for_timeout(500)
            for name, keys in CONSOLE.items():
                for key in keys:
                    page.keyboard.press(key)
                    page.wait_for_timeout(150)
                page.wait_for_timeout(500)
                yield f"console-{name}-{size}-{theme}", page.screenshot()
            context.close()


def keep(folder: Path, drawn: str, picture: bytes) -> None:
    """Save a screenshot; if the documentation uses it, also save a smaller copy there."""
    (folder / f"{drawn}.png").write_bytes(picture)
    for best, chosen in BEST.items():
        if chosen == drawn:
            small = Image.open(BytesIO(picture)).convert("RGB")
            small = small.resize((1100, small.height * 1100 // small.width))
            small = small.quantize(colors=160, kmeans=3)
            small.save(HERE / f"{best}.png", optimize=True)


def main(folder: Path, sizes: Sequence[str]) -> None:
    folder.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as name,
        tempfile.TemporaryDirectory() as room,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        with serving(Path(room), CARD_ROOM.read_text()) as address:
            for drawn, picture in consoles(browser, address, sizes):
                keep(folder, drawn, picture)
        with serving(Path(name), house(FAST)) as address:
            while coups_at(address) < COUPS:
                time.sleep(0.5)
        with serving(Path(name), house(SLOW)) as address:
            for drawn, picture in pictures(browser, address, sizes):
                keep(folder, drawn, picture)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or list(SIZES))
