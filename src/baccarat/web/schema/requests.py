"""Schemas of request bodies. Whether a request is allowed is decided by the house.

The schemas are strict: a stake must be a whole number in JSON, not text and not 5.0.
"""

from typing import Annotated, Literal

from fastapi import Query
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from baccarat.core.tableau import Hand
from baccarat.house.ambiguities import LONGEST_FRAGMENT
from baccarat.house.jobs import LONGEST_KEY
from baccarat.house.people.names import check_name, tidy
from baccarat.house.people.passwords import LONGEST, SHORTEST
from baccarat.house.people.roles import GUEST, LONGEST_NAME, Role
from baccarat.house.safety.periods import parse_date
from baccarat.table.events import CancelReason, CardExplanation, CutBy
from baccarat.table.four_eyes.terms import PaymentMethod
from baccarat.table.refusals import LONGEST_WORDS, Message, Refused


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError(Message("problem-unprintable", {}))
    return text


def _checked_name(text: str) -> str:
    """Return a name without extra spaces, which keyboards may add, or raise ValueError."""
    name = tidy(text) if text.isprintable() else text
    try:
        check_name(name)
    except Refused as refused:
        raise ValueError(refused.message) from refused
    return name


def _checked_date(text: str) -> str:
    if parse_date(text) is None:
        raise ValueError(Message("problem-bad-date", {}))
    return text


def _no_guest(text: str) -> str:
    if text.startswith(GUEST):
        raise ValueError(Message("refusal-guest-id", {"account": text, "prefix": GUEST}))
    return text


Id = Annotated[
    str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$", examples=["ann"]), AfterValidator(_no_guest)
]
Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME), AfterValidator(_checked_name)]
Password = Annotated[str, Field(min_length=SHORTEST, max_length=LONGEST)]
OneTimeCode = Annotated[str, Field(max_length=40)]
AnyPassword = Annotated[str, Field(max_length=LONGEST)]
Date = Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"), AfterValidator(_checked_date)]
Hex32 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", description="32 bytes in hexadecimal")]
Milliseconds = Annotated[int, Field(ge=0, le=24 * 3_600_000)]
Coins = Annotated[int, Field(ge=1, le=10**15)]
Whole = Annotated[int, Field(ge=-(10**21), le=10**21)]
"""A whole number small enough to be quoted in a refusal. The house decides whether it is valid."""
Short = Annotated[str, Field(max_length=80)]
Words = Annotated[str, Field(max_length=200), AfterValidator(_printable)]
Statement = Annotated[
    str, Field(min_length=1, max_length=LONGEST_WORDS), AfterValidator(_printable)
]


class Body(BaseModel):
    """Base of request bodies: values are not converted, and unknown fields are refused."""

    model_config = ConfigDict(strict=True, extra="forbid")


class OpenRound(Body):
    round: Whole = Field(description="number of the current round")


class NewPlayer(Body):
    id: Id
    name: Name
    password: Password
    born: Date | None = Field(default=None, description="date of birth, if the house requires it")


class SignIn(Body):
    account: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
    password: AnyPassword
    code: OneTimeCode = Field(
        default="", description="the one-time code or a recovery code, if the account needs one"
    )


class NewSecondFactor(Body):
    password: AnyPassword
    sealed: Annotated[str, Field(pattern=r"^[0-9a-f]{2,200}$", description="as the server sent it")]
    code: OneTimeCode = Field(description="the code that the authenticator app shows")


class NewPassword(Body):
    old: AnyPassword
    new: Password


class WagerBody(Body):
    bet: Short
    stake: Whole = Field(description="whole coins")


class WagersBody(Body):
    """All of a player's wagers on the round; an empty list withdraws them."""

    round: Whole
    wagers: list[WagerBody] = Field(max_length=100)
    replaces: list[WagerBody] | None = Field(
        default=None,
        max_length=100,
        description="the wagers that this request replaces; refused if the current ones differ",
    )
    accept: dict[Short, Short] = Field(
        default={},
        max_length=20,
        description="the table's standing offer, if the player accepts it with these wagers",
        examples=[{"double_chance": "2%"}],
    )


class SocketBet(WagersBody):
    """A message on a table's socket that places bets."""

    key: str = Field(min_length=1, max_length=LONGEST_KEY)
    csrf_token: Short


class AgreedValues(Body):
    """The value of every parameter that can be agreed on."""

    values: dict[Short, Short] = Field(max_length=20, examples=[{"double_chance": "5%"}])


