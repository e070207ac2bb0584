"""What clients send, by form; what it means is judged by the house.

The one rule: forms are strict. A stake is a whole number in JSON, not text and not 5.0.
"""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from baccarat.core.tableau import Hand
from baccarat.core.wagers import Wager
from baccarat.house.names import fault_of, tidy
from baccarat.house.passwords import LONGEST, SHORTEST
from baccarat.house.periods import parse_date
from baccarat.house.roles import GUEST, LONGEST_NAME, Role
from baccarat.table.commands import PlaceWagers
from baccarat.table.events import CancelReason, CardWas


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("has characters that cannot be printed: leave them out")
    return text


def _a_name(text: str) -> str:
    """Tidied: a keyboard may add a space after a word."""
    name = tidy(text) if text.isprintable() else text
    fault = fault_of(name)
    if fault is not None:
        raise ValueError(fault)
    return name


def _encodable(text: str) -> str:
    if text.encode(errors="ignore").decode() != text:
        raise ValueError("has half characters: send whole ones")
    return text


def _a_day(text: str) -> str:
    if parse_date(text) is None:
        raise ValueError("is no day of the calendar: write year, month and day")
    return text


def _no_guest(text: str) -> str:
    if text.startswith(GUEST):
        raise ValueError(f"begins {GUEST!r}: ids of guests do, choose another")
    return text


Id = Annotated[
    str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$", examples=["ann"]), AfterValidator(_no_guest)
]
Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME), AfterValidator(_a_name)]
Password = Annotated[
    str, Field(min_length=SHORTEST, max_length=LONGEST), AfterValidator(_encodable)
]
Date = Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"), AfterValidator(_a_day)]
Hex32 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", description="32 bytes, in hex")]
Milliseconds = Annotated[int, Field(ge=0, le=24 * 3_600_000)]
Coins = Annotated[int, Field(ge=1, le=10**15)]
Short = Annotated[str, Field(max_length=80), AfterValidator(_encodable)]


class Body(BaseModel):
    """Nothing is converted, and nothing more is taken."""

    model_config = ConfigDict(strict=True, extra="forbid")


class NewPlayer(Body):
    id: Id
    name: Name
    password: Password
    born: Date | None = Field(default=None, description="date of birth, where the house asks")


class NewStaff(Body):
    """A colleague; the server makes the initial password."""

    id: Id
    name: Name
    role: Annotated[Role, Field(strict=False)]


class SignIn(Body):
    account: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
    password: Annotated[str, Field(max_length=LONGEST), AfterValidator(_encodable)]


class NewPassword(Body):
    old: Annotated[str, Field(max_length=LONGEST), AfterValidator(_encodable)]
    new: Password


class WagerBody(Body):
    bet: Short
    stake: int = Field(description="whole coins")


class WagersBody(Body):
    """All of a player's wagers on the round; an empty list withdraws them."""

    round: int
    wagers: list[WagerBody] = Field(max_length=100)
    replaces: list[WagerBody] | None = Field(
        default=None, max_length=100, description="refused unless exactly these stand"
    )

    def of(self, player: str) -> PlaceWagers:
        """The command that they are."""
        replaced = None if self.replaces is None else _wagers(self.replaces)
        return PlaceWagers(self.round, player, _wagers(self.wagers), replaces=replaced)


def _wagers(bodies: list[WagerBody]) -> tuple[Wager, ...]:
    return tuple(Wager(one.bet, one.stake) for one in bodies)


class AgreedValues(Body):
    """Every parameter that can be agreed on, and its value."""

    values: dict[Short, Short] = Field(max_length=20, examples=[{"double_chance": "5%"}])


class Commitment(Body):
    commitment: Hex32


class Secret(Body):
    secret: Hex32


class Reason(Body):
    reason: Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_printable)]


class Dismissal(Reason):
    reports: Annotated[
        int | None,
        Field(ge=1, le=2**31, description="how many reports were seen: refused if there are more"),
    ] = None


class Decision(Reason):
    """The readings that are paid by: those that were proposed."""

    readings: dict[Short, Short] = Field(max_length=50)


class Resolving(Reason):
    reading: Short
    effective: int = Field(
        default=0, ge=0, le=10**14, description="from when on, in milliseconds; 0 for at once"
    )


class NamedPartner(Body):
    partner: Id


class Players(Reason):
    """Players, and why."""

    players: list[Id] = Field(min_length=2, max_length=20)


