"""Computes what each player receives or gives back when a round is corrected.

Players never owe money: a player who was paid too much gives back at most what they still have, and
the house bears the rest.
"""

from collections.abc import Mapping, Sequence

from baccarat.house.money.wallets import Wallet, returned
from baccarat.table.events import Correction, PlayerResult


def corrections(
    before: Sequence[PlayerResult], after: Sequence[PlayerResult], has: Mapping[str, Wallet]
) -> tuple[Correction, ...]:
    """Return a correction for every player whose result changes."""
    old = {result.player: result for result in before}
    found = (_correction(old[new.player], new, has[new.player]) for new in after)
    return tuple(correction for correction in found if correction is not None)


def due(before: PlayerResult, after: PlayerResult) -> Wallet:
    """Return the amounts of real and bonus money that a player is owed; negative if overpaid."""
    staked = Wallet(after.staked - after.bonus, after.bonus)
    old, new = returned(before.returned, staked), returned(after.returned, staked)
    return Wallet(new.real - old.real, new.bonus - old.bonus)


def _correction(before: PlayerResult, after: PlayerResult, has: Wallet) -> Correction | None:
    owed = due(before, after)
    if owed == Wallet(0):
        return None
    real, bonus = max(owed.real, -has.real), max(owed.bonus, -has.bonus)
    return Correction(after.player, real, bonus, real - owed.real, bonus - owed.bonus)
