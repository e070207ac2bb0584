"""The ledger: double entry, every transaction summing to zero, never changed.

In goes an event, out come the transactions it means. Each names the journal entry it comes from and
at most one player, so the same event can never be booked twice and coins cannot pass from player to
player: there is no transaction that could do it. Real money, bonus money and the play money of
guests are separate accounts, and each sums to zero by itself. The one rule: coins are moved, never
made.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple, Self

from baccarat.core.errors import BaccaratError
from baccarat.house import events as h
from baccarat.house.roles import is_guest
from baccarat.house.wallets import Wallet, returned
from baccarat.table import events as e
from baccarat.table.state import TableState


class LedgerError(BaccaratError):
    """A transaction that may not exist."""


class Kind(StrEnum):
    """What a transaction is for."""

    PAY_IN = "pay-in"
    PAY_OUT = "pay-out"
    VOID = "void"
    """Of a payment in or out."""
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
"""What brings a player's own money or takes it away without being won or lost."""

CASH = "house/cash"
"""Money that came in at the cashier's; below zero by what players brought."""
PLAY_MONEY = "house/play-money"
"""Where guests' play money comes from and what they lose goes to; it is no one's money."""
BANK = "house/bank"
"""What the tables won and lost in real money."""
BONUS = "house/bonus"
"""Where bonus money comes from and goes back to."""

ERRORS, BONUS_ERRORS, PLAY_ERRORS = "house/errors", "house/bonus-errors", "house/play-errors"
"""What dealers' errors cost: overpayments that were no longer there to be given back."""

PLAYERS, TABLES = "player", "table"
REAL, BONUS_SUFFIX, PLAY = "/real", "/bonus", "/play"
STAKES, BONUS_STAKES, PLAY_STAKES = "/stakes", "/bonus-stakes", "/play-stakes"

_WAGERED = frozenset(
    {
        *(PLAYERS + REAL, PLAYERS + BONUS_SUFFIX, PLAYERS + PLAY),
        *(TABLES + STAKES, TABLES + BONUS_STAKES, TABLES + PLAY_STAKES),
    }
)

ALLOWED: Mapping[Kind, frozenset[str]] = {
    Kind.PAY_IN: frozenset({CASH, PLAYERS + REAL}),
    Kind.PAY_OUT: frozenset({CASH, PLAYERS + REAL}),
    Kind.VOID: frozenset({CASH, PLAYERS + REAL}),
    Kind.PLAY_MONEY: frozenset({PLAY_MONEY, PLAYERS + PLAY}),
    Kind.BONUS_GRANT: frozenset({BONUS, PLAYERS + BONUS_SUFFIX}),
    Kind.BONUS_RELEASE: frozenset({BONUS, BANK, PLAYERS + REAL, PLAYERS + BONUS_SUFFIX}),
    Kind.BONUS_FORFEIT: frozenset({BONUS, PLAYERS + BONUS_SUFFIX}),
    Kind.STAKE: _WAGERED,
    Kind.SETTLE: _WAGERED | {BANK, BONUS, PLAY_MONEY},
    Kind.CANCEL: _WAGERED | {BANK, BONUS, PLAY_MONEY},
    Kind.DISPUTE: frozenset(
        {
            *(PLAYERS + REAL, PLAYERS + BONUS_SUFFIX, PLAYERS + PLAY),
            *(BANK, BONUS, PLAY_MONEY),
        }
    ),
    Kind.CORRECT: frozenset(
        {
            *(PLAYERS + REAL, PLAYERS + BONUS_SUFFIX, PLAYERS + PLAY),
            *(BANK, BONUS, PLAY_MONEY, ERRORS, BONUS_ERRORS, PLAY_ERRORS),
        }
    ),
}
"""The accounts that each kind of transaction may touch; what is not here does not exist."""


_named = lru_cache(maxsize=16_384)
"""Names of accounts are asked for again with every wager, and the same players come again."""


@_named
def real_account(player: str) -> str:
    """A player's own money; a guest's is play money, in an account of another kind."""
    return f"player:{player}{PLAY if is_guest(player) else REAL}"


@_named
def bonus_account(player: str) -> str:
    return f"player:{player}{BONUS_SUFFIX}"


@_named
def stakes_account(table: str, player: str) -> str:
    return f"table:{table}{PLAY_STAKES if is_guest(player) else STAKES}"


def bonus_stakes_account(table: str) -> str:
    return f"table:{table}{BONUS_STAKES}"


@_named
def kind_of(account: str) -> str:
    """'player:ann/real' to 'player/real'."""
    owner, _, purse = account.rpartition("/")
    return f"{owner.partition(':')[0]}/{purse}"


def money_of(account: str) -> str:
    """Which of the three kinds of money an account holds."""
    purse = account.rpartition("/")[2]
    return next((kind for kind in ("bonus", "play") if purse.startswith(kind)), "real")


def may_not_be_negative(account: str) -> bool:
    """Players cannot owe, and a table cannot pay out stakes it does not hold."""
    return not account.startswith("house/")


_OF_PLAYERS = frozenset({PLAYERS + REAL, PLAYERS + BONUS_SUFFIX, PLAYERS + PLAY})


_MONEY = {kind: money_of(kind) for kinds in ALLOWED.values() for kind in kinds}


class Posting(NamedTuple):
    """Coins that come to an account or, below zero, leave it."""

    account: str
    amount: int


class _Transaction(NamedTuple):
    stream: str
    sequence: int
    """The journal entry it comes from."""
    kind: Kind
    player: str
    postings: tuple[Posting, ...]


