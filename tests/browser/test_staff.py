"""The pit's, the cashier's and the auditor's pages in a real browser."""

import contextlib
import csv
from decimal import Decimal

import pytest
from playwright.sync_api import expect

from baccarat.house.housefile import House
from baccarat.house.people.roles import MAY, Action, Role
from baccarat.house.table_plans import TablePlan
from support.browser import DESK, PHONE, WALL, accessibility, opened, overflow, use_session
from support.by_hand import hand_settings
from support.dealing import Dealing
from support.disputes import RAINY, wager_until_disputable
from support.served import ENDPOINTS, HOUSE, PASSWORD, served

TABLES = (*RAINY.tables, HOUSE.tables[0], TablePlan("hand", "Hand", hand_settings(), guests=True))


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    plan = House("The house", "GBP", 100_000, TABLES, decide_alone=RAINY.decide_alone)
    with served(tmp_path_factory.mktemp("house"), house=plan) as running:
        yield running


@pytest.fixture(scope="module")
def boss(house):
    """Sign in a second member of the pit."""
    with house.colleague("boss") as client:
        yield client


@pytest.fixture(scope="module")
def ann(house):
    with house.player("ann", 50_000_000) as client:
        yield client


@contextlib.contextmanager
def looking(browser, house, client, path: str, **more):
    """Open a page with a client's session."""
    with opened(browser, house.address, **more) as page:
        use_session(page, client)
        page.goto(path)
        yield page


def does(page, form, button: str | None = None) -> None:
    """Submit a form and wait until the page has reloaded."""
    with page.expect_navigation():
        (form.get_by_role("button", name=button) if button else form.locator("button")).click()
    page.wait_for_selector("html[data-ready]")


@pytest.mark.requirement("R46", "G38")
def test_r46_a_dispute_from_opening_to_payment(browser, house, ann, boss):
    """Opened on the round's page, decided by two people, and the player sees the money."""
    number, found = wager_until_disputable(ann)
    before = ann.get("/api/me/balance").json()["real"]
    with (
        house.staff("pit") as pit,
        looking(browser, house, ann, f"/history/one/{number}") as mine,
        looking(browser, house, pit, "/pit") as first,
        looking(browser, house, boss, "/pit") as second,
    ):
        mine.fill("#dispute-reason", "the sheet is smudged")
        mine.click("#dispute-form button")
        mine.wait_for_selector('#dispute[data-state="open"]')
        first.goto("/pit")
        assert "the sheet is smudged" in first.inner_text(".alert.is-dispute")
        first.click(".alert.is-dispute a")
        matter = f"#dispute-one-{number}-ann"
        shown = first.locator(f"{matter} > table tbody tr")
        expect(shown).to_have_count(2)  # the reading in force, and the best for the player
        assert "These are the readings in force." in shown.nth(0).inner_text()
        assert "best for the player" in shown.nth(1).inner_text()
        others = first.locator(f"{matter} details tbody tr").count()
        assert others == len(found["options"]) - 2
        assert accessibility(first) == []
        first.fill(f"{matter} .deciding [name=reason]", "it cannot be read")
        does(first, first.locator(f"{matter} .deciding"))
        assert "Another person must confirm it" in first.inner_text(matter)
        assert ann.get("/api/me/balance").json()["real"] == before
        second.goto("/pit/decisions")
        assert f"dispute over round {number} by ann" in second.inner_text(
            "[aria-labelledby=seconds]"
        )
        second.fill(f"{matter} .deciding [name=reason]", "it cannot be read")
        does(second, second.locator(f"{matter} .deciding"), "Confirm")
        assert second.locator(matter).count() == 0
        mine.reload()
        mine.wait_for_selector('#dispute[data-state="decided"]')
        paid = ann.get("/api/me/balance").json()["real"]
        assert paid == before + found["proposed"]["due"]
        assert f"{paid // 100:,}" in mine.inner_text("#balance")
        # Every list shows the round once, with its final result.
        due = found["proposed"]["due"]
        assert mine.locator("#came-to dt").all_inner_texts()[1] == "Paid after the dispute"
        (row,) = (
            row
            for row in csv.DictReader(ann.get("/history/rounds.csv").text.splitlines())
            if row["what"] == "dispute"
        )
        assert (row["round"], 100 * Decimal(row["net"])) == (str(number), due)
        mine.goto("/history")
        rows = mine.locator("tbody tr", has_text=f"Round {number}\n").all_inner_texts()
        assert [row.count("Paid after the dispute") for row in rows] == [1]


