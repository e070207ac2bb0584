"""Commands to a table: plain values with imperative names.

Players place wagers, contribute to the shoe and make agreements. The server that holds the table's
lease drives it and states the epoch of the lease in every command. The pit pauses tables and
cancels rounds. A table with real cards is run by its dealer, who is named in every command. A
command that deals a card contains the card, because a table's state holds only what is public.
Apart from that state and the time, a command contains everything needed to carry it out.
"""

import msgspec

from baccarat.core.cards import Card
from baccarat.core.tableau import Hand
from baccarat.core.wagers import Wager
from baccarat.shoe.commitment import CommitmentTerms, OpenedCard
from baccarat.table.codec import Readings, Values
from baccarat.table.codec import encode as canonical
from baccarat.table.events import Alert, CancelReason, CardExplanation, CutBy
from baccarat.table.four_eyes.subjects import Subject
from baccarat.table.settings import Clock, Settings, StakeLimits


class Command(msgspec.Struct, frozen=True):
    """A command to a table."""


class OpenTable(Command, frozen=True):
    table: str
    settings: Settings
    starts_after: int = 0
    """Milliseconds until the first shoe."""


class ChangeSettings(Command, frozen=True):
    settings: Settings
    by: str = ""
    """Who changes the settings, as recorded in the event; for example the house file."""


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
    frozen: bool = False
    """Whether the current round stops too, until the house resumes."""


class ResumeTable(Command, frozen=True):
    """Lift the table's own pause or, if `house` is true, the pause of the whole house."""

    by: str
    house: bool = False


class InRound(Command, frozen=True):
    """Base class of a player's commands about the current round."""

    round: int
    player: str


class PlaceWagers(InRound, frozen=True):
    """Replace this player's wagers on the open round; an empty set withdraws them.

    `house.desk` carries out these commands, many at a time; `table.decide` does not accept them.
    """

    wagers: tuple[Wager, ...]
    replaces: tuple[Wager, ...] | None = None
    """The wagers that the sender believes are placed now; None to replace them in any case."""
    accept: Values = ()
    """The standing offer, if the player accepts it with these wagers."""


class AskToDeal(InRound, frozen=True):
    """Ask for the cards before the betting time is over; everyone with a bet must ask."""


class AskToSqueeze(InRound, frozen=True):
    """Ask to turn the cards of the player's side in this round."""


class TurnCard(InRound, frozen=True):
    """Turn the card that lies face down for this player."""


class OfAgreement(Command, frozen=True):
    """Base class of commands about an agreement with a player."""

    player: str
    by: str
    """The player, or the member of staff who acts for the house."""


class ProposeAgreement(OfAgreement, frozen=True):
    """Propose the terms of an agreement (`values` of parameters) to the other party."""

    values: Values


class ConfirmAgreement(OfAgreement, frozen=True):
    """Confirm the terms that the other party proposed, which must be exactly these `values`."""

    values: Values


class DeclineAgreement(OfAgreement, frozen=True):
    """Withdraw the sender's own proposal, or decline the other party's."""


class EndAgreement(OfAgreement, frozen=True):
    """End the agreement; bets that need one are then refused until there is another."""

    words: str = ""
    """The reason; the house must give one."""


class OfDispute(Command, frozen=True):
    """Base class of commands about a player's dispute over a round."""

    round: int
    player: str


class OpenDispute(OfDispute, frozen=True):
    """Dispute a round that the player wagered on."""

    words: str
    cites: str = ""
    """Id of the listed ambiguity that the dispute is about; empty if there is none."""


class AnswerDispute(OfDispute, frozen=True):
    """Close a dispute with an explanation and, if two people agree to it, a payment."""

    amount: int
    """Coins to pay to the player; may be 0."""
    words: str
    by: str


class DecideDispute(OfDispute, frozen=True):
    """Decide a dispute by these readings, which must be the best ones for the player."""

    readings: Readings
    """A reading of each open ambiguity, in any order."""
    alone: int
    """The largest amount that one person may decide, in coins, from the sending server's house
    file. It is recorded in the event, so that differing house files can be detected."""
    words: str
    by: str
    day_alone: int | None = None
    """The largest total that one person may decide alone in a gaming day, from the same file."""
    day: int = 0
    """When the gaming day began; the store fills in `day` and `used` during the commit."""
    used: int = 0
    """The total that the person has already decided alone on that day."""


