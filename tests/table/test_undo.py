"""A burned card corrected in place, and a cut card that was recorded by mistake."""

import pytest

from baccarat.core.cards import parse_cards
from baccarat.shoe import Burn
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.refusals import Code
from support.by_hand import DEALER, HandHouse, console_of, hand_settings, refused
from support.tampering import set_fields, tampered

FIRST = hand_settings(burn=Burn.FIRST_CARD)
COUP = "6h Kd 2c Ks"


def burned(settings=FIRST) -> HandHouse:
    """Return a house in which 7♣ was burned, and seven cards after it."""
    house = HandHouse(settings)
    house.do(c.BurnByHand(DEALER, parse_cards("7c")))
    return house


def correction(cards: str = "6c", by: str = DEALER, *, pit: bool = False) -> c.CorrectBurn:
    return c.CorrectBurn(by, pit, "misread", parse_cards(cards))


def test_the_dealer_corrects_a_burned_card_and_the_number_of_cards_follows_from_it():
    house = burned()
    assert "correct-burn" in console_of(house.state)["can"]
    (event,) = house.do(correction())
    six, seven = parse_cards("6c 7c")
    assert (event.entered, event.shown, event.count) == ((seven,), (six,), 7)
    shoe = house.state.manual.shoe
    assert (shoe.out, shoe.left) == ((six, *[None] * 6), 409)
    house.round(COUP)
    assert house.audited() == []


def test_once_a_card_has_followed_only_the_pit_corrects_a_burned_card():
    house = burned()
    house.bets()
    house.card("6h")
    assert refused(house, correction("7s")).code is Code.NEEDS_TWO_PEOPLE
    assert "correct-burn" not in console_of(house.state)["can"]
    assert refused(house, correction("7s", "ann")).code is Code.NOT_THE_DEALER
    assert refused(house, correction("6c", "pit", pit=True)).message.key == "refusal-burn-count"
    house.do(correction("7s", "pit", pit=True))
    seven, six = parse_cards("7s 6h")
    assert house.state.manual.shoe.out == (seven, *[None] * 7, six)
    assert house.audited() == []


def test_a_correction_needs_a_reason_and_a_card_that_can_be_in_the_shoe():
    house = HandHouse(hand_settings(burn=Burn.FIRST_CARD, decks=1))
    assert refused(house, correction()).message.key == "refusal-no-burn-to-correct"
    house.do(c.BurnByHand(DEALER, parse_cards("7c")))
    blank = c.CorrectBurn(DEALER, pit=False, words=" ", shown=parse_cards("6c"))
    assert refused(house, blank).message.key == "refusal-explain-in-words"
    house.bets()
    house.card("6h")
    same = correction("6h", "pit", pit=True)
    assert refused(house, same).code in (Code.WRONG_CARD, Code.WRONG_PHASE)


def test_where_the_pit_confirms_every_rectification_it_also_corrects_burned_cards():
    house = burned(hand_settings(burn=Burn.FIRST_CARD, inspector=True))
    assert refused(house, correction()).code is Code.NEEDS_TWO_PEOPLE
    house.do(correction(by="pit", pit=True))
    assert house.audited() == []


def undo(by: str = DEALER, *, pit: bool = False) -> c.UndoCutCard:
    return c.UndoCutCard(by, pit, "pressed by mistake")


def test_the_dealer_takes_back_the_cut_card_until_the_coup_is_complete():
    house = HandHouse()
    assert refused(house, undo()).message.key == "refusal-cut-card-not-out"
    house.bets()
    house.do(c.ShowCutCard(DEALER, sure=True))
    house.card("6h")
    house.do(undo())
    house.do(c.ShowCutCard(DEALER, sure=True))
    house.deal("Kd 2c Ks")
    assert refused(house, undo()).code is Code.NEEDS_TWO_PEOPLE
    house.do(undo("pit", pit=True))
    house.end()
    house.pay()
    shoe = house.state.manual.shoe
    assert (shoe.cut_card_out, shoe.coups_to_come) == (False, None)
    house.round("9h 9c Kh Kc")
    house.do(c.CallBets(DEALER))
    assert house.audited() == []


def test_a_cut_card_shown_between_rounds_is_taken_back_until_the_next_coup_is_complete():
    house = HandHouse()
    house.round(COUP)
    house.do(c.ShowCutCard(DEALER, sure=True))
    house.do(undo())
    house.do(c.ShowCutCard(DEALER, sure=True))
    house.round("9h 9c Kh Kc")
    assert refused(house, undo()).code is Code.NEEDS_TWO_PEOPLE
    house.do(undo("pit", pit=True))
    assert house.audited() == []


@pytest.mark.parametrize(
    ("kind", "values", "finding"),
    [
        ("BurnCorrected", {"count": 8}, "7 cards had to be burned, not 8"),
        ("BurnCorrected", {"entered": ["8c"]}, "had been entered as ['7c']"),
        ("BurnCorrected", {"by": "ann"}, "only the pit may change"),
        ("CutCardTakenBack", {"by": DEALER}, "only the pit may change"),
    ],
)
def test_the_audit_finds_a_changed_correction(kind, values, finding):
    house = burned()
    house.do(correction())
    house.bets()
    house.do(c.ShowCutCard(DEALER, sure=True))
    house.deal(COUP)
    house.do(undo("pit", pit=True))
    assert house.audited() == []
    found = tampered(house, set_fields(kind, **values))
    assert any(finding in one for one in found), found


def test_a_frozen_table_changes_nothing():
    house = burned()
    house.do(c.CallFloor(DEALER))
    assert refused(house, correction()).code is Code.TABLE_PAUSED
    house.do(correction(by="pit", pit=True))
    assert isinstance(house.events[-1], e.BurnCorrected)
    assert house.audited() == []
