"""The moment of play in a real browser: refusals, chips, phones, bets in detail, being offline."""

import re
from dataclasses import replace

import pytest

from baccarat.analysis.edges import analyse
from baccarat.core.money import percent_string
from baccarat.house.housefile import House
from baccarat.house.table_plans import TablePlan
from baccarat.loader import load
from baccarat.table.settings import Clock, StakeLimits
from support.browser import accessibility, overflow
from support.by_hand import hand_settings
from support.dealing import Dealing
from support.live import settings_for
from support.served import OPEN, served, until
from support.visits import visiting

FOURTEEN = settings_for("punto-banco-2000", clock=OPEN, limits=StakeLimits(minimum=500))
"""Fourteen bets, none of which needs an agreement."""
TABLES = (
    TablePlan("fourteen", "Fourteen", FOURTEEN, guests=True),
    TablePlan("fortune", "Fortune", settings_for("fortune-six", clock=OPEN), guests=True),
    TablePlan("double", "Double", settings_for("double-chance", clock=OPEN), guests=True),
)
HOUSE = House("The house", "GBP", 100_000, TABLES)
REFUSED = ("status of 422",)
DESK, PHONE, SMALL, LANDSCAPE = (1280, 800), (390, 844), (360, 640), (844, 390)


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with served(tmp_path_factory.mktemp("play"), house=HOUSE) as running:
        yield running


def classes(visit, bet: str) -> set[str]:
    return set(visit.spot(bet).get_attribute("class").split())


def test_refusals_stay_while_other_bets_are_accepted(browser, house):
    with visiting(browser, house, size=DESK, expected=REFUSED) as me:
        me.sits_down("fourteen")
        me.spot("ur-way-3").click()
        me.page.wait_for_selector('#refusal[data-code="needs-another"]')
        me.puts("player")
        me.spot("banker").click()
        me.page.wait_for_selector('#refusal[data-code="excluded"]')
        me.puts("tie")
        me.page.wait_for_timeout(4000)
        assert "Bet Banker, Player or Tie first" in me.text("#refusal")
        assert "can't be bet together" in me.text("#refusal")
        assert {"ur-way-3", "banker"} == {
            spot.get_attribute("data-bet") for spot in me.page.locator(".spot.refused").all()
        }
        me.waits_for("!document.querySelector('#refusal').childElementCount")
        assert me.page.locator(".spot.refused").count() == 0


def test_bets_that_would_be_refused_are_dimmed_and_say_why(browser, house):
    with visiting(browser, house, size=DESK) as me:
        me.sits_down("fourteen")
        barred = me.page.locator(".spot.barred")
        assert barred.count() == 10
        assert "Bet Player, Banker or Tie first." in me.spot("ur-way-0").get_attribute("aria-label")
        assert accessibility(me.page) == []
        me.puts("player")
        assert [one.get_attribute("data-bet") for one in barred.all()] == ["banker"]
        assert me.text('[data-bet="banker"] .spot-why') == "Not with Player"
        assert accessibility(me.page) == []
        me.page.click("#clear")
        assert barred.count() == 10


def test_chips_have_the_same_colour_at_every_table(browser, tmp_path):
    """£1 white, £5 red, £25 green, £100 black, £500 purple, £1,000 gold, at any minimum."""
    plans = tuple(
        TablePlan(
            name,
            name,
            settings_for(clock=OPEN, limits=StakeLimits(minimum=minimum, maximum=1_000_000)),
            guests=True,
        )
        for name, minimum in (("low", 100), ("high", 2_500))
    )
    colours = """() => Object.fromEntries([...document.querySelectorAll(".rack-chip")].map((one) =>
      [one.textContent, getComputedStyle(one.querySelector(".chip-rim")).fill]))"""
    with (
        served(tmp_path, house=House("The house", "GBP", 100_000, plans)) as running,
        visiting(browser, running) as me,
    ):
        me.sits_down("low")
        low = me.page.evaluate(colours)
        me.looks_at("/tables/high")
        high = me.page.evaluate(colours)
    assert len(set(low.values())) == len(low) == 6
    assert {value: low[value] for value in high if value in low} == {
        value: high[value] for value in high if value in low
    }
    assert list(low) == ["1", "5", "25", "100", "500", "1K"]
    assert low["1"] == "rgb(247, 244, 234)"
    assert low["1K"] == "rgb(217, 177, 60)"


