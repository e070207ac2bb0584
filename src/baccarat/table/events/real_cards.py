"""Events of a table with real cards."""

from enum import StrEnum

from baccarat.core.cards import Card
from baccarat.core.coup import Winner
from baccarat.core.misdeals import Irregularity
from baccarat.core.tableau import Hand, TurnReason
from baccarat.shoe.commitment import Hex
from baccarat.shoe.unshuffled import Sign
from baccarat.table.codec import AccountId, Coins, Value
from baccarat.table.events.base import Alarm, BurnReason, CardWas, EndReason, Event, PlayerResult
from baccarat.table.events.rounds import OfRound
from baccarat.table.settings import Excess


class DealerChanged(Event, frozen=True):
    """The table has a new dealer; empty if it has none.

    before: The dealer before; empty if there was none.
    by: Who confirmed the hand-over: the dealer who left, or a member of the pit.
    """

    dealer: str
    before: str
    by: AccountId


class ShoeBegun(Event, frozen=True):
    """A shoe of real cards begins, shuffled and cut by hand or by a machine.

    rules: SHA-256 of the canonical content of the rules in the settings.
    """

    dealer: str
    shoe: Hex
    decks: int
    rules: Hex


class BurnedByHand(Event, frozen=True):
    """Cards left the shoe without being played.

    shown: The cards that were turned up; they came first.
    """

    dealer: str
    reason: BurnReason
    count: int
    shown: tuple[Card, ...]


class CardPlaced(OfRound, frozen=True):
    """A card left the shoe, and the dealer placed it with a hand.

    hand: The hand; None if not known, because the shoe reports its cards itself and this one is in
        excess.
    meant: The hand it belongs to by the tableau; None if the coup was over.
    total: Total of the hand it was placed with, as its cards lie.
    reason: For a third card, the row of the tableau that drew it.
    device: True if an electronic shoe sent it, False if the dealer keyed it.
    """

    dealer: str
    card: Card
    hand: Hand | None
    meant: Hand | None
    total: int
    reason: TurnReason | None
    device: bool


class IrregularityFound(OfRound, frozen=True):
    """Something was wrong with a card, or when the end of the coup was announced."""

    dealer: str
    wrong: Irregularity


class InDoubt(StrEnum):
    """Why a card that a device reported may not be the next one.

    moved-on: The table had moved on since the event after which the device sent it.
    other-place: The device named another place than the one that was due.
    irregular: It named no place, and something had to be put right first.
    no-coup: It named no place, and no coup was being dealt.
    complete: It named no place, and the coup already had all its cards.
    """

    MOVED_ON = "moved-on"
    OTHER_PLACE = "other-place"
    IRREGULAR = "irregular"
    NO_COUP = "no-coup"
    COMPLETE = "complete"


class CardInDoubt(OfRound, frozen=True):
    """A device reported a card that is not clearly the next one; the dealer must explain it.

    why: Why it may not be the next one.
    due: The place that was due: the card's number in the coup, from 1; for cards that are shown
        early, 0 for the first, -1 for the second, and so on.
    for_round: The round that the device named; None if it named neither round nor place.
    for_place: The place that the device named.
    """

    dealer: str
    card: Card
    hand: Hand | None
    why: InDoubt
    due: int
    for_round: int | None
    for_place: int | None


class CardExplained(OfRound, frozen=True):
    """The dealer explained a card that was in doubt; events that follow from it come next."""

    dealer: str
    card: Card
    was: CardWas


class CoupRectified(OfRound, frozen=True):
    """The cards were put in the order that was meant; the coup continues from there.

    recorded: The cards as they were reported.
    drawn: The cards as they really left the shoe, including those in excess.
    hands: The hands of the cards that the coup keeps.
    excess: Cards that were taken back.
    by: Who proposed and who confirmed it, if a complete coup or a device's card was changed.
    coup_before: The coup that the cards gave before; empty if it was not complete.
    coup_after: The coup that they give now; empty if it is not complete.
    paid_before: What each player would have been paid, if a complete coup was changed.
    paid_after: What each player would be paid by the cards as they are now; empty if the coup is
        not complete.
    """

    dealer: str
    recorded: tuple[Card, ...]
    drawn: tuple[Card, ...]
    hands: tuple[Hand, ...]
    excess: tuple[Card, ...]
    goes: Excess
    by: tuple[AccountId, ...] = ()
    coup_before: str = ""
    coup_after: str = ""
    paid_before: tuple[PlayerResult, ...] = ()
    paid_after: tuple[PlayerResult, ...] = ()


class ErrorReported(OfRound, frozen=True):
    """An error was reported in time, so it can be remedied, now or later.

    words: In the words of the person who reported it; empty if a device contradicts the round.
    card: The card that a device sent for a place of the settled round, if it contradicts it.
    place: That place: the card's number in the coup, from 1.
    """

    by: AccountId
    words: str
    card: Card | None = None
    place: int | None = None


class ReportDismissed(OfRound, frozen=True):
    """There was no error: the coup stands.

    first: Who proposed it, if two people decided.
    """

    by: AccountId
    words: str
    first: AccountId


class RectificationConsidered(OfRound, frozen=True):
    """Why this round cannot be rectified, and should be cancelled instead."""

    by: AccountId
    words: str


class Correction(Value, frozen=True):
    """What settling a round again moves for one player, in coins.

    real: To the player's own money or, if negative, from it.
    short: Own money that was overpaid and cannot be taken back; the house bears it.
    """

    player: AccountId
    real: Coins
    bonus: Coins
    short: Coins
    short_bonus: Coins


class RoundCorrected(OfRound, frozen=True):
    """A settled round was settled again, as a perfect dealer would have dealt it.

    drawn: The cards as they really left the shoe, including those in excess.
    coup: In the notation P:5hKd3c=8 B:7s2h=9.
    results: The new results, in place of those that were settled.
    alone: The most that one person decides in this house. A correction takes two people if the
        house sets an amount; None means one is enough, except for someone who dealt the round.
    coup_before: The coup as it was settled before.
    paid_before: The results as they were settled before.
    first: Who proposed it, if two people decided.
    """

    by: AccountId
    drawn: tuple[Card, ...]
    excess: tuple[Card, ...]
    goes: Excess
    coup: str
    winner: Winner
    results: tuple[PlayerResult, ...]
    corrections: tuple[Correction, ...]
    alone: Coins | None
    coup_before: str
    paid_before: tuple[PlayerResult, ...]
    first: AccountId = ""


class AlarmRaised(Event, frozen=True):
    """Something is wrong with the shoe; no more rounds are opened from it.

    sign: How an unshuffled shoe was recognised.
    cards: Cards that came in such an order, or of which the shoe has too many.
    lacking: Cards of which the shoe has too few.
    """

    alarm: Alarm
    dealer: str
    sign: Sign | None = None
    cards: tuple[Card, ...] = ()
    lacking: tuple[Card, ...] = ()


class ShoeClosed(Event, frozen=True):
    """A shoe of real cards ended, and its cards were counted.

    rest: All cards that nobody had seen, if someone looked at the end.
    """

    dealer: str
    shoe: Hex
    reason: EndReason
    rest: tuple[Card, ...] | None
    seen: int
    unseen: int
    surplus: tuple[Card, ...]
    lacking: tuple[Card, ...]
