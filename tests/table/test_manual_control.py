"""What a dealer cannot do alone: change a complete coup, cancel a dealt one, open bets on a known
card, take a colleague's table."""

import random
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import partial

import msgspec
import pytest

from baccarat.core.cards import Card, deck, parse_cards
from baccarat.core.misdeals import deal_correctly
from baccarat.core.tableau import Hand
from baccarat.core.wagers import Wager
from baccarat.house import jobs
from baccarat.house.events import OPERATOR
from baccarat.house.housefile import HouseFileError, read_house
from baccarat.house.people import accounts
from baccarat.house.people.roles import Account, Role
from baccarat.house.safety.profiles import default_conduct
from baccarat.house.watch.audit_log import significant
from baccarat.shoe import Burn
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.decide import decide
from baccarat.table.four_eyes import terms
from baccarat.table.four_eyes.proposals import ASKED, digest, find
from baccarat.table.four_eyes.subjects import Cancel, Correct, Rectify
from baccarat.table.manual.checks import irregular
from baccarat.table.manual.decisions import place_due
from baccarat.table.phases import Phase
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import game_of
from baccarat.table.settings import BetLimits, DummyRefund, Excess, StakeLimits
from baccarat.wording.catalogue import catalogue
from support.by_hand import (
    DEALER,
    HandHouse,
    HandTable,
    choices_of,
    console_of,
    hand_settings,
    refused,
)
from support.live import settings_for
from support.samples import amount
from support.tampering import set_fields, tampered

MISDEAL = e.CancelReason.MISDEAL
ISSUE = partial(accounts.issue_password, password="a hash")  # noqa: S106
SUSPEND = partial(accounts.suspend, words="under investigation")


def dealt(cards: str, house: HandTable | None = None) -> HandTable:
    """Deal cards in a round on which ann bets on Player."""
    table = house or HandTable()
    table.do(c.CallBets(DEALER))
    table.do(c.PlaceWagers(table.state.round.number, "ann", (Wager("player", 1000),)))
    table.do(c.CallNoMoreBets(DEALER))
    table.deal(cards)
    return table


# ---- a complete coup ---------------------------------------------------------------------------


@pytest.mark.requirement("R43", "R44", "G38")
@pytest.mark.parametrize("announced", [False, True])
@pytest.mark.parametrize(
    "drawn", ["6h Kd 2c 9s", "6h Kd 2c", "6h Kd", "6h 2c Kd Ks", "6h Kd 2c Ks 5s", "9h Kd 2c Ks"]
)
def test_g38_a_dealer_alone_cannot_change_a_complete_coup(drawn, announced):
    table = dealt("6h Kd 2c Ks")
    if announced:
        table.end()
    before = table.state.round
    cards = tuple(parse_cards(drawn))
    [proposed] = table.do(c.RectifyCoup(DEALER, cards, "misread"))
    assert isinstance(proposed, e.ActionProposed)
    assert (table.state.round.cards, table.state.round.phase) == (before.cards, before.phase)
    assert refused(table, c.RectifyCoup(DEALER, cards, "misread")).code is Code.NEEDS_TWO_PEOPLE
    own = refused(table, c.ConfirmRectification(1, DEALER, cards))
    assert own.code is Code.NEEDS_TWO_PEOPLE, "a member of the pit who deals is the dealer"
    for command in (c.AnnounceResult(DEALER), c.PayRound(DEALER)):
        with pytest.raises(Refused):
            table.do(command)
    [rectified] = table.do(c.ConfirmRectification(1, "pit", cards))
    assert rectified.by == (DEALER, "pit")
    assert (rectified.recorded, rectified.drawn) == (tuple(parse_cards("6h Kd 2c Ks")), cards)
    assert table.state.proposals == ()


@pytest.mark.requirement("R44", "G38")
def test_g38_the_pit_confirms_particular_cards_and_payments():
    house = HandHouse()
    dealt("6h Kd 2c Ks", house)
    house.do(c.RectifyCoup(DEALER, tuple(parse_cards("6h Kd 2c 9s")), "misread"))
    [waits] = house.state.proposals
    reply, drawn = parse_cards("6h Kd 2c Ks"), parse_cards("6h Kd 2c 9s")
    coups = "P:6h2c=8 B:KdKs=0", "P:6h2c=8 B:Kd9s=9"
    assert waits.terms == terms.ChangeCoup(reply, drawn, *coups, 1000, -1000, ())
    other = house.do(c.ConfirmRectification(1, "pit", tuple(parse_cards("6h Kd 2c 8s"))))
    assert isinstance(other[-1], e.ActionProposed), "other cards are another proposal"
    house.do(c.RectifyCoup(DEALER, tuple(parse_cards("6h Kd 2c 9s")), "misread"))
    house.do(c.WithdrawProposal(Rectify(1), DEALER, dealer=True))
    house.do(c.RectifyCoup(DEALER, tuple(parse_cards("6h Kd 2c 9s")), "misread"))
    ended, *_ = house.card("5d")  # one more card on the table: the proposal was about four
    assert (ended.subject, ended.why) == (Rectify(1), e.ProposalEnd.CHANGED)
    house.rectify()  # same cards: the coup does not change, so the dealer needs no second person
    [rectified] = house.rectify("6h Kd 2c 9s")
    assert [one.net for one in rectified.paid_before] == [1000]
    assert [one.net for one in rectified.paid_after] == [-1000]
    reply = significant("table:hand", 1, rectified, catalogue())
    assert reply.who == f"{DEALER}, pit"
    assert reply.words == (
        "Round 1: cards changed from Player 6♥ 2♣ (8), Banker K♦ K♠ (0) to Player 6♥ 2♣ (8), "
        "Banker K♦ 9♠ (9). Players' result before: 10.00, after: −10.00."
    )
    house.end()
    house.pay()
    assert house.has("ann") == 99_000
    assert house.audited() == []
    for change in (
        set_fields("CoupRectified", by=lambda by: by[:1]),
        set_fields("CoupRectified", by=lambda by: by[::-1]),
        set_fields("CoupRectified", by=lambda by: []),
        set_fields("CoupRectified", coup_before=lambda was: was and "P:6h2c=8 B:Kd9s=9"),
        set_fields("CoupRectified", paid_after=lambda was: []),
        set_fields("CoupRectified", paid_before=lambda was: was and [{**was[0], "wagers": []}]),
    ):

        def changed(kind, value, change=change):
            if value.get("paid_before"):
                change(kind, value)

        assert tampered(house, changed)


@pytest.mark.requirement("R44", "G38")
def test_g38_the_person_who_opened_the_dealers_account_cannot_confirm():
    house = HandHouse()
    dave = Account("dave", Role.DEALER, "Dave")
    house.commit(jobs.open_account(dave, house.clock, by="pit"))
    dealt("6h Kd 2c Ks", house)
    house.hand_over("dave")
    drawn = tuple(parse_cards("6h Kd 2c 9s"))
    house.do(c.RectifyCoup("dave", drawn, "misread"))
    assert refused(house, c.ConfirmRectification(1, "pit", drawn)).code is Code.NEEDS_TWO_PEOPLE
    house.do(c.ConfirmRectification(1, "pat", drawn))
    assert house.audited() == []


@pytest.mark.requirement("R43", "R44")
def test_r44_a_dealer_alone_can_rectify_an_incomplete_or_unchanged_coup():
    table = dealt("6h Kd 2c")
    [rectified] = table.do(c.RectifyCoup(DEALER, tuple(parse_cards("6h Kd 3c")), "misread"))
    assert (rectified.by, rectified.coup_before, rectified.coup_after) == ((), "", "")
    reply = significant("table:hand", 1, rectified, catalogue()).words
    changed = "from 6♥ K♦ 2♣ (not complete) to 6♥ K♦ 3♣ (not complete)."
    assert reply.endswith(f"{changed} Reason: misread.")
    table = dealt("6h Kd 2c Ks")
    table.card("5s")
    extra = [choice for choice in choices_of(table.state) if choice.do == "rectify"]
    assert [one.words.endswith("The pit must confirm this.") for one in extra] == [False]
    [rectified] = table.do(c.RectifyCoup(DEALER))
    assert (rectified.by, rectified.excess) == ((), (Card("5", "s"),))
    assert rectified.coup_before == rectified.coup_after == "P:6h2c=8 B:KdKs=0"
    nothing = refused(table, c.ConfirmRectification(1, "pit", tuple(parse_cards("6h Kd 2c Ks"))))
    assert nothing.code is Code.WRONG_PHASE


