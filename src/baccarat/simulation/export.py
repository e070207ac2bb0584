"""Export of the shoes of a simulation run as records, with the same cards as in the simulation.

The kernel deals the cards, 64 shoes at a time; a test compares the output with shoes dealt in plain
Python.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import BinaryIO

import numpy as np

from baccarat.analysis.records import shoe_text
from baccarat.core.errors import BaccaratError
from baccarat.core.money import ratio
from baccarat.core.tableau import STOOD, Tableau
from baccarat.shoe import MAX_CARDS_IN_COUP
from baccarat.simulation import kernel
from baccarat.simulation.execution import Progress
from baccarat.simulation.inputs import game_input, shoe_input
from baccarat.simulation.lookup import SORTED_DECK, Detail
from baccarat.simulation.run import Run

MAX_SHOES = 1_000_000
"""Maximum number of shoes in an export: about two gigabytes of text."""

CARDS = [str(card) for card in SORTED_DECK]
POINTS = [card.points for card in SORTED_DECK]


def check_export(shoes: int) -> None:
    """Raise an error for an export so large that it could fill a disk."""
    if shoes > MAX_SHOES:
        raise BaccaratError(f"{shoes:,} shoes are too many to export: at most {MAX_SHOES:,}")


def write_shoes(run: Run, shoes: int, file: BinaryIO, progress: Progress | None = None) -> None:
    """Write the first shoes of a run in the format that `records.parse_records` reads."""
    game = run.game
    settled = [f"{name} {ratio(value)}" for name, value in game.parameters.items()]
    settled += [f"{name} {reading}" for name, reading in game.readings.items()]
    head = f"# {game.card.id}, {', '.join(settled)}, {run.rules}, seed {run.seed}\n\n"
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
    """Yield the coups of each shoe in coup notation."""
    shoe = shoe_input(run.rules, Detail.CARDS)
    workspace = kernel.make_workspace(shoe, game_input(run.rules, run.lookup))
    for base in range(0, shoes, kernel.LANES):
        kernel.deal_group(np.uint64(run.seed), base, 1, shoe, workspace)
        for lane in range(min(kernel.LANES, shoes - base)):
            yield _coups(run, workspace.codes[: shoe.needed, lane].tolist())


def _coups(run: Run, codes: list[int]) -> list[str]:
    """Return a shoe's coups in coup notation, given the codes of its cards."""
    rules, tableau = run.rules, run.game.tableau
    card, points = [CARDS[code] for code in codes], [POINTS[code] for code in codes]
    card += [""] * MAX_CARDS_IN_COUP
    points += [0] * MAX_CARDS_IN_COUP
    place, last_coups = rules.burn.taking(SORTED_DECK[codes[0]]), rules.coups_from_cut
    coups: list[str] = []
    while last_coups:
        p0, b0, p1, b1, fifth = points[place : place + 5]
        player, banker = (p0 + p1) % 10, (b0 + b1) % 10
        p_draws, b_draws = _third_cards(tableau, player, banker, fifth)
        p, b = card[place] + card[place + 2], card[place + 1] + card[place + 3]
        place += 4
        if p_draws:
            p, player, place = p + card[place], (player + fifth) % 10, place + 1
        if b_draws:
            b, banker, place = b + card[place], (banker + points[place]) % 10, place + 1
        coups.append(f"P:{p}={player} B:{b}={banker}")
        last_coups -= place >= rules.cut_at
    return coups


@lru_cache(maxsize=1 << 12)
def _third_cards(tableau: Tableau, player: int, banker: int, fifth: int) -> tuple[bool, bool]:
    """Return whether the player and the banker draw, given the points of the fifth card."""
    draws = tableau.player_takes_third(player, banker)
    return draws, tableau.banker_takes_third(player, banker, fifth if draws else STOOD)
