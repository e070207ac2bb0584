"""Disputes over rounds of real cards: replays use the entered cards, as corrected."""

import json
import random
from dataclasses import replace

import msgspec
import pytest

from baccarat.auditor.real_cards import RealCardBooks
from baccarat.core.cards import deck, parse_cards
from baccarat.core.misdeals import deal_correctly
from baccarat.house import jobs
from baccarat.house.safety.profiles import default_conduct
from baccarat.shoe.scanned import unseen
from baccarat.store import history
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.disputes import decisions
from baccarat.table.disputes.case import ShoeKnown, case_of
from baccarat.table.disputes.replay import options, proposed
from baccarat.table.manual import corrections
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import game_of, rules_text
from baccarat.table.settings import Excess
from support.by_hand import DEALER, EXCESS, HandHouse, HandTable, hand_settings
from support.disputes import ALONE, SMUDGED, opening

STANDS = rules_text(SMUDGED, readings={"after-standing": "stands"})
"""Rules in which the banker stands if the player stood; whether it should draw is open."""
DECLARED = '"disputes_for_player":true,"reconstruction":true}'
STOOD = "6h 2d Kc 3s"
"""The player stands on 6, and so does the banker on 5; the next card would have been Banker's."""


def settings_of(excess: Excess = Excess.BURNED):
    rules = STANDS
    if excess is Excess.RETURNED:  # only where the card declares reconstruction
        rules = rules.replace('"disputes_for_player":true}', DECLARED, 1)
    settings = hand_settings(SMUDGED, excess=excess)
    return replace(settings, rules=rules, error_cut_off=True)


def settled_house(first: str = STOOD, *, cut_off: bool = True, **stakes: int) -> HandHouse:
    """Return a house with a settled round on which ann bet on Banker."""
    house = HandHouse(replace(settings_of(), error_cut_off=cut_off))
    house.do(c.CallBets(DEALER))
    house.wager("ann", **(stakes or {"banker": 2000}))
    house.do(c.CallNoMoreBets(DEALER))
    house.deal(first)
    house.end()
    house.pay()
    return house


def decision(case) -> c.DecideDispute:
    readings = proposed(options(case)).readings
    who = case.result.player
    return c.DecideDispute(case.round, who, readings, ALONE, "it is smudged", "pit")


def refusal(table: HandTable, command: c.Command) -> Refused:
    with pytest.raises(Refused) as found:
        table.do(command)
    return found.value


@pytest.mark.requirement("R46")
def test_r46_a_round_of_real_cards_is_replayed_with_the_next_card_of_the_shoe():
    house = settled_house()
    had = house.has("ann")
    case = case_of(house.events, 1, "ann")
    assert any(option.pending for option in options(case))
    house.do(opening(case, "the banker was to draw"))
    assert "the next coup" not in str(refusal(house, decision(case)))  # it is also a report
    house.do(c.DismissReport(1, "the-pit", "it is about the reading"))
    waits = refusal(house, decision(case))
    assert (waits.code, "the next coup" in str(waits)) == (Code.TOO_EARLY, True)
    house.bets()
    house.card("4c")  # it would have made the banker's 5 a 9
    case = case_of(house.events, 1, "ann")
    assert case.following == parse_cards("4c")
    assert not any(option.pending for option in options(case))
    (decided,) = house.do(decision(case))
    assert decided.coup == "P:6hKc=6 B:2d3s4c=9"
    assert house.has("ann") == had + decided.after.net - decided.before.net > had
    assert house.audited() == []


@pytest.mark.requirement("R46", "G23")
def test_g23_a_large_win_that_a_dispute_brings_is_reported():
    conduct = replace(default_conduct(), large_win=1500)
    house = settled_house()
    house.do(opening(case_of(house.events, 1, "ann"), "the banker was to draw"))
    house.do(c.DismissReport(1, "the-pit", "it is about the reading"))
    house.bets()
    house.card("4c")
    decide = decision(case_of(house.events, 1, "ann"))
    shoe = history.shoe_around(house.store, "table:hand", 1)
    house.commit(jobs.at_table("hand", decide, house.clock, shoe=shoe, conduct=conduct))
    decided, large = (e.decode(entry.body) for entry in house.store.entries("table:hand")[-2:])
    assert isinstance(large, e.LargeWinPaid)
    assert (large.player, large.net) == ("ann", decided.after.net)
    assert house.audited() == []


@pytest.mark.requirement("R46")
def test_r46_a_dispute_is_not_decided_while_the_round_can_be_corrected():
    """Nothing is paid for a result that is not final."""
    house = settled_house()
    house.do(c.ReportError(1, "dan-of-the-pit", "the last card was a four"))
    house.bets()
    house.card("4c")
    house.do(opening(case_of(house.events, 1, "ann"), "the banker was to draw"))
    waits = refusal(house, decision(case_of(house.events, 1, "ann")))
    assert (waits.code, "R43" in str(waits)) == (Code.TOO_EARLY, True)
    house.do(c.RemedyError(1, "the-pit", parse_cards("6h 2d Kc 4s")))
    case = case_of(house.events, 1, "ann")
    assert case.drawn == parse_cards("6h 2d Kc 4s")
    house.do(decision(case))
    assert house.audited() == []