# ---- known cards -------------------------------------------------------------------------------


@pytest.mark.requirement("R44")
def test_r44_a_returned_card_is_dealt_without_bets():
    house = HandHouse(hand_settings(excess=Excess.RETURNED))
    dealt("6h Kd 2c Ks", house)
    house.card("9s")
    [rectified] = house.rectify()
    assert rectified.goes is Excess.RETURNED
    house.end()
    house.pay()
    reply = console_of(house.state)
    assert (reply["shoe"]["known"], reply["bets"]) == (["9s"], False)
    assert reply["next"]["words"].startswith("Deal this coup without bets")
    [opened] = house.do(c.CallBets(DEALER))
    assert opened.bets is False
    assert console_of(house.state)["next"]["words"].startswith("Deal this coup without bets")
    late = refused(house, c.PlaceWagers(2, "ann", (Wager("player", 1000),)))
    assert late.code is Code.BETTING_CLOSED
    assert "dealt without bets because a card of the shoe has been seen" in str(late)
    house.do(c.CallNoMoreBets(DEALER))
    house.deal("9s Kh Kc Qs")
    house.end()
    [settled] = house.pay()
    assert settled.results == ()
    [opened] = house.do(c.CallBets(DEALER))
    assert opened.bets is True
    house.wager("ann", player=1000)
    assert house.audited() == []
    lie = tampered(house, lambda _, value: value.pop("bets", None))
    assert any("the next card was known" in one for one in lie)
    blind = tampered(house, set_fields("RoundOpened", bets=False))
    assert any("dealt without bets" in one for one in blind)


@pytest.mark.requirement("R44")
@pytest.mark.parametrize("excess", ["next", "returned"])
def test_r44_a_house_file_cannot_allow_bets_on_a_known_card(excess):
    for source in ("cards", "shoe"):
        house = f"""
            format = 1
            name = "House"
            [[table]]
            id = "one"
            name = "One"
            card = "punto-banco"
            source = "{source}"
            excess = "{excess}"
        """
        with pytest.raises(HouseFileError, match=excess):
            read_house(house, name="house.toml")
    if excess not in [*Excess]:
        return
    settings = settings_for(excess=Excess(excess))
    with pytest.raises(Refused) as found:
        decide(None, c.OpenTable("one", settings), 1)
    assert found.value.code is Code.BAD_SETTINGS


@pytest.mark.requirement("R44")
@pytest.mark.parametrize(
    ("card", "said", "excess"),
    [
        ("punto-banco", "", Excess.BURNED),
        ("punto-banco", "burned", Excess.BURNED),
        ("commission", "", Excess.RETURNED),
        ("no-commission", "", Excess.RETURNED),
        ("fortune-six", "returned", Excess.RETURNED),
        ("fortune-six", "burned", Excess.BURNED),
    ],
)
def test_r44_a_table_follows_its_rule_card_unless_the_house_burns_excess_cards(card, said, excess):
    house = f"""
        format = 1
        name = "House"
        currency = "{"GBP" if card == "punto-banco" else "EUR"}"
        [[table]]
        id = "one"
        name = "One"
        card = "{card}"
        source = "cards"
        {f'excess = "{said}"' if said else ""}
    """
    assert read_house(house, name="house.toml").tables[0].settings.excess is excess


@pytest.mark.requirement("R43", "R44")
def test_r43_a_correction_returns_a_card_only_between_rounds():
    for opened in (False, True):
        table = dealt("3h Kd 2c Ks 4s 6s", HandTable(hand_settings(excess=Excess.RETURNED)))
        table.end()
        table.pay()
        table.do(c.ReportError(1, DEALER, "it was a six"))
        if opened:
            table.do(c.CallBets(DEALER))
        corrected = table.do(c.RemedyError(1, "pit", tuple(parse_cards("6h Kd 2c Ks 4s 6s"))))[0]
        assert corrected.goes is (Excess.BURNED if opened else Excess.RETURNED)
        if not opened:
            assert table.do(c.CallBets(DEALER))[0].bets is False


@pytest.mark.requirement("R43", "G33")
def test_g33_a_card_entered_and_taken_back_is_burned_before_bets_open():
    """It may have been a typing error or a real card, which may be the next one."""
    table = dealt("6h Kd 2c Ks")
    table.card("9s")
    table.rectify("6h Kd 2c Ks")  # dealer and pit say that it never left the shoe
    table.end()
    table.pay()
    assert refused(table, c.CallBets(DEALER)).code is Code.WRONG_PHASE
    assert "may be the next one: burn 1" in console_of(table.state)["next"]["words"]
    [burned] = table.do(c.BurnByHand(DEALER))
    assert (burned.reason, burned.count) == (e.BurnReason.TAKEN_BACK, 1)
    assert table.do(c.CallBets(DEALER))[0].bets is True
    # The same for a card that a device sent.
    table.do(c.PlaceCard(DEALER, Card("8", "h"), device=True))
    mistake = c.ExplainCard(DEALER, Card("8", "h"), e.CardExplanation.MISTAKE)
    assert "Bets are open" in str(refused(table, mistake))
    table.do(c.CancelRound(2, MISDEAL, "pit"))
    table.do(mistake)
    assert refused(table, c.CallBets(DEALER)).code is Code.WRONG_PHASE
    table.do(c.BurnByHand(DEALER))
    table.do(c.CallBets(DEALER))
    # And for a card that a correction removes.
    table.do(c.CallNoMoreBets(DEALER))
    table.deal("3h Kd 2c Ks 4s 6s")
    table.end()
    table.pay()
    table.do(c.ReportError(3, DEALER, "a six, and no more cards"))
    fewer = c.RemedyError(3, "pit", tuple(parse_cards("6h Kd 2c Ks")))
    table.do(c.CallBets(DEALER))
    assert "Bets are open" in str(refused(table, fewer))
    table.do(c.CancelRound(4, MISDEAL, "pit"))
    table.do(fewer)
    assert refused(table, c.CallBets(DEALER)).code is Code.WRONG_PHASE
    assert table.do(c.BurnByHand(DEALER))[0].count == 2
    table.do(c.CallBets(DEALER))


NINE = Card("9", "d")


def mistake(table: HandTable, card: Card) -> None:
    """A device reports a card where none is due, and the dealer calls it a mistake."""
    table.do(c.PlaceCard(DEALER, card, device=True))
    assert table.state.manual.doubts
    table.do(c.ExplainCard(DEALER, card, e.CardExplanation.MISTAKE))


@pytest.mark.requirement("R43", "R45", "G33")
def test_g33_a_card_that_a_device_reported_early_is_burned_before_bets():
    house = HandHouse()
    dealt("", house)
    early = c.PlaceCard(DEALER, NINE, None, 0, device=True)
    assert isinstance(house.do(early)[0], e.CardInDoubt)
    [said] = house.do(c.ExplainCard(DEALER, NINE, e.CardExplanation.MISTAKE))
    reply = significant("table:hand", 1, said, catalogue())
    assert reply.words == (
        "Round 1: the dealer explained 9♦, sent by the shoe, as a mistake by the shoe."
    )
    assert reply.who == DEALER
    [proposed] = house.do(c.CallOff(DEALER, 1, MISDEAL, alone=10**9))
    assert isinstance(proposed, e.ActionProposed), "a card was seen, whatever it was called"
    house.do(c.CancelRound(1, MISDEAL, "pit"))
    assert refused(house, c.CallBets(DEALER)).code is Code.WRONG_PHASE
    house.do(c.BurnByHand(DEALER))
    assert house.do(c.CallBets(DEALER))[0].bets
    assert house.audited() == []
    alone = tampered(house, set_fields("RoundCancelled", by=["pit"]))
    assert any("only one person decided it" in one for one in alone), alone


