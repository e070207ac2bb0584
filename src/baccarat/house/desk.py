"""The desk: a command, the table or account it concerns, and the wallet, to all that it does.

In go values, out comes an `Outcome`: the events for the journal and the transactions for the
ledger, to be written together or not at all. The service reads, asks the desk, writes, and answers.
The one rule: whatever moves money goes through here, so events and money never part.
"""

from dataclasses import dataclass, replace

from baccarat.core.money import format_coins
from baccarat.house import events as h
from baccarat.house.ledger import Transaction, of_house_event, of_table_event
from baccarat.house.roles import Account, Action, Role, check_may
from baccarat.house.wallets import Wallet, funded
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.decide import decide, wagers_placed
from baccarat.table.refusals import Code, Refused
from baccarat.table.state import Placed, TableState, apply
from baccarat.table.wagering import check_wagers

LARGEST_AMOUNT = 10**15


@dataclass(frozen=True)
class Outcome:
    """All that a command does."""

    events: tuple[e.Event, ...]
    transactions: tuple[Transaction, ...]
    state: TableState | None = None
    """The table's state afterwards."""


def table_stream(table: str) -> str:
    """The name of a table's stream in the journal."""
    return f"table:{table}"


def at_table(
    state: TableState | None, command: c.Command, now: int, *, balance: Wallet | None = None
) -> Outcome:
    """What a command does at a table; the balance is that of the player who wagers."""
    if isinstance(command, c.PlaceWagers) and state is not None:
        check_wagers(state, command, max(now, state.at))  # the rules first, then the money
        bonus = _bonus_for(state, command, balance or Wallet(0))
        paid = replace(command, bonus=bonus) if bonus else command
        events = wagers_placed(state, paid, now)
    else:
        events = decide(state, command, now)
    made: list[Transaction] = []
    for event in events:
        if state is not None:
            stream = table_stream(state.table)
            made += of_table_event(state, event, stream=stream, sequence=state.sequence + 1)
        state = apply(state, event)
    return Outcome(events, tuple(made), state)


def _bonus_for(state: TableState, command: c.PlaceWagers, balance: Wallet) -> int:
    """As much bonus money as the real money does not cover; Refused if there is not enough."""
    before = state.round.wagers.get(command.player, Placed(()))
    staked = Wallet(before.staked - before.bonus, before.bonus)
    total = sum(wager.stake for wager in command.wagers)
    return funded(total, balance=balance, staked=staked).bonus


def open_house(name: str, currency: str, *, now: int) -> Outcome:
    """The first event of the house's own stream."""
    return _in_house(h.HouseOpened(now, name, currency), 1)


def open_account(account: Account, *, known: Account | None, now: int, sequence: int) -> Outcome:
    """A new account; ids are given once."""
    if known is not None:
        raise Refused(Code.NO_SUCH_ACCOUNT, f"{account.id} is taken: choose another name")
    event = h.AccountOpened(now, account.id, account.role, account.name, account.guest)
    return _in_house(event, sequence)


def pay_in(player: Account, amount: int, *, by: Account, now: int, sequence: int) -> Outcome:
    """Money that a player brings to the cashier."""
    check_may(by, Action.PAY)
    _check_money(player, amount)
    return _in_house(h.MoneyPaidIn(now, player.id, amount, by.id), sequence)


def pay_out(
    player: Account, amount: int, *, balance: Wallet, by: Account, now: int, sequence: int
) -> Outcome:
    """Real money that a player takes home."""
    check_may(by, Action.PAY)
    _check_money(player, amount)
    _check_covered(amount, balance.real)
    return _in_house(h.MoneyPaidOut(now, player.id, amount, by.id), sequence)


def give_play_money(guest: Account, amount: int, *, now: int, sequence: int) -> Outcome:
    """What a guest plays with; nobody can pay it out."""
    _check_amount(amount)
    if not guest.guest:
        raise Refused(Code.NOT_ALLOWED, f"{guest.name} is no guest: play money is for guests")
    return _in_house(h.PlayMoneyGiven(now, guest.id, amount), sequence)


def grant_bonus(player: Account, amount: int, *, by: Account, now: int, sequence: int) -> Outcome:
    check_may(by, Action.GRANT_BONUS)
    _check_money(player, amount)
    return _in_house(h.BonusGranted(now, player.id, amount, by.id), sequence)


def release_bonus(
    player: Account, amount: int, *, balance: Wallet, by: Account, now: int, sequence: int
) -> Outcome:
    """Bonus money becomes real."""
    check_may(by, Action.GRANT_BONUS)
    _check_money(player, amount)
    _check_covered(amount, balance.bonus)
    return _in_house(h.BonusReleased(now, player.id, amount, by.id), sequence)


def _in_house(event: e.Event, sequence: int) -> Outcome:
    return Outcome((event,), of_house_event(event, stream=h.STREAM, sequence=sequence))


def _check_money(player: Account, amount: int) -> None:
    """Players who are no guests have real money, in whole coins above zero."""
    if player.role is not Role.PLAYER or player.guest:
        words = f"{player.name} has no wallet for real money: only players who are no guests do"
        raise Refused(Code.NOT_ALLOWED, words)
    _check_amount(amount)


def _check_amount(amount: object) -> None:
    if type(amount) is not int or not 0 < amount <= LARGEST_AMOUNT:
        words = f"{amount!r} is no amount: a whole number of coins from 1 to {LARGEST_AMOUNT:,}"
        raise Refused(Code.BAD_AMOUNT, words)


def _check_covered(amount: int, balance: int) -> None:
    if amount > balance:
        raise Refused(
            Code.INSUFFICIENT_FUNDS,
            f"{format_coins(amount)} is more than the {format_coins(balance)} that is there",
        )
