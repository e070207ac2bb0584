"""The moment of play in a real browser: refusals, chips, phones, bets in detail, being offline."""

import pytest

from baccarat.house.housefile import House, TablePlan
from baccarat.table.settings import Clock, StakeLimits
from support.browser import accessibility, overflow
from support.live import settings_for
from support.served import OPEN, served
from support.visits import visiting

FOURTEEN = settings_for("punto-banco-2000", clock=OPEN, limits=StakeLimits(minimum=500))
"""Fourteen bets, none of which needs an agreement."""
TABLES = (
    TablePlan("fourteen", "Fourteen", FOURTEEN, guests=True),
    TablePlan("fortune", "Fortune", settings_for("fortune-six", clock=OPEN), guests=True),
    TablePlan("double", "Double", settings_for("double-chance", clock=OPEN), guests=True),
)
HOUSE = House("The house", "GBP", 100_000, TABLES)
REFUSED = ("status of 422",)
DESK, PHONE, SMALL, LANDSCAPE = (1280, 800), (390, 844), (360, 640), (844, 390)


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with served(tmp_path_factory.mktemp("play"), house=HOUSE) as running:
        yield running


def classes(visit, bet: str) -> set[str]:
    return set(visit.spot(bet).get_attribute("class").split())


def test_refusals_stay_while_other_bets_are_accepted(browser, house):
    with visiting(browser, house, size=DESK, expected=REFUSED) as me:
        me.sits_down("fourteen")
        me.spot("ur-way-3").click()
        me.page.wait_for_selector('#refusal[data-code="needs-another"]')
        me.puts("player")
        me.spot("banker").click()
        me.page.wait_for_selector('#refusal[data-code="excluded"]')
        me.puts("tie")
        me.page.wait_for_timeout(4000)
        assert "Bet Banker, Player or Tie first" in me.text("#refusal")
        assert "can't be bet together" in me.text("#refusal")
        assert {"ur-way-3", "banker"} == {
            spot.get_attribute("data-bet") for spot in me.page.locator(".spot.refused").all()
        }
        me.waits_for("!document.querySelector('#refusal').childElementCount")
        assert me.page.locator(".spot.refused").count() == 0


def test_bets_that_would_be_refused_are_dimmed_and_say_why(browser, house):
    with visiting(browser, house, size=DESK) as me:
        me.sits_down("fourteen")
        barred = me.page.locator(".spot.barred")
        assert barred.count() == 10
        assert "Bet Player, Banker or Tie first." in me.spot("ur-way-0").get_attribute("aria-label")
        assert accessibility(me.page) == []
        me.puts("player")
        assert [one.get_attribute("data-bet") for one in barred.all()] == ["banker"]
        assert me.text('[data-bet="banker"] .spot-why') == "Not with Player"
        assert accessibility(me.page) == []
        me.page.click("#clear")
        assert barred.count() == 10


def test_chips_have_the_same_colour_at_every_table(browser, tmp_path):
    """£1 white, £5 red, £25 green, £100 black, £500 purple, £1,000 gold, at any minimum."""
    plans = tuple(
        TablePlan(
            name,
            name,
            settings_for(clock=OPEN, limits=StakeLimits(minimum=minimum, maximum=1_000_000)),
            guests=True,
        )
        for name, minimum in (("low", 100), ("high", 2_500))
    )
    colours = """() => Object.fromEntries([...document.querySelectorAll(".rack-chip")].map((one) =>
      [one.textContent, getComputedStyle(one.querySelector(".chip-rim")).fill]))"""
    with (
        served(tmp_path, house=House("The house", "GBP", 100_000, plans)) as running,
        visiting(browser, running) as me,
    ):
        me.sits_down("low")
        low = me.page.evaluate(colours)
        me.looks_at("/tables/high")
        high = me.page.evaluate(colours)
    assert len(set(low.values())) == len(low) == 6
    assert {value: low[value] for value in high if value in low} == {
        value: high[value] for value in high if value in low
    }
    assert list(low) == ["1", "5", "25", "100", "500", "1K"]
    assert low["1"] == "rgb(247, 244, 234)"
    assert low["1K"] == "rgb(217, 177, 60)"


OUT_OF_SIGHT = """() => {
  const box = (element) => element.getBoundingClientRect();
  const dock = box(document.getElementById("dock"));
  const above = [...document.querySelectorAll(".spot, .slot")].filter((one) => {
    const { top, bottom } = box(one);
    return top < 0 || bottom > dock.top + 1;
  });
  const controls = [...document.querySelectorAll(".rack-chip, .act, .in-dock, #last")];
  const inDock = controls.filter((one) => {
    const { top, bottom, height } = box(one);
    return height < 20 || top < dock.top - 4 || bottom > Math.min(dock.bottom, innerHeight) + 1;
  });
  return [...above, ...inDock].map((one) => one.dataset.bet ?? one.id ?? one.className);
}"""
"""Cards and spots that are outside the window or under the dock, and controls outside the dock."""


