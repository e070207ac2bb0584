"""The chance of each result and the expectation of each bet in mid-coup, given the cards seen so
far.

Known cards belong to a hand, in the order dealt; all others are drawn from the remaining shoe.
The unknown cards among the first four are enumerated by rank (and by suit within a rank only if a
bet depends on suits); third cards follow from the tableau. A known card without a suit may have
any suit still in the shoe.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import NamedTuple

from baccarat.analysis.counts import OutcomeCounter, counters, result_counts, total_sequences
from baccarat.analysis.edges import analyse
from baccarat.analysis.hand_counts import HandCounter
from baccarat.analysis.remaining import Count, RemainingShoe, SuitCounts, falling, remaining_shoe
from baccarat.core.cards import POINTS, RANKS, SUITS, Card
from baccarat.core.coup import Winner
from baccarat.core.errors import DealError
from baccarat.core.facts import NO_THIRD, PairKind, Shape
from baccarat.core.rulecard import Game

HAND_SIZE = 3


@dataclass(frozen=True)
class Chances:
    """Probabilities of the results, and the expected win per unit staked on each bet."""

    results: Mapping[Winner, Fraction]
    expectations: Mapping[str, Fraction]


def chances(
    game: Game,
    *,
    player: Sequence[Card] = (),
    banker: Sequence[Card] = (),
    removed: Sequence[Card] = (),
) -> Chances:
    """Return the chances, given the cards in both hands and the cards removed from the shoe."""
    for name, hand in (("player", player), ("banker", banker)):
        if len(hand) > HAND_SIZE:
            raise DealError(f"{name} has {len(hand)} cards: a hand has at most {HAND_SIZE}")
    shoe = remaining_shoe(game, removed)
    if not player and not banker:
        return _from_scratch(game, shoe)
    shoe.without([*player, *banker])  # raises an error if a card is not in the shoe
    return _MidCoup(game, shoe, player, banker).chances()


def _from_scratch(game: Game, shoe: RemainingShoe) -> Chances:
    total = total_sequences(shoe.size)
    results = result_counts(game.pay_table, shoe)
    return Chances(
        {name: Fraction(count, total) for name, count in results.items()},
        {bet: figures.expectation for bet, figures in analyse(game, shoe).items()},
    )


class _Start(NamedTuple):
    """The properties of the first four cards that affect the result."""

    player: int
    banker: int
    kinds: int
    """Pair kinds of both hands, as an index into PAIR_KINDS."""
    taken: tuple[int, ...]
    """Points of the known cards and of the enumerated cards, sorted."""


class _MidCoup:
    """One calculation of chances, for a game, a shoe and the known cards of both hands."""

    def __init__(
        self, game: Game, shoe: RemainingShoe, player: Sequence[Card], banker: Sequence[Card]
    ) -> None:
        self.game = game
        self.table = game.pay_table
        self.shoe = shoe
        self.known = player, banker
        self.thirds = (
            player[2].points if len(player) == HAND_SIZE else None,
            banker[2].points if len(banker) == HAND_SIZE else None,
        )
        self.places = [
            hand[i] if i < len(hand) else None for hand in (player, banker) for i in (0, 1)
        ]
        """The first four cards (player's, then banker's), then the third cards that are known."""
        self.places += [hand[2] for hand in (player, banker) if len(hand) == HAND_SIZE]
        self._ways: dict[tuple[str, tuple[int, ...]], Mapping[int, Fraction | int]] = {}

    def chances(self) -> Chances:
        weights = self._shape_weights()
        total = sum(weights.values())
        if not total:
            known = " ".join(str(card) for card in self.places if card)
            raise DealError(f"no coup has the cards {known}: neither hand draws that third card")
        results = dict.fromkeys(Winner, Fraction(0))
        expectations = dict.fromkeys((bet.id for bet in self.game.bets), Fraction(0))
        for (shape, _), weight in weights.items():
            results[shape.winner] += weight
        for counter in counters(self.table):
            outcomes, counts = counter.outcomes, self._counts(counter, weights)
            for i, by_payment in zip(outcomes.bets, outcomes.by_payment, strict=True):
                value = sum(
                    pay * sum(counts[o] for o in where) for pay, where in by_payment.items()
                )
                expectations[self.game.bets[i].id] = Fraction(value) / sum(counts)
        return Chances({name: n / total for name, n in results.items()}, expectations)

    def _counts(
        self, counter: OutcomeCounter | HandCounter, weights: "Mapping[tuple[Shape, int], Count]"
    ) -> Sequence[Count]:
        """Return the number of sequences for each outcome, up to a common factor."""
        if isinstance(counter, HandCounter):
            return counter.weights(self.shoe, *self.known)
        counts: list[Count] = [Fraction(0)] * len(counter.outcomes.pays)
        for (shape, kinds), weight in weights.items():
            counts[counter.outcomes.by_kinds[kinds][self.table.classes.index[shape]]] += weight
        return counts

    def _shape_weights(self) -> Mapping[tuple[Shape, int], Fraction]:
        """Return the number of sequences that give each class of coup, up to a common factor."""
        starts: defaultdict[_Start, Fraction | int] = defaultdict(int)
        for ranks in product(*([card.rank] if card else RANKS for card in self.places)):
            p1, p2, b1, b2, *_ = points = [POINTS[rank] for rank in ranks]
            for kinds, ways in self._ways_to_hold(ranks).items():
                taken = tuple(sorted(points))
                starts[_Start((p1 + p2) % 10, (b1 + b2) % 10, kinds, taken)] += ways
        weights: defaultdict[tuple[Shape, int], Fraction] = defaultdict(Fraction)
        for start, ways in starts.items():
            left = [n - start.taken.count(value) for value, n in enumerate(self.shoe.points)]
            for shape, third_ways in self._thirds(start.player, start.banker, left):
                weights[shape, start.kinds] += ways * third_ways
        return weights

    def _ways_to_hold(self, ranks: Sequence[str]) -> Mapping[int, Fraction | int]:
        """Return the number of ordered ways to draw these ranks, by combination of pair kinds."""
        places: dict[str, tuple[int, ...]] = {}
        for place, rank in enumerate(ranks):
            places[rank] = (*places.get(rank, ()), place)
        total: dict[int, Fraction | int] = {0: 1}
        for rank, held in places.items():
            # A hand's pair has a single rank, so the pair kinds of different ranks can be added.
            combined: defaultdict[int, Fraction | int] = defaultdict(int)
            for kinds, ways in total.items():
                for more, more_ways in self._ways_of_rank(rank, held).items():
                    combined[kinds + more] += ways * more_ways
            total = combined
        return total

    def _ways_of_rank(self, rank: str, held: tuple[int, ...]) -> Mapping[int, Fraction | int]:
        """Return the number of ordered ways to draw cards of one rank at these positions, by
        combination of pair kinds."""
        if (rank, held) not in self._ways:
            place = RANKS.index(rank)
            if self.table.suited:
                found = self._ways_by_suit(self.shoe.suit_counts(place), held)
            else:
                kinds = _kinds(held, dict.fromkeys(held))
                found = {kinds: falling(self.shoe.ranks[place], len(held))}
            self._ways[rank, held] = {kinds: ways for kinds, ways in found.items() if ways}
        return self._ways[rank, held]

    def _ways_by_suit(
        self, possible: Sequence[SuitCounts], held: tuple[int, ...]
    ) -> dict[int, Fraction | int]:
        found: defaultdict[int, Fraction | int] = defaultdict(int)
        open_suits = [
            (card.suit,) if (card := self.places[place]) and card.suit else SUITS for place in held
        ]
        for suits in product(*open_suits):
            numbers = [(SUITS.index(suit), n) for suit, n in Counter(suits).items()]
            ways = sum(prod(falling(counts[i], n) for i, n in numbers) for counts in possible)
            found[_kinds(held, dict(zip(held, suits, strict=True)))] += ways
        if len(possible) == 1:
            return found
        return {kinds: Fraction(ways, len(possible)) for kinds, ways in found.items()}

    def _thirds(self, p: int, b: int, points: Sequence[int]) -> Iterator[tuple[Shape, int]]:
        """Yield each shape that may follow a start, and the number of ways to draw its third
        cards."""
        tableau, (known_x, known_y) = self.game.tableau, self.thirds
        left = self.shoe.size - 4
        for x, x_ways in _draws(known_x, points, due=tableau.player_takes_third(p, b)):
            rest = list(points)
            if x != NO_THIRD and known_x is None:
                rest[x] -= 1
            for y, y_ways in _draws(known_y, rest, due=tableau.banker_takes_third(p, b, x)):
                drawn = (x != NO_THIRD) + (y != NO_THIRD)
                filler = falling(left - drawn, 2 - drawn)  # any other cards, to make six
                yield Shape(p, b, x, y), x_ways * y_ways * filler


def _draws(known: int | None, points: Sequence[int], *, due: bool) -> list[tuple[int, int]]:
    """Return (points, ways) for each possible third card: the known card, or any card left. If none
    is due, return NO_THIRD, or [] if a third card is known."""
    if known is not None:
        return [(known, 1)] if due else []
    return [(value, n) for value, n in enumerate(points) if n > 0] if due else [(NO_THIRD, 1)]


def _kinds(held: tuple[int, ...], suits: Mapping[int, str | None]) -> int:
    """Return the combination of pair kinds that cards of one rank make at these positions."""
    kinds = 0
    for first, weight in ((0, 3), (2, 1)):
        if first in held and first + 1 in held:
            suited = suits[first] is not None and suits[first] == suits[first + 1]
            kinds += weight * (PairKind.SUITED if suited else PairKind.RANK)
    return kinds
