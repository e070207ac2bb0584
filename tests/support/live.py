"""A table driven by its own clock, for tests: the dealer's steps, simulated time, one seed."""

import random
from dataclasses import dataclass, field
from functools import partial

from baccarat.core.wagers import PlacedWagers
from baccarat.house.safety.periods import parse_date
from baccarat.shoe.commitment import SealedShoe
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.automatic.dealer import command_for, new_shoe
from baccarat.table.automatic.next_step import next_step
from baccarat.table.decide import decide
from baccarat.table.disputes.case import case_of
from baccarat.table.disputes.replay import Case
from baccarat.table.rules import rules_text
from baccarat.table.settings import Clock, Settings
from baccarat.table.state import TableState, apply, with_agreement
from baccarat.table.wagers import WagerTerms, accepted

EPOCH = 1
GROWN = parse_date("1930-01-01")
"""A date of birth old enough for every card, even in 1970."""
FAST = Clock(betting=10_000, card=1_000, pause=3_000)


def settings_for(card: str = "punto-banco", *, decks: int = 1, **other) -> Settings:
    parameters = {"decks": str(decks)}
    return Settings(rules=rules_text(card, parameters=parameters), **{"clock": FAST, **other})


def case_in(events: list[e.Event], command: c.OfDispute) -> Case:
    """Return the dispute case for a command, from the events so far."""
    return case_of(events, command.round, command.player)


def decided(
    state: TableState | None, command: c.Command, now: int, events: list[e.Event], bonus: int = 0
) -> tuple[e.Event, ...]:
    """Return the events of a command; wagers are checked by the table's rules only."""
    if not isinstance(command, c.PlaceWagers):
        return decide(state, command, now, partial(case_in, events, command))
    player, now = command.player, max(now, state.at)
    made = accepted(state, command, now)
    if made is not None:
        state = with_agreement(state, made)
    WagerTerms(state).check(command, now, state.round.wagers)
    agreed = state.agreed(player) if command.wagers else ()
    if PlacedWagers(command.wagers, agreed, bonus) == state.round.placed(player):
        return ()
    placed = e.WagersPlaced(now, command.round, player, command.wagers, agreed, bonus)
    return (placed,) if made is None else (made, placed)


@dataclass
class LiveTable:
    """State, journal and secret of one table."""

    settings: Settings
    seed: int = 0
    now: int = 1_000_000
    state: TableState | None = None
    events: list[e.Event] = field(default_factory=list)
    shoe: SealedShoe | None = None

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.do(c.OpenTable("test", self.settings))
        self.do(c.TakeLease(EPOCH, "here"))

    def do(self, command: c.Command, bonus: int = 0) -> tuple[e.Event, ...]:
        """Carry out a command, or raise Refused."""
        found = decided(self.state, command, self.now, self.events, bonus)
        for event in found:
            self.state = apply(self.state, event)
        self.events += found
        return found

    def step(self) -> tuple[e.Event, ...]:
        """Wait for the next step, and take it."""
        due = next_step(self.state)
        self.now = max(self.now, due.at)
        if due.command is c.CommitShoe:
            self.shoe = new_shoe(self.state.settings_due(self.now), self.random)
        return self.do(command_for(due, self.state, self.shoe, epoch=EPOCH))

    def until(self, kind: type[e.Event]) -> e.Event:
        """Take steps until an event of this type happens."""
        while True:
            for event in self.step():
                if isinstance(event, kind):
                    return event
