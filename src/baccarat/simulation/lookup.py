"""The classes of coups that a simulation distinguishes, derived from a pay table.

A class is a winner together with the payments of all bets. An automaton (see `automaton`) takes
cards one by one and outputs the class at the end of each coup. Bets on suits, colours, ranks and
sums (hand bets) are not part of classes: `hands` gives the outcome of each group of them.
"""

from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from baccarat.core.cards import POINTS, RANKS, SUITS, Card
from baccarat.core.coup import Winner
from baccarat.core.errors import BaccaratError
from baccarat.core.facts import NO_THIRD, PAIR_KINDS, PairKind, Shape
from baccarat.core.paytable import Needs, Outcomes, PayTable
from baccarat.simulation.hands import HandTables, hand_tables

MAX_CLASSES = (1 << 14) - 1
"""Maximum number of classes: a mark takes 16 bits, two of them for the number of cards, and class 0
is not used."""


class Detail(IntEnum):
    """How much a kernel must know about a card; the value is the number of distinguishable
    cards."""

    POINTS = 10
    RANKS = 13
    CARDS = 52


SORTED_DECK = tuple(
    Card(rank, suit)
    for rank in sorted(RANKS, key=lambda rank: (POINTS[rank], RANKS.index(rank)))
    for suit in SUITS
)
"""The sorted order in which the cards left in a shoe are numbered."""

PAIR_KINDS_KNOWN = {Detail.POINTS: 1, Detail.RANKS: 2, Detail.CARDS: 3}
"""Number of pair kinds that can be distinguished at each level of detail: no pair; also a pair by
rank; also a suited pair."""


class CoupClass(NamedTuple):
    """A class of coups with the same winner and the same payments."""

    winner: Winner
    pays: tuple[Fraction, ...]
    """The net payment of every bet; 0 for hand bets."""


@dataclass(frozen=True, eq=False)
class Lookup:
    """The classes of coups of one game."""

    detail: Detail
    marks: dict[tuple[Shape, PairKind, PairKind], int]
    """For each shape and pair kinds: four times the number of the class, counted from 1, plus a
    number from 0 to 3 for the third cards. This is the number of third cards, or 3 for a third card
    of the banker only, which is distinguished only if there are hand bets."""
    classes: tuple[CoupClass, ...]
    units: tuple[int, ...]
    """For each bet, the factor (its unit) that makes all its payments whole numbers."""
    pays: NDArray[np.int64]
    """[class, bet]: the net payment times the bet's unit. The outcomes of hand bets follow the
    classes, group after group; an outcome pays nothing on bets of other groups."""
    hands: HandTables | None
    """The tables for hand bets, if there are any."""


@lru_cache(maxsize=16)
def lookup_of(table: PayTable) -> Lookup:
    """Return the classes of coups for all bets of a pay table."""
    pairs = max(table.needs, default=Needs.SHAPE) is not Needs.SHAPE
    detail = Detail.CARDS if table.suited else Detail.RANKS if pairs else Detail.POINTS
    hand_bets = [group for group in table.groups if group.hand_classes]
    outcomes = table.outcomes([i for i, of_hands in enumerate(table.hand_bets) if not of_hands])
    pays = _payments(outcomes, len(table.bets))
    numbers: dict[CoupClass, int] = {}
    marks: dict[tuple[Shape, PairKind, PairKind], int] = {}
    for place, shape in enumerate(table.classes.shapes):
        only_banker = hand_bets and shape.cards == 5 and shape.player_third == NO_THIRD
        thirds = 3 if only_banker else shape.cards - 4
        for (player, banker), of_shapes in zip(PAIR_KINDS, outcomes.by_kinds, strict=True):
            if max(player, banker) < PAIR_KINDS_KNOWN[detail]:
                found = CoupClass(shape.winner, pays[of_shapes[place]])
                number = numbers.setdefault(found, len(numbers) + 1)
                marks[shape, player, banker] = 4 * number + thirds
    if len(numbers) > MAX_CLASSES:
        raise BaccaratError(
            f"these bets distinguish more than {MAX_CLASSES} kinds of coups: simulate fewer bets"
        )
    hands = None
    if hand_bets:
        cards = SORTED_DECK[:: len(SORTED_DECK) // detail]
        hands = hand_tables(hand_bets, cards, len(table.bets), len(numbers))
    rows = [found.pays for found in numbers]
    rows += [pays for group in hand_bets for pays in _payments(group, len(table.bets))]
    units = tuple(lcm(*(pay.denominator for pay in pays)) for pays in zip(*rows, strict=True))
    scaled = [[int(pay * unit) for pay, unit in zip(row, units, strict=True)] for row in rows]
    return Lookup(detail, marks, tuple(numbers), units, np.array(scaled, np.int64), hands)


def _payments(outcomes: Outcomes, bets: int) -> list[tuple[Fraction, ...]]:
    """Return the payments of every bet of a game for each outcome; 0 for bets not in `outcomes`."""
    found = []
    for pays in outcomes.pays:
        by_bet = dict(zip(outcomes.bets, pays, strict=True))
        found.append(tuple(by_bet.get(i, Fraction(0)) for i in range(bets)))
    return found
