"""Simulation runs, which deal whole shoes, count every class of coups, and compute each bet's
standard error."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from operator import mul
from typing import Any

import numpy as np

from baccarat.core.coup import Winner
from baccarat.core.errors import BaccaratError
from baccarat.core.rulecard import Game
from baccarat.shoe import ShoeRules
from baccarat.simulation import jobs, kernel
from baccarat.simulation.inputs import MAX_SHOES, DealtJob

CHUNK = 512 * kernel.LANES
"""Number of shoes that one thread simulates at a time: a few hundredths of a second of work."""
MIN_CLUSTERS = 100
"""Minimum number of clusters; with fewer, standard errors are computed from single shoes."""


@dataclass(frozen=True)
class Run(DealtJob):
    """The settings of a simulation run, as a job."""

    game: Game
    rules: ShoeRules
    seed: int
    shoes: int
    by_place: bool = False
    """Whether coups are also counted by their position in the shoe."""
    chunk = CHUNK

    def __post_init__(self) -> None:
        self.check("shoes", self.shoes, MAX_SHOES)
        coups = kernel.LANES * self.rules.size // 4
        worst = (int(abs(self.lookup.pays).max(initial=1)) * coups) ** 2 * (CHUNK // kernel.LANES)
        if worst >= 1 << 63:
            raise BaccaratError(
                f"the odds of {self.game.card.id} are too fine to simulate: the sums for standard "
                "errors would overflow; use odds with smaller numbers"
            )

    @property
    def cluster(self) -> int:
        """Number of shoes combined into one sample (a cluster) for standard errors."""
        return kernel.LANES if self.shoes >= MIN_CLUSTERS * kernel.LANES else 1

    @property
    def units(self) -> int:
        return self.shoes

    @property
    def identity(self) -> dict[str, Any]:
        return self.identity_with(shoes=self.shoes, by_place=self.by_place)

    @property
    def max_shoes_at_once(self) -> int:
        """Maximum number of shoes for which the sums for standard errors always fit into 64
        bits."""
        coups = self.cluster * (self.rules.size // 4)
        worst = (int(abs(self.lookup.pays).max(initial=1)) * coups) ** 2
        return ((1 << 63) - 1) // worst * self.cluster

    def part(self, first: int, count: int) -> "Tally":
        return jobs.in_pieces(self._part, first, count, self.max_shoes_at_once)

    def _part(self, first: int, count: int) -> "Tally":
        rows, bets = self.lookup.pays.shape
        classes, places = len(self.lookup.classes), self.rules.size // 4 if self.by_place else 0
        counters = kernel.Counters(
            np.zeros(rows, np.int64),
            np.zeros((3, bets), np.int64),
            np.zeros((places, classes), np.int64),
        )
        shoe, game, hands = self.shoe_input, self.game_input, self.hands_input
        seed, cluster = np.uint64(self.seed), self.cluster
        kernel.simulate(seed, first, count, shoe, game, hands, cluster, counters)
        return Tally.of(count, -(-count // cluster), counters)

    def result(self, total: "Tally") -> "Simulation":
        return Simulation(self, total)


@dataclass(frozen=True)
class Tally(jobs.Sums):
    """The totals of some shoes of a run, in whole numbers."""

    shoes: int
    classes: tuple[int, ...]
    """Number of coups of each class of the lookup."""
    clusters: int
    squares: int
    """Sum over all clusters of the number of coups squared."""
    by_bet: tuple[tuple[int, int], ...]
    """For each bet, the sums over all clusters of result times number of coups, and of result
    squared."""
    by_place: tuple[tuple[int, ...], ...] = ()
    """For each position in the shoe, the number of coups of each class."""
    outcomes: tuple[int, ...] = field(default=(), repr=False)
    """Number of coups of each outcome of hand bets, in the order of `Lookup.pays`."""

    @classmethod
    def of(cls, shoes: int, clusters: int, counters: kernel.Counters) -> "Tally":
        """Return the totals that a kernel has counted."""
        tallies, sums = tuple(counters.tallies.tolist()), counters.sums.tolist()
        by_place, classes = (
            tuple(map(tuple, counters.by_place.tolist())),
            counters.by_place.shape[1],
        )
        return cls(
            shoes,
            tallies[:classes],
            clusters,
            sums[2][0],
            tuple(zip(*sums[:2], strict=True)),
            by_place,
            tallies[classes:],
        )

    @property
    def coups(self) -> int:
        return sum(self.classes)


@dataclass(frozen=True)
class BetResult:
    """The simulated result of one bet."""

    id: str
    mean: Fraction
    """Average net result per coup and unit staked; the simulated house edge with the opposite
    sign."""
    standard_error: float | None
    """Standard error of the mean; None if there is only one sample. A sample is a shoe or a group
    of shoes, because coups of one shoe are correlated."""


@dataclass(frozen=True)
class PositionInShoe:
    """The coups at one position in the shoe."""

    number: int
    """The position: 1 for the first coup of a shoe, and so on."""
    coups: int
    results: dict[Winner, int]


class Simulation(jobs.Result[Run, Tally]):
    """The result of a run, or of the part that was done if the run was stopped early."""

    @property
    def results(self) -> dict[Winner, int]:
        """Number of coups by result."""
        return self._results(self.tally.classes)

    @property
    def places(self) -> tuple["PositionInShoe", ...]:
        """The results by position: of all first coups of a shoe, all second coups, and so on. Empty
        unless the run is `by_place`."""
        results = (self._results(classes) for classes in self.tally.by_place if any(classes))
        return tuple(
            PositionInShoe(number, sum(counts.values()), counts)
            for number, counts in enumerate(results, start=1)
        )

    def _results(self, tallied: Sequence[int]) -> dict[Winner, int]:
        counts = dict.fromkeys(Winner, 0)
        for coups, n in zip(self.run.lookup.classes, tallied, strict=True):
            counts[coups.winner] += n
        return counts

    @property
    def bets(self) -> tuple[BetResult, ...]:
        return tuple(self._bet(i, bet.id) for i, bet in enumerate(self.run.game.bets))

    def _bet(self, i: int, name: str) -> BetResult:
        lookup, tally = self.run.lookup, self.tally
        unit, clusters = lookup.units[i], tally.clusters
        pays, coups = lookup.pays[:, i].tolist(), (*tally.classes, *tally.outcomes)
        total = Fraction(sum(map(mul, pays, coups)), unit)
        mean = total / self.coups
        if clusters < 2:
            return BetResult(name, mean, None)
        with_coups, squared = self.tally.by_bet[i]
        xx, xw = Fraction(squared, unit * unit), Fraction(with_coups, unit)
        error = jobs.ratio_error(clusters, total, xx, xw, self.coups, self.tally.squares)
        return BetResult(name, mean, error)
