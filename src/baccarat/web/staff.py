"""For the staff: the kill switch, accounts of colleagues, the cashier, what an auditor needs.

The one rule: every endpoint names an action of `house.roles`, and the house checks it again.
"""

import logging
from typing import Annotated

from fastapi import Depends, Path

from baccarat.house import jobs, player_jobs
from baccarat.house.ports import Done, Person
from baccarat.house.roles import Account, Action, Role
from baccarat.service.passwords import new_password
from baccarat.store import history
from baccarat.table.commands import AdjustTable, CancelRound, WithdrawProposal
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import foreign_limits, game_of
from baccarat.table.settings import BetLimits, Clock, StakeLimits
from baccarat.table.twopeople import LIMITS, cancelling, giving, opening, paying
from baccarat.web.accounts import opened
from baccarat.web.answers import Routes
from baccarat.web.answers.players import Money
from baccarat.web.answers.staff import (
    CancelTold,
    Colleague,
    Colleagues,
    Heads,
    InitialPassword,
    RoundKept,
    Seconding,
    SettingsChanged,
    Staff,
)
from baccarat.web.bodies import (
    Amount,
    Cancelling,
    Grant,
    LimitsBody,
    NewStaff,
    Reason,
    SettingsBody,
)
from baccarat.web.mine import balance_of
from baccarat.web.site import API, Confirming, Keyed, Needs, Number, Site, Table, TheSite

routes = Routes(prefix=API, tags=["staff"])
Pauser = Annotated[Account, Depends(Needs(Action.PAUSE))]
Opener = Annotated[Account, Depends(Needs(Action.OPEN_ACCOUNT))]
Cashier = Annotated[Account, Depends(Needs(Action.CONFIRM_CASH))]
"""Also the pit, which only confirms."""
Giver = Annotated[Account, Depends(Needs(Action.GRANT_BONUS))]
Canceller = Annotated[Account, Depends(Needs(Action.CANCEL))]
Configurer = Annotated[Account, Depends(Needs(Action.CONFIGURE))]
Who = Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$", description="the player's account")]
Entry = Annotated[int, Path(ge=1, le=2**53, description="of the house's journal")]
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


@routes.get("/staff", dependencies=[Depends(Needs(Action.OPEN_ACCOUNT))])
async def staff(site: TheSite) -> Colleagues:
    """Everyone of the staff, and the state of their accounts."""
    return {"staff": await colleagues(site)}


@routes.post("/staff", status_code=201)
async def open_staff(body: NewStaff, site: TheSite, by: Opener, sender: Confirming) -> Staff:
    """Open a colleague's account; two people of the pit open one of the pit or of a cashier. The
    answer to the one who completes it shows the initial password, this once."""
    if body.role is Role.PLAYER:
        raise Refused(Code.NOT_ALLOWED, f"{by.name} opens accounts of the staff; players open own")
    account, password = Account(body.id, body.role, body.name), new_password()
    done = await opened(site, account, password, by=by.id, sender=sender)
    shown = await _initial(site, account.id, password, done)
    return {**shown, "name": account.name, "role": account.role}


@routes.post("/staff/{who}/password")
async def issue_password(
    who: Who, site: TheSite, by: Opener, sender: Confirming
) -> InitialPassword:
    """Issue a new initial password to a colleague, whose sessions end; two people do for the pit
    and cashiers. The answer to the one who completes it shows the password, this once."""
    password = new_password()
    hashed = await site.hashed(password)
    done = await site.do(jobs.issue_password(who, hashed, by.id, site.clock, sender=sender))
    await site.watchman.look()
    return await _initial(site, who, password, done)


async def _initial(site: Site, who: str, password: str, done: Done) -> InitialPassword:
    if _waits(done):
        return {"account": who, "password": None, "expires_at": None, "waits_for_second": True}
    found = await site.service.world.keeper.read(lambda store: store.person(who))
    expires_at = found.expires_at if found else None
    return {
        "account": who,
        "password": password,
        "expires_at": expires_at,
        "waits_for_second": False,
    }


@routes.delete("/staff/{who}/proposal", status_code=204)
async def withdraw_account_proposal(who: Who, site: TheSite, by: Opener) -> None:
    """Withdraw a proposal about a colleague's account that waits for a second person."""
    await site.do(jobs.withdraw_proposal(opening(who), by.id, site.clock))


@routes.post("/staff/{who}/suspension", status_code=204)
async def suspend_staff(who: Who, body: Reason, site: TheSite, by: Opener) -> None:
    """Suspend a colleague's account at once: their sessions end, and nobody signs in with it."""
    await site.do(jobs.suspend_account(who, body.reason, by.id, site.clock))
    log.warning("an account was suspended", extra={"suspended": who, "by": by.id})
    await site.watchman.look()


@routes.delete("/staff/{who}/suspension")
async def lift_suspension(who: Who, site: TheSite, by: Opener, sender: Confirming) -> Seconding:
    """Lift a suspension; two people do for the pit and cashiers."""
    done = await site.do(jobs.lift_suspension(who, by.id, site.clock, sender=sender))
    return {"waits_for_second": _waits(done)}


@routes.delete("/staff/{who}")
async def close_staff(who: Who, site: TheSite, by: Opener, sender: Confirming) -> Seconding:
    """Close a colleague's account: nobody signs in with it again, and its sessions end. Two people
    close one of the pit or of a cashier."""
    done = await site.do(jobs.close_account(who, by.id, site.clock, sender=sender))
    await site.watchman.look()
    return {"waits_for_second": _waits(done)}


