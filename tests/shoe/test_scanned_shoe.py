"""Shoes of real cards: typed and scanned cards, card counts, and the alarm for unshuffled shoes."""

import random
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat.core.cards import RANKS, SUITS, Card, deck
from baccarat.core.errors import CardError
from baccarat.shoe import shuffled
from baccarat.shoe.scanned import check_decks, impossible, scan_card, unseen_by_rank
from baccarat.shoe.unshuffled import (
    FALSE_ALARMS,
    UnshuffledSign,
    alarm_length,
    expected_repeats,
    expected_runs,
    find_sign,
    repeat_at,
    run_at,
)


@pytest.mark.parametrize(
    ("text", "card"),
    [
        *(("8h", "8h"), ("8H", "8h"), ("h8", "8h"), ("H08", "8h"), ("08H", "8h"), (" 8♥ ", "8h")),
        *(("td", "10d"), ("0d", "10d"), ("10d", "10d"), ("D10", "10d"), ("Tc", "10c")),
        *(("as", "As"), ("1s", "As"), ("01S", "As"), ("S1", "As"), ("♠A", "As")),
        *(("11c", "Jc"), ("C12", "Qc"), ("13C", "Kc"), ("kc", "Kc")),
    ],
)
def test_two_keys_or_a_barcode_identify_a_card(text, card):
    assert str(scan_card(text)) == card


@pytest.mark.parametrize("text", ["", "8", "h", "14s", "8x", "8hh", "8h9s", "00s", "hh", "h" * 999])
def test_an_invalid_card_is_refused(text):
    with pytest.raises(CardError, match="is not a card with a suit"):
        scan_card(text)


@given(st.sampled_from(deck()), st.booleans())
def test_every_card_has_a_two_key_form(card, suit_first):
    rank = "0" if card.rank == "10" else card.rank
    assert scan_card(card.suit + rank if suit_first else rank + card.suit) == card


@pytest.mark.requirement("G31")
def test_g31_a_card_is_impossible_once_all_of_its_kind_are_out():
    eights = [Card("8", suit) for suit in SUITS for _ in range(8)]
    assert not impossible(8, eights[:-1], Card("8", "c"))
    assert impossible(8, eights, Card("8", "c"))
    assert impossible(8, eights[:8], Card("8", "s"))
    assert not impossible(8, [None] * 416, Card("8", "s")), "what lies face down may be any"


@pytest.mark.requirement("G31")
def test_g31_missing_and_extra_cards_of_a_shoe_are_reported():
    order = list(shuffled(decks=2, randomness=random.Random(1)))
    assert check_decks(2, order, ()).adds_up
    assert (check_decks(2, order, ()).seen, check_decks(2, order, ()).unseen) == (104, 0)
    some = check_decks(2, [*order[:50], None, None], None)
    assert some.adds_up
    assert (some.seen, some.unseen) == (50, 54)
    assert check_decks(2, order[:50], order[50:]).adds_up
    short = check_decks(2, order[:50], order[51:])
    assert (short.lacking, short.surplus) == ((order[50],), ())
    swapped = check_decks(2, [Card("8", "h"), *order[1:]], ())
    assert swapped.lacking == (order[0],)
    assert swapped.surplus == (Card("8", "h"),)
    assert unseen_by_rank(2, order[:100]) == {
        rank: sum(card.rank == rank for card in order[100:]) for rank in RANKS
    }


# ---- the alarm ---------------------------------------------------------------------------------

UP, DOWN = RANKS, RANKS[::-1]
FACTORY = {
    "suits up": [(suit, UP) for suit in SUITS],
    "two up, two down": [("s", UP), ("d", UP), ("c", DOWN), ("h", DOWN)],
    "other suits": [("h", UP), ("c", UP), ("d", DOWN), ("s", DOWN)],
    "kings first": [(suit, DOWN) for suit in SUITS],
}


