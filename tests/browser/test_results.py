"""The end of a round in a real browser: headline, hands, chips, balance, sounds."""

import pytest

from baccarat.house.housefile import House
from baccarat.house.table_plans import TablePlan
from support.browser import accessibility, overflow
from support.live import settings_for
from support.sent_results import Table
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


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with served(tmp_path_factory.mktemp("results"), house=HOUSE) as running:
        yield running


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


PUSHED = [{"bet": "player", "stake": 5000, "net": 0}]
HALF = [{"bet": "banker", "stake": 5000, "net": 2500}]
RESULTS = {
    "win": ("player", (8, 6), PLAYER_WINS, ["Player wins. Player 8, Banker 6.", "You win £50.00."]),
    "loss": ("banker", (3, 7), LOST, ["Banker wins. Player 3, Banker 7.", "You lose £50.00."]),
    "mixed": ("tie", (6, 6), MIXED, ["Tie. Player 6, Banker 6.", "You lose £10.00."]),
    "even": ("tie", (6, 6), EVEN, ["Tie. Player 6, Banker 6.", "You break even."]),
    "tie push": ("tie", (4, 4), PUSHED, ["Tie. Player 4, Banker 4.", "You break even."]),
    "half-pay": ("banker", (5, 6), HALF, ["Banker wins. Player 5, Banker 6.", "You win £25.00."]),
    "no bet": ("player", (9, 0), [], ["Player wins. Player 9, Banker 0."]),
}
"""What a screen reader says after each kind of round."""


def test_a_screen_reader_announces_every_result_once(browser, house):
    with visiting(browser, house, size=DESK) as me:
        table = Table(me)
        table.begin()
        for name, (winner, totals, wagers, words) in RESULTS.items():
            table.settles(winner, totals, wagers)
            assert table.seen("announced") == words, name
        region = me.page.locator("#announce")
        assert region.get_attribute("aria-live") == "polite"
        assert region.get_attribute("aria-atomic") is None  # only what is new is read
        me.page.wait_for_timeout(3000)
        assert me.text("#announce") == ""  # nothing old is found by reading the page


SIZES = [DESK, (1440, 900), PHONE, (360, 640), (844, 390)]
PLACES = """() => Object.fromEntries(
  [...document.querySelectorAll(".act, .rack-chip, .spot")].map((one, place) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return [one.dataset.bet ?? (one.id || place), [x, y + scrollY, width, height].map(Math.round)];
  }))"""
"""Where each button and spot is."""


def test_the_result_moves_no_button_and_no_spot(browser, house):
    """Somebody may be about to press one."""
    results = [
        ("tie", (6, 6), []),
        ("banker", (0, 8), LOST),
        ("player", (9, 8), [{"bet": "player", "stake": 5000, "net": 400_000}]),
    ]
    with visiting(browser, house, size=DESK) as me:
        table = Table(me)
        table.begin()

        def places(size: tuple[int, int]) -> dict:
            me.page.set_viewport_size({"width": size[0], "height": size[1]})
            me.page.wait_for_timeout(100)
            return me.page.evaluate(PLACES)

        before = {size: places(size) for size in SIZES}
        for winner, totals, wagers in results:
            table.settles(winner, totals, wagers)
            for size in SIZES:
                assert places(size) == before[size], (winner, size)
