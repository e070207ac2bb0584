"""The house: permissions, money, and a ledger in which no coin is created or lost."""

import contextlib
from collections import Counter
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from baccarat.core.errors import BaccaratError
from baccarat.core.wagers import Wager
from baccarat.house import desk
from baccarat.house import events as h
from baccarat.house.jobs import Sender
from baccarat.house.money import bonus, cash, ledger
from baccarat.house.money.ledger import ALLOWED, Kind, LedgerError, Posting, Transaction
from baccarat.house.money.wallets import Wallet, funded, returned
from baccarat.house.outcomes import DecisionContext, Outcome
from baccarat.house.people import accounts, passwords
from baccarat.house.people.passwords import hash_password, is_password
from baccarat.house.people.roles import MAY, Account, Action, Role, check_may
from baccarat.house.ports import Key
from baccarat.house.safety.profiles import default_conduct
from baccarat.house.safety.record import Position
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.journal import table_stream
from baccarat.table.refusals import Code, Refused
from baccarat.table.state import apply
from support.asking import UNPROTECTED, ask, place
from support.live import EPOCH, LiveTable, decided, settings_for
from support.passwords import USUAL

ANN = Account("ann", Role.PLAYER, "Ann")
GUEST = Account("guest-1", Role.PLAYER, "Guest", guest=True)
CASHIER = Account("till", Role.CASHIER, "Till")
PIT = Account("pit", Role.PIT, "Pit")
RICH = Wallet(100_000)
NOW = DecisionContext(5, 1, default_conduct())


def code(call, *args, **kwargs) -> Code:
    with pytest.raises(Refused) as refused:
        call(*args, **kwargs)
    assert str(refused.value)
    return refused.value.code


def net(transactions) -> Counter:
    """Return the net amount posted to each account."""
    found: Counter[str] = Counter()
    for transaction in transactions:
        for posting in transaction.postings:
            found[posting.account] += posting.amount
    return Counter({name: amount for name, amount in found.items() if amount})


# ---- roles ------------------------------------------------------------------------------------


@pytest.mark.requirement("G40")
def test_actions_not_in_the_permission_table_are_denied():
    for role, action in product(Role, Action):
        account = Account("x", role, "X")
        if action in MAY[role]:
            check_may(account, action)
        else:
            assert code(check_may, account, action) is Code.NOT_ALLOWED
    assert all(any(action in may for may in MAY.values()) for action in Action)
    wagering = [role for role in Role if Action.WAGER in MAY[role]]
    assert wagering == [Role.PLAYER]


@pytest.mark.parametrize("id_", ["", "a/b", "player:x", "Ann", "a" * 41, "ä", "-a"])
def test_ids_with_separators_or_control_characters_are_refused(id_):
    assert code(Account, id_, Role.PLAYER, "X") is Code.NO_SUCH_ACCOUNT
    assert code(Account, "x", Role.PLAYER, "\n") is Code.NO_SUCH_ACCOUNT


def test_passwords_are_hashed_by_argon2id(monkeypatch):
    monkeypatch.setattr(passwords, "_HASHER", USUAL)
    kept = hash_password("correct horse")
    assert kept.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert "correct" not in kept
    assert kept != hash_password("correct horse")
    assert is_password(kept, "correct horse")
    assert not is_password(kept, "correct house")
    assert not is_password("damaged", "correct horse")
    with pytest.raises(BaccaratError, match="8 to 200"):
        hash_password("short")


# ---- money at the cashier's -------------------------------------------------------------------


def test_money_is_paid_in_and_out_by_the_cashier():
    outcome = ask(cash.pay_in, ANN, 5000, by=CASHIER, at=NOW)
    assert outcome.events == (h.MoneyPaidIn(5, "ann", 5000, "till", None, "", 0, None),)
    assert net(outcome.transactions) == {"player:ann/real": 5000, "house/cash": -5000}
    outcome = ask(cash.pay_out, ANN, 5000, balance=Wallet(5000), by=CASHIER, at=NOW)
    assert net(outcome.transactions) == {"player:ann/real": -5000, "house/cash": 5000}
    short = code(ask, cash.pay_out, ANN, 5001, balance=Wallet(5000, 99), by=CASHIER, at=NOW)
    assert short is Code.INSUFFICIENT_FUNDS
    for amount in (0, -1, 1.5, True, 10**20, None):
        assert code(ask, cash.pay_in, ANN, amount, by=CASHIER, at=NOW) is Code.BAD_AMOUNT
    assert code(ask, cash.pay_in, ANN, 5000, by=PIT, at=NOW) is Code.NOT_ALLOWED
    assert code(ask, cash.pay_in, PIT, 5000, by=CASHIER, at=NOW) is Code.NOT_ALLOWED
    assert code(ask, cash.pay_in, GUEST, 5000, by=CASHIER, at=NOW) is Code.NOT_ALLOWED