@pytest.mark.requirement("R45", "G38")
def test_r45_a_decided_round_is_cancelled_by_two_people_on_their_pages(browser, house, boss):
    dealer, pit = Dealing(house).ready(), Dealing(house, "pit")
    dealer.call("place-your-bets")
    dealer.call("no-more-bets")
    for card in ("6h", "Kd", "2c", "Ks"):
        dealer.do("cards", {"card": card})
    dealer.call("result")
    refused = {"expected": ("status of 409",)}
    with (
        looking(browser, house, pit.client, "/pit", **refused) as first,
        looking(browser, house, boss, "/pit/decisions") as second,
    ):
        lever = first.locator("#table-hand .levers details").nth(1)
        lever.locator("summary").click()
        lever.locator("select").select_option("misdeal")
        lever.locator("button").click()
        why = "Record why the round can't be rectified"
        expect(lever.get_by_role("alert")).to_contain_text(why)
        pit.do("rounds/1/considered", {"reason": "two cards stuck together"})
        does(first, lever)
        assert "Second person needed" in first.inner_text(".alert.is-proposal")
        first.goto("/pit/decisions")
        assert first.get_by_role("button", name="Confirm").count() == 0
        second.reload()
        waiting = second.locator("[aria-labelledby=seconds] form")
        does(second, waiting, "Confirm")
        assert waiting.count() == 0
        second.goto("/pit")
        void = second.locator("#table-hand details", has_text="1 cancelled round today")
        void.locator("summary").click()
        expect(void).to_contain_text("Round 1 cancelled: misdeal. the-pit, boss, ")
    dealer.client.close()
    pit.client.close()
    rounds = boss.get("/api/tables/hand/rounds").json()["rounds"]
    assert [(one["round"], one["void"]) for one in rounds] == [(1, "misdeal")]
    reply = boss.get("/api/tables/hand/rounds/1").json()["events"]
    assert reply[-1]["by"] == ["the-pit", "boss"]


def test_the_pit_pauses_and_resumes_a_table(browser, house):
    with house.staff("pit") as pit, looking(browser, house, pit, "/pit") as page:
        lever = page.locator("#table-open .levers details").first
        lever.locator("summary").click()
        lever.locator("input").fill("inspection")
        does(page, lever)
        assert page.inner_text("#open-phase") == "paused"
        assert "The table is paused: inspection" in page.inner_text(".alerts")
        does(page, page.locator("#table-open .levers form").first)
        assert page.inner_text("#open-phase") == "bets open"


def test_the_cashier_finds_a_player_pays_in_and_sees_refusals(browser, house, ann):
    refused = ("status of 409",)
    with (
        house.staff("cashier") as till,
        looking(browser, house, till, "/cashier", expected=refused) as page,
    ):
        before = ann.get("/api/me/balance").json()["real"]
        page.fill("#find", "AN")
        page.keyboard.press("Enter")
        page.click(".people a[href$='who=ann']")
        page.fill("#amount-in", "12.50")
        does(page, page.locator("form[data-send$='pay-in']"))
        assert "£12.50" in page.inner_text("tbody tr >> nth=0")
        assert ann.get("/api/me/balance").json()["real"] == before + 1250
        page.fill("#amount-out", "9999999999")
        page.click("form[data-send$='pay-out'] button")
        fault = page.locator("form[data-send$='pay-out'] [role=alert]")
        expect(fault).to_contain_text("9,999,999,999.00")
        assert accessibility(page) == []


