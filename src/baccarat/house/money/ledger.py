"""The ledger: double-entry transactions that sum to zero and are never changed.

Transactions are derived from events. Each transaction refers to its journal entry and to at most
one player, so an event cannot be posted twice, and no transaction can move coins from one player to
another. Real money, bonus money and guests' play money are held in separate accounts, and each kind
of money sums to zero by itself: coins are moved, never created.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple, Self

from baccarat.core.errors import BaccaratError
from baccarat.house import events as h
from baccarat.house.money.corrections import due
from baccarat.house.money.wallets import Wallet, returned
from baccarat.house.people.roles import is_guest
from baccarat.table import events as e
from baccarat.table.journal import table_stream
from baccarat.table.state import TableState


class LedgerError(BaccaratError):
    """A transaction that is not allowed."""


class Kind(StrEnum):
    """Purpose of a transaction."""

    PAY_IN = "pay-in"
    PAY_OUT = "pay-out"
    VOID = "void"
    """Reversal of a deposit or a withdrawal."""
    PLAY_MONEY = "play-money"
    BONUS_GRANT = "bonus-grant"
    BONUS_RELEASE = "bonus-release"
    BONUS_FORFEIT = "bonus-forfeit"
    STAKE = "stake"
    SETTLE = "settle"
    CANCEL = "cancel"
    DISPUTE = "dispute"
    CORRECT = "correct"


FLOWS = frozenset({Kind.PAY_IN, Kind.PAY_OUT, Kind.VOID, Kind.PLAY_MONEY, Kind.BONUS_RELEASE})
"""Kinds of transactions that change a player's own money without a win or a loss."""

CASH = "house/cash"
"""Counterpart of cash at the cashier's desk; its balance is minus the players' net deposits."""
PLAY_MONEY = "house/play-money"
"""Source of guests' play money, which also receives their losses; play money has no value."""
BANK = "house/bank"
"""Real money that the tables have won, minus what they have lost."""
BONUS = "house/bonus"
"""Source of bonus money, to which lost and forfeited bonus money returns."""

ERRORS, BONUS_ERRORS, PLAY_ERRORS = "house/errors", "house/bonus-errors", "house/play-errors"
"""Cost of dealing errors: overpayments that players could not give back."""

PLAYERS, TABLES = "player", "table"
REAL, BONUS_SUFFIX, PLAY = "/real", "/bonus", "/play"
STAKES, BONUS_STAKES, PLAY_STAKES = "/stakes", "/bonus-stakes", "/play-stakes"

_OF_PLAYERS = frozenset({PLAYERS + REAL, PLAYERS + BONUS_SUFFIX, PLAYERS + PLAY})
_OF_HOUSE = frozenset({BANK, BONUS, PLAY_MONEY})
_WAGERED = _OF_PLAYERS | {TABLES + STAKES, TABLES + BONUS_STAKES, TABLES + PLAY_STAKES}
_CASH = frozenset({CASH, PLAYERS + REAL})

ALLOWED: Mapping[Kind, frozenset[str]] = {
    Kind.PAY_IN: _CASH,
    Kind.PAY_OUT: _CASH,
    Kind.VOID: _CASH,
    Kind.PLAY_MONEY: frozenset({PLAY_MONEY, PLAYERS + PLAY}),
    Kind.BONUS_GRANT: frozenset({BONUS, PLAYERS + BONUS_SUFFIX}),
    Kind.BONUS_RELEASE: frozenset({BONUS, BANK, PLAYERS + REAL, PLAYERS + BONUS_SUFFIX}),
    Kind.BONUS_FORFEIT: frozenset({BONUS, PLAYERS + BONUS_SUFFIX}),
    Kind.STAKE: _WAGERED,
    Kind.SETTLE: _WAGERED | _OF_HOUSE,
    Kind.CANCEL: _WAGERED | _OF_HOUSE,
    Kind.DISPUTE: _OF_PLAYERS | _OF_HOUSE,
    Kind.CORRECT: _OF_PLAYERS | _OF_HOUSE | {ERRORS, BONUS_ERRORS, PLAY_ERRORS},
}
"""Kinds of accounts that each kind of transaction may touch; any other is refused."""


