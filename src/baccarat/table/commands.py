"""What a table can be asked to do: imperative, plain values.

Players wager, contribute and agree on what the card leaves to them; whoever holds the table's lease
drives it, and names the epoch of the lease in every command; the pit pauses and cancels. A table of
real cards is conducted by its dealer, who is named in every command. Cards come with the command
that deals them, because a table knows only what is public. The one rule: a command carries
everything it needs besides the table's state and the time.
"""

from dataclasses import dataclass

from baccarat.core.cards import Card
from baccarat.core.tableau import Hand
from baccarat.core.wagers import Wager
from baccarat.shoe.commitment import OpenedCard, Terms
from baccarat.table.canonical import from_envelope, later, to_envelope
from baccarat.table.events import CancelReason, CardWas, DataLost, PartnersSuspected, ResultUnusual
from baccarat.table.settings import Clock, Settings, StakeLimits

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
    by: str = ""
    """Who: the house file."""


@dataclass(frozen=True)
class AdjustTable(Command):
    """Change the clock or the limits, or both; what is None stays as it is."""

    clock: Clock | None
    limits: StakeLimits | None
    by: str


@dataclass(frozen=True)
class TakeLease(Command):
    epoch: int
    """One more than the last."""
    holder: str


@dataclass(frozen=True)
class PauseTable(Command):
    by: str
    reason: str
    house: bool = False
    """Every table of the house is."""


@dataclass(frozen=True)
class ResumeTable(Command):
    """Lift the table's own pause or, where every table goes on, the house's."""

    by: str
    house: bool = False


@dataclass(frozen=True)
class PlaceWagers(Command):
    """Replace this player's wagers on the open round by these; none withdraws them."""

    round: int
    player: str
    wagers: tuple[Wager, ...]
    bonus: int = 0
    replaces: tuple[Wager, ...] | None = later(None)
    """What the sender believes to stand; None from senders who replace whatever does."""

    @property
    def staked(self) -> int:
        return sum([wager.stake for wager in self.wagers])


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
    """A player disputes a round that they wagered on."""

    round: int
    player: str
    words: str


@dataclass(frozen=True)
class DecideDispute(Command):
    """Pay what these readings give; they are the best for the player."""

    round: int
    player: str
    readings: tuple[tuple[str, str], ...]
    """A reading of each open ambiguity, in any order."""
    alone: int
    """The most that one person may decide, in coins, by the house file of the server that sends
    it. It is in the event, so servers with different files are seen."""
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
    dealer: bool = later(default=False)
    """A dealer does, not the pit: only the one who has the table."""


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
    """Once a card of the coup is out, it is done when a second person says the same."""

    round: int
    reason: CancelReason
    by: str
    alone: int | None = None
    """The stakes in sum, in coins, above which it takes two in any case; None: no sum does."""


@dataclass(frozen=True)
class Notice(Command):
    """The house's watch has seen this; what it has seen before is not written down again."""

    seen: PartnersSuspected | ResultUnusual | DataLost
    """Its time is that of the command."""


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


@dataclass(frozen=True)
class Conducted(Command):
    """A command of the dealer who conducts the table."""

    dealer: str


@dataclass(frozen=True)
class TakeTable(Conducted):
    """Deal here from now on; where another dealer has the table, ask for it."""

    pit: bool = later(default=False)
    """A member of the pit takes any table: the pit confirms a hand-over."""


@dataclass(frozen=True)
class LeaveTable(Conducted):
    """Leave the table to nobody, between rounds."""


@dataclass(frozen=True)
class HandOver(Command):
    """Let the dealer who asked for the table have it, or refuse: the dealer who has it, or the pit;
    who asked can take the request back."""

    dealer: str
    by: str
    pit: bool
    accept: bool = True


@dataclass(frozen=True)
class BeginShoe(Conducted):
    shoe: bytes
    """Sixteen bytes that name it."""


@dataclass(frozen=True)
class BurnByHand(Conducted):
    """Burn the cards that are due, for the reason that they are due for."""

    shown: tuple[Card, ...] = ()


@dataclass(frozen=True)
class CallBets(Conducted):
    """Place your bets."""


@dataclass(frozen=True)
class CallNoMoreBets(Conducted):
    pass


