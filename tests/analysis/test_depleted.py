"""Exact figures of depleted shoes, compared with every coup that can still be dealt."""

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from baccarat.analysis.counts import result_counts
from baccarat.analysis.edges import analyse, combined_distribution, effects_of_removal
from baccarat.analysis.remaining import RemainingShoe, remaining_shoe
from baccarat.core.cards import RANKS, Card, parse_cards
from baccarat.core.errors import CardError
from baccarat.core.wagers import Wager
from support import reference as ref
from support.small_shoes import PAYS, Left, few_kinds, game, gone, random_left, take_some_evenly


def check_every_card(left: Left, decks: int) -> None:
    """Compare every bet of every card exactly."""
    counts = ref.facts_of(ref.every_coup(left))
    for name, pays in PAYS.items():
        table = game(name, decks)
        shoe = remaining_shoe(table, gone(left, decks))
        found = analyse(table, shoe)
        assert found.total == sum(counts.values())
        assert {bet.bet.id: bet.expectation for bet in found.values()} == ref.expectations(
            counts, pays
        ), name
    results = result_counts(table.pay_table, shoe)
    assert {key: Fraction(n, found.total) for key, n in results.items()} == ref.results(counts)


@pytest.mark.no_cover
@pytest.mark.parametrize("seed", range(30))
def test_shoes_with_few_cards(seed):
    rng = Random(seed)
    decks = rng.choice([1, 2, 8])
    check_every_card(random_left(rng, decks), decks)


@pytest.mark.parametrize("seed", range(8))
def test_shoes_with_few_different_cards(seed):
    rng = Random(seed)
    check_every_card(few_kinds(rng, 8), 8)


@pytest.mark.parametrize(
    "left",
    ["Khx6", "3sx3 3hx3", "AsAhAd 2sx3", "Kh Qh Jh 10h Ks Qs", "4h 4h 9s 9s 9s 9s", "8x1 9x1 Kx4"],
)
def test_the_last_six_cards(left):
    plain = Counter((card.rank, card.suit or "s") for card in parse_cards(left))
    check_every_card(plain, 8)


@pytest.mark.no_cover
@pytest.mark.parametrize("seed", range(20))
def test_cards_removed_without_a_suit_are_averaged_over_all_suits(seed):
    """The result is the mean over all possible suits, equally likely."""
    rng = Random(seed)
    decks = rng.choice([1, 2, 3])
    left = random_left(rng, decks) if seed % 2 else few_kinds(rng, decks)
    size = sum(left.values())
    noted, remains = take_some_evenly(rng, left, min(size - 6, rng.randint(1, 4)))
    removed = [*gone(left, decks), *map(Card, noted.elements())]
    shoe = remaining_shoe(game("synthetic", decks), removed)
    every = [ref.facts_of(ref.every_coup(rest)) for rest in remains]
    for name in ("synthetic", "fortune-six"):
        found = analyse(game(name, decks), shoe)
        means = [ref.expectations(counts, PAYS[name]) for counts in every]
        for bet in found.values():
            mean = sum((each[bet.bet.id] for each in means), Fraction(0)) / len(means)
            assert bet.expectation == mean, bet.bet.id
    assert shoe.suits_are_certain == (len(remains) == 1)


@pytest.mark.parametrize("seed", range(6))
def test_the_results_of_several_wagers_on_one_coup_are_combined(seed):
    rng = Random(seed)
    left = random_left(rng, 2)
    counts = ref.facts_of(ref.every_coup(left))
    for name in ("double-chance", "fortune-six", "synthetic"):
        table = game(name, 2)
        bets = rng.sample([bet.id for bet in table.bets], 4)
        wagers = [Wager(bet, 100 * rng.randint(1, 5)) for bet in bets]
        expected: Counter[int] = Counter()
        for facts, weight in counts.items():
            pays = PAYS[name](facts)
            expected[sum(int(wager.stake * pays[wager.bet]) for wager in wagers)] += weight
        found = combined_distribution(table, wagers, remaining_shoe(table, gone(left, 2)))
        total = sum(counts.values())
        assert found == {net: Fraction(weight, total) for net, weight in expected.items()}
        assert list(found) == sorted(found)


