"""The floor view: twelve tables on one screen, alerts with names and sound, an emergency stop."""

import contextlib
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from baccarat.house.table_plans import TablePlan
from baccarat.table.settings import Clock
from support.browser import accessibility, opened, overflow, use_session
from support.live import settings_for
from support.served import HOUSE, closing_clients, served, until

SCREEN, SMALL = (1920, 1080), (1280, 800)
QUICK = Clock(betting=12_000, card=100, pause=20_000)
CARDS = ("punto-banco", "commission", "no-commission")
PITS = ("Main floor", "Salon", "High limit")
PLANS = tuple(
    TablePlan(
        f"t{number}",
        f"Table {number}",
        settings_for(CARDS[number % len(CARDS)], decks=8, clock=QUICK),
        guests=True,
        pit=PITS[(number - 1) // 5],
    )
    for number in range(1, 13)
)


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """Start a house of twelve tables, at each of which a round with real money was settled."""
    folder = tmp_path_factory.mktemp("dense")
    with served(folder, house=replace(HOUSE, tables=PLANS)) as found, closing_clients(found):
        with found.player("ann", 100_000_00) as ann:
            for plan in PLANS:
                until(lambda plan=plan: bet(ann, plan.id))
        until(lambda: all(found.store.state(f"table:{p.id}").round.phase.resting for p in PLANS))
        yield found


def bet(player, table: str) -> bool:
    number = player.get(f"/api/tables/{table}").json()["round"]
    body = {"round": number, "wagers": [{"bet": "player", "stake": 100_00}]}
    key = {"Idempotency-Key": f"{table} {number}"}
    return player.put(f"/api/tables/{table}/wagers", json=body, headers=key).status_code == 200


@contextlib.contextmanager
def at_the_pit(browser, house, size=SCREEN, **more):
    with (
        house.staff("pit") as pit,
        opened(browser, house.address, size=size, **more) as page,
    ):
        use_session(page, pit)
        page.goto("/pit")
        yield page


def does(page, locator) -> None:
    with page.expect_navigation():
        locator.click()
    page.wait_for_selector("html[data-ready]")


def test_twelve_tables_fit_on_one_screen(browser, house):
    with at_the_pit(browser, house) as page:
        boxes = [table.bounding_box() for table in page.locator(".floor > li").all()]
        assert len(boxes) == 12
        assert page.locator(".floor [id$=-today-result]").count() == 12
        assert max(box["y"] + box["height"] for box in boxes) <= SCREEN[1]
        assert max(box["x"] + box["width"] for box in boxes) <= SCREEN[0]
        assert page.locator(".pits > h2").all_inner_texts() == list(PITS)
        assert accessibility(page) == []
    with at_the_pit(browser, house, SMALL) as page:
        assert overflow(page) == 0


def test_an_alert_is_acknowledged_on_the_page(browser, house):
    with at_the_pit(browser, house) as page:
        lever = page.locator("#table-t1 .levers details").first
        lever.locator("summary").click()
        lever.locator("input").fill("spilled drink")
        does(page, lever.locator("button"))
        alert = page.locator(".alert", has_text="spilled drink")
        does(page, alert.get_by_role("button", name="Seen"))
        expect(alert).to_contain_text("Seen by The pit")
        page.fill("#note", "Table 1 needs a new felt")
        does(page, page.get_by_role("button", name="Write note"))
        expect(page.locator(".alert.is-note")).to_contain_text("Table 1 needs a new felt")
        does(page, page.locator("#table-t1 .levers form button").first)


def test_a_new_alert_sounds_only_if_sounds_were_chosen(browser, house):
    """Sounds are off at first; the number of tones that were started is counted in the page."""
    counting = """
        window.tones = 0;
        const start = OscillatorNode.prototype.start;
        OscillatorNode.prototype.start = function (...given) {
            window.tones += 1;
            start.apply(this, given);
        };
    """
    with at_the_pit(browser, house) as page, house.staff("pit") as pit:
        page.context.add_init_script(counting)
        for chosen in (False, True):
            if chosen:
                page.get_by_role("button", name="Sound").click()
            with page.expect_navigation():
                pit.post("/api/tables/t2/pause", json={"reason": f"check {chosen}"})
            page.wait_for_selector("html[data-ready]")
            expect(page.locator(".alerts").first).to_contain_text(f"check {chosen}")
            if chosen:
                page.wait_for_function("window.tones > 0")
            else:
                assert page.evaluate("window.tones") == 0
            with page.expect_navigation():
                pit.post("/api/tables/t2/resume")


def test_an_emergency_stop_takes_one_click_and_asks_for_the_reason_afterwards(browser, house):
    with at_the_pit(browser, house) as page:
        does(page, page.get_by_role("button", name="Emergency stop"))
        assert set(page.locator(".floor header .badge").all_inner_texts()) == {"frozen"}
        stopped = page.locator("#stopped")
        expect(stopped).to_contain_text("Emergency stop by The pit")
        assert accessibility(page) == []
        stopped.locator("input").fill("fire alarm")
        does(page, stopped.locator("button"))
        expect(stopped).to_contain_text("fire alarm")
        does(page, page.get_by_role("button", name="Resume all tables"))
        assert page.locator("#stopped").count() == 0