def factory_deck(order: str) -> list[Card]:
    return [Card(rank, suit) for suit, ranks in FACTORY[order] for rank in ranks]


def first_sign(decks, order, burned=0):
    """Return the number of cards until the alarm, and its reason."""
    out = [*order[:1], *[None] * burned][: 1 + burned]
    for card in order[len(out) :]:
        out.append(card)
        if found := find_sign(decks, out):
            return len(out), found[0]
    return None


@pytest.mark.requirement("G31")
@pytest.mark.parametrize("order", FACTORY)
@pytest.mark.parametrize("decks", [1, 6, 8])
def test_g31_factory_order_raises_the_alarm_within_a_suit_and_a_half(order, decks):
    cards = factory_deck(order) * decks
    for cut in range(52):
        for burned in (0, 1, 10):
            count, kind = first_sign(decks, cards[cut:] + cards[:cut], burned)
            assert kind is UnshuffledSign.RUN
            assert count - burned <= 13 + alarm_length(decks)


@pytest.mark.requirement("G31")
def test_g31_identically_stacked_decks_raise_the_alarm_in_the_second_deck():
    one = list(shuffled(decks=1, randomness=random.Random(3)))
    assert first_sign(8, one * 8) == (52 + alarm_length(8), UnshuffledSign.REPEAT)


def test_g31_shuffled_shoes_raise_no_alarm():
    for seed in range(12):
        assert first_sign(8, shuffled(decks=8, randomness=random.Random(seed))) is None


def test_g31_the_rate_of_false_alarms_is_as_documented():
    for decks in range(1, 17):
        cards = alarm_length(decks)
        false = expected_runs(decks, cards) + expected_repeats(decks, cards)
        shorter = expected_runs(decks, cards - 1) + expected_repeats(decks, cards - 1)
        assert false < FALSE_ALARMS <= shorter
    assert alarm_length(8) == 7
    assert round(1 / (expected_runs(8, 7) + expected_repeats(8, 7)), -5) == 16_600_000


def test_the_expected_number_of_runs_is_exact_on_every_order_of_a_tiny_shoe(monkeypatch):
    """Enumerate every order of four ranks of one suit."""
    monkeypatch.setattr("baccarat.shoe.unshuffled.DECK_SIZE", 4)
    monkeypatch.setattr("baccarat.shoe.unshuffled.RANKS", RANKS[:4])
    monkeypatch.setattr("baccarat.shoe.unshuffled.SUITS", ("s",))
    cards = [Card(rank, "s") for rank in RANKS[:4]]
    for wanted in (2, 3, 4):
        runs = [
            sum(run_at(order[:end]) >= wanted for end in range(1, 5))
            for order in permutations(cards)
        ]
        assert expected_runs(1, wanted) == Fraction(sum(runs), len(runs))


def test_the_bound_on_repeats_holds_on_every_order_of_a_tiny_shoe(monkeypatch):
    monkeypatch.setattr("baccarat.shoe.unshuffled.DECK_SIZE", 3)
    orders = set(permutations("aabbcc"))
    for wanted, exact in ((1, True), (2, False)):
        found = [_repeats(order, wanted) for order in orders]
        bound = expected_repeats(2, wanted)
        assert 0 < Fraction(sum(found), len(found)) <= bound
        assert (Fraction(sum(found), len(found)) == bound) == exact
    order = [Card(rank, "s") for rank in "A23A2"]
    assert [repeat_at(order[:end]) for end in range(1, 6)] == [0, 0, 0, 1, 2]
    assert repeat_at([Card("A", "s")] * 5) == 2, "the two lots do not overlap"
    assert repeat_at([None] * 6) == 0


def _repeats(order, wanted: int) -> int:
    """Count pairs of positions with the same cards that do not overlap."""
    starts = range(len(order) - wanted + 1)
    return sum(
        order[one : one + wanted] == order[other : other + wanted]
        for one in starts
        for other in starts
        if other - one >= wanted
    )
