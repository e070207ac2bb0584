"""Play through a network that delays every message and cuts connections, in a real browser."""

import random
from dataclasses import replace

import pytest

from baccarat.house.housefile import House
from baccarat.house.table_plans import TablePlan
from baccarat.table.settings import Clock
from support.bad_network import bad_network
from support.live import settings_for
from support.samples import sample
from support.served import OPEN, served
from support.visits import visiting

ROUNDS = Clock(betting=12_000, card=200, pause=3_000)
"""Betting ends while the player taps."""
GAME = "punto-banco-2000"
HOUSE = House(
    "The house",
    "GBP",
    200_000,
    (
        TablePlan("open", "Open", settings_for(GAME, clock=OPEN), guests=True),
        TablePlan("rounds", "Rounds", settings_for(GAME, decks=8, clock=ROUNDS), guests=True),
    ),
)
DESK, PHONE = (1280, 720), (390, 844)
CASES = [("open", PHONE), ("rounds", DESK), ("open", DESK), ("rounds", PHONE)]
SPOTS = ["player", "banker", "tie", "ur-way-3", "ur-way-7"]
"""Player and Banker exclude each other, and UR WAY needs one of the others."""
TAPS = 60
DELAY = 0.3
ONE_IN = 20
LEAST = 4000
"""A refusal is shown for at least this many milliseconds."""

WATCH = """() => {
  const refusal = document.getElementById("refusal");
  const inSight = (line) => {
    const { top, bottom, left, right, height } = line.getBoundingClientRect();
    return height > 0 && top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth
      && line.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  const shown = new Map();
  window.refusals = [];
  const look = () => {
    const lines = [...refusal.children].filter(inSight).map((line) => line.textContent);
    for (const [words, since] of shown) {
      if (lines.includes(words)) continue;
      window.refusals.push([words, performance.now() - since]);
      shown.delete(words);
    }
    for (const words of lines) if (!shown.has(words)) shown.set(words, performance.now());
    requestAnimationFrame(look);
  };
  look();
  const ask = window.fetch;
  window.refused = [];
  window.fetch = async (...request) => {
    const answer = await ask(...request);
    if (answer.status === 422) window.refused.push(await answer.clone().json());
    return answer;
  };
}"""
"""Records each refusal that the page received, and each that was in sight, and for how long."""


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with served(tmp_path_factory.mktemp("network"), house=HOUSE) as running:
        yield running


def tap(me, bet: str) -> None:
    """Tap a spot where it is now, without waiting for anything."""
    box = me.spot(bet).bounding_box()
    me.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def stakes(me) -> dict[str, str]:
    """Return the stakes that the page shows as accepted."""
    accepted = me.page.locator(".spot:has(.spot-chips:not(.waiting) .stake)").all()
    return {
        spot.get_attribute("data-bet"): spot.locator(".stake").inner_text() for spot in accepted
    }


def agrees(me, table: str) -> bool:
    """Return whether the page shows the bets and the balance that the house holds."""
    mine, held = me.asks(f"/api/tables/{table}/mine"), me.asks(f"/api/tables/{table}/wagers")
    wagers = {wager["bet"]: f"£{wager['stake'] // 100:,}" for wager in held["wagers"]}
    settled = me.page.get_attribute("#felt", "data-phase") == "settled"
    return me.text("#purse") == f"£{mine['real'] / 100:,.2f}" and (settled or stakes(me) == wagers)


@pytest.mark.parametrize(("table", "size"), sample("NETWORKS", CASES), ids=str)
def test_rapid_taps_through_a_bad_network_end_as_the_house_says(browser, house, table, size):
    choose, expected = random.Random(5), ("status of 422", "WebSocket", "ERR_")
    with (
        bad_network(house.address) as network,
        visiting(
            browser, replace(house, address=network.address), size=size, expected=expected
        ) as me,
    ):
        me.sits_down(table)
        me.page.evaluate(WATCH)
        network.delay, network.one_in = DELAY, ONE_IN
        for _ in range(TAPS):
            tap(me, choose.choice(SPOTS))
            me.page.wait_for_timeout(choose.randrange(20, 250))
        network.one_in = 0
        me.waits_for("!document.querySelector('.spot-chips.waiting, .line.lost:not([hidden])')")
        for _ in range(20):
            if agrees(me, table):
                break
            me.page.wait_for_timeout(200)  # an event may still be on its way
        assert agrees(me, table), (me.asks(f"/api/tables/{table}/wagers"), stakes(me))
        me.waits_for("!document.querySelector('#refusal').childElementCount")
        me.page.wait_for_timeout(100)
        seen, refused = me.page.evaluate("[window.refusals, window.refused]")
        assert network.cuts > 0
        assert min(time for _, time in seen) >= LEAST, seen
        hidden = [one["detail"] for one in refused if one["detail"] not in " ".join(dict(seen))]
        assert refused
        assert hidden == []