class Explained(Body):
    """What may take a second person, who sees the reason."""

    reason: Annotated[
        str,
        Field(max_length=200, description="shown to the second person"),
        AfterValidator(_printable),
    ] = ""


class Amount(Explained):
    amount: int = Field(description="whole coins")


class LimitBody(Body):
    """Coins, or minutes for time; null for no limit."""

    amount: int | None = Field(ge=0, le=10**15)


class Birth(Body):
    born: Date = Field(description="date of birth", examples=["1990-02-28"])


class Every(Body):
    every: int = Field(ge=0, le=1440, description="minutes; 0 for as often as the house asks")


class Shown(Body):
    """The figures of the sitting that the player was shown."""

    net: int = Field(ge=-(10**15), le=10**15, description="coins; below zero, lost")
    staked: int = Field(ge=0, le=10**15, description="coins at stake in rounds not settled")


class Hours(Body):
    hours: int = Field(ge=1, le=10_000)


class Months(Body):
    months: int = Field(ge=1, le=1_000)


class Grant(Amount):
    """Bonus money; its terms are the house's where they are left out."""

    times: int | None = Field(default=None, description="how often it is to be wagered")
    days: int | None = Field(default=None, description="how long it is open")


class Cancelling(Body):
    """Why a round is to have no result."""

    reason: Annotated[CancelReason, Field(strict=False)]


class ClockBody(Body):
    """Milliseconds."""

    betting: Milliseconds
    card: Milliseconds
    pause: Milliseconds
    contribute: Milliseconds = 0
    reveal: Milliseconds = 0


class BetLimitsBody(Body):
    bet: Short
    minimum: Coins | None = None
    maximum: Coins | None = None


class LimitsBody(Body):
    """Coins; what is left out is as the card says, if the card is in the house's currency."""

    minimum: Coins | None = None
    maximum: Coins | None = None
    coup_maximum: Coins | None = None
    bets: list[BetLimitsBody] = Field(default_factory=list, max_length=100)
    seats: int | None = Field(default=None, ge=1, le=100_000)


class SettingsBody(Explained):
    """The whole clock, all limits, or both; the one that is left out stays as it is."""

    clock: ClockBody | None = None
    limits: LimitsBody | None = None


CardText = Annotated[str, Field(min_length=1, max_length=8, examples=["8h"])]
"""Two keys, or the text of a barcode; what is no card is told in words."""


class Call(Body):
    """What a dealer says."""

    call: Annotated[
        Literal[
            "take-table",
            "leave-table",
            "place-your-bets",
            "no-more-bets",
            "cut-card",
            "result",
            "pay",
        ],
        Field(
            description="take the table, or ask for it; leave it; bets; no more; the cut card; the "
            "coup is over; pay"
        ),
    ]


class DealerBody(Body):
    dealer: Annotated[str, Field(min_length=1, max_length=40)] = Field(
        description="the dealer who asked for the table"
    )


class CardBody(Body):
    card: CardText
    hand: Annotated[Hand | None, Field(strict=False)] = Field(
        default=None, description="where it was put; left out: where it belongs"
    )
    round: int | None = Field(default=None, ge=0, le=2**53, description="told for this round only")
    place: int | None = Field(
        default=None,
        ge=-999,
        le=999,
        description="told as this card of the coup only; 0, -1, …: shown early, in their order",
    )


class ExplainBody(Body):
    card: CardText
    was: Annotated[CardWas, Field(strict=False)] = Field(
        description="drawn in this coup, shown early, burned as was due, or a mistake of the device"
    )


class CardsBody(Explained):
    cards: list[CardText] = Field(max_length=20)


class BurnBody(Body):
    cards: list[CardText] = Field(
        default_factory=list, max_length=20, description="those that were turned up, if any"
    )


class DrawnBody(Explained):
    drawn: list[CardText] | None = Field(
        default=None,
        max_length=20,
        description="the cards in the order of leaving the shoe; left out: as they were told",
    )


class DummyBody(Body):
    round: int = Field(ge=1, le=2**53)
    reason: Annotated[CancelReason, Field(strict=False)]
    words: Annotated[str, Field(max_length=200), AfterValidator(_printable)] = Field(
        default="", description="why it cannot be rectified, once the result is known"
    )


class RestBody(Body):
    rest: Annotated[str, Field(max_length=8000, examples=["8h 10c Ks"])] | None = Field(
        default=None,
        description="all cards that nobody has seen, face down or left in the shoe, with blanks",
    )
