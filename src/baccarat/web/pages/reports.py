"""Pages that a floor prints: receipts, day sheets, reports, and rounds found by table and time."""

from datetime import date, datetime
from typing import Annotated
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Depends, Path, Query, Response

from baccarat.house.people.roles import MAY, Action
from baccarat.house.safety.periods import DAY, GamingDay, date_of, day_of
from baccarat.store.sqlstore import SqlStore
from baccarat.table.four_eyes.terms import PaymentMethod
from baccarat.web.pages.pages import Page, PageAccess
from baccarat.web.server.site import Site, TheSite, Visitor
from baccarat.web.views.cashier import day_sheet, receipt_of
from baccarat.web.views.games import bet_names
from baccarat.web.views.reports.day import day_report, today
from baccarat.web.views.reports.printed import report_tables
from baccarat.web.views.reports.rounds import MAX_ROUNDS, RoundFound, Search, rounds_found

routes = APIRouter(dependencies=[Visitor], include_in_schema=False)
ForCash = Annotated[Page, Depends(PageAccess(Action.CONFIRM_CASH))]
ForWatch = Annotated[Page, Depends(PageAccess(Action.WATCH))]
Entry = Annotated[int, Path(ge=1, le=2**53)]
Moment = Annotated[datetime | None, Query(description="a time in the house's time zone")]
Day = Annotated[date | None, Query(description="the date on which a gaming day began")]


async def chosen_day(site: Site, day: date | None) -> int:
    """Return the number of a chosen gaming day, or of the current one."""
    return day_of(day) if day else await site.read(today, site.clock())


@routes.get("/cashier/receipts/{entry}")
async def receipt(entry: Entry, site: TheSite, page: ForCash) -> Response:
    """Show the receipt of a payment."""
    return await page.show("receipt.html", one=await receipt_of(site, entry, page.t))


@routes.get("/cashier/day")
async def cashier_day(site: TheSite, page: ForCash, day: Day = None) -> Response:
    """Show the payments of a gaming day, with totals by cashier and method."""
    number = await chosen_day(site, day)
    sheet = await day_sheet(site, number, page.t)
    cashiers = sorted(sheet.report.cashiers.items())
    totals = [
        (name, method, *cash.by_method[method])
        for name, cash in cashiers
        for method in PaymentMethod
        if method in cash.by_method
    ]
    return await page.show(
        "day-sheet.html", sheet=sheet, totals=totals, day=date_of(number), cage=sheet.report.cage
    )


@routes.get("/reports")
async def reports(site: TheSite, page: ForWatch, day: Day = None) -> Response:
    """Show the report of a gaming day."""
    number = await chosen_day(site, day)
    report = await site.read(day_report, number)
    tables = await site.read(report_tables, report, site.house, page.t)
    return await page.show("report.html", report=report, tables=tables, day=date_of(number))


@routes.get("/reports/rounds")
async def rounds(
    site: TheSite,
    page: ForWatch,
    table: Annotated[str, Query(max_length=80)] = "",
    round: Annotated[int, Query(ge=0, le=2**53)] = 0,  # noqa: A002  (as the page's form calls it)
    since: Moment = None,
    until: Moment = None,
) -> Response:
    """Show rounds found by table, number and time; without a time, those of the last day."""
    gaming_day, now = site.house.conduct.gaming_day, site.clock()
    first = now - DAY if since is None else _milliseconds(since, gaming_day)
    last = 0 if until is None else _milliseconds(until, gaming_day)
    found = []
    if table:
        search = Search(site.plan(table).id, round, first, last)
        found = await site.read(_found, search, page)
    return await page.show(
        "rounds.html",
        words=("acts",),
        found=found,
        names=bet_names(site, table, page.t) if table else {},
        plans=site.house.tables,
        chosen={
            "table": table,
            "round": round or "",
            "since": _local(since),
            "until": _local(until),
        },
        most=MAX_ROUNDS,
        notes=Action.REMEDY in MAY[page.account.role],
    )


def _found(store: SqlStore, search: Search, page: Page) -> list[RoundFound]:
    return rounds_found(store, search, page.t)


def _milliseconds(local: datetime, gaming_day: GamingDay) -> int:
    """Return a time that was entered by the house's clocks, in milliseconds."""
    return int(local.replace(tzinfo=ZoneInfo(gaming_day.zone)).timestamp() * 1000)


def _local(at: datetime | None) -> str:
    return at.isoformat(timespec="minutes") if at else ""
