"""The exact figures of every bet: edge, return, hit rate, variance.

`analyse(game)` for the full shoe, or for any remaining one; with a stake and a rounding policy,
for that stake.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from baccarat.analysis.counts import Count, OutcomeCounter, counters, total_sequences
from baccarat.analysis.remaining import RemainingShoe, remaining_shoe
from baccarat.core.errors import GameError
from baccarat.core.money import Rounding, format_coins, net_result, winnings
from baccarat.core.rulecard import Bet, Game
from baccarat.core.wagers import Wager

Distribution = tuple[tuple[Fraction, Fraction], ...]
"""(net payment per unit staked, probability), probabilities adding up to one."""


@dataclass(frozen=True)
class BetFigures:
    """What can be said of one bet, exactly."""

    bet: Bet
    distribution: Distribution

    @property
    def expectation(self) -> Fraction:
        """What the bettor expects to win per unit staked: minus the edge."""
        return sum((pay * chance for pay, chance in self.distribution), Fraction(0))

    @property
    def edge(self) -> Fraction:
        """What the house expects to win per unit staked."""
        return -self.expectation

    @property
    def return_to_player(self) -> Fraction:
        return 1 - self.edge

    @property
    def hit(self) -> Fraction:
        """How often the bettor ends up ahead."""
        return sum((chance for pay, chance in self.distribution if pay > 0), Fraction(0))

    @property
    def standoff(self) -> Fraction:
        """How often nothing is won or lost."""
        return sum((chance for pay, chance in self.distribution if pay == 0), Fraction(0))

    @property
    def edge_resolved(self) -> Fraction:
        """The edge per unit that is actually won or lost, stand-offs left out."""
        return self.edge / (1 - self.standoff) if self.standoff < 1 else Fraction(0)

    @property
    def variance(self) -> Fraction:
        """Of the net result of one unit staked."""
        squares = sum((pay * pay * chance for pay, chance in self.distribution), Fraction(0))
        return squares - self.expectation**2

    def standard_deviation(self, digits: int = 10) -> Fraction:
        """The square root of the variance, correctly rounded to so many decimals."""
        scale = 10**digits
        scaled = 4 * self.variance * scale * scale
        return Fraction((isqrt(scaled.numerator // scaled.denominator) + 1) // 2, scale)

    @property
    def stake_step(self) -> int:
        """Stakes in multiples of so many coins are paid in whole coins."""
        return self.bet.step


@dataclass(frozen=True)
class Analysis:
    """The figures of every bet of a game on one shoe."""

    game: Game
    shoe: RemainingShoe
    total: int
    """Number of ordered six-card sequences."""
    bets: tuple[BetFigures, ...]

    def __getitem__(self, bet: str) -> BetFigures:
        self.game.bet(bet)  # an unknown name is answered there, in words
        return next(figures for figures in self.bets if figures.bet.id == bet)

    def __iter__(self) -> Iterator[BetFigures]:
        return iter(self.bets)


def analyse(
    game: Game,
    shoe: RemainingShoe | None = None,
    *,
    stake: int | None = None,
    rounding: Rounding | None = None,
) -> Analysis:
    """Exact figures of every bet; of a stake in coins under a rounding policy, if given."""
    if stake is not None and (not isinstance(stake, int) or stake <= 0):
        raise GameError(f"{stake!r} coins are no stake: it is a whole number above zero")
    shoe = shoe or remaining_shoe(game)
    total = total_sequences(shoe.size)
    found: dict[int, BetFigures] = {}
    for counter in counters(game.pay_table):
        counts = counter.counts(shoe)
        for i, by_payment in zip(counter.outcomes.bets, counter.outcomes.by_payment, strict=True):
            paid = {pay: sum(counts[o] for o in outcomes) for pay, outcomes in by_payment.items()}
            bet = game.bets[i]
            found[i] = BetFigures(bet, _distribution(bet, paid, total, stake, rounding))
    return Analysis(game, shoe, total, tuple(found[i] for i in range(len(game.bets))))


def combined_distribution(
    game: Game, wagers: Sequence[Wager], shoe: RemainingShoe | None = None
) -> dict[int, Fraction]:
    """What several wagers together win or lose in one coup: net coins and their chances.

    Wagers on different bets of one coup are not independent; they are counted together.
    """
    shoe = shoe or remaining_shoe(game)
    places = {bet.id: i for i, bet in enumerate(game.bets)}
    stakes = [(places[game.bet(wager.bet).id], wager.stake) for wager in wagers]
    outcomes = game.pay_table.outcomes([place for place, _ in stakes])
    counts = OutcomeCounter(game.pay_table, outcomes).counts(shoe)
    total = total_sequences(shoe.size)
    rounding = game.card.limits.rounding
    chances: dict[int, Fraction] = {}
    for pays, count in zip(outcomes.pays, counts, strict=True):
        net = sum(
            net_result(stake, pay, rounding) for pay, (_, stake) in zip(pays, stakes, strict=True)
        )
        chances[net] = chances.get(net, Fraction(0)) + Fraction(count, total)
    return dict(sorted((net, chance) for net, chance in chances.items() if chance))


def _distribution(
    bet: Bet,
    counts: Mapping[Fraction, Count],
    total: int,
    stake: int | None,
    rounding: Rounding | None,
) -> Distribution:
    """Chances of each payment, the payments being what a stake really gets when one is given."""
    chances: dict[Fraction, Fraction] = {}
    for pay, count in counts.items():
        if count:
            paid = pay if stake is None or pay <= 0 else _paid(bet, pay, stake, rounding)
            chances[paid] = chances.get(paid, 0) + Fraction(count, total)
    return tuple(sorted(chances.items()))


def _paid(bet: Bet, pay: Fraction, stake: int, rounding: Rounding | None) -> Fraction:
    try:
        return Fraction(winnings(stake, pay, rounding or Rounding.REFUSE), stake)
    except GameError:
        step = format_coins(bet.step)
        raise GameError(
            f"{bet.id}: a stake of {format_coins(stake)} is not a multiple of {step} and would "
            "not pay whole coins: stake on the step, or name a rounding policy"
        ) from None
