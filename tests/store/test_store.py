"""The store on SQLite and PostgreSQL: everything acknowledged is stored exactly once."""

import asyncio
import contextlib
import json
import sqlite3
import threading
from collections import Counter, defaultdict
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial, reduce
from operator import attrgetter

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import CheckConstraint, create_engine, event, insert, inspect, text, update
from sqlalchemy.exc import IntegrityError, OperationalError

from baccarat.auditor import audit, read_store
from baccarat.auditor.rows import SCHEMA, Unreadable
from baccarat.core.errors import BaccaratError
from baccarat.core.text import Coins
from baccarat.core.wagers import Wager
from baccarat.house import house_jobs, jobs, leases
from baccarat.house.events import (
    OPERATOR,
    AccountClosed,
    HouseOpened,
    MoneyPaidOut,
    SignedOut,
    decode,
)
from baccarat.house.money import bonus, cash
from baccarat.house.money.ledger import Kind, LedgerError, Posting, Transaction
from baccarat.house.outcomes import Lease, Outcome
from baccarat.house.people import accounts, sign_ins
from baccarat.house.people.roles import Account, Role
from baccarat.house.ports import Done, Job, Key, Need, Result
from baccarat.house.safety.periods import DAY, UTC_DAY
from baccarat.house.safety.profiles import BonusRules, Breach, default_conduct
from baccarat.service.results import TodaysResults
from baccarat.shoe.commitment import Hex
from baccarat.store import bookings, history
from baccarat.store import schema as s
from baccarat.store.backup import back_up
from baccarat.store.commit import SNAPSHOT_EVERY
from baccarat.store.engine import StoreError, driver_address, open_engine
from baccarat.store.entries import NOT_INDEXED
from baccarat.store.notifications import listening, notified
from baccarat.store.side_tables import FORGET_SERVER
from baccarat.store.sqlstore import SqlStore, ThreadedStore
from baccarat.store.vault import Vault, VaultError, key_from_file
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.journal import Entry, JournalBroken
from baccarat.table.refusals import Code, Message, Refused
from baccarat.table.rules import rules_hash
from baccarat.table.settings import StakeLimits
from baccarat.table.state import apply
from support.chained import check
from support.dealt_shoes import sealed
from support.live import settings_for
from support.stores import TERM, Evening, allow_any_block, new_database


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request, tmp_path):
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/house.db"
    return new_database(request.getfixturevalue("server"))


@pytest.fixture
def store(address):
    opened = SqlStore.open(address)
    yield opened
    opened.close()


@pytest.fixture
def other(store, address):
    """A second server on the same database."""
    opened = SqlStore.open(address)
    yield opened
    opened.close()


def sums(store: SqlStore) -> Counter:
    """Return balances computed from the postings alone."""
    found: Counter[str] = Counter()
    with store.engine.connect() as connection:
        for row in connection.execute(s.postings.select()):
            found[row.account] += row.amount
    return found


def check_house(store: SqlStore) -> None:
    """Check the invariants, using only the rows."""
    balances = Counter(dict(store.balances()))
    assert sum(balances.values()) == 0
    assert {k: v for k, v in sums(store).items() if v} == {k: v for k, v in balances.items() if v}
    for head in store.heads():
        entries = store.entries(head.stream, limit=10**6)
        assert check(head.stream, entries, [head]) == []
        assert len(entries) == head.sequence
        if head.stream.startswith("table:"):
            state = reduce(apply, [e.decode(entry.body) for entry in entries], None)
            assert state == store.state(head.stream)
            staked = sum(wager.staked for wager in state.round.wagers.values())
            kinds = ("stakes", "bonus-stakes", "play-stakes")
            held = sum(balances[f"{head.stream}/{kind}"] for kind in kinds)
            assert held == (0 if state.round.phase.resting else staked)


# ---- an evening -------------------------------------------------------------------------------


def test_an_evening_is_stored_to_the_coin(store, address):
    evening = Evening(store).open(ann=50_000, bob=20_000)
    evening.do(evening.about("bob", partial(bonus.grant, amount=3_000), by="pit"))
    guest = Account("guest-1", Role.PLAYER, "Guest", guest=True)
    evening.do(jobs.open_account(guest, evening.clock))
    evening.do(evening.about("guest-1", partial(cash.give_play_money, amount=2_000)))
    for _ in range(4):
        evening.until("open")
        evening.do(evening.wager("ann", ("banker", 2000), ("tie", 500)))
        evening.do(evening.wager("bob", ("player", 1000)))
        evening.do(evening.wager("guest-1", ("player", 500)))
        evening.do(evening.wager("ann", ("banker", 4000)))
        check_house(store)
        evening.until("settled")
        check_house(store)
    again = SqlStore.open(address)
    assert again.state("table:one") == evening.state
    assert again.heads() == store.heads()
    again.close()


def test_a_new_server_finishes_the_round_of_a_dead_server(store, other):
    first = Evening(store).open(ann=50_000)
    first.until("open")
    first.do(first.wager("ann", ("player", 2000)))
    first.until("dealing")
    first.do(leases.renew("one", 1, first.clock, term=TERM))
    second = Evening(other, table="one")
    second.now = first.now
    held = first.store.leases()["table:one"]
    assert (held.epoch, held.holder) == (1, "here")
    with pytest.raises(Refused) as refused:
        second.lease("there")
    assert refused.value.code is Code.NOT_ALLOWED
    second.now += TERM
    second.lease("there").until("settled")
    check_house(other)
    first.now = second.now
    with pytest.raises(Refused) as refused:
        first.do(leases.renew("one", 1, first.clock, term=TERM))
    assert refused.value.code is Code.STALE_EPOCH
    with pytest.raises(Refused) as refused:
        first.do(first.job(c.OpenRound(1)))
    assert refused.value.code is Code.STALE_EPOCH


def test_a_lease_is_renewed_and_released(store):
    evening = Evening(store).open()
    evening.now += TERM - 1
    evening.do(leases.renew("one", 1, evening.clock, term=TERM))
    assert store.leases()["table:one"] == Lease(1, "here", evening.now + TERM)
    evening.do(leases.renew("one", 1, evening.clock, term=0))
    assert store.leases()["table:one"] == Lease(1, "", evening.now)
    assert evening.lease("there").epoch == 2


