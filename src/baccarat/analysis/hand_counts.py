"""Exact counts of six-card sequences for bets on suits, colours, ranks and sums.

Such a bet depends on the shape of a coup and on the kinds of both hands (`core.hand_facts.kinds`).
A hand's *class* is its two-card total, the points of its third card, and its kind. Two classes of
the player's hand that pay the same against every hand of the banker form a *row*; two classes of
the banker's hand that pay the same against every row form a *column*.

Let F be a row and G a column. To count the pairs of hands from F and G that have no card in common,
take all pairs and correct for each set of cards S that both hands contain:

    N(F, G) = ΣS (-1)^|S| A(F, S) A(G, S)        A(F, S) = ordered hands of F that contain S

A(F, S) depends only on the types of the cards in S, so all sets S of the same types are counted at
once. If a bet looks at the suits of one hand only, the other hand's cards are distinguished only by
their points. A coup of four or five cards may be followed by any cards, as in `counts`.

The outcome with the most pairs of classes (usually a loss) is not counted: it gets all sequences
that no other outcome has.
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
from baccarat.core.facts import NO_THIRD, Shape
from baccarat.core.hand_facts.kinds import HandKinds, Side
from baccarat.core.paytable import Needs, Outcomes

MAX_POSSIBILITIES = 500
"""Maximum number of possibilities considered for the unknown suits of removed cards."""

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


HandClass = tuple[int, int, int]
"""A class of hands: two-card total, points of the third card or NO_THIRD, and kind."""


class Half:
    """The hands of one side, and the number of the row or column of each class."""

    def __init__(self, side: Side, merged: Sequence[int], *, by_start: bool) -> None:
        self.side = side
        self.merged = merged
        """For each kind, the first kind that pays the same in every shape."""
        self.by_start = by_start
        self.number_of: dict[HandClass, int] = {}
        """The number of the row or column of each class; missing classes belong to none."""

    def kinds(self) -> Mapping[tuple[int, int], set[int]]:
        """Return the kinds, after merging, of the hands with each (start, third)."""
        found: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
        for kind, hands in enumerate(self.side.possible):
            for hand in hands:
                found[hand].add(self.merged[kind])
        return found

    def hands(self, known: Types = ()) -> list[Drawn]:
        """Return the hands of each row or column that begin with cards of these types."""
        thirds, found = not self.by_start, []
        every = (
            self.side.beginning(known, thirds=thirds) if known else self.side.hands(thirds=thirds)
        )
        for hand in every:
            number = self.number_of.get((hand.start, hand.third, self.merged[hand.kind]))
            if number is not None:
                first, second, *_ = hand.cards
                orders = 1 if known or first == second else 2
                found.append(Drawn(tuple(sorted(hand.cards[len(known) :])), orders, number))
        return found


class Plan:
    """The rows and columns of some outcomes, and the target of each pair of them.

    A target encodes an outcome and the number of third cards, as this number times the number of
    outcomes, plus the outcome.
    """

    def __init__(self, outcomes: Outcomes, *, by_start: bool, all_outcomes: bool) -> None:
        assert outcomes.hand_classes is not None  # noqa: S101  (only bets with hand classes)
        self.kinds: HandKinds = outcomes.hand_classes.hands
        # Merge kinds that pay the same in every shape, whatever the other hand's kind is.
        rows = [tuple(id(outcomes.by_kinds[sign]) for sign in signs) for signs in self.kinds.sign]
        columns = list(zip(*rows, strict=True))
        self.player = Half(self.kinds.player, list(map(rows.index, rows)), by_start=by_start)
        self.banker = Half(self.kinds.banker, list(map(columns.index, columns)), by_start=by_start)
        targets = self._targets(outcomes, outcomes.hand_classes.shapes, by_start=by_start)
        self.default: int | None = None
        """The outcome that is not counted."""
        if not all_outcomes:
            number = len(outcomes.pays)
            common = Counter(to % number for row in targets.values() for to in row.values())
            self.default = common.most_common(1)[0][0]
            targets = {
                player: {banker: to for banker, to in row.items() if to % number != self.default}
                for player, row in targets.items()
            }
        self._number(targets)
        self._choose_fine()

    def _targets(
        self, outcomes: Outcomes, shapes: Sequence[Shape], *, by_start: bool
    ) -> dict[HandClass, dict[HandClass, int]]:
        """Return the target of every pair of classes that the tableau allows."""
        player, banker = self.player.kinds(), self.banker.kinds()
        found: dict[HandClass, dict[HandClass, int]] = {}
        seen = set[tuple[int, int]]()
        for place, (p, b, x, y) in enumerate(shapes):
            if by_start:  # third cards do not matter: use any shape with this start
                if (p, b) in seen:
                    continue
                seen.add((p, b))
                x = y = NO_THIRD
            thirds = (x != NO_THIRD) + (y != NO_THIRD)
            for kind in player[p, x]:
                row = found.setdefault((p, x, kind), {})
                for other in banker[b, y]:
                    outcome = outcomes.by_kinds[self.kinds.sign[kind][other]][place]
                    row[b, y, other] = outcome + thirds * len(outcomes.pays)
        return found

    def _number(self, targets: dict[HandClass, dict[HandClass, int]]) -> None:
        """Number the rows and columns."""
        rows: dict[frozenset[tuple[HandClass, int]], int] = {}
        columns: defaultdict[HandClass, list[tuple[int, int]]] = defaultdict(list)
        for hand, of_hand in targets.items():
            if of_hand:
                key = frozenset(of_hand.items())
                if key not in rows:
                    for other, target in of_hand.items():
                        columns[other].append((len(rows), target))
                self.player.number_of[hand] = rows.setdefault(key, len(rows))
        numbers: dict[tuple[tuple[int, int], ...], int] = {}
        for other, column in columns.items():
            self.banker.number_of[other] = numbers.setdefault(tuple(column), len(numbers))
        self.targets = [
            (row, number, target) for column, number in numbers.items() for row, target in column
        ]
        """(row, column, target) for each pair that has a target."""

    def _choose_fine(self) -> None:
        """Choose the *fine* side: one that distinguishes all types of cards. The other side may
        distinguish fewer."""
        player_is_fine = len(self.player.side.types) == len(self.kinds.types)
        self.fine, self.other = self.player, self.banker
        pairs = self.targets
        if not player_is_fine:
            self.fine, self.other = self.banker, self.player
            pairs = [(column, row, target) for row, column, target in pairs]
        self.by_fine: list[dict[int, int]] = [
            {} for _ in range(1 + max((number for number, _, _ in pairs), default=-1))
        ]
        """For each row (or column) of the fine side, the target by column (or row)."""
        for number, other, target in pairs:
            self.by_fine[number][other] = target
        self.coarse = [self.other.side.type_of[cards[0]] for cards in self.kinds.types]
        """For each type of the fine side, the type of the same cards on the other side."""


class HandCounter:
    """Counts the outcomes of some bets on suits, colours, ranks or sums, for any shoe."""

    def __init__(self, outcomes: Outcomes) -> None:
        self.outcomes = outcomes
        self.plan = Plan(outcomes, by_start=outcomes.needs is Needs.START, all_outcomes=False)
        self.hands = self.plan.fine.hands(), self.plan.other.hands()
        """The hands of the fine side and of the other side when no card is known."""
        self._complete: dict[bool, Plan] = {}

    def counts(self, shoe: RemainingShoe) -> list[Count]:
        """Return the number of ordered six-card sequences for each outcome."""
        plan = self.plan
        possible: Counter[Types] = Counter()
        for (left, _), ways in possible_types(plan.kinds, shoe).items():
            possible[_standard(left, plan.kinds.symmetries)] += ways
        counts: list[Count] = [0] * len(self.outcomes.pays)
        for left, weight in possible.items():
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
        begin = (player, banker) if plan.fine is plan.player else (banker, player)
        number = len(begin[0])
        weights = [0] * len(self.outcomes.pays)
        for (left, known), weight in possible_types(
            plan.kinds, shoe, [*begin[0], *begin[1]]
        ).items():
            fine = plan.fine.hands(known[:number])
            other = plan.other.hands(tuple(plan.coarse[t] for t in known[number:]))
            for outcome, n in enumerate(self._add_up(plan, fine, other, left, shoe.size)):
                weights[outcome] += weight * n
        return weights

    def _complete_plan(self, *, by_start: bool) -> Plan:
        if by_start not in self._complete:
            self._complete[by_start] = Plan(self.outcomes, by_start=by_start, all_outcomes=True)
        return self._complete[by_start]

    def _add_up(
        self, plan: Plan, fine: list[Drawn], other: list[Drawn], left: Types, size: int
    ) -> list[int]:
        """Return the number of sequences for each outcome, from a shoe with `left` cards of each
        type and `size` cards in all, including any known ones."""
        left_other = [0] * len(plan.other.side.types)
        for t, n in zip(plan.coarse, left, strict=True):
            left_other[t] += n
        found = _pair_up(plan, _containing(fine, left), _containing(other, left_other), left)
        number, counts = len(self.outcomes.pays), [0] * len(self.outcomes.pays)
        for target, n in found.items():
            thirds, outcome = divmod(target, number)
            counts[outcome] += n * falling(size - 4 - thirds, 2 - thirds)
        return counts


def _standard(left: Types, symmetries: Iterable[Types]) -> Types:
    """Return one of the numbers of cards of each type that give the same counts as these, always
    the same one."""
    return max(tuple(map(left.__getitem__, symmetry)) for symmetry in symmetries)


def _containing(hands: Iterable[Drawn], left: Sequence[int]) -> Containing:
    """Return A(F, S) for all types of S, and for every F to which any of the hands belongs."""
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


def _with_repeats(types: Types, left: Sequence[int]) -> Iterator[tuple[Types, int]]:
    """Yield each set S of cards in a hand of these types, with the number of ways to draw such a
    hand that contains S."""
    for shared, numbers in _subsets(types):
        ways = 1
        for t, orders, given, n in numbers:
            ways *= orders * falling(left[t] - given, n - given)
        yield shared, ways


@cache
def _subsets(types: Types) -> list[tuple[Types, list[tuple[int, int, int, int]]]]:
    """Return each multiset contained in these types and, for each type: the type, the number of
    ways to place the smaller number of its cards among the larger, the smaller number, and the
    larger."""
    whole = Counter(types)
    found = []
    for size in range(len(types) + 1):
        for shared in set(combinations(types, size)):
            given = Counter(shared)
            numbers = [(t, falling(n, given[t]), given[t], n) for t, n in whole.items()]
            found.append((shared, numbers))
    return found


def _pair_up(plan: Plan, fine: Containing, other: Containing, left: Types) -> dict[int, int]:
    """Return the number of pairs of hands without a common card, by target."""
    found: defaultdict[int, int] = defaultdict(int)
    coarse = plan.coarse
    for shared, by_number in fine.items():
        by_other = other.get(tuple(sorted(coarse[t] for t in shared)))
        if by_other is None:
            continue
        sets = (-1) ** len(shared)
        for t in set(shared):
            sets *= comb(left[t], shared.count(t))
        if not sets:
            continue
        for number, hands in by_number.items():
            weight, targets = sets * hands, plan.by_fine[number]
            for another, others in by_other.items():
                if another in targets:
                    found[targets[another]] += weight * others
    return found


Possible = Mapping[tuple[Types, Types], int]
"""Possible numbers of cards left of each type together with possible types of the known cards, and
the number of ways in which they can come about."""


def possible_types(hands: HandKinds, shoe: RemainingShoe, known: Sequence[Card] = ()) -> Possible:
    """Return what the shoe may hold apart from the known cards, and which types the known cards may
    have.

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
