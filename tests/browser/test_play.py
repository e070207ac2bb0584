"""The moment of play in a real browser: refusals, chips, phones, bets in detail, being offline."""

import pytest

from baccarat.house.housefile import House, TablePlan
from baccarat.table.settings import StakeLimits
from support.browser import accessibility
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
