"""The pay table: what every bet pays on every possible coup.

It is compiled once from a game, and used by settlement, analysis and simulation. For a group of
bets, all classes of coups with the same payments form one *outcome*, so an analysis counts a few
dozen outcomes instead of every class for every bet.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from baccarat.core.bets import LOSS, Bet
from baccarat.core.coup import Coup
from baccarat.core.errors import DealError
from baccarat.core.facts import (
    FACTS,
    PAIR_KINDS,
    SUIT_FACTS,
    ClassSet,
    CoupClasses,
    classes_of,
    pair_kinds_of,
    shape_of,
)
from baccarat.core.tableau import Tableau


class Needs(IntEnum):
    """What must be known about a coup to settle a bet, from least to most."""

    SHAPE = 0
    """The bet does not depend on pairs."""
    START = 1
    """The bet depends on pairs, but on nothing after the first four cards."""
    EVERYTHING = 2
    """The bet depends on pairs and on what follows the first four cards."""


class Payment(NamedTuple):
    """A net payment per unit staked, and the classes of coups on which it is paid."""

    pays: Fraction
    classes: ClassSet


@dataclass(frozen=True)
class Outcomes:
    """A group of bets, and the distinct combinations of payments (outcomes) that they can have."""

    bets: tuple[int, ...]
    """Indexes of the bets in the game's list."""
    needs: Needs
    pays: tuple[tuple[Fraction, ...], ...]
    """For each outcome, the net payment of each bet in `bets`."""
    by_kinds: tuple[list[int], ...]
    """For each combination of pair kinds, the outcome's index for each shape."""

    @cached_property
    def by_payment(self) -> tuple[dict[Fraction, list[int]], ...]:
        """For each bet, its possible payments and the outcomes in which each one is paid."""
        found: tuple[dict[Fraction, list[int]], ...] = tuple({} for _ in self.bets)
        for outcome, payments in enumerate(self.pays):
            for outcomes, payment in zip(found, payments, strict=True):
                outcomes.setdefault(payment, []).append(outcome)
        return found


class PayTable:
    """What every bet of one game pays on every class of coup."""

    def __init__(self, tableau: Tableau, bets: Sequence[Bet]) -> None:
        self.tableau = tableau
        self.bets = tuple(bets)
        self.classes = classes_of(tableau)
        self.payments = tuple(self._payments(bet) for bet in self.bets)
        self.needs = tuple(_needs([bet]) for bet in self.bets)
        groups = ([i for i, needs in enumerate(self.needs) if needs == wanted] for wanted in Needs)
        self.groups = tuple(self.outcomes(bets) for bets in groups if bets)
        """The outcomes of the bets, grouped by what must be known to settle them."""
        self.suited = any(
            fact in SUIT_FACTS
            for bet in self.bets
            for line in bet.lines
            for fact in line.when.facts()
        )
        """Whether any bet depends on suits."""

    def pays(self, coup: Coup) -> dict[str, Fraction]:
        """Return every bet's net payment per unit staked: 19/20, 0 (stand-off) or -1 (loss)."""
        place = self.classes.index.get(shape_of(coup))
        if place is None:
            raise DealError(
                f"{coup} cannot occur in this game: its third-card rules would deal these cards "
                "differently"
            )
        kinds = pair_kinds_of(coup)
        result: dict[str, Fraction] = {}
        for group in self.groups:
            payments = group.pays[group.by_kinds[kinds][place]]
            for i, payment in zip(group.bets, payments, strict=True):
                result[self.bets[i].id] = payment
        return result

    def _payments(self, bet: Bet) -> list[Payment]:
        """Return the payment of each line with the classes it decides; earlier lines take
        precedence."""
        rest = self.classes.everything
        decided: list[Payment] = []
        for line in bet.lines:
            holds = line.when.classes(self.classes)
            decided.append(Payment(line.pays, rest & holds))
            rest &= ~holds
        return [*decided, Payment(LOSS, rest)]

    def outcomes(self, bets: Sequence[int]) -> Outcomes:
        """Return the outcomes of these bets: sets of classes on which each bet's payment is
        constant."""
        return joint_outcomes([(self, i) for i in bets], self.classes)


def joint_outcomes(bets: Sequence[tuple[PayTable, int]], classes: CoupClasses) -> Outcomes:
    """Return the outcomes of bets from several pay tables, such as those of one rule card under
    different agreements; see `PayTable.outcomes`."""
    parts: list[tuple[tuple[Fraction, ...], ClassSet]] = [((), classes.everything)]
    for table, i in bets:
        parts = [
            ((*payments, payment), common)
            for payments, held in parts
            for payment, where in table.payments[i]
            if (common := held & where)
        ]
    numbers: dict[tuple[Fraction, ...], int] = {}
    for payments, _ in parts:
        numbers.setdefault(payments, len(numbers))
    rows: dict[tuple[int, ...], list[int]] = {}
    by_kinds: list[list[int]] = []
    for kinds in range(len(PAIR_KINDS)):
        column = tuple(classes.of_kinds(held, kinds) for _, held in parts)
        if column not in rows:
            rows[column] = [0] * len(classes.shapes)
            for (payments, _), bits in zip(parts, column, strict=True):
                _write(rows[column], bits, numbers[payments])
        by_kinds.append(rows[column])
    needs = _needs([table.bets[i] for table, i in bets])
    return Outcomes(tuple(i for _, i in bets), needs, tuple(numbers), tuple(by_kinds))


def _needs(bets: Sequence[Bet]) -> Needs:
    """Return what must be known to settle all these bets. A bet on a pair together with one on the
    winner needs everything."""
    lines = (line for bet in bets for line in bet.lines)
    facts = [FACTS[name] for line in lines for name in line.when.facts()]
    if not any(fact.of_pairs for fact in facts):
        return Needs.SHAPE
    return Needs.START if all(fact.known_at_start for fact in facts) else Needs.EVERYTHING


def _write(outcome_of: list[int], bits: int, number: int) -> None:
    digits = f"{bits:b}"[::-1]
    place = digits.find("1")
    while place >= 0:
        outcome_of[place] = number
        place = digits.find("1", place + 1)
