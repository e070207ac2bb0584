"""Deals coups again, following the tableau in the rules; cards are strings such as 'Kh'."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from baccarat.verifier import RANKS, next_hand

Tableau = dict[str, Any]
Hands = Mapping[str, Sequence[str]]
Facts = Mapping[str, int | str | bool]
SIDES = ("player", "banker")
POINTS = {
    rank + suit: min(place, 10) % 10 for place, rank in enumerate(RANKS, start=1) for suit in "shdc"
}
DECK = list(POINTS)
BY_POINTS = [f"{rank}s" for rank in RANKS[:10]]
"""One card for each number of points; only the points of a third card matter."""


class Dealt(NamedTuple):
    """Cards as a perfect dealer would deal them."""

    hands: dict[str, list[str]]
    whose: list[str]
    """The hand of each card that the coup takes; any further cards are excess cards."""
    due: str | None
    """The hand that must draw the next card; None if the coup is over."""


def points(card: str) -> int:
    if card not in POINTS:
        raise ValueError(f"{card!r:.40} is not a card")
    return POINTS[card]


def total(hand: Sequence[str]) -> int:
    return sum(map(points, hand)) % 10


def deal(tableau: Tableau, cards: Sequence[str]) -> Dealt:
    """Deal cards, given in the order in which they left the shoe, as a perfect dealer would."""
    player, banker = list[int](), list[int]()
    hands, worth = dict[str, list[str]](player=[], banker=[]), {"player": player, "banker": banker}
    whose: list[str] = []
    while (due := next_hand(player, banker, tableau)) and len(whose) < len(cards):
        card = cards[len(whose)]
        hands[due].append(card)
        worth[due].append(points(card))
        whose.append(due)
    return Dealt(hands, whose, due)


def written(hands: Hands) -> str:
    """Return a coup in the journal's notation."""
    return " ".join(f"{s[0].upper()}:{''.join(hands[s])}={total(hands[s])}" for s in SIDES)


def facts_of(hands: Hands, naturals: Collection[int]) -> Facts:
    """Return the facts of a coup to which the conditions of a rule card can refer."""
    facts: dict[str, int | str | bool] = {}
    for side in SIDES:
        hand, start = hands[side], total(hands[side][:2])
        facts |= {
            f"{side}_total": total(hand),
            f"{side}_cards": len(hand),
            f"{side}_start": start,
            f"{side}_natural": start in naturals,
            f"{side}_third": points(hand[2]) if len(hand) == 3 else "none",
            f"{side}_pair": hand[0][:-1] == hand[1][:-1],
            f"{side}_perfect_pair": hand[0] == hand[1],
        }
    more = total(hands["player"]) - total(hands["banker"])
    winner = "tie" if more == 0 else "player" if more > 0 else "banker"
    return facts | {"winner": winner, "margin": abs(more), "cards": _count(hands)}


def endings(tableau: Tableau, hands: Hands) -> Iterator[Facts]:
    """Yield the facts of every possible ending of a coup that has begun with these hands."""
    player, banker = ([*map(points, hands[side])] for side in SIDES)
    due = next_hand(player, banker, tableau)
    if due is None:
        yield facts_of(hands, tableau["naturals"])
        return
    for card in DECK if _count(hands) < 4 else BY_POINTS:
        yield from endings(tableau, {**hands, due: [*hands[due], card]})


def _count(hands: Hands) -> int:
    return sum(map(len, hands.values()))
