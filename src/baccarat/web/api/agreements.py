"""Endpoints for agreements with a player: ask, offer, confirm and end them, and get the letter.

Each party has its own endpoints, so neither can act for the other. A confirmation must name the
terms it confirms, and the house checks that they are the ones that were proposed.
"""

from datetime import UTC, date, datetime
from typing import Annotated

from fastapi import Depends, Request, Response

from baccarat.house.people.roles import Account, Action
from baccarat.table import commands as c
from baccarat.table.agreements import NOTHING, Values
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import table_game
from baccarat.table.settings import StakeLimits
from baccarat.web.api.tables import check_seat
from baccarat.web.schema import Routes
from baccarat.web.schema.players import Agreement, Agreements
from baccarat.web.schema.requests import AgreedValues
from baccarat.web.server.language import words_for
from baccarat.web.server.problems import Fault, Problem
from baccarat.web.server.site import API, Needs, Site, Table, TheSite, Who
from baccarat.web.views.agreements import agreement_of, agreements_at, player_of
from baccarat.web.views.csv_files import download
from baccarat.web.views.games import computed

routes = Routes(prefix=f"{API}/tables/{{table}}", tags=["agreements"])
Player = Annotated[Account, Depends(Needs(Action.WAGER))]
House = Annotated[Account, Depends(Needs(Action.AGREE))]
LETTER = 500
"""Cost of typesetting a letter, in points (`Site.charge`)."""
PDF = download("application/pdf", response_class=Response)


# ---- the player's side --------------------------------------------------------------------------


@routes.get("/agreement")
async def mine(table: Table, site: TheSite, account: Player) -> Agreement:
    """Return the player's agreement at a table, what is proposed, and what could be agreed on."""
    site.plan(table)
    return agreement_of(await site.state(table), account.id)


@routes.post("/agreement")
async def ask(table: Table, body: AgreedValues, site: TheSite, account: Player) -> Agreement:
    """Ask the house for these terms."""
    check_seat(site, table, account)
    return await _do(site, table, c.ProposeAgreement(account.id, account.id, _pairs(body)))


@routes.post("/agreement/confirm")
async def accept(table: Table, body: AgreedValues, site: TheSite, account: Player) -> Agreement:
    """Accept what the house proposed; it applies from the next round."""
    return await _do(site, table, c.ConfirmAgreement(account.id, account.id, _pairs(body)))


@routes.delete("/agreement/proposal")
async def decline(table: Table, site: TheSite, account: Player) -> Agreement:
    """Withdraw the player's proposal, or decline the house's."""
    return await _do(site, table, c.DeclineAgreement(account.id, account.id))


@routes.delete("/agreement")
async def end(table: Table, site: TheSite, account: Player) -> Agreement:
    """End the player's agreement; the table's own terms apply from the next round."""
    return await _do(site, table, c.EndAgreement(account.id, account.id))


@routes.get("/agreement/letter", **PDF)
async def my_letter(table: Table, request: Request, site: TheSite, account: Player) -> Response:
    """Return the letter about the player's agreement, with the exact edges that apply (R51)."""
    site.charge(request, LETTER)
    return await _letter(request, site, table, account)


# ---- the house's side ---------------------------------------------------------------------------


@routes.get("/agreements", dependencies=[Depends(Needs(Action.AGREE))])
async def everyones(table: Table, site: TheSite) -> Agreements:
    """List what is agreed with or proposed to each player at a table."""
    return await agreements_at(site, table)


@routes.post("/agreements/{who}")
async def offer(table: Table, who: Who, body: AgreedValues, site: TheSite, by: House) -> Agreement:
    """Offer these terms to a player."""
    player = await player_of(site, who)
    check_seat(site, table, player)
    return await _do(site, table, c.ProposeAgreement(player.id, by.id, _pairs(body)))


@routes.post("/agreements/{who}/confirm")
async def grant(table: Table, who: Who, body: AgreedValues, site: TheSite, by: House) -> Agreement:
    """Accept what a player asked for; it applies from the next round."""
    player = await player_of(site, who)
    return await _do(site, table, c.ConfirmAgreement(player.id, by.id, _pairs(body)))


@routes.delete("/agreements/{who}/proposal")
async def withdraw(table: Table, who: Who, site: TheSite, by: House) -> Agreement:
    """Withdraw the house's proposal, or decline the player's."""
    return await _do(site, table, c.DeclineAgreement((await player_of(site, who)).id, by.id))


@routes.delete("/agreements/{who}")
async def stop(table: Table, who: Who, site: TheSite, by: House) -> Agreement:
    """End an agreement; the table's own terms apply from the next round."""
    return await _do(site, table, c.EndAgreement((await player_of(site, who)).id, by.id))


@routes.get("/agreements/{who}/letter", dependencies=[Depends(Needs(Action.AGREE))], **PDF)
async def letter_to(table: Table, who: Who, request: Request, site: TheSite) -> Response:
    """Return the letter about a player's agreement, for staff to hand over."""
    site.charge(request, LETTER)
    return await _letter(request, site, table, await player_of(site, who))


# ---- shared by both sides -----------------------------------------------------------------------


def _pairs(body: AgreedValues) -> Values:
    return tuple(sorted(body.values.items()))


async def _do(site: Site, table: str, command: c.OfAgreement) -> Agreement:
    site.plan(table)
    await site.do(site.at_table(table, command))
    return agreement_of(await site.state(table), command.player)


async def _letter(request: Request, site: Site, table: str, player: Account) -> Response:
    site.plan(table)
    state = await site.state(table)
    terms = state.agreements.get(player.id, NOTHING).newest
    if terms is None:
        raise Refused(Code.NO_SUCH_AGREEMENT, "no-agreement", name=player.name, table=table)
    try:
        import baccarat.poster.typeset  # noqa: F401
    except ImportError:
        raise Problem(Fault.NOT_INSTALLED, "no-letters") from None
    on = datetime.fromtimestamp(terms.at / 1000, UTC).date()
    house, limits = site.house, state.settings.limits
    about = (state.rules, limits, terms.values, house.currency, player.name, on, house.name)
    made = await computed(request, letter_made, *about, words_for(request).language, keep=False)
    return Response(made, media_type="application/pdf")


def letter_made(
    rules: str,
    limits: StakeLimits,
    values: Values,
    currency: str,
    player: str,
    on: date,
    house: str,
    language: str,
) -> bytes:
    """Return the letter about an agreement as a PDF."""
    from baccarat.poster.letter import letter_of
    from baccarat.poster.typeset import letter_pdf

    agreed = [name for name, _ in values]
    game = table_game(rules, limits, values, currency)
    letter = letter_of(game, player=player, agreed=agreed, on=on, house=house, language=language)
    return letter_pdf(letter)
