"""Published studies of card counting, repeated and compared.

`studies.toml` lists the studies. Each is repeated on the same simulated shoes: whenever its count
signals a wager, the value of the bet is computed exactly from the unseen cards. So the standard
errors come from the shoes alone, and not from the results of the wagers.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement
from operator import mul
from pathlib import Path
from typing import Any

import numpy as np

from baccarat.core.money import parse_number
from baccarat.counting.study import Study, study
from baccarat.counting.tags import KINDS, parse_tags
from baccarat.counting.valuation import PARTS, ValuationRun, sums_by
from baccarat.loader import load
from baccarat.shoe import ShoeRules
from baccarat.simulation import jobs
from baccarat.simulation.kernel import LANES

STUDIES = Path(__file__).with_name("studies.toml")
FIGURES = ("share", "edge", "per_100_coups", "per_shoe")
"""The figures of a study, by their names in the file."""
NO_TAGS = (Fraction(0),) * len(KINDS)
"""The tags of perfect play, which does not use a count."""
TOLERANCE = 3
"""Number of standard errors by which a repeated figure may differ from the published one."""


@dataclass(frozen=True)
class PublishedStudy:
    """A published study of counting one bet."""

    study: Study
    published_count: bool
    """Whether the true count from which to bet is the study's; otherwise, it is where the bet
    breaks even."""
    perfect: bool
    """Whether the study is of perfect play, which bets whenever the bet favours the player."""
    hands: int
    """Number of hands that are bet on at the same time, with equal chances."""
    printed: Mapping[str, str]
    """The published figures, as printed, by name."""
    source: str
    reason: str
    """Why the figures cannot be found again; '' if they can."""


def published_studies() -> Iterator[PublishedStudy]:
    """Yield the published studies."""
    for raw in tomllib.loads(STUDIES.read_text(encoding="utf-8"))["study"]:
        perfect = "tags" not in raw
        count = 0 if perfect else raw.get("min_true_count")
        asked = study(
            load(raw["card"]).game(),
            raw["bet"],
            tags=NO_TAGS if perfect else parse_tags(raw["tags"]),
            at_least=None if count is None else Fraction(count),
        )
        yield PublishedStudy(
            asked,
            published_count=count is not None,
            perfect=perfect,
            hands=raw.get("hands", 1),
            printed={name: raw[name] for name in FIGURES if name in raw},
            source=raw["source"],
            reason=raw.get("reason", ""),
        )


@dataclass(frozen=True)
class Repeated(jobs.Sums):
    """Totals over some shoes: for each study, what `sums_of_products` returns."""

    shoes: int
    by_study: tuple[tuple[int, ...], ...]

    @property
    def coups(self) -> int:
        """Number of coups dealt in the shoes of the first study; the others have the same."""
        return self.by_study[0][1]


@dataclass(frozen=True)
class ReplicationRun:
    """A job that repeats studies."""

    studies: tuple[PublishedStudy, ...]
    seed: int
    shoes: int
    chunk = LANES

    @property
    def units(self) -> int:
        return self.shoes

    @property
    def identity(self) -> dict[str, Any]:
        return {"studies": [valuing.identity for valuing in self._valuing]}

    @cached_property
    def _valuing(self) -> list[ValuationRun]:
        return [
            each.study.valuing(
                ShoeRules(each.study.best.game.decks), seed=self.seed, shoes=self.shoes
            )
            for each in self.studies
        ]

    def part(self, first: int, count: int) -> Repeated:
        return jobs.in_pieces(self._group, first, count, LANES)

    def _group(self, first: int, shoes: int) -> Repeated:
        pairs = zip(self.studies, self._valuing, strict=True)
        return Repeated(
            shoes, tuple(_repeat(each, valuing, first, shoes) for each, valuing in pairs)
        )


def _repeat(
    published: PublishedStudy, valuing: ValuationRun, first: int, shoes: int
) -> tuple[int, ...]:
    coups = valuing.deal(first, shoes)
    if published.perfect:
        values = valuing.values(coups.cards)
        wager = values > 0
        values = values[wager]
    else:
        wager = coups.wager
        values = valuing.values(coups.cards[wager])
    return sums_of_products(
        np.bincount(coups.shoe, minlength=shoes).tolist(),
        np.bincount(coups.shoe[wager], minlength=shoes).tolist(),
        sums_by(coups.shoe[wager], values, shoes),
    )


def sums_of_products(n: list[int], w: list[int], x: list[int]) -> tuple[int, ...]:
    """Return the sums over all shoes of 1, n, w, x, n·n, n·w, n·x, w·w, w·x and x·x.

    In each shoe, n is the number of coups, w the number of coups wagered on, and x their value.
    """
    columns = ([1] * len(n), n, w, x)
    return tuple(
        sum(map(mul, one, other)) for one, other in combinations_with_replacement(columns, 2)
    )


@dataclass(frozen=True)
class RepeatedFigure:
    """A figure of a study, as published and as repeated."""

    name: str
    printed: str
    """'' if the study does not give this figure."""
    value: float
    error: float
    """Standard error of the value."""

    @property
    def agrees(self) -> bool | None:
        """Whether the difference is within the standard errors allowed and the published rounding;
        None if nothing was published."""
        if not self.printed:
            return None
        number = self.printed.rstrip("%")
        unit = 10.0 ** -len(number.partition(".")[2]) * (0.01 if "%" in self.printed else 1)
        off = abs(self.value - float(parse_number(self.printed)))
        return off <= TOLERANCE * self.error + unit / 2


def figures_of(published: PublishedStudy, sums: tuple[int, ...]) -> Iterator[RepeatedFigure]:
    """Yield the repeated figures of a study, given the sums of its products; none if the count
    never signals a wager."""
    shoes, n, w, x, nn, nw, nx, ww, wx, xx = sums
    if not w or shoes < 2:
        return
    units = published.hands / PARTS
    found = {
        "share": (w / n, jobs.ratio_error(shoes, w, ww, nw, n, nn)),
        "edge": (x / w / PARTS, jobs.ratio_error(shoes, x, xx, wx, w, ww) / PARTS),
        "per_100_coups": (
            100 * units * x / n,
            100 * units * jobs.ratio_error(shoes, x, xx, nx, n, nn),
        ),
        "per_shoe": (units * x / shoes, units * jobs.ratio_error(shoes, x, xx, x, shoes, shoes)),
    }
    for name in FIGURES:
        yield RepeatedFigure(name, published.printed.get(name, ""), *found[name])
