"""R43 and A16: until when errors can be reported at a table, by rule card or house file."""

from dataclasses import replace

import pytest

from baccarat.core.cards import parse_cards
from baccarat.house.housefile import read_house
from baccarat.loader import built_in_cards, load
from baccarat.poster.venue import own_procedures
from baccarat.service.public_view import table_view
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.manual import state as manual_state
from baccarat.table.refusals import Code, Refused
from baccarat.table.settings import DummyRefund, Settings
from baccarat.table.state import restore, snapshot
from baccarat.wording.rules import rules_in_words
from support.by_hand import DEALER, HandHouse, console_of, hand_settings, refused
from support.live import LiveTable, settings_for
from support.tampering import set_fields, tampered

DECLARE_IT = ("double-chance", "punto-banco-2000", "punto-banco")
RIGHT = parse_cards("6h Kd 2c 9s")
"""The actual cards of the first round."""
REMEDY = c.RemedyError(1, "pit", RIGHT)
ANOTHER = "7h 7d Kc Ks"


def dealt(card: str, *, cut_off: bool = False) -> HandHouse:
    """Deal a round that ann wins because a nine was entered as a king, and another coup."""
    house = HandHouse(replace(hand_settings(card), error_cut_off=cut_off))
    house.do(c.CallBets(DEALER))
    house.wager("ann", **{"tie" if card == "double-chance" else "player": 1000})
    house.do(c.CallNoMoreBets(DEALER))
    house.deal("6h Kd 2c Ks")
    house.end()
    house.pay()
    house.round(ANOTHER)
    return house


def report(by: str = "eve", number: int = 1) -> c.ReportError:
    return c.ReportError(number, by, "the last card was a nine")


@pytest.mark.requirement("R43", "A16")
@pytest.mark.parametrize("card", built_in_cards())
@pytest.mark.parametrize("added", [False, True])
def test_a16_a_cut_off_applies_only_if_the_card_or_the_house_declares_it(card, added):
    house = dealt(card, cut_off=added)
    had = house.has("ann")
    if card in DECLARE_IT or added:
        for command in (report(), REMEDY):
            no = refused(house, command)
            assert (no.code, "R43" in str(no)) == (Code.RESULT_STANDS, True)
        assert console_of(house.state)["reportable"] == [2]
    else:
        assert console_of(house.state)["reportable"] == [2, 1]
        assert refused(house, REMEDY).code is Code.WRONG_PHASE, "nothing was reported"
        house.do(report())
        house.round(ANOTHER)
        house.do(REMEDY)
        assert house.has("ann") == had - 2000
        assert house.state.manual.shoe.out[3] == RIGHT[3]
        house.do(report("ann"))  # can be reported again
        house.do(c.DismissReport(1, "pit", "the cameras show no error"))
        assert refused(house, REMEDY).code is Code.WRONG_PHASE
    assert house.audited() == []


@pytest.mark.requirement("A16")
def test_a16_without_a_cut_off_errors_can_be_reported_until_the_next_shoes_first_card():
    house = dealt("commission")
    house.do(report(number=2))
    house.do(c.CloseShoe(DEALER, None))
    house.do(c.BeginShoe(DEALER, bytes([1]) * 16))
    house.bets()
    assert table_view(house.state, str).reportable == (3, 2, 1)
    house.card("6h")
    assert table_view(house.state, str).reportable == (3,)
    no = refused(house, report())
    assert (no.code, "next shoe" in str(no)) == (Code.RESULT_STANDS, True)
    assert [one.number for one in house.state.manual.past] == [2], "it was reported in time"
    house.do(c.RemedyError(2, "pit", parse_cards("7h 7d Kc Kd")))
    assert house.state.manual.past == ()
    assert house.audited() == []


@pytest.mark.parametrize("card", ["commission", "punto-banco"])
def test_where_the_server_deals_there_are_no_dealing_errors_to_report(card):
    table = LiveTable(settings_for(card))
    table.until(e.RoundSettled)
    table.until(e.RoundOpened)
    for command in (report(), report(number=2), REMEDY):
        with pytest.raises(Refused) as no:
            table.do(command)
        assert (no.value.code, no.value.key) == (Code.RESULT_STANDS, "dealt-by-server")


@pytest.mark.requirement("R43", "A16")
def test_a16_the_auditor_finds_a_report_and_a_remedy_after_the_cut_off(monkeypatch):
    for card, added in (("punto-banco", False), ("commission", True)):
        with monkeypatch.context() as patched:  # a server that ignores the cut-off
            patched.setattr(manual_state, "has_cut_off", lambda *_: False)
            house = dealt(card, cut_off=added)
            house.do(report())
            house.do(REMEDY)
        found = house.audited()
        assert any("an error was reported too late" in one for one in found), (card, found)
        assert any("its result stands" in one for one in found)
    late = dealt("commission")
    late.do(report())
    assert late.audited() == []
    found = tampered(late, set_fields("TableOpened", settings=_with_cut_off))
    assert any("an error was reported too late" in one for one in found), found


