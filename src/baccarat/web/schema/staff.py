"""Response types of the endpoints for staff and for operators of the server."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, NotRequired

from msgspec import Meta, Struct
from typing_extensions import TypedDict

from baccarat.core.cards import Card
from baccarat.core.misdeals import IrregularityKind
from baccarat.core.tableau import Hand
from baccarat.house.money.ledger import Kind
from baccarat.house.people.roles import Role
from baccarat.house.watch.audit_log import AuditLogLine
from baccarat.house.watch.collusion import Suspicion
from baccarat.house.watch.result_bounds import Figures
from baccarat.service.service import StakesInProgress
from baccarat.table.events import CancelReason
from baccarat.table.manual.console_forms import Console
from baccarat.table.phases import Phase
from baccarat.table.settings import Excess
from baccarat.web.schema import Coins, Coup, Done, Time
from baccarat.web.schema.players import (
    ListedAmbiguities,
    Money,
    ProposalId,
    SubjectView,
    TermsView,
)
from baccarat.web.schema.tables import GameView


class AgreedTerms(TypedDict):
    """Terms agreed with a player that are in force on the current round, in words."""

    player: str
    terms: list[str]


class CardChange(TypedDict):
    card: Card
    serial: Annotated[str, Meta(description="serial number of the spare deck")]
    words: str
    by: str
    at: Time


class DeckSetView(TypedDict):
    """A deck set, and its last count and shuffle; `table` is the table it was prepared for."""

    id: str
    colour: str
    serials: tuple[str, ...]
    cards: int
    received_at: Time
    table: str
    counted_by: str
    shuffled_by: str
    prepared_at: Time
    state: Annotated[
        Literal["not-counted", "ready", "in-shoe", "retired"],
        Meta(description="a set must be counted and shuffled before every shoe"),
    ]
    changes: list[CardChange]
    retired: Annotated[str, Meta(description="why the set was retired")]


class NextReading(TypedDict):
    next: Annotated[int, Meta(description="number of the next card that the shoe should send")]
    shoe: Annotated[str, Meta(description="id of the shoe at the table; empty if there is none")]


class Reading(TypedDict):
    number: int
    repeated: Annotated[bool, Meta(description="whether this card had already been recorded")]
    agrees: Annotated[bool, Meta(description="false if the dealer had entered a different card")]
    in_doubt: Annotated[bool, Meta(description="whether the dealer must explain the card")]


class PracticeCard(TypedDict):
    card: str
    hand: Hand | None


class PracticeStep(TypedDict):
    words: str
    paid: Annotated[bool, Meta(description="whether the round ends with this step")]
    cards: list[PracticeCard]


class PracticeCoup(TypedDict):
    number: int
    steps: list[PracticeStep]


class PracticeAnswer(TypedDict):
    caught: Annotated[bool, Meta(description="whether you named the error, and not too early")]
    kind: Annotated[IrregularityKind | None, Meta(description="the error, if there was one")]
    step: Annotated[int | None, Meta(description="the step at which it happened")]
    words: str
    remedy: str


class DeckLog(TypedDict):
    deck_sets: list[DeckSetView]


class ConsoleView(Console):
    dealer_name: str
    deck_sets: Annotated[
        list[str], Meta(description="deck sets counted and shuffled for this table's next shoe")
    ]
    names: Annotated[
        dict[str, str],
        Meta(description="display names of dealers who request the table, by account"),
    ]
    agreed: list[AgreedTerms]
    proposals: Annotated[
        dict[str, str], Meta(description="what each waiting proposal would do, by its digest")
    ]
    effects: Annotated[
        "dict[str, Effect]",
        Meta(description="for the pit: what each waiting proposal changes, by its digest"),
    ]


class Seconding(TypedDict):
    waits_for_second: Annotated[bool, Meta(description="whether a second person must confirm it")]


class DoneAtConsole(Done, Seconding):
    through: Annotated[int, Meta(description="the last event's number in the journal")]
    console: ConsoleView


class AmbiguitiesChanged(ListedAmbiguities, Seconding):
    """The listed ambiguities after one was listed, resolved or withdrawn, or after a proposal."""


class AccountNamed(TypedDict):
    account: str
    name: str


class InitialPassword(Seconding):
    """An initial password. It is shown only once, and its owner must change it at the first
    sign-in."""

    account: str
    password: Annotated[
        str | None, Meta(description="null while it is waiting for a second person")
    ]
    expires_at: Time | None


class Staff(InitialPassword, AccountNamed):
    role: Role


class Colleague(AccountNamed):
    role: Role
    state: Annotated[str, Meta(examples=["active", "initial-password", "suspended", "closed"])]
    expires_at: Time | None
    """When an initial password expires."""
    tables: Annotated[Sequence[str], Meta(description="assigned tables; empty for every table")]
    second_factor: Annotated[bool, Meta(description="whether signing in needs a code")]
    signed_in_at: Annotated[Time | None, Meta(description="the last sign-in; null if never")]


class Colleagues(TypedDict):
    staff: list[Colleague]


class PlayerMoved(TypedDict):
    player: str
    before: Coins
    after: Coins
    moves: Coins
    lost: Annotated[int, Meta(description="coins that cannot be recovered")]


class CorrectionSeen(TypedDict):
    """What settling a round again would change."""

    round: int
    coup: Coup
    face: str
    excess: Sequence[Card]
    goes: Excess
    takes_two: bool
    players: list[PlayerMoved]
    lost: Coins


class CancelResult(Seconding):
    round: int
    cancelled: bool
    repeated: bool


class SettingsChanged(Seconding):
    table: str
    repeated: bool


Head = Annotated[list[int | str], Meta(description="number and hash of the last entry")]


class Heads(TypedDict):
    heads: dict[str, Head]


class Audited(TypedDict):
    """An audit report, recomputed from the journals; `findings` is empty if all is well."""

    at: Time
    findings: list[str]
    not_compared: Annotated[
        list[str], Meta(description="what could not be checked because a journal is damaged")
    ]
    events: int
    rounds: int
    wagers: int
    shoes: int
    staked: Coins
    returned: Coins
    held: dict[str, Coins]
    heads: dict[str, Head]
    balances: dict[str, Coins]
    sum: Coins


class PlayersFound(TypedDict):
    players: list[AccountNamed]


class DeskBooking(TypedDict):
    at: Time
    kind: Kind
    amount: Coins
    by: str
    entry: Annotated[int, Meta(description="number of its entry in the house journal")]
    how: Annotated[str, Meta(description="method and reference in words; empty for others")]
    receipt: Annotated[bool, Meta(description="whether a receipt can be printed")]
    voids: Annotated[int | None, Meta(description="the entry it voids")]
    voidable: bool


class DayFigures(TypedDict):
    """The report of a gaming day."""

    day: Annotated[str, Meta(description="the date on which it began")]
    begins: Time
    ends: Time
    rows: Annotated[
        list[dict[str, int | str]],
        Meta(description="the house, then each table, dealer and cashier; amounts in coins"),
    ]


class StakesOf(TypedDict):
    player: str
    bets: Annotated[dict[str, Coins], Meta(description="stakes by bet")]


class MoneyMoved(TypedDict):
    """A player's result in a round or, for cash and bonus money, their balance."""

    player: str
    before: Annotated[Coins | None, Meta(description="null if the coup is not complete")]
    after: Annotated[Coins | None, Meta(description="null if the coup would not be complete")]
    bonus: NotRequired[Annotated[bool, Meta(description="bonus money, including what is staked")]]


