"""Disputes over the API: opened by a player, replayed for everyone concerned, decided by the pit.

The one rule: what a round would have come to is computed from the journal, inside the commit that
pays it; nobody sends it.
"""

from typing import Annotated, Any

from fastapi import Depends, Path

from baccarat.core.money import format_coins
from baccarat.house import jobs
from baccarat.house.roles import Account, Action
from baccarat.store import history
from baccarat.table import commands as c
from baccarat.table.appeals import Dispute, question, subject_of
from baccarat.table.canonical import to_plain
from baccarat.table.cases import case_of
from baccarat.table.disputes import Case, open_questions, options, proposed, reason
from baccarat.table.events import decode
from baccarat.table.remedies import open_to_errors
from baccarat.table.rules import card_id
from baccarat.table.state import TableState
from baccarat.web.answers import Routes
from baccarat.web.answers.players import (
    CaseTold,
    Disputes,
    DisputeTold,
    Question,
    Questions,
)
from baccarat.web.bodies import Decision, Reason, Resolving
from baccarat.web.site import API, Confirming, Needs, Number, Site, Table, TheSite
from baccarat.web.tables import state_of

routes = Routes(prefix=f"{API}/tables/{{table}}", tags=["disputes"])
Player = Annotated[Account, Depends(Needs(Action.WAGER))]
Decider = Annotated[Account, Depends(Needs(Action.DECIDE))]
Resolver = Annotated[Account, Depends(Needs(Action.RESOLVE))]
Who = Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$", description="the player's account")]
Name = Annotated[str, Path(max_length=80, description="the ambiguity's name")]


# ---- the player's side --------------------------------------------------------------------------


@routes.post("/rounds/{number}/dispute", status_code=201)
async def open_dispute(
    table: Table, number: Number, body: Reason, site: TheSite, account: Player
) -> CaseTold:
    """Dispute a round that I wagered on."""
    await _do(site, table, c.OpenDispute(number, account.id, body.reason))
    return await _now(site, table, number, account.id)


@routes.get("/rounds/{number}/dispute")
async def my_dispute(table: Table, number: Number, site: TheSite, account: Player) -> CaseTold:
    """What my wagers on a round come to under every open reading, and how my dispute stands."""
    return await _now(site, table, number, account.id)


# ---- the pit ------------------------------------------------------------------------------------


@routes.get("/disputes", dependencies=[Depends(Needs(Action.DECIDE))])
async def disputes(table: Table, site: TheSite) -> Disputes:
    """The disputes at a table, those that wait for a decision first; what waits for a second."""
    site.stream(table)
    state = await state_of(site, table)
    found = sorted(state.appeals.disputes.values(), key=lambda one: (one.decided, one.at))
    return {
        "table": table,
        "decide_alone": site.service.house.decide_alone,
        "disputes": [_short(one) for one in found],
        "proposals": [
            {
                "subject": subject,
                "terms": one.terms,
                "words": one.words,
                "by": one.by,
                "until": one.until,
            }
            for subject, one in state.proposals.items()
        ],
    }


@routes.get("/disputes/{number}/{who}", dependencies=[Depends(Needs(Action.DECIDE))])
async def one_dispute(table: Table, number: Number, who: Who, site: TheSite) -> CaseTold:
    """A dispute with its options, the one that is proposed, and why."""
    return await _now(site, table, number, who)


@routes.post("/disputes/{number}/{who}/decision")
async def decide(
    table: Table,
    number: Number,
    who: Who,
    body: Decision,
    site: TheSite,
    by: Decider,
    sender: Confirming,
) -> CaseTold:
    """Pay what the proposed readings give; above the house's limit, once a second person does."""
    command = c.DecideDispute(
        number,
        who,
        tuple(sorted(body.readings.items())),
        alone=site.service.house.decide_alone,
        words=body.reason,
        by=by.id,
    )
    await _do(site, table, command, sender)
    return await _now(site, table, number, who)


@routes.delete("/disputes/{number}/{who}/decision")
async def withdraw(table: Table, number: Number, who: Who, site: TheSite, by: Decider) -> Disputes:
    """Take back a decision that waits for a second person."""
    site.stream(table)
    command = c.WithdrawProposal(subject_of(number, who), by.id)
    await site.do(jobs.at_table(table, command, site.clock))
    return await disputes(table, site)


# ---- open questions -----------------------------------------------------------------------------


