"""Events of a table, its shoes and rounds, agreements, disputes, proposals and alerts."""

from enum import StrEnum

from baccarat.core.cards import Card
from baccarat.core.coup import Deal, Winner
from baccarat.core.tableau import Hand, Row, TurnReason
from baccarat.core.wagers import Placed, Wager
from baccarat.shoe import Burn
from baccarat.shoe.commitment import Hex, OpenedCard, Source
from baccarat.table.codec import AccountId, Coins, Time
from baccarat.table.events.base import EndReason, Event, PlayerResult
from baccarat.table.four_eyes.subjects import Subject
from baccarat.table.four_eyes.terms import CancelReason, Terms
from baccarat.table.settings import Change, Settings


class OfRound(Event, frozen=True):
    """Base class of events about one round."""

    round: int


class TableOpened(Event, frozen=True):
    """The first event of a table."""

    table: str
    settings: Settings


class SettingsChanged(Event, frozen=True):
    """Settings changed: clock and limits apply at once to new wagers, the rest from the next shoe.

    by: Accounts of the staff, or the house file.
    first: Who proposed it, if two people raised a maximum.
    changes: Each changed value, before and after.
    """

    settings: Settings
    by: AccountId
    first: AccountId = ""
    changes: tuple[Change, ...] = ()


class LeaseTaken(Event, frozen=True):
    """A server took over the table; commands from older epochs are refused."""

    epoch: int
    holder: str


class TablePaused(Event, frozen=True):
    """The table was paused: no wagers and no new round; a round under way continues to its end.

    house: Paused with the whole house, until the house resumes.
    """

    by: AccountId
    reason: str
    house: bool = False


class TableResumed(Event, frozen=True):
    """The table resumed.

    house: Resumed with the whole house.
    stays: The table was also paused individually, and still is.
    """

    by: AccountId
    house: bool = False
    stays: bool = False


class ShoeCommitted(Event, frozen=True):
    """A new shoe with everything it commits to, before the first wager.

    shoe: Its identifier, 16 bytes.
    cut: Cards behind the cut card; 0 for a shuffler.
    rules: SHA-256 of the canonical content of the rules in the settings.
    contribute_until: Until when players may commit to contributions.
    reveal_until: Until when they may reveal them.
    """

    shoe: Hex
    source: Source
    decks: int
    cut: int
    burn: Burn
    rules: Hex
    root: Hex
    commitment: Hex
    contribute_until: Time
    reveal_until: Time


class ContributionCommitted(Event, frozen=True):
    """A player committed to a contribution to the new shoe."""

    player: AccountId
    commitment: Hex


class ContributionsClosed(Event, frozen=True):
    """No more contributions are accepted; contributors reveal theirs now."""


class ContributionRevealed(Event, frozen=True):
    """A contributor revealed the secret they had committed to."""

    player: AccountId
    secret: Hex


class ShoeReady(Event, frozen=True):
    """The order of dealing is fixed by the public seed.

    missing: Contributions that were not revealed in time.
    """

    seed: Hex
    missing: int


class CardsBurned(Event, frozen=True):
    """Cards were burned before the first coup of a shoe.

    shown: The card that determined how many.
    """

    count: int
    shown: OpenedCard | None


class RoundOpened(OfRound, frozen=True):
    """Place your bets.

    closes_at: When betting closes; 0 if the dealer decides.
    bets: False if nobody may wager on this round, because a card that has been seen may be the next
        one.
    """

    closes_at: Time
    dealer: str = ""
    bets: bool = True


class WagersPlaced(OfRound, frozen=True):
    """A player's wagers on the open round, replacing any before; empty if withdrawn.

    agreed: Parameters agreed with this player, under which the wagers will be settled.
    bonus: Part of the stakes that is bonus money, in coins.
    """

    player: AccountId
    wagers: tuple[Wager, ...]
    agreed: tuple[tuple[str, str], ...]
    bonus: Coins

    @property
    def placed(self) -> Placed:
        return Placed(self.wagers, self.agreed, self.bonus)


class BonusBreachFlagged(OfRound, frozen=True):
    """Wagers were accepted although they breach the rule on bonus money (R37).

    player: The player whose wagers caused the breach.
    players: Players whose wagers count together.
    chance: Exact chance that at least one of them wins, as a fraction.
    """

    player: AccountId
    players: tuple[AccountId, ...]
    bets: tuple[str, ...]
    chance: str
    stake: Coins
    bonus: Coins


class BettingClosed(OfRound, frozen=True):
    """No more bets."""

    dealer: str = ""


class CardDealt(OfRound, frozen=True):
    """A card of the committed shoe was dealt face up, with its proof.

    total: The hand's total with this card.
    reason: For a third card, the row of the tableau that drew it.
    """

    hand: Hand
    card: OpenedCard
    total: int
    reason: TurnReason | None


class CutCardShown(OfRound, frozen=True):
    """The cut card came out: the coup is finished, one more follows, and the shoe is over."""

    dealer: str = ""


class CoupDecided(OfRound, frozen=True):
    """The coup is over.

    coup: In the notation P:5hKd3c=8 B:7s2h=9.
    reason: Why no card follows the last one; None after Banker's third card.
    """

    coup: str
    winner: Winner
    dealer: str
    reason: TurnReason | None

    @classmethod
    def of(cls, at: int, number: int, deal: Deal, dealer: str = "") -> "CoupDecided":
        """Return the event for a coup that is over."""
        reason, coup = deal.turn.reason, deal.coup
        shown = None if reason.row is Row.COMPLETE else reason
        return cls(at, number, str(coup), coup.winner, dealer, shown)