class Effect(Struct, frozen=True, kw_only=True):
    """What a proposal would change."""

    cards_before: Sequence[Card] = ()
    cards_after: Sequence[Card] | None = None
    result_before: str | None = None
    result_after: str | None = None
    stakes: list[StakesOf] | None = None
    money: list[MoneyMoved]


class Confirmation(TypedDict):
    """The request that confirms a proposal; send the proposal's digest in the X-Proposal header."""

    send: Annotated[str, Meta(examples=["POST /api/accounts/anna/pay-in"])]
    body: dict[str, Any] | None


class PlayerAtCashier(AccountNamed, Money):
    in_play: Coins
    bookings: list[DeskBooking]


class SignificantEvents(TypedDict):
    since: Time
    until: Time | None
    topics: dict[str, str]
    events: list[AuditLogLine]
    more: bool


class Suspicions(TypedDict):
    table: str
    rounds: int
    suspicions: list[Suspicion]


# ---- the floor ----------------------------------------------------------------------------------


class ShoeSize(TypedDict):
    size: int
    left: int
    cut_card: bool


class DealerOfTheDay(TypedDict):
    dealer: str
    name: str
    rounds: int
    errors: int


class TableOnFloor(TypedDict):
    id: str
    name: str
    pit: Annotated[str, Meta(description="the pit it belongs to; may be empty")]
    game: GameView
    by_hand: bool
    dealer: str | None
    driven_by: str | None
    paused: bool
    house_paused: bool
    """Whether the table is paused because the whole house is paused."""
    frozen: Annotated[bool, Meta(description="whether an emergency stop froze the round too")]
    called: bool
    """Whether the dealer has called the floor, so that the table is frozen."""
    phase: Phase
    round: int
    players: int
    staked: Coins
    shoe: ShoeSize | None
    dealers: list[DealerOfTheDay]
    today: Figures
    guests: Figures
    voids: list[AuditLogLine]


