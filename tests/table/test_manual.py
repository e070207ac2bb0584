"""A table of real cards: dealing, flagged and rectified errors, corrections and void rounds."""

import random
from dataclasses import replace
from functools import reduce

import pytest

from baccarat.core.cards import Card, deck, parse_cards
from baccarat.core.misdeals import Irregularity, IrregularityKind
from baccarat.core.tableau import Hand
from baccarat.core.wagers import Wager
from baccarat.loader import load
from baccarat.shoe import Burn, shuffled
from baccarat.shoe.unshuffled import UnshuffledSign
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.automatic.next_step import next_step
from baccarat.table.codec import NotCanonical
from baccarat.table.decide import decide
from baccarat.table.events import BurnReason, decode, encode
from baccarat.table.journal import beginning, chain
from baccarat.table.manual.checks import irregular
from baccarat.table.manual.options import ChoiceAction
from baccarat.table.phases import Phase
from baccarat.table.refusals import Code, Refused
from baccarat.table.settings import DummyRefund, Excess
from baccarat.table.state import apply, restore, snapshot
from baccarat.wording.dealing import faces
from support import reference
from support.by_hand import (
    DEALER,
    EXCESS,
    HandTable,
    choices_of,
    console_of,
    flags,
    hand_settings,
    perfect_coup,
    refused,
)
from support.dealing_errors import (
    MORE,
    SHAPES,
    correct_hands,
    drawn_for,
    earliest,
    plain,
    single_errors,
)
from support.live import settings_for

P, B = Hand.PLAYER, Hand.BANKER


# ---- dealing -----------------------------------------------------------------------------------


@pytest.mark.requirement("R41", "R42")
def test_r42_a_whole_shoe_is_dealt_by_its_dealer_and_adds_up():
    table = HandTable(hand_settings(burn=Burn.FIRST_CARD))
    assert next_step(table.state) is None, "no clock drives it"
    order = list(shuffled(decks=8, randomness=random.Random(5)))
    burned = table.do(c.BurnByHand(DEALER, (order[0],)))[0]
    place = burned.count
    while not table.state.manual.shoe.over:
        table.bets()
        while not table.end_if_over():
            if place == 400:
                table.do(c.ShowCutCard(DEALER))
            table.card(order[place])
            place += 1
        coup = table.end()[0]
        taken = table.state.round.cards
        assert coup.coup == str(perfect_coup(table.state.rules, [card for _, card in taken]))
        table.pay()
    assert table.state.manual.shoe.left == 416 - place
    rest = (*order[1 : burned.count], *order[place:])
    closed = table.do(c.CloseShoe(DEALER, rest))[0]
    assert (closed.seen, closed.surplus, closed.lacking) == (416, (), ())
    assert closed.reason is e.EndReason.DEALT_OUT
    assert not any(isinstance(event, e.AlarmRaised | e.IrregularityFound) for event in table.events)
    assert not table.state.paused


@pytest.mark.requirement("R42", "G29")
def test_g29_every_card_and_call_is_recorded_with_the_dealer():
    table = HandTable()
    table.round("6h Kd 2c Ks")
    table.hand_over("dino")
    assert refused(table, c.CallBets(DEALER)).code is Code.NOT_THE_DEALER
    table.do(c.BurnByHand("dino"))
    table.do(c.CallBets("dino"))
    named = [event for event in table.events if hasattr(event, "dealer")]
    assert [one.dealer for one in named] == [
        "dino" if i >= len(named) - 3 else DEALER for i in range(len(named))
    ]
    kinds = {type(event).__name__ for event in named}
    assert kinds >= {"CardPlaced", "RoundOpened", "BettingClosed", "CoupDecided", "RoundSettled"}


@pytest.mark.requirement("R42", "G30")
def test_g30_no_wager_after_no_more_bets_and_no_card_before():
    table = HandTable()
    table.do(c.CallBets(DEALER))
    table.now += 10**9
    table.do(c.PlaceWagers(1, "ann", (Wager("player", 1000),)))  # the dealer decides, not a clock
    early = table.card("8h")
    assert [type(one) for one in early] == [e.BurnedByHand, e.IrregularityFound]
    assert early[0].reason is BurnReason.EXPOSED
    assert early[1].wrong == Irregularity(IrregularityKind.EXPOSED, 0, Card("8", "h"))
    table.do(c.CallNoMoreBets(DEALER))
    late = refused(table, c.PlaceWagers(1, "ann", (Wager("player", 2000),)))
    assert late.code is Code.BETTING_CLOSED
    assert table.state.manual.shoe.out == (Card("8", "h"),)
    assert table.state.round.cards == (), "an exposed card belongs to no coup"


def test_once_bets_are_closed_at_most_one_card_is_called_exposed():
    """Otherwise a dealer who sees the first card could burn cards until one suits."""
    table = HandTable()
    table.bets()
    (burned, *_) = table.do(c.PlaceCard(DEALER, Card("8", "h"), round=1, place=0))
    assert (burned.reason, table.state.round.cards) == (BurnReason.EXPOSED, ())
    second = refused(table, c.PlaceCard(DEALER, Card("9", "h"), round=1, place=-1))
    assert second.code is Code.WRONG_CARD


