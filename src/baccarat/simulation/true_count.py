"""Card counting by simulation: how often a count signals a wager, and the result of wagering then.

The inputs are a game, one of its bets, tags for the cards and the true count from which to wager.
The true count is the sum of the tags of all cards seen, divided by the number of unseen decks. The
results, in whole numbers, are the number of coups and the net result for each true count, and for
the coups wagered on. `counting.valuation` computes the exact value of every coup instead, which is
slower but without random variation in the results of coups.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm, sqrt
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from baccarat.core.cards import DECK_SIZE
from baccarat.core.errors import BaccaratError
from baccarat.core.money import ratio
from baccarat.core.rulecard import Game
from baccarat.shoe import ShoeRules
from baccarat.simulation import jobs
from baccarat.simulation.inputs import MAX_SHOES, DealtJob
from baccarat.simulation.kernel import (
    LANES,
    HandsInput,
    cards_of,
    class_of,
    deal_coups,
    first_place,
    make_workspace,
    row_of,
)
from baccarat.simulation.lookup import Detail

KINDS = 10
MAX_TAG = 999
MAX_TRUE_COUNT = 40
"""Largest absolute true count that is tallied separately; larger ones are tallied with it."""
CHUNK = 256 * LANES
MAX_DENOMINATOR = 10_000
"""Maximum value of the common denominator of the tags."""


class Trigger(NamedTuple):
    """The condition under which a count signals a wager."""

    tags: Any
    """[code]: tag of the card, times the scale."""
    least: int
    """Wager if running count × `per_card` is at least `least` × unseen cards."""
    per_card: int
    scale: int


@dataclass(frozen=True)
class Count:
    """Tags, and the true count from which to wager."""

    tags: tuple[Fraction, ...]
    """Tags of ace to nine, then of all cards worth zero (10 to K)."""
    at_least: Fraction

    def __post_init__(self) -> None:
        if len(self.tags) != KINDS:
            raise BaccaratError(f"give {KINDS} tags, for ace to nine and ten, not {len(self.tags)}")
        if self.scale > MAX_DENOMINATOR or max(map(abs, self.tags)) > MAX_TAG:
            raise BaccaratError(
                f"the tags {', '.join(map(str, self.tags))} are too fine or too large: "
                f"use decimals up to {MAX_TAG}"
            )
        if (
            abs(self.at_least.numerator) > MAX_DENOMINATOR**2
            or self.at_least.denominator > MAX_DENOMINATOR
        ):
            raise BaccaratError(
                f"a true count of {self.at_least} is too fine or too large: use up to four decimals"
            )

    @property
    def scale(self) -> int:
        """Factor that makes all tags whole numbers."""
        return lcm(*(tag.denominator for tag in self.tags))

    @property
    def identity(self) -> dict[str, Any]:
        return {"tags": [ratio(tag) for tag in self.tags], "at_least": ratio(self.at_least)}

    def by_code(self, detail: Detail) -> Any:
        """Return the scaled tag of every card code."""
        ranks = np.arange(detail) if detail is not Detail.CARDS else np.arange(detail) >> 2
        points = ranks if detail is Detail.POINTS else np.maximum(ranks, 3) - 3
        scaled = np.array([int(tag * self.scale) for tag in self.tags], np.int64)
        return scaled[points - 1]  # ten has 0 points, and index -1 is the last tag

    def trigger(self, detail: Detail) -> Trigger:
        least = self.at_least.numerator * self.scale
        per_card = DECK_SIZE * self.at_least.denominator
        return Trigger(self.by_code(detail), least, per_card, self.scale)


@njit(cache=True, nogil=True, boundscheck=False)
def count_coups(
    seed: Any,
    first_shoe: Any,
    shoes: Any,
    shoe: Any,
    game: Any,
    hands: Any,
    pays: Any,
    trigger: Any,
    sums: Any,
) -> Any:
    """Deal some shoes, count their cards, and wager when the count signals it. `hands` is None
    unless the bet is a hand bet.

    Return, for each true count from -MAX_TRUE_COUNT on, the number of coups and the sums of result
    and result squared. Let n be the number of coups of a shoe, w the number wagered on and x their
    net result. The sums over all shoes of n, w, x, w·w, x·w, x·x are added to `sums`.
    """
    by_count = np.zeros((2 * MAX_TRUE_COUNT + 1, 3), np.int64)
    workspace = make_workspace(shoe, game)
    tags = trigger.tags
    for base in range(first_shoe, first_shoe + shoes, LANES):
        deal_coups(seed, base, 1, shoe, game, workspace)
        for lane in range(min(LANES, first_shoe + shoes - base)):
            place = first_place(workspace.symbols, lane, game)
            face_down = place - 1 if shoe.shown else place
            count = tags[workspace.codes[0, lane]] if shoe.shown else 0
            w, x = 0, 0
            for coup in range(workspace.coups[lane]):
                mark = workspace.seen[lane, coup]
                left, outcome = shoe.size - place + face_down, class_of(mark)
                if hands is not None:
                    outcome = row_of(hands, 0, workspace.codes, place, lane, mark)
                pay = pays[outcome]
                true = count * DECK_SIZE // (trigger.scale * left)
                row = by_count[min(max(true, -MAX_TRUE_COUNT), MAX_TRUE_COUNT) + MAX_TRUE_COUNT]
                row[0] += 1
                row[1] += pay
                row[2] += pay * pay
                if count * trigger.per_card >= trigger.least * left:
                    w += 1
                    x += pay
                end = place + cards_of(mark)
                while place < end:
                    count += tags[workspace.codes[place, lane]]
                    place += 1
            sums[0] += workspace.coups[lane]
            sums[1] += w
            sums[2] += x
            sums[3] += w * w
            sums[4] += x * w
            sums[5] += x * x
    return by_count


@dataclass(frozen=True)
class CountRun(DealtJob):
    """The settings of a counting simulation, as a job."""

    game: Game
    rules: ShoeRules
    bet: str
    count: Count
    seed: int
    shoes: int
    chunk = CHUNK

    def __post_init__(self) -> None:
        self.check("shoes", self.shoes, MAX_SHOES)
        self.game.bet(self.bet)
        if self.rules.is_shuffler:
            raise BaccaratError(
                "counting cannot help with a shuffler, which is full for every coup: use a shoe"
            )
        if self.max_shoes_at_once < jobs.GROUP:
            raise BaccaratError(
                f"the odds of {self.bet} are too fine to count: the sums for standard errors would "
                "overflow; use odds with smaller numbers"
            )

    @property
    def place(self) -> int:
        """Index of the bet in the game's list."""
        return self.game.bets.index(self.game.bet(self.bet))

    @property
    def hands_input(self) -> HandsInput | None:
        """The tables for the group of the bet; None if the bet is not a hand bet."""
        hands = super().hands_input
        if hands is None or (group := hands.groups[self.place]) < 0:
            return None
        return hands._replace(starts=hands.starts[group : group + 1])

    @property
    def units(self) -> int:
        return self.shoes

    @property
    def identity(self) -> dict[str, Any]:
        return self.identity_with(bet=self.bet, count=self.count.identity, shoes=self.shoes)

    @property
    def max_shoes_at_once(self) -> int:
        """Maximum number of shoes for which the sums for standard errors always fit into 64
        bits."""
        most = int(abs(self.lookup.pays[:, self.place]).max(initial=1))
        return ((1 << 63) - 1) // (most * (self.rules.size // 4 + 1)) ** 2

    def part(self, first: int, count: int) -> "Counted":
        return jobs.in_pieces(self._part, first, count, self.max_shoes_at_once)

    def _part(self, first: int, count: int) -> "Counted":
        trigger, sums = self.count.trigger(self.lookup.detail), np.zeros(6, np.int64)
        pays = np.ascontiguousarray(self.lookup.pays[:, self.place])
        shoe, game, hands = self.shoe_input, self.game_input, self.hands_input
        by_count = count_coups(
            np.uint64(self.seed), first, count, shoe, game, hands, pays, trigger, sums
        )
        return Counted(count, tuple(map(tuple, by_count.tolist())), tuple(sums.tolist()))

    def result(self, total: "Counted") -> "CountResult":
        return CountResult(self, total)


