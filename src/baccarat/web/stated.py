"""Which rule a refusal follows, and where people can read it.

In goes the code of a refusal, out comes the rule's number in docs/requirements.md, if it has one,
and the part of the pages that states it. The one rule: only what is stated there is named.
"""

from enum import StrEnum

from typing_extensions import TypedDict

from baccarat.table.refusals import Code


class Place(StrEnum):
    """Where a rule is stated."""

    DEAL = "deal"
    """A section of the game's rules."""
    WAGERING = "wagering"
    """A section of the game's rules, and under it the limits of the table."""
    LIMITS = "limits"
    """The player's own limits, breaks and exclusions, and what the law adds to them."""


class Rule(TypedDict):
    """The rule that a refusal follows."""

    number: str | None
    place: Place


STATED: dict[Code, tuple[str | None, Place]] = {
    Code.SELF_EXCLUDED: (None, Place.LIMITS),
    Code.ON_A_BREAK: (None, Place.LIMITS),
    Code.UNDER_AGE: (None, Place.LIMITS),
    Code.REALITY_CHECK: (None, Place.LIMITS),
    Code.TIME_LIMIT: (None, Place.LIMITS),
    Code.NO_SUCH_ROUND: ("R05", Place.DEAL),
    Code.BETTING_CLOSED: ("R02", Place.DEAL),
    Code.NO_SEAT: (None, Place.WAGERING),
    Code.OUTSIDE_LIMITS: ("R35", Place.WAGERING),
    Code.OFF_STEP: (None, Place.WAGERING),
    Code.EXCLUDED: ("R32", Place.WAGERING),
    Code.NEEDS_ANOTHER: ("R28", Place.WAGERING),
    Code.OVER_COUP_LIMIT: ("R35", Place.WAGERING),
    Code.PARTNERS_OVER_MAXIMUM: ("R36", Place.WAGERING),
    Code.DEPOSIT_LIMIT: (None, Place.LIMITS),
    Code.LOSS_LIMIT: (None, Place.LIMITS),
    Code.BONUS_BREACH: ("R37", Place.WAGERING),
}


def rule_behind(code: StrEnum) -> Rule | None:
    """The rule, or None for what is no rule of the game or of the player's limits."""
    if not isinstance(code, Code) or code not in STATED:
        return None
    number, place = STATED[code]
    return {"number": number, "place": place}
