"""Compare key moments of play with golden pictures: python tests/golden/pictures.py [--accept]

The house is seeded, its clock stands at the beginning of betting, and results are sent by the
script. A picture may differ in a few pixels; if it differs in more, the new picture and the
differences are written to build/pictures. Look at them, and accept them if the change is intended.
"""

import sys
import tempfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import Browser

from baccarat.house.housefile import House
from baccarat.house.table_plans import TablePlan
from support.browser import chromium
from support.live import settings_for
from support.sent_results import Table
from support.served import OPEN, served
from support.visits import Visit, visiting

GOLDEN = Path(__file__).with_name("pictures")
DIFFERENT = Path("build/pictures")
DESK, PHONE, LANDSCAPE = (1280, 720), (390, 844), (844, 390)
HOUSE = House(
    "The house",
    "GBP",
    100_000,
    (
        TablePlan("open", "Open", settings_for("fortune-six", clock=OPEN), guests=True),
        TablePlan(
            "fourteen", "Fourteen", settings_for("punto-banco-2000", clock=OPEN), guests=True
        ),
    ),
)
HIDE = """() => {
  const changing = document.querySelectorAll("#seconds, .clock b, .clock .sand, #time");
  for (const one of changing) one.style.visibility = "hidden";
}"""
"""Hides what changes with the time."""
COLOURS = 256
FAR = 60
"""Colours differ if a channel differs by more than this (of 255). Golden pictures have a palette,
whose colours are up to 50 away from the true ones."""
TOLERANCE = 0.001
"""Share of pixels that may differ."""
LARGEST = 60_000

WON = [{"bet": "player", "stake": 5000, "net": 5000}, {"bet": "tie", "stake": 500, "net": -500}]
LOST = [{"bet": "banker", "stake": 5000, "net": -5000}]
EVEN = [{"bet": "player", "stake": 4000, "net": -4000}, {"bet": "tie", "stake": 500, "net": 4000}]


def lobby(me: Visit) -> None:
    me.looks_at("/")


def open_table(me: Visit) -> None:
    me.sits_down("open")
    me.until("open")


def chips(me: Visit) -> None:
    me.sits_down("fourteen")
    for bet in ("player", "tie", "ur-way-7"):
        me.puts(bet)


def refused(me: Visit) -> None:
    me.sits_down("fourteen")
    me.puts("player")
    me.spot("banker").click()
    me.page.wait_for_selector("#refusal span")


def explained(me: Visit) -> None:
    me.sits_down("fourteen")
    me.spot("tie").press("e")
    me.page.wait_for_selector("#prices[open]")


def offline(me: Visit) -> None:
    me.sits_down("open")
    me.puts("player")
    me.page.context.set_offline(True)
    me.page.evaluate("dispatchEvent(new Event('offline'))")
    me.page.wait_for_selector(".line.lost:not([hidden])")


def settled(*result) -> Callable[[Visit], None]:
    def moment(me: Visit) -> None:
        table = Table(me)
        table.begin()
        table.settles(*result)

    return moment


won = settled("player", (8, 6), WON, "3h 6c 5d Qs")
lost = settled("player", (9, 2), LOST, "4h 2c 5d Ks")
tied = settled("tie", (6, 6), EVEN, "4h 2c 2d 4s")
MOMENTS = {
    "lobby": (lobby, DESK, "light"),
    "open": (open_table, DESK, "light"),
    "open-landscape": (open_table, LANDSCAPE, "light"),
    "chips-phone": (chips, PHONE, "light"),
    "refused-phone": (refused, PHONE, "dark"),
    "explained-phone": (explained, PHONE, "light"),
    "offline-phone": (offline, PHONE, "light"),
    "won": (won, DESK, "light"),
    "lost": (lost, DESK, "dark"),
    "tied-phone": (tied, PHONE, "light"),
}


def taken(browser: Browser, house, moment, size, theme: str) -> Image.Image:
    """Return a picture of a moment, in half its size."""
    noise = ("status of 422", "WebSocket", "ERR_")
    with visiting(browser, house, size=size, expected=noise, color_scheme=theme) as me:
        moment(me)
        me.page.mouse.move(0, 0)
        me.page.wait_for_timeout(300)
        me.page.evaluate(HIDE)
        drawn = me.page.screenshot(animations="disabled", caret="initial")
    picture = Image.open(BytesIO(drawn)).convert("RGB")
    return picture.reduce(2)


def difference(new: Image.Image, golden: Image.Image) -> np.ndarray:
    """Return which pixels differ; all do if the sizes differ."""
    if new.size != golden.size:
        return np.ones((new.height, new.width), dtype=bool)
    apart = np.abs(np.asarray(new, dtype=int) - np.asarray(golden.convert("RGB"), dtype=int))
    return apart.max(axis=2) > FAR


def main(*, accept: bool) -> int:
    failed = 0
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder), house=HOUSE) as house,
        chromium() as browser,
    ):
        for name, moment in MOMENTS.items():
            new, path = taken(browser, house, *moment), GOLDEN / f"{name}.png"
            if accept:
                GOLDEN.mkdir(exist_ok=True)
                new.quantize(COLOURS, kmeans=3).save(path, optimize=True)
                assert path.stat().st_size < LARGEST, f"{path} is too large"
                continue
            differs = difference(new, Image.open(path))
            share, wrong = differs.mean(), differs.mean() > TOLERANCE
            print(f"{name:16} {share:8.3%} {'DIFFERENT' if wrong else ''}")
            failed += wrong
            if wrong:
                DIFFERENT.mkdir(parents=True, exist_ok=True)
                new.save(DIFFERENT / f"{name}.png")
                Image.fromarray(differs).save(DIFFERENT / f"{name}-difference.png")
    if failed:
        print(f"See {DIFFERENT}. If the change is intended: make pictures-accept")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(accept="--accept" in sys.argv))
