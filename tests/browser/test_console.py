"""The console on the screens of a casino floor: everything in reach, nothing by accident."""

import pytest
from playwright.sync_api import expect

from baccarat.auditor import audit, read_store
from baccarat.house.housefile import House
from baccarat.house.table_plans import TablePlan
from baccarat.shoe import Burn
from baccarat.web.pages.desks import ACTS
from support.by_hand import hand_settings
from support.console import at, wager
from support.served import served

SCREENS = ((1024, 768), (1280, 800))
OUT_OF_REACH = """() => [...document.querySelectorAll("main button")]
  .filter((button) => button.offsetParent)
  .map((button) => [button.getBoundingClientRect(), button.textContent])
  .filter(([box]) => box.top < 0 || box.bottom > innerHeight || box.right > innerWidth)
  .map(([, text]) => text.trim())"""
PLACES = """() => ["#hand-player", "#hand-banker", "#due", "[data-act=pay]", "[data-type='7']"]
  .map((place) => document.querySelector(place).getBoundingClientRect())
  .map(({ x, y, width, height }) => [x, y, width, height].map(Math.round).join())"""
TABLES = tuple(
    TablePlan(
        name,
        name.title(),
        hand_settings("double-chance" if name == "agreed" else "", burn=burn),
        guests=True,
    )
    for name, burn in (
        ("reach", Burn.FIRST_CARD),
        ("keys", Burn.ONE),
        ("floor", Burn.NONE),
        ("frozen", Burn.NONE),
        ("agreed", Burn.NONE),
    )
)
HOUSE = House("The house", "GBP", 100_000, TABLES)


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    folder = tmp_path_factory.mktemp("console")
    with served(folder, house=HOUSE) as running:
        yield running
        assert audit(read_store(f"sqlite:///{folder}/house.db")).findings == []


def check_reach(me) -> None:
    """Check that every button is on the screen, without scrolling."""
    for width, height in SCREENS:
        me.page.set_viewport_size({"width": width, "height": height})
        assert me.page.evaluate(OUT_OF_REACH) == []
    me.page.evaluate("scrollTo(0, 0)")


def test_every_button_is_in_reach_and_stays_in_place(browser, house):
    expected = ("ERR_INTERNET_DISCONNECTED", "WebSocket")
    with house.guest() as guest, at(browser, house, "reach", expected=expected) as me:
        me.ready()
        me.due("burn")
        me.shows("step", "Show the first card")
        check_reach(me)
        me.cards("6h")
        me.shows("notes", "Burn 6 more face down")
        me.due("place-your-bets")
        me.act("o", "no-more-bets")
        wager(guest, "reach", 1)
        me.act("n", "card")
        me.shows("step", "Draw for Player")
        places = me.page.evaluate(PLACES)
        me.cards("6d", "Kd")
        me.shows("total-banker", "0")
        me.shows("step", "Draw for Player")
        me.cards("8c", "Ks", "2s", "9d")
        me.due("result")
        check_reach(me)
        assert me.page.evaluate(PLACES) == places
        me.cards("9s")
        me.shows("step", "Stop: put the coup right")
        check_reach(me)
        me.page.context.set_offline(True)
        me.page.wait_for_selector("#link.lost")
        check_reach(me)
        me.page.context.set_offline(False)
        me.page.wait_for_selector("#link:not(.lost)")
        me.chooses("1", "Take back")
        me.due("result")
        me.act("r", "pay")
        me.shows("step", "Collect Player")
        check_reach(me)
        me.act("y", "place-your-bets")


def test_a_tie_says_what_is_paid(browser, house):
    with house.guest() as guest, at(browser, house, "keys") as me:
        me.ready()
        me.due("burn")
        me.shows("step", "Burn 1")
        me.shows("do", "Burn 1 face down after the shuffle.")
        me.act("u", "place-your-bets")
        me.act("o", "no-more-bets")
        wager(guest, "keys", 1)
        me.act("n", "card")
        me.cards("6h", "6d", "Kc", "Ks")
        me.act("r", "pay")
        me.shows("step", "Leave Player")
        me.shows("settling", "Tie: Player 6, Banker 6. Pay Tie 9:1. Leave Player and Banker")
        me.act("y", "place-your-bets")
        me.keys("x", "v", "l")  # keys beside those for cards do nothing
        me.due("place-your-bets")
        me.keys("F8")
        me.shows("panel-words", "411 of 416 cards are left. Did the cut card really come out?")
        me.keys("Escape")
        expect(me.page.locator("#cut")).to_have_text("")
        me.keys("F8")
        me.chooses("1", "Yes, the cut card is out")
        me.shows("cut", "last coup")


def test_any_card_is_corrected_in_place_with_a_reason(browser, house):
    """By key, stepping back from the last card, and by touch."""
    with at(browser, house, "floor") as me:
        me.ready()
        me.due("place-your-bets")
        me.bets()
        me.cards("6h", "Kd", "2c")
        me.shows("total-player", "8")
        me.keys("z", "z")
        me.shows("typed-for", "Instead of king of diamonds")
        me.cards("9d")
        me.chooses("2", "Card misread")
        me.shows("total-banker", "9")
        me.answered()
        me.page.click("#cards-player .correctable >> nth=0")
        me.shows("typed-for", "Instead of six of hearts")
        me.cards("5h")
        me.chooses("1", "Wrong key")
        me.shows("total-player", "7")
        me.answered()
        me.keys("z", "Delete")  # it was never drawn
        me.shows("total-player", "5")
        with house.staff("pit") as pit:
            log = pit.get("/events").text
        for reason in ("Card misread", "Wrong key", "Never drawn"):
            assert f"Reason: {reason}." in log


def test_one_key_calls_the_floor_and_freezes_the_table(browser, house):
    expected = ("status of 409",)
    with (
        at(browser, house, "frozen", expected=expected) as me,
        at(browser, house, "frozen", "pit") as pit,
    ):
        me.ready()
        me.due("place-your-bets")
        me.bets()
        me.keys("F2")
        me.shows("step", "Wait for the floor")
        expect(me.page.locator("#due")).to_have_class("due stop")
        me.cards("9c")
        me.shows("notes", "called the floor, so the table is frozen")
        with house.staff("pit") as client:
            alerts = client.get("/api/pit").json()["alerts"]
            assert next(one["kind"] for one in alerts if one["table"] == "frozen") == "called"
        pit.shows("panel-words", "The dealer called the floor. The table is frozen.")
        pit.chooses("1", "Answer: let the game go on")
        pit.writes("A card lay on the floor.")
        me.due("card")
        me.cards("2c")


def test_stakes_and_agreed_percentages_are_in_sight(browser, house):
    theirs, values = "/api/tables/agreed/agreements/ann", {"double_chance": "5%"}
    with (
        house.player("ann", 10_000) as ann,
        house.staff("pit") as pit,
        at(browser, house, "agreed") as me,
    ):
        me.ready()
        me.due("place-your-bets")
        assert pit.post(theirs, json={"values": values}).is_success
        path = "/api/tables/agreed/agreement/confirm"
        assert ann.post(path, json={"values": values}).is_success
        me.act("o", "no-more-bets")
        me.shows("limits", "Ann: double chance 5%")
        wager(ann, "agreed", 1)
        expect(me.page.locator("[data-limits=player]")).to_contain_text("bets £10")


def test_a_dangerous_key_lies_apart_from_the_keys_for_cards():
    for act in ("cut-card", "cancel", "leave-table", "call-floor"):
        assert ACTS[act] in ("F2", "F4", "F8", "F9"), "not a letter or a digit"
