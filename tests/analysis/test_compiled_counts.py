"""The compiled kernel returns the same integers as `counts`, for any shoe and any card."""

import importlib.util
import re
from collections import Counter
from fractions import Fraction
from itertools import chain
from random import Random

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from baccarat.analysis.compiled_counts import MAX_CARDS, Kernel
from baccarat.analysis.counts import counters, total_sequences
from baccarat.analysis.edges import analyse
from baccarat.analysis.remaining import RemainingShoe
from baccarat.core.cards import POINTS, RANKS, Card, deck, parse_cards
from baccarat.core.errors import BaccaratError
from baccarat.core.paytable import PayTable
from baccarat.loader import built_in_cards, load
from support import synthetic

STRANGE_TABLEAU = """
[tableau]
naturals = "2,9"
player_draws = "0-1,3,7-8"
player_stands = "4-6"
banker_draws = ["0/any,stood", "3/1,3,5,7,9", "4-5/0-4", "6/any", "8/stood"]
banker_stands = ["1/any,stood", "3/0,2,4,6,8,stood", "4-5/5-9,stood", "6/stood",
  "7/any,stood", "8/any"]
"""
"""An unusual tableau: the kernel must not depend on the standard one."""


def strange_card():
    bets = "".join(synthetic.bet(name, lines) for name, lines in synthetic.BETS.items())
    text = re.sub(r"\[tableau\].*?(?=\[limits\])", STRANGE_TABLEAU, synthetic.HEAD, flags=re.S)
    return synthetic.card_of(text + bets)


def card_with(*bets):
    return synthetic.card_of(
        synthetic.HEAD + "".join(synthetic.bet(f"bet-{i}", lines) for i, lines in enumerate(bets))
    )


CARDS = {
    **{name: lambda name=name: load(name) for name in built_in_cards()},
    "every kind of bet": synthetic.card,
    "a strange tableau": strange_card,
    "only two perfect pairs": lambda: card_with(
        [('player_perfect_pair = true, banker_perfect_pair = true, winner = "tie"', "1000:1")]
    ),
    "only a pair": lambda: card_with([("banker_pair = true", "11:1")]),
}
"""Cards by name, created when needed."""

_made: dict[str, tuple[PayTable, Kernel]] = {}


def twins(name: str) -> tuple[PayTable, Kernel]:
    if name not in _made:
        table = CARDS[name]().game().pay_table
        _made[name] = table, Kernel(table)
    return _made[name]


def shoe_of(cards: Counter[Card], decks: int) -> RemainingShoe:
    return RemainingShoe(decks, Counter(dict.fromkeys(deck(), decks)) - cards)


def random_shoe(rng: Random, decks: int, size: int) -> RemainingShoe:
    """Return a random shoe; many have only a few ranks, so that pairs matter."""
    ranks = rng.sample(RANKS, rng.choice([2, 4, 13]))
    pool = [card for card in deck() if card.rank in ranks] * decks
    return shoe_of(Counter(rng.sample(pool, min(size, len(pool)))), decks)


def row_of(kernel: Kernel, shoe: RemainingShoe) -> np.ndarray:
    """Return the counts of a shoe, in the detail that the kernel needs."""
    if kernel.fewest_counts < 52:
        return np.array(shoe.points if kernel.fewest_counts == 10 else shoe.ranks)
    assert shoe.suits_are_certain
    return np.array([shoe.suit_counts(i)[0] for i in range(len(RANKS))]).ravel()


def assert_twins_agree(name: str, shoe: RemainingShoe) -> None:
    table, kernel = twins(name)
    found = kernel.counts(row_of(kernel, shoe))
    expected = [counter.counts(shoe) for counter in counters(table)]
    assert [counts.tolist() for counts in found] == expected
    assert {int(counts.sum()) for counts in found} == {total_sequences(shoe.size)}


@pytest.mark.no_cover
@pytest.mark.parametrize("decks", [1, 2, 6, 8, 24])
@pytest.mark.parametrize("name", CARDS)
def test_whole_decks(name, decks):
    assert_twins_agree(name, RemainingShoe(decks))


@pytest.mark.no_cover
@pytest.mark.parametrize("name", CARDS)
def test_depleted_shoes_down_to_six_cards(name):
    rng = Random(name)
    for size in (6, 6, 7, 8, 9, 11, 15, 30, 52, 150, 400):
        assert_twins_agree(name, random_shoe(rng, rng.choice([1, 2, 8, 24]), size))


@pytest.mark.no_cover
@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["every kind of bet", "a strange tableau"]),
    st.integers(1, 24),
    st.integers(6, 120),
    st.randoms(use_true_random=False),
)
def test_random_shoes_with_bets_on_pairs_suits_and_winners(name, decks, size, rng):
    assert_twins_agree(name, random_shoe(rng, decks, size))


def test_one_rank_left_and_one_suit_left():
    for name in ("every kind of bet", "a strange tableau"):
        for rank in ("5", "10", "K"):
            assert_twins_agree(name, shoe_of(Counter({Card(rank, "s"): 8}), 8))
            assert_twins_agree(name, shoe_of(Counter({Card(rank, "s"): 3, Card("K", "h"): 3}), 8))


