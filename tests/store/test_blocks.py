"""Transactions are stored in blocks of their stream: reading does not depend on where a block ends,
and finds players who bet rarely as well as those who bet every round."""

from functools import partial

import pytest

from baccarat.house.money import cash
from baccarat.house.money.ledger import Kind
from baccarat.store import bookings
from baccarat.store import schema as s
from baccarat.store.positions import blocks
from baccarat.store.sqlstore import SqlStore
from support.stores import Evening, allow_any_block, new_database

MONEY = {"ann": 50_000, "bob": 60_000, "cat": 70_000}
PLAYS = {"ann": range(12), "bob": (), "cat": (0, 7, 11)}
"""The rounds in which each player bets."""


@pytest.fixture(params=["sqlite", "postgresql"])
def two(request, tmp_path, monkeypatch):
    """Play the same evening twice: with normal blocks, and with blocks of three entries."""
    made = []
    for size in (s.BLOCK, 3):
        if request.param == "sqlite":
            address = f"sqlite:///{tmp_path}/{size}.db"
        else:
            address = request.getfixturevalue("new_address")()
        store = SqlStore.open(address)
        if size != s.BLOCK:
            allow_any_block(store)
        made.append((size, store))
    yield [played(monkeypatch, size, store) for size, store in made]
    for _, store in made:
        store.close()


@pytest.fixture
def new_address(server):
    return lambda: new_database(server)


def played(monkeypatch, size: int, store: SqlStore) -> dict[str, list]:
    """Play an evening and return the results of all queries about it."""
    monkeypatch.setattr(s, "BLOCK", size)
    monkeypatch.setattr(bookings, "PIECE", 2)
    evening = Evening(store).open(**MONEY)
    reply: dict[str, list] = {"stood": [], "after": []}
    for number in range(12):
        evening.until("open")
        for player, rounds in PLAYS.items():
            if number in rounds:
                for stake in (500, 1000):
                    evening.do(evening.wager(player, ("player", stake), key=f"{number} {stake}"))
        reply["stood"] += [
            store.position(player, since) for player in MONEY for since in (0, 2**40)
        ]
        if number < 11:
            evening.until("settled")
            reply["after"] += [store.position(player, 0) for player in MONEY]
    evening.do(evening.about("bob", partial(cash.pay_out, amount=100), by="till"))
    for player in MONEY:
        found = bookings.of_player(store, player)
        reply[player] = found
        reply[f"{player} again"] = paged(store, player)
        reply[f"{player} had"] = [
            bookings.balance_through(store, player, one.place) for one in found
        ]
        reply[f"{player} ended"] = bookings.rounds_played(store, player, below=None, limit=50)
        reply[f"{player} counted"] = ended = list(
            bookings.rounds_ended(store, player, stream=None, since=0, until=None)
        )
        assert [one for one, _ in ended] == [one.ended for one in reply[f"{player} ended"]]
        times = sorted({one.at for one in found})
        reply[f"{player} stood"] = [store.position(player, since) for since in times]
        reply[f"{player} has"] = [store.balance(f"player:{player}/real")]
    with store.engine.connect() as connection:
        reply["blocks"] = sorted({one.block for one in connection.execute(s.transactions.select())})
    return reply


def paged(store: SqlStore, player: str) -> list:
    found: list = []
    while some := bookings.of_player(
        store, player, below=found[-1].place if found else None, limit=2
    ):
        found += some
    return found


def test_query_results_do_not_depend_on_block_boundaries(two):
    whole, cut = two
    assert whole.pop("blocks") == [0]
    assert len(cut.pop("blocks")) > 20
    assert cut == whole


def test_all_transactions_of_a_player_are_found(two):
    for reply in two:
        assert {one.staked for one in reply["after"]} == {0}
        for player, rounds in PLAYS.items():
            kinds = [one.kind for one in reply[player]]
            assert kinds.count(Kind.STAKE) == 2 * len(rounds)
            assert kinds.count(Kind.SETTLE) == len([one for one in rounds if one < 11])
            assert kinds.count(Kind.PAY_IN) == 1
            assert reply[f"{player} again"] == reply[player]
            assert reply[f"{player} had"][0] == reply[f"{player} has"][0]
            assert reply[f"{player} had"][-1] == MONEY[player]
        for player in ("ann", "cat"):  # after the whole evening, with a stake on the table
            stood = reply[f"{player} stood"][0]
            assert stood.staked == 1000
            assert stood.at_risk == MONEY[player] - reply[f"{player} has"][0]


@pytest.mark.parametrize(
    ("first", "last"), [(1, 0), (1, 1), (1, 4095), (1, 4096), (5000, 5000), (9_000, 10**7)]
)
def test_blocks_between_two_entries_are_ordered_newest_first(first, last):
    found = [block for some in blocks(first, last) for block in reversed(some)]
    assert found == ([*range(last // 4096, first // 4096 - 1, -1)] if first <= last else [])


def test_an_entry_that_does_not_exist_yet_causes_no_long_search(tmp_path):
    store = SqlStore.open(f"sqlite:///{tmp_path}/house.db")
    Evening(store).open(ann=50_000)
    (paid,) = bookings.of_player(store, "ann", stream="house", before=2**53)
    assert paid.kind == Kind.PAY_IN
    store.close()
