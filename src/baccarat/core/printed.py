"""The parts of a rule card as its poster prints them, including gaps and contradictions."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from baccarat.core.bets import BaseBet, Bet, Line
from baccarat.core.errors import GameError, find
from baccarat.core.facts import Condition
from baccarat.core.money import Rounding, parse_number, short_decimal
from baccarat.core.tableau import Cell


@dataclass(frozen=True)
class PrintedLine:
    """One line of a printed bet: it pays either fixed odds or the value of a parameter."""

    when: Condition
    odds: Fraction | None = None
    """Net win per unit staked; 0 is a stand-off."""
    parameter: str | None = None

    def pays(self, values: Mapping[str, Fraction]) -> Fraction | None:
        """Return the odds with these parameter values; None if the line's parameter is not among
        them."""
        return values.get(self.parameter) if self.parameter else self.odds

    def settled(self, values: Mapping[str, Fraction]) -> Line:
        """Return the line with these parameter values filled in."""
        pays = self.pays(values)
        assert pays is not None  # noqa: S101  (the loader refuses lines with unknown parameters)
        return Line(self.when, pays, self.parameter)


@dataclass(frozen=True, kw_only=True)
class PrintedBet(BaseBet):
    """A bet as printed; its odds may depend on parameters."""

    lines: tuple[PrintedLine, ...]

    def settled(self, values: Mapping[str, Fraction]) -> Bet:
        """Return the bet with these parameter values filled in."""
        return Bet(**vars(self) | {"lines": tuple(line.settled(values) for line in self.lines)})


class Unit(StrEnum):
    """How a parameter's value is written."""

    COUNT = "count"
    ODDS = "odds"
    PERCENT = "percent"


@dataclass(frozen=True)
class Parameter:
    """A value that the rule card leaves to the table or to an agreement with a player."""

    name: str
    label: str
    """Name for display."""
    unit: Unit
    default: Fraction
    minimum: Fraction
    maximum: Fraction
    meaning: str
    set_by: str
    """'poster' (fixed by the poster; other values are for analysis), 'table' or 'agreement'."""

    def check(self, value: Fraction) -> Fraction:
        """Return the value, or raise GameError if it is not allowed."""
        if self.unit is Unit.COUNT and value.denominator != 1:
            raise GameError(f"{self.name} must be a whole number, not {self.format(value)}")
        if not self.minimum <= value <= self.maximum:
            raise GameError(
                f"{self.name} must be between {self.format(self.minimum)} and "
                f"{self.format(self.maximum)}, not {self.format(value)}"
            )
        return value

    def parse(self, text: str) -> Fraction:
        """Parse a value that a person entered; "10" means 10% if the unit is percent.

        Raise GameError if it is not a number, or not allowed.
        """
        value = parse_number(text)
        plain = not set(text) & set("%:/")
        return self.check(value / 100 if plain and self.unit is Unit.PERCENT else value)

    def format(self, value: Fraction) -> str:
        """Return the value as a poster would print it."""
        if self.unit is Unit.ODDS:
            return f"{value.numerator}:{value.denominator}"
        if self.unit is Unit.PERCENT:
            return f"{short_decimal(value * 100)}%"
        return short_decimal(value)


@dataclass(frozen=True)
class Reading:
    """One interpretation of an ambiguous rule."""

    id: str
    text: str
    draws: frozenset[Cell] = frozenset()
    """Governed cells on which the banker draws under this reading."""
    stands: frozenset[Cell] = frozenset()
    """Governed cells on which the banker stands under this reading."""
    bets: tuple[PrintedBet, ...] | None = None
    """Bets that replace the governed bets under this reading."""
    requires: tuple[str, ...] | None = None
    """The value of `requires` for the governed bets under this reading."""