OUT_OF_SIGHT = """() => {
  const box = (element) => element.getBoundingClientRect();
  const dock = box(document.getElementById("dock"));
  const above = [...document.querySelectorAll(".spot, .slot")].filter((one) => {
    const { top, bottom } = box(one);
    return top < 0 || bottom > dock.top + 1;
  });
  const controls = [...document.querySelectorAll(".rack-chip, .act, .in-dock, #last")];
  const inDock = controls.filter((one) => {
    const { top, bottom, height } = box(one);
    return height < 20 || top < dock.top - 4 || bottom > Math.min(dock.bottom, innerHeight) + 1;
  });
  return [...above, ...inDock].map((one) => one.dataset.bet ?? one.id ?? one.className);
}"""
"""Cards and spots that are outside the window or under the dock, and controls outside the dock."""


@pytest.mark.parametrize("size", [PHONE, SMALL], ids=str)
@pytest.mark.parametrize("table", ["fourteen", "double"])
def test_a_phone_shows_cards_countdown_spots_and_chips_together(browser, house, size, table):
    """On a small phone, the page is scrolled past its header."""
    with visiting(browser, house, size=size, has_touch=True, is_mobile=True) as me:
        me.sits_down(table)
        me.until("open")
        if size == SMALL:
            me.page.evaluate("document.getElementById('felt').scrollIntoView()")
        assert me.page.evaluate(OUT_OF_SIGHT) == []
        assert re.fullmatch(r"\d+′", me.text("#seconds"))
        assert me.text(".in-dock b") == me.text("#seconds")
        assert overflow(me.page) == 0
        assert accessibility(me.page) == []


def test_the_last_result_stays_in_the_dock(browser, tmp_path):
    clock = Clock(betting=2_500, card=20, pause=2_500)
    plan = TablePlan("quick", "Quick", settings_for(clock=clock), guests=True)
    with (
        served(tmp_path, house=House("The house", "GBP", 100_000, (plan,))) as running,
        visiting(browser, running, size=PHONE) as me,
    ):
        me.sits_down("quick")
        me.puts("player")
        me.until("settled")
        me.until("open")
        first = me.text("#last")
        assert first.split()[0] in ("Player", "Banker", "Tie")
        assert first.split()[-1] in ("+£25.00", "−£25.00", "Even")


def test_the_last_result_survives_a_reload_and_is_shown_to_watchers(browser, tmp_path):
    clock = Clock(betting=3_600_000, card=20, pause=1_000)
    plan = TablePlan("asked", "Asked", settings_for(clock=clock, deal_now=0), guests=True)
    with (
        served(tmp_path, house=House("The house", "GBP", 100_000, (plan,))) as running,
        visiting(browser, running, size=LANDSCAPE) as me,
        visiting(browser, running, size=PHONE) as watcher,
    ):
        me.sits_down("asked")
        me.puts("player")
        me.page.click("#deal-now")
        me.until("settled")
        me.until("open")
        shown = me.text("#last")
        assert shown.split()[-1] in ("+£25.00", "−£25.00", "Even")
        me.page.reload()
        me.shows("#last", shown.replace("\n", ""))
        assert me.page.locator("#last").is_visible()
        assert (overflow(me.page), accessibility(me.page)) == (0, [])
        watcher.looks_at("/tables/asked")
        assert watcher.text("#last") in shown
        assert watcher.page.locator("#last").is_visible()


@pytest.mark.parametrize("size", [PHONE, SMALL, LANDSCAPE], ids=str)
def test_phones_show_each_share_of_the_stakes_clear_of_chips_and_text(browser, house, size):
    with visiting(browser, house, size=size) as me:
        me.sits_down("double")
        me.puts("tie")
        share = me.spot("tie").locator(".spot-share b")
        assert re.fullmatch(r"\d+%", share.inner_text())
        inner = share.evaluate("""(one) => {
          const range = document.createRange();
          range.selectNodeContents(one);
          const { left, right, top, bottom } = range.getBoundingClientRect();
          const others = [".stake", ".spot-limits", ".spot-edge", ".spot-pays"];
          return others.filter((name) => {
            const box = one.closest(".spot").querySelector(name).getBoundingClientRect();
            const [across, down] = [Math.min(right, box.right) - Math.max(left, box.left),
              Math.min(bottom, box.bottom) - Math.max(top, box.top)];
            return across > 1.5 && down > 1.5;
          });
        }""")
        assert inner == []


