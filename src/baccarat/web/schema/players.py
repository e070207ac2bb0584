"""Answers to players: who they are, what is theirs, what protects them, what was agreed."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from baccarat.house.events import LimitKind, Owner
from baccarat.house.ledger import Kind
from baccarat.house.periods import Period
from baccarat.house.profile import Breach
from baccarat.house.roles import Role
from baccarat.table.appeals import Resolution
from baccarat.table.twopeople import Proposal
from baccarat.web.answers import Coins, Coup, Time
from baccarat.web.answers.tables import WagerTold


class SessionTold(TypedDict):
    account: str
    name: str
    role: Role
    guest: bool
    csrf_token: Annotated[str, Field(description="for the X-CSRF-Token header")]
    given_password: Annotated[bool, Field(description="true: it is to be changed first")]


class MySession(TypedDict):
    id: Annotated[str, Field(description="a digest: nobody comes in with it")]
    this: Annotated[bool, Field(description="is it the one that asks?")]
    begun: Time
    seen: Annotated[int, Field(description="when it was last used, to some minutes")]
    address: Annotated[str, Field(description="where it was last used, shortened to a network")]
    agent: Annotated[str, Field(examples=["Firefox on Windows"])]


class MySessions(TypedDict):
    sessions: list[MySession]


class Money(TypedDict):
    real: Coins
    bonus: Coins


class Balance(Money):
    currency: str
    play: Annotated[bool, Field(description="is it play money?")]


class BookingTold(TypedDict):
    stream: str
    sequence: int
    at: Time
    kind: Kind
    amount: Coins
    amounts: dict[str, Coins]


class Ledger(TypedDict):
    bookings: list[BookingTold]


class WagerResultTold(WagerTold):
    net: Coins


class MyRound(BookingTold):
    round: int
    wagers: list[WagerResultTold]


class MyRounds(TypedDict):
    rounds: list[MyRound]


class Sitting(TypedDict):
    since: Time
    over: bool
    elapsed: Annotated[int, Field(description="milliseconds")]
    net: Coins
    staked: Coins
    words: str


class Mine(Money):
    now: Time
    round: int
    wagers: list[WagerTold]
    in_play: Coins
    sitting: Sitting | None
    result: list[WagerResultTold] | None


Asked = TypedDict("Asked", {"amount": int | None, "from": Time})
"""What a limit is to become."""


class LimitTold(TypedDict):
    limit: LimitKind
    period: Period
    owner: Owner
    amount: int | None
    unit: str
    used: int
    until: Time
    asked: Asked | None
    warning: str | None
    words: str


class RealityCheck(TypedDict):
    every: Annotated[int, Field(description="minutes")]
    chosen: int
    due: bool
    due_at: Time | None


class Play(TypedDict):
    """How a player stands."""

    now: Time
    profile: str
    birth_date_known: bool
    sitting: Sitting | None
    limits: list[LimitTold]
    warnings: list[str]
    reality_check: RealityCheck
    break_until: Time | None
    excluded_until: Time | None
    returns_at: Time | None
    blocked: str | None
    stake_cap: Coins | None
    least_exclusion_months: int
    longest_break_hours: int
    help: list[str]


class GrantTold(TypedDict):
    amount: Coins
    wagering: Coins
    wagered: Coins
    left: Coins
    expires_at: Time
    ended: str | None


class Bonus(TypedDict):
    balance: Coins
    grant: GrantTold | None
    words: str


class Trial(TypedDict):
    stake: Coins
    bonus: Coins
    chance: Annotated[str | None, Field(description="exact, as a fraction")]
    breaches: bool
    would_be: Breach
    words: str


class Agreeable(TypedDict):
    parameter: str
    meaning: str
    minimum: str
    maximum: str
    without: str


class NextTerms(TypedDict):
    values: dict[str, str] | None
    from_round: int


class ProposedTerms(TypedDict):
    values: dict[str, str]
    by: str


class Agreement(TypedDict):
    table: str
    player: str
    round: int
    in_force: dict[str, str] | None
    next: NextTerms | None
    proposed: ProposedTerms | None
    can_be_agreed: list[Agreeable]
    words: list[str]


class Agreements(TypedDict):
    table: str
    agreements: list[Agreement]


class DisputeTold(TypedDict):
    round: int
    player: str
    at: Time
    words: str
    decided: bool


class Waiting(TypedDict):
    """What one person has proposed, and a second may do."""

    subject: str
    terms: str
    words: str
    by: str
    until: Time


class Disputes(TypedDict):
    table: str
    decide_alone: Coins
    disputes: list[DisputeTold]
    proposals: list[Waiting]


class ReadingTold(TypedDict):
    id: str
    text: str


class Question(TypedDict):
    id: str
    question: str
    in_force: str
    readings: list[ReadingTold]


class Option(TypedDict):
    """What the wagers come to under some readings; null while cards are not known."""

    readings: dict[str, str]
    coup: Coup | None
    net: Coins | None
    wagers: list[WagerResultTold]
    pending: bool
    possible: bool
    words: str


class ProposedReadings(TypedDict):
    readings: dict[str, str]
    net: Coins
    due: Coins
    due_in_words: str
    words: str


class CaseTold(TypedDict):
    table: str
    round: int
    player: str
    dispute: DisputeTold | None
    waits_for_second: Proposal | None
    paid: Coins
    wagers: list[WagerResultTold]
    questions: list[Question]
    options: list[Option]
    pending: int
    waits: Annotated[str | None, Field(description="why it cannot be decided yet (R43)")]
    proposed: ProposedReadings


class Questions(TypedDict):
    table: str
    card: str
    open: list[Question]
    waits_for_second: dict[str, Proposal]
    resolved: list[Resolution]
    words: str


class Partners(TypedDict):
    partners: list[str]
    named: list[str]
    words: str


class PartnersOf(TypedDict):
    partners: list[str]
    apart: list[str]


class PartnersDecided(TypedDict):
    players: dict[str, PartnersOf]
    words: str
