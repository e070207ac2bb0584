"""Endpoints for the log of deck sets: received, counted and shuffled, changed, retired."""

from typing import Annotated

from fastapi import Depends, Path

from baccarat.house import ports
from baccarat.house.cards import decks
from baccarat.house.people.roles import Account, Action
from baccarat.store import history
from baccarat.web.schema import Routes
from baccarat.web.schema import requests as r
from baccarat.web.schema.staff import DeckLog
from baccarat.web.server.site import API, Needs, Site, TheSite
from baccarat.web.views.dealer import deck_log, scanned_card

routes = Routes(prefix=API, tags=["cards and shoes"])
Keeper = Annotated[Account, Depends(Needs(Action.KEEP_DECKS))]
SetId = Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$", description="id of a deck set")]


@routes.get("/deck-sets", dependencies=[Depends(Needs(Action.DEAL))])
async def listed(site: TheSite) -> DeckLog:
    """Return all deck sets: where they are, who counted and shuffled them, and what was changed."""
    return await deck_log(site)


@routes.post("/deck-sets", status_code=201)
async def receive(body: r.DeckSetBody, site: TheSite, by: Keeper) -> DeckLog:
    """Record a new deck set and the serial numbers of its decks."""
    return await _do(site, decks.receive(body.id, body.colour, body.serials, by.id, site.clock))


@routes.post("/deck-sets/{deck_set}/preparation")
async def prepare(deck_set: SetId, body: r.PreparedBody, site: TheSite, by: Keeper) -> DeckLog:
    """Record that you counted a set and that someone else shuffled it, for one shoe at a table."""
    site.plan(body.table)
    last = await _last_table(site, deck_set)
    facts = (deck_set, body.table, body.cards, body.shuffled_by, by.id)
    return await _do(site, decks.prepare(*facts, site.clock, last=last))


@routes.post("/deck-sets/{deck_set}/changes")
async def change_card(
    deck_set: SetId, body: r.CardChangeBody, site: TheSite, by: Keeper
) -> DeckLog:
    """Record that a card was exchanged for the same card of a spare deck."""
    last = await _last_table(site, deck_set)
    facts = (deck_set, scanned_card(body.card), body.serial, body.reason, by.id)
    return await _do(site, decks.change_card(*facts, site.clock, last=last))


@routes.post("/deck-sets/{deck_set}/retirement")
async def retire(deck_set: SetId, body: r.Reason, site: TheSite, by: Keeper) -> DeckLog:
    """Take a set out of use; it cannot be used again."""
    last = await _last_table(site, deck_set)
    return await _do(site, decks.retire(deck_set, body.reason, by.id, site.clock, last=last))


async def _do(site: Site, job: ports.Job) -> DeckLog:
    await site.do(job)
    return await deck_log(site)


async def _last_table(site: Site, deck_set: str) -> str:
    known = (await site.read(history.deck_sets)).get(deck_set)
    return known.table if known else ""
