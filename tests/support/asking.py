"""Asking the house about a player without a store."""

from baccarat.house.money.wallets import EMPTY, Wallet
from baccarat.house.outcomes import Moment, Outcome, PlayerRequest
from baccarat.house.people.roles import Account
from baccarat.house.safety.profiles import ANY_AMOUNT, Alone
from baccarat.house.safety.record import NOTHING, Position

EVEN = Position(0, 0)


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
        **vars(at) | {"known": {player.id: NOTHING, **at.known}},
        player=player,
        by=by or player,
        balance=balance,
        alone=alone,
        position=lambda *_: position,
        events=events,
    )
    return decide(request, *given, **other)
