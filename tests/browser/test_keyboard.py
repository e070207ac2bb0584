"""A round without a mouse: every step is taken with keys, from the lobby to the verifier."""

import pytest

from baccarat.house.housefile import House
from baccarat.house.table_plans import TablePlan
from baccarat.table.settings import Clock
from support.live import settings_for
from support.served import served
from support.visits import visiting

CLOCK = Clock(betting=6_000, card=20, pause=1_500)
PLAN = TablePlan("quick", "Quick", settings_for(clock=CLOCK), guests=True)
HOUSE = House("The house", "GBP", 100_000, (PLAN,))
MOST = 100
"""Tab stops before the search for an element is given up."""

FOCUS = """(selector) => {
  const one = document.activeElement;
  const { top, bottom, left, right } = one.getBoundingClientRect();
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
  const outlined = outlineStyle !== "none" && parseFloat(outlineWidth) > 0;
  const ring = outlined || boxShadow !== "none" || one.type === "date"; // marks one of its parts
  const inSight = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
  return { there: one.matches(selector), marked: ring && inSight, words: one.outerHTML };
}"""
"""Whether the focus is on an element, and whether one can see where it is."""


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with served(tmp_path_factory.mktemp("keys"), house=HOUSE) as running:
        yield running


def go_to(me, selector: str, key: str = "Tab") -> None:
    """Press a key until the focus is on an element; every stop on the way must be marked."""
    for _ in range(MOST):
        me.page.keyboard.press(key)
        focus = me.page.evaluate(FOCUS, selector)
        assert focus["marked"], focus["words"]
        if focus["there"]:
            return
    raise AssertionError(f"{selector} cannot be reached with {key}")


def bet(me) -> None:
    """Bet on the focused spot, in a round that takes bets for long enough."""
    taken = me.page.locator(".spot-chips:not(.waiting) .stake")
    me.waits_for("document.querySelector('[data-phase=open] #seconds')?.textContent > 3")
    me.page.keyboard.press("Enter")
    taken.wait_for()


def test_a_round_is_played_found_and_verified_without_a_mouse(browser, house):
    with visiting(browser, house, size=(1280, 720)) as me:
        press = me.page.keyboard.press
        me.looks_at("/")
        go_to(me, "#guest")
        press("Enter")
        me.page.wait_for_url("**/tables/quick")
        me.page.wait_for_selector("html[data-ready]")
        go_to(me, ".spot")
        go_to(me, '[data-bet="player"]', "ArrowRight")
        bet(me)
        assert me.stake("player") == "£25"
        press("u")
        assert me.page.locator(".stake").count() == 0
        me.waits_for("!document.querySelector('.waiting')")
        bet(me)
        go_to(me, ".rack-chip")
        press("ArrowLeft")
        assert me.page.locator('.rack-chip[aria-checked="true"]:focus').count() == 1
        me.page.wait_for_selector("#outcome .net")
        number, net = me.text("#round"), me.text("#outcome .net").removeprefix("You: ")
        go_to(me, 'a[href="/history"]', "Shift+Tab")
        press("Enter")
        me.page.wait_for_url("**/history")
        row = me.text("tbody tr")
        assert f"Round {number}" in row
        assert net.replace("Even", "£0.00") in row
        go_to(me, "tbody a")
        press("Enter")
        me.page.wait_for_url(f"**/history/quick/{number}")
        go_to(me, 'a[href^="/verify"]')
        press("Enter")
        me.page.wait_for_selector("#shoe:not([disabled])")
        go_to(me, "#check")
        press("Enter")
        me.page.wait_for_selector(".step")
        assert me.page.locator(".step.is-fault").count() == 0
        assert me.page.locator(".step.is-holds").count() > 0
