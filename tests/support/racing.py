"""Two servers on one store, concurrent requests, and invariants of the money afterwards.

`Race` deals rounds of real cards straight into the store and sends requests to the two servers over
HTTP. `between` lets something happen after a request has read and before it commits, which a busy
house does now and then and a test must do every time.
"""

import asyncio
import contextlib
import itertools
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import httpx

from baccarat.auditor import audit
from baccarat.core.cards import parse_cards
from baccarat.core.wagers import Wager
from baccarat.house import jobs
from baccarat.house.events import LinkReason
from baccarat.house.housefile import House
from baccarat.house.money import bonus, cash
from baccarat.house.people import partners
from baccarat.house.people.roles import Account, Role
from baccarat.house.ports import Job
from baccarat.house.safety.profiles import BonusRules, Conduct, load_profile
from baccarat.house.table_plans import TablePlan
from baccarat.store import history
from baccarat.store.sqlstore import SqlStore, system_clock
from baccarat.table import commands as c
from baccarat.table.disputes.case import case_of
from baccarat.table.disputes.replay import options, proposed
from baccarat.table.rules import rules_text
from baccarat.table.settings import Clock
from support.by_hand import DEALER, hand_settings
from support.live import settings_for
from support.served import Served, served
from support.simulated_house import rows_of

SMUDGED = str(Path(__file__).parents[2] / "examples/disputed/smudged.toml")
OPEN = Clock(betting=3_600_000, card=10, pause=10)
HAND, STREAM = "hand", "table:hand"


def race_house(alone: int, day_alone: int) -> House:
    """A table of real cards whose rules leave a question open, and tables where bets stay open."""
    rules = rules_text(SMUDGED, readings={"after-standing": "stands"})
    plans = [TablePlan(HAND, "Hand", replace(hand_settings(SMUDGED), rules=rules), guests=False)]
    open_long = settings_for("punto-banco", decks=8, clock=OPEN)
    plans += [TablePlan(name, name, open_long, guests=False) for name in ("a", "b")]
    chance = settings_for("double-chance", decks=8, clock=OPEN)
    plans.append(TablePlan("chance", "Chance", chance, guests=False))
    conduct = Conduct(load_profile("online"), bonus=BonusRules(most=10**9))
    limits = {"decide_alone": alone, "decide_day_alone": day_alone, "cash_day_alone": 10**9}
    return House("Races", "GBP", None, tuple(plans), conduct=conduct, **limits)


