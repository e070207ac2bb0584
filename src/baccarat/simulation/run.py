"""A simulation run: shoes in chunks, on the threads of one machine, with the same digits always.

A run is made of chunks of shoe numbers; what a chunk counts is whole numbers, and they are added
up. So the result depends on the game, the seed and the number of shoes, and on nothing else: not
on threads, chunks, interruptions or machines.
"""

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from fractions import Fraction
from itertools import islice
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

from baccarat.core.errors import BaccaratError
from baccarat.core.money import ratio
from baccarat.core.rulecard import Game
from baccarat.shoe import Burn
from baccarat.simulation import kernel
from baccarat.simulation.lookup import Detail, Lookup, lookup_of
from baccarat.simulation.plan import ShoePlan
from baccarat.simulation.stream import rejected_below

CHUNK = 512 * kernel.LANES
"""Shoes simulated at a time by one thread: a few hundredths of a second."""
FEWEST_CLUSTERS = 100
"""With fewer groups of shoes than this, standard errors are taken shoe by shoe."""
MOST_SHOES = 10**15
MOST_SEED = (1 << 64) - 1
CHECKPOINT_FORMAT = 1


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
        if not 0 <= self.seed <= MOST_SEED:
            raise BaccaratError(
                f"the seed {self.seed} is out of range: 0 to {MOST_SEED} is allowed"
            )

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
        """Everything the result depends on."""
        rules = hashlib.sha256(self.lookup.entries.tobytes())
        rules.update(repr(self.lookup.classes).encode())
        return {
            "card": self.game.card.id,
            "parameters": {name: ratio(value) for name, value in self.game.parameters.items()},
            "readings": dict(self.game.readings),
            "rules": rules.hexdigest(),
            "plan": asdict(self.plan),
            "seed": self.seed,
            "shoes": self.shoes,
            "by_place": self.by_place,
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

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.shoes + other.shoes,
            _added(self.classes, other.classes),
            self.clusters + other.clusters,
            self.squares + other.squares,
            tuple(map(_added, self.by_bet, other.by_bet)),
            tuple(map(_added, self.by_place, other.by_place)),
        )


def _added(a: Sequence[int], b: Sequence[int]) -> Any:
    return tuple(x + y for x, y in zip(a, b, strict=True))


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
        return sum(self.tally.classes)

    @property
    def results(self) -> dict[str, int]:
        """How often the player won, the banker won, and it was a tie."""
        return self._results(self.tally.classes)

    @property
    def places(self) -> tuple["Place", ...]:
        """The same for the first coup of the shoes, the second, and so on, if asked for."""
        results = (self._results(classes) for classes in self.tally.by_place if any(classes))
        return tuple(Place(sum(counts.values()), counts) for counts in results)

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


Progress = Callable[[int], None]
"""Told how many shoes are done."""


def simulate(
    run: Run,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    checkpoint: Path | None = None,
) -> Simulation:
    """Do a run. Ctrl-C stops it early: what was done by then is returned."""
    threads = threads or os.cpu_count() or 1
    tally = read_checkpoint(run, checkpoint) if checkpoint else None
    done = tally.shoes if tally else 0
    try:
        for part in _parts(run, done, threads):
            tally = part if tally is None else tally + part
            if checkpoint:
                write_checkpoint(run, tally, checkpoint)
            if progress:
                progress(tally.shoes)
    except KeyboardInterrupt:
        if tally is None:
            raise
    assert tally is not None  # noqa: S101  (a run has at least one shoe)
    return Simulation(run, tally)


def _parts(run: Run, done: int, threads: int) -> Iterator[Tally]:
    """The tallies of the chunks that are left, in order."""
    chunks = iter(range(done, run.shoes, CHUNK))
    with ThreadPoolExecutor(threads) as pool:
        waiting: list[Future[Tally]] = []
        try:
            while True:
                for first in islice(chunks, 2 * threads - len(waiting)):
                    shoes = min(CHUNK, run.shoes - first)
                    waiting.append(pool.submit(simulate_chunk, run, first, shoes))
                if not waiting:
                    return
                yield waiting.pop(0).result()
        finally:
            for future in waiting:
                future.cancel()