_named = lru_cache(maxsize=16_384)
"""Caches account names, because every wager needs them, mostly for the same players."""


@_named
def real_account(player: str) -> str:
    """Return the ledger account of a player's real money or of a guest's play money."""
    return f"player:{player}{PLAY if is_guest(player) else REAL}"


@_named
def bonus_account(player: str) -> str:
    return f"player:{player}{BONUS_SUFFIX}"


@_named
def stakes_account(table: str, player: str) -> str:
    return f"{table_stream(table)}{PLAY_STAKES if is_guest(player) else STAKES}"


def bonus_stakes_account(table: str) -> str:
    return f"{table_stream(table)}{BONUS_STAKES}"


@_named
def kind_of(account: str) -> str:
    """Return the kind of an account, such as 'player/real' for 'player:ann/real'."""
    owner, _, purse = account.rpartition("/")
    return f"{owner.partition(':')[0]}/{purse}"


def money_of(account: str) -> str:
    """Return the kind of money in an account: "real", "bonus" or "play"."""
    purse = account.rpartition("/")[2]
    return next((kind for kind in ("bonus", "play") if purse.startswith(kind)), "real")


def may_not_be_negative(account: str) -> bool:
    """Return whether an account must not be overdrawn.

    Players cannot owe money, and a table cannot pay out stakes it does not hold.
    """
    return not account.startswith("house/")


_MONEY = {kind: money_of(kind) for kinds in ALLOWED.values() for kind in kinds}


class Posting(NamedTuple):
    """Coins added to an account or, if negative, taken from it."""

    account: str
    amount: int


class _Transaction(NamedTuple):
    stream: str
    sequence: int
    """Number of the journal entry that caused the transaction."""
    kind: Kind
    player: str
    postings: tuple[Posting, ...]


class Transaction(_Transaction):
    """Postings that belong together; the constructor raises LedgerError if they are not allowed."""

    __slots__ = ()

    def __new__(
        cls, stream: str, sequence: int, kind: Kind, player: str, postings: tuple[Posting, ...]
    ) -> Self:
        allowed = ALLOWED[kind]
        own = (real_account(player), bonus_account(player))
        sums = {"real": 0, "bonus": 0, "play": 0}
        for account, amount in postings:
            what = kind_of(account)
            if what not in allowed:
                raise LedgerError(f"{kind} must not change {account}, only {allowed}")
            if what in _OF_PLAYERS and account not in own:
                raise LedgerError(f"{account} is not {player}'s: coins never pass between players")
            sums[_MONEY[what]] += amount
        if any(sums.values()):
            raise LedgerError(f"{kind} of {stream} {sequence} does not sum to zero: {sums}")
        return super().__new__(cls, stream, sequence, kind, player, postings)

    @classmethod
    def _make(cls, iterable: Iterable[Any]) -> Self:  # type: ignore[override]
        return cls(*iterable)  # so `_replace` checks the new value too


def of_table_event(
    state: TableState, event: e.Event, *, stream: str, sequence: int
) -> tuple[Transaction, ...]:
    """Return the transactions for a table's event; `state` is the state before the event."""
    table = state.table
    match event:
        case e.WagersPlaced():
            before, after = state.round.placed(event.player), event.placed
            real, bonus = after.real - before.real, after.bonus - before.bonus
            return of_wagers(table, event.player, stream, sequence, real=real, bonus=bonus)
        case e.RoundSettled() | e.RoundCancelled():
            kind = Kind.SETTLE if isinstance(event, e.RoundSettled) else Kind.CANCEL
            moved = {result.player: _ended(table, result) for result in event.results}
        case e.DisputeDecided():
            paid = due(event.before, event.after)
            correction = e.Correction(event.player, paid.real, paid.bonus, 0, 0)
            kind, moved = Kind.DISPUTE, {event.player: _corrected(correction)}
        case e.DisputeAnswered():
            correction = e.Correction(event.player, event.amount, 0, 0, 0)
            kind, moved = Kind.DISPUTE, {event.player: _corrected(correction)}
        case e.RoundCorrected():
            kind, moved = Kind.CORRECT, {one.player: _corrected(one) for one in event.corrections}
        case _:
            return ()
    made = [_make(stream, sequence, kind, player, coins) for player, coins in moved.items()]
    return tuple([transaction for transaction in made if transaction.postings])


