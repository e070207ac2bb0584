"""The cashier's desk over the API: find a player, see their wallet and what was booked at the desk.

Paying in and out is in `staff`. The one rule: what a player does at tables is not the cashier's to
see; money that comes and goes is.
"""

from typing import Annotated

from fastapi import Depends, Path, Query

from baccarat.house.cash import VOID, VOIDABLE
from baccarat.house.events import STREAM
from baccarat.house.ledger import Kind
from baccarat.house.roles import Action, Role
from baccarat.store import history
from baccarat.store.sqlstore import SqlStore
from baccarat.table.refusals import Code, Refused
from baccarat.table.twopeople import Proposal, paying
from baccarat.web.answers import Routes
from baccarat.web.answers.staff import (
    AtTheDesk,
    CashProposal,
    CashProposals,
    Effect,
    PlayerFound,
    PlayersFound,
)
from baccarat.web.mine import balance_of
from baccarat.web.pit import standing
from baccarat.web.proposals import effect_in_house
from baccarat.web.site import API, Needs, Site, TheSite

routes = Routes(
    prefix=f"{API}/cashier",
    tags=["staff"],
    dependencies=[Depends(Needs(Action.PAY))],
)
Who = Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$", description="the player's account")]
Find = Annotated[str, Query(min_length=1, max_length=40, description="a part of an id or a name")]
SHOWN = 20
PAYMENTS = (Kind.PAY_IN, Kind.PAY_OUT)


@routes.get("/players")
async def find(site: TheSite, find: Find) -> PlayersFound:
    """Players whose id or name has this in it; guests have no money to pay."""
    return {"players": await found(site, find)}


@routes.get("/players/{who}")
async def player(who: Who, site: TheSite) -> AtTheDesk:
    """A player's wallet, and the last bookings of the desk."""
    return await desk_of(site, who)


@routes.get("/proposals")
async def proposals(site: TheSite) -> CashProposals:
    """Cash that waits for a second person."""
    return {"waiting": await cash_proposals(site)}


async def cash_proposals(site: Site) -> list[CashProposal]:
    now, conduct = site.clock(), site.service.house.conduct

    def ask(store: SqlStore) -> list[CashProposal]:
        return [
            cash_proposal(
                subject.removeprefix(paying("")),
                one,
                effect_in_house(store, subject, one, conduct, now),
            )
            for subject, one in standing(store, now).items()
            if subject.startswith(paying(""))
        ]

    return await site.service.world.keeper.read(ask)


def cash_proposal(player: str, one: Proposal, effect: Effect | None) -> CashProposal:
    """A proposal by its terms: "in 500", "out 500" or "void 12 500 out"."""
    way, *about = one.terms.split(" ")
    entry, amount = (int(about[0]), int(about[1])) if way == VOID else (None, int(about[0]))
    return {
        "account": player,
        "way": way,
        "amount": amount,
        "entry": entry,
        "words": one.words,
        "by": one.by,
        "until": one.until,
        "proposal": one.digest,
        "effect": effect,
    }


async def found(site: Site, part: str) -> list[PlayerFound]:
    people = await site.service.world.keeper.read(
        lambda store: history.players_like(store, part.strip(), limit=SHOWN)
    )
    return [{"account": one.id, "name": one.name} for one in people]


async def desk_of(site: Site, who: str) -> AtTheDesk:
    account = await site.account(who)
    if account is None or account.role is not Role.PLAYER or account.guest:
        raise Refused(Code.NO_SUCH_ACCOUNT, f"there is no player {who!r} with an account: find one")

    now = site.clock()

    def ask(store: SqlStore) -> AtTheDesk:
        bookings = history.bookings(store, who, stream=STREAM, limit=SHOWN)
        oldest = bookings[-1].sequence if bookings else 0
        voids = history.events_of(store, STREAM, "CashVoided", after=oldest)
        voided = {one["value"]["entry"] for one in voids}
        return {
            "account": account.id,
            "name": account.name,
            **balance_of(store, who),
            "in_play": history.in_play(store, who),
            "bookings": [
                {
                    "at": one.at,
                    "kind": Kind(one.kind),
                    "amount": sum(one.amounts.values()),
                    "by": history.handled_by(one.event["value"]),
                    "entry": one.sequence,
                    "voids": one.event["value"].get("entry"),
                    "voidable": one.kind in PAYMENTS
                    and one.sequence not in voided
                    and now - one.at < VOIDABLE,
                }
                for one in bookings
            ],
        }

    return await site.service.world.keeper.read(ask)
