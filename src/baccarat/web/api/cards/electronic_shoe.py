"""The adapter for electronic shoes: a shoe posts each card that it reads, in order.

A shoe has no account and no session: the key of its table is in the `Authorization` header.
"""

from fastapi import Depends

from baccarat.house import jobs
from baccarat.house.ports import Key
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.refusals import Code, Refused
from baccarat.web.schema import Routes
from baccarat.web.schema import requests as r
from baccarat.web.schema.staff import NextReading, Reading
from baccarat.web.server.site import API, Anyone, AtTable, Needs
from baccarat.web.views.dealer import scanned_card

routes = Routes(prefix=API, tags=["electronic shoes"], dependencies=[Depends(Needs(Anyone.SHOE))])


@routes.get("/tables/{table}/readings")
async def next_reading(at: AtTable) -> NextReading:
    """Return the number of the next card that the table's electronic shoe should send."""
    shoe = (await at.site.state(at.table)).manual.shoe
    return {"next": shoe.readings.read + 1 if shoe else 1, "shoe": shoe.shoe.hex() if shoe else ""}


@routes.post("/tables/{table}/readings")
async def read_card(body: r.ReadingBody, at: AtTable) -> Reading:
    """Record a card that the table's electronic shoe read. Cards are numbered from 1 in each shoe.
    If a response is lost, send the same card with the same number again. If the dealer has entered
    a different card, the table is frozen until a member of the pit answers."""
    manual = (await at.site.state(at.table)).manual
    if not manual.dealer:
        raise Refused(Code.NOT_THE_DEALER, "shoe-without-dealer", table=at.table)
    shoe = manual.shoe.shoe.hex() if manual.shoe else ""
    command = c.ReadCard(manual.dealer, scanned_card(body.card), body.number)
    key = Key(f"shoe {at.table}", f"{shoe} {body.number}")
    done = await at.do(command, sender=jobs.Sender(key, f"{command.card}".encode()))
    return {
        "number": body.number,
        "repeated": done.repeated,
        "agrees": not done.has(e.ReadingDisputed),
        "in_doubt": done.has(e.CardInDoubt),
    }