def test_play_money_is_for_guests_and_stays_play_money():
    outcome = ask(cash.give_play_money, GUEST, 1000, at=NOW)
    assert net(outcome.transactions) == {"player:guest-1/play": 1000, "house/play-money": -1000}
    assert code(ask, cash.give_play_money, ANN, 1000, at=NOW) is Code.NOT_ALLOWED
    out = code(ask, cash.pay_out, GUEST, 1000, balance=Wallet(1000), by=CASHIER, at=NOW)
    assert out is Code.NOT_ALLOWED


@pytest.mark.parametrize(
    ("balance", "staked", "given"), [(0, 0, 1000), (200, 0, 800), (0, 300, 700), (200, 300, 500)]
)
def test_play_money_is_refilled_to_the_full_amount_counting_stakes(balance, staked, given):
    def refill(full: int) -> Outcome:
        return ask(
            cash.refill_play_money,
            GUEST,
            full,
            balance=Wallet(balance),
            at=NOW,
            position=Position(0, staked),
        )

    assert net(refill(1000).transactions)["player:guest-1/play"] == given
    assert code(refill, balance + staked) is Code.NOT_ALLOWED


@pytest.mark.requirement("G21")
@pytest.mark.parametrize("seed", range(5))
def test_play_money_wins_and_loses_the_same_as_real_money(seed):
    book = Book(seed)
    book.take(ask(cash.pay_in, ANN, 50_000, by=CASHIER, at=NOW))
    book.take(ask(cash.give_play_money, GUEST, 50_000, at=NOW))
    for _ in range(4):
        book.until(e.RoundOpened)
        for player in ("ann", "guest-1"):
            book.wager(player, Wager("banker", 1000), Wager("tie", 500))
        book.until(e.RoundSettled)
        assert book.wallet("ann") == book.wallet("guest-1")
    assert book.wallet("ann") != Wallet(50_000)


def test_play_money_never_mixes_with_the_houses_money():
    book = Book()
    book.take(ask(cash.give_play_money, GUEST, 5000, at=NOW))
    book.until(e.RoundOpened)
    book.wager("guest-1", Wager("player", 2000), Wager("tie", 500))
    assert book.balances["table:test/play-stakes"] == 2500
    assert book.balances["table:test/stakes"] == 0
    book.until(e.RoundSettled)
    assert book.balances["house/bank"] == book.balances["house/cash"] == 0
    assert book.balances["house/play-money"] == -book.balances["player:guest-1/play"]
    mixed = (Posting("player:guest-1/play", 5), Posting("house/bank", -5))
    with pytest.raises(LedgerError, match="sum to zero"):
        Transaction("s", 1, Kind.SETTLE, "guest-1", mixed)
    for wrong in (("guest-2", False), ("ann", True)):
        with pytest.raises(Refused, match="guests' IDs must start with guest-"):
            Account(wrong[0], Role.PLAYER, "X", guest=wrong[1])


def test_bonus_money_is_granted_and_released():
    granted = ask(bonus.grant, ANN, 700, balance=Wallet(0), by=PIT, at=NOW, times=0)
    assert net(granted.transactions) == {"player:ann/bonus": 700, "house/bonus": -700}
    then = replace(NOW, known=granted.safety)
    released = ask(bonus.review, ANN, balance=Wallet(0, 700), at=then)
    assert net(released.transactions) == {
        "player:ann/bonus": -700,
        "house/bonus": 700,
        "player:ann/real": 700,
        "house/bank": -700,
    }