def test_servers_register_and_expire(store):
    evening = Evening(store)
    for name, term in (("a", TERM), ("b", TERM), ("b", 0)):
        evening.do(leases.heartbeat(name, evening.clock, term=term))
    assert store.servers() == {"a": evening.now + TERM, "b": evening.now}
    evening.now += FORGET_SERVER + 2 * TERM
    evening.do(leases.heartbeat("c", evening.clock, term=TERM))
    assert store.servers() == {"c": evening.now + TERM}


# ---- groups -----------------------------------------------------------------------------------


def commits(store: SqlStore) -> list[int]:
    """Count commits from now on."""
    found: list[int] = []
    event.listen(store.engine, "commit", lambda _: found.append(1))
    return found


def test_many_commands_share_one_commit_and_succeed_or_fail_separately(store):
    evening = Evening(store).open(ann=50_000, bob=20_000)
    evening.until("open")
    wagers = [
        evening.wager("ann", ("player", 2000)),
        evening.wager("bob", ("nothing", 2000)),
        evening.wager("ann", ("player", 60_000)),
        evening.wager("ann", ("banker", 4000)),
        evening.wager("bob", ("player", 20_000)),
        evening.wager("bob", ("player", 20_000), ("tie", 500)),
    ]
    count = commits(store)
    results = store.commit(wagers)
    assert len(count) == 1
    assert [type(result) for result in results] == [Done, Refused, Refused, Done, Done, Refused]
    codes = [result.code for result in results if isinstance(result, Refused)]
    assert codes == [Code.NO_SUCH_BET, Code.INSUFFICIENT_FUNDS, Code.INSUFFICIENT_FUNDS]
    heads = [result.head.sequence for result in results if isinstance(result, Done)]
    assert heads == list(range(heads[0], heads[0] + 3))
    assert store.balance("player:ann/real") == 46_000
    assert store.balance("player:bob/real") == 0
    check_house(store)
    assert store.commit([]) == []


def test_a_group_refunds_stakes_of_an_earlier_commit_in_one_commit(store):
    """Stakes from an earlier commit are returned in a group that has only seen smaller stakes."""
    evening = Evening(store).open(ann=50_000, bob=20_000)
    evening.until("open")
    evening.do(evening.wager("bob", ("player", 5000)))
    wagers = [evening.wager("ann", ("player", 1000)), evening.wager("bob")]
    count = commits(store)
    assert [type(result) for result in store.commit(wagers)] == [Done, Done]
    assert len(count) == 1
    check_house(store)


def poison(evening: Evening) -> Job:
    """Return a faulty job that takes coins from a wallet it did not read."""
    postings = (Posting("house/cash", 10**6), Posting("player:bob/real", -(10**6)))

    def work(view):
        sequence = view.head.sequence + 1
        moved = Transaction("house", sequence, Kind.PAY_OUT, "bob", postings)
        happened = MoneyPaidOut(evening.now, "bob", 10**6, "till", None, "", 0, None)
        return Outcome((happened,), (moved,))

    return Job(Need("house"), work)


def test_a_failing_group_is_split_until_the_faulty_job_is_isolated(store):
    evening = Evening(store).open(ann=50_000, bob=20_000)
    evening.until("open")
    results = store.commit(
        [
            evening.wager("ann", ("player", 2000), key="a"),
            poison(evening),
            evening.wager("bob", ("player", 1000), key="b"),
        ]
    )
    assert [type(result) for result in results] == [Done, StoreError, Done]
    assert "retry with the same key" in str(results[1])
    assert store.balance("player:bob/real") == 19_000
    check_house(store)


def test_one_faulty_job_among_many_costs_few_commits(store):
    evening = Evening(store).open(ann=50_000, bob=20_000)
    evening.until("open")
    wagers = [evening.wager("ann", ("player", 500 * (1 + n % 2)), key=str(n)) for n in range(63)]
    count = commits(store)
    results = store.commit([*wagers[:40], poison(evening), *wagers[40:]])
    assert [type(result) for result in results] == [Done] * 40 + [StoreError] + [Done] * 23
    assert len(count) == 6, "the other half of 64, 32, 16, 8, 4 and 2"
    check_house(store)


def fail_at(monkeypatch, moment: str, times: int) -> list[int]:
    """Let the next commits fail at this moment; count all attempts."""
    real, tried = SqlStore._transaction, []

    @contextmanager
    def failing(self):
        tried.append(1)
        fails = len(tried) <= times
        gone = OperationalError("", {}, Exception("the server went away"))
        if fails and moment == "beginning":
            raise gone
        with real(self) as connection:
            yield connection
        if fails and moment == "answering":
            raise gone

    monkeypatch.setattr(SqlStore, "_transaction", failing)
    return tried


def test_an_unavailable_database_is_tried_once_for_the_whole_group(store, monkeypatch):
    evening = Evening(store).open(ann=50_000)
    evening.until("open")
    wagers = [evening.wager("ann", ("player", 500 * n), key=str(n)) for n in range(1, 9)]
    tried = fail_at(monkeypatch, "beginning", times=1)
    results = store.commit(wagers)
    assert [type(result) for result in results] == [StoreError] * 8
    assert len(tried) == 1
    assert [type(result) for result in store.commit(wagers)] == [Done] * 8
    check_house(store)


def test_a_command_without_a_key_is_repeated_at_most_once(store, monkeypatch):
    """Even if answers are lost repeatedly: without a key, a repeat cannot be recognised."""
    evening = Evening(store).open(ann=1_000)
    fail_at(monkeypatch, "answering", times=3)
    store.commit(
        [evening.about("ann", partial(cash.pay_in, amount=1), by="till") for _ in range(8)]
    )
    assert store.balance("player:ann/real") == 1_016
    check_house(store)


def test_a_job_that_raises_does_not_affect_others(store):
    evening = Evening(store).open(ann=50_000)
    evening.until("open")

    def broken(view):
        raise ZeroDivisionError

    results = store.commit([Job(Need("house"), broken), evening.wager("ann", ("player", 2000))])
    assert [type(result) for result in results] == [ZeroDivisionError, Done]
    check_house(store)


def test_a_job_cannot_overdraw_what_it_has_read(store):
    evening = Evening(store).open(ann=50_000, bob=20_000)
    careless = poison(evening)
    seen = Job(Need("house", wallets=("bob",)), careless.work)
    (result,) = store.commit([seen])
    assert isinstance(result, LedgerError)
    assert "must not go below 0" in str(result)
    check_house(store)


