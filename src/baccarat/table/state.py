"""A table's state: what its events say, and nothing more.

`apply(state, event)` makes a state, and folding a journal gives the one after its last event;
`with_wagers` is a shortcut for many wagers, which a test holds to the same. Everything in it is
public and plain, so a state has a canonical form too, and a snapshot is that form. The one rule: no
checks of intent here (`decide` has them); an event that cannot have happened is refused because the
journal is not ours.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from baccarat.core.cards import Card
from baccarat.core.coup import Deal
from baccarat.core.misdeals import perfect
from baccarat.core.tableau import Hand
from baccarat.shoe.commitment import Source, Terms
from baccarat.shoe.contributions import Contribution
from baccarat.shoe.progress import Progress, new_shoe, new_shuffler
from baccarat.table import appeals, notices, twopeople
from baccarat.table import events as e
from baccarat.table.agreements import NOTHING, Agreeing, Values
from baccarat.table.agreements import after as after_agreeing
from baccarat.table.appeals import NO_APPEALS, Appeals
from baccarat.table.canonical import canonical_bytes, from_plain, later
from baccarat.table.floor import NO_FLOOR, OF_FLOOR, FloorState, floor_after
from baccarat.table.notices import Notice
from baccarat.table.phases import OF_ROUNDS, OF_SHOES, NotNow, Phase, ShoePhase, after, shoe_after
from baccarat.table.placed import NO_WAGERS, Placed
from baccarat.table.rules import game_of
from baccarat.table.settings import Settings
from baccarat.table.twopeople import Proposal

T = TypeVar("T")


@dataclass(frozen=True)
class Round:
    """The round under way, or the last one."""

    number: int = 0
    phase: Phase = Phase.NONE
    closes_at: int = 0
    moved_at: int = 0
    """When the round last moved on; the next card is due from here."""
    wagers: dict[str, Placed] = field(default_factory=dict)
    """By player; nobody has any once the round has ended."""
    cards: tuple[tuple[Hand | None, Card], ...] = ()
    """In the order of drawing, with the hand each was put with."""
    bets: bool = later(default=True)
    """False: nobody wagers on it, because the next card may have been seen."""
    held_until: int = later(0)
    """How long it waits for a second person who cancels it; set once."""

    def placed(self, player: str) -> Placed:
        """What stands of a player's wagers."""
        return self.wagers.get(player, NO_WAGERS)


@dataclass(frozen=True)
class Contributor:
    """A player who contributes to the shoe."""

    player: str
    contribution: Contribution


@dataclass(frozen=True)
class ShoeState:
    """The shoe at the table."""

    terms: Terms
    rules: str
    """Canonical content, pinned: a change of settings does not touch it."""
    root: bytes
    commitment: bytes
    contribute_until: int
    reveal_until: int
    progress: Progress
    phase: ShoePhase = ShoePhase.CONTRIBUTING
    contributors: tuple[Contributor, ...] = ()
    seed: bytes | None = None

    @property
    def contributions(self) -> tuple[Contribution, ...]:
        return tuple(one.contribution for one in self.contributors)

    @property
    def missing(self) -> int:
        """Contributions that have not been revealed."""
        return sum(one.secret is None for one in self.contributions)