def test_accounts_are_opened_once():
    outcome = accounts.open_account(ANN, taken=False, at=NOW)
    assert outcome.events == (h.AccountOpened(5, "ann", "", "", Role.PLAYER, False),)
    assert outcome.transactions == ()
    assert code(accounts.open_account, ANN, taken=True, at=NOW) is Code.NO_SUCH_ACCOUNT


def test_house_events_have_a_canonical_form():
    for event in (
        h.HouseOpened(1, "The house", "GBP"),
        h.AccountOpened(1, "ann", "", "", Role.PLAYER, False),
        h.MoneyPaidIn(1, "ann", 5, "till", None, "", 0, None),
        h.BonusReleased(1, "ann", 5, "pit"),
    ):
        assert h.decode(e.encode(event)) == event
    with pytest.raises(BaccaratError, match="not canonical"):
        e.decode(e.encode(h.HouseOpened(1, "The house", "GBP")))


# ---- the ledger -------------------------------------------------------------------------------


def test_a_transaction_that_does_not_sum_to_zero_is_refused():
    with pytest.raises(LedgerError, match="sum to zero"):
        Transaction("house", 1, Kind.PAY_IN, "ann", (Posting("player:ann/real", 5),))
    mixed = (Posting("player:ann/real", 5), Posting("player:ann/bonus", -5))
    with pytest.raises(LedgerError, match="sum to zero"):  # bonus money cannot become real money
        Transaction("house", 1, Kind.STAKE, "ann", mixed)
    good = (Posting("house/cash", -5), Posting("player:ann/real", 5))
    right = Transaction("house", 1, Kind.PAY_IN, "ann", good)
    with pytest.raises(LedgerError, match="sum to zero"):
        right._replace(postings=good[:1])


@pytest.mark.requirement("G28")
def test_coins_cannot_pass_from_player_to_player():
    """G28: for every kind of transaction and every pair of accounts, it is refused."""
    accounts = ("player:ann/real", "player:bob/real", "player:ann/bonus", "player:bob/bonus")
    for kind, taken, given_to in product(Kind, accounts, accounts):
        if taken.split("/")[0] == given_to.split("/")[0]:
            continue
        for player in ("ann", "bob"):
            with pytest.raises(LedgerError):
                Transaction("s", 1, kind, player, (Posting(taken, -5), Posting(given_to, 5)))


@pytest.mark.requirement("G28")
def test_every_kind_may_touch_only_its_accounts():
    for kind, allowed in ALLOWED.items():
        for account in ("house/cash", "house/play-money", "house/bank", "house/bonus"):
            if account not in allowed:
                postings = (Posting(account, -5), Posting("player:ann/real", 5))
                with pytest.raises(LedgerError):
                    Transaction("s", 1, kind, "ann", postings)
    assert set(ALLOWED) == set(Kind)


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 10**9))
def test_a_returned_stake_is_split_into_real_and_bonus_money_as_it_was_paid(real, bonus, coins):
    back = returned(coins, Wallet(real, bonus))
    assert back.total == coins
    assert back.bonus >= 0
    assert back.real >= 0
    assert real or not bonus or back.real == 0
    assert bonus or back.bonus == 0


@pytest.mark.requirement("G02")
@given(*(st.integers(0, 1000) for _ in range(5)))
def test_real_money_is_staked_first(total, real, bonus, staked_real, staked_bonus):
    balance, staked = Wallet(real, bonus), Wallet(staked_real, staked_bonus)
    if total > balance.total + staked.total:
        found = code(funded, total, balance=balance, staked=staked)
        assert found is Code.INSUFFICIENT_FUNDS
        return
    paid = funded(total, balance=balance, staked=staked)
    assert paid.total == total
    assert paid.bonus == max(0, total - real - staked_real)
    assert paid.bonus <= bonus + staked_bonus


@pytest.mark.requirement("G02")
def test_one_coin_more_than_the_balance_and_the_stakes_is_refused():
    known = {"balance": Wallet(50, 30), "staked": Wallet(15, 5)}
    assert funded(100, **known) == Wallet(65, 35)
    assert code(funded, 101, **known) is Code.INSUFFICIENT_FUNDS


