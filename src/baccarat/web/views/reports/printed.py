"""The report of a gaming day as tables of text, for its page and its PDF."""

from collections.abc import Mapping, Sequence

from baccarat.house.housefile import House
from baccarat.house.safety.periods import date_of, time_of
from baccarat.house.watch.day_report import CASH, MONEY, PLAY, DayReport
from baccarat.poster.day_report import DayReportContent, ReportTable
from baccarat.store.sqlstore import SqlStore
from baccarat.table.events import LargeWinPaid
from baccarat.web.views.floor.alerts import names_of
from baccarat.web.views.reports.day import day_report, gaming_day
from baccarat.wording.catalogue import Catalogue

Row = Mapping[str, int | str]
PARTS = {"table": PLAY, "dealer": PLAY, "cashier": CASH}
"""The parts of a report after that of the house, and the figures in each."""


def report_tables(
    store: SqlStore, report: DayReport, house: House, t: Catalogue
) -> tuple[ReportTable, ...]:
    """Return a report's parts as tables of text; parts without lines are left out.

    People appear by name; names are not in the journals that the report is made from.
    """
    rows = report.rows()
    names = {plan.id: plan.name for plan in house.tables} | names_of(store)
    whole, of_cage = rows[0], (*CASH, "exclusions")
    parts = (
        _table("house", PLAY, [whole], names, house, t),
        _table("cage", of_cage, [whole], names, house, t),
        *(
            _table(by, figures, [row for row in rows if row["by"] == by], names, house, t)
            for by, figures in PARTS.items()
        ),
        _large(store, report, house, names, t),
        _exclusions(store, report, house, names, t),
    )
    return tuple(part for part in parts if part.lines)


def _large(
    store: SqlStore, report: DayReport, house: House, names: Mapping[str, str], t: Catalogue
) -> ReportTable:
    """Return the payments and voids that took two people, and the large wins, in order of time."""
    lines: list[tuple[str, ...]] = []
    for table, event in sorted(report.large, key=lambda each: each[1].at):
        if isinstance(event, LargeWinPaid):
            player, coins = event.player, event.net
            where = t("day-report-round", table=names.get(table, table), round=event.round)
        else:
            player, coins = event.account, event.amount
            where = ", ".join(names.get(one, one) for one in (event.first, event.by))
        what = t(f"day-report-is-{type(event).__name__}")
        who = _player(store, player)
        lines.append((_time(event.at, house, t), what, who, t.money(coins, house.currency), where))
    return _listed("large", ("time", "what", "player", "amount", "where"), lines, t)


def _exclusions(
    store: SqlStore, report: DayReport, house: House, names: Mapping[str, str], t: Catalogue
) -> ReportTable:
    """Return the players who were excluded, with who excluded them and until when."""
    lines = [
        (
            _time(event.at, house, t),
            _player(store, event.account),
            t("day-report-themselves") if event.by == event.account else names.get(event.by, ""),
            _time(event.until, house, t),
        )
        for event in report.excluded
    ]
    return _listed("excluded", ("time", "player", "staff", "until"), lines, t)


def _listed(
    part: str, heads: Sequence[str], lines: Sequence[tuple[str, ...]], t: Catalogue
) -> ReportTable:
    shown = tuple(t(f"day-report-{head}") for head in heads)
    return ReportTable(t(f"day-report-by_{part}"), shown, tuple(lines))


def _time(at: int, house: House, t: Catalogue) -> str:
    return t.moment(time_of(at, house.conduct.gaming_day))


def _player(store: SqlStore, account: str) -> str:
    """Return a player's name and id, because several players may have the same name."""
    found = store.person(account)
    return f"{found.account.name} ({account})" if found else account


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
        report_tables(store, report, house, t),
        (t("day-report-notes"),),
    )
    return typeset.day_report_pdf(content)
