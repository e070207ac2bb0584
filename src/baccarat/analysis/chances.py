"""Mid-coup: what each result and each bet still has, given the cards seen so far.

Known cards belong to a hand, in the order dealt; everything else is drawn from what is left.
The unknown cards of the first four are enumerated (by points, by ranks when a bet asks about
pairs, by cards when one asks about suits), the third cards follow from the tableau. A known card
without a suit may have any suit that is left.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from baccarat.analysis.counts import counters, falling, result_counts, total_sequences
from baccarat.analysis.edges import analyse
from baccarat.analysis.remaining import RemainingShoe, remaining_shoe
from baccarat.core.cards import RANKS, SUITS, Card
from baccarat.core.errors import DealError
from baccarat.core.facts import NO_THIRD, Shape, pair_kind
from baccarat.core.rulecard import Game

RESULTS = ("player", "banker", "tie")
HAND_SIZE = 3


@dataclass(frozen=True)
class Chances:
    """Probabilities of the results, and what a unit on each bet can expect to win."""

    results: Mapping[str, Fraction]
    expectations: Mapping[str, Fraction]


def chances(
    game: Game,
    *,
    player: Sequence[Card] = (),
    banker: Sequence[Card] = (),
    removed: Sequence[Card] = (),
) -> Chances:
    """The chances from here, with these cards in the hands and the removed ones gone."""
    for name, hand in (("player", player), ("banker", banker)):
        if len(hand) > HAND_SIZE:
            raise DealError(f"{name} has {len(hand)} cards: a hand has at most {HAND_SIZE}")
    shoe = remaining_shoe(game, removed)
    if not player and not banker:
        return _from_scratch(game, shoe)
    shoe.without([*player, *banker])  # refuses a card the shoe does not hold
    return _MidCoup(game, shoe, player, banker).chances()


def _from_scratch(game: Game, shoe: RemainingShoe) -> Chances:
    total = total_sequences(shoe.size)
    results = result_counts(game.pay_table, shoe)
    return Chances(
        {name: Fraction(count, total) for name, count in results.items()},
        {figures.bet.id: figures.expectation for figures in analyse(game, shoe)},
    )


class _MidCoup:
    """One question: a game, a shoe, and the known cards of both hands."""

    def __init__(
        self, game: Game, shoe: RemainingShoe, player: Sequence[Card], banker: Sequence[Card]
    ) -> None:
        self.game = game
        table = self.table = game.pay_table
        self.by_suit = table.suited
        self.by_rank = bool(table.start.bets or table.joint.bets)
        self.thirds = (
            player[2].points if len(player) == HAND_SIZE else None,
            banker[2].points if len(banker) == HAND_SIZE else None,
        )
        known_thirds = [hand[2] for hand in (player, banker) if len(hand) == HAND_SIZE]
        # A known card of a start is enumerated too: its suit may be open.
        self.shoe = shoe.without(known_thirds)
        self.left_after_start = shoe.size - 4
        self.candidates = [
            self._candidates(hand[i] if i < len(hand) else None)
            for hand in (player, banker)
            for i in range(2)
        ]

    def _candidates(self, known: Card | None) -> list[Card]:
        """The cards a place may hold, one for each kind that the bets tell apart."""
        ranks = [known.rank] if known else list(RANKS if self.by_rank else RANKS[:10])
        if not self.by_suit:
            return [Card(rank) for rank in ranks]
        suits = [known.suit] if known and known.suit else list(SUITS)
        return [Card(rank, suit) for rank in ranks for suit in suits]

    def chances(self) -> Chances:
        weights = self._shape_weights()
        total = sum(weights.values())
        if not total:
            raise DealError("no coup has these cards: a third card is there that nobody draws")
        results = dict.fromkeys(RESULTS, Fraction(0))
        expectations = dict.fromkeys((bet.id for bet in self.game.bets), Fraction(0))
        for (shape, _), weight in weights.items():
            difference = shape.player_total - shape.banker_total
            winner = "tie" if difference == 0 else "player" if difference > 0 else "banker"
            results[winner] += weight
        for counter in counters(self.table):
            outcomes = counter.outcomes
            counts = [Fraction(0)] * len(outcomes.pays)
            for (shape, kinds), weight in weights.items():
                counts[outcomes.by_kinds[kinds][self.table.classes.index[shape]]] += weight
            for i, by_payment in zip(outcomes.bets, outcomes.by_payment, strict=True):
                value = sum(
                    pay * sum(counts[o] for o in where) for pay, where in by_payment.items()
                )
                expectations[self.game.bets[i].id] = value / total
        return Chances({name: n / total for name, n in results.items()}, expectations)

    def _shape_weights(self) -> Mapping[tuple[Shape, int], Fraction]:
        """How many sequences end in each class of coup (up to one common factor)."""
        starts: dict[tuple[int, int, int, tuple[int, ...]], Fraction] = {}
        for cards, weight in self._starts((), Fraction(1)):
            p1, p2, b1, b2 = (card.points for card in cards)
            kinds = 3 * pair_kind(*cards[:2]) + pair_kind(*cards[2:])
            taken = tuple(sorted((p1, p2, b1, b2)))
            key = ((p1 + p2) % 10, (b1 + b2) % 10, kinds, taken)
            starts[key] = starts.get(key, Fraction(0)) + weight
        weights: dict[tuple[Shape, int], Fraction] = {}
        for (p, b, kinds, taken), weight in starts.items():
            points = [n - taken.count(value) for value, n in enumerate(self.shoe.points)]
            for shape, ways in self._thirds(p, b, points):
                key2 = (shape, kinds)
                weights[key2] = weights.get(key2, Fraction(0)) + weight * ways
        return weights

    def _starts(
        self, cards: tuple[Card, ...], weight: Fraction
    ) -> Iterator[tuple[tuple[Card, ...], Fraction]]:
        """Every first four cards, with the number of ways to draw them."""
        if len(cards) == 4:
            yield cards, weight
            return
        for card in self.candidates[len(cards)]:
            ways = self._ways_to_hold((*cards, card))
            if ways:
                yield from self._starts((*cards, card), ways)

    def _ways_to_hold(self, cards: tuple[Card, ...]) -> Fraction:
        """Ordered ways to draw these cards, rank by rank (or points by points)."""
        ways = Fraction(1)
        if not self.by_rank:
            for value, n in Counter(card.points for card in cards).items():
                ways *= falling(self.shoe.points[value], n)
        elif not self.by_suit:
            for rank, n in Counter(card.rank for card in cards).items():
                ways *= falling(self.shoe.ranks[RANKS.index(rank)], n)
        else:
            for rank in {card.rank for card in cards}:
                suits = Counter(card.suit or "" for card in cards if card.rank == rank)
                possible = self.shoe.suit_counts(RANKS.index(rank))
                products = [
                    prod(falling(counts[SUITS.index(suit)], n) for suit, n in suits.items())
                    for counts in possible
                ]
                ways *= Fraction(sum(products), len(products))
        return ways

    def _thirds(self, p: int, b: int, points: Sequence[int]) -> Iterator[tuple[Shape, int]]:
        """The third cards that may follow a start, and the ways to draw them."""
        tableau, (known_x, known_y) = self.game.tableau, self.thirds
        left = self.left_after_start
        ended = tableau.ends_at_once(p, b)
        player_draws = not ended and p in tableau.player_draws
        if known_x is not None and not player_draws:
            return
        for x, x_ways in _draws(known_x, points) if player_draws else [(NO_THIRD, 1)]:
            banker_draws = not ended and tableau.draws(b, x)
            if known_y is not None and not banker_draws:
                continue
            rest = list(points)
            if player_draws and known_x is None:
                rest[x] -= 1
            for y, y_ways in _draws(known_y, rest) if banker_draws else [(NO_THIRD, 1)]:
                drawn = player_draws + banker_draws
                filler = falling(left - drawn, 2 - drawn)  # any cards, up to six in all
                yield Shape(p, b, x, y), x_ways * y_ways * filler


def _draws(known: int | None, points: Sequence[int]) -> list[tuple[int, int]]:
    """(points, ways) of a third card: the known one, or any that is left."""
    if known is not None:
        return [(known, 1)]
    return [(value, n) for value, n in enumerate(points) if n > 0]
