"""Commands to a table: imperative, plain values.

Players place wagers, contribute to the shoe and make agreements. The server that holds the table's
lease drives it and names the epoch of the lease in every command. The pit pauses and cancels. A
table with real cards is run by its dealer, who is named in every command. Cards come with the
command that deals them, because a table knows only what is public. A command carries everything it
needs except the table's state and the time.
"""

import msgspec

from baccarat.core.cards import Card
from baccarat.core.tableau import Hand
from baccarat.core.wagers import Wager
from baccarat.shoe.commitment import OpenedCard, Terms
from baccarat.table.codec import encode as canonical
from baccarat.table.events import Alert, CancelReason, CardWas
from baccarat.table.four_eyes.subjects import Subject
from baccarat.table.settings import Clock, Settings, StakeLimits


class Command(msgspec.Struct, frozen=True):
    """A command to a table."""


class OpenTable(Command, frozen=True):
    table: str
    settings: Settings


class ChangeSettings(Command, frozen=True):
    settings: Settings
    by: str = ""
    """Who changes them: the house file."""


class AdjustTable(Command, frozen=True):
    """Change the clock, the limits or both; None leaves a value as it is."""

    clock: Clock | None
    limits: StakeLimits | None
    by: str


class TakeLease(Command, frozen=True):
    epoch: int
    """One more than the last epoch."""
    holder: str


class PauseTable(Command, frozen=True):
    by: str
    reason: str
    house: bool = False
    """Whether the whole house is paused."""


class ResumeTable(Command, frozen=True):
    """Lift the table's own pause or, if the whole house resumes, the pause of the house."""

    by: str
    house: bool = False


class PlaceWagers(Command, frozen=True):
    """Replace this player's wagers on the open round; an empty set withdraws them."""

    round: int
    player: str
    wagers: tuple[Wager, ...]
    bonus: int = 0
    replaces: tuple[Wager, ...] | None = None
    """Wagers that the sender believes are placed; None replaces any."""


class OfAgreement(Command, frozen=True):
    """A command about an agreement with a player."""

    player: str
    by: str
    """The player, or a member of staff for the house."""


class ProposeAgreement(OfAgreement, frozen=True):
    """Propose values to the other party."""

    values: tuple[tuple[str, str], ...]


class ConfirmAgreement(OfAgreement, frozen=True):
    """Confirm exactly these values, as the other party."""

    values: tuple[tuple[str, str], ...]


class DeclineAgreement(OfAgreement, frozen=True):
    """Withdraw or decline a proposal."""


class EndAgreement(OfAgreement, frozen=True):
    """Return to the table's own terms."""


class OpenDispute(Command, frozen=True):
    """Dispute a round that the player wagered on."""

    round: int
    player: str
    words: str


class DecideDispute(Command, frozen=True):
    """Pay what these readings give; they must be the best for the player."""

    round: int
    player: str
    readings: tuple[tuple[str, str], ...]
    """A reading of each open ambiguity, in any order."""
    alone: int
    """The most that one person may decide, in coins, by the house file of the sending server. It is
    recorded in the event, so that servers with different files are noticed."""
    words: str
    by: str
    day_alone: int | None = None
    """The most that one person may decide alone in a gaming day, by the same house file."""
    day: int = 0
    """When the gaming day began; like `used`, it is filled in inside the commit."""
    used: int = 0
    """What the person has decided alone on that day so far."""


class ResolveAmbiguity(Command, frozen=True):
    """Fix one reading of an open rule from a given time on; this takes two people."""

    ambiguity: str
    reading: str
    effective: int
    """When it takes effect; 0 for at once."""
    words: str
    by: str


class WithdrawProposal(Command, frozen=True):
    """Withdraw a proposal that is waiting for a second person."""

    subject: Subject
    by: str
    dealer: bool = False
    """Sent by a dealer, who must have the table, and not by the pit."""
    own: bool = False
    """Refuse this unless the same person made the proposal."""


class CommitContribution(Command, frozen=True):
    player: str
    commitment: bytes


class RevealContribution(Command, frozen=True):
    player: str
    secret: bytes


class CancelRound(Command, frozen=True):
    """Cancel a round; once a card of the coup is out, a second person must confirm."""

    round: int
    reason: CancelReason
    by: str
    alone: int | None = None
    """Total stakes, in coins, above which two people are always needed; None means no such
    amount."""


class RecordAlert(Command, frozen=True):
    """Record what a monitor found, unless it is already known."""

    alert: Alert
    """Its time is replaced by that of the command."""


class Driven(Command, frozen=True):
    """A command of the server that drives the table."""

    epoch: int


class CommitShoe(Driven, frozen=True):
    terms: Terms
    root: bytes


class CloseContributions(Driven, frozen=True):
    """Accept no more commitments to the new shoe."""


class ReadyShoe(Driven, frozen=True):
    """Fix the order of dealing."""


