"""The pay table: what every bet pays on every possible coup.

It is compiled once from a game, and used by settlement, analysis and simulation. For a group of
bets, all classes of coups with the same payments form one *outcome*, so an analysis counts a few
dozen outcomes instead of every class for every bet.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import NamedTuple

from baccarat.core.bets import LOSS, Bet
from baccarat.core.coup import Coup
from baccarat.core.errors import DealError
from baccarat.core.facts import (
    ClassSet,
    CoupClasses,
    Fact,
    classes_of,
    pair_kinds_of,
    shape_of,
)
from baccarat.core.hand_facts.classes import HandClasses, classes_for
from baccarat.core.hand_facts.measures import depends_on_suits
from baccarat.core.tableau import Tableau


class Needs(IntEnum):
    """What must be known about a coup to settle a bet, from least to most."""

    SHAPE = 0
    """The bet depends only on totals and third cards."""
    START = 1
    """The bet depends on pairs, suits or ranks, but on nothing after the first four cards."""
    EVERYTHING = 2
    """The bet depends on pairs, suits or ranks, and on what follows the first four cards."""


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
    """For each combination of pair kinds, or for each sign of `hand_classes`, the outcome's index
    for each shape."""
    hand_classes: HandClasses | None = None
    """The classes of coups, if a bet depends on suits, colours, ranks or sums (a *hand bet*)."""

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
        self.needs = tuple(_needs([bet]) for bet in self.bets)
        self.hand_bets = tuple(any(fact.of_hands for fact in _facts([bet])) for bet in self.bets)
        """Whether each bet depends on suits, colours, ranks or sums, other than through pairs."""
        self.payments = tuple(
            () if is_hand_bet else tuple(payments_of(bet, self.classes))
            for bet, is_hand_bet in zip(self.bets, self.hand_bets, strict=True)
        )
        """What each bet pays, except for hand bets."""
        self.groups = tuple(self.outcomes(bets) for bets in self._grouped())
        """The outcomes of the bets, grouped by what must be known to settle them."""
        self.suited = any(
            fact.measured and depends_on_suits(fact.measured.measure) for fact in _facts(self.bets)
        )
        """Whether any bet depends on suits."""

    def _grouped(self) -> list[list[int]]:
        """Return the indexes of the bets, grouped by what must be known to settle them. Hand bets
        are in the same group only if they depend on the same facts."""
        plain = [i for i, is_hand_bet in enumerate(self.hand_bets) if not is_hand_bet]
        groups = [[i for i in plain if self.needs[i] == wanted] for wanted in Needs]
        alike: dict[tuple[Needs, frozenset[Fact]], list[int]] = {}
        for i, bet in enumerate(self.bets):
            if self.hand_bets[i]:
                facts = frozenset(fact for fact in _facts([bet]) if fact.measured)
                alike.setdefault((self.needs[i], facts), []).append(i)
        return [bets for bets in (*groups, *alike.values()) if bets]

    def pays(self, coup: Coup, groups: Sequence[Outcomes] | None = None) -> dict[str, Fraction]:
        """Return every bet's net payment per unit staked: 19/20, 0 (stand-off) or -1 (loss). If
        groups of bets are given, only these are included."""
        place = self.classes.index.get(shape_of(coup))
        if place is None:
            raise DealError(
                f"{coup} cannot occur in this game: its third-card rules would deal these cards "
                "differently"
            )
        pairs = pair_kinds_of(coup)
        result: dict[str, Fraction] = {}
        for group in self.groups if groups is None else groups:
            kinds = group.hand_classes.hands.sign_of(coup) if group.hand_classes else pairs
            payments = group.pays[group.by_kinds[kinds][place]]
            for i, payment in zip(group.bets, payments, strict=True):
                result[self.bets[i].id] = payment
        return result

    def outcomes(self, bets: Sequence[int]) -> Outcomes:
        """Return the outcomes of these bets: sets of classes on which each bet's payment is
        constant."""
        return joint_outcomes([(self, i) for i in bets], self.tableau)


@lru_cache(maxsize=64)
def pay_table_of(tableau: Tableau, bets: tuple[Bet, ...]) -> PayTable:
    """Return the pay table of these bets; it is cached."""
    return PayTable(tableau, bets)


def payments_of(bet: Bet, classes: CoupClasses) -> list[Payment]:
    """Return the payment of each line with the classes it decides; earlier lines take
    precedence."""
    rest = classes.everything
    decided: list[Payment] = []
    for line in bet.lines:
        holds = line.when.classes(classes)
        decided.append(Payment(line.pays, rest & holds))
        rest &= ~holds
    return [*decided, Payment(LOSS, rest)]


def joint_outcomes(bets: Sequence[tuple[PayTable, int]], tableau: Tableau) -> Outcomes:
    """Return the outcomes of bets from several pay tables with the same tableau, such as those of
    one rule card under different agreements; see `PayTable.outcomes`."""
    chosen = [table.bets[i] for table, i in bets]
    classes = classes_for(tableau, (line.when for bet in chosen for line in bet.lines))
    is_hand_bet = isinstance(classes, HandClasses)
    parts: list[tuple[tuple[Fraction, ...], ClassSet]] = [((), classes.everything)]
    for table, i in bets:
        paid = payments_of(table.bets[i], classes) if is_hand_bet else table.payments[i]
        parts = [
            ((*payments, payment), common)
            for payments, held in parts
            for payment, where in paid
            if (common := held & where)
        ]
    numbers: dict[tuple[Fraction, ...], int] = {}
    for payments, _ in parts:
        numbers.setdefault(payments, len(numbers))
    rows: dict[tuple[int, ...], list[int]] = {}
    by_kinds: list[list[int]] = []
    for kinds in range(classes.kinds):
        column = tuple(classes.of_kinds(held, kinds) for _, held in parts)
        if column not in rows:
            rows[column] = [0] * len(classes.shapes)
            for (payments, _), bits in zip(parts, column, strict=True):
                _write(rows[column], bits, numbers[payments])
        by_kinds.append(rows[column])
    return Outcomes(
        tuple(i for _, i in bets),
        _needs(chosen),
        tuple(numbers),
        tuple(by_kinds),
        classes if isinstance(classes, HandClasses) else None,
    )


def _facts(bets: Sequence[Bet]) -> list[Fact]:
    """Return the facts on which these bets depend."""
    return [fact for bet in bets for line in bet.lines for fact, _ in line.when.tests()]


def _needs(bets: Sequence[Bet]) -> Needs:
    """Return what must be known to settle all these bets. A bet on a pair and a bet on the winner
    together need everything."""
    facts = _facts(bets)
    if all(fact.of_shapes for fact in facts):
        return Needs.SHAPE
    return Needs.START if all(fact.known_at_start for fact in facts) else Needs.EVERYTHING


def _write(outcome_of: list[int], bits: int, number: int) -> None:
    digits = f"{bits:b}"[::-1]
    place = digits.find("1")
    while place >= 0:
        outcome_of[place] = number
        place = digits.find("1", place + 1)