@pytest.mark.requirement("R43", "G33")
@pytest.mark.parametrize("card", ["no place", "another round", "another round and place"])
@pytest.mark.parametrize("closed", [False, True])
def test_g33_only_a_device_leaves_a_card_in_doubt(card, closed):
    table = dealt("") if closed else HandTable()
    number = table.state.round.number
    reply = {
        "no place": c.PlaceCard(DEALER, NINE),
        "another round": c.PlaceCard(DEALER, NINE, None, number - 1),
        "another round and place": c.PlaceCard(DEALER, NINE, None, number - 1, 1),
    }[card]
    if closed and card == "no place":
        assert isinstance(table.do(reply)[0], e.CardPlaced), "nothing else it can be"
        table.deal("Ks Kc 3c")  # a natural: the coup has all its cards
    assert refused(table, reply).code is Code.WRONG_CARD
    assert table.state.manual.doubts == ()


@pytest.mark.requirement("R43", "G33")
def test_g33_a_card_is_refused_if_the_round_moved_on_since_its_sender_saw_it():
    """Wagers and reports do not move the round on."""

    def card(after: int, *, device: bool = False) -> c.PlaceCard:
        return c.PlaceCard(DEALER, NINE, after=after, device=device)

    table = HandTable()
    before = table.state.sequence
    table.bets()
    closed = table.state.sequence
    assert refused(table, card(closed - 1)).code is Code.WRONG_CARD
    table.do(c.ReportError(table.state.round.number, "pit", "look"))
    assert isinstance(table.do(card(closed))[0], e.CardPlaced), "a report moves nothing on"
    late = refused(table, card(closed))
    assert str(late) == (
        "The table moved on before 9♦ was received. Look at the table and enter the card that is "
        "missing."
    )
    [doubt] = table.do(card(before, device=True))
    assert isinstance(doubt, e.CardInDoubt)
    assert len(table.state.round.cards) == 1


@pytest.mark.requirement("R43", "G33")
def test_g33_a_card_shown_early_is_entered_once():
    table = HandTable()
    seen = table.state.sequence
    table.do(c.PlaceCard(DEALER, NINE, after=seen))
    assert refused(table, c.PlaceCard(DEALER, NINE, after=seen)).code is Code.WRONG_CARD
    table.do(c.PlaceCard(DEALER, NINE, after=table.state.sequence))
    assert table.state.manual.exposed == 2


@pytest.mark.requirement("R43", "G33")
@pytest.mark.parametrize("burn", [Burn.NONE, Burn.ONE])
def test_g33_each_card_called_a_mistake_is_burned(burn):
    house = HandHouse(hand_settings(burn=burn))
    for card in (Card("K", "d"), NINE):
        mistake(house, card)
    [burned] = house.do(c.BurnByHand(DEALER))
    assert burned.count == 2
    assert house.do(c.CallBets(DEALER))[0].bets
    assert house.audited() == []
    assert tampered(house, set_fields("BurnedByHand", count=1))


@pytest.mark.requirement("R44", "G33")
def test_g33_cards_taken_back_from_an_incomplete_coup_are_burned():
    house = HandHouse()
    dealt("2h 3h 2s 3s 6d", house)
    house.rectify("7h")
    house.deal("3h 2s 3s")
    house.end()
    house.pay()
    assert refused(house, c.CallBets(DEALER)).code is Code.WRONG_PHASE
    assert house.do(c.BurnByHand(DEALER))[0].count == 4
    assert house.audited() == []


@pytest.mark.requirement("R44", "R45", "G33")
def test_g33_a_card_taken_back_is_burned_even_if_its_round_was_cancelled():
    house = HandHouse()
    dealt("9d", house)
    house.rectify(())
    house.cancel(MISDEAL)
    assert refused(house, c.CallBets(DEALER)).code is Code.WRONG_PHASE
    assert house.do(c.BurnByHand(DEALER))[0].count == 1
    assert house.audited() == []


@pytest.mark.requirement("G33")
@pytest.mark.parametrize("burn", [Burn.NONE, Burn.ONE])
@pytest.mark.parametrize("excess", [Excess.BURNED, Excess.RETURNED])
def test_g33_a_restarted_shoe_burns_the_cards_that_were_seen(burn, excess):
    """Nothing proves that the cards were shuffled in between."""
    house = HandHouse(hand_settings(burn=burn, excess=excess))
    if burn is Burn.ONE:
        house.do(c.BurnByHand(DEALER))
    dealt("6h Kd 2c", house)
    house.rectify("6h")  # two cards that may still be the next ones
    house.deal("Kd 3c 9s 4s")  # a natural, and a card too many
    house.do(c.RectifyCoup(DEALER))
    house.end()
    house.pay()
    seen = 3 if excess is Excess.RETURNED else 2
    house.do(c.CloseShoe(DEALER, None))
    house.do(c.BeginShoe(DEALER, bytes([1] * 16)))
    assert refused(house, c.CallBets(DEALER)).code is Code.WRONG_PHASE
    [burned] = house.do(c.BurnByHand(DEALER))
    assert burned.count == seen
    [opened] = house.do(c.CallBets(DEALER))
    assert opened.bets
    assert house.audited() == []
    assert tampered(house, set_fields("BurnedByHand", count=lambda count: min(count, 1)))


@pytest.mark.requirement("R43", "G33")
@pytest.mark.parametrize("burned", [0, 1, 2])
def test_g33_after_a_correction_removed_cards_not_yet_dealt_are_burned(burned):
    house = HandHouse()
    dealt("2h 3h 2s 3s 6d 9c", house)
    house.end()
    house.pay()
    for _ in range(burned):
        house.hand_over("the-pit" if house.state.manual.dealer == DEALER else DEALER)
        house.do(c.BurnByHand(house.state.manual.dealer))
    dealer = house.state.manual.dealer
    house.do(c.ReportError(1, dealer, "a seven, and no more cards"))
    house.do(c.RemedyError(1, "pat", parse_cards("7h 3h 2s 3s")))
    if burned < 2:
        assert refused(house, c.CallBets(dealer)).code is Code.WRONG_PHASE
        assert house.do(c.BurnByHand(dealer))[0].count == 2 - burned
    assert house.do(c.CallBets(dealer))[0].bets
    assert house.audited() == []


@pytest.mark.requirement("R44", "G33")
def test_g33_a_card_behind_a_returned_one_is_burned_with_it():
    house = HandHouse(hand_settings(excess=Excess.RETURNED))
    dealt("6h Kd 2c Ks 9s 8c", house)
    house.rectify("6h Kd 2c Ks 9s")  # 9♠ is returned, and 8♣ never left the shoe: they are next
    house.end()
    house.pay()
    assert house.do(c.BurnByHand(DEALER))[0].count == 2
    assert house.do(c.CallBets(DEALER))[0].bets
    assert house.audited() == []


@pytest.mark.requirement("R43", "G33")
def test_g33_a_correction_while_bets_are_open_stops_further_bets():
    """The round before a cancelled one is corrected to have two fewer cards."""
    table = dealt("2h 3h 2s 3s 6d 9c")
    table.end()
    table.pay()
    table.do(c.ReportError(1, DEALER, "a seven, and no more cards"))
    table.bets()
    table.card("4h")
    table.cancel(MISDEAL)
    table.do(c.CallBets(DEALER))
    table.do(c.RemedyError(1, "pit", parse_cards("7h 3h 2s 3s")))
    wager = c.PlaceWagers(3, "ann", (Wager("player", 1000),))
    assert "the next card may have been seen" in str(refused(table, wager))
    assert refused(table, c.CallNoMoreBets(DEALER)).code is Code.WRONG_PHASE
    table.cancel(MISDEAL)
    table.do(c.BurnByHand(DEALER))
    table.do(c.CallBets(DEALER))


