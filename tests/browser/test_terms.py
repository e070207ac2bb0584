"""Agreements (R24) and disputes (R46) from the player's side, in a real browser."""

from dataclasses import replace

import pytest

from baccarat.core.money import format_coins
from baccarat.house.housefile import TablePlan
from support.browser import PHONE, accessibility, overflow
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
def test_r24_a_percentage_is_asked_for_offered_confirmed_and_ended(browser, house):
    theirs = "/api/tables/double/agreements/eve"
    with (
        house.player("eve", 10_000) as eve,
        house.staff("pit") as pit,
        visiting(browser, house, expected=("status of 422",)) as me,
    ):
        me.comes_in_as(eve)
        me.looks_at("/tables/double")
        me.watches_shifts(since_the_first_paint=True)
        me.page.wait_for_timeout(200)
        assert me.shifted < 0.001  # what a script draws has had its room from the first
        me.page.fill("#term-double_chance", "11%")
        me.page.click("#terms-ask")
        me.page.wait_for_selector("#terms-fault:not(:empty)")
        me.page.fill("#term-double_chance", "5%")
        me.page.click("#terms-ask")
        me.page.wait_for_selector('#terms[data-state="proposed-player"]')
        assert pit.post(f"{theirs}/confirm", json={"values": {"double_chance": "5%"}}).is_success
        me.page.wait_for_selector('#terms[data-state="agreed"]')
        assert "5% from round" in me.text("#terms-now")
        assert accessibility(me.page) == []
        letter = me.page.request.get(me.page.get_attribute("#terms-letter", "href"))
        assert letter.body().startswith(b"%PDF")
        assert pit.post(theirs, json={"values": {"double_chance": "4%"}}).is_success
        me.page.wait_for_selector('#terms[data-state="proposed-house"]')
        me.page.click("#terms-confirm")
        me.page.wait_for_selector('#terms[data-state="agreed"]')
        assert "4% from round" in me.text("#terms-now")
        me.page.click("#terms-end")
        me.page.wait_for_selector('#terms[data-state="none"]')
        me.looks_at("/tables/one")
        assert me.page.locator("#terms").count() == 0  # that card leaves nothing to agree on


@pytest.mark.requirement("R46")
def test_r46_a_player_opens_a_dispute_and_reads_its_decision(browser, house):
    with (
        house.player("flo", 50_000_000) as flo,
        house.staff("pit") as pit,
        visiting(browser, house, size=PHONE) as me,
    ):
        number, found = wager_until_disputable(flo)
        me.comes_in_as(flo)
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
