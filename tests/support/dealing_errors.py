"""Every single error a dealer can make in a coup, and the card that reveals it."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations

from baccarat.core.cards import Card
from baccarat.core.facts import NO_THIRD, shapes_of
from baccarat.core.tableau import Hand
from baccarat.loader import load
from support import reference

TABLEAU = load("punto-banco").game().tableau
SHAPES = tuple(shapes_of(TABLEAU))
BY_POINTS = [Card("K", "s"), *(Card(rank, "h") for rank in ("A", *map(str, range(2, 10))))]
MORE = tuple(Card(rank, "d") for rank in ("4", "9", "K", "A"))
"""The next cards in the shoe."""
OTHER = {Hand.PLAYER: Hand.BANKER, Hand.BANKER: Hand.PLAYER}


def drawn_for(shape) -> tuple[Card, ...]:
    """Return cards, in the order of drawing, for a coup of this shape."""
    nothing = Card("Q", "c")
    cards = [BY_POINTS[shape[0]], BY_POINTS[shape[1]], nothing, nothing]
    cards += [BY_POINTS[third] for third in shape[2:] if third != NO_THIRD]
    return tuple(cards)


def plain(cards) -> list:
    return [(card.rank, card.suit) for card in cards]


@cache
def correct_hands(cards) -> list[Hand]:
    """Return the hand that a perfect dealer gives each card, by the reference."""
    hands: dict[str, list] = {"player": [], "banker": []}
    found = []
    for card in plain(cards):
        side = reference.who_is_next(hands["player"], hands["banker"])
        if side is None:
            break
        hands[side].append(card)
        found.append(Hand(side))
    return found


def single_errors(hands: list[Hand]) -> Iterator[tuple[str, list[Hand]]]:
    """Yield every single error: the hand given each card, in order."""
    for k, hand in enumerate(hands):
        yield "wrong side", [*hands[:k], OTHER[hand], *hands[k + 1 :]]
        yield "missing", [*hands[:k], *hands[k + 1 :]]
    for k in range(len(hands) + 1):
        for side in Hand:
            yield "extra", [*hands[:k], side, *hands[k:]]
    for one, other in combinations(range(len(hands)), 2):
        if hands[one] is not hands[other]:
            swapped = list(hands)
            swapped[one], swapped[other] = hands[other], hands[one]
            yield "swapped", swapped


def earliest(cards, reply) -> int | None:
    """Return the number of the card at which the error shows; one past the last for the end."""
    said = correct_hands(cards)
    for count, hand in enumerate(reply, start=1):
        if count > len(said) or said[count - 1] is not hand:
            return count
    return len(reply) + 1 if len(said) > len(reply) else None
