"""Endpoints for disputes, which players open and the pit decides, and for ambiguous rules.

For a decision by replay, clients never send the amount due: it is computed from the journal, in the
same commit that pays it.
"""

from functools import partial
from typing import Annotated

from fastapi import Depends, Path

from baccarat.house import ambiguities as listing
from baccarat.house import jobs
from baccarat.house.jobs import NO_SENDER, Sender
from baccarat.house.people.roles import Account, Action
from baccarat.house.ports import Job
from baccarat.store import history
from baccarat.table import commands as c
from baccarat.table.disputes.listed import Source
from baccarat.table.refusals import Code, Refused
from baccarat.web.schema import Routes
from baccarat.web.schema.players import CaseView, Disputes, ListedAmbiguities, Questions
from baccarat.web.schema.requests import Answer, Decision, DisputeBody, Listing, Reason, Resolving
from baccarat.web.schema.staff import AmbiguitiesChanged
from baccarat.web.server.site import (
    API,
    AtTable,
    Confirming,
    Needs,
    Number,
    Site,
    TableRequest,
    TheSite,
    Who,
)
from baccarat.web.views.disputes import current_case, listed_in_house, pinned_case, questions_at
from baccarat.web.views.proposals import waiting

routes = Routes(prefix=f"{API}/tables/{{table}}", tags=["disputes"])
of_house = Routes(prefix=f"{API}/ambiguities", tags=["disputes"])
Player = Annotated[Account, Depends(Needs(Action.WAGER))]
Decider = Annotated[Account, Depends(Needs(Action.DECIDE))]
Resolver = Annotated[Account, Depends(Needs(Action.RESOLVE))]
Name = Annotated[str, Path(max_length=80, description="the ambiguity's name")]


# ---- the player's side --------------------------------------------------------------------------


@routes.post("/rounds/{number}/dispute", status_code=201)
async def open_dispute(at: AtTable, number: Number, body: DisputeBody, account: Player) -> CaseView:
    """Dispute a round on which the player has wagered, in the player's own words."""
    await _do(at, c.OpenDispute(number, account.id, body.reason, body.cites))
    return await current_case(at.site, at.table, number, account.id, at.t)


@routes.get("/rounds/{number}/dispute")
async def my_dispute(at: AtTable, number: Number, account: Player) -> CaseView:
    """Return what the player's wagers on a round pay under every open reading, and the state of the
    dispute."""
    return await current_case(at.site, at.table, number, account.id, at.t)


# ---- the pit ------------------------------------------------------------------------------------


@routes.get("/disputes", dependencies=[Depends(Needs(Action.DECIDE))])
async def disputes(at: AtTable) -> Disputes:
    """List the disputes at a table, undecided ones first, and proposals waiting for a second
    person."""
    state = await at.state()
    found = sorted(state.disputes, key=lambda dispute: (dispute.decided, dispute.at))
    return {
        "table": at.table,
        "decide_alone": at.site.house.decide_alone,
        "disputes": found,
        "proposals": [waiting(proposal) for proposal in state.proposals],
    }


@routes.get("/disputes/{number}/{who}", dependencies=[Depends(Needs(Action.DECIDE))])
async def one_dispute(at: AtTable, number: Number, who: Who) -> CaseView:
    """Return a dispute with its options, and the proposed option with the reason for it."""
    return await current_case(at.site, at.table, number, who, at.t)


@routes.post("/disputes/{number}/{who}/decision")
async def decide(
    at: AtTable, number: Number, who: Who, body: Decision, by: Decider, sender: Confirming
) -> CaseView:
    """Decide a dispute and pay the amount due under the proposed readings. A second person must
    confirm if this amount, or the total that one person decides alone in a gaming day, exceeds the
    house's limits."""
    command = c.DecideDispute(
        number,
        who,
        tuple(sorted(body.readings.items())),
        alone=at.site.house.decide_alone,
        words=body.reason,
        by=by.id,
        day_alone=at.site.house.decide_day_alone,
    )
    await _do(at, command, sender)
    return await current_case(at.site, at.table, number, who, at.t)


