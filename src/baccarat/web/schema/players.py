"""Response types for players: sessions, money, limits, agreements, disputes and partners."""

from typing import Annotated, Any

from msgspec import Meta
from typing_extensions import TypedDict

from baccarat.core.coup import Winner
from baccarat.core.tableau import Hand
from baccarat.house.events import LimitKind, Owner
from baccarat.house.money.ledger import Kind
from baccarat.house.people.roles import Role
from baccarat.house.safety.periods import Period
from baccarat.house.safety.profiles import Breach
from baccarat.service.public_view import OwnView
from baccarat.table.disputes.listed import Source
from baccarat.table.events import WagerResult
from baccarat.table.state import Dispute, Resolution
from baccarat.web.schema import Coins, Coup, Time


class SessionView(TypedDict):
    account: str
    name: str
    role: Role
    guest: bool
    csrf_token: Annotated[str, Meta(description="for the X-CSRF-Token header")]
    given_password: Annotated[
        bool, Meta(description="whether the initial password must be changed first")
    ]


class SecondFactorSecret(TypedDict):
    """A new secret, which takes effect once its owner has sent a code from it."""

    secret: Annotated[str, Meta(description="to type into an authenticator app")]
    address: Annotated[str, Meta(description="the same, for a QR code", examples=["otpauth://…"])]
    sealed: Annotated[str, Meta(description="the encrypted secret, to be sent with the code")]


class RecoveryCodes(TypedDict):
    recovery_codes: Annotated[list[str], Meta(description="shown once; each can be used once")]


class MySession(TypedDict):
    id: Annotated[str, Meta(description="digest of the session; it does not give access")]
    this: Annotated[bool, Meta(description="whether it is the session of this request")]
    begun: Time
    seen: Annotated[int, Meta(description="when it was last used, to within a few minutes")]
    address: Annotated[
        str, Meta(description="address it was last used from, truncated to a network")
    ]
    agent: Annotated[str, Meta(description="empty if unknown", examples=["Firefox (Windows)"])]


class MySessions(TypedDict):
    sessions: list[MySession]


class Money(TypedDict):
    real: Coins
    bonus: Coins


class Balance(Money):
    currency: str
    play: Annotated[bool, Meta(description="whether it is play money")]


class BookingView(TypedDict):
    stream: str
    sequence: int
    at: Time
    kind: Kind
    amount: Coins
    amounts: dict[str, Coins]


class Ledger(TypedDict):
    bookings: list[BookingView]


class MyRound(BookingView):
    round: int
    wagers: tuple[WagerResult, ...]


class MyRounds(TypedDict):
    rounds: list[MyRound]


class Sitting(TypedDict):
    since: Time
    over: bool
    elapsed: Annotated[int, Meta(description="milliseconds")]
    net: Coins
    staked: Coins


class Mine(OwnView, frozen=True, kw_only=True):
    now: Time
    real: Coins
    bonus: Coins
    in_play: Coins
    sitting: Sitting | None


Asked = TypedDict("Asked", {"amount": int | None, "from": Time})
"""A requested change of a limit."""


class LimitView(TypedDict):
    limit: LimitKind
    period: Period
    owner: Owner
    amount: int | None
    unit: str
    used: int
    until: Time
    asked: Asked | None
    warning: str | None


class RealityCheck(TypedDict):
    every: Annotated[int, Meta(description="minutes")]
    chosen: int
    due: bool
    due_at: Time | None


class Play(TypedDict):
    """A player's sitting, limits, breaks and exclusions."""

    now: Time
    profile: str
    birth_date_known: bool
    sitting: Sitting | None
    limits: list[LimitView]
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


class GrantView(TypedDict):
    amount: Coins
    wagering: Coins
    wagered: Coins
    left: Coins
    expires_at: Time
    ended: str | None


class Bonus(TypedDict):
    balance: Coins
    grant: GrantView | None


class Trial(TypedDict):
    stake: Coins
    bonus: Coins
    chance: Annotated[str | None, Meta(description="exact chance as a fraction")]
    breaches: bool
    would_be: Breach
    words: Annotated[str | None, Meta(description="the breach in words")]


class Agreeable(TypedDict):
    parameter: str
    name: str
    meaning: str
    minimum: str
    maximum: str
    offered: Annotated[str, Meta(description="the value in the table's standing offer")]
    granted_up_to: Annotated[
        str, Meta(description="requests up to this value are granted automatically")
    ]


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
    ended: Annotated[
        str | None,
        Meta(description="why the last agreement ended; null if it did not, or without a reason"),
    ]
    can_be_agreed: list[Agreeable]


class AgreementLetter(TypedDict):
    """A player's agreement, and when it ended. The newest has the address of its letter."""

    table: str
    name: str
    values: dict[str, str]
    terms: Annotated[list[str], Meta(description="each value with its parameter's name")]
    from_round: int
    at: Time
    last_round: Annotated[
        int | None, Meta(description="null while in force, or if it ended before its first round")
    ]
    ended_at: Time | None
    ended: Annotated[str | None, Meta(description="why it ended; null without a reason")]
    letter: str | None


