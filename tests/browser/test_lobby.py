"""The lobby, the history and the rhythm of a table in a real browser."""

import csv
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction

import pytest

from baccarat.analysis.edges import analyse
from baccarat.core.money import percent_string
from baccarat.house.housefile import LONGEST_STAGGER, default_house
from baccarat.house.table_plans import TablePlan
from baccarat.service.public_view import roads
from baccarat.store import bookings
from baccarat.store.sqlstore import system_clock
from baccarat.table.events import ShoeCommitted, decode
from baccarat.table.rules import game_of
from baccarat.table.settings import CLOCKS, Clock, Pace
from baccarat.web.pages import history
from support.browser import DESK, PHONE, accessibility, opened, overflow, use_session
from support.live import settings_for
from support.served import FAST, HOUSE, PASSWORD, Ahead, play_rounds, served, signed, until
from support.visits import visiting

SIZES = [DESK, PHONE]
TODAY = datetime.fromtimestamp(system_clock() / 1000, UTC).date().isoformat()


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """Return a house with every built-in game, and with shoes that are soon dealt out."""
    games = default_house()
    short = TablePlan("short", "Short", settings_for(decks=1, clock=FAST), guests=True)
    long = settings_for(clock=Clock(betting=3_600_000, card=10, pause=3_000), deal_now=0)
    asking = TablePlan("asking", "Asking", long, guests=True)
    tables = (*HOUSE.tables[:2], short, asking, *games.tables[1:])
    with served(tmp_path_factory.mktemp("lobby"), house=replace(games, tables=tables)) as running:
        yield running


# ---- the lobby ---------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_lobby_is_accessible_and_fits_in_both_themes(browser, house, size):
    width, height = size
    with opened(browser, house.address, color_scheme="light") as page:
        page.set_viewport_size({"width": width, "height": height})
        page.goto("/")
        page.wait_for_selector(".seat-road svg")
        assert (accessibility(page), overflow(page)) == ([], 0)
        page.emulate_media(color_scheme="dark")
        assert accessibility(page) == []


def test_each_game_is_described_with_its_lowest_edge(browser, house):
    with opened(browser, house.address) as page:
        page.goto("/")
        for plan in house.service.house.tables:
            game = game_of(plan.settings.rules)
            about = page.inner_text(f'[data-table="{plan.id}"] .seat-about')
            assert game.card.summary in about
            with house.client() as nobody:
                tables = nobody.get("/api/tables").json()["tables"]
            cheapest = next(one["cheapest"] for one in tables if one["id"] == plan.id)
            assert f"House edge from {cheapest['edge']} ({cheapest['name']})." in about


def test_the_cheapest_bet_is_computed_from_the_rule_card(house):
    with house.client() as nobody:
        tables = {one["id"]: one for one in nobody.get("/api/tables").json()["tables"]}
    edges = {bet: figures.edge for bet, figures in analyse(game_of_table(house, "open")).items()}
    lowest = min(edges, key=lambda bet: edges[bet])
    assert tables["open"]["cheapest"]["id"] == lowest
    assert tables["open"]["cheapest"]["edge"] == percent_string(Fraction(edges[lowest]), 2)


def game_of_table(house, table):
    return game_of(house.service.plans[table].settings.rules)


def test_the_road_of_the_last_shoe_is_shown_until_ten_coups(house):
    def short() -> dict:
        with house.client() as nobody:
            tables = nobody.get("/api/tables").json()["tables"]
        return next(one for one in tables if one["id"] == "short")

    until(lambda: short()["last_shoe"])  # one deck is never enough for ten coups
    until(lambda: house.store.state("table:short").display.results == ())
    last = house.store.state("table:short").display.last_shoe
    drawn = roads(last)
    assert short()["big_road"] == drawn["big_road"]
    assert len(last) > 3


def test_favourites_come_first_and_stay(browser, house):
    with opened(browser, house.address) as page:
        page.goto("/")
        last = page.locator(".seat").last.get_attribute("data-table")
        page.click(f'[data-favourite="{last}"]')
        assert page.get_attribute(f'[data-favourite="{last}"]', "aria-pressed") == "true"
        assert page.locator(".seat").last.get_attribute("data-table") == last  # nothing jumps
        page.reload()
        assert page.locator(".seat").first.get_attribute("data-table") == last
        box = page.locator(".star").first.bounding_box()
        assert min(box["width"], box["height"]) >= 44
        page.click(f'[data-favourite="{last}"]')
        page.reload()
        assert page.locator(".seat").last.get_attribute("data-table") == last