@pytest.mark.usefixtures("ann")
def test_a_value_that_cannot_be_is_explained_at_its_field(browser, house):
    with (
        house.staff("pit") as pit,
        looking(browser, house, pit, "/pit/players?who=ann", expected=("status of 422",)) as page,
    ):
        for field, value, words in (
            ("#months", "2000", "Use 1,000 or less."),
            ("#months", "a few", "Use a whole number."),
            ("#grant", "twenty", "Enter an amount such as 20 or 12.50."),
        ):
            form = page.locator("form.act", has=page.locator(field))
            page.fill(field, value)
            form.locator("button").first.click()
            expect(form.locator("[role=alert]")).to_have_text(words)
            expect(page.locator(field)).to_be_focused()
            expect(page.locator(field)).to_have_attribute("aria-invalid", "true")


def test_the_pit_opens_a_colleagues_account(browser, house):
    with house.staff("pit") as pit, looking(browser, house, pit, "/pit/staff") as page:
        page.select_option("#colleague-role", "dealer")
        password = shown_once(page, page.locator("#colleague"), id="dot", name="Dot")
        assert accessibility(page) == []
        with page.expect_navigation():
            page.get_by_role("button", name="I've noted it").click()
        assert password not in page.content()
        assert "initial password, not changed yet" in page.inner_text("#staff-dot")
    with house.client() as dot:
        body = {"account": "dot", "password": password}
        assert dot.post("/api/session", json=body).json()["role"] == "dealer"


def shown_once(page, form, button: str | None = None, **fields: str) -> str:
    """Send a form, and return the initial password that is shown in its place."""
    for field, text in fields.items():
        form.locator(f"[name={field}]").fill(text)
    (form.get_by_role("button", name=button) if button else form.locator("button")).click()
    return page.inner_text(".initial output")


@pytest.mark.requirement("G38")
def test_g38_the_pit_suspends_a_colleague_and_lifts_the_suspension(browser, house, boss):
    house.colleague("sol").close()
    with house.staff("pit") as pit, looking(browser, house, pit, "/pit/staff") as page:
        row = page.locator("#staff-sol")
        row.locator("summary").click()
        row.locator("form[data-send^=POST][data-send$=suspension] [name=reason]").fill("keys left")
        does(page, row, "Suspend")
        assert "suspended" in row.inner_text()
        row.locator("summary").click()
        assert accessibility(page) == []
        row.locator("form[data-send^=DELETE][data-send$=suspension] [name=reason]").fill("found")
        does(page, row, "Lift suspension")
        assert "suspended" in row.inner_text()  # it waits for a second person
        with looking(browser, house, boss, "/pit/decisions") as second:
            matter = second.locator("article.matter", has_text="account of sol")
            assert "Lift the suspension of sol." in matter.inner_text()
            assert "Reason: found" in matter.inner_text()
            does(second, matter, "Confirm")
        page.reload()
        assert "active" in row.inner_text()
        # A new password also needs two people; it is shown to the one who confirms it.
        row.locator("summary").click()
        row.locator("form[data-send$=password] [name=reason]").fill("she has forgotten it")
        does(page, row, "Issue new password")
    with looking(browser, house, boss, "/pit/decisions") as second:
        matter = second.locator("article.matter", has_text="account of sol")
        assert "Reason: she has forgotten it" in matter.inner_text()
        password = shown_once(second, matter, "Confirm")
    with house.client() as sol:
        reply = sol.post("/api/session", json={"account": "sol", "password": password})
        assert reply.json()["given_password"] is True