@pytest.mark.requirement("R46", "A16")
@pytest.mark.parametrize("defect", [False, True])
def test_a16_without_a_cut_off_a_paid_dispute_makes_the_result_final(defect, monkeypatch):
    """Otherwise a correction would pay again what the dispute has paid."""
    house = settled_house(cut_off=False)
    house.bets()
    house.card("4c")
    house.do(opening(case_of(house.events, 1, "ann"), "the banker was to draw"))
    waits = refusal(house, decision(case_of(house.events, 1, "ann")))
    assert waits.code is Code.TOO_EARLY, "opened in time, it is a report too"
    house.do(c.DismissReport(1, "the-pit", "it is about the reading"))
    house.do(decision(case_of(house.events, 1, "ann")))
    late = c.ReportError(1, "eve", "the last card was a four")
    remedy = c.RemedyError(1, "the-pit", parse_cards("6h 2d Kc 4s"))
    if defect:
        monkeypatch.setattr(corrections, "correctable", lambda state, n: state.manual.round(n))
        house.do(late)
        house.do(remedy)
        found = " ".join(house.audited())
        assert "an error was reported too late" in found
        assert "a round was corrected although its result stands" in found
        return
    for command in (late, remedy):
        no = refusal(house, command)
        assert (no.code, "a dispute over it" in str(no)) == (Code.RESULT_STANDS, True)
    assert house.audited() == []


@pytest.mark.requirement("R46")
def test_r46_a_case_read_earlier_is_completed_inside_the_commit():
    """Whenever the shoe was read, adding the later entries gives its current state."""
    house = settled_house()
    house.do(c.ReportError(1, "dan-of-the-pit", "the last card was a four"))
    house.round("4c 9d 4h 9s")
    house.do(c.CloseShoe(DEALER, None))
    house.do(c.BeginShoe(DEALER, bytes([1]) * 16))
    house.do(c.RemedyError(1, "the-pit", parse_cards("6h 2d Kc 4s")))
    house.round("4c 9d 4h 9s")
    entries = house.store.entries("table:hand")
    for number in (1, 2, 3):
        around = history.entries_around(house.store, "table:hand", number)
        opened = next(i for i, x in enumerate(house.events, 1) if is_opening(x, number))
        for through in range(opened, len(entries) + 1):
            known = tuple(e.decode(one.body) for one in around if one.sequence <= through)
            later = [e.decode(entry.body) for entry in entries if entry.sequence > through]
            found = ShoeKnown(known, through).with_later(later)
            assert found == [e.decode(one.body) for one in around], (number, through)
    assert ShoeKnown((), 0).with_later(house.events) == []


def is_opening(event: e.Event, number: int) -> bool:
    return isinstance(event, e.RoundOpened) and event.round == number


@pytest.mark.requirement("R46")
def test_r46_a_face_down_card_is_never_guessed():
    house = settled_house()
    house.hand_over("dan")
    house.do(c.BurnByHand("dan", ()))
    house.do(c.CallBets("dan"))
    house.do(c.CallNoMoreBets("dan"))
    house.do(c.PlaceCard("dan", parse_cards("4c")[0]))
    case = case_of(house.events, 1, "ann")
    assert (case.following, case.over) == ((), True)
    lost = [option for option in options(case) if not option.possible]
    assert lost
    assert all(one.hand and not one.pending for one in lost if not one.coup and one.readings)
    house.do(opening(case, "the banker was to draw"))
    house.do(decision(case))
    assert house.audited() == []


@pytest.mark.requirement("R46")
def test_r46_a_dispute_over_the_last_coup_of_a_shoe_waits_for_no_card():
    house = settled_house()
    shoe = house.state.manual.shoe
    rest = tuple(unseen(shoe.decks, shoe.out).elements())
    house.do(c.CloseShoe(DEALER, rest))
    house.do(c.BeginShoe(DEALER, bytes([1]) * 16))
    house.bets()
    house.card("9c")  # from another shoe
    case = case_of(house.events, 1, "ann")
    assert (case.following, case.over) == ((), True)
    house.do(opening(case, "the banker was to draw"))
    house.do(decision(case))
    assert house.audited() == []


