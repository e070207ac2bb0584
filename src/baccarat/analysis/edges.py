"""Exact figures of every bet: edge, return, hit rate, variance, effects of removal.

`analyse(game)` computes the figures for a full shoe or for any remaining shoe, and optionally for a
given stake and rounding policy.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import NamedTuple

from baccarat.analysis.counts import counters, outcome_chances, total_sequences
from baccarat.analysis.remaining import MIN_CARDS, Count, RemainingShoe, remaining_shoe
from baccarat.core.bets import Bet
from baccarat.core.cards import RANKS, SUITS, Card, deck
from baccarat.core.errors import CardError, GameError
from baccarat.core.money import Rounding, format_coins, net_result, winnings
from baccarat.core.paytable import joint_outcomes
from baccarat.core.rulecard import Game
from baccarat.core.wagers import Wager


class PaymentChance(NamedTuple):
    """A net payment per unit staked, and its probability."""

    pay: Fraction
    chance: Fraction


Distribution = tuple[PaymentChance, ...]
"""All possible payments, with probabilities that add up to one."""


def square_root(value: Fraction, digits: int) -> Fraction:
    """Return the square root of a value, correctly rounded to `digits` decimals."""
    scale = 10**digits
    scaled = 4 * value * scale * scale
    return Fraction((isqrt(scaled.numerator // scaled.denominator) + 1) // 2, scale)


@dataclass(frozen=True)
class BetFigures:
    """The exact figures of one bet."""

    bet: Bet
    distribution: Distribution

    @property
    def expectation(self) -> Fraction:
        """The bettor's expected win per unit staked, which is the negative of the edge."""
        return sum((pay * chance for pay, chance in self.distribution), Fraction(0))

    @property
    def edge(self) -> Fraction:
        """The house's expected win per unit staked."""
        return -self.expectation

    @property
    def return_to_player(self) -> Fraction:
        return 1 - self.edge

    @property
    def hit(self) -> Fraction:
        """The probability of a win."""
        return sum((chance for pay, chance in self.distribution if pay > 0), Fraction(0))

    @property
    def standoff(self) -> Fraction:
        """The probability of a stand-off."""
        return sum((chance for pay, chance in self.distribution if pay == 0), Fraction(0))

    @property
    def edge_resolved(self) -> Fraction:
        """The edge per unit resolved, that is, not counting stand-offs."""
        return self.edge / (1 - self.standoff) if self.standoff < 1 else Fraction(0)

    @property
    def variance(self) -> Fraction:
        """The variance of the net result of one unit staked."""
        squares = sum((pay * pay * chance for pay, chance in self.distribution), Fraction(0))
        return squares - self.expectation**2

    def standard_deviation(self, digits: int = 10) -> Fraction:
        """Return the square root of the variance, correctly rounded to `digits` decimals."""
        return square_root(self.variance, digits)


@dataclass(frozen=True, eq=False, repr=False)
class Analysis(Mapping[str, BetFigures]):
    """The figures of every bet of a game on one shoe, by bet id, in the card's order."""

    game: Game
    shoe: RemainingShoe
    total: int
    """Number of ordered six-card sequences."""
    figures: Mapping[str, BetFigures]

    def __getitem__(self, bet: str) -> BetFigures:
        return self.figures[self.game.bet(bet).id]

    def __iter__(self) -> Iterator[str]:
        return iter(self.figures)

    def __len__(self) -> int:
        return len(self.figures)

    def __repr__(self) -> str:
        return f"<Analysis of {self.game!r}, {self.shoe.size} cards>"


def analyse(
    game: Game,
    shoe: RemainingShoe | None = None,
    *,
    stake: int | None = None,
    rounding: Rounding | None = None,
) -> Analysis:
    """Return the exact figures of every bet, optionally for one stake under a rounding policy."""
    if stake is not None and (not isinstance(stake, int) or stake <= 0):
        raise GameError(f"invalid stake {stake!r}: must be a positive whole number of coins")
    shoe = shoe or remaining_shoe(game)
    total = total_sequences(shoe.size)
    found: dict[int, BetFigures] = {}
    for counter in counters(game.pay_table):
        counts = counter.counts(shoe)
        for i, by_payment in zip(counter.outcomes.bets, counter.outcomes.by_payment, strict=True):
            paid = {pay: sum(counts[o] for o in outcomes) for pay, outcomes in by_payment.items()}
            bet = game.bets[i]
            found[i] = BetFigures(bet, _distribution(bet, paid, total, stake, rounding))
    return Analysis(game, shoe, total, {bet.id: found[i] for i, bet in enumerate(game.bets)})


@lru_cache(maxsize=512)
def of_full_shoe(game: Game) -> Analysis:
    """Return the figures of every bet on a full shoe; they are cached."""
    return analyse(game)


