"""Asking the house about a player, and placing wagers, without a store."""

from baccarat.house.desk import WagerDesk
from baccarat.house.money.wallets import EMPTY, Wallet
from baccarat.house.outcomes import Moment, Outcome, PlayerRequest
from baccarat.house.people.roles import Account
from baccarat.house.safety.profiles import ANY_AMOUNT, Alone
from baccarat.house.safety.record import Position

EVEN = Position(0, 0)


def place(state, command, now: int, balance: Wallet, protection=None) -> Outcome:
    """What a desk makes of one player's wagers, with the table's state after them."""
    taking = WagerDesk(state)
    outcome = taking.place(command, now, balance, protection)
    return outcome._replace(state=taking.state)


def ask(
    decide,
    player: Account,
    *given,
    at: Moment,
    by: Account | None = None,
    balance: Wallet = EMPTY,
    alone: Alone = ANY_AMOUNT,
    position: Position = EVEN,
    paid=None,
    **other,
) -> Outcome:
    """What a decision makes of it; `paid` is the first entry of the house's journal."""

    def events(kind, after, _):
        return [(1, paid)] if type(paid) is kind and after == 0 else []

    request = PlayerRequest(
        **vars(at),
        player=player,
        by=by or player,
        balance=balance,
        alone=alone,
        position=lambda *_: position,
        events=events,
    )
    return decide(request, *given, **other)
