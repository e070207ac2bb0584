"""Events of a table, its shoes and rounds, agreements, disputes, proposals and alerts."""

from enum import StrEnum

from baccarat.core.cards import Card
from baccarat.core.coup import Deal, Winner
from baccarat.core.tableau import Hand, TurnReason, TurnRule
from baccarat.core.wagers import PlacedWagers, Wager
from baccarat.shoe import Burn
from baccarat.shoe.commitment import Hex, OpenedCard, Source
from baccarat.table.codec import AccountId, Coins, Readings, Time, Values
from baccarat.table.events.base import EndReason, Event, PlayerResult
from baccarat.table.four_eyes.subjects import Subject
from baccarat.table.four_eyes.terms import CancelReason, ProposalTerms
from baccarat.table.settings import Change, Settings


class OfRound(Event, frozen=True):
    """Base class of events about one round."""

    round: int


class TableOpened(Event, frozen=True):
    """The first event of a table; its first shoe begins at `starts_at`."""

    table: str
    settings: Settings
    starts_at: Time = 0


class SettingsChanged(Event, frozen=True):
    """Settings changed: the clock and the limits apply at once, and all other settings apply from
    the next shoe on.

    by: Who changed the settings: a staff account, or the name of an automatic source such as the
        house file.
    first: Who proposed the change, if two people raised a maximum; otherwise empty.
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
    """The table was paused: it takes no wagers and opens no rounds; the current round is finished.

    house: True if the whole house was paused.
    frozen: True if this was an emergency stop, after which not even the current round goes on.
    """

    by: AccountId
    reason: str
    house: bool = False
    frozen: bool = False


class TableResumed(Event, frozen=True):
    """The table resumed.

    house: True if the whole house resumed.
    stays: True if the table stays paused, because it was also paused individually.
    """

    by: AccountId
    house: bool = False
    stays: bool = False


class ShoeCommitted(Event, frozen=True):
    """The house committed to a new shoe, before the first wager on it.

    shoe: Identifier of the shoe, 16 bytes.
    cut: Number of cards behind the cut card; 0 for a shuffler.
    rules: SHA-256 of the canonical content of the rules in the settings.
    contribute_until: Deadline for players to commit to contributions.
    reveal_until: Deadline for contributors to reveal their secrets.
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
    """No more contributions are accepted; contributors now reveal their secrets."""


class ContributionRevealed(Event, frozen=True):
    """A contributor revealed the secret behind their commitment."""

    player: AccountId
    secret: Hex


class ShoeReady(Event, frozen=True):
    """The order of dealing was derived from the public seed.

    missing: Number of contributions that were not revealed in time.
    """

    seed: Hex
    missing: int


class CardsBurned(Event, frozen=True):
    """Cards were burned before the first coup of a shoe.

    shown: The card that determined the number of cards to burn, if there was one.
    """

    count: int
    shown: OpenedCard | None


class RoundOpened(OfRound, frozen=True):
    """A round was opened: "place your bets".

    closes_at: When betting closes; 0 if the dealer decides.
    bets: False if nobody may wager on this round, because the next card may have been seen.
    """

    closes_at: Time
    dealer: str = ""
    bets: bool = True


class WagersPlaced(OfRound, frozen=True):
    """A player's wagers on the open round were placed, replaced or withdrawn.

    wagers: All wagers that the player now has on the round; empty if they were withdrawn.
    agreed: Parameters agreed with this player, under which the wagers will be settled.
    bonus: Part of the stakes that is bonus money, in coins.
    """

    player: AccountId
    wagers: tuple[Wager, ...]
    agreed: Values
    bonus: Coins

    @property
    def placed(self) -> PlacedWagers:
        return PlacedWagers(self.wagers, self.agreed, self.bonus)


class BonusBreachFlagged(OfRound, frozen=True):
    """Wagers were accepted although they breach the rule on bonus money (R37).

    player: The player whose wagers caused the breach.
    players: The players whose wagers are counted together.
    chance: Exact probability that at least one of the wagers wins, as a fraction.
    """

    player: AccountId
    players: tuple[AccountId, ...]
    bets: tuple[str, ...]
    chance: str
    stake: Coins
    bonus: Coins


