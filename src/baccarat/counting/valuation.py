"""What coups are worth: a player who knows every card seen, and the exact value of each coup.

A simulated result says little about a bet at 200:1 until millions of coups are played. Here the
shoes are dealt, but the value of a bet on each coup is not played out: it is asked of exact
analysis, from the cards not seen yet. Out come what a perfect counter would win, who wagers
whenever the bet is in the player's favour, and what the coups were really worth on which a count
said so. Values are added up as whole parts of one, so that no order of adding matters.
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
from baccarat.simulation import work
from baccarat.simulation.counting import FARTHEST, CountRun
from baccarat.simulation.inputs import game_input, shoe_input
from baccarat.simulation.kernel import LANES, cards_of, deal_coups, first_place, make_room
from baccarat.simulation.lookup import Detail

PARTS = 1 << 40
"""A unit has so many parts."""

Value = Callable[[NDArray[np.int64]], NDArray[np.float64]]
"""Of rows of cards not seen (by points, by rank or by card: in the stream's sorted order, as
detailed as the bet needs), what the bet is worth to the player per unit staked."""


@njit(cache=True, nogil=True, boundscheck=False)
def unseen_cards(
    seed: Any, first: Any, shoes: Any, shoe: Any, game: Any, full: Any, rows: Any
) -> Any:
    """Of the coups of at most LANES shoes, in order: their number, and into rows[coup] the shoe,
    the place in it, how many cards are unseen, and how many of each code."""
    burn = shoe[4]
    room = make_room(shoe, game)
    deal_coups(seed, first, 1, shoe, game, room)
    unseen = np.empty(len(full), np.int64)
    n = 0
    for lane in range(shoes):
        unseen[:] = full
        left = unseen.sum()
        place = first_place(room.symbols, lane, game)
        if burn < 0:
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
class WorthRun:
    """Coups to be valued."""

    counted: CountRun
    """The shoes, the bet, the count."""
    value: Value

    @property
    def units(self) -> int:
        return self.counted.shoes

    @property
    def chunk(self) -> int:
        return LANES

    @property
    def identity(self) -> dict[str, Any]:
        return self.counted.identity | {"valued": True}

    def part(self, first: int, count: int) -> "Worth":
        parts = [
            self._group(base, min(LANES, first + count - base))
            for base in range(first, first + count, LANES)
        ]
        return sum(parts[1:], parts[0])

    def _group(self, first: int, shoes: int) -> "Worth":
        run, lookup = self.counted, self.counted.lookup
        full = np.full(lookup.detail, 4 * run.plan.decks, np.int64)
        if lookup.detail is Detail.POINTS:
            full[0] *= 4
        elif lookup.detail is Detail.CARDS:
            full //= 4
        rows = np.empty((shoes * (run.plan.size // 4 + 1), 3 + len(full)), np.int64)
        coups = unseen_cards(
            np.uint64(run.seed),
            first,
            shoes,
            shoe_input(run.plan, lookup.detail),
            game_input(run.plan, lookup),
            full,
            rows,
        )
        rows = rows[:coups]
        values = np.rint(self.value(rows[:, 3:]) * PARTS).astype(np.int64)
        return self._worth(rows, full, values, shoes)

    def _worth(self, rows: Any, full: Any, values: Any, shoes: int) -> "Worth":
        """Add up the values of coups."""
        shoe, place, unseen = rows[:, 0], rows[:, 1], rows[:, 2]
        count = self.counted.count
        tags, least, per_card = count.trigger(self.counted.lookup.detail)
        running = ((full - rows[:, 3:]) * tags).sum(axis=1)
        true = np.clip(running * DECK_SIZE // (count.scale * unseen), -FARTHEST, FARTHEST)
        wager, good = running * per_card >= least * unseen, values > 0
        gains = _sums(shoe[good], values[good], shoes)
        won = _sums(shoe[wager], values[wager], shoes)
        places = self.counted.plan.size // 4 + 1
        return Worth(
            shoes,
            len(rows),
            (int(good.sum()), sum(gains), sum(gain * gain for gain in gains)),
            (int(wager.sum()), sum(won), sum(part * part for part in won)),
            _table(true + FARTHEST, values, 2 * FARTHEST + 1),
            _table(place, np.where(good, values, 0), places),
            tuple(np.bincount(place[good], minlength=places).tolist()),
        )

    def restored(self, kept: dict[str, Any]) -> "Worth":
        return Worth(
            kept["shoes"],
            kept["coups"],
            tuple(kept["good"]),
            tuple(kept["wagered"]),
            tuple(map(tuple, kept["by_count"])),
            tuple(map(tuple, kept["by_place"])),
            tuple(kept["good_by_place"]),
        )


def _sums(groups: Any, values: Any, size: int) -> list[int]:
    """Of the values of each group."""
    sums = np.zeros(size, np.int64)
    np.add.at(sums, groups, values)
    return [int(total) for total in sums]


def _table(groups: Any, values: Any, size: int) -> tuple[tuple[int, int], ...]:
    """For each group, how many values there are, and their sum."""
    counts = np.bincount(groups, minlength=size).tolist()
    return tuple(zip(counts, _sums(groups, values, size), strict=True))


@dataclass(frozen=True)
class Worth:
    """What coups were worth, in whole parts of a unit."""

    shoes: int
    coups: int
    good: tuple[int, int, int]
    """Coups in the player's favour, their worth, and the sum of its squares over the shoes."""
    wagered: tuple[int, int, int]
    """The same for coups on which the count said so."""
    by_count: tuple[tuple[int, int], ...]
    """For each true count, from -FARTHEST on: coups, and what they were worth."""
    by_place: tuple[tuple[int, int], ...]
    """For each place in the shoe: coups, and the worth of those in the player's favour."""
    good_by_place: tuple[int, ...]
    """For each place in the shoe: coups in the player's favour."""

    @property
    def done(self) -> int:
        return self.shoes

    def __add__(self, other: "Worth") -> "Worth":
        return Worth(
            self.shoes + other.shoes,
            self.coups + other.coups,
            work.added(self.good, other.good),
            work.added(self.wagered, other.wagered),
            tuple(map(work.added, self.by_count, other.by_count)),
            tuple(map(work.added, self.by_place, other.by_place)),
            work.added(self.good_by_place, other.good_by_place),
        )