@dataclass(frozen=True)
class TableState:
    """All of it."""

    table: str
    settings: Settings
    sequence: int
    """Number of the last event, the first being 1."""
    at: int
    """Time of the last event."""
    epoch: int = 0
    holder: str = ""
    itself_paused: bool = False
    house_paused: bool = False
    """With the whole house: each pause is lifted by itself."""
    round: Round = Round()
    shoe: ShoeState | None = None
    agreements: dict[str, Agreeing] = field(default_factory=dict)
    """By player: what was agreed with whom, and what is proposed."""
    floor: FloorState = NO_FLOOR
    """What only a table of real cards has."""

    appeals: Appeals = NO_APPEALS
    """Disputes and resolved ambiguities."""
    proposals: dict[str, Proposal] = field(default_factory=dict)
    """What waits for a second person, by subject."""

    notices: tuple[Notice, ...] = later(())
    """What the house's watch has seen here, the newest last."""

    def agreed(self, player: str) -> Values:
        """What a player's wagers on the round are settled under, besides the table's terms."""
        if player not in self.agreements:  # as nearly always
            return ()
        return self.agreements[player].in_force(self.round.number)

    @property
    def paused(self) -> bool:
        """No wagers and no new round, until the pit lets it go on."""
        return self.itself_paused or self.house_paused

    @property
    def by_hand(self) -> bool:
        """Is it a dealer, and not a server, who deals?"""
        if self.shoe is not None:
            return False
        return self.floor.shoe is not None or self.settings.source is Source.CARDS

    @property
    def result_known(self) -> bool:
        """Has the round a result, announced or there for all to see?"""
        return self.round.phase is Phase.DECIDED or (self.by_hand and self.floor.result_known)

    @property
    def rules(self) -> str:
        """The rules of the shoe at the table; between shoes, those of the next."""
        shoe = self.shoe or self.floor.shoe
        return shoe.rules if shoe else self.settings.rules

    @property
    def deal(self) -> Deal:
        """The coup so far."""
        if self.shoe is None and self.floor.shoe is None:
            raise NotNow("there is no shoe, so there is no coup")
        hands = {hand: tuple(card for to, card in self.round.cards if to is hand) for hand in Hand}
        return Deal(game_of(self.rules).tableau, hands[Hand.PLAYER], hands[Hand.BANKER])

    @property
    def may_be_corrected(self) -> set[str]:
        """Players of rounds that are settled and may yet be corrected."""
        return {player for one in self.floor.past for player in one.wagers}


def apply(state: TableState | None, event: e.Event) -> TableState:
    """The state after one more event."""
    if state is None:
        if not isinstance(event, e.TableOpened):
            raise NotNow(
                f"{type(event).__name__} cannot come first: a journal begins with TableOpened"
            )
        return TableState(event.table, event.settings, sequence=1, at=event.at)
    if event.at < state.at:
        raise NotNow(f"{type(event).__name__} at {event.at} comes after an event at {state.at}")
    if isinstance(event, e.WagersPlaced):  # as most are
        current = _round_with(state, event)
        return _moved(state, sequence=state.sequence + 1, at=event.at, round=current)
    if type(event) in OF_ROUNDS:
        current, shoe = _round_after(state, event)
        floor = floor_after(state.floor, event, state.round, state.settings)
        proposals = state.proposals
        if isinstance(event, e.RoundSettled | e.RoundCancelled):
            proposals = twopeople.without(proposals, twopeople.cancelling(event.round))
        if isinstance(event, e.RoundSettled | e.RoundCancelled | e.CoupRectified):
            proposals = twopeople.without(proposals, twopeople.rectifying(event.round))
        if isinstance(event, e.RoundCancelled):
            proposals = twopeople.without(proposals, twopeople.correcting(event.round))
        return _moved(
            state,
            sequence=state.sequence + 1,
            at=event.at,
            round=current,
            shoe=shoe,
            floor=floor,
            proposals=proposals,
        )
    state = replace(state, sequence=state.sequence + 1, at=event.at)
    if type(event) in OF_SHOES:
        return _apply_to_shoe(state, event)
    match event:
        case e.SettingsChanged():
            proposals = state.proposals
            if event.settings.limits != state.settings.limits:  # what was proposed is out of date
                proposals = twopeople.without(proposals, twopeople.LIMITS)
            return replace(state, settings=event.settings, proposals=proposals)
        case e.LeaseTaken() if event.epoch == state.epoch + 1:
            return replace(state, epoch=event.epoch, holder=event.holder)
        case e.TablePaused(house=True):
            return replace(state, house_paused=True)
        case e.TablePaused():
            return replace(state, itself_paused=True)
        case e.TableResumed(house=True):
            return replace(state, house_paused=False)
        case e.TableResumed():
            return replace(state, itself_paused=False)
        case e.AgreementProposed() | e.AgreementDeclined() | e.AgreementMade() | e.AgreementEnded():
            new = after_agreeing(state.agreements.get(event.player, NOTHING), event)
            return replace(state, agreements={**state.agreements, event.player: new})
        case _ if type(event) in OF_FLOOR:
            floor, proposals = (
                floor_after(state.floor, event, state.round, state.settings),
                state.proposals,
            )
            if isinstance(event, e.RoundCorrected | e.ReportDismissed):
                proposals = twopeople.without(proposals, twopeople.correcting(event.round))
            if isinstance(event, e.DealerChanged):
                proposals = twopeople.without_requests(proposals)
            return replace(state, floor=floor, proposals=proposals)
    if type(event) in e.OF_NOTICES:
        return replace(state, notices=notices.after(state.notices, event))
    if isinstance(event, e.LargeWinPaid):
        return state
    if type(event) in e.OF_PROPOSALS:
        proposals = twopeople.after(state.proposals, event)
        return replace(state, proposals=proposals, round=_held(state.round, event))
    if type(event) in e.OF_APPEALS:
        return _apply_to_appeals(state, event)
    raise NotNow(f"{type(event).__name__} cannot happen now: {event}")