class Book:
    """A table and a ledger in memory: balances after every outcome."""

    def __init__(self, seed: int = 0) -> None:
        self.table = LiveTable(settings_for(), seed)
        self.balances: Counter[str] = Counter()
        self.sequences: Counter[tuple[str, int, str]] = Counter()

    def wallet(self, player: str) -> Wallet:
        real, bonus = ledger.real_account(player), ledger.bonus_account(player)
        return Wallet(self.balances[real], self.balances[bonus])

    def take(self, outcome: Outcome) -> None:
        for transaction in outcome.transactions:
            self.sequences[transaction.stream, transaction.sequence, transaction.player] += 1
            for posting in transaction.postings:
                self.balances[posting.account] += posting.amount
        if outcome.state is not None:
            self.table.state = outcome.state
        self.table.events += outcome.events

    def wager(self, player: str, *wagers: Wager) -> None:
        command = c.PlaceWagers(self.table.state.round.number, player, wagers)
        balance = self.wallet(player)
        self.take(place(self.table.state, command, self.table.now, balance))

    def step(self) -> tuple[e.Event, ...]:
        before = self.table.state
        found = self.table.step()
        for event in found:
            sequence = before.sequence + 1
            stream = table_stream(before.table)
            made = ledger.of_table_event(before, event, stream=stream, sequence=sequence)
            self.take(Outcome((), made))
            before = apply(before, event)
        return found

    def until(self, kind: type[e.Event]) -> None:
        while not any(isinstance(event, kind) for event in self.step()):
            pass


SETS = st.lists(
    st.tuples(
        st.sampled_from(["ann", "bob", "guest-1"]),
        st.lists(st.sampled_from(["player", "banker", "tie"]), unique=True),
        st.sampled_from([0, 7, 500, 2_000, 9_000]),
        st.integers(-5, 4_000),
    ),
    max_size=12,
)


def done_or_code(call, *args):
    try:
        return call(*args)
    except Refused as refused:
        return refused.code


@settings(deadline=None)
@given(SETS)
def test_a_desk_treats_many_wagers_like_single_ones(sets):
    """Events, refusals and state equal those of single wagers; the money matches the ledger."""
    table = LiveTable(settings_for())
    table.until(e.RoundOpened)
    state, now = table.state, table.now
    taking = desk.WagerDesk(state)
    for player, bets, stake, later in sets:
        now += later
        wagers = tuple(Wager(bet, stake) for bet in bets)
        command = c.PlaceWagers(state.round.number, player, wagers)
        placed = state.round.placed(player)
        balance = Wallet(10_000 - placed.real)
        events = done_or_code(decided, state, command, now, [])
        outcome = done_or_code(taking.place, command, now, balance, UNPROTECTED)
        if not isinstance(events, Code) and sum(wager.stake for wager in command.wagers) > 10_000:
            events = Code.INSUFFICIENT_FUNDS
        if isinstance(events, Code):
            assert outcome is events
            continue
        assert outcome.events == events
        made = [
            one
            for event in events
            for one in ledger.of_table_event(
                state, event, stream="table:test", sequence=state.sequence + 1
            )
        ]
        assert [*outcome.transactions] == made
        for event in events:
            state = apply(state, event)
        assert taking.state == state
        assert taking.sequence == state.sequence


@pytest.mark.requirement("G02")
def test_a_stake_is_held_by_the_table_until_the_round_ends():
    book = Book()
    book.take(ask(cash.pay_in, ANN, 3000, by=CASHIER, at=NOW))
    book.take(ask(bonus.grant, ANN, 1000, balance=Wallet(0), by=PIT, at=NOW))
    book.until(e.RoundOpened)
    book.wager("ann", Wager("player", 3500))
    assert book.wallet("ann") == Wallet(0, 500)
    assert book.balances["table:test/stakes"] == 3000
    assert book.balances["table:test/bonus-stakes"] == 500
    book.wager("ann", Wager("player", 1000))  # lowered: bonus money is returned first
    assert book.wallet("ann") == Wallet(2000, 1000)
    with pytest.raises(Refused, match=r"come to 45\.00, but you have only 40\.00. Bet 5\.00 less"):
        book.wager("ann", Wager("player", 4000), Wager("tie", 500))
    with pytest.raises(Refused, match="takes bets from"):  # rules are checked before the balance
        book.wager("ann", Wager("player", 10**12))
    book.until(e.RoundSettled)
    assert book.balances["table:test/stakes"] == 0
    total = sum(book.balances.values())
    assert total == 0


