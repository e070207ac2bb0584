"""What has happened at a table: past tense, plain values, a canonical form with a version.

The journal keeps nothing else, and a table's state is what its events say. Only what is public
goes in: cards once they are dealt, the rest when the shoe ends. What a dealer does at a table of
real cards carries the dealer's name. The one rule: an event that has been written is never given
another meaning. A new meaning is a new event, or a new version.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from baccarat.core.cards import Card
from baccarat.core.coup import Deal
from baccarat.core.misdeals import Wrong
from baccarat.core.tableau import Hand, Row, Turn
from baccarat.core.wagers import Wager
from baccarat.shoe import Burn
from baccarat.shoe.commitment import OpenedCard, Source
from baccarat.table.canonical import from_envelope, later, to_envelope
from baccarat.table.placed import Placed
from baccarat.table.settings import Excess, Settings

VERSION = 1
Coins = Annotated[int, "coins"]
"""Money."""
Time = Annotated[int, "milliseconds"]
"""Server time, since 1970."""
AccountId = Annotated[str, "account"]


class CancelReason(StrEnum):
    """Why a round has no result."""

    MISDEAL = "misdeal"
    SHUFFLER_FAULT = "shuffler-fault"
    FOREIGN_CARD = "foreign-card"
    POWER = "power"
    OTHER = "other"


class EndReason(StrEnum):
    """Why a shoe is over."""

    DEALT_OUT = "dealt-out"
    ABANDONED = "abandoned"


class BurnReason(StrEnum):
    """Why a dealer burns cards."""

    AFTER_SHUFFLE = "after-shuffle"
    EXPOSED = "exposed"
    """A card that was shown before "no more bets"."""
    DEALER_CHANGE = "dealer-change"
    TAKEN_BACK = "taken-back"
    """Cards were told and then said not to have left the shoe: they may be the next ones."""


class CardWas(StrEnum):
    """What a card was that a device told where none was due."""

    DRAWN = "drawn"
    """The next card of the coup, or one too many for it."""
    EXPOSED = "exposed"
    """Shown before "no more bets"."""
    BURNED = "burned"
    """The card that was due to be burned."""
    MISTAKE = "mistake"
    """No such card left the shoe."""


class Alarm(StrEnum):
    """Why a table stops by itself."""

    UNSHUFFLED = "unshuffled"
    """Cards come out in factory order, or in the same order as before."""
    DOES_NOT_ADD_UP = "does-not-add-up"
    FOREIGN_CARD = "foreign-card"


THE_ALARM = "the alarm"
"""Who pauses a table that stops by itself: no account has such a name."""


@dataclass(frozen=True)
class Event:
    """Something that happened."""

    at: Time
    """Server time in milliseconds since 1970; it never runs backwards within a journal."""


@dataclass(frozen=True)
class WagerResult:
    """One wager and what became of it, net."""

    bet: str
    stake: Coins
    net: Coins


@dataclass(frozen=True)
class PlayerResult:
    """One player's wagers of a round and what became of them."""

    player: AccountId
    wagers: tuple[WagerResult, ...]
    bonus: Coins
    """So many coins of the stakes were bonus money."""

    @property
    def staked(self) -> int:
        return sum([wager.stake for wager in self.wagers])

    @property
    def net(self) -> int:
        return sum([wager.net for wager in self.wagers])

    @property
    def returned(self) -> int:
        """Coins handed back: stakes and winnings, stakes, or nothing."""
        return self.staked + self.net


@dataclass(frozen=True)
class TableOpened(Event):
    """The first event of a table."""

    table: str
    settings: Settings


@dataclass(frozen=True)
class SettingsChanged(Event):
    """Clock and limits hold at once, for wagers yet to come; the rest from the next shoe on."""

    settings: Settings
    by: AccountId = later("")
    """Who: accounts of the staff, or the house file."""
    first: AccountId = later("")
    """Who has proposed it, where two people raise a maximum."""
    changes: tuple[str, ...] = later(())
    """Each changed value, before and after, in words."""


@dataclass(frozen=True)
class LeaseTaken(Event):
    """A server drives the table from here on; what older epochs still send is refused."""

    epoch: int
    holder: str