async def colleagues(site: Site) -> list[Colleague]:
    found = await site.service.world.keeper.read(history.staff)
    return [
        {
            "account": one.account.id,
            "name": one.account.name,
            "role": one.account.role,
            "state": _state(one),
            "expires_at": one.expires_at or None,
        }
        for one in found
    ]


def _state(person: Person) -> str:
    if person.account.closed:
        return "closed"
    if person.account.suspended:
        return "suspended"
    return "initial-password" if person.given else "active"


@routes.post("/accounts/{who}/pay-in")
async def pay_in(who: Who, body: Amount, site: TheSite, by: Cashier, keyed: Keyed) -> Seconding:
    """Money that a player brings; above the house's amount, a second person sends the same."""
    sender = keyed.sender(by, f"pay-in {who} {body.amount}".encode(), reason=body.reason)
    house = site.service.house
    done = await site.do(
        jobs.pay_in(
            who,
            body.amount,
            by.id,
            site.clock,
            cleared_at=await site.register.cleared_at(await _known(site, who)),
            conduct=house.conduct,
            alone=house.cash_alone,
            day_alone=house.cash_day_alone,
            sender=sender,
        )
    )
    return {"waits_for_second": _waits(done)}


@routes.post("/accounts/{who}/pay-out")
async def pay_out(who: Who, body: Amount, site: TheSite, by: Cashier, keyed: Keyed) -> Seconding:
    """Money that a player takes home; above the house's amount, a second person sends the same."""
    sender = keyed.sender(by, f"pay-out {who} {body.amount}".encode(), reason=body.reason)
    house = site.service.house
    done = await site.do(
        jobs.pay_out(
            who,
            body.amount,
            by.id,
            site.clock,
            conduct=house.conduct,
            alone=house.cash_alone,
            day_alone=house.cash_day_alone,
            sender=sender,
        )
    )
    return {"waits_for_second": _waits(done)}


@routes.post("/accounts/{who}/payments/{entry}/void")
async def void_cash(
    who: Who, entry: Entry, body: Reason, site: TheSite, by: Cashier, keyed: Keyed
) -> Seconding:
    """Void a payment of the last 24 hours that was booked by mistake, by a counter-entry; above the
    house's amount, a second person sends the same."""
    sender = keyed.sender(by, f"void {who} {entry} {body.reason}".encode())
    house = site.service.house
    done = await site.do(
        jobs.void_cash(
            who,
            entry,
            body.reason,
            by.id,
            site.clock,
            cleared_at=await site.register.cleared_at(await _known(site, who)),
            conduct=house.conduct,
            alone=house.cash_alone,
            day_alone=house.cash_day_alone,
            sender=sender,
        )
    )
    return {"waits_for_second": _waits(done)}


@routes.delete("/accounts/{who}/cash/proposal", status_code=204)
async def withdraw_cash_proposal(who: Who, site: TheSite, by: Cashier) -> None:
    """Withdraw a proposal about a player's cash that waits for a second person."""
    await site.do(jobs.withdraw_proposal(paying(who), by.id, site.clock))


@routes.post("/accounts/{who}/bonus")
async def grant_bonus(who: Who, body: Grant, site: TheSite, by: Giver, keyed: Keyed) -> Seconding:
    """Bonus money for a player, on terms; above what one person grants a player in a day, two."""
    asked = f"bonus {who} {body.amount} {body.times} {body.days}".encode()
    sender = keyed.sender(by, asked, reason=body.reason)
    conduct = site.service.house.conduct
    terms = {"times": body.times, "days": body.days, "alone": site.service.house.decide_alone}
    terms["cash_alone"] = site.service.house.cash_alone
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
    """Change the clock or the limits, at once, for bets yet to come; until the house starts again.
    Two people of the pit raise a maximum or remove one."""
    plan = site.plan(table)
    clock = None if body.clock is None else Clock(**body.clock.model_dump())
    limits = None if body.limits is None else _limits(body.limits)
    currency = site.service.house.currency
    missing = limits and foreign_limits(game_of(plan.settings.rules), limits, currency)
    if missing:
        words = f"the card's limits are not in {currency}: give {', '.join(missing)} as well"
        raise Refused(Code.BAD_SETTINGS, words)
    sender = keyed.sender(
        by, f"settings {table} {body.model_dump_json()}".encode(), reason=body.reason
    )
    command = AdjustTable(clock, limits, by.id)
    done = await site.do(jobs.at_table(table, command, site.clock, sender=sender))
    waits = _waits(done)
    what = "a second person is to change settings" if waits else "settings were changed"
    log.warning(what, extra={"table": table, "by": by.id})
    return {"table": table, "repeated": done.repeated, "waits_for_second": waits}


def _limits(body: LimitsBody) -> StakeLimits:
    limits = body.model_dump()
    bets = tuple(BetLimits(**one) for one in limits.pop("bets"))
    return StakeLimits(**limits, bets=bets)


@routes.delete("/tables/{table}/settings/proposal", status_code=204)
async def withdraw_settings_proposal(table: Table, site: TheSite, by: Configurer) -> None:
    """Withdraw a proposal to raise a table's limits that waits for a second person."""
    site.stream(table)
    await site.do(jobs.at_table(table, WithdrawProposal(LIMITS, by.id), site.clock))


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
