"""The tableau: who draws a third card.

The whole of it is three sets (naturals, totals on which the player draws, cells on which the
banker draws), and everything else reads them. A banker's cell is the banker's two-card total
and what the player was given: the points of the third card, or STOOD.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

STOOD = 10
"""The column of the tableau for a player who took no third card."""

Cell = tuple[int, int]
"""(banker's two-card total, points of the player's third card or STOOD)"""


class Hand(StrEnum):
    """The two hands of a coup."""

    PLAYER = "player"
    BANKER = "banker"


class Rule(StrEnum):
    """Which part of the rules decided a turn."""

    START = "start"
    NATURAL = "natural"
    PLAYER = "player"
    BANKER = "banker"
    COMPLETE = "complete"


class Row(StrEnum):
    """What the tableau says of a turn: for programs that have words of their own for it."""

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


ROWS: Mapping[Row, str] = {
    Row.START: "the first four cards go alternately, the player first",
    Row.NATURAL_PLAYER: "Player has a natural {player}: no more cards",
    Row.NATURAL_BANKER: "Banker has a natural {banker}: no more cards",
    Row.NATURAL_BOTH: "Player has a natural {player} and Banker has a natural {banker}: "
    "no more cards",
    Row.PLAYER_DRAWS: "Player with {player} draws (on {draws})",
    Row.STOOD_DRAWS: "Player stands on {player}; Banker with {banker} draws",
    Row.STOOD_STANDS: "Player stands on {player}; Banker with {banker} stands",
    Row.GIVEN_DRAWS: "Banker with {banker}, having given {given}, draws",
    Row.GIVEN_STANDS: "Banker with {banker}, having given {given}, stands",
    Row.COMPLETE: "Banker has its third card: no more cards",
}


@dataclass(frozen=True, slots=True)
class Turn:
    """Who gets the next card, and why. `hand` is None when the coup is over."""

    hand: Hand | None
    rule: Rule
    tableau: "Tableau"
    player: int = 0
    """The player's two-card total, once there is one."""
    banker: int = 0
    """The banker's two-card total, once there is one."""
    given: int = STOOD
    """The points of the player's third card, or STOOD."""

    @property
    def row(self) -> Row:
        """The row of the tableau that decided."""
        match self.rule:
            case Rule.START:
                return Row.START
            case Rule.NATURAL:
                if self.player not in self.tableau.naturals:
                    return Row.NATURAL_BANKER
                both = self.banker in self.tableau.naturals
                return Row.NATURAL_BOTH if both else Row.NATURAL_PLAYER
            case Rule.PLAYER:
                return Row.PLAYER_DRAWS
            case Rule.BANKER:
                draws = self.tableau.draws(self.banker, self.given)
                if self.given == STOOD:
                    return Row.STOOD_DRAWS if draws else Row.STOOD_STANDS
                return Row.GIVEN_DRAWS if draws else Row.GIVEN_STANDS
            case Rule.COMPLETE:
                return Row.COMPLETE

    @property
    def why(self) -> str:
        """The same in words."""
        return ROWS[self.row].format(
            player=self.player,
            banker=self.banker,
            given=a_card_worth(self.given),
            draws=ranges(self.tableau.player_draws),
        )


@dataclass(frozen=True)
class Tableau:
    """A tableau without gaps: every question has one answer."""

    naturals: frozenset[int]
    """Two-card totals that end the drawing for both hands."""
    player_draws: frozenset[int]
    """Two-card totals on which the player draws."""
    banker_draws: frozenset[Cell]
    """Cells on which the banker draws."""

    def ends_at_once(self, player: int, banker: int) -> bool:
        """Is there a natural in either two-card total?"""
        return player in self.naturals or banker in self.naturals

    def draws(self, banker: int, given: int) -> bool:
        """Does the banker draw on this total, the player having been given this (or STOOD)?"""
        return (banker, given) in self.banker_draws

    def turn(self, player: Sequence[int], banker: Sequence[int]) -> Turn:
        """Who gets the next card, given the points of the cards in each hand so far."""
        if len(player) < 2 or len(banker) < 2:
            first = Hand.PLAYER if len(player) == len(banker) else Hand.BANKER
            return Turn(first, Rule.START, self)
        p, b = sum(player[:2]) % 10, sum(banker[:2]) % 10
        if self.ends_at_once(p, b):
            return Turn(None, Rule.NATURAL, self, p, b)
        player_draws = p in self.player_draws
        if player_draws and len(player) == 2:
            return Turn(Hand.PLAYER, Rule.PLAYER, self, p, b)
        given = player[2] if player_draws else STOOD
        if len(banker) > 2:
            return Turn(None, Rule.COMPLETE, self, p, b, given)
        hand = Hand.BANKER if self.draws(b, given) else None
        return Turn(hand, Rule.BANKER, self, p, b, given)


def a_card_worth(points: int) -> str:
    """'an 8', 'a 3': the player's third card, as a dealer would say it."""
    if points == 0:
        return "a card worth nothing"
    return f"an {points}" if points == 8 else f"a {points}"


def ranges(numbers: frozenset[int] | Sequence[int]) -> str:
    """{0,1,2,5} to '0–2, 5'."""
    parts: list[list[int]] = []
    for number in sorted(numbers):
        if parts and parts[-1][-1] == number - 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ", ".join(str(p[0]) if len(p) == 1 else f"{p[0]}–{p[-1]}" for p in parts)