class Transaction(_Transaction):
    """Postings that belong together; one that may not exist cannot be made."""

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
                raise LedgerError(f"{kind} may not touch {account}: only {allowed}")
            if what in _OF_PLAYERS and account not in own:
                raise LedgerError(f"{account} is not {player}'s: coins never pass between players")
            sums[_MONEY[what]] += amount
        if any(sums.values()):
            raise LedgerError(f"{kind} of {stream} {sequence} does not sum to zero: {sums}")
        return super().__new__(cls, stream, sequence, kind, player, postings)

    @classmethod
    def _make(cls, iterable: Iterable[Any]) -> Self:  # type: ignore[override]
        return cls(*iterable)  # checked too, and with it `_replace`


def of_table_event(
    state: TableState, event: e.Event, *, stream: str, sequence: int
) -> tuple[Transaction, ...]:
    """What an event of a table moves; the state is the one before it."""
    table = state.table
    match event:
        case e.WagersPlaced():
            before, after = state.round.placed(event.player), event.placed
            real, bonus = after.real - before.real, after.bonus - before.bonus
            return of_wagers(table, event.player, stream, sequence, real=real, bonus=bonus)
        case e.RoundSettled():
            made = [
                _make(stream, sequence, Kind.SETTLE, one.player, _ended(table, one))
                for one in event.results
            ]
        case e.RoundCancelled():
            made = [
                _make(stream, sequence, Kind.CANCEL, one.player, _ended(table, one))
                for one in event.results
            ]
        case e.DisputeDecided():
            made = [_make(stream, sequence, Kind.DISPUTE, event.player, _paid_more(event))]
        case e.RoundCorrected():
            made = [
                _make(stream, sequence, Kind.CORRECT, one.player, _corrected(one))
                for one in event.corrections
            ]
        case _:
            made = []
    return tuple([one for one in made if one.postings])


def of_wagers(
    table: str, player: str, stream: str, sequence: int, *, real: int, bonus: int
) -> tuple[Transaction, ...]:
    """What wagers move that take so much more (below zero: less) than those they replace."""
    if bonus:
        moved = {real_account(player): -real, stakes_account(table, player): real}
        moved |= {bonus_account(player): -bonus, bonus_stakes_account(table): bonus}
        return (_make(stream, sequence, Kind.STAKE, player, moved),)
    if not real:
        return ()
    own, stakes = real_account(player), stakes_account(table, player)
    postings = (Posting(own, -real), Posting(stakes, real))  # in the order of their names
    return (Transaction(stream, sequence, Kind.STAKE, player, postings),)


def of_house_event(event: e.Event, *, stream: str, sequence: int) -> tuple[Transaction, ...]:
    """What an event of the house moves."""
    match event:
        case h.MoneyPaidIn():
            kind, amounts = Kind.PAY_IN, {CASH: -event.amount}
            amounts[real_account(event.account)] = event.amount
        case h.MoneyPaidOut():
            kind, amounts = Kind.PAY_OUT, {CASH: event.amount}
            amounts[real_account(event.account)] = -event.amount
        case h.CashVoided():
            more = -event.amount if event.paid is h.Cash.PAY_IN else event.amount
            kind, amounts = Kind.VOID, {CASH: -more}
            amounts[real_account(event.account)] = more
        case h.PlayMoneyGiven():
            kind, amounts = Kind.PLAY_MONEY, {PLAY_MONEY: -event.amount}
            amounts[real_account(event.account)] = event.amount
        case h.BonusGranted() | h.BonusOpened():
            kind, amounts = Kind.BONUS_GRANT, {BONUS: -event.amount}
            amounts[bonus_account(event.account)] = event.amount
        case h.BonusForfeited():
            kind, amounts = Kind.BONUS_FORFEIT, {BONUS: event.amount}
            amounts[bonus_account(event.account)] = -event.amount
        case h.BonusReleased():
            kind, amounts = Kind.BONUS_RELEASE, {BONUS: event.amount, BANK: -event.amount}
            amounts[bonus_account(event.account)] = -event.amount
            amounts[real_account(event.account)] = event.amount
        case _:
            return ()
    made = _make(stream, sequence, kind, event.account, amounts)
    return (made,) if made.postings else ()


def _ended(table: str, result: e.PlayerResult) -> dict[str, int]:
    """Stakes leave the table; what comes back to the player, and the rest to the house."""
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


def _paid_more(event: e.DisputeDecided) -> dict[str, int]:
    """What comes back by the other readings, less what came back; split as the stake was."""
    staked = Wallet(event.before.staked - event.before.bonus, event.before.bonus)
    then, now = returned(event.before.returned, staked), returned(event.after.returned, staked)
    return {
        real_account(event.player): now.real - then.real,
        PLAY_MONEY if is_guest(event.player) else BANK: then.real - now.real,
        bonus_account(event.player): now.bonus - then.bonus,
        BONUS: then.bonus - now.bonus,
    }


def _corrected(one: e.Correction) -> dict[str, int]:
    """The house's side is as if the round had been dealt without an error; the error stands apart.

    What a player cannot give back the house has nonetheless: from its account of errors.
    """
    bank, errors = (PLAY_MONEY, PLAY_ERRORS) if is_guest(one.player) else (BANK, ERRORS)
    return {
        real_account(one.player): one.real,
        errors: -one.short,
        bank: one.short - one.real,
        bonus_account(one.player): one.bonus,
        BONUS_ERRORS: -one.short_bonus,
        BONUS: one.short_bonus - one.bonus,
    }


def _make(
    stream: str, sequence: int, kind: Kind, player: str, amounts: Mapping[str, int]
) -> Transaction:
    postings = sorted([Posting(name, amount) for name, amount in amounts.items() if amount])
    return Transaction(stream, sequence, kind, player, tuple(postings))
