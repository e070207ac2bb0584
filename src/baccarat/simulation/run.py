"""A simulation run: whole shoes, every class of coups counted, every bet with its error."""

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from math import sqrt
from typing import Any, cast

import numpy as np

from baccarat.core.errors import BaccaratError
from baccarat.core.money import ratio
from baccarat.core.rulecard import Game
from baccarat.simulation import kernel, work
from baccarat.simulation.inputs import game_input, shoe_input
from baccarat.simulation.lookup import Lookup, lookup_of
from baccarat.simulation.plan import ShoePlan

CHUNK = 512 * kernel.LANES
"""Shoes simulated at a time by one thread: a few hundredths of a second."""
FEWEST_CLUSTERS = 100
"""With fewer groups of shoes than this, standard errors are taken shoe by shoe."""
MOST_SHOES = 10**15
MOST_SEED = (1 << 64) - 1


@dataclass(frozen=True)
class Run:
    """What is to be simulated."""

    game: Game
    plan: ShoePlan
    seed: int
    shoes: int
    by_place: bool = False
    """Count coups by their place in the shoe as well."""

    def __post_init__(self) -> None:
        if not 1 <= self.shoes <= MOST_SHOES:
            raise BaccaratError(
                f"{self.shoes} shoes cannot be simulated: 1 to {MOST_SHOES} is allowed"
            )
        check_seed(self.seed)
        coups = kernel.LANES * self.plan.size // 4
        worst = (int(abs(self.lookup.pays).max(initial=1)) * coups) ** 2 * (CHUNK // kernel.LANES)
        if worst >= 1 << 63:
            raise BaccaratError(
                f"{self.game.card.id} has odds too fine to simulate: the sums for standard "
                "errors would not fit; write them in smaller numbers"
            )

    @property
    def lookup(self) -> Lookup:
        return lookup_of(self.game.pay_table)

    @property
    def cluster(self) -> int:
        """Shoes taken together as one sample for standard errors."""
        return kernel.LANES if self.shoes >= FEWEST_CLUSTERS * kernel.LANES else 1

    @property
    def identity(self) -> dict[str, Any]:
        return {
            **rules_identity(self.game),
            "plan": asdict(self.plan),
            "seed": self.seed,
            "shoes": self.shoes,
            "by_place": self.by_place,
        }

    @property
    def units(self) -> int:
        return self.shoes

    @property
    def chunk(self) -> int:
        return CHUNK

    @property
    def most_at_once(self) -> int:
        """Shoes whose sums for standard errors surely fit into 64 bits."""
        coups = self.cluster * (self.plan.size // 4)
        worst = (int(abs(self.lookup.pays).max(initial=1)) * coups) ** 2
        return ((1 << 63) - 1) // worst * self.cluster

    def part(self, first: int, count: int) -> "Tally":
        return cast("Tally", work.in_pieces(self._part, first, count, self.most_at_once))

    def _part(self, first: int, count: int) -> "Tally":
        plan, lookup = self.plan, self.lookup
        classes, bets = lookup.pays.shape
        tallies = np.zeros(classes, np.int64)
        sums = np.zeros((3, bets), np.int64)
        by_place = np.zeros((plan.size // 4 if self.by_place else 0, classes), np.int64)
        kernel.simulate(
            np.uint64(self.seed),
            first,
            count,
            shoe_input(plan, lookup.detail),
            game_input(plan, lookup),
            self.cluster,
            tallies,
            sums,
            by_place,
        )
        return Tally(
            count,
            tuple(tallies.tolist()),
            -(-count // self.cluster),
            int(sums[2, 0]),
            tuple((int(sums[0, bet]), int(sums[1, bet])) for bet in range(bets)),
            tuple(tuple(row) for row in by_place.tolist()),
        )

    def restored(self, kept: dict[str, Any]) -> "Tally":
        return Tally(
            kept["shoes"],
            tuple(kept["classes"]),
            kept["clusters"],
            kept["squares"],
            tuple(map(tuple, kept["by_bet"])),
            tuple(map(tuple, kept["by_place"])),
        )


def check_seed(seed: int) -> None:
    if not 0 <= seed <= MOST_SEED:
        raise BaccaratError(f"the seed {seed} is out of range: 0 to {MOST_SEED} is allowed")


def rules_identity(game: Game) -> dict[str, Any]:
    """The rules that a result depends on."""
    lookup = lookup_of(game.pay_table)
    rules = hashlib.sha256(lookup.entries.tobytes())
    rules.update(repr(lookup.classes).encode())
    return {
        "card": game.card.id,
        "parameters": {name: ratio(value) for name, value in game.parameters.items()},
        "readings": dict(game.readings),
        "rules": rules.hexdigest(),
    }


@dataclass(frozen=True)
class Tally:
    """What some shoes of a run came to, in whole numbers."""

    shoes: int
    classes: tuple[int, ...]
    """Coups of each class of the lookup."""
    clusters: int
    squares: int
    """Sum over the clusters of coups squared."""
    by_bet: tuple[tuple[int, int], ...]
    """For each bet, sums over the clusters of result times coups, and of result squared."""
    by_place: tuple[tuple[int, ...], ...] = ()
    """For each place in the shoe, coups of each class."""

    @property
    def done(self) -> int:
        return self.shoes

    @property
    def coups(self) -> int:
        return sum(self.classes)

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.shoes + other.shoes,
            work.added(self.classes, other.classes),
            self.clusters + other.clusters,
            self.squares + other.squares,
            tuple(map(work.added, self.by_bet, other.by_bet)),
            tuple(map(work.added, self.by_place, other.by_place)),
        )


@dataclass(frozen=True)
class BetResult:
    """How one bet fared."""

    id: str
    mean: Fraction
    """Net result per coup and unit staked: minus what the house kept."""
    standard_error: float | None
    """Of the mean; None from a single sample. A sample is a shoe, or a group of them: coups of
    one shoe are related."""


@dataclass(frozen=True)
class Place:
    """The coups at one place in their shoes."""

    number: int
    """1 for the first coup of a shoe."""
    coups: int
    results: dict[str, int]


@dataclass(frozen=True)
class Simulation:
    """The result of a run, or of as much of it as was done."""

    run: Run
    tally: Tally

    @property
    def complete(self) -> bool:
        return self.tally.shoes == self.run.shoes

    @property
    def coups(self) -> int:
        return self.tally.coups

    @property
    def results(self) -> dict[str, int]:
        """How often the player won, the banker won, and it was a tie."""
        return self._results(self.tally.classes)

    @property
    def places(self) -> tuple["Place", ...]:
        """The same for the first coup of the shoes, the second, and so on, if asked for."""
        results = (self._results(classes) for classes in self.tally.by_place if any(classes))
        return tuple(
            Place(number, sum(counts.values()), counts)
            for number, counts in enumerate(results, start=1)
        )

    @property
    def certain_payments(self) -> dict[tuple[Fraction, ...], int]:
        """How often the bets paid what, net, among the coups that every shoe has (of a run by
        place). Only these are distributed as from a full shoe: see `ShoePlan.certain_coups`."""
        counts: dict[tuple[Fraction, ...], int] = {}
        rows = self.tally.by_place[: self.run.plan.certain_coups]
        for (_, pays), *column in zip(self.run.lookup.classes, *rows, strict=True):
            counts[pays] = counts.get(pays, 0) + sum(column)
        return counts

    def _results(self, tallied: Sequence[int]) -> dict[str, int]:
        counts = dict.fromkeys(("player", "banker", "tie"), 0)
        for (winner, _), n in zip(self.run.lookup.classes, tallied, strict=True):
            counts[winner] += n
        return counts

    @property
    def bets(self) -> tuple[BetResult, ...]:
        return tuple(self._bet(i, bet.id) for i, bet in enumerate(self.run.game.bets))

    def _bet(self, i: int, name: str) -> BetResult:
        classes = self.run.lookup.classes
        total = sum(
            (pays[i] * n for (_, pays), n in zip(classes, self.tally.classes, strict=True)),
            Fraction(0),
        )
        mean, unit = total / self.coups, self.run.lookup.units[i]
        with_coups, squared = self.tally.by_bet[i]
        spread = (
            Fraction(squared, unit * unit)
            - 2 * mean * Fraction(with_coups, unit)
            + mean * mean * self.tally.squares
        )
        clusters = self.tally.clusters
        if clusters < 2:
            return BetResult(name, mean, None)
        correction = Fraction(clusters, clusters - 1)
        return BetResult(name, mean, sqrt(spread * correction) / self.coups)


def simulate(run: Run, **how: Any) -> Simulation:
    """Do a run; `how` (threads, cluster, checkpoint, …) is as in `work.do`."""
    return Simulation(run, work.do(run, **how))
