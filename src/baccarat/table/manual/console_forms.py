"""Types of the values that the dealer's console shows."""

from typing_extensions import TypedDict

from baccarat.core.misdeals import IrregularityKind
from baccarat.core.tableau import Hand
from baccarat.table.events import BurnReason, CancelReason
from baccarat.table.manual.options import Choice
from baccarat.table.phases import Phase


class Next(TypedDict):
    """The next thing to do: the name of the call in the API, and an instruction in words.

    `short` is a few words in large type, such as "Draw for Banker".
    """

    do: str
    short: str
    words: str


class NextCard(TypedDict):
    hand: Hand | None
    words: str


class HandShown(TypedDict):
    """A hand as it lies, and as it should lie (`meant`)."""

    cards: list[str]
    total: int
    meant: list[str]
    meant_total: int


class HandsShown(TypedDict, total=False):
    """Both hands; empty without a shoe."""

    announce: str
    player: HandShown
    banker: HandShown


class DrawnCard(TypedDict):
    place: int
    card: str
    hand: Hand | None
    sent: bool
    """Whether an electronic shoe sent the card; the pit must then confirm any change to it."""


class Flag(TypedDict):
    kind: IrregularityKind
    place: int
    words: str
    remedy: str


class Proposed(TypedDict):
    """A proposal that is waiting for a second person."""

    by: str
    words: str
    proposal: str
    may_confirm: bool
    """Whether the person at the console may confirm it."""
    may_withdraw: bool


class CallingOff(Proposed):
    reason: CancelReason


class Rectifying(Proposed):
    """A change to a complete coup that is waiting for the pit."""

    drawn: list[str]


class Correcting(Proposed):
    """A decision about a reported error that is waiting for a second person."""

    round: int
    cards: list[str] | None
    """The cards with which the round is settled again; None if the report is dismissed."""


class AskedFor(Proposed):
    """A dealer's request to take over the table."""

    until: int


class Reported(TypedDict):
    """A reported error that nobody has decided on."""

    round: int
    by: str
    words: str
    may_decide: bool
    """Whether the person at the console may decide on it or propose a decision."""


class Called(TypedDict):
    """The dealer's call for the floor; the table is frozen until the pit answers."""

    dealer: str
    at: int
    may_answer: bool
    """Whether the person at the console may answer it."""


class Correctable(TypedDict):
    round: int
    in_time: bool
    cards: list[str]


class BetRange(TypedDict):
    """The smallest and the largest stake that the table accepts on a bet.

    `staked` is the total of all stakes on the bet in this round.
    """

    bet: str
    name: str
    minimum: int
    maximum: int
    staked: int


class WagersOnTable(TypedDict):
    players: int
    coins: int


class BetToSettle(TypedDict):
    """Wagers on one bet that are settled in the same way.

    `coins` is the amount that the dealer collects or pays.
    """

    bet: str
    name: str
    wagers: int
    staked: int
    coins: int


class Settling(TypedDict):
    do: str
    words: str
    bets: list[BetToSettle]


class ShoeOfCards(TypedDict):
    shoe: str
    decks: int
    cards: int
    out: int
    left: int
    face_down: int
    coups: int
    cut_card_out: bool
    mostly_left: bool
    """Whether more than half of the cards are left; the cut card must then be confirmed."""
    last_coup: bool
    over: bool
    burn_due: BurnReason | None
    known: list[str]
    unseen_by_rank: dict[str, int]
    unseen: dict[str, int]
    alarm: str
    alarm_after: int


class Console(TypedDict):
    """Everything the dealer's console shows."""

    table: str
    sequence: int
    dealer: str
    paused: bool
    called: Called | None
    alarm: str
    round: int
    phase: Phase
    next: Next
    can: list[str]
    must_ask: bool
    """Whether the table has another dealer, so that taking it only sends a request."""
    reportable: list[int]
    turn: NextCard | None
    hands: HandsShown
    drawn: list[DrawnCard]
    place: int
    irregularities: list[Flag]
    choices: tuple[Choice, ...]
    reasons: list[CancelReason]
    result_known: bool
    bets: bool
    calling_off: CallingOff | None
    rectifying: Rectifying | None
    changes_alone: bool
    """Whether the dealer may change keyed cards of the coup without the pit."""
    correcting: list[Correcting]
    asked_for: list[AskedFor]
    reports: list[Reported]
    correctable: list[Correctable]
    limits: list[BetRange]
    wagers: WagersOnTable
    settling: list[Settling]
    deck_set_due: bool
    """Whether every shoe needs a deck set."""
    shoe: ShoeOfCards | None
