"""Display boards: several tables or one, without sign-in, back by themselves after a failure."""

import json

import pytest
from playwright.sync_api import expect

from baccarat.house.housefile import House
from baccarat.house.table_plans import TablePlan
from support.browser import accessibility, opened, overflow
from support.by_hand import hand_settings
from support.console import at, wager
from support.served import served

LANDSCAPE, PORTRAIT = (1920, 1080), (1080, 1920)
LOGO = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="4"/></svg>'
TABLES = tuple(
    TablePlan(f"t{number}", f"Table {number}", hand_settings(), guests=True) for number in range(12)
)
HOUSE = House("The house", "GBP", 100_000, TABLES, logo=LOGO, colour="#f2d060")


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with served(tmp_path_factory.mktemp("board"), house=HOUSE) as running:
        yield running


def part(page, table: str, name: str):
    return page.locator(f'[data-table="{table}"] [data-part="{name}"]')


def test_a_board_follows_its_table_and_comes_back_by_itself(browser, house):
    expected = ("ERR_INTERNET_DISCONNECTED",)
    with (
        house.guest() as guest,
        at(browser, house, "t0") as me,
        opened(browser, house.address, size=LANDSCAPE, expected=expected) as page,
    ):
        page.goto("/board/t0")
        page.wait_for_selector("html[data-ready]")
        expect(page.locator("h1")).to_have_text("The house")
        assert page.evaluate("document.querySelector('.board-house img').naturalWidth > 0")
        expect(page.locator(".board-house")).to_have_css("background-color", "rgb(242, 208, 96)")
        expect(page.locator("h1")).to_have_css("color", "rgb(0, 0, 0)")
        me.ready()
        me.due("place-your-bets")
        me.act("o", "no-more-bets")
        wager(guest, "t0", 1)
        expect(part(page, "t0", "call")).to_have_text("Place bets")
        expect(part(page, "t0", "limits")).to_contain_text("£5 – £1,000")
        page.context.set_offline(True)
        expect(page.locator("#lost")).to_be_visible()
        me.act("n", "card")
        me.cards("6h", "Kd", "2c", "Ks")
        me.due("result")
        me.act("r", "pay")
        page.context.set_offline(False)
        expect(part(page, "t0", "result")).to_contain_text("Player wins")
        expect(page.locator("#lost")).to_be_hidden()
        me.act("y", "place-your-bets")
        expect(part(page, "t0", "roads").locator(".bead")).to_have_count(1)
        expect(part(page, "t0", "shoe")).to_contain_text("412 of 416 cards left")
        for width, height in (LANDSCAPE, PORTRAIT):
            page.set_viewport_size({"width": width, "height": height})
            assert overflow(page) <= 0
            assert page.evaluate("document.documentElement.scrollHeight") <= height
            assert accessibility(page) == []


def test_a_board_shows_nobodys_money(browser, house):
    with house.player("ann", 777_00) as ann, at(browser, house, "t1") as me:
        me.ready()
        me.due("place-your-bets")
        me.act("o", "no-more-bets")
        body = {"round": 1, "wagers": [{"bet": "player", "stake": 123_00}]}
        head = {"Idempotency-Key": "one"}
        assert ann.put("/api/tables/t1/wagers", json=body, headers=head).is_success
        board = ann.get("/api/board?table=t1").json()
        assert [table["id"] for table in board["tables"]] == ["t1"]
        page = ann.get("/board/t1", headers={"Accept": "text/html"}).text
        for text in (json.dumps(board), page):
            assert "12300" not in text
            assert not any(word in text.lower() for word in ("77700", "654.00", "ann", "stakes"))


def test_twelve_tables_are_on_one_screen(browser, house):
    with opened(browser, house.address, size=LANDSCAPE) as page:
        page.goto("/board")
        page.wait_for_selector("html[data-ready]")
        expect(page.locator(".board-table")).to_have_count(12)
        for width, height in (LANDSCAPE, PORTRAIT):
            page.set_viewport_size({"width": width, "height": height})
            assert overflow(page) <= 0
            assert page.evaluate("document.documentElement.scrollHeight") <= height
        page.goto("/board?table=t3&table=t4")
        expect(page.locator(".board-table h2")).to_have_text(["Table 3", "Table 4"])
        with house.client() as client:
            assert client.get("/api/board?table=none").status_code == 404
