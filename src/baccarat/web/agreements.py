"""Agreements with a player: asking, offering, confirming, ending, and the letter about it.

Each party has its own endpoints, so nobody can speak for the other one. The one rule: whoever
confirms names what it is they confirm, and the house checks that it is what was proposed.
"""

import asyncio
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import Depends, Path, Request, Response

from baccarat.house import jobs
from baccarat.house.roles import Account, Action, Role
from baccarat.table import commands as c
from baccarat.table.agreements import NOTHING, Agreeing, Values, agreeable, in_words
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import game_of, table_game
from baccarat.table.state import TableState
from baccarat.web.answers import Routes
from baccarat.web.answers.players import Agreeable, Agreement, Agreements
from baccarat.web.bodies import AgreedValues
from baccarat.web.problems import Fault, Problem
from baccarat.web.site import API, Needs, Site, Table, TheSite
from baccarat.web.tables import state_of

routes = Routes(prefix=f"{API}/tables/{{table}}", tags=["agreements"])
Player = Annotated[Account, Depends(Needs(Action.WAGER))]
House = Annotated[Account, Depends(Needs(Action.AGREE))]
LETTER = 500
"""Points that it costs to set a letter (`Site.charge`)."""
Who = Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$", description="the player's account")]
PDF: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {"application/pdf": {"schema": {"type": "string"}}},
        "description": "the letter",
    }
}


# ---- the player's side --------------------------------------------------------------------------


@routes.get("/agreement")
async def mine(table: Table, site: TheSite, account: Player) -> Agreement:
    """What was agreed with me here, what is proposed, and what could be agreed on."""
    site.plan(table)
    return agreement_of(await state_of(site, table), account.id)


@routes.post("/agreement")
async def ask(table: Table, body: AgreedValues, site: TheSite, account: Player) -> Agreement:
    """Ask the house for these terms."""
    site.plan(table).check_seat(account)
    return await _do(site, table, c.ProposeAgreement(account.id, _pairs(body), account.id))


@routes.post("/agreement/confirm")
async def accept(table: Table, body: AgreedValues, site: TheSite, account: Player) -> Agreement:
    """Say yes to what the house proposed; it holds from the next round on."""
    return await _do(site, table, c.ConfirmAgreement(account.id, _pairs(body), account.id))


@routes.delete("/agreement/proposal")
async def decline(table: Table, site: TheSite, account: Player) -> Agreement:
    """Take the proposal off the table, mine or the house's."""
    return await _do(site, table, c.DeclineAgreement(account.id, account.id))


@routes.delete("/agreement")
async def end(table: Table, site: TheSite, account: Player) -> Agreement:
    """End my agreement: from the next round on the table's own terms hold."""
    return await _do(site, table, c.EndAgreement(account.id, account.id))


@routes.get("/agreement/letter", response_class=Response, responses=PDF)
async def my_letter(table: Table, request: Request, site: TheSite, account: Player) -> Response:
    """The letter about my agreement: the edges that apply to me, exactly (R51)."""
    site.charge(request, LETTER)
    return await _letter(site, table, account)


# ---- the house's side ---------------------------------------------------------------------------


@routes.get("/agreements", dependencies=[Depends(Needs(Action.AGREE))])
async def everyones(table: Table, site: TheSite) -> Agreements:
    """What was agreed or proposed with each player here."""
    site.plan(table)
    state = await state_of(site, table)
    return {"table": table, "agreements": [agreement_of(state, one) for one in state.agreements]}


@routes.post("/agreements/{who}")
async def offer(table: Table, who: Who, body: AgreedValues, site: TheSite, by: House) -> Agreement:
    """Offer these terms to a player."""
    player = await player_of(site, who)
    site.plan(table).check_seat(player)
    return await _do(site, table, c.ProposeAgreement(player.id, _pairs(body), by.id))


@routes.post("/agreements/{who}/confirm")
async def grant(table: Table, who: Who, body: AgreedValues, site: TheSite, by: House) -> Agreement:
    """Say yes to what a player asked for; it holds from the next round on."""
    player = await player_of(site, who)
    return await _do(site, table, c.ConfirmAgreement(player.id, _pairs(body), by.id))


@routes.delete("/agreements/{who}/proposal")
async def withdraw(table: Table, who: Who, site: TheSite, by: House) -> Agreement:
    """Take a proposal off the table, the house's or the player's."""
    return await _do(site, table, c.DeclineAgreement((await player_of(site, who)).id, by.id))


