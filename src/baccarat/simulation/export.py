"""The shoes of a run as records: the same cards that were counted, written down.

The kernel deals them, 64 shoes side by side; what is written is what the clear twin would write,
and a test holds them against each other.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import BinaryIO

import numpy as np

from baccarat.core.errors import BaccaratError
from baccarat.core.facts import NO_THIRD
from baccarat.core.money import ratio
from baccarat.core.paytable import PayTable
from baccarat.records import shoe_text
from baccarat.simulation import kernel
from baccarat.simulation.inputs import shoe_input
from baccarat.simulation.lookup import Detail, shape_of_key
from baccarat.simulation.plan import MOST_CARDS
from baccarat.simulation.run import Run
from baccarat.simulation.twin import SORTED_DECK
from baccarat.simulation.work import Progress

MOST_SHOES = 1_000_000
"""About two gigabytes of text."""

CARDS = [str(card) for card in SORTED_DECK]
POINTS = [card.points for card in SORTED_DECK]


def check_export(shoes: int) -> None:
    """Refuse what would fill a disk."""
    if shoes > MOST_SHOES:
        raise BaccaratError(
            f"{shoes:,} shoes are too many to write down: {MOST_SHOES:,} at most; "
            "ask for fewer with --shoes"
        )


def write_shoes(run: Run, shoes: int, file: BinaryIO, progress: Progress | None = None) -> None:
    """The first shoes of a run, as `records.parse_records` reads them back."""
    game, plan = run.game, run.plan
    shoe = "shuffler" if plan.shuffler else f"cut {plan.cut}, burn {plan.burn}"
    more = ", one more" if plan.coups_after_cut else ""
    rules = [f"{name} {ratio(value)}" for name, value in game.parameters.items()]
    rules += [f"{name} {reading}" for name, reading in game.readings.items()]
    head = f"# {game.card.id}, {', '.join(rules)}, {shoe}{more}, seed {run.seed}\n\n"
    file.write(head.encode())
    written = 0
    if progress:
        progress(0, 0)
    for number, coups in enumerate(_shoes(run, shoes), start=1):
        file.write(shoe_text(number, coups).encode())
        written += len(coups)
        if progress and number % kernel.LANES == 0:
            progress(number, written)


def _shoes(run: Run, shoes: int) -> Iterator[list[str]]:
    """The coups of each shoe, in our notation."""
    size, needed, _, _, _, rejected, start = shoe_input(run.plan, Detail.CARDS)
    words = np.empty((4, kernel.LANES), np.uint32)
    counts = np.empty((len(start), kernel.LANES), np.uint16)
    places = np.empty((2, kernel.LANES), np.uint16)
    codes = np.empty((size, kernel.LANES), np.uint16)
    for base in range(0, shoes, kernel.LANES):
        kernel.deal_group(
            np.uint64(run.seed),
            *(base, 1, size, needed, start, rejected, words, counts, places, codes),
        )
        for lane in range(min(kernel.LANES, shoes - base)):
            yield _coups(run, codes[:needed, lane].tolist())


def _coups(run: Run, codes: list[int]) -> list[str]:
    """A shoe's coups, found as the twin finds them; see `twin.shoe_coups`."""
    plan, table = run.plan, run.game.pay_table
    card, points = [CARDS[code] for code in codes], [POINTS[code] for code in codes]
    card += [""] * MOST_CARDS
    points += [0] * MOST_CARDS
    place = 0 if plan.shuffler else plan.burn.taking(SORTED_DECK[codes[0]])
    more = 1 + plan.coups_after_cut
    coups: list[str] = []
    while True:
        if place >= plan.cut_at:
            more -= 1
            if not more:
                return coups
        p0, b0, p1, b1, fifth, sixth = points[place : place + 6]
        player, banker = (p0 + p1) % 10, (b0 + b1) % 10
        p_draws, b_draws = _third_cards(table, 1000 * player + 100 * banker + 10 * fifth + sixth)
        p, b = card[place] + card[place + 2], card[place + 1] + card[place + 3]
        place += 4
        if p_draws:
            p, player, place = p + card[place], (player + fifth) % 10, place + 1
        if b_draws:
            b, banker, place = b + card[place], (banker + points[place]) % 10, place + 1
        coups.append(f"P:{p}={player} B:{b}={banker}")


@lru_cache(maxsize=1 << 15)
def _third_cards(table: PayTable, key: int) -> tuple[bool, bool]:
    """Who draws a third card, as the lookup sees it."""
    shape = shape_of_key(key, table)
    return shape.player_third != NO_THIRD, shape.banker_third != NO_THIRD
