"""The exact value of each coup to a player who has seen every card dealt.

A simulated result says little about a bet at 200:1 until millions of coups have been played. So
here shoes are dealt, but the bet is not played out: its value on each coup is computed by exact
analysis of the unseen cards. There are two results: the winnings of a perfect counter, who wagers
whenever the bet favours the player, and the value of the coups on which a count signals a wager.
Values are added up as whole multiples of 1/PARTS, so the order of addition does not matter.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from baccarat.core.cards import DECK_SIZE
from baccarat.simulation import jobs
from baccarat.simulation.inputs import full_counts
from baccarat.simulation.kernel import LANES, cards_of, deal_coups, first_place, make_workspace
from baccarat.simulation.true_count import MAX_TRUE_COUNT, CountRun, Wagering

PARTS = 1 << 40
"""Number of parts into which one unit of stake is divided."""

Value = Callable[[NDArray[np.int64]], NDArray[np.float64]]
"""Function that takes rows of counts of unseen cards and returns the bet's value to the player per
unit staked. Cards are counted by points, by rank or by card, as the bet needs, in the sorted order
that `stream` defines."""


@njit(cache=True, nogil=True, boundscheck=False)
def unseen_cards(
    seed: Any, first: Any, shoes: Any, shoe: Any, game: Any, full: Any, rows: Any
) -> Any:
    """Deal at most LANES shoes and return the number of their coups.

    For each coup, write to rows[coup]: the shoe, the coup's position in the shoe, the number of
    unseen cards, and the number of unseen cards of each code.
    """
    workspace = make_workspace(shoe, game)
    deal_coups(seed, first, 1, shoe, game, workspace)
    unseen = np.empty(len(full), np.int64)
    n = 0
    for lane in range(shoes):
        unseen[:] = full
        left = unseen.sum()
        place = first_place(workspace.symbols, lane, game)
        if shoe.shown:
            unseen[workspace.codes[0, lane]] -= 1
            left -= 1
        for coup in range(workspace.coups[lane]):
            rows[n, 0], rows[n, 1], rows[n, 2] = lane, coup, left
            for code in range(len(full)):
                rows[n, 3 + code] = unseen[code]
            taken = cards_of(workspace.seen[lane, coup])
            for i in range(place, place + taken):
                unseen[workspace.codes[i, lane]] -= 1
            place += taken
            left -= taken
            n += 1
    return n


@dataclass(frozen=True)
class ValuationRun:
    """A job that computes the exact value of coups."""

    counted: CountRun
    """The counting simulation whose shoes, bet and count are used."""
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

    def deal(self, first: int, shoes: int) -> "DealtCoups":
        """Deal at most LANES shoes, and apply the count before every coup."""
        run = self.counted
        full = full_counts(run.rules.decks, run.lookup.detail)
        rows = np.empty((shoes * (run.rules.size // 4 + 1), 3 + len(full)), np.int64)
        coups = unseen_cards(
            np.uint64(run.seed), first, shoes, run.shoe_input, run.game_input, full, rows
        )
        shoe, place, unseen = rows[:coups, :3].T
        cards = rows[:coups, 3:]
        trigger = run.count.trigger(run.lookup.detail)
        running = ((full - cards) * trigger.tags).sum(axis=1)
        true = running * DECK_SIZE // (trigger.scale * unseen)
        wager = running * trigger.per_card >= trigger.least * unseen
        return DealtCoups(shoe, place, cards, true, wager)

    def values(self, cards: Any) -> Any:
        """Return the value of the bet in whole parts, given rows of counts of unseen cards."""
        return np.rint(self.value(cards) * PARTS).astype(np.int64)

    def _group(self, first: int, shoes: int) -> "Valuation":
        coups = self.deal(first, shoes)
        shoe, place, wager = coups.shoe, coups.place, coups.wager
        true = np.clip(coups.true_count, -MAX_TRUE_COUNT, MAX_TRUE_COUNT)
        values = self.values(coups.cards)
        good = values > 0
        gains = sums_by(shoe[good], values[good], shoes)
        won = sums_by(shoe[wager], values[wager], shoes)
        places = self.counted.rules.size // 4 + 1
        return Valuation(
            shoes,
            len(shoe),
            (int(good.sum()), sum(gains), sum(gain * gain for gain in gains)),
            (int(wager.sum()), sum(won), sum(part * part for part in won)),
            _table(true + MAX_TRUE_COUNT, values, 2 * MAX_TRUE_COUNT + 1),
            _table(place, np.where(good, values, 0), places),
            tuple(np.bincount(place[good], minlength=places).tolist()),
        )


class DealtCoups(NamedTuple):
    """Arrays with an element or a row for each coup of some shoes."""

    shoe: Any
    """Index of the shoe."""
    place: Any
    """The coup's position in its shoe."""
    cards: Any
    """Number of unseen cards of each code before the coup."""
    true_count: Any
    """True count before the coup, rounded down."""
    wager: Any
    """Whether the count signals a wager."""


def sums_by(groups: Any, values: Any, size: int) -> list[int]:
    """Return the sum of the values of each group."""
    sums = np.zeros(size, np.int64)
    np.add.at(sums, groups, values)
    return [int(total) for total in sums]


def _table(groups: Any, values: Any, size: int) -> tuple[tuple[int, int], ...]:
    """Return, for each group, the number of values and their sum."""
    counts = np.bincount(groups, minlength=size).tolist()
    return tuple(zip(counts, sums_by(groups, values, size), strict=True))


@dataclass(frozen=True)
class Valuation(jobs.Sums):
    """Totals over the coups of some shoes; values are in whole parts of a unit (see PARTS)."""

    shoes: int
    coups: int
    good: tuple[int, int, int]
    """Number of coups in the player's favour, their total value, and the sum of the squares of this
    value per shoe."""
    wagered: tuple[int, int, int]
    """The same three totals for coups on which the count signals a wager."""
    by_count: tuple[tuple[int, int], ...]
    """For each true count from -MAX_TRUE_COUNT on: number of coups, and their total value."""
    by_place: tuple[tuple[int, int], ...]
    """For each position in the shoe: number of coups, and the total value of those in the player's
    favour."""
    good_by_place: tuple[int, ...]
    """For each position in the shoe: number of coups in the player's favour."""


class ValuationResult(jobs.Result[ValuationRun, Valuation]):
    """The result of valuing the coups of some shoes."""

    @property
    def perfect(self) -> Wagering:
        """The results of a perfect counter, who wagers on every coup in the player's favour."""
        return self._wagering(self.tally.good)

    @property
    def counted(self) -> Wagering:
        """The results of a player who wagers whenever the count signals it."""
        return self._wagering(self.tally.wagered)

    def _wagering(self, sums: tuple[int, int, int]) -> Wagering:
        wagers, worth, squares = sums
        tally = self.tally
        return Wagering(
            tally.shoes, tally.coups, wagers, Fraction(worth, PARTS), Fraction(squares, PARTS**2)
        )

    @property
    def by_count(self) -> dict[int, tuple[int, float]]:
        """For each true count that occurred: number of coups, and their average value."""
        rows = enumerate(self.tally.by_count, start=-MAX_TRUE_COUNT)
        return {true: (n, worth / n / PARTS) for true, (n, worth) in rows if n}

    @property
    def by_place(self) -> tuple[tuple[int, float, float], ...]:
        """For each position in the shoe: number of coups, the share of them in the player's favour,
        and a perfect counter's average win per coup."""
        rows = zip(self.tally.by_place, self.tally.good_by_place, strict=True)
        return tuple((n, good / n, worth / n / PARTS) for (n, worth), good in rows if n)