@routes.delete("/agreements/{who}")
async def stop(table: Table, who: Who, site: TheSite, by: House) -> Agreement:
    """End an agreement: from the next round on the table's own terms hold."""
    return await _do(site, table, c.EndAgreement((await player_of(site, who)).id, by.id))


@routes.get(
    "/agreements/{who}/letter",
    response_class=Response,
    responses=PDF,
    dependencies=[Depends(Needs(Action.AGREE))],
)
async def letter_to(table: Table, who: Who, request: Request, site: TheSite) -> Response:
    """The letter about a player's agreement, to be handed over."""
    site.charge(request, LETTER)
    return await _letter(site, table, await player_of(site, who))


# ---- what both need -----------------------------------------------------------------------------


def _pairs(body: AgreedValues) -> Values:
    return tuple(sorted(body.values.items()))


async def player_of(site: Site, who: str) -> Account:
    account = await site.account(who)
    if account is None or account.role is not Role.PLAYER:
        raise Refused(Code.NO_SUCH_ACCOUNT, f"there is no player {who!r}: check the id")
    return account


async def _do(
    site: Site,
    table: str,
    command: c.ProposeAgreement | c.ConfirmAgreement | c.DeclineAgreement | c.EndAgreement,
) -> Agreement:
    site.plan(table)
    await site.do(jobs.at_table(table, command, site.clock))
    return agreement_of(await state_of(site, table), command.player)


def agreement_of(state: TableState, player: str) -> Agreement:
    """What holds for a player, what is proposed, and what could be agreed on."""
    agreeing, number = state.agreements.get(player, NOTHING), state.round.number
    held = agreeing.in_force(number)
    newest = agreeing.terms[-1] if agreeing.terms else None
    later = newest if newest and newest.from_round > number else None
    return {
        "table": state.table,
        "player": player,
        "round": number,
        "in_force": dict(held) or None,
        "next": {"values": dict(later.values) or None, "from_round": later.from_round}
        if later
        else None,
        "proposed": {
            "values": dict(agreeing.proposed),
            "by": "player" if agreeing.proposed_by == player else "house",
        }
        if agreeing.proposed
        else None,
        "can_be_agreed": _can_be_agreed(state),
        "words": list(_words(agreeing, player, number)),
    }


def _can_be_agreed(state: TableState) -> list[Agreeable]:
    """What the card leaves to an agreement: the range, and the table's own terms."""
    game = table_game(state.rules, state.settings.limits)
    return [
        {
            "parameter": name,
            "meaning": one.meaning,
            "minimum": one.format(one.minimum),
            "maximum": one.format(one.maximum),
            "without": one.format(game.parameters[name]),
        }
        for name, one in agreeable(game).items()
    ]


def _words(agreeing: Agreeing, player: str, number: int) -> list[str]:
    held = agreeing.in_force(number)
    said = [f"Agreed: {in_words(held)}." if held else "Nothing is agreed: the table's terms hold."]
    newest = agreeing.terms[-1] if agreeing.terms else None
    if newest and newest.from_round > number:
        terms = in_words(newest.values) if newest.values else "the table's own terms"
        said.append(f"From round {newest.from_round} on: {terms}.")
    if agreeing.proposed:
        asked = agreeing.proposed_by == player
        who, other = ("The player", "the house") if asked else ("The house", "the player")
        words = f"{who} proposes {in_words(agreeing.proposed)}; it holds once {other} confirms it."
        said.append(words)
    return said


async def _letter(site: Site, table: str, player: Account) -> Response:
    site.plan(table)
    state = await state_of(site, table)
    terms = state.agreements.get(player.id, NOTHING).newest
    if terms is None:
        words = f"nothing is agreed with {player.name} at {table}: agree on something first"
        raise Refused(Code.NO_SUCH_AGREEMENT, words)
    try:
        from baccarat.poster.letter import letter_of
        from baccarat.poster.typeset import letter_pdf
    except ImportError:
        words = "letters are not set here: install baccarat[poster] on the server"
        raise Problem(Fault.NOT_INSTALLED, words) from None

    def made() -> bytes:
        letter = letter_of(
            game_of(state.rules, terms.values),
            player=player.name,
            agreed=[name for name, _ in terms.values],
            on=datetime.fromtimestamp(terms.at / 1000, UTC).date(),
            house=site.service.house.name,
        )
        return letter_pdf(letter)

    return Response(await asyncio.to_thread(made), media_type="application/pdf")
