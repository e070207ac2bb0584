"""The house's gaming day: recorded, used by limits, and recomputed by the auditor."""

import contextlib
from datetime import datetime
from functools import partial

import pytest

from baccarat.auditor import audit
from baccarat.cli import main
from baccarat.house import events as h
from baccarat.house import house_jobs
from baccarat.house.events import HOUSE_FILE, decode
from baccarat.house.money import cash
from baccarat.house.safety.periods import HOUR, GamingDay, day_at
from baccarat.house.safety.profiles import Alone, Conduct, load_profile
from baccarat.store.sqlstore import SqlStore
from baccarat.table.events import ActionProposed
from baccarat.web.views.reports.day import csv_of, day_report
from support.simulated_house import rows_of
from support.stores import Evening
from support.tampering import rewritten, set_all

BERLIN = GamingDay("Europe/Berlin", 6)
CONDUCT = Conduct(load_profile("online"), gaming_day=BERLIN)
LONG_DAY = int(datetime.fromisoformat("2026-10-24T06:00:00+02:00").timestamp()) * 1000
"""The start of a day of 25 hours: clocks are put back on the following morning."""


@pytest.fixture
def evening(tmp_path):
    with contextlib.closing(SqlStore.open(f"sqlite:///{tmp_path}/house.db")) as store:
        found = Evening(store)
        found.now = LONG_DAY - HOUR
        found.do(house_jobs.open_house("The house", "EUR", found.clock, BERLIN))
        found.open(ann=1)
        yield found


def pay_in(evening: Evening, at: int, amount: int):
    evening.now = at
    wanted = partial(cash.pay_in, amount=amount)
    alone = Alone(cash=1_000, cash_day=1_000)
    return evening.do(evening.about("ann", wanted, by="till", conduct=CONDUCT, alone=alone))


def events(evening: Evening, kind: type) -> list:
    found = [decode(entry.body) for entry in evening.store.entries("house")]
    return [event for event in found if isinstance(event, kind)]


def test_the_gaming_day_is_recorded_when_the_house_file_changes_it(evening):
    opened = h.GamingDaySet(LONG_DAY - HOUR, "Europe/Berlin", 6, HOUSE_FILE)
    evening.do(house_jobs.open_house("The house", "EUR", evening.clock, BERLIN))
    assert events(evening, h.GamingDaySet) == [opened]
    evening.do(house_jobs.open_house("The house", "EUR", evening.clock))
    changed = h.GamingDaySet(evening.now, "UTC", 0, HOUSE_FILE)
    assert events(evening, h.GamingDaySet) == [opened, changed]


def test_a_day_of_25_hours_is_one_day_for_the_cashier_and_the_auditor(evening):
    pay_in(evening, LONG_DAY, 600)
    last = pay_in(evening, LONG_DAY + 25 * HOUR - 1, 500)
    assert isinstance(last.events[0], ActionProposed)  # together above the limit for one person
    pay_in(evening, LONG_DAY + 25 * HOUR, 500)
    days = [event.day for event in events(evening, h.MoneyPaidIn)[1:]]
    assert days == [LONG_DAY, LONG_DAY + 25 * HOUR]
    assert audit(rows_of(evening.store.engine)).findings == []


@pytest.mark.parametrize(
    "change",
    [
        set_all("MoneyPaidIn", {"amount": 600}, day=LONG_DAY - 24 * HOUR),
        set_all("MoneyPaidIn", {"amount": 600}, day=LONG_DAY + HOUR),
        set_all("GamingDaySet", starts=5),
        set_all("GamingDaySet", zone="UTC"),
        set_all("GamingDaySet", zone="Europe/Nowhere"),
        set_all("GamingDaySet", by="pit"),
    ],
)
def test_a_changed_gaming_day_is_found(evening, change):
    pay_in(evening, LONG_DAY + 2 * HOUR, 600)
    rows = rows_of(evening.store.engine)
    assert audit(rewritten(rows, lambda *_: None)).findings == []
    found = audit(rewritten(rows, change)).findings
    assert any("gaming day" in finding or "house file" in finding for finding in found)


def test_the_command_checks_the_report_of_a_gaming_day(evening, tmp_path, capsys):
    pay_in(evening, LONG_DAY + 2 * HOUR, 600)
    text = csv_of(day_report(evening.store, day_at(evening.now, BERLIN)))
    report, store = tmp_path / "report.csv", str(tmp_path / "house.db")
    report.write_text(text, encoding="utf-8", newline="")
    assert main(["audit-house", store, "--report", str(report)]) == 0
    report.write_text(text.replace("6.00", "7.00"), encoding="utf-8", newline="")
    assert main(["audit-house", store, "--report", str(report)]) == 1
    assert "paid_in is 6.00, but the report says 7.00" in capsys.readouterr().out