@pytest.mark.requirement("R41", "R44", "G38")
@pytest.mark.parametrize("rectify", [True, False])
def test_g38_a_dealer_alone_cannot_discard_cards_of_an_electronic_shoe(rectify):
    house = HandHouse()
    dealt("", house)
    two, sent = Card("2", "h"), parse_cards("3h 6s 4s 5d")
    house.do(c.PlaceCard(DEALER, two, Hand.BANKER, 1, 1))  # to the wrong hand, on purpose
    for card in sent:
        house.do(c.PlaceCard(DEALER, card, device=True))
    if rectify:  # before anything is explained, when nothing seems to need the pit
        house.rectify("4h")
    for card in sent:
        house.do(c.ExplainCard(DEALER, card, e.CardExplanation.MISTAKE))
    if not rectify:
        [proposed] = house.do(c.RectifyCoup(DEALER, parse_cards("4h"), "misread"))
        assert isinstance(proposed, e.ActionProposed)
        house.do(c.ConfirmRectification(1, "pit", parse_cards("4h")))
        house.deal("2c 5s Kc")
        house.end()
        assert house.audited() == []
        return
    house.deal("2c 5s Kc")
    why = refused(house, c.AnnounceResult(DEALER))
    assert why.code is Code.NEEDS_TWO_PEOPLE
    words = "The shoe sent 3♥ 6♠ 4♠ 5♦, which the dealer called a mistake or placed elsewhere"
    assert words in str(why)
    reply = console_of(house.state)
    assert (reply["next"]["do"], "result" in reply["can"]) == ("rectify", False)
    assert words in reply["next"]["words"]
    [choice] = [one for one in choices_of(house.state) if one.do == "rectify"]
    assert choice.words.endswith("The pit must confirm this.")
    [proposed] = house.do(c.RectifyCoup(DEALER))
    assert proposed.terms.mistaken == parse_cards("3h 6s 4s 5d")
    assert refused(house, c.AnnounceResult(DEALER)).code is Code.NEEDS_TWO_PEOPLE
    house.do(c.ConfirmRectification(1, "pit", parse_cards("4h 2c 5s Kc")))
    house.end()
    house.pay()
    assert house.audited() == []
    alone = set_fields("CoupRectified", by=lambda by: by[:1])
    found = tampered(house, lambda kind, value: _if_by(kind, value, alone))
    assert any("the pit did not confirm the coup" in one for one in found), found


@pytest.mark.requirement("R41", "R44")
def test_r41_an_excess_card_from_a_device_after_a_complete_coup_does_not_need_the_pit():
    table = dealt("")
    for card in parse_cards("6h Kd 2c Ks"):
        table.do(c.PlaceCard(DEALER, card, device=True))
    mistake(table, NINE)
    assert isinstance(table.end()[0], e.CoupDecided)
    table.pay()
    assert table.do(c.BurnByHand(DEALER))[0].count == 1


@pytest.mark.requirement("R41", "R44", "G38")
@pytest.mark.parametrize("announced", [False, True])
def test_g38_a_dealer_cannot_key_a_coup_instead_of_the_electronic_shoes_cards(announced):
    """The dealer keys a natural, and calls the cards that the shoe really sent mistakes."""
    house = HandHouse()
    dealt("", house)
    house.deal("9h Kd Ks Qs")
    if announced:
        house.end()
    for card in parse_cards("2h 9d 3s Ks"):
        house.do(c.PlaceCard(DEALER, card, device=True))
        house.do(c.ExplainCard(DEALER, card, e.CardExplanation.MISTAKE))
    call = c.PayRound(DEALER) if announced else c.AnnounceResult(DEALER)
    why = refused(house, call)
    assert why.code is Code.NEEDS_TWO_PEOPLE
    assert "The shoe sent 2♥ 9♦ 3♠ K♠" in str(why)
    assert console_of(house.state)["next"]["do"] == "rectify"
    [proposed] = house.do(c.RectifyCoup(DEALER))
    assert proposed.terms.mistaken == parse_cards("2h 9d 3s Ks")
    house.do(c.ConfirmRectification(1, "pit", parse_cards("9h Kd Ks Qs")))
    house.end()
    house.pay()
    assert house.audited() == []
    alone = set_fields("CoupRectified", by=lambda by: by[:1])
    assert tampered(house, lambda kind, value: _if_by(kind, value, alone))


@pytest.mark.requirement("R41", "R44", "G38")
@pytest.mark.parametrize("placed", [False, True])
@pytest.mark.parametrize("announced", [False, True])
def test_g38_a_dealer_cannot_dismiss_the_electronic_shoes_cards_as_excess(placed, announced):
    """The dealer keys a natural, and claims that the shoe's real cards came later."""
    house = HandHouse()
    dealt("", house)
    house.deal("9h Kd Ks Qs")
    if announced:
        house.end()
    sent = parse_cards("2h 9d 3s Ks")
    for place, card in enumerate(sent, start=1):
        named = (1, place) if placed else (None, None)
        house.do(c.PlaceCard(DEALER, card, None, *named, device=True))
    for card in sent:
        house.do(c.ExplainCard(DEALER, card, e.CardExplanation.DRAWN))
    [proposed] = house.do(c.RectifyCoup(DEALER))
    assert isinstance(proposed, e.ActionProposed)
    assert proposed.terms.mistaken == parse_cards("2h 9d 3s Ks")
    house.do(c.ConfirmRectification(1, "pit", parse_cards("9h Kd Ks Qs 2h 9d 3s Ks")))
    house.end()
    house.pay()
    assert house.audited() == []
    alone = set_fields("CoupRectified", by=lambda by: by[:1])
    assert tampered(house, lambda kind, value: _if_by(kind, value, alone))


@pytest.mark.requirement("R41", "R44", "G38")
@pytest.mark.parametrize("keyed", ["Ah", "2d"])
def test_g38_a_dealer_cannot_insert_a_card_before_one_from_an_electronic_shoe(keyed):
    """The dealer keys a fourth card, and claims that the shoe's fourth card was the fifth."""
    house = HandHouse()
    dealt("", house)
    for place, card in enumerate(parse_cards("2h 8d 3s"), start=1):
        house.do(c.PlaceCard(DEALER, card, None, 1, place, device=True))
    house.card(keyed)
    house.do(c.PlaceCard(DEALER, Card("K", "s"), None, 1, 4, device=True))
    house.do(c.ExplainCard(DEALER, Card("K", "s"), e.CardExplanation.DRAWN))
    [proposed] = house.do(c.RectifyCoup(DEALER))
    assert isinstance(proposed, e.ActionProposed)
    assert refused(house, c.AnnounceResult(DEALER)).code in (
        Code.NEEDS_TWO_PEOPLE,
        Code.IRREGULAR,
    )


@pytest.mark.requirement("R41", "R44")
def test_r44_a_dealer_alone_can_replace_a_keyed_card_by_the_one_from_the_shoe():
    house = HandHouse()
    dealt("", house)
    for place, card in enumerate(parse_cards("2h 7d 3s"), start=1):
        house.do(c.PlaceCard(DEALER, card, None, 1, place, device=True))
    house.card("Kh")  # misread
    house.do(c.PlaceCard(DEALER, Card("K", "s"), None, 1, 4, device=True))
    house.do(c.RectifyCoup(DEALER, parse_cards("2h 7d 3s"), "misread"))
    house.do(c.ExplainCard(DEALER, Card("K", "s"), e.CardExplanation.DRAWN))
    house.deal("9c")
    assert isinstance(house.end()[0], e.CoupDecided)
    house.pay()
    assert house.audited() == []


