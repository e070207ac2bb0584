"""A rule card: a house's game as data, and the game it gives once nothing is left open.

A `RuleCard` holds what the file says, gaps, contradictions and all. `card.game(…)` settles its
parameters and readings and gives a `Game`: one tableau, one list of bets, no open question.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, NamedTuple

from baccarat.core.conditions import Condition
from baccarat.core.errors import GameError, nearest, one_of
from baccarat.core.money import Rounding, parse_number, short_decimal
from baccarat.core.tableau import Cell, Tableau

if TYPE_CHECKING:
    from baccarat.core.paytable import PayTable

STAND_OFF = Fraction(0)
"""What a stand-off pays: nothing won, nothing lost."""


@dataclass(frozen=True)
class Line:
    """One line of a bet: when it applies, and what it then pays."""

    when: Condition
    pays: Fraction | str
    """Net win per unit staked (0: stand-off), or the name of the parameter that says it."""
    parameter: str | None = None
    """In a game: the parameter that said what it pays."""


@dataclass(frozen=True)
class Bet:
    """A spot on the layout. The first line that applies decides; when none does, the bet loses."""

    id: str
    name: str
    lines: tuple[Line, ...]
    short: str
    """A label for a small spot."""
    group: str
    """Bets of one group stand together on the layout."""
    order: int
    """Place within the group."""
    requires: tuple[str, ...] = ()
    """The player must also wager on at least one of these."""
    excludes: tuple[str, ...] = ()
    """The player may not also wager on any of these."""
    stands_alone: bool = False
    """Declared to need no other wager."""
    minimum: int | None = None
    """Least stake in coins, where it differs from the card's."""
    maximum: int | None = None
    """Largest stake in coins, where it differs from the card's."""
    replaces: str | None = None
    """The bet this one stands for under a reading."""
    assumed: bool = False
    """The poster does not print these odds."""
    cites: tuple[str, ...] = ()

    @property
    def step(self) -> int:
        """The number of coins of which a stake is a multiple when every payout is whole."""
        paid = (line.pays for line in self.lines)
        return lcm(*(pays.denominator for pays in paid if isinstance(pays, Fraction)))


class Unit(StrEnum):
    """How a parameter's value is written."""

    COUNT = "count"
    ODDS = "odds"
    PERCENT = "percent"


@dataclass(frozen=True)
class Parameter:
    """Something the card leaves to the table or to an agreement with a player."""

    name: str
    unit: Unit
    default: Fraction
    minimum: Fraction
    maximum: Fraction
    meaning: str
    set_by: str
    """'poster' (fixed there; other values are for study), 'table' or 'agreement'."""
    cites: tuple[str, ...] = ()

    def check(self, value: Fraction) -> Fraction:
        """The value, or an error saying what is allowed."""
        if self.unit is Unit.COUNT and value.denominator != 1:
            raise GameError(f"{self.name} is a whole number, not {self.format(value)}")
        if not self.minimum <= value <= self.maximum:
            raise GameError(
                f"{self.name} = {self.format(value)} is out of range: "
                f"{self.format(self.minimum)} to {self.format(self.maximum)} is allowed"
            )
        return value

    def format(self, value: Fraction) -> str:
        """The value as a poster would print it."""
        if self.unit is Unit.ODDS:
            return f"{value.numerator}:{value.denominator}"
        if self.unit is Unit.PERCENT:
            return f"{short_decimal(value * 100)}%"
        return short_decimal(value)


@dataclass(frozen=True)
class Reading:
    """One way of reading a rule that can be read in several ways."""

    id: str
    text: str
    draws: frozenset[Cell] = frozenset()
    """Governed cells on which the banker draws under this reading."""
    stands: frozenset[Cell] = frozenset()
    """Governed cells on which the banker stands under this reading."""
    bets: tuple[Bet, ...] | None = None
    """The bets that stand for the governed ones under this reading."""
    requires: tuple[str, ...] | None = None
    """What the governed bets require under this reading."""


