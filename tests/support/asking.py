"""Requests to the house about a player, and wagers, without a store."""

from collections import defaultdict

from baccarat.house.desk import Protection, WagerDesk
from baccarat.house.money.wallets import EMPTY, Wallet
from baccarat.house.outcomes import DecisionContext, Outcome, PlayerRequest
from baccarat.house.people.roles import Account
from baccarat.house.safety.profiles import ANY_AMOUNT, Alone, default_conduct
from baccarat.house.safety.record import NOTHING, Position, Safety

EVEN = Position(0, 0)
UNPROTECTED = Protection(default_conduct(), defaultdict(Safety), lambda *_: EVEN)
"""For players without limits, whose safety records are not kept."""


def place(state, command, now: int, balance: Wallet, protection=UNPROTECTED) -> Outcome:
    """Return the outcome of one player's wagers at a desk, and the table's state after them."""
    taking = WagerDesk(state)
    outcome = taking.place(command, now, balance, protection)
    return outcome._replace(state=taking.state)


def ask(
    decide,
    player: Account,
    *given,
    at: DecisionContext,
    by: Account | None = None,
    balance: Wallet = EMPTY,
    alone: Alone = ANY_AMOUNT,
    position: Position = EVEN,
    paid=None,
    **other,
) -> Outcome:
    """Return the outcome of a decision; `paid` is the first entry of the house's journal."""

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