@pytest.mark.requirement("R41", "R43", "G38")
@pytest.mark.parametrize("was", [e.CardExplanation.MISTAKE, e.CardExplanation.EXPOSED])
@pytest.mark.parametrize("later", ["paid", "bets", "no more bets"])
def test_g38_cards_from_a_device_after_payment_keep_the_round_open_to_correction(was, later):
    """The dealer keys a natural and pays it before the cards of the electronic shoe arrive."""
    house = HandHouse()
    dealt("9h Kd Ks Qs", house)
    house.end()
    house.pay()
    if later != "paid":
        house.do(c.CallBets(DEALER))
    if later == "no more bets":
        house.do(c.CallNoMoreBets(DEALER))
    sent = parse_cards("2h 9d 3s Ks 5h")
    for place, card in enumerate(sent, start=1):
        house.do(c.PlaceCard(DEALER, card, None, 1, place, device=True))
    if later != "paid":
        house.do(c.PlaceCard(DEALER, sent[0], None, 1, 0, device=True))  # early, not of the coup
    contradicted = [
        (report.words, report.card, report.place) for report in house.state.manual.reports
    ]
    assert contradicted == [("", card, place) for place, card in enumerate(sent, start=1)]
    if later == "bets":
        house.cancel(MISDEAL)
    for doubt in house.state.manual.doubts:
        in_coup = house.state.round.phase is Phase.CLOSED
        house.do(
            c.ExplainCard(DEALER, doubt.event.card, e.CardExplanation.MISTAKE if in_coup else was)
        )
    if house.state.manual.shoe.burn_due:
        if house.state.round.phase is Phase.CLOSED:
            house.cancel(MISDEAL)
        house.do(c.BurnByHand(DEALER))
    dealt("6h", house)
    assert house.state.manual.round(1) is not None, "the pit can still correct it"
    own = c.RemedyError(1, DEALER, sent)
    assert refused(house, own).code is Code.NEEDS_TWO_PEOPLE
    house.do(c.DismissReport(1, "pit", "the shoe was tested"))
    assert house.state.manual.round(1) is None
    assert house.audited() == []
    found = tampered(house, set_fields("ErrorReported", round=2))
    assert any("contradicted round 1, but no error was reported" in one for one in found), found


@pytest.mark.requirement("R41", "R43")
def test_r43_a_card_that_a_device_repeats_after_payment_is_not_an_error():
    table = dealt("9h Kd Ks Qs")
    table.end()
    table.pay()
    table.do(c.CallBets(DEALER))
    table.do(c.PlaceCard(DEALER, Card("K", "d"), None, 1, 2, device=True))
    assert (len(table.state.manual.doubts), table.state.manual.reports) == (1, ())


@pytest.mark.requirement("R41", "R44", "G38")
@pytest.mark.parametrize("drawn", ["9h Kd Ks", "2h 9d", "9d 2h 3s"])
def test_g38_a_dealer_alone_cannot_change_a_card_from_an_electronic_shoe(drawn):
    house = HandHouse()
    dealt("", house)
    for card in parse_cards("2h 9d 3s"):
        house.do(c.PlaceCard(DEALER, card, device=True))
    [proposed] = house.do(c.RectifyCoup(DEALER, parse_cards(drawn), "misread"))
    assert isinstance(proposed, e.ActionProposed)
    assert (proposed.terms.coup_before, proposed.terms.coup_after) == ("", "")
    house.do(c.ConfirmRectification(1, "pit", parse_cards(drawn)))
    assert house.audited() == []
    alone = set_fields("CoupRectified", by=lambda by: by[:1])
    found = tampered(house, lambda kind, value: _if_by(kind, value, alone))
    assert any("one person changed" in one for one in found), found


@pytest.mark.requirement("R44")
def test_r44_a_dealer_alone_can_change_a_keyed_card_among_those_of_a_device():
    house = HandHouse()
    dealt("", house)
    house.do(c.PlaceCard(DEALER, parse_cards("2h")[0], device=True))
    house.card("9d")  # the device missed it
    [changed] = house.do(c.RectifyCoup(DEALER, parse_cards("2h 8d"), "misread"))
    assert isinstance(changed, e.CoupRectified)
    assert house.state.manual.sent == (True, False)
    [proposed] = house.do(c.RectifyCoup(DEALER, parse_cards("3h 8d"), "misread"))
    assert isinstance(proposed, e.ActionProposed)
    assert house.audited() == []


def _moves(house: HandHouse, rng: random.Random, stake: int) -> list[c.Command]:
    """Return what a dealer, an electronic shoe, the pit and a player may try next."""
    state, shoe = house.state, house.state.manual.shoe
    dealer, number = state.manual.dealer, state.round.number
    cards = [card for _, card in state.round.cards]
    known = [one for one in shoe.known[len(cards) :] if one]
    card = known[0] if known else rng.choice(deck())
    shorter = tuple(cards[: rng.randrange(len(cards) + 1)])
    natural = (Card("9", "h"), *rng.sample(deck()[36:52], 3))
    past = state.manual.past[-1].number if state.manual.past else number
    other = rng.choice(["pit", "pat"])
    return [
        *[c.CallBets(dealer)] * 2,
        c.CallNoMoreBets(dealer),
        *[c.PlaceCard(dealer, card, None, number, place_due(state))] * 6,
        c.PlaceCard(dealer, card),
        c.PlaceCard(dealer, card, None, number - 1),
        c.PlaceCard(dealer, card, None, number, rng.randrange(-1, 6)),
        c.PlaceCard(dealer, card, rng.choice([*Hand]), number, place_due(state)),
        c.PlaceCard(dealer, card, device=True),
        c.PlaceCard(dealer, card, None, number, rng.randrange(-1, 6), device=True),
        *(
            c.ExplainCard(dealer, doubt.event.card, was)
            for doubt in state.manual.doubts[:1]
            for was in (*e.CardExplanation, *[e.CardExplanation.MISTAKE] * 3)
        ),
        *[c.BurnByHand(dealer)] * 2,
        c.RectifyCoup(dealer),
        c.RectifyCoup(dealer, shorter, "misread"),
        c.RectifyCoup(dealer, natural[: rng.randrange(1, 5)], "misread"),
        c.ConfirmRectification(number, other, shorter),
        c.ConfirmRectification(number, other, tuple(cards)),
        *[c.AnnounceResult(dealer), c.PayRound(dealer)] * 3,
        c.CallOff(dealer, number, MISDEAL, "no"),
        c.CancelRound(number, MISDEAL, other),
        c.TakeTable(rng.choice(["the-pit", "dan-of-the-pit"]), pit=True),
        c.ReportError(past, dealer, "wrong cards"),
        c.RemedyError(past, other, natural),
        *[c.PlaceWagers(number, "ann", (Wager("player", stake),))] * 2,
    ]


def _due(house: HandHouse, rng: random.Random) -> c.Command:
    """Return the next regular step."""
    state, dealer, number = house.state, house.state.manual.dealer, house.state.round.number
    if state.manual.doubts:
        return c.ExplainCard(
            dealer, state.manual.doubts[0].event.card, rng.choice([*e.CardExplanation])
        )
    if (waits := find(state.proposals, Rectify(number))) is not None:
        return c.ConfirmRectification(number, "pat", waits.terms.drawn)
    if irregular(state):
        cancels = [c.CancelRound(number, MISDEAL, by) for by in ("pit", "pat")]
        return rng.choice([*[c.RectifyCoup(dealer)] * 6, *cancels])
    if state.round.phase.resting:
        burn = state.manual.shoe.burn_due is not None
        return c.BurnByHand(dealer) if burn else c.CallBets(dealer)
    if state.round.phase is Phase.OPEN:
        wager = state.round.bets and not state.round.wagers
        staked = c.PlaceWagers(number, "ann", (Wager("player", 1000),))
        return staked if wager else c.CallNoMoreBets(dealer)
    if state.round.phase is Phase.DECIDED:
        return c.PayRound(dealer)
    if house.end_if_over():
        return rng.choice([c.RectifyCoup(dealer), c.AnnounceResult(dealer)])
    known = state.manual.shoe.known[len(state.round.cards) :][:1]
    card = known[0] if any(known) else rng.choice(deck())
    return c.PlaceCard(dealer, card, None, number, place_due(state))