def test_a_badge_shows_where_one_has_bets(browser, house):
    with house.guest() as guest, opened(browser, house.address) as page:
        use_session(page, guest)
        page.goto("/")
        assert page.locator(".seat-mine:visible").count() == 0
        number = guest.get("/api/tables/open").json()["round"]
        body = {"round": number, "wagers": [{"bet": "player", "stake": 500}]}
        there, key = "/api/tables/open/wagers", {"Idempotency-Key": "1"}
        assert guest.put(there, json=body, headers=key).is_success
        page.wait_for_selector('[data-table="open"] .seat-mine:visible')
        assert page.locator(".seat-mine:visible").count() == 1
        page.reload()
        assert page.locator('[data-table="open"] .seat-mine').is_visible()
        assert accessibility(page) == []
    with house.guest() as other:
        assert other.get("/api/tables").json()["mine"] == []


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_banner_is_small_once_signed_in(browser, house, size):
    width, height = size
    with house.guest() as guest, opened(browser, house.address) as page:
        page.set_viewport_size({"width": width, "height": height})
        page.goto("/")
        before = page.locator(".hero").bounding_box()["height"]
        use_session(page, guest)
        page.goto("/")
        assert page.locator(".hero").bounding_box()["height"] < before / 2
        assert (accessibility(page), overflow(page)) == ([], 0)


def test_new_tables_do_not_start_at_the_same_time(tmp_path):
    house = default_house()
    starts = [plan.starts_after for plan in house.tables]
    assert len(set(starts)) == len(starts)
    assert max(starts) < LONGEST_STAGGER
    clock = replace(FAST, betting=2000)
    plans = [
        replace(plan, settings=replace(plan.settings, clock=clock), starts_after=late)
        for plan, late in zip(HOUSE.tables[:2], (0, 1500), strict=True)
    ]
    with served(tmp_path, house=replace(HOUSE, tables=tuple(plans))) as running:
        entries = running.store.entries(f"table:{plans[1].id}", after=0, limit=20)
        events = [decode(entry.body) for entry in entries]
        begun_at = next(event.at for event in events if isinstance(event, ShoeCommitted))
    assert begun_at - events[0].at >= 1500  # events[0] is TableOpened


def test_a_new_table_says_when_it_opens(browser, tmp_path):
    new = HOUSE.tables[-1]  # a table with contributions, for which the helper does not wait
    plan = replace(new, starts_after=3_600_000)
    with served(tmp_path, house=replace(HOUSE, tables=(plan,))) as running:
        with opened(browser, running.address) as page:
            page.goto("/")
            page.wait_for_selector("html[data-ready]")
            assert page.inner_text('[data-part="phase"]').startswith("Opens in 3")
        with visiting(browser, running) as me:
            me.sits_down(plan.id)
            me.shows("#status", "Opens soon")
            me.shows("#seconds", "60′")


# ---- the rhythm of a table -----------------------------------------------------------------------


def test_the_lobby_shows_the_pace_of_each_table(browser, house):
    with opened(browser, house.address) as page:
        page.goto("/")
        for plan in house.service.house.tables:
            words = page.inner_text(f'[data-table="{plan.id}"] .seat-pace')
            assert "rounds an hour" in words
            if replace(plan.settings.clock, contribute=0, reveal=0) == CLOCKS[Pace.SLOW]:
                assert words.startswith("Slow")


def test_the_cards_are_dealt_once_everyone_with_a_bet_asks(browser, house):
    with visiting(browser, house, size=PHONE) as ann, visiting(browser, house) as bob:
        for one in (ann, bob):
            one.sits_down("asking")
            assert one.page.locator("#deal-now").is_disabled()
            one.puts("player")
        number = ann.text("#round")
        ann.shows("#deal-now b", "0/2")
        assert all(box["width"] >= 44 and box["height"] >= 44 for box in boxes(ann.page, ".act"))
        assert (accessibility(ann.page), overflow(ann.page)) == ([], 0)
        ann.page.click("#deal-now")
        ann.page.wait_for_selector('#deal-now[aria-pressed="true"]:disabled')
        for one in (ann, bob):
            one.shows("#deal-now b", "1/2")
        bob.page.click("#deal-now")
        for one in (ann, bob):
            one.waits_for(f"document.getElementById('round').textContent !== '{number}'")
            assert one.page.locator("#deal-now").is_disabled()


def boxes(page, selector: str) -> list[dict]:
    """Return the boxes of all visible elements."""
    found = (one.bounding_box() for one in page.locator(selector).all() if one.is_visible())
    return [box for box in found if box is not None]


def test_the_end_of_a_shoe_can_be_followed_on_the_felt(browser, house):
    with visiting(browser, house) as me:
        me.sits_down("short")
        me.waits_for("/cut card|last|Last/.test(document.getElementById('shoe-end').textContent)")
        me.waits_for("document.querySelector('#shoe-end .cut-card')")
        me.waits_for("document.getElementById('shoe-end').textContent.startsWith('Last shoe: ')")
        me.waits_for("""(() => {
          const [felt, end] = ["felt", "shoe-end"].map((id) =>
            document.getElementById(id).getBoundingClientRect());
          return end.height > 0 && end.top > felt.top && end.bottom < felt.bottom;
        })()""")
        assert overflow(me.page) == 0


# ---- opening an account ------------------------------------------------------------------------


