"""Bets of the published catalogues that depend on suits, colours and ranks: exact edges.

The edges are from an independent count, in percent for eight decks unless said.
"""

from fractions import Fraction

import pytest

from baccarat.analysis.edges import analyse
from baccarat.core.rulecard import Game
from support import synthetic

MATCHING = {
    "A": "16.984530 23.843092",
    "2": "17.017975 23.909342",
    "3": "17.459215 24.300075",
    "4": "18.088456 24.813536",
    "5": "16.997199 23.806091",
    "6": "17.582613 24.087582",
    "7": "17.936281 24.375590",
    "8": "19.219039",
    "9": "19.780614 25.570085",
    "10": "16.984988 23.843202",
    "J": "16.984988 23.843202",
    "Q": "16.984988 23.843202",
    "K": "16.984988 23.843202",
}


def lines(*conditions_and_pays: str) -> str:
    pairs = zip(conditions_and_pays[::2], conditions_and_pays[1::2], strict=True)
    return ", ".join(f'{{ when = {{ {when} }}, pays = "{pays}" }}' for when, pays in pairs)


def matching(rank: str, pays: str) -> str:
    cases = []
    for number, odds in zip(range(6, 0, -1), pays.split("-"), strict=True):
        if number > 4 and rank in ("3", "4", "8", "9"):
            continue  # two such cards stand, so no hand has three
        cases += [f'count = {{ of = "{rank}", in = "coup", is = {number} }}', f"{odds}:1"]
    return lines(*cases)


def either(condition: str) -> str:
    """A condition on the player's hand, or the same on the banker's."""
    other = condition.replace("player", "banker")
    return f"any = [{{ {condition} }}, {{ {other} }}]"


def king_and_queen(hand: str) -> str:
    return (
        f'count = [{{ of = "K", in = "{hand}_start", is = 1 }}, '
        f'{{ of = "Q", in = "{hand}_start", is = 1 }}]'
    )


def nines(number: int, suit: str = "") -> str:
    return f'{{ count = {{ of = "9{suit}", in = "start", is = {number} }} }}'


def of_one_suit(number: int) -> str:
    return f"any = [{', '.join(nines(number, suit) for suit in 'shdc')}]"


def lucky_8(own: str, other: str, pays: str) -> str:
    double, suited, tie, beaten, wins = (f"{odds}:1" for odds in pays.split("-"))
    eight = f"{own}_total = 8"
    three = f"{eight}, {own}_cards = 3, {own}_suits = 1"
    return lines(
        f"{three}, {other}_total = 8, {other}_cards = 3, {other}_suits = 1", double,
        three, suited,
        f"{eight}, {other}_total = 8", tie,
        f"{eight}, {other}_total = 9", beaten,
        eight, wins,
    )  # fmt: skip


J_Q_K = '{{ of = "J Q K", in = "{}", is = {} }}'
SUITED = "player_pair = true, player_start_suits = 1"
SAME_COLOUR = "player_pair = true, player_start_colours = 1"
ONE_SUITED = either("player_start_suits = 1, player_start_ranks = 1")
BOTH_SUITED = (
    "player_start_suits = 1, player_start_ranks = 1, banker_start_suits = 1, banker_start_ranks = 1"
)