@dataclass(frozen=True)
class Ambiguity:
    """A rule that can be read in several ways: what it governs, its readings, the one in force."""

    id: str
    question: str
    readings: tuple[Reading, ...]
    in_force: str
    resolved: bool
    resolution: str
    cells: frozenset[Cell] = frozenset()
    """Tableau cells it governs."""
    bets: tuple[str, ...] = ()
    """Bets whose payment it governs."""
    requires: tuple[str, ...] = ()
    """Bets whose `requires` it governs."""
    sisters: tuple[str, ...] = ()
    """Cards of the same family whose printed figures may decide it."""
    cites: tuple[str, ...] = ()

    def has(self, name: str) -> bool:
        """Is there a reading of this name?"""
        return any(reading.id == name for reading in self.readings)

    def reading(self, name: str) -> Reading:
        for reading in self.readings:
            if reading.id == name:
                return reading
        known = [reading.id for reading in self.readings]
        raise GameError(
            f"{self.id} has no reading {name!r}{nearest(name, known)}: it can be {one_of(known)}"
        )


@dataclass(frozen=True)
class Claim:
    """A figure the poster prints."""

    bets: tuple[str, ...]
    """The bet or bets it speaks of."""
    at: Mapping[str, Fraction]
    """The parameters it holds at."""
    printed: str
    """The percentage exactly as printed, so that its digits can be judged."""
    cites: tuple[str, ...] = ()
    names_bets: bool = True
    """Does the poster say which bets it means? If not, `bets` are those that it can be true of."""


@dataclass(frozen=True)
class Notice:
    """What the card must tell people besides the game."""

    minimum_age: int | None = None
    regulator: str | None = None
    warning: str | None = None
    contacts: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()


@dataclass(frozen=True)
class Procedures:
    """What happens when something goes wrong, as far as the card says."""

    errors_until_next_coup: bool = False
    """A card too many or too few is remedied if noticed before the next coup; later it stands."""
    reconstruction: bool = False
    """Cards out of order go back into the order that was meant; one that has been seen is then
    dealt without bets."""
    cancelled_returns_stakes: bool = False
    """A round can be cancelled: it has no result, and stakes go back."""
    disputes_for_player: bool = False
    """Disputes over an ambiguous rule are decided for the player until it is resolved."""
    cites: tuple[str, ...] = ()


@dataclass(frozen=True)
class Limits:
    """Stakes the table takes unless it says otherwise, in coins."""

    minimum: int
    maximum: int
    rounding: Rounding = Rounding.REFUSE
    partners_share_maximum: bool = False
    cites: tuple[str, ...] = ()


@dataclass(frozen=True)
class PrintedTableau:
    """The tableau as the poster prints it: a cell may be missing, or stand in both columns."""

    naturals: frozenset[int]
    player_draws: frozenset[int]
    banker_draws: frozenset[Cell]
    banker_stands: frozenset[Cell]
    cites: tuple[str, ...] = ()


@dataclass(frozen=True)
class RuleCard:
    """A house's game as data. `loader` is the only maker of these."""

    id: str
    name: str
    version: int
    source: str
    summary: str
    currency: str
    tableau: PrintedTableau
    parameters: Mapping[str, Parameter]
    bets: tuple[Bet, ...]
    limits: Limits
    ambiguities: tuple[Ambiguity, ...] = ()
    claims: tuple[Claim, ...] = ()
    notes: tuple[str, ...] = ()
    notice: Notice = field(default_factory=Notice)
    procedures: Procedures = field(default_factory=Procedures)
    bonus_win_chance: Fraction | None = None
    """Mostly-bonus stakes may not together win more often than this."""
    bonus_cites: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()
    digest: str = field(default="", compare=False)
    """SHA-256 of the file, as `sha256sum` gives it: which edition of the card this is."""

    def ambiguity(self, name: str) -> Ambiguity:
        for ambiguity in self.ambiguities:
            if ambiguity.id == name:
                return ambiguity
        known = [ambiguity.id for ambiguity in self.ambiguities]
        raise GameError(
            f"{self.id} has no ambiguity {name!r}{nearest(name, known)}: it has {one_of(known)}"
        )

    def game(
        self,
        parameters: Mapping[str, Fraction | str | int] | None = None,
        readings: Mapping[str, str] | None = None,
    ) -> "Game":
        """The game under these parameters and readings; what is not named is as in force."""
        chosen = {a.id: a.reading(a.in_force) for a in self.ambiguities}
        for name, reading in (readings or {}).items():
            chosen[name] = self.ambiguity(name).reading(reading)
        values = {name: parameter.default for name, parameter in self.parameters.items()}
        for name, value in (parameters or {}).items():
            if isinstance(value, float):
                raise GameError(
                    f"{name} = {value} is a float, which is never exact: write '{value}'"
                )
            values[name] = self._parameter(name).check(
                parse_number(value) if isinstance(value, str) else Fraction(value)
            )
        return Game(
            card=self,
            parameters=values,
            readings={name: reading.id for name, reading in chosen.items()},
            tableau=_tableau(self, chosen),
            bets=tuple(_paying(bet, values) for bet in _bets(self, chosen)),
        )

    def _parameter(self, name: str) -> Parameter:
        if name not in self.parameters:
            raise GameError(
                f"{self.id} has no parameter {name!r}{nearest(name, self.parameters)}: "
                f"it has {one_of(self.parameters)}"
            )
        return self.parameters[name]


