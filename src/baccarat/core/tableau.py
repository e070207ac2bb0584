"""The tableau: the rules for drawing a third card.

It consists of three sets: naturals, totals on which the player draws, and cells on which the banker
draws. A cell is the banker's two-card total together with the points of the player's third card, or
with STOOD if the player took none.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

STOOD = 10
"""Column of the tableau for a player who took no third card."""

Cell = tuple[int, int]
"""A cell of the tableau: (banker's two-card total, points of the player's third card or STOOD)."""


class Hand(StrEnum):
    """The two hands of a coup."""

    PLAYER = "player"
    BANKER = "banker"


class TurnRule(StrEnum):
    """The rule that determines which hand gets the next card; `wording.dealing` puts it into
    words."""

    START = "start"
    NATURAL_PLAYER = "natural-player"
    NATURAL_BANKER = "natural-banker"
    NATURAL_BOTH = "natural-both"
    PLAYER_DRAWS = "player-draws"
    STOOD_DRAWS = "stood-draws"
    STOOD_STANDS = "stood-stands"
    GIVEN_DRAWS = "given-draws"
    GIVEN_STANDS = "given-stands"
    COMPLETE = "complete"


@dataclass(frozen=True, slots=True)
class TurnReason:
    """Why a hand gets the next card, or why no card follows: the rule, and the values it depends
    on.

    player: Player's two-card total; 0 before it is known.
    banker: Banker's two-card total; 0 before it is known.
    given: Points of Player's third card; 10 if there is none.
    """

    row: TurnRule
    player: int = 0
    banker: int = 0
    given: int = STOOD


@dataclass(frozen=True, slots=True)
class Turn:
    """Which hand gets the next card, and why. `hand` is None when the coup is over."""

    hand: Hand | None
    reason: TurnReason


@dataclass(frozen=True)
class Tableau:
    """A complete tableau: every situation has exactly one rule."""

    naturals: frozenset[int]
    """Two-card totals in either hand that end the coup: neither hand draws."""
    player_draws: frozenset[int]
    """Two-card totals on which the player draws."""
    banker_draws: frozenset[Cell]
    """Cells on which the banker draws."""

    def ends_at_once(self, player: int, banker: int) -> bool:
        """Return whether either two-card total is a natural."""
        return player in self.naturals or banker in self.naturals

    def player_takes_third(self, player: int, banker: int) -> bool:
        """Return whether the player draws, given both two-card totals."""
        return player in self.player_draws and not self.ends_at_once(player, banker)

    def banker_takes_third(self, player: int, banker: int, given: int) -> bool:
        """Return whether the banker draws; `given` is the points of the player's third card, or
        STOOD."""
        return self.draws(banker, given) and not self.ends_at_once(player, banker)

    def draws(self, banker: int, given: int) -> bool:
        """Return whether the banker draws in this cell, ignoring naturals."""
        return (banker, given) in self.banker_draws

    def turn(self, player: Sequence[int], banker: Sequence[int]) -> Turn:
        """Return the next turn, given the points of the cards in each hand so far."""
        if len(player) < 2 or len(banker) < 2:
            first = Hand.PLAYER if len(player) == len(banker) else Hand.BANKER
            return Turn(first, TurnReason(TurnRule.START))
        p, b = sum(player[:2]) % 10, sum(banker[:2]) % 10
        if self.ends_at_once(p, b):
            both = TurnRule.NATURAL_BOTH if b in self.naturals else TurnRule.NATURAL_PLAYER
            row = both if p in self.naturals else TurnRule.NATURAL_BANKER
            return Turn(None, TurnReason(row, p, b))
        player_draws = self.player_takes_third(p, b)
        if player_draws and len(player) == 2:
            return Turn(Hand.PLAYER, TurnReason(TurnRule.PLAYER_DRAWS, p, b))
        given = player[2] if player_draws else STOOD
        if len(banker) > 2:
            return Turn(None, TurnReason(TurnRule.COMPLETE, p, b, given))
        if self.banker_takes_third(p, b, given):
            row = TurnRule.STOOD_DRAWS if given == STOOD else TurnRule.GIVEN_DRAWS
            return Turn(Hand.BANKER, TurnReason(row, p, b, given))
        row = TurnRule.STOOD_STANDS if given == STOOD else TurnRule.GIVEN_STANDS
        return Turn(None, TurnReason(row, p, b, given))


def ranges(numbers: frozenset[int] | Sequence[int]) -> str:
    """Format numbers as ranges: {0, 1, 2, 5} as '0–2, 5'."""
    parts: list[list[int]] = []
    for number in sorted(numbers):
        if parts and parts[-1][-1] == number - 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ", ".join(str(p[0]) if len(p) == 1 else f"{p[0]}–{p[-1]}" for p in parts)
