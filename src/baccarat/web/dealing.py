"""For dealers: a table of real cards from its console, and errors from report to remedy.

A person at the keys and an electronic shoe that reports its cards use the same endpoints. Every
answer brings the whole console, so whatever is wrong is told with the card that shows it. The one
rule: each command carries an idempotency key, so no card is told twice because an answer got lost.
"""

import json
import secrets
from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import Depends, Path, Query

from baccarat.core.cards import Card
from baccarat.core.coup import parse_coup
from baccarat.core.errors import CardError
from baccarat.house import jobs
from baccarat.house.desk import correction_of, table_stream
from baccarat.house.ports import Job
from baccarat.house.roles import Account, Action, Role
from baccarat.house.wallets import Wallet
from baccarat.shoe.commitment import ID_SIZE
from baccarat.shoe.scanned import scan_card
from baccarat.store.sqlstore import SqlStore
from baccarat.table import commands as c
from baccarat.table.console import CALLS, console
from baccarat.table.events import Correction, RoundCorrected
from baccarat.table.refusals import Code, Refused
from baccarat.table.remedies import takes_two
from baccarat.table.state import TableState
from baccarat.table.twopeople import correcting, rectifying
from baccarat.web.answers import Done, Routes
from baccarat.web.answers.staff import ConsoleTold, CorrectionSeen, DoneAtConsole
from baccarat.web.bodies import (
    BurnBody,
    Call,
    CardBody,
    CardsBody,
    DealerBody,
    Dismissal,
    DrawnBody,
    DummyBody,
    ExplainBody,
    Reason,
    RestBody,
)
from baccarat.web.mine import balance_of
from baccarat.web.site import API, Keyed, Needs, Number, Site, Table, TheSite
from baccarat.web.tables import state_of