def of_wagers(
    table: str, player: str, stream: str, sequence: int, *, real: int, bonus: int
) -> tuple[Transaction, ...]:
    """Return the transaction for a change of a player's wagers.

    `real` and `bonus` are the amounts added to the stakes; negative amounts are returned to the
    player.
    """
    if bonus:
        moved = {real_account(player): -real, stakes_account(table, player): real}
        moved |= {bonus_account(player): -bonus, bonus_stakes_account(table): bonus}
        return (_make(stream, sequence, Kind.STAKE, player, moved),)
    if not real:
        return ()
    own, stakes = real_account(player), stakes_account(table, player)
    postings = (Posting(own, -real), Posting(stakes, real))  # sorted by account name
    return (Transaction(stream, sequence, Kind.STAKE, player, postings),)


_MOVES: Mapping[type[e.Event], tuple[Kind, Mapping[str, int]]] = {
    h.MoneyPaidIn: (Kind.PAY_IN, {CASH: -1, REAL: 1}),
    h.MoneyPaidOut: (Kind.PAY_OUT, {CASH: 1, REAL: -1}),
    h.CashVoided: (Kind.VOID, {CASH: 1, REAL: -1}),
    h.PlayMoneyGiven: (Kind.PLAY_MONEY, {PLAY_MONEY: -1, REAL: 1}),
    h.BonusOpened: (Kind.BONUS_GRANT, {BONUS: -1, BONUS_SUFFIX: 1}),
    h.BonusForfeited: (Kind.BONUS_FORFEIT, {BONUS: 1, BONUS_SUFFIX: -1}),
    h.BonusReleased: (Kind.BONUS_RELEASE, {BONUS: 1, BANK: -1, BONUS_SUFFIX: -1, REAL: 1}),
}
"""How each house event moves its amount: +1 or -1 for each account. The row for a void is that of a
voided deposit."""


def of_house_event(event: Any, *, stream: str, sequence: int) -> tuple[Transaction, ...]:
    """Return the transactions for a house event."""
    if type(event) not in _MOVES:
        return ()
    kind, signs = _MOVES[type(event)]
    own = {REAL: real_account(event.account), BONUS_SUFFIX: bonus_account(event.account)}
    back = isinstance(event, h.CashVoided) and event.paid is h.Cash.PAY_OUT
    amount = -event.amount if back else event.amount
    amounts = {own.get(account, account): sign * amount for account, sign in signs.items()}
    made = _make(stream, sequence, kind, event.account, amounts)
    return (made,) if made.postings else ()


def _ended(table: str, result: e.PlayerResult) -> dict[str, int]:
    """Return the amount for each account when a player's stakes in a round are settled."""
    player, stake = result.player, result.staked
    staked = Wallet(stake - result.bonus, result.bonus)
    back = returned(stake + result.net, staked)
    return {
        stakes_account(table, player): -staked.real,
        bonus_stakes_account(table): -staked.bonus,
        real_account(player): back.real,
        bonus_account(player): back.bonus,
        PLAY_MONEY if is_guest(player) else BANK: staked.real - back.real,
        BONUS: staked.bonus - back.bonus,
    }


def _corrected(correction: e.Correction) -> dict[str, int]:
    """Return the amount for each account when a round is corrected or a dispute is paid.

    The bank ends up as if the round had been dealt correctly; the amount that a player cannot give
    back is taken from the account for errors.
    """
    bank, errors = (PLAY_MONEY, PLAY_ERRORS) if is_guest(correction.player) else (BANK, ERRORS)
    return {
        real_account(correction.player): correction.real,
        errors: -correction.short,
        bank: correction.short - correction.real,
        bonus_account(correction.player): correction.bonus,
        BONUS_ERRORS: -correction.short_bonus,
        BONUS: correction.short_bonus - correction.bonus,
    }


def _make(
    stream: str, sequence: int, kind: Kind, player: str, amounts: Mapping[str, int]
) -> Transaction:
    postings = sorted([Posting(name, amount) for name, amount in amounts.items() if amount])
    return Transaction(stream, sequence, kind, player, tuple(postings))
