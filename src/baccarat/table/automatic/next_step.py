"""The next step at a table that a server deals, and when it is due.

The server that drives a table waits for that time and takes the step; `decide` refuses any other
step. So the pace of the game is defined in one place, and a whole house can run on simulated time.
Wagers affect the timing only where everyone with a bet can ask for the cards (`DealAsked`), and
where a player has time to turn a card (`CardOffered`).
"""

from dataclasses import dataclass

from baccarat.table import commands as c
from baccarat.table.automatic.squeeze import squeezer
from baccarat.table.four_eyes.proposals import find
from baccarat.table.four_eyes.subjects import Cancel
from baccarat.table.phases import Phase, ShoePhase
from baccarat.table.state import ShoeState, TableState


@dataclass(frozen=True)
class Step:
    """A command, and the time from which it is due."""

    command: type[c.ServerCommand]
    at: int


def next_step(state: TableState) -> Step | None:
    """Return the next step, or None if there is none.

    There is none if a human dealer runs the table, after an emergency stop, or while the table is
    paused between rounds and its shoe is not over.
    """
    clock, current = state.settings.clock, state.round
    if state.by_hand or state.frozen:
        return None
    match current.phase:
        case Phase.OPEN:
            return Step(c.CloseBetting, _closes_at(state))
        case Phase.CLOSED | Phase.DEALING:
            return _next_card(state)
        case Phase.DECIDED:
            return Step(c.SettleRound, max(current.moved_at + clock.card, held_until(state)))
    shoe = state.shoe
    if shoe is not None and shoe.progress.over:
        return Step(c.EndShoe, current.moved_at)
    if state.paused:
        return None
    if shoe is None:
        return Step(c.CommitShoe, current.moved_at)
    if shoe.phase is ShoePhase.IN_PLAY:
        pause = clock.pause if current.number else 0
        return Step(c.OpenRound, current.moved_at + pause)
    return _next_of_shoe(shoe)


def _closes_at(state: TableState) -> int:
    """Return when betting closes: earlier than planned if everyone with a bet asks for the cards.

    Even then, the next round does not open before the minimum time of a round is over (G11).
    """
    current, least = state.round, state.settings.deal_now
    if least is None or not current.all_ask:
        return current.closes_at
    soonest = current.moved_at + max(0, least - state.settings.clock.pause)
    return min(current.closes_at, soonest)


def _next_card(state: TableState) -> Step:
    """Return the step that deals the next card, or offers it to the player who may turn it."""
    current, held = state.round, held_until(state)
    if current.offered is not None:
        return Step(c.DealCard, max(current.offered.until, held))
    command = c.DealCard if squeezer(state) is None else c.OfferCard
    return Step(command, max(current.moved_at + state.settings.clock.card, held))


def held_until(state: TableState) -> int:
    """Return the time until which the round waits for its cancellation to be confirmed, or 0."""
    asked = find(state.proposals, Cancel(state.round.number))
    return state.round.held_until if asked else 0


def _next_of_shoe(shoe: ShoeState) -> Step:
    end, reveal_until = shoe.committed.contribute_until, shoe.committed.reveal_until
    if shoe.phase is ShoePhase.CONTRIBUTING:
        return Step(c.CloseContributions, end)
    if shoe.phase is ShoePhase.REVEALING:
        return Step(c.ReadyShoe, reveal_until if shoe.missing else end)
    return Step(c.BurnCards, 0)
