"""Rule cards, and the games they become once parameters and readings are chosen.

A `RuleCard` holds what the file says, including gaps and contradictions. `card.game(…)` chooses
parameter values and readings and returns a `Game`, which has one tableau, one list of bets and
nothing left open.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Self

from baccarat.core import printed
from baccarat.core.bets import Bet, Offer
from baccarat.core.errors import GameError, UnknownBetError, find, unknown
from baccarat.core.money import Rounding, parse_number
from baccarat.core.paytable import PayTable, pay_table_of
from baccarat.core.tableau import Cell, Tableau


@dataclass(frozen=True, repr=False)
class RuleCard:
    """A house's game as data. Only `loader` creates rule cards."""

    id: str
    name: str
    version: int
    source: str
    summary: str
    currency: str
    tableau: printed.PrintedTableau
    parameters: Mapping[str, printed.Parameter]
    bets: tuple[printed.PrintedBet, ...]
    limits: printed.Limits
    ambiguities: tuple[printed.Ambiguity, ...] = ()
    claims: tuple[printed.Claim, ...] = ()
    poster_notes: tuple[printed.PosterNote, ...] = ()
    notes: tuple[str, ...] = ()
    notice: printed.SafetyNotice = field(default_factory=printed.SafetyNotice)
    guide: printed.EdgeGuide = field(default_factory=printed.EdgeGuide)
    procedures: printed.Procedures = field(default_factory=printed.Procedures)
    bonus_win_chance: Fraction | None = None
    """Maximum chance of winning at least one wager, for a player whose stakes are mostly bonus
    money."""
    digest: str = field(default="", compare=False)
    """SHA-256 of the file, as printed by `sha256sum`: identifies the edition of the card."""

    def __hash__(self) -> int:
        return hash((self.id, self.version))

    def __repr__(self) -> str:
        return f"<RuleCard {self.id}, {len(self.bets)} bets>"

    def ambiguity(self, name: str) -> printed.Ambiguity:
        known = {ambiguity.id: ambiguity for ambiguity in self.ambiguities}
        return find(self.id, "ambiguity", name, known)

    def game(
        self, /, *, readings: Mapping[str, str] | None = None, **parameters: Fraction | str | int
    ) -> "Game":
        """Return the game with these parameters and readings; those not given take the defaults."""
        return Game.of(self, parameters, readings)

    def parameter(self, name: str) -> printed.Parameter:
        return find(self.id, "parameter", name, self.parameters)


@dataclass(frozen=True, repr=False)
class Game:
    """A rule card with its parameters and readings chosen; tables and analysis use it."""

    card: RuleCard
    parameters: Mapping[str, Fraction]
    readings: Mapping[str, str]
    tableau: Tableau
    bets: tuple[Bet, ...]

    @classmethod
    def of(
        cls,
        card: RuleCard,
        parameters: Mapping[str, Fraction | str | int] | None = None,
        readings: Mapping[str, str] | None = None,
    ) -> Self:
        """Return the game of a rule card; parameters and readings not given take the card's
        defaults."""
        chosen = {a.id: a.reading(a.in_force) for a in card.ambiguities}
        for name, reading in (readings or {}).items():
            chosen[name] = card.ambiguity(name).reading(reading)
        values = {name: parameter.default for name, parameter in card.parameters.items()}
        for name, value in (parameters or {}).items():
            values[name] = card.parameter(name).check(_exact(name, value))
        return cls(
            card=card,
            parameters=values,
            readings={name: reading.id for name, reading in chosen.items()},
            tableau=_tableau(card, chosen),
            bets=tuple(bet.settled(values) for bet in _bets(card, chosen)),
        )

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.card, *self.parameters.items(), *self.readings.items(), len(self.bets)))

    def __getstate__(self) -> dict[str, object]:
        # The hash is not pickled: strings hash differently in every process. Nor is the pay table:
        # it refers to facts by identity.
        left_out = ("_hash", "pay_table")
        return {name: value for name, value in vars(self).items() if name not in left_out}

    def __repr__(self) -> str:
        decks = "1 deck" if self.decks == 1 else f"{self.decks} decks"
        bets = "1 bet" if len(self.bets) == 1 else f"{len(self.bets)} bets"
        return f"<Game {self.card.id}, {decks}, {bets}>"

    @property
    def decks(self) -> int:
        return int(self.parameters["decks"])

    def bet(self, name: str) -> Bet:
        for bet in self.bets:
            if bet.id == name:
                return bet
        raise UnknownBetError(unknown(self.card.id, "bet", name, [bet.id for bet in self.bets]))

    @cached_property
    def offers(self) -> dict[str, Offer]:
        """Each bet with the stakes accepted on it, by bet id, in the card's order."""
        refused = self.card.limits.rounding is Rounding.REFUSE
        return {
            bet.id: Offer(bet, *self.limits(bet), bet.step if refused else 1) for bet in self.bets
        }

    def limits(self, bet: Bet) -> tuple[int, int]:
        """Return the minimum and maximum stake on a bet, in coins."""
        limits = self.card.limits
        return (
            limits.minimum if bet.minimum is None else bet.minimum,
            limits.maximum if bet.maximum is None else bet.maximum,
        )

    @cached_property
    def pay_table(self) -> PayTable:
        """What every bet pays on every possible coup; games that differ only in the number of
        decks share it."""
        return pay_table_of(self.tableau, self.bets)


def _exact(name: str, value: Fraction | str | int) -> Fraction:
    if isinstance(value, float):
        raise GameError(f"{name} = {value} is a float, which is not exact: write '{value}'")
    return parse_number(value) if isinstance(value, str) else Fraction(value)


def _tableau(card: RuleCard, chosen: Mapping[str, printed.Reading]) -> Tableau:
    governed = frozenset[Cell]().union(*(a.cells for a in card.ambiguities))
    draws = card.tableau.banker_draws - governed
    for reading in chosen.values():
        draws |= reading.draws
    return Tableau(card.tableau.naturals, card.tableau.player_draws, draws)


def _bets(card: RuleCard, chosen: Mapping[str, printed.Reading]) -> list[printed.PrintedBet]:
    """Return the card's bets, with the chosen readings' replacements and requirements applied."""
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


def _standing_for(name: str, instead: tuple[printed.PrintedBet, ...]) -> list[printed.PrintedBet]:
    return [new for new in instead if (new.replaces or new.id) == name]


def _naming(bet: printed.PrintedBet, ids: Mapping[str, tuple[str, ...]]) -> printed.PrintedBet:
    """Return the bet with replaced bets in its `requires` and `excludes` renamed; `ids` maps old to
    new."""
    requires, excludes = (
        tuple(new for name in names for new in ids.get(name, (name,)))
        for names in (bet.requires, bet.excludes)
    )
    return replace(bet, requires=requires, excludes=excludes)
