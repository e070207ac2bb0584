"""How many ordered six-card sequences give each outcome, in exact integers.

Every coup is counted as if six cards were drawn: one that needs four or five can be followed by
any others, so every class has the same denominator N(N-1)…(N-5). With m the counts by points,
indices mod 10, and [..] being 1 when true and 0 when not:

    M[q][k] = m[q-k] - [2k=q]                        partners of one k-card for the total q
    C[q]    = Σk m[k] M[q][k]                        ordered pairs of cards with total q
    S[p][b] = Σk m[k] M[p][k] (M[b][k] - [p=b])      pairs of pairs sharing exactly one card
    A[p][b] = C[p] C[b] - 4 S[p][b] - 2 [p=b] C[p]   ordered four-card starts

and taking one x-card out changes C and S by a few terms:

    C'[q]    = C[q] - 2 M[q][x]
    S'[p][b] = S[p][b] - M[p][x] (M[b][x] - [p=b])            x was the shared card
             - M[p][x] (M[b][p-x] - [p=b]) - M[b][x] (M[p][b-x] - [p=b])      x was a partner

Pairs are counted on top: `PairWays` has the number of ways to draw a pair worth a given number of
points, for which the drawing after it does not depend on ranks or suits any more.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement
from operator import mul

from baccarat.analysis.remaining import FEWEST_CARDS, RemainingShoe
from baccarat.core.cards import POINTS, RANKS
from baccarat.core.errors import CardError
from baccarat.core.facts import NO_THIRD, PAIR_KINDS, PairKind, winner_of
from baccarat.core.paytable import Needs, Outcomes, PayTable

Count = int | Fraction
"""A number of sequences: whole, unless cards were taken evenly from the suits."""

Start = tuple[int, int]
"""The two-card totals of both hands."""
STARTS: tuple[Start, ...] = tuple(combinations_with_replacement(range(10), 2))
"""Counts of starts are symmetric in the two hands: p <= b is enough."""
Thirds = tuple[int, ...]
"""The points of the third cards drawn, in order: none, one or two."""

PAIRS = (PairKind.RANK, PairKind.SUITED)


def total_sequences(size: int) -> int:
    """N(N-1)…(N-5); refused when no coup can surely be dealt."""
    if size < FEWEST_CARDS:
        raise CardError(f"{size} cards are left: a coup may need {FEWEST_CARDS}")
    return falling(size, 6)


@lru_cache(maxsize=64)
def counters(table: PayTable) -> "tuple[OutcomeCounter, ...]":
    """The counters of a pay table, one for each group of bets that has any."""
    groups = (table.plain, table.start, table.joint)
    return tuple(OutcomeCounter(table, outcomes) for outcomes in groups if outcomes.bets)


def result_counts(table: PayTable, shoe: RemainingShoe) -> dict[str, int]:
    """How many ordered six-card sequences the player wins, the banker wins, and tie."""
    names = ("player", "banker", "tie")
    of_shape = [names.index(winner_of(shape)) for shape in table.classes.shapes]
    outcomes = Outcomes((), Needs.SHAPE, ((),) * len(names), (of_shape,) * len(PAIR_KINDS))
    counts = OutcomeCounter(table, outcomes).counts(shoe)
    return {name: int(count) for name, count in zip(names, counts, strict=True)}


class OutcomeCounter:
    """Counts the outcomes of some of a pay table's bets, for any shoe."""

    def __init__(self, table: PayTable, outcomes: Outcomes) -> None:
        self.outcomes = outcomes
        self.pair_kinds: tuple[PairKind, ...] = ()
        """The kinds of pair the bets tell apart."""
        if outcomes.needs is not Needs.SHAPE:
            self.pair_kinds = PAIRS if table.suited else PAIRS[:1]
        self.continuations: dict[Start, list[tuple[Thirds, int]]] = {}
        """For each four-card start, the third cards that may follow and the place of the shape.
        Bets that the start decides need no third cards: any shape of the start will do."""
        for place, (p, b, x, y) in enumerate(table.classes.shapes):
            if outcomes.needs is Needs.START:
                self.continuations.setdefault((p, b), [((), place)])
            else:
                thirds = tuple(third for third in (x, y) if third != NO_THIRD)
                self.continuations.setdefault((p, b), []).append((thirds, place))
        self._plan()

    def _plan(self) -> None:
        """Sort the shapes by the cards that must be taken out before starts are counted."""
        outcome_of = self.outcomes.by_kinds[0]
        shapes: dict[Thirds, list[tuple[Start, int]]] = {}
        for (p, b), continuations in self.continuations.items():
            for thirds, place in continuations:
                key = thirds if len(thirds) < 2 else (min(thirds), max(thirds))
                shapes.setdefault(key, []).append(((min(p, b), max(p, b)), outcome_of[place]))
        self.starts: list[list[Start]] = [
            sorted({start for key in shapes if len(key) == drawn for start, _ in shapes[key]})
            for drawn in range(3)
        ]
        """Starts that are needed after taking out none, one or two third cards."""
        self.plan: dict[Thirds, list[tuple[int, int]]] = {}
        """For each set of third cards, the places in `starts` and the outcomes they lead to."""
        for key, entries in shapes.items():
            place_of = {start: i for i, start in enumerate(self.starts[len(key)])}
            self.plan[key] = [(place_of[start], outcome) for start, outcome in entries]

    def counts(self, shoe: RemainingShoe) -> list[Count]:
        """How many ordered six-card sequences give each outcome."""
        counts: list[Count] = [0] * len(self.outcomes.pays)
        self._count_shapes(shoe.points, counts)
        if self.pair_kinds:
            for kinds, place, n in self._pair_sequences(shoe):
                self._add(counts, kinds, place, n)
        return counts

    def _count_shapes(self, points: Sequence[int], counts: list[Count]) -> None:
        """Every sequence, as if there were no pairs."""
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

    def _pair_sequences(self, shoe: RemainingShoe) -> Iterator[tuple[Start, int, Count]]:
        """(at least these kinds of pair, place of the shape, number of sequences)."""
        pairs = PairWays(shoe, self.pair_kinds)
        for kind in self.pair_kinds:
            for value, ways in enumerate(pairs.of_one[kind]):
                if ways:
                    yield from self._beside_any(kind, value, ways, shoe.points)
        for player in self.pair_kinds:
            for banker in self.pair_kinds:
                for v, w, ways in pairs.of_both(player, banker):
                    rest = _less(shoe.points, v, v, w, w)
                    for thirds, place in self.continuations[2 * v % 10, 2 * w % 10]:
                        yield (player, banker), place, ways * _ways(rest, thirds, shoe.size - 4)

    def _beside_any(
        self, kind: PairKind, value: int, ways: Count, points: Sequence[int]
    ) -> Iterator[tuple[Start, int, Count]]:
        """One hand holds a pair worth twice the value, the other hand holds anything."""
        held, rest = 2 * value % 10, Starts(_less(points, value, value))
        for other in range(10):
            for thirds, place in self.continuations[held, other]:
                yield (kind, PairKind.NONE), place, ways * rest.two_cards_and(thirds, other)
            for thirds, place in self.continuations[other, held]:
                yield (PairKind.NONE, kind), place, ways * rest.two_cards_and(thirds, other)

    def _add(self, counts: list[Count], kinds: tuple[int, int], place: int, n: Count) -> None:
        """Move sequences with at least these kinds of pair to where they belong."""
        by_kinds = self.outcomes.by_kinds
        p, b = kinds
        counts[by_kinds[3 * p + b][place]] += n
        if p:
            counts[by_kinds[3 * p - 3 + b][place]] -= n
        if b:
            counts[by_kinds[3 * p + b - 1][place]] -= n
        if p and b:
            counts[by_kinds[3 * p - 3 + b - 1][place]] += n


