"""Partners over the API: naming one's own, and what the pit sees and decides.

The one rule: a link says to everyone whom it concerns that it is there, and why.
"""

import json
import logging
from typing import Annotated, Any

from fastapi import APIRouter, Depends

from baccarat.house import player_jobs
from baccarat.house.desk import table_stream
from baccarat.house.events import LinkReason
from baccarat.house.instep import SettledRound, suspicions
from baccarat.house.ports import Job
from baccarat.house.roles import Account, Action
from baccarat.store import history
from baccarat.store.sqlstore import SqlStore
from baccarat.table.refusals import Refused
from baccarat.table.rules import table_game
from baccarat.web.bodies import NamedPartner, Players
from baccarat.web.site import API, Needs, Site, Table, TheSite
from baccarat.web.tables import state_of

log = logging.getLogger(__name__)
routes = APIRouter(prefix=API, tags=["partners"])
Player = Annotated[Account, Depends(Needs(Action.SEE_OWN_MONEY))]
Pit = Annotated[Account, Depends(Needs(Action.LINK))]
WATCHED = 400
"""Settled rounds of a table that the detector looks at: some five shoes."""
SHARED = "Partners share the maximum of each bet, where the card says so (R36)."


@routes.get("/me/partners")
async def mine(site: TheSite, account: Player) -> dict[str, Any]:
    """Who counts as one with me, and whom I have named."""
    safety = await site.service.world.keeper.read(lambda store: store.safety(account.id))
    return {"partners": safety.partners, "named": safety.named, "words": SHARED}


@routes.post("/me/partners")
async def name(body: NamedPartner, site: TheSite, account: Player) -> dict[str, Any]:
    """Name someone who plays with me; it counts once they name me too."""
    job = player_jobs.name_partner(
        account.id,
        body.partner,
        site.clock,
        concerned=await concerned(site, [account.id, body.partner]),
        conduct=site.service.house.conduct,
    )
    await site.do(job)
    return await mine(site, account)


@routes.get("/tables/{table}/suspicions", dependencies=[Depends(Needs(Action.LINK))])
async def in_step(table: Table, site: TheSite) -> dict[str, Any]:
    """Pairs and groups that wager in step and pass the maximum together, in the latest rounds."""
    stream = table_stream(site.plan(table).id)
    state = await state_of(site, table)
    game = table_game(state.rules, state.settings.limits)
    maximum = {bet.id: game.limits(bet)[1] for bet in game.bets}

    def found(store: SqlStore) -> list[dict[str, Any]]:
        told = []
        for one in suspicions(settled_rounds(store, stream), maximum):
            first = store.safety(one.players[0])
            others = set(one.players[1:])
            if others <= set(first.partners) or others & set(first.apart):
                continue  # decided already
            told.append({**vars(one), "words": one.words})
        return told

    return {
        "table": table,
        "rounds": WATCHED,
        "suspicions": await site.service.world.keeper.read(found),
        "words": "It only points: who always does the same by habit looks the same. Decide.",
    }


@routes.post("/partners")
async def link(body: Players, site: TheSite, by: Pit) -> dict[str, Any]:
    """Players count as one from here on."""
    job = player_jobs.link(
        body.players,
        LinkReason.PIT,
        by.id,
        body.reason,
        site.clock,
        concerned=await concerned(site, body.players),
        conduct=site.service.house.conduct,
    )
    return await _told(site, job, body.players)


@routes.post("/partners/apart")
async def part(body: Players, site: TheSite, by: Pit) -> dict[str, Any]:
    """These are no partners: unlink them, and let neither devices nor steps link them again."""
    job = player_jobs.part(
        body.players,
        by.id,
        body.reason,
        site.clock,
        concerned=await concerned(site, body.players),
        conduct=site.service.house.conduct,
    )
    return await _told(site, job, body.players)


async def link_device(site: Site, account: Account, others: list[str]) -> None:
    """An account that signs in with a browser in which others have signed in before."""
    if not others:
        return
    accounts = [account.id, *others]
    job = player_jobs.link(
        accounts,
        LinkReason.DEVICE,
        "",
        "signed in with the same browser",
        site.clock,
        concerned=await concerned(site, accounts),
        conduct=site.service.house.conduct,
    )
    try:
        await site.do(job)
    except Refused as refused:  # nobody is kept out for it
        log.warning("not linked", extra={"accounts": accounts, "why": str(refused)})


async def concerned(site: Site, players: list[str]) -> set[str]:
    """These players, and all who are linked with them."""
    read = site.service.world.keeper.read
    known = [await read(lambda store, one=one: store.safety(one)) for one in players]  # type: ignore[misc]
    return set(players).union(*(one.partners for one in known))


async def _told(site: Site, job: Job, players: list[str]) -> dict[str, Any]:
    await site.do(job)
    read = site.service.world.keeper.read
    known = {one: await read(lambda store, one=one: store.safety(one)) for one in players}  # type: ignore[misc]
    return {
        "players": {
            one: {"partners": safety.partners, "apart": safety.apart}
            for one, safety in known.items()
        },
        "words": SHARED,
    }


def settled_rounds(store: SqlStore, stream: str) -> list[SettledRound]:
    """The latest settled rounds of a table, oldest first."""
    settled = history.newest_of(store, stream, "RoundSettled", before=None, limit=WATCHED)
    decided = history.newest_of(store, stream, "CoupDecided", before=None, limit=2 * WATCHED)
    winners = {
        value["round"]: value["winner"]
        for value in (json.loads(entry.body)["value"] for entry in decided)
    }
    found = []
    for entry in reversed(settled):
        value = json.loads(entry.body)["value"]
        stakes = {
            one["player"]: {wager["bet"]: wager["stake"] for wager in one["wagers"]}
            for one in value["results"]
        }
        found.append(SettledRound(value["round"], winners.get(value["round"], "tie"), stakes))
    return found