class Commitment(Body):
    commitment: Hex32


class Secret(Body):
    secret: Hex32


class Reason(Body):
    reason: Words = Field(min_length=1)


class Note(Body):
    words: Statement


class Dismissal(Reason):
    reports: int | None = Field(
        None,
        ge=1,
        le=2**31,
        description="number of reports the sender has seen; refused if there are more",
    )


class DisputeBody(Body):
    """A dispute in the player's own words."""

    reason: Statement
    cites: Short = Field("", description="id of the listed ambiguity that it is about, if any")


class Listing(Body):
    """An ambiguity to be listed in response to a dispute."""

    question: Statement = Field(description="what the rules leave open")
    fragment: str = Field(
        "",
        max_length=LONGEST_FRAGMENT,
        description="an `[[ambiguity]]` in the format of rule cards, with readings that can be "
        "replayed; empty if it can only be put in words",
    )


class Answer(Body):
    """The pit's answer to a dispute, and the amount paid with it."""

    reason: Statement
    amount: int = Field(default=0, ge=0, le=10**15, description="0 to pay nothing")


class Decision(Reason):
    """The readings used to pay a dispute. They must be the proposed readings."""

    readings: dict[Short, Short] = Field(max_length=50)


class Resolving(Reason):
    reading: Short
    effective: int = Field(
        default=0,
        ge=0,
        le=10**14,
        description="when it takes effect, in milliseconds; 0 for now",
    )


class NamedPartner(Body):
    partner: Id


class Players(Reason):
    """Players to link or unlink, and why."""

    players: list[Id] = Field(min_length=2, max_length=20)


class Assignment(Body):
    tables: list[Short] = Field(max_length=500, description="the tables' ids; empty for all")


class WithReason(Body):
    """A request that a second person may have to confirm, with a reason for that person to read."""

    reason: Words = Field(default="", description="shown to the second person")


Why = Annotated[Words, Query(alias="reason", description="shown to the second person")]
"""The reason for a request without a body."""


EndReason = Annotated[Words, Query(alias="reason", description="shown to the other party")]
"""Why an agreement ends."""


class NewStaff(WithReason):
    """A new staff account; the server generates the initial password."""

    id: Id
    name: Name
    role: Annotated[Role, Field(strict=False)]


class Amount(WithReason):
    amount: Whole = Field(description="whole coins")


class PaymentBody(Amount):
    """A payment at the cashier's desk."""

    method: Annotated[PaymentMethod, Field(strict=False)] = PaymentMethod.CASH
    reference: Words = Field(
        "", description="number of the card slip, transfer or cheque; no names or card numbers"
    )


class Footage(Body):
    reference: Words = Field(min_length=1, description="camera and time of a recording")


class LimitBody(Body):
    """A limit in coins, or in minutes for time; null for no limit."""

    amount: int | None = Field(ge=0, le=10**15)


class BirthDate(Body):
    born: Date = Field(description="date of birth", examples=["1990-02-28"])


class CheckInterval(Body):
    every: int = Field(ge=0, le=1440, description="minutes; 0 for the house's interval")


class FiguresShown(Body):
    """The figures of the sitting as they were shown to the player."""

    net: int = Field(ge=-(10**15), le=10**15, description="coins won; negative if lost")
    staked: int = Field(ge=0, le=10**15, description="coins at stake in unsettled rounds")


class Hours(Body):
    hours: int = Field(ge=1, le=10_000)


class Months(Body):
    months: int = Field(ge=1, le=1_000)


class Grant(Amount):
    """Bonus money to grant. Omitted terms default to the house's."""

    times: Whole | None = Field(
        default=None, description="wagering requirement, as a multiple of the bonus"
    )
    days: Whole | None = Field(default=None, description="days until it expires")


class Cancelling(Body):
    """Why a round is cancelled."""

    reason: Annotated[CancelReason, Field(strict=False)]


class ClockBody(Body):
    """The clock of a table, in milliseconds."""

    betting: Milliseconds
    card: Milliseconds
    pause: Milliseconds
    contribute: Milliseconds = 0
    reveal: Milliseconds = 0
    squeeze: Milliseconds = 0


class BetLimitsBody(Body):
    bet: Short
    minimum: Coins | None = None
    maximum: Coins | None = None


class LimitsBody(Body):
    """Limits in coins. Omitted limits default to the rule card's, if they are in the house's
    currency."""

    minimum: Coins | None = None
    maximum: Coins | None = None
    coup_maximum: Coins | None = None
    bets: list[BetLimitsBody] = Field(default_factory=list, max_length=100)
    seats: int | None = Field(default=None, ge=1, le=100_000)


