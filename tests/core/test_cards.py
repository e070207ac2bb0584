"""Cards: notation, points, and messages about invalid ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat.core.cards import (
    DECK_SIZE,
    POINTS,
    RANKS,
    SUITS,
    Card,
    deck,
    parse_card,
    parse_cards,
    total,
)
from baccarat.core.errors import CardError
from support import reference as ref

CARDS = st.builds(Card, st.sampled_from(RANKS), st.sampled_from([*SUITS, None]))
UNSUITED = st.builds(Card, st.sampled_from(RANKS))


@pytest.mark.requirement("R04")
def test_r04_points_are_those_of_the_reference():
    assert POINTS == ref.POINTS
    assert list(RANKS) == ref.RANKS


@pytest.mark.requirement("R04")
@given(st.lists(CARDS, max_size=3))
def test_r04_a_total_is_the_last_digit_of_the_sum(cards):
    assert total(cards) == ref.total([(card.rank, card.suit) for card in cards])
    assert 0 <= total(cards) <= 9


@pytest.mark.requirement("R03")
def test_r03_a_deck_is_every_card_once():
    assert len(deck()) == len(set(deck())) == DECK_SIZE == 52
    assert {(card.rank, card.suit) for card in deck()} == {
        (rank, suit) for rank in ref.RANKS for suit in ref.SUITS
    }


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("8", Card("8")),
        ("Kh", Card("K", "h")),
        ("kH", Card("K", "h")),
        ("10d", Card("10", "d")),
        ("T", Card("10")),
        ("td", Card("10", "d")),
        ("A♠", Card("A", "s")),
        ("Q♥", Card("Q", "h")),
        (" 2c ", Card("2", "c")),
    ],
)
def test_a_card_can_be_written_in_several_ways(text, card):
    assert parse_card(text) == card


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("", []),
        (" , ", []),
        ("5hKd3c", ["5h", "Kd", "3c"]),
        ("5h, Kd 3c", ["5h", "Kd", "3c"]),
        ("A10 2", ["A", "10", "2"]),
        ("T10t", ["10", "10", "10"]),
        ("8x3", ["8", "8", "8"]),
        ("8x2, Kh×2 A*1", ["8", "8", "Kh", "Kh", "A"]),
        ("8x2K", ["8", "8", "K"]),
    ],
)
def test_a_list_of_cards_is_parsed(text, written):
    assert [str(card) for card in parse_cards(text)] == written


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("1", "1"),
        ("11", "11"),
        ("0", "0"),
        ("Zh", "Zh"),
        ("Kx", "Kx"),
        ("5h Kd huh", "huh"),
        ("8hh", "8hh"),
        ("8x0", "8x0"),
        ("Khx10001", "Khx10001"),
        ("8x999999999", "8x999999999"),
    ],
)
def test_an_invalid_card_is_named_in_the_message(text, named):
    with pytest.raises(CardError, match=rf"^{named!r}"):
        parse_cards(text)


@pytest.mark.parametrize(("text", "count"), [("", 0), ("KK", 2), ("8x3", 3)])
def test_several_cards_are_refused_as_one_card(text, count):
    with pytest.raises(CardError, match=f"{text!r} is {count} cards, not one"):
        parse_card(text)


@pytest.mark.parametrize(("rank", "suit"), [("1", None), ("T", None), ("K", "x"), ("", "h")])
def test_an_invalid_card_cannot_be_created(rank, suit):
    with pytest.raises(CardError, match=f"{rank}{suit or ''} is not a card"):
        Card(rank, suit)


@given(st.lists(CARDS))
def test_formatted_cards_are_parsed_back(cards):
    assert parse_cards("".join(map(str, cards))) == tuple(cards)
    assert parse_cards(", ".join(card.face() for card in cards)) == tuple(cards)


@given(CARDS, st.integers(1, 60))
def test_a_count_repeats_a_card(card, times):
    assert parse_cards(f"{card}x{times}") == (card,) * times
