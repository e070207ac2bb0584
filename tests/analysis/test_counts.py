"""Counts of six-card sequences: published totals, a second method, and full enumeration."""

from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from baccarat.analysis.counts import OutcomeCounter, counters, result_counts, total_sequences
from baccarat.analysis.edges import analyse
from baccarat.analysis.remaining import RemainingShoe, remaining_shoe
from baccarat.core.cards import Card, parse_cards
from baccarat.core.coup import Deal
from baccarat.core.errors import CardError
from baccarat.core.facts import PAIR_KINDS, Shape, classes_of, shape_of
from baccarat.core.paytable import Needs, Outcomes, PayTable
from baccarat.loader import built_in_cards, load
from support import reference as ref
from support import synthetic

PUBLISHED = [
    [int(number) for number in line.split()]
    for line in (Path(__file__).parent / "result-counts.txt")
    .read_text(encoding="utf-8")
    .splitlines()
    if not line.startswith("#")
]
CARD_WORTH = [Card(rank) for rank in ("K", "A", "2", "3", "4", "5", "6", "7", "8", "9")]


@pytest.mark.parametrize(("decks", "player", "banker", "tie"), PUBLISHED)
def test_results_of_full_shoes_match_published_counts(decks, player, banker, tie):
    expected = {"player": player, "banker": banker, "tie": tie}
    assert ref.count_results([16 * decks] + [4 * decks] * 9) == expected
    game = load("online").game(decks=decks)
    assert result_counts(game.pay_table, remaining_shoe(game)) == expected
    assert sum(expected.values()) == total_sequences(52 * decks) == ref.falling(52 * decks, 6)


@pytest.mark.requirement("R03", "R09", "R11")
@pytest.mark.parametrize("name", built_in_cards())
def test_r03_every_rule_card_has_the_published_counts_for_eight_decks(name):
    game = load(name).game()
    assert result_counts(game.pay_table, remaining_shoe(game)) == {
        "banker": 2292252566437888,
        "player": 2230518282592256,
        "tie": 475627426473216,
    }
    assert analyse(game).total == 4998398275503360


@pytest.mark.requirement("R37")
def test_r37_only_player_and_banker_together_exceed_the_bonus_win_chance():
    card = load("online")
    counts = dict(zip(("player", "banker", "tie"), PUBLISHED[-1][1:], strict=True))
    whole = sum(counts.values())
    most = card.bonus_win_chance
    assert most == Fraction(90, 100)
    assert Fraction(counts["player"] + counts["banker"], whole) > most
    assert round(Fraction(counts["player"] + counts["banker"], whole) * 100, 2) == Fraction("90.48")
    for side in ("player", "banker"):
        assert Fraction(counts[side] + counts["tie"], whole) < most


DEPLETED = "8x31 9x30 7x12 6hx3 Ax20 2x32 Kx30 Qx5 10sx8"


@pytest.mark.no_cover
def test_every_sequence_of_points_is_counted_under_its_shape():
    """Compare the fast counts with a million sequences dealt by the core."""
    table = load("online").game().pay_table
    tableau = table.tableau
    shoes = [RemainingShoe(8), RemainingShoe(8).without(parse_cards(DEPLETED))]
    dealt = EveryDeal(Deal(tableau), [list(shoe.points) for shoe in shoes])
    classes = classes_of(tableau)
    assert dealt.sequences == 10**6
    assert dealt.shapes == set(classes.shapes)
    counter = OutcomeCounter(table, _one_outcome_per_shape(table))
    for shoe, weights in zip(shoes, dealt.weights, strict=True):
        assert counter.counts(shoe) == [weights[shape] for shape in classes.shapes]
        assert sum(weights.values()) == total_sequences(shoe.size)


def _one_outcome_per_shape(table: PayTable) -> Outcomes:
    each = list(range(len(table.classes.shapes)))
    return Outcomes((), Needs.SHAPE, ((),) * len(each), (each,) * len(PAIR_KINDS))


class EveryDeal:
    """Deals every sequence of points once and keeps the results."""

    def __init__(self, start: Deal, left: list[list[int]]) -> None:
        self.sequences = 0
        self.weights: list[Counter[Shape]] = [Counter() for _ in left]
        self.sizes = [sum(points) for points in left]
        self._walk(start, left, [1] * len(left))

    @property
    def shapes(self) -> set[Shape]:
        return set(self.weights[0])

    def _walk(self, deal: Deal, left: list[list[int]], ways: list[int]) -> None:
        if deal.over:
            drawn = len(deal.player) + len(deal.banker)
            shape = shape_of(deal.coup)
            self.sequences += 10 ** (6 - drawn)
            for weights, size, n in zip(self.weights, self.sizes, ways, strict=True):
                weights[shape] += n * ref.falling(size - drawn, 6 - drawn)
            return
        for value, card in enumerate(CARD_WORTH):
            more = [n * points[value] for n, points in zip(ways, left, strict=True)]
            for points in left:
                points[value] -= 1
            self._walk(deal.give(card), left, more)
            for points in left:
                points[value] += 1


@pytest.mark.parametrize("name", [*built_in_cards(), "synthetic"])
def test_outcomes_cover_every_sequence_once(name):
    card = synthetic.card() if name == "synthetic" else load(name)
    game = card.game(decks=3)
    shoe = remaining_shoe(game, parse_cards("8hx2 8 Kx7 5sx3 5 2"))
    for counter in counters(game.pay_table):
        counts = counter.counts(shoe)
        assert sum(counts) == total_sequences(shoe.size)
        assert min(counts) >= 0


@pytest.mark.parametrize(
    ("removed", "words"),
    [
        ("8x33", "cannot remove 33 × 8: 8 decks have 32"),
        ("8hx9", "cannot remove 9 × 8h: 8 decks have 8"),
        ("8hx8 8x25", "cannot remove 33 × 8: 8 decks have 32"),
        (
            " ".join(f"{rank}x32" for rank in ref.RANKS[1:]) + " Ax27",
            "only 5 cards of 8 decks are left",
        ),
    ],
)
def test_removing_cards_that_the_shoe_does_not_hold_is_refused(removed, words):
    with pytest.raises(CardError, match=words):
        remaining_shoe(load("online").game(), parse_cards(removed))


def test_a_message_about_one_deck_is_singular():
    with pytest.raises(CardError, match="cannot remove 2 × 8h: one deck has 1"):
        RemainingShoe(1).without(parse_cards("8hx2"))


def test_removed_cards_are_subtracted_from_the_shoe():
    shoe = RemainingShoe(2).without(parse_cards("Kx3 Ahx2 A 9"))
    assert shoe.size == 104 - 7
    assert dict(zip(ref.RANKS, shoe.ranks, strict=True)) == dict.fromkeys(ref.RANKS, 8) | {
        "K": 5,
        "A": 5,
        "9": 7,
    }
    assert shoe.points == (29, 5, 8, 8, 8, 8, 8, 8, 8, 7)
    assert not shoe.suits_are_certain
    assert RemainingShoe(2).without(parse_cards("Kx4 Ahx2")).suits_are_certain