@pytest.mark.parametrize("bet", ["tie", "ur-way-3"])
def test_a_bet_is_explained_and_taken_back_by_touch(browser, house, bet):
    """A tap on the corner of a spot, or a long press on one that is too small for a corner."""
    with visiting(browser, house, size=PHONE, has_touch=True, is_mobile=True) as me:
        me.sits_down("fourteen")
        me.puts("tie")
        if bet != "tie":
            me.puts(bet)
        corner = me.spot(bet).locator(".spot-info")
        if corner.is_visible():
            assert min(corner.bounding_box()["width"], corner.bounding_box()["height"]) >= 44
            corner.tap()
        else:
            me.spot(bet).dispatch_event("pointerdown", {"pointerType": "touch"})
        sheet = me.page.locator("#prices[open] .price:visible")
        sheet.wait_for()
        assert sheet.get_attribute("data-price") == bet
        words = sheet.inner_text()
        shown = ("9:1", "6.38%", "£5.00–£1,000.00")
        if bet != "tie":
            shown = ("200:1", "9.67%", "£5.00–£100.00", "Bet Player, Banker or Tie first.")
        assert [part for part in shown if part not in words] == []
        assert (accessibility(me.page), overflow(me.page)) == ([], 0)
        sheet.locator("[data-remove]").tap()
        assert me.spot(bet).locator(".stake").count() == 0
        me.waits_for("!document.querySelector('.waiting')")
        left = {wager["bet"] for wager in me.asks("/api/tables/fourteen/wagers")["wagers"]}
        assert left == {"tie"} - {bet}


@pytest.mark.parametrize("size", [DESK, (1280, 720), (1920, 1080)], ids=str)
def test_each_spot_of_a_ring_explains_itself(browser, house, size):
    with visiting(browser, house, size=size) as me:
        me.sits_down("fourteen")
        me.until("open")
        for number in range(10):
            corner = me.spot(f"ur-way-{number}").locator(".spot-info")
            box = corner.bounding_box()
            assert min(box["width"], box["height"]) >= 44
            corner.click()
            shown = me.page.locator("#prices[open] .price:visible")
            assert shown.get_attribute("data-price") == f"ur-way-{number}"
            me.page.click("#prices-close")
        assert me.page.locator(".stake").count() == 0
        me.puts("tie")
        me.puts("ur-way-0")  # a click on the middle of a spot still bets


@pytest.mark.parametrize("size", [PHONE, SMALL, LANDSCAPE], ids=str)
def test_a_grid_of_small_spots_has_one_corner_that_explains_all(browser, house, size):
    with visiting(browser, house, size=size, has_touch=True, is_mobile=True) as me:
        me.sits_down("fourteen")
        button = me.page.locator(".ring-info")
        box = button.bounding_box()
        assert min(box["width"], box["height"]) >= 44
        button.tap()
        shown = me.page.locator("#prices[open] .price:visible")
        assert shown.count() == 10
        assert "£5.00–£100.00" in shown.first.inner_text()
        assert (accessibility(me.page), overflow(me.page)) == ([], 0)


COVERED = """(spot) => {
  const box = (one) => one.getBoundingClientRect();
  const chips = [...spot.querySelectorAll(".spot-chips > *")].map(box);
  return ["name", "short", "pays", "edge", "limits"].filter((name) => {
    const words = document.createRange();
    words.selectNodeContents(spot.querySelector(`.spot-${name}`));
    const { left, right, top, bottom, width } = box(words);
    const beside = (chip) => left > chip.right - 1 || right < chip.left + 1;
    const apart = (chip) => beside(chip) || top > chip.bottom - 2 || bottom < chip.top + 2;
    return width > 1 && !chips.every(apart);
  });
}"""
"""The texts of a spot that its chips cover."""


@pytest.mark.parametrize("size", [DESK, PHONE, SMALL, LANDSCAPE], ids=str)
@pytest.mark.parametrize("table", ["fourteen", "fortune"])
def test_chips_cover_no_text(browser, house, size, table):
    with visiting(browser, house, size=size, expected=REFUSED) as me:
        me.sits_down(table)
        me.until("open")
        me.page.locator(".rack-chip").first.click()
        for spot in me.page.locator(".spot").all():
            if spot.get_attribute("data-bet") != "banker":
                for _ in range(4):  # a stack of four chips
                    spot.press("Enter")
        covered = {
            spot.get_attribute("data-bet"): spot.evaluate(COVERED)
            for spot in me.page.locator(".spot:has(.stake)").all()
        }
        assert len(covered) >= 5
        assert {bet: names for bet, names in covered.items() if names} == {}