@pytest.mark.requirement("G04")
def test_a_cancelled_round_returns_every_stake():
    book = Book()
    book.take(ask(cash.pay_in, ANN, 3000, by=CASHIER, at=NOW))
    book.take(ask(bonus.grant, ANN, 1000, balance=Wallet(0), by=PIT, at=NOW))
    book.until(e.RoundOpened)
    book.wager("ann", Wager("player", 3500))
    book.until(e.CardDealt)
    for who in ("pit", "boss"):
        cancel = c.CancelRound(1, e.CancelReason.POWER, who)
        book.take(desk.at_table(book.table.state, cancel, book.table.now, UNPROTECTED))
    assert book.wallet("ann") == Wallet(3000, 1000)
    assert book.balances["house/bank"] == book.balances["house/bonus"] + 1000 == 0


SETS = st.lists(
    st.tuples(
        st.sampled_from(["ann", "bob"]),
        st.sampled_from([(), ("player", 700), ("banker", 2000), ("tie", 333), ("player", 5000)]),
    ),
    max_size=6,
)


@given(st.integers(0, 50), st.lists(SETS, min_size=1, max_size=4), st.booleans())
@settings(max_examples=40, deadline=None)
def test_no_coin_is_created_or_lost_by_any_wagers(seed, rounds, cancel):
    """G02, G04: sums stay zero, no balance is negative, each entry is booked once for a player."""
    book = Book(seed)
    for player in ("ann", "bob"):
        account = Account(player, Role.PLAYER, player)
        at = replace(NOW, now=1, sequence=len(book.sequences))
        book.take(ask(cash.pay_in, account, 4000, by=CASHIER, at=at))
        at = replace(at, sequence=len(book.sequences))
        book.take(ask(bonus.grant, account, 1500, balance=Wallet(0), by=PIT, at=at))
    for wagers in rounds:
        book.until(e.RoundOpened)
        for player, bet in wagers:
            with contextlib.suppress(Refused):
                book.wager(player, *([Wager(*bet)] if bet else []))
            self_check(book)
        staked = {name: one.staked for name, one in book.table.state.round.wagers.items()}
        held = book.balances["table:test/stakes"] + book.balances["table:test/bonus-stakes"]
        assert held == sum(staked.values())
        if cancel:
            number = book.table.state.round.number
            command = c.CancelRound(number, e.CancelReason.OTHER, "pit")
            book.take(desk.at_table(book.table.state, command, book.table.now, UNPROTECTED))
        else:
            book.until(e.RoundSettled)
        assert book.balances["table:test/stakes"] == book.balances["table:test/bonus-stakes"] == 0
        self_check(book)
    if cancel:
        assert book.wallet("ann") == book.wallet("bob") == Wallet(4000, 1500)


def self_check(book: Book) -> None:
    bonus = [n for n in book.balances if n.endswith(("/bonus", "/bonus-stakes"))]
    assert sum(book.balances.values()) == sum(book.balances[name] for name in bonus) == 0
    for account, balance in book.balances.items():
        assert balance >= 0 or not ledger.may_not_be_negative(account)
    assert set(book.sequences.values()) <= {1}


# ---- idempotency ------------------------------------------------------------------------------


def test_an_idempotency_key_is_short_and_printable():
    for key in ("", "x" * 81, "a\n"):
        with pytest.raises(BaccaratError, match="not an idempotency key"):
            Sender(Key("ann", key))


def test_the_driver_also_moves_money_through_the_desk():
    book = Book()
    book.take(ask(cash.pay_in, ANN, 3000, by=CASHIER, at=NOW))
    book.until(e.RoundOpened)
    book.wager("ann", Wager("player", 1000))
    table = book.table
    table.until(e.CoupDecided)
    table.now += 60_000
    outcome = desk.at_table(table.state, c.SettleRound(EPOCH), table.now, UNPROTECTED)
    (made,) = outcome.transactions
    assert (made.kind, made.stream) == ("settle", "table:test")
    assert made.sequence == table.state.sequence + 1
    assert outcome.state.round.phase == "settled"