BETS = {
    "monkey-6": (
        lines(
            f"cards = 6, count = [{J_Q_K.format('player_third', 0)}, "
            f"{J_Q_K.format('banker_third', 1)}]",
            "12:1",
        ),
        "23.136592",
    ),
    "grand-monkey-6000": (
        lines('count = { of = "J Q K", in = "coup", min = 6 }', "6000:1"),
        "19.864006",
    ),
    "grand-monkey-5000": (
        lines('count = { of = "J Q K", in = "coup", is = 6 }', "5000:1"),
        "33.217779",
    ),
    "high-tie-max": (
        lines('winner = "tie", count = { of = "6 7 8 9", in = "coup", min = 1 }', "10:1"),
        "11.739118",
    ),
    "bellagio-player": (lines("player_cards = 3, player_ranks = 1", "75:1"), "76.929200"),
    "bellagio-banker": (lines("banker_cards = 3, banker_ranks = 1", "68:1"), "80.437612"),
    "pair-11": (lines("player_start_ranks = 1", "11:1"), "10.361446"),
    "either-pair": (lines(either("player_start_ranks = 1"), "5:1"), "13.709877"),
    "all-red": (lines('count = { of = "black", in = "coup", max = 0 }', "22:1"), "14.002165"),
    "all-red-by-colours": (
        lines('coup_colours = 1, count = { of = "red", in = "start", is = 4 }', "22:1"),
        "14.002165",
    ),
    "all-black": (lines('count = { of = "hearts diamonds", in = "coup", is = 0 }', "24:1"),
                  "6.524092"),
    "tiger-pair": (
        lines("player_pair = true, banker_pair = true, start_ranks = 1", "100:1",
              "player_pair = true, banker_pair = true", "20:1",
              "any = [{ player_pair = true }, { banker_pair = true }]", "4:1"),
        "16.121722",
    ),
    "perfect-pair-25-250": (lines(BOTH_SUITED, "250:1", ONE_SUITED, "25:1"), "6.623517"),
    "perfect-pair-25-200": (lines(BOTH_SUITED, "200:1", ONE_SUITED, "25:1"), "8.047044"),
    "perfect-pair-26-26": (lines(ONE_SUITED, "26:1"), "9.684368"),
    "coloured-pairs": (
        lines(SUITED, "25:1", SAME_COLOUR, "12:1", "player_pair = true", "6:1"),
        "4.096386",
    ),
    "majestic-match": (
        lines(f"{king_and_queen('player')}, player_start_suits = 1", "25:1",
              "player_start_suits = 1", "5:2"),
        "6.459685",
    ),
    "royal-match": (
        lines(f"{king_and_queen('player')}, player_start_suits = 1", "75:1",
              king_and_queen("player"), "30:1"),
        "49.879518",
    ),
    "royal-match-either": (
        lines(either(f"{king_and_queen('player')}, player_start_suits = 1"), "75:1",
              either(king_and_queen("player")), "30:1"),
        "0.210041",
    ),
    "lucky-nines": (
        lines(nines(4)[2:-2], "500:1", of_one_suit(3), "250:1", nines(3)[2:-2], "20:1",
              f"all = [{nines(2)}, {{ {of_one_suit(2)} }}]", "8:1", nines(2)[2:-2], "5:1",
              f"all = [{nines(1)}, {nines(1, 'd')}]", "2:1", nines(1)[2:-2], "1:1"),
        "19.058325",
    ),
    "colour-match": (lines("start_colours = 1", "6:1"), "13.763529"),
    "super-tie": (
        lines('winner = "tie", cards = 6, player_total = { min = 6 }, coup_colours = 1', "100:1",
              'winner = "tie", cards = 6, player_total = { min = 6 }', "20:1",
              'winner = "tie"', "7:1"),
        "10.259133",
    ),
    "lucky-8-player": (lucky_8("player", "banker", "200-25-15-8-4"), "11.975901"),
    "lucky-8-player-50": (lucky_8("player", "banker", "200-50-25-8-3"), "6.149328"),
    "lucky-8-banker": (lucky_8("banker", "player", "200-25-15-8-4"), "15.248786"),
    "quik": (
        lines("totals_sum = 0", "50:1", "totals_sum = 18", "25:1",
              "totals_sum = [1, 2, 3, 15, 16, 17]", "1:1"),
        "8.155043",
    ),
    **{
        f"matching-{rank}-{i}": (matching(rank, pays), edge)
        for rank, edges in MATCHING.items()
        for i, (pays, edge) in enumerate(
            zip(("100-60-40-20-3-1", "100-60-30-15-2-1"), edges.split(), strict=False)
        )
    },
}  # fmt: skip


def game_of(bet: str, decks: int = 8) -> Game:
    text = f'[[bet]]\nid = "bet"\nname = "Bet"\nlines = [{bet}]\n'
    return synthetic.card_of(synthetic.HEAD + text).game(decks=decks)


def percent(game: Game) -> str:
    edge = analyse(game)["bet"].edge
    assert isinstance(edge, Fraction)
    return f"{float(round(edge * 100, 6)):.6f}"


@pytest.mark.parametrize("bet", BETS)
def test_the_edge_of_a_catalogue_bet(bet):
    condition, edge = BETS[bet]
    assert percent(game_of(condition)) == edge


@pytest.mark.parametrize(
    ("bet", "decks", "edge"),
    [
        ("pair-11", 6, "11.254019"),
        ("pair-11", 1, "29.411765"),
        ("perfect-pair-26-26", 6, "13.882055"),
        ("majestic-match", 6, "6.665842"),
        ("majestic-match", 4, "7.079153"),
        ("majestic-match", 1, "10.859729"),
    ],
)
def test_the_edge_with_other_numbers_of_decks(bet, decks, edge):
    assert percent(game_of(BETS[bet][0], decks)) == edge