@dataclass(frozen=True)
class Wagering:
    """What wagering one unit on some coups is worth."""

    shoes: int
    coups: int
    """All, wagered on or not."""
    wagers: int
    worth: Fraction
    """Of all wagers together."""
    squares: Fraction
    """Sum over the shoes of their worth squared."""

    @property
    def share(self) -> float:
        """Of all coups, those wagered on."""
        return self.wagers / self.coups

    @property
    def mean(self) -> float | None:
        """Worth of a wager."""
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


@dataclass(frozen=True)
class WorthResult:
    """What the coups of some shoes were worth."""

    run: WorthRun
    tally: Worth

    @property
    def perfect(self) -> Wagering:
        """Of a player who wagers on every coup that is in the player's favour."""
        return self._wagering(self.tally.good)

    @property
    def counted(self) -> Wagering:
        """Of a player who wagers when the count says so."""
        return self._wagering(self.tally.wagered)

    def _wagering(self, sums: tuple[int, int, int]) -> Wagering:
        wagers, worth, squares = sums
        tally = self.tally
        return Wagering(
            tally.shoes, tally.coups, wagers, Fraction(worth, PARTS), Fraction(squares, PARTS**2)
        )

    @property
    def by_count(self) -> dict[int, tuple[int, float]]:
        """For each true count that came up: coups, and what one was worth on average."""
        rows = enumerate(self.tally.by_count, start=-FARTHEST)
        return {true: (n, worth / n / PARTS) for true, (n, worth) in rows if n}

    @property
    def by_place(self) -> tuple[tuple[int, float, float], ...]:
        """For each place in the shoe: coups, the share in the player's favour, and what a perfect
        player wins there on average."""
        rows = zip(self.tally.by_place, self.tally.good_by_place, strict=True)
        return tuple((n, good / n, worth / n / PARTS) for (n, worth), good in rows if n)


def value_coups(run: WorthRun, **how: Any) -> WorthResult:
    """Value coups; `how` (threads, cluster, checkpoint, …) is as in `work.do`."""
    return WorthResult(run, work.do(run, **how))
