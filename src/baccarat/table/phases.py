"""Rounds, the phases of rounds and shoes, and the transitions between phases.

A round goes open → closed → dealing → decided → settled, or is cancelled before it is settled. If a
dealer's coup is rectified, its round goes back to dealing. When a server deals, it commits to a
shoe, players contribute to the shuffle and reveal their contributions, cards are burned, and then
coups are dealt. A shoe of real cards has no such phases.

`TRANSITIONS` lists the events that may happen in each phase and the phase that follows; nothing
else can happen. The state, the checks and the documentation all use it, so the order is defined
only here.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar, cast

from baccarat.core.cards import Card
from baccarat.core.errors import BaccaratError
from baccarat.core.misdeals import PlacedCard
from baccarat.core.wagers import NO_WAGERS, PlacedWagers
from baccarat.table import events as e


class Phase(StrEnum):
    """The phase of a round."""

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
        """Whether no round is under way."""
        return self in (Phase.NONE, Phase.SETTLED, Phase.CANCELLED)


@dataclass(frozen=True)
class Round:
    """The round under way, or the last one."""

    number: int = 0
    phase: Phase = Phase.NONE
    closes_at: int = 0
    moved_at: int = 0
    """When the round last progressed; the time of the next step is measured from here."""
    moved_by: int = 0
    """Number of the last event by which the round progressed or a dealer burned a card."""
    wagers: dict[str, PlacedWagers] = field(default_factory=dict)
    """Wagers by player; empty once the round has ended."""
    cards: tuple[PlacedCard, ...] = ()
    """Cards in the order drawn, each with the hand that it was placed with."""
    bets: bool = True
    """False if nobody may wager on the round, because the next card may have been seen."""
    held_until: int = 0
    """Until when the round waits for a second person to confirm its cancellation; set once."""
    results: dict[str, tuple[e.WagerResult, ...]] = field(default_factory=dict)
    """Results by player; empty until the round has ended."""
    asked: tuple[str, ...] = ()
    """Players who asked for the cards before the betting time is over."""
    squeezing: tuple[str, ...] = ()
    """Players who asked to turn the cards of their side, in the order in which they asked."""
    offered: e.CardOffered | None = None
    """The card that lies face down until its player turns it or its time is up."""

    @property
    def all_ask(self) -> bool:
        """Whether everyone with a bet, and at least one player, asks for the cards."""
        return bool(self.wagers) and self.wagers.keys() <= set(self.asked)

    @property
    def drawn(self) -> tuple[Card, ...]:
        """The cards in the order drawn."""
        return tuple(card for _, card in self.cards)

    def placed(self, player: str) -> PlacedWagers:
        """Return a player's wagers on the round."""
        return self.wagers.get(player, NO_WAGERS)


class ShoePhase(StrEnum):
    """The phase of a shoe."""

    ABSENT = "absent"
    CONTRIBUTING = "contributing"
    REVEALING = "revealing"
    READY = "ready"
    IN_PLAY = "in-play"


AnyPhase = TypeVar("AnyPhase", Phase, ShoePhase)


class InvalidTransition(BaccaratError):
    """An event that cannot happen in this phase, so the journal is invalid."""


TRANSITIONS: dict[tuple[Phase | ShoePhase, type[e.Event]], Phase | ShoePhase] = {
    **{(phase, e.CutCardShown): phase for phase in Phase},
    **{(phase, e.RoundOpened): Phase.OPEN for phase in Phase if phase.resting},
    (Phase.OPEN, e.WagersPlaced): Phase.OPEN,
    (Phase.OPEN, e.BonusBreachFlagged): Phase.OPEN,
    (Phase.OPEN, e.DealAsked): Phase.OPEN,
    (Phase.OPEN, e.SqueezeAsked): Phase.OPEN,
    (Phase.OPEN, e.BettingClosed): Phase.CLOSED,
    (Phase.CLOSED, e.CardOffered): Phase.CLOSED,
    (Phase.CLOSED, e.CardDealt): Phase.DEALING,
    (Phase.CLOSED, e.CardPlaced): Phase.DEALING,
    (Phase.DEALING, e.CardOffered): Phase.DEALING,
    (Phase.DEALING, e.CardDealt): Phase.DEALING,
    (Phase.DEALING, e.CardPlaced): Phase.DEALING,
    (Phase.DEALING, e.CoupRectified): Phase.DEALING,
    (Phase.DEALING, e.CoupDecided): Phase.DECIDED,
    (Phase.DECIDED, e.CardPlaced): Phase.DECIDED,
    (Phase.DECIDED, e.CoupRectified): Phase.DEALING,
    (Phase.DECIDED, e.RoundSettled): Phase.SETTLED,
    **{(phase, e.RoundCancelled): Phase.CANCELLED for phase in Phase if not phase.resting},
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
"""The phase after each event, by the phase before the event and the type of the event."""

OF_ROUNDS = frozenset(event for phase, event in TRANSITIONS if isinstance(phase, Phase))
OF_SHOES = frozenset(event for phase, event in TRANSITIONS if isinstance(phase, ShoePhase))


def next_phase(phase: AnyPhase, event: e.Event) -> AnyPhase:
    """Return the phase of a round or of a shoe after one of its events."""
    found = TRANSITIONS.get((phase, type(event)))
    if found is None:
        can = ", ".join(kind.__name__ for known, kind in TRANSITIONS if known is phase)
        raise InvalidTransition(
            f"{type(event).__name__} cannot happen in phase {phase}, only {can} can"
        )
    return cast("AnyPhase", found)
