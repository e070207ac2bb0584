"""Answers about tables: how they stand, their rounds, their shoes."""

from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from baccarat.core.rulecard import Notice
from baccarat.core.tableau import Hand
from baccarat.roads import Statistics
from baccarat.service.telling import Sums
from baccarat.shoe.commitment import Source
from baccarat.table.events import Because, CancelReason
from baccarat.table.phases import Phase, ShoePhase
from baccarat.table.settings import Clock
from baccarat.web.answers import Card, Coins, Coup, EventTold, Happened, Hex, Percent, Time, Winner


class Frame(TypedDict):
    """Everything after one entry up to another, as far as the reader may see it."""

    after: int
    through: int
    hash: Hex | None
    events: list[EventTold]
    stakes: NotRequired[Sums]


class GameTold(TypedDict):
    id: str
    name: str
    summary: str


class Spot(TypedDict):
    """A bet on the layout; figures in words are rounded, `exact_edge` is a fraction."""

    id: str
    name: str
    short: str
    side: Annotated[str, Field(description="the result that it is on, or nothing")]
    pays: list[str]
    pays_shown: str
    words: str
    agreed: list[str]
    minimum: Coins
    maximum: Coins
    step: Coins
    requires: list[str]
    excludes: list[str]
    edge: Percent
    exact_edge: str
    long_edge: Percent
    wins: Percent
    deviation: str
    long_deviation: str
    variance: str
    hour: Annotated[int, Field(description="millionths of a coin, for each coin staked")]
    hour_deviation: Annotated[int, Field(description="of an hour, or of one round by a dealer")]


class Group(TypedDict):
    id: str
    shape: str
    bets: list[Spot]


class Layout(TypedDict):
    card: GameTold
    notice: Notice
    decks: int
    groups: list[Group]
    chips: list[Coins]
    rounds_an_hour: Annotated[int | None, Field(description="none where a dealer deals")]
    coup_maximum: Coins | None
    agreed: list[str]


class ShoeTold(TypedDict):
    """A shoe of real cards promises nothing: what is left out is of committed shoes."""

    shoe: Hex
    phase: ShoePhase
    source: Source
    root: NotRequired[Hex]
    commitment: NotRequired[Hex]
    contribute_until: NotRequired[Time]
    reveal_until: NotRequired[Time]
    contributors: NotRequired[list[str]]
    size: int
    cut: NotRequired[int]
    left: int
    coups_to_come: int | None
    cut_card_out: bool


class Standing(TypedDict):
    """How a table stands."""

    id: str
    name: str
    guests: Annotated[bool, Field(description="may guests sit down?")]
    paused: bool
    round: int
    phase: Phase
    bets: Annotated[bool, Field(description="false: the round is dealt without bets")]
    closes_at: Time
    moved_at: Time
    source: Source
    shoe: ShoeTold | None


Bead = Annotated[list[int | str], Field(description="column, row, winner, marks")]
BigRoadPlace = Annotated[list[int | str], Field(description="column, row, winner, marks, ties")]
Place = Annotated[list[int | str], Field(description="column, row, colour")]


class Places(TypedDict):
    """Where each road is drawn."""

    bead_plate: list[Bead]
    big_road: list[BigRoadPlace]
    big_eye_boy: list[Place]
    small_road: list[Place]
    cockroach_pig: list[Place]


class Roads(Places):
    """The roads of a shoe; `what_if` has what either side winning next would add."""

    coups: int
    what_if: dict[str, Places]
    statistics: Statistics


class TableShort(Standing):
    game: GameTold
    minimum: Coins
    maximum: Coins
    seated: int
    wagering: int
    seats: int | None
    big_road: list[BigRoadPlace]
    statistics: Statistics


class Tables(TypedDict):
    house: str
    currency: str
    now: Time
    tables: list[TableShort]


class CardTold(TypedDict):
    """A card on the felt; the proof is of committed shoes."""

    hand: Hand
    card: Card
    total: int
    row: str
    reason: NotRequired[Because]
    position: NotRequired[int]
    nonce: NotRequired[Hex]
    proof: NotRequired[list[Hex]]


class Decided(TypedDict):
    round: int
    coup: Coup
    winner: Winner
    row: NotRequired[Annotated[str, Field(description="why no card follows")]]
    reason: NotRequired[Because]


class PublicNotice(TypedDict):
    """What was put right last, until the end of a round."""

    type: str
    value: dict[str, Any]
    until: int


class TableTold(Standing):
    now: Time
    sequence: Annotated[int, Field(description="the socket goes on from here")]
    clock: Clock
    layout: Layout
    dealer: str
    notice: PublicNotice | None
    cards: list[CardTold]
    decided: Decided | None
    stakes: Sums
    roads: Roads


class ShoeProgress(TypedDict):
    shoe: Hex
    cut_card_out: bool
    coups_to_come: int | None


class RoadsTold(TypedDict):
    now: Time
    sequence: int
    roads: Roads
    shoe: ShoeProgress | None


class WagerTold(TypedDict):
    bet: str
    stake: Coins


class MyWagers(TypedDict):
    sequence: int
    round: int
    phase: Phase
    wagers: list[WagerTold]
    agreed: dict[str, str]


# `in` is no name in Python.
WagersTaken = TypedDict(
    "WagersTaken",
    {
        "round": int,
        "in": bool,
        "repeated": bool,
        "events": list[Happened],
        "first": int,
        "warnings": NotRequired[list[str]],
    },
)


class RoundTold(TypedDict):
    sequence: int
    at: Time
    round: int
    coup: Coup | None
    winner: Winner | None
    void: CancelReason | None
    corrected: bool


class Rounds(TypedDict):
    rounds: list[RoundTold]


class RoundAgain(TypedDict):
    table: str
    round: int
    events: list[EventTold]


class ShoeNamed(TypedDict):
    sequence: int
    number: int
    shoe: Hex
    commitment: Hex


class Shoes(TypedDict):
    shoes: list[ShoeNamed]


class CardShown(TypedDict):
    position: int
    card: Card
    nonce: Hex
    proof: list[Hex]


class CardOfCoup(CardShown):
    hand: Hand


class CoupDealt(TypedDict):
    cards: list[CardOfCoup]
    cut_short: bool


class Contributed(TypedDict):
    name: str
    commitment: Hex
    secret: Hex | None


class Revealed(TypedDict):
    key: Hex
    order: list[Card]


class ShoeDocument(TypedDict):
    """SHOE.json, as far as it is public: see docs/fairness.md."""

    format: str
    version: int
    shoe: Hex
    source: Source
    decks: int
    cut: int | None
    burn: str
    rules: str
    root: Hex
    commitment: Hex
    contributions: list[Contributed]
    seed: Hex | None
    burned: int
    shown: CardShown | None
    coups: list[CoupDealt]
    ended: str | None
    reveal: Revealed | None