# ---- keys -------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("events", [0, 1, 3])
@pytest.mark.parametrize(
    "warnings", [(), (Message("warning-loss", {"used": Coins(5), "period": "“day”", "n": 1}),)]
)
def test_a_repeated_command_gets_exactly_the_same_answer(store, other, first, events, warnings):
    """The journal has its events; warnings are kept with the key."""
    if not first:
        store.commit([house_jobs.open_house("The house", "GBP", lambda: 1)])
    signed_out = tuple(SignedOut(1, "ann", f"{n}") for n in range(events))
    outcome = Outcome(signed_out, warnings=warnings)
    job = Job(Need("house"), lambda _: outcome, Key("ann", "k"), b"out")
    (done,) = store.commit([job])
    store.commit([sign_ins.signed_out("bob", "x", lambda: 2)])
    assert done[:2] == (signed_out, 2 - first)
    assert done.warnings == warnings
    assert done.head.sequence == events + 1 - first
    for asked in (store, other):
        assert asked.commit([job]) == [done._replace(repeated=True)]
    assert store.head("house").sequence == events + 2 - first


def test_a_repeated_command_is_answered_again_without_effect(store, other):
    evening = Evening(store).open(ann=50_000)
    evening.until("open")
    first = evening.do(evening.wager("ann", ("player", 2000), key="k"))
    before = store.heads()
    evening.do(evening.wager("ann", ("player", 3000)))
    again = evening.do(evening.wager("ann", ("player", 2000), key="k"))
    assert again == first._replace(repeated=True)
    elsewhere = Evening(other)
    elsewhere.now = evening.now
    assert elsewhere.do(elsewhere.wager("ann", ("player", 2000), key="k")).repeated
    assert store.balance("player:ann/real") == 47_000
    with pytest.raises(Refused) as refused:
        evening.do(evening.wager("ann", ("player", 9000), key="k"))
    assert refused.value.code is Code.KEY_REUSED
    assert store.heads() != before
    twice = [evening.wager("ann", ("player", 5000), key="m") for _ in range(2)]
    one, two = store.commit(twice)
    assert (one.repeated, two.repeated) == (False, True)
    assert two == one._replace(repeated=True)
    other_body = evening.wager("ann", ("player", 6000), key="n")
    results = store.commit([evening.wager("ann", ("player", 5500), key="n"), other_body])
    assert results[1].code is Code.KEY_REUSED
    check_house(store)


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_commit_whose_answer_was_lost_is_recognised_by_its_keys(store, monkeypatch, moment):
    """The database fails before the commit, or after it but before the answer."""
    evening = Evening(store).open(ann=50_000, bob=20_000)
    evening.until("open")
    real, failures = SqlStore._transaction, [True]

    @contextmanager
    def failing(self):
        fail = failures and failures.pop()
        with real(self) as connection:
            yield connection
            if fail and moment == "before":
                raise OperationalError("COMMIT", {}, Exception("the server went away"))
        if fail:
            raise OperationalError("COMMIT", {}, Exception("the server went away"))

    monkeypatch.setattr(SqlStore, "_transaction", failing)
    wagers = [
        evening.wager("ann", ("player", 2000), key="a"),
        evening.wager("bob", ("player", 1000), key="b"),
    ]
    results = store.commit(wagers)
    assert [result.repeated for result in results] == [moment == "after"] * 2
    assert store.balance("player:ann/real") == 48_000
    check_house(store)
    failures.append(True)
    (alone,) = store.commit([evening.wager("ann", ("player", 3000), key="c")])
    assert isinstance(alone, StoreError)
    done = evening.do(evening.wager("ann", ("player", 3000), key="c"))
    assert done.repeated == (moment == "after")
    assert store.balance("player:ann/real") == 47_000
    check_house(store)


# ---- database constraints ---------------------------------------------------------------------


@pytest.mark.requirement("R37")
def test_r37_flagged_wagers_in_a_group_commit_have_the_right_sequence_numbers(store):
    """One command causes two events: all later sequence numbers agree with the journal."""
    conduct = replace(default_conduct(), bonus=BonusRules(breach=Breach.FLAG))
    settings = settings_for("commission", decks=8, limits=StakeLimits(seats=2))
    evening = Evening(store, settings).open(ann=1_000, bob=50_000, cat=50_000)
    evening.do(evening.about("ann", partial(bonus.grant, amount=30_000), by="pit", conduct=conduct))
    evening.until("open")
    both, one = (("player", 5_000), ("banker", 5_000)), (("player", 500),)
    sets = [("ann", both), ("bob", one), ("cat", one), ("ann", one), ("cat", one), ("bob", ())]

    def job(player, wagers):
        placed = tuple(Wager(*wager) for wager in wagers)
        command = c.PlaceWagers(evening.state.round.number, player, placed)
        return evening.job(command, conduct=conduct)

    before = store.head("table:one").sequence
    *done, refused, last = store.commit([job(*one) for one in sets])
    assert isinstance(refused, Refused)
    assert done.pop(2).code is refused.code is Code.NO_SEAT
    assert [one.first - before for one in (*done, last)] == [1, 3, 4, 5]
    assert [one.head.sequence - before for one in (*done, last)] == [2, 3, 4, 5]
    assert done[0].warnings
    assert not done[0].has(e.BonusBreachFlagged)  # for the pit
    kinds = [json.loads(entry.body)["type"] for entry in store.entries("table:one", after=before)]
    assert kinds == ["WagersPlaced", "BonusBreachFlagged", *["WagersPlaced"] * 3]
    assert store.balance("player:bob/real") == 50_000
    assert store.balance("player:ann/real") == 500
    assert evening.state.round.wagers.keys() == {"ann"}
    check_house(store)


def test_an_entry_has_the_columns_of_the_journal():
    assert Entry._fields == tuple(s.journal.columns.keys())


@pytest.mark.requirement("G02")
def test_database_constraints_reject_invalid_rows(store):
    evening = Evening(store).open(ann=50_000)
    evening.until("open")
    entry = store.entries("table:one")[0]
    (paid_in,) = (one.sequence for one in store.entries("house") if b"MoneyPaidIn" in one.body)
    booked = {"stream": "house", "block": 0, "player": "ann", "kind": "pay-in"}
    posting = {**booked, "account": "player:ann/real", "amount": 5}
    del posting["kind"]
    forbidden = [
        update(s.balances).where(s.balances.c.account == "player:ann/real").values(balance=-1),
        insert(s.balances).values(account="table:one/stakes", balance=-1),
        insert(s.journal).values(**entry._asdict()),
        insert(s.journal).values(**{**entry._asdict(), "sequence": 0}),
        insert(s.transactions).values(**booked, sequence=99),
        insert(s.transactions).values(**booked, sequence=paid_in),
        insert(s.transactions).values(**{**booked, "block": 1}, sequence=1),
        insert(s.postings).values(**posting, sequence=99),
        insert(s.postings).values(**{**posting, "amount": 0, "account": "x"}, sequence=paid_in),
        insert(s.people).values(id="ann", role="player", name="Ann", guest=False),
    ]
    for statement in forbidden:
        with pytest.raises(IntegrityError), store.engine.begin() as connection:
            connection.execute(statement)
    allowed = insert(s.balances).values(account="house/errors", balance=-1)
    with store.engine.begin() as connection:
        connection.execute(allowed)