class Offer(NamedTuple):
    """A bet, and the stakes that are taken on it, in coins."""

    bet: Bet
    least: int
    most: int
    step: int
    """Stakes are multiples of it; 1 where payouts are rounded."""

    @property
    def smallest(self) -> int:
        """The least stake that is on the step; it may be above the most."""
        return -(-self.least // self.step) * self.step


@dataclass(frozen=True, eq=False)
class Game:
    """A rule card with nothing left open: what a table deals and analysis counts."""

    card: RuleCard
    parameters: Mapping[str, Fraction]
    readings: Mapping[str, str]
    tableau: Tableau
    bets: tuple[Bet, ...]
    """Every line pays a number."""

    @property
    def decks(self) -> int:
        return int(self.parameters["decks"])

    def bet(self, name: str) -> Bet:
        for bet in self.bets:
            if bet.id == name:
                return bet
        known = [bet.id for bet in self.bets]
        raise GameError(
            f"{self.card.id} has no bet {name!r}{nearest(name, known)}: it has {one_of(known)}"
        )

    @cached_property
    def offers(self) -> dict[str, Offer]:
        """What is taken on every bet, by its id, in the card's order."""
        refused = self.card.limits.rounding is Rounding.REFUSE
        return {
            bet.id: Offer(bet, *self.limits(bet), bet.step if refused else 1) for bet in self.bets
        }

    def limits(self, bet: Bet) -> tuple[int, int]:
        """The least and the largest stake on a bet, in coins."""
        limits = self.card.limits
        return (
            limits.minimum if bet.minimum is None else bet.minimum,
            limits.maximum if bet.maximum is None else bet.maximum,
        )

    @cached_property
    def pay_table(self) -> "PayTable":
        """What every possible coup pays, compiled once."""
        from baccarat.core.paytable import PayTable

        return PayTable(self)


def _tableau(card: RuleCard, chosen: Mapping[str, Reading]) -> Tableau:
    governed = frozenset[Cell]().union(*(a.cells for a in card.ambiguities))
    draws = card.tableau.banker_draws - governed
    for reading in chosen.values():
        draws |= reading.draws
    return Tableau(card.tableau.naturals, card.tableau.player_draws, draws)


def _bets(card: RuleCard, chosen: Mapping[str, Reading]) -> list[Bet]:
    """The card's bets, with those that a reading replaces or restricts exchanged in place."""
    bets = list(card.bets)
    ids: dict[str, tuple[str, ...]] = {}
    for ambiguity in card.ambiguities:
        instead = chosen[ambiguity.id].bets
        if instead is not None:
            standing = {name: _standing_for(name, instead) for name in ambiguity.bets}
            bets = [new for bet in bets for new in standing.get(bet.id) or [bet]]
            ids |= {name: tuple(bet.id for bet in new) for name, new in standing.items() if new}
    for ambiguity in card.ambiguities:
        requires = chosen[ambiguity.id].requires
        if requires is not None:
            bets = [
                replace(bet, requires=requires)
                if (bet.replaces or bet.id) in ambiguity.requires
                else bet
                for bet in bets
            ]
    return [_naming(bet, ids) for bet in bets]


def _standing_for(name: str, instead: tuple[Bet, ...]) -> list[Bet]:
    return [new for new in instead if (new.replaces or new.id) == name]


def _naming(bet: Bet, ids: Mapping[str, tuple[str, ...]]) -> Bet:
    """The bet, with other bets that it names called as they are called now."""
    requires, excludes = (
        tuple(new for name in names for new in ids.get(name, (name,)))
        for names in (bet.requires, bet.excludes)
    )
    return replace(bet, requires=requires, excludes=excludes)


def _paying(bet: Bet, values: Mapping[str, Fraction]) -> Bet:
    lines = tuple(
        replace(line, pays=values[line.pays], parameter=line.pays)
        if isinstance(line.pays, str)
        else line
        for line in bet.lines
    )
    return replace(bet, lines=lines)
