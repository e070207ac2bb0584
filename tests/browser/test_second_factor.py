"""Setting up a second factor in the browser, and signing in with it."""

import base64
import contextlib
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from baccarat.house.people import second_factor as sf
from baccarat.house.people.roles import Role
from support.browser import accessibility, opened, use_session
from support.served import HOUSE, PASSWORD, closing_clients, served

PLAN = next(table for table in HOUSE.tables if table.id == "open")


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    folder = tmp_path_factory.mktemp("factor")
    strict = replace(HOUSE, tables=(PLAN,), second_factor=True)
    with served(folder, house=strict) as found, closing_clients(found):
        yield found


@contextlib.contextmanager
def signing_in(browser, house, who: str, **more):
    with opened(browser, house.address, expected=("status of 401",), **more) as page:
        page.goto("/sign-in")
        page.fill("#in [name=id]", who)
        page.fill("#in [name=password]", PASSWORD)
        page.click("#in button")
        yield page


def test_staff_set_up_a_second_factor_and_sign_in_with_a_recovery_code(browser, house):
    house.colleague("dot", Role.DEALER).close()
    with signing_in(browser, house, "dot") as page:
        page.wait_for_url("**/account/second-factor")  # no other page is allowed
        expect(page.locator(".qr svg path").first).to_be_visible()
        assert accessibility(page) == []
        secret = base64.b32decode(page.inner_text(".secret"))
        step = house.service.environment.clock() // sf.STEP_MS
        page.fill("#factor-code", sf.code_at(secret, step))
        page.fill("#factor-password", PASSWORD)
        page.click("#factor button")
        expect(page.locator(".initial output")).to_have_count(sf.RECOVERY_CODES)
        codes = page.locator(".initial output").all_inner_texts()
        assert accessibility(page) == []
        page.get_by_role("link", name="I've noted them").click()
        page.wait_for_url("**/dealer")
    with signing_in(browser, house, "dot") as page:
        code = page.get_by_label("Code from your authenticator app, or a recovery code")
        expect(code).to_be_visible()
        code.fill("000000")
        page.click("#in button")
        expect(page.locator("#in [data-fault=all]")).to_contain_text("That code is wrong")
        code.fill(codes[0])
        page.click("#in button")
        page.wait_for_url("**/dealer")


def test_the_staff_page_shows_tables_sign_ins_and_second_factors(browser, house):
    house.colleague("pia").close()
    with house.staff("pit") as pit, opened(browser, house.address) as page:
        new = pit.post("/api/me/second-factor").json()
        step = house.service.environment.clock() // sf.STEP_MS
        code = sf.code_at(base64.b32decode(new["secret"]), step)
        body = {"sealed": new["sealed"], "code": code, "password": PASSWORD}
        assert pit.put("/api/me/second-factor", json=body).is_success
        use_session(page, pit)
        page.goto("/pit/staff")
        row = page.locator("#staff-pia")
        row.locator("summary").click()
        row.locator("select").select_option("open")
        with page.expect_navigation():
            row.get_by_role("button", name="Assign").click()
        page.wait_for_selector("html[data-ready]")
        expect(row).to_contain_text(PLAN.name)
        expect(page.locator("#staff-the-pit")).to_contain_text("with second factor")
        assert accessibility(page) == []
