"""The phases of a round and of a shoe, as one table.

A round goes open → closed → dealing → decided → settled, or is cancelled before it is settled; a
dealer's coup that is put right goes back to dealing. A shoe is committed to, contributed to,
revealed for, burned and dealt; one of real cards is only begun and closed. `TRANSITIONS` says which
event may happen in which phase and where it leads; what is not in it cannot happen. State, checks,
documentation and its picture all read this table, and nothing else knows the order.
"""

from enum import StrEnum
from typing import cast

from baccarat.core.errors import BaccaratError
from baccarat.table import events as e


class Phase(StrEnum):
    """Where a round stands."""

    NONE = "none"
    """No round has been opened at this table yet."""
    OPEN = "open"
    CLOSED = "closed"
    DEALING = "dealing"
    DECIDED = "decided"
    SETTLED = "settled"
    CANCELLED = "cancelled"

    @property
    def resting(self) -> bool:
        """Is no round under way?"""
        return self in (Phase.NONE, Phase.SETTLED, Phase.CANCELLED)


class ShoePhase(StrEnum):
    """Where a shoe stands."""

    ABSENT = "absent"
    CONTRIBUTING = "contributing"
    REVEALING = "revealing"
    READY = "ready"
    IN_PLAY = "in-play"


class NotNow(BaccaratError):
    """An event that cannot happen in this phase: the journal was not written by these rules."""


TRANSITIONS: dict[tuple[Phase | ShoePhase, type[e.Event]], Phase | ShoePhase] = {
    (Phase.NONE, e.CutCardShown): Phase.NONE,
    (Phase.NONE, e.RoundOpened): Phase.OPEN,
    (Phase.OPEN, e.CutCardShown): Phase.OPEN,
    (Phase.OPEN, e.WagersPlaced): Phase.OPEN,
    (Phase.OPEN, e.BonusBreachFlagged): Phase.OPEN,
    (Phase.OPEN, e.BettingClosed): Phase.CLOSED,
    (Phase.OPEN, e.RoundCancelled): Phase.CANCELLED,
    (Phase.CLOSED, e.CutCardShown): Phase.CLOSED,
    (Phase.CLOSED, e.CardDealt): Phase.DEALING,
    (Phase.CLOSED, e.CardPlaced): Phase.DEALING,
    (Phase.CLOSED, e.RoundCancelled): Phase.CANCELLED,
    (Phase.DEALING, e.CutCardShown): Phase.DEALING,
    (Phase.DEALING, e.CardDealt): Phase.DEALING,
    (Phase.DEALING, e.CardPlaced): Phase.DEALING,
    (Phase.DEALING, e.CoupRectified): Phase.DEALING,
    (Phase.DEALING, e.CoupDecided): Phase.DECIDED,
    (Phase.DEALING, e.RoundCancelled): Phase.CANCELLED,
    (Phase.DECIDED, e.CutCardShown): Phase.DECIDED,
    (Phase.DECIDED, e.CardPlaced): Phase.DECIDED,
    (Phase.DECIDED, e.CoupRectified): Phase.DEALING,
    (Phase.DECIDED, e.RoundSettled): Phase.SETTLED,
    (Phase.DECIDED, e.RoundCancelled): Phase.CANCELLED,
    (Phase.SETTLED, e.CutCardShown): Phase.SETTLED,
    (Phase.SETTLED, e.RoundOpened): Phase.OPEN,
    (Phase.CANCELLED, e.CutCardShown): Phase.CANCELLED,
    (Phase.CANCELLED, e.RoundOpened): Phase.OPEN,
    (ShoePhase.ABSENT, e.ShoeCommitted): ShoePhase.CONTRIBUTING,
    (ShoePhase.CONTRIBUTING, e.ContributionCommitted): ShoePhase.CONTRIBUTING,
    (ShoePhase.CONTRIBUTING, e.ContributionsClosed): ShoePhase.REVEALING,
    (ShoePhase.CONTRIBUTING, e.ShoeEnded): ShoePhase.ABSENT,
    (ShoePhase.REVEALING, e.ContributionRevealed): ShoePhase.REVEALING,
    (ShoePhase.REVEALING, e.ShoeReady): ShoePhase.READY,
    (ShoePhase.REVEALING, e.ShoeEnded): ShoePhase.ABSENT,
    (ShoePhase.READY, e.CardsBurned): ShoePhase.IN_PLAY,
    (ShoePhase.READY, e.ShoeEnded): ShoePhase.ABSENT,
    (ShoePhase.IN_PLAY, e.ShoeEnded): ShoePhase.ABSENT,
}
"""(phase, event) to the phase it leads to."""

OF_ROUNDS = frozenset(event for phase, event in TRANSITIONS if isinstance(phase, Phase))
OF_SHOES = frozenset(event for phase, event in TRANSITIONS if isinstance(phase, ShoePhase))


def after(phase: Phase, event: e.Event) -> Phase:
    """The round's phase after an event of a round."""
    return cast("Phase", _lead(phase, event))


def shoe_after(phase: ShoePhase, event: e.Event) -> ShoePhase:
    """The shoe's phase after an event of a shoe."""
    return cast("ShoePhase", _lead(phase, event))


def _lead(phase: Phase | ShoePhase, event: e.Event) -> Phase | ShoePhase:
    found = TRANSITIONS.get((phase, type(event)))
    if found is None:
        can = [kind.__name__ for known, kind in TRANSITIONS if known is phase]
        raise NotNow(
            f"{type(event).__name__} cannot happen while {phase}: then only {', '.join(can)} can"
        )
    return found