def _held(current: Round, event: e.Event) -> Round:
    """The first proposal to cancel a round holds it for a while, if a server deals."""
    cancels = isinstance(event, e.ActionProposed) and (
        event.subject == twopeople.cancelling(current.number)
    )
    if not cancels or current.held_until:
        return current
    return replace(current, held_until=event.at + twopeople.HELD)


def _moved(value: T, **changes: Any) -> T:
    """`replace` without its checks: wagers come by the thousand."""
    new = object.__new__(type(value))
    new.__dict__.update(value.__dict__, **changes)
    return new


def _apply_to_appeals(state: TableState, event: e.Event) -> TableState:
    proposals = state.proposals
    match event:
        case e.DisputeDecided():
            subject = appeals.subject_of(event.round, event.player)
            if subject not in state.appeals.disputes:
                raise NotNow(f"{subject} was decided without having been opened")
            proposals = twopeople.without(proposals, subject)
        case e.AmbiguityResolved():
            proposals = twopeople.without(proposals, appeals.question(event.ambiguity))
    return replace(state, appeals=appeals.after(state.appeals, event), proposals=proposals)


def with_wagers(
    state: TableState, wagers: dict[str, Placed], *, sequence: int, at: int
) -> TableState:
    """The state after wagers that were taken one after the other and leave these standing."""
    return _moved(state, sequence=sequence, at=at, round=_moved(state.round, wagers=wagers.copy()))


def apply_all(state: TableState | None, events: Iterable[e.Event]) -> TableState:
    """The state after some more events, or after all of them."""
    for event in events:
        state = apply(state, event)
    if state is None:
        raise NotNow("a journal without events is no table: it begins with TableOpened")
    return state


def _round_after(state: TableState, event: e.Event) -> tuple[Round, ShoeState | None]:
    """The round after one of its events, and the shoe it is dealt from."""
    before, phase, shoe = state.round, after(state.round.phase, event), state.shoe
    _check_shoe(state, event)
    if isinstance(event, e.BonusBreachFlagged):
        return before, shoe
    if shoe is None:
        return _round_by_hand(state, event, replace(before, phase=phase, moved_at=event.at)), None
    progress = shoe.progress
    current = replace(before, phase=phase, moved_at=event.at)
    match event:
        case e.RoundOpened():
            current = Round(event.round, phase, event.closes_at, event.at)
        case e.CardDealt():
            cards = (*current.cards, (event.hand, event.card.card))
            current, progress = replace(current, cards=cards), progress.take()
        case e.CoupDecided():
            progress = progress.end_coup()
        case e.RoundSettled():
            current = replace(current, wagers={})
        case e.RoundCancelled():
            current = replace(current, wagers={})
            if before.phase is Phase.DEALING:
                progress = progress.end_coup()  # its cards have left the shoe
    return current, replace(shoe, progress=progress)


