"""Exact counts of the ordered six-card sequences that give each outcome.

Every coup is counted as if six cards were drawn: a coup of four or five cards may be followed by
any cards. So every class has the same denominator N(N-1)…(N-5). A k-card is a card worth k points.
Let m be the counts by points, indexes be modulo 10, and [..] be 1 if true and 0 if not:

    M[q][k] = m[q-k] - [2k=q]                        partners of one k-card for the total q
    C[q]    = Σk m[k] M[q][k]                        ordered pairs of cards with total q
    S[p][b] = Σk m[k] M[p][k] (M[b][k] - [p=b])      pairs of pairs sharing exactly one card
    A[p][b] = C[p] C[b] - 4 S[p][b] - 2 [p=b] C[p]   ordered four-card starts

Removing one x-card changes C and S by a few terms:

    C'[q]    = C[q] - 2 M[q][x]
    S'[p][b] = S[p][b] - M[p][x] (M[b][x] - [p=b])            x was the shared card
             - M[p][x] (M[b][p-x] - [p=b]) - M[b][x] (M[p][b-x] - [p=b])      x was a partner

Pairs are counted separately: `PairWays` computes the number of ways to draw a pair of cards with
given points. For the cards drawn after a pair, only points matter.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement
from operator import mul
from typing import NamedTuple

from baccarat.analysis.hand_counts import HandCounter
from baccarat.analysis.remaining import MIN_CARDS, Count, RemainingShoe, falling
from baccarat.core.cards import POINTS, RANKS
from baccarat.core.coup import Winner
from baccarat.core.errors import CardError
from baccarat.core.facts import NO_THIRD, PAIR_KINDS, CoupClasses, PairKind, Value
from baccarat.core.paytable import Needs, Outcomes, PayTable

Start = tuple[int, int]
"""Totals of the player's and the banker's first two cards. A plain tuple, because starts are
unpacked thousands of times in an analysis, and a named tuple unpacks more slowly."""
STARTS: tuple[Start, ...] = tuple(combinations_with_replacement(range(10), 2))
"""All starts with p <= b; these are enough, because the counts are symmetric in the two hands."""
Thirds = tuple[int, ...]
"""Points of the third cards drawn, in order: none, one or two."""


class Continuation(NamedTuple):
    """Third cards that may follow a start."""

    thirds: Thirds
    place: int
    """Index of the resulting shape."""


PAIRS = (PairKind.RANK, PairKind.SUITED)


def total_sequences(size: int) -> int:
    """Return N(N-1)…(N-5) for a shoe of N = `size` cards; raise CardError if N is less than six."""
    if size < MIN_CARDS:
        raise CardError(f"only {size} cards are left: a coup may need {MIN_CARDS}")
    return falling(size, 6)


@lru_cache(maxsize=64)
def counters(table: PayTable) -> "tuple[OutcomeCounter | HandCounter, ...]":
    """Return the outcome counters of a pay table, one for each group of bets."""
    return tuple(counter_of(table, outcomes) for outcomes in table.groups)


def counter_of(table: PayTable, outcomes: Outcomes) -> "OutcomeCounter | HandCounter":
    """Return a counter of these outcomes of some of the pay table's bets."""
    return HandCounter(outcomes) if outcomes.hand_classes else OutcomeCounter(table, outcomes)


@lru_cache(maxsize=64)
def _continuations(classes: CoupClasses, *, by_start: bool) -> dict[Start, list[Continuation]]:
    """Return the third cards that may follow each start.

    If `by_start` is true, the start alone decides the bets: return no third cards, and any one
    shape with that start.
    """
    found: dict[Start, list[Continuation]] = {}
    for place, (p, b, x, y) in enumerate(classes.shapes):
        if by_start:
            found.setdefault((p, b), [Continuation((), place)])
        else:
            thirds = tuple(third for third in (x, y) if third != NO_THIRD)
            found.setdefault((p, b), []).append(Continuation(thirds, place))
    return found


def result_counts(table: PayTable, shoe: RemainingShoe) -> dict[Winner, int]:
    """Return the number of ordered six-card sequences with each result."""
    counts = shape_counts(table, shoe, [shape.winner for shape in table.classes.shapes])
    return {winner: int(counts[winner]) for winner in Winner}