def test_offline_the_page_takes_no_chips_and_shows_what_the_house_holds(browser, house):
    expected = ("ERR_INTERNET_DISCONNECTED", "WebSocket")
    with visiting(browser, house, size=PHONE, expected=expected) as me:
        me.sits_down("fortune")
        me.puts("player")
        me.page.context.set_offline(True)
        me.page.evaluate("dispatchEvent(new Event('offline'))")
        me.page.wait_for_selector(".line.lost:not([hidden])")
        assert "those the house has accepted" in me.text("#line")
        me.spot("tie").evaluate("spot => spot.click()")
        assert "You're offline" in me.text("#refusal")
        assert me.page.locator(".stake").all_inner_texts() == ["£25"]
        assert me.page.locator(".act:not([data-prices]):not(:disabled)").count() == 0
        me.page.context.set_offline(False)
        me.page.wait_for_selector(".line.back:not([hidden])")
        me.puts("tie")
        wagers = me.asks("/api/tables/fortune/wagers")["wagers"]
        assert {wager["bet"] for wager in wagers} == {"player", "tie"}


def test_a_chip_on_its_way_is_not_shown_as_held_while_offline(browser, house):
    with visiting(browser, house, size=PHONE, expected=("ERR_FAILED",)) as me:
        me.sits_down("fortune")
        me.page.route("**/wagers", lambda route: route.abort())
        me.spot("player").click()
        assert me.stake("player") == "£25"
        me.page.evaluate("dispatchEvent(new Event('offline'))")
        me.page.wait_for_selector(".line.lost:not([hidden])")
        assert me.page.locator(".stake").count() == 0
        me.page.unroute("**/wagers")
        me.page.wait_for_selector('[data-bet="player"] .spot-chips:not(.waiting) .stake')


def test_touch_leaves_no_spot_highlighted(browser, house):
    """Devices without hover would keep the last tapped spot highlighted."""
    colour = "spot => getComputedStyle(spot).borderTopColor"
    with visiting(browser, house, size=PHONE, has_touch=True, is_mobile=True) as me:
        me.sits_down("fortune")
        before = me.spot("player").evaluate(colour)
        me.spot("player").hover()  # as after a tap
        me.page.wait_for_timeout(400)
        assert me.spot("player").evaluate(colour) == before