def test_the_migrations_create_the_schema(store):
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), s.metadata) == []
        inspector = inspect(connection)
        for table in s.metadata.tables.values():
            found = inspector.get_pk_constraint(table.name)["constrained_columns"]
            assert found == [column.name for column in table.primary_key], table.name
            checks = {check["name"] for check in inspector.get_check_constraints(table.name)}
            assert checks == {
                check.name for check in table.constraints if isinstance(check, CheckConstraint)
            }
        if store.engine.dialect.name == "sqlite":
            made = text("SELECT name FROM sqlite_master WHERE sql LIKE '%WITHOUT ROWID%'")
            reply = [
                one.name for one in s.metadata.sorted_tables if not one.kwargs["sqlite_with_rowid"]
            ]
            assert sorted(connection.execute(made).scalars()) == sorted(reply)


SMALL = {"heads", "leases", "servers", "wanted", "CONSTANT"}
"""Tables that may be scanned: their size is that of the house's tables or of the request."""


BY_KEY = {"transactions": "(stream=? AND block=? AND player=?", "postings": "sequence=?"}
"""Columns that a search must name, or it reads everyone's data."""


def looks_through(step: str) -> bool:
    how, table, *more = step.split()
    if how == "SCAN":
        return not SMALL & {table, more[-2] if len(more) > 1 else table}
    return how == "SEARCH" and BY_KEY.get(table, how) not in step


def test_no_statement_scans_a_table_that_grows(tmp_path, monkeypatch):
    """A commit costs the same after a year of journal."""
    store = SqlStore.open(f"sqlite:///{tmp_path}/house.db")
    monkeypatch.setattr(s, "BLOCK", 3)  # a year has many
    allow_any_block(store)
    seen: dict[str, object] = {}

    @event.listens_for(store.engine, "before_cursor_execute")
    def note(_conn, _cursor, statement, parameters, _context, many) -> None:
        seen.setdefault(statement, parameters[0] if many else parameters)

    evening = Evening(store).open(ann=50_000, bob=50_000)
    evening.until("open")
    evening.do(*(evening.wager(one, ("player", 500), key=f"{one}-1") for one in ("ann", "bob")))
    evening.until("settled")
    evening.do(evening.about("ann", partial(cash.pay_out, amount=100), by="till"))
    store.position("ann", 0)
    (newest, *_) = bookings.of_player(store, "ann")
    bookings.balance_through(store, "ann", newest.place)
    store.safety("ann")
    history.results(store, "table:one", before=None, limit=9)
    history.entries_of(store, "table:one", e.RoundSettled, limit=9)
    slow = []
    with store.engine.connect() as connection:
        for statement, parameters in list(seen.items()):
            # The plan of an INSERT names tables with foreign keys to it: they would be scanned for
            # rows inserted before those they refer to, which cannot exist here.
            given = statement.startswith("INSERT") and "VALUES" in statement
            if statement.startswith(("SELECT", "UPDATE", "DELETE", "INSERT")) and not given:
                plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
                own = "transactions" in statement  # then the journal is read only at those entries
                slow += [
                    (statement, row.detail)
                    for row in plan
                    if looks_through(row.detail)
                    or (own and "SEARCH journal" in row.detail and "sequence=?" not in row.detail)
                ]
    store.close()
    assert len(seen) > 20
    assert not slow


def test_a_sqlite_with_999_variables_accepts_a_round_of_three_hundred(tmp_path):
    """Before 3.32, SQLite accepted 999 variables in a statement; no statement may exceed that."""
    store = SqlStore.open(f"sqlite:///{tmp_path}/house.db")
    failed: list[object] = []
    event.listen(store.engine, "handle_error", failed.append)

    @event.listens_for(store.engine, "connect")
    def as_before(connection, _) -> None:
        connection.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 999)

    store.engine.dispose()
    players = [f"p{n}" for n in range(300)]
    evening = Evening(store).open(**dict.fromkeys(players, 50_000)).until("open")
    evening.do(*(evening.wager(player, ("player", 500), key=f"{player}-1") for player in players))
    evening.until("settled")
    assert len(bookings.postings(store, after=None, limit=1_000)) == 1_000
    store.close()
    assert failed == []


def test_the_ledger_is_read_completely_in_pages_of_any_size(store, monkeypatch):
    evening = Evening(store).open(ann=50_000, bob=50_000).until("open")
    evening.do(*(evening.wager(one, ("player", 500), key=f"{one}-1") for one in ("ann", "bob")))
    evening.until("settled")
    whole = bookings.postings(store, after=None, limit=1_000)
    assert {one.kind for one in whole} == {"pay-in", "stake", "settle"}
    for one in whole:
        (entry,) = store.entries(one.stream, after=one.sequence - 1, limit=1)
        assert one.at == json.loads(entry.body)["at"]
    key = attrgetter("stream", "sequence", "player", "account")
    assert whole == sorted(whole, key=key)
    balances: dict[str, int] = defaultdict(int)
    for one in whole:
        balances[one.account] += one.amount
    assert {name: coins for name, coins in balances.items() if coins} == {
        name: coins for name, coins in store.balances() if coins
    }
    for size in (1, 3, 7):
        pieces, last = [], None
        while found := bookings.postings(store, after=last, limit=size):
            pieces += found
            last = key(found[-1])
        assert pieces == whole, size
    read = []
    monkeypatch.setattr(bookings, "event_of", lambda body: read.append(body) or decode(body))
    evening.until("open").until("settled")  # a round without wagers: nothing is read
    assert bookings.postings(store, after=None, limit=1_000) == whole
    assert len(read) == len({(one.stream, one.sequence) for one in whole})