class Alert(TypedDict):
    kind: str
    words: str
    about: str
    """What distinguishes the alert from others of its kind at the same table."""


class Acknowledged(TypedDict):
    by: Annotated[str, Meta(description="name of the person")]
    at: Time


class AlertAtTable(TypedDict):
    id: Annotated[str, Meta(description="stays the same while the alert is shown")]
    kind: str
    words: str
    table: str
    name: str
    acknowledged: Annotated[Acknowledged | None, Meta(description="who saw it first")]


class ShiftNote(TypedDict):
    id: Annotated[str, Meta(description="acknowledged like an alert")]
    at: Time
    by: Annotated[str, Meta(description="name of the person who wrote it")]
    words: str
    acknowledged: Acknowledged | None


class Stop(TypedDict):
    at: Time
    by: Annotated[str, Meta(description="name of the person who stopped the house")]
    words: Annotated[str | None, Meta(description="the reason; null until it is given")]


class Matter(TypedDict):
    """Something that awaits a decision; its fields depend on its kind."""

    kind: Annotated[str, Meta(examples=["proposal", "dispute", "error", "agreement", "partners"])]
    words: str
    subject: NotRequired[SubjectView]
    terms: NotRequired[TermsView]
    by: NotRequired[str]
    until: NotRequired[Time]
    proposal: NotRequired[ProposalId]
    proposes: NotRequired[Annotated[str, Meta(description="what a proposal would do")]]
    effect: NotRequired[Effect | None]
    confirm: NotRequired[Confirmation | None]
    round: NotRequired[int]
    player: NotRequired[str]
    players: NotRequired[list[str]]
    at: NotRequired[Time]
    cards: NotRequired[Sequence[Card]]
    values: NotRequired[dict[str, str]]
    proposed: NotRequired[
        Annotated[bool, Meta(description="whether the list also contains a proposal to decide it")]
    ]


class CashProposals(TypedDict):
    """Payments that are waiting for a second person."""

    waiting: list[Matter]


class MatterAtTable(Matter):
    table: str
    name: str


class HouseToday(TypedDict):
    paid_in: Coins
    paid_out: Coins
    turnover: Coins
    result: Coins


class Floor(TypedDict):
    now: Time
    since: Time
    currency: str
    once_in: int
    house: HouseToday
    tables: list[TableOnFloor]
    alerts: list[AlertAtTable]
    waiting: list[MatterAtTable]
    notes: Annotated[list[ShiftNote], Meta(description="notes between shifts, newest first")]
    stop: Annotated[
        Stop | None,
        Meta(description="the last emergency stop, if it is in force or its reason is missing"),
    ]
    reasons: list[CancelReason]
    too_few: Annotated[
        str | None, Meta(description="a warning if no two members of the pit can decide together")
    ]
    words: str


# ---- running the server -------------------------------------------------------------------------


class Alive(TypedDict):
    status: str


class Ready(TypedDict):
    """Readiness; all fields except `ready` require the operations token."""

    ready: bool
    store: NotRequired[str]
    draining: NotRequired[bool]
    driving: NotRequired[list[str]]
    held_at_start: NotRequired[list[StakesInProgress]]
    sealed_off: NotRequired[list[str]]
