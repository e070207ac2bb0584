"""Shoes dealt from given random words: fair ones, or slightly biased ones.

The mapping from words to cards is that of the simulator, written again with numpy; the kernel
settles the cards. So a bias planted here passes through everything.
"""

from collections.abc import Callable

import numpy as np

from baccarat.simulation import kernel
from baccarat.simulation.dealing import GUARD
from baccarat.simulation.inputs import game_input, shoe_input
from baccarat.simulation.run import Run, Simulation, Tally

Words = Callable[[int, int], np.ndarray]
"""Given the number of shoes and of cards left in each, returns a 32-bit word for each shoe."""


def fair(seed: int) -> Words:
    """Return words that make every order of two cards equally likely."""
    random = np.random.default_rng(seed)

    def words(shoes: int, left: int) -> np.ndarray:
        found = random.integers(0, 1 << 32, shoes, np.uint64)
        while len(again := np.flatnonzero(_last_fraction(found, left) < _remainder(left))):
            found[again] = random.integers(0, 1 << 32, len(again), np.uint64)
        return found

    return words


def _last_fraction(words: np.ndarray, left: int) -> np.ndarray:
    mask = np.uint64(0xFFFFFFFF)
    return ((words * np.uint64(left) & mask) * np.uint64(left - 1)) & mask


def _remainder(left: int) -> int:
    return (1 << 32) % (left * (left - 1)) if left > 1 else 0


def deal(run: Run, words: Words, lanes: int) -> np.ndarray:
    """Return the cards of some shoes as an array [place, shoe] of codes in sorted order."""
    shoe = shoe_input(run.rules, run.lookup.detail)
    size, needed, start = shoe.size, shoe.needed, shoe.start ^ GUARD
    counts = np.repeat(start[:, None], lanes, axis=1)
    codes = np.empty((size, lanes), np.uint16)
    bits, mask = np.uint64(32), np.uint64(0xFFFFFFFF)
    for number in range((needed + 1) // 2):
        left = size - 2 * number
        first = words(lanes, left) * np.uint64(left)
        second = (first & mask) * np.uint64(left - 1)
        for card, place in ((0, first >> bits), (1, second >> bits)):
            within = place.astype(np.uint16) < counts
            codes[2 * number + card] = len(start) - within.sum(axis=0)
            counts -= within
    return codes


def simulation(run: Run, words: Words) -> Simulation:
    """Simulate the run with these words."""
    shoe, game = shoe_input(run.rules, run.lookup.detail), game_input(run.rules, run.lookup)
    room = kernel.make_workspace(shoe, game)
    certain, classes = run.rules.certain_coups, len(run.lookup.classes)
    by_place = np.zeros((certain, classes), np.int64)
    batch = 128 * kernel.LANES
    for base in range(0, run.shoes, batch):
        codes = deal(run, words, batch)
        for lane in range(0, min(batch, run.shoes - base), kernel.LANES):
            room.codes[:] = codes[:, lane : lane + kernel.LANES]
            kernel.find_coups(shoe, game, room)
            lanes = min(kernel.LANES, run.shoes - base - lane)
            seen = (room.seen[:lanes, :certain] >> np.uint16(2)).astype(np.int64) - 1
            flat = seen + classes * np.arange(certain)
            by_place += np.bincount(flat.ravel(), minlength=certain * classes).reshape(
                by_place.shape
            )
    tally = Tally(run.shoes, (0,) * classes, 1, 0, (), tuple(map(tuple, by_place.tolist())))
    return Simulation(run, tally)
