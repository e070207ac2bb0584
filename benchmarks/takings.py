"""Simulate how often an honest table's daily result is outside its bounds.

The benchmark draws days of independent rounds from the exact distribution of a few wagers, and
checks the result after every round. docs/guides/pit.md quotes the figures.

python benchmarks/takings.py
"""

import math

import numpy as np

from baccarat.analysis.edges import combined_distribution
from baccarat.core.wagers import Wager
from baccarat.loader import load

DAYS, ROUNDS, SEED = 20_000, 500, 1
STAKES = ({"player": 1000}, {"banker": 2000, "tie": 500}, {"3g8": 100})


def outside(stakes: dict[str, int], once_in: int) -> tuple[int, int]:
    """Return how many days leave the bounds at any check, and how many at the last check."""
    game, chance = load("punto-banco-2000").game(), np.random.default_rng(SEED)
    spread = combined_distribution(game, [Wager(*one) for one in stakes.items()])
    nets, chances = np.array(list(spread), float), np.array([float(p) for p in spread.values()])
    mean = float(nets @ chances)
    variance = float((nets - mean) ** 2 @ chances)
    weight, rounds = math.log(2 * once_in), np.arange(1, ROUNDS + 1)

    def bound(most: float) -> np.ndarray:
        part = weight * most / 3
        return np.asarray(part + np.sqrt(part**2 + 2 * weight * variance * rounds))

    above, below = bound(nets.max() - mean), bound(mean - nets.min())
    any_check = last_check = 0
    for _ in range(10):
        won = chance.choice(nets, p=chances, size=(DAYS // 10, ROUNDS)) - mean
        sums = np.cumsum(won, axis=1)
        bad = (sums > above) | (sums < -below)
        any_check += int(bad.any(axis=1).sum())
        last_check += int(bad[:, -1].sum())
    return any_check, last_check


if __name__ == "__main__":
    for stakes in STAKES:
        for once_in in (1_000, 10_000):
            any_check, last_check = outside(stakes, once_in)
            print(f"{stakes}, one in {once_in:,}: {any_check} of {DAYS:,} days")
            print(f"  at the last check: {last_check}")
