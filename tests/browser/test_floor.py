"""What a floor prints and types, in a real browser: amounts, receipts, sheets, reports."""

import contextlib
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from baccarat.house.housefile import House
from baccarat.house.safety.periods import GamingDay
from support.browser import accessibility, opened, overflow, use_session
from support.served import HOUSE, play_rounds, served

SIZES = ((1920, 1080), (1280, 800))
CONDUCT = replace(HOUSE.conduct, gaming_day=GamingDay("Asia/Tokyo", 6))
FLOOR: House = replace(HOUSE, conduct=CONDUCT)
PRINTED = ("/pit", "/pit/decisions", "/pit/players?who=ann", "/reports", "/events")
AMOUNTS = {
    "25,000": "£25,000.00",
    "25 000.50": "£25,000.50",
    "25000.5": "£25,000.50",
    "1,234,567.89": "£1,234,567.89",
    "£2,000": "£2,000.00",
    "12,50": "£12.50",
    "1'000": "£1,000.00",
    "7": "£7.00",
    "25.000": "",  # 25 or 25,000?
    "2,50,00": "",
    "1,000,50.5": "",
    "12.345": "",
    "-5": "",
    "ten": "",
}
"""Amounts as people type them, and how the page reads them in English."""


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with served(tmp_path_factory.mktemp("house"), house=FLOOR) as running:
        with running.player("ann", 90_000) as ann:
            play_rounds(ann, 2)
        yield running


@contextlib.contextmanager
def looking(browser, house, role: str, path: str, **more):
    with house.staff(role) as client, opened(browser, house.address, **more) as page:
        use_session(page, client)
        page.goto(path)
        yield page


def test_amounts_are_read_as_people_type_them_and_shown_before_they_are_sent(browser, house):
    with looking(browser, house, "cashier", "/cashier?who=ann") as page:
        page.wait_for_selector("html[data-ready]")
        for typed, shown in AMOUNTS.items():
            page.fill("#amount-in", typed)
            expect(page.locator("output[for=amount-in]")).to_have_text(shown)
        page.fill("#amount-in", "25.000")
        page.click("form:has(#amount-in) button")
        expect(page.locator("form:has(#amount-in) .fault")).not_to_be_empty()
        page.fill("#amount-in", "1 000,25")
        page.select_option("#method-in", "cheque")
        page.fill("#reference-in", "000123")
        with page.expect_navigation():
            page.click("form:has(#amount-in) button")
        booked = page.locator("tbody tr").first
        expect(booked).to_contain_text("+£1,000.25")
        expect(booked).to_contain_text("by cheque (reference 000123)")
        assert accessibility(page) == []
        booked.get_by_role("link", name="Receipt").click()
        expect(page.locator(".receipt .sum")).to_have_text("£1,000.25")
        assert accessibility(page) == []


@pytest.mark.parametrize("size", SIZES)
def test_reports_and_sheets_fit_the_screens_of_a_floor(browser, house, size):
    number = house.store.state("table:fast").round.number - 1
    pages = {
        "pit": ("/reports", f"/reports/rounds?table=fast&round={number}", "/pit/players?who=ann"),
        "cashier": ("/cashier/day",),
    }
    for role, paths in pages.items():
        for path in paths:
            with looking(browser, house, role, path, size=size) as page:
                assert overflow(page) <= 0, path
                assert accessibility(page) == [], path


def test_staff_see_the_houses_time_whatever_their_computers_zone(browser, house):
    zone = {"timezone_id": "America/New_York"}
    with looking(browser, house, "pit", "/pit", **zone) as page:
        there = page.evaluate(
            "new Intl.DateTimeFormat('en-GB', {timeZone: 'Asia/Tokyo', timeStyle: 'short'})"
            ".format(new Date())"
        )
        clock = page.locator("#house-clock")
        now = clock.inner_text()
        minutes = [int(text[:2]) * 60 + int(text[3:]) for text in (now, there)]
        assert (minutes[1] - minutes[0]) % 1440 <= 1
        since = page.locator("main time").first
        assert since.inner_text().endswith("06:00:00")


def test_a_printed_page_has_facts_and_nothing_to_press(browser, house):
    with house.staff("cashier") as cashier:
        entry = cashier.get("/api/cashier/players/ann").json()["bookings"][-1]["entry"]
    pages = {
        "pit": PRINTED,
        "cashier": ("/cashier?who=ann", "/cashier/day", f"/cashier/receipts/{entry}"),
        "auditor": ("/auditor",),
    }
    for role, paths in pages.items():
        for path in paths:
            with looking(browser, house, role, path, color_scheme="dark") as page:
                page.emulate_media(media="print", color_scheme="dark")
                for pressed in ("button", "input", "select", "form", ".bar", ".tabs", ".button"):
                    shown = page.locator(pressed).evaluate_all(
                        "found => found.filter((one) => one.checkVisibility()).length"
                    )
                    assert shown == 0, (path, pressed)
                assert "printed" in page.locator(".printed").inner_text()
                colour = "getComputedStyle(document.body).backgroundColor"
                assert page.evaluate(colour) == "rgb(255, 255, 255)", path
                ink = page.locator("h1").first.evaluate("one => getComputedStyle(one).color")
                assert ink == "rgb(30, 31, 28)", path