@dataclass(frozen=True)
class TablePaused(Event):
    """No wagers, no new round; the round that runs goes on to its end."""

    by: AccountId
    reason: str
    house: bool = later(default=False)
    """With the whole house, and until that goes on."""


@dataclass(frozen=True)
class TableResumed(Event):
    """The table goes on."""

    by: AccountId
    house: bool = later(default=False)
    """With the whole house."""
    stays: bool = later(default=False)
    """It had been paused by itself too, and still is."""


@dataclass(frozen=True)
class ShoeCommitted(Event):
    """A new shoe: all that is promised, before the first wager."""

    shoe: bytes
    """The sixteen bytes that name it."""
    source: Source
    decks: int
    cut: int
    """Cards behind the cut card; 0 for a shuffler."""
    burn: Burn
    rules: bytes
    """SHA-256 of the canonical content of the rules in the settings."""
    root: bytes
    commitment: bytes
    contribute_until: Time
    """Players may commit to contributions until then."""
    reveal_until: Time
    """And reveal them until then."""


@dataclass(frozen=True)
class ContributionCommitted(Event):
    """A player has promised a contribution to the new shoe."""

    player: AccountId
    name: str
    """The contributor's, as others see it."""
    commitment: bytes


@dataclass(frozen=True)
class ContributionsClosed(Event):
    """The list is fixed; contributors reveal now."""


@dataclass(frozen=True)
class ContributionRevealed(Event):
    """What a contributor had promised."""

    player: AccountId
    secret: bytes


@dataclass(frozen=True)
class ShoeReady(Event):
    """The order of dealing is fixed by the public seed."""

    seed: bytes
    missing: int
    """Contributions that were not revealed in time."""


@dataclass(frozen=True)
class CardsBurned(Event):
    """Cards put away, unplayed, before the first coup of a shoe."""

    count: int
    shown: OpenedCard | None
    """The card that said how many."""


@dataclass(frozen=True)
class RoundOpened(Event):
    """Place your bets."""

    round: int
    closes_at: Time
    """0 where the dealer says when."""
    dealer: str = later("")
    bets: bool = later(default=True)
    """False: a card that has been seen may be the next one, so nobody wagers on this round."""


@dataclass(frozen=True)
class WagersPlaced(Event):
    """A player's wagers on the open round, replacing whatever stood before; none: withdrawn."""

    round: int
    player: AccountId
    wagers: tuple[Wager, ...]
    agreed: tuple[tuple[str, str], ...]
    """Parameters agreed with this player, under which the wagers will be settled."""
    bonus: Coins
    """So many coins of the stakes are bonus money."""

    @property
    def placed(self) -> Placed:
        return Placed(self.wagers, self.agreed, self.bonus)


@dataclass(frozen=True)
class BonusBreachFlagged(Event):
    """Wagers that were taken although they breach the rule on bonus money (R37)."""

    round: int
    player: AccountId
    """Whose wagers made it so."""
    players: tuple[AccountId, ...]
    """Whose wagers count together."""
    bets: tuple[str, ...]
    chance: str
    """Exact, as a fraction, that at least one of them wins."""
    stake: Coins
    bonus: Coins


@dataclass(frozen=True)
class BettingClosed(Event):
    """No more bets."""

    round: int
    dealer: str = later("")


@dataclass(frozen=True)
class Because:
    """The row of the tableau that decided a turn, for whoever says it in other words."""

    row: Row
    player: int
    """The two-card totals."""
    banker: int
    given: int
    """Points of Player's third card; 10: none."""

    @classmethod
    def of(cls, turn: Turn) -> "Because":
        return cls(turn.row, turn.player, turn.banker, turn.given)


@dataclass(frozen=True)
class CardDealt(Event):
    """A card of the shoe that was committed to, face up, with its proof."""

    round: int
    hand: Hand
    card: OpenedCard
    total: int
    """The hand's total with this card."""
    row: str
    """For a third card, the row of the tableau that drew it."""
    reason: Because | None = later(None)


@dataclass(frozen=True)
class CutCardShown(Event):
    """The coup is finished, one more follows, and the shoe is over."""

    round: int
    dealer: str = later("")


