"""Detects collusion: groups of players who bet on the same side and together exceed the maximum.

For every pair of players and each round in which both wager, two probabilities are compared: that
strangers would choose these sides, and that partners would (`PARTNERS_AGREE`). The model of
strangers is learnt from each player's own habits after the last two results, and from the rest of
the table in that round: two players who always bet on Banker, or who both follow a streak, agree
all the time without being partners. The log-likelihood ratios are summed over the rounds, and a
negative sum is reset to zero, so that partners who begin late are found too.

A suspicion is only evidence, and a person decides: two players with the same habit look exactly
like partners. Weights are floats, because they are not amounts of money.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import log10
from operator import mul

from baccarat.core.coup import Winner

PARTNERS_AGREE = 0.97
"""Assumed probability that partners bet on the same side."""
ENOUGH = 6.5
"""Minimum evidence for a suspicion, as log10 of the likelihood ratio of partners to strangers."""
PASSES = 5
"""Minimum number of rounds in which a group must exceed the maximum to be suspected."""
MAX_WATCHED = 60
"""Maximum number of players who are compared: those who most often stake large amounts."""
WORTH_WATCHING = 8
"""Players whose stakes are below the maximum divided by this number are not compared, because too
many partners would be needed to exceed the maximum."""

Stakes = Mapping[str, Mapping[str, int]]
"""Stakes in coins, by player and then by bet."""


@dataclass(frozen=True)
class SettledRound:
    """The facts of a settled round that are used to detect collusion."""

    number: int
    winner: Winner
    stakes: Stakes


@dataclass(frozen=True)
class Suspicion:
    """Players who may be partners, with the evidence."""

    players: tuple[str, ...]
    weight: float
    """Log10 of the likelihood ratio of the pair with the weakest evidence."""
    rounds: int
    """Number of rounds in which at least two of the players wagered."""
    same: int
    """Number of those rounds in which all of the players who wagered bet on the same side."""
    passed: tuple[int, ...]
    """Numbers of the rounds in which the players together exceeded the maximum of a bet."""
    most: int
    """Largest total that the players had on one bet, in coins."""


Habits = Mapping[tuple[str, tuple[str, ...]], Counter[str]]
"""How often each side was chosen, by player and the last two results."""


def _chance(habit: Counter[str], side: str, crowd: Mapping[str, float]) -> float:
    """Return the estimated probability that a player bets on this side.

    It is the side's share of the player's bets, smoothed with one extra bet that is split in the
    same proportions as the bets of the rest of the table.
    """
    return (habit[side] + crowd[side]) / (habit.total() + 1)


def suspicions(rounds: Sequence[SettledRound], maximum: Mapping[str, int]) -> list[Suspicion]:
    """Return the groups that bet in step and together exceed the maximum, strongest first."""
    watched = _watched(rounds, maximum)
    weights = _weights(rounds, watched)
    pairs = {pair: weight for pair, weight in weights.items() if weight >= ENOUGH}
    found = [_evidence(group, pairs, rounds, maximum) for group in _groups(pairs)]
    found = [suspicion for suspicion in found if len(suspicion.passed) >= PASSES]
    return sorted(found, key=lambda suspicion: (-suspicion.weight, suspicion.players))


def _watched(rounds: Sequence[SettledRound], maximum: Mapping[str, int]) -> set[str]:
    largest: Counter[str] = Counter()
    for settled in rounds:
        for player, stakes in settled.stakes.items():
            for bet, stake in stakes.items():
                if stake * WORTH_WATCHING >= maximum.get(bet, 0) > 0:
                    largest[player] += 1
    return {player for player, _ in largest.most_common(MAX_WATCHED)}


def side_of(stakes: Mapping[str, int]) -> str:
    """Return the bet on which a player stakes most."""
    return min(stakes, key=lambda bet: (-stakes[bet], bet))


def _weights(rounds: Sequence[SettledRound], watched: set[str]) -> dict[tuple[str, str], float]:
    """Return the largest weight that each pair of players reached."""
    habits: defaultdict[tuple[str, tuple[str, ...]], Counter[str]] = defaultdict(Counter)
    running: dict[tuple[str, str], float] = defaultdict(float)
    largest: dict[tuple[str, str], float] = defaultdict(float)
    results: tuple[str, ...] = ()
    for settled in rounds:
        sides = {player: side_of(stakes) for player, stakes in settled.stakes.items() if stakes}
        present = sorted(watched & sides.keys())
        by_chance = _by_chance(sides, present, habits, results)
        for pair in combinations(present, 2):
            a, b = sides[pair[0]], sides[pair[1]]
            like_crowd, by_habit = by_chance[a, b]
            both = sum(map(mul, by_habit[pair[0]], by_habit[pair[1]]))
            chance = min(max(both, like_crowd, 0.05), PARTNERS_AGREE)
            more = PARTNERS_AGREE / chance if a == b else (1 - PARTNERS_AGREE) / (1 - chance)
            weight = running[pair] = max(0.0, running[pair] + log10(more))
            largest[pair] = max(largest[pair], weight)
        for player, side in sides.items():
            habits[player, results][side] += 1
        if settled.winner != Winner.TIE:
            results = (*results[-1:], settled.winner)
    return largest


def _by_chance(
    sides: Mapping[str, str],
    present: Sequence[str],
    habits: Habits,
    results: tuple[str, ...],
) -> dict[tuple[str, str], tuple[float, dict[str, list[float]]]]:
    """Return two models of strangers for each pair of sides.

    The first is the probability that two players agree if both choose like the rest of the table.
    The second is each player's probability of choosing each side, according to habit.
    """
    everyone = Counter(sides.values())
    found = {}
    for a, b in product({sides[player] for player in present}, repeat=2):
        crowd = _crowd(everyone, a, b)
        like_crowd = sum(share * share for share in crowd.values())
        by_habit = {
            player: [_chance(habits[player, results], side, crowd) for side in crowd]
            for player in present
        }
        found[a, b] = like_crowd, by_habit
    return found


def _crowd(everyone: Counter[str], a: str, b: str) -> dict[str, float]:
    """Return each side's share of the rest of the table's bets, with half a bet added to each
    side."""
    others = everyone - Counter((a, b))
    known = set(everyone) | {a, b}
    total = others.total() + len(known) / 2
    return {side: (others[side] + 0.5) / total for side in known}


def _groups(pairs: Mapping[tuple[str, str], float]) -> list[tuple[str, ...]]:
    """Return the groups of players that the pairs connect, directly or indirectly."""
    groups: list[set[str]] = []
    for pair in pairs:
        joined = [group for group in groups if group & set(pair)]
        groups = [group for group in groups if group not in joined]
        groups.append(set(pair).union(*joined))
    return [tuple(sorted(group)) for group in groups]


def _evidence(
    group: tuple[str, ...],
    pairs: Mapping[tuple[str, str], float],
    rounds: Sequence[SettledRound],
    maximum: Mapping[str, int],
) -> Suspicion:
    together = same = most = 0
    passed: list[int] = []
    for settled in rounds:
        theirs = [settled.stakes[player] for player in group if settled.stakes.get(player)]
        if len(theirs) < 2:
            continue
        together += 1
        same += len({side_of(stakes) for stakes in theirs}) == 1
        sums: Counter[str] = Counter()
        for stakes in theirs:
            sums.update(stakes)
        most = max(most, *sums.values())
        if any(
            bet in maximum and coins > maximum[bet] and sum(bet in stakes for stakes in theirs) > 1
            for bet, coins in sums.items()
        ):
            passed.append(settled.number)
    weight = min(weight for pair, weight in pairs.items() if set(pair) <= set(group))
    return Suspicion(group, round(weight, 1), together, same, tuple(passed), most)