@dataclass(frozen=True)
class Counted(jobs.Sums):
    """The totals of a counting simulation over some shoes, in whole numbers."""

    shoes: int
    by_count: tuple[tuple[int, ...], ...]
    sums: tuple[int, ...]

    @property
    def coups(self) -> int:
        return self.sums[0]


@dataclass(frozen=True)
class AtCount:
    """The coups at one true count."""

    true_count: int
    """The true count rounded down; the lowest and highest include all values beyond them."""
    coups: int
    share: float
    mean: float
    """Average net result per unit staked if every coup at this count is wagered on."""
    standard_error: float | None


@dataclass(frozen=True)
class Wagering:
    """The result, in units, of wagering one unit on some of the coups of some shoes."""

    shoes: int
    coups: int
    """Number of all coups, wagered on or not."""
    wagers: int
    won: Fraction
    """Total result of all wagers."""
    squares: Fraction
    """Sum of the squares of the result per shoe."""
    mean_error: float | None = None
    """Standard error of the mean, if the results are simulated."""

    @property
    def share(self) -> Fraction:
        """Share of coups wagered on."""
        return Fraction(self.wagers, self.coups)

    @property
    def mean(self) -> Fraction | None:
        """Average result of a wager; None if there were no wagers."""
        return self.won / self.wagers if self.wagers else None

    @property
    def per_shoe(self) -> Fraction:
        return self.won / self.shoes

    @property
    def per_shoe_error(self) -> float | None:
        if self.shoes < 2:
            return None
        return sqrt((self.squares / self.shoes - self.per_shoe**2) / (self.shoes - 1))

    @property
    def per_100_coups(self) -> Fraction:
        """Units won per hundred coups, wagered on or not."""
        return 100 * self.won / self.coups


class CountResult(jobs.Result[CountRun, Counted]):
    """The result of a counting run, or of the part that was done if the run was stopped early."""

    @property
    def wagering(self) -> Wagering:
        """The simulated result of wagering whenever the count signals it."""
        shoes, unit = self.tally.shoes, self._unit
        n, w, x, ww, xw, xx = self.tally.sums
        error = jobs.ratio_error(shoes, x, xx, xw, w, ww) / unit if w and shoes > 1 else None
        return Wagering(shoes, n, w, Fraction(x, unit), Fraction(xx, unit**2), error)

    @property
    def _unit(self) -> int:
        return self.run.lookup.units[self.run.place]

    @property
    def counts(self) -> tuple[AtCount, ...]:
        """The results at every true count that occurred."""
        rows = enumerate(self.tally.by_count, start=-MAX_TRUE_COUNT)
        return tuple(self._at(true, *row) for true, row in rows if row[0])

    def _at(self, true: int, n: int, x: int, xx: int) -> AtCount:
        mean, unit = Fraction(x, n), self._unit
        error = sqrt((Fraction(xx, n) - mean * mean) / (n - 1)) / unit if n > 1 else None
        return AtCount(true, n, n / self.coups, float(mean / unit), error)
