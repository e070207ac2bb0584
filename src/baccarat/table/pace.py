"""What comes next at a table, and when: the table's clock as a question.

In goes a state, out comes the step that is due and the time from which it is. The server that
drives a table waits for that time and takes the step; `decide` refuses any other. So the pace of
the game is written once, and a whole house can run on simulated time. The one rule: players never
move the clock.
"""

from dataclasses import dataclass
from enum import StrEnum

from baccarat.table.phases import Phase, ShoePhase
from baccarat.table.state import ShoeState, TableState
from baccarat.table.twopeople import cancelling


class Do(StrEnum):
    """A step of the game."""

    COMMIT_SHOE = "commit to a new shoe"
    CLOSE_CONTRIBUTIONS = "close contributions"
    READY_SHOE = "fix the order of dealing"
    BURN_CARDS = "burn cards"
    OPEN_ROUND = "open a round"
    CLOSE_BETTING = "close betting"
    DEAL_CARD = "deal a card"
    SETTLE_ROUND = "settle the round"
    END_SHOE = "end the shoe"


@dataclass(frozen=True)
class Step:
    """The step that is due, and from when."""

    do: Do
    at: int


def next_step(state: TableState) -> Step | None:
    """The next step, or None while a paused table rests, and where a dealer deals real cards."""
    clock, current = state.settings.clock, state.round
    if state.by_hand:
        return None
    match current.phase:
        case Phase.OPEN:
            return Step(Do.CLOSE_BETTING, current.closes_at)
        case Phase.CLOSED | Phase.DEALING:
            return Step(Do.DEAL_CARD, max(current.moved_at + clock.card, _held(state)))
        case Phase.DECIDED:
            return Step(Do.SETTLE_ROUND, max(current.moved_at + clock.card, _held(state)))
    shoe = state.shoe
    if shoe is not None and shoe.progress.over:
        return Step(Do.END_SHOE, current.moved_at)
    if state.paused:
        return None
    if shoe is None:
        return Step(Do.COMMIT_SHOE, current.moved_at)
    if shoe.phase is ShoePhase.IN_PLAY:
        pause = clock.pause if current.number else 0
        return Step(Do.OPEN_ROUND, current.moved_at + pause)
    return _next_of_shoe(shoe)


def _held(state: TableState) -> int:
    """Until when the round waits for the second person who cancels it; 0 when nobody is asked."""
    asked = cancelling(state.round.number) in state.proposals
    return state.round.held_until if asked else 0


def _next_of_shoe(shoe: ShoeState) -> Step:
    if shoe.phase is ShoePhase.CONTRIBUTING:
        return Step(Do.CLOSE_CONTRIBUTIONS, shoe.contribute_until)
    if shoe.phase is ShoePhase.REVEALING:
        return Step(Do.READY_SHOE, shoe.reveal_until if shoe.missing else shoe.contribute_until)
    return Step(Do.BURN_CARDS, 0)