class Race:
    """Two servers, the people in the house, and the test's own connection to the store."""

    def __init__(self, one: Served, two: Served, store: SqlStore) -> None:
        self.one, self.two, self.store = one, two, store
        self.shoes = itertools.count(1)
        self.keys = itertools.count()
        self.names = itertools.count()

    # ---- the table of real cards -------------------------------------------------------------

    def do(self, *commands: c.Command) -> None:
        """Carry out commands at the table of real cards, in one commit."""
        for result in self.store.commit(
            [jobs.at_table(HAND, command, system_clock) for command in commands]
        ):
            if isinstance(result, Exception):
                raise result

    def shoe(self) -> None:
        """Start a new shoe of real cards."""
        state = self.store.state(STREAM)
        ends = [] if state.manual.shoe is None else [c.CloseShoe(DEALER)]
        taken = [] if state.manual.dealer == DEALER else [c.TakeTable(DEALER)]
        number = next(self.shoes).to_bytes(16)
        self.do(*taken, *ends, c.BeginShoe(DEALER, number))

    def round(self, cards: str, wagers: dict[str, Sequence[Wager]] | None = None) -> int:
        """Deal and settle a round."""
        number = self.store.state(STREAM).round.number + 1
        self.do(
            c.CallBets(DEALER),
            *(c.PlaceWagers(number, who, tuple(what)) for who, what in (wagers or {}).items()),
            c.CallNoMoreBets(DEALER),
            *(c.PlaceCard(DEALER, card) for card in parse_cards(cards)),
            c.AnnounceResult(DEALER),
            c.PayRound(DEALER),
        )
        return number

    def remedy(self, number: int, cards: str, *people: str) -> None:
        """Correct a round, with as many people as needed."""
        alone, drawn = self.one.service.house.decide_alone, parse_cards(cards)
        self.do(*(c.RemedyError(number, who, drawn, alone) for who in people))

    def best(self, number: int, player: str) -> tuple[int, int]:
        """Return what the player was paid for a round, and what the best open reading gives."""
        events = history.shoe_around(self.store, STREAM, number).events
        case = case_of(events, number, player)
        return case.result.net, proposed(options(case)).net

    # ---- requests ----------------------------------------------------------------------------

    def key(self) -> dict[str, str]:
        return {"Idempotency-Key": f"race-{next(self.keys)}"}

    def player(self, coins: int) -> tuple[str, httpx.Client]:
        """Open a new player's account and pay money in."""
        name = f"p{next(self.names)}"
        client = self.one.player(name)
        if coins:
            self.pay_in(name, coins)
        return name, client

    def pay_in(self, name: str, coins: int) -> None:
        self.commit(
            jobs.about_player(
                name, system_clock, partial(cash.pay_in, amount=coins), by="the-cashier"
            )
        )

    def grant(self, name: str, coins: int) -> None:
        """Grant bonus money on the house's own terms."""
        self.commit(
            jobs.about_player(name, system_clock, partial(bonus.grant, amount=coins), by="the-pit")
        )

    def link(self, *players: str) -> None:
        conduct, why = self.one.service.house.conduct, LinkReason.PIT
        words = "one purse"
        self.commit(
            jobs.about_players(
                players,
                system_clock,
                partial(partners.join, players=players, why=why, by="the-pit", words=words),
                conduct=conduct,
            )
        )

    def commit(self, job: Job) -> None:
        (done,) = self.store.commit([job])
        assert not isinstance(done, Exception), done

    def balance(self, player: str) -> int:
        return self.store.balance(f"player:{player}/real")

    def bonus(self, player: str) -> int:
        return self.store.balance(f"player:{player}/bonus")

    def at_once(self, *calls: Callable[[], Any]) -> list[Any]:
        """Call all of them at the same moment."""
        barrier = threading.Barrier(len(calls))

        def call(one: Callable[[], Any]) -> Any:
            barrier.wait()
            return one()

        with ThreadPoolExecutor(len(calls)) as pool:
            return list(pool.map(call, calls))

    @contextlib.contextmanager
    def between(self, server: Served, stream: str, what: Callable[[], Any]) -> Iterator[None]:
        """Let this happen after the next request of a server about a stream has read, before it
        commits."""
        keeper = server.service.environment.keeper
        plain, done, turn = keeper.commit, [], asyncio.Lock()

        async def commit(*given: Job) -> Any:
            need = given[0].need
            about = need.stream == stream and not need.lease
            if about and (":" in stream or need.people or need.safety):
                async with turn:  # the server's other commits there wait as well
                    if not done:
                        done.append(await asyncio.to_thread(what))
            return await plain(*given)

        keeper.commit = commit  # type: ignore[method-assign]
        try:
            yield
        finally:
            keeper.commit = plain  # type: ignore[method-assign]
        assert done, "nothing was committed"

    # ---- invariants --------------------------------------------------------------------------

    def check(self) -> None:
        """Check that coins are conserved, balances match postings, and the auditor agrees."""
        rows = rows_of(self.store.engine)
        posted: dict[str, int] = {}
        for _, _, _, account, amount in rows.postings:
            posted[account] = posted.get(account, 0) + amount
        balances = dict(self.store.balances())
        assert sum(balances.values()) == 0
        assert {k: v for k, v in balances.items() if v} == {k: v for k, v in posted.items() if v}
        assert audit(rows).findings == []


def code(answer: httpx.Response) -> str:
    """Return the problem's code, or an empty string."""
    return answer.json()["code"] if answer.is_error else ""


@contextlib.contextmanager
def racing(address: str, folder: Path, *, alone: int, day_alone: int = 10**9) -> Iterator[Race]:
    """Two servers of one house, where one person may decide hundreds of times a day."""
    house = race_house(alone, day_alone)
    store = SqlStore.open(address)
    with contextlib.closing(store):
        dealer = Account(DEALER, Role.DEALER, DEALER.title())
        store.commit([jobs.open_account(dealer, system_clock)])
        with (
            served(folder, address=address, house=house) as one,
            served(folder, address=address, house=house) as two,
        ):
            yield Race(one, two, store)