@dataclass
class Watcher:
    """What an observer who remembers every card knows about the next ones."""

    top: list[Card] = field(default_factory=list)
    """Known cards that may be the next ones of the shoe."""
    settled: tuple[int, list[Card]] = (0, [])
    followed: int = 0
    """Cards that left the shoe since that round was settled."""
    coup: list[Card] = field(default_factory=list)
    heard: bool = False
    """Whether a card was reported after “no more bets”."""
    complete: bool = False
    keyed: bool = False
    """Whether a card of the current coup was not sent by a device."""
    waiting: list[bool] = field(default_factory=list)
    """For each card in doubt: whether its coup was incomplete or partly keyed."""
    discarded: bool = False
    """Whether only the dealer called a device's card of this coup a mistake or excess."""
    seen: Counter[str] = field(default_factory=Counter)

    def hears(self, event: e.Event, house: HandHouse) -> None:
        phase = house.state.round.phase
        match event:
            case e.RoundOpened():
                self.coup, self.heard, self.complete, self.discarded = [], False, False, False
                self.keyed = False
            case e.CardPlaced():
                self.top, self.followed = self.top[1:], self.followed + 1
                self.coup.append(event.card)
                self.keyed = self.keyed or not event.device
                self.heard = True
                self._looks(house)
            case e.BurnedByHand():
                self.followed += event.count
                early = event.reason is e.BurnReason.EXPOSED
                if not early or self.top[:1] == [*event.shown]:
                    self.top = self.top[event.count :]
            case e.CardInDoubt():
                dealing = phase in (Phase.CLOSED, Phase.DEALING, Phase.DECIDED)
                self.heard = self.heard or dealing
                self.waiting.append(dealing and (self.keyed or not self.complete))
            case e.CardExplained():
                in_coup = self.waiting.pop(0)
                if event.was is e.CardExplanation.MISTAKE:
                    self.top.append(event.card)
                    self.discarded = self.discarded or in_coup
                if event.was is e.CardExplanation.DRAWN:
                    self.discarded = self.discarded or (in_coup and self.complete)
            case e.CoupRectified():
                back = event.excess if event.goes is Excess.RETURNED else ()
                self.top = [*back, *event.recorded[len(event.drawn) :], *self.top]
                self.coup = [*event.drawn[: len(event.drawn) - len(event.excess)]]
                self.discarded = self.discarded and not event.by
                self._looks(house)
            case e.CoupDecided():
                assert not self.discarded, "a device's cards were discarded by the dealer alone"
            case e.RoundSettled():
                assert not self.discarded, "a device's cards were discarded by the dealer alone"
                self.settled, self.followed = (event.round, self.coup), 0
            case e.RoundCancelled():
                assert len(event.by) == 2 or not self.heard, "a free roll"
            case e.RoundCorrected() if event.round == self.settled[0]:
                back = event.excess if event.goes is Excess.RETURNED else ()
                dropped = self.settled[1][len(event.drawn) :]
                self.top = [*back, *dropped[self.followed :], *self.top]
                self.settled = event.round, [*event.drawn]
            case e.WagersPlaced():
                assert not self.top, (event, self.top)
                assert not any(house.state.manual.shoe.known)
        self.seen[type(event).__name__] += 1

    def _looks(self, house: HandHouse) -> None:
        over = deal_correctly(game_of(house.state.rules).tableau, self.coup).deal.over
        self.complete = self.complete or over


@pytest.mark.requirement("R43", "R44", "G33")
@pytest.mark.parametrize("seed", range(amount("DEALERS")))
@pytest.mark.parametrize("excess", [Excess.BURNED, Excess.RETURNED])
def test_no_random_actions_of_a_dealer_allow_a_bet_on_a_known_card(seed, excess):
    """A dealer, a device and the pit enter, take back, explain, cancel and correct cards at random.
    Whenever a bet is accepted, no possible next card is known; no round with a card is cancelled by
    one person; and the pit knows what was discarded."""
    rng = random.Random(f"{seed} {excess}")
    house, watcher = HandHouse(hand_settings(excess=excess)), Watcher()
    for _ in range(500):
        moves = _moves(house, rng, 1000 + watcher.seen["WagersPlaced"] % 7 * 100)
        command = _due(house, rng) if rng.random() < 0.6 else rng.choice(moves)
        try:
            found = house.do(command)
        except Refused:
            continue
        for event in found:
            watcher.hears(event, house)
        if house.state.manual.alarm or house.state.manual.shoe.left < 100:
            break
    assert watcher.seen["WagersPlaced"] > 3, watcher.seen
    assert house.audited() == []


# ---- cancelling --------------------------------------------------------------------------------


@pytest.mark.requirement("R45", "G38")
@pytest.mark.parametrize("cards", ["6h", "6h Kd"])
def test_g38_cancelling_a_dealt_round_needs_two_people_whatever_the_stake(cards):
    table = dealt(cards)
    cancel = c.CancelRound(1, MISDEAL, "pit", 10**9)
    [proposed] = table.do(cancel)
    assert proposed.terms == terms.CancelRound(MISDEAL, 1000, parse_cards(cards), ())
    assert refused(table, cancel).code is Code.NEEDS_TWO_PEOPLE
    table.card("Ks")
    [again] = table.do(c.CancelRound(1, MISDEAL, "pat", 10**9))
    assert again.terms.cards == parse_cards(f"{cards} Ks"), "pit proposed it with fewer cards"
    [cancelled] = table.do(cancel)
    assert cancelled.by == ("pat", "pit")


@pytest.mark.requirement("R45", "G38")
def test_g38_a_dealers_dummy_round_waits_for_the_pit_once_a_card_is_out_even_if_taken_back():
    table = dealt("")
    [alone] = table.do(c.CallOff(DEALER, 1, MISDEAL, alone=10**9))
    assert alone.by == (DEALER,), "before the first card, one person"
    table = dealt("9s")
    table.do(c.RectifyCoup(DEALER, (), "misread"))
    assert table.state.round.cards == ()
    [proposed] = table.do(c.CallOff(DEALER, 1, MISDEAL, alone=10**9))
    assert isinstance(proposed, e.ActionProposed)
    [cancelled] = table.do(c.CancelRound(1, MISDEAL, "pit", 10**9))
    assert cancelled.by == (DEALER, "pit")


@pytest.mark.requirement("R45", "G38")
def test_g38_the_auditor_finds_a_dealt_round_that_one_person_cancelled():
    house = HandHouse()
    dealt("6h Kd", house)
    house.cancel(MISDEAL)
    assert house.audited() == []
    found = tampered(house, set_fields("RoundCancelled", by=["pat"]))
    assert any("only one person decided it" in one for one in found), found


# ---- suspended accounts ------------------------------------------------------------------------


@pytest.mark.requirement("G29")
def test_g29_a_suspended_account_cannot_take_or_deal_a_table():
    house = HandHouse()
    house.commit(jobs.open_account(Account("dino", Role.DEALER, "Dino"), house.clock))
    house.do(c.TakeTable("dino"))
    house.commit(jobs.about_staff("dino", "pit", house.clock, SUSPEND))
    for by, pit in ((DEALER, False), ("pit", True)):
        assert "suspended" in str(refused(house, c.HandOver("dino", by, pit=pit)))
    assert house.state.manual.dealer == DEALER
    [ended] = house.do(c.HandOver("dino", DEALER, pit=False, accept=False))
    assert ended.why is e.ProposalEnd.WITHDRAWN
    house.do(c.LeaveTable(DEALER))
    for command in (
        c.TakeTable("dino"),
        c.PauseTable("dino", "to harm"),
        c.ReportError(1, "dino", "to harm"),
    ):
        found = refused(house, command)
        assert (found.code, "suspended" in str(found)) == (Code.NOT_ALLOWED, True)
    house.do(c.TakeTable(DEALER))
    house.do(c.BurnByHand(DEALER))
    dealt("6h", house)
    house.commit(jobs.about_staff(DEALER, "pit", house.clock, SUSPEND))
    assert refused(house, c.RectifyCoup(DEALER, (), "misread")).code is Code.NOT_ALLOWED
    sent = c.PlaceCard(DEALER, Card("K", "d"), device=True)
    assert isinstance(house.do(sent)[0], e.CardPlaced), "a card that left the shoe has left it"


# ---- hand-over ---------------------------------------------------------------------------------


