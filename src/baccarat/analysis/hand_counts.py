"""Exact counts of six-card sequences for bets on suits, colours, ranks and sums.

Such a bet depends on the shape of a coup and on the kinds of both hands (`core.hand_facts.kinds`).
A hand's *class* is its two-card total, the points of its third card, and its kind. Two classes of
the player's hand that pay the same against every hand of the banker form a *row*; two classes of
the banker's hand that pay the same against every row form a *column*.

Let F be a row and G a column. To count the pairs of hands from F and G that have no card in common,
take all pairs and correct for each set of cards S that both hands contain:

    N(F, G) = ΣS (-1)^|S| A(F, S) A(G, S)        A(F, S) = ordered hands of F that contain S

A(F, S) depends only on the types of the cards in S, so all sets S of the same types are counted at
once. A coup of four or five cards may be followed by any cards, as in `counts`.

The outcome with the most pairs of classes (usually a loss) is not counted: it has all sequences
that the other outcomes leave.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb, prod
from operator import add
from typing import NamedTuple

from baccarat.analysis.remaining import Count, RemainingShoe, SuitCounts, falling
from baccarat.core.cards import RANKS, SUITS, Card
from baccarat.core.errors import CardError
from baccarat.core.facts import NO_THIRD
from baccarat.core.hand_facts.kinds import HandKinds, HandType
from baccarat.core.paytable import Needs, Outcomes

MAX_POSSIBILITIES = 500
"""Maximum number of ways in which the unknown suits of removed cards may have been."""

Types = tuple[int, ...]
"""Types of cards, sorted."""
Containing = Mapping[Types, Mapping[int, int]]
"""A(F, S) by the types of the cards in S, then by the number of the row or column F."""


class Drawn(NamedTuple):
    """Hands of one row or column for which cards of the same types must be drawn."""

    types: Types
    ways: int
    """Number of orders in which cards of these types give this hand."""
    number: int
    """Number of the row or column."""


class Plan:
    """The rows and columns of some outcomes, and the target of each pair of them.

    A target is an outcome together with the number of third cards: their number times the number of
    outcomes, plus the outcome.
    """

    def __init__(self, outcomes: Outcomes, *, by_start: bool, all_outcomes: bool) -> None:
        assert outcomes.hand_classes is not None  # noqa: S101  (only bets with hand classes)
        self.hands: HandKinds = outcomes.hand_classes.hands
        self.by_start = by_start
        self._merge_kinds(outcomes)
        targets = self._targets(outcomes)
        self.default: int | None = None
        """The outcome that is not counted."""
        if not all_outcomes:
            number = len(outcomes.pays)
            common = Counter(to % number for row in targets.values() for to in row.values())
            self.default = common.most_common(1)[0][0]
            targets = {
                player: {g: to for g, to in row.items() if to % number != self.default}
                for player, row in targets.items()
            }
        self._number(targets)

    def _merge_kinds(self, outcomes: Outcomes) -> None:
        """Merge kinds that pay the same in every shape, whatever the other hand's kind is."""
        sign, by_kinds = self.hands.sign, outcomes.by_kinds
        rows = [tuple(id(by_kinds[s]) for s in signs) for signs in sign]
        columns = list(zip(*rows, strict=True))
        self.player = [rows.index(row) for row in rows]
        """For each kind of the player's hand, the first kind that pays the same."""
        self.banker = [columns.index(column) for column in columns]

    def _targets(self, outcomes: Outcomes) -> dict[tuple[int, ...], dict[tuple[int, ...], int]]:
        """Return the target of every pair of classes that the tableau allows."""
        player, banker = (
            _by_hand(possible, merged)
            for possible, merged in zip(
                self.hands.possible, (self.player, self.banker), strict=True
            )
        )
        found: dict[tuple[int, ...], dict[tuple[int, ...], int]] = {}
        seen = set[tuple[int, int]]()
        assert outcomes.hand_classes is not None  # noqa: S101
        for place, (p, b, x, y) in enumerate(outcomes.hand_classes.shapes):
            if self.by_start:  # third cards do not matter: use any shape with this start
                if (p, b) in seen:
                    continue
                seen.add((p, b))
                x = y = NO_THIRD
            thirds = (x != NO_THIRD) + (y != NO_THIRD)
            for kind in player[p, x]:
                row = found.setdefault((p, x, kind), {})
                for other in banker[b, y]:
                    outcome = outcomes.by_kinds[self.hands.sign[kind][other]][place]
                    row[b, y, other] = outcome + thirds * len(outcomes.pays)
        return found

    def _number(self, targets: dict[tuple[int, ...], dict[tuple[int, ...], int]]) -> None:
        """Number the rows and columns; classes without any target belong to none."""
        rows: dict[frozenset[tuple[tuple[int, ...], int]], int] = {}
        self.row_of: dict[tuple[int, ...], int] = {}
        columns: defaultdict[tuple[int, ...], list[tuple[int, int]]] = defaultdict(list)
        for hand, of_hand in targets.items():
            if of_hand:
                key = frozenset(of_hand.items())
                if key not in rows:
                    for other, target in of_hand.items():
                        columns[other].append((len(rows), target))
                self.row_of[hand] = rows.setdefault(key, len(rows))
        numbers: dict[tuple[tuple[int, int], ...], int] = {}
        self.column_of = {
            other: numbers.setdefault(tuple(column), len(numbers))
            for other, column in columns.items()
        }
        self.targets: list[dict[int, int]] = [{} for _ in rows]
        """[row][column]: the target."""
        for number, column in zip(numbers.values(), numbers, strict=True):
            for row, target in column:
                self.targets[row][number] = target

    def player_hands(self, known: Types = ()) -> list[Drawn]:
        """Return the hands of each row that begin with cards of these types."""
        kinds, rows = self.player, self.row_of
        return [
            Drawn(tuple(sorted(hand.cards[len(known) :])), _orders(hand, known), row)
            for hand in self._beginning(known)
            if (row := rows.get((hand.start, hand.third, kinds[hand.player]))) is not None
        ]

    def banker_hands(self, known: Types = ()) -> list[Drawn]:
        """Return the hands of each column that begin with cards of these types."""
        kinds, columns = self.banker, self.column_of
        return [
            Drawn(tuple(sorted(hand.cards[len(known) :])), _orders(hand, known), column)
            for hand in self._beginning(known)
            if (column := columns.get((hand.start, hand.third, kinds[hand.banker]))) is not None
        ]

    def _beginning(self, known: Types) -> Iterator[HandType]:
        """Yield the hands that begin with cards of these types, in this order."""
        if not known:
            yield from self.hands.hands(thirds=not self.by_start)
            return
        for size in (2,) if self.by_start else (2, 3):
            more = size - len(known)
            for rest in product(range(len(self.hands.types)), repeat=more) if more >= 0 else ():
                cards = (*known, *rest)
                yield self.hands.hand(cards)._replace(cards=cards)


