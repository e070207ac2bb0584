"""Rules beside the table, and who else is betting, in a real browser."""

import pytest

from baccarat.house.housefile import House
from baccarat.house.table_plans import TablePlan
from support.browser import accessibility, overflow
from support.live import settings_for
from support.served import OPEN, served
from support.visits import visiting

TABLES = (
    TablePlan("open", "Open", settings_for("punto-banco-2000", clock=OPEN), guests=True),
    TablePlan("crowd", "Crowd", settings_for("punto-banco-2000", clock=OPEN), guests=True),
)
HOUSE = House("The house", "GBP", 100_000, TABLES)
DESK, PHONE, SMALL, LANDSCAPE = (1280, 720), (390, 844), (360, 640), (844, 390)


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with served(tmp_path_factory.mktemp("sheet"), house=HOUSE) as running:
        yield running


@pytest.mark.parametrize("size", [DESK, PHONE], ids=str)
def test_the_rules_open_beside_the_table(browser, house, size):
    with visiting(browser, house, size=size, expected=("status of 422",)) as me:
        me.sits_down("open")
        me.puts("player")
        me.page.click(".plate a")
        me.page.wait_for_selector("#rules[open] .tableau")
        assert "UR WAY" in me.text("#rules")
        assert (accessibility(me.page), overflow(me.page)) == ([], 0)
        sheet = me.page.locator("#rules").bounding_box()
        assert sheet["x"] + sheet["width"] == size[0]
        me.page.click("#rules-close")
        assert me.page.url.endswith("/tables/open")
        assert me.stake("player") == "£5"
        me.spot("banker").click()  # a refusal links to its rule
        me.page.click("#refusal a")
        me.page.wait_for_selector("#rules[open] #wagering")
        place = me.page.locator("#rules #wagering").bounding_box()
        assert 0 <= place["y"] < size[1]
        me.page.keyboard.press("Escape")
        assert me.page.locator("#rules[open]").count() == 0


def test_rules_that_cannot_be_loaded_are_reported(browser, house):
    with visiting(browser, house, size=DESK, expected=("status of 503",)) as me:
        me.sits_down("open")
        me.page.route("**/rules/**", lambda it: it.fulfill(status=503, body=""), times=1)
        me.page.click(".plate a")
        me.page.wait_for_selector(".note.bad")
        me.page.click(".plate a")
        me.page.wait_for_selector("#rules[open] .tableau")


SHARES = """() => Object.fromEntries([...document.querySelectorAll(".spot-share")].map((one) => {
  const bar = one.querySelector("i").getBoundingClientRect().width;
  return [one.closest(".spot").dataset.bet, Math.round(100 * bar / one.clientWidth)];
}))"""


@pytest.mark.parametrize("size", [DESK, PHONE, SMALL, LANDSCAPE], ids=str)
def test_bars_show_how_the_stakes_are_divided_and_the_number_of_players(browser, house, size):
    with visiting(browser, house) as ann, visiting(browser, house, size=size) as bob:
        bob.sits_down("crowd")
        assert bob.text("#players") == ""
        assert not bob.page.locator(".spot-share").first.is_visible()
        ann.sits_down("crowd")
        ann.puts("banker")
        ann.spot("banker").click()
        ann.spot("banker").click()
        bob.puts("player")
        bob.shows("#players", "2 players")
        assert bob.page.locator("#players").is_visible()
        bob.page.wait_for_timeout(1000)
        assert bob.page.evaluate(SHARES) == {"player": 25, "tie": 0, "banker": 75}
        assert bob.page.locator(".spot-share b").all_text_contents() == ["25%", "", "75%"]
        assert (accessibility(bob.page), overflow(bob.page)) == ([], 0)
        for one in (ann, bob):
            one.page.click("#clear")
        bob.shows("#players", "")