@pytest.mark.requirement("R42", "G29")
def test_g29_an_occupied_table_is_handed_over_and_cannot_be_taken():
    table = dealt("6h Kd")
    [asked] = table.do(c.TakeTable("dino"))
    assert isinstance(asked, e.ActionProposed)
    assert table.state.manual.dealer == DEALER
    assert table.do(c.TakeTable("dino")) == (), "asked already"
    assert [one["by"] for one in console_of(table.state)["asked_for"]] == ["dino"]
    own = c.HandOver("dino", "dino", pit=False)
    assert refused(table, own).code is Code.NOT_ALLOWED
    assert refused(table, c.HandOver("dino", "dan", pit=False)).code is Code.NOT_ALLOWED
    assert refused(table, c.PlaceCard("dino", Card("2", "c"), round=1, place=3))
    [changed] = table.do(c.HandOver("dino", DEALER, pit=False))
    assert (changed.dealer, changed.before, changed.by) == ("dino", DEALER, DEALER)
    assert table.state.proposals == ()
    [taken] = table.do(c.TakeTable("pit", pit=True))
    assert (taken.before, taken.by) == ("dino", "pit"), "the pit confirms its own"
    table.do(c.TakeTable("dino"))
    [confirmed] = table.do(c.HandOver("dino", "pat", pit=True))
    assert confirmed.by == "pat"


@pytest.mark.requirement("R42")
def test_r42_a_request_for_a_table_is_withdrawn_refused_or_expires():
    table = HandTable()
    for by in ("dino", DEALER):
        table.do(c.TakeTable("dino"))
        [ended] = table.do(c.HandOver("dino", by, pit=False, accept=False))
        assert ended.why is e.ProposalEnd.WITHDRAWN
    table.do(c.TakeTable("dino"))
    assert refused(table, c.HandOver("dino", "dan", pit=False, accept=False))
    table.now += ASKED
    assert refused(table, c.HandOver("dino", DEALER, pit=False)).code is Code.WRONG_PHASE
    assert [type(one) for one in table.do(c.TakeTable("dino"))] == [
        e.ProposalEnded,
        e.ActionProposed,
    ]


@pytest.mark.requirement("R42", "G33")
def test_r42_a_dealer_leaves_between_rounds_and_the_table_is_free():
    table = dealt("6h Kd 2c Ks")
    assert refused(table, c.LeaveTable(DEALER)).code is Code.WRONG_PHASE
    table.end()
    table.pay()
    table.do(c.TakeTable("dino"))
    [left] = table.do(c.LeaveTable(DEALER))
    assert (left.dealer, left.by) == ("", DEALER)
    assert table.state.proposals == ()
    assert console_of(table.state, "dino")["next"]["do"] == "take-table"
    [taken] = table.do(c.TakeTable("dino"))
    assert (taken.dealer, taken.before, taken.by) == ("dino", "", "")
    assert table.state.manual.shoe.burn_due is e.BurnReason.DEALER_CHANGE


@pytest.mark.requirement("G29")
def test_g29_the_auditor_finds_a_table_taken_without_a_hand_over():
    house = HandHouse()
    house.hand_over("dan-of-the-pit")
    house.do(c.TakeTable(DEALER))
    house.do(c.HandOver(DEALER, "pat", pit=True))
    assert house.audited() == []
    for change in (
        set_fields("DealerChanged", by=lambda by: "ann"),
        set_fields("DealerChanged", by=lambda by: ""),
        set_fields("ActionProposed", by="ann"),
    ):
        assert tampered(house, lambda kind, value, change=change: _if_by(kind, value, change))


# ---- what the second person confirms -----------------------------------------------------------


@pytest.mark.requirement("G38")
def test_g38_a_confirmation_applies_only_to_the_proposal_that_was_shown():
    """Cancelling a round also ends a proposal to rectify it, but does not confirm that proposal."""
    house = HandHouse()
    dealt("6h Kd 2c Ks", house)
    house.do(c.RectifyCoup(DEALER, parse_cards("6h Kd 2c 9s"), "misread"))
    house.do(c.CallOff(DEALER, 1, MISDEAL, "cards fell down"))
    seen = digest(find(house.state.proposals, Rectify(1)))
    cancel = c.CancelRound(1, MISDEAL, "pit")
    sender = jobs.Sender(proposal=seen)
    with pytest.raises(Refused) as error:
        house.commit(jobs.at_table("hand", cancel, house.clock, sender=sender))
    assert error.value.code is Code.STALE_VIEW
    seen = digest(find(house.state.proposals, Cancel(1)))
    sender = jobs.Sender(proposal=seen)
    house.commit(jobs.at_table("hand", cancel, house.clock, sender=sender))
    assert house.store.state("table:hand").round.phase is Phase.CANCELLED


@pytest.mark.requirement("R43", "G38")
def test_r43_the_proposer_of_a_correction_who_then_reports_the_error_cannot_decide():
    house = HandHouse()
    dealt("6h Kd 2c Ks", house)
    house.end()
    house.pay()
    house.do(c.ReportError(1, "ann", "it was a nine"))
    again = parse_cards("9h Kd Kc Ks")
    house.do(c.RemedyError(1, "pit", again, 0))
    house.do(c.ReportError(1, "pit", "it was a nine"))
    assert refused(house, c.RemedyError(1, "pat", again, 0)).code is Code.NEEDS_TWO_PEOPLE
    house.do(c.WithdrawProposal(Correct(1), "pat"))
    house.do(c.RemedyError(1, "pat", again, 0))
    house.do(c.RemedyError(1, "the-pit", again, 0))
    assert house.audited() == []


@pytest.mark.requirement("G38")
def test_g38_a_proposal_is_not_confirmed_once_its_proposer_has_a_new_password():
    """A person who knew the old password may have proposed it; a new one clears that record."""
    house = HandHouse()
    dan = Account("dan", Role.DEALER, "Dan")
    house.commit(jobs.open_account(dan, house.clock, by="pat"))
    dealt("6h Kd 2c Ks", house)
    house.hand_over("dan")
    cards = parse_cards("9h Kd Kc Ks")
    house.do(c.RectifyCoup("dan", cards, "misread"))
    house.now += 1
    house.commit(jobs.about_staff("dan", OPERATOR, house.clock, ISSUE))
    why = refused(house, c.ConfirmRectification(1, "pat", cards))
    assert why.code is Code.NEEDS_TWO_PEOPLE
    house.do(c.WithdrawProposal(Rectify(1), "pat"))
    house.do(c.RectifyCoup("dan", cards, "misread"))
    house.do(c.ConfirmRectification(1, "pat", cards))
    house.do(c.AnnounceResult("dan"))
    house.do(c.PayRound("dan"))
    assert house.audited() == []


@pytest.mark.requirement("G38")
def test_g38_two_dealers_cannot_change_a_complete_coup_without_the_pit():
    table = dealt("6h Kd 2c 9s")
    cards = parse_cards("6h Kd 2c Ks")
    assert [type(one) for one in table.do(c.RectifyCoup(DEALER, cards, "misread"))] == [
        e.ActionProposed
    ]
    table.hand_over("dan")
    assert refused(table, c.RectifyCoup("dan", cards, "misread")).code is Code.NEEDS_TWO_PEOPLE
    assert [card for _, card in table.state.round.cards] == list(parse_cards("6h Kd 2c 9s"))


@pytest.mark.requirement("G38")
def test_g38_a_proposal_is_not_confirmed_once_its_proposer_is_suspended():
    house = HandHouse()
    dealt("6h Kd 2c", house)
    house.do(c.CancelRound(1, MISDEAL, "pat"))
    house.commit(jobs.about_staff("pat", "the-pit", house.clock, SUSPEND))
    cancel = c.CancelRound(1, MISDEAL, "pit")
    assert refused(house, cancel).code is Code.NEEDS_TWO_PEOPLE
    house.do(c.WithdrawProposal(Cancel(1), "pit"))
    assert [type(one) for one in house.do(cancel)] == [e.ActionProposed]


