"""Endpoints for a player's own money, results, limits, reality checks, breaks, exclusion and bonus.

The rules are enforced by the jobs that these endpoints run. Players can always see their own money,
limits and exclusions, even while excluded, but never anyone else's.
"""

from dataclasses import dataclass
from functools import partial
from typing import Annotated

from fastapi import Depends, Query, Request

from baccarat.house.events import LimitKind
from baccarat.house.money import bonus, cash
from baccarat.house.money.ledger import Kind
from baccarat.house.outcomes import Decision
from baccarat.house.people.roles import Account, Action
from baccarat.house.safety import requests
from baccarat.house.safety.periods import Period, parse_date
from baccarat.house.safety.record import Position
from baccarat.store import bookings
from baccarat.store.bookings import Booking
from baccarat.table.refusals import Code, Refused
from baccarat.web.schema import Routes, filled
from baccarat.web.schema import players as p
from baccarat.web.schema.requests import (
    BirthDate,
    CheckInterval,
    FiguresShown,
    Hours,
    LimitBody,
    Months,
)
from baccarat.web.server.language import Words
from baccarat.web.server.problems import Fault, Problem
from baccarat.web.server.site import API, Needs, Owner, Stream, TheSite, from_request
from baccarat.web.views.agreements import agreements_of
from baccarat.web.views.money import balance_of
from baccarat.web.views.safety import bonus_of, standing_of

routes = Routes(prefix=f"{API}/me", tags=["mine"])
Player = Annotated[Account, Depends(Needs(Action.PROTECT_ONESELF))]
Before = Annotated[int | None, Query(ge=1, le=2**53, description="entries before this one")]
Limit = Annotated[int, Query(ge=1, le=500)]


@routes.get("/balance")
async def balance(site: TheSite, account: Owner) -> p.Balance:
    """Return the player's balances in coins, not including money staked at tables."""
    found = await site.read(balance_of, account.id)
    return {"currency": site.house.currency, "play": account.guest, **found}


@routes.post("/play-money")
async def refill(site: TheSite, account: Player) -> p.Balance:
    """Fill a guest's play money up to the amount that guests start with."""
    amount = site.house.play_money
    if amount is None:
        raise Refused(Code.NOT_ALLOWED, "no-guests")
    await site.do(site.service.about(account.id, partial(cash.refill_play_money, full=amount)))
    return await balance(site, account)


@dataclass(frozen=True)
class _Bookings:
    """A player's ledger entries, newest first: the latest from all journals, or those of one
    journal page by page."""

    request: Request
    site: TheSite
    stream: Stream = None
    before: Before = None
    limit: Limit = 50

    async def of(self, account: Account, *kinds: Kind) -> list[Booking]:
        self.site.charge_entries(self.request, self.limit)
        stream, before, limit = self.stream, self.before, self.limit
        if before is not None and stream is None:
            words = f"before={before} needs a stream: each stream has its own numbers. Add stream."
            raise Problem(Fault.MALFORMED, words)
        return await self.site.read(
            bookings.of_player, account.id, stream=stream, before=before, kinds=kinds, limit=limit
        )


Newest = Annotated[_Bookings, from_request(_Bookings)]


@routes.get("/ledger")
async def ledger(account: Owner, newest: Newest) -> p.Ledger:
    """List the player's ledger entries, newest first: the latest from all journals, or those of one
    journal page by page."""
    return {"bookings": [filled(p.BookingView, booking) for booking in await newest.of(account)]}


@routes.get("/rounds")
async def rounds(account: Owner, newest: Newest) -> p.MyRounds:
    """List the player's results, newest first: the latest from all tables, or those of one table
    page by page."""
    found = await newest.of(account, Kind.SETTLE, Kind.CANCEL)
    return {
        "rounds": [filled(p.MyRound, booking, wagers=booking.result.wagers) for booking in found]
    }


@dataclass(frozen=True)
class _House:
    """Carries out protection requests, and returns the results in the visitor's language."""

    site: TheSite
    t: Words

    async def protect(
        self, account: Account, decide: Decision, by: Account | None = None
    ) -> p.Play:
        """Carry out a decision about a player's protection and return their state afterwards."""
        about = self.site.service.about(account.id, decide, by=by.id if by else None)
        await self.site.do(about)
        return await standing_of(self.site, account, self.t, to_staff=by is not None)


House = Annotated[_House, from_request(_House)]


@routes.get("/play")
async def play(site: TheSite, account: Owner, t: Words) -> p.Play:
    """Return the time and result of this sitting, limits, reality checks, breaks, and where to find
    help."""
    return await standing_of(site, account, t)


@routes.put("/limits/{limit}/{period}")
async def set_limit(
    limit: LimitKind, period: Period, body: LimitBody, account: Player, house: House
) -> p.Play:
    """Limit deposits, losses or time. A tighter limit applies at once. A looser limit must be
    requested again after a waiting time of at least a day, and then applies."""
    wanted = partial(requests.set_limit, limit=limit, period=period, amount=body.amount)
    return await house.protect(account, wanted)


@routes.put("/birth-date")
async def give_birth_date(body: BirthDate, account: Player, house: House) -> p.Play:
    """Set the player's date of birth. It can be set only once, and only the house can see it."""
    born = parse_date(body.born)
    assert born is not None  # noqa: S101  (the schema accepts only valid dates)
    return await house.protect(account, partial(requests.give_birth_date, born=born))


@routes.put("/reality-check")
async def choose_reality_check(body: CheckInterval, account: Player, house: House) -> p.Play:
    """Set the interval between reality checks, in minutes; 0 selects the house's default
    interval."""
    return await house.protect(account, partial(requests.choose_reality_check, every=body.every))


@routes.post("/reality-check")
async def answer_reality_check(body: FiguresShown, account: Player, house: House) -> p.Play:
    """Confirm a reality check and go on playing. The body repeats the figures shown in `sitting`;
    if they have changed since, the answer is refused."""
    shown = Position(-body.net, body.staked)
    return await house.protect(account, partial(requests.answer_reality_check, shown=shown))


@routes.post("/break")
async def take_break(body: Hours, account: Player, house: House) -> p.Play:
    """Take a break from play for some hours, starting now."""
    return await house.protect(account, partial(requests.take_break, hours=body.hours))


@routes.post("/exclusion")
async def exclude(body: Months, account: Player, house: House) -> p.Play:
    """Exclude yourself from play for some months, starting now. This cannot be undone."""
    return await house.protect(account, partial(requests.exclude, months=body.months))


@routes.post("/return")
async def ask_to_return(account: Player, house: House) -> p.Play:
    """Ask to return to play once the period of an exclusion is over. Play is possible a day
    later."""
    return await house.protect(account, requests.ask_to_return)


@routes.get("/bonus")
async def my_bonus(site: TheSite, account: Owner) -> p.Bonus:
    """Return the player's bonus money, its remaining wagering requirement, and what would forfeit
    it."""
    return await site.read(bonus_of, account.id)


@routes.get("/agreements")
async def my_agreements(site: TheSite, account: Owner, t: Words) -> p.MyAgreements:
    """List the player's agreements at all tables, past ones included, with the address of the
    newest letter (R51)."""
    return {"agreements": await agreements_of(site, account.id, t)}


@routes.post("/bonus/review")
async def review_bonus(site: TheSite, account: Player) -> p.Bonus:
    """Release the player's bonus money if its terms are met."""
    await site.do(site.service.about(account.id, bonus.review))
    return await my_bonus(site, account)
