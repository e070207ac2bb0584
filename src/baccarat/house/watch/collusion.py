"""Wagering in step: pairs and groups whose wagers on the same side together pass the maximum.

In go the settled rounds of a table, oldest first; out come suspicions with their evidence. For
every pair, each round in which both wager is weighed: how likely is the same side for two who know
nothing of each other, and how likely for two who play together (`TOGETHER`)? What strangers do is
learnt from their own habits after the last two results, and from what the rest of the table does in
that round: two who always back the banker, or who both follow a streak, agree all the time and are
no partners. The weights add up as logarithms, never below zero, so that partners who begin late are
found too.

The one rule: it only points. A pair that always does the same thing as a habit cannot be told from
partners by what it does, and a person decides about all the others. Weights are floats: nothing of
this is money.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from math import log10
from operator import mul

TOGETHER = 0.97
"""How often partners are on the same side."""
ENOUGH = 6.5
"""Powers of ten by which partners explain it better than strangers."""
PASSES = 5
"""So many rounds over the maximum together are "round after round"."""
MOST_WATCHED = 60
"""Players with the largest stakes who are compared with each other."""
WORTH_WATCHING = 8
"""A stake below this part of the maximum needs too many partners to matter."""

Stakes = Mapping[str, Mapping[str, int]]
"""Player to bet to coins."""


@dataclass(frozen=True)
class SettledRound:
    """What a round shows."""

    number: int
    winner: str
    stakes: Stakes


@dataclass(frozen=True)
class Suspicion:
    """Players who may be partners, and why."""

    players: tuple[str, ...]
    weight: float
    """Powers of ten, of the weakest link among them."""
    rounds: int
    """In which at least two of them wagered."""
    same: int
    """In which all of those were on the same side."""
    passed: tuple[int, ...]
    """Numbers of the rounds in which they passed the maximum of a bet together."""
    most: int
    """The most they had on one bet together, in coins."""

    @property
    def words(self) -> str:
        return (
            f"{', '.join(self.players)}: on the same side in {self.same} of {self.rounds} rounds, "
            f"together over the maximum in {len(self.passed)} of them. Partners explain this "
            f"10^{self.weight:.1f} times better than chance and habit."
        )


@dataclass
class _Habits:
    """What a player does after the last two results."""

    sides: dict[tuple[str, ...], Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def chance(self, after: tuple[str, ...], side: str, crowd: Mapping[str, float]) -> float:
        """Of a side, by habit; where there is none yet, as the crowd does."""
        counts = self.sides[after]
        return (counts[side] + crowd[side]) / (counts.total() + 1)


def suspicions(rounds: Sequence[SettledRound], maximum: Mapping[str, int]) -> list[Suspicion]:
    """Every group that wagers in step and passes the maximum together, the weightiest first."""
    watched = _watched(rounds, maximum)
    weights = _weights(rounds, watched)
    pairs = {pair: weight for pair, weight in weights.items() if weight >= ENOUGH}
    found = [_evidence(group, pairs, rounds, maximum) for group in _groups(pairs)]
    found = [one for one in found if len(one.passed) >= PASSES]
    return sorted(found, key=lambda one: (-one.weight, one.players))


def _watched(rounds: Sequence[SettledRound], maximum: Mapping[str, int]) -> set[str]:
    largest: Counter[str] = Counter()
    for one in rounds:
        for player, stakes in one.stakes.items():
            for bet, stake in stakes.items():
                most = maximum.get(bet, 0)
                if most and stake * WORTH_WATCHING >= most:
                    largest[player] += 1
    return {player for player, _ in largest.most_common(MOST_WATCHED)}


def side_of(stakes: Mapping[str, int]) -> str:
    """The bet that a player stakes most on."""
    return min(stakes, key=lambda bet: (-stakes[bet], bet))


def _weights(rounds: Sequence[SettledRound], watched: set[str]) -> dict[tuple[str, str], float]:
    """By pair, the largest weight that its rounds ever came to."""
    habits: dict[str, _Habits] = defaultdict(_Habits)
    running: dict[tuple[str, str], float] = defaultdict(float)
    largest: dict[tuple[str, str], float] = defaultdict(float)
    results: tuple[str, ...] = ()
    for one in rounds:
        sides = {player: side_of(stakes) for player, stakes in one.stakes.items() if stakes}
        present = sorted(watched & sides.keys())
        by_chance = _by_chance(sides, present, habits, results)
        for pair in combinations(present, 2):
            a, b = sides[pair[0]], sides[pair[1]]
            like_crowd, by_habit = by_chance[a, b]
            both = sum(map(mul, by_habit[pair[0]], by_habit[pair[1]]))
            chance = min(max(both, like_crowd, 0.05), TOGETHER)
            more = TOGETHER / chance if a == b else (1 - TOGETHER) / (1 - chance)
            weight = running[pair] = max(0.0, running[pair] + log10(more))
            if weight > largest[pair]:
                largest[pair] = weight
        for player, side in sides.items():
            habits[player].sides[results][side] += 1
        if one.winner != "tie":
            results = (*results[-1:], one.winner)
    return largest


def _by_chance(
    sides: Mapping[str, str],
    present: Sequence[str],
    habits: Mapping[str, _Habits],
    results: tuple[str, ...],
) -> dict[tuple[str, str], tuple[float, dict[str, list[float]]]]:
    """For two on these sides: the chance of the same side if both did like the crowd, and of each
    side for everyone by habit. What a pair does by itself is the likelier of the two."""
    everyone = Counter(sides.values())
    found = {}
    for a, b in product({sides[player] for player in present}, repeat=2):
        crowd = _crowd(everyone, a, b)
        like_crowd = sum(share * share for share in crowd.values())
        by_habit = {
            player: [habits[player].chance(results, side, crowd) for side in crowd]
            for player in present
        }
        found[a, b] = like_crowd, by_habit
    return found


def _crowd(everyone: Counter[str], a: str, b: str) -> dict[str, float]:
    """How the rest of the table is spread over the sides, each side counted half a time more."""
    others = everyone - Counter((a, b))
    known = set(everyone) | {a, b}
    total = others.total() + len(known) / 2
    return {side: (others[side] + 0.5) / total for side in known}


def _groups(pairs: Mapping[tuple[str, str], float]) -> list[tuple[str, ...]]:
    """Whoever is in step with one of a group belongs to it."""
    groups: list[set[str]] = []
    for pair in pairs:
        joined = [one for one in groups if one & set(pair)]
        groups = [one for one in groups if not one & set(pair)]
        groups.append(set(pair).union(*joined))
    return [tuple(sorted(one)) for one in groups]


def _evidence(
    group: tuple[str, ...],
    pairs: Mapping[tuple[str, str], float],
    rounds: Sequence[SettledRound],
    maximum: Mapping[str, int],
) -> Suspicion:
    together = same = most = 0
    passed: list[int] = []
    for one in rounds:
        mine = [one.stakes[player] for player in group if one.stakes.get(player)]
        if len(mine) < 2:
            continue
        together += 1
        same += len({side_of(stakes) for stakes in mine}) == 1
        sums: Counter[str] = Counter()
        for stakes in mine:
            sums.update(stakes)
        most = max(most, *sums.values())
        if any(
            bet in maximum and coins > maximum[bet] and sum(bet in stakes for stakes in mine) > 1
            for bet, coins in sums.items()
        ):
            passed.append(one.number)
    weight = min(weight for pair, weight in pairs.items() if set(pair) <= set(group))
    return Suspicion(group, round(weight, 1), together, same, tuple(passed), most)
