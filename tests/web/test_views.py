"""The data behind pages: the display, the layout with its edges, the player's own results."""

import json
from fractions import Fraction
from functools import reduce

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from baccarat.analysis.edges import analyse
from baccarat.core.coup import Winner
from baccarat.core.money import percent_string, ratio
from baccarat.core.roads import (
    DERIVED,
    Result,
    big_road,
    parse_results,
    statistics,
    what_if,
)
from baccarat.loader import built_in_cards, load
from baccarat.service.public_view import drawn, roads, to_come
from baccarat.shoe.commitment import Source
from baccarat.table import events as e
from baccarat.table.codec import encode
from baccarat.table.display import SHUFFLER_RESULTS, Display
from baccarat.table.rules import rules_text
from baccarat.table.settings import BetLimits, Clock, StakeLimits
from baccarat.table.state import apply
from baccarat.web.views.layout import CHIPS, _layout, chips_for, rounds_an_hour, side_of
from support.documented import ROOT
from support.live import LiveTable, settings_for
from support.served import served

EXAMPLES = sorted((ROOT / "examples" / "rule-cards").glob("*.toml"))
CARDS = [*built_in_cards(), *map(str, EXAMPLES)]


def shown(table: LiveTable) -> Display:
    return reduce(apply, table.events, None).display


def test_a_display_shows_the_cards_with_their_proofs_and_the_roads_of_the_shoe():
    table = LiveTable(settings_for(decks=2))
    coups = [table.until(e.CoupDecided) for _ in range(8)]
    display = shown(table)
    dealt = [event for event in table.events if isinstance(event, e.CardDealt) and event.round == 8]
    assert [card.total for card in display.cards] == [event.total for event in dealt]
    assert [card.proof for card in display.cards] == [event.card.proof for event in dealt]
    assert display.decided.winner == coups[-1].winner
    assert [result.coup for result in display.results] == [coup.coup for coup in coups]
    assert roads(display.results) is roads(display.results), "computed once"
    table.until(e.ShoeEnded)
    table.until(e.RoundOpened)
    display = shown(table)
    assert (display.results, display.cards, display.decided) == ((), (), None)


def test_a_shuffler_keeps_its_last_results():
    table = LiveTable(settings_for(source=Source.SHUFFLER, cut=0))
    for _ in range(SHUFFLER_RESULTS + 5):
        table.until(e.CoupDecided)
    table.until(e.ShoeCommitted)
    assert len(shown(table).results) == SHUFFLER_RESULTS


def test_roads_are_drawn_at_the_computed_positions():
    results = parse_results("BBnPTpPPbBBBBBBBTTPB")
    reply = drawn(results)
    assert [tuple(one[:3]) for one in reply["big_road"]] == [
        (one.column, one.row, one.result.winner.letter) for one in big_road(results)
    ]
    assert reply["big_road"][1][3] == "n"
    assert reply["bead_plate"][3][2:] == ["T", "p"]
    assert (
        reply["statistics"].tie
        == statistics(results).tie
        == reply["coups"] - len(reply["big_road"])
    )


@given(
    st.lists(st.builds(Result, st.sampled_from(Winner), player_pair=st.booleans()), max_size=70),
    st.sampled_from([Winner.PLAYER, Winner.BANKER]),
)
@settings(max_examples=50)
def test_the_what_if_entries_are_those_added_by_the_next_result(results, side):
    now, then = drawn(results), drawn([*results, Result(side)])
    added = now["what_if"][side.letter]
    assert list(added) == ["bead_plate", "big_road", *DERIVED]
    for road, places in added.items():
        assert now[road] + places == then[road]
    for road, colour in what_if(results)[side].items():
        assert [place[2] for place in added[road]] == ([colour] if colour else [])


# ---- layout ----------------------------------------------------------------------------------


def spots(layout) -> dict:
    return {bet["id"]: bet for group in layout["groups"] for bet in group["bets"]}


