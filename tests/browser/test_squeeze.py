"""The squeeze in a real browser: one player turns the cards of a side, the others watch."""

from dataclasses import replace

import pytest

from baccarat.house.table_plans import TablePlan
from baccarat.table.settings import Clock
from support.browser import PHONE, accessibility, overflow
from support.live import settings_for
from support.served import HOUSE, served
from support.visits import visiting

LONG = Clock(betting=3_600_000, card=20, pause=3_600_000, squeeze=3_600_000)
SHORT = replace(LONG, squeeze=600)
SIZES = [(1280, 800), (390, 844), (360, 640), (844, 390)]


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """Return a house with tables whose cards are dealt as soon as everyone with a bet asks."""
    clocks = {"turned": LONG, "timed": SHORT, **{f"at-{width}": LONG for width, _ in SIZES}}
    tables = tuple(
        TablePlan(table, table, settings_for(clock=clock, deal_now=0), guests=True)
        for table, clock in clocks.items()
    )
    with served(tmp_path_factory.mktemp("squeeze"), house=replace(HOUSE, tables=tables)) as running:
        yield running


def sits_down(visit, table, *, bet, turns=True):
    """Join a table, bet, and choose whether to turn cards."""
    visit.sits_down(table)
    if turns:
        visit.page.click('#squeeze-switch[aria-pressed="false"]')
    visit.puts(bet)
    if turns:
        visit.waits_for(f"""async () => {{
          const mine = await fetch("/api/tables/{table}/mine");
          return (await mine.json()).squeezing;
        }}""")


def drags(visit, right: float):
    """Drag the edge of the card to the right, in parts of its width, and let go."""
    box = visit.page.locator("#squeeze-card").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    visit.page.mouse.move(x, y)
    visit.page.mouse.down()
    visit.page.mouse.move(x + right * box["width"], y, steps=5)
    covered = visit.page.locator("#squeeze-card > .card").evaluate("one => one.style.transform")
    visit.page.mouse.up()
    return covered


def test_one_player_turns_the_cards_of_a_side_while_the_other_watches(browser, house):
    with visiting(browser, house, size=PHONE) as ann, visiting(browser, house) as bob:
        sits_down(ann, "turned", bet="player")
        sits_down(bob, "turned", bet="banker", turns=False)
        sent = []
        bob.page.on(
            "websocket",
            lambda socket: socket.on("framereceived", lambda frame: sent.append(str(frame))),
        )
        bob.page.reload()
        bob.page.wait_for_selector("html[data-ready]")
        for one in (ann, bob):
            one.page.click("#deal-now")
        ann.page.wait_for_selector("#squeeze:not([hidden])")
        bob.page.wait_for_selector("#cards-player .face-down")
        bob.shows("#because", "A player is turning Player's card")
        assert bob.page.locator("#squeeze").is_hidden()
        peek = ann.asks("/api/tables/turned/mine")["peek"]
        assert peek["card"]
        assert bob.asks("/api/tables/turned/mine")["peek"] is None
        assert bob.asks("/api/tables/turned")["cards"] == []
        assert sent
        assert not any(peek["nonce"] in frame for frame in sent)
        assert (accessibility(ann.page), overflow(ann.page)) == ([], 0)
        # a peek at the edge does not turn the card, and letting go covers it again
        assert drags(ann, 0.3).startswith("translate(30")
        ann.waits_for(
            "document.querySelector('#squeeze-card > .card').style.transform.endsWith('(0%, 0%)')"
        )
        assert bob.asks("/api/tables/turned")["cards"] == []
        drags(ann, 0.8)
        for one in (ann, bob):
            one.page.wait_for_selector("#cards-player .card:not(.face-down)")
        dealt = bob.asks("/api/tables/turned")["cards"][0]
        assert (dealt["card"], dealt["nonce"]) == (peek["card"], peek["nonce"])
        # the second card: reload in between, then the keyboard
        ann.page.wait_for_selector("#squeeze:not([hidden])")
        ann.page.reload()
        ann.page.wait_for_selector("#squeeze:not([hidden])")
        ann.page.focus("#squeeze-card")
        ann.page.keyboard.press("ArrowUp")
        assert "-8%" in ann.page.locator("#squeeze-card > .card").get_attribute("style")
        ann.page.keyboard.press("Enter")
        bob.waits_for(
            "document.querySelectorAll('#cards-player .card:not(.face-down)').length >= 2"
        )


def test_a_card_that_is_not_turned_in_time_is_dealt_and_the_key_turns_it(browser, house):
    with visiting(browser, house) as ann:
        sits_down(ann, "timed", bet="player")
        ann.page.click("#deal-now")
        ann.page.wait_for_selector("#squeeze:not([hidden])")
        ann.waits_for(
            "document.getElementById('announce').textContent.includes('you may turn this card')"
        )
        ann.until("settled")
        assert ann.page.locator("#squeeze").is_hidden()
        assert ann.page.locator(".face-down:visible").count() == 0


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_card_and_its_button_fit_into_the_window(browser, house, size):
    with visiting(browser, house, size=size, reduced_motion="reduce") as ann:
        sits_down(ann, f"at-{size[0]}", bet="player")
        ann.page.click("#deal-now")
        ann.page.wait_for_selector("#squeeze:not([hidden])")
        for part in ("#squeeze-card", "#turn"):
            box = ann.page.locator(part).bounding_box()
            assert 0 <= box["x"] <= box["x"] + box["width"] <= size[0], part
            assert 0 <= box["y"] <= box["y"] + box["height"] <= size[1], part
            assert min(box["width"], box["height"]) >= 44, part
        ann.page.focus("#turn")
        ann.page.keyboard.press("t")
        ann.page.wait_for_selector("#cards-player .card:not(.face-down)")