@dataclass(frozen=True)
class CoupDecided(Event):
    """The coup is over."""

    round: int
    coup: str
    """In the notation P:5hKd3c=8 B:7s2h=9."""
    winner: str
    """"player", "banker" or "tie"."""
    dealer: str = later("")
    row: str = later("")
    """Why no card follows the last one; nothing after Banker's third card."""
    reason: Because | None = later(None)

    @classmethod
    def of(cls, at: int, number: int, deal: Deal, dealer: str = "") -> "CoupDecided":
        """A coup that is over."""
        turn, coup = deal.turn, deal.coup
        row, reason = ("", None) if turn.row is Row.COMPLETE else (turn.why, Because.of(turn))
        return cls(at, number, str(coup), coup.winner, dealer, row, reason)


@dataclass(frozen=True)
class RoundSettled(Event):
    """Every wager is paid or lost."""

    round: int
    results: tuple[PlayerResult, ...]
    dealer: str = later("")


@dataclass(frozen=True)
class RoundCancelled(Event):
    """A dummy round: no result, and what goes back to each player."""

    round: int
    reason: CancelReason
    by: tuple[AccountId, ...]
    results: tuple[PlayerResult, ...]
    alone: Coins | None = later(None)
    """The most at stake that one person could have given back; None: any sum."""


@dataclass(frozen=True)
class ShoeEnded(Event):
    """The whole secret of the shoe, dealt out or abandoned."""

    shoe: bytes
    reason: EndReason
    key: bytes
    order: tuple[Card, ...]


# ---- agreements with a player -------------------------------------------------------------------


@dataclass(frozen=True)
class AgreementProposed(Event):
    """One party would agree on these parameters; nothing is agreed yet."""

    player: AccountId
    values: tuple[tuple[str, str], ...]
    by: AccountId
    """The player, or a member of staff for the house."""


@dataclass(frozen=True)
class AgreementDeclined(Event):
    """A proposal was taken off the table, by either party."""

    player: AccountId
    by: AccountId


@dataclass(frozen=True)
class AgreementMade(Event):
    """Both parties have said yes to the same values."""

    player: AccountId
    values: tuple[tuple[str, str], ...]
    from_round: int
    """The first round that is played under them."""
    proposed_by: AccountId
    confirmed_by: AccountId


@dataclass(frozen=True)
class AgreementEnded(Event):
    """The table's own terms hold again for this player."""

    player: AccountId
    by: AccountId
    from_round: int


# ---- disputes, and what two people do together --------------------------------------------------


class ProposalEnd(StrEnum):
    """Why a proposal no longer waits for a second person."""

    WITHDRAWN = "withdrawn"
    REPLACED = "replaced"
    EXPIRED = "expired"
    CHANGED = "changed"
    """What it was about has changed: another card is out, or the cards were put right."""
    DONE = "done"
    """In the house's journal; at a table, what was done says so itself."""


@dataclass(frozen=True)
class ActionProposed(Event):
    """One person would do this; it is done once another says the same."""

    subject: str
    terms: str
    words: str
    by: AccountId
    until: Time


@dataclass(frozen=True)
class ProposalEnded(Event):
    """A proposal that no longer waits."""

    subject: str
    by: AccountId
    why: ProposalEnd


@dataclass(frozen=True)
class DisputeOpened(Event):
    """A player says that a rule of the round can be read otherwise."""

    round: int
    player: AccountId
    words: str


@dataclass(frozen=True)
class DisputeDecided(Event):
    """The dispute is closed, and what the readings chosen give beyond what was paid is paid."""

    round: int
    player: AccountId
    readings: tuple[tuple[str, str], ...]
    """Of the ambiguities that were open."""
    coup: str
    """As those readings deal it."""
    before: PlayerResult
    after: PlayerResult
    alone: Coins
    """The most that one person could have decided."""
    by: tuple[AccountId, ...]
    words: str


@dataclass(frozen=True)
class AmbiguityResolved(Event):
    """From a time on, and from the next shoe on, the card has one reading here."""

    card: str
    ambiguity: str
    reading: str
    words: str
    effective: Time
    by: tuple[AccountId, ...]


OF_APPEALS = (DisputeOpened, DisputeDecided, AmbiguityResolved)
OF_PROPOSALS = (ActionProposed, ProposalEnded)
OF_AGREEMENTS = (AgreementProposed, AgreementDeclined, AgreementMade, AgreementEnded)


