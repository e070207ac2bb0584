"""Counting: how often a count says that a bet is worth a wager, and what comes of it.

In go a game, one of its bets, tags for the cards and the true count from which to wager. The true
count is the sum of the tags of all cards seen, per deck of cards not seen yet. Out come, in whole
numbers, coups and results for each true count and for those that were wagered on. What a coup was
really worth when the count said so, `Worth` tells exactly: it asks exact analysis about every
coup, which is slower and takes chance out of it.
"""

from dataclasses import asdict, dataclass
from fractions import Fraction
from math import lcm, sqrt
from typing import Any, cast

import numpy as np
from numba import njit

from baccarat.core.cards import DECK_SIZE
from baccarat.core.errors import BaccaratError
from baccarat.core.money import ratio
from baccarat.core.rulecard import Game
from baccarat.simulation import work
from baccarat.simulation.inputs import game_input, shoe_input
from baccarat.simulation.kernel import LANES, cards_of, class_of, deal_coups, first_place, make_room
from baccarat.simulation.lookup import Detail, Lookup, lookup_of
from baccarat.simulation.plan import ShoePlan
from baccarat.simulation.run import MOST_SHOES, check_seed, rules_identity

KINDS = 10
MOST_TAG = 999
FARTHEST = 40
"""True counts beyond this are put together with it."""
CHUNK = 256 * LANES
FINEST = 10_000
"""Tags are whole multiples of one part in this many, together."""


@dataclass(frozen=True)
class Count:
    """Tags, and the true count from which to wager."""

    tags: tuple[Fraction, ...]
    """For ace to nine, and ten."""
    at_least: Fraction

    def __post_init__(self) -> None:
        if len(self.tags) != KINDS:
            raise BaccaratError(
                f"{len(self.tags)} tags are given: name {KINDS}, for ace to nine and ten"
            )
        if self.scale > FINEST or max(map(abs, self.tags)) > MOST_TAG:
            raise BaccaratError(
                f"the tags {', '.join(map(str, self.tags))} are too fine or too large to count: "
                f"use decimals, up to {MOST_TAG}"
            )
        if abs(self.at_least.numerator) > FINEST**2 or self.at_least.denominator > FINEST:
            raise BaccaratError(f"a true count of {self.at_least} is out of range")

    @property
    def scale(self) -> int:
        """Tags times this are whole."""
        return lcm(*(tag.denominator for tag in self.tags))

    @property
    def identity(self) -> dict[str, Any]:
        return {"tags": [ratio(tag) for tag in self.tags], "at_least": ratio(self.at_least)}

    def by_code(self, detail: Detail) -> Any:
        """The scaled tag of every code of a card."""
        ranks = np.arange(detail) if detail is not Detail.CARDS else np.arange(detail) >> 2
        points = ranks if detail is Detail.POINTS else np.maximum(ranks, 3) - 3
        scaled = np.array([int(tag * self.scale) for tag in self.tags], np.int64)
        return scaled[points - 1]  # ten has no points, and the last tag

    def trigger(self, detail: Detail) -> Any:
        """(tags by code, least, per card): wager if count · per card ≥ least · cards not seen."""
        least = self.at_least.numerator * self.scale
        return self.by_code(detail), least, DECK_SIZE * self.at_least.denominator


@njit(cache=True, nogil=True, boundscheck=False)
def count_coups(
    seed: Any,
    first_shoe: Any,
    shoes: Any,
    shoe: Any,
    game: Any,
    pays: Any,
    trigger: Any,
    scale: Any,
    by_count: Any,
    sums: Any,
) -> None:
    """Count and wager through some shoes.

    by_count[true count + FARTHEST] gets coups, and the sums of result and result squared. With n
    the coups of a shoe, w those wagered on and x their result, sums gets the sums over the shoes
    of n, w, x, w·w, x·w, x·x.
    """
    size, burn = shoe[0], shoe[4]
    room = make_room(shoe, game)
    tags, least, per_card = trigger
    for base in range(first_shoe, first_shoe + shoes, LANES):
        deal_coups(seed, base, 1, shoe, game, room)
        for lane in range(min(LANES, first_shoe + shoes - base)):
            place = first_place(room.symbols, lane, game)
            face_down = place - 1 if burn < 0 else place
            count = tags[room.codes[0, lane]] if burn < 0 else 0
            w, x = 0, 0
            for coup in range(room.coups[lane]):
                mark = room.seen[lane, coup]
                left, pay = size - place + face_down, pays[class_of(mark)]
                true = count * DECK_SIZE // (scale * left)
                row = by_count[min(max(true, -FARTHEST), FARTHEST) + FARTHEST]
                row[0] += 1
                row[1] += pay
                row[2] += pay * pay
                if count * per_card >= least * left:
                    w += 1
                    x += pay
                end = place + cards_of(mark)
                while place < end:
                    count += tags[room.codes[place, lane]]
                    place += 1
            sums[0] += room.coups[lane]
            sums[1] += w
            sums[2] += x
            sums[3] += w * w
            sums[4] += x * w
            sums[5] += x * x


