"""Every error of a dealer is flagged at the earliest card that shows it, and can be put right.

The oracle is `reference`, written from the requirements alone: a perfect dealer's telling of the
same cards. An error is plain at the first card whose hand that dealer would not have named, or at
the announcement of an end that is none.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from baccarat.core.cards import Card, deck
from baccarat.core.facts import NO_THIRD, shapes_of
from baccarat.core.misdeals import Wrong, irregularities, perfect
from baccarat.core.tableau import Hand
from baccarat.loader import load

TABLEAU = load("punto-banco").game().tableau
SHAPES = tuple(shapes_of(TABLEAU))
BY_POINTS = [Card("K", "s"), *(Card(rank, "h") for rank in ("A", *map(str, range(2, 10))))]
MORE = tuple(Card(rank, "d") for rank in ("4", "9", "K", "A"))
"""What follows in the shoe."""
OTHER = {Hand.PLAYER: Hand.BANKER, Hand.BANKER: Hand.PLAYER}


def drawn_for(shape) -> tuple[Card, ...]:
    """Cards in the order of drawing that make a coup of this shape."""
    nothing = Card("Q", "c")
    cards = [BY_POINTS[shape[0]], BY_POINTS[shape[1]], nothing, nothing]
    cards += [BY_POINTS[third] for third in shape[2:] if third != NO_THIRD]
    return tuple(cards)


def plain(cards) -> list:
    return [(card.rank, card.suit) for card in cards]


@cache
def meant_hands(cards) -> list[Hand]:
    """Where a perfect dealer puts them, by the reference."""
    hands: dict[str, list] = {"player": [], "banker": []}
    found = []
    for card in plain(cards):
        side = reference.who_is_next(hands["player"], hands["banker"])
        if side is None:
            break
        hands[side].append(card)
        found.append(Hand(side))
    return found


def tellings(hands: list[Hand]) -> Iterator[tuple[str, list[Hand]]]:
    """Every way to go wrong once: where the cards are put, one after the other."""
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


@cache
def flagged(placed, *, ended: bool = False) -> bool:
    """Many coups begin alike."""
    return bool(irregularities(TABLEAU, placed, ended=ended))


def first_flag(cards, told) -> int | None:
    """The card at which the console says something, from 1; one past the last for the end."""
    placed = tuple(zip(told, cards, strict=False))
    for count in range(1, len(told) + 1):
        if flagged(placed[:count]):
            return count
    return len(told) + 1 if flagged(placed, ended=True) else None


def earliest(cards, told) -> int | None:
    """The same by the reference: the first word that a perfect dealer would not have said."""
    said = meant_hands(cards)
    for count, hand in enumerate(told, start=1):
        if count > len(said) or said[count - 1] is not hand:
            return count
    return len(told) + 1 if len(said) > len(told) else None


@pytest.mark.requirement("R42", "R43", "R44")
def test_r43_r44_every_single_error_in_every_coup_is_flagged_at_once_and_put_right():
    errors, shown = 0, {"wrong side": set(), "missing": set(), "extra": set(), "swapped": set()}
    for shape in SHAPES:
        cards = (*drawn_for(shape), *MORE)
        hands = meant_hands(cards)
        assert len(hands) == len(drawn_for(shape))
        right = reference.deal(plain(cards))
        for kind, told in tellings(hands):
            expected = earliest(cards, told)
            assert first_flag(cards, told) == expected, (shape, kind, told)
            assert (expected is None) == (told == hands)
            shown[kind].add(expected)
            errors += expected is not None
        # All of them took the same cards from the shoe, so they all become the same coup.
        for taken in range(len(hands), len(hands) + 2):
            rectified = perfect(TABLEAU, cards[:taken])
            found = rectified.deal.coup
            assert (plain(found.player), plain(found.banker)) == tuple(map(list, right))
            assert rectified.excess == cards[len(hands) : taken]
            assert not irregularities(TABLEAU, rectified.placed, ended=True)
    assert errors > 70_000
    assert shown["wrong side"] == {1, 2, 3, 4, 5, 6}
    assert shown["swapped"] == {1, 2, 3, 4, 5}, "at the first of the two"
    assert shown["extra"] == {1, 2, 3, 4, 5, 6, 7}
    assert shown["missing"] == {1, 2, 3, 4, 5, 6}, "the last one, at the announcement"


@pytest.mark.requirement("R42")
def test_what_is_wrong_is_said_by_its_name():
    def kinds(*told, ended=False):
        return [one.kind for one in irregularities(TABLEAU, told, ended=ended)]

    five, six, king, two = (Card(rank, "h") for rank in ("5", "6", "K", "2"))
    p, b = Hand.PLAYER, Hand.BANKER
    assert kinds((p, five), (p, six)) == [Wrong.WRONG_SIDE]
    assert kinds((p, five), (p, six), (b, king)) == [Wrong.SWAPPED]
    natural = ((p, six), (b, king), (p, two), (b, king))
    assert kinds(*natural, ended=True) == []
    assert kinds(*natural, (b, two)) == kinds(*natural, (None, two)) == [Wrong.EXTRA]
    drawing = ((p, five), (b, king), (p, king), (b, king))
    assert kinds(*drawing) == []
    assert kinds(*drawing, ended=True) == [Wrong.MISSING]
    [found] = irregularities(TABLEAU, drawing, ended=True)
    assert found.words == "Player is due a card: Player with 5 draws (on 0–5). Draw it"
    [found] = irregularities(TABLEAU, (*drawing, (b, two)))
    assert found.words == "2♥ was put with Banker and is Player's: Player with 5 draws (on 0–5)"


@given(
    st.lists(
        st.tuples(st.sampled_from([*Hand, None]), st.sampled_from(deck())), min_size=0, max_size=9
    )
)
def test_whatever_was_told_the_rectified_coup_is_what_the_order_of_drawing_gives(placed):
    meant = perfect(TABLEAU, [card for _, card in placed])
    cards = [card for _, card in placed]
    assert [card for _, card in meant.placed] + list(meant.excess) == cards
    said = meant_hands(tuple(cards))
    assert [hand for hand, _ in meant.placed] == said
    found = irregularities(TABLEAU, placed)
    as_meant = all(hand in (None, right) for (hand, _), right in zip(placed, said, strict=False))
    assert (not found) == (as_meant and len(cards) == len(said))
    assert irregularities(TABLEAU, meant.placed) == ()
