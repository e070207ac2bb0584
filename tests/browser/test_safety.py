"""Safer gambling in a real browser: reality checks, limits, breaks and self-exclusion."""

import pytest

from baccarat.house.housefile import House
from baccarat.house.safety.periods import DAY, MINUTE
from baccarat.house.table_plans import TablePlan
from baccarat.table.settings import Clock
from support.browser import DESK, PHONE, WALL, accessibility, overflow
from support.live import settings_for
from support.served import OPEN, PASSWORD, Ahead, served
from support.visits import visiting

SLOW = Clock(betting=20 * MINUTE, card=60, pause=300)
TABLES = (
    TablePlan("open", "Open", settings_for("commission", decks=8, clock=OPEN), guests=True),
    TablePlan("slow", "Slow", settings_for("commission", decks=8, clock=SLOW), guests=True),
)
REFUSED = ("status of 403", "status of 401")


@pytest.fixture(scope="module")
def clock():
    return Ahead()


@pytest.fixture(scope="module")
def house(tmp_path_factory, clock):
    made = House("The house", "EUR", 100_000, TABLES)
    with served(tmp_path_factory.mktemp("safer"), house=made, clock=clock) as running:
        yield running


@pytest.mark.requirement("G13")
def test_g13_a_reality_check_must_be_answered(browser, house, clock):
    with house.player("ann", 100_000) as ann, visiting(browser, house) as me:
        ann.put("/api/me/reality-check", json={"every": 10})
        me.uses_session_of(ann)
        me.looks_at("/tables/open")
        me.puts("player")
        clock.by += 10 * MINUTE
        me.spot("banker").click()
        me.page.wait_for_selector("#check[open]")
        assert me.text("#check-words") == (
            "You have played for 10 min and are even. "
            "Another €25.00 is at stake in a round that isn't settled yet."
        )
        assert me.text("#check-staked") == "€25.00"
        assert accessibility(me.page) == []
        for _ in range(2):
            me.page.keyboard.press("Escape")
        assert me.page.locator("#check[open]").count() == 1
        placed = ann.get("/api/tables/open/wagers").json()
        assert [wager["bet"] for wager in placed["wagers"]] == ["player"]
        me.page.click("#check-on")
        me.page.wait_for_selector("#check", state="detached")
        me.puts("banker")


@pytest.mark.requirement("G13")
def test_g13_an_open_reality_check_is_refreshed_when_the_round_is_settled(browser, house, clock):
    """The new figures are shown; answering the outdated ones is refused."""
    with (
        house.player("nora", 100_000) as nora,
        visiting(browser, house, expected=("status of 409",)) as me,
    ):
        nora.put("/api/me/reality-check", json={"every": 10})
        me.uses_session_of(nora)
        me.looks_at("/tables/open")
        me.puts("player")
        clock.by += 10 * MINUTE
        me.spot("banker").click()
        me.page.wait_for_selector("#check[open]")
        assert me.text("#check-staked") == "€25.00"
        clear = {"round": nora.get("/api/tables/open").json()["round"], "wagers": []}
        key = {"Idempotency-Key": "clear"}
        assert nora.put("/api/tables/open/wagers", json=clear, headers=key).is_success
        me.page.wait_for_selector('#check-staked:text-is("€0.00")')
        assert "at stake" not in me.text("#check-words")
        stale = nora.get("/api/me/play").json()
        me.page.route("**/api/me/play", lambda route: route.fulfill(json=stale))
        stale["sitting"]["net"] = 4_500  # a win that did not happen
        me.page.wait_for_selector('#check-net:text-is("+€45.00")')
        me.page.unroute("**/api/me/play")
        me.page.click("#check-on")
        me.page.wait_for_selector('#check-net:text-is("€0.00")')
        assert nora.get("/api/me/play").json()["reality_check"]["due"]
        me.page.click("#check-on")
        me.page.wait_for_selector("#check", state="detached")
        assert not nora.get("/api/me/play").json()["reality_check"]["due"]


def test_a_loss_is_shown_as_a_loss_and_a_break_is_one_click_away(browser, house):
    with house.player("bob", 100_000) as bob, visiting(browser, house, expected=REFUSED) as me:
        me.uses_session_of(bob)
        body = {
            "round": bob.get("/api/tables/open").json()["round"],
            "wagers": [{"bet": "player", "stake": 2500}],
        }
        assert bob.put(
            "/api/tables/open/wagers", json=body, headers={"Idempotency-Key": "b"}
        ).is_success
        lost = {
            **bob.get("/api/me/play").json(),
            "sitting": {"elapsed": 95 * MINUTE, "net": -12_345},
            "reality_check": {"due": True},
        }
        me.page.route("**/api/me/play", lambda route: route.fulfill(json=lost), times=1)
        me.looks_at("/tables/open")
        me.page.wait_for_selector("#check[open]")
        assert me.text("#check-words") == "You have played for 1 h 35 min and lost €123.45."
        assert me.page.locator("#check-net.down").inner_text() == "−€123.45"
        me.page.click("#check-break")
        me.page.wait_for_selector("#stopped-words")
        assert "You are on a break until" in me.text("#stopped-words")
        assert accessibility(me.page) == []
        assert bob.get("/api/me/play").json()["break_until"]
        me.page.click("#stopped-stay")
        with me.page.expect_response("**/wagers"):
            me.page.click("#clear")
        assert bob.get("/api/tables/open/wagers").json()["wagers"] == []
        me.page.click("#stopped >> text=Limits, breaks and help")
        me.page.wait_for_selector("#blocked")


