"""A round that is settled again: what each player gets or gives back.

In go a player's old and new result and what the player has; out comes what is moved. The one rule:
nobody owes. Of what was paid too much, a player gives back no more than is there; the rest is the
house's own error.
"""

from collections.abc import Mapping, Sequence

from baccarat.house.wallets import Wallet, returned
from baccarat.table.events import Correction, PlayerResult


def corrections(
    before: Sequence[PlayerResult],
    after: Sequence[PlayerResult],
    has: Mapping[str, Wallet],
) -> tuple[Correction, ...]:
    """For every player whose result changes."""
    old = {one.player: one for one in before}
    found = (_correction(old[new.player], new, has[new.player]) for new in after)
    return tuple(one for one in found if one is not None)


def due(before: PlayerResult, after: PlayerResult) -> Wallet:
    """What a player should have more, of each kind of money; below zero, less."""
    staked = Wallet(after.staked - after.bonus, after.bonus)
    old, new = returned(before.returned, staked), returned(after.returned, staked)
    return Wallet(new.real - old.real, new.bonus - old.bonus)


def _correction(before: PlayerResult, after: PlayerResult, has: Wallet) -> Correction | None:
    owed = due(before, after)
    if owed == Wallet(0):
        return None
    real, bonus = max(owed.real, -has.real), max(owed.bonus, -has.bonus)
    return Correction(after.player, real, bonus, real - owed.real, bonus - owed.bonus)
