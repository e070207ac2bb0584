"""A player's disputes: what a round comes to under every open reading, and all that were opened.

The one rule: what is shown is computed by `web.disputes` from the journal; a page only arranges it.
"""

from typing import Any

from fastapi import APIRouter, Depends, Request, Response

from baccarat.house.desk import table_stream
from baccarat.house.ledger import Kind
from baccarat.house.roles import Account
from baccarat.store import history
from baccarat.store.history import Booking
from baccarat.table.appeals import Dispute, subject_of
from baccarat.table.disputes import open_questions
from baccarat.table.refusals import Refused
from baccarat.table.state import TableState
from baccarat.web.disputes import case_of_player, told_of
from baccarat.web.pages.account import to_sign_in
from baccarat.web.pages.pages import SeenBy, player_of, show
from baccarat.web.site import Anyone, Needs, Site, TheSite
from baccarat.web.tables import state_of

routes = APIRouter(dependencies=[Depends(Needs(Anyone.EVERYBODY))], include_in_schema=False)


@routes.get("/history/disputes")
async def disputes(request: Request, site: TheSite, viewer: SeenBy) -> Response:
    """My disputes at every table, newest first."""
    if viewer is None:
        return to_sign_in(request)
    who = player_of(viewer)
    rows = []
    for table, name in site.tables.items():
        state = await state_of(site, table)
        mine = [one for one in state.appeals.disputes.values() if one.player == who]
        paid = await _payments(site, table, who) if mine else {}
        rows += [_row(table, name, state, one, paid.get(one.round)) for one in mine]
    rows.sort(key=lambda row: row["at"], reverse=True)
    return await show(request, "disputes.html", viewer, rows=rows)


async def dispute_of(
    site: Site, table: str, number: int, account: Account
) -> dict[str, Any] | None:
    """What can be disputed about a round of mine, and how that stands; None where nothing can."""
    state = await state_of(site, table)
    opened = state.appeals.disputes.get(subject_of(number, account.id))
    asked = open_questions(state.rules) or open_questions(state.settings.rules)
    if not (opened or asked or state.appeals.resolutions):
        return None
    try:
        case = await case_of_player(site, table, number, account.id)
    except Refused:  # no wager of mine, a cancelled round: nothing is replayed
        return None
    told = told_of(state, case)
    if opened is None and not told["questions"]:
        return None
    paid = await _payments(site, table, account.id) if opened and opened.decided else {}
    return {
        **told,
        "state": state_in_short(state, opened),
        "decision": _decision(paid.get(number)),
    }


def state_in_short(state: TableState, dispute: Dispute | None) -> str:
    if dispute is None:
        return "none"
    if dispute.decided:
        return "decided"
    waits = subject_of(dispute.round, dispute.player) in state.proposals
    return "seconding" if waits else "open"


async def _payments(site: Site, table: str, who: str) -> dict[int, Booking]:
    """What decided disputes at a table have paid, by round."""
    stream = table_stream(table)
    found = await site.service.world.keeper.read(
        lambda store: history.bookings(store, who, stream=stream, kinds=(Kind.DISPUTE,), limit=1000)
    )
    return {one.event["value"]["round"]: one for one in found}


def _decision(paid: Booking | None) -> dict[str, Any] | None:
    """The pit's words and the payment; without one, nothing more was due."""
    if paid is None:
        return None
    return {
        "at": paid.at,
        "amount": sum(paid.amounts.values()),
        "words": paid.event["value"]["words"],
    }


def _row(
    table: str, name: str, state: TableState, dispute: Dispute, paid: Booking | None
) -> dict[str, Any]:
    return {
        "at": dispute.at,
        "table": name,
        "table_id": table,
        "round": dispute.round,
        "words": dispute.words,
        "state": state_in_short(state, dispute),
        "decision": _decision(paid),
    }
