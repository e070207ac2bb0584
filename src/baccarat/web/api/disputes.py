"""Endpoints for disputes, which players open and the pit decides, and for ambiguous rules.

Clients never send the amount due: it is computed from the journal, in the same commit that pays it.
"""

from typing import Annotated

from fastapi import Depends, Path

from baccarat.house import jobs
from baccarat.house.people.roles import Account, Action
from baccarat.store import history
from baccarat.table import commands as c
from baccarat.web.schema import Routes
from baccarat.web.schema.players import CaseView, Disputes, Questions
from baccarat.web.schema.requests import Decision, Reason, Resolving
from baccarat.web.server.language import Words
from baccarat.web.server.site import API, Confirming, Needs, Number, Site, Table, TheSite, Who
from baccarat.web.views.disputes import current_case, questions_at
from baccarat.web.views.proposals import waiting

routes = Routes(prefix=f"{API}/tables/{{table}}", tags=["disputes"])
Player = Annotated[Account, Depends(Needs(Action.WAGER))]
Decider = Annotated[Account, Depends(Needs(Action.DECIDE))]
Resolver = Annotated[Account, Depends(Needs(Action.RESOLVE))]
Name = Annotated[str, Path(max_length=80, description="the ambiguity's name")]


# ---- the player's side --------------------------------------------------------------------------


@routes.post("/rounds/{number}/dispute", status_code=201)
async def open_dispute(
    table: Table, number: Number, body: Reason, site: TheSite, account: Player, t: Words
) -> CaseView:
    """Dispute a round on which the player has wagered."""
    await _do(site, table, c.OpenDispute(number, account.id, body.reason))
    return await current_case(site, table, number, account.id, t)


@routes.get("/rounds/{number}/dispute")
async def my_dispute(
    table: Table, number: Number, site: TheSite, account: Player, t: Words
) -> CaseView:
    """Return what the player's wagers on a round pay under every open reading, and the state of the
    dispute."""
    return await current_case(site, table, number, account.id, t)


# ---- the pit ------------------------------------------------------------------------------------


@routes.get("/disputes", dependencies=[Depends(Needs(Action.DECIDE))])
async def disputes(table: Table, site: TheSite) -> Disputes:
    """List the disputes at a table, undecided ones first, and proposals waiting for a second
    person."""
    site.stream(table)
    state = await site.state(table)
    found = sorted(state.disputes, key=lambda one: (one.decided, one.at))
    return {
        "table": table,
        "decide_alone": site.house.decide_alone,
        "disputes": found,
        "proposals": [waiting(proposal) for proposal in state.proposals],
    }


@routes.get("/disputes/{number}/{who}", dependencies=[Depends(Needs(Action.DECIDE))])
async def one_dispute(table: Table, number: Number, who: Who, site: TheSite, t: Words) -> CaseView:
    """Return a dispute with its options, the one that is proposed, and why."""
    return await current_case(site, table, number, who, t)


@routes.post("/disputes/{number}/{who}/decision")
async def decide(
    table: Table,
    number: Number,
    who: Who,
    body: Decision,
    site: TheSite,
    by: Decider,
    sender: Confirming,
    t: Words,
) -> CaseView:
    """Decide a dispute and pay the amount due under the proposed readings. A second person must
    confirm if this amount, or the total that one person decides alone in a gaming day, exceeds the
    house's limits."""
    command = c.DecideDispute(
        number,
        who,
        tuple(sorted(body.readings.items())),
        alone=site.house.decide_alone,
        words=body.reason,
        by=by.id,
        day_alone=site.house.decide_day_alone,
    )
    await _do(site, table, command, sender)
    return await current_case(site, table, number, who, t)


# ---- open questions -----------------------------------------------------------------------------


@routes.get("/ambiguities", dependencies=[Depends(Needs(Action.DECIDE))])
async def ambiguities(table: Table, site: TheSite, t: Words) -> Questions:
    """List the ambiguities of the table's rule card, and how they have been resolved here."""
    site.stream(table)
    return questions_at(await site.state(table), t)


@routes.post("/ambiguities/{ambiguity}/resolution")
async def resolve(
    table: Table,
    ambiguity: Name,
    body: Resolving,
    site: TheSite,
    by: Resolver,
    sender: Confirming,
    t: Words,
) -> Questions:
    """Resolve an ambiguity by choosing the reading that applies from a given time. A second person
    must confirm."""
    site.stream(table)
    command = c.ResolveAmbiguity(ambiguity, body.reading, body.effective, body.reason, by.id)
    await site.do(site.at_table(table, command, sender=sender))
    return questions_at(await site.state(table), t)


# ---- shared -------------------------------------------------------------------------------------


async def _do(
    site: Site,
    table: str,
    command: c.OpenDispute | c.DecideDispute,
    sender: jobs.Sender = jobs.NO_SENDER,
) -> None:
    """Carry out a command about a round. Its shoe is read before the commit and cannot change."""
    stream = site.stream(table)
    shoe = await site.read(history.shoe_around, stream, command.round)
    await site.do(site.at_table(table, command, sender=sender, shoe=shoe))
