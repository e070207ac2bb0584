"""Receipts, day sheets, reports of gaming days, and rounds found for the cameras."""

import csv
import io
from dataclasses import replace
from datetime import datetime
from fractions import Fraction
from typing import get_args
from zoneinfo import ZoneInfo

import pytest

from baccarat.auditor import audit
from baccarat.auditor.reports import check_report
from baccarat.core.money import parse_coins
from baccarat.house.safety.periods import GamingDay, date_of, day_at
from baccarat.poster import makes_pdfs
from baccarat.store.sqlstore import system_clock
from baccarat.table.four_eyes.subjects import Subject
from baccarat.table.rules import game_of
from baccarat.web.views.pit import URGENCY, urgency
from support.served import HOUSE, code, play_rounds, served
from support.simulated_house import rows_of

ATHENS = GamingDay("Europe/Athens", 6)
CONDUCT = replace(HOUSE.conduct, gaming_day=ATHENS)
PAYMENT = {"amount": 150_000, "method": "card", "reference": "slip 77"}


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    folder = tmp_path_factory.mktemp("house")
    with served(folder, house=replace(HOUSE, conduct=CONDUCT)) as running:
        with running.player("ann", 300_000) as ann, running.staff("cashier") as cashier:
            play_rounds(ann, 4)
            for way, body in (("in", PAYMENT), ("out", {"amount": 2_550})):
                key = {"Idempotency-Key": f"pay {way}"}
                path = f"/api/accounts/ann/pay-{way}"
                assert cashier.post(path, json=body, headers=key).is_success
        yield running


def edge(rules: str, agreed, bet: str) -> Fraction:
    from baccarat.analysis.edges import figures_of

    return figures_of(game_of(rules, agreed), bet).edge


def entries(house) -> list[dict]:
    with house.staff("cashier") as cashier:
        return cashier.get("/api/cashier/players/ann").json()["bookings"]


def today() -> str:
    return date_of(day_at(system_clock(), ATHENS)).isoformat()


