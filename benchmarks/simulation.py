"""Measure the speed of the simulator, relative to a bare kernel that counts only winners.

python benchmarks/simulation.py

The bare kernel deals the same shoes with the same random numbers, follows the automaton, and adds
up the winners. It knows no bets, ignores the end of the shoe, and computes no standard errors.
"""

from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import numpy as np
from numba import njit

from baccarat import load
from baccarat.core.coup import Winner
from baccarat.shoe import ShoeRules
from baccarat.simulation import kernel
from baccarat.simulation.execution import Execution, simulate
from baccarat.simulation.inputs import shoe_input
from baccarat.simulation.lookup import lookup_of
from baccarat.simulation.run import Run

SHOES = 2048 * kernel.LANES
ROUNDS = 7
COUPS = 81.3
"""Coups in a shoe, on average."""
EXAMPLES = Path(__file__).parent.parent / "examples" / "rule-cards"
CARDS = {
    "online": 1.0,
    "punto-banco-2000": 1.0,
    "fortune-six": 0.85,
    str(EXAMPLES / "pairs.toml"): None,
}
"""Cards, with the target for their speed relative to the bare kernel."""
HAND_BETS = ("bellagio-match", "royal-match", "lucky-8", "colours", "matching-dragon")
"""Cards with bets on suits, colours and ranks."""


@njit(nogil=True)
def bare(seed, groups, shoe, game, winners):  # type: ignore[no-untyped-def]
    """Deal groups of shoes and return the number of wins of each side, and of ties."""
    workspace = kernel.make_workspace(shoe, game)
    states, sums = workspace.states, np.zeros(kernel.LANES, np.uint64)
    symbols = workspace.symbols
    for group in range(groups):
        kernel.deal_group(seed, group * kernel.LANES, 1, shoe, workspace)
        if game.detail == kernel.CARD_CODES:
            kernel.symbols_group(workspace.codes, shoe.needed, symbols)
        for lane in range(kernel.LANES):
            states[lane] = game.start
        for four in range(0, shoe.needed // 4 * 4, 4):
            for lane in range(kernel.LANES):
                a = kernel.step(game.table, states[lane], symbols[four, lane])
                b = kernel.step(game.table, a, symbols[four + 1, lane])
                c = kernel.step(game.table, b, symbols[four + 2, lane])
                d = kernel.step(game.table, c, symbols[four + 3, lane])
                states[lane] = d
                sums[lane] += winners[kernel.mark_of(a | b | c | d)]
    return sums


def bare_kernel(card: str) -> Callable[[], object]:
    run = Run(load(card).game(), ShoeRules(8), 1, SHOES)
    winners = np.zeros(1 << 16, np.uint64)
    for number, coups in enumerate(run.lookup.classes, start=1):
        for thirds in range(4):  # a mark is four times the class, plus a number for third cards
            winners[4 * number + thirds] = 1 << 20 * list(Winner).index(coups.winner)
    shoe, game = shoe_input(run.rules, run.lookup.detail), run.game_input
    return lambda: bare(np.uint64(1), SHOES // kernel.LANES, shoe, game, winners)


def simulating(card: str, threads: int = 1) -> Callable[[], object]:
    game = load(card).game()
    return lambda: simulate(Run(game, ShoeRules(game.decks), 1, SHOES), Execution(threads=threads))


def times_of(subjects: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """Return the median processor time of each subject, in interleaved rounds."""
    times: dict[str, list[float]] = {name: [] for name in subjects}
    for call in subjects.values():
        call()  # compile and warm up
    for _ in range(ROUNDS):
        for name, call in subjects.items():
            started = process_time()
            call()
            times[name].append(process_time() - started)
    return {name: median(all_of_them) for name, all_of_them in times.items()}


def main() -> None:
    subjects: dict[str, Callable[[], object]] = {}
    for card in CARDS:
        subjects[f"bare {card}"] = bare_kernel(card)
        subjects[card] = simulating(card)
    for card in HAND_BETS:
        subjects[card] = simulating(card)
    took = times_of(subjects)
    print(f"{SHOES} shoes of eight decks; medians of {ROUNDS} interleaved rounds, processor time")
    for card, target in CARDS.items():
        ratio, speed = took[f"bare {card}"] / took[card], SHOES * COUPS / took[card] / 1e6
        aim = "" if target is None else f" (target {target})"
        note = "  MISSED" if target is not None and ratio < target else ""
        name = Path(card).stem
        print(f"{name:28} {ratio:5.2f} × the bare kernel's speed{aim}{note}, {speed:.0f} M coups/s")
    for card in HAND_BETS:
        hands = lookup_of(load(card).game().pay_table).hands
        assert hands is not None
        ratio, speed = took[card] / took["online"], SHOES * COUPS / took[card] / 1e6
        groups = f"{len(hands.starts)} groups of bets"
        print(f"{card:28} {ratio:5.2f} × online's time, {groups}, {speed:.0f} M coups/s")


if __name__ == "__main__":
    main()
