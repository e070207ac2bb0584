"""Endpoints for partners: players name their own, and the pit reviews and decides.

Linked players can see the link and the reason for it.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated

from fastapi import Depends

from baccarat.house.events import LinkReason
from baccarat.house.jobs import about_players
from baccarat.house.outcomes import DecisionContext, Outcome
from baccarat.house.people import partners
from baccarat.house.people.roles import Account, Action
from baccarat.service.monitors import WATCHED, in_step
from baccarat.store.sqlstore import SqlStore
from baccarat.web.schema import Routes, filled
from baccarat.web.schema.players import Partners, PartnersDecided, PartnersOf
from baccarat.web.schema.requests import NamedPartner, Players
from baccarat.web.schema.staff import Suspicions
from baccarat.web.server.site import API, Needs, Owner, Site, Table, TheSite

routes = Routes(prefix=API, tags=["partners"])
Pit = Annotated[Account, Depends(Needs(Action.LINK))]


@routes.get("/me/partners")
async def mine(site: TheSite, account: Owner) -> Partners:
    """List the player's linked partners, and those the player has named."""
    safety = await site.read(SqlStore.safety, account.id)
    return filled(Partners, safety)


@routes.post("/me/partners")
async def name(body: NamedPartner, site: TheSite, account: Owner) -> Partners:
    """Name a partner; the link takes effect once they name this player too."""
    named = partial(partners.name_partner, player=account.id, partner=body.partner)
    await _do(site, (account.id, body.partner), named)
    return await mine(site, account)


@routes.get("/tables/{table}/suspicions", dependencies=[Depends(Needs(Action.LINK, points=50))])
async def suspected(table: Table, site: TheSite) -> Suspicions:
    """List players who bet in step and together exceeded the maximum in the latest rounds."""
    site.plan(table)
    state = await site.state(table)
    found = await site.read(in_step, state)
    return {"table": table, "rounds": WATCHED, "suspicions": found}


@routes.post("/partners")
async def link(body: Players, site: TheSite, by: Pit) -> PartnersDecided:
    """Link players as partners."""
    linked = partial(partners.join, why=LinkReason.PIT, by=by.id)
    return await _decided(site, body, linked)


@routes.post("/partners/apart")
async def part(body: Players, site: TheSite, by: Pit) -> PartnersDecided:
    """Record that these players are not partners: they are unlinked and no longer listed as
    suspected."""
    return await _decided(site, body, partial(partners.part, by=by.id))


async def _do(
    site: Site, players: Sequence[str], decide: Callable[[DecisionContext], Outcome]
) -> None:
    conduct = site.house.conduct
    await site.do(about_players(players, site.clock, decide, conduct=conduct))


async def _decided(site: Site, body: Players, decide: Callable[..., Outcome]) -> PartnersDecided:
    """Carry out the pit's decision about these players, and return their links afterwards."""
    await _do(site, body.players, partial(decide, players=body.players, words=body.reason))
    known = {player: await site.read(SqlStore.safety, player) for player in body.players}
    players = {player: filled(PartnersOf, safety) for player, safety in known.items()}
    return {"players": players}
