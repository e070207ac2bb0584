"""R02: from the first card of a coup, bets cannot change, even while a card is queried."""

import pytest

from baccarat.core.cards import Card
from baccarat.core.wagers import Wager
from baccarat.service.public_view import TableCall, table_status
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.manual import decisions
from baccarat.table.phases import Phase
from baccarat.table.refusals import Code, Refused
from baccarat.table.state import TableState
from support.by_hand import DEALER, HandHouse, HandTable, console_of, refused

NINE = Card("9", "d")
STAKE = (Wager("player", 1000),)
CHANGES = (STAKE, (Wager("banker", 1000),), ())
"""A player's requests: the same bets again, other bets, and a withdrawal."""
BY_DEVICE = {
    "no place": c.PlaceCard(DEALER, NINE, device=True),
    "the first place": c.PlaceCard(DEALER, NINE, None, 1, 1, device=True),
    "the round before": c.PlaceCard(DEALER, NINE, None, 0, 1, device=True),
    "after an old event": c.PlaceCard(DEALER, NINE, after=0, device=True),
}


def opened(house: HandTable | None = None) -> HandTable:
    """Return a house with an open round on which ann has bet."""
    table = house or HandHouse()
    table.do(c.CallBets(DEALER))
    table.do(c.PlaceWagers(1, "ann", STAKE))
    return table


def bet(wagers: tuple[Wager, ...], player: str = "ann") -> c.PlaceWagers:
    return c.PlaceWagers(1, player, wagers)


@pytest.mark.requirement("R02")
@pytest.mark.parametrize("card", BY_DEVICE)
def test_r02_no_bet_changes_while_a_devices_card_is_queried(card):
    house = opened()
    assert isinstance(house.do(BY_DEVICE[card])[0], e.CardInDoubt)
    for player in ("ann", "bob"):
        for wagers in CHANGES:
            no = refused(house, bet(wagers, player))
            assert no.code is Code.BETTING_CLOSED
            assert "until the dealer has explained it" in str(no)
    reply = table_status(house.state, str)
    assert (reply.takes_bets, reply.call) == (False, TableCall.CARD_SEEN)
    assert refused(house, c.CallNoMoreBets(DEALER)).code is Code.IRREGULAR
    # If burned, it is not a card of this coup: bets are open again.
    house.do(c.ExplainCard(DEALER, NINE, e.CardExplanation.EXPOSED))
    assert table_status(house.state, str).takes_bets
    for wagers in CHANGES:
        house.do(bet(wagers))
    house.do(c.CallNoMoreBets(DEALER))
    house.deal("2h 3h 6s 4s")
    assert house.audited() == []


@pytest.mark.requirement("R02")
def test_r02_the_auditor_finds_a_bet_on_a_queried_card(monkeypatch):
    house = opened()
    house.do(BY_DEVICE["no place"])
    monkeypatch.setattr(TableState, "card_seen", property(lambda _: False))
    house.do(bet((), "ann"))
    monkeypatch.undo()
    assert any("ann wagered while a card was in doubt" in one for one in house.audited())


@pytest.mark.requirement("R02")
@pytest.mark.parametrize("place", [None, 1])
def test_r02_a_first_card_entered_while_bets_are_open_closes_them(place):
    house = opened()
    closed, placed = house.do(c.PlaceCard(DEALER, NINE, None, 1, place))
    assert isinstance(closed, e.BettingClosed)
    assert isinstance(placed, e.CardPlaced)
    assert house.state.round.drawn == (NINE,)
    for wagers in CHANGES:
        assert refused(house, bet(wagers)).code is Code.BETTING_CLOSED
    house.deal("3h 9s 4s")
    house.end()
    house.pay()
    assert house.audited() == []


@pytest.mark.requirement("R02")
def test_r02_the_auditor_finds_a_second_card_called_exposed_after_betting_closed(monkeypatch):
    house = opened()
    house.do(c.CallNoMoreBets(DEALER))
    house.do(c.PlaceCard(DEALER, NINE, None, 1, 0))
    assert house.audited() == []
    monkeypatch.setattr(decisions, "_before_coup", lambda *_: True)
    house.do(c.PlaceCard(DEALER, NINE, None, 1, 0))
    found = house.audited()
    assert any("a second card was called exposed" in one for one in found), found


@pytest.mark.requirement("R02", "R44")
def test_r02_a_card_entered_early_is_burned_after_bets_are_closed():
    """The console closes the bets before it asks the dealer what the card was."""
    house = opened()
    place = console_of(house.state)["place"]
    house.do(c.CallNoMoreBets(DEALER))
    burned, _ = house.do(c.PlaceCard(DEALER, NINE, None, 1, place))
    assert (burned.reason, burned.shown) == (e.BurnReason.EXPOSED, (NINE,))
    assert house.state.round.phase is Phase.CLOSED
    assert "9♦ was exposed" in console_of(house.state)["irregularities"][0]["words"]
    again = c.PlaceCard(DEALER, NINE, None, 1, place)
    assert refused(house, again).code is Code.WRONG_CARD, "sent twice, it is burned once"
    assert refused(house, bet(())).code is Code.BETTING_CLOSED
    house.deal("2h 3h")
    with pytest.raises(Refused):  # a card of the coup is out
        house.do(c.PlaceCard(DEALER, NINE, None, 1, place - 1))
    house.deal("6s 4s")
    assert house.audited() == []
