"""Answers to the staff and to whoever runs the server."""

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from baccarat.house.ledger import Kind
from baccarat.house.roles import Role
from baccarat.house.significant import Significant
from baccarat.service.running import Held
from baccarat.table.console import Console
from baccarat.table.events import CancelReason
from baccarat.table.phases import Phase
from baccarat.table.settings import Excess
from baccarat.web.answers import Card, Coins, Coup, Done, Time
from baccarat.web.answers.players import Money
from baccarat.web.answers.tables import GameTold


class ConsoleTold(Console):
    dealer_name: str
    names: Annotated[dict[str, str], Field(description="of dealers who ask for the table")]


class DoneAtConsole(Done):
    console: ConsoleTold


class Seconding(TypedDict):
    waits_for_second: Annotated[bool, Field(description="true: a second person is to do the same")]


class InitialPassword(Seconding):
    """Shown this once; its owner changes it at the first sign-in."""

    account: str
    password: Annotated[str | None, Field(description="null while a second person is to confirm")]
    expires_at: Time | None


class Staff(InitialPassword):
    name: str
    role: Role


class Colleague(TypedDict):
    account: str
    name: str
    role: Role
    state: Annotated[str, Field(examples=["active", "initial-password", "suspended", "closed"])]
    expires_at: Time | None
    """Of an initial password."""


class Colleagues(TypedDict):
    staff: list[Colleague]


class PlayerMoved(TypedDict):
    player: str
    before: Coins
    after: Coins
    moves: Coins
    lost: Annotated[int, Field(description="whole coins that cannot be had back")]


class CorrectionSeen(TypedDict):
    """What settling a round again would move."""

    round: int
    coup: Coup
    face: str
    excess: list[Card]
    goes: Excess
    takes_two: bool
    players: list[PlayerMoved]
    lost: Coins


class CancelTold(TypedDict):
    round: int
    cancelled: Annotated[bool, Field(description="false: a second person is to do the same")]
    repeated: bool


class RoundKept(TypedDict):
    round: int


class SettingsChanged(Seconding):
    table: str
    repeated: bool


Head = Annotated[list[int | str], Field(description="number and hash of the last entry")]


class Heads(TypedDict):
    heads: dict[str, Head]


class Audited(TypedDict):
    """Everything recomputed from the journals; `findings` is empty when all is well."""

    at: Time
    findings: list[str]
    not_compared: Annotated[
        list[str], Field(description="what a journal that cannot be read to its end leaves open")
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


class PlayerFound(TypedDict):
    account: str
    name: str


class PlayersFound(TypedDict):
    players: list[PlayerFound]


class DeskBooking(TypedDict):
    at: Time
    kind: Kind
    amount: Coins
    by: str
    entry: Annotated[int, Field(description="the number of its entry in the house's journal")]
    voids: Annotated[int | None, Field(description="the entry that it voids")]
    voidable: bool


ProposalId = Annotated[
    str, Field(description="send it as X-Proposal to confirm exactly this proposal")
]


class StakesOf(TypedDict):
    player: str
    bets: Annotated[dict[str, Coins], Field(description="stakes by bet")]


class MoneyMoved(TypedDict):
    """A player's result of a round or, of cash and bonus money, their balance."""

    player: str
    before: Annotated[Coins | None, Field(description="null: the coup is not complete")]
    after: Annotated[Coins | None, Field(description="null: the coup would not be complete")]
    bonus: NotRequired[Annotated[bool, Field(description="true: their bonus money, also staked")]]


class Effect(TypedDict):
    """What a proposal would change."""

    cards_before: list[Card]
    cards_after: list[Card] | None
    result_before: str | None
    result_after: str | None
    stakes: list[StakesOf] | None
    money: list[MoneyMoved]


class CashProposal(TypedDict):
    """Cash that waits for a second person."""

    account: str
    way: Annotated[str, Field(examples=["in", "out", "void"])]
    amount: Coins
    entry: int | None
    words: str
    by: str
    until: Time
    proposal: ProposalId
    effect: Effect | None


class CashProposals(TypedDict):
    waiting: list[CashProposal]


class AtTheDesk(Money):
    account: str
    name: str
    in_play: Coins
    bookings: list[DeskBooking]


class SignificantEvents(TypedDict):
    since: Time
    until: Time | None
    topics: dict[str, str]
    events: list[Significant]
    more: bool


class SuspicionTold(TypedDict):
    players: list[str]
    weight: Annotated[float, Field(description="powers of ten, of the weakest link among them")]
    rounds: int
    same: int
    passed: list[int]
    most: Coins
    words: str


class Suspicions(TypedDict):
    table: str
    rounds: int
    suspicions: list[SuspicionTold]
    words: str


# ---- the floor ----------------------------------------------------------------------------------


class Figures(TypedDict):
    """Results of the day against theory."""

    rounds: int
    turnover: Coins
    result: Coins
    hold: str | None
    expected: Coins
    deviation: Coins
    low: Coins
    high: Coins
    outside: bool
    disputes: int


class ShoeSize(TypedDict):
    size: int
    left: int
    cut_card: bool


class DealerOfTheDay(TypedDict):
    dealer: str
    name: str
    rounds: int
    errors: int


class Voided(TypedDict):
    at: Time
    who: str
    words: str


class TableOnFloor(TypedDict):
    id: str
    name: str
    game: GameTold
    by_hand: bool
    dealer: str | None
    driven_by: str | None
    paused: bool
    house_paused: bool
    """With the whole house: it goes on when that does."""
    phase: Phase
    round: int
    players: int
    staked: Coins
    shoe: ShoeSize | None
    dealers: list[DealerOfTheDay]
    today: Figures
    guests: Figures
    voids: list[Voided]


class Alert(TypedDict):
    kind: str
    words: str


class AlertAtTable(Alert):
    table: str
    name: str


class Matter(TypedDict):
    """What waits for a person; what is there depends on its kind."""

    kind: Annotated[str, Field(examples=["proposal", "dispute", "error", "agreement", "partners"])]
    words: str
    subject: NotRequired[str]
    terms: NotRequired[str]
    by: NotRequired[str]
    until: NotRequired[Time]
    proposal: NotRequired[ProposalId]
    effect: NotRequired[Effect | None]
    round: NotRequired[int]
    player: NotRequired[str]
    players: NotRequired[list[str]]
    at: NotRequired[Time]
    cards: NotRequired[list[Card]]
    values: NotRequired[dict[str, str]]


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
    reasons: list[CancelReason]
    words: str


# ---- running the server -------------------------------------------------------------------------


class Alive(TypedDict):
    status: str


class Ready(TypedDict):
    """All but the first only to those who show the operations token."""

    ready: bool
    store: NotRequired[str]
    draining: NotRequired[bool]
    driving: NotRequired[list[str]]
    held_at_start: NotRequired[list[Held]]
    sealed_off: NotRequired[list[str]]
