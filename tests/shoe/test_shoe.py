"""The shoe: every card once, the cut card, the burn, and refusals."""

import ast
import inspect
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import baccarat.shoe
from baccarat.core.cards import RANKS, Card, deck
from baccarat.core.coup import deal_coup
from baccarat.core.errors import BaccaratError, DealError
from baccarat.loader import load
from baccarat.shoe import CUT, Burn, Shoe, ShoeRules, shuffled

COUP_SIZES = st.integers(4, 6)


def take_coup(shoe: Shoe, size: int) -> list[Card]:
    cards = [shoe.deal() for _ in range(size)]
    shoe.end_coup()
    return cards


def shoe_of(decks: int, *, cut: int = CUT, burn: Burn = Burn.NONE, rank: str = "9") -> Shoe:
    """Return a shoe in which only the number of cards matters."""
    return Shoe([Card(rank, "s")] * 52 * decks, ShoeRules(decks, cut, burn))


@pytest.mark.requirement("R03")
@given(st.integers(1, 8), st.integers())
def test_a_shuffle_keeps_every_card_of_every_deck(decks, seed):
    order = shuffled(decks=decks, randomness=random.Random(seed))
    assert Counter(order) == Counter(dict.fromkeys(deck(), decks))
    assert order == shuffled(decks=decks, randomness=random.Random(seed))


@pytest.mark.requirement("G05")
def test_the_order_depends_only_on_the_given_randomness():
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
    cut=st.integers(11, 40),
    burn=st.sampled_from(Burn),
    data=st.data(),
)
def test_cards_are_dealt_in_order_until_the_shoe_is_over(decks, seed, cut, burn, data):
    order = shuffled(decks=decks, randomness=random.Random(seed))
    shoe = Shoe(order, ShoeRules(decks, cut, burn))
    dealt: list[Card] = []
    while not shoe.over:
        assert shoe.progress.taken == len(dealt)
        assert shoe.progress.burned + shoe.progress.taken + shoe.progress.left == len(order)
        dealt += take_coup(shoe, data.draw(COUP_SIZES))
    assert tuple(dealt) == order[shoe.progress.burned :][: len(dealt)]
    assert shoe.progress.cut_card_out
    # The coup with the cut card took up to five cards from behind it, the last one four to six.
    assert cut - 11 <= shoe.progress.left <= cut - 4


@given(cut=st.integers(11, 200), data=st.data())
def test_the_coup_with_the_cut_card_is_finished_and_one_more_is_dealt(cut, data):
    shoe = shoe_of(8, cut=cut)
    left = 416
    while left - (size := data.draw(COUP_SIZES)) > cut:
        take_coup(shoe, size)
        left -= size
        assert (shoe.progress.cut_card_out, shoe.progress.last_coup, shoe.over) == (
            False,
            False,
            False,
        )
    for _ in range(left - cut):
        shoe.deal()
    assert not shoe.progress.cut_card_out  # it is at the front: the next card brings it out
    for _ in range(size - (left - cut)):  # none, when the coup ends just before the cut card
        shoe.deal()
        assert (shoe.progress.cut_card_out, shoe.progress.last_coup, shoe.over) == (
            True,
            False,
            False,
        )
    shoe.end_coup()
    assert (shoe.progress.cut_card_out, shoe.progress.last_coup, shoe.over) == (True, True, False)
    take_coup(shoe, data.draw(COUP_SIZES))
    assert (shoe.progress.last_coup, shoe.over) == (False, True)
    with pytest.raises(DealError, match="the shoe is over after"):
        shoe.deal()
    with pytest.raises(DealError, match="the shoe is over after"):
        shoe.end_coup()


@pytest.mark.parametrize("rank", RANKS)
def test_the_first_card_decides_how_many_are_burned(rank):
    more = {"A": 1, "10": 10, "J": 10, "Q": 10, "K": 10}.get(rank) or int(rank)
    rest = [Card("2", "c")] * 51
    shoe = Shoe([Card(rank, "h"), *rest], ShoeRules(1))
    assert (shoe.exposed, shoe.progress.burned, shoe.progress.taken) == (
        Card(rank, "h"),
        1 + more,
        0,
    )
    assert shoe.progress.left == 51 - more


