"""How much of each long proof a run does: a sample in `make test`, all of it in `make prove`.

A sample is the beginning of the whole: the first seeds, the first examples, the first attempts.
Set the variable of the same name in the environment for another amount.
"""

import os
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
SAMPLES = {
    "SEEDS": 20,
    "DAYS": 12_000,
    "EXAMPLES": 1,
    "RACES": 2,
    "KILLS": 2,
    "SECONDS": 1,
    "DOCUMENTS": 400,
    "TABLES": 150,
    "DEALERS": 3,
    "CARDS": 2,
    "NETWORKS": 1,
    "GAMES": 2,
    "PROPERTIES": 40,
}
"""In `make test`: simulated houses, player-days, requests an endpoint, attempts at each race,
killed processes, seconds a disk is full or a database away, mutated shoe documents, tables whose
every command is random, dealers of real cards who do anything, rule cards whose whole shoe is
played in a browser, tables played through a bad network, games whose layout is checked for
accessibility, and examples of each property that is tested with random ones."""


def amount(name: str) -> int:
    """Return the amount to run."""
    return int(os.environ.get(name, SAMPLES[name]))


def sample(name: str, whole: Sequence[T]) -> Sequence[T]:
    """Return the first items, as many as the amount."""
    return whole[: amount(name)]