@pytest.mark.parametrize(
    ("card", "bet", "shown"),
    [
        ("commission", "banker", "19:20"),
        ("no-commission", "banker", "1:1, half on a 6"),
        ("double-chance", "player", "1:1, 2% on a tie"),
        ("fortune-six", "fortune-six", "12:1 with 2 cards, 20:1 with 3 cards"),
    ],
)
def test_payouts_are_abbreviated(card, bet, shown):
    layout = _layout(rules_text(card), StakeLimits(), 100)
    assert spots(layout)[bet]["pays_shown"] == shown


def test_a_group_of_exact_ties_is_labelled():
    layout = _layout(rules_text("punto-banco-2000"), StakeLimits(), 100)
    assert [group["about"] for group in layout["groups"]] == ["", "Exact tie 0–9", ""]


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.rpartition("/")[2])
def test_every_card_has_a_layout_with_all_its_bets_and_their_exact_edges(card):
    game, layout = load(card).game(), _layout(rules_text(card), StakeLimits(), 100)
    found, figures = spots(layout), analyse(game)
    assert sorted(found) == sorted(bet.id for bet in game.bets)
    for bet in game.bets:
        assert found[bet.id]["exact_edge"] == ratio(figures[bet.id].edge)
        assert found[bet.id]["edge"] == percent_string(figures[bet.id].edge, 2)
        assert found[bet.id]["hour"] == round(figures[bet.id].edge * 100_000_000)
        assert found[bet.id]["pays"]
    first = layout["groups"][0]
    assert [bet["side"] for bet in first["bets"]] == ["player", "tie", "banker"]
    assert encode(layout)


def test_a_large_group_is_a_ring():
    layout = _layout(rules_text("double-chance"), StakeLimits(), 100)
    assert {group["id"]: group["shape"] for group in layout["groups"]} == {
        "main": "row",
        "ur-way": "ring",
        "side": "row",
    }
    (ring,) = (group for group in layout["groups"] if group["shape"] == "ring")
    assert [bet["short"] for bet in ring["bets"]] == list("0123456789")


@pytest.mark.requirement("G19")
def test_edges_and_limits_are_those_of_the_table():
    rules = rules_text("punto-banco", parameters={"tie_odds": "8:1"})
    limits = StakeLimits(100, 5000, 9000, (BetLimits("tie", 200, 300),))
    layout = _layout(rules, limits, 100)
    tie = spots(layout)["tie"]
    edge = analyse(load("punto-banco").game(tie_odds="8:1"))["tie"].edge
    assert (tie["exact_edge"], tie["minimum"], tie["maximum"]) == (ratio(edge), 200, 300)
    assert Fraction(tie["exact_edge"]) > Fraction(14, 100)
    assert layout["coup_maximum"] == 9000
    assert layout["chips"] == [100, 500, 2500, 10_000]


def test_chips_range_from_the_smallest_stake_to_the_largest():
    assert chips_for(load("punto-banco").game()) == [500, 2500, 10_000, 50_000, 100_000]
    assert list(CHIPS) == sorted(CHIPS)


def test_a_side_bet_belongs_to_neither_hand():
    game = load("fortune-six").game()
    assert [side_of(bet) for bet in game.bets][-1] == ""


def test_at_a_manual_table_the_cost_of_a_bet_is_per_round():
    spots = [
        [spot for group in layout["groups"] for spot in group["bets"]]
        for layout in (_layout(rules_text("punto-banco"), StakeLimits(), n) for n in (None, 1000))
    ]
    assert _layout(rules_text("punto-banco"), StakeLimits(), None)["rounds_an_hour"] is None
    for once, often in zip(*spots, strict=True):
        assert abs(1000 * once["hour"] - often["hour"]) <= 500


def test_rounds_per_hour_are_computed_from_the_clock():
    clock = Clock(betting=20_000, card=1_500, pause=5_000, contribute=5_000, reveal=5_000)
    assert rounds_an_hour(clock, Source.SHOE) == 3600 // 34
    assert rounds_an_hour(clock, Source.SHUFFLER) == 3600 // 44