@pytest.mark.parametrize("size", [PHONE, SMALL], ids=str)
@pytest.mark.parametrize("table", ["fourteen", "double"])
def test_a_phone_shows_cards_countdown_spots_and_chips_together(browser, house, size, table):
    """On a small phone, the page is scrolled past its header."""
    with visiting(browser, house, size=size, has_touch=True, is_mobile=True) as me:
        me.sits_down(table)
        me.until("open")
        if size == SMALL:
            me.page.evaluate("document.getElementById('felt').scrollIntoView()")
        assert me.page.evaluate(OUT_OF_SIGHT) == []
        assert me.text(".in-dock b") == me.text("#seconds") == "60′"
        assert overflow(me.page) == 0
        assert accessibility(me.page) == []


def test_the_last_result_stays_in_the_dock(browser, tmp_path):
    clock = Clock(betting=2_500, card=20, pause=2_500)
    plan = TablePlan("quick", "Quick", settings_for(clock=clock), guests=True)
    with (
        served(tmp_path, house=House("The house", "GBP", 100_000, (plan,))) as running,
        visiting(browser, running, size=PHONE) as me,
    ):
        me.sits_down("quick")
        me.puts("player")
        me.until("settled")
        me.until("open")
        first = me.text("#last")
        assert first.split()[0] in ("Player", "Banker", "Tie")
        assert first.split()[-1] in ("+£25.00", "−£25.00", "returned")


@pytest.mark.parametrize("bet", ["tie", "ur-way-3"])
def test_a_bet_is_explained_and_taken_back_by_touch(browser, house, bet):
    """A tap on the corner of a spot, or a long press on one that is too small for a corner."""
    with visiting(browser, house, size=PHONE, has_touch=True, is_mobile=True) as me:
        me.sits_down("fourteen")
        me.puts("tie")
        if bet != "tie":
            me.puts(bet)
        corner = me.spot(bet).locator(".spot-info")
        if corner.is_visible():
            assert min(corner.bounding_box()["width"], corner.bounding_box()["height"]) >= 44
            corner.tap()
        else:
            me.spot(bet).dispatch_event("pointerdown", {"pointerType": "touch"})
        sheet = me.page.locator("#prices[open] .price:visible")
        sheet.wait_for()
        assert sheet.get_attribute("data-price") == bet
        words = sheet.inner_text()
        told = ("9:1", "6.38%", "£5.00–£1,000.00")
        if bet != "tie":
            told = ("200:1", "9.67%", "£5.00–£100.00", "Bet Player, Banker or Tie first.")
        assert [part for part in told if part not in words] == []
        assert (accessibility(me.page), overflow(me.page)) == ([], 0)
        sheet.locator("[data-remove]").tap()
        assert me.spot(bet).locator(".stake").count() == 0
        me.waits_for("!document.querySelector('.waiting')")
        left = {wager["bet"] for wager in me.asks("/api/tables/fourteen/wagers")["wagers"]}
        assert left == {"tie"} - {bet}


COVERED = """(spot) => {
  const box = (one) => one.getBoundingClientRect();
  const chips = [...spot.querySelectorAll(".spot-chips > *")].map(box);
  return ["name", "short", "pays", "edge", "limits"].filter((name) => {
    const words = document.createRange();
    words.selectNodeContents(spot.querySelector(`.spot-${name}`));
    const { left, right, top, bottom, width } = box(words);
    const beside = (chip) => left > chip.right - 1 || right < chip.left + 1;
    const apart = (chip) => beside(chip) || top > chip.bottom - 2 || bottom < chip.top + 2;
    return width > 1 && !chips.every(apart);
  });
}"""
"""The texts of a spot that its chips cover."""


@pytest.mark.parametrize("size", [DESK, PHONE, SMALL, LANDSCAPE], ids=str)
@pytest.mark.parametrize("table", ["fourteen", "fortune"])
def test_chips_cover_no_text(browser, house, size, table):
    with visiting(browser, house, size=size, expected=REFUSED) as me:
        me.sits_down(table)
        me.until("open")
        me.page.locator(".rack-chip").first.click()
        for spot in me.page.locator(".spot").all():
            if spot.get_attribute("data-bet") != "banker":
                for _ in range(4):  # a stack of four chips
                    spot.press("Enter")
        covered = {
            spot.get_attribute("data-bet"): spot.evaluate(COVERED)
            for spot in me.page.locator(".spot:has(.stake)").all()
        }
        assert len(covered) >= 5
        assert {bet: names for bet, names in covered.items() if names} == {}
