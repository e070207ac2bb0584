"""Endpoints for staff accounts.

Every endpoint requires permission for an action of `house.people.roles`, and the house checks the
permission again. Some actions take two people: the response states whether a proposal is waiting
for the second person.
"""

import logging
from dataclasses import replace
from functools import partial
from typing import Annotated

from fastapi import Depends

from baccarat.house import jobs
from baccarat.house.people import accounts
from baccarat.house.people.roles import Account, Action, Role
from baccarat.house.ports import Done
from baccarat.service.environment import new_password
from baccarat.store.sqlstore import SqlStore
from baccarat.table.events import ActionProposed
from baccarat.table.refusals import Code, Refused
from baccarat.web.schema import Routes
from baccarat.web.schema.requests import Assignment, NewStaff, Reason, Why, WithReason
from baccarat.web.schema.staff import Colleagues, InitialPassword, Seconding, Staff
from baccarat.web.server.site import API, Confirming, Needs, Site, TheSite, Who
from baccarat.web.views.floor.people import colleagues

routes = Routes(prefix=API, tags=["staff"])
Opener = Annotated[Account, Depends(Needs(Action.OPEN_ACCOUNT))]
log = logging.getLogger(__name__)


@routes.get("/staff", dependencies=[Depends(Needs(Action.OPEN_ACCOUNT))])
async def staff(site: TheSite) -> Colleagues:
    """List the staff accounts and their state."""
    return {"staff": await colleagues(site)}


@routes.post("/staff", status_code=201)
async def open_staff(body: NewStaff, site: TheSite, by: Opener, sender: Confirming) -> Staff:
    """Open a staff account. Opening a pit, cashier or shoe account takes two people. The initial
    password is shown once, in the response to the request that completes the opening."""
    if body.role is Role.PLAYER:
        raise Refused(Code.NOT_ALLOWED, "staff-only")
    account, password = Account(body.id, body.role, body.name), new_password()
    sender, hashed = replace(sender, reason=body.reason), await site.sign_ins.hashed(password)
    job = jobs.open_account(
        account, site.clock, password=hashed, by=by.id, given=True, sender=sender
    )
    done = await site.open_account(job)
    shown = await _initial(site, account.id, password, done)
    return {**shown, "name": account.name, "role": account.role}


@routes.post("/staff/{who}/password")
async def issue_password(
    who: Who, site: TheSite, by: Opener, sender: Confirming, body: WithReason | None = None
) -> InitialPassword:
    """Issue a new initial password for a staff account and end its sessions. For a pit, cashier or
    shoe account, this takes two people. The password is shown once, in the response to the request
    that issues it."""
    password, sender = new_password(), replace(sender, reason=body.reason if body else "")
    hashed = await site.sign_ins.hashed(password)
    issue = partial(accounts.issue_password, password=hashed)
    done = await site.do(jobs.about_staff(who, by.id, site.clock, issue, sender=sender))
    await site.session_list.check()
    return await _initial(site, who, password, done)


async def _initial(site: Site, who: str, password: str, done: Done) -> InitialPassword:
    waits = done.has(ActionProposed)
    found = None if waits else await site.read(SqlStore.person, who)
    return {
        "account": who,
        "password": None if waits else password,
        "expires_at": found.expires_at if found else None,
        "waits_for_second": waits,
    }


@routes.delete("/staff/{who}/second-factor")
async def remove_second_factor(
    who: Who, site: TheSite, by: Opener, sender: Confirming, why: Why = ""
) -> Seconding:
    """Remove the second factor of someone who has lost it. For a pit, cashier or shoe account, this
    takes two people."""
    sender = replace(sender, reason=why)
    job = jobs.about_staff(who, by.id, site.clock, accounts.remove_second_factor, sender=sender)
    return {"waits_for_second": await site.do_or_propose(job)}


@routes.put("/staff/{who}/tables", status_code=204)
async def assign(who: Who, body: Assignment, site: TheSite, by: Opener) -> None:
    """Assign a dealer or a member of the pit to tables. A dealer who is assigned to some tables
    cannot take others."""
    tables = tuple(site.plan(table).id for table in sorted(set(body.tables)))
    assign = partial(accounts.assign, tables=tables)
    await site.do(jobs.about_staff(who, by.id, site.clock, assign))


@routes.post("/staff/{who}/suspension", status_code=204)
async def suspend_staff(who: Who, body: Reason, site: TheSite, by: Opener) -> None:
    """Suspend a staff account. Its sessions end at once, and signing in is refused from then on."""
    suspend = partial(accounts.suspend, words=body.reason)
    await site.do(jobs.about_staff(who, by.id, site.clock, suspend))
    log.warning("account suspended", extra={"suspended": who, "by": by.id})
    await site.session_list.check()


@routes.delete("/staff/{who}/suspension")
async def lift_suspension(
    who: Who, site: TheSite, by: Opener, sender: Confirming, why: Why = ""
) -> Seconding:
    """Lift a suspension. For a pit, cashier or shoe account, this takes two people."""
    sender = replace(sender, reason=why)
    job = jobs.about_staff(who, by.id, site.clock, accounts.lift_suspension, sender=sender)
    return {"waits_for_second": await site.do_or_propose(job)}


@routes.delete("/staff/{who}")
async def close_staff(
    who: Who, site: TheSite, by: Opener, sender: Confirming, why: Why = ""
) -> Seconding:
    """Close a staff account for good and end its sessions. For a pit, cashier or shoe account, this
    takes two people."""
    sender = replace(sender, reason=why)
    job = jobs.about_staff(who, by.id, site.clock, accounts.close, sender=sender)
    waits = await site.do_or_propose(job)
    await site.session_list.check()
    return {"waits_for_second": waits}
