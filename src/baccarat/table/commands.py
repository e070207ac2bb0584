"""What a table can be asked to do: imperative, plain values.

Players wager, contribute and agree on what the card leaves to them; whoever holds the table's lease
drives it, and names the epoch of the lease in every command; the pit pauses and cancels. Cards come
with the command that deals them, because a table knows only what is public. The one rule: a command
carries everything it needs besides the table's state and the time.
"""

from dataclasses import dataclass

from baccarat.core.cards import Card
from baccarat.core.wagers import Wager
from baccarat.shoe.commitment import OpenedCard, Terms
from baccarat.table.canonical import from_envelope, to_envelope
from baccarat.table.disputes import Case
from baccarat.table.events import CancelReason
from baccarat.table.settings import Settings

VERSION = 1


@dataclass(frozen=True)
class Command:
    """Something to do."""


@dataclass(frozen=True)
class OpenTable(Command):
    table: str
    settings: Settings


@dataclass(frozen=True)
class ChangeSettings(Command):
    settings: Settings


@dataclass(frozen=True)
class TakeLease(Command):
    epoch: int
    """One more than the last."""
    holder: str


@dataclass(frozen=True)
class PauseTable(Command):
    by: str
    reason: str


@dataclass(frozen=True)
class ResumeTable(Command):
    by: str


@dataclass(frozen=True)
class PlaceWagers(Command):
    """Replace this player's wagers on the open round by these; none withdraws them."""

    round: int
    player: str
    wagers: tuple[Wager, ...]
    bonus: int = 0


@dataclass(frozen=True)
class ProposeAgreement(Command):
    """What one party would agree on with the other."""

    player: str
    values: tuple[tuple[str, str], ...]
    by: str
    """The player, or a member of staff for the house."""


@dataclass(frozen=True)
class ConfirmAgreement(Command):
    """The other party's yes, to exactly these values."""

    player: str
    values: tuple[tuple[str, str], ...]
    by: str


@dataclass(frozen=True)
class DeclineAgreement(Command):
    """Take a proposal off the table."""

    player: str
    by: str


@dataclass(frozen=True)
class EndAgreement(Command):
    """Go back to the table's own terms."""

    player: str
    by: str


@dataclass(frozen=True)
class OpenDispute(Command):
    """The player of the case disputes its round."""

    case: Case
    words: str


@dataclass(frozen=True)
class DecideDispute(Command):
    """Pay what these readings give; they are the best for the player."""

    case: Case
    readings: tuple[tuple[str, str], ...]
    alone: int
    """The most that one person may decide, in coins."""
    words: str
    by: str


@dataclass(frozen=True)
class ResolveAmbiguity(Command):
    """Read an open rule in one way from a time on; two people say so."""

    ambiguity: str
    reading: str
    effective: int
    """0 for at once."""
    words: str
    by: str


@dataclass(frozen=True)
class WithdrawProposal(Command):
    """Take back what waits for a second person."""

    subject: str
    by: str


@dataclass(frozen=True)
class CommitContribution(Command):
    player: str
    name: str
    commitment: bytes


@dataclass(frozen=True)
class RevealContribution(Command):
    player: str
    secret: bytes


@dataclass(frozen=True)
class CancelRound(Command):
    round: int
    reason: CancelReason
    by: tuple[str, ...]


@dataclass(frozen=True)
class Driven(Command):
    """A command of the server that drives the table."""

    epoch: int


@dataclass(frozen=True)
class CommitShoe(Driven):
    terms: Terms
    root: bytes


@dataclass(frozen=True)
class CloseContributions(Driven):
    pass


@dataclass(frozen=True)
class ReadyShoe(Driven):
    pass


@dataclass(frozen=True)
class BurnCards(Driven):
    first: OpenedCard | None
    """The first card, where the burn goes by it."""


@dataclass(frozen=True)
class OpenRound(Driven):
    pass


@dataclass(frozen=True)
class CloseBetting(Driven):
    pass


@dataclass(frozen=True)
class DealCard(Driven):
    card: OpenedCard


@dataclass(frozen=True)
class SettleRound(Driven):
    pass


@dataclass(frozen=True)
class EndShoe(Driven):
    """Reveal a shoe that is over; or abandon one, between rounds."""

    key: bytes
    order: tuple[Card, ...]
    abandon: bool = False

    def __repr__(self) -> str:
        return f"EndShoe(epoch={self.epoch}, abandon={self.abandon}, cards not shown)"


COMMANDS: dict[str, type[Command]] = {
    kind.__name__: kind
    for kind in (
        *(OpenTable, ChangeSettings, TakeLease, PauseTable, ResumeTable),
        *(PlaceWagers, CommitContribution, RevealContribution, CancelRound),
        *(ProposeAgreement, ConfirmAgreement, DeclineAgreement, EndAgreement),
        *(OpenDispute, DecideDispute, ResolveAmbiguity, WithdrawProposal),
        *(CommitShoe, CloseContributions, ReadyShoe, BurnCards, OpenRound, CloseBetting),
        *(DealCard, SettleRound, EndShoe),
    )
}
"""Every command by its name."""


def encode(command: Command) -> bytes:
    """The canonical bytes of a command: what an idempotency key stands for."""
    return to_envelope(command, VERSION)


def decode(data: bytes) -> Command:
    """The inverse of `encode`; anything that is not exactly what it writes is refused."""
    return from_envelope(data, COMMANDS, VERSION)