def test_a_days_takings_use_the_rules_and_terms_of_each_round(store):
    """Wagers of the day before that are settled today count today, and only once."""
    evening = Evening(store, settings_for("double-chance")).open(ann=10**6)
    terms = (("double_chance", "7%"),)
    evening.do(evening.job(c.ProposeAgreement("ann", "ann", terms)))
    evening.do(evening.job(c.ConfirmAgreement("ann", "pit", terms)))

    found = []

    async def look() -> None:
        with ThreadedStore(store) as keeper:
            kept = TodaysResults(keeper, UTC_DAY)
            for days in (0, 1, 2):
                evening.until("open")
                evening.do(evening.wager("ann", ("player", 1000 + 100 * days)))
                evening.now = max(evening.now, days * DAY)  # midnight, while the round is open
                evening.until("settled")
                for today in (kept, TodaysResults(keeper, UTC_DAY)):
                    taking = (await today.of("one", evening.now)).players
                    found.append((taking.rounds, dict(taking.stakes)))

    rules = evening.settings.rules
    expected = [(1, {(rules, terms, "player"): 1000 + 100 * days}) for days in (0, 1, 2)]
    asyncio.run(look())
    assert found == [one for one in expected for _ in range(2)]
    assert history.rules_of(store, "table:one", rules_hash(rules)) == rules
    with pytest.raises(LookupError, match="table:one has had no rules with the hash 0000"):
        history.rules_of(store, "table:one", Hex(32))


def test_entries_are_found_by_their_kind(store):
    evening = Evening(store).open(ann=50_000).until("open")
    evening.do(evening.wager("ann", ("player", 500), key="k"))
    evening.until("settled")
    store.commit([evening.job(c.PauseTable("pit", "why"))])
    with store.engine.connect() as connection:
        marked = sorted(map(tuple, connection.execute(s.marks.select())))
    assert marked == sorted(
        (stream, kind, entry.sequence)
        for stream in ("house", "table:one")
        for entry in store.entries(stream)
        if (kind := json.loads(entry.body)["type"]) not in {event.__name__ for event in NOT_INDEXED}
    )
    cards = history.entries_of(store, "table:one", e.ShoeCommitted, e.RoundOpened, limit=1)
    assert [json.loads(card.body)["type"] for card in cards] == ["ShoeCommitted"]
    newest = history.newest_of(store, "table:one", e.TablePaused, e.RoundOpened, limit=9)
    assert [json.loads(one.body)["type"] for one in newest] == ["TablePaused", "RoundOpened"]
    with pytest.raises(ValueError, match="WagersPlaced are not indexed"):
        history.entries_of(store, "table:one", e.WagersPlaced)


def test_the_name_of_an_account_is_not_journaled(store, address):
    boss = Account("boss", Role.PIT, "Beatrice Oss")
    store.commit([jobs.open_account(Account("ann", Role.PLAYER, "Ann Other"), lambda: 1_000)])
    store.commit([jobs.open_account(boss, lambda: 1_000, password="x", by=OPERATOR)])  # noqa: S106
    bodies = b"".join(entry.body for entry in store.entries("house"))
    assert (bodies.count(b"AccountOpened"), b"Other" in bodies, b"Oss" in bodies) == (
        2,
        False,
        False,
    )
    assert store.person("ann").account.name == "Ann Other"
    with store.engine.begin() as connection:  # a name can be erased, and the audit stays clean
        connection.execute(update(s.people).values(name="Erased"))
    assert audit(read_store(address)).findings == []


def test_the_auditor_knows_the_newest_schema(store):
    with store.engine.connect() as connection:
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    assert found == SCHEMA


def test_commits_are_durable(store):
    with store.engine.connect() as connection:
        if store.engine.dialect.name == "sqlite":
            assert connection.execute(text("PRAGMA synchronous")).scalar() == 2  # FULL
            assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"
            assert connection.execute(text("PRAGMA foreign_keys")).scalar() == 1
        else:
            assert connection.execute(text("SHOW synchronous_commit")).scalar() == "on"


def test_a_database_of_a_newer_version_is_refused(store, address):
    with store.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreError, match="written by a newer version"):
        SqlStore.open(address)


def test_a_store_from_before_the_first_release_is_refused_unchanged(store, address, tmp_path):
    Evening(store).open(ann=50_000).until("settled")
    with store.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0014'"))
    before = held(address)
    refusal = r"written by a version before the first release \(schema 0014\).*: use a new"
    with pytest.raises(StoreError, match=refusal):
        SqlStore.open(address)
    with pytest.raises(StoreError, match=refusal):
        back_up(address, tmp_path / "copy.db")
    with pytest.raises(Unreadable, match=r"before the first release.*: audit it with"):
        read_store(address)
    assert held(address) == before
    assert list(tmp_path.glob("copy*")) == []


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("house.db", "is not a store: write sqlite"),
        ("mysql://x/y", "is not a store: write sqlite"),
        ("", "is not a store"),
        ("sqlite://", "a store in memory would be lost"),
        ("sqlite:////nowhere/at/all.db", "the folder /nowhere/at does not exist; create it first"),
        ("postgresql://ann:secret@127.0.0.1:1/x", "cannot be opened"),
    ],
)
def test_an_invalid_store_address_is_refused(address, message):
    with pytest.raises(StoreError, match=message) as refused:
        open_engine(address)
    assert "secret" not in str(refused.value)


def test_a_file_that_is_not_a_database_is_refused(tmp_path):
    (tmp_path / "x.db").write_text("this is not a database " * 100)
    with pytest.raises(StoreError, match="not a database"):
        SqlStore.open(f"sqlite:///{tmp_path}/x.db")


def test_a_file_locked_by_another_program_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("baccarat.store.dialects.BUSY_MS", 100)
    path = tmp_path / "house.db"
    SqlStore.open(f"sqlite:///{path}").close()
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="another program has been writing to it"):
            SqlStore.open(f"sqlite:///{path}")


def test_a_full_disk_loses_nothing(tmp_path):
    """SQLite's pages are limited: a commit that does not fit fails, and succeeds later."""
    store = SqlStore.open(f"sqlite:///{tmp_path}/house.db")
    evening = Evening(store).open(ann=50_000)
    evening.until("open")
    limit = {"pages": 1}

    @event.listens_for(store.engine, "begin")
    def _(connection):
        connection.exec_driver_sql(f"PRAGMA max_page_count={limit['pages']}")

    done, number, wager = None, 0, None
    while done is None or isinstance(done, Done):
        number += 1
        wager = evening.wager("ann", ("player", 1000 + number), key=f"k{number}")
        (done,) = store.commit([wager])
    assert isinstance(done, StoreError)
    assert "full" in str(done)
    check_house(store)
    staked = 1000 + number - 1 if number > 1 else 0  # the balance after the last wager that fitted
    assert store.balance("player:ann/real") == 50_000 - staked
    limit["pages"] = 10**6
    (done,) = store.commit([wager])
    assert isinstance(done, Done)
    assert not done.repeated
    check_house(store)
    store.close()


