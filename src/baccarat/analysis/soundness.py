"""Faults of a rule card that only its exact figures show: edges that turn against the house."""

from fractions import Fraction
from itertools import product

from baccarat.analysis.edges import BetFigures, analyse
from baccarat.core.errors import BaccaratError
from baccarat.core.money import Rounding, format_coins, winnings
from baccarat.core.rulecard import Limits, RuleCard
from baccarat.loader import Checked

LONGEST_SEARCH = 10_000
"""Stakes tried per bet; beyond so many coins a step is no step any more."""


def check_soundness(checked: Checked) -> None:
    """Add to the report every bet that a rounding policy or a parameter makes a gift."""
    card = checked.draft.card() if checked.draft else None
    if card is None or checked.draft is None:
        return
    paths = {bet.id: path for path, bet in checked.draft.bets}
    try:
        for name, problem, remedy in [*_gifts_by_rounding(card), *_gifts_by_odds(card)]:
            checked.report.add(paths.get(name, ()), problem, remedy)
    except BaccaratError:
        return  # the card has faults that are reported already and that keep it from being dealt
    checked.report.findings.sort()


def edge_of_stake(figures: BetFigures, stake: int, rounding: Rounding) -> Fraction:
    """The house edge on one stake in coins, payouts rounded by the policy."""
    return -sum(
        (
            chance * (Fraction(winnings(stake, pay, rounding), stake) if pay > 0 else pay)
            for pay, chance in figures.distribution
        ),
        Fraction(0),
    )


def _gifts_by_rounding(card: RuleCard) -> list[tuple[str, str, str]]:
    """Bets that cost the house money at some stake it takes, though not on the step."""
    limits: Limits = card.limits
    found: list[tuple[str, str, str]] = []
    if limits.rounding is Rounding.REFUSE:
        return found
    game = card.game()
    for figures in analyse(game):
        minimum, _ = game.limits(figures.bet)
        # What rounding gives away repeats with the step and weighs less on larger stakes.
        stakes = range(minimum, minimum + min(figures.stake_step, LONGEST_SEARCH))
        worst = min(stakes, key=lambda stake: edge_of_stake(figures, stake, limits.rounding))
        edge = edge_of_stake(figures, worst, limits.rounding)
        if edge < 0 <= figures.edge:
            problem = (
                f"rounding {limits.rounding} on a stake of {format_coins(worst)} hands the "
                f"bettor {float(-edge):.3%}"
            )
            remedy = (
                f"refuse stakes off the step of {format_coins(figures.stake_step)}, round down, "
                "or raise the minimum"
            )
            found.append((figures.bet.id, problem, remedy))
    return found


def _gifts_by_odds(card: RuleCard) -> list[tuple[str, str, str]]:
    """Bets that cost the house money at the card's odds, or at an end of a parameter's range."""
    others = [p for p in card.parameters.values() if p.name != "decks"]
    ends = product(*({p.default, p.minimum, p.maximum} for p in others))
    found: dict[str, tuple[str, str, str]] = {}
    for values in ends:
        at = {p.name: value for p, value in zip(others, values, strict=True)}
        for figures in analyse(card.game(at)):
            if figures.edge < 0 and figures.bet.id not in found:
                where = ", ".join(f"{p.name} = {p.format(at[p.name])}" for p in others)
                problem = f"its edge is against the house: {float(figures.edge):.3%}"
                problem += f" at {where}" if where else ""
                remedy = "lower the odds, or narrow the parameter's range"
                found[figures.bet.id] = (figures.bet.id, problem, remedy)
    return list(found.values())