@pytest.mark.parametrize(
    ("removed", "counts"),
    [
        ("", {(2, 2, 2, 2)}),
        ("8sx2", {(0, 2, 2, 2)}),
        ("8", {(1, 2, 2, 2), (2, 1, 2, 2), (2, 2, 1, 2), (2, 2, 2, 1)}),
        ("8x4", {(1, 1, 1, 1)}),
        ("8sx2 8x3", {(0, 1, 1, 1)}),
        ("8sx2 8hx2 8", {(0, 0, 1, 2), (0, 0, 2, 1)}),
        ("8x8", {(0, 0, 0, 0)}),
        ("8s 8x5", {(0, 1, 0, 1), (0, 1, 1, 0), (0, 0, 1, 1)}),
    ],
)
def test_possible_suit_counts_of_a_rank(removed, counts):
    shoe = RemainingShoe(2).without(parse_cards(removed))
    found = shoe.suit_counts(RANKS.index("8"))
    assert set(found) == counts
    assert len(found) == len(counts)


@pytest.mark.no_cover
@pytest.mark.parametrize("seed", range(6))
def test_effects_of_removal_are_differences_of_expectations(seed):
    rng = Random(seed)
    decks = rng.choice([1, 2])
    left = random_left(rng, decks, most=6) | Counter({("A", "s"): 1, ("K", "h"): 1, ("8", "d"): 1})
    assert sum(left.values()) > 6
    before = ref.facts_of(ref.every_coup(left))
    after = {rank: _without(left, rank) for rank in ref.RANKS}
    for name in ("punto-banco", "fortune-six", "synthetic"):
        table = game(name, decks)
        effects = effects_of_removal(table, remaining_shoe(table, gone(left, decks)))
        assert list(effects) == [bet.id for bet in table.bets]
        value = ref.expectations(before, PAYS[name])
        for rank, possible in after.items():
            each = [ref.expectations(counts, PAYS[name]) for counts in possible]
            for bet in effects:
                change = sum(e[bet] for e in each) / len(each) - value[bet] if each else None
                assert effects[bet][rank] == change, (name, bet, rank)


def _without(left: Left, rank: str) -> list[Counter[ref.Facts]]:
    """Return what can be dealt after one card of the rank is removed, for each possible suit."""
    suits = [suit for suit in ref.SUITS if left[rank, suit]]
    return [ref.facts_of(ref.every_coup(left - Counter([(rank, suit)]))) for suit in suits]


def test_effects_of_removal_on_the_full_shoe():
    effects = effects_of_removal(game("online", 8))
    full = [128] + [32] * 9
    before = _main_bets(full)
    for rank, points in ref.POINTS.items():
        after = _main_bets([n - (value == points) for value, n in enumerate(full)])
        for bet in effects:
            assert effects[bet][rank] == after[bet] - before[bet]


def _main_bets(points: list[int]) -> ref.Pays:
    """Return the expectations of Player, Banker at 19:20 and Tie at 8:1."""
    counts = ref.count_results(points)
    player, banker, tie = (
        Fraction(counts[side], sum(counts.values())) for side in ("player", "banker", "tie")
    )
    return {
        "player": player - banker,
        "banker": banker * Fraction(19, 20) - player,
        "tie": 8 * tie - player - banker,
    }


LAST_CARDS = Counter((rank, "s") for rank in ("K", "Q", "2", "3", "4", "5"))


def test_effects_of_removal_need_more_than_six_cards():
    table = game("online", 1)
    with pytest.raises(
        CardError, match="only 6 cards are left: removing one more would leave too few"
    ):
        effects_of_removal(table, remaining_shoe(table, gone(LAST_CARDS, 1)))


def test_fewer_than_six_cards_are_refused():
    table = game("online", 1)
    with pytest.raises(CardError, match="only 5 cards of one deck are left: a coup may need 6"):
        remaining_shoe(table, [*gone(LAST_CARDS, 1), Card("K", "s")])
