"""Faults of a rule card that only its exact figures show: gifts, and bets that never win."""

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction

from baccarat.analysis.edges import BetFigures, analyse
from baccarat.core.errors import BaccaratError
from baccarat.core.money import Rounding, format_coins, net_result, percent_string
from baccarat.core.rulecard import Game, RuleCard
from baccarat.loader import Checked

LONGEST_SEARCH = 10_000
"""Stakes tried per bet; beyond so many coins a step is no step any more."""


def check_soundness(checked: Checked) -> None:
    """Report the bets, as the readings in force have them, that are gifts or can never win."""
    card = checked.draft.card() if checked.draft else None
    if card is None or checked.draft is None:
        return
    paths = {bet.id: path for path, bet in checked.draft.bets}
    for path, bet in checked.draft.reading_bets:
        ambiguity = next(a for place, a in checked.draft.ambiguities if place == path[:2])
        if ambiguity.in_force == ambiguity.readings[int(path[3])].id:
            paths[bet.id] = path
    reported = {finding.problem for finding in checked.report.findings}
    # A default outside its own range is reported already, and keeps the game from being made.
    with suppress(BaccaratError):
        for name, problem, remedy in _gifts(card):
            if f"{name} can never win" not in reported:
                checked.report.add(paths.get(name, ()), problem, remedy)
    checked.report.findings.sort()


def edge_of_stake(figures: BetFigures, stake: int, rounding: Rounding) -> Fraction:
    """The house edge on one stake in coins, payouts rounded by the policy."""
    return -sum(
        (
            chance * Fraction(net_result(stake, pay, rounding), stake)
            for pay, chance in figures.distribution
        ),
        Fraction(0),
    )


def _gifts(card: RuleCard) -> Iterator[tuple[str, str, str]]:
    """(bet, problem, remedy) for bets that cost the house money, or that its decks never let win.

    Looked for at the defaults and at both ends of the parameters' ranges: a bet costs the house
    most where all that it pays is highest, with few decks or with many.
    """
    seen: set[tuple[str, bool]] = set()
    for at in _ends(card):
        parameters = [p for p in card.parameters.values() if at[p.name] != p.default]
        where = ", ".join(f"{p.name} = {p.format(at[p.name])}" for p in parameters)
        game = card.game(at)
        for figures in analyse(game):
            if not figures.hit and not parameters:
                problem = f"{figures.bet.id} can never win with {game.decks} decks"
                yield figures.bet.id, problem, "more decks, or a line that some coup meets"
            by_odds = figures.edge < 0
            gift = _by_odds(figures) if by_odds else _by_rounding(game, figures)
            if gift is not None and (figures.bet.id, by_odds) not in seen:
                seen.add((figures.bet.id, by_odds))
                problem, remedy = gift
                yield figures.bet.id, problem + (f" at {where}" if where else ""), remedy


def _ends(card: RuleCard) -> Iterator[dict[str, Fraction]]:
    """The defaults, then the ends of the ranges."""
    defaults = {p.name: p.default for p in card.parameters.values()}
    decks = card.parameters["decks"]
    for end in ("default", "maximum", "minimum"):
        paid = {p.name: getattr(p, end) for p in card.parameters.values() if p is not decks}
        for number in dict.fromkeys((decks.default, decks.minimum, decks.maximum)):
            if paid or end == "default":
                yield defaults | paid | {"decks": number}


def _by_odds(figures: BetFigures) -> tuple[str, str]:
    problem = f"its edge is against the house: {percent_string(figures.edge)}"
    return problem, "lower the odds, or narrow the parameter's range"


def _by_rounding(game: Game, figures: BetFigures) -> tuple[str, str] | None:
    """The stake on which rounding gives away most, if it gives away more than the edge."""
    rounding = game.card.limits.rounding
    if rounding is Rounding.REFUSE:
        return None
    minimum, maximum = game.limits(figures.bet)
    # What rounding gives away repeats with the step (twice the step where halves go to even
    # coins) and weighs less on larger stakes.
    period = min(2 * figures.stake_step, LONGEST_SEARCH)
    stakes = range(minimum, min(maximum + 1, minimum + period))
    if not stakes:
        return None
    worst = min(stakes, key=lambda stake: edge_of_stake(figures, stake, rounding))
    edge = edge_of_stake(figures, worst, rounding)
    if edge >= 0:
        return None
    problem = f"rounding {rounding} on a stake of {format_coins(worst)} hands the bettor "
    remedy = f"refuse stakes off the step of {format_coins(figures.stake_step)}, round down, "
    return problem + percent_string(-edge), remedy + "or raise the minimum"
