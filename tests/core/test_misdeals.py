"""Every dealing error is flagged at the earliest card that shows it, and can be rectified.

The oracle is `reference`, written from the requirements alone: how a perfect dealer would enter the
same cards. An error shows at the first card that this dealer would have put in another hand, or
when a result is announced too early.
"""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat.core.cards import Card, deck
from baccarat.core.misdeals import (
    Irregularity,
    IrregularityKind,
    PlacedCard,
    deal_correctly,
    irregularities,
)
from baccarat.core.tableau import Hand, TurnReason, TurnRule
from support import reference
from support.dealing_errors import (
    MORE,
    SHAPES,
    TABLEAU,
    correct_hands,
    drawn_for,
    earliest,
    plain,
    single_errors,
)


@cache
def flagged(placed, *, ended: bool = False) -> bool:
    """Return whether an error is flagged; cached, because many coups begin alike."""
    return bool(irregularities(TABLEAU, placed, ended=ended))


def first_flag(cards, reply) -> int | None:
    """Return the number of the card at which an error is flagged; one past the last for the end."""
    placed = tuple(map(PlacedCard, reply, cards))
    for count in range(1, len(reply) + 1):
        if flagged(placed[:count]):
            return count
    return len(reply) + 1 if flagged(placed, ended=True) else None


@pytest.mark.no_cover
@pytest.mark.requirement("R43", "R44")
def test_r43_r44_every_error_in_every_coup_is_flagged_at_once_and_rectified():
    errors, shown = 0, {"wrong side": set(), "missing": set(), "extra": set(), "swapped": set()}
    for shape in SHAPES:
        cards = (*drawn_for(shape), *MORE)
        hands = correct_hands(cards)
        assert len(hands) == len(drawn_for(shape))
        right = reference.deal(plain(cards))
        for kind, reply in single_errors(hands):
            expected = earliest(cards, reply)
            assert first_flag(cards, reply) == expected, (shape, kind, reply)
            assert (expected is None) == (reply == hands)
            shown[kind].add(expected)
            errors += expected is not None
        # All took the same cards from the shoe, so all are rectified to the same coup.
        for taken in range(len(hands), len(hands) + 2):
            rectified = deal_correctly(TABLEAU, cards[:taken])
            found = rectified.deal.coup
            assert (plain(found.player), plain(found.banker)) == tuple(map(list, right))
            assert rectified.excess == cards[len(hands) : taken]
            assert not irregularities(TABLEAU, rectified.placed, ended=True)
    assert errors > 70_000
    assert shown["wrong side"] == {1, 2, 3, 4, 5, 6}
    assert shown["swapped"] == {1, 2, 3, 4, 5}, "at the first of the two"
    assert shown["extra"] == {1, 2, 3, 4, 5, 6, 7}
    assert shown["missing"] == {1, 2, 3, 4, 5, 6}, "the last one, at the announcement"


def test_each_kind_of_error_is_identified():
    def kinds(*reply, ended=False):
        placed = [PlacedCard(*put) for put in reply]
        return [found.kind for found in irregularities(TABLEAU, placed, ended=ended)]

    five, six, king, two = (Card(rank, "h") for rank in ("5", "6", "K", "2"))
    p, b = Hand.PLAYER, Hand.BANKER
    assert kinds((p, five), (p, six)) == [IrregularityKind.WRONG_SIDE]
    assert kinds((p, five), (p, six), (b, king)) == [IrregularityKind.SWAPPED]
    natural = ((p, six), (b, king), (p, two), (b, king))
    assert kinds(*natural, ended=True) == []
    assert kinds(*natural, (b, two)) == kinds(*natural, (None, two)) == [IrregularityKind.EXTRA]
    drawing = ((p, five), (b, king), (p, king), (b, king))
    assert kinds(*drawing) == []
    assert kinds(*drawing, ended=True) == [IrregularityKind.MISSING]
    drawing = tuple(PlacedCard(*put) for put in drawing)
    [found] = irregularities(TABLEAU, drawing, ended=True)
    row = TurnReason(TurnRule.PLAYER_DRAWS, player=5)
    assert found == Irregularity(IrregularityKind.MISSING, 5, None, hand=p, reason=row)
    [found] = irregularities(TABLEAU, (*drawing, PlacedCard(b, two)))
    assert found == Irregularity(IrregularityKind.WRONG_SIDE, 5, two, hand=p, reason=row)


@given(
    st.lists(
        st.builds(PlacedCard, st.sampled_from([*Hand, None]), st.sampled_from(deck())),
        min_size=0,
        max_size=9,
    )
)
def test_a_rectified_coup_follows_the_order_of_drawing(placed):
    meant = deal_correctly(TABLEAU, [card for _, card in placed])
    cards = [card for _, card in placed]
    assert [card for _, card in meant.placed] + list(meant.excess) == cards
    said = correct_hands(tuple(cards))
    assert [hand for hand, _ in meant.placed] == said
    found = irregularities(TABLEAU, placed)
    as_meant = all(hand in (None, right) for (hand, _), right in zip(placed, said, strict=False))
    assert (not found) == (as_meant and len(cards) == len(said))
    assert irregularities(TABLEAU, meant.placed) == ()