# ---- served ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with served(tmp_path_factory.mktemp("views")) as running:
        yield running


def wager(client, *wagers, key, table="open"):
    number = client.get(f"/api/tables/{table}").json()["round"]
    body = {"round": number, "wagers": [{"bet": b, "stake": s} for b, s in wagers]}
    answer = client.put(f"/api/tables/{table}/wagers", json=body, headers={"Idempotency-Key": key})
    assert answer.is_success, answer.text
    return number


def test_a_table_view_is_public_and_the_journal_continues_from_its_sequence(house):
    with house.guest() as guest, house.client() as nobody:
        wager(guest, ("player", 700), key="1")
        view = nobody.get("/api/tables/open").json()
        assert view["stakes"]["bets"]["player"] >= 700
        assert guest.get("/api/session").json()["account"] not in json.dumps(view)
        journal = guest.get(f"/api/tables/open/journal?after={view['sequence'] - 1}").json()
        assert journal["through"] >= view["sequence"]
        assert nobody.get("/api/tables/nowhere").status_code == 404


def test_net_result_and_stakes_in_play_come_from_the_ledger(house):
    """G12."""
    with house.guest() as guest:
        wager(guest, ("player", 500), key="1")
        mine = guest.get("/api/tables/open/mine").json()
        assert (mine["in_play"], mine["sitting"]["net"], mine["real"]) == (500, 0, 99_500)
        assert mine["wagers"] == [{"bet": "player", "stake": 500}]
        while True:  # play until a round has ended with a result of mine
            try:
                number = wager(guest, ("banker", 2000), key=f"f{mine['real']}", table="fast")
                break
            except AssertionError:
                continue
        while True:
            mine = guest.get("/api/tables/fast/mine").json()
            if mine["round"] > number or mine["result"] is not None:
                break
        booked = guest.get("/api/me/ledger").json()["bookings"]
        moved = sum(one["amount"] for one in booked if one["kind"] != "play-money")
        mine = guest.get("/api/tables/fast/mine").json()
        net = mine["sitting"]["net"]
        assert net == moved + 500 == mine["real"] - 100_000 + 500
        assert net in (-2000, 0, 1900)


def test_the_lobby_lists_every_table(house):
    with house.client() as nobody:
        reply = nobody.get("/api/tables").json()
        assert [table["id"] for table in reply["tables"]] == ["open", "fast", "members", "new"]
        roads = nobody.get("/api/tables/fast/roads").json()["roads"]
        assert roads["coups"] == len(roads["bead_plate"])


def test_the_next_step_and_the_seats_are_computed_by_the_house(house):
    with house.guest() as guest:
        wager(guest, ("player", 500), key="due")
        reply = {table["id"]: table for table in guest.get("/api/tables").json()["tables"]}
        assert reply["open"]["due"] == {"at": reply["open"]["closes_at"], "of": 3_600_000}
        assert (reply["open"]["call"], reply["new"]["call"]) == ("open", "contributing")
        assert (reply["open"]["takes_bets"], reply["new"]["takes_bets"]) == (True, False)
        assert reply["new"]["due"]["of"] == 3_600_000  # contributions are open
        assert reply["open"]["free"] is None
        standing = guest.get("/api/tables/open").json()
        assert standing["shoe"]["size"] - standing["shoe"]["left"] >= 1  # the burned cards
        assert (standing["reportable"], standing["due"]) == ([], reply["open"]["due"])


def test_announcements_after_the_cut_card():
    reply = []
    for left, between in ((None, False), (1, True), (1, False), (0, True)):
        reply.append(to_come(left, cut_card_out=True, between=between))
    assert reply == ["one_more", "next_is_last", "last_coup", "shoe_over"]
    assert to_come(None, cut_card_out=False, between=True) is None