def test_a_store_reconnects_after_dropped_connections(server):
    address = new_database(server)
    store = SqlStore.open(address)
    evening = Evening(store).open(ann=50_000)
    evening.until("open")
    with psycopg.connect(driver_address(address), autocommit=True) as boss:
        boss.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    assert isinstance(evening.do(evening.wager("ann", ("player", 1000), key="k")), Done)
    check_house(store)
    store.close()


# ---- backup -----------------------------------------------------------------------------------


def test_a_backup_is_the_whole_store_and_can_be_used(store, address, tmp_path):
    evening = Evening(store).open(ann=50_000)
    evening.until("open")
    evening.do(evening.wager("ann", ("player", 1000), key="k"))
    held = audit(read_store(address))
    counts = back_up(address, tmp_path / "copy.db")
    evening.until("settled")  # the house continues
    copy = f"sqlite:///{tmp_path}/copy.db"
    again = audit(read_store(copy))
    assert (again.findings, again.heads, again.balances) == ([], held.heads, held.balances)
    assert again.held == {"one": 1000}
    assert counts["journal"] == held.events
    assert [path.name for path in tmp_path.glob("copy*")] == ["copy.db"]
    with contextlib.closing(SqlStore.open(copy)) as kept:
        evening.store, evening.now = kept, evening.now + TERM
        evening.lease("elsewhere").until("settled")
        assert evening.do(evening.wager("ann", ("player", 1000), key="k")).repeated
        check_house(kept)


def held(address: str) -> dict[str, list]:
    """Return every table of a database and its rows, read without the program."""
    tables = {
        "sqlite": "SELECT name FROM sqlite_master WHERE type = 'table'",
        "postgresql": "SELECT tablename FROM pg_tables WHERE schemaname = 'public'",
    }
    engine = create_engine(address.replace("postgresql:", "postgresql+psycopg:", 1))
    with engine.connect() as connection:
        names = sorted(connection.execute(text(tables[engine.dialect.name])).scalars())
        found = {
            name: sorted(map(repr, connection.execute(text(f"SELECT * FROM {name}"))))  # noqa: S608
            for name in names
        }
    engine.dispose()
    return found


@pytest.mark.parametrize("kind", ["empty", "other", "numbered", "newer"])
def test_a_backup_of_another_database_is_refused_without_changing_it(address, tmp_path, kind):
    """Regression: this program's tables were created in any database that was named."""
    engine = create_engine(address.replace("postgresql:", "postgresql+psycopg:", 1))
    with engine.begin() as connection:
        if kind != "empty":
            connection.execute(text("CREATE TABLE songs (name TEXT)"))
            connection.execute(text("INSERT INTO songs VALUES ('of another program')"))
        if kind in ("numbered", "newer"):
            schema = {"numbered": SCHEMA, "newer": "9999"}[kind]
            connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32))"))
            connection.execute(text(f"INSERT INTO alembic_version VALUES ('{schema}')"))  # noqa: S608
    engine.dispose()
    file, before = tmp_path / "house.db", held(address)
    written = file.read_bytes() if file.exists() else b""
    reply = "use that version, or another" if kind == "newer" else "is not a store: give one that"
    with pytest.raises(StoreError, match=reply) as refused:
        back_up(address, tmp_path / "copy.db")
    assert address.partition("@")[0][:20] in str(refused.value)
    assert held(address) == before
    assert (file.read_bytes() if file.exists() else b"") == written
    assert list(tmp_path.glob("copy*")) == []


def test_a_backup_that_cannot_be_written_is_refused(store, address, tmp_path, monkeypatch):
    with pytest.raises(StoreError, match=r"the folder .*nowhere does not exist; create it first"):
        back_up(address, tmp_path / "nowhere" / "copy.db")

    def full(*_):
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr("baccarat.store.backup._finish", full)
    with pytest.raises(BaccaratError, match=r"cannot write .*copy\.db: database or disk is full"):
        back_up(address, tmp_path / "copy.db")
    assert list(tmp_path.glob("copy*")) == []


def test_a_backup_has_the_given_file_name_and_all_rows(store, address, tmp_path):
    """Regression: with such names, rows from PostgreSQL went to another file."""
    Evening(store).open(ann=50_000)
    folder = tmp_path / "copies 100%25?#"
    folder.mkdir()
    names = ["a b.db", "a%41 b.db", "a%20b.db", "shop?1.db", "a#b.db", "100%.db", "größe.db"]
    for name in names:
        counts = back_up(address, folder / name)
        with contextlib.closing(sqlite3.connect(folder / name)) as copy:
            (entries,) = copy.execute("SELECT count(*) FROM journal").fetchone()
        assert entries == counts["journal"] > 0
    assert sorted(path.name for path in folder.iterdir()) == sorted(names)
    assert [path.name for path in tmp_path.glob("copies*")] == [folder.name]


@pytest.mark.parametrize(
    ("copied", "message"),
    [(lambda *_: None, "unable to open"), (lambda *them: them[-1].touch(), "has no journal")],
)
def test_an_incomplete_copy_is_not_kept_as_a_backup(
    store, address, tmp_path, monkeypatch, copied, message
):
    Evening(store).open(ann=50_000)
    for name in ("_copy_file", "_copy_rows"):
        monkeypatch.setattr(f"baccarat.store.backup.{name}", copied)
    with pytest.raises(BaccaratError, match=rf"cannot write .*copy\.db: .*{message}"):
        back_up(address, tmp_path / "copy.db")
    assert list(tmp_path.glob("copy*")) == []


# ---- recovery ---------------------------------------------------------------------------------


def test_a_long_journal_is_recovered_from_its_snapshot(store, address, monkeypatch):
    monkeypatch.setattr("baccarat.store.commit.SNAPSHOT_EVERY", 16)
    evening = Evening(store).open(ann=50_000)
    for _ in range(5):
        evening.until("settled")
    with store.engine.connect() as connection:
        kept = connection.execute(s.snapshots.select()).one()
    assert kept.stream == "table:one"
    assert 0 <= evening.state.sequence - kept.sequence < 32
    with store.engine.begin() as connection:  # what the snapshot covers is not even read
        connection.execute(update(s.journal).where(s.journal.c.sequence == 5).values(body=b"x"))
    fresh = SqlStore.open(address)
    assert fresh.state("table:one") == evening.state
    fresh.close()
    with store.engine.begin() as connection:  # without it, the whole journal is read
        connection.execute(s.snapshots.delete())
    fresh = SqlStore.open(address)
    with pytest.raises(Exception, match="is not canonical"):
        fresh.state("table:one")
    fresh.close()
    assert SNAPSHOT_EVERY == 512