class BurnCards(Driven, frozen=True):
    first: OpenedCard | None
    """The first card, if it determines the number of cards to burn."""


class OpenRound(Driven, frozen=True):
    """Place your bets."""


class CloseBetting(Driven, frozen=True):
    """No more bets."""


class DealCard(Driven, frozen=True):
    card: OpenedCard


class SettleRound(Driven, frozen=True):
    """Pay or collect every wager."""


class EndShoe(Driven, frozen=True):
    """Reveal a shoe that is over, or abandon one between rounds."""

    key: bytes
    order: tuple[Card, ...]
    abandon: bool = False

    def __repr__(self) -> str:
        return f"EndShoe(epoch={self.epoch}, abandon={self.abandon}, cards not shown)"


class Conducted(Command, frozen=True):
    """A command of the dealer who runs the table."""

    dealer: str


class TakeTable(Conducted, frozen=True):
    """Become the dealer of this table; if another dealer has it, ask for it."""

    pit: bool = False
    """Sent by a member of the pit, who may take any table because the pit confirms hand-overs."""


class LeaveTable(Conducted, frozen=True):
    """Leave the table without a dealer, between rounds."""


class HandOver(Command, frozen=True):
    """Give the table to the dealer who asked for it, or refuse.

    The dealer who has the table or the pit decides; the dealer who asked can withdraw the request.
    """

    dealer: str
    by: str
    pit: bool
    accept: bool = True


class BeginShoe(Conducted, frozen=True):
    shoe: bytes
    """Identifier of the shoe, 16 bytes."""


class BurnByHand(Conducted, frozen=True):
    """Burn the cards that are due, for the reason they are due."""

    shown: tuple[Card, ...] = ()


class CallBets(Conducted, frozen=True):
    """Place your bets."""


class CallNoMoreBets(Conducted, frozen=True):
    """No more bets."""


class PlaceCard(Conducted, frozen=True):
    """Report a card that has left the shoe."""

    card: Card
    hand: Hand | None = None
    """The hand it was placed with; None means the hand it belongs to."""
    round: int | None = None
    """The round it was reported for; None if not stated."""
    place: int | None = None
    """Its number in the coup; 0, -1, … for the first, second, … card shown early. None if not
    stated: then it is accepted only if it must be the next card of a coup."""
    after: int | None = None
    """Number of the last event that its sender knew of, instead of a place: the card is out of
    place if the round has moved on since. None if not stated."""
    device: bool = False
    """Sent by an electronic shoe: a card out of place is kept for the dealer to explain, not
    refused."""


class ExplainCard(Conducted, frozen=True):
    """Explain the card that has been in doubt for longest."""

    card: Card
    was: CardWas


class ShowCutCard(Conducted, frozen=True):
    """Report that the cut card has come out."""


class AnnounceResult(Conducted, frozen=True):
    """Announce that the coup is over."""


class RectifyCoup(Conducted, frozen=True):
    """Rectify the coup."""

    drawn: tuple[Card, ...] | None = None
    """The cards in the order in which they really left the shoe; None means as they were
    reported."""


class OfError(Command, frozen=True):
    """A command about a dealing error in a round, by one person."""

    round: int
    by: str


class ConfirmRectification(OfError, frozen=True):
    """Change a complete coup as its dealer proposed, confirmed by a member of the pit."""

    drawn: tuple[Card, ...]


class PayRound(Conducted, frozen=True):
    """Pay everyone and settle the round."""


class CallOff(Conducted, frozen=True):
    """Cancel the round as its dealer; once a card is out, a member of the pit must confirm."""

    round: int
    reason: CancelReason
    words: str = ""
    """Why it cannot be rectified, if the result is known."""
    alone: int | None = None
    """As in CancelRound."""


class CloseShoe(Conducted, frozen=True):
    """End a shoe between rounds; `rest` lists all cards nobody has seen, if someone has looked."""

    rest: tuple[Card, ...] | None = None


class ReportError(OfError, frozen=True):
    """Report an error in a coup."""

    words: str
    staff: bool
    """Reported by the dealer or the pit; a player must have wagered on the round."""


class DismissReport(OfError, frozen=True):
    words: str
    reports: int | None = None
    """Number of reports of the round that were seen; None if not stated."""
    let_in: bool = False
    """Whether this person opened the account of someone who dealt the round, or issued its
    password; the store's job sets it."""


class RemedyError(OfError, frozen=True):
    """Settle a round again by the cards in the order in which they really left the shoe."""

    drawn: tuple[Card, ...]
    alone: int | None = None
    """The house's amount, in coins; if there is one, two people decide. None if there is none."""


class ConsiderRectification(OfError, frozen=True):
    """State why a decided round cannot be rectified."""

    words: str


def encode(command: Command) -> bytes:
    """Return the canonical bytes of a command, which an idempotency key stands for."""
    return f"{type(command).__name__} ".encode() + canonical(command)
