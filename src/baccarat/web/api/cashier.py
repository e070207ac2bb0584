"""Endpoints for the cashier: find a player, see their wallet, pay in and out, void a payment.

Cashiers see a player's payments, but not their play at tables.
"""

from functools import partial
from typing import Annotated

from fastapi import Depends, Path, Query

from baccarat.house.money import cash
from baccarat.house.people.roles import Account, Action
from baccarat.web.schema import Routes
from baccarat.web.schema.players import Money
from baccarat.web.schema.requests import PaymentBody, Reason
from baccarat.web.schema.staff import CashProposals, PlayerAtCashier, PlayersFound, Seconding
from baccarat.web.server.language import Words
from baccarat.web.server.site import API, Keyed, Needs, TheSite, Who
from baccarat.web.views.cashier import cash_proposals, desk_of, found
from baccarat.web.views.money import balance_of

routes = Routes(prefix=API, tags=["staff"])
Paying = Depends(Needs(Action.PAY))
Cashier = Annotated[Account, Depends(Needs(Action.CONFIRM_CASH))]
"""A cashier, or a member of the pit. The pit can only confirm payments."""
Entry = Annotated[int, Path(ge=1, le=2**53, description="number of the entry in the house journal")]
Find = Annotated[str, Query(min_length=1, max_length=40, description="part of an id or name")]


@routes.get("/cashier/players", dependencies=[Paying])
async def find(site: TheSite, find: Find) -> PlayersFound:
    """Find players by part of their id or name. Guests, who have only play money, are left out."""
    return {"players": await found(site, find)}


@routes.get("/cashier/players/{who}", dependencies=[Paying])
async def player(who: Who, site: TheSite, t: Words) -> PlayerAtCashier:
    """Return a player's wallet and latest cash transactions."""
    return await desk_of(site, who, t)


@routes.get("/cashier/proposals", dependencies=[Paying])
async def proposals(site: TheSite, t: Words) -> CashProposals:
    """List payments that are waiting for a second person."""
    return {"waiting": await cash_proposals(site, t)}


@routes.get("/accounts/{who}/balance", dependencies=[Depends(Needs(Action.SEE_ALL_MONEY))])
async def balance(who: Who, site: TheSite) -> Money:
    """Return a player's balances."""
    await site.account(who)
    return {**await site.read(balance_of, who)}


def _request(what: str, who: str, body: PaymentBody) -> bytes:
    """Return a payment as bytes, to recognise a repeated request."""
    return f"{what} {who} {body.amount} {body.method} {body.reference}".encode()


@routes.post("/accounts/{who}/pay-in")
async def pay_in(
    who: Who, body: PaymentBody, site: TheSite, by: Cashier, keyed: Keyed
) -> Seconding:
    """Pay money into a player's wallet. Above the house's limit, a second person must confirm by
    sending the same request."""
    sender = keyed.sender(by, _request("pay-in", who, body), reason=body.reason)
    cleared = await site.cleared_at(await site.account(who))
    paid = partial(
        cash.pay_in,
        amount=body.amount,
        method=body.method,
        reference=body.reference,
        cleared_at=cleared,
    )
    job = site.service.about(who, paid, by=by.id, sender=sender)
    return {"waits_for_second": await site.do_or_propose(job)}


@routes.post("/accounts/{who}/pay-out")
async def pay_out(
    who: Who, body: PaymentBody, site: TheSite, by: Cashier, keyed: Keyed
) -> Seconding:
    """Pay money out of a player's wallet. Above the house's limit, a second person must confirm by
    sending the same request."""
    sender = keyed.sender(by, _request("pay-out", who, body), reason=body.reason)
    paid = partial(cash.pay_out, amount=body.amount, method=body.method, reference=body.reference)
    job = site.service.about(who, paid, by=by.id, sender=sender)
    return {"waits_for_second": await site.do_or_propose(job)}


@routes.post("/accounts/{who}/payments/{entry}/void")
async def void_cash(
    who: Who, entry: Entry, body: Reason, site: TheSite, by: Cashier, keyed: Keyed
) -> Seconding:
    """Void a payment made in the last 24 hours by adding a reversing entry. Above the house's
    limit, a second person must confirm by sending the same request."""
    sender = keyed.sender(by, f"void {who} {entry} {body.reason}".encode())
    cleared = await site.cleared_at(await site.account(who))
    voided = partial(cash.void, entry=entry, reason=body.reason, cleared_at=cleared)
    job = site.service.about(who, voided, by=by.id, sender=sender)
    return {"waits_for_second": await site.do_or_propose(job)}
