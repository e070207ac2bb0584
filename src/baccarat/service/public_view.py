"""The public view of a table, and one player's own view of it.

Everything here is computed from a table's state. The same values are sent with the table's page, by
the API, and in the frames of the table's WebSocket.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, Any, TypedDict, cast

from msgspec import Meta, Struct
from msgspec.structs import replace

from baccarat.analysis.records import result_of
from baccarat.core import roads as core_roads
from baccarat.core.cards import DECK_SIZE
from baccarat.core.coup import Winner, parse_coup
from baccarat.core.tableau import Hand
from baccarat.core.wagers import Wager
from baccarat.shoe.commitment import Hex, OpenedCard, Source
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.automatic.next_step import next_step
from baccarat.table.codec import Time
from baccarat.table.display import Announcement, Decided, Display, ShownCard, ShownResult
from baccarat.table.manual.corrections import reportable
from baccarat.table.phases import Phase, Round, ShoePhase
from baccarat.table.state import TableState

NameOf = Callable[[str], str]
"""A function that returns an account's display name."""


class CoupsLeft(StrEnum):
    """Which coups are left in a shoe whose cut card is out."""

    ONE_MORE = "one_more"
    NEXT_IS_LAST = "next_is_last"
    LAST_COUP = "last_coup"
    SHOE_OVER = "shoe_over"


class TableCall(StrEnum):
    """What a table announces: the phase of its round or of its new shoe, or why it is waiting."""

    NO_ROUND = "none"
    OPEN = "open"
    OPEN_BY_DEALER = "by_dealer"
    WITHOUT_BETS = "without_bets"
    CARD_SEEN = "card_seen"
    CLOSED = "closed"
    DEALING = "dealing"
    DECIDED = "decided"
    SETTLED = "settled"
    CANCELLED = "cancelled"
    PAUSING = "pausing"
    PAUSED = "paused"
    NO_SHOE = "absent"
    CONTRIBUTING = "contributing"
    REVEALING = "revealing"
    READY = "ready"


