"""Real and bonus money: which is spent first, and where a win goes.

The documented order: real money is staked first, bonus money for what it does not cover. What
comes back to a player is split as the stake was: the bonus share, rounded down to a whole coin, to
the bonus wallet, the rest to the real one. The one rule: real money is never turned into bonus
money, except by being won with it.
"""

from typing import NamedTuple

from baccarat.core.text import Coins
from baccarat.table.refusals import Code, Refused


class Wallet(NamedTuple):
    """Coins of both kinds."""

    real: int
    bonus: int = 0

    @property
    def total(self) -> int:
        return self.real + self.bonus


def funded(total: int, *, balance: Wallet, staked: Wallet) -> Wallet:
    """How a stake is paid from the balance and what is already staked; Refused when it is not."""
    available = Wallet(balance.real + staked.real, balance.bonus + staked.bonus)
    if total > available.total:
        raise Refused(
            Code.INSUFFICIENT_FUNDS,
            "these wagers come to {total}, and {left} is there for them: stake {less} less",
            total=Coins(total),
            left=Coins(available.total),
            less=Coins(total - available.total),
        )
    real = min(total, available.real)
    return Wallet(real, total - real)


def returned(coins: int, staked: Wallet) -> Wallet:
    """What comes back of a stake, to each kind of money."""
    bonus = coins * staked.bonus // staked.total if staked.total else 0
    return Wallet(coins - bonus, bonus)