def test_a_damaged_snapshot_is_ignored(store, address, monkeypatch):
    monkeypatch.setattr("baccarat.store.commit.SNAPSHOT_EVERY", 8)
    evening = Evening(store).open(ann=50_000)
    evening.until("settled")
    with store.engine.begin() as connection:
        connection.execute(update(s.snapshots).values(body=b"not JSON"))
    fresh = SqlStore.open(address)
    assert fresh.state("table:one") == evening.state
    fresh.close()


def test_a_journal_with_missing_entries_is_not_extended(store, address):
    evening = Evening(store).open(ann=50_000)
    last = evening.state.sequence
    with store.engine.begin() as connection:
        connection.execute(s.journal.delete().where(s.journal.c.sequence == last))
        connection.execute(s.journal.delete().where(s.journal.c.stream == "table:one"))
    fresh = SqlStore.open(address)
    with pytest.raises(JournalBroken, match="entries are missing"):
        fresh.state("table:one")
    (result,) = fresh.commit([evening.job(c.PauseTable("pit", ""))])
    assert isinstance(result, JournalBroken)
    fresh.close()


def test_a_tampered_entry_is_named(store, address):
    evening = Evening(store).open(ann=50_000)
    last = evening.state.sequence
    with store.engine.begin() as connection:
        here = (s.journal.c.stream == "table:one") & (s.journal.c.sequence == last)
        connection.execute(s.journal.update().where(here).values(body=b'{"type":"Nothing"}'))
        connection.execute(s.snapshots.delete())
    fresh = SqlStore.open(address)
    words = f"table:one, entry {last}, was not written by this program .*: check the report"
    with pytest.raises(JournalBroken, match=words):
        fresh.state("table:one")
    fresh.close()


def test_missing_records_are_reported_as_missing(store):
    assert store.state("table:none") is None
    assert store.person("nobody") is None
    assert store.sealed(bytes(16)) is None
    assert store.balance("player:nobody/real") == 0
    assert store.head("table:none").sequence == 0
    assert store.entries("table:none") == []
    evening = Evening(store)
    with pytest.raises(Refused) as refused:
        evening.do(evening.about("nobody", partial(cash.pay_in, amount=5), by="till"))
    assert refused.value.code is Code.NO_SUCH_ACCOUNT


def test_people_are_stored_with_their_passwords(store):
    evening = Evening(store).open()
    guest = Account("guest-1", Role.PLAYER, "Guest", guest=True)
    kept = "$argon2id$…"
    evening.do(jobs.open_account(guest, evening.clock, password=kept))
    assert store.person("guest-1") == (guest, kept, evening.now, 0, 0)
    evening.do(evening.about("guest-1", partial(cash.give_play_money, amount=1000)))
    assert store.balance("player:guest-1/play") == 1000
    events = [decode(entry.body) for entry in store.entries("house")]
    assert "argon2" not in repr(events)
    with pytest.raises(Refused, match="is taken"):
        evening.do(jobs.open_account(guest, evening.clock))


def test_journal_times_never_decrease_when_clocks_differ(store, other):
    for name, role in (("ann", Role.PLAYER), ("till", Role.CASHIER)):
        store.commit([jobs.open_account(Account(name, role, name), lambda: 1_000)])
    behind = [
        jobs.about_player("ann", lambda: 400, partial(cash.pay_in, amount=100), by="till")
        for _ in range(2)
    ]
    other.commit(behind)
    store.commit(
        [
            jobs.about_player("ann", lambda: 2_000, partial(cash.pay_in, amount=100), by="till"),
            *behind,
        ]
    )
    times = [json.loads(entry.body)["at"] for entry in store.entries("house")]
    assert times == [1_000, 1_000, 1_000, 1_000, 2_000, 2_000, 2_000]


def test_a_house_is_opened_once(store):
    evening = Evening(store)
    for name in ("First", "Second"):
        evening.do(house_jobs.open_house(name, "EUR", evening.clock))
    (entry,) = store.entries("house")
    assert decode(entry.body) == HouseOpened(evening.now, "First", "EUR")
    evening.open(ann=500)
    evening.do(evening.about("ann", partial(bonus.grant, amount=200, times=0), by="pit"))
    with pytest.raises(Refused, match="is more than"):
        evening.do(evening.about("ann", partial(cash.pay_out, amount=701), by="till"))
    evening.do(evening.about("ann", bonus.review))
    assert store.balance("player:ann/real") == 700
    assert store.balance("player:ann/bonus") == 0
    check_house(store)


# ---- concurrency ------------------------------------------------------------------------------


class Committer(ThreadedStore):
    """Resolves futures of threads, without an event loop."""

    @staticmethod
    def _answer(answers: Sequence[tuple[Future, Result]]) -> None:
        for future, result in answers:
            future.set_result(result)


def submitted(committer: Committer, job: Job) -> Future:
    future: Future = Future()
    committer.submit(job, future)
    return future


def drain(evening: Evening, committer: Committer, numbers: range) -> list[object]:
    """Place wagers of one player from many threads at once."""

    def one(number: int) -> object:
        stake = ("player", 1000 + number)
        return submitted(committer, evening.wager("ann", stake, key=f"k{number}")).result(60)

    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(one, numbers))


def test_commands_from_many_threads_are_committed_in_groups(store):
    evening = Evening(store).open(ann=50_000)
    evening.until("open")
    gate, count = threading.Event(), commits(store)

    def slow(view):
        gate.wait(60)
        return Outcome()

    with Committer(store) as committer:
        first = submitted(committer, Job(Need("house"), slow))
        placing = [evening.wager("ann", ("player", 1000 + n)) for n in range(50)]
        waiting = [submitted(committer, one) for one in placing]
        count.clear()
        gate.set()
        assert isinstance(first.result(60), Done)
        assert all(isinstance(future.result(60), Done) for future in waiting)
        assert len(count) <= 3  # the slow one, then the waiting ones together
        assert all(isinstance(one, Done) for one in drain(evening, committer, range(40)))
    with pytest.raises(Exception, match="closing"):
        submitted(committer, evening.wager("ann", ("player", 1000)))
    check_house(store)