@dataclass(frozen=True)
class PlaceCard(Conducted):
    """A card has left the shoe."""

    card: Card
    hand: Hand | None = None
    """Where it was put; None: where it belongs, or nobody said."""
    round: int | None = None
    """The round it was told for; None: nobody said."""
    place: int | None = None
    """Which card of the coup it was told as; 0, -1, …: the first, second, … that was shown early.
    None: nobody said, and it is taken only where it can be nothing but the next of a coup."""
    device: bool = later(default=False)
    """The shoe tells it by itself: nobody is there to be told that it is another's place."""


@dataclass(frozen=True)
class ExplainCard(Conducted):
    """Say what the card was that has been in doubt for longest."""

    card: Card
    was: CardWas


@dataclass(frozen=True)
class ShowCutCard(Conducted):
    pass


@dataclass(frozen=True)
class AnnounceResult(Conducted):
    """The coup is over, says the dealer."""


@dataclass(frozen=True)
class RectifyCoup(Conducted):
    """Put the coup right."""

    drawn: tuple[Card, ...] | None = None
    """The cards in the order in which they really left the shoe; None: as they were told."""


@dataclass(frozen=True)
class ConfirmRectification(Command):
    """Change a coup that is complete, as its dealer has proposed; a member of the pit says so."""

    round: int
    by: str
    drawn: tuple[Card, ...]


@dataclass(frozen=True)
class PayRound(Conducted):
    pass


@dataclass(frozen=True)
class CallOff(Conducted):
    """A dummy round, says the dealer; once a card is out, a member of the pit confirms it."""

    round: int
    reason: CancelReason
    words: str = ""
    """Why it cannot be rectified, where the result is known."""
    alone: int | None = None
    """As in CancelRound."""


@dataclass(frozen=True)
class CloseShoe(Conducted):
    """End a shoe between rounds, with all cards nobody has seen where somebody has looked."""

    rest: tuple[Card, ...] | None = None


@dataclass(frozen=True)
class ReportError(Command):
    """Something was wrong with a coup."""

    round: int
    by: str
    words: str
    staff: bool
    """The dealer or the pit; a player must have wagered on the round."""


@dataclass(frozen=True)
class DismissReport(Command):
    round: int
    by: str
    words: str
    reports: int | None = later(None)
    """How many reports of the round were seen; None: nobody said."""


@dataclass(frozen=True)
class RemedyError(Command):
    """Settle a round again: the cards in the order in which they really left the shoe."""

    round: int
    by: str
    drawn: tuple[Card, ...]
    alone: int | None = None
    """The house's amount, in coins: where there is one, two people decide. None: there is none."""


@dataclass(frozen=True)
class ConsiderRectification(Command):
    """Say why a decided round cannot be put right."""

    round: int
    by: str
    words: str


COMMANDS: dict[str, type[Command]] = {
    kind.__name__: kind
    for kind in (
        *(OpenTable, ChangeSettings, AdjustTable, TakeLease, PauseTable, ResumeTable),
        *(PlaceWagers, CommitContribution, RevealContribution, CancelRound),
        *(ProposeAgreement, ConfirmAgreement, DeclineAgreement, EndAgreement),
        *(OpenDispute, DecideDispute, ResolveAmbiguity, WithdrawProposal),
        *(CommitShoe, CloseContributions, ReadyShoe, BurnCards, OpenRound, CloseBetting),
        *(DealCard, SettleRound, EndShoe),
        *(TakeTable, BeginShoe, BurnByHand, CallBets, CallNoMoreBets, PlaceCard, ShowCutCard),
        *(ExplainCard, AnnounceResult, RectifyCoup, PayRound, CallOff, CloseShoe),
        *(LeaveTable, HandOver, ConfirmRectification),
        *(ReportError, DismissReport, RemedyError, ConsiderRectification),
    )
}
"""Every command by its name."""


def encode(command: Command) -> bytes:
    """The canonical bytes of a command: what an idempotency key stands for."""
    return to_envelope(command, VERSION)


def decode(data: bytes) -> Command:
    """The inverse of `encode`; anything that is not exactly what it writes is refused."""
    return from_envelope(data, COMMANDS, VERSION)
