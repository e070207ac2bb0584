"""Endpoints for dealers: the console of a table with real cards, and dealing errors.

A dealer at a keyboard and an electronic shoe that reports its cards use the same endpoints. Almost
every answer contains the whole console, so an error is shown with the card that caused it. Commands
carry idempotency keys, so no card is counted twice because an answer was lost.
"""

import secrets
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Path, Query

from baccarat.house import ports
from baccarat.house.housefile import TablePlan
from baccarat.house.people.roles import Account, Action, Role
from baccarat.shoe.commitment import ID_SIZE
from baccarat.table import commands as c
from baccarat.table.four_eyes.subjects import Cancel, Correct, Rectify
from baccarat.table.manual.console import CALLS
from baccarat.table.refusals import Code, Refused
from baccarat.web.api.tables import answer_of
from baccarat.web.schema import Done, Routes
from baccarat.web.schema import requests as r
from baccarat.web.schema.staff import ConsoleView, CorrectionSeen, DoneAtConsole
from baccarat.web.server.language import Words
from baccarat.web.server.site import API, Keyed, Needs, Number, Table, TheSite, from_request
from baccarat.web.views.dealer import console_of, preview_of, scanned_card, scanned_cards

routes = Routes(prefix=API, tags=["dealing"])
Dealer = Annotated[Account, Depends(Needs(Action.DEAL))]
Teller = Annotated[Account, Depends(Needs(Action.TELL))]
Reporter = Annotated[Account, Depends(Needs(Action.REPORT))]
Remedier = Annotated[Account, Depends(Needs(Action.REMEDY))]
Asking = Annotated[
    str, Path(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$", description="the dealer who asks for the table")
]
DrawnCards = Annotated[
    str,
    Query(min_length=2, max_length=200, description="cards in the order they left the shoe"),
]


@dataclass(frozen=True)
class _At:
    """The table that a command is sent to, and the command's idempotency key."""

    table: Table
    site: TheSite
    keyed: Keyed
    t: Words

    @property
    def plan(self) -> TablePlan:
        return self.site.plan(self.table)

    async def carry_out(
        self, command: c.Command, by: Account, *, sent: bytes | None = None, reason: str = ""
    ) -> ports.Done:
        body = f"{self.plan.id} {type(command).__name__} ".encode() + (sent or c.encode(command))
        sender = self.keyed.sender(by, body, reason=reason)
        return await self.site.do(self.site.at_table(self.plan.id, command, sender=sender))

    async def do(self, command: c.Command, by: Account, **more: Any) -> DoneAtConsole:
        """Carry out a command and return its events and the console as it is now."""
        done = await self.carry_out(command, by, **more)
        console = await console_of(self.site, self.plan.id, by, self.t)
        return {**answer_of(done), "through": done.head.sequence, "console": console}


At = Annotated[_At, from_request(_At)]


@routes.get("/tables/{table}/console")
async def the_console(table: Table, site: TheSite, by: Teller, t: Words) -> ConsoleView:
    """Return the dealer's console: what to do next, totals, errors, cards left."""
    site.plan(table).check_shoe(by)
    return await console_of(site, site.plan(table).id, by, t)


@routes.post("/tables/{table}/calls")
async def call(body: r.Call, dealer: Dealer, at: At) -> DoneAtConsole:
    """Make a call: take or leave the table, place your bets, no more bets, cut card, result, pay.
    If another dealer has the table, taking it only requests it; that dealer or the pit must
    confirm."""
    command = CALLS[body.call](dealer.id)
    if isinstance(command, c.TakeTable):
        command = c.TakeTable(dealer.id, dealer.role is Role.PIT)
    return await at.do(command, dealer)


@routes.post("/tables/{table}/hand-over")
async def hand_over(body: r.DealerBody, by: Dealer, at: At) -> DoneAtConsole:
    """Hand the table over to the dealer who asked for it. For the dealer who has it, or the pit."""
    return await at.do(c.HandOver(body.dealer, by.id, by.role is Role.PIT), by)


@routes.delete("/tables/{table}/hand-over/{dealer}")
async def keep_table(dealer: Asking, by: Dealer, at: At) -> DoneAtConsole:
    """End a request for the table: withdrawn by the dealer who asked, or refused by the dealer who
    has the table or by the pit."""
    return await at.do(c.HandOver(dealer, by.id, by.role is Role.PIT, accept=False), by)


@routes.post("/tables/{table}/cards")
async def card(body: r.CardBody, by: Teller, at: At) -> DoneAtConsole:
    """Record a card that left the shoe, as typed or scanned, and the hand it was dealt to. An
    electronic shoe reports it for the dealer who has the table."""
    dealer, device = by.id, by.role is Role.SHOE
    if device:
        at.plan.check_shoe(by)
        dealer = (await at.site.state(at.plan.id)).manual.dealer
        if not dealer:
            raise Refused(Code.NOT_THE_DEALER, "shoe-without-dealer", table=at.plan.id)
    card = scanned_card(body.card)
    return await at.do(
        c.PlaceCard(dealer, card, body.hand, body.round, body.place, body.after, device),
        by,
        sent=body.model_dump_json().encode(),
    )


@routes.post("/tables/{table}/cards/explanation")
async def explain(body: r.ExplainBody, dealer: Dealer, at: At) -> DoneAtConsole:
    """Explain a card that a device reported when none was due; the coup waits for this."""
    return await at.do(c.ExplainCard(dealer.id, scanned_card(body.card), body.was), dealer)


@routes.post("/tables/{table}/burns")
async def burn(body: r.BurnBody, dealer: Dealer, at: At) -> DoneAtConsole:
    """Burn the cards that are due to be burned; `cards` are those turned up, if any."""
    return await at.do(c.BurnByHand(dealer.id, scanned_cards(body.cards)), dealer)


@routes.post("/tables/{table}/rectification")
async def rectify(body: r.DrawnBody, dealer: Dealer, at: At) -> DoneAtConsole:
    """Rectify the coup with the cards as they really left the shoe; without `drawn`, as they were
    recorded. A complete coup is only changed once a member of the pit confirms it."""
    drawn = None if body.drawn is None else scanned_cards(body.drawn)
    return await at.do(c.RectifyCoup(dealer.id, drawn), dealer, reason=body.reason)


@routes.post("/tables/{table}/rounds/{number}/rectification")
async def confirm_rectification(
    number: Number, body: r.CardsBody, by: Remedier, at: At
) -> DoneAtConsole:
    """Confirm that a complete coup is changed to these cards. Not for the dealer who dealt it."""
    return await at.do(c.ConfirmRectification(number, by.id, scanned_cards(body.cards)), by)


@routes.delete("/tables/{table}/rounds/{number}/rectification")
async def leave_coup(number: Number, by: Dealer, at: At) -> DoneAtConsole:
    """Withdraw a proposal to change a complete coup. For the dealer who has the table, or the
    pit."""
    dealer = by.role is not Role.PIT
    return await at.do(c.WithdrawProposal(Rectify(number), by.id, dealer), by)


@routes.post("/tables/{table}/dummy")
async def call_off(body: r.DummyBody, dealer: Dealer, at: At) -> DoneAtConsole:
    """Call a dummy round: every stake is returned. Once a card of the coup is out, or above what
    one person may decide, the pit must confirm it."""
    alone = at.site.house.decide_alone
    return await at.do(
        c.CallOff(dealer.id, body.round, body.reason, body.words, alone), dealer, reason=body.words
    )


@routes.delete("/tables/{table}/dummy/{number}")
async def keep_round(number: Number, by: Dealer, at: At) -> DoneAtConsole:
    """Withdraw your own proposal for a dummy round."""
    return await at.do(c.WithdrawProposal(Cancel(number), by.id, own=True), by)


@routes.post("/tables/{table}/shoe", status_code=201)
async def begin_shoe(dealer: Dealer, at: At) -> DoneAtConsole:
    """Begin a shoe of real cards."""
    return await at.do(c.BeginShoe(dealer.id, secrets.token_bytes(ID_SIZE)), dealer, sent=b"begin")


@routes.post("/tables/{table}/shoe/end")
async def close_shoe(body: r.RestBody, dealer: Dealer, at: At) -> DoneAtConsole:
    """Close a shoe. If the cards that were never shown are given in `rest`, the whole shoe is
    checked for completeness."""
    rest = None if body.rest is None else scanned_cards(body.rest.split())
    return await at.do(c.CloseShoe(dealer.id, rest), dealer)


@routes.post("/tables/{table}/rounds/{number}/errors")
async def report(number: Number, body: r.Reason, by: Reporter, at: At) -> Done:
    """Report an error, before the first card of the next coup. For the dealer, the pit, or a
    player."""
    command = c.ReportError(number, by.id, body.reason, staff=by.role is not Role.PLAYER)
    return answer_of(await at.carry_out(command, by))


@routes.post("/tables/{table}/rounds/{number}/errors/dismissal")
async def dismiss(number: Number, body: r.Dismissal, by: Remedier, at: At) -> DoneAtConsole:
    """Dismiss a reported error, with a reason. Not for the person who reported it. If the person
    who dealt the round decides, this takes two people."""
    return await at.do(c.DismissReport(number, by.id, body.reason, body.reports), by)


@routes.put("/tables/{table}/rounds/{number}/errors")
async def remedy(number: Number, body: r.CardsBody, by: Remedier, at: At) -> DoneAtConsole:
    """Settle a round again by the cards as they really left the shoe. Not for the person who
    reported the error. If the person who dealt the round decides, or above what one person may
    decide, this takes two people."""
    alone = at.site.house.decide_alone
    return await at.do(
        c.RemedyError(number, by.id, scanned_cards(body.cards), alone), by, reason=body.reason
    )


@routes.get("/tables/{table}/rounds/{number}/errors")
async def preview(
    table: Table, number: Number, cards: DrawnCards, site: TheSite, by: Remedier, t: Words
) -> CorrectionSeen:
    """Return what settling a round again by these cards would change for each player, without doing
    it."""
    return await preview_of(site, table, number, cards, by.id, t)


@routes.delete("/tables/{table}/rounds/{number}/errors")
async def leave_undecided(number: Number, by: Remedier, at: At) -> DoneAtConsole:
    """Withdraw a proposal about a reported error that is waiting for a second person."""
    return await at.do(c.WithdrawProposal(Correct(number), by.id), by)


@routes.post("/tables/{table}/rounds/{number}/considered")
async def consider(number: Number, body: r.Reason, by: Remedier, at: At) -> DoneAtConsole:
    """State why a round whose result is known cannot be rectified; two people may then cancel
    it."""
    return await at.do(c.ConsiderRectification(number, by.id, body.reason), by)