def test_a_failing_store_answers_every_waiting_job(store, monkeypatch):
    def fail(jobs):
        raise MemoryError

    monkeypatch.setattr(store, "commit", fail)
    with Committer(store) as committer:
        failed = submitted(committer, Job(Need("house"), lambda view: Outcome()))
        assert isinstance(failed.result(60), MemoryError)


@pytest.mark.requirement("G02")
def test_two_servers_race_for_the_same_table_and_wallet(store, other):
    """G02: ann has coins for five wagers of 1000 at any table, whichever server accepts them."""
    evening = Evening(store).open(ann=5_500)
    evening.until("open")
    others = []
    for name in ("two", "three"):
        more = Evening(store, table=name)
        more.now = evening.now
        more.do(more.job(c.OpenTable(name, more.settings)))
        others.append(more.lease("here").until("open"))
    accepted: list[object] = []

    def play(server: SqlStore, bet: str) -> None:
        for round_ in range(12):
            for one in (evening, *others):
                mine = Evening(server, table=one.table)
                mine.now = one.now
                stake = 500 + 500 * (round_ % 4)
                accepted.extend(server.commit([mine.wager("ann", (bet, stake))]))

    threads = [
        threading.Thread(target=play, args=pair) for pair in ((store, "player"), (other, "banker"))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {type(result) for result in accepted} <= {Done, Refused}
    assert sum(isinstance(result, Done) for result in accepted) > 10
    check_house(store)
    check_house(other)


def test_servers_notify_each_other(server):
    address = new_database(server)
    store = SqlStore.open(address)
    evening = Evening(store).open(ann=50_000)
    with listening(address) as listener:
        assert notified(listener, 0) == set()
        evening.until("open")
        heard = set()
        while "table:one" not in heard:
            heard |= notified(listener, 60)
        assert heard == {"table:one"}
        # Notifications arrive in the order of commits, however late.
        store.commit([jobs.open_account(Account("dan", Role.DEALER, "Dan"), evening.clock)])
        while "house" not in notified(listener, 60):
            pass
        results = store.commit([evening.wager("ann", ("nothing", 1))])
        assert isinstance(results[0], Refused)  # nothing happened, so there is no notification
        store.commit([jobs.open_account(Account("dora", Role.DEALER, "Dora"), evening.clock)])
        assert notified(listener, 60) == {"house"}
    store.close()


# ---- the vault --------------------------------------------------------------------------------


def test_a_sealed_shoe_is_opened_only_with_its_key_and_id(tmp_path):
    shoe, _ = sealed(3)
    key = key_from_file(tmp_path / "key")
    assert key == key_from_file(tmp_path / "key")
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    vault = Vault(key)
    kept = vault.seal(shoe)
    assert vault.open(shoe.terms.shoe, kept) == shoe
    assert kept != vault.seal(shoe)
    assert str(shoe.order[0]).encode() not in kept
    damaged = kept[:-1] + bytes([kept[-1] ^ 1])
    for wrong in (
        lambda: Vault(bytes(32)).open(shoe.terms.shoe, kept),
        lambda: vault.open(bytes(16), kept),
        lambda: vault.open(shoe.terms.shoe, damaged),
        lambda: vault.open(shoe.terms.shoe, b""),
    ):
        with pytest.raises(VaultError, match="cannot decrypt the secret of shoe") as refused:
            wrong()
        assert refused.value.__cause__ is None
    assert key.hex() not in repr(vault)
    with pytest.raises(VaultError, match="32 bytes"):
        Vault(b"short")
    (tmp_path / "bad").write_text("zz")
    with pytest.raises(VaultError, match="is not a key file"):
        key_from_file(tmp_path / "bad")
    with pytest.raises(VaultError, match="cannot create the key file"):
        key_from_file(tmp_path / "no" / "folder")


def test_undealt_cards_are_not_readable_in_the_database(tmp_path):
    store = SqlStore.open(f"sqlite:///{tmp_path}/house.db")
    evening = Evening(store).open(ann=50_000)
    evening.until("dealing")
    shoe, dealt = evening.shoe, len(evening.state.round.cards)
    store.close()
    data = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    names = [str(card) for card in shoe.order]
    listed = ('"' + '","'.join(names[:4]) + '"').encode()
    assert dealt < 6
    assert shoe.key not in data
    assert shoe.key.hex().encode() not in data
    assert listed not in data
    with sqlite3.connect(tmp_path / "house.db") as raw:
        assert raw.execute("SELECT count(*) FROM shoes").fetchone() == (1,)
    raw.close()


def test_a_password_is_changed_and_an_account_closed(store):
    clock = lambda: 1_000  # noqa: E731
    for name in ("pit", "pat", "dan"):
        account = Account(name, Role.PIT, name)
        store.commit([jobs.open_account(account, clock, password="old")])  # noqa: S106
    changed, proposed, closed = store.commit(
        [
            jobs.change_password("pit", "new", clock, known_since=1_000),
            jobs.about_staff("dan", "pit", clock, accounts.close),
            jobs.about_staff("dan", "pat", clock, accounts.close),
        ]
    )
    assert isinstance(changed, Done)
    assert proposed.has(e.ActionProposed)
    assert closed.has(AccountClosed)
    assert store.person("pit") == (Account("pit", Role.PIT, "pit"), "new", 1_000, 0, 0)
    assert store.person("dan").password is None
    assert store.person("dan").account.closed
    (own,) = store.commit([jobs.about_staff("pit", "pit", clock, accounts.close)])
    assert isinstance(own, Refused)
    assert store.person("pit")[1] == "new"


def test_a_password_change_based_on_an_older_password_is_refused(store):
    now = [1_000]
    clock = lambda: now[0]  # noqa: E731
    for name in ("pit", "pat", "dan"):
        account = Account(name, Role.PIT, name)
        store.commit([jobs.open_account(account, clock, password="old")])  # noqa: S106
    since = store.person("dan").since
    now[0] += 1_000
    (first,) = store.commit([jobs.change_password("dan", "new", clock, known_since=since)])
    (late,) = store.commit([jobs.change_password("dan", "late", clock, known_since=since)])
    assert isinstance(first, Done)
    assert isinstance(late, Refused)
    since = store.person("dan").since
    closing = [jobs.about_staff("dan", one, clock, accounts.close) for one in ("pit", "pat")]
    *_, after = store.commit([*closing, jobs.change_password("dan", "x", clock, known_since=since)])
    assert isinstance(after, Refused)
    assert store.person("dan").account.closed
