"""Endpoints to request, offer, confirm and end agreements with players, and to get the letters
about them.

Each party has its own endpoints, so neither can act for the other. A confirmation must contain the
terms that it confirms, and the house checks that they are the proposed ones.
"""

from datetime import UTC, date, datetime
from typing import Annotated

from fastapi import Depends, Request, Response

from baccarat.house.people.roles import Account, Action
from baccarat.poster import makes_pdfs
from baccarat.table import commands as c
from baccarat.table.agreements import NO_AGREEMENT
from baccarat.table.codec import Values
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import table_game
from baccarat.table.settings import StakeLimits
from baccarat.web.schema import Routes
from baccarat.web.schema.players import Agreement, Agreements
from baccarat.web.schema.requests import AgreedValues, EndReason
from baccarat.web.server.problems import Fault, Problem
from baccarat.web.server.site import API, AtTable, Needs, TableRequest, Who
from baccarat.web.views.agreements import agreement_of, agreements_at, player_of
from baccarat.web.views.csv_files import download
from baccarat.web.views.games import computed

routes = Routes(prefix=f"{API}/tables/{{table}}", tags=["agreements"])
Player = Annotated[Account, Depends(Needs(Action.WAGER))]
House = Annotated[Account, Depends(Needs(Action.AGREE))]
LETTER = 500
"""Cost of typesetting a letter, in points (`Site.charge`)."""
PDF = download("application/pdf", response_class=Response)
AgreementCommand = c.ProposeAgreement | c.ConfirmAgreement | c.DeclineAgreement | c.EndAgreement


# ---- the player's side --------------------------------------------------------------------------


@routes.get("/agreement")
async def mine(at: AtTable, account: Player) -> Agreement:
    """Return the player's agreement at a table, any proposal, and the terms that can be agreed."""
    return await _current(at, account.id)


@routes.post("/agreement")
async def ask(at: AtTable, body: AgreedValues, account: Player) -> Agreement:
    """Ask the house for these terms. Terms up to the table's `grants_up_to` are agreed at once."""
    at.site.check_guest(at.table, account)
    return await _do(at, c.ProposeAgreement(account.id, account.id, _pairs(body)))


@routes.post("/agreement/confirm")
async def accept(at: AtTable, body: AgreedValues, account: Player) -> Agreement:
    """Accept the terms that the house proposed."""
    return await _do(at, c.ConfirmAgreement(account.id, account.id, _pairs(body)))


@routes.delete("/agreement/proposal")
async def decline(at: AtTable, account: Player) -> Agreement:
    """Withdraw the player's own proposal, or decline the house's proposal."""
    return await _do(at, c.DeclineAgreement(account.id, account.id))


@routes.delete("/agreement")
async def end(at: AtTable, account: Player, why: EndReason = "") -> Agreement:
    """End the player's agreement; bets that need one are refused until a new one is made. A reason
    is optional."""
    return await _do(at, c.EndAgreement(account.id, account.id, why))


@routes.get("/agreement/letter", **PDF)
async def my_letter(at: AtTable, request: Request, account: Player) -> Response:
    """Return the letter about the player's agreement, with the exact edges that apply (R51)."""
    return await _letter(at, request, account)


# ---- the house's side ---------------------------------------------------------------------------


@routes.get("/agreements", dependencies=[Depends(Needs(Action.AGREE))])
async def everyones(at: AtTable) -> Agreements:
    """List the agreements and proposals of all players at a table."""
    return await agreements_at(at.site, at.table, at.t)


@routes.post("/agreements/{who}")
async def offer(at: AtTable, who: Who, body: AgreedValues, by: House) -> Agreement:
    """Offer these terms to a player."""
    player = await player_of(at.site, who)
    at.site.check_guest(at.table, player)
    return await _do(at, c.ProposeAgreement(player.id, by.id, _pairs(body)))


@routes.post("/agreements/{who}/confirm")
async def grant(at: AtTable, who: Who, body: AgreedValues, by: House) -> Agreement:
    """Accept the terms that a player proposed."""
    player = await player_of(at.site, who)
    return await _do(at, c.ConfirmAgreement(player.id, by.id, _pairs(body)))


@routes.delete("/agreements/{who}/proposal")
async def withdraw(at: AtTable, who: Who, by: House) -> Agreement:
    """Withdraw the house's own proposal, or decline the player's proposal."""
    return await _do(at, c.DeclineAgreement((await player_of(at.site, who)).id, by.id))


@routes.delete("/agreements/{who}")
async def stop(at: AtTable, who: Who, by: House, why: EndReason = "") -> Agreement:
    """End an agreement, with a reason that the player sees; the player's bets that need one are
    refused until a new one is made."""
    return await _do(at, c.EndAgreement((await player_of(at.site, who)).id, by.id, why))


@routes.get("/agreements/{who}/letter", dependencies=[Depends(Needs(Action.AGREE))], **PDF)
async def letter_to(at: AtTable, who: Who, request: Request) -> Response:
    """Return the letter about a player's agreement, for staff to hand over."""
    return await _letter(at, request, await player_of(at.site, who))


# ---- shared by both sides -----------------------------------------------------------------------


async def _current(at: TableRequest, player: str) -> Agreement:
    at.site.plan(at.table)
    return agreement_of(await at.state(), player, at.t)


async def _do(at: TableRequest, command: AgreementCommand) -> Agreement:
    at.site.plan(at.table)
    await at.do(command)
    return await _current(at, command.player)


def _pairs(body: AgreedValues) -> Values:
    return tuple(sorted(body.values.items()))


async def _letter(at: TableRequest, request: Request, player: Account) -> Response:
    at.site.charge(request, LETTER)
    plan, state = at.site.plan(at.table), await at.state()
    terms = state.agreements.get(player.id, NO_AGREEMENT).newest
    if terms is None:
        raise Refused(Code.NO_SUCH_AGREEMENT, "no-agreement", name=player.name, table=at.table)
    if not makes_pdfs():
        raise Problem(Fault.NOT_INSTALLED, "no-letters")
    on = datetime.fromtimestamp(terms.at / 1000, UTC).date()
    house, limits = at.site.house, state.settings.limits
    names = (player.name, on, house.name, plan.name)
    about = (state.rules, limits, terms.values, house.currency, *names)
    made = await computed(request, letter_made, *about, at.t.language, keep=False)
    return Response(made, media_type="application/pdf")


def letter_made(
    rules: str,
    limits: StakeLimits,
    values: Values,
    currency: str,
    player: str,
    on: date,
    house: str,
    table: str,
    language: str,
) -> bytes:
    """Return the letter about an agreement as a PDF."""
    from baccarat.poster.letter import letter_of
    from baccarat.poster.typeset import letter_pdf

    agreed = [name for name, _ in values]
    game = table_game(rules, limits, values, currency)
    return letter_pdf(
        letter_of(
            game,
            player=player,
            agreed=agreed,
            on=on,
            house=house,
            table=table,
            language=language,
        )
    )