routes = Routes(prefix=API, tags=["dealing"])
Dealer = Annotated[Account, Depends(Needs(Action.DEAL))]
Teller = Annotated[Account, Depends(Needs(Action.TELL))]
Reporter = Annotated[Account, Depends(Needs(Action.REPORT))]
Remedier = Annotated[Account, Depends(Needs(Action.REMEDY))]
Asking = Annotated[
    str, Path(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$", description="who asks for the table")
]
Told = Annotated[
    str, Query(min_length=2, max_length=200, description="cards as they really left the shoe")
]


@routes.get("/tables/{table}/console")
async def the_console(table: Table, site: TheSite, by: Teller) -> ConsoleTold:
    """All that a dealer needs to know: what to do next, totals, what is wrong, what is left."""
    site.plan(table).check_shoe(by)
    return await console_of(site, site.plan(table).id, by)


@routes.post("/tables/{table}/calls")
async def call(
    table: Table, body: Call, site: TheSite, dealer: Dealer, keyed: Keyed
) -> DoneAtConsole:
    """Take the table, leave it, place your bets, no more bets, cut card, result, pay. A table that
    another dealer has is asked for: that dealer or the pit confirms it."""
    command = CALLS[body.call](dealer.id)
    if isinstance(command, c.TakeTable):
        command = c.TakeTable(dealer.id, dealer.role is Role.PIT)
    return await _do(site, table, command, dealer, keyed)


@routes.post("/tables/{table}/hand-over")
async def hand_over(
    table: Table, body: DealerBody, site: TheSite, by: Dealer, keyed: Keyed
) -> DoneAtConsole:
    """Let the dealer who asked for the table have it: for the dealer who has it, or the pit."""
    command = c.HandOver(body.dealer, by.id, by.role is Role.PIT)
    return await _do(site, table, command, by, keyed)


@routes.delete("/tables/{table}/hand-over/{dealer}")
async def keep_table(
    table: Table, dealer: Asking, site: TheSite, by: Dealer, keyed: Keyed
) -> DoneAtConsole:
    """No hand-over: who asked takes it back, or who has the table or the pit refuses."""
    command = c.HandOver(dealer, by.id, by.role is Role.PIT, accept=False)
    return await _do(site, table, command, by, keyed)


@routes.post("/tables/{table}/cards")
async def card(
    table: Table, body: CardBody, site: TheSite, by: Teller, keyed: Keyed
) -> DoneAtConsole:
    """A card has left the shoe, as typed or scanned, and the hand it was put with. An electronic
    shoe tells it for whoever has the table."""
    dealer, device = by.id, by.role is Role.SHOE
    if device:
        site.plan(table).check_shoe(by)
        dealer = (await state_of(site, site.plan(table).id)).floor.dealer
        if not dealer:
            words = f"nobody has table {table}: a dealer takes it first, and the shoe tells cards"
            raise Refused(Code.NOT_THE_DEALER, words)
    command = c.PlaceCard(dealer, _scanned(body.card), body.hand, body.round, body.place, device)
    return await _do(site, table, command, by, keyed, sent=body.model_dump_json().encode())


@routes.post("/tables/{table}/cards/explanation")
async def explain(
    table: Table, body: ExplainBody, site: TheSite, dealer: Dealer, keyed: Keyed
) -> DoneAtConsole:
    """What the card was that a device told where none was due; the coup waits for it."""
    command = c.ExplainCard(dealer.id, _scanned(body.card), body.was)
    return await _do(site, table, command, dealer, keyed)


@routes.post("/tables/{table}/burns")
async def burn(
    table: Table, body: BurnBody, site: TheSite, dealer: Dealer, keyed: Keyed
) -> DoneAtConsole:
    """Burn what is due to be burned; the cards that were turned up, if any."""
    command = c.BurnByHand(dealer.id, _all_scanned(body.cards))
    return await _do(site, table, command, dealer, keyed)


@routes.post("/tables/{table}/rectification")
async def rectify(
    table: Table, body: DrawnBody, site: TheSite, dealer: Dealer, keyed: Keyed
) -> DoneAtConsole:
    """Put the coup right: the cards as they really left the shoe; none said, as they were told. A
    coup that is complete is changed when a member of the pit confirms it."""
    drawn = None if body.drawn is None else _all_scanned(body.drawn)
    command = c.RectifyCoup(dealer.id, drawn)
    return await _do(site, table, command, dealer, keyed, reason=body.reason)


@routes.post("/tables/{table}/rounds/{number}/rectification")
async def confirm_rectification(
    table: Table, number: Number, body: CardsBody, site: TheSite, by: Remedier, keyed: Keyed
) -> DoneAtConsole:
    """Confirm that a complete coup is changed to these cards. Not for who dealt it."""
    command = c.ConfirmRectification(number, by.id, _all_scanned(body.cards))
    return await _do(site, table, command, by, keyed)


@routes.delete("/tables/{table}/rounds/{number}/rectification")
async def leave_coup(
    table: Table, number: Number, site: TheSite, by: Dealer, keyed: Keyed
) -> DoneAtConsole:
    """Take back a proposal to change a complete coup: the dealer who has the table, or the pit."""
    dealer = by.role is not Role.PIT
    return await _do(site, table, c.WithdrawProposal(rectifying(number), by.id, dealer), by, keyed)


@routes.post("/tables/{table}/dummy")
async def call_off(
    table: Table, body: DummyBody, site: TheSite, dealer: Dealer, keyed: Keyed
) -> DoneAtConsole:
    """A dummy round: every stake goes back. Once a card of the coup is out, or above what one
    person may decide, the pit confirms it."""
    alone = site.service.house.decide_alone
    command = c.CallOff(dealer.id, body.round, body.reason, body.words, alone)
    return await _do(site, table, command, dealer, keyed, reason=body.words)


@routes.post("/tables/{table}/shoe", status_code=201)
async def begin_shoe(table: Table, site: TheSite, dealer: Dealer, keyed: Keyed) -> DoneAtConsole:
    """Begin a shoe of real cards."""
    command = c.BeginShoe(dealer.id, secrets.token_bytes(ID_SIZE))
    return await _do(site, table, command, dealer, keyed, sent=b"begin")


@routes.post("/tables/{table}/shoe/end")
async def close_shoe(
    table: Table, body: RestBody, site: TheSite, dealer: Dealer, keyed: Keyed
) -> DoneAtConsole:
    """Close a shoe; with all cards nobody has seen, where somebody looked, it is added up whole."""
    rest = None if body.rest is None else _all_scanned(body.rest.split())
    return await _do(site, table, c.CloseShoe(dealer.id, rest), dealer, keyed)


@routes.post("/tables/{table}/rounds/{number}/errors")
async def report(
    table: Table, number: Number, body: Reason, site: TheSite, by: Reporter, keyed: Keyed
) -> Done:
    """Report an error, until the first card of the next coup: the dealer, the pit, or a player."""
    command = c.ReportError(number, by.id, body.reason, staff=by.role is not Role.PLAYER)
    done = await site.do(_job(site, table, command, by, keyed))
    answer: Done = json.loads(done.answer)
    return answer


@routes.post("/tables/{table}/rounds/{number}/errors/dismissal")
async def dismiss(
    table: Table, number: Number, body: Dismissal, site: TheSite, by: Remedier, keyed: Keyed
) -> DoneAtConsole:
    """There was no error: say why. Not for who reported it, nor for who dealt the round alone."""
    command = c.DismissReport(number, by.id, body.reason, body.reports)
    return await _do(site, table, command, by, keyed)


@routes.put("/tables/{table}/rounds/{number}/errors")
async def remedy(
    table: Table, number: Number, body: CardsBody, site: TheSite, by: Remedier, keyed: Keyed
) -> DoneAtConsole:
    """Settle a round again, by the cards as they really left the shoe. Not for who reported it; for
    who dealt it, and above what one person may decide, two people do it."""
    alone = site.service.house.decide_alone
    command = c.RemedyError(number, by.id, _all_scanned(body.cards), alone)
    return await _do(site, table, command, by, keyed, reason=body.reason)


@routes.get("/tables/{table}/rounds/{number}/errors")
async def preview(
    table: Table, number: Number, cards: Told, site: TheSite, by: Remedier
) -> CorrectionSeen:
    """What settling a round again by these cards would move, for each player; nothing is done."""
    return await preview_of(site, table, number, cards, by.id)


@routes.delete("/tables/{table}/rounds/{number}/errors")
async def leave_undecided(
    table: Table, number: Number, site: TheSite, by: Remedier, keyed: Keyed
) -> DoneAtConsole:
    """Take back what was proposed about a reported error and waits for a second person."""
    return await _do(site, table, c.WithdrawProposal(correcting(number), by.id), by, keyed)


@routes.post("/tables/{table}/rounds/{number}/considered")
async def consider(
    table: Table, number: Number, body: Reason, site: TheSite, by: Remedier, keyed: Keyed
) -> DoneAtConsole:
    """Say why a round whose result is known cannot be rectified; then two people may cancel it."""
    return await _do(site, table, c.ConsiderRectification(number, by.id, body.reason), by, keyed)


async def preview_of(site: Site, table: str, number: int, cards: str, by: str) -> CorrectionSeen:
    """A correction before anybody confirms it: computed by what would settle it, from what everyone
    has at this moment."""
    stream, now = table_stream(site.plan(table).id), site.clock()
    command = c.RemedyError(
        number, by, _all_scanned(cards.split()), site.service.house.decide_alone
    )

    def asked(store: SqlStore) -> tuple[TableState, RoundCorrected]:
        state = store.state(stream)
        if state is None:
            raise Refused(Code.NO_SUCH_TABLE, f"{table} has not been opened yet: try again")
        past = state.floor.round(number)
        players = past.wagers if past else ()
        wallets = {one: Wallet(**balance_of(store, one)) for one in players}
        return state, correction_of(state, command, now, wallets)

    state, new = await site.service.world.keeper.read(asked)
    past = state.floor.round(number)
    before = {one.player: one.net for one in past.results} if past else {}
    moved = {one.player: one for one in new.corrections}
    return {
        "round": number,
        "coup": new.coup,
        "face": parse_coup(new.coup).face(),
        "excess": [str(card) for card in new.excess],
        "goes": new.goes,
        "takes_two": takes_two(state, new),
        "players": [
            {
                "player": one.player,
                "before": before[one.player],
                "after": one.net,
                "moves": moved[one.player].real + moved[one.player].bonus
                if one.player in moved
                else 0,
                "lost": _lost(moved.get(one.player)),
            }
            for one in new.results
        ],
        "lost": sum(map(_lost, new.corrections)),
    }


def _lost(one: Correction | None) -> int:
    """What a player was paid too much and no longer has."""
    return 0 if one is None else one.short + one.short_bonus


async def _do(
    site: Site,
    table: str,
    command: c.Command,
    by: Account,
    keyed: Any,
    *,
    sent: bytes | None = None,
    reason: str = "",
) -> DoneAtConsole:
    """What happened, and the console as it is now."""
    done = await site.do(_job(site, table, command, by, keyed, sent=sent, reason=reason))
    answer: Done = json.loads(done.answer)
    return {**answer, "console": await console_of(site, table, by)}


def _job(
    site: Site,
    table: str,
    command: c.Command,
    by: Account,
    keyed: Any,
    *,
    sent: bytes | None = None,
    reason: str = "",
) -> Job:
    name = site.plan(table).id
    body = f"{name} {type(command).__name__} ".encode() + (sent or c.encode(command))
    conduct, sender = site.service.house.conduct, keyed.sender(by, body, reason=reason)
    return jobs.at_table(name, command, site.clock, sender=sender, conduct=conduct)


async def console_of(site: Site, table: str, by: Account) -> ConsoleTold:
    """The console as this person sees it, with the dealer's name for people."""
    state = await state_of(site, table)
    if not state.by_hand:
        raise Refused(Code.WRONG_PHASE, f"{table} deals by itself: no dealer conducts it")
    dealer = await site.account(state.floor.dealer) if state.floor.dealer else None
    told = console(state, by.id)
    asking = [one["dealer"] for one in told["asked_for"]]
    names = {one: account.name for one in asking if (account := await site.account(one))}
    return {**told, "dealer_name": dealer.name if dealer else "", "names": names}


def _scanned(text: str) -> Card:
    try:
        return scan_card(text)
    except CardError as error:
        raise Refused(Code.WRONG_CARD, str(error)) from error


def _all_scanned(texts: Sequence[str]) -> tuple[Card, ...]:
    return tuple(_scanned(text) for text in texts)
