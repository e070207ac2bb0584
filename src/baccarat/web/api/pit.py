"""Endpoints for the pit: the floor, pausing, cancelling, settings, bonuses, player protection."""

import logging
from functools import partial
from typing import Annotated

from fastapi import Depends, Path
from msgspec import convert

from baccarat.house import house_jobs, jobs
from baccarat.house.events import LimitKind
from baccarat.house.money import bonus
from baccarat.house.people.roles import Account, Action, check_may
from baccarat.house.safety import requests
from baccarat.house.safety.periods import Period
from baccarat.store import history
from baccarat.table.commands import AdjustTable, CancelRound, WithdrawProposal
from baccarat.table.events import ActionProposed, RoundCancelled
from baccarat.table.four_eyes import subjects as s
from baccarat.table.four_eyes.proposals import Proposals, digest
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import foreign_limits, game_of
from baccarat.table.settings import Clock, StakeLimits
from baccarat.web.api.player import House
from baccarat.web.schema import Routes
from baccarat.web.schema import requests as r
from baccarat.web.schema.players import Play
from baccarat.web.schema.staff import CancelResult, Floor, Seconding, SettingsChanged
from baccarat.web.server.language import Words
from baccarat.web.server.site import API, Anyone, Keyed, Needs, Number, Site, Table, TheSite, Who
from baccarat.web.views.pit import floor_view, house_proposals
from baccarat.web.views.safety import standing_of

routes = Routes(prefix=API, tags=["the pit"])
SignedIn = Annotated[Account, Depends(Needs(Anyone.SIGNED_IN))]
Pauser = Annotated[Account, Depends(Needs(Action.PAUSE))]
Giver = Annotated[Account, Depends(Needs(Action.GRANT_BONUS))]
Canceller = Annotated[Account, Depends(Needs(Action.CANCEL))]
Remedier = Annotated[Account, Depends(Needs(Action.REMEDY))]
Configurer = Annotated[Account, Depends(Needs(Action.CONFIGURE))]
Protector = Annotated[Account, Depends(Needs(Action.PROTECT))]
ProposalId = Annotated[str, Path(pattern="^[0-9a-f]{32}$", description="the proposal's digest")]
WITHDRAW = {
    s.Cancel: Action.CANCEL,
    s.Rectify: Action.REMEDY,
    s.Correct: Action.REMEDY,
    s.HandOver: Action.REMEDY,
    s.Limits: Action.CONFIGURE,
    s.Dispute: Action.DECIDE,
    s.Ambiguity: Action.RESOLVE,
    s.Listing: Action.RESOLVE,
    s.StaffAccount: Action.OPEN_ACCOUNT,
    s.Cash: Action.CONFIRM_CASH,
    s.Bonus: Action.GRANT_BONUS,
}
"""The action that permits withdrawing a proposal, by the type of its subject."""
log = logging.getLogger(__name__)


@routes.get("/pit", dependencies=[Depends(Needs(Action.WATCH))])
async def floor(site: TheSite, t: Words) -> Floor:
    """Return every table with its figures for the day, all alerts, and everything that awaits a
    decision."""
    return await floor_view(site, t)


@routes.post("/tables/{table}/pause", status_code=204)
async def pause(table: Table, body: r.Reason, site: TheSite, by: Pauser) -> None:
    """Pause a table. It accepts no wagers and starts no rounds, but the round under way is
    finished."""
    site.plan(table)
    await site.service.pause(table, by=by.id, reason=body.reason)


@routes.post("/tables/{table}/resume", status_code=204)
async def resume(table: Table, site: TheSite, by: Pauser) -> None:
    """Resume a table."""
    site.plan(table)
    await site.service.resume(table, by=by.id)


@routes.post("/house/pause", status_code=204)
async def pause_house(body: r.Reason, site: TheSite, by: Pauser) -> None:
    """Pause every table."""
    await site.service.pause(by=by.id, reason=body.reason)


@routes.post("/house/resume", status_code=204)
async def resume_house(site: TheSite, by: Pauser) -> None:
    """Resume every table."""
    await site.service.resume(by=by.id)


@routes.delete("/proposals/{proposal}", status_code=204)
async def withdraw(proposal: ProposalId, site: TheSite, by: SignedIn) -> None:
    """Withdraw a proposal that is waiting for a second person; if it has ended, nothing changes."""
    sender = jobs.Sender(proposal=proposal)
    for plan in site.house.tables:
        if known := _found((await site.state(plan.id)).proposals, proposal, by):
            command = WithdrawProposal(known.subject, by.id)
            await site.do(site.at_table(plan.id, command, sender=sender))
            return
    of_house = await site.read(house_proposals, site.clock())
    if known := _found(of_house, proposal, by):
        await site.do(jobs.withdraw_proposal(known.subject, by.id, site.clock, sender=sender))


def _found(standing: Proposals, proposal: str, by: Account) -> ActionProposed | None:
    """Return the proposal with this digest, or raise Refused if `by` may not withdraw it."""
    for known in standing:
        if digest(known) == proposal:
            check_may(by, WITHDRAW[type(known.subject)])
            return known
    return None


