"""Splits stakes and winnings into real and bonus money.

Real money is staked first, and bonus money covers the rest. Bonus money cannot be staked while the
player has real money at another table (`bonus.check_real_first`). Returned coins are split in the
same proportion as the stake: the bonus share, rounded down to a whole coin, becomes bonus money and
the rest becomes real money. So only a bonus stake can win bonus money.
"""

from typing import NamedTuple

from baccarat.core.text import Coins
from baccarat.house.people.roles import Account, Role
from baccarat.table.refusals import Code, Refused


class Wallet(NamedTuple):
    """A player's real and bonus money, in coins."""

    real: int
    bonus: int = 0

    @property
    def total(self) -> int:
        return self.real + self.bonus


EMPTY = Wallet(0)
LARGEST_AMOUNT = 10**15


def funded(total: int, *, balance: Wallet, staked: Wallet) -> Wallet:
    """Split a stake into real and bonus money, or raise Refused if the player has too little.

    `staked` are the coins of the wagers that are replaced; they can be staked again.
    """
    available = Wallet(balance.real + staked.real, balance.bonus + staked.bonus)
    if total > available.total:
        raise Refused(
            Code.INSUFFICIENT_FUNDS,
            "insufficient-funds",
            total=Coins(total),
            left=Coins(available.total),
            less=Coins(total - available.total),
        )
    real = min(total, available.real)
    return Wallet(real, total - real)


def returned(coins: int, staked: Wallet) -> Wallet:
    """Split the coins returned for a stake into real and bonus money."""
    bonus = coins * staked.bonus // staked.total if staked.total else 0
    return Wallet(coins - bonus, bonus)


def check_money(player: Account, amount: int) -> None:
    """Raise Refused if the account may not hold real money, or if the amount is not valid."""
    check_wallet(player)
    check_amount(amount)


def check_wallet(player: Account) -> None:
    if player.role is not Role.PLAYER or player.guest:
        raise Refused(Code.NOT_ALLOWED, "no-wallet", name=player.name)
    if player.closed:
        raise Refused(Code.NOT_ALLOWED, "closed", account=player.id)


def check_amount(amount: object) -> None:
    if type(amount) is not int or not 0 < amount <= LARGEST_AMOUNT:
        raise Refused(Code.BAD_AMOUNT, "bad-amount", amount=repr(amount), most=LARGEST_AMOUNT)


def check_covered(amount: int, balance: int) -> None:
    if amount > balance:
        raise Refused(
            Code.INSUFFICIENT_FUNDS, "not-covered", amount=Coins(amount), balance=Coins(balance)
        )
