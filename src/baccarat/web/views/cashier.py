"""Views for the cashier: players, wallets and payments."""

from collections.abc import Mapping
from dataclasses import dataclass

from baccarat.house import events as h
from baccarat.house.events import STREAM, Cash, CashVoided, MoneyPaidIn, MoneyPaidOut, decode
from baccarat.house.money.cash import HANDLED, VOIDABLE
from baccarat.house.money.ledger import Kind
from baccarat.house.people.roles import Role
from baccarat.house.watch.audit_log import handled_by
from baccarat.house.watch.day_report import DayReport, kind_of
from baccarat.house.watch.in_words import paid_how
from baccarat.store import bookings, history
from baccarat.store.sqlstore import SqlStore
from baccarat.table.events import Event
from baccarat.table.four_eyes import subjects
from baccarat.table.journal import Entry
from baccarat.table.refusals import Code, Refused
from baccarat.web.schema import filled
from baccarat.web.schema.staff import AccountNamed, DeskBooking, Matter, PlayerAtCashier
from baccarat.web.server.site import Site
from baccarat.web.views.money import balance_of
from baccarat.web.views.pit import house_proposals
from baccarat.web.views.proposals import in_house
from baccarat.web.views.reports.day import between, cash_report
from baccarat.wording.catalogue import Catalogue

SHOWN = 20
PAYMENTS = (Kind.PAY_IN, Kind.PAY_OUT)


async def cash_proposals(site: Site, t: Catalogue) -> list[Matter]:
    """Return the payments that are waiting for a second person."""
    now, conduct, words = site.clock(), site.house.conduct, (t, site.house.currency)

    def ask(store: SqlStore) -> list[Matter]:
        found = [
            proposal
            for proposal in house_proposals(store, now)
            if isinstance(proposal.subject, subjects.Cash)
        ]
        return in_house(store, found, conduct, now, words)

    return await site.read(ask)


async def found(site: Site, part: str) -> list[AccountNamed]:
    people = await site.read(history.players_like, part.strip(), limit=SHOWN)
    return [{"account": player.id, "name": player.name} for player in people]


async def desk_of(site: Site, who: str, t: Catalogue) -> PlayerAtCashier:
    account = await site.visitors.account(who)
    if account is None or account.role is not Role.PLAYER or account.guest:
        raise Refused(Code.NO_SUCH_ACCOUNT, "no-player", account=who)

    now = site.clock()

    def ask(store: SqlStore) -> PlayerAtCashier:
        newest = bookings.of_player(store, who, stream=STREAM, limit=SHOWN)
        oldest = newest[-1].sequence if newest else 0
        voids = history.events_of(store, STREAM, CashVoided, after=oldest)
        voided = {event.entry for event in voids}
        return {
            "account": account.id,
            "name": account.name,
            **balance_of(store, who),
            "in_play": bookings.in_play(store, who),
            "bookings": [
                filled(
                    DeskBooking,
                    booking,
                    by=handled_by(booking.event),
                    entry=booking.sequence,
                    how=_how(booking.event, t),
                    receipt=isinstance(booking.event, HANDLED),
                    voids=getattr(booking.event, "entry", None),
                    voidable=booking.kind in PAYMENTS
                    and booking.sequence not in voided
                    and now - booking.at < VOIDABLE,
                )
                for booking in newest
            ],
        }

    return await site.read(ask)


def _how(event: Event, t: Catalogue) -> str:
    """Return a payment's method and reference in words; empty for other events."""
    if isinstance(event, MoneyPaidIn | MoneyPaidOut):
        return paid_how(event.method, event.reference, t)
    return ""


@dataclass(frozen=True)
class Receipt:
    """A payment or a void, as printed for the player."""

    entry: int
    event: h.Payment
    name: str
    """The player's name."""
    way: str
    """`in` or `out`, or `void-in` or `void-out` for the payment that is voided."""
    how: str
    voided_by: int | None
    """The entry that voids this payment."""


async def receipt_of(site: Site, entry: int, t: Catalogue) -> Receipt:
    """Return the receipt of an entry in the house journal, or raise Refused."""

    def ask(store: SqlStore) -> Receipt:
        for found in store.entries(STREAM, after=entry - 1, limit=1):
            if found.sequence == entry and isinstance(decode(found.body), HANDLED):
                return _receipt(store, found, _voids(store, entry), t)
        raise Refused(Code.NOT_ALLOWED, "no-receipt", entry=entry)

    return await site.read(ask)


def _voids(store: SqlStore, after: int) -> dict[int, int]:
    """Return the entry of each void after an entry, by the entry that it voids."""
    found = history.entries_of(store, STREAM, CashVoided, after=after)
    voids = ((decode(entry.body), entry.sequence) for entry in found)
    return {void.entry: number for void, number in voids if isinstance(void, CashVoided)}


def _receipt(store: SqlStore, entry: Entry, voids: Mapping[int, int], t: Catalogue) -> Receipt:
    event = decode(entry.body)
    assert isinstance(event, HANDLED)  # noqa: S101
    void = isinstance(event, CashVoided)
    paid_in = kind_of(event) is Cash.PAY_IN
    person = store.person(event.account)
    return Receipt(
        entry.sequence,
        event,
        person.account.name if person else event.account,
        f"{'void-' if void else ''}{'in' if paid_in else 'out'}",
        t(f"method-{event.method}") if void else _how(event, t),
        voids.get(entry.sequence),
    )


@dataclass(frozen=True)
class DaySheet:
    """The payments of a gaming day, and their totals by cashier and method."""

    report: DayReport
    payments: list[Receipt]


async def day_sheet(site: Site, day: int, t: Catalogue) -> DaySheet:
    """Return the day sheet of a gaming day."""

    def ask(store: SqlStore) -> DaySheet:
        report = cash_report(store, day)
        found = history.entries_of(store, STREAM, *HANDLED, **between(store, STREAM, report))
        voids = _voids(store, found[0].sequence) if found else {}
        return DaySheet(report, [_receipt(store, entry, voids, t) for entry in found])

    return await site.read(ask)
