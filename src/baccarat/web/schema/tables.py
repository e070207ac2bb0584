"""Response types about tables: their state, layout, rounds and shoes."""

from typing import Annotated, NotRequired

from msgspec import Meta
from typing_extensions import TypedDict

from baccarat.core.cards import Card
from baccarat.core.printed import SafetyNotice
from baccarat.core.roads import Statistics
from baccarat.core.tableau import Hand
from baccarat.core.wagers import Wager
from baccarat.service.public_view import (
    BigRoadPlace,
    CoupsLeft,
    Due,
    OwnView,
    Roads,
    Sums,
    TableCall,
    TableStatus,
    TableView,
)
from baccarat.shoe.commitment import Source
from baccarat.store.history import RoundResult
from baccarat.table.display import Decided, ShownCard
from baccarat.table.phases import Phase
from baccarat.table.settings import Clock, Pace
from baccarat.web.schema import Coins, Done, EventView, Hex, Percent, Time


class Frame(TypedDict):
    """The events in a range of journal entries, as far as the reader may see them.

    On a socket, a frame also contains the parts of the view that have changed: the table's state,
    the total stakes, the roads, and the reader's own part in the round.
    """

    after: int
    through: int
    hash: Hex | None
    events: list[EventView]
    view: NotRequired[TableView]
    stakes: NotRequired[Sums]
    roads: NotRequired[Roads]
    mine: NotRequired[OwnView]


class GameView(TypedDict):
    id: str
    name: str
    summary: str


class Spot(TypedDict):
    """A bet on the layout; figures are rounded, except `exact_edge`, which is a fraction."""

    id: str
    name: str
    short: str
    known_as: Annotated[list[str], Meta(description="other names that players use for it")]
    side: Annotated[str, Meta(description="the result it bets on, or empty")]
    pays: list[str]
    pays_shown: str
    words: str
    agreed: list[str]
    minimum: Coins
    maximum: Coins
    step: Coins
    requires: list[str]
    excludes: Annotated[list[str], Meta(description="bets that may not be made together with it")]
    needs_words: Annotated[str, Meta(description="which other bet it needs, or empty")]
    excludes_words: Annotated[str, Meta(description="which other bets it excludes, or empty")]
    needs_agreement: Annotated[
        bool, Meta(description="whether it pays a value that the player must agree to first")
    ]
    edge: Percent
    exact_edge: str
    long_edge: Percent
    wins: Percent
    deviation: str
    long_deviation: str
    variance: str
    hour: Annotated[int, Meta(description="millionths of a coin, for each coin staked")]
    hour_deviation: Annotated[
        int, Meta(description="for one hour, or for one round if a dealer deals")
    ]


class OfferedBet(TypedDict):
    """The edge of a bet under the standing offer."""

    bet: str
    name: str
    edge: Percent
    exact_edge: str
    long_edge: Percent


class PossibleTerms(TypedDict):
    """A value that a player can ask for, and what the affected bets would cost under it."""

    value: str
    granted: Annotated[bool, Meta(description="whether a request is granted automatically")]
    edges: Annotated[dict[str, Percent], Meta(description="by the name of the bet")]


class StandingOffer(TypedDict):
    """Terms that any player may accept by sending `values` as `accept` with their wagers."""

    values: dict[str, str]
    bets: list[OfferedBet]
    possible: Annotated[
        list[PossibleTerms],
        Meta(description="across the whole range; empty unless one percentage is to be agreed"),
    ]


class Group(TypedDict):
    id: str
    shape: str
    about: str
    bets: list[Spot]


class Layout(TypedDict):
    card: GameView
    notice: SafetyNotice
    decks: int
    groups: list[Group]
    chips: list[Coins]
    rounds_an_hour: Annotated[int | None, Meta(description="null if a dealer deals")]
    coup_maximum: Coins | None
    agreed: list[str]
    offer: Annotated[
        StandingOffer | None, Meta(description="null if nothing can be agreed at the table")
    ]


class CheapestBet(TypedDict):
    """The bet with the lowest house edge of a game."""

    id: str
    name: str
    edge: Percent


class TableShort(TableStatus, frozen=True, kw_only=True):
    """A table in the lobby."""

    id: str
    name: str
    guests: Annotated[bool, Meta(description="whether guests may play here")]
    game: GameView
    minimum: Coins
    maximum: Coins
    seated: int
    wagering: int
    seats: int | None
    free: Annotated[int | None, Meta(description="free seats; null if seats are unlimited")]
    cheapest: CheapestBet
    pace: Annotated[Pace | None, Meta(description="null if a dealer deals")]
    rounds_an_hour: Annotated[int | None, Meta(description="null if a dealer deals")]
    decided: Annotated[Decided | None, Meta(description="the coup on the felt")]
    totals: Annotated[dict[Hand, int], Meta(description="of the hands with cards")]
    last_shoe: Annotated[
        bool,
        Meta(description="whether the road and the statistics are still those of the last shoe"),
    ]
    big_road: list[BigRoadPlace]
    statistics: Statistics


class Tables(TypedDict):
    house: str
    currency: str
    now: Time
    tables: list[TableShort]
    mine: Annotated[
        list[str],
        Meta(description="ids of the tables where the signed-in player has bets on the round"),
    ]


class BoardBet(TypedDict):
    id: str
    name: str
    pays: str
    minimum: Coins
    maximum: Coins


class BoardShoe(TypedDict):
    size: int
    left: int
    to_come: CoupsLeft | None


class BoardTable(TypedDict):
    """A table on a display board: nothing about players or their money."""

    id: str
    name: str
    game: GameView
    round: int
    call: TableCall
    due: Due | None
    takes_bets: bool
    bets: list[BoardBet]
    shoe: BoardShoe | None
    cards: tuple[ShownCard, ...]
    totals: dict[Hand, int]
    decided: Decided | None
    roads: Roads


class Board(TypedDict):
    house: str
    now: Time
    tables: list[BoardTable]


class TableDetails(TableView, frozen=True, kw_only=True):
    """A table with its layout; the socket continues from `sequence`."""

    id: str
    name: str
    guests: Annotated[bool, Meta(description="whether guests may play here")]
    now: Time
    clock: Clock
    layout: Layout
    stakes: Sums
    roads: Roads


class RoadsView(TypedDict):
    now: Time
    sequence: int
    roads: Roads


class MyWagers(TypedDict):
    sequence: int
    round: int
    phase: Phase
    wagers: tuple[Wager, ...]
    agreed: dict[str, str]


_In = TypedDict("_In", {"in": bool})  # `in` is a keyword in Python


class WagersTaken(Done, _In):
    round: int
    repeated: bool
    warnings: list[str]


class Rounds(TypedDict):
    rounds: list[RoundResult]


class RoundAgain(TypedDict):
    table: str
    round: int
    events: list[EventView]


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
    commitment: Hex
    secret: Hex | None


class Revealed(TypedDict):
    key: Hex
    order: list[Card]


class ShoeDocument(TypedDict):
    """The public part of SHOE.json: see docs/reference/fairness.md."""

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