class SettingsBody(WithReason):
    """The whole clock, all limits, or both. An omitted part does not change."""

    clock: ClockBody | None = None
    limits: LimitsBody | None = None


CardText = Annotated[str, Field(min_length=1, max_length=8, examples=["8h"])]
"""A card as typed, or the text of its barcode. Anything else is refused with an explanation."""


class Call(Body):
    """A dealer's call."""

    call: Annotated[
        Literal[
            "take-table",
            "leave-table",
            "place-your-bets",
            "no-more-bets",
            "call-floor",
            "cut-card",
            "result",
            "pay",
        ],
        Field(
            description="take-table: take or request the table; leave-table: leave the table; "
            "place-your-bets: open betting; no-more-bets: close betting; call-floor: freeze the "
            "table and call the pit; cut-card: the cut card has come out; result: announce the "
            "result; pay: settle the bets"
        ),
    ]
    sure: bool = Field(
        default=False, description="for cut-card: whether it came out in the shoe's first half"
    )


class DealerBody(Body):
    dealer: str = Field(
        min_length=1, max_length=40, description="the dealer who requested the table"
    )


class CardBody(Body):
    card: CardText
    hand: Annotated[Hand | None, Field(strict=False)] = Field(
        default=None,
        description="the hand the card was dealt to; by default, the hand that is due a card",
    )
    round: int | None = Field(
        default=None,
        ge=0,
        le=2**53,
        description="the card's round; the card is refused in any other",
    )
    place: int | None = Field(
        default=None,
        ge=-999,
        le=999,
        description="the card's position in the coup, from 1, or 0, -1, … for cards exposed before "
        "it; refused at any other position",
    )
    after: int | None = Field(
        default=None,
        ge=0,
        le=2**53,
        description="the last journal entry seen by the sender; the card is out of place if the "
        "round has moved on since",
    )


class ReadingBody(Body):
    card: CardText
    number: int = Field(ge=1, le=2**31, description="the card's number in the shoe, from 1")


class ExplainBody(Body):
    card: CardText
    was: Annotated[CardExplanation, Field(strict=False)] = Field(
        description="drawn in this coup, exposed early, burned as required, or a device error"
    )


class CardsBody(WithReason):
    cards: list[CardText] = Field(max_length=20)


DeckText = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9./-]{0,39}$", examples=["A-10442"])]


class DeckSetBody(Body):
    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$", examples=["red-7"])]
    colour: Annotated[str, Field(min_length=1, max_length=20), AfterValidator(_printable)] = Field(
        description="colour of the backs"
    )
    serials: list[DeckText] = Field(
        min_length=1, max_length=20, description="serial number of each deck"
    )


class PreparedBody(Body):
    table: Short = Field(description="the table whose next shoe the set is for")
    cards: int = Field(ge=0, le=2000, description="number of cards that you counted")
    shuffled_by: Id = Field(description="the member of staff who shuffled; not you")


class CardChangeBody(Body):
    card: CardText
    serial: DeckText = Field(description="serial number of the spare deck")
    reason: Statement


class ShoeBody(Body):
    deck_set: Short = Field(default="", description="the deck set, where the house needs one")
    cut_by: Annotated[CutBy | None, Field(strict=False)] = Field(
        default=None, description="who cut the cards; required with a deck set"
    )


class BurnBody(Body):
    cards: list[CardText] = Field(
        default_factory=list, max_length=20, description="the cards that were turned up, if any"
    )


class BurnAgainBody(Body):
    cards: list[CardText] = Field(
        min_length=1, max_length=20, description="the cards that were really turned up"
    )
    reason: Statement


class DrawnBody(Body):
    drawn: list[CardText] | None = Field(
        default=None,
        max_length=20,
        description="the cards in the order they left the shoe; by default, as recorded",
    )
    reason: Words = Field(
        default="", description="why the cards differ from those recorded; needed if they do"
    )


class DummyBody(Body):
    round: int = Field(ge=1, le=2**53)
    reason: Annotated[CancelReason, Field(strict=False)]
    words: Words = Field(
        default="", description="why the round cannot be rectified; needed once the result is known"
    )


class RestBody(Body):
    rest: Annotated[str, Field(max_length=8000, examples=["8h 10c Ks"])] | None = Field(
        default=None,
        description="all unseen cards, burned face down or left in the shoe, separated by spaces",
    )