IN_SIGHT = """(selectors) => selectors.flatMap((one) => [...document.querySelectorAll(one)])
  .filter((one) => one.getBoundingClientRect().bottom > innerHeight || !one.checkVisibility())
  .map((one) => one.dataset.bet ?? one.className.baseVal ?? one.id)"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_phone_in_landscape_shows_every_bet_and_the_roads(browser, house, theme):
    with visiting(browser, house, size=LANDSCAPE, has_touch=True, is_mobile=True) as me:
        me.page.emulate_media(color_scheme=theme)
        me.sits_down("fortune")
        me.until("open")
        shown = [".spot", ".slot", ".rack-chip", ".act", ".big-road svg", ".derived svg"]
        assert me.page.evaluate(IN_SIGHT, shown) == []
        assert (accessibility(me.page), overflow(me.page)) == ([], 0)


SMALL_PARTS = """() => {
  const found = [];
  for (const one of document.querySelectorAll(".spot, .rack-chip, .act, .spot-info")) {
    const { width, height } = one.getBoundingClientRect();
    const small = width && Math.min(width, height) < 43.9;
    if (small) found.push(`${one.id || one.className} ${width} ${height}`);
  }
  for (const one of document.querySelectorAll(".room *:not(svg, svg *)")) {
    const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    const size = parseFloat(getComputedStyle(one).fontSize);
    if (own && one.checkVisibility() && size < 11) found.push(`${one.className} ${size}`);
  }
  const undo = document.querySelector("#undo path");
  const { y, height } = undo.getBBox();
  if (y < 1 || y + height > 23) found.push("undo is clipped");
  return found;
}"""


@pytest.mark.parametrize("size", [DESK, PHONE, SMALL, LANDSCAPE], ids=str)
def test_targets_and_text_are_large_enough(browser, house, size):
    with visiting(browser, house, size=size) as me:
        me.sits_down("fourteen")
        assert me.page.evaluate(SMALL_PARTS) == []


def test_a_looser_limit_is_reported_as_requested(browser, house):
    with house.player("lea", 0) as lea, visiting(browser, house) as me:
        me.uses_session_of(lea)
        for amount, words in (("50", "Done."), ("80", "Requested.")):
            me.looks_at("/account/limits")
            me.page.fill("#deposit-day-value", amount)
            me.page.click("#deposit-day .limit-set .button")
            me.page.wait_for_selector(f'.note:has-text("{words}")')
        assert "£50.00" in me.text("#deposit-day .amount")


def newest_round(visit) -> int | None:
    rounds = visit.asks("/api/me/rounds?limit=1")["rounds"]
    return rounds[0]["round"] if rounds else None


def test_the_replay_marks_the_winner_and_lays_third_cards_sideways(browser, tmp_path):
    clock = Clock(betting=1_500, card=10, pause=300)
    plan = TablePlan("quick", "Quick", settings_for(clock=clock), guests=True)
    with (
        served(tmp_path, house=House("The house", "GBP", 100_000, (plan,))) as running,
        visiting(browser, running, size=PHONE) as me,
    ):
        me.sits_down("quick")
        last = None
        for _ in range(12):  # until a round with a winner and a third card
            me.puts("player")
            until(lambda: newest_round(me) != last)  # noqa: B023 (called at once)
            last = newest_round(me)
            me.page.goto(f"/history/quick/{last}")
            third = me.page.locator(".lying .card:nth-child(3)")
            if third.count() and "Tie" not in me.text("#called"):
                break
            me.looks_at("/tables/quick")
        winner = me.page.locator(".felted .hand.wins h2").inner_text().split()[0].lower()
        assert winner in me.text("#called").lower()
        box = third.first.bounding_box()
        assert box["width"] > box["height"]
        for side in ("player", "banker"):
            total = me.page.locator(f"#total-{side}").bounding_box()
            cards = me.page.locator(f"#lying-{side}").bounding_box()
            assert cards["x"] <= total["x"] <= cards["x"] + cards["width"]
        assert (accessibility(me.page), overflow(me.page)) == ([], 0)


@pytest.mark.parametrize("size", [DESK, PHONE], ids=str)
def test_a_slider_shows_the_edge_of_each_percentage_and_what_happens_next(browser, house, size):
    edge = analyse(load("double-chance").game(decks="1", double_chance="3%"))["banker"].edge
    with visiting(browser, house, size=size) as me:
        me.sits_down("double")
        me.page.focus("#terms-slider")
        assert "agreed at once" in me.text("#terms-choice")
        for _ in range(2):
            me.page.keyboard.press("ArrowRight")
        assert me.page.input_value("#term-double_chance") == "3%"
        assert f"House edge on Banker: {percent_string(edge, 2)}." in me.text("#terms-choice")
        assert "the pit decides" in me.text("#terms-choice")
        me.page.fill("#term-double_chance", "10")
        assert me.page.input_value("#terms-slider") == "16"
        assert (accessibility(me.page), overflow(me.page)) == ([], 0)
        me.page.click("#terms-ask")
        me.page.wait_for_selector('#terms[data-state="proposed-player"]')
        assert "10%" in me.text("#terms-now")
        me.page.wait_for_timeout(500)
        assert me.page.locator(".note").count() == 0  # nothing has changed yet


def test_one_tap_refills_play_money_once_it_is_lost(browser, tmp_path):
    settings = replace(hand_settings(), limits=StakeLimits(minimum=100_000, maximum=100_000))
    plans = (TablePlan("hand", "By hand", settings, guests=True),)
    with (
        served(tmp_path, house=replace(HOUSE, tables=plans)) as house,
        visiting(browser, house, size=PHONE, has_touch=True, is_mobile=True) as me,
    ):
        dealer = Dealing(house).ready()
        dealer.call("place-your-bets")
        me.sits_down("hand")
        assert me.page.locator("#broke").is_hidden()
        me.page.locator(".rack-chip").first.tap()  # £1,000: all there is
        me.spot("player").tap()
        me.shows("#in-play", "£1,000.00")
        assert me.page.locator("#broke").is_hidden()  # it may still win
        dealer.call("no-more-bets")
        for card in ("2h", "9d", "Kc", "Ks"):
            dealer.do("cards", {"card": card})
        dealer.call("result")
        dealer.call("pay")
        me.page.wait_for_selector("#broke:not([hidden])")
        assert accessibility(me.page) == []
        me.page.tap("#refill")
        me.shows("#real", "£1,000.00")
        assert me.page.locator("#broke").is_hidden()
        kinds = [booking["kind"] for booking in me.asks("/api/me/ledger")["bookings"]]
        assert kinds.count("play-money") == 2