class MyAgreements(TypedDict):
    agreements: list[AgreementLetter]


class Agreements(TypedDict):
    table: str
    agreements: list[Agreement]


SubjectView = Annotated[
    dict[str, int | str],
    Meta(description="as in ActionProposed", examples=[{"kind": "cancel", "round": 12}]),
]
TermsView = Annotated[
    dict[str, Any],
    Meta(description="as in ActionProposed", examples=[{"kind": "pay-in", "amount": 500_000}]),
]
ProposalId = Annotated[
    str, Meta(description="to be sent as X-Proposal to confirm exactly this proposal")
]


class Waiting(TypedDict):
    """A proposal by one person that is waiting for a second person."""

    subject: SubjectView
    terms: TermsView
    words: str
    by: str
    until: Time
    proposal: ProposalId


class Disputes(TypedDict):
    table: str
    decide_alone: Coins
    disputes: list[Dispute]
    proposals: list[Waiting]


class ReadingView(TypedDict):
    id: str
    text: str


class Question(TypedDict):
    id: str
    question: str
    in_force: str
    readings: list[ReadingView]


class Option(TypedDict):
    """What the wagers pay under one choice of readings; null until the cards it needs are known."""

    readings: dict[str, str]
    coup: Coup | None
    net: Coins | None
    wagers: tuple[WagerResult, ...]
    pending: bool
    possible: bool
    texts: Annotated[list[str], Meta(description="those readings that are not in force, in words")]
    face: Annotated[str | None, Meta(description="the coup in words")]
    refusal: Annotated[str | None, Meta(description="why the wagers could not have been made")]
    hand: Annotated[
        Hand | None, Meta(description="the hand that would draw a card nobody has seen")
    ]


class ProposedReadings(TypedDict):
    readings: dict[str, str]
    net: Coins
    due: Coins


class ListedView(TypedDict):
    """An ambiguity in a rule card that the house listed in response to a dispute."""

    id: str
    card: str
    question: str
    fragment: Annotated[str, Meta(description="its readings in TOML; empty if there are none")]
    source: Source
    at: Time
    by: tuple[str, ...]
    resolved_at: Annotated[Time | None, Meta(description="null if it was not resolved")]
    resolution: str
    resolved_by: tuple[str, ...]
    withdrawn_at: Annotated[Time | None, Meta(description="null if it was not withdrawn")]
    withdrawal: str
    withdrawn_by: tuple[str, ...]
    waits_for_second: Waiting | None


class ListedAmbiguities(TypedDict):
    ambiguities: list[ListedView]


class AmbiguityInShort(TypedDict):
    id: str
    question: str


class Withdrawn(TypedDict):
    """A listed ambiguity that two people withdrew while a dispute was waiting."""

    id: str
    question: str
    withdrawal: Annotated[str, Meta(description="why it was withdrawn")]
    withdrawn_at: Time


class CaseView(TypedDict):
    table: str
    round: int
    player: str
    dispute: Dispute | None
    waits_for_second: Waiting | None
    settled_at: Time
    coup: Annotated[Coup, Meta(description="the coup as it was settled, or settled again")]
    face: Annotated[str, Meta(description="the coup in words, with the totals of both hands")]
    winner: Winner
    paid: Coins
    wagers: tuple[WagerResult, ...]
    questions: list[Question]
    options: list[Option]
    pending: int
    waits: Annotated[str | None, Meta(description="why the dispute cannot be decided yet (R43)")]
    proposed: ProposedReadings
    listed: Annotated[
        list[AmbiguityInShort], Meta(description="listed ambiguities that apply to the round")
    ]
    bound: Annotated[
        bool, Meta(description="whether the reading that is best for the player must be used")
    ]
    owed: Annotated[
        tuple[str, ...],
        Meta(
            description="ambiguities listed because of the dispute that cannot be replayed; the "
            "dispute must be paid"
        ),
    ]
    cited: Annotated[
        tuple[str, ...],
        Meta(
            description="listed ambiguities that the dispute cites and that cannot be replayed; "
            "paying nothing takes two people"
        ),
    ]
    withdrawn: Annotated[
        list[Withdrawn],
        Meta(description="ambiguities that applied until they were withdrawn"),
    ]


class Questions(TypedDict):
    table: str
    card: str
    open: list[Question]
    waits_for_second: dict[str, Waiting]
    resolved: list[Resolution]


class Partners(TypedDict):
    partners: list[str]
    named: list[str]


class PartnersOf(TypedDict):
    partners: list[str]
    apart: list[str]


class PartnersDecided(TypedDict):
    players: dict[str, PartnersOf]