class Starts:
    """Two-card and four-card starts from counts by points (M, C and S above)."""

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
        """S[p][b] for p <= b; it is symmetric."""
        m, partners = self.points, self.partners
        result = []
        for p in range(10):
            weighted = list(map(mul, m, partners[p]))
            row = [sum(map(mul, weighted, partners[b])) for b in range(p, 10)]
            row[0] -= self.two_cards[p]
            result.append([0] * p + row)
        return result

    def without(self, x: int) -> "Starts":
        """The same with one x-card gone."""
        rest = Starts(_less(self.points, x))
        rest.shared = [row[:] for row in self.shared]
        for (p, b), common in zip(STARTS, self._sharing(x, STARTS), strict=True):
            rest.shared[p][b] -= common
        return rest

    def four_cards(self, starts: Sequence[Start]) -> list[int]:
        """A[p][b] for some starts p <= b."""
        two, shared = self.two_cards, self.shared
        return [two[p] * (two[b] - 2 * (p == b)) - 4 * shared[p][b] for p, b in starts]

    def four_cards_without(self, x: int, starts: Sequence[Start]) -> list[int]:
        """A[p][b] for some starts p <= b, with one x-card gone."""
        two = [n - 2 * row[x] for n, row in zip(self.two_cards, self.partners, strict=True)]
        shared = self.shared
        return [
            two[p] * (two[b] - 2 * (p == b)) - 4 * (shared[p][b] - common)
            for (p, b), common in zip(starts, self._sharing(x, starts), strict=True)
        ]

    def _sharing(self, x: int, starts: Sequence[Start]) -> list[int]:
        """How many of the pairs of pairs that share a card involve one given x-card."""
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
        """Ordered pairs of cards with this total, then these third cards, then any up to six."""
        pairs: int = self.two_cards[total]
        for i, third in enumerate(thirds):
            partners = self.partners[total][third]
            if i and (total - third) % 10 == thirds[0]:
                partners -= 1
            pairs -= 2 * partners
        return pairs * _ways(self.points, thirds, self.size - 2)