class ResolveAmbiguity(Command, frozen=True):
    """Adopt one reading of an ambiguous rule from a given time on; two people must agree to it."""

    ambiguity: str
    reading: str
    effective: int
    """When the reading takes effect; 0 means at once."""
    words: str
    by: str


class WithdrawProposal(Command, frozen=True):
    """Withdraw a proposal that is waiting for a second person."""

    subject: Subject
    by: str
    dealer: bool = False
    """Whether the sender must be the table's dealer."""
    own: bool = False
    """Whether only the person who made the proposal may withdraw it."""


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
    """Total stakes, in coins, above which two people are always needed; None if there is no such
    limit."""


class RecordAlert(Command, frozen=True):
    """Record a monitor's alert, unless an earlier alert makes it redundant."""

    alert: Alert
    """The alert; its time is replaced by the time at which the command is carried out."""


class ServerCommand(Command, frozen=True):
    """Base class of commands from the server that drives the table."""

    epoch: int


class CommitShoe(ServerCommand, frozen=True):
    terms: CommitmentTerms
    root: bytes


class CloseContributions(ServerCommand, frozen=True):
    """Accept no more contributions to the new shoe."""


class ReadyShoe(ServerCommand, frozen=True):
    """Derive the order of dealing from the shoe's commitment and the players' contributions."""


class BurnCards(ServerCommand, frozen=True):
    first: OpenedCard | None
    """The first card, if it determines the number of cards to burn."""


class OpenRound(ServerCommand, frozen=True):
    """Open a round for bets."""


class CloseBetting(ServerCommand, frozen=True):
    """Close betting on the open round."""


class OfferCard(ServerCommand, frozen=True):
    """Lay the next card face down for the player who may turn it."""

    card: OpenedCard


class DealCard(ServerCommand, frozen=True):
    card: OpenedCard


class SettleRound(ServerCommand, frozen=True):
    """Pay or collect every wager."""


class EndShoe(ServerCommand, frozen=True):
    """End a shoe and reveal its secret: a shoe that is dealt out or, with `abandon`, any shoe
    between rounds."""

    key: bytes
    order: tuple[Card, ...]
    abandon: bool = False

    def __repr__(self) -> str:
        return f"EndShoe(epoch={self.epoch}, abandon={self.abandon}, cards not shown)"


class DealerCommand(Command, frozen=True):
    """Base class of commands from the dealer who runs the table."""

    dealer: str


class TakeTable(DealerCommand, frozen=True):
    """Become the dealer of this table or, if another dealer has the table, ask to take over."""

    pit: bool = False
    """Whether the sender is a member of the pit, who may take any table without asking."""


class LeaveTable(DealerCommand, frozen=True):
    """Leave the table between rounds, so that it has no dealer."""


class HandOver(Command, frozen=True):
    """Give the table to the dealer who asked for it, or refuse the request.

    The current dealer or the pit decides; the dealer who asked can withdraw the request.
    """

    dealer: str
    by: str
    pit: bool
    accept: bool = True


class CallFloor(DealerCommand, frozen=True):
    """Call the floor: freeze the table until a member of the pit answers."""


class AnswerFloor(Command, frozen=True):
    """Answer the dealer's call as a member of the pit, so that the game goes on."""

    by: str
    words: str
    pit: bool
    """Whether the sender is a member of the pit."""


class BeginShoe(DealerCommand, frozen=True):
    shoe: bytes
    """Identifier of the shoe, 16 bytes."""
    deck_set: str = ""
    """The deck set that fills the shoe; empty if the house does not record it."""
    cut_by: CutBy | None = None
    """Who cut the cards; needed with a deck set."""
    prepared: int = 0
    """Number of the entry in the house's journal that recorded the set's count and shuffle. The
    house's job sets this field and the next during the commit."""
    set_decks: int = 0
    """Number of decks in the set."""


class BurnByHand(DealerCommand, frozen=True):
    """Burn the cards that must be burned now; the table knows how many and why."""

    shown: tuple[Card, ...] = ()


class CallBets(DealerCommand, frozen=True):
    """Open a round by calling "place your bets"."""


