"""The exact value of each coup to a player who has seen every card dealt.

A simulated result says little about a bet at 200:1 until millions of coups have been played. Here
shoes are dealt, but the value of a bet on each coup is computed by exact analysis from the unseen
cards instead of being played out. The results are what a perfect counter would win, who wagers
whenever the bet favours the player, and the exact value of the coups on which a count signals a
wager. Values are added up as whole multiples of 1/PARTS, so the order of addition does not matter.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from baccarat.core.cards import DECK_SIZE
from baccarat.simulation import jobs
from baccarat.simulation.inputs import full_counts
from baccarat.simulation.kernel import LANES, cards_of, deal_coups, first_place, make_room
from baccarat.simulation.true_count import FARTHEST, CountRun

PARTS = 1 << 40
"""Parts in a unit."""

Value = Callable[[NDArray[np.int64]], NDArray[np.float64]]
"""Function from rows of unseen cards to the bet's value to the player per unit staked. The cards
are counted by points, by rank or by card, as the bet needs, in the stream's sorted order."""


@njit(cache=True, nogil=True, boundscheck=False)
def unseen_cards(
    seed: Any, first: Any, shoes: Any, shoe: Any, game: Any, full: Any, rows: Any
) -> Any:
    """Deal at most LANES shoes and return the number of their coups.

    Write to rows[coup], in order: the shoe, the place in it, the number of unseen cards, and the
    number of unseen cards of each code.
    """
    room = make_room(shoe, game)
    deal_coups(seed, first, 1, shoe, game, room)
    unseen = np.empty(len(full), np.int64)
    n = 0
    for lane in range(shoes):
        unseen[:] = full
        left = unseen.sum()
        place = first_place(room.symbols, lane, game)
        if shoe.shown:
            unseen[room.codes[0, lane]] -= 1
            left -= 1
        for coup in range(room.coups[lane]):
            rows[n, 0], rows[n, 1], rows[n, 2] = lane, coup, left
            for code in range(len(full)):
                rows[n, 3 + code] = unseen[code]
            taken = cards_of(room.seen[lane, coup])
            for i in range(place, place + taken):
                unseen[room.codes[i, lane]] -= 1
            place += taken
            left -= taken
            n += 1
    return n


