"""From a pay table to every kind of coup.

A coup is known by six cards in a row: the two-card totals of both hands and the points of
the fifth and sixth card make a key of four digits, the pairs of both hands one of up to nine
sheets of keys. The lookup gives, for each, a class of coups (which bet pays what, and who wins)
and the number of cards the coup really takes. An automaton (`automaton`) then reads them card by
card.
"""

from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from functools import lru_cache
from math import lcm

import numpy as np
from numpy.typing import NDArray

from baccarat.core.errors import BaccaratError
from baccarat.core.facts import NO_THIRD, PAIR_KINDS, PairKind, Shape, winner_of
from baccarat.core.paytable import Needs, PayTable

KEYS = 10_000
MOST_CLASSES = (1 << 14) - 1
"""A mark has sixteen bits, two of them for the number of cards; and 0 is no class."""


class Detail(IntEnum):
    """What a kernel must know of a card; its value is the number of different cards."""

    POINTS = 10
    RANKS = 13
    CARDS = 52


@dataclass(frozen=True, eq=False)
class Lookup:
    """What every six cards in a row mean for the bets of one game."""

    table: PayTable
    detail: Detail
    entries: NDArray[np.uint16]
    """For each sheet and key: four times the class, plus the cards taken beyond four."""
    classes: tuple[tuple[str, tuple[Fraction, ...]], ...]
    """For each class: the winner, and the net payment of every bet."""
    units: tuple[int, ...]
    """For each bet: its payments times this are whole."""
    pays: NDArray[np.int64]
    """For each class and bet, the net payment times the bet's unit."""

    @property
    def sheets(self) -> tuple[tuple[PairKind, PairKind], ...]:
        return sheets_of(self.detail)


def sheets_of(detail: Detail) -> tuple[tuple[PairKind, PairKind], ...]:
    """The combinations of pair kinds that are told apart: none, rank, suited, as detail allows."""
    kinds = {Detail.POINTS: 1, Detail.RANKS: 2, Detail.CARDS: 3}[detail]
    return tuple((p, b) for p, b in PAIR_KINDS if p < kinds and b < kinds)


@lru_cache(maxsize=16)
def lookup_of(table: PayTable) -> Lookup:
    """The lookup of all bets of a game."""
    pairs = max(table.needs, default=Needs.SHAPE) is not Needs.SHAPE
    detail = Detail.CARDS if table.suited else Detail.RANKS if pairs else Detail.POINTS
    outcomes = table.outcomes(range(len(table.game.bets)))
    numbers: dict[tuple[str, tuple[Fraction, ...]], int] = {}
    sheets = sheets_of(detail)
    entries = np.zeros((len(sheets), KEYS), np.uint16)
    place_of = table.classes.index
    for key in range(KEYS):
        shape = shape_of_key(key, table)
        place = place_of[shape]
        taken = 4 + (shape.player_third != NO_THIRD) + (shape.banker_third != NO_THIRD)
        for sheet, (player, banker) in enumerate(sheets):
            pays = outcomes.pays[outcomes.by_kinds[3 * player + banker][place]]
            identity = (winner_of(shape), pays)
            number = numbers.setdefault(identity, len(numbers))
            if len(numbers) > MOST_CLASSES:
                raise BaccaratError(
                    f"{table.game.card.id} has bets that tell more than {MOST_CLASSES} kinds of "
                    "coups apart: simulate fewer bets"
                )
            entries[sheet, key] = 4 * number + taken - 4
    by_bet = zip(*(pays for _, pays in numbers), strict=True)
    units = tuple(lcm(*(pay.denominator for pay in pays)) for pays in by_bet)
    scaled = [[int(p * unit) for p, unit in zip(ps, units, strict=True)] for _, ps in numbers]
    return Lookup(table, detail, entries, tuple(numbers), units, np.array(scaled, np.int64))


def shape_of_key(key: int, table: PayTable) -> Shape:
    """The shape of the coup that starts with these totals and has these cards to come."""
    p, b, fifth, sixth = key // 1000, key // 100 % 10, key // 10 % 10, key % 10
    tableau = table.game.tableau
    ended = tableau.ends_at_once(p, b)
    if not ended and p in tableau.player_draws:
        return Shape(p, b, fifth, sixth if tableau.draws(b, fifth) else NO_THIRD)
    draws = not ended and tableau.draws(b, NO_THIRD)
    return Shape(p, b, NO_THIRD, fifth if draws else NO_THIRD)
