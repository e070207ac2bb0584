"""What every kernel takes: a plan and a lookup as plain numbers and arrays."""

from typing import Any

import numpy as np

from baccarat.shoe import Burn
from baccarat.simulation import kernel
from baccarat.simulation.lookup import Detail, Lookup
from baccarat.simulation.plan import ShoePlan
from baccarat.simulation.stream import rejected_below

BURNS = {Burn.NONE: 0, Burn.ONE: 1, Burn.FIRST_CARD: -1}


def shoe_input(plan: ShoePlan, detail: Detail) -> tuple[Any, ...]:
    """(size, needed, cut_at, more, burn, rejected, start), as in `kernel.deal_coups`."""
    rejected = [rejected_below(plan.size - 2 * word) for word in range(plan.size // 2)]
    return (
        plan.size,
        plan.most_dealt,
        plan.cut_at,
        plan.coups_after_cut,
        0 if plan.shuffler else BURNS[plan.burn],
        np.array(rejected, np.uint32),
        start_counts(plan.decks, detail),
    )


def lookup_input(lookup: Lookup) -> tuple[Any, ...]:
    """(detail, entries, pays), as in `kernel.deal_coups`."""
    return int(lookup.detail), lookup.entries.reshape(-1), lookup.pays


def index_room(plan: ShoePlan, lookup: Lookup) -> Any:
    """Room for places in the lookup, as small numbers as will do: less memory is faster."""
    small = np.uint16 if lookup.entries.size <= 1 << 16 else np.uint32
    return np.empty((plan.size + kernel.PADDING, kernel.LANES), small)


def start_counts(decks: int, detail: Detail) -> Any:
    """Of a full shoe: for each code but the last, how many cards have it or a lower one."""
    each = {Detail.POINTS: 4 * decks, Detail.RANKS: 4 * decks, Detail.CARDS: decks}[detail]
    codes = np.arange(1, detail, dtype=np.uint16)
    return codes * each + (12 * decks if detail is Detail.POINTS else 0)
