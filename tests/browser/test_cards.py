"""Cards and shoes in the browser: the log of deck sets, a shoe begun with one, undo, practice."""

import pytest
from playwright.sync_api import expect

from baccarat.house.housefile import House
from baccarat.house.table_plans import TablePlan
from baccarat.shoe import Burn
from support.browser import accessibility, opened, overflow, use_session
from support.by_hand import hand_settings
from support.console import at
from support.served import served

SMALL = (1024, 768)
SETTINGS = hand_settings(decks=2, burn=Burn.FIRST_CARD, deck_sets=True)
HOUSE = House("The house", "GBP", 100_000, (TablePlan("hand", "Baize", SETTINGS, guests=True),))


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with served(tmp_path_factory.mktemp("cards"), house=HOUSE) as running:
        yield running


def test_a_deck_set_is_recorded_prepared_and_dealt_from(browser, house):
    with house.staff("dealer"), house.staff("pit") as pit:
        with opened(browser, house.address, size=SMALL, expected=("409",)) as page:
            use_session(page, pit)
            page.goto("/pit/cards")
            page.fill("#id", "red-7")
            page.fill("#colour", "red")
            page.fill("#serials", "A1 A2")
            page.get_by_role("button", name="Save").last.click()
            sheet = page.locator("#set-red-7")
            expect(sheet).to_contain_text("not counted")
            sheet.get_by_text("Count and shuffle for a shoe").click()
            page.fill("#cards-red-7", "103")
            page.select_option("#by-red-7", "the-dealer")
            sheet.get_by_role("button", name="Save").first.click()
            expect(sheet.locator(".fault").first).to_contain_text("103 cards were counted")
            page.fill("#cards-red-7", "104")
            sheet.get_by_role("button", name="Save").first.click()
            expect(sheet).to_contain_text("Counted by the-pit and shuffled by the-dealer for Baize")
            expect(sheet).to_contain_text("ready")
            assert accessibility(page) == []
            assert overflow(page) <= 0
        with at(browser, house, "hand") as me:
            me.act("m", "begin-shoe")
            me.keys("w")
            me.chooses("1", "red-7")
            me.chooses("1", "A player")
            me.due("burn")
            me.cards("7c")
            me.due("place-your-bets")
            me.keys("z")
            me.writes("6c")
            me.chooses("1", "")
            expect(me.page.locator("#left")).to_have_text("97")


def test_practice_shows_steps_and_lists_what_was_caught(browser, house):
    with house.staff("dealer") as dealer, opened(browser, house.address, size=SMALL) as page:
        use_session(page, dealer)
        page.goto("/practice")
        page.wait_for_selector("html[data-ready]")
        for number in range(1, 11):
            expect(page.locator("#coup")).to_have_text(f"Coup {number}")
            expect(page.locator("#step")).to_have_text("“Place your bets.” Bets are open.")
            page.click("#right")
            expect(page.locator("#list li")).to_have_count(number)
            page.click("#next")
        expect(page.locator("#score")).to_have_text("2 of 10")
        expect(page.locator("#list li").filter(has_text="Not caught.")).to_have_count(8)
        assert accessibility(page) == []
        assert overflow(page) <= 0
