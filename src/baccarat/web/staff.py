"""For the staff: the kill switch, accounts of colleagues, the cashier, what an auditor needs.

The one rule: every endpoint names an action of `house.roles`, and the house checks it again.
"""

import logging
from typing import Annotated

from fastapi import Depends, Path

from baccarat.house import jobs, player_jobs
from baccarat.house.ports import Done
from baccarat.house.roles import Account, Action, Role
from baccarat.table.commands import CancelRound, ChangeSettings, WithdrawProposal
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import foreign_limits, game_of
from baccarat.table.settings import BetLimits, Clock, StakeLimits
from baccarat.table.twopeople import cancelling, giving, opening
from baccarat.web.accounts import opened
from baccarat.web.answers import Routes
from baccarat.web.answers.players import Money
from baccarat.web.answers.staff import (
    CancelTold,
    Heads,
    RoundKept,
    Seconding,
    SettingsChanged,
    Staff,
)
from baccarat.web.bodies import Amount, Cancelling, Grant, NewStaff, Reason, SettingsBody
from baccarat.web.mine import balance_of
from baccarat.web.site import API, Keyed, Needs, Number, Site, Table, TheSite

routes = Routes(prefix=API, tags=["staff"])
Pauser = Annotated[Account, Depends(Needs(Action.PAUSE))]
Opener = Annotated[Account, Depends(Needs(Action.OPEN_ACCOUNT))]
Cashier = Annotated[Account, Depends(Needs(Action.PAY))]
Giver = Annotated[Account, Depends(Needs(Action.GRANT_BONUS))]
Canceller = Annotated[Account, Depends(Needs(Action.CANCEL))]
Configurer = Annotated[Account, Depends(Needs(Action.CONFIGURE))]
Who = Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$", description="the player's account")]
log = logging.getLogger(__name__)


@routes.post("/tables/{table}/pause", status_code=204)
async def pause(table: Table, body: Reason, site: TheSite, by: Pauser) -> None:
    """Stop a table: no wagers, no new round; the round under way ends."""
    site.plan(table)
    await site.service.pause(table, by=by.id, reason=body.reason)


@routes.post("/tables/{table}/resume", status_code=204)
async def resume(table: Table, site: TheSite, by: Pauser) -> None:
    """Let a table go on."""
    site.plan(table)
    await site.service.resume(table, by=by.id)


@routes.post("/house/pause", status_code=204)
async def pause_house(body: Reason, site: TheSite, by: Pauser) -> None:
    """Stop every table."""
    await site.service.pause(by=by.id, reason=body.reason)


@routes.post("/house/resume", status_code=204)
async def resume_house(site: TheSite, by: Pauser) -> None:
    """Let every table go on."""
    await site.service.resume(by=by.id)


@routes.post("/staff", status_code=201)
async def open_staff(body: NewStaff, site: TheSite, by: Opener) -> Staff:
    """Open a colleague's account; one of the pit is opened by two people of the pit, and the
    password is that of the second. Its owner changes it before anything else."""
    if body.role is Role.PLAYER:
        raise Refused(Code.NOT_ALLOWED, f"{by.name} opens accounts of the staff; players open own")
    account = Account(body.id, body.role, body.name)
    done = await opened(site, account, body.password, by=by.id)
    return {
        "account": account.id,
        "name": account.name,
        "role": account.role,
        "waits_for_second": _waits(done),
    }


@routes.delete("/staff/{who}/proposal", status_code=204)
async def leave_closed(who: Who, site: TheSite, by: Opener) -> None:
    """Take back a proposal to open an account of the pit that waits for a second person."""
    await site.do(jobs.withdraw_proposal(opening(who), by.id, site.clock))


@routes.delete("/staff/{who}", status_code=204)
async def close_staff(who: Who, site: TheSite, by: Opener) -> None:
    """Close a colleague's account: nobody signs in with it again, and whoever has is out."""
    await site.do(jobs.close_account(who, by.id, site.clock))
    await site.watchman.look()


@routes.post("/accounts/{who}/pay-in", status_code=204)
async def pay_in(who: Who, body: Amount, site: TheSite, by: Cashier, keyed: Keyed) -> None:
    """Money that a player brings."""
    sender = keyed.sender(by, f"pay-in {who} {body.amount}".encode())
    await site.do(
        jobs.pay_in(
            who,
            body.amount,
            by.id,
            site.clock,
            cleared_at=await site.register.cleared_at(await _known(site, who)),
            conduct=site.service.house.conduct,
            sender=sender,
        )
    )


@routes.post("/accounts/{who}/pay-out", status_code=204)
async def pay_out(who: Who, body: Amount, site: TheSite, by: Cashier, keyed: Keyed) -> None:
    """Money that a player takes home."""
    sender = keyed.sender(by, f"pay-out {who} {body.amount}".encode())
    conduct = site.service.house.conduct
    await site.do(jobs.pay_out(who, body.amount, by.id, site.clock, conduct=conduct, sender=sender))


