"""What is mine: balance, ledger, results.

The one rule: a player sees their own bookings, and no one else's.
"""

from typing import Annotated

from fastapi import Depends, Query, Request

from baccarat.house.ledger import Kind, bonus_account, real_account
from baccarat.house.roles import Account, Action
from baccarat.store import history
from baccarat.store.history import Booking
from baccarat.store.sqlstore import SqlStore
from baccarat.web.answers import Routes
from baccarat.web.answers.players import Balance, BookingTold, Ledger, Money, MyRound, MyRounds
from baccarat.web.problems import Fault, Problem
from baccarat.web.site import API, Needs, Site, TheSite, cost_of

routes = Routes(prefix=f"{API}/me", tags=["mine"])
Owner = Annotated[Account, Depends(Needs(Action.SEE_OWN_MONEY))]
Stream = Annotated[
    str | None, Query(pattern=r"^(house|table:[a-z0-9_-]{1,80})$", description="one stream's")
]
Before = Annotated[int | None, Query(ge=1, le=2**53, description="entries before this one")]
Limit = Annotated[int, Query(ge=1, le=500)]


def balance_of(store: SqlStore, account: str) -> Money:
    """Coins of both kinds; a guest's are play money."""
    return {
        "real": store.balance(real_account(account)),
        "bonus": store.balance(bonus_account(account)),
    }


@routes.get("/balance")
async def balance(site: TheSite, account: Owner) -> Balance:
    """My money, in coins; what is staked is not in it."""
    found = await site.service.world.keeper.read(lambda store: balance_of(store, account.id))
    return {"currency": site.service.house.currency, "play": account.guest, **found}


@routes.get("/ledger")
async def ledger(
    request: Request,
    site: TheSite,
    account: Owner,
    stream: Stream = None,
    before: Before = None,
    limit: Limit = 50,
) -> Ledger:
    """What moved my money, newest first: the latest of all, or page by page of one stream."""
    site.charge(request, cost_of(limit))
    found = await _newest(site, account, stream, before, limit)
    return {"bookings": [_booking(one) for one in found]}


@routes.get("/rounds")
async def rounds(
    request: Request,
    site: TheSite,
    account: Owner,
    stream: Stream = None,
    before: Before = None,
    limit: Limit = 50,
) -> MyRounds:
    """My results, newest first: the latest of all, or page by page of one table."""
    site.charge(request, cost_of(limit))
    found = await _newest(site, account, stream, before, limit, Kind.SETTLE, Kind.CANCEL)
    return {"rounds": [_round(one, account.id) for one in found]}


async def _newest(
    site: Site, account: Account, stream: str | None, before: int | None, limit: int, *kinds: Kind
) -> list[Booking]:
    if before is not None and stream is None:
        words = f"before={before} without a stream: entries are numbered by stream, name one"
        raise Problem(Fault.MALFORMED, words)
    return await site.service.world.keeper.read(
        lambda store: history.bookings(
            store, account.id, stream=stream, before=before, kinds=kinds, limit=limit
        )
    )


def _booking(one: Booking) -> BookingTold:
    return {
        "stream": one.stream,
        "sequence": one.sequence,
        "at": one.at,
        "kind": Kind(one.kind),
        "amount": sum(one.amounts.values()),
        "amounts": one.amounts,
    }


def _round(one: Booking, player: str) -> MyRound:
    event = one.event["value"]
    (mine,) = (result for result in event["results"] if result["player"] == player)
    return {**_booking(one), "round": event["round"], "wagers": mine["wagers"]}