@pytest.mark.parametrize(("burn", "burned"), [(Burn.NONE, 0), (Burn.ONE, 1)])
def test_no_card_or_one_face_down_can_be_burned(burn, burned):
    order = deck()
    shoe = Shoe(order, ShoeRules(1, burn=burn))
    assert (shoe.exposed, shoe.progress.burned, shoe.progress.left) == (None, burned, 52 - burned)
    assert shoe.deal() == order[burned]


@pytest.mark.parametrize(
    ("decks", "cut", "burn", "message"),
    [
        (1, 53, Burn.NONE, r"must be 11 to 51 cards from the end, not 53 \(52 cards,"),
        (1, 52, Burn.ONE, "11 to 50 cards .*burn: one"),
        (1, 42, Burn.FIRST_CARD, "11 to 40 cards .*burn: first-card"),
        (8, 10, Burn.NONE, "11 to 415 cards"),
        (8, 0, Burn.NONE, "11 to 415 cards"),
        (8, -1, Burn.NONE, "cards from the end, not -1"),
        (0, 14, Burn.NONE, "a shoe needs at least 1 deck, not 0"),
    ],
)
def test_a_cut_that_does_not_fit_is_refused(decks, cut, burn, message):
    with pytest.raises(BaccaratError, match=message):
        shoe_of(decks, cut=cut, burn=burn)


@pytest.mark.parametrize(
    ("cut", "more", "message"),
    [
        (416, 0, "5 to 415 cards"),
        (4, 0, "5 to 415 cards"),
        (10, 1, "11 to 415 cards"),
        (14, 2, "17 to 415 cards"),
        (-1, 0, "5 to 415 cards"),
        (14, -1, "coups after the cut card: -1"),
        (0, 1, "11 to 415 cards"),  # a shuffler has no coups after its cut card
    ],
)
def test_coups_after_the_cut_card_need_enough_cards(cut, more, message):
    with pytest.raises(BaccaratError, match=message):
        ShoeRules(8, cut, Burn.NONE, more)


def test_a_shuffler_burns_nothing():
    with pytest.raises(BaccaratError, match="cards from the end, not 0"):
        ShoeRules(8, 0, Burn.ONE, 0)
    assert ShoeRules.shuffler(8) == ShoeRules(8, 0, Burn.NONE, 0)


@pytest.mark.parametrize(("cut", "burn"), [(51, "none"), (40, "first-card")])
def test_the_deepest_cut_that_fits_leaves_two_coups(cut, burn):
    shoe = shoe_of(1, cut=cut, burn=Burn(burn), rank="K")
    take_coup(shoe, 6)
    assert shoe.progress.last_coup
    take_coup(shoe, 6)
    assert shoe.over


def test_a_shoe_with_missing_cards_is_refused():
    with pytest.raises(BaccaratError, match="a shoe of 1 decks has 52 cards, not 51"):
        Shoe(deck()[1:], ShoeRules(1))


def test_coups_are_dealt_by_the_tableau_until_the_shoe_is_over():
    tableau = load("punto-banco").game().tableau
    order = shuffled(decks=1, randomness=random.Random(3))
    coups = list(Shoe(order, ShoeRules(1, burn=Burn.NONE)).deal_coups(tableau))
    place = 0
    for coup in coups:
        assert coup == deal_coup(tableau, order[place:])
        place += len(coup.player) + len(coup.banker)
    sizes = [len(coup.player) + len(coup.banker) for coup in coups]
    assert sum(sizes[:-2]) < 38 <= sum(sizes[:-1])  # the cut card comes out in the last but one


def test_a_shuffler_deals_one_coup():
    shoe = Shoe(deck(), ShoeRules.shuffler(1))
    assert (shoe.progress.burned, shoe.progress.last_coup, shoe.progress.cut_card_out) == (
        0,
        True,
        False,
    )
    take_coup(shoe, 4)
    assert shoe.over


def test_shoe_rules_are_described():
    assert str(ShoeRules(8)) == (
        "shoes, cut card 14 cards from the end, burn: first-card, 1 coup after the cut card"
    )
    assert str(ShoeRules.shuffler(8)) == "a shuffler"


def test_zero_decks_are_refused():
    with pytest.raises(BaccaratError, match="a shoe needs at least 1 deck, not 0"):
        shuffled(decks=0, randomness=random.Random(1))


def test_dealing_from_an_empty_shoe_is_refused():
    shoe = shoe_of(1)
    for _ in range(52):
        shoe.deal()
    with pytest.raises(DealError, match="empty after 52 cards"):
        shoe.deal()