@dataclass(frozen=True)
class Ambiguity:
    """A rule with several interpretations: what it governs, its readings, and the reading in
    force."""

    id: str
    question: str
    readings: tuple[Reading, ...]
    in_force: str
    resolved: bool
    resolution: str
    cells: frozenset[Cell] = frozenset()
    """Tableau cells that this ambiguity governs."""
    bets: tuple[str, ...] = ()
    """Ids of the bets whose payment this ambiguity governs."""
    requires: tuple[str, ...] = ()
    """Ids of the bets whose `requires` this ambiguity governs."""
    sisters: tuple[str, ...] = ()
    """Related rule cards whose printed figures may resolve the ambiguity."""

    def reading(self, name: str) -> Reading:
        return find(self.id, "reading", name, {reading.id: reading for reading in self.readings})


@dataclass(frozen=True)
class Claim:
    """A house edge that the poster prints."""

    bets: tuple[str, ...]
    """Ids of the bets that the figure refers to."""
    at: Mapping[str, Fraction]
    """The parameter values that the figure applies to."""
    printed: str
    """The percentage exactly as printed, because the number of digits matters."""
    cites: tuple[str, ...] = ()
    names_bets: bool = True
    """Whether the poster names the bets; if not, `bets` are those for which the figure can be
    true."""


class NoteKind(StrEnum):
    """What a note on a poster is about."""

    NOTE = "note"
    """A remark that changes nothing about the game, such as one about a misprint."""
    GAP = "gap"
    """Something that the poster leaves open and that a house procedure settles."""


@dataclass(frozen=True)
class PosterNote:
    """A remark on what the poster says or leaves out."""

    id: str
    kind: NoteKind
    text: str
    in_force: str = ""
    """The rule that applies at the table; empty if the note needs none."""
    cites: tuple[str, ...] = ()


@dataclass(frozen=True)
class SafetyNotice:
    """The player protection notice on the card: minimum age, warning, and where to find help."""

    minimum_age: int | None = None
    regulator: str | None = None
    warning: str | None = None
    contacts: tuple[str, ...] = ()
    responsible_gaming: bool = False
    """Whether the poster says that the house follows responsible-gaming principles."""
    fair_gambling: bool = False
    """Whether the poster promises fair and open gambling by these rules."""
    copies: str | None = None
    """Where players can get an A4 copy of the poster."""
    cites: tuple[str, ...] = ()


@dataclass(frozen=True)
class EdgeGuide:
    """What the poster explains about house edges in general."""

    example: Fraction | None = None
    """The house edge used in the poster's example with amounts of money."""
    varies_by: tuple[str, ...] = ()
    """What house edges vary by, such as 'region'."""
    decisions_matter: bool = False
    """Whether the poster says that skill or betting decisions affect the house edge in some
    games."""
    always_advantage: bool = False
    """Whether the poster says that the house always has some advantage."""
    in_writing: bool = False
    """Whether players are informed in writing of the edge under their own agreement."""


@dataclass(frozen=True)
class Procedures:
    """The rule card's procedures for dealing errors, cancelled rounds and disputes.

    Each is False if the card does not mention it.
    """

    errors_until_next_coup: bool = False
    """An extra or missing card is corrected only if it is noticed before the next coup. After that,
    results stand."""
    reconstruction: bool = False
    """Cards out of order are put back into the intended order. A card that has already been seen is
    then dealt in a round without bets."""
    cancelled_returns_stakes: bool = False
    """A round can be cancelled: it has no result, and every stake is returned."""
    disputes_for_player: bool = False
    """Until an ambiguous rule is resolved, disputes over it are decided in the player's favour."""


@dataclass(frozen=True)
class Limits:
    """Minimum and maximum stakes in coins, unless the table sets others."""

    minimum: int
    maximum: int
    rounding: Rounding = Rounding.REFUSE
    partners_share_maximum: bool = False


@dataclass(frozen=True)
class PrintedTableau:
    """The tableau as the poster prints it. A cell may be missing, or appear both as a draw and as a
    stand."""

    naturals: frozenset[int]
    player_draws: frozenset[int]
    banker_draws: frozenset[Cell]
    banker_stands: frozenset[Cell]