@pytest.mark.requirement("G38")
def test_g38_knowledge_of_passwords_is_traced_through_any_chain_of_accounts():
    """Pat was shown pia's password, and as pia that of paul, whose dealer proposes; and also the
    password of pam, who confirms."""
    house = HandHouse()

    def open_account(who: str, *by: str) -> None:
        for one in by:
            house.now += 1
            house.commit(jobs.about_staff(who, one, house.clock, ISSUE))

    for who in ("paul", "pia", "pam"):
        house.commit(jobs.open_account(Account(who, Role.PIT, who.title()), house.clock))
    dan = Account("dan", Role.DEALER, "Dan")
    house.commit(jobs.open_account(dan, house.clock, by="paul"))
    open_account("pia", "the-pit", "pat")
    open_account("paul", "dan-of-the-pit", "pia")
    open_account("pam", "pit", "pat")
    dealt("6h Kd 2c Ks", house)
    house.hand_over("dan")
    cards = parse_cards("9h Kd Kc Ks")
    house.do(c.RectifyCoup("dan", cards, "misread"))
    why = refused(house, c.ConfirmRectification(1, "pam", cards))
    assert why.code is Code.NEEDS_TWO_PEOPLE
    assert "pat saw the initial passwords of both Dan and Pam, directly or through others" in str(
        why
    )


@pytest.mark.requirement("R43", "G38")
def test_r43_a_dismissal_proposed_by_a_dealer_is_confirmed_by_a_person_who_did_not_deal():
    house = HandHouse()
    house.do(c.TakeTable("dan-of-the-pit", pit=True))
    house.do(c.BurnByHand("dan-of-the-pit"))
    house.do(c.CallBets("dan-of-the-pit"))
    house.wager("ann", player=1000)
    house.do(c.CallNoMoreBets("dan-of-the-pit"))
    for place, card in enumerate(parse_cards("6h Kd 2c Ks"), start=1):
        house.do(c.PlaceCard("dan-of-the-pit", card, None, 1, place))
    house.do(c.AnnounceResult("dan-of-the-pit"))
    house.do(c.PayRound("dan-of-the-pit"))
    house.do(c.ReportError(1, "ann", "the last card was a nine"))
    house.do(c.DismissReport(1, "dan-of-the-pit", "it was a king"))
    sender = jobs.Sender(proposal=digest(find(house.state.proposals, Correct(1))))
    dismiss = c.DismissReport(1, "pit", "it was a king")
    house.commit(jobs.at_table("hand", dismiss, house.clock, sender=sender))
    state = house.store.state("table:hand")
    assert (state.manual.reports, state.proposals) == ((), ())
    assert house.audited() == []


@pytest.mark.requirement("R43", "G38")
def test_r43_the_person_who_opened_the_dealers_account_cannot_dismiss_a_report_alone():
    """They may know the dealer's password and may have dealt the round themselves."""
    house = HandHouse()
    dave = Account("dave", Role.PIT, "Dave")
    for by in ("pat", "pit"):
        house.commit(jobs.open_account(dave, house.clock, by=by))
    dealt("6h Kd 2c Ks", house)
    house.hand_over("dave")
    house.do(c.AnnounceResult("dave"))
    house.do(c.PayRound("dave"))
    house.do(c.ReportError(1, "ann", "the last card was a nine"))
    house.do(c.DismissReport(1, "dave", "it was a king"))
    dismiss = c.DismissReport(1, "pit", "it was a king")
    sender = jobs.Sender(proposal=digest(find(house.state.proposals, Correct(1))))
    with pytest.raises(Refused) as error:
        house.commit(jobs.at_table("hand", dismiss, house.clock, sender=sender))
    assert error.value.code is Code.NEEDS_TWO_PEOPLE
    assert refused(house, dismiss).code is Code.NEEDS_TWO_PEOPLE
    house.do(c.WithdrawProposal(Correct(1), "the-pit"))
    assert [type(one) for one in house.do(dismiss)] == [e.ActionProposed]
    [dismissed] = house.do(msgspec.structs.replace(dismiss, by="the-pit"))
    assert (dismissed.first, dismissed.by) == ("pit", "the-pit")
    assert (house.state.manual.reports, house.state.proposals) == ((), ())
    assert house.audited() == []


@pytest.mark.requirement("R45", "G38")
@pytest.mark.parametrize("device", [False, True])
def test_g38_a_proposal_to_cancel_shows_cards_that_were_taken_back(device):
    house = HandHouse()
    dealt("", house)
    if device:
        house.do(c.PlaceCard(DEALER, NINE, None, 1, 3, device=True))
        house.do(c.ExplainCard(DEALER, NINE, e.CardExplanation.MISTAKE))
    else:
        house.deal([NINE])
        house.rectify(())
    [proposed] = house.do(c.CallOff(DEALER, 1, MISDEAL))
    assert (proposed.terms.cards, proposed.terms.taken_back) == ((), (NINE,))
    house.do(c.CancelRound(1, MISDEAL, "pit"))
    assert house.audited() == []


@pytest.mark.requirement("R45", "G38")
def test_g38_a_proposal_to_cancel_shows_cards_added_and_removed_by_rectifications():
    house = HandHouse()
    dealt("9d", house)
    for cards in ("7h", "9d", "7h 7h", "7h", ""):
        house.rectify(tuple(parse_cards(cards)))
    [proposed] = house.do(c.CallOff(DEALER, 1, MISDEAL))
    assert proposed.terms.taken_back == parse_cards("9d 7h 7h")
    house.do(c.CancelRound(1, MISDEAL, "pit"))
    assert house.audited() == []


@pytest.mark.requirement("G23", "R43")
def test_g23_a_large_win_that_a_correction_brings_is_reported():
    conduct = replace(default_conduct(), large_win=900)
    house = HandHouse()
    dealt("6h Kd 2c 9s", house)  # ann has lost
    house.end()
    house.pay()
    house.do(c.ReportError(1, "ann", "the last card was a king"))
    reply = parse_cards("6h Kd 2c Ks")
    for by in ("pit", "pat"):
        command = c.RemedyError(1, by, reply, alone=0)
        house.commit(jobs.at_table("hand", command, house.clock, conduct=conduct))
    found = [e.decode(entry.body) for entry in house.store.entries("table:hand")]
    [large] = [one for one in found if isinstance(one, e.LargeWinPaid)]
    assert (large.round, large.player, large.net) == (1, "ann", 1000)
    assert house.audited() == []
    more = set_fields("LargeWinPaid", net=lambda net: net + 1)
    assert tampered(house, more)


@pytest.mark.requirement("G23", "R45")
def test_g23_a_large_win_that_a_cancelled_round_pays_is_reported():
    conduct = replace(default_conduct(), large_win=900)
    house = HandHouse(hand_settings(dummy=DummyRefund.BETTER))
    dealt("6h Kd 3c Ks", house)  # a natural: ann has certainly won
    house.do(c.ConsiderRectification(1, "pat", "the shoe broke"))
    for by in ("pit", "pat"):
        cancel = c.CancelRound(1, MISDEAL, by)
        house.commit(jobs.at_table("hand", cancel, house.clock, conduct=conduct))
    found = [e.decode(entry.body) for entry in house.store.entries("table:hand")]
    assert [one.net for one in found if isinstance(one, e.LargeWinPaid)] == [1000]
    assert house.audited() == []


def _if_by(kind: str, value: dict, change) -> None:
    if "by" in value:
        change(kind, value)


@pytest.mark.requirement("G38")
def test_g38_raising_a_tables_maximum_needs_two_people_even_if_every_bet_has_its_own():
    """Resolving an ambiguity can add bets without their own maximum."""
    house = HandHouse()
    bets = tuple(BetLimits(bet.id, None, 2000) for bet in game_of(house.state.rules).bets)
    lower = c.AdjustTable(None, StakeLimits(maximum=5000, bets=bets), "pit")
    assert isinstance(house.do(lower)[0], e.SettingsChanged)
    limits = replace(lower.limits, maximum=5_000_000)
    higher = msgspec.structs.replace(lower, limits=limits)
    assert isinstance(house.do(higher)[0], e.ActionProposed)
    [changed] = house.do(msgspec.structs.replace(higher, by="pat"))
    assert (changed.first, changed.by) == ("pit", "pat")
