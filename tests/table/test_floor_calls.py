"""A dealer calls the floor: the table is frozen until another member of the pit answers."""

import pytest

from baccarat.core.cards import parse_card, parse_cards
from baccarat.house.watch.result_bounds import Takings
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.four_eyes.subjects import Rectify
from baccarat.table.refusals import Code
from support.by_hand import (
    DEALER,
    HandHouse,
    HandTable,
    console_of,
    flags,
    hand_settings,
    refused,
)
from support.tampering import set_fields, tampered


def called(house: HandTable) -> None:
    assert house.do(c.CallFloor(DEALER)) == (e.FloorCalled(house.now, DEALER),)


@pytest.mark.parametrize(
    "command",
    [
        c.CallNoMoreBets(DEALER),
        c.PlaceCard(DEALER, parse_card("6h"), None, 1, 1),
        c.ShowCutCard(DEALER),
        c.CallFloor(DEALER),
        c.CallOff(DEALER, 1, e.CancelReason.MISDEAL),
        c.TakeTable("dan"),
        c.PlaceWagers(1, "ann", ()),
    ],
)
def test_nothing_happens_at_a_frozen_table(command):
    house = HandHouse()
    house.do(c.CallBets(DEALER))
    house.wager("ann", player=1000)
    called(house)
    assert refused(house, command).code is Code.TABLE_PAUSED
    now = console_of(house.state)
    assert (now["next"]["do"], now["can"]) == ("wait", [])
    assert not now["called"]["may_answer"]
    assert console_of(house.state, "pit", pit=True)["called"]["may_answer"]
    house.do(c.AnswerFloor("pit", "a card lay on the floor", pit=True))
    house.do(c.CallNoMoreBets(DEALER))
    assert house.audited() == []


def test_neither_result_nor_payment_at_a_frozen_table():
    house = HandHouse()
    house.bets()
    house.deal("6h Kd 2c Ks")
    called(house)
    assert refused(house, c.AnnounceResult(DEALER)).code is Code.TABLE_PAUSED
    assert refused(house, c.RectifyCoup(DEALER, parse_cards("6h Kd 3c Ks"), "misread")).code is (
        Code.TABLE_PAUSED
    )
    house.do(c.AnswerFloor("pit", "nothing was wrong", pit=True))
    house.end()
    called(house)
    assert refused(house, c.PayRound(DEALER)).code is Code.TABLE_PAUSED
    house.do(c.AnswerFloor("pat", "pay", pit=True))
    house.pay()
    assert house.audited() == []


def test_a_dealer_cannot_answer_their_own_call():
    house = HandHouse()
    called(house)
    assert (
        refused(house, c.AnswerFloor(DEALER, "all is well", pit=True)).code is Code.NEEDS_TWO_PEOPLE
    )
    house.do(c.TakeTable("pat", pit=True))
    assert (
        refused(house, c.AnswerFloor("pat", "all is well", pit=True)).code is Code.NEEDS_TWO_PEOPLE
    )
    assert refused(house, c.AnswerFloor("pit", "all is well", pit=False)).code is Code.NOT_ALLOWED
    house.do(c.AnswerFloor("pit", "the dealer was replaced", pit=True))
    assert refused(house, c.AnswerFloor("pit", "again", pit=True)).code is Code.WRONG_PHASE
    assert house.audited() == []


def test_a_card_from_a_device_at_a_frozen_table_waits_for_the_dealer():
    house = HandHouse()
    house.bets()
    called(house)
    (doubt,) = house.do(c.PlaceCard(DEALER, parse_card("6h"), None, 1, 1, device=True))
    assert doubt.why is e.InDoubt.FROZEN
    explain = c.ExplainCard(DEALER, parse_card("6h"), e.CardExplanation.DRAWN)
    assert refused(house, explain).code is Code.TABLE_PAUSED
    house.do(c.AnswerFloor("pit", "the shoe went on", pit=True))
    house.do(explain)
    assert house.state.round.drawn == parse_cards("6h")
    assert house.audited() == []


def test_the_auditor_finds_a_game_that_went_on_although_the_floor_was_called():
    house = HandHouse()
    called(house)
    house.do(c.AnswerFloor("pit", "go on", pit=True))
    house.round("6h Kd 2c Ks")
    answered = "answered their own call"
    assert any(answered in one for one in tampered(house, set_fields("FloorAnswered", by=DEALER)))
    outsider = tampered(house, set_fields("FloorAnswered", by="till"))
    assert any("who is not in the pit" in one for one in outsider)
    frozen = tampered(house, set_fields("FloorAnswered", type="FloorCalled", dealer=DEALER))
    for kind in ("RoundOpened", "CardPlaced", "CoupDecided", "RoundSettled"):
        assert any(f"{kind} while the table was frozen" in one for one in frozen)


@pytest.mark.parametrize("drawn", ["6h 9d", "6h"])
def test_an_inspector_confirms_every_rectification_where_the_house_requires_it(drawn):
    house = HandHouse(hand_settings(inspector=True))
    house.bets()
    house.deal("6h Kd")
    new = parse_cards(drawn)
    (proposed,) = house.do(c.RectifyCoup(DEALER, new, "misread"))
    assert (type(proposed), proposed.subject) == (e.ActionProposed, Rectify(1))
    assert house.state.round.drawn == parse_cards("6h Kd")
    assert refused(house, c.ConfirmRectification(1, DEALER, new)).code is Code.NEEDS_TWO_PEOPLE
    house.do(c.ConfirmRectification(1, "pit", new))
    assert house.state.round.drawn == new
    assert house.audited() == []
    alone = tampered(house, set_fields("CoupRectified", by=[]))
    assert any("only one person changed" in one for one in alone)


def test_a_banner_ends_when_the_matter_ends():
    table = HandTable()
    table.bets()
    table.deal("6h Kd 2c")
    table.end()
    assert table.state.display.notice.kind == "missing"
    table.deal("Ks")
    assert table.state.display.notice is None
    called(table)
    assert table.state.display.notice.type == "FloorCalled"
    table.do(c.AnswerFloor("pit", "go on", pit=True))
    assert table.state.display.notice is None
    table.card("9c")
    assert table.state.display.notice.kind == "extra"
    table.do(c.ConsiderRectification(1, "pit", "the cards are mixed"))
    table.cancel(e.CancelReason.MISDEAL)
    assert table.state.display.notice is None


def test_one_entry_counts_as_one_error():
    """A card that is shown early and also occurs too often is flagged twice, and counts once."""
    table = HandTable(hand_settings(decks=1))
    table.do(c.CallBets(DEALER))
    first, again = table.card("6h"), table.card("6h")
    assert [len(flags(found)) for found in (first, again)] == [1, 2]
    takings = Takings()
    for event in (*first, *again):
        takings.take(event, lambda _: "")
    assert takings.errors == {DEALER: 2}