def shape_counts(
    table: PayTable, shoe: RemainingShoe, values: Sequence[Value]
) -> defaultdict[Value, Count]:
    """Return, for each distinct value, the number of ordered six-card sequences with this value.

    `values` holds one value per shape.
    """
    places = {value: place for place, value in enumerate(dict.fromkeys(values))}
    of_shape = [places[value] for value in values]
    outcomes = Outcomes((), Needs.SHAPE, ((),) * len(places), (of_shape,) * len(PAIR_KINDS))
    counts = OutcomeCounter(table, outcomes).counts(shoe)
    return defaultdict(int, zip(places, counts, strict=True))


def outcome_chances(
    table: PayTable, outcomes: Outcomes, shoe: RemainingShoe
) -> list[tuple[tuple[Fraction, ...], Fraction]]:
    """Return the payments of the bets in each outcome, and the chance of that outcome."""
    total = total_sequences(shoe.size)
    counts = counter_of(table, outcomes).counts(shoe)
    return [(pays, Fraction(n) / total) for pays, n in zip(outcomes.pays, counts, strict=True)]


class OutcomeCounter:
    """Counts the outcomes of some of a pay table's bets, for any shoe."""

    def __init__(self, table: PayTable, outcomes: Outcomes) -> None:
        self.outcomes = outcomes
        self.pair_kinds: tuple[PairKind, ...] = ()
        """The kinds of pair that the bets distinguish."""
        if outcomes.needs is not Needs.SHAPE:
            self.pair_kinds = PAIRS if table.suited else PAIRS[:1]
        self.continuations = _continuations(table.classes, by_start=outcomes.needs is Needs.START)
        self._plan()

    def _plan(self) -> None:
        """Group the shapes by their third cards, which must be removed before the starts are
        counted."""
        outcome_of = self.outcomes.by_kinds[0]
        shapes: dict[Thirds, list[tuple[Start, int]]] = {}
        for (p, b), continuations in self.continuations.items():
            for thirds, place in continuations:
                key = thirds if len(thirds) < 2 else (min(thirds), max(thirds))
                start = min(p, b), max(p, b)
                shapes.setdefault(key, []).append((start, outcome_of[place]))
        self.starts: list[list[Start]] = [
            sorted({start for key in shapes if len(key) == drawn for start, _ in shapes[key]})
            for drawn in range(3)
        ]
        """The starts to count after removing no, one and two third cards."""
        self.plan: dict[Thirds, list[tuple[int, int]]] = {}
        """For each set of third cards, pairs of an index in `starts` and the outcome of that
        start."""
        for key, entries in shapes.items():
            place_of = {start: i for i, start in enumerate(self.starts[len(key)])}
            self.plan[key] = [(place_of[start], outcome) for start, outcome in entries]

    def counts(self, shoe: RemainingShoe) -> list[Count]:
        """Return the number of ordered six-card sequences for each outcome."""
        counts: list[Count] = [0] * len(self.outcomes.pays)
        self._count_shapes(shoe.points, counts)
        if self.pair_kinds:
            self._count_pairs(shoe, counts)
        return counts

    def _count_shapes(self, points: Sequence[int], counts: list[Count]) -> None:
        """Count every sequence as if there were no pairs."""
        full = Starts(points)
        one_out: dict[int, Starts] = {}
        for thirds, entries in self.plan.items():
            ways = _ways(points, thirds, full.size - 4)
            if not ways:
                continue
            if thirds and thirds[0] not in one_out:
                one_out[thirds[0]] = full.without(thirds[0])
            match thirds:
                case ():
                    numbers = full.four_cards(self.starts[0])
                case (x,):
                    numbers = one_out[x].four_cards(self.starts[1])
                case (x, y):
                    numbers = one_out[x].four_cards_without(y, self.starts[2])
            for place, outcome in entries:
                counts[outcome] += ways * numbers[place]

    def _count_pairs(self, shoe: RemainingShoe, counts: list[Count]) -> None:
        """Move the sequences in which a hand is a pair to their own outcomes."""
        pairs = PairWays(shoe, self.pair_kinds)
        for kind in self.pair_kinds:
            for value, ways in enumerate(pairs.of_one[kind]):
                if ways:
                    self._count_beside_any(kind, value, ways, shoe.points, counts)
        for player in self.pair_kinds:
            for banker in self.pair_kinds:
                for v, w, ways in pairs.of_both(player, banker):
                    rest = _less(shoe.points, v, v, w, w)
                    for thirds, place in self.continuations[2 * v % 10, 2 * w % 10]:
                        number = ways * _ways(rest, thirds, shoe.size - 4)
                        self._add(counts, player, banker, place, number)

    def _count_beside_any(
        self, kind: PairKind, value: int, ways: Count, points: Sequence[int], counts: list[Count]
    ) -> None:
        """Count the sequences in which one hand is a pair of cards with these points and the other
        hand is any hand."""
        held, rest = 2 * value % 10, Starts(_less(points, value, value))
        for other in range(10):
            for thirds, place in self.continuations[held, other]:
                number = ways * rest.two_cards_and(thirds, other)
                self._add(counts, kind, PairKind.NONE, place, number)
            for thirds, place in self.continuations[other, held]:
                number = ways * rest.two_cards_and(thirds, other)
                self._add(counts, PairKind.NONE, kind, place, number)

    def _add(self, counts: list[Count], p: int, b: int, place: int, n: Count) -> None:
        """Move n sequences with at least these kinds of pair from the lower kinds' outcomes to
        their own."""
        by_kinds = self.outcomes.by_kinds
        counts[by_kinds[3 * p + b][place]] += n
        if p:
            counts[by_kinds[3 * p - 3 + b][place]] -= n
        if b:
            counts[by_kinds[3 * p + b - 1][place]] -= n
        if p and b:
            counts[by_kinds[3 * p - 3 + b - 1][place]] += n