def lines(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_a_payment_keeps_its_method_and_reference_and_has_a_receipt(house):
    out, by_card, _ = entries(house)[:3]
    assert by_card["how"] == "by card (reference slip 77)"
    assert out["how"] == "in cash"
    with house.staff("cashier") as cashier:
        page = cashier.get(f"/cashier/receipts/{by_card['entry']}").text
    for words in ("Received from the player", "£1,500.00", "by card (reference slip 77)", "Ann"):
        assert words in page
    assert "Europe/Athens" in page


def test_entries_that_are_not_payments_have_no_receipt(house):
    with house.staff("cashier") as cashier:
        assert code(cashier.get("/cashier/receipts/1")) == "not-allowed"
    with house.staff("dealer") as dealer:
        assert code(dealer.get(f"/cashier/receipts/{entries(house)[0]['entry']}")) == "not-allowed"


def test_the_day_sheet_adds_up_payments_by_cashier_and_method(house):
    with house.staff("cashier") as cashier:
        page = cashier.get("/cashier/day").text
        empty = cashier.get("/cashier/day", params={"day": "2020-01-01"}).text
    for words in ("Bank transfer", "Cheque"):
        assert words not in page
    for words in ("£1,500.00", "£25.50", "£3,000.00", "the-cashier"):
        assert words in page
    assert "No payments on this day." in empty


def test_the_report_equals_the_journal_and_the_auditor_agrees(house):
    with house.staff("pit") as pit:
        for _ in range(20):  # another round may end before the auditor reads the journal
            text = pit.get(f"/api/reports/{today()}/csv").text
            differing = check_report(rows_of(house.store.engine), text, edge)
            if not differing:
                break
        shown = pit.get(f"/api/reports/{today()}").json()
        page = pit.get("/reports").text
    assert differing == []
    by = {(line["by"], line["id"]): line for line in lines(text)}
    fast = by["table", "fast"]
    assert int(fast["rounds"]) >= 4
    assert fast["turnover"] == "40.00"
    exact = 4 * 500 * (edge_at(house, "player") + edge_at(house, "player-pair"))
    assert parse_coins(fast["expected"]) == round(exact)
    assert by["house", ""]["paid_in"] == "4500.00"
    assert by["cashier", "the-cashier"]["paid_out"] == "25.50"
    assert by["cashier", "the-cashier"]["large_payments"] == "1"  # 3,000 took two people
    assert shown["rows"][0]["turnover"] == 4_000
    begins = datetime.fromisoformat(by["house", ""]["begins"])
    assert begins.astimezone(ZoneInfo("Europe/Athens")).hour == 6
    assert "£40.00" in page


def edge_at(house, bet: str) -> Fraction:
    return edge(house.store.state("table:fast").rules, (), bet)


@pytest.mark.parametrize("column", ["turnover", "result", "expected", "paid_in", "begins", "hold"])
def test_a_changed_report_is_found(house, column):
    with house.staff("auditor") as auditor:
        text = auditor.get(f"/api/reports/{today()}/csv").text
    rows = rows_of(house.store.engine)
    found = lines(text)
    found[0][column] = "1.00"
    out = io.StringIO()
    writer = csv.DictWriter(out, found[0].keys())
    writer.writeheader()
    writer.writerows(found)
    assert any(f"house: {column} is" in line for line in check_report(rows, out.getvalue(), edge))
    shorter = "\r\n".join(text.splitlines()[:-1])
    assert any("the line is missing" in line for line in check_report(rows, shorter, edge))
    assert check_report(rows, "nonsense", edge) == ["it is not the report of one gaming day"]


def test_the_report_is_printed_as_pdf(house):
    with house.staff("pit") as pit:
        answer = pit.get(f"/api/reports/{today()}/pdf")
    assert answer.content.startswith(b"%PDF") == makes_pdfs()


def test_reports_are_for_the_pit_and_auditors_only(house):
    for role, may in (("player", False), ("dealer", False), ("cashier", False), ("auditor", True)):
        with house.staff(role) as client:
            answer = client.get(f"/api/reports/{today()}")
            assert answer.is_success if may else code(answer) == "not-allowed", role


def test_rounds_are_found_with_cards_money_and_the_cameras_reference(house):
    number = house.store.state("table:fast").round.number
    with house.staff("pit") as pit, house.player("cid", 20_000) as cid:
        (mine,) = play_rounds(cid, 1)
        number = mine["round"]
        path = f"/api/tables/fast/rounds/{number}/footage"
        assert pit.post(path, json={"reference": "cam 7, 22:04"}).status_code == 204
        assert code(pit.post("/api/tables/fast/rounds/999999/footage", json={"reference": "x"}))
        page = pit.get("/reports/rounds", params={"table": "fast", "round": number}).text
        found = pit.get("/reports/rounds", params={"table": "fast"}).text
        early = {"table": "fast", "since": "2020-01-01T00:00", "until": "2020-01-02T00:00"}
        none = pit.get("/reports/rounds", params=early).text
    net = sum(wager["net"] for wager in mine["wagers"])
    for words in (f"Round {number}", "cam 7, 22:04", "£200.00", f"£{(20_000 + net) / 100:,.2f}"):
        assert words in page
    assert f"Round {number}" in found
    assert "No rounds found." in none
    with house.staff("auditor") as auditor:
        assert code(auditor.post(path, json={"reference": "x"})) == "not-allowed"
    assert audit(rows_of(house.store.engine)).findings == []


def test_the_pit_sees_a_players_play_against_its_expectation(house):
    with house.staff("pit") as pit:
        page = pit.get("/pit/players", params={"who": "ann"}).text
    exact = 4 * 500 * (edge_at(house, "player") + edge_at(house, "player-pair"))
    expected = f"−£{round(exact) / 100:,.2f}"
    for words in ("This gaming day", "£10.00", "£40.00", expected, "The player may bet."):
        assert words in page


def test_staff_pages_show_the_houses_time(house):
    with house.staff("pit") as pit, house.player("dan") as dan:
        assert "House time" in pit.get("/pit").text
        assert "Europe/Athens" in pit.get("/pit").text
        assert "House time" not in dan.get("/").text


def test_the_pit_is_warned_while_no_two_of_its_members_can_decide(house):
    with house.staff("pit") as pit:
        assert pit.get("/api/pit").json()["too_few"].startswith("Only 1 member of the pit")
        assert "Only 1 member of the pit" in pit.get("/pit/decisions").text
        with house.colleague("second"):
            assert pit.get("/api/pit").json()["too_few"] is None


def test_matters_are_sorted_by_urgency(house):
    kinds = ("partners", "dispute", "error")
    matters = [{"kind": kind, "words": "", "at": n} for n, kind in enumerate(kinds)]
    for n, kind in enumerate(("account", "cash", "cancel")):
        matters.append({"kind": "proposal", "subject": {"kind": kind}, "until": 90 - n})
    matters.append({"kind": "proposal", "subject": {"kind": "cash"}, "until": 7})
    found = [(one.get("subject") or one)["kind"] for one in sorted(matters, key=urgency)]
    assert found == ["cancel", "error", "cash", "cash", "dispute", "account", "partners"]
    assert sorted(matters, key=urgency)[2]["until"] == 7
    assert {subject.__struct_config__.tag for subject in get_args(Subject)} <= {*URGENCY}


def test_a_report_lists_large_payments_and_exclusions_by_name(house):
    with house.staff("pit") as pit, house.player("eve", 900_000):
        assert pit.post("/api/accounts/eve/exclusion", json={"months": 6}).is_success
        page = pit.get("/reports").text
    large = page[page.index("Large payments and wins") : page.index("Players excluded")]
    assert "Eve (eve)" in large
    assert "£9,000.00" in large
    assert "The cashier, The pit" in large
    excluded = page[page.index("Players excluded") :]
    assert "Eve (eve)" in excluded
    assert "The pit" in excluded
    by_cashier = page[page.index("By cashier") : page.index("Large payments and wins")]
    assert "The cashier" in by_cashier
    assert "the-cashier" not in by_cashier
