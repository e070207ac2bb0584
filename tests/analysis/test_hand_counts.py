"""Bets on suits, colours, ranks and sums, against every coup that a small shoe can deal.

Conditions are random, over the whole vocabulary. The auditor, which shares no code with the
analysis, says which coups meet them.
"""

from collections import Counter, defaultdict
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from baccarat.analysis.edges import analyse, combined_distribution, effects_of_removal
from baccarat.analysis.mid_coup import chances
from baccarat.analysis.remaining import remaining_shoe
from baccarat.core.cards import Card
from baccarat.core.coup import Coup
from baccarat.core.errors import CardError, DealError
from baccarat.core.wagers import Wager
from support import reference as ref
from support.conditions import BETS, Bets, analysable, game_of, paid, quietly
from support.samples import amount
from support.small_shoes import (
    Known,
    Left,
    agrees,
    cards,
    few_kinds,
    gone,
    random_left,
    some_known,
    take_some_evenly,
)


def dealt(bets: Bets, remains: list[Left], *known: Known) -> Counter[tuple[int, ...]]:
    """How many six-card sequences of the shoes in question pay what, if both hands begin with the
    known cards."""
    found: Counter[tuple[int, ...]] = Counter()
    for left in remains:
        for coup in ref.every_coup(left):
            if not known or (agrees(coup.player, known[0]) and agrees(coup.banker, known[1])):
                found[paid(bets, coup.player, coup.banker)] += coup.weight
    return found


def distribution(counts: Counter[tuple[int, ...]], bet: int) -> dict[Fraction, Fraction]:
    chance: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
    for pays, n in counts.items():
        chance[Fraction(pays[bet])] += Fraction(n, sum(counts.values()))
    return dict(chance)


def expectations(counts: Counter[tuple[int, ...]]) -> list[Fraction]:
    every = (distribution(counts, bet) for bet in range(len(next(iter(counts)))))
    return [sum((pay * n for pay, n in one.items()), Fraction(0)) for one in every]


def small_shoe(rng: Random, decks: int) -> Left:
    return few_kinds(rng, decks) if rng.random() < 0.3 else random_left(rng, decks, most=7)


@pytest.mark.no_cover
@given(BETS, st.randoms(use_true_random=False))
@settings(quietly, max_examples=amount("PROPERTIES") // 2)
def test_random_conditions_on_small_shoes(bets: Bets, rng: Random):
    decks = rng.choice([1, 2, 8])
    left = small_shoe(rng, decks)
    game = analysable(bets, decks)
    shoe = remaining_shoe(game, gone(left, decks))
    counts = dealt(bets, [left])
    for i, figures in enumerate(analyse(game, shoe).values()):
        assert dict(figures.distribution) == distribution(counts, i)
    together: defaultdict[int, Fraction] = defaultdict(Fraction)
    for pays, n in counts.items():
        net = sum(pay * (1 + i) for i, pay in enumerate(pays))
        together[net] += Fraction(n, sum(counts.values()))
    wagers = [Wager(bet.id, 1 + i) for i, bet in enumerate(game.bets)]
    assert combined_distribution(game, wagers, shoe) == together


@pytest.mark.no_cover
@given(BETS, st.randoms(use_true_random=False))
@settings(quietly, max_examples=50)
def test_a_coup_pays_what_the_auditor_says(bets: Bets, rng: Random):
    game = analysable(bets, 8)
    pool = list(random_left(rng, 8).elements())
    for _ in range(20):
        player, banker = ref.deal(rng.sample(pool, 6))
        coup = Coup(tuple(cards(player)), tuple(cards(banker)))
        found = game.pay_table.pays(coup)
        pays = tuple(found[bet.id] for bet in game.bets)
        assert pays == paid(bets, player, banker)


@pytest.mark.no_cover
@given(BETS, st.randoms(use_true_random=False))
@settings(quietly, max_examples=amount("PROPERTIES") // 4)
def test_suits_that_nobody_noted(bets: Bets, rng: Random):
    """Cards removed without their suits, and known cards with and without them."""
    decks = rng.choice([1, 2])
    left = few_kinds(rng, decks) if rng.random() < 0.5 else random_left(rng, decks, most=7)
    number = min(sum(left.values()) - 6, rng.choice([0, 1]))
    noted, remains = take_some_evenly(rng, left, number)
    removed = [*gone(left, decks), *map(Card, noted.elements())]
    game = analysable(bets, decks)
    found = analyse(game, remaining_shoe(game, removed))
    assert [bet.expectation for bet in found.values()] == expectations(dealt(bets, remains))
    known = some_known(rng, remains[0], (rng.randint(0, 3), rng.randint(0, 3)))
    hands = dict(zip(("player", "banker"), map(cards, known), strict=True))
    counts = dealt(bets, remains, *known)
    if counts:
        seen = chances(game, **hands, removed=removed)
        assert list(seen.expectations.values()) == expectations(counts)
    else:
        with pytest.raises(DealError, match="no coup has the cards"):
            chances(game, **hands, removed=removed)


def test_effects_of_removal_are_differences():
    bets: Bets = [
        [({"count": {"of": "black", "in": "coup", "is": 0}}, 22)],
        [({"player_suits": 1, "player_total": 8}, 25)],
        [({"count": {"of": "9d", "in": "start", "min": 1}}, 8)],
    ]
    rng = Random(1)
    left = random_left(rng, 2, most=7) | Counter({("9", "d"): 1, ("8", "h"): 2, ("K", "s"): 1})
    game = game_of(bets, 2)
    effects = effects_of_removal(game, remaining_shoe(game, gone(left, 2)))
    before = expectations(dealt(bets, [left]))
    for rank in ref.RANKS:
        remains = [left - Counter([(rank, suit)]) for suit in ref.SUITS if left[rank, suit]]
        after = expectations(dealt(bets, remains)) if remains else None
        for i in range(len(bets)):
            change = after[i] - before[i] if after else None
            assert effects[f"b{i}"][rank] == change, (i, rank)


def test_too_many_unknown_suits_are_refused():
    game = game_of([[({"player_suits": 1}, 2)]])
    with pytest.raises(CardError, match="give the suits, such as 8h"):
        analyse(game, remaining_shoe(game, map(Card, ref.RANKS)))
    by_rank = game_of([[({"player_ranks": 1}, 2)]])
    assert analyse(by_rank, remaining_shoe(by_rank, map(Card, ref.RANKS)))
