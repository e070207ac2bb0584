"""The table compared with a tiny model, under any sequence of commands at any time.

The model knows a round's phase, its deadline, who wagered what and what the core pays. After every
rule, the state is also what replaying the canonical bytes of all events gives.
"""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from baccarat import verifier
from baccarat.core.coup import parse_coup
from baccarat.core.settlement import settle
from baccarat.core.wagers import Wager, refusals
from baccarat.shoe.commitment import Source
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.automatic.next_step import next_step
from baccarat.table.automatic.shoe_document import shoe_document
from baccarat.table.refusals import Refused
from baccarat.table.rules import game_of
from baccarat.table.settings import StakeLimits
from baccarat.table.state import apply, restore, snapshot
from support.live import LiveTable, settings_for
from support.samples import amount

PLAYERS = ("ann", "bob", "cat")
SETTINGS = {  # tables that a server drives; those of real cards are in test_manual.py
    source: settings_for(source=source, limits=StakeLimits(coup_maximum=6000))
    for source in (Source.SHOE, Source.SHUFFLER)
}
GOOD = [
    *((), (Wager("player", 1000),), (Wager("banker", 2000),)),
    *((Wager("tie", 500), Wager("banker", 2020)), (Wager("player", 5000), Wager("tie", 1000))),
]
BAD = [
    *((Wager("player", 5000), Wager("tie", 1001)), (Wager("nothing", 1000),)),
    *((Wager("tie", 0),), (Wager("banker", 2010),), (Wager("player", 1000), Wager("banker", 1000))),
]
WAGERS = st.sampled_from(GOOD) | st.sampled_from(GOOD + BAD)


class TableMachine(RuleBasedStateMachine):
    """The real table, and a model of a round."""

    @initialize(source=st.sampled_from(list(SETTINGS)), seed=st.integers(0, 1000))
    def open_table(self, source: Source, seed: int) -> None:
        self.table = LiveTable(SETTINGS[source], seed)
        self.game = game_of(SETTINGS[source].rules)
        self.replayed, self.read = None, 0
        self.epoch, self.paused = 1, False
        self.round, self.phase, self.closes_at = 0, "none", 0
        self.wagers: dict[str, tuple[Wager, ...]] = {}
        self.proposed = (0, 0, "")
        """The round that a person proposes to cancel, and the person."""
        self.settled: set[int] = set()
        while self.phase != "open":
            self.take_the_step_that_is_due()

    @rule(player=st.sampled_from(PLAYERS), wagers=WAGERS, off=st.sampled_from([0, 0, 0, 1, -1]))
    def place_wagers(self, player: str, wagers: tuple[Wager, ...], off: int) -> None:
        number = self.round + off
        may = (
            off == 0
            and self.phase == "open"
            and not (self.paused and wagers)
            and self.table.now < self.closes_at
            and not refusals(self.game, wagers)
            and sum(wager.stake for wager in wagers) <= 6000
        )
        assert self.tell(c.PlaceWagers(number, player, wagers)) == may
        if may:
            self.wagers.pop(player, None)
            self.wagers |= {player: wagers} if wagers else {}

    @rule(ms=st.sampled_from([0, 1, 999, 1000, 5000, 60_000]))
    def wait(self, ms: int) -> None:
        self.table.now += ms

    @precondition(lambda self: self.phase == "open")
    @rule(off=st.sampled_from([-1, 0]), player=st.sampled_from(PLAYERS))
    def wager_at_the_last_moment(self, off: int, player: str) -> None:
        self.table.now = max(self.table.now, self.closes_at + off)
        self.place_wagers(player, GOOD[2], 0)

    @precondition(lambda self: next_step(self.table.state) is not None)
    @rule()
    def take_the_step_that_is_due(self) -> None:
        step = next_step(self.table.state)
        before = len(self.table.events)
        self.table.step()
        for event in self.table.events[before:]:
            self.follow(event)
        if step.command is c.EndShoe:
            self.check_shoe()

    @rule(by=st.sampled_from(["pit", "boss"]))
    def cancel(self, by: str) -> None:
        """Once a card is out, a second person must confirm, with the same cards."""
        out, cards = self.phase in ("dealing", "decided"), len(self.table.state.round.cards)
        waits = self.proposed if out else (0, 0, "")
        now = (self.round, cards)
        may = self.phase in ("open", "closed", "dealing", "decided") and waits != (*now, by)
        assert self.tell(c.CancelRound(self.round, e.CancelReason.OTHER, by)) == may
        if may and out and waits[:2] != now:
            self.proposed = (*now, by)
        elif may:
            returned = {r.player: r.returned for r in self.table.events[-1].results}
            assert returned == {p: sum(w.stake for w in ws) for p, ws in self.wagers.items()}
            self.phase, self.wagers = "cancelled", {}

    @rule(pause=st.booleans())
    def pause_or_resume(self, pause: bool) -> None:
        assert self.tell(c.PauseTable("pit", "") if pause else c.ResumeTable("pit"))
        self.paused = pause

    @rule()
    def commands_out_of_their_turn_are_refused(self) -> None:
        step = next_step(self.table.state)
        for command in (c.OpenRound, c.CloseBetting, c.SettleRound):
            if step is None or step.command is not command:
                assert not self.tell(command(1))

    def tell(self, command: c.Command) -> bool:
        try:
            self.table.do(command)
        except Refused:
            return False
        return True

    def follow(self, event: e.Event) -> None:
        """Apply an event to the model."""
        match event:
            case e.RoundOpened():
                assert self.phase in ("none", "settled", "cancelled")
                assert not self.paused
                self.round, self.phase, self.wagers = event.round, "open", {}
                self.closes_at = event.closes_at
            case e.BettingClosed():
                assert event.at >= self.closes_at
                self.phase = "closed"
            case e.CardDealt():
                assert self.phase in ("closed", "dealing")
                self.phase = "dealing"
            case e.CoupDecided():
                self.phase, self.coup = "decided", parse_coup(event.coup)
            case e.RoundSettled():
                assert event.round not in self.settled
                self.settled.add(event.round)
                self.phase = "settled"
                assert {r.player: r.returned for r in event.results} == {
                    player: sum(one.returned for one in settle(self.game, self.coup, wagers))
                    for player, wagers in self.wagers.items()
                }

    def check_shoe(self) -> None:
        document = shoe_document(self.table.events, self.table.shoe.terms.shoe)
        assert verifier.verify(document).faults == []

    @invariant()
    def the_model_agrees(self) -> None:
        state = self.table.state
        assert (state.round.number, state.round.phase) == (self.round, self.phase)
        assert state.paused == self.paused
        if self.phase in ("open", "closed", "dealing", "decided"):
            assert {p: one.wagers for p, one in state.round.wagers.items()} == self.wagers

    @invariant()
    def replaying_the_events_gives_the_state(self) -> None:
        for event in self.table.events[self.read :]:
            self.replayed = apply(self.replayed, e.decode(e.encode(event)))
        self.read = len(self.table.events)
        assert self.replayed == self.table.state
        assert self.replayed.sequence == self.read

    def teardown(self) -> None:
        if hasattr(self, "table"):
            assert restore(snapshot(self.table.state)) == self.table.state


TestTable = TableMachine.TestCase
TestTable.settings = settings(max_examples=amount("TABLES"), stateful_step_count=60, deadline=None)
