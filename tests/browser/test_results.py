"""The end of a round in a real browser: headline, hands, chips, balance, sounds."""

import json
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import WebSocketRoute

from baccarat.house.housefile import House, TablePlan
from support.browser import accessibility, overflow
from support.live import settings_for
from support.served import OPEN, served
from support.visits import Visit, visiting

PLAN = TablePlan("open", "Open", settings_for("fortune-six", clock=OPEN), guests=True)
HOUSE = House("The house", "GBP", 100_000, (PLAN,))
DESK, PHONE = (1280, 720), (390, 844)
PLAYER_WINS = [{"bet": "player", "stake": 5000, "net": 5000}]
LOST = [{"bet": "player", "stake": 5000, "net": -5000}]
MIXED = [*LOST, {"bet": "tie", "stake": 500, "net": 4000}]
"""One bet wins less than the other loses."""
EVEN = [
    {"bet": "player", "stake": 4000, "net": -4000},
    {"bet": "tie", "stake": 500, "net": 4000},
]

WATCH = """
  window.flights = []; window.tones = []; window.properties = new Set(); window.balances = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...of) {
    if (this.matches(".flight")) window.flights.push(of[0].at(-1).opacity === 0 ? "taken" : "paid");
    return animate.apply(this, of);
  };
  window.OscillatorNode = class extends OscillatorNode {
    constructor(audio, options) { super(audio, options); window.tones.push(options.frequency); }
  };
  const own = ["offset", "computedOffset", "easing", "composite"];
  const look = () => {
    for (const one of document.getAnimations()) {
      for (const frame of one.effect.getKeyframes()) {
        for (const name of Object.keys(frame)) {
          if (!own.includes(name)) window.properties.add(name);
        }
      }
    }
    const shown = document.getElementById("balance")?.textContent;
    if (shown && window.balances.at(-1) !== shown) window.balances.push(shown);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
"""
"""Records flying chips, tones, animated properties and what the balance shows."""


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with served(tmp_path_factory.mktemp("results"), house=HOUSE) as running:
        yield running


@dataclass
class Table:
    """A visit to a table whose results are sent by the test."""

    me: Visit
    lines: list[WebSocketRoute] = field(default_factory=list)
    sent: int = 0

    def begin(self) -> None:
        page = self.me.page
        page.add_init_script(WATCH)
        page.route_web_socket("**/events**", lambda line: self.lines.append(line))
        self.me.sits_down("open")
        self.sent = page.evaluate("JSON.parse(island.textContent).view.sequence")
        page.wait_for_timeout(200)

    def settles(self, winner: str, totals: tuple[int, int], wagers: list[dict]) -> None:
        page, number = self.me.page, int(self.me.text("#round"))
        net = sum(wager["net"] for wager in wagers)
        real = 100_000 + sum(wager["stake"] + wager["net"] for wager in wagers)
        money = {"bonus": 0, "sitting": None, "in_play": 0, "reported": []}
        page.unroute_all()
        page.route("**/mine", lambda it: it.fulfill(json={"real": real, **money}))
        page.evaluate("flights.splice(0), tones.splice(0), balances.splice(0)")
        both = dict(zip(("player", "banker"), totals, strict=True))
        coup = "P:={} B:={}".format(*totals)
        decided = {"winner": winner, "round": number, "coup": coup}
        frame = {
            "after": self.sent,
            "through": self.sent + 1,
            "hash": "",
            "events": [{"sequence": self.sent + 1, "type": "RoundSettled", "at": 0}],
            "view": {
                "phase": "settled",
                "call": "settled",
                "cards": [],
                "totals": both,
                "decided": decided,
                "last": decided,
            },
            "mine": {
                "round": number,
                "wagers": [],
                "result": wagers,
                "net": net if wagers else None,
            },
        }
        self.sent += 1
        self.lines[-1].send(json.dumps(frame))
        self.me.until("settled")
        page.wait_for_timeout(2500)

    def seen(self, what: str):
        return self.me.page.evaluate(f"[...{what}]")


def words(me: Visit, selector: str) -> str:
    return " ".join(me.text(selector).split())


