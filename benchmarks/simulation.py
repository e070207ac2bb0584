"""Measure the speed of the simulator, relative to only dealing the same number of shoes.

python benchmarks/simulation.py
"""

from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np
from numba import njit

from baccarat import load
from baccarat.shoe import ShoeRules
from baccarat.simulation import kernel
from baccarat.simulation.execution import Execution, simulate
from baccarat.simulation.inputs import shoe_input
from baccarat.simulation.lookup import Detail, lookup_of
from baccarat.simulation.run import Run

SHOES = 512 * kernel.LANES
ROUNDS = 7
EXAMPLES = Path(__file__).parent.parent / "examples" / "rule-cards"
CARDS = ("online", "punto-banco-2000", "fortune-six", str(EXAMPLES / "pairs.toml"))
HAND_BETS = ("bellagio-match", "royal-match", "lucky-8", "colours", "matching-dragon")
"""Cards with bets on suits, colours and ranks."""


@njit(nogil=True)
def deal_only(seed, groups, shoe, game):  # type: ignore[no-untyped-def]
    """Deal groups of shoes without playing any coups."""
    workspace = kernel.make_workspace(shoe, game)
    for group in range(groups):
        kernel.deal_group(seed, group * kernel.LANES, 1, shoe, workspace)


def dealing(detail: Detail) -> Callable[[], object]:
    run = Run(load("online").game(), ShoeRules(8), 1, SHOES)
    shoe, game, groups = shoe_input(run.rules, detail), run.game_input, SHOES // kernel.LANES
    return lambda: deal_only(np.uint64(1), groups, shoe, game)


def simulating(card: str, threads: int, shoes: int = SHOES) -> Callable[[], object]:
    game = load(card).game()
    return lambda: simulate(Run(game, ShoeRules(game.decks), 1, shoes), Execution(threads=threads))


def main() -> None:
    subjects: dict[str, Callable[[], object]] = {
        "deal, points": dealing(Detail.POINTS),
        "deal, ranks": dealing(Detail.RANKS),
        "deal, cards": dealing(Detail.CARDS),
    }
    floors = dict(zip(CARDS, ("points", "points", "ranks", "cards"), strict=True))
    for card in (*CARDS, *HAND_BETS):
        subjects[Path(card).stem] = simulating(card, 1)
    subjects["fortune-six ×4, one thread"] = simulating("fortune-six", 1, 4 * SHOES)
    subjects["fortune-six ×4, two threads"] = simulating("fortune-six", 2, 4 * SHOES)
    times: dict[str, list[float]] = {name: [] for name in subjects}
    for call in subjects.values():
        call()  # compile and warm up
    for _ in range(ROUNDS):
        for name, call in subjects.items():
            started = perf_counter()
            call()
            times[name].append(perf_counter() - started)
    took = {name: median(all_of_them) for name, all_of_them in times.items()}
    print(f"{SHOES} shoes of eight decks; medians of {ROUNDS} interleaved rounds")
    for name in ("deal, points", "deal, ranks", "deal, cards"):
        print(f"{name:28} {took[name] / SHOES * 1e9:7.0f} ns a shoe")
    for card in CARDS:
        name, floor = Path(card).stem, took[f"deal, {floors[card]}"]
        speed = SHOES * 81.3 / took[name] / 1e6
        ratio = took[name] / floor
        note = "" if ratio <= 1.7 else "  MISSED"
        print(f"{name:28} {ratio:5.2f} × dealing alone (target 1.7){note}, {speed:.0f} M coups/s")
    for card in HAND_BETS:
        hands, speed = lookup_of(load(card).game().pay_table).hands, SHOES * 81.3 / took[card] / 1e6
        assert hands is not None
        groups, ratio = len(hands.starts), took[card] / took["online"]
        print(f"{card:28} {ratio:5.2f} × online, groups of bets: {groups}, {speed:.0f} M coups/s")
    gain = took["fortune-six ×4, one thread"] / took["fortune-six ×4, two threads"]
    print(f"{'two threads':28} {gain:5.2f} × one (target 1.7){'' if gain >= 1.7 else '  MISSED'}")


if __name__ == "__main__":
    main()
