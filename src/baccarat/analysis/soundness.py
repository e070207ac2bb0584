"""Faults that only exact figures reveal: bets that favour the player, and bets that never win."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from baccarat.analysis.edges import BetFigures, analyse
from baccarat.analysis.remaining import decks_in_words
from baccarat.core.errors import all_of
from baccarat.core.money import Rounding, format_coins, net_result, percent_string
from baccarat.core.rulecard import Game, RuleCard

LONGEST_SEARCH = 10_000
"""Maximum number of stakes tried per bet; larger stake steps are unrealistic."""


class UnsoundBet(NamedTuple):
    """A bet that loses money for the house, or that can never win."""

    bet: str
    problem: str
    remedy: str


def edge_of_stake(figures: BetFigures, stake: int, rounding: Rounding) -> Fraction:
    """Return the house edge on a stake in coins, with payouts rounded by the policy."""
    return -sum(
        (
            chance * Fraction(net_result(stake, pay, rounding), stake)
            for pay, chance in figures.distribution
        ),
        Fraction(0),
    )


def unsound_bets(card: RuleCard) -> Iterator[UnsoundBet]:
    """Yield the bets that favour the player or can never win, under the readings in force.

    Bets are checked with the default parameters and at both ends of the parameters' ranges, because
    a bet is worst for the house with the highest payouts, and with either few or many decks.
    """
    seen: set[tuple[str, bool]] = set()
    for at in _ends(card):
        parameters = [p for p in card.parameters.values() if at[p.name] != p.default]
        where = ", ".join(f"{p.name} = {p.format(at[p.name])}" for p in parameters)
        game = Game.of(card, at)
        for figures in analyse(game).values():
            if not figures.hit and not parameters:
                problem = f"{figures.bet.id} can never win with {decks_in_words(game.decks)}"
                remedy = "allow more decks, or add a line whose condition a coup can meet"
                yield UnsoundBet(figures.bet.id, problem, remedy)
            by_odds = figures.edge < 0
            ranges = [p.name for p in parameters]
            gift = _by_odds(figures, ranges) if by_odds else _by_rounding(game, figures)
            if gift is not None and (figures.bet.id, by_odds) not in seen:
                seen.add((figures.bet.id, by_odds))
                problem, remedy = gift
                problem += f" at {where}" if where else ""
                yield UnsoundBet(figures.bet.id, problem, remedy)


def _ends(card: RuleCard) -> Iterator[dict[str, Fraction]]:
    """Yield the default parameter values, then the values at the ends of the ranges."""
    defaults = {p.name: p.default for p in card.parameters.values()}
    decks = card.parameters["decks"]
    for end in ("default", "maximum", "minimum"):
        paid = {p.name: getattr(p, end) for p in card.parameters.values() if p is not decks}
        for number in dict.fromkeys((decks.default, decks.minimum, decks.maximum)):
            if paid or end == "default":
                yield defaults | paid | {"decks": number}


def _by_odds(figures: BetFigures, ranges: Sequence[str]) -> tuple[str, str]:
    """Return (problem, remedy) for odds that favour the player at values of these parameters other
    than the defaults."""
    problem = f"the house edge is negative: {percent_string(figures.edge)}"
    narrow = f", or narrow the range of {all_of(ranges)}" if ranges else ""
    return problem, f"lower the odds{narrow}"


def _by_rounding(game: Game, figures: BetFigures) -> tuple[str, str] | None:
    """Return (problem, remedy) for the stake on which rounding costs the house most, or None if the
    edge covers that cost."""
    rounding = game.card.limits.rounding
    if rounding is Rounding.REFUSE:
        return None
    minimum, maximum = game.limits(figures.bet)
    # The cost of rounding repeats with a period of one step (two steps if halves are rounded to
    # even), and matters less on larger stakes.
    period = min(2 * figures.bet.step, LONGEST_SEARCH)
    stakes = range(minimum, min(maximum + 1, minimum + period))
    if not stakes:
        return None
    worst = min(stakes, key=lambda stake: edge_of_stake(figures, stake, rounding))
    edge = edge_of_stake(figures, worst, rounding)
    if edge >= 0:
        return None
    problem = f"rounding {rounding} on a stake of {format_coins(worst)} gives the bettor "
    remedy = f"accept only multiples of {format_coins(figures.bet.step)}, round down, "
    return problem + percent_string(-edge), remedy + "or raise the minimum"