@dataclass(frozen=True)
class CountRun:
    """What is to be counted."""

    game: Game
    plan: ShoePlan
    bet: str
    count: Count
    seed: int
    shoes: int

    def __post_init__(self) -> None:
        check_seed(self.seed)
        self.game.bet(self.bet)
        if not 1 <= self.shoes <= MOST_SHOES:
            raise BaccaratError(f"{self.shoes} shoes: 1 to {MOST_SHOES} is allowed")
        if self.plan.shuffler:
            raise BaccaratError("a shuffler is full again for every coup: nothing can be counted")
        if self.most_at_once < work.GROUP:
            raise BaccaratError(
                f"{self.bet} has odds too fine to count: the sums for standard errors would not "
                "fit; write them in smaller numbers"
            )

    @property
    def lookup(self) -> Lookup:
        return lookup_of(self.game.pay_table)

    @property
    def place(self) -> int:
        """Of the bet among the game's."""
        return self.game.bets.index(self.game.bet(self.bet))

    @property
    def units(self) -> int:
        return self.shoes

    @property
    def chunk(self) -> int:
        return CHUNK

    @property
    def identity(self) -> dict[str, Any]:
        return {
            **rules_identity(self.game),
            "plan": asdict(self.plan),
            "bet": self.bet,
            "count": self.count.identity,
            "seed": self.seed,
            "shoes": self.shoes,
        }

    @property
    def most_at_once(self) -> int:
        """Shoes whose sums for standard errors surely fit into 64 bits."""
        most = int(abs(self.lookup.pays[:, self.place]).max(initial=1))
        return ((1 << 63) - 1) // (most * (self.plan.size // 4 + 1)) ** 2

    def part(self, first: int, count: int) -> "Counted":
        return cast("Counted", work.in_pieces(self._part, first, count, self.most_at_once))

    def _part(self, first: int, count: int) -> "Counted":
        by_count = np.zeros((2 * FARTHEST + 1, 3), np.int64)
        sums = np.zeros(6, np.int64)
        count_coups(
            np.uint64(self.seed),
            first,
            count,
            shoe_input(self.plan, self.lookup.detail),
            game_input(self.plan, self.lookup),
            np.ascontiguousarray(self.lookup.pays[:, self.place]),
            self.count.trigger(self.lookup.detail),
            self.count.scale,
            by_count,
            sums,
        )
        return Counted(count, tuple(map(tuple, by_count.tolist())), tuple(sums.tolist()))

    def restored(self, kept: dict[str, Any]) -> "Counted":
        return Counted(kept["shoes"], tuple(map(tuple, kept["by_count"])), tuple(kept["sums"]))


@dataclass(frozen=True)
class Counted:
    """What counting through some shoes came to, in whole numbers."""

    shoes: int
    by_count: tuple[tuple[int, ...], ...]
    sums: tuple[int, ...]

    @property
    def done(self) -> int:
        return self.shoes

    @property
    def coups(self) -> int:
        return self.sums[0]

    def __add__(self, other: "Counted") -> "Counted":
        return Counted(
            self.shoes + other.shoes,
            tuple(map(work.added, self.by_count, other.by_count)),
            work.added(self.sums, other.sums),
        )


@dataclass(frozen=True)
class AtCount:
    """The coups at one true count."""

    true_count: int
    """From this to below the next; the outermost hold all beyond."""
    coups: int
    share: float
    mean: float
    """Net result per unit staked, had every such coup been wagered on."""
    standard_error: float | None


@dataclass(frozen=True)
class CountResult:
    """The result of counting, or of as much of it as was done."""

    run: CountRun
    tally: Counted

    @property
    def complete(self) -> bool:
        return self.tally.shoes == self.run.shoes

    @property
    def coups(self) -> int:
        return self.tally.sums[0]

    @property
    def wagers(self) -> int:
        return self.tally.sums[1]

    @property
    def share(self) -> Fraction:
        """Of all coups, those that were wagered on."""
        return Fraction(self.wagers, self.coups)

    @property
    def _unit(self) -> int:
        return self.run.lookup.units[self.run.place]

    @property
    def won(self) -> Fraction:
        """By all wagers of one unit together."""
        return Fraction(self.tally.sums[2], self._unit)

    @property
    def mean(self) -> Fraction | None:
        """Net result of a wager; None when there was none."""
        return self.won / self.wagers if self.wagers else None

    @property
    def mean_error(self) -> float | None:
        _, w, x, ww, xw, xx = self.tally.sums
        if not w or self.tally.shoes < 2:
            return None
        mean, n = Fraction(x, w), self.tally.shoes
        spread = (xx - 2 * mean * xw + mean * mean * ww) * Fraction(n, n - 1)
        return sqrt(spread) / w / self._unit

    @property
    def per_shoe(self) -> Fraction:
        """Units won in a shoe."""
        return self.won / self.tally.shoes

    @property
    def per_shoe_error(self) -> float | None:
        n, x, xx = self.tally.shoes, self.tally.sums[2], self.tally.sums[5]
        return (
            sqrt(Fraction(xx, n) - Fraction(x, n) ** 2) / sqrt(n - 1) / self._unit
            if n > 1
            else None
        )

    @property
    def per_100_coups(self) -> Fraction:
        """Units won in a hundred coups, wagered on or not."""
        return 100 * self.won / self.coups

    @property
    def counts(self) -> tuple[AtCount, ...]:
        """Every true count that came up."""
        rows = enumerate(self.tally.by_count, start=-FARTHEST)
        return tuple(self._at(true, *row) for true, row in rows if row[0])

    def _at(self, true: int, n: int, x: int, xx: int) -> AtCount:
        mean, unit = Fraction(x, n), self._unit
        error = sqrt((Fraction(xx, n) - mean * mean) / (n - 1)) / unit if n > 1 else None
        return AtCount(true, n, n / self.coups, float(mean / unit), error)


def count_through(run: CountRun, **how: Any) -> CountResult:
    """Count; `how` (threads, cluster, checkpoint, …) is as in `work.do`."""
    return CountResult(run, work.do(run, **how))