class ShoeView(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The shoe at a table; for a shoe of real cards, the fields of a commitment are left out."""

    shoe: Hex
    phase: ShoePhase
    source: Source
    size: int
    left: int
    to_come: CoupsLeft | None
    root: Hex | None = None
    commitment: Hex | None = None
    contribute_until: Time | None = None
    reveal_until: Time | None = None
    contributors: tuple[str, ...] | None = None
    cut: int | None = None


class Due(Struct, frozen=True):
    """When the table's next step is due (`at`), and the length of its countdown (`of`) or 0."""

    at: Time
    of: int


class TableStatus(Struct, frozen=True, kw_only=True):
    """The state of a table's round and shoe, without cards and results."""

    paused: bool
    round: int
    phase: Phase
    call: Annotated[TableCall, Meta(description="pausing: still open, but paused after this round")]
    takes_bets: Annotated[
        bool, Meta(description="at a table that is pausing, bets can only be withdrawn")
    ]
    closes_at: Time
    source: Source
    due: Annotated[
        Due | None, Meta(description="null while the table is paused or if a dealer deals")
    ]
    shoe: ShoeView | None


class FaceDown(Struct, frozen=True):
    """A card that a player is turning: its hand, and when it is dealt at the latest."""

    hand: Hand
    until: Time


class TableView(TableStatus, frozen=True, kw_only=True):
    """Everything public about the shoe and the round, as of an entry of the table's journal."""

    sequence: int
    dealer: str
    reportable: Annotated[
        tuple[int, ...],
        Meta(description="rounds in which errors can be reported, latest first"),
    ]
    notice: Announcement | None
    cards: tuple[ShownCard, ...]
    totals: Annotated[dict[Hand, int], Meta(description="the total of each hand that has cards")]
    decided: Decided | None
    last: Annotated[
        Decided | None, Meta(description="the last result, maybe of the previous shoe, or null")
    ]
    deal_now: Annotated[
        int | None,
        Meta(description="players with a bet who ask for the cards; null if none can ask"),
    ]
    squeeze: Annotated[
        FaceDown | None, Meta(description="the card that lies face down for a player to turn")
    ]
    last_shoe: Annotated[
        core_roads.Statistics | None,
        Meta(description="of the shoe before, until the first coup of this shoe"),
    ]


class Sums(TypedDict):
    """Totals of all players' wagers on the round, in coins."""

    round: int
    players: int
    bets: dict[str, int]


class OwnView(Struct, frozen=True, kw_only=True):
    """One player's part in the round.

    net: The player's net result in the round, in coins.
    corrected: Coins that the player gained or lost by the correction in the table's notice.
    reported: Rounds in which the player has reported an error that is not decided yet.
    asked: Whether the player asked for the cards before the betting time is over.
    squeezing: Whether the player asked to turn cards in this round.
    peek: The card that lies face down for this player to turn, with its proof.
    """

    round: int
    wagers: tuple[Wager, ...]
    result: tuple[e.WagerResult, ...] | None
    net: int | None
    corrected: int
    reported: tuple[int, ...]
    asked: bool
    squeezing: bool
    peek: OpenedCard | None


def table_status(state: TableState, name_of: NameOf) -> TableStatus:
    """Return the state of a table's round and shoe."""
    shoe = _committed_shoe(state, name_of) or _real_shoe(state)
    return TableStatus(
        paused=state.paused,
        round=state.round.number,
        phase=state.round.phase,
        call=_call(state, shoe.phase if shoe else ShoePhase.ABSENT),
        takes_bets=state.round.phase is Phase.OPEN and state.round.bets and not state.card_seen,
        closes_at=state.round.closes_at,
        source=Source.CARDS if state.by_hand else state.settings.source,
        due=_due(state),
        shoe=shoe,
    )


def table_view(state: TableState, name_of: NameOf) -> TableView:
    """Return everything public about a table's shoe and round."""
    status, shown, offered = table_status(state, name_of), state.display, state.round.offered
    return TableView(
        **{name: getattr(status, name) for name in TableStatus.__struct_fields__},
        sequence=state.sequence,
        dealer=name_of(state.manual.dealer) if state.manual.dealer else "",
        reportable=reportable(state),
        notice=shown.notice,
        cards=shown.cards,
        totals=totals_of(shown.cards),
        decided=shown.decided,
        last=_last(shown),
        deal_now=_asking(state),
        squeeze=FaceDown(offered.hand, offered.until) if offered else None,
        last_shoe=roads(shown.last_shoe)["statistics"]
        if shown.last_shoe and not shown.results
        else None,
    )


def _asking(state: TableState) -> int | None:
    if state.by_hand or state.settings.deal_now is None or state.round.phase is not Phase.OPEN:
        return None
    return len(state.round.wagers.keys() & set(state.round.asked))


def _last(shown: Display) -> Decided | None:
    results = shown.results or shown.last_shoe
    if not results:
        return None
    number, coup = results[-1].round, results[-1].coup
    return Decided(number, coup, parse_coup(coup).winner)


def totals_of(cards: Sequence[ShownCard]) -> dict[Hand, int]:
    """Return the total of each hand that has cards."""
    return {card.hand: card.total for card in cards if card.hand}


def without_proofs(view: TableView) -> TableView:
    """Return a view without the cards' proofs, because each proof was sent with its card."""
    cards = tuple(replace(card, nonce=None, proof=()) for card in view.cards)
    return replace(view, cards=cards)


def own_view(state: TableState, account: str) -> OwnView:
    """Return a player's part in the round."""
    corrections = (
        correction for correction in state.display.corrections if correction.player == account
    )
    result, offered = state.round.results.get(account), state.round.offered
    return OwnView(
        round=state.round.number,
        wagers=state.round.placed(account).wagers,
        result=result,
        net=sum(wager.net for wager in result) if result else None,
        corrected=sum(correction.real + correction.bonus for correction in corrections),
        reported=tuple(report.round for report in state.manual.reports if report.by == account),
        asked=account in state.round.asked,
        squeezing=account in state.round.squeezing,
        peek=offered.peek if offered and offered.player == account else None,
    )


class Stakes:
    """Total stakes of all players on the round, by bet; updated with each wager."""

    def __init__(self, current: Round) -> None:
        self.round, self._bets = current.number, Counter[str]()
        self._placed: dict[str, Sequence[Wager]] = {}
        for player, placed in current.wagers.items():
            self._place(player, placed.wagers)

    def take(self, event: e.Event) -> bool:
        """Apply an event; return whether the stakes have changed."""
        match event:
            case e.WagersPlaced():
                self._place(event.player, event.wagers)
            case e.RoundOpened() | e.RoundSettled() | e.RoundCancelled():
                self.round = event.round
                self._bets.clear()
                self._placed.clear()
            case _:
                return False
        return True

    def _place(self, player: str, wagers: Sequence[Wager]) -> None:
        for wager in self._placed.pop(player, ()):
            self._bets[wager.bet] -= wager.stake
        for wager in wagers:
            self._bets[wager.bet] += wager.stake
        if wagers:
            self._placed[player] = wagers

    def sums(self) -> Sums:
        return {"round": self.round, "players": len(self._placed), "bets": dict(+self._bets)}


def _call(state: TableState, shoe: ShoePhase) -> TableCall:
    phase = state.round.phase
    if phase is Phase.OPEN:
        if not state.round.bets:
            return TableCall.PAUSING if state.paused else TableCall.WITHOUT_BETS
        if state.card_seen:
            return TableCall.CARD_SEEN
        if state.paused:
            return TableCall.PAUSING
        return TableCall.OPEN_BY_DEALER if state.by_hand else TableCall.OPEN
    if phase.resting and state.paused:
        return TableCall.PAUSED
    if phase is Phase.NONE and shoe is ShoePhase.ABSENT and not state.by_hand:
        return TableCall.NO_ROUND
    # A result stays announced until the next shoe has been committed to.
    announced = shoe is ShoePhase.ABSENT and state.display.decided is not None
    if phase.resting and shoe is not ShoePhase.IN_PLAY and not announced:
        return TableCall(shoe)
    return TableCall(phase)


def _due(state: TableState) -> Due | None:
    """Return when the next step of a table dealt by the server is due; None if there is none."""
    step, clock = next_step(state), state.settings.clock
    if step is None:
        return None
    counted: dict[type[c.ServerCommand], int] = {
        c.CommitShoe: max(0, step.at - state.at),
        c.CloseBetting: clock.betting,
        c.CloseContributions: clock.contribute,
        c.ReadyShoe: clock.reveal,
        c.OpenRound: clock.pause,
        c.DealCard: clock.squeeze if state.round.offered else 0,
    }
    return Due(max(step.at, state.at), counted.get(step.command, 0))


def _committed_shoe(state: TableState, name_of: NameOf) -> ShoeView | None:
    shoe = state.shoe
    if shoe is None:
        return None
    progress, phase = shoe.progress, state.round.phase
    return ShoeView(
        shoe=shoe.terms.shoe,
        phase=shoe.phase,
        source=shoe.terms.source,
        size=progress.size,
        left=progress.left,
        to_come=to_come(
            # A shuffler starts again after each coup, so it has no last coup.
            progress.coups_to_come if progress.cut else None,
            cut_card_out=progress.cut_card_out,
            between=phase.resting or phase is Phase.DECIDED,
        ),
        root=shoe.committed.root,
        commitment=shoe.committed.commitment,
        contribute_until=shoe.committed.contribute_until,
        reveal_until=shoe.committed.reveal_until,
        contributors=tuple(name_of(contributor.player) for contributor in shoe.contributors),
        cut=progress.cut,
    )


def _real_shoe(state: TableState) -> ShoeView | None:
    shoe = state.manual.shoe
    if shoe is None:
        return None
    return ShoeView(
        shoe=shoe.shoe,
        phase=ShoePhase.IN_PLAY,
        source=Source.CARDS,
        size=shoe.decks * DECK_SIZE,
        left=shoe.left,
        to_come=to_come(
            shoe.coups_to_come, cut_card_out=shoe.cut_card_out, between=state.round.phase.resting
        ),
    )


def to_come(coups_to_come: int | None, *, cut_card_out: bool, between: bool) -> CoupsLeft | None:
    """Return which coups are left in a shoe, or None until its cut card has come out."""
    if coups_to_come == 0:
        return CoupsLeft.SHOE_OVER
    if coups_to_come == 1:
        return CoupsLeft.NEXT_IS_LAST if between else CoupsLeft.LAST_COUP
    return CoupsLeft.ONE_MORE if cut_card_out else None


# ---- roads ---------------------------------------------------------------------------------------

Bead = Annotated[list[int | str], Meta(description="column, row, winner, marks")]
BigRoadPlace = Annotated[list[int | str], Meta(description="column, row, winner, marks, ties")]
Place = Annotated[list[int | str], Meta(description="column, row, colour")]


class Places(TypedDict):
    """The positions of each road's marks, for drawing."""

    bead_plate: list[Bead]
    big_road: list[BigRoadPlace]
    big_eye_boy: list[Place]
    small_road: list[Place]
    cockroach_pig: list[Place]


class Roads(Places):
    """The roads of a shoe; `what_if` has the marks that a win of either side would add next."""

    coups: int
    what_if: dict[str, Places]
    statistics: core_roads.Statistics


@lru_cache(maxsize=64)
def roads(results: tuple[ShownResult, ...]) -> Roads:
    """Return the roads of the displayed results, with positions for drawing."""
    return drawn([result_of(parse_coup(result.coup)) for result in results])


def drawn(results: Sequence[core_roads.Result]) -> Roads:
    """Return the five roads, the marks that a win of either side would add, and statistics."""
    now = _places(results)
    return {
        "coups": len(results),
        **now,
        "what_if": {
            side.letter: _added(now, results, side) for side in (Winner.PLAYER, Winner.BANKER)
        },
        "statistics": core_roads.statistics(results),
    }


def _places(results: Sequence[core_roads.Result]) -> Places:
    """Return each road as short lists, to keep messages small: they are sent after every coup."""
    return {
        "bead_plate": [
            [bead.column, bead.row, bead.result.winner.letter, bead.result.marks]
            for bead in core_roads.bead_plate(results)
        ],
        "big_road": [
            [win.column, win.row, win.result.winner.letter, win.result.marks, win.ties]
            for win in core_roads.big_road(results)
        ],
        "big_eye_boy": _derived(results, core_roads.DERIVED["big_eye_boy"]),
        "small_road": _derived(results, core_roads.DERIVED["small_road"]),
        "cockroach_pig": _derived(results, core_roads.DERIVED["cockroach_pig"]),
    }


def _derived(results: Sequence[core_roads.Result], columns_back: int) -> list[list[int | str]]:
    entries = core_roads.draw_derived(core_roads.derived_road(results, columns_back))
    return [[entry.column, entry.row, entry.colour] for entry in entries]


def _added(now: Places, results: Sequence[core_roads.Result], side: Winner) -> Places:
    """Return the marks that a win of this side would add to each road.

    Existing marks never move, so the new ones are at the end of each list.
    """
    before, then = dict[str, Any](now), dict[str, Any](_places([*results, core_roads.Result(side)]))
    return cast("Places", {road: then[road][len(before[road]) :] for road in then})
