"""Reports of gaming days, read from the journals."""

from datetime import UTC, datetime

from baccarat.house import events as h
from baccarat.house.events import STREAM
from baccarat.house.safety.periods import GamingDay, date_of, day_start
from baccarat.house.watch.day_report import (
    AT_TABLES,
    COLUMNS,
    IN_HOUSE,
    MONEY,
    DayReport,
    gaming_day_of,
)
from baccarat.shoe.commitment import Hex
from baccarat.store import history
from baccarat.store.entries import Between
from baccarat.store.sqlstore import SqlStore
from baccarat.table.journal import table_of
from baccarat.web.views.csv_files import csv_lines, exact


def gaming_day(store: SqlStore, day: int) -> GamingDay:
    """Return when a gaming day began and ended, as the journal records it."""
    return gaming_day_of(day, history.events_of(store, STREAM, h.GamingDaySet))


def today(store: SqlStore, now: int) -> int:
    """Return the number of the current gaming day."""
    near = now // 86_400_000
    days = (day for day in (near + 1, near) if now >= day_start(day, gaming_day(store, day)))
    return next(days, near - 1)


def between(store: SqlStore, stream: str, report: DayReport) -> Between:
    """Return the numbers of a stream's entries between which a day lies."""
    after = history.first_since(store, stream, report.begins) - 1
    return {"after": after, "before": history.first_since(store, stream, report.ends)}


def cash_report(store: SqlStore, day: int) -> DayReport:
    """Return the report of a gaming day with the cashiers' figures only."""
    setting = gaming_day(store, day)
    ends = day_start(day + 1, setting)
    report = DayReport(date_of(day).isoformat(), day_start(day, setting), ends)
    for event in history.events_of(store, STREAM, *IN_HOUSE, **between(store, STREAM, report)):
        report.take_in_house(event)
    return report


def day_report(store: SqlStore, day: int) -> DayReport:
    """Return the report of a gaming day."""
    report = cash_report(store, day)
    for head in store.heads():
        if table := table_of(head.stream):
            _take_table(store, head.stream, table, report)
    return report


def _take_table(store: SqlStore, stream: str, table: str, report: DayReport) -> None:
    rules: dict[Hex, str] = {}

    def rules_of(digest: Hex) -> str:
        if digest not in rules:
            rules[digest] = history.rules_of(store, stream, digest)
        return rules[digest]

    for event in history.events_of(store, stream, *AT_TABLES, **between(store, stream, report)):
        report.take_at_table(table, event, rules_of)


def csv_of(report: DayReport) -> str:
    """Return a report as CSV, with exact amounts."""
    day = {"day": report.day, "begins": _utc(report.begins), "ends": _utc(report.ends)}
    lines = [
        [_cell(name, {**day, **row}.get(name, "")) for name in COLUMNS] for row in report.rows()
    ]
    return csv_lines([COLUMNS, *lines])


def _cell(name: str, value: int | str) -> str:
    return exact(value) if name in MONEY and isinstance(value, int) else str(value)


def _utc(at: int) -> str:
    return datetime.fromtimestamp(at // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