@pytest.mark.requirement("R43")
def test_r43_a_report_that_was_dismissed_is_not_made_again():
    house = dealt("commission")
    house.do(report())
    no = refused(house, report())  # once is enough
    assert (no.code, no.message.key) == (Code.ALREADY_REPORTED, "refusal-already-reported")
    house.do(c.DismissReport(1, "pit", "the cameras show no error"))
    house.do(report("zoe"))  # anyone else
    house.do(c.DismissReport(1, "pit", "we looked again"))
    for by in ("eve", "zoe"):
        no = refused(house, report(by))
        assert (no.code, no.message.key) == (Code.ALREADY_REPORTED, "refusal-report-dismissed")
    house.do(report("eve", number=2))  # another round
    house.do(report("ann"))
    house.do(c.DismissReport(1, "pit", "and again"))
    house.do(c.OpenDispute(1, "ann", "it was a nine"))
    assert house.state.manual.reported(1) == ()  # a dispute does not report it again
    assert restore(snapshot(house.state)) == house.state
    assert house.audited() == []


@pytest.mark.requirement("R43")
@pytest.mark.parametrize("card", built_in_cards())
def test_r43_anyone_can_report_the_round_under_way(card):
    """The page and the console offer exactly the rounds that the table accepts."""
    house = HandHouse(hand_settings(card))
    house.do(c.CallBets(DEALER))
    assert table_view(house.state, str).reportable == ()
    assert refused(house, report()).code is Code.WRONG_PHASE
    house.do(c.CallNoMoreBets(DEALER))
    for dealt_card in parse_cards("6h Kd 2c Ks"):
        house.card(dealt_card)
        assert table_view(house.state, str).reportable == (1,)
        assert console_of(house.state)["reportable"] == [1]
    house.do(report())
    house.end()
    house.pay()
    house.round(ANOTHER)
    house.do(REMEDY)  # it was reported in time, with or without a cut-off
    assert house.audited() == []


@pytest.mark.requirement("R43")
def test_r43_strangers_cannot_flood_the_pit_with_reports():
    house = dealt("commission")
    for number in range(10):
        house.do(report(f"guest-{number}"))
    no = refused(house, report("eve"))
    assert (no.code, no.message.values["reports"]) == (Code.ALREADY_REPORTED, 10)
    house.do(report("ann"))  # she had a bet on the round
    house.do(report(DEALER))
    house.do(report("eve", number=2))
    house.do(c.DismissReport(1, "pit", "the cameras show no error"))
    house.do(report("eve"))
    assert house.audited() == []


def _with_cut_off(settings: dict) -> dict:
    return {**settings, "error_cut_off": True}


@pytest.mark.requirement("A16", "A19")
@pytest.mark.parametrize("card", built_in_cards())
def test_a19_the_rules_page_attributes_procedures_and_says_that_the_faulty_round_stands(card):
    def section(key: str, settings: Settings) -> str:
        own = own_procedures(settings)
        sections = {word.key: word for word in rules_in_words(load(card).game(), own=own)}
        return " ".join(sections[key].lines) if key in sections else ""

    plain = hand_settings(card)
    added = replace(plain, error_cut_off=True, dummy=DummyRefund.BETTER)
    stands = "all results stand, including that of the round with the error"
    declared = card in DECLARE_IT
    for settings in (plain, added):
        assert (stands in section("procedures", settings)) == declared, "the card's own"
    assert (stands in section("house", added)) == (not declared)
    assert stands not in section("house", plain)
    assert ("until the first card of the next shoe" in section("house", plain)) == (not declared)
    assert "next shoe" not in section("house", added)
    assert "whether or not they have bet" in section("house", plain)
    assert "it is cancelled: it has no result, and all bets are returned." in section(
        "house", plain
    )
    assert "except those that had already won, which are paid" in section("house", added)
    by_server = replace(plain, source="shoe")
    assert "report" not in section("house", by_server), "a server makes no dealing errors"


@pytest.mark.requirement("A16")
@pytest.mark.parametrize("added", [False, True])
def test_a16_a_house_file_adds_a_cut_off(added):
    line = "error_cut_off = true" if added else ""
    house = f"""
        format = 1
        name = "The house"
        currency = "EUR"
        [[table]]
        id = "t"
        name = "T"
        card = "commission"
        source = "cards"
        {line}
    """
    assert read_house(house, name="house.toml").tables[0].settings.error_cut_off is added
