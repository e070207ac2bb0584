"""Endpoints for dealers: the console of a table with real cards, and dealing errors.

A dealer at a keyboard and an electronic shoe that reports its cards use the same endpoints. Almost
every response contains the whole console, so the response to a card shows any error that the card
caused. Commands carry idempotency keys, so a card is not counted twice if a response is lost and
the command is sent again.
"""

import secrets
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Body, Depends, Path, Query

from baccarat.house import ports
from baccarat.house.people.roles import Account, Action, Role
from baccarat.house.table_plans import TablePlan
from baccarat.shoe.commitment import ID_SIZE
from baccarat.table import commands as c
from baccarat.table.events import ActionProposed
from baccarat.table.four_eyes.subjects import Cancel, Correct, Rectify
from baccarat.table.manual.console import CALLS
from baccarat.table.refusals import Code, Refused, check_words
from baccarat.web.schema import Done, Routes, filled
from baccarat.web.schema import requests as r
from baccarat.web.schema.staff import ConsoleView, CorrectionSeen, DoneAtConsole
from baccarat.web.server.site import (
    API,
    AtTable,
    Keyed,
    Needs,
    Number,
    TableRequest,
    from_request,
)
from baccarat.web.views.dealer import console_of, preview_of, scanned_card, scanned_cards