@pytest.mark.requirement("R43", "R46")
@pytest.mark.parametrize("shoe_ends", [False, True])
def test_r43_a_dispute_over_the_last_round_also_reports_an_error(shoe_ends):
    """If opened in time it counts as a report: the round is corrected first, then disputed."""
    house = settled_house()
    house.do(opening(case_of(house.events, 1, "ann"), "that cannot be right"))
    if shoe_ends:
        house.do(c.CloseShoe(DEALER, None))
        house.do(c.BeginShoe(DEALER, bytes([1]) * 16))
    house.bets()
    house.card("4c")
    waits = refusal(house, decision(case_of(house.events, 1, "ann")))
    assert (waits.code, "reported in round 1 first" in str(waits)) == (Code.TOO_EARLY, True)
    house.do(c.RemedyError(1, "the-pit", parse_cards("6h 2d Kc 4s")))
    case = case_of(house.events, 1, "ann")
    assert case.drawn == parse_cards("6h 2d Kc 4s")
    house.do(decision(case))
    assert house.audited() == []


@pytest.mark.requirement("R43", "R46")
def test_r43_the_auditor_finds_a_dispute_decided_before_the_result_was_final(monkeypatch):
    house = settled_house()
    case = replace(case_of(house.events, 1, "ann"), following=parse_cards("4c"))
    house.do(opening(case, "the banker was to draw"))
    monkeypatch.setattr(decisions, "refusal_to_decide", lambda *_: None)
    now = house.state.at
    (decided,) = decisions.decide_dispute(house.state, decision(case), lambda: case, now)
    books = RealCardBooks("table:hand", disputed={1})
    for sequence, event in enumerate([*house.events, decided], start=1):
        plain = json.loads(e.encode(event))
        books.check_event(sequence, plain["type"], plain)
    assert any("could still be corrected" in problem for _, problem in books.findings)


@pytest.mark.requirement("R46")
def test_r46_the_auditor_finds_a_dispute_paid_by_a_wrong_card(monkeypatch):
    house = settled_house()
    house.bets()
    house.card("4c")
    case = case_of(house.events, 1, "ann")
    house.do(opening(case, "the banker was to draw"))
    false = replace(case, following=parse_cards("8c"))
    monkeypatch.setattr(jobs, "case_of", lambda *_: false)
    house.do(decision(false))
    assert any("the best result for ann is" in one for one in house.audited())


@pytest.mark.requirement("R43", "R44", "R46")
@pytest.mark.parametrize("excess", EXCESS)
@pytest.mark.parametrize("seed", range(6))
def test_r46_replays_use_the_real_order_of_the_shoe_despite_errors(seed, excess):
    """Coups with excess cards, wrongly entered cards, and corrections after payment."""
    chance = random.Random(f"{seed} {excess}")
    shoe = list(deck() * 8)
    chance.shuffle(shoe)
    table, place, coups = HandTable(settings_of(excess)), 0, {}
    tableau = game_of(STANDS).tableau
    for number in range(1, 13):
        size = len(deal_correctly(tableau, shoe[place : place + 6]).turns)
        drawn, follows = shoe[place : place + size], shoe[place + size]
        error = chance.choice(["", "extra", "again", "late", "late-extra"])
        table.bets()
        if error == "again":
            table.deal([*drawn[:-1], follows])
            table.rectify(drawn)
        elif error == "extra":
            table.deal([*drawn, follows])
            table.rectify()
        elif error.startswith("late"):
            wrong = other(tableau, drawn, shoe[place + size :], error == "late-extra")
            table.deal(wrong or drawn)
        else:
            table.deal(drawn)
        table.end()
        table.pay()
        reply = len(table.state.round.cards)
        if error.startswith("late") and wrong:
            table.do(c.ReportError(number, "dan", "misread"))
            table.do(c.RemedyError(number, "pit", shoe[place : place + max(reply, size)]))
            back = table.state.manual.shoe.known
            assert back == () or back == tuple(shoe[place + size : place + reply])
        coups[number] = (place, size)
        place += size
        if (error == "extra" or reply > size) and excess is Excess.BURNED:
            shoe.insert(coups[number][0], shoe.pop(place))  # it comes before the coup
            coups[number] = (coups[number][0] + 1, size)
            place += 1
    assert table.state.manual.shoe.out == tuple(shoe[:place])
    seen = place + len(table.state.manual.shoe.known)
    for number, (start, size) in coups.items():
        case = case_at(table, number)
        assert case.drawn == tuple(shoe[start : start + size]), number
        assert case.following == tuple(shoe[start + size : seen]), number


def other(tableau, drawn, to_come, longer):
    """Return the coup with one card entered wrongly, so that it takes at least as many cards."""
    for at in range(1, 4):  # the first may have been taken back, so it is known
        for card in to_come[:60]:
            wrong = [*drawn[:at], card, *drawn[at + 1 :], to_come[0]]
            meant = deal_correctly(tableau, wrong)
            size = len(meant.turns)
            if meant.deal.over and (size > len(drawn) if longer else size == len(drawn)):
                return wrong[:size]
    return None


def case_at(table: HandTable, number: int):
    """Return the case of a round without wagers: only its cards."""
    events = []
    for event in table.events:
        if isinstance(event, e.RoundSettled | e.RoundCorrected) and event.round == number:
            event = msgspec.structs.replace(event, results=(e.PlayerResult("ann", (), 0),))
        events.append(event)
    return case_of(events, number, "ann")