class PairWays:
    """In how many ways two or four cards of the shoe are pairs worth given points."""

    def __init__(self, shoe: RemainingShoe, kinds: Sequence[PairKind]) -> None:
        self.of_one: dict[PairKind, list[Count]] = {kind: [0] * 10 for kind in kinds}
        self.same_rank: dict[tuple[PairKind, PairKind], list[Count]] = {
            (player, banker): [0] * 10 for player in kinds for banker in kinds
        }
        """For both hands worth the same: what four cards of one rank add to the product."""
        for i, rank in enumerate(RANKS):
            value, n = POINTS[rank], shoe.ranks[i]
            two: dict[PairKind, Count] = {PairKind.RANK: falling(n, 2)}
            four: dict[tuple[PairKind, PairKind], Count] = {
                (PairKind.RANK, PairKind.RANK): falling(n, 4)
            }
            if PairKind.SUITED in kinds:
                suits = shoe.suit_counts(i)
                suited = two[PairKind.SUITED] = _mean([_suited_pairs(c) for c in suits])
                both = _mean([_two_suited_pairs(c) for c in suits])
                four[PairKind.SUITED, PairKind.SUITED] = both
                four[PairKind.RANK, PairKind.SUITED] = suited * falling(n - 2, 2)
                four[PairKind.SUITED, PairKind.RANK] = suited * falling(n - 2, 2)
            for kind, ways in two.items():
                self.of_one[kind][value] += ways
            for (player, banker), ways in four.items():
                self.same_rank[player, banker][value] += ways - two[player] * two[banker]

    def of_both(self, player: PairKind, banker: PairKind) -> Iterator[tuple[int, int, Count]]:
        """(player's value, banker's value, ordered pairs for both hands at once)."""
        for v, player_ways in enumerate(self.of_one[player]):
            for w, banker_ways in enumerate(self.of_one[banker]):
                ways = player_ways * banker_ways
                if v == w:
                    ways += self.same_rank[player, banker][v]
                if ways:
                    yield v, w, ways


def _ways(points: Sequence[int], thirds: Thirds, left: int) -> int:
    """Ways to draw these third cards and fill up to six, `left` cards being left before."""
    match thirds:
        case ():
            return left * (left - 1)
        case (x,):
            return points[x] * (left - 1)
        case (x, y):
            return points[x] * (points[y] - (x == y))
        case _:
            raise ValueError(f"{len(thirds)} third cards: a coup has two at most")


def _less(points: Sequence[int], *taken: int) -> list[int]:
    rest = list(points)
    for value in taken:
        rest[value] -= 1
    return rest


def falling(n: int, k: int) -> int:
    """n (n-1) … with k factors."""
    product = 1
    for i in range(k):
        product *= n - i
    return product


def _suited_pairs(counts: Sequence[int]) -> int:
    return sum(falling(c, 2) for c in counts)


def _two_suited_pairs(counts: Sequence[int]) -> int:
    """Four cards of one rank: the first two of one suit, the last two of one suit."""
    twos = [falling(c, 2) for c in counts]
    same_suit = sum(falling(c, 4) - two * two for c, two in zip(counts, twos, strict=True))
    return sum(twos) ** 2 + same_suit


def _mean(values: Sequence[int]) -> Count:
    return values[0] if len(values) == 1 else Fraction(sum(values), len(values))