def _round_by_hand(state: TableState, event: e.Event, current: Round) -> Round:
    """The same at a table of real cards, where `floor_after` follows the shoe."""
    match event:
        case e.RoundOpened():
            opened = Round(event.round, current.phase, event.closes_at, event.at)
            return replace(opened, bets=event.bets)
        case e.CardPlaced():
            return replace(current, cards=(*current.cards, (event.hand, event.card)))
        case e.CoupRectified():
            meant = perfect(game_of(state.rules).tableau, event.drawn)
            return replace(current, cards=meant.placed)
        case e.RoundSettled() | e.RoundCancelled():
            return replace(current, wagers={})
        case e.CardDealt():
            raise NotNow("a promised card cannot be dealt from a shoe of real cards")
    return current


def _round_with(state: TableState, event: e.WagersPlaced) -> Round:
    """The round with a player's wagers; wagers do not move it on."""
    before = state.round
    after(before.phase, event)
    _check_shoe(state, event)
    wagers = {**before.wagers, event.player: event.placed}
    if not event.wagers:
        del wagers[event.player]
    return _moved(before, wagers=wagers)


def _check_shoe(state: TableState, event: e.Event) -> None:
    if state.shoe is None and state.floor.shoe is None:
        raise NotNow(f"{type(event).__name__} cannot happen without a shoe")


def _apply_to_shoe(state: TableState, event: e.Event) -> TableState:
    shoe = state.shoe
    phase = shoe_after(shoe.phase if shoe else ShoePhase.ABSENT, event)
    if isinstance(event, e.ShoeCommitted):
        return replace(state, shoe=_new_shoe(state, event))
    if shoe is None or isinstance(event, e.ShoeEnded):
        return replace(state, shoe=None, round=replace(state.round, moved_at=event.at))
    shoe = replace(shoe, phase=phase)
    match event:
        case e.ContributionCommitted():
            new = Contributor(event.player, Contribution(event.name, event.commitment))
            shoe = replace(shoe, contributors=(*shoe.contributors, new))
        case e.ContributionRevealed():
            shoe = replace(shoe, contributors=tuple(_revealing(shoe, event)))
        case e.ShoeReady():
            shoe = replace(shoe, seed=event.seed)
        case e.CardsBurned():
            shoe = replace(shoe, progress=replace(shoe.progress, burned=event.count))
    return replace(state, shoe=shoe)


def _revealing(shoe: ShoeState, event: e.ContributionRevealed) -> Iterable[Contributor]:
    for one in shoe.contributors:
        if one.player == event.player:
            yield replace(one, contribution=replace(one.contribution, secret=event.secret))
        else:
            yield one


def _new_shoe(state: TableState, event: e.ShoeCommitted) -> ShoeState:
    terms = Terms(event.shoe, event.source, event.decks, event.cut, event.burn, event.rules)
    return ShoeState(
        terms=terms,
        rules=state.settings.rules,
        root=event.root,
        commitment=event.commitment,
        contribute_until=event.contribute_until,
        reveal_until=event.reveal_until,
        progress=progress_of(terms),
    )


def progress_of(terms: Terms) -> Progress:
    """A shoe of these terms before its burn; terms that leave no room for two coups are refused."""
    if terms.source is Source.SHUFFLER:
        return new_shuffler(terms.cards)
    return new_shoe(size=terms.cards, cut=terms.cut, most_burned=terms.burn.most, burn=terms.burn)


def snapshot(state: TableState) -> bytes:
    """The canonical bytes of a state: a shortcut for the events before it, never a source."""
    return canonical_bytes(state)


def restore(data: bytes) -> TableState:
    """The inverse of `snapshot`."""
    return from_plain(TableState, json.loads(data))
