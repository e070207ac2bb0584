"""Partners over the API: naming one's own, and what the pit sees and decides.

The one rule: a link says to everyone whom it concerns that it is there, and why.
"""

import logging
from collections.abc import Callable
from functools import partial
from typing import Annotated

from fastapi import Depends

from baccarat.house import player_jobs
from baccarat.house.events import LinkReason
from baccarat.house.instep import Suspicion
from baccarat.house.ports import Job
from baccarat.house.roles import Account, Action, Role
from baccarat.service.lookout import WATCHED, in_step
from baccarat.table.refusals import Refused
from baccarat.web.answers import Routes
from baccarat.web.answers.players import Partners, PartnersDecided
from baccarat.web.answers.staff import Suspicions, SuspicionTold
from baccarat.web.bodies import NamedPartner, Players
from baccarat.web.site import API, Needs, Site, Table, TheSite
from baccarat.web.tables import state_of

log = logging.getLogger(__name__)
routes = Routes(prefix=API, tags=["partners"])
Player = Annotated[Account, Depends(Needs(Action.SEE_OWN_MONEY))]
Pit = Annotated[Account, Depends(Needs(Action.LINK))]
SHARED = (
    "Partners share the maximum of each bet, where the card says so (R36); while one is excluded "
    "or on a break, the others neither wager nor pay in."
)


@routes.get("/me/partners")
async def mine(site: TheSite, account: Player) -> Partners:
    """Who counts as one with me, and whom I have named."""
    safety = await site.service.world.keeper.read(lambda store: store.safety(account.id))
    return {
        "partners": list(safety.partners),
        "named": list(safety.named),
        "words": SHARED,
    }


@routes.post("/me/partners")
async def name(body: NamedPartner, site: TheSite, account: Player) -> Partners:
    """Name someone who plays with me; it counts once they name me too."""
    job = player_jobs.name_partner(
        account.id,
        body.partner,
        site.clock,
        conduct=site.service.house.conduct,
    )
    await site.do(job)
    return await mine(site, account)


@routes.get("/tables/{table}/suspicions", dependencies=[Depends(Needs(Action.LINK, points=50))])
async def suspected(table: Table, site: TheSite) -> Suspicions:
    """Pairs and groups that wager in step and pass the maximum together, in the latest rounds."""
    site.plan(table)
    state = await state_of(site, table)
    found = await site.service.world.keeper.read(lambda store: in_step(store, state))
    return {
        "table": table,
        "rounds": WATCHED,
        "suspicions": [_suspicion(one) for one in found],
        "words": "It only points: who always does the same by habit looks the same. Decide.",
    }


def _suspicion(one: Suspicion) -> SuspicionTold:
    return {
        "players": list(one.players),
        "weight": one.weight,
        "rounds": one.rounds,
        "same": one.same,
        "passed": list(one.passed),
        "most": one.most,
        "words": one.words,
    }


@routes.post("/partners")
async def link(body: Players, site: TheSite, by: Pit) -> PartnersDecided:
    """Players count as one from here on."""
    return await _decided(site, body, partial(player_jobs.link, why=LinkReason.PIT, by=by.id))


@routes.post("/partners/apart")
async def part(body: Players, site: TheSite, by: Pit) -> PartnersDecided:
    """These are no partners: unlink them, and do not show them to the pit again."""
    return await _decided(site, body, partial(player_jobs.part, by=by.id))


async def note_shared_browser(site: Site, account: Account, others: list[str]) -> None:
    """A player who signs in with a browser in which others have signed in before: for the pit."""
    found = [await site.account(one) for one in others]
    players = [
        one.id for one in found if one is not None and one.role is Role.PLAYER and not one.guest
    ]
    if not players:
        return
    conduct = site.service.house.conduct
    job = player_jobs.share_browser(account.id, players, site.clock, conduct=conduct)
    try:
        await site.do(job)
    except Refused as refused:  # nobody is kept out for it
        log.warning(
            "shared browser not recorded", extra={"account": account.id, "why": str(refused)}
        )


async def _decided(site: Site, body: Players, job: Callable[..., Job]) -> PartnersDecided:
    """What the pit says of these players, and how they stand then."""
    await site.do(
        job(
            body.players,
            words=body.reason,
            clock=site.clock,
            conduct=site.service.house.conduct,
        )
    )
    read = site.service.world.keeper.read
    known = {one: await read(lambda store, one=one: store.safety(one)) for one in body.players}  # type: ignore[misc]
    return {
        "players": {
            one: {"partners": list(safety.partners), "apart": list(safety.apart)}
            for one, safety in known.items()
        },
        "words": SHARED,
    }