def test_a_guest_opens_an_account_and_keeps_the_play_money(browser, house):
    with house.guest() as guest, opened(browser, house.address) as page:
        use_session(page, guest)
        play_rounds(guest, 1)
        page.goto("/account")
        page.click('a.button[href="/sign-in"]')
        assert "You keep your £" in page.inner_text("#new-title + p")
        balance = page.inner_text("#balance")
        for name, value in {"id": "zoe", "name": "Zoe", "password": PASSWORD}.items():
            page.fill(f"#new-{name}", value)
        page.click("#new button")
        page.wait_for_url(house.address + "/")
        assert (page.inner_text("#balance"), page.inner_text(".who .name")) == (balance, "Zoe")
        page.goto("/history")
        assert page.locator("tbody tr").count() == 1
        page.goto("/account")
        assert "zoe" in page.inner_text("main")
        assert page.locator("#password").count() == 1
        assert (accessibility(page), overflow(page)) == ([], 0)


# ---- the history -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def player(house):
    with house.guest() as client:
        play_rounds(client, 3)
        yield client


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_history_has_totals_and_can_be_filtered(browser, house, player, size):
    width, height = size
    booked = player.get("/api/me/ledger?limit=500").json()["bookings"]
    net = sum(one["amount"] for one in booked if one["kind"] != "play-money")
    with opened(browser, house.address) as page:
        page.set_viewport_size({"width": width, "height": height})
        use_session(page, player)
        page.goto("/history")
        figures = page.inner_text(".figures")
        assert "3" in page.inner_text(".figures dd >> nth=0")
        assert f"{abs(net) // 100}.{abs(net) % 100:02}" in figures.replace(",", "")
        assert (accessibility(page), overflow(page)) == ([], 0)
        page.select_option("select[name=table]", "open")
        page.click(".choose button")
        assert page.locator("tbody tr").count() == 0
        assert "No rounds match" in page.inner_text("main")
        page.select_option("select[name=table]", "fast")
        page.fill("input[name=day]", TODAY)
        page.check("input[name=session]")
        page.click(".choose button")
        assert page.locator("tbody tr").count() == 3
        page.click("text=Summary to print or keep")
        assert page.locator(".summary table").count() == 2
        assert (accessibility(page), overflow(page)) == ([], 0)
        page.emulate_media(media="print")
        assert not page.locator("[data-print]").is_visible()
        assert page.locator(".figures").is_visible()


PAPER = (718, 1000)
"""The printable part of an A4 page, in pixels."""


@pytest.mark.parametrize(
    "path", ["/history?table=fast", "/history/summary?session=1", "/history/statement"]
)
def test_a_players_pages_can_be_printed(browser, house, player, path):
    with opened(browser, house.address, size=PAPER, color_scheme="dark") as page:
        use_session(page, player)
        page.goto(path)
        assert page.locator("[data-print]").is_visible()
        page.emulate_media(media="print")
        for hidden in (".bar", ".foot", ".tabs", "form", "button", "a.button"):
            assert page.locator(f"{hidden}:visible").count() == 0, hidden
        assert "The house · Guest" in page.inner_text("main")
        assert "fast" not in path or page.inner_text(".printed >> nth=1") == "Fast"
        rows = page.locator("tbody tr").first
        assert rows.evaluate("one => getComputedStyle(one).display") == "table-row"
        colours = page.evaluate("""[document.body, document.querySelector("td")].map((one) =>
          getComputedStyle(one)[one.matches("td") ? "color" : "backgroundColor"])""")
        assert colours == ["rgb(255, 255, 255)", "rgb(30, 31, 28)"]
        assert overflow(page) == 0


def test_filters_apply_to_pages_files_and_totals(house, player, monkeypatch):
    monkeypatch.setattr(history, "PAGE", 2)
    monkeypatch.setattr(bookings, "PIECE", 2)
    first = player.get("/history", params={"table": "fast"}).text
    assert first.count("<tr>") == 3
    assert "table=fast&amp;below=" in first
    assert "<dd>3</dd>" in first
    here = {"table": "fast", "day": TODAY}
    rows = list(csv.DictReader(player.get("/history/rounds.csv", params=here).text.splitlines()))
    assert len({row["round"] for row in rows}) == 3
    for nothing in ({"table": "open"}, {"day": "2001-01-01"}, {"table": "no-such-table"}):
        assert len(player.get("/history/rounds.csv", params=nothing).text.splitlines()) == 1
        assert "No rounds match" in player.get("/history", params=nothing).text
        assert "No rounds match" in player.get("/history/summary", params=nothing).text
    assert player.get("/history", params={"day": "yesterday"}).status_code == 422


def test_a_session_begins_after_a_long_pause(tmp_path):
    clock = Ahead()
    with served(tmp_path, clock=clock) as house, house.client() as client:
        body = {"id": "ann", "name": "Ann", "password": PASSWORD, "born": "1990-05-05"}
        signed(client, client.post("/api/accounts", json=body))
        house.pay("ann", 100_000)
        play_rounds(client, 1)
        clock.by += 2 * 3_600_000
        body = {"account": "ann", "password": PASSWORD}
        signed(client, client.post("/api/session", json=body))
        play_rounds(client, 2)
        rows = [
            client.get("/history", params=chosen).text.count("<tr>")
            for chosen in ({}, {"session": "1"})
        ]
    assert rows[1] == rows[0] - 1 > 1