def _orders(hand: HandType, known: Types) -> int:
    """Return the number of orders in which the unknown cards of a hand can be drawn: two if they
    include its first two cards and these differ."""
    first, second, *_ = hand.cards
    return 1 + (not known and first != second)


def _by_hand(
    possible: Sequence[Iterable[tuple[int, int]]], merged: Sequence[int]
) -> Mapping[tuple[int, int], set[int]]:
    """Return the merged kinds of the hands with each (start, third)."""
    found: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
    for kind, hands in enumerate(possible):
        for hand in hands:
            found[hand].add(merged[kind])
    return found


class HandCounter:
    """Counts the outcomes of some bets on suits, colours, ranks or sums, for any shoe."""

    def __init__(self, outcomes: Outcomes) -> None:
        self.outcomes = outcomes
        self.plan = Plan(outcomes, by_start=outcomes.needs is Needs.START, all_outcomes=False)
        self.hands = self.plan.player_hands(), self.plan.banker_hands()
        """The hands of each row and of each column when no card is known."""
        self._complete: dict[bool, Plan] = {}

    def counts(self, shoe: RemainingShoe) -> list[Count]:
        """Return the number of ordered six-card sequences for each outcome."""
        plan = self.plan
        possible = possible_types(plan.hands, shoe)
        counts: list[Count] = [0] * len(self.outcomes.pays)
        for (left, _), weight in possible.items():
            for outcome, n in enumerate(self._add_up(plan, *self.hands, left, shoe.size)):
                counts[outcome] += weight * n
        if (cases := sum(possible.values())) > 1:
            counts = [Fraction(n) / cases for n in counts]
        assert plan.default is not None  # noqa: S101
        counts[plan.default] = falling(shoe.size, 6) - sum(counts)
        return counts

    def weights(
        self, shoe: RemainingShoe, player: Sequence[Card], banker: Sequence[Card]
    ) -> list[int]:
        """Return the number of sequences for each outcome, up to a common factor, if the hands
        begin with these cards. A card without a suit may have any suit still in the shoe."""
        by_start = self.outcomes.needs is Needs.START and max(len(player), len(banker)) < 3
        plan = self._complete_plan(by_start=by_start)
        weights = [0] * len(self.outcomes.pays)
        for (left, known), weight in possible_types(plan.hands, shoe, [*player, *banker]).items():
            hands = (
                plan.player_hands(known[: len(player)]),
                plan.banker_hands(known[len(player) :]),
            )
            for outcome, n in enumerate(self._add_up(plan, *hands, left, shoe.size)):
                weights[outcome] += weight * n
        return weights

    def _complete_plan(self, *, by_start: bool) -> Plan:
        if by_start not in self._complete:
            self._complete[by_start] = Plan(self.outcomes, by_start=by_start, all_outcomes=True)
        return self._complete[by_start]

    def _add_up(
        self, plan: Plan, player: list[Drawn], banker: list[Drawn], left: Types, size: int
    ) -> list[int]:
        """Return the number of sequences for each outcome, from a shoe with `left` cards of each
        type and `size` cards in all, including any known ones."""
        found = _pair_up(_containing(player, left), _containing(banker, left), plan.targets, left)
        number, counts = len(self.outcomes.pays), [0] * len(self.outcomes.pays)
        for target, n in found.items():
            thirds, outcome = divmod(target, number)
            counts[outcome] += n * falling(size - 4 - thirds, 2 - thirds)
        return counts