@routes.post("/tables/{table}/rounds/{number}/cancel")
async def cancel(
    table: Table, number: Number, body: r.Cancelling, site: TheSite, by: Canceller, keyed: Keyed
) -> CancelResult:
    """Cancel a round: every stake is returned. A second person must confirm if a card of the coup
    may have been seen, or if the stakes exceed what one person may decide."""
    command = CancelRound(number, body.reason, by.id, site.house.decide_alone)
    sender = keyed.sender(by, f"cancel {table} {number} {body.reason}".encode())
    site.stream(table)
    done = await site.do(site.at_table(table, command, sender=sender))
    cancelled = done.has(RoundCancelled)
    what = "round cancelled" if cancelled else "round cancellation proposed"
    log.warning(what, extra={"table": table, "round": number, "by": by.id})
    return {
        "round": number,
        "cancelled": cancelled,
        "repeated": done.repeated,
        "waits_for_second": not cancelled,
    }


@routes.post("/tables/{table}/rounds/{number}/footage", status_code=204)
async def note_footage(
    table: Table, number: Number, body: r.Footage, site: TheSite, by: Remedier
) -> None:
    """Note where the cameras' recording of a round is found."""
    if not await site.read(history.round_entries, site.stream(table), number):
        raise Refused(Code.NOT_ALLOWED, "no-such-round", round=number)
    await site.do(house_jobs.note_footage(table, number, body.reference, by.id, site.clock))


@routes.put("/tables/{table}/settings")
async def change_settings(
    table: Table, body: r.SettingsBody, site: TheSite, by: Configurer, keyed: Keyed
) -> SettingsChanged:
    """Change a table's clock or limits. The change applies at once to future bets, until the house
    is restarted. Raising or removing a maximum takes two members of the pit."""
    plan = site.plan(table)
    clock = None if body.clock is None else Clock(**body.clock.model_dump())
    _check_cycle(site, clock)
    limits = None if body.limits is None else convert(body.limits.model_dump(), StakeLimits)
    currency = site.house.currency
    missing = limits and foreign_limits(game_of(plan.settings.rules), limits, currency)
    if missing:
        raise Refused(
            Code.BAD_SETTINGS, "foreign-limits", currency=currency, missing=", ".join(missing)
        )
    sender = keyed.sender(
        by, f"settings {table} {body.model_dump_json()}".encode(), reason=body.reason
    )
    command = AdjustTable(clock, limits, by.id)
    done = await site.do(site.at_table(table, command, sender=sender))
    waits = done.has(ActionProposed)
    what = "settings change proposed" if waits else "settings changed"
    log.warning(what, extra={"table": table, "by": by.id})
    return {"table": table, "repeated": done.repeated, "waits_for_second": waits}


def _check_cycle(site: Site, clock: Clock | None) -> None:
    """Raise Refused if rounds would follow each other faster than the profile allows (G11)."""
    profile = site.house.conduct.profile
    if clock is not None and clock.betting + clock.pause < profile.cycle_floor:
        raise Refused(
            Code.BAD_SETTINGS,
            "cycle-too-short",
            milliseconds=clock.betting + clock.pause,
            profile=profile.name,
            least=profile.cycle_floor,
        )


@routes.post("/accounts/{who}/bonus")
async def grant_bonus(who: Who, body: r.Grant, site: TheSite, by: Giver, keyed: Keyed) -> Seconding:
    """Grant bonus money to a player, on given terms. A second person must confirm if the amount, or
    the total for the day, exceeds what one person may grant."""
    asked = f"bonus {who} {body.amount} {body.times} {body.days}".encode()
    sender = keyed.sender(by, asked, reason=body.reason)
    granted = partial(bonus.grant, amount=body.amount, times=body.times, days=body.days)
    job = site.service.about(who, granted, by=by.id, sender=sender)
    return {"waits_for_second": await site.do_or_propose(job)}


@routes.delete("/accounts/{who}/bonus")
async def take_back_bonus(
    who: Who, site: TheSite, by: Giver, keyed: Keyed, why: r.Why = ""
) -> Seconding:
    """Take back a player's bonus money, both in the wallet and on tables. A second person must
    confirm if the amount, or the total for the day, exceeds what one person may decide."""
    sender = keyed.sender(by, f"bonus {who} back".encode(), reason=why)
    job = site.service.about(who, bonus.take_back, by=by.id, sender=sender)
    return {"waits_for_second": await site.do_or_propose(job)}


@routes.get("/accounts/{who}/play", dependencies=[Depends(Needs(Action.SEE_ALL_MONEY))])
async def play_of(who: Who, site: TheSite, t: Words) -> Play:
    """Return a player's sitting, limits, breaks and exclusions."""
    return await standing_of(site, await site.account(who), t, to_staff=True)


@routes.put("/accounts/{who}/limits/{limit}/{period}")
async def set_limit_of(
    who: Who, limit: LimitKind, period: Period, body: r.LimitBody, house: House, by: Protector
) -> Play:
    """Set the house's limit for a player, in addition to their own; the stricter one applies."""
    wanted = partial(requests.set_limit, limit=limit, period=period, amount=body.amount)
    return await house.protect(await house.site.account(who), wanted, by)


@routes.post("/accounts/{who}/exclusion")
async def exclude_player(who: Who, body: r.Months, house: House, by: Protector) -> Play:
    """Exclude a player from play, starting now."""
    wanted = partial(requests.exclude, months=body.months)
    return await house.protect(await house.site.account(who), wanted, by)
