"""Tags for card counting: the best linear count of a bet, from the effects of removal.

A card counter assigns a tag to every card and adds up the tags of the cards that are gone. The true
count is this sum divided by the number of decks left. Let e_j be the effect of removing one j-card,
minus the mean effect over the shoe. The expectation of a shoe with n of N cards left is
approximately

    E + (N-1)/n · (sum of e_j over the cards gone)

so the best tags are the effects themselves. The quality of other tags is their correlation with the
effects, called the betting correlation. A true count of t is worth `slope` · t, and the bet breaks
even where E + slope · t = 0. A simulation shows how good this linear approximation is.

This module needs the extra `lab`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import gcd, prod, sqrt

import numpy as np

from baccarat.analysis.edges import analyse, effects_of_removal
from baccarat.core.cards import DECK_SIZE, POINTS
from baccarat.core.errors import BaccaratError
from baccarat.core.rulecard import Game

KINDS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
"""The kinds of card, in the order of their tags; the last kind is ten, jack, queen and king."""
WEIGHTS = (1,) * 9 + (4,)
"""Number of ranks in each of KINDS."""
LARGEST = 4
"""Default for the largest absolute tag: small enough for mental arithmetic."""
SCALES = 400

Tags = tuple[Fraction, ...]


@dataclass(frozen=True)
class BestTags:
    """The effects of removal on one bet, and the tags derived from them."""

    game: Game
    bet: str
    expectation: Fraction
    """Expectation of the bet on a full shoe."""
    effects: Tags
    """Centred effects of removing one card of each kind."""
    spread: Fraction
    """Sum over the ranks of the mean squared effect of removing one of its cards. Tags by kind of
    card do not capture differences within a kind: between suits, or from ten to king."""

    @property
    def exact(self) -> Tags:
        """The best tags, scaled so that a true count of 1 is worth one per cent of the stake."""
        per_cent = Fraction(100 * (self._size - 1), DECK_SIZE)
        return tuple(effect * per_cent for effect in self.effects)

    def rounded(self, largest: int = LARGEST) -> Tags:
        """Return the balanced whole tags from -largest to largest with the best correlation."""
        if not 1 <= largest <= 99:
            raise BaccaratError(f"the largest tag must be between 1 and 99, not {largest}")
        if not any(self.effects):
            raise BaccaratError(f"all ranks affect {self.bet} equally, so counting cannot help")
        return tuple(map(Fraction, _rounded(self.effects, largest)))

    def correlation(self, tags: Tags) -> float:
        """Return the betting correlation: 1 is perfect, 0 is useless."""
        product, squares = self._products(tags)
        return float(product) / sqrt(squares * self.spread) if squares and self.spread else 0.0

    def slope(self, tags: Tags) -> Fraction:
        """Return how much each unit of true count adds to the bet's expectation."""
        product, squares = self._products(tags)
        return product / squares * Fraction(self._size - 1, DECK_SIZE) if squares else Fraction(0)

    def break_even(self, tags: Tags) -> Fraction | None:
        """Return the true count at which the bet breaks even; None if these tags do not predict
        it."""
        slope = self.slope(tags)
        return -self.expectation / slope if slope > 0 else None

    @property
    def _size(self) -> int:
        return self.game.decks * DECK_SIZE

    def _products(self, tags: Tags) -> tuple[Fraction, Fraction]:
        """Centre the tags, and return the sums over all ranks of tag × effect and of tag
        squared."""
        mean = _weighted(tags) / sum(WEIGHTS)
        centred = [tag - mean for tag in tags]
        return _weighted(centred, self.effects), _weighted(centred, centred)


def _weighted(*columns: Sequence[Fraction]) -> Fraction:
    """Return the sum over all ranks of the product of the columns."""
    return sum(
        (prod(row, start=Fraction(1)) for row in zip(WEIGHTS, *columns, strict=True)), Fraction(0)
    )


def best_tags(game: Game, bet: str) -> BestTags:
    """Return the best tags of a bet, from the effects of removing cards from a full shoe."""
    expectation = analyse(game)[game.bet(bet).id].expectation
    by_rank = effects_of_removal(game)[bet]
    by_kind: dict[int, list[Fraction]] = {points: [] for points in (*range(1, 10), 0)}
    for rank, effect in by_rank.items():
        by_kind[POINTS[rank]].append(effect or Fraction(0))
    means = [sum(effects, Fraction(0)) / len(effects) for effects in by_kind.values()]
    centre = _weighted(means) / sum(WEIGHTS)
    effects = tuple(effect - centre for effect in means)
    spread = _weighted(effects, effects)
    names = [known.id for known in game.pay_table.bets]
    if game.pay_table.hand_bets[names.index(game.bet(bet).id)]:
        by_card = effects_of_removal(game, by_suit=True)[bet].values()
        spread = sum((((effect or 0) - centre) ** 2 for effect in by_card), Fraction(0)) / 4
    return BestTags(game, bet, expectation, effects, spread)


@lru_cache(maxsize=64)
def _rounded(effects: Tags, largest: int) -> tuple[int, ...]:
    """Round the effects up and down in every combination, at many scales; return the best balanced
    tags."""
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
    """Parse ten tags, for ace to nine and ten, such as `0,0,0,-1,-1,-1,-1,2,2,0`."""
    words = text.replace("−", "-").replace(" ", ",").split(",")
    words = [word for word in words if word]
    if len(words) != len(KINDS):
        raise BaccaratError(
            f"give {len(KINDS)} tags, for {', '.join(KINDS)} (ten to king), not {len(words)}"
        )
    return tuple(map(_tag, words))


def _tag(word: str) -> Fraction:
    try:
        tag = Fraction(word)
    except (ValueError, ZeroDivisionError):
        tag = Fraction(1000)
    if abs(tag) > 999 or tag.denominator > 10_000:
        raise BaccaratError(
            f"the tag {word!r} is not a number from -999 to 999 with at most four decimals"
        )
    return tag


def format_tags(tags: Sequence[Fraction]) -> str:
    """Return tags as text, separated by commas."""
    return ", ".join(f"{float(tag):g}".replace("-", "−") for tag in tags)