def _containing(hands: Iterable[Drawn], left: Types) -> Containing:
    """Return A(F, S) for all types of S, and for all F of which hands are given."""
    found: defaultdict[Types, defaultdict[int, int]] = defaultdict(lambda: defaultdict(int))
    everything = found[()]
    for types, ways, number in hands:
        if len(set(types)) < len(types) or len(types) < 2:
            for shared, n in _with_repeats(types, left):
                found[shared][number] += ways * n
        elif len(types) == 2:
            a, b = types
            everything[number] += ways * left[a] * left[b]
            found[a,][number] += ways * left[b]
            found[b,][number] += ways * left[a]
            found[types][number] += ways
        else:
            a, b, c = types
            first, second, third = left[a], left[b], ways * left[c]
            everything[number] += first * second * third
            found[a,][number] += second * third
            found[b,][number] += first * third
            found[c,][number] += ways * first * second
            found[a, b][number] += third
            found[a, c][number] += ways * second
            found[b, c][number] += ways * first
            found[types][number] += ways
    return found


def _with_repeats(types: Types, left: Types) -> Iterator[tuple[Types, int]]:
    """Yield each set S of cards of a hand with the number of ways to draw cards of these types that
    contain S."""
    for shared, numbers in _subsets(types):
        ways = 1
        for t, orders, given, n in numbers:
            ways *= orders * falling(left[t] - given, n - given)
        yield shared, ways


@cache
def _subsets(types: Types) -> list[tuple[Types, list[tuple[int, int, int, int]]]]:
    """Return each multiset of types that is contained in another, and for each type: the number of
    ways to place the smaller number of cards among the larger, the smaller and the larger."""
    whole = Counter(types)
    found = []
    for size in range(len(types) + 1):
        for shared in set(combinations(types, size)):
            given = Counter(shared)
            numbers = [(t, falling(n, given[t]), given[t], n) for t, n in whole.items()]
            found.append((shared, numbers))
    return found


def _pair_up(
    player: Containing, banker: Containing, targets: Sequence[Mapping[int, int]], left: Types
) -> dict[int, int]:
    """Return the number of pairs of hands without a common card, by target."""
    found: defaultdict[int, int] = defaultdict(int)
    for shared, by_row in player.items():
        by_column = banker.get(shared)
        if by_column is None:
            continue
        sets = (-1) ** len(shared)
        for t, n in Counter(shared).items():
            sets *= comb(left[t], n)
        if not sets:
            continue
        for row, hands in by_row.items():
            weight, of_row = sets * hands, targets[row]
            for column, others in by_column.items():
                if column in of_row:
                    found[of_row[column]] += weight * others
    return found


Possible = Mapping[tuple[Types, Types], int]
"""Possible numbers of cards left of each type together with possible types of the known cards, and
the number of ways in which they can come about."""


def possible_types(hands: HandKinds, shoe: RemainingShoe, known: Sequence[Card] = ()) -> Possible:
    """Return what the shoe may hold without the known cards, and which types these may have.

    If no suit that matters is unknown, there is a single possibility.
    """
    found: dict[tuple[Types, Types], int] = {((0,) * len(hands.types), (0,) * len(known)): 1}
    for i, rank in enumerate(RANKS):
        places = [place for place, card in enumerate(known) if card.rank == rank]
        of_rank = _possible_of_rank(hands, rank, shoe.suit_counts(i), [known[p] for p in places])
        combined: defaultdict[tuple[Types, Types], int] = defaultdict(int)
        for (left, types), ways in found.items():
            for (more, own), own_ways in of_rank.items():
                now = dict(zip(places, own, strict=True))
                key = (
                    tuple(map(add, left, more)),
                    tuple(now.get(place, t) for place, t in enumerate(types)),
                )
                combined[key] += ways * own_ways
        found = combined
        if len(found) > MAX_POSSIBILITIES:
            raise CardError(
                "too many cards were removed without their suits for bets that depend on suits: "
                "give the suits, such as 8h"
            )
    return found


def _possible_of_rank(
    hands: HandKinds, rank: str, possible: Sequence[SuitCounts], known: Sequence[Card]
) -> dict[tuple[Types, Types], int]:
    """Return the same as `possible_types` for the cards of one rank."""
    found: defaultdict[tuple[Types, Types], int] = defaultdict(int)
    suits = [SUITS if card.suit is None else (card.suit,) for card in known]
    for counts in possible:
        for chosen in product(*suits):
            taken = [chosen.count(suit) for suit in SUITS]
            if ways := prod(map(falling, counts, taken)):
                left = [0] * len(hands.types)
                for suit, n, gone in zip(SUITS, counts, taken, strict=True):
                    left[hands.type_of[Card(rank, suit)]] += n - gone
                types = tuple(hands.type_of[Card(rank, suit)] for suit in chosen)
                found[tuple(left), types] += ways
    return found