@pytest.mark.parametrize("size", [DESK, PHONE], ids=str)
@pytest.mark.parametrize(
    ("winner", "totals", "headline", "lifted"),
    [
        ("player", (8, 6), "PLAYER WINS 8–6", ["player"]),
        ("banker", (3, 7), "BANKER WINS 7–3", ["banker"]),
        ("tie", (6, 6), "TIE 6–6", ["player", "banker"]),
    ],
)
def test_a_headline_names_the_winner_whose_hand_is_lifted(
    browser, house, size, winner, totals, headline, lifted
):
    hand = """([side, name]) =>
      getComputedStyle(document.querySelector(`.hand.${side} .slots`))[name]"""
    with visiting(browser, house, size=size) as me:
        table = Table(me)
        table.begin()
        table.settles(winner, totals, [])
        assert words(me, "#outcome .verdict") == headline
        for side in ("player", "banker"):
            moved = me.page.evaluate(hand, [side, "transform"]) != "none"
            dimmed = me.page.evaluate(hand, [side, "opacity"]) != "1"
            assert (moved, dimmed) == (side in lifted, side not in lifted), side
        assert me.page.locator("#last").is_visible()
        assert words(me, "#last") == headline.replace(" WINS", "").capitalize()
        assert (accessibility(me.page), overflow(me.page)) == ([], 0)


def test_a_win_pays_chips_and_the_balance_counts_up(browser, house):
    with visiting(browser, house, size=DESK) as me:
        table = Table(me)
        table.begin()
        table.settles("player", (8, 6), [*PLAYER_WINS, {"bet": "tie", "stake": 500, "net": -500}])
        assert sorted(table.seen("flights")) == ["paid", "taken"]
        assert me.page.locator(".spot.won .winnings").count() == 1
        assert not me.page.locator('[data-bet="tie"] .stack').is_visible()
        counted = table.seen("balances")
        assert len(counted) > 5
        assert counted == sorted(counted)
        assert counted[-1] == "£1,100.00" == me.text("#purse")
        assert me.text(".net") == "You: +£45.00"
        assert set(table.seen("properties")) <= {"transform", "translate", "opacity"}
        assert me.page.locator(".flight").count() == 0


@pytest.mark.parametrize(
    ("wagers", "net"), [(LOST, "You: −£50.00"), (MIXED, "You: −£10.00"), (EVEN, "Even")]
)
def test_a_round_without_a_net_win_is_never_celebrated(browser, house, wagers, net):
    """Money that comes back is shown in numbers only."""
    with visiting(browser, house, size=DESK) as me:
        table = Table(me)
        table.begin()
        me.page.click("#sound")
        me.page.wait_for_timeout(300)
        table.settles("tie", (6, 6), wagers)
        assert me.text(".net") == net
        assert table.seen("flights") == ["taken"]
        assert me.page.locator(".winnings, .net.won").count() == 0
        assert len(table.seen("balances")) <= 2  # it changes at once
        for won in me.page.locator(".spot.won").all():
            assert won.evaluate("spot => getComputedStyle(spot).boxShadow") == "none"
        assert len(table.seen("tones")) == 1


def test_sounds_are_off_until_chosen_and_only_a_net_win_sounds_like_one(browser, house):
    with visiting(browser, house, size=DESK) as me:
        table = Table(me)
        table.begin()
        switch = me.page.locator(".bar #sound")
        assert switch.get_attribute("aria-pressed") == "false"
        table.settles("player", (8, 6), PLAYER_WINS)
        assert table.seen("tones") == []
        switch.click()
        assert switch.get_attribute("aria-pressed") == "true"
        me.page.wait_for_timeout(500)
        heard = {}
        for name, wagers in (("won", PLAYER_WINS), ("lost", LOST), ("mixed", MIXED), ("none", [])):
            table.settles("player", (8, 6), wagers)
            heard[name] = table.seen("tones")
        assert heard["lost"] == heard["mixed"] == heard["none"]
        assert len(heard["won"]) > len(heard["lost"]) == 1
        assert min(heard["won"]) > heard["lost"][0]
        me.looks_at("/tables/open")  # the choice is remembered
        assert switch.get_attribute("aria-pressed") == "true"


def test_with_reduced_motion_the_result_appears_at_once(browser, house):
    with visiting(browser, house, size=DESK, reduced_motion="reduce") as me:
        table = Table(me)
        table.begin()
        table.settles("player", (8, 6), PLAYER_WINS)
        assert table.seen("flights") == []
        assert len(table.seen("balances")) <= 2
        assert words(me, "#outcome .verdict") == "PLAYER WINS 8–6"