@routes.get("/ambiguities", dependencies=[Depends(Needs(Action.DECIDE))])
async def ambiguities(table: Table, site: TheSite) -> Questions:
    """The questions that the table's card leaves open, and what has been resolved here."""
    site.stream(table)
    return _questions(await state_of(site, table))


@routes.post("/ambiguities/{ambiguity}/resolution")
async def resolve(
    table: Table,
    ambiguity: Name,
    body: Resolving,
    site: TheSite,
    by: Resolver,
    sender: Confirming,
) -> Questions:
    """Read a rule in one way from a time on: proposed by one person, done by a second."""
    site.stream(table)
    command = c.ResolveAmbiguity(ambiguity, body.reading, body.effective, body.reason, by.id)
    await site.do(jobs.at_table(table, command, site.clock, sender=sender))
    return _questions(await state_of(site, table))


@routes.delete("/ambiguities/{ambiguity}/resolution")
async def leave_open(table: Table, ambiguity: Name, site: TheSite, by: Resolver) -> Questions:
    """Take back a resolution that waits for a second person."""
    site.stream(table)
    await site.do(jobs.at_table(table, c.WithdrawProposal(question(ambiguity), by.id), site.clock))
    return _questions(await state_of(site, table))


# ---- what several of them need ------------------------------------------------------------------


async def _do(
    site: Site,
    table: str,
    command: c.OpenDispute | c.DecideDispute,
    sender: jobs.Sender = jobs.NOBODY,
) -> None:
    """Carry it out on the case as it is inside the commit; what is read here never changes."""
    stream = site.stream(table)
    shoe = await site.service.world.keeper.read(
        lambda store: history.shoe_around(store, stream, command.round)
    )
    await site.do(jobs.at_table(table, command, site.clock, sender=sender, shoe=shoe))


async def _now(site: Site, table: str, number: int, player: str) -> CaseTold:
    case = await case_of_player(site, table, number, player)
    return told_of(await state_of(site, table), case)


async def case_of_player(site: Site, table: str, number: int, player: str) -> Case:
    """One player's part in a round, from the journal."""
    stream = site.stream(table)
    entries = await site.service.world.keeper.read(
        lambda store: history.entries_around(store, stream, number)
    )
    return case_of([decode(entry.body) for entry in entries], number, player)


def _short(one: Dispute) -> DisputeTold:
    return {
        "round": one.round,
        "player": one.player,
        "at": one.at,
        "words": one.words,
        "decided": one.decided,
    }


def told_of(state: TableState, case: Case) -> CaseTold:
    """A case with its options, the proposal, and how the dispute stands."""
    subject = subject_of(case.round, case.result.player)
    dispute, waiting = state.appeals.disputes.get(subject), state.proposals.get(subject)
    found = options(case)
    best = proposed(found)
    due = best.net - case.result.net
    return {
        "table": state.table,
        "round": case.round,
        "player": case.result.player,
        "dispute": _short(dispute) if dispute else None,
        "waits_for_second": waiting,
        "paid": case.result.net,
        "wagers": to_plain(case.result.wagers),
        "questions": [_question(one) for one in open_questions(case.rules)],
        "options": [
            {
                "readings": dict(one.readings),
                "coup": one.coup or None,
                "net": one.net if one.known else None,
                "wagers": to_plain(one.wagers),
                "pending": one.pending,
                "possible": one.possible,
                "words": one.words,
            }
            for one in found
        ],
        "pending": sum(one.pending for one in found),
        "waits": open_to_errors(state, case.round) or None,
        "proposed": {
            "readings": dict(best.readings),
            "net": best.net,
            "due": due,
            "due_in_words": format_coins(due),
            "words": reason(found, best, case.result.net),
        },
    }


def _question(one: Any) -> Question:
    return {
        "id": one.id,
        "question": one.question,
        "in_force": one.in_force,
        "readings": [{"id": reading.id, "text": reading.text} for reading in one.readings],
    }


def _questions(state: TableState) -> Questions:
    waiting = {
        one.id: state.proposals[question(one.id)]
        for one in open_questions(state.settings.rules)
        if question(one.id) in state.proposals
    }
    return {
        "table": state.table,
        "card": card_id(state.settings.rules),
        "open": [_question(one) for one in open_questions(state.settings.rules)],
        "waits_for_second": waiting,
        "resolved": list(state.appeals.resolutions),
        "words": "What is resolved holds from the next shoe on; a shoe keeps its rules.",
    }
