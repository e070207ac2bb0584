"""What every kernel takes: a plan and a lookup as plain numbers and arrays."""

from typing import Any

import numpy as np

from baccarat.shoe import Burn
from baccarat.simulation.automaton import automaton_of
from baccarat.simulation.dealing import ALONE, UNIT, Packing
from baccarat.simulation.lookup import Detail, Lookup
from baccarat.simulation.plan import ShoePlan
from baccarat.simulation.stream import rejected_below

BURNS = {Burn.NONE: 0, Burn.ONE: 1, Burn.FIRST_CARD: -1}


def shoe_input(plan: ShoePlan, detail: Detail, packing: Packing = ALONE) -> tuple[Any, ...]:
    """(size, needed, cut_at, last_coups, burn, rejected, start), as in `kernel.deal_coups`."""
    rejected = [rejected_below(plan.size - 2 * word) for word in range(plan.size // 2)]
    return (
        plan.size,
        plan.most_dealt,
        plan.cut_at,
        plan.last_coups,
        BURNS[burn_of(plan)],
        np.array(rejected, np.uint32),
        start_counts(plan.decks, detail, packing),
    )


def game_input(plan: ShoePlan, lookup: Lookup) -> tuple[Any, ...]:
    """(detail, table, start, pays), as in `kernel.deal_coups`."""
    table, begins = automaton_of(lookup).laid_out(int(UNIT))
    return int(lookup.detail), table, np.uint32(begins[burn_of(plan)]), lookup.pays


def burn_of(plan: ShoePlan) -> Burn:
    return Burn.NONE if plan.shuffler else plan.burn


def start_counts(decks: int, detail: Detail, packing: Packing = ALONE) -> Any:
    """The running counts of a full shoe: for each code but the last, how many cards have it or a
    lower one."""
    each = {Detail.POINTS: 4 * decks, Detail.RANKS: 4 * decks, Detail.CARDS: decks}[detail]
    more_tens = 12 * decks if detail is Detail.POINTS else 0
    return packing.packed([code * each + more_tens for code in range(1, detail)])
