"""The report of a gaming day at a table with real cards, recomputed by the auditor."""

import csv
import io
from fractions import Fraction
from functools import partial

import pytest

from baccarat.analysis.edges import figures_of
from baccarat.auditor.reports import check_report
from baccarat.core.cards import parse_cards
from baccarat.core.tableau import Hand
from baccarat.house import events as h
from baccarat.house import house_jobs, jobs
from baccarat.house.money import cash
from baccarat.house.safety import requests
from baccarat.house.safety.periods import HOUR, GamingDay, day_at, parse_date
from baccarat.house.watch.day_report import gaming_day_of
from baccarat.table import commands as c
from baccarat.table.events import CancelReason
from baccarat.table.rules import game_of
from baccarat.web.views.reports.day import csv_of, day_report, today
from support.by_hand import DEALER, HandHouse
from support.simulated_house import rows_of


def edge(rules: str, agreed, bet: str) -> Fraction:
    return figures_of(game_of(rules, agreed), bet).edge


def reported(house: HandHouse) -> dict[tuple[str, str], dict[str, str]]:
    """Return the lines of today's report, after the auditor has agreed with all of them."""
    text = csv_of(day_report(house.store, day_at(house.now)))
    assert check_report(rows_of(house.engine), text, edge) == []
    return {(line["by"], line["id"]): line for line in csv.DictReader(io.StringIO(text))}


@pytest.fixture
def house():
    return HandHouse()


def open_with_bet(house: HandHouse) -> None:
    house.do(c.CallBets(DEALER))
    house.wager("ann", player=2_000)
    house.do(c.CallNoMoreBets(DEALER))


def test_errors_corrections_disputes_and_voids_are_counted(house):
    open_with_bet(house)
    house.deal("6h 2d Kc 4s")  # Player 6, Banker 6
    house.end()
    house.pay()
    before = reported(house)
    assert before["table", "hand"]["turnover"] == "20.00"
    assert before["dealer", DEALER]["rounds"] == "1"
    assert before["house", ""]["corrections"] == "0"
    house.do(c.OpenDispute(1, "ann", "It was an 8."))
    house.do(c.RemedyError(1, "pit", parse_cards("8h 2d Kc 4s")))
    line = reported(house)["table", "hand"]
    assert (line["corrections"], line["corrected"], line["disputes"]) == ("1", "20.00", "1")
    assert line["result"] == "-20.00"
    assert line["hold"] == "-100.00"
    assert reported(house)["dealer", DEALER]["result"] == "-20.00"


def test_a_misplaced_card_is_one_error_of_the_dealer_and_one_correction(house):
    open_with_bet(house)
    house.card("6h", Hand.BANKER)
    house.rectify()
    house.deal("2d Kc 4s")
    house.end()
    house.pay()
    line = reported(house)["dealer", DEALER]
    assert (line["errors"], line["corrections"], line["turnover"]) == ("1", "1", "20.00")


def test_a_cancelled_round_has_no_turnover(house):
    open_with_bet(house)
    house.cancel(CancelReason.MISDEAL)
    line = reported(house)["table", "hand"]
    assert (line["cancelled"], line["rounds"], line["turnover"]) == ("1", "0", "0.00")
    assert line["hold"] == ""


def test_payments_voids_and_exclusions_are_counted(house):
    paid = house.commit(
        jobs.about_player("ann", house.clock, partial(cash.pay_in, amount=700), by="till")
    )
    void = partial(cash.void, entry=paid.first, reason="keyed twice")
    house.commit(jobs.about_player("ann", house.clock, void, by="till"))
    house.commit(jobs.about_player("bob", house.clock, partial(requests.exclude, months=6)))
    found = reported(house)
    assert found["house", ""]["exclusions"] == "1"
    till = found["cashier", "till"]
    assert (till["paid_in"], till["paid_out"], till["voids"]) == ("2000.00", "0.00", "1")
    assert till["turnover"] == ""


def test_a_day_is_that_of_the_settings_recorded_before_its_end():
    day = parse_date("2026-11-17")
    athens = h.GamingDaySet(day * 24 * HOUR, "Europe/Athens", 6, h.HOUSE_FILE)
    london = h.GamingDaySet((day + 1) * 24 * HOUR + 7 * HOUR, "Europe/London", 8, h.HOUSE_FILE)
    changes = [athens, london]
    assert gaming_day_of(day - 2, changes) == GamingDay()
    assert gaming_day_of(day, changes) == GamingDay("Europe/London", 8)  # recorded before its end
    assert gaming_day_of(day - 1, changes) == GamingDay("Europe/Athens", 6)


def test_today_is_the_gaming_day_of_the_journal(house):
    house.commit(house_jobs.open_house("The house", "GBP", house.clock, GamingDay("Asia/Tokyo", 6)))
    for hours in range(0, 49, 3):
        now = house.now + hours * HOUR
        assert today(house.store, now) == day_at(now, GamingDay("Asia/Tokyo", 6))