@pytest.mark.requirement("G15")
def test_g15_self_exclusion_in_the_middle_of_a_round(browser, house, clock):
    with house.player("cleo", 100_000) as cleo, visiting(browser, house, expected=REFUSED) as me:
        me.uses_session_of(cleo)
        me.looks_at("/tables/slow")
        me.puts("player")
        staked = int(me.text("#round"))
        other = me.page.context.new_page()
        other.goto("/account/limits")
        other.click("#exclusion-form button")
        said = other.inner_text("#exclusion-ask")
        assert "until at least" in said
        assert "You have €25.00 at stake now." in said
        assert accessibility(other) == []
        other.click("#exclusion-ask [data-yes]")
        other.wait_for_selector("#blocked")
        assert "You are excluded from playing" in other.inner_text("#blocked")
        assert "You have €25.00 at stake" in other.inner_text("#still-staked")
        # The table stays visible, accepts no more bets, says why, and returns chips.
        me.spot("banker").dispatch_event("click")
        me.page.wait_for_selector("#stopped-words")
        assert "You are excluded from play until" in me.text("#stopped-words")
        assert accessibility(me.page) == []
        me.page.keyboard.press("Escape")
        me.page.wait_for_selector("#check", state="detached")
        assert "You are excluded from play until" in me.text("#stopped")
        assert (accessibility(me.page), overflow(me.page)) == ([], 0)
        me.spot("banker").dispatch_event("click")
        me.page.wait_for_selector("#refusal:not(:empty)")
        assert me.page.locator("#double").is_disabled()
        assert me.page.locator("#clear").is_enabled()
        placed = cleo.get("/api/tables/slow/wagers").json()["wagers"]
        assert [(one["bet"], one["stake"]) for one in placed] == [("player", 2500)]
        # The stake in the current round stands and is settled.
        clock.by += 20 * MINUTE
        me.waits_for(f"Number(document.getElementById('round').textContent) > {staked}")
        assert me.page.locator("#check").count() == 0
        (mine,) = cleo.get("/api/me/rounds").json()["rounds"]
        assert [(wager["bet"], wager["stake"]) for wager in mine["wagers"]] == [("player", 2500)]
        balance = cleo.get("/api/me/balance").json()["real"]
        assert balance == 100_000 + mine["wagers"][0]["net"]
        # No further wager is accepted; a player who sits down again sees that at once.
        body = {
            "round": cleo.get("/api/tables/slow").json()["round"],
            "wagers": [{"bet": "player", "stake": 1000}],
        }
        answer = cleo.put("/api/tables/slow/wagers", json=body, headers={"Idempotency-Key": "x"})
        assert answer.json()["code"] == "self-excluded"
        me.looks_at("/tables/open")
        me.page.wait_for_selector("#stopped-words")
        other.goto("/history")
        assert other.locator("tbody tr").count() == 1


@pytest.mark.requirement("G14")
def test_g14_a_tighter_limit_applies_at_once_and_a_looser_one_later(browser, house, clock):
    with house.player("dora", 50_000) as dora, visiting(browser, house, expected=REFUSED) as me:
        me.uses_session_of(dora)
        me.looks_at("/account/limits")
        amount, row = me.page.locator("#loss-day .amount"), "#loss-day"

        def sets(words: str) -> None:
            me.page.fill(f"{row} input", words)
            with me.page.expect_navigation():
                me.page.keyboard.press("Enter")

        me.page.fill(f"{row} input", "a lot")
        me.page.keyboard.press("Enter")
        assert me.text(f"{row} .fault") == "Enter an amount such as 20 or 12.50."
        sets("25")
        assert amount.inner_text() == "€25.00"
        sets("30.50")
        assert amount.inner_text() == "€25.00"
        assert "Requested: €30.50." in me.text(f"{row} .pending")
        with me.page.expect_navigation():
            me.page.click(f"{row} >> text=Withdraw request")
        assert me.page.locator(f"{row} .pending").count() == 0
        sets("30.50")
        clock.by += DAY + MINUTE
        body = {"account": "dora", "password": PASSWORD}
        assert me.page.request.post("/api/session", data=body).ok
        me.looks_at("/account/limits")
        with me.page.expect_navigation():
            me.page.click(f"{row} >> text=Confirm now")
        assert amount.inner_text() == "€30.50"
        # Most of the limit is used: a warning appears here and at the table.
        me.looks_at("/tables/open")
        me.puts("player")
        assert me.stake("player") == "€25"
        me.page.wait_for_selector(".note.bad")
        for size, theme in ((PHONE, "dark"), (DESK, "light"), (WALL, "dark")):
            me.page.set_viewport_size({"width": size[0], "height": size[1]})
            me.page.emulate_media(color_scheme=theme)
            me.looks_at("/account/limits")
            assert "At least 80% used." in me.text("main")
            assert (accessibility(me.page), overflow(me.page)) == ([], 0)