@routes.post("/accounts/{who}/bonus")
async def grant_bonus(who: Who, body: Grant, site: TheSite, by: Giver, keyed: Keyed) -> Seconding:
    """Bonus money for a player, on terms; above what one person grants a player in a day, two."""
    sender = keyed.sender(by, f"bonus {who} {body.amount} {body.times} {body.days}".encode())
    conduct = site.service.house.conduct
    terms = {"times": body.times, "days": body.days, "alone": site.service.house.decide_alone}
    done = await site.do(
        player_jobs.grant_bonus(
            who, body.amount, by.id, site.clock, conduct=conduct, sender=sender, **terms
        )
    )
    return {"waits_for_second": _waits(done)}


@routes.delete("/accounts/{who}/bonus")
async def take_back_bonus(who: Who, site: TheSite, by: Giver, keyed: Keyed) -> Seconding:
    """Take a player's bonus money back; above what one person may, two do."""
    sender = keyed.sender(by, f"bonus {who} back".encode())
    alone = site.service.house.decide_alone
    job = player_jobs.take_back_bonus(who, by.id, site.clock, alone=alone, sender=sender)
    return {"waits_for_second": _waits(await site.do(job))}


@routes.delete("/accounts/{who}/bonus/proposal", status_code=204)
async def leave_bonus(who: Who, site: TheSite, by: Giver) -> None:
    """Take back a proposal about bonus money that waits for a second person."""
    await site.do(jobs.withdraw_proposal(giving(who), by.id, site.clock))


def _waits(done: Done) -> bool:
    """Was it only written down, for a second person to do the same?"""
    return b'"ActionProposed"' in done.answer


@routes.post("/tables/{table}/rounds/{number}/cancel")
async def cancel(
    table: Table, number: Number, body: Cancelling, site: TheSite, by: Canceller, keyed: Keyed
) -> CancelTold:
    """Cancel a round: every stake goes back. Once a card of the coup is out, or above what the
    house lets one person decide, two people do it."""
    command = CancelRound(number, body.reason, by.id, site.service.house.decide_alone)
    sender = keyed.sender(by, f"cancel {table} {number} {body.reason}".encode())
    site.stream(table)
    done = await site.do(jobs.at_table(table, command, site.clock, sender=sender))
    cancelled = b'"RoundCancelled"' in done.answer
    what = "a round was cancelled" if cancelled else "a second person is to cancel a round"
    log.warning(what, extra={"table": table, "round": number, "by": by.id})
    return {"round": number, "cancelled": cancelled, "repeated": done.repeated}


@routes.delete("/tables/{table}/rounds/{number}/cancel")
async def keep(table: Table, number: Number, site: TheSite, by: Canceller) -> RoundKept:
    """Take back a proposal to cancel a round that waits for a second person."""
    command = WithdrawProposal(cancelling(number), by.id)
    site.stream(table)
    await site.do(jobs.at_table(table, command, site.clock))
    return {"round": number}


@routes.put("/tables/{table}/settings")
async def change_settings(
    table: Table, body: SettingsBody, site: TheSite, by: Configurer, keyed: Keyed
) -> SettingsChanged:
    """Change clock and limits, at once, for wagers yet to come; until the house starts again."""
    plan, clock, limits = site.plan(table), None, None
    if body.clock is not None:
        clock = Clock(**body.clock.model_dump())
    if body.limits is not None:
        given = body.limits.model_dump()
        bets = tuple(BetLimits(**one) for one in given.pop("bets"))
        limits = StakeLimits(**given, bets=bets)
        currency = site.service.house.currency
        missing = foreign_limits(game_of(plan.settings.rules), limits, currency)
        if missing:
            words = f"the card's limits are not in {currency}: give {', '.join(missing)} as well"
            raise Refused(Code.BAD_SETTINGS, words)
    sender = keyed.sender(by, f"settings {table} {body.model_dump_json()}".encode())
    command = ChangeSettings(None, by.id, clock, limits)
    done = await site.do(jobs.at_table(table, command, site.clock, sender=sender))
    log.warning("settings were changed", extra={"table": table, "by": by.id})
    return {"table": table, "repeated": done.repeated}


@routes.get("/accounts/{who}/balance", dependencies=[Depends(Needs(Action.SEE_ALL_MONEY))])
async def balance(who: Who, site: TheSite) -> Money:
    """A player's money."""
    await _known(site, who)
    return {**await site.service.world.keeper.read(lambda store: balance_of(store, who))}


@routes.get("/house/heads", dependencies=[Depends(Needs(Action.EXPORT))])
async def heads(site: TheSite) -> Heads:
    """The heads of all journals, to be kept elsewhere, for `baccarat audit-house --heads`."""
    found = await site.service.world.keeper.read(lambda store: store.heads())
    return {"heads": {one.stream: [one.sequence, one.hash.hex()] for one in found}}


async def _known(site: Site, who: str) -> Account:
    account = await site.account(who)
    if account is None:
        raise Refused(Code.NO_SUCH_ACCOUNT, f"there is no account {who!r}: check the id")
    return account
