"""Endpoints of the pit on the floor: emergency stops, acknowledged alerts, notes between shifts."""

from typing import Annotated

from fastapi import Depends, Path

from baccarat.house import floor
from baccarat.house.people.roles import Account, Action
from baccarat.web.schema import Routes
from baccarat.web.schema.requests import Note, Reason
from baccarat.web.server.site import API, Needs, TheSite

routes = Routes(prefix=API, tags=["the pit"])
Pauser = Annotated[Account, Depends(Needs(Action.PAUSE))]
AlertId = Annotated[str, Path(pattern="^[0-9a-f]{32}$", description="the alert's or note's id")]


@routes.post("/house/stop", status_code=204)
async def stop(site: TheSite, by: Pauser) -> None:
    """Stop every table at once, in an emergency. Rounds under way are frozen: nothing is dealt,
    paid or cancelled until the house resumes. The reason is given afterwards."""
    await site.service.stop(by=by.id)


@routes.post("/house/stop/reason", status_code=204)
async def explain_stop(body: Reason, site: TheSite, by: Pauser) -> None:
    """Give the reason for the last emergency stop."""
    await site.do(floor.explain_stop(by.id, body.reason, site.clock))


@routes.post("/pit/alerts/{alert}/acknowledgement", status_code=204)
async def acknowledge(alert: AlertId, site: TheSite, by: Pauser) -> None:
    """Record that someone has seen an alert or a note. It stays visible, with their name."""
    await site.do(floor.acknowledge(by.id, alert, site.clock))


@routes.post("/pit/notes", status_code=204)
async def write_note(body: Note, site: TheSite, by: Pauser) -> None:
    """Write a note for the next shift."""
    await site.do(floor.write_note(by.id, body.words, site.clock))