@pytest.mark.requirement("G33")
def test_g33_burns_have_reasons_and_the_shoe_reconciles():
    table = HandTable(hand_settings(decks=1, burn=Burn.FIRST_CARD))
    order = list(deck())
    random.Random(2).shuffle(order)
    assert str(refused(table, c.CallBets(DEALER))) == "Burn first: the shoe is new."
    early = c.PlaceCard(DEALER, order[0], round=0, place=0)
    assert refused(table, early).code is Code.WRONG_PHASE
    assert refused(table, c.BurnByHand(DEALER)).code is Code.WRONG_CARD
    first = table.do(c.BurnByHand(DEALER, (order[0],)))[0]
    place = first.count
    assert place == 1 + (order[0].points or 10)
    table.card(order[place])  # exposed
    table.hand_over("dino")
    table.hand_over(DEALER)
    assert "the dealer has changed" in str(refused(table, c.CallBets(DEALER)))
    assert refused(table, c.BurnByHand(DEALER, tuple(order[:2]))).code is Code.WRONG_CARD
    table.do(c.BurnByHand(DEALER))
    assert refused(table, c.BurnByHand(DEALER)).code is Code.WRONG_PHASE
    reasons = [event.reason for event in table.events if isinstance(event, e.BurnedByHand)]
    assert reasons == [BurnReason.AFTER_SHUFFLE, BurnReason.EXPOSED, BurnReason.DEALER_CHANGE]
    seen = table.state.manual.shoe.out
    assert len(seen) == place + 2
    rest = tuple(card for card in order if card not in seen)
    closed = table.do(c.CloseShoe(DEALER, rest))
    assert len(closed) == 1, "no alarm"


@pytest.mark.requirement("G34")
def test_r41_the_cut_card_ends_the_shoe_as_at_other_tables():
    coup, next_coup = "6h Kd 2c Ks", "6s Kh 2d Kc"
    in_a_coup = HandTable()
    in_a_coup.bets()
    in_a_coup.deal("6h Kd")
    in_a_coup.do(c.ShowCutCard(DEALER, sure=True))
    in_a_coup.deal("2c Ks")
    in_a_coup.end()
    in_a_coup.pay()
    assert not in_a_coup.state.manual.shoe.over
    in_a_coup.round(next_coup)
    assert in_a_coup.state.manual.shoe.over
    assert "The shoe is over" in str(refused(in_a_coup, c.CallBets(DEALER)))
    for moment in ("before", "open", "closed"):
        table = HandTable()
        table.round(coup)
        if moment == "before":
            table.do(c.ShowCutCard(DEALER, sure=True))
        table.do(c.CallBets(DEALER))
        if moment == "open":
            table.do(c.ShowCutCard(DEALER, sure=True))
        table.do(c.CallNoMoreBets(DEALER))
        if moment == "closed":
            table.do(c.ShowCutCard(DEALER, sure=True))
        assert refused(table, c.ShowCutCard(DEALER)).code is Code.WRONG_PHASE
        table.deal(next_coup)
        table.end()
        table.pay()
        assert table.state.manual.shoe.over, moment


def test_a_cut_card_in_the_first_half_of_the_shoe_must_be_confirmed():
    table = HandTable()
    assert console_of(table.state)["shoe"]["mostly_left"]
    assert "cut-card" in console_of(table.state)["can"]
    early = refused(table, c.ShowCutCard(DEALER))
    assert (early.code, early.message.values) == (Code.TOO_EARLY, {"left": 416, "cards": 416})
    shoe = table.state.manual.shoe
    half = replace(shoe, out=(None,) * 208)
    assert (shoe.mostly_left, half.mostly_left) == (True, False)
    table.do(c.ShowCutCard(DEALER, sure=True))
    assert table.state.manual.shoe.cut_card_out


def test_a_change_of_the_cards_needs_a_reason():
    table = HandTable()
    table.bets()
    table.deal("6h Kd")
    cards = parse_cards("6h Qd")
    assert refused(table, c.RectifyCoup(DEALER, cards)).message.key == "refusal-explain-in-words"
    [rectified] = table.do(c.RectifyCoup(DEALER, cards, "I misread it"))
    assert rectified.words == "I misread it"


def test_commands_in_the_wrong_phase_are_refused():
    table = HandTable()
    for command in (c.CallNoMoreBets(DEALER), c.AnnounceResult(DEALER), c.PayRound(DEALER)):
        assert refused(table, command).code is Code.WRONG_PHASE
    assert refused(table, c.BeginShoe(DEALER, bytes(16))).code is Code.WRONG_PHASE
    table.bets()
    for command in (c.CallBets(DEALER), c.CloseShoe(DEALER), c.AnnounceResult(DEALER)):
        assert refused(table, command).code is Code.WRONG_PHASE
    assert refused(table, c.PlaceCard(DEALER, Card("8"))).code is Code.WRONG_CARD
    assert refused(table, c.OpenRound(0)).code is Code.WRONG_PHASE
    assert "A dealer runs this table" in str(refused(table, c.OpenRound(0)))