# ---- a table of real cards ----------------------------------------------------------------------


@dataclass(frozen=True)
class DealerChanged(Event):
    """This dealer has the table from here on; the empty text is nobody."""

    dealer: str
    before: str
    """Who had it; nobody is the empty text."""
    by: AccountId = later("")
    """Who confirmed the hand-over: the dealer who left, or a member of the pit."""


@dataclass(frozen=True)
class ShoeBegun(Event):
    """Real cards, shuffled and cut by hand or by a machine."""

    dealer: str
    shoe: bytes
    decks: int
    rules: bytes
    """SHA-256 of the canonical content of the rules in the settings."""


@dataclass(frozen=True)
class BurnedByHand(Event):
    """Cards that leave the shoe without being played."""

    dealer: str
    reason: BurnReason
    count: int
    shown: tuple[Card, ...]
    """Those that were turned up; they lay first."""


@dataclass(frozen=True)
class CardPlaced(Event):
    """A card left the shoe, and where the dealer put it."""

    round: int
    dealer: str
    card: Card
    hand: Hand | None
    """None where nobody said: the shoe reports its cards itself, and this one is too many."""
    meant: Hand | None
    """Whose it was by the tableau; None when the coup was over."""
    total: int
    """Of the hand it was put with, as its cards lie."""
    row: str
    """For a third card, the row of the tableau that drew it."""
    reason: Because | None = later(None)


@dataclass(frozen=True)
class IrregularityFound(Event):
    """Something was wrong at this card, or at the announcement of the end."""

    round: int
    dealer: str
    kind: Wrong
    place: int
    """The card's number in the coup, from 1; 0 outside a coup."""
    words: str


@dataclass(frozen=True)
class CardInDoubt(Event):
    """A device told a card that is not plainly the next one: the dealer says what it was."""

    round: int
    dealer: str
    card: Card
    hand: Hand | None
    words: str
    """Why it is not the next one."""


@dataclass(frozen=True)
class CardExplained(Event):
    """What a card was that had been in doubt; what follows from it comes behind."""

    round: int
    dealer: str
    card: Card
    was: CardWas


@dataclass(frozen=True)
class CoupRectified(Event):
    """The cards went back into the order that was meant; the coup goes on from there."""

    round: int
    dealer: str
    told: tuple[Card, ...]
    """As they had been told."""
    drawn: tuple[Card, ...]
    """As they really left the shoe, those in excess included."""
    hands: tuple[Hand, ...]
    """Where those belong that the coup keeps."""
    excess: tuple[Card, ...]
    """Cards that were taken back."""
    goes: Excess
    by: tuple[AccountId, ...] = later(())
    """Who proposed and who confirmed it, where a coup was complete and was changed."""
    coup_before: str = later("")
    """The coup that the cards gave before; nothing while it was not complete."""
    coup_after: str = later("")
    """The coup that they give now; nothing while it is not complete."""
    paid_before: tuple[PlayerResult, ...] = later(())
    """What each player would have been paid, where a complete coup was changed."""
    paid_after: tuple[PlayerResult, ...] = later(())
    """And what by the cards as they are now; nothing while the coup is not complete."""


@dataclass(frozen=True)
class ErrorReported(Event):
    """In time, so the error can be remedied, now or later."""

    round: int
    by: AccountId
    words: str


@dataclass(frozen=True)
class ReportDismissed(Event):
    """There was no error: the coup stands."""

    round: int
    by: AccountId
    words: str
    first: AccountId = later("")
    """Who had proposed it, where two people decided."""


@dataclass(frozen=True)
class RectificationConsidered(Event):
    """Why this round cannot be put right, and had better be cancelled."""

    round: int
    by: AccountId
    words: str


@dataclass(frozen=True)
class Correction:
    """What a round that is settled again moves for one player, in coins."""

    player: AccountId
    real: Coins
    """To the player's own money or, below zero, from it."""
    bonus: Coins
    short: Coins
    """Own money that was paid too much and is no longer there: the house's error."""
    short_bonus: Coins


