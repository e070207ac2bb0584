"""Regression tests, each with the smallest example that showed the error."""

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from baccarat.analysis.edges import analyse, combined_distribution
from baccarat.analysis.mid_coup import chances
from baccarat.core.cards import Card, parse_cards
from baccarat.core.coup import parse_coup
from baccarat.core.errors import BaccaratError
from baccarat.core.money import format_coins, parse_coins
from baccarat.core.settlement import settle
from baccarat.core.wagers import Wager, refusals
from baccarat.loader import load
from support import reference as ref
from support import synthetic
from support.small_shoes import check_chances, game, gone, random_left, some_known, take_some_evenly
from support.synthetic import BANKER, rounding_head, soundness_findings


def test_the_cost_of_two_bets_together_is_the_sum_of_their_costs():
    table, wagers = load("commission").game(), [Wager("player", 100), Wager("player-pair", 100)]
    together = combined_distribution(table, wagers)
    apart = sum(100 * analyse(table)[wager.bet].expectation for wager in wagers)
    assert sum(net * chance for net, chance in together.items()) == apart


def test_a_third_card_of_unknown_suit_can_have_any_suit_left():
    """Left: Qc 3h3h3s AdAdAsAc. Player Q 3 then an ace: half the aces are diamonds, so the ace is
    a diamond with 1/2 (not 1/3), and a perfect pair of aces is left with 1/2 (not 2/3)."""
    left = Counter({("Q", "c"): 1, ("3", "h"): 2, ("3", "s"): 1})
    left += Counter({("A", "d"): 2, ("A", "s"): 1, ("A", "c"): 1})
    known = chances(game("synthetic", 2), player=parse_cards("Qc 3 A"), removed=gone(left, 2))
    assert known.expectations["perfect-pair"] == Fraction(7, 6)
    assert known.expectations["graded-pair"] == Fraction(197, 60)


def test_a_third_card_changes_the_chances_of_unseen_suits():
    """Two decks; a 6 of unknown suit was removed; the banker's third card is the 6h. That makes
    it less likely (1/7, not 1/4) that the unseen one was the other 6h."""
    rest = Counter({("6", s): 2 for s in ref.SUITS})
    _, remains = take_some_evenly(Random(1), rest, 1)
    removed = [*gone(rest, 2), Card("6")]
    player, banker = (("6", "s"), ("6", None)), (("6", None), ("6", None), ("6", "h"))
    check_chances(remains, 2, removed, player, banker)


@pytest.mark.parametrize("seed", range(40))
def test_known_third_cards_with_and_without_suit(seed):
    rng = Random(seed)
    left = random_left(rng, 2)
    noted, remains = take_some_evenly(rng, left, min(sum(left.values()) - 6, rng.randint(0, 2)))
    removed = [*gone(left, 2), *map(Card, noted.elements())]
    player, banker = some_known(rng, remains[0], rng.choice([(3, 0), (3, 2), (2, 3), (3, 3)]))
    if rng.random() < 0.5:
        player, banker = (
            tuple((rank, suit if i < 2 else None) for i, (rank, suit) in enumerate(hand))
            for hand in (player, banker)
        )
    check_chances(remains, 2, removed, player, banker)


def test_stakes_above_the_maximum_are_not_checked_for_rounding():
    """Only 0.20 is accepted, which is on the step."""
    head = rounding_head("0.20", "up").replace('maximum = "1000.00"', 'maximum = "0.20"')
    assert soundness_findings(head + BANKER) == []


def test_half_even_rounding_is_checked_over_twice_the_step():
    """At 1:2, one coin wins nothing and three coins win two: an edge of −6.5%."""
    when = 'any = [{ winner = "banker" }, { player_natural = true }]'
    bet = synthetic.bet("most", [(when, "1:2")])
    [finding] = soundness_findings(rounding_head("0.01", "half-even") + bet)
    assert "on a stake of 0.03 gives the bettor 6.5096%" in finding


def test_amounts_above_a_thousand_are_parsed_back():
    assert parse_coins(format_coins(123_456)) == 123_456


def test_a_misdealt_coup_is_not_settled():
    with pytest.raises(BaccaratError):
        settle(load("online").game(), parse_coup("P:2h3h=5 B:KhKd=0"), [Wager("player", 100)])


def test_a_wager_on_a_missing_bet_is_not_settled():
    with pytest.raises(BaccaratError):
        settle(load("online").game(), parse_coup("P:9hKh=9 B:KhKd=0"), [Wager("3g8", 100)])


def test_the_first_refusal_does_not_depend_on_the_order_of_the_wagers():
    table, wagers = load("online").game(), [Wager("player", 1), Wager("tie", 1)]
    assert refusals(table, wagers)[0] == refusals(table, wagers[::-1])[0]