@dataclass(frozen=True)
class ValuationRun:
    """A job that values coups."""

    counted: CountRun
    """The shoes, the bet and the count."""
    value: Value
    chunk = LANES

    @property
    def units(self) -> int:
        return self.counted.shoes

    @property
    def identity(self) -> dict[str, Any]:
        return self.counted.identity | {"valued": True}

    def part(self, first: int, count: int) -> "Valuation":
        return jobs.in_pieces(self._group, first, count, LANES)

    def result(self, total: "Valuation") -> "ValuationResult":
        return ValuationResult(self, total)

    def _group(self, first: int, shoes: int) -> "Valuation":
        run = self.counted
        full = full_counts(run.rules.decks, run.lookup.detail)
        rows = np.empty((shoes * (run.rules.size // 4 + 1), 3 + len(full)), np.int64)
        coups = unseen_cards(
            np.uint64(run.seed), first, shoes, run.shoe_input, run.game_input, full, rows
        )
        rows = rows[:coups]
        values = np.rint(self.value(rows[:, 3:]) * PARTS).astype(np.int64)
        return self._worth(rows, full, values, shoes)

    def _worth(self, rows: Any, full: Any, values: Any, shoes: int) -> "Valuation":
        """Return the totals of the values of coups."""
        shoe, place, unseen = rows[:, 0], rows[:, 1], rows[:, 2]
        trigger = self.counted.count.trigger(self.counted.lookup.detail)
        running = ((full - rows[:, 3:]) * trigger.tags).sum(axis=1)
        true = np.clip(running * DECK_SIZE // (trigger.scale * unseen), -FARTHEST, FARTHEST)
        wager, good = running * trigger.per_card >= trigger.least * unseen, values > 0
        gains = _sums(shoe[good], values[good], shoes)
        won = _sums(shoe[wager], values[wager], shoes)
        places = self.counted.rules.size // 4 + 1
        return Valuation(
            shoes,
            len(rows),
            (int(good.sum()), sum(gains), sum(gain * gain for gain in gains)),
            (int(wager.sum()), sum(won), sum(part * part for part in won)),
            _table(true + FARTHEST, values, 2 * FARTHEST + 1),
            _table(place, np.where(good, values, 0), places),
            tuple(np.bincount(place[good], minlength=places).tolist()),
        )


def _sums(groups: Any, values: Any, size: int) -> list[int]:
    """Return the sum of the values of each group."""
    sums = np.zeros(size, np.int64)
    np.add.at(sums, groups, values)
    return [int(total) for total in sums]


def _table(groups: Any, values: Any, size: int) -> tuple[tuple[int, int], ...]:
    """Return, for each group, the number of values and their sum."""
    counts = np.bincount(groups, minlength=size).tolist()
    return tuple(zip(counts, _sums(groups, values, size), strict=True))


@dataclass(frozen=True)
class Valuation(jobs.Sums):
    """Totals of the values of coups, in whole parts of a unit."""

    shoes: int
    coups: int
    good: tuple[int, int, int]
    """Coups in the player's favour, their value, and the sum over the shoes of its square."""
    wagered: tuple[int, int, int]
    """The same for coups on which the count signals a wager."""
    by_count: tuple[tuple[int, int], ...]
    """For each true count, from -FARTHEST on: coups, and their value."""
    by_place: tuple[tuple[int, int], ...]
    """For each place in the shoe: coups, and the value of those in the player's favour."""
    good_by_place: tuple[int, ...]
    """For each place in the shoe: coups in the player's favour."""


@dataclass(frozen=True)
class Wagering:
    """The value of wagering one unit on some of the coups."""

    shoes: int
    coups: int
    """All coups, wagered on or not."""
    wagers: int
    worth: Fraction
    """Total value of all wagers."""
    squares: Fraction
    """Sum over the shoes of the square of their value."""

    @property
    def share(self) -> float:
        """Share of coups wagered on."""
        return self.wagers / self.coups

    @property
    def mean(self) -> float | None:
        """Average value of a wager; None if there was none."""
        return float(self.worth / self.wagers) if self.wagers else None

    @property
    def per_shoe(self) -> float:
        return float(self.worth / self.shoes)

    @property
    def per_shoe_error(self) -> float | None:
        if self.shoes < 2:
            return None
        spread = self.squares / self.shoes - (self.worth / self.shoes) ** 2
        return sqrt(spread / (self.shoes - 1))

    @property
    def per_100_coups(self) -> float:
        return float(100 * self.worth / self.coups)


class ValuationResult(jobs.Result[ValuationRun, Valuation]):
    """The result of valuing the coups of some shoes."""

    @property
    def perfect(self) -> Wagering:
        """Value for a player who wagers on every coup in the player's favour."""
        return self._wagering(self.tally.good)

    @property
    def counted(self) -> Wagering:
        """Value for a player who wagers when the count signals it."""
        return self._wagering(self.tally.wagered)

    def _wagering(self, sums: tuple[int, int, int]) -> Wagering:
        wagers, worth, squares = sums
        tally = self.tally
        return Wagering(
            tally.shoes, tally.coups, wagers, Fraction(worth, PARTS), Fraction(squares, PARTS**2)
        )

    @property
    def by_count(self) -> dict[int, tuple[int, float]]:
        """For each true count that occurred: coups, and their average value."""
        rows = enumerate(self.tally.by_count, start=-FARTHEST)
        return {true: (n, worth / n / PARTS) for true, (n, worth) in rows if n}

    @property
    def by_place(self) -> tuple[tuple[int, float, float], ...]:
        """For each place in the shoe: coups, the share in the player's favour, and a perfect
        player's average win."""
        rows = zip(self.tally.by_place, self.tally.good_by_place, strict=True)
        return tuple((n, good / n, worth / n / PARTS) for (n, worth), good in rows if n)
