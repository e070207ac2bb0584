"""Views for the cashier: players, wallets and payments."""

from baccarat.house.events import STREAM, CashVoided
from baccarat.house.money.cash import VOIDABLE
from baccarat.house.money.ledger import Kind
from baccarat.house.people.roles import Role
from baccarat.house.watch.audit_log import handled_by
from baccarat.store import bookings, history
from baccarat.store.sqlstore import SqlStore
from baccarat.table.four_eyes.subjects import Cash
from baccarat.table.refusals import Code, Refused
from baccarat.web.schema import filled
from baccarat.web.schema.staff import AccountNamed, DeskBooking, Matter, PlayerAtCashier
from baccarat.web.server.site import Site
from baccarat.web.views.money import balance_of
from baccarat.web.views.pit import house_proposals
from baccarat.web.views.proposals import in_house
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
            if isinstance(proposal.subject, Cash)
        ]
        return in_house(store, found, conduct, now, words)

    return await site.read(ask)


async def found(site: Site, part: str) -> list[AccountNamed]:
    people = await site.read(history.players_like, part.strip(), limit=SHOWN)
    return [{"account": player.id, "name": player.name} for player in people]


async def desk_of(site: Site, who: str) -> PlayerAtCashier:
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
                    voids=getattr(booking.event, "entry", None),
                    voidable=booking.kind in PAYMENTS
                    and booking.sequence not in voided
                    and now - booking.at < VOIDABLE,
                )
                for booking in newest
            ],
        }

    return await site.read(ask)
