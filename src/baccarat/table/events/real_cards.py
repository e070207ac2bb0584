"""Events of a table with real cards."""

from enum import StrEnum

from baccarat.core.cards import Card
from baccarat.core.coup import Winner
from baccarat.core.misdeals import Irregularity
from baccarat.core.tableau import Hand, TurnReason
from baccarat.shoe.commitment import Hex
from baccarat.shoe.unshuffled import UnshuffledSign
from baccarat.table.codec import AccountId, Coins, Value
from baccarat.table.events.base import (
    Alarm,
    BurnReason,
    CardExplanation,
    CutBy,
    EndReason,
    Event,
    PlayerResult,
)
from baccarat.table.events.rounds import OfRound
from baccarat.table.settings import Excess


class DealerChanged(Event, frozen=True):
    """The dealer of the table changed.

    dealer: The new dealer; empty if the table now has none.
    before: The previous dealer; empty if there was none.
    by: Who made or confirmed the change: the previous dealer or a member of the pit. Empty if the
        table had no dealer.
    """

    dealer: str
    before: str
    by: AccountId


class FloorCalled(Event, frozen=True):
    """The dealer called the floor; the table is frozen until a member of the pit answers."""

    dealer: str


class FloorAnswered(Event, frozen=True):
    """A member of the pit other than the dealer answered the call; the game goes on.

    words: What the pit found and decided.
    """

    by: AccountId
    words: str


class ShoeBegun(Event, frozen=True):
    """A new shoe of real cards, shuffled and cut by hand or by a machine, was started.

    rules: SHA-256 of the canonical content of the rules in the settings.
    deck_set: The deck set that fills the shoe; empty if it was not recorded.
    prepared: Number of the entry in the house's journal that recorded the set's count and shuffle.
    cut_by: Who cut the cards; None if it was not recorded.
    shuffler: Whether the cards are in a shuffling machine and go back into it after every coup.
    """

    dealer: str
    shoe: Hex
    decks: int
    rules: Hex
    deck_set: str = ""
    prepared: int = 0
    cut_by: CutBy | None = None
    shuffler: bool = False


class BurnedByHand(Event, frozen=True):
    """Cards left the shoe without being played.

    shown: The cards that were turned up; they left the shoe before the other burned cards.
    """

    dealer: str
    reason: BurnReason
    count: int
    shown: tuple[Card, ...]


class BurnCorrected(Event, frozen=True):
    """The cards that were burned last were corrected, because they had been entered wrongly.

    by: The dealer or, once a card has followed, a member of the pit.
    entered: The cards that had been entered as turned up.
    shown: The cards that were really turned up.
    count: Number of cards that were really burned.
    """

    by: AccountId
    entered: tuple[Card, ...]
    shown: tuple[Card, ...]
    count: int
    words: str


class CutCardTakenBack(OfRound, frozen=True):
    """The cut card had not come out; it was recorded by mistake.

    by: The dealer or, once a coup has been completed since, a member of the pit.
    """

    by: AccountId
    words: str


class CardPlaced(OfRound, frozen=True):
    """A card left the shoe, and the dealer added it to a hand.

    hand: The hand that the card was placed with; None if that is not known, because an electronic
        shoe reported an excess card.
    meant: The hand that the card belongs to according to the tableau; None if the coup was over.
    total: Total of the hand that the card was placed with, including this card.
    reason: For a third card, the row of the tableau that required it.
    device: True if an electronic shoe reported the card, False if the dealer keyed it.
    """

    dealer: str
    card: Card
    hand: Hand | None
    meant: Hand | None
    total: int
    reason: TurnReason | None
    device: bool


class IrregularityFound(OfRound, frozen=True):
    """A dealing error was found, such as a misplaced card or a result announced too early."""

    dealer: str
    wrong: Irregularity


class InDoubt(StrEnum):
    """Why a card that a device reported may not be the next one.

    moved-on: The round had moved on since the last event that the device knew of.
    other-place: The device stated a different round or place from the one that was due.
    irregular: The device stated no place, and an irregularity had to be put right first.
    no-coup: The device stated no place, and no coup was being dealt.
    complete: The device stated no place, and the coup already had all its cards.
    frozen: The dealer had called the floor, and the pit had not answered.
    """

    MOVED_ON = "moved-on"
    OTHER_PLACE = "other-place"
    IRREGULAR = "irregular"
    NO_COUP = "no-coup"
    COMPLETE = "complete"
    FROZEN = "frozen"


class CardRead(Event, frozen=True):
    """An electronic shoe read a card that left it; the card's events follow, unless it was entered.

    number: The card's number in the shoe, as counted by the electronic shoe.
    entered: Whether the dealer had already entered the card, or a card in its place.
    """

    dealer: str
    number: int
    card: Card
    entered: bool


