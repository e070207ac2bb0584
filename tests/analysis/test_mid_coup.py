"""Chances in the middle of a coup, compared with every coup that has the cards seen so far."""

from fractions import Fraction
from itertools import product
from random import Random

import pytest

from baccarat.analysis.counts import result_counts, total_sequences
from baccarat.analysis.edges import analyse
from baccarat.analysis.mid_coup import chances
from baccarat.analysis.remaining import remaining_shoe
from baccarat.core.cards import Card, parse_cards
from baccarat.core.errors import CardError, DealError
from baccarat.loader import built_in_cards
from support import reference as ref
from support.small_shoes import check_chances, game, gone, random_left, some_known, take_some_evenly


@pytest.mark.no_cover
@pytest.mark.requirement("R07", "R08", "R09", "R12")
@pytest.mark.parametrize("sizes", list(product(range(4), repeat=2)))
def test_chances_with_known_cards_in_either_hand(sizes):
    """With zero to three cards in each hand: chances, or an error if no coup has those cards."""
    for seed in range(12 if 3 in sizes else 4):
        rng = Random(f"{sizes} {seed}")
        decks = rng.choice([1, 2, 8])
        left = random_left(rng, decks, most=8)
        check_chances([left], decks, gone(left, decks), *some_known(rng, left, sizes))


@pytest.mark.parametrize("seed", range(12))
def test_chances_when_cards_were_removed_without_their_suit(seed):
    """Each possible set of suits is weighted by the likelihood of the cards seen."""
    rng = Random(seed)
    decks = rng.choice([1, 2])
    left = random_left(rng, decks)
    size = sum(left.values())
    noted, remains = take_some_evenly(rng, left, min(size - 6, 2))
    sizes = rng.randint(0, 2), rng.randint(1, 2)
    removed = [*gone(left, decks), *map(Card, noted.elements())]
    check_chances(remains, decks, removed, *some_known(rng, remains[0], sizes))


@pytest.mark.parametrize(
    ("player", "banker"),
    [
        ("9 K A", ""),
        ("6 K A", ""),
        ("5 A A", ""),
        ("9 K", "2 3 A"),
        ("2 3 8", "3 K A"),
        ("6 K", "6 K A"),
        ("", "9 K A"),
        ("", "5 2 A"),
    ],
)
def test_a_third_card_against_the_tableau_is_refused(player, banker):
    for name in ("online", "synthetic") if player and banker else ("online", "fortune-six"):
        with pytest.raises(DealError, match="neither hand draws that third card"):
            chances(game(name, 8), player=parse_cards(player), banker=parse_cards(banker))


@pytest.mark.parametrize(
    ("player", "banker", "removed", "error", "words"),
    [
        ("2 3 4 5", "", "", DealError, "player has 4 cards: a hand has at most 3"),
        ("", "2x5", "", DealError, "banker has 5 cards"),
        ("8s", "8s", "", CardError, "cannot remove 2 × 8s: one deck has 1"),
        ("8s", "", "8s", CardError, "cannot remove 2 × 8s"),
        ("8", "", "8x4", CardError, "cannot remove 5 × 8: one deck has 4"),
        ("", "", "Kx5", CardError, "cannot remove 5 × K"),
    ],
)
def test_impossible_cards_are_refused(player, banker, removed, error, words):
    with pytest.raises(error, match=words):
        chances(
            game("online", 1),
            player=parse_cards(player),
            banker=parse_cards(banker),
            removed=parse_cards(removed),
        )


@pytest.mark.no_cover
@pytest.mark.parametrize("name", [*built_in_cards(), "synthetic"])
@pytest.mark.parametrize("removed", ["", "8x12 Khx3 K 5 5 As"])
def test_without_known_cards_expectations_are_those_of_the_analysis(name, removed):
    table = game(name, 8)
    found = chances(table, removed=parse_cards(removed))
    shoe = remaining_shoe(table, parse_cards(removed))
    assert found.expectations == {
        bet: figures.expectation for bet, figures in analyse(table, shoe).items()
    }
    counts, total = result_counts(table.pay_table, shoe), total_sequences(shoe.size)
    assert found.results == {side: Fraction(n, total) for side, n in counts.items()}


@pytest.mark.no_cover
@pytest.mark.parametrize(("name", "hand"), [("online", "banker"), ("punto-banco", "player")])
def test_the_mean_over_all_first_cards_is_the_expectation(name, hand):
    """Averaged over the first card, the expectation is that of the whole coup."""
    table = game(name, 8)
    whole = {bet: figures.expectation for bet, figures in analyse(table).items()}
    each = [chances(table, **{hand: [Card(rank)]}).expectations for rank in ref.RANKS]
    assert {bet: sum(one[bet] for one in each) / 13 for bet in whole} == whole


@pytest.mark.requirement("R20", "R21")
def test_a_finished_coup_is_certain():
    found = chances(game("online", 8), player=parse_cards("9h K"), banker=parse_cards("2 3"))
    assert found.results == {"player": 1, "banker": 0, "tie": 0}
    assert found.expectations == {"player": 1, "banker": -1, "tie": -1}
