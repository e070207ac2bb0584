"""Wagers placed at a desk, without a store."""

from collections import defaultdict

from baccarat.house import desk
from baccarat.house.money.wallets import Wallet
from baccarat.house.outcomes import Outcome
from baccarat.house.safety.profiles import default_conduct
from baccarat.house.safety.record import Position, Safety
from baccarat.table.commands import PlaceWagers
from baccarat.table.state import TableState

UNPROTECTED = desk.Protection(default_conduct(), defaultdict(Safety), lambda *_: Position(0, 0))
"""Of players who have no limits, and whose records are not kept."""


def placed(
    state: TableState,
    command: PlaceWagers,
    now: int,
    *,
    balance: Wallet,
    protection: desk.Protection = UNPROTECTED,
) -> Outcome:
    """Place wagers as the only ones of a commit."""
    taking = desk.WagerDesk(state)
    outcome = taking.place(command, now, balance, protection)
    return outcome._replace(state=taking.state)
