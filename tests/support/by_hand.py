"""A table of real cards for tests: a scripted dealer, simulated time, a whole house.

`HandTable` is the table alone; `HandHouse` keeps it in a real store, with players, money and the
independent auditor.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

import pytest
from sqlalchemy import Engine, create_engine, event
from sqlalchemy.pool import StaticPool

from baccarat.auditor import audit
from baccarat.core.cards import Card, parse_cards
from baccarat.core.misdeals import deal_correctly
from baccarat.core.tableau import Hand
from baccarat.core.wagers import Wager
from baccarat.house import jobs
from baccarat.house.money import cash
from baccarat.house.people.roles import Account, Role
from baccarat.house.ports import Done
from baccarat.shoe import Burn
from baccarat.shoe.commitment import Source
from baccarat.store import history
from baccarat.store import schema as s
from baccarat.store.sqlstore import SqlStore
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.manual.console import Reader, console
from baccarat.table.manual.console_forms import Console
from baccarat.table.manual.decisions import place_due
from baccarat.table.manual.options import Choice, choices
from baccarat.table.refusals import Refused
from baccarat.table.rules import game_of
from baccarat.table.settings import DummyRefund, Excess
from baccarat.table.state import TableState, apply
from baccarat.wording.catalogue import catalogue
from support.live import GROWN, decided, settings_for
from support.simulated_house import rows_of

DEALER = "dora"


def memory() -> Engine:
    """SQLite in memory: real constraints, no disk."""
    engine = create_engine(
        "sqlite://", poolclass=StaticPool, connect_args={"check_same_thread": False}
    )

    @event.listens_for(engine, "connect")
    def _(connection, __):
        connection.isolation_level = None
        connection.execute("PRAGMA foreign_keys=ON")

    @event.listens_for(engine, "begin")
    def _(connection):
        connection.exec_driver_sql("BEGIN")

    s.metadata.create_all(engine)
    return engine


EXCESS = (Excess.BURNED, Excess.RETURNED)
"""What happens to a card too many at a table."""
RECONSTRUCTS = "commission"
"""A card that declares reconstruction: a card too many can go back."""


def hand_settings(
    card: str = "",
    *,
    decks: int = 8,
    excess: Excess = Excess.BURNED,
    dummy: DummyRefund = DummyRefund.STAKES,
    burn: Burn = Burn.NONE,
    inspector: bool = False,
    deck_sets: bool = False,
    shuffler: bool = False,
):
    card = card or (RECONSTRUCTS if excess is Excess.RETURNED else "punto-banco")
    rules = {"excess": excess, "dummy": dummy, "inspector": inspector, "deck_sets": deck_sets}
    rules["shuffler"] = shuffler
    return settings_for(card, decks=decks, source=Source.CARDS, burn=burn, **rules)


@dataclass
class HandTable:
    """State and journal of one table."""

    settings: object = field(default_factory=hand_settings)
    now: int = 1_000_000
    state: TableState | None = None
    events: list[e.Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.do(c.OpenTable("hand", self.settings))
        self.do(c.TakeTable(DEALER))
        self.do(c.BeginShoe(DEALER, bytes(16)))

    def do(self, command: c.Command) -> tuple[e.Event, ...]:
        self.now += 1
        found = decided(self.state, command, self.now, self.events)
        for one in found:
            self.state = apply(self.state, one)
        self.events += found
        return found

    # ---- shortcuts for tests ----------------------------------------------------

    def hand_over(self, dealer: str) -> None:
        """Another dealer requests the table, and its dealer agrees."""
        self.do(c.TakeTable(dealer))
        self.do(c.HandOver(dealer, self.state.manual.dealer, pit=False))

    def cancel(self, reason: e.CancelReason, first: str = "pat") -> tuple[e.Event, ...]:
        """Cancel the round, with a second person (of the pit) if needed."""
        number = self.state.round.number
        found = self.do(c.CancelRound(number, reason, first))
        if isinstance(found[-1], e.ActionProposed):
            return self.do(c.CancelRound(number, reason, "pit"))
        return found

    def bets(self) -> None:
        """Call "place your bets" and "no more bets"."""
        self.do(c.CallBets(DEALER))
        self.do(c.CallNoMoreBets(DEALER))

    def card(self, card: Card | str, hand: Hand | None = None) -> tuple[e.Event, ...]:
        card = card if isinstance(card, Card) else parse_cards(card)[0]
        place = place_due(self.state)
        return self.do(c.PlaceCard(DEALER, card, hand, self.state.round.number, place))

    def deal(self, cards: str | Sequence[Card]) -> None:
        """Deal cards to the correct hands."""
        for card in parse_cards(cards) if isinstance(cards, str) else cards:
            self.card(card)

    def rectify(self, cards: str | Sequence[Card] | None = None) -> tuple[e.Event, ...]:
        reply = tuple(card for _, card in self.state.round.cards)
        drawn = parse_cards(cards) if isinstance(cards, str) else reply if cards is None else cards
        found = self.do(c.RectifyCoup(DEALER, tuple(drawn), "misread"))
        if isinstance(found[-1], e.ActionProposed):  # the coup is complete: the pit confirms it
            number = self.state.round.number
            return self.do(c.ConfirmRectification(number, "pit", tuple(drawn)))
        return found

    def end(self) -> tuple[e.Event, ...]:
        return self.do(c.AnnounceResult(DEALER))

    def end_if_over(self) -> bool:
        """Return whether the coup is complete: no more cards are due."""
        cards = [card for _, card in self.state.round.cards]
        return bool(cards) and deal_correctly(game_of(self.state.rules).tableau, cards).deal.over

    def pay(self) -> tuple[e.Event, ...]:
        return self.do(c.PayRound(DEALER))

    def round(self, cards: str | Sequence[Card]) -> e.RoundSettled:
        """Deal a whole round without errors."""
        self.bets()
        self.deal(cards)
        self.end()
        return self.pay()[0]


def refused(table: HandTable, command: c.Command) -> Refused:
    """Return why a command is refused; it must be refused and change nothing."""
    before = table.state
    with pytest.raises(Refused) as found:
        table.do(command)
    assert table.state is before or table.state == before
    return found.value


def console_of(state: TableState, account: str = DEALER, *, pit: bool = False) -> Console:
    return console(state, Reader(account, pit, catalogue()))


def choices_of(state: TableState) -> tuple[Choice, ...]:
    return choices(state, catalogue())


def flags(events) -> list[e.IrregularityFound]:
    return [event for event in events if isinstance(event, e.IrregularityFound)]


def perfect_coup(rules: str, cards: Sequence[Card]):
    return deal_correctly(game_of(rules).tableau, cards).deal.coup


class HandHouse(HandTable):
    """A table of real cards in a store, with players who have money."""

    def __init__(self, settings=None, players: Sequence[str] = ("ann", "bob"), money=100_000):
        self.engine = memory()
        self.store = SqlStore(self.engine)
        for name, role in (
            *((player, Role.PLAYER) for player in players),
            *((DEALER, Role.DEALER), ("till", Role.CASHIER)),
            *((name, Role.PIT) for name in ("pit", "pat", "the-pit", "dan-of-the-pit")),
        ):
            person = Account(name, role, name.title())
            self.commit(jobs.open_account(person, self.clock, born=GROWN))
        for player in players:
            self.commit(
                jobs.about_player(player, self.clock, partial(cash.pay_in, amount=money), by="till")
            )
        super().__init__(settings or hand_settings())

    def clock(self) -> int:
        return self.now

    def commit(self, job) -> Done:
        (result,) = self.store.commit([job])
        if isinstance(result, Exception):
            raise result
        return result

    def do(self, command: c.Command) -> tuple[e.Event, ...]:
        self.now += 1
        shoe = None
        if isinstance(command, c.OfDispute):
            shoe = history.shoe_around(self.store, "table:hand", command.round)
        done = self.commit(jobs.at_table("hand", command, self.clock, shoe=shoe))
        self.state = self.store.state("table:hand")
        bodies = self.store.entries("table:hand", after=done.first - 1)
        found = tuple(e.decode(one.body) for one in bodies)
        assert len(found) == len(done.events)
        self.events += found
        return found

    def wager(self, who: str, **stakes: int) -> None:
        wagers = tuple(Wager(bet, stake) for bet, stake in stakes.items())
        self.do(c.PlaceWagers(self.state.round.number, who, wagers))

    def has(self, player: str) -> int:
        return self.store.balance(f"player:{player}/real")

    def spend(self, player: str, coins: int) -> None:
        self.commit(
            jobs.about_player(player, self.clock, partial(cash.pay_out, amount=coins), by="till")
        )

    def audited(self) -> list[str]:
        """Return the auditor's findings, after checking that the ledger is balanced."""
        report = audit(rows_of(self.engine))
        assert sum(report.balances.values()) == 0
        return report.findings