class DealAsked(OfRound, frozen=True):
    """A player with a bet asked for the cards before the betting time is over."""

    player: str


class BettingClosed(OfRound, frozen=True):
    """Betting on the round was closed: "no more bets"."""

    dealer: str = ""


class CardDealt(OfRound, frozen=True):
    """A card of the committed shoe was dealt face up, with its proof.

    total: The hand's total with this card.
    reason: For a third card, the row of the tableau that required it.
    """

    hand: Hand
    card: OpenedCard
    total: int
    reason: TurnReason | None


class CutCardShown(OfRound, frozen=True):
    """The cut card came out: the shoe ends after this coup and one more."""

    dealer: str = ""


class CoupDecided(OfRound, frozen=True):
    """The coup is over.

    coup: The coup in the notation P:5hKd3c=8 B:7s2h=9.
    reason: Why no further card is drawn; None after Banker's third card.
    """

    coup: str
    winner: Winner
    dealer: str
    reason: TurnReason | None

    @classmethod
    def of(cls, at: int, number: int, deal: Deal, dealer: str = "") -> "CoupDecided":
        """Return the event for a coup that is over."""
        reason, coup = deal.turn.reason, deal.coup
        shown = None if reason.row is TurnRule.COMPLETE else reason
        return cls(at, number, str(coup), coup.winner, dealer, shown)


class RoundSettled(OfRound, frozen=True):
    """The round was settled: every wager was paid, returned or lost.

    rules: SHA-256 of the canonical content of the shoe's rules.
    """

    results: tuple[PlayerResult, ...]
    rules: Hex
    dealer: str = ""


class RoundCancelled(OfRound, frozen=True):
    """The round was cancelled (a dummy round): it has no result.

    results: What each player gets back.
    alone: Total stakes above which two people must cancel a round; None if there is no such limit.
    """

    reason: CancelReason
    by: tuple[AccountId, ...]
    results: tuple[PlayerResult, ...]
    alone: Coins | None


class ShoeEnded(Event, frozen=True):
    """The shoe was dealt out or abandoned, and its secret (key and card order) was revealed."""

    shoe: Hex
    reason: EndReason
    key: Hex
    order: tuple[Card, ...]


# ---- agreements with a player -------------------------------------------------------------------


class AgreementProposed(Event, frozen=True):
    """One party proposed these parameter values; nothing is agreed yet.

    by: The player, or the member of staff who acts for the house.
    """

    player: AccountId
    values: Values
    by: AccountId


class AgreementDeclined(Event, frozen=True):
    """Either party withdrew or declined the proposed agreement."""

    player: AccountId
    by: AccountId


class AgreementMade(Event, frozen=True):
    """Both parties agreed to the same values.

    from_round: The first round to which the values apply: the open round or, if the player has a
        bet in it that the values affect, the next round.
    proposed_by: The player, a member of staff, or "the house" for the table's standing offer.
    confirmed_by: As for `proposed_by`; "the house" if a request was granted automatically.
    """

    player: AccountId
    values: Values
    from_round: int
    proposed_by: AccountId
    confirmed_by: AccountId


class AgreementEnded(Event, frozen=True):
    """The agreement ended: from `from_round` on, this player has none.

    words: The reason. It is empty only if the player ended the agreement without giving one.
    """

    player: AccountId
    by: AccountId
    from_round: int
    words: str = ""


# ---- disputes and proposals ---------------------------------------------------------------------


class ProposalEnd(StrEnum):
    """Why a proposal is no longer waiting for a second person.

    changed: The facts have changed: another card is out, or the cards were rectified.
    done: The action was carried out. Used only in the house's journal; at a table, the event of the
        action itself ends the proposal.
    """

    WITHDRAWN = "withdrawn"
    REPLACED = "replaced"
    EXPIRED = "expired"
    CHANGED = "changed"
    DONE = "done"


