"""Terms of proposals: everything that the second person must agree to."""

from enum import StrEnum

from baccarat.core.cards import Card
from baccarat.table.codec import AccountId, Coins, Readings, Time, Value
from baccarat.table.settings import Change, Clock, StakeLimits


class CancelReason(StrEnum):
    """Why a round is cancelled."""

    MISDEAL = "misdeal"
    SHUFFLER_FAULT = "shuffler-fault"
    FOREIGN_CARD = "foreign-card"
    POWER = "power"
    OTHER = "other"


class PaymentMethod(StrEnum):
    """How a player pays at the cashier's desk, or is paid."""

    CASH = "cash"
    CARD = "card"
    TRANSFER = "transfer"
    CHEQUE = "cheque"


class _Terms(Value, frozen=True, tag_field="kind"):
    """The terms of a proposal, tagged with their kind."""


class CancelRound(_Terms, frozen=True, tag="cancel"):
    """Cancel a round.

    staked: Total stakes on the round.
    cards: Cards of the coup so far, in order.
    taken_back: Cards that were reported in this coup and then removed from it.
    """

    reason: CancelReason
    staked: Coins
    cards: tuple[Card, ...]
    taken_back: tuple[Card, ...]


class ChangeCoup(_Terms, frozen=True, tag="rectify"):
    """Change the cards of the current coup.

    recorded: The cards as they were reported.
    drawn: The cards as they really left the shoe.
    coup_before: The coup made by the cards as reported; empty if it is not complete.
    coup_after: The coup made by the cards as drawn; empty if it is not complete.
    before: The players' total result with the cards as reported.
    after: The players' total result with the cards as drawn.
    mistaken: Cards that a device sent and the dealer did not accept as sent.
    """

    recorded: tuple[Card, ...]
    drawn: tuple[Card, ...]
    coup_before: str
    coup_after: str
    before: Coins
    after: Coins
    mistaken: tuple[Card, ...]


class Moved(Value, frozen=True):
    """A player's result in a round, before and after a correction.

    An amount that the player cannot pay back is not part of the terms. Otherwise the player could
    invalidate a proposal by betting in the meantime.
    """

    player: AccountId
    before: Coins
    after: Coins


class SettleAgain(_Terms, frozen=True, tag="settle-again"):
    """Settle a round again with these cards.

    coup_before: The coup as it was settled.
    coup: The coup that the cards make.
    """

    cards: tuple[Card, ...]
    coup_before: str
    coup: str
    results: tuple[Moved, ...]


class DismissReports(_Terms, frozen=True, tag="dismiss"):
    """Let a round stand although these people reported an error."""

    reporters: tuple[AccountId, ...]


class TakeTable(_Terms, frozen=True, tag="take-table"):
    """Take a table over from the dealer who has it."""

    before: AccountId


class ChangeLimits(_Terms, frozen=True, tag="limits"):
    """Change a table's clock, limits or both.

    changes: Each changed value, before and after.
    """

    clock: Clock | None
    limits: StakeLimits | None
    changes: tuple[Change, ...]


class Grounds(Value, frozen=True):
    """The facts on which a dispute is closed; if they change, a new proposal is needed.

    before: The player's result as it was paid.
    ambiguities: The ambiguities, listed in the house's journal, that apply to the dispute.
    withdrawn: Those that applied to it until they were withdrawn.
    """

    before: Coins
    ambiguities: tuple[str, ...] = ()
    withdrawn: tuple[str, ...] = ()


class DecideDispute(_Terms, frozen=True, tag="decide"):
    """Decide a dispute by these readings of the rules, and pay the difference.

    after: The player's result under the readings. This and the result before are part of the terms,
        so no more is paid than two people have agreed to.
    """

    readings: Readings
    after: Coins
    grounds: Grounds


class AnswerDispute(_Terms, frozen=True, tag="answer"):
    """Close a dispute with this answer and pay this amount, which may be 0.

    answer: The explanation for the player.
    """

    amount: Coins
    answer: str
    grounds: Grounds


class ResolveAmbiguity(_Terms, frozen=True, tag="resolve"):
    """Adopt one reading of an ambiguous rule.

    effective: When the reading takes effect; 0 means at once.
    card: The rule card.
    version: The version of the rule card; for another version, a new proposal is needed.
    """

    reading: str
    effective: Time
    card: str
    version: int


class ListAmbiguity(_Terms, frozen=True, tag="list"):
    """List an ambiguity of a rule card, with readings that can be replayed.

    fragment: The readings, in the format of rule cards.
    """

    card: str
    question: str
    fragment: str


class ResolveListed(_Terms, frozen=True, tag="resolve-listed"):
    """Resolve an ambiguity that the house has listed.

    resolution: What the rule means, and why.
    """

    card: str
    question: str
    resolution: str


class WithdrawListed(_Terms, frozen=True, tag="withdraw-listed"):
    """Withdraw an ambiguity that the house has listed by mistake.

    withdrawal: Why it should not have been listed.
    """

    card: str
    question: str
    withdrawal: str


class OpenAccount(_Terms, frozen=True, tag="open"):
    """Open a staff account.

    named: Number of the journal entry that proposed the account's name; the name itself is not in
        any journal.
    """

    role: str
    named: int


class CloseAccount(_Terms, frozen=True, tag="close"):
    """Close a staff account."""


class IssuePassword(_Terms, frozen=True, tag="password"):
    """Issue a new initial password."""


class LiftSuspension(_Terms, frozen=True, tag="lift"):
    """Let a suspended account be used again."""


class RemoveSecondFactor(_Terms, frozen=True, tag="second-factor"):
    """Remove the second factor of a staff account."""


class PayIn(_Terms, frozen=True, tag="pay-in"):
    """Accept a deposit from a player.

    reference: Number of the card slip, transfer or cheque; may be empty.
    """

    amount: Coins
    method: PaymentMethod = PaymentMethod.CASH
    reference: str = ""


class PayOut(_Terms, frozen=True, tag="pay-out"):
    """Pay out a withdrawal to a player.

    reference: Number of the card slip, transfer or cheque; may be empty.
    """

    amount: Coins
    method: PaymentMethod = PaymentMethod.CASH
    reference: str = ""


class VoidCash(_Terms, frozen=True, tag="void"):
    """Reverse a payment.

    entry: Number of the payment's entry in the house's journal.
    amount: Change to the player's balance; negative if a deposit is reversed.
    """

    entry: int
    amount: Coins
    reason: str


class GrantBonus(_Terms, frozen=True, tag="grant"):
    """Grant bonus money.

    times: Wagering requirement: how many times the amount must be wagered.
    days: Number of days until the bonus expires.
    """

    amount: Coins
    times: int
    days: int


class TakeBackBonus(_Terms, frozen=True, tag="take-back"):
    """Take back all of a player's bonus money, including bonus money staked at tables."""

    amount: Coins


OfStaff = OpenAccount | CloseAccount | IssuePassword | LiftSuspension | RemoveSecondFactor
OfMoney = PayIn | PayOut | VoidCash | GrantBonus | TakeBackBonus
OfDisputes = DecideDispute | AnswerDispute
OfRounds = CancelRound | ChangeCoup | SettleAgain | DismissReports | OfDisputes
OfRules = ResolveAmbiguity | ListAmbiguity | ResolveListed | WithdrawListed
ProposalTerms = OfRounds | TakeTable | ChangeLimits | OfRules | OfStaff | OfMoney