class Starts:
    """Two-card and four-card starts from counts by points (M, C and S in the module docstring)."""

    def __init__(self, points: Sequence[int]) -> None:
        m = self.points = list(points)
        self.size = sum(m)
        twice = m + m
        self.partners = [twice[q + 10 : q : -1] for q in range(10)]
        for k in range(10):
            self.partners[2 * k % 10][k] -= 1
        self.two_cards = [sum(map(mul, m, row)) for row in self.partners]

    @cached_property
    def shared(self) -> list[list[int]]:
        """S[p][b] for p <= b, which is enough because S is symmetric."""
        m, partners = self.points, self.partners
        result = []
        for p in range(10):
            weighted = list(map(mul, m, partners[p]))
            row = [sum(map(mul, weighted, partners[b])) for b in range(p, 10)]
            row[0] -= self.two_cards[p]
            result.append([0] * p + row)
        return result

    def without(self, x: int) -> "Starts":
        """Return the starts of the shoe with one x-card removed."""
        rest = Starts(_less(self.points, x))
        rest.shared = [row[:] for row in self.shared]
        for (p, b), common in zip(STARTS, self._sharing(x, STARTS), strict=True):
            rest.shared[p][b] -= common
        return rest

    def four_cards(self, starts: Sequence[Start]) -> list[int]:
        """Return A[p][b] for each of these starts, where p <= b."""
        two, shared = self.two_cards, self.shared
        return [two[p] * (two[b] - 2 * (p == b)) - 4 * shared[p][b] for p, b in starts]

    def four_cards_without(self, x: int, starts: Sequence[Start]) -> list[int]:
        """Return A[p][b] for each of these starts, where p <= b, with one x-card removed."""
        two = [n - 2 * row[x] for n, row in zip(self.two_cards, self.partners, strict=True)]
        shared = self.shared
        return [
            two[p] * (two[b] - 2 * (p == b)) - 4 * (shared[p][b] - common)
            for (p, b), common in zip(starts, self._sharing(x, starts), strict=True)
        ]

    def _sharing(self, x: int, starts: Sequence[Start]) -> list[int]:
        """Return, for each start, how many of the pairs of pairs that share a card include a given
        x-card."""
        partners = self.partners
        of_x = [row[x] for row in partners]
        result = []
        for p, b in starts:
            xp, xb = of_x[p], of_x[b]
            if p == b:
                result.append(xp * (xp - 1 + 2 * (partners[p][p - x] - 1)))
            else:
                result.append(xp * (xb + partners[b][p - x]) + xb * partners[p][b - x])
        return result

    def two_cards_and(self, thirds: Thirds, total: int) -> int:
        """Return the number of ways to draw two cards with this total, then these third cards, then
        any cards, to complete six cards together with the pair already drawn."""
        pairs: int = self.two_cards[total]
        for i, third in enumerate(thirds):
            partners = self.partners[total][third]
            if i and (total - third) % 10 == thirds[0]:
                partners -= 1
            pairs -= 2 * partners
        return pairs * _ways(self.points, thirds, self.size - 2)


