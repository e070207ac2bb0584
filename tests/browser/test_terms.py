"""Agreements (R24) and disputes (R46) from the player's side, in a real browser."""

from dataclasses import replace

import pytest

from baccarat.analysis.edges import analyse
from baccarat.core.money import format_coins, percent_string
from baccarat.house.table_plans import TablePlan
from baccarat.loader import load
from support.browser import DESK, PHONE, accessibility, overflow
from support.disputes import DISPUTES, RAINY, wager_until_disputable
from support.live import settings_for
from support.served import OPEN, served
from support.visits import visiting

DOUBLE = TablePlan("double", "Double", settings_for("double-chance", clock=OPEN), guests=True)
HOUSE = replace(RAINY, tables=(*RAINY.tables, DOUBLE), decide_alone=10**9)


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with served(tmp_path_factory.mktemp("terms"), house=HOUSE) as running:
        yield running


@pytest.mark.requirement("R24")
@pytest.mark.requirement("R51")
def test_r24_a_percentage_is_requested_offered_confirmed_and_ended(browser, house):
    theirs = "/api/tables/double/agreements/eve"
    with (
        house.player("eve", 10_000) as eve,
        house.staff("pit") as pit,
        visiting(browser, house, expected=("status of 422",)) as me,
    ):
        me.uses_session_of(eve)
        me.looks_at("/tables/double")
        me.watches_shifts(since_the_first_paint=True)
        me.page.wait_for_timeout(200)
        assert me.shifted < 0.001  # space for what scripts draw is reserved from the start
        me.page.fill("#term-double_chance", "11%")
        me.page.click("#terms-ask")
        me.page.wait_for_selector("#terms-fault:not(:empty)")
        me.page.fill("#term-double_chance", "5")
        me.page.click("#terms-ask")
        me.page.wait_for_selector('#terms[data-state="proposed-player"]')
        waiting = pit.get("/pit/decisions").text
        assert "The player proposes double chance 5%. The terms apply once the house" in waiting
        assert pit.post(f"{theirs}/confirm", json={"values": {"double_chance": "5%"}}).is_success
        assert "Agreed: double chance 5%." in pit.get("/pit/decisions").text
        me.page.wait_for_selector('#terms[data-state="agreed"]')
        me.page.wait_for_selector('.spot-agreed:text("5%")')  # applies now: no bet yet
        assert accessibility(me.page) == []
        letter = me.page.request.get(me.page.get_attribute("#terms-letter", "href"))
        assert letter.body().startswith(b"%PDF")
        assert pit.post(theirs, json={"values": {"double_chance": "4%"}}).is_success
        me.page.wait_for_selector('#terms[data-state="proposed-house"]')
        me.puts("banker")  # under the terms in force, which the bet keeps
        me.page.click("#terms-confirm")
        me.page.wait_for_selector('#terms[data-state="agreed"]')
        assert "4% from round" in me.text("#terms-now")
        me.page.click("#terms-end")
        me.page.wait_for_selector("#terms-end", state="hidden")
        assert "none from round" in me.text("#terms-now")  # the bet keeps its terms
        me.looks_at("/tables/one")
        assert me.page.locator("#terms").count() == 0  # that card has nothing to agree on


@pytest.mark.requirement("A17")
@pytest.mark.requirement("R51")
@pytest.mark.parametrize("size", [DESK, PHONE])
def test_a17_one_tap_accepts_the_standing_offer_with_the_first_bet(browser, house, size):
    """From the first bet through the agreement to the letter, without staff."""
    name = f"dot-{size[0]}"
    edges = analyse(load("double-chance").game(decks="1"))
    with house.player(name, 10_000) as dot, visiting(browser, house, size=size) as me:
        me.uses_session_of(dot)
        me.looks_at("/tables/double")
        me.until("open")
        for bet in ("player", "banker"):
            assert percent_string(edges[bet].edge, 8) in me.page.text_content("#terms-offer")
            me.shows(f'[data-bet="{bet}"] .spot-offer', "standing offer")
        assert me.spot("tie").locator(".spot-offer").count() == 0
        me.spot("tie").click()  # needs no agreement
        me.page.wait_for_selector('[data-bet="tie"] .spot-chips:not(.waiting) .stake')
        me.spot("player").click()
        me.page.wait_for_selector("#offer[open]")
        assert percent_string(edges["player"].edge, 8) in me.text("#offer")
        assert (accessibility(me.page), overflow(me.page)) == ([], 0)
        me.page.click("#offer-no")
        assert dot.get("/api/tables/double/agreement").json()["in_force"] is None
        assert me.spot("player").locator(".stake").count() == 0
        me.spot("player").click()
        me.page.click("#offer-accept")
        me.page.wait_for_selector('[data-bet="player"] .spot-chips:not(.waiting) .stake')
        me.page.wait_for_selector('#terms[data-state="agreed"]')
        me.shows('[data-bet="player"] .spot-offer', "agreed with you: double chance 2%")
        mine = dot.get("/api/tables/double/wagers").json()
        assert mine["agreed"] == {"double_chance": "2%"}
        assert [wager["bet"] for wager in mine["wagers"]] == ["tie", "player"]
        me.spot("player").click()  # asked only once
        assert me.page.locator("#offer[open]").count() == 0
        letter = me.page.request.get(me.page.get_attribute("#terms-letter", "href"))
        assert letter.body().startswith(b"%PDF")
        me.page.goto("/account")
        assert "Double: double chance 2%, from round" in me.text("#agreements")
        href = me.page.get_attribute("#agreements a", "href")
        assert me.page.request.get(href).body() == letter.body()


@pytest.mark.requirement("R46")
def test_r46_a_player_opens_a_dispute_and_reads_its_decision(browser, house):
    with (
        house.player("flo", 50_000_000) as flo,
        house.staff("pit") as pit,
        visiting(browser, house, size=PHONE) as me,
    ):
        number, found = wager_until_disputable(flo)
        me.uses_session_of(flo)
        me.page.goto(f"/history/one/{number}")
        assert me.page.locator("#dispute-options tbody tr").count() == len(found["options"])
        me.page.click("#dispute summary")
        me.page.click("#dispute-form button")
        assert me.page.locator('#dispute[data-state="none"]').count() == 1  # it needs a reason
        me.page.fill("#dispute-reason", "the sheet is smudged")
        assert (accessibility(me.page), overflow(me.page)) == ([], 0)
        me.page.click("#dispute-form button")
        me.page.wait_for_selector('#dispute[data-state="open"]')
        assert "The best reading for you" in me.text("#dispute-best")
        assert "The pit has received your dispute" in me.text("#dispute-waits")
        paid = {"readings": found["proposed"]["readings"], "reason": "it cannot be read"}
        assert pit.post(f"{DISPUTES}/{number}/flo/decision", json=paid).is_success
        me.page.goto("/history/disputes")
        assert me.page.locator('#disputes tr[data-state="decided"]').count() == 1
        assert (accessibility(me.page), overflow(me.page)) == ([], 0)
        me.page.click("#disputes a")
        assert "it cannot be read" in me.text("#dispute-decision")
        amount = f"£{format_coins(found['proposed']['due'])}"
        assert f"Decided: you were paid {amount} more." in me.text("#dispute-decision")
        assert accessibility(me.page) == []
