"""Deals coups again, following the tableau in the rules; cards are strings such as 'Kh'."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any, NamedTuple

from baccarat.verifier import RANKS, next_hand

Tableau = dict[str, Any]
Hands = Mapping[str, Sequence[str]]
SIDES = ("player", "banker")
POINTS = {
    rank + suit: min(place, 10) % 10 for place, rank in enumerate(RANKS, start=1) for suit in "shdc"
}
DECK = list(POINTS)
NAMES = {
    "spades": "s",
    "hearts": "h",
    "diamonds": "d",
    "clubs": "c",
    "red": "hd",
    "black": "sc",
}
"""The suits that a name in a count of cards stands for."""


class Facts(dict[str, Any]):
    """The facts of a coup to which the conditions of a rule card can refer.

    Facts about suits, ranks and sums, such as 'player_suits', are computed only when they are
    needed.
    """

    def __init__(self, hands: Hands, facts: Mapping[str, int | str | bool]) -> None:
        super().__init__(facts)
        player, banker = (list(hands[side]) for side in SIDES)
        self.cards = {
            "player": player,
            "banker": banker,
            "player_start": player[:2],
            "banker_start": banker[:2],
            "player_third": player[2:],
            "banker_third": banker[2:],
            "start": player[:2] + banker[:2],
            "coup": player + banker,
        }
        """The cards at each place."""

    def __missing__(self, name: str) -> int | bool:
        place, _, what = name.rpartition("_")
        cards = self.cards[place]
        ranks = [card[:-1] for card in cards]
        match what:
            case "suits":
                return len({card[-1] for card in cards})
            case "colours":
                return len({card[-1] in NAMES["red"] for card in cards})
            case "ranks":
                return len(set(ranks))
            case "sum":
                return sum(map(points, cards))
            case "consecutive":
                order = "".join(f"{rank}," for rank in (*RANKS, RANKS[0]))
                return any(f",{','.join(run)}," in f",{order}" for run in permutations(ranks))
        raise KeyError(name)

    def number(self, of: str, place: str) -> int:
        """Return the number of cards at a place that are named by any of the words in `of`."""
        return sum(is_named(card, of) for card in self.cards[place])


def is_named(card: str, of: str) -> bool:
    """Return whether one of the words names a card: its rank, the card itself, its suit or its
    colour."""
    words = of.replace(",", " ").split()
    return any(card[-1] in NAMES[w] if w in NAMES else w in (card, card[:-1]) for w in words)


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
    facts |= {"winner": winner, "margin": abs(more), "cards": _count(hands)}
    return Facts(hands, facts | {"totals_sum": sum(total(hands[side]) for side in SIDES)})


def takes_more(place: str, hands: Hands) -> bool:
    """Return whether a place, such as 'player_start', may get further cards."""
    side = place.partition("_")[0]
    most = 2 if place.endswith("start") else 3
    return any(len(hands[each]) < most for each in (SIDES if side not in SIDES else (side,)))


def endings(tableau: Tableau, hands: Hands, cards: Sequence[str] = DECK) -> Iterator[Facts]:
    """Yield the facts of every possible ending of a coup that has begun with these hands; `cards`
    are the further cards to try."""
    player, banker = ([*map(points, hands[side])] for side in SIDES)
    due = next_hand(player, banker, tableau)
    if due is None:
        yield facts_of(hands, tableau["naturals"])
        return
    for card in cards:
        yield from endings(tableau, {**hands, due: [*hands[due], card]}, cards)


def _count(hands: Hands) -> int:
    return sum(map(len, hands.values()))
