"""Real cards from a shuffling machine, into which they go back after every coup (R41)."""

import pytest

from baccarat.core.cards import parse_cards
from baccarat.shoe import Burn
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.refusals import Code, Refused
from baccarat.table.settings import Excess
from baccarat.table.settings_changes import check_settings
from support.by_hand import DEALER, HandHouse, console_of, flags, hand_settings, refused
from support.live import settings_for
from support.tampering import set_fields, tampered

ONE_DECK = hand_settings(decks=1, shuffler=True)
COUP = "6h Kd 2c Ks"


@pytest.mark.requirement("R41")
def test_r41_a_shuffling_machine_takes_the_cards_back_after_every_coup():
    house = HandHouse(ONE_DECK)
    for _ in range(20):  # one deck has 52 cards
        house.round(COUP)
        assert house.state.manual.shoe.left == 52
    assert house.state.manual.shoe.coups == 20
    house.do(c.CloseShoe(DEALER))
    assert house.audited() == []


def test_a_card_that_comes_out_twice_in_a_coup_is_flagged():
    house = HandHouse(ONE_DECK)
    house.round(COUP)
    house.bets()
    assert flags(house.card("6h")) == []
    (found,) = flags(house.card("6h"))
    assert found.wrong.kind == "impossible"


def test_there_is_no_cut_card_and_no_burn_after_the_shuffle():
    house = HandHouse(hand_settings(burn=Burn.FIRST_CARD, shuffler=True))
    assert refused(house, c.ShowCutCard(DEALER, sure=True)).message.key == "refusal-no-cut-card"
    assert "cut-card" not in console_of(house.state)["can"]
    house.round(COUP)
    assert house.audited() == []


def test_an_error_is_corrected_until_the_first_card_of_the_next_coup():
    house = HandHouse(hand_settings(excess=Excess.RETURNED, shuffler=True))
    house.do(c.CallBets(DEALER))
    house.wager("ann", player=1000)
    house.do(c.CallNoMoreBets(DEALER))
    house.deal(COUP)
    house.end()
    house.pay()
    house.do(c.ReportError(1, DEALER, "a nine"))
    (event,) = house.do(c.RemedyError(1, "pit", parse_cards("6h Kd 2c 9s")))
    assert (event.winner, house.has("ann")) == ("banker", 99_000)
    assert house.state.manual.shoe.left == 416
    house.round(COUP)
    house.bets()
    house.card("9h")
    late = refused(house, c.ReportError(2, "pit", "late"))
    assert late.code is Code.RESULT_STANDS
    assert house.audited() == []


def test_a_card_too_many_goes_back_and_the_next_coup_takes_bets():
    house = HandHouse(hand_settings(excess=Excess.RETURNED, shuffler=True))
    house.bets()
    house.deal(COUP)
    house.card("4s")
    house.rectify()
    house.end()
    house.pay()
    (opened,) = house.do(c.CallBets(DEALER))
    assert opened.bets is True
    assert house.audited() == []


def test_a_cancelled_coup_goes_back_too():
    house = HandHouse(ONE_DECK)
    house.bets()
    house.card("6h")
    house.cancel(e.CancelReason.MISDEAL)
    assert house.state.manual.shoe.left == 52
    house.round(COUP)
    assert house.audited() == []


def test_the_audit_finds_a_shoe_that_is_called_a_machine():
    house = HandHouse(ONE_DECK)
    house.round(COUP)
    found = tampered(house, set_fields("ShoeBegun", shuffler=False))
    assert any("whether a machine shuffles" in one for one in found), found


def test_a_server_has_no_shuffling_machine_of_real_cards():
    with pytest.raises(Refused):
        check_settings(settings_for(shuffler=True))