class RoundSettled(OfRound, frozen=True):
    """Every wager was paid or lost.

    rules: SHA-256 of the canonical content of the shoe's rules.
    """

    results: tuple[PlayerResult, ...]
    rules: Hex
    dealer: str = ""


class RoundCancelled(OfRound, frozen=True):
    """A dummy round: it has no result, and each player gets back what `results` lists.

    alone: The most at stake that one person may give back alone; None means any amount.
    """

    reason: CancelReason
    by: tuple[AccountId, ...]
    results: tuple[PlayerResult, ...]
    alone: Coins | None


class ShoeEnded(Event, frozen=True):
    """The shoe was dealt out or abandoned, and its whole secret is revealed."""

    shoe: Hex
    reason: EndReason
    key: Hex
    order: tuple[Card, ...]


# ---- agreements with a player -------------------------------------------------------------------


class AgreementProposed(Event, frozen=True):
    """One party proposed these parameters; nothing is agreed yet.

    by: The player, or a member of staff for the house.
    """

    player: AccountId
    values: tuple[tuple[str, str], ...]
    by: AccountId


class AgreementDeclined(Event, frozen=True):
    """A proposal was withdrawn or declined, by either party."""

    player: AccountId
    by: AccountId


class AgreementMade(Event, frozen=True):
    """Both parties agreed to the same values.

    from_round: The first round that is played under them.
    """

    player: AccountId
    values: tuple[tuple[str, str], ...]
    from_round: int
    proposed_by: AccountId
    confirmed_by: AccountId


class AgreementEnded(Event, frozen=True):
    """The table's own terms apply to this player again."""

    player: AccountId
    by: AccountId
    from_round: int


# ---- disputes and proposals ---------------------------------------------------------------------


class ProposalEnd(StrEnum):
    """Why a proposal is no longer waiting for a second person.

    changed: Its facts have changed: another card is out, or the cards were rectified.
    done: It was carried out. Only in the house's journal; at a table, the event that carries it out
        is enough.
    """

    WITHDRAWN = "withdrawn"
    REPLACED = "replaced"
    EXPIRED = "expired"
    CHANGED = "changed"
    DONE = "done"


class ActionProposed(Event, frozen=True):
    """One person proposed an action; it is carried out once another person confirms it.

    words: Why, as the person who proposed it wrote it; may be empty.
    """

    subject: Subject
    terms: Terms
    words: str
    by: AccountId
    until: Time


class ProposalEnded(Event, frozen=True):
    """A proposal is no longer waiting for a second person."""

    subject: Subject
    by: AccountId
    why: ProposalEnd


class DisputeOpened(OfRound, frozen=True):
    """A player disputed a round, because one of its rules can be read differently."""

    player: AccountId
    words: str


class DisputeDecided(OfRound, frozen=True):
    """The dispute is closed; what the chosen readings give beyond what was paid is now paid.

    readings: Readings of the ambiguities that were open.
    coup: The coup as those readings deal it.
    alone: The most that one person could have decided.
    day: When the gaming day began.
    day_alone: The most that one person could have decided alone in a gaming day: payments for
        disputes, and bonus money granted and taken back.
    """

    player: AccountId
    readings: tuple[tuple[str, str], ...]
    coup: str
    before: PlayerResult
    after: PlayerResult
    alone: Coins
    by: tuple[AccountId, ...]
    words: str
    day: Time
    day_alone: Coins | None


class AmbiguityResolved(Event, frozen=True):
    """From a given time, and from the next shoe on, an ambiguity has one reading here."""

    card: str
    ambiguity: str
    reading: str
    words: str
    effective: Time
    by: tuple[AccountId, ...]


OF_PROPOSALS = (ActionProposed, ProposalEnded)


# ---- alerts of the house's monitors -------------------------------------------------------------


class LargeWinPaid(OfRound, frozen=True):
    """A player won at least as much in a round as the house wants reported."""

    player: AccountId
    net: Coins
    limit: Coins


class PartnersSuspected(Event, frozen=True):
    """Players bet in step and exceed the maximum together; a person decides what to do about it.

    rounds: Number of rounds in which at least two of them wagered.
    same: Number of those in which all who wagered were on the same side.
    passed: Numbers of the rounds in which they exceeded the maximum of a bet together.
    most: The most they had on one bet together.
    weight: Log10 of the likelihood ratio of partners to strangers, rounded down.
    """

    players: tuple[AccountId, ...]
    rounds: int
    same: int
    passed: tuple[int, ...]
    most: Coins
    weight: int


class ResultUnusual(Event, frozen=True):
    """The house's result at a table on one day is outside the bounds that chance explains.

    money: "real" (including bonus money), or "play" for guests.
    since: When the day began.
    once_in: At one check, an honest table is outside the bounds with a chance of at most one in
        this number.
    """

    money: str
    since: Time
    rounds: int
    turnover: Coins
    result: Coins
    expected: Coins
    deviation: Coins
    low: Coins
    high: Coins
    once_in: int


class DataLost(Event, frozen=True):
    """Data that should be in the store is missing."""

    server: str
    words: str


Alert = PartnersSuspected | ResultUnusual | DataLost
"""What the house's monitors find; each is recorded once, and decides nothing."""
