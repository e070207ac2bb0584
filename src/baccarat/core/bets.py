"""The bets of a game: what each bet pays, and the stakes accepted on it."""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from baccarat.core.facts import Condition

STAND_OFF = Fraction(0)
"""Net payment per unit staked in a stand-off: the stake is returned."""
LOSS = Fraction(-1)
"""Net payment per unit staked when none of a bet's lines applies."""


@dataclass(frozen=True)
class Line:
    """One payout line of a bet: the condition under which it applies, and what it pays."""

    when: Condition
    pays: Fraction
    """Net win per unit staked; 0 is a stand-off."""
    parameter: str | None = None
    """Name of the parameter that sets the odds, if any."""


@dataclass(frozen=True, kw_only=True)
class BaseBet:
    """Everything about a bet except what it pays."""

    id: str
    name: str
    short: str
    """Short label, for a small betting spot."""
    group: str
    """Group on the betting layout; bets of the same group are shown next to each other."""
    order: int
    """Position within the group."""
    requires: tuple[str, ...] = ()
    """Ids of other bets; the player must also wager on at least one of them."""
    excludes: tuple[str, ...] = ()
    """Ids of bets that may not be combined with this one."""
    stands_alone: bool = False
    """Whether the rule card says that this bet may always be placed without any other."""
    minimum: int | None = None
    """Minimum stake in coins, if it differs from the rule card's."""
    maximum: int | None = None
    """Maximum stake in coins, if it differs from the rule card's."""
    replaces: str | None = None
    """Id of the bet that this one replaces under one reading of the rules."""
    assumed: bool = False
    """Whether the odds are assumed because the poster does not print them."""
    known_as: tuple[str, ...] = ()
    """Other names that players use for the bet."""


@dataclass(frozen=True, kw_only=True)
class Bet(BaseBet):
    """A bet of a game. The first line that applies decides what it pays; if none applies, the bet
    loses."""

    lines: tuple[Line, ...]

    @property
    def step(self) -> int:
        """The stake step in coins: stakes that are multiples of it are paid in whole coins."""
        return lcm(*(line.pays.denominator for line in self.lines))


class Offer(NamedTuple):
    """A bet, with the stakes accepted on it in coins."""

    bet: Bet
    least: int
    most: int
    step: int
    """Stakes must be multiples of this step, which is 1 if payouts are rounded."""

    @property
    def smallest(self) -> int:
        """The minimum stake, rounded up to a multiple of the step, so it may exceed the maximum."""
        return -(-self.least // self.step) * self.step

    @property
    def largest(self) -> int:
        """The maximum stake, rounded down to a multiple of the step."""
        return self.most // self.step * self.step
