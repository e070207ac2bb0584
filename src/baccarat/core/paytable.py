"""The pay table: for every bet, what every possible coup pays.

Compiled once from a game, and read by settlement, analysis and simulation alike. Bets that no
fact tells apart on a set of classes share an *outcome* there; counting coups then means counting
a few dozen outcomes, not bets times classes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from functools import cached_property

from baccarat.core.conditions import difference, facts_in, intersection
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
from baccarat.core.rulecard import Bet, Game

LOSS = Fraction(-1)
"""What a bet pays, net, when none of its lines applies."""


class Needs(IntEnum):
    """What must be known of a coup to settle a bet, least first."""

    SHAPE = 0
    """No pair is asked about."""
    START = 1
    """Pairs, but nothing after the first four cards."""
    EVERYTHING = 2
    """Pairs together with what comes after the first four cards."""


@dataclass(frozen=True)
class Outcomes:
    """Some bets of a game, and the outcomes that tell their payments apart."""

    bets: tuple[int, ...]
    """Places of the bets in the game's list."""
    needs: Needs
    pays: tuple[tuple[Fraction, ...], ...]
    """For each outcome, the net payment of each of those bets."""
    by_kinds: tuple[list[int], ...]
    """For each combination of pair kinds, the outcome of each shape."""

    @cached_property
    def by_payment(self) -> tuple[dict[Fraction, list[int]], ...]:
        """For each of the bets, the outcomes in which it pays each of its payments."""
        found: tuple[dict[Fraction, list[int]], ...] = tuple({} for _ in self.bets)
        for outcome, payments in enumerate(self.pays):
            for outcomes, payment in zip(found, payments, strict=True):
                outcomes.setdefault(payment, []).append(outcome)
        return found


class PayTable:
    """What every bet of one game pays on every class of coup."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.classes = classes_of(game.tableau)
        self.payments = tuple(self._payments(bet) for bet in game.bets)
        self.needs = tuple(_needs([bet]) for bet in game.bets)
        self.plain, self.start, self.joint = (
            self.outcomes([i for i, needs in enumerate(self.needs) if needs == wanted])
            for wanted in Needs
        )
        self.suited = any(
            fact in SUIT_FACTS
            for bet in game.bets
            for line in bet.lines
            for fact in facts_in(line.when)
        )
        """Does any bet ask about suits?"""

    def pays(self, coup: Coup) -> dict[str, Fraction]:
        """The net payment per unit staked of every bet: 19/20, 0 for a stand-off, -1 for a loss."""
        place = self.classes.index.get(shape_of(coup))
        if place is None:
            raise DealError(f"{coup} is no coup of this game: its tableau deals other cards")
        kinds = pair_kinds_of(coup)
        result: dict[str, Fraction] = {}
        for group in (self.plain, self.start, self.joint):
            payments = group.pays[group.by_kinds[kinds][place]]
            for i, payment in zip(group.bets, payments, strict=True):
                result[self.game.bets[i].id] = payment
        return result

    def _payments(self, bet: Bet) -> list[tuple[Fraction, ClassSet]]:
        """Where each line decides: disjoint sets, the first line that applies taking all."""
        rest = self.classes.everything
        decided: list[tuple[Fraction, ClassSet]] = []
        for line in bet.lines:
            holds = line.when.classes(self.classes)
            assert isinstance(line.pays, Fraction)  # noqa: S101  (a game has no open parameter)
            decided.append((line.pays, intersection(rest, holds)))
            rest = difference(rest, holds)
        return [*decided, (LOSS, rest)]

    def outcomes(self, bets: Sequence[int]) -> Outcomes:
        """Split the classes until every bet pays one thing on each part."""
        return joint_outcomes([(self, i) for i in bets], self.classes)


def joint_outcomes(bets: Sequence[tuple[PayTable, int]], classes: CoupClasses) -> Outcomes:
    """The same for bets of several pay tables, such as one card's under different agreements."""
    parts: list[tuple[tuple[Fraction, ...], ClassSet]] = [((), classes.everything)]
    for table, i in bets:
        parts = [
            ((*payments, payment), common)
            for payments, held in parts
            for payment, where in table.payments[i]
            if any(common := intersection(held, where))
        ]
    numbers: dict[tuple[Fraction, ...], int] = {}
    for payments, _ in parts:
        numbers.setdefault(payments, len(numbers))
    rows: dict[ClassSet, list[int]] = {}
    by_kinds: list[list[int]] = []
    for kinds in range(len(PAIR_KINDS)):
        column = tuple(held[kinds] for _, held in parts)
        if column not in rows:
            rows[column] = [0] * len(classes.shapes)
            for (payments, _), bits in zip(parts, column, strict=True):
                _write(rows[column], bits, numbers[payments])
        by_kinds.append(rows[column])
    needs = _needs([table.game.bets[i] for table, i in bets])
    return Outcomes(tuple(i for _, i in bets), needs, tuple(numbers), tuple(by_kinds))


def _needs(bets: Sequence[Bet]) -> Needs:
    """What settling all these bets together needs; a pair and a winner need everything."""
    lines = (line for bet in bets for line in bet.lines)
    facts = [FACTS[name] for line in lines for name in facts_in(line.when)]
    if not any(fact.of_pairs for fact in facts):
        return Needs.SHAPE
    return Needs.START if all(fact.known_at_start for fact in facts) else Needs.EVERYTHING


def _write(outcome_of: list[int], bits: int, number: int) -> None:
    digits = f"{bits:b}"[::-1]
    place = digits.find("1")
    while place >= 0:
        outcome_of[place] = number
        place = digits.find("1", place + 1)