class ReadingDisputed(OfRound, frozen=True):
    """The dealer and the electronic shoe recorded different cards; the table is frozen."""

    dealer: str
    entered: Card
    read: Card


class CardInDoubt(OfRound, frozen=True):
    """A device reported a card that is not clearly the next one; the dealer must explain it.

    why: Why the card may not be the next one.
    due: The place of the card that was due: its number in the coup, from 1. For cards that are
        shown early, 0 for the first, -1 for the second, and so on.
    for_round: The round that the device stated; None if it stated neither round nor place.
    for_place: The place that the device stated; None if it stated none.
    """

    dealer: str
    card: Card
    hand: Hand | None
    why: InDoubt
    due: int
    for_round: int | None
    for_place: int | None


class CardExplained(OfRound, frozen=True):
    """The dealer explained a card that was in doubt; the resulting events follow."""

    dealer: str
    card: Card
    was: CardExplanation


class CoupRectified(OfRound, frozen=True):
    """The cards were rearranged as a perfect dealer would have placed them; the coup continues.

    recorded: The cards as they were reported.
    drawn: The cards as they really left the shoe, including excess cards.
    hands: For each card kept in the coup, the hand it belongs to.
    excess: The excess cards, which were removed from the coup.
    goes: Where the excess cards go.
    by: Who proposed and who confirmed the change, if the pit had to confirm it; otherwise empty.
    coup_before: The coup before the change; empty if it was not complete.
    coup_after: The coup after the change; empty if it is not complete.
    paid_before: What each player would have been paid for `coup_before`, if the pit had to confirm
        the change; otherwise empty.
    paid_after: What each player would be paid for `coup_after`, if the pit had to confirm the
        change; otherwise empty.
    words: Why the dealer changed the cards, if the dealer did this alone and gave a reason.
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
    words: str = ""


class ErrorReported(OfRound, frozen=True):
    """An error was reported in time, so it can be remedied, now or later.

    words: What the person who reported the error wrote; empty if a device reported it.
    card: The device's card that contradicts the settled round; None for a person's report.
    place: The place that the device stated for the card: its number in the coup, from 1.
    """

    by: AccountId
    words: str
    card: Card | None = None
    place: int | None = None


class ReportDismissed(OfRound, frozen=True):
    """A report was dismissed because there was no error: the coup stands.

    first: Who proposed the dismissal, if two people decided; otherwise empty.
    """

    by: AccountId
    words: str
    first: AccountId


class RectificationConsidered(OfRound, frozen=True):
    """Someone stated why this round cannot be rectified and should be cancelled instead."""

    by: AccountId
    words: str


class Correction(Value, frozen=True):
    """What settling a round again changes for one player, in coins.

    real: Added to the player's own money or, if negative, taken from it.
    bonus: Added to the player's bonus money or, if negative, taken from it.
    short: Overpaid own money that the player no longer has; the house bears the loss.
    short_bonus: The same for bonus money.
    """

    player: AccountId
    real: Coins
    bonus: Coins
    short: Coins
    short_bonus: Coins


class RoundCorrected(OfRound, frozen=True):
    """A settled round was settled again, as a perfect dealer would have dealt it.

    drawn: The cards as they really left the shoe, including excess cards.
    coup: The coup in the notation P:5hKd3c=8 B:7s2h=9.
    results: The new results, which replace the earlier ones.
    alone: The house's limit for decisions by one person. If it is set, two people must decide on
        every correction. None means that one person is enough, except someone who dealt the round.
    coup_before: The coup as it was settled before.
    paid_before: The results as they were settled before.
    first: Who proposed the correction, if two people decided; otherwise empty.
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

    sign: How an unshuffled shoe was recognised; None for other alarms.
    cards: The cards that came out unshuffled, or those of which the shoe has too many.
    lacking: Cards of which the shoe has too few.
    """

    alarm: Alarm
    dealer: str
    sign: UnshuffledSign | None = None
    cards: tuple[Card, ...] = ()
    lacking: tuple[Card, ...] = ()


class ShoeClosed(Event, frozen=True):
    """A shoe of real cards ended, and its cards were counted.

    rest: All cards that nobody had seen, if someone looked at them at the end; otherwise None.
    seen: Number of cards whose faces are known.
    unseen: Number of cards whose faces are not known.
    surplus: Cards of which the shoe has too many.
    lacking: Cards of which the shoe has too few.
    """

    dealer: str
    shoe: Hex
    reason: EndReason
    rest: tuple[Card, ...] | None
    seen: int
    unseen: int
    surplus: tuple[Card, ...]
    lacking: tuple[Card, ...]
