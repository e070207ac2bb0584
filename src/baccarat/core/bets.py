"""Bets of a game: what each pays, and the stakes accepted on it."""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from baccarat.core.facts import Condition

STAND_OFF = Fraction(0)
"""Net payment of a stand-off: nothing won, nothing lost."""
LOSS = Fraction(-1)
"""Net payment of a bet when none of its lines applies."""


@dataclass(frozen=True)
class Line:
    """One line of a bet: when it applies, and what it then pays."""

    when: Condition
    pays: Fraction
    """Net win per unit staked; 0 is a stand-off."""
    parameter: str | None = None
    """The parameter that sets what it pays, if any."""


@dataclass(frozen=True, kw_only=True)
class Spot:
    """Everything about a bet except what it pays."""

    id: str
    name: str
    short: str
    """Label for a small spot."""
    group: str
    """Group on the layout; bets of one group are placed together."""
    order: int
    """Position within the group."""
    requires: tuple[str, ...] = ()
    """Bets of which the player must also wager on at least one."""
    excludes: tuple[str, ...] = ()
    """Bets that may not be combined with this one."""
    stands_alone: bool = False
    """Whether the card declares that it needs no other wager."""
    minimum: int | None = None
    """Minimum stake in coins, where it differs from the card's."""
    maximum: int | None = None
    """Maximum stake in coins, where it differs from the card's."""
    replaces: str | None = None
    """Id of the bet that this one replaces under a reading."""
    assumed: bool = False
    """Whether the odds are assumed because the poster does not print them."""
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Bet(Spot):
    """A bet of a game. The first line that applies decides; when none does, the bet loses."""

    lines: tuple[Line, ...]

    @property
    def step(self) -> int:
        """The stake step in coins: every payout is whole if the stake is a multiple of it."""
        return lcm(*(line.pays.denominator for line in self.lines))


class Offer(NamedTuple):
    """A bet, and the stakes accepted on it, in coins."""

    bet: Bet
    least: int
    most: int
    step: int
    """Stakes must be multiples of this; 1 where payouts are rounded."""

    @property
    def smallest(self) -> int:
        """The smallest multiple of the step not below the minimum; it may exceed the maximum."""
        return -(-self.least // self.step) * self.step