def combined_distribution(
    game: Game, wagers: Sequence[Wager], shoe: RemainingShoe | None = None
) -> dict[int, Fraction]:
    """Return the chance of each combined net result, in coins, of several wagers on one coup.

    Wagers on different bets of one coup are not independent, so they are counted jointly.
    """
    shoe = shoe or remaining_shoe(game)
    places = {bet.id: i for i, bet in enumerate(game.bets)}
    stakes = [(places[game.bet(wager.bet).id], wager.stake) for wager in wagers]
    outcomes = game.pay_table.outcomes([place for place, _ in stakes])
    rounding = game.card.limits.rounding
    chances: defaultdict[int, Fraction] = defaultdict(Fraction)
    for pays, chance in outcome_chances(game.pay_table, outcomes, shoe):
        net = sum(
            net_result(stake, pay, rounding) for pay, (_, stake) in zip(pays, stakes, strict=True)
        )
        chances[net] += chance
    return dict(sorted((net, chance) for net, chance in chances.items() if chance))


def figures_of(game: Game, bet: str) -> BetFigures:
    """Return the figures of one bet on a full shoe."""
    return of_full_shoe(game)[bet]


def covariance(first: tuple[Game, str], second: tuple[Game, str]) -> Fraction:
    """Return the covariance of the payments of two bets on the same coup, per unit staked.

    Wagers on one coup are not independent, even those of different players. The two games may be
    one rule card under different agreements: the odds may differ, but the tableau must be the same.
    """
    if first == second:
        return figures_of(*first).variance
    return (
        _joint(*first, *second) - figures_of(*first).expectation * figures_of(*second).expectation
    )


@lru_cache(maxsize=16384)
def _joint(game: Game, bet: str, other: Game, another: str) -> Fraction:
    """Return the mean of the product of the payments of both bets."""
    bets = [
        (of.pay_table, of.bets.index(of.bet(name))) for of, name in ((game, bet), (other, another))
    ]
    outcomes = joint_outcomes(bets, game.tableau)
    chances = outcome_chances(game.pay_table, outcomes, remaining_shoe(game))
    return sum((chance * a * b for (a, b), chance in chances), Fraction(0))


def _distribution(
    bet: Bet,
    counts: Mapping[Fraction, Count],
    total: int,
    stake: int | None,
    rounding: Rounding | None,
) -> Distribution:
    """Return the chance of each payment; if a stake is given, payments are rounded for it."""
    ways: defaultdict[Fraction, Count] = defaultdict(int)
    for pay, count in counts.items():
        if count:
            paid = pay if stake is None or pay <= 0 else _paid(bet, pay, stake, rounding)
            ways[paid] += count
    return tuple(PaymentChance(paid, Fraction(ways[paid], total)) for paid in sorted(ways))


def _paid(bet: Bet, pay: Fraction, stake: int, rounding: Rounding | None) -> Fraction:
    try:
        return Fraction(winnings(stake, pay, rounding or Rounding.REFUSE), stake)
    except GameError:
        step = format_coins(bet.step)
        raise GameError(
            f"{bet.id}: a stake of {format_coins(stake)} does not pay a whole number of coins: "
            f"stake a multiple of {step}, or choose a rounding policy"
        ) from None


Effects = Mapping[str, Mapping[str, Fraction | None]]
"""For each bet and card, the change in the bettor's expectation; None if no such card is left."""


def effects_of_removal(
    game: Game, shoe: RemainingShoe | None = None, *, by_suit: bool = False
) -> Effects:
    """Return, for each bet and rank, the change in expectation when one card of that rank is
    removed. With `by_suit`, return it for each of the 52 cards instead, such as "9d"."""
    shoe = shoe or remaining_shoe(game)
    if shoe.size <= MIN_CARDS:
        raise CardError(
            f"only {shoe.size} cards are left: removing one more would leave too few for a coup"
        )
    before = {bet: figures.expectation for bet, figures in analyse(game, shoe).items()}
    effects: dict[str, dict[str, Fraction | None]] = {bet: {} for bet in before}
    same = _interchangeable_suits(game, shoe) if by_suit else {}
    for card in deck() if by_suit else map(Card, RANKS):
        twin = Card(card.rank, same.get(card.suit))
        after = analyse(game, shoe.without([card])) if twin == card and shoe.has(card) else None
        for bet, expectation in before.items():
            effects[bet][str(card)] = (
                after[bet].expectation - expectation if after else effects[bet].get(str(twin))
            )
    return effects


def _interchangeable_suits(game: Game, shoe: RemainingShoe) -> dict[str | None, str]:
    """Return, for each suit, the first suit that can be exchanged with it without changing any bet
    or the shoe."""
    tests = (test for bet in game.bets for line in bet.lines for test in line.when.tests())
    measures = {fact.measured.measure for fact, _ in tests if fact.measured}
    found: dict[str | None, str] = {}
    for i, suit in enumerate(SUITS):
        for other in SUITS[: i + 1]:
            exchange = {each: each for each in SUITS} | {suit: other, other: suit}
            removed = {
                Card(card.rank, exchange.get(card.suit or "")): n
                for card, n in shoe.removed.items()
            }
            kept = removed == shoe.removed and all(m.is_kept_by(exchange) for m in measures)
            if suit not in found and kept:
                found[suit] = other
    return found