def simulate_chunk(run: Run, first: int, shoes: int) -> Tally:
    """What some consecutive shoes of a run come to; `first` is a multiple of a kernel's lanes."""
    plan, lookup = run.plan, run.lookup
    decks, detail = plan.decks, lookup.detail
    rejected = np.array(
        [rejected_below(plan.size - 2 * word) for word in range(plan.size // 2)], np.uint32
    )
    needed = plan.most_dealt
    burns = {Burn.NONE: 0, Burn.ONE: 1, Burn.FIRST_CARD: -1}
    burn = 0 if plan.shuffler else burns[plan.burn]
    shoe = (
        plan.size,
        needed,
        plan.cut_at,
        plan.coups_after_cut,
        burn,
        rejected,
        start_counts(decks, detail),
    )
    classes, bets = lookup.pays.shape
    tallies = np.zeros(classes, np.int64)
    sums = np.zeros((3, bets), np.int64)
    places = plan.size // 4 if run.by_place else 0
    by_place = np.zeros((places, classes), np.int64)
    entries = lookup.entries.reshape(-1)
    small = np.uint16 if len(entries) <= 1 << 16 else np.uint32
    index = np.empty((plan.size + kernel.PADDING, kernel.LANES), small)
    kernel.simulate(
        np.uint64(run.seed),
        first,
        shoes,
        shoe,
        (int(detail), entries, lookup.pays),
        run.cluster,
        tallies,
        sums,
        by_place,
        index,
    )
    return Tally(
        shoes,
        tuple(tallies.tolist()),
        -(-shoes // run.cluster),
        int(sums[2, 0]),
        tuple((int(sums[0, bet]), int(sums[1, bet])) for bet in range(bets)),
        tuple(tuple(row) for row in by_place.tolist()),
    )


def start_counts(decks: int, detail: Detail) -> Any:
    """Of a full shoe: for each code but the last, how many cards have it or a lower one."""
    each = {Detail.POINTS: 4 * decks, Detail.RANKS: 4 * decks, Detail.CARDS: decks}[detail]
    codes = np.arange(1, detail, dtype=np.uint16)
    return codes * each + (12 * decks if detail is Detail.POINTS else 0)


def write_checkpoint(run: Run, tally: Tally, path: Path) -> None:
    """Keep what is done; the file is exchanged as a whole, so a kill leaves the old or the new."""
    data = {"format": CHECKPOINT_FORMAT, "run": run.identity, "tally": asdict(tally)}
    beside = path.with_name(f"{path.name}.new")
    try:
        beside.write_text(json.dumps(data), encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        raise BaccaratError(f"the checkpoint {path} cannot be written: {error.strerror}") from error


def read_checkpoint(run: Run, path: Path) -> Tally | None:
    """What was done before; None when there is no such file yet."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise BaccaratError(f"the checkpoint {path} cannot be read: {error}") from error
    if not isinstance(data, dict) or data.get("format") != CHECKPOINT_FORMAT:
        raise BaccaratError(f"{path} is no checkpoint of this program: name another file")
    if data.get("run") != json.loads(json.dumps(run.identity)):
        raise BaccaratError(
            f"the checkpoint {path} is of another run: name another file, or remove it"
        )
    try:
        kept = data["tally"]
        tally = Tally(
            kept["shoes"],
            tuple(kept["classes"]),
            kept["clusters"],
            kept["squares"],
            tuple(map(tuple, kept["by_bet"])),
            tuple(map(tuple, kept["by_place"])),
        )
        tally + simulate_chunk(run, 0, 1)  # the same shape as any part of the run
    except (KeyError, TypeError, ValueError) as error:
        raise BaccaratError(f"the checkpoint {path} is damaged: remove it") from error
    return tally