class PairWays:
    """Number of ways to draw one or two pairs of cards with given points from a shoe."""

    def __init__(self, shoe: RemainingShoe, kinds: Sequence[PairKind]) -> None:
        self.of_one: dict[PairKind, list[Count]] = {kind: [0] * 10 for kind in kinds}
        self.same_rank: dict[tuple[PairKind, PairKind], list[Count]] = {
            (player, banker): [0] * 10 for player in kinds for banker in kinds
        }
        """Correction to be added to the product of the two counts in `of_one` when both pairs have
        the same points, because two pairs of one rank are not independent."""
        for i, rank in enumerate(RANKS):
            value, n = POINTS[rank], shoe.ranks[i]
            two: dict[PairKind, Count] = {PairKind.RANK: falling(n, 2)}
            four: dict[tuple[PairKind, PairKind], Count] = {
                (PairKind.RANK, PairKind.RANK): falling(n, 4)
            }
            if PairKind.SUITED in kinds:
                suits = shoe.suit_counts(i)
                twos = [sum(falling(c, 2) for c in counts) for counts in suits]
                suited = two[PairKind.SUITED] = _mean(twos)
                both = _mean([_two_suited_pairs(c) for c in suits])
                four[PairKind.SUITED, PairKind.SUITED] = both
                four[PairKind.RANK, PairKind.SUITED] = suited * falling(n - 2, 2)
                four[PairKind.SUITED, PairKind.RANK] = suited * falling(n - 2, 2)
            for kind, ways in two.items():
                self.of_one[kind][value] += ways
            for (player, banker), ways in four.items():
                self.same_rank[player, banker][value] += ways - two[player] * two[banker]

    def of_both(self, player: PairKind, banker: PairKind) -> Iterator[tuple[int, int, Count]]:
        """Yield (points of the player's cards, points of the banker's cards, ordered ways to draw
        both pairs)."""
        for v, player_ways in enumerate(self.of_one[player]):
            for w, banker_ways in enumerate(self.of_one[banker]):
                ways = player_ways * banker_ways
                if v == w:
                    ways += self.same_rank[player, banker][v]
                if ways:
                    yield v, w, ways


def _ways(points: Sequence[int], thirds: Thirds, left: int) -> int:
    """Return the number of ways to draw these third cards, then any cards to complete six, from a
    shoe with `left` cards left."""
    if not thirds:
        return left * (left - 1)
    if len(thirds) == 1:
        return points[thirds[0]] * (left - 1)
    x, y = thirds
    return points[x] * (points[y] - (x == y))


def _less(points: Sequence[int], *taken: int) -> list[int]:
    rest = list(points)
    for value in taken:
        rest[value] -= 1
    return rest


def _two_suited_pairs(counts: Sequence[int]) -> int:
    """Return the number of ordered draws of four cards of one rank in which the first two share a
    suit and the last two share a suit."""
    twos = [falling(c, 2) for c in counts]
    same_suit = sum(falling(c, 4) - two * two for c, two in zip(counts, twos, strict=True))
    return sum(twos) ** 2 + same_suit


def _mean(values: Sequence[int]) -> Count:
    return values[0] if len(values) == 1 else Fraction(sum(values), len(values))