class ActionProposed(Event, frozen=True):
    """One person proposed an action, which is carried out once another person confirms it.

    words: The reason, as the proposer wrote it; may be empty.
    until: When the proposal expires.
    """

    subject: Subject
    terms: ProposalTerms
    words: str
    by: AccountId
    until: Time


class ProposalEnded(Event, frozen=True):
    """A proposal is no longer waiting for a second person."""

    subject: Subject
    by: AccountId
    why: ProposalEnd


class DisputeOpened(OfRound, frozen=True):
    """A player disputed the result of a round.

    cites: The ambiguity, listed in the house's journal, that the dispute is about; may be empty.
    """

    player: AccountId
    words: str
    cites: str = ""


class DisputeAnswered(OfRound, frozen=True):
    """A dispute was closed with an explanation.

    amount: What the player was paid; 0 if nothing. Two people must agree to any payment.
    words: The explanation for the player.
    listed: The ambiguities, listed in the house's journal, that were replayed to compute the
        minimum payment.
    """

    player: AccountId
    amount: Coins
    words: str
    by: tuple[AccountId, ...]
    listed: tuple[str, ...] = ()


class DisputeDecided(OfRound, frozen=True):
    """A dispute was decided by replay, and any difference from the earlier result was paid.

    readings: The chosen reading of each ambiguity that was open.
    coup: The coup as dealt under those readings.
    before: The player's result as first paid.
    after: The player's result under the chosen readings.
    alone: The largest amount that one person may decide.
    day: When the gaming day began.
    day_alone: The largest total that one person may decide alone in a gaming day, counting payments
        for disputes and bonus money granted or taken back; None if there is no such limit.
    listed: The ambiguities, listed in the house's journal, that were replayed with those of the
        rule card.
    """

    player: AccountId
    readings: Readings
    coup: str
    before: PlayerResult
    after: PlayerResult
    alone: Coins
    by: tuple[AccountId, ...]
    words: str
    day: Time
    day_alone: Coins | None
    listed: tuple[str, ...] = ()


class AmbiguityResolved(Event, frozen=True):
    """Two people adopted one reading of an ambiguous rule at this table.

    effective: When the reading takes effect; it applies from the next shoe after that.
    """

    card: str
    ambiguity: str
    reading: str
    words: str
    effective: Time
    by: tuple[AccountId, ...]


OF_PROPOSALS = (ActionProposed, ProposalEnded)


# ---- alerts of the house's monitors -------------------------------------------------------------


class LargeWinPaid(OfRound, frozen=True):
    """A player's win reached `limit`, the house's threshold for reporting large wins."""

    player: AccountId
    net: Coins
    limit: Coins


class PartnersSuspected(Event, frozen=True):
    """Players seem to be partners and together exceed a maximum; a person decides what to do.

    rounds: Number of rounds in which at least two of the players wagered.
    same: Number of those rounds in which all the players who wagered chose the same side.
    passed: Numbers of the rounds in which the players together exceeded the maximum of a bet.
    most: The largest total that the players had on one bet.
    weight: Log10 of the likelihood ratio of partners to strangers, rounded down.
    """

    players: tuple[AccountId, ...]
    rounds: int
    same: int
    passed: tuple[int, ...]
    most: Coins
    weight: int


class ResultUnusual(Event, frozen=True):
    """The house's result at a table on one day is outside the bounds expected from chance.

    money: "real" (including bonus money), or "play" for the play money of guests.
    since: When the day began.
    low: Lower bound of the results that chance explains.
    high: Upper bound of the results that chance explains.
    once_in: The probability that an honest table is outside the bounds at one check is at most one
        in this number.
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
    """Data that should be in the store is missing.

    server: The server that found the loss.
    words: What is missing.
    """

    server: str
    words: str


Alert = PartnersSuspected | ResultUnusual | DataLost
"""Alerts of the house's monitors. Each is recorded once, and none has an effect by itself."""
