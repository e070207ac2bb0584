"""The report of a gaming day as tables of text, for its page and its PDF."""

from collections.abc import Mapping, Sequence

from baccarat.house.housefile import House
from baccarat.house.safety.periods import date_of, time_of
from baccarat.house.watch.day_report import CASH, MONEY, PLAY, DayReport
from baccarat.poster.day_report import DayReportContent, ReportTable
from baccarat.store.sqlstore import SqlStore
from baccarat.web.views.reports.day import day_report, gaming_day
from baccarat.wording.catalogue import Catalogue

Row = Mapping[str, int | str]
PARTS = {"table": PLAY, "dealer": PLAY, "cashier": CASH}
"""The parts of a report after that of the house, and the figures in each."""


def report_tables(report: DayReport, house: House, t: Catalogue) -> tuple[ReportTable, ...]:
    """Return a report's parts as tables of text; parts without lines are left out."""
    rows = report.rows()
    names = {plan.id: plan.name for plan in house.tables}
    whole, of_cage = rows[0], (*CASH, "exclusions")
    parts = (
        _table("house", PLAY, [whole], names, house, t),
        _table("cage", of_cage, [whole], names, house, t),
        *(
            _table(by, figures, [row for row in rows if row["by"] == by], names, house, t)
            for by, figures in PARTS.items()
        ),
    )
    return tuple(part for part in parts if part.lines)


def _table(
    part: str,
    figures: Sequence[str],
    rows: Sequence[Row],
    names: Mapping[str, str],
    house: House,
    t: Catalogue,
) -> ReportTable:
    heads = ("", *(t(f"day-report-{name}") for name in figures))
    lines = tuple(
        (
            names.get(str(row["id"]), str(row["id"])) or house.name,
            *(_cell(name, row[name], house, t) for name in figures),
        )
        for row in rows
    )
    return ReportTable(t(f"day-report-by_{part}"), heads, lines)


def _cell(name: str, value: int | str, house: House, t: Catalogue) -> str:
    if isinstance(value, int):
        return t.money(value, house.currency) if name in MONEY else t.number(value)
    return f"{value.replace('-', '−')}%" if value else "–"


def day_report_pdf(store: SqlStore, day: int, house: House, t: Catalogue) -> bytes:
    """Return the report of a gaming day as a PDF."""
    from baccarat.poster import typeset

    setting, report = gaming_day(store, day), day_report(store, day)
    begins, ends = (t.moment(time_of(at, setting)) for at in (report.begins, report.ends))
    content = DayReportContent(
        t.language,
        house.name,
        t("day-report-title", day=date_of(day)),
        t("day-report-span", begins=begins, ends=ends, zone=setting.zone),
        report_tables(report, house, t),
        (t("day-report-notes"),),
    )
    return typeset.day_report_pdf(content)
