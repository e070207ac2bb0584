"""The shoe: every card once, the cut card's rule, the burn, and what is refused."""

import ast
import inspect
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import baccarat.shoe
from baccarat.core.cards import RANKS, Card, deck
from baccarat.core.errors import BaccaratError, DealError
from baccarat.shoe import CUT, SMALLEST_CUT, Burn, Shoe, shuffled

COUP_SIZES = st.integers(4, 6)


def deal_coup(shoe: Shoe, size: int) -> list[Card]:
    cards = [shoe.deal() for _ in range(size)]
    shoe.end_coup()
    return cards


def shoe_of(size: int, *, cut: int = CUT, burn: Burn = Burn.NONE) -> Shoe:
    """A shoe in which only the number of cards matters."""
    return Shoe([Card("9", "s")] * size, cut=cut, burn=burn)


@pytest.mark.requirement("R03")
@given(st.integers(1, 8), st.integers())
def test_a_shuffle_keeps_every_card_of_every_deck(decks, seed):
    order = shuffled(decks=decks, randomness=random.Random(seed))
    assert Counter(order) == Counter(dict.fromkeys(deck(), decks))
    assert order == shuffled(decks=decks, randomness=random.Random(seed))


@pytest.mark.requirement("G05")
def test_only_the_randomness_handed_in_orders_the_cards():
    class Reversing:
        def shuffle(self, cards: list[Card]) -> None:
            cards.reverse()

    assert shuffled(decks=1, randomness=Reversing()) == deck()[::-1]
    imports = [
        name.name if isinstance(node, ast.Import) else str(node.module)
        for node in ast.walk(ast.parse(inspect.getsource(baccarat.shoe)))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in node.names
    ]
    assert not {"random", "secrets", "os"} & {name.partition(".")[0] for name in imports}


@pytest.mark.requirement("R41")
@given(
    decks=st.integers(1, 8),
    seed=st.integers(0, 1000),
    cut=st.integers(SMALLEST_CUT, 40),
    burn=st.sampled_from(Burn),
    data=st.data(),
)
def test_cards_come_in_order_and_once_until_the_shoe_is_over(decks, seed, cut, burn, data):
    order = shuffled(decks=decks, randomness=random.Random(seed))
    shoe = Shoe(order, cut=cut, burn=burn)
    dealt: list[Card] = []
    while not shoe.over:
        assert shoe.dealt == len(dealt)
        assert shoe.burned + shoe.dealt + shoe.left == len(order)
        dealt += deal_coup(shoe, data.draw(COUP_SIZES))
    assert tuple(dealt) == order[shoe.burned :][: len(dealt)]
    assert shoe.cut_card_out
    # The coup with the cut card took up to five cards from behind it, the last one four to six.
    assert cut - 11 <= shoe.left <= cut - 4


@given(cut=st.integers(SMALLEST_CUT, 200), data=st.data())
def test_the_coup_of_the_cut_card_is_finished_and_one_more_is_played(cut, data):
    shoe = shoe_of(416, cut=cut)
    left = 416
    while left - (size := data.draw(COUP_SIZES)) > cut:
        deal_coup(shoe, size)
        left -= size
        assert (shoe.cut_card_out, shoe.last_coup, shoe.over) == (False, False, False)
    for _ in range(left - cut):
        shoe.deal()
    assert not shoe.cut_card_out  # it lies at the mouth of the shoe: the next card brings it out
    for _ in range(size - (left - cut)):  # none, when the coup ends just before the cut card
        shoe.deal()
        assert (shoe.cut_card_out, shoe.last_coup, shoe.over) == (True, False, False)
    shoe.end_coup()
    assert (shoe.cut_card_out, shoe.last_coup, shoe.over) == (True, True, False)
    deal_coup(shoe, data.draw(COUP_SIZES))
    assert (shoe.last_coup, shoe.over) == (False, True)
    with pytest.raises(DealError, match="the shoe is over after"):
        shoe.deal()
    with pytest.raises(DealError, match="the shoe is over after"):
        shoe.end_coup()


@pytest.mark.parametrize("rank", RANKS)
def test_the_first_card_says_how_many_are_burned(rank):
    more = {"A": 1, "10": 10, "J": 10, "Q": 10, "K": 10}.get(rank) or int(rank)
    rest = [Card("2", "c")] * 50
    shoe = Shoe([Card(rank, "h"), *rest], burn=Burn.FIRST_CARD)
    assert (shoe.exposed, shoe.burned, shoe.dealt) == (Card(rank, "h"), 1 + more, 0)
    assert shoe.left == 50 - more


@pytest.mark.parametrize(("burn", "burned"), [(Burn.NONE, 0), (Burn.ONE, 1)])
def test_nothing_or_one_card_face_down_is_burned(burn, burned):
    order = deck()
    shoe = Shoe(order, burn=burn)
    assert (shoe.exposed, shoe.burned, shoe.left) == (None, burned, 52 - burned)
    assert shoe.deal() == order[burned]


@pytest.mark.parametrize(
    ("size", "cut", "burn", "told"),
    [
        (52, 53, Burn.NONE, "a cut card 53 cards from the end .* 52 cards .* 11 to 51 is allowed"),
        (52, 52, Burn.ONE, "burn: one.* 11 to 50 is allowed"),
        (52, 42, Burn.FIRST_CARD, "burn: first-card.* 11 to 40 is allowed"),
        (416, 10, Burn.NONE, "11 to 415 is allowed"),
        (416, 0, Burn.NONE, "11 to 415 is allowed"),
        (416, -1, Burn.NONE, "a cut card -1 cards"),
        (15, 14, Burn.FIRST_CARD, "a shoe of 15 cards .* it needs at least 23"),
        (0, 14, Burn.NONE, "a shoe of 0 cards .* it needs at least 12"),
    ],
)
def test_a_cut_that_does_not_fit_is_refused(size, cut, burn, told):
    with pytest.raises(BaccaratError, match=told):
        shoe_of(size, cut=cut, burn=burn)


@pytest.mark.parametrize(("size", "cut", "burn"), [(52, 51, "none"), (52, 40, "first-card")])
def test_the_deepest_cut_that_fits_leaves_two_coups(size, cut, burn):
    shoe = Shoe([Card("K", "s")] * size, cut=cut, burn=Burn(burn))
    deal_coup(shoe, 6)
    assert shoe.last_coup
    deal_coup(shoe, 6)
    assert shoe.over


def test_no_decks_make_no_shoe():
    with pytest.raises(BaccaratError, match="0 decks make no shoe: it needs at least 1"):
        shuffled(decks=0, randomness=random.Random(1))


def test_a_shoe_that_is_never_told_of_coups_ends_in_words():
    shoe = shoe_of(15)
    for _ in range(15):
        shoe.deal()
    with pytest.raises(DealError, match="empty after 15 cards"):
        shoe.deal()