@routes.post("/disputes/{number}/{who}/answer")
async def answer(
    at: AtTable, number: Number, who: Who, body: Answer, by: Decider, sender: Confirming
) -> CaseView:
    """Close a dispute with an explanation. A second person must confirm any payment. The request is
    refused if an open ambiguity entitles the player to more than this amount."""
    await _do(at, c.AnswerDispute(number, who, body.amount, body.reason, by.id), sender)
    return await current_case(at.site, at.table, number, who, at.t)


@routes.post("/disputes/{number}/{who}/ambiguity", status_code=201)
async def list_ambiguity(
    at: AtTable, number: Number, who: Who, body: Listing, by: Resolver, sender: Confirming
) -> AmbiguitiesChanged:
    """List a disputed rule as ambiguous, in the house's journal. Until two people resolve it,
    disputes over it are decided in the player's favour at every table with this rule card. A
    second person must confirm readings that can be replayed."""
    if (await at.state()).dispute(number, who) is None:
        raise Refused(Code.NO_SUCH_DISPUTE, "dispute-not-opened", round=number, player=who)
    rules = (await pinned_case(at.site, at.table, number, who)).rules
    source, asked = Source(at.table, number, who), body.model_dump()
    decide = partial(listing.list_ambiguity, source=source, rules=rules, by=by.id, **asked)
    job = jobs.about_listed(by.id, at.site.clock, decide, sender=sender)
    return await _change_listed(at.site, job)


# ---- ambiguities listed by the house ------------------------------------------------------------


@of_house.get("", dependencies=[Depends(Needs(Action.DECIDE))])
async def listed_ambiguities(site: TheSite) -> ListedAmbiguities:
    """List the ambiguities that the house has listed, open ones first."""
    return await listed_in_house(site)


@of_house.post("/{ambiguity}/resolution")
async def resolve_listed(
    ambiguity: Name, body: Reason, site: TheSite, by: Resolver, sender: Confirming
) -> AmbiguitiesChanged:
    """Resolve a listed ambiguity for all rounds settled from now on. A second person must
    confirm."""
    decide = partial(listing.resolve, name=ambiguity, words=body.reason, by=by.id)
    job = jobs.about_listed(by.id, site.clock, decide, sender=sender)
    return await _change_listed(site, job)


@of_house.post("/{ambiguity}/withdrawal")
async def withdraw_listed(
    ambiguity: Name, body: Reason, site: TheSite, by: Resolver, sender: Confirming
) -> AmbiguitiesChanged:
    """Withdraw an ambiguity that should not have been listed. Open disputes are decided without it.
    A second person must confirm."""
    decide = partial(listing.withdraw, name=ambiguity, words=body.reason, by=by.id)
    job = jobs.about_listed(by.id, site.clock, decide, sender=sender)
    return await _change_listed(site, job)


# ---- open questions -----------------------------------------------------------------------------


@routes.get("/ambiguities", dependencies=[Depends(Needs(Action.DECIDE))])
async def ambiguities(at: AtTable) -> Questions:
    """List the ambiguities of the table's rule card, and how they have been resolved here."""
    return questions_at(await at.state(), at.t)


@routes.post("/ambiguities/{ambiguity}/resolution")
async def resolve(
    at: AtTable, ambiguity: Name, body: Resolving, by: Resolver, sender: Confirming
) -> Questions:
    """Resolve an ambiguity by choosing the reading that applies from a given time. A second person
    must confirm."""
    command = c.ResolveAmbiguity(ambiguity, body.reading, body.effective, body.reason, by.id)
    await at.do(command, sender=sender)
    return questions_at(await at.state(), at.t)


# ---- shared -------------------------------------------------------------------------------------


async def _change_listed(site: Site, job: Job) -> AmbiguitiesChanged:
    """Change the listed ambiguities, or propose the change, and return all of them."""
    waits = await site.do_or_propose(job)
    return {**await listed_in_house(site), "waits_for_second": waits}


async def _do(at: TableRequest, command: c.OfDispute, sender: Sender = NO_SENDER) -> None:
    """Carry out a command about a round, whose shoe is read before the commit."""
    shoe = await at.site.read(history.shoe_around, at.site.stream(at.table), command.round)
    await at.do(command, sender=sender, shoe=shoe)