routes = Routes(prefix=API, tags=["dealing"])
Dealer = Annotated[Account, Depends(Needs(Action.DEAL))]
Teller = Annotated[Account, Depends(Needs(Action.TELL))]
Reporter = Annotated[Account, Depends(Needs(Action.REPORT))]
Remedier = Annotated[Account, Depends(Needs(Action.REMEDY))]
Asking = Annotated[
    str, Path(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$", description="the dealer who requests the table")
]
DrawnCards = Annotated[
    str,
    Query(min_length=2, max_length=200, description="cards in the order they left the shoe"),
]


@dataclass(frozen=True)
class _At(TableRequest):
    """The table that a command is sent to, and the command's idempotency key."""

    keyed: Keyed

    @property
    def plan(self) -> TablePlan:
        return self.site.plan(self.table)

    async def carry_out(
        self, command: c.Command, by: Account, *, sent: bytes | None = None, reason: str = ""
    ) -> ports.Done:
        body = f"{self.plan.id} {type(command).__name__} ".encode() + (sent or c.encode(command))
        sender = self.keyed.sender(by, body, reason=reason)
        return await self.do(command, sender=sender)

    async def act(self, command: c.Command, by: Account, **more: Any) -> DoneAtConsole:
        """Carry out a command, and return its events and the updated console."""
        done = await self.carry_out(command, by, **more)
        return {
            **filled(Done, done),
            "through": done.head.sequence,
            "waits_for_second": done.has(ActionProposed),
            "console": await console_of(self.site, self.plan.id, by, self.t),
        }


At = Annotated[_At, from_request(_At)]


@routes.get("/tables/{table}/console")
async def the_console(at: AtTable, by: Teller) -> ConsoleView:
    """Return the dealer's console: the next action, the totals, any errors, and the cards left."""
    at.site.plan(at.table).check_shoe(by)
    return await console_of(at.site, at.table, by, at.t)


@routes.post("/tables/{table}/calls")
async def call(body: r.Call, dealer: Dealer, at: At) -> DoneAtConsole:
    """Make a dealer's call, such as `no-more-bets`. If another dealer has the table, `take-table`
    only requests it, and that dealer or the pit must confirm. While more than half of the shoe is
    left, `cut-card` is refused unless `sure` is true."""
    command = CALLS[body.call](dealer.id)
    if isinstance(command, c.TakeTable):
        command = c.TakeTable(dealer.id, dealer.role is Role.PIT)
    elif isinstance(command, c.ShowCutCard):
        command = c.ShowCutCard(dealer.id, body.sure)
    return await at.act(command, dealer)


@routes.post("/tables/{table}/floor-call/answer")
async def answer_floor(body: r.Reason, by: Remedier, at: At) -> DoneAtConsole:
    """Answer the dealer's call for the floor, so that the game goes on. The dealer cannot do
    this."""
    return await at.act(c.AnswerFloor(by.id, body.reason, by.role is Role.PIT), by)


@routes.post("/tables/{table}/hand-over")
async def hand_over(body: r.DealerBody, by: Dealer, at: At) -> DoneAtConsole:
    """Hand the table over to the dealer who requested it. Only the current dealer and the pit can
    do this."""
    return await at.act(c.HandOver(body.dealer, by.id, by.role is Role.PIT), by)


@routes.delete("/tables/{table}/hand-over/{dealer}")
async def keep_table(dealer: Asking, by: Dealer, at: At) -> DoneAtConsole:
    """End a dealer's request to take over the table. The dealer who made the request can withdraw
    it, and the current dealer or the pit can refuse it."""
    return await at.act(c.HandOver(dealer, by.id, by.role is Role.PIT, accept=False), by)


@routes.post("/tables/{table}/cards")
async def card(body: r.CardBody, by: Teller, at: At) -> DoneAtConsole:
    """Record a card that left the shoe, as typed or scanned, and the hand it was dealt to. An
    electronic shoe reports cards on behalf of the current dealer."""
    dealer, device = by.id, by.role is Role.SHOE
    if device:
        at.plan.check_shoe(by)
        dealer = (await at.site.state(at.plan.id)).manual.dealer
        if not dealer:
            raise Refused(Code.NOT_THE_DEALER, "shoe-without-dealer", table=at.plan.id)
    card = scanned_card(body.card)
    return await at.act(
        c.PlaceCard(dealer, card, body.hand, body.round, body.place, body.after, device),
        by,
        sent=body.model_dump_json().encode(),
    )


@routes.post("/tables/{table}/cards/explanation")
async def explain(body: r.ExplainBody, dealer: Dealer, at: At) -> DoneAtConsole:
    """Explain a card that the electronic shoe reported out of turn, so that the coup can go on."""
    return await at.act(c.ExplainCard(dealer.id, scanned_card(body.card), body.was), dealer)


@routes.post("/tables/{table}/burns")
async def burn(body: r.BurnBody, dealer: Dealer, at: At) -> DoneAtConsole:
    """Burn the cards that are due to be burned. `cards` lists those turned face up."""
    return await at.act(c.BurnByHand(dealer.id, scanned_cards(body.cards)), dealer)


@routes.put("/tables/{table}/burns")
async def correct_burn(body: r.BurnAgainBody, by: Dealer, at: At) -> DoneAtConsole:
    """Correct the cards that were burned last. Once a card has followed, only a member of the pit
    who is not the dealer can do this."""
    pit, shown = by.role is Role.PIT, scanned_cards(body.cards)
    return await at.act(c.CorrectBurn(by.id, pit, body.reason, shown), by)


@routes.post("/tables/{table}/cut-card/undo")
async def undo_cut_card(body: r.Reason, by: Dealer, at: At) -> DoneAtConsole:
    """Record that the cut card has not come out. Once a coup has been completed since, only a
    member of the pit who is not the dealer can do this."""
    return await at.act(c.UndoCutCard(by.id, by.role is Role.PIT, body.reason), by)


@routes.post("/tables/{table}/rectification")
async def rectify(body: r.DrawnBody, dealer: Dealer, at: At) -> DoneAtConsole:
    """Rectify the coup. `drawn` lists the cards in the order they left the shoe; by default, the
    recorded order is used. A change to a complete coup takes effect only once a member of the pit
    confirms it."""
    drawn = None if body.drawn is None else scanned_cards(body.drawn)
    return await at.act(c.RectifyCoup(dealer.id, drawn, body.reason), dealer, reason=body.reason)


@routes.post("/tables/{table}/rounds/{number}/rectification")
async def confirm_rectification(
    number: Number, body: r.CardsBody, by: Remedier, at: At
) -> DoneAtConsole:
    """Confirm a proposed change to a complete coup, which then has these cards. The person who
    dealt the coup cannot do this."""
    return await at.act(c.ConfirmRectification(number, by.id, scanned_cards(body.cards)), by)


@routes.delete("/tables/{table}/rounds/{number}/rectification")
async def leave_coup(number: Number, by: Dealer, at: At) -> DoneAtConsole:
    """Withdraw a proposal to change a complete coup. Only the current dealer and the pit can do
    this."""
    dealer = by.role is not Role.PIT
    return await at.act(c.WithdrawProposal(Rectify(number), by.id, dealer), by)


@routes.post("/tables/{table}/dummy")
async def call_off(body: r.DummyBody, dealer: Dealer, at: At) -> DoneAtConsole:
    """Call a dummy round: every stake is returned. The pit must confirm it if a card of the coup
    may have been seen, or if the stakes exceed what one person may decide."""
    alone = at.site.house.decide_alone
    return await at.act(
        c.CallOff(dealer.id, body.round, body.reason, body.words, alone), dealer, reason=body.words
    )


@routes.delete("/tables/{table}/dummy/{number}")
async def keep_round(number: Number, by: Dealer, at: At) -> DoneAtConsole:
    """Withdraw your own proposal for a dummy round."""
    return await at.act(c.WithdrawProposal(Cancel(number), by.id, own=True), by)


@routes.post("/tables/{table}/shoe", status_code=201)
async def begin_shoe(
    dealer: Dealer, at: At, body: Annotated[r.ShoeBody, Body(default_factory=r.ShoeBody)]
) -> DoneAtConsole:
    """Begin a shoe of real cards. Where the house file says `deck_sets = true`, a deck set must
    have been counted and shuffled for this shoe."""
    shoe = secrets.token_bytes(ID_SIZE)
    command = c.BeginShoe(dealer.id, shoe, body.deck_set, body.cut_by)
    sent = f"begin {body.model_dump_json(exclude_defaults=True)}".encode()
    return await at.act(command, dealer, sent=sent)


@routes.post("/tables/{table}/shoe/end")
async def close_shoe(body: r.RestBody, dealer: Dealer, at: At) -> DoneAtConsole:
    """Close a shoe. If `rest` lists the cards that were never shown, the shoe is checked for
    completeness."""
    rest = None if body.rest is None else scanned_cards(body.rest.split())
    return await at.act(c.CloseShoe(dealer.id, rest), dealer)


@routes.post("/tables/{table}/rounds/{number}/errors")
async def report(number: Number, body: r.Reason, by: Reporter, at: At) -> Done:
    """Report an error in a round. Anyone at the table can do this, with or without a bet. A report
    keeps the round open to correction; it neither stops the game nor decides anything."""
    at.site.check_guest(at.plan.id, by)
    at.site.reports.use(by.id)
    command = c.ReportError(number, by.id, body.reason)
    return filled(Done, await at.carry_out(command, by))


@routes.post("/tables/{table}/rounds/{number}/errors/dismissal")
async def dismiss(number: Number, body: r.Dismissal, by: Remedier, at: At) -> DoneAtConsole:
    """Dismiss a reported error and give a reason. The person who reported the error cannot dismiss
    it. A second person must confirm if the first one dealt the round, opened the dealer's account
    or issued its password."""
    return await at.act(c.DismissReport(number, by.id, body.reason, body.reports), by)


@routes.put("/tables/{table}/rounds/{number}/errors")
async def remedy(number: Number, body: r.CardsBody, by: Remedier, at: At) -> DoneAtConsole:
    """Settle a round again with the cards in the order they left the shoe, and give a reason. A
    second person must confirm, but gives no reason. Neither of the two may have reported the
    error."""
    if at.keyed.confirming.proposal is None:
        check_words(body.reason)
    alone = at.site.house.decide_alone
    return await at.act(
        c.RemedyError(number, by.id, scanned_cards(body.cards), alone), by, reason=body.reason
    )


@routes.get("/tables/{table}/rounds/{number}/errors")
async def preview(at: AtTable, number: Number, cards: DrawnCards, by: Remedier) -> CorrectionSeen:
    """Preview what settling a round again with these cards would change for each player."""
    return await preview_of(at.site, at.table, number, cards, by.id, at.t)


@routes.delete("/tables/{table}/rounds/{number}/errors")
async def leave_undecided(number: Number, by: Remedier, at: At) -> DoneAtConsole:
    """Withdraw a proposal about a reported error that is waiting for a second person."""
    return await at.act(c.WithdrawProposal(Correct(number), by.id), by)


@routes.post("/tables/{table}/rounds/{number}/considered")
async def consider(number: Number, body: r.Reason, by: Remedier, at: At) -> DoneAtConsole:
    """Record why a round whose result is known cannot be rectified. Two people can then cancel the
    round."""
    return await at.act(c.ConsiderRectification(number, by.id, body.reason), by)