@pytest.mark.requirement("G38")
def test_g38_cash_and_limits_are_confirmed_and_voided_on_the_pages(browser, house, boss):
    house.player("rich").close()
    lower = {"limits": {"bets": [{"bet": "tie", "maximum": 10_000}]}}
    with house.staff("cashier") as till, house.colleague("clara", Role.CASHIER) as clara:
        with looking(browser, house, till, "/cashier?who=rich") as page:
            page.fill("#amount-in", "3000")
            does(page, page.locator("form[data-send$='pay-in'][data-keyed]:has(#amount-in)"))
            waiting = page.locator("[aria-labelledby=seconds] article", has_text="rich")
            assert "Pay in £3,000.00 for rich" in waiting.inner_text()
            assert waiting.get_by_role("button", name="Confirm").count() == 0
            assert accessibility(page) == []
        with looking(browser, house, clara, "/cashier?who=rich") as page:
            does(
                page, page.locator("[aria-labelledby=seconds] article", has_text="rich"), "Confirm"
            )
            booked = page.locator("tbody tr").first
            assert "the-cashier, clara" in booked.inner_text()
            booked.locator("summary").click()
            booked.locator("[name=reason]").fill("wrong player")
            assert accessibility(page) == []
            does(page, booked, "Void")
    with looking(browser, house, boss, "/pit/decisions") as page:
        matter = page.locator("article.matter", has_text="cash for rich")
        assert "wrong player" in matter.inner_text()
        does(page, matter, "Confirm")
        assert house.store.balance("player:rich/real") == 0
        page.goto("/pit")
        assert "Voided: £3,000.00 paid in for rich" in page.inner_text(".alerts")
        path = "/api/tables/open/settings"
        assert boss.put(path, json=lower, headers={"Idempotency-Key": "low"}).is_success
        with house.staff("pit") as pit:
            higher = {"limits": {"bets": [{"bet": "tie", "maximum": 20_000}]}}
            reply = pit.put(path, json=higher, headers={"Idempotency-Key": "high"}).json()
            assert reply["waits_for_second"] is True
        page.goto("/pit/decisions")
        matter = page.locator("article.matter", has_text="table limits")
        assert "maximum on Tie: £100.00 → £200.00" in matter.inner_text()
        assert accessibility(page) == []
        does(page, matter, "Confirm")
        (tie,) = house.store.state("table:open").settings.limits.bets
        assert tie.maximum == 20_000


@pytest.mark.requirement("G38")
def test_g38_opening_a_pit_account_needs_two_people_and_its_owner_sets_a_password(
    browser, house, boss
):
    with house.staff("pit") as pit, looking(browser, house, pit, "/pit/staff") as page:
        page.select_option("#colleague-role", "pit")
        for field, text in (("id", "pia"), ("name", "Pia"), ("reason", "late shift")):
            page.fill(f"#colleague-{field}", text)
        does(page, page.locator("#colleague"))
    with looking(browser, house, boss, "/pit/decisions") as page:
        assert "Reason: late shift" in page.inner_text("[aria-labelledby=seconds]")
        assert accessibility(page) == []
        password = shown_once(page, page.locator("form[data-send='POST /staff']"), "Confirm")
    with opened(browser, house.address) as page:
        page.goto("/sign-in")
        page.fill("#in [name=id]", "pia")
        page.fill("#in [name=password]", password)
        page.click("#in button")
        page.wait_for_url("**/account")
        page.goto(f"{house.address}/pit")  # no other page is allowed
        page.wait_for_url("**/account")
        assert "This is an initial password" in page.inner_text("main")
        assert accessibility(page) == []
        page.fill("#old-password", password)
        page.fill("#new-password", "a sentence of my own")
        page.click("#password button")
        page.wait_for_url("**/pit")


@pytest.mark.requirement("R36")
def test_r36_players_name_partners_on_their_account_page(browser, house):
    with (
        house.player("una") as una,
        house.player("pal") as pal,
        looking(browser, house, una, "/account") as page,
    ):
        page.fill("#partner-id", "pal ")
        with page.expect_navigation():
            page.click("#partner button")
        expect(page.locator("#partners")).to_contain_text("You named pal")
        assert accessibility(page) == []
        assert pal.post("/api/me/partners", json={"partner": "una"}).is_success
        page.reload()
        expect(page.locator("#partners")).to_contain_text("Linked with pal.")