@dataclass(frozen=True)
class RoundCorrected(Event):
    """A settled round, settled again as a perfect dealer would have dealt it."""

    round: int
    by: AccountId
    drawn: tuple[Card, ...]
    """The cards as they really left the shoe, those in excess included."""
    excess: tuple[Card, ...]
    goes: Excess
    coup: str
    """In the notation P:5hKd3c=8 B:7s2h=9."""
    winner: str
    """"player", "banker" or "tie"."""
    results: tuple[PlayerResult, ...]
    """In place of those that were settled."""
    corrections: tuple[Correction, ...]
    alone: Coins | None = later(None)
    """The most that one person decides in this house. A correction takes two people where the
    house names an amount; None: one is enough, except for one who dealt the round."""
    first: AccountId = later("")
    """Who had proposed it, where two people decided."""
    coup_before: str = later("")
    """The coup as it was settled before."""
    paid_before: tuple[PlayerResult, ...] = later(())
    """The results as they were settled before."""


@dataclass(frozen=True)
class AlarmRaised(Event):
    """The shoe is not what it should be. No round is opened from it any more."""

    alarm: Alarm
    dealer: str
    words: str


@dataclass(frozen=True)
class ShoeClosed(Event):
    """A shoe of real cards is over, and was added up."""

    dealer: str
    shoe: bytes
    reason: EndReason
    rest: tuple[Card, ...] | None
    """All cards that nobody had seen, where somebody looked at the end."""
    seen: int
    unseen: int
    surplus: tuple[Card, ...]
    lacking: tuple[Card, ...]


# ---- what the house notices by itself -----------------------------------------------------------


@dataclass(frozen=True)
class LargeWinPaid(Event):
    """A player won at least so much in a round as the house wants to know of."""

    round: int
    player: AccountId
    net: Coins
    limit: Coins


@dataclass(frozen=True)
class PartnersSuspected(Event):
    """Players who wager in step and pass the maximum together; a person decides about it."""

    players: tuple[AccountId, ...]
    rounds: int
    """In which at least two of them wagered."""
    same: int
    """In which all of those were on the same side."""
    passed: tuple[int, ...]
    """Numbers of the rounds in which they passed the maximum of a bet together."""
    most: Coins
    """The most they had on one bet together."""
    words: str


@dataclass(frozen=True)
class ResultUnusual(Event):
    """What the house has won of a table on a day is outside the bounds that chance explains."""

    money: str
    """"real" (bonus money with it), or "play" for guests."""
    since: Time
    """When the day began."""
    rounds: int
    turnover: Coins
    result: Coins
    expected: Coins
    deviation: Coins
    low: Coins
    high: Coins
    once_in: int
    """The chance of an honest table to be outside at one look is one in so many at most."""


@dataclass(frozen=True)
class DataLost(Event):
    """Something that should be in the store is not."""

    server: str
    words: str


OF_NOTICES = (PartnersSuspected, ResultUnusual, DataLost)

EVENTS: dict[str, type[Event]] = {
    kind.__name__: kind
    for kind in (
        *(TableOpened, SettingsChanged, LeaseTaken, TablePaused, TableResumed),
        *(ShoeCommitted, ContributionCommitted, ContributionsClosed, ContributionRevealed),
        *(ShoeReady, CardsBurned, ShoeEnded),
        *(RoundOpened, WagersPlaced, BettingClosed, CardDealt, CutCardShown, CoupDecided),
        *(RoundSettled, RoundCancelled, BonusBreachFlagged),
        *(*OF_AGREEMENTS, *OF_APPEALS, *OF_PROPOSALS),
        *(DealerChanged, ShoeBegun, BurnedByHand, CardPlaced, IrregularityFound, CoupRectified),
        *(CardInDoubt, CardExplained),
        *(ErrorReported, ReportDismissed, RectificationConsidered, RoundCorrected),
        *(AlarmRaised, ShoeClosed),
        *(LargeWinPaid, *OF_NOTICES),
    )
}
"""Every event by its name."""


def encode(event: Event) -> bytes:
    """The canonical bytes of an event: what the journal keeps and hashes."""
    return to_envelope(event, VERSION)


def decode(data: bytes, known: dict[str, type[Event]] = EVENTS) -> Event:
    """The inverse of `encode`; anything that is not exactly what it writes is refused."""
    return from_envelope(data, known, VERSION)