@pytest.mark.no_cover
@pytest.mark.parametrize("name", CARDS)
def test_expectations_are_exact_and_in_the_order_of_the_bets(name):
    table, kernel = twins(name)
    for shoe in (RemainingShoe(8), random_shoe(Random(5), 8, 100), random_shoe(Random(6), 1, 10)):
        found = kernel.expectations(row_of(kernel, shoe)).tolist()
        exact = [figures.expectation for figures in analyse(CARDS[name]().game(), shoe).values()]
        for value, expectation, bet in zip(found, exact, table.bets, strict=True):
            most = max(line.pays for line in bet.lines)
            assert abs(Fraction(value) - expectation) < (1 + most) * Fraction(1, 10**15), bet.id


def test_the_kernel_as_plain_python_has_no_index_out_of_range(monkeypatch):
    """Compiled code does not check indices; numpy does."""
    monkeypatch.setattr(numba.config, "DISABLE_JIT", True)
    source = importlib.util.find_spec(Kernel.__module__)
    plain = importlib.util.module_from_spec(source)
    source.loader.exec_module(plain)
    for name in ("punto-banco", "every kind of bet", "a strange tableau"):
        table, kernel = twins(name)
        for shoe in (RemainingShoe(1), random_shoe(Random(9), 2, 20)):
            row = row_of(kernel, shoe)
            found = plain.Kernel(table).counts(row)
            assert [counts.tolist() for counts in found] == [c.tolist() for c in kernel.counts(row)]


def test_many_shoes_at_once():
    rng = Random(7)
    shoes = [random_shoe(rng, 8, rng.randint(6, 416)) for _ in range(40)]
    for name in ("punto-banco", "every kind of bet"):
        _, kernel = twins(name)
        rows = np.array([row_of(kernel, shoe) for shoe in shoes])
        together = list(zip(kernel.counts(rows), strict=True))
        for i, row in enumerate(rows):
            alone = kernel.counts(row)
            assert [counts[i].tolist() for (counts,) in together] == [c.tolist() for c in alone]
        expectations = kernel.expectations(rows)
        assert expectations.tolist() == [kernel.expectations(row).tolist() for row in rows]
        assert kernel.expectations(rows[:0]).shape == (0, expectations.shape[1])
        assert [counts.shape[0] for counts in kernel.counts(rows[:0])] == [0] * len(together)


def test_counts_by_rank_or_card_give_the_same_as_by_points():
    cards = [8 - i % 3 for i in range(52)]
    ranks = np.reshape(cards, (13, 4)).sum(axis=1)
    points = [
        sum(int(n) for r, n in zip(RANKS, ranks, strict=True) if POINTS[r] == k) for k in range(10)
    ]
    _, kernel = twins("online")
    assert kernel.fewest_counts == 10
    alike = {tuple(chain(*kernel.counts(shoe))) for shoe in (cards, ranks, points)}
    assert len(alike) == 1
    _, kernel = twins("punto-banco")
    assert kernel.fewest_counts == 13
    assert [c.tolist() for c in kernel.counts(cards)] == [c.tolist() for c in kernel.counts(ranks)]


def test_the_largest_shoe_is_exact_and_one_card_more_is_refused():
    _, kernel = twins("online")
    points = [MAX_CARDS - 9 * 144] + [144] * 9
    assert [int(counts.sum()) for counts in kernel.counts(points)] == [total_sequences(MAX_CARDS)]
    assert total_sequences(MAX_CARDS) < MAX_CARDS**6 < 2**63 < (MAX_CARDS + 1) ** 6
    points[0] += 1
    with pytest.raises(BaccaratError, match=r"has 1,449 cards: must have between 6 and 1,448"):
        kernel.counts(points)
    with pytest.raises(BaccaratError, match=r"cards: must have between 6 and 1,448"):
        kernel.expectations([2**62] * 10)


@pytest.mark.parametrize(
    ("shoes", "complaint"),
    [
        ([[32] * 13, [0] * 12 + [5]], "shoe 1 has 5 cards: must have between 6 and 1,448"),
        ([32] * 12 + [-1], "shoe 0 has -1 cards of one kind: must be 0 or more"),
        ([32] * 10, "these bets need 13 or 52 counts per shoe, not 10"),
        ([8] * 51, "these bets need 13 or 52 counts per shoe, not 51"),
        ([32.0] * 13, "float64, 1 dimensions.: give one row of whole numbers"),
        (32, ", 0 dimensions.: give one row of whole numbers"),
    ],
)
def test_impossible_shoes_are_refused(shoes, complaint):
    _, kernel = twins("punto-banco")
    with pytest.raises(BaccaratError, match=complaint):
        kernel.expectations(shoes)


def test_suits_need_not_be_known_if_no_bet_depends_on_them():
    assert_twins_agree("punto-banco", RemainingShoe(8).without(parse_cards("Kx3")))
