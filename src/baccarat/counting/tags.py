"""Tags for counting: from the effects of removal, the best linear count of a bet.

A counter gives every card a tag and adds up those of the cards that are gone; the sum per deck
left is the true count. With e_j the effect of removing one j-card (centred: their mean over the
shoe taken off), a shoe with n of N cards left has about the expectation

    E + (N-1)/n · (sum of e_j over the cards gone)

so the best tags are the effects themselves. Other tags do as well as they correlate with them:
that is the betting correlation. Their true count t is worth `slope` · t, and the bet breaks even
where E + slope · t = 0. How good the linear picture is, a simulation tells.

It needs the extra `lab`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import gcd, sqrt

import numpy as np

from baccarat.analysis.edges import analyse
from baccarat.analysis.removal import effects_of_removal
from baccarat.core.cards import DECK_SIZE, POINTS
from baccarat.core.errors import BaccaratError
from baccarat.core.rulecard import Game

KINDS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
"""Tags are given in this order; the last is for ten, jack, queen and king alike."""
WEIGHTS = (1,) * 9 + (4,)
"""Ranks of each kind."""
LARGEST = 4
"""Small enough to count in one's head."""
SCALES = 400

Tags = tuple[Fraction, ...]


@dataclass(frozen=True)
class BestTags:
    """What a count of one bet can be made of."""

    game: Game
    bet: str
    expectation: Fraction
    """Of the full shoe."""
    effects: Tags
    """Of removing one card of each kind, centred."""

    @property
    def exact(self) -> Tags:
        """The best tags: a true count of 1 is worth one per cent of the stake."""
        per_cent = Fraction(100 * (self._size - 1), DECK_SIZE)
        return tuple(effect * per_cent for effect in self.effects)

    def rounded(self, largest: int = LARGEST) -> Tags:
        """The whole tags from -largest to largest, balanced, that correlate best."""
        if not 1 <= largest <= 99:
            raise BaccaratError(f"tags up to {largest}: 1 to 99 is allowed")
        if not any(self.effects):
            raise BaccaratError(
                f"no rank matters more than another for {self.bet}: there is nothing to count"
            )
        return tuple(map(Fraction, _rounded(self.effects, largest)))

    def correlation(self, tags: Tags) -> float:
        """The betting correlation: 1 is perfect, 0 is useless."""
        product, squares = self._products(tags)
        own = sum(w * e * e for w, e in zip(WEIGHTS, self.effects, strict=True))
        return float(product) / sqrt(squares * own) if squares and own else 0.0

    def slope(self, tags: Tags) -> Fraction:
        """What a true count of 1 adds to the expectation."""
        product, squares = self._products(tags)
        return product / squares * Fraction(self._size - 1, DECK_SIZE) if squares else Fraction(0)

    def break_even(self, tags: Tags) -> Fraction | None:
        """The true count at which the bet is fair; None when these tags say nothing of it."""
        slope = self.slope(tags)
        return -self.expectation / slope if slope > 0 else None

    @property
    def _size(self) -> int:
        return self.game.decks * DECK_SIZE

    def _products(self, tags: Tags) -> tuple[Fraction, Fraction]:
        """Sums over the ranks of tag times effect, and of tag squared; tags centred."""
        mean = sum(w * t for w, t in zip(WEIGHTS, tags, strict=True)) / sum(WEIGHTS)
        centred = [tag - mean for tag in tags]
        product = sum(w * t * e for w, t, e in zip(WEIGHTS, centred, self.effects, strict=True))
        return Fraction(product), Fraction(
            sum(w * t * t for w, t in zip(WEIGHTS, centred, strict=True))
        )


def best_tags(game: Game, bet: str) -> BestTags:
    """The count of a bet, from the effects of removing cards from a full shoe."""
    expectation = analyse(game)[game.bet(bet).id].expectation
    by_rank = effects_of_removal(game)[bet]
    by_kind: dict[int, list[Fraction]] = {points: [] for points in (*range(1, 10), 0)}
    for rank, effect in by_rank.items():
        by_kind[POINTS[rank]].append(effect or Fraction(0))
    means = [sum(effects) / len(effects) for effects in by_kind.values()]
    centre = sum(w * e for w, e in zip(WEIGHTS, means, strict=True)) / sum(WEIGHTS)
    return BestTags(game, bet, expectation, tuple(Fraction(e - centre) for e in means))


@lru_cache(maxsize=64)
def _rounded(effects: Tags, largest: int) -> tuple[int, ...]:
    """Try every rounding up or down, at many scales, and keep the best that is balanced."""
    wanted, weights = np.array([float(e) for e in effects]), np.array(WEIGHTS)
    wanted /= np.abs(wanted).max()
    up = (np.arange(1 << len(effects))[:, None] >> np.arange(len(effects))) & 1
    best, found = -1.0, (0,) * len(effects)
    for scale in np.linspace(0.5, largest, SCALES):
        tags = np.floor(scale * wanted).astype(np.int64) + up
        tags = tags[(tags @ weights == 0) & (np.abs(tags).max(axis=1) <= largest)]
        tags = tags[np.any(tags != 0, axis=1)]
        if len(tags):
            scores = (tags * weights) @ wanted / np.sqrt((tags * tags) @ weights)
            if scores.max() > best + 1e-9:
                best, found = float(scores.max()), tuple(tags[scores.argmax()].tolist())
    common = gcd(*found) or 1
    return tuple(tag // common for tag in found)


def parse_tags(text: str) -> Tags:
    """Ten tags, from ace to nine and ten, such as `0,0,0,-1,-1,-1,-1,2,2,0`."""
    words = text.replace("−", "-").replace(" ", ",").split(",")
    words = [word for word in words if word]
    if len(words) != len(KINDS):
        raise BaccaratError(
            f"{len(words)} tags are given: name {len(KINDS)}, for {', '.join(KINDS)} (ten to king)"
        )
    return tuple(map(_tag, words))


def _tag(word: str) -> Fraction:
    try:
        tag = Fraction(word)
    except (ValueError, ZeroDivisionError):
        tag = Fraction(1000)
    if abs(tag) > 999 or tag.denominator > 10_000:
        raise BaccaratError(f"the tag {word!r} is no number from -999 to 999 with four decimals")
    return tag


def format_tags(tags: Sequence[Fraction]) -> str:
    """Tags for people."""
    return ", ".join(f"{float(tag):g}".replace("-", "−") for tag in tags)