class CallNoMoreBets(DealerCommand, frozen=True):
    """Close betting by calling "no more bets"."""


class PlaceCard(DealerCommand, frozen=True):
    """Report a card that has left the shoe."""

    card: Card
    hand: Hand | None = None
    """The hand that the card was placed with; None means the hand it belongs to."""
    round: int | None = None
    """The round that the card was reported for; None if not stated."""
    place: int | None = None
    """The card's number in the coup; 0, -1, … for the first, second, … card that was shown early.
    A card without `place` and `after` is accepted only if it must be the next card of a coup."""
    after: int | None = None
    """Number of the last event that the sender knew of, given instead of `place`: the card is out
    of place if the round has moved on since that event. None if not stated."""
    device: bool = False
    """Whether an electronic shoe sent the command. If its card is out of place, the card is kept
    for the dealer to explain, not refused."""


class ReadCard(DealerCommand, frozen=True):
    """Report a card that the table's electronic shoe read when it left the shoe."""

    card: Card
    number: int
    """The card's number in the shoe, from 1, as counted by the electronic shoe."""


class ExplainCard(DealerCommand, frozen=True):
    """State what really happened to the card that has been in doubt the longest."""

    card: Card
    was: CardExplanation


class ShowCutCard(DealerCommand, frozen=True):
    """Report that the cut card has come out."""

    sure: bool = False
    """Whether the dealer confirms this although most of the shoe is left."""


class Undo(Command, frozen=True):
    """Base class of commands that undo what a dealer entered by mistake."""

    by: str
    pit: bool
    """Whether the sender is a member of the pit."""
    words: str
    """The reason."""


class CorrectBurn(Undo, frozen=True):
    """Correct the cards that were burned last."""

    shown: tuple[Card, ...]


class UndoCutCard(Undo, frozen=True):
    """Record that the cut card has not come out."""


class AnnounceResult(DealerCommand, frozen=True):
    """Announce that the coup is over."""


class RectifyCoup(DealerCommand, frozen=True):
    """Rearrange the cards of the coup as a perfect dealer would have placed them."""

    drawn: tuple[Card, ...] | None = None
    """The cards in the order in which they really left the shoe; None if they left it in the order
    reported."""
    words: str = ""
    """Why the cards differ from those reported; needed if they do."""


class OfError(Command, frozen=True):
    """Base class of commands about a dealing error in a round; `by` is the sender."""

    round: int
    by: str


class ConfirmRectification(OfError, frozen=True):
    """Confirm, as a member of the pit, the change to a coup that its dealer proposed."""

    drawn: tuple[Card, ...]


class PayRound(DealerCommand, frozen=True):
    """Pay everyone and settle the round."""


class CallOff(DealerCommand, frozen=True):
    """Cancel the round as its dealer; once a card is out, a member of the pit must confirm."""

    round: int
    reason: CancelReason
    words: str = ""
    """Why the coup cannot be rectified instead; needed if the result is known."""
    alone: int | None = None
    """The same limit as in `CancelRound`."""


class CloseShoe(DealerCommand, frozen=True):
    """End a shoe between rounds.

    `rest` lists all cards that nobody had seen, if someone has now looked at them.
    """

    rest: tuple[Card, ...] | None = None


class ReportError(OfError, frozen=True):
    """Report a dealing error in a round; anyone at the table may do this, even without a wager."""

    words: str


class DismissReport(OfError, frozen=True):
    words: str
    reports: int | None = None
    """Number of reports on the round that the sender has seen; None if not stated."""
    issued_dealer: bool = False
    """Whether the sender opened the account of someone who dealt the round, or issued a password
    for it. The house's job sets this field during the commit."""


class RemedyError(OfError, frozen=True):
    """Settle a round again, with the cards in the order in which they really left the shoe."""

    drawn: tuple[Card, ...]
    alone: int | None = None
    """The house's limit for decisions by one person, in coins. If it is set, two people must decide
    on every correction; None if it is not set."""


class ConsiderRectification(OfError, frozen=True):
    """State why a round whose result is known cannot be rectified and must be cancelled."""

    words: str


def encode(command: Command) -> bytes:
    """Return the canonical bytes of a command, to detect a reused idempotency key."""
    return f"{type(command).__name__} ".encode() + canonical(command)