@pytest.mark.usefixtures("ann")
def test_nothing_can_be_changed_from_the_auditors_page(browser, house):
    with (
        house.staff("auditor") as auditor,
        looking(browser, house, auditor, "/auditor?check=true") as page,
    ):
        assert "No findings" in page.inner_text(".verdict >> nth=0")
        assert page.locator("main form, main button").count() == 0
        with page.expect_download() as journal:
            page.click("a[href='/api/house/journal/house']")
        lines = journal.value.path().read_text().splitlines()
        assert len(lines) == house.store.head("house").sequence
        ledger = auditor.get("/api/house/ledger").text.splitlines()[1:]
        total = sum(float(line[6]) for line in csv.reader(ledger))
        assert (round(total, 2), bool(ledger)) == (0, True)
    may = MAY[Role.AUDITOR] - {Action.USE_SECOND_FACTOR}  # of their own account
    assert {method for method, _, rule in ENDPOINTS if rule in may} == {"GET"}


@pytest.mark.parametrize(
    ("role", "path"),
    [
        ("pit", "/pit"),
        ("pit", "/pit/decisions"),
        ("pit", "/pit/players?who=ann"),
        ("pit", "/pit/players"),
        ("pit", "/pit/staff"),
        ("pit", "/events?days=7"),
        ("cashier", "/cashier?who=ann"),
        ("auditor", "/auditor"),
    ],
)
def test_a_staff_page_is_accessible_and_only_for_its_role(browser, house, ann, role, path):
    with (
        house.staff(role) as client,
        looking(browser, house, client, path, color_scheme="light") as page,
    ):
        for width, height in (PHONE, WALL, DESK):
            page.set_viewport_size({"width": width, "height": height})
            assert overflow(page) <= 0, f"{path} at {width}"
        assert accessibility(page) == []
        page.emulate_media(color_scheme="dark")
        assert accessibility(page) == []
    with house.client(Accept="text/html") as nobody, house.staff("dealer") as dealer:
        assert nobody.get(path).headers["location"].startswith("/sign-in?back=/")
        assert dealer.get(path, headers={"Accept": "text/html"}).status_code == 403


def test_the_pit_page_reloads_only_when_something_has_changed(browser, house, ann):
    with house.staff("pit") as pit, looking(browser, house, pit, "/pit") as page:
        page.evaluate("window.first = true")
        with page.expect_response("**/api/pit"), page.expect_response("**/api/pit"):
            pass
        assert page.evaluate("window.first")  # nothing has changed
        page.locator("#table-open .levers summary").first.click()
        assert pit.post("/api/tables/hand/pause", json={"reason": "a spilled drink"}).is_success
        page.get_by_text("Something on the floor has changed").wait_for()
        assert page.evaluate("window.first")  # somebody is filling in a form
        with page.expect_navigation():
            page.locator("#table-open .levers summary").first.click()
        assert pit.post("/api/tables/hand/resume").is_success


def test_staff_land_on_their_own_page_after_signing_in(browser, house):
    with opened(browser, house.address) as page:
        page.goto("/sign-in")
        page.fill("#in-id", "the-auditor")
        page.fill("#in-password", PASSWORD)
        page.keyboard.press("Enter")
        page.wait_for_url(house.address + "/auditor")
        assert page.get_by_role("link", name="History").count() == 0


def test_a_form_submitted_before_the_scripts_have_loaded_works(browser, house):
    """On a slow connection the modules arrive late."""
    held: list = []
    with house.staff("pit") as pit, opened(browser, house.address) as page:
        use_session(page, pit)
        page.route("**/acts.js", lambda route: held.append(route), times=1)
        page.goto("/pit", wait_until="commit")
        form = page.locator('form[data-send="POST /house/pause"]')
        form.locator("[name=reason]").fill("the lights went out")
        form.locator("button").click()
        assert pit.get("/api/tables/one").json()["paused"] is False
        with page.expect_navigation():
            held[0].continue_()
        page.wait_for_selector("html[data-ready]")
        assert pit.get("/api/tables/one").json()["paused"] is True
        alert = page.locator(".alert.is-paused").first
        assert "The whole house is paused: the lights went out" in alert.inner_text()
        assert page.locator("#table-one form[data-send$=resume]").count() == 0  # house-wide only
        assert "Resume the house below" in page.inner_text("#table-one .levers")
        does(page, page.locator('form[data-send="POST /house/resume"]'))
        assert pit.get("/api/tables/one").json()["paused"] is False