# ---- errors before the round is settled --------------------------------------------------------


@pytest.mark.requirement("R43", "R44")
@pytest.mark.parametrize("excess", EXCESS)
def test_r43_r44_every_error_is_flagged_and_rectified_before_settlement(excess):
    """For one coup of every row of the tableau, every single error is flagged at the earliest card
    that shows it, and the console's first proposal is what a perfect dealer would have dealt."""
    seen, settings = 0, hand_settings(excess=excess)
    for shape in SHAPES[:: len(SHAPES) // 40]:
        cards = (*drawn_for(shape), *MORE)
        hands = correct_hands(cards)
        right = reference.deal(plain(cards))
        for kind, reply in single_errors(hands):
            if reply == hands:
                continue
            table = HandTable(settings)
            table.bets()
            found = [
                place
                for place, (hand, card) in enumerate(zip(reply, cards, strict=False), start=1)
                for _ in flags(table.card(card, hand))
            ]
            if table.state.round.phase is Phase.DEALING and not irregular(table.state):
                found += [len(reply) + 1 for _ in flags(table.end())]
            assert found, (shape, kind)
            assert found[0] == earliest(cards, reply), (shape, kind, reply)
            assert refused(table, c.PayRound(DEALER)).code in (Code.WRONG_PHASE, Code.IRREGULAR)
            if irregular(table.state):
                assert refused(table, c.AnnounceResult(DEALER)).code is Code.IRREGULAR
                first, *_, last = choices_of(table.state)  # what the console offers
                assert (first.do, last.do) == (ChoiceAction.RECTIFY, ChoiceAction.CANCEL)
                rectified = table.rectify(first.drawn)[0]
                taken_back = cards[len(hands) : len(reply)]
                assert rectified.excess == taken_back
                came = table.state.manual.shoe.known[len(hands) :]
                assert came == (taken_back if excess is Excess.RETURNED else ())
            place = len(table.state.round.cards)
            for card in cards[place : len(hands)]:
                table.card(card)  # a missing card
            decided = table.end()[0]
            hands_now = table.state.deal.coup
            assert (plain(hands_now.player), plain(hands_now.banker)) == tuple(map(list, right))
            assert decided.coup == str(hands_now)
            table.pay()
            seen += 1
    assert seen > 700


@pytest.mark.requirement("R43")
def test_r43_a_card_taken_back_is_the_next_card_or_burned():
    table = HandTable(hand_settings(excess=Excess.RETURNED))
    table.bets()
    table.deal("6h Kd 2c Ks")
    assert flags(table.card("5s"))[0].wrong.kind is IrregularityKind.EXTRA
    table.rectify()
    table.end()
    table.pay()
    assert table.state.manual.shoe.known == (Card("5", "s"),)
    assert console_of(table.state)["shoe"]["known"] == ["5s"]
    assert len(table.state.manual.shoe.out) == 4
    table.bets()
    [flag] = flags(table.card("9d"))
    assert flag.wrong == Irregularity(
        IrregularityKind.NOT_NEXT, 1, Card("9", "d"), (Card("5", "s"),)
    )
    assert (
        refused(table, c.RectifyCoup(DEALER, parse_cards("9d"), "misread")).code is Code.WRONG_CARD
    )
    table.card("3d")
    assert console_of(table.state)["shoe"]["known"] == ["5s"], "it has not come yet"
    assert [choice.words for choice in choices_of(table.state)] == [
        "9♦ was really 5♠. Reconstruct: Player 5♠ (5); Banker 3♦ (3).",
        "5♠ came before 9♦. Reconstruct: Player 5♠ 3♦ (8); Banker 9♦ (9).",
        "9♦ was entered wrongly: enter card 1 again",
        "The coup can't be put right: cancel the round",
    ]
    table.rectify("5s 9d")
    assert console_of(table.state)["shoe"]["known"] == []
    assert table.state.round.cards == ((P, Card("5", "s")), (B, Card("9", "d")))
    burned = HandTable(hand_settings(excess=Excess.BURNED))
    burned.bets()
    burned.deal("6h Kd 2c Ks")
    burned.card("5s")
    assert burned.rectify()[0].goes is Excess.BURNED
    assert not any(burned.state.manual.shoe.known), "no card is known to come"
    assert len(burned.state.manual.shoe.out) == 5
    burned.card("7s")  # and again
    burned.rectify()
    assert sorted(map(str, burned.state.manual.shoe.out)) == sorted(
        ["6h", "Kd", "2c", "Ks", "5s", "7s"]
    )
    burned.end()
    burned.pay()


@pytest.mark.requirement("R44")
def test_r44_a_wrongly_entered_card_is_re_entered_and_both_are_in_the_journal():
    table = HandTable()
    table.bets()
    table.deal("6h Kd 2c")
    table.card("8s")
    reply, meant = parse_cards("6h Kd 2c 8s"), parse_cards("6h Kd 2c Ks")
    event = table.rectify(meant)[0]
    assert (event.recorded, event.drawn, event.excess) == (reply, meant, ())
    assert str(table.end()[0].coup) == "P:6h2c=8 B:KdKs=0"
    assert table.state.manual.shoe.out == meant
    assert refused(table, c.RectifyCoup(DEALER, meant, "misread")).code is Code.WRONG_PHASE
    table.card("9c")  # one too many after the announcement: nothing is paid until it is rectified
    assert refused(table, c.PayRound(DEALER)).code is Code.IRREGULAR
    table.rectify()
    assert table.state.round.phase is Phase.DEALING
    assert str(table.end()[0].coup) == "P:6h2c=8 B:KdKs=0"
    table.pay()


@pytest.mark.requirement("G31")
def test_g31_a_33rd_eight_is_flagged_and_the_round_cannot_be_paid():
    table = HandTable(hand_settings(decks=1))
    table.round("8h Kd Kc Ks")
    table.bets()
    [flag] = flags(table.card("8h"))
    assert flag.wrong == Irregularity(IrregularityKind.IMPOSSIBLE, 1, Card("8", "h"))
    table.deal("2d Kh 3s")
    assert refused(table, c.AnnounceResult(DEALER)).code is Code.IRREGULAR
    assert "cancel the round because of a foreign card" in str(
        refused(table, c.RectifyCoup(DEALER, parse_cards("8h 2d Kh 3s"), "misread"))
    )
    table.do(c.ConsiderRectification(2, "pit", "the card is none of this shoe"))
    table.do(c.CancelRound(2, e.CancelReason.FOREIGN_CARD, "pat"))
    cancelled = table.do(c.CancelRound(2, e.CancelReason.FOREIGN_CARD, "pit"))
    assert [type(one) for one in cancelled] == [e.RoundCancelled, e.AlarmRaised, e.TablePaused]
    table.do(c.ResumeTable("pit"))
    assert "has raised an alarm" in str(refused(table, c.CallBets(DEALER)))
    table.do(c.CloseShoe(DEALER))
    table.do(c.ResumeTable("pit"))
    table.do(c.BeginShoe(DEALER, bytes(15) + b"2"))
    table.round("8h Kd Kc Ks")


# ---- errors after the round was settled --------------------------------------------------------


def settled(cards: str = "6h Kd 2c Ks", **settings) -> HandTable:
    """Return a table with a settled round on which ann bet."""
    table = HandTable(hand_settings(**settings))
    table.do(c.CallBets(DEALER))
    table.do(c.PlaceWagers(1, "ann", (Wager("player", 1000),)))
    table.do(c.CallNoMoreBets(DEALER))
    table.deal(cards)
    table.end()
    table.pay()
    return table


def report(by: str = DEALER, number: int = 1) -> c.ReportError:
    return c.ReportError(number, by, "the cards were others")


@pytest.mark.requirement("R43")
def test_r43_an_error_reported_before_the_next_coups_first_card_is_remedied_then_or_later():
    for later in (False, True):
        table = settled()
        table.bets()
        table.do(report())
        if later:
            table.deal("7h 7d Kc Ks")
            table.end()
            table.pay()
            table.round("9h 9d Kc Kh")
        corrected = table.do(c.RemedyError(1, "pit", parse_cards("6h Kd 2c 9s")))[0]
        assert corrected.winner == "banker"
        assert corrected.results[0].wagers == (e.WagerResult("player", 1000, -1000),)
        assert str(table.state.manual.shoe.out[3]) == "9s"
        again = refused(table, c.RemedyError(1, "pit", parse_cards("6h Kd 2c 9s")))
        assert again.code is (Code.RESULT_STANDS if later else Code.WRONG_PHASE)


@pytest.mark.requirement("R43")
def test_r43_a_coup_stands_if_no_error_was_reported_before_the_next_coup():
    table = settled()
    table.bets()
    table.card("7h")
    for command in (report(), c.RemedyError(1, "pit", parse_cards("6h Kd 2c 9s"))):
        late = refused(table, command)
        assert late.code is Code.RESULT_STANDS
        assert "R43" in str(late)
    assert refused(table, report(number=9)).code is Code.NO_SUCH_ROUND
    assert table.state.manual.past == ()


@pytest.mark.requirement("R43")
def test_r43_anyone_can_report_and_another_person_decides():
    table = settled()
    assert isinstance(table.do(report("eve"))[0], e.ErrorReported), "eve did not bet"
    table.do(c.DismissReport(1, "pit", "the cameras show no error"))
    table.do(report("ann"))
    assert refused(table, report("ann")).code is Code.ALREADY_REPORTED, "once is enough"
    assert refused(table, c.RemedyError(1, "ann", parse_cards("6h Kd 2c 9s"))).code is (
        Code.NEEDS_TWO_PEOPLE
    )
    table.do(c.DismissReport(1, "pit", "the cameras show no error"))
    words = refused(table, c.RemedyError(1, "pit", parse_cards("6h Kd 2c 9s")))
    assert words.code is Code.WRONG_PHASE, "nothing is reported any more"
    table.do(report("pit"))
    assert refused(table, c.DismissReport(1, "pit", "no")).code is Code.NEEDS_TWO_PEOPLE
    table.do(report("zoe"))
    for command in (
        c.RemedyError(1, "pit", parse_cards("6h Kd 2c 9s")),
        c.DismissReport(1, "pit", "no"),
    ):
        assert refused(table, command).code is Code.NEEDS_TWO_PEOPLE, "others reported too"
    table.round("9h 9d Kc Kh")
    table.do(c.RemedyError(1, "pat", parse_cards("6h Kd 2c 9s")))
    again = refused(table, c.RemedyError(1, "pat", parse_cards("6h Kd 2c 9s")))
    assert "no report is waiting" in str(again)


@pytest.mark.requirement("R43", "G38")
def test_g38_a_correction_above_the_houses_limit_needs_two_people():
    cards = parse_cards("6h Kd 2c 9s")  # ann won 1,000 and now loses 1,000: 2,000 change hands
    for by, alone, two in (("pit", None, False), ("pit", 2000, True), (DEALER, None, True)):
        table = settled()
        table.do(report("ann"))
        found = table.do(c.RemedyError(1, by, cards, alone))
        if two:
            assert [type(one) for one in found] == [e.ActionProposed]
            again = c.RemedyError(1, by, cards, alone)
            assert refused(table, again).code is Code.NEEDS_TWO_PEOPLE
            other = c.RemedyError(1, "pat", parse_cards("6h Kd 2c 8s"), 0)
            assert isinstance(table.do(other)[-1], e.ActionProposed), (
                "other cards, another proposal"
            )
            table.do(c.RemedyError(1, by, cards, 0))
            found = table.do(c.RemedyError(1, "pat", cards, 0))
        [corrected] = found
        assert (corrected.first, corrected.by) == ((by, "pat") if two else ("", by))
        assert corrected.coup_before == "P:6h2c=8 B:KdKs=0"
        assert [one.net for one in corrected.paid_before] == [1000]
        assert table.state.proposals == ()


@pytest.mark.requirement("R43", "G38")
def test_g38_the_dealer_of_a_round_cannot_dismiss_a_report_alone():
    table = settled()
    table.do(report("ann"))
    mine, other = (c.DismissReport(1, by, "no") for by in (DEALER, "pat"))
    assert [type(one) for one in table.do(mine)] == [e.ActionProposed]
    assert refused(table, mine).code is Code.NEEDS_TWO_PEOPLE
    assert table.state.manual.reported(1)
    table.do(other)
    assert (table.state.manual.reported(1), table.state.proposals) == ((), ())


@pytest.mark.requirement("R43")
def test_r43_an_error_reported_while_cards_are_out_is_remedied_after_the_round():
    table = HandTable()
    table.do(c.CallBets(DEALER))
    table.do(c.PlaceWagers(1, "ann", (Wager("player", 1000),)))
    assert refused(table, report()).code is Code.WRONG_PHASE, "there is nothing to see yet"
    table.do(c.CallNoMoreBets(DEALER))
    table.deal("6h Kd 2c")
    table.do(report("ann"))
    table.deal("Ks")
    table.end()
    table.pay()
    table.round("9h 9d Kc Kh")
    table.do(c.RemedyError(1, "pit", parse_cards("6h Kd 2c 9s")))


@pytest.mark.requirement("R43")
def test_r43_a_card_missing_from_a_corrected_coup_is_the_next_one_of_the_shoe():
    for later in (False, True):
        table = settled("6h Kd 2c Ks")  # truly 6h Kd 2h … with an 8 misread: Player has 5 and draws
        table.do(report())
        if later:
            table.round("4s 9d Kc Kh")
        short = refused(table, c.RemedyError(1, "pit", parse_cards("3h Kd 2c Ks")))
        assert short.code is Code.WRONG_CARD
        assert "Player is due another" in str(short)
        if later:
            other = refused(table, c.RemedyError(1, "pit", parse_cards("3h Kd 2c Ks 9h 2s")))
            assert "; 4♠ did." in str(other)
        cards = parse_cards("3h Kd 2c Ks 4s") + (parse_cards("9d") if later else parse_cards("2s"))
        corrected = table.do(c.RemedyError(1, "pit", cards))[0]
        assert corrected.excess == ()
        out = "".join(map(str, table.state.manual.shoe.out))
        assert out == ("3hKd2cKs4s9dKcKh" if later else "3hKd2cKs4s2s")


@pytest.mark.requirement("R43")
def test_r43_an_excess_card_found_later_is_returned_or_burned_if_too_late():
    reply = "3h Kd 2c Ks 4s 6s"
    for later in (False, True):
        table = settled(reply, excess=Excess.RETURNED)
        table.do(report())
        if later:
            table.round("9h 9d Kc Kh")
        corrected = table.do(c.RemedyError(1, "pit", parse_cards("6h Kd 2c Ks 4s 6s")))[0]
        assert [str(card) for card in corrected.excess] == ["4s", "6s"]
        assert corrected.goes is (Excess.BURNED if later else Excess.RETURNED)
        shoe = table.state.manual.shoe
        assert [str(card) for card in shoe.known] == ([] if later else ["4s", "6s"])
        seen = "".join(sorted(map(str, shoe.out)))
        wanted = ["6h", "Kd", "2c", "Ks"] + (["4s", "6s", "9h", "9d", "Kc", "Kh"] if later else [])
        assert seen == "".join(sorted(wanted))
        if not later:
            table.bets()
            table.deal("4s 6s")  # as a perfect dealer's shoe continues
            assert not irregular(table.state)


def test_a_correction_with_impossible_cards_is_refused():
    table = settled(decks=1)
    table.do(report())
    wrong = refused(table, c.RemedyError(1, "pit", parse_cards("6h Kd 2c Kd")))
    assert wrong.code is Code.WRONG_CARD
    assert "is already out" in str(wrong)


# ---- dummy rounds ------------------------------------------------------------------------------


@pytest.mark.requirement("R45")
@pytest.mark.parametrize("reason", e.CancelReason)
@pytest.mark.parametrize("dealt", range(4))
def test_r45_any_round_can_be_cancelled_before_it_is_settled(reason, dealt):
    table = HandTable()
    table.do(c.CallBets(DEALER))
    table.do(c.PlaceWagers(1, "ann", (Wager("player", 1000),)))
    table.do(c.CallNoMoreBets(DEALER))
    table.deal(list(parse_cards("6h Kd 2c Ks"))[:dealt])
    event = table.cancel(reason)[0]
    assert event.reason is reason
    assert event.by == (("pat", "pit") if dealt else ("pat",))
    assert [result.net for result in event.results] == [0]
    assert table.state.round.wagers == {}
    assert len(table.state.manual.shoe.out) == dealt, "its cards have left the shoe"
    assert not any(isinstance(one, e.CoupDecided) for one in table.events)


@pytest.mark.requirement("R45", "G38")
def test_r45_cancelling_a_known_result_needs_two_people_after_considering_rectification():
    table = HandTable()
    table.bets()
    table.deal("6h Kd 2c Ks")
    table.end()
    alone = c.CancelRound(1, e.CancelReason.MISDEAL, "pit")
    together = c.CancelRound(1, e.CancelReason.MISDEAL, "pat")
    assert refused(table, alone).code is Code.RECTIFY_FIRST
    table.do(c.ConsiderRectification(1, "pit", "the order of the cards cannot be established"))
    assert isinstance(table.do(alone)[0], e.ActionProposed)
    assert refused(table, alone).code is Code.NEEDS_TWO_PEOPLE
    other = c.CancelRound(1, e.CancelReason.POWER, "pat")
    assert isinstance(table.do(other)[-1], e.ActionProposed), "another reason is another proposal"
    assert isinstance(table.do(alone)[-1], e.ActionProposed)
    assert isinstance(table.do(together)[0], e.RoundCancelled)
    assert refused(table, c.ConsiderRectification(1, "pit", "again")).code is Code.NO_SUCH_ROUND
    assert table.state.manual.past == ()


@pytest.mark.requirement("R45", "G38")
@pytest.mark.parametrize("then", ["", "announced", "fewer", "announced, fewer"])
def test_r45_a_result_stays_known_whatever_is_entered_afterwards(then):
    table = HandTable()
    table.bets()
    table.deal("9s 2d Kc 3c")
    if "announced" in then:
        table.end()
    if "fewer" in then:
        table.rectify("9s 2d Kc")
    for who in ("pit", DEALER):
        alone = c.CancelRound(1, e.CancelReason.MISDEAL, who)
        called = c.CallOff(DEALER, 1, e.CancelReason.MISDEAL)
        assert refused(table, alone).code is Code.RECTIFY_FIRST
        assert refused(table, called).code is Code.RECTIFY_FIRST
    called = c.CallOff(DEALER, 1, e.CancelReason.MISDEAL, "two cards stuck together")
    found = table.do(called)
    assert [type(one) for one in found] == [e.RectificationConsidered, e.ActionProposed]
    table.hand_over("dan")
    another = c.CallOff("dan", 1, e.CancelReason.MISDEAL, "so they did")
    assert refused(table, another).code is Code.NEEDS_TWO_PEOPLE, "a dealer is not the pit"
    cancelled = table.do(c.CancelRound(1, e.CancelReason.MISDEAL, "pit"))[-1]
    assert cancelled.by == (DEALER, "pit")


@pytest.mark.requirement("R45", "G38")
def test_g38_a_void_with_stakes_above_one_persons_limit_needs_two_people():
    for alone, two in ((3000, False), (2999, True)):
        table = HandTable()
        table.do(c.CallBets(DEALER))
        table.do(c.PlaceWagers(1, "ann", (Wager("player", 1000),)))
        table.do(c.PlaceWagers(1, "bob", (Wager("banker", 2000),)))
        [found] = table.do(c.CallOff(DEALER, 1, e.CancelReason.POWER, alone=alone))
        if two:
            assert isinstance(found, e.ActionProposed)
            [found] = table.do(c.CancelRound(1, e.CancelReason.POWER, "pit", alone))
        assert (found.by, found.alone) == ((DEALER, "pit") if two else (DEALER,), alone)


@pytest.mark.requirement("R45", "G04")
def test_g04_by_house_rule_a_decided_bet_gets_the_better_of_stake_and_win():
    """Player pair is known after three cards, a natural after four; stakes are never lost."""
    bets = {"player": 2000, "banker": 2000, "tie": 500, "player-pair": 500, "banker-pair": 500}
    card = next(
        name
        for name in ("online", "fortune-six", "commission", "punto-banco")
        if {"player-pair", "player"} <= {bet.id for bet in load_game(name).bets}
    )
    known = {bet.id for bet in load_game(card).bets}
    wagers = tuple(Wager(bet, stake) for bet, stake in bets.items() if bet in known)

    def cancelled(cards: str, dummy: DummyRefund, reason=e.CancelReason.POWER) -> dict[str, int]:
        table = HandTable(hand_settings(card, dummy=dummy))
        table.do(c.CallBets(DEALER))
        table.do(c.PlaceWagers(1, "ann", wagers))
        table.do(c.CallNoMoreBets(DEALER))
        table.deal(cards)
        if table.state.result_known:
            table.do(c.ConsiderRectification(1, "pit", "the power failed"))
        [result] = table.cancel(reason)[0].results
        return {wager.bet: wager.net for wager in result.wagers if wager.net}

    assert cancelled("6h Kd 6c", DummyRefund.STAKES) == {}
    assert cancelled("6h Kd", DummyRefund.BETTER) == {}
    pair = cancelled("6h Kd 6c", DummyRefund.BETTER)
    assert pair.keys() == {"player-pair"}
    assert pair["player-pair"] > 500
    assert cancelled("8h Kd Ks", DummyRefund.BETTER) == {}, "a natural that a nine could still beat"
    won = cancelled("8h Kd Ks Kc", DummyRefund.BETTER)
    assert won.keys() == {"player", *({"banker-pair"} & known)}
    assert won["player"] == 2000
    assert cancelled("8h Kd Ks Kc", DummyRefund.BETTER, e.CancelReason.FOREIGN_CARD) == {}


def load_game(name: str):
    return load(name).game()


# ---- the alarm ---------------------------------------------------------------------------------


@pytest.mark.requirement("G31")
def test_g31_a_shoe_in_factory_order_stops_the_table():
    table = HandTable()
    order = list(deck() * 8)
    alarms = []
    while not alarms:
        table.bets()
        while not table.end_if_over():
            table.card(order.pop(0))
        alarms = [event for event in table.events if isinstance(event, e.AlarmRaised)]
        table.end()
        table.pay()  # the current round is finished
    assert alarms[0].alarm is e.Alarm.UNSHUFFLED
    assert (alarms[0].sign, faces(alarms[0].cards)) == (UnshuffledSign.RUN, "A♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠")
    assert table.state.paused
    assert refused(table, c.CallBets(DEALER)).code is Code.TABLE_PAUSED
    table.do(c.ResumeTable("pit"))
    assert "begin another" in str(refused(table, c.CallBets(DEALER)))
    table.do(c.CloseShoe(DEALER))
    table.do(c.BeginShoe(DEALER, bytes(15) + b"2"))
    table.do(c.CallBets(DEALER))


@pytest.mark.requirement("G31")
def test_g31_a_shoe_with_a_wrong_card_count_stops_the_table():
    table = HandTable(hand_settings(decks=1))
    order = list(deck())
    random.Random(1).shuffle(order)
    while not table.state.round.number or table.state.round.number < 3:
        table.bets()
        while not table.end_if_over():
            table.card(order.pop(0))
        table.end()
        table.pay()
    foreign = Card("8", "h") if order[0] != Card("8", "h") else Card("9", "h")
    found = table.do(c.CloseShoe(DEALER, (foreign, *order[1:])))
    assert [type(one) for one in found] == [e.AlarmRaised, e.TablePaused, e.ShoeClosed]
    assert found[-1].lacking == (order[0],)
    assert found[-1].surplus == (foreign,)
    assert refused(table, c.BeginShoe(DEALER, bytes(16))).code is Code.TABLE_PAUSED
    for rest, alarms in ((deck(), 0), (deck()[1:], 1), ((*deck(), foreign), 1)):
        other = HandTable(hand_settings(decks=1))
        found = other.do(c.CloseShoe(DEALER, tuple(rest)))
        assert sum(isinstance(one, e.AlarmRaised) for one in found) == alarms


# ---- journal and state -------------------------------------------------------------------------


def test_events_and_state_of_a_manual_table_survive_encoding():
    table = settled()
    table.do(report())
    table.bets()
    table.card("7h", B)
    table.rectify()
    table.do(c.RemedyError(1, "pit", parse_cards("6h Kd 2c 9s")))
    assert restore(snapshot(table.state)) == table.state
    bodies = [encode(event) for event in table.events]
    assert [decode(body) for body in bodies] == table.events
    events = [decode(one.body) for one in chain(beginning("x"), bodies)]
    assert reduce(apply, events, None) == table.state


def test_fields_with_default_values_are_written():
    by_itself = b'{"at":1,"dealer":"","round":2,"type":"BettingClosed"}'
    assert encode(e.BettingClosed(1, 2)) == by_itself
    assert decode(by_itself) == e.BettingClosed(1, 2)
    by_hand = b'{"at":1,"dealer":"dora","round":2,"type":"BettingClosed"}'
    assert encode(e.BettingClosed(1, 2, "dora")) == by_hand
    assert decode(by_hand) == e.BettingClosed(1, 2, "dora")
    with pytest.raises(NotCanonical, match="canonical form"):
        decode(b'{"at":1,"round":2,"type":"BettingClosed"}')


def test_a_table_dealt_by_the_server_accepts_no_dealer():
    state = reduce(apply, decide(None, c.OpenTable("one", settings_for()), 1), None)
    with pytest.raises(Refused, match="The server deals this table"):
        decide(state, c.TakeTable(DEALER), 2)


@pytest.mark.requirement("R44")
def test_r44_a_card_can_be_re_entered_several_times():
    table = HandTable(hand_settings(excess=Excess.RETURNED))
    table.bets()
    table.deal("6h 9d")
    table.rectify("6h 9c")
    table.rectify("6h 9s")
    table.deal("2c Kc 4c")  # a natural: the last is taken back, and is the next card
    table.rectify()
    table.rectify("6h 8s 2c Kc")  # a card taken back stays back when others are re-entered
    assert not irregular(table.state)
    table.end()
    table.pay()
    table.bets()
    assert flags(table.card("5d"))[0].wrong.kind is IrregularityKind.NOT_NEXT
    reply, front = [
        choice.drawn for choice in choices_of(table.state) if choice.do is ChoiceAction.RECTIFY
    ]
    assert (reply, front) == (parse_cards("4c"), parse_cards("4c 5d"))
    table.rectify(front)
    assert [card for _, card in table.state.round.cards] == list(front)
    assert not irregular(table.state)


@pytest.mark.requirement("R41")
def test_r41_a_devices_burned_and_excess_cards_are_explained_by_the_dealer():
    table = HandTable(hand_settings(burn=Burn.ONE))
    card = parse_cards("8h")[0]
    table.do(c.PlaceCard(DEALER, card, device=True))
    assert [choice.was for choice in choices_of(table.state)] == ["burned", "mistake"]
    table.do(c.ExplainCard(DEALER, card, e.CardExplanation.BURNED))
    assert (table.state.manual.shoe.out, table.state.manual.shoe.burn_due) == ((card,), None)
    table.bets()
    for sent in parse_cards("6h Kd 2c Ks"):
        table.do(c.PlaceCard(DEALER, sent, device=True))
    table.do(c.PlaceCard(DEALER, card, device=True))
    assert restore(snapshot(table.state)) == table.state
    assert (
        refused(table, c.ExplainCard(DEALER, card, e.CardExplanation.EXPOSED)).code
        is Code.WRONG_PHASE
    )
    assert refused(table, c.AnnounceResult(DEALER)).code is Code.IRREGULAR
    table.do(c.ExplainCard(DEALER, card, e.CardExplanation.DRAWN))
    table.rectify()
    table.end()
    table.do(c.PlaceCard(DEALER, card, device=True))
    assert refused(table, c.PayRound(DEALER)).code is Code.IRREGULAR
    table.do(c.ExplainCard(DEALER, card, e.CardExplanation.MISTAKE))
    table.pay()


@pytest.mark.requirement("G31")
def test_g31_a_corrected_card_does_not_silence_the_alarm():
    table = HandTable()
    table.bets()
    table.deal("Ah 2h 3h Kh")  # the fourth was the four of hearts
    table.rectify("Ah 2h 3h 4h")
    table.deal("5h")
    table.end()
    table.pay()
    table.bets()
    table.deal("6h 9s")
    assert not table.state.paused
    raised = table.rectify("6h 7h")
    assert [type(one) for one in raised] == [e.CoupRectified, e.AlarmRaised, e.TablePaused]
    assert (raised[1].sign, len(raised[1].cards)) == (UnshuffledSign.RUN, 7)
    assert len(table.card("8h")) == 1, "once"


@pytest.mark.requirement("G31", "R43")
def test_g31_a_card_corrected_after_payment_does_not_silence_the_alarm():
    table = HandTable()
    table.round("Ah 2h 9s 4h 5h")
    table.do(c.ReportError(1, DEALER, "it was a three"))
    table.bets()
    table.deal("6h 7h")
    again = c.RemedyError(1, "pit", parse_cards("Ah 2h 3h 4h 5h"))
    assert e.AlarmRaised in [type(one) for one in table.do(again)]
    assert table.state.paused
