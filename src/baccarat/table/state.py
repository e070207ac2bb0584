"""A table's state, computed from its events alone.

`apply(state, event)` returns the next state, so applying all events of a journal gives the current
state. `with_wagers` is a shortcut for many wagers; a test compares it with `apply`. A state
contains only plain values, so it has a canonical form, which is used for snapshots. Whether a
command is allowed is not checked here (`decide` does that). An event that cannot have happened
raises InvalidTransition, because the journal is then invalid.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from baccarat.core.coup import Deal
from baccarat.core.misdeals import PlacedCard, deal_correctly
from baccarat.core.tableau import Hand
from baccarat.core.wagers import PlacedWagers
from baccarat.shoe.commitment import CommitmentTerms, Hex, Source
from baccarat.shoe.contributions import Contribution
from baccarat.shoe.progress import Progress, new_shoe
from baccarat.table import events as e
from baccarat.table.agreements import (
    NO_AGREEMENT,
    AgreementEvent,
    PlayerAgreement,
    bets_by_agreement,
)
from baccarat.table.agreements import agreement_after as after_agreeing
from baccarat.table.codec import Decoder, Values, encode
from baccarat.table.display import NOTHING_SHOWN, Display, display_after
from baccarat.table.disputes.replay import open_questions
from baccarat.table.four_eyes import proposals as four_eyes
from baccarat.table.four_eyes.proposals import Proposals
from baccarat.table.four_eyes.subjects import Cancel
from baccarat.table.manual.state import NOTHING_MANUAL, OF_MANUAL, ManualState, manual_after
from baccarat.table.phases import (
    OF_ROUNDS,
    OF_SHOES,
    InvalidTransition,
    Phase,
    Round,
    ShoePhase,
    next_phase,
)
from baccarat.table.rules import card_id, game_of, resolved
from baccarat.table.settings import Settings

T = TypeVar("T")
RESOLVED = "resolved questions"
"""The value of `by` in the settings change that puts a resolution into effect."""
ALERTS_KEPT = 100
"""Number of alerts kept in a table's state; older alerts are only in the journal."""


@dataclass(frozen=True)
class Contributor(Contribution):
    """A contribution to the shoe, with the player who makes it."""

    player: str = field(kw_only=True)


@dataclass(frozen=True)
class ShoeState:
    """The committed shoe at the table."""

    terms: CommitmentTerms
    rules: str
    """Canonical content of the rules, which later changes to the settings do not affect."""
    committed: e.ShoeCommitted
    progress: Progress
    phase: ShoePhase = ShoePhase.CONTRIBUTING
    contributors: tuple[Contributor, ...] = ()
    seed: Hex | None = None

    @property
    def missing(self) -> int:
        """Number of contributions that have not been revealed."""
        return sum(contributor.secret is None for contributor in self.contributors)


@dataclass(frozen=True)
class Dispute:
    """A player's dispute over a round."""

    round: int
    player: str
    at: int
    words: str
    decided: bool = False
    answer: str = ""
    """What the pit answered; empty until the dispute is decided."""
    paid: int = 0
    """What the player was paid for the dispute."""
    decided_at: int = 0
    cites: str = ""
    """Id of the listed ambiguity that the player named; empty if none."""


@dataclass(frozen=True)
class Resolution:
    """The reading that resolves an ambiguity of a rule card from a given time on."""

    card: str
    ambiguity: str
    reading: str
    words: str
    effective: int


@dataclass(frozen=True)
class TableState:
    """The whole state of a table."""

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
    """Whether the whole house is paused; the table's own pause is lifted separately."""
    frozen: bool = False
    """Whether the house was stopped in an emergency, so that not even the current round goes on."""
    round: Round = field(default_factory=Round)
    shoe: ShoeState | None = None
    agreements: dict[str, PlayerAgreement] = field(default_factory=dict)
    """Agreements and proposed agreements, by player."""
    manual: ManualState = NOTHING_MANUAL
    """State that only a table with real cards has."""

    disputes: tuple[Dispute, ...] = ()
    """All disputes in the order they were opened, at most one for each player and round."""
    resolutions: tuple[Resolution, ...] = ()
    proposals: Proposals = ()

    alerts: tuple[e.Alert, ...] = ()
    """The latest alerts of the house's monitors about this table, the newest last."""

    display: Display = NOTHING_SHOWN
    """What else everyone sees: cards with their proofs, and the results of the shoe."""

    def agreed(self, player: str) -> Values:
        """Return the parameters agreed with a player for wagers on the current round."""
        if player not in self.agreements:  # the usual case
            return ()
        return self.agreements[player].in_force(self.round.number)

    def agreeing(self, player: str) -> PlayerAgreement:
        """Return a player's agreement with the house, and the open proposal, if any."""
        return self.agreements.get(player, NO_AGREEMENT)

    def terms_begin(self, player: str) -> int:
        """Return the first round to which terms agreed with a player now apply.

        This is the open round if the player has no bet in it that the terms affect; otherwise it is
        the next round.
        """
        current = self.round
        placed = {wager.bet for wager in current.placed(player).wagers}
        free = current.phase is Phase.OPEN and not placed & bets_by_agreement(self.rules)
        return current.number if free else current.number + 1

    def dispute(self, number: int, player: str) -> Dispute | None:
        """Return a player's dispute over a round; None if there is none."""
        found = (
            dispute
            for dispute in self.disputes
            if (dispute.round, dispute.player) == (number, player)
        )
        return next(found, None)

    def settings_due(self, now: int, given: Settings | None = None) -> Settings:
        """Return the table's settings, or the given ones, with all resolutions in effect by now."""
        settings = given or self.settings
        rules = settings.rules
        for resolution in self.resolutions:
            asked = [ambiguity.id for ambiguity in open_questions(rules)]
            if (
                resolution.effective <= now
                and resolution.ambiguity in asked
                and card_id(rules) == resolution.card
            ):
                rules = resolved(rules, resolution.ambiguity, resolution.reading, resolution.words)
        return settings if rules == settings.rules else replace(settings, rules=rules)

    def resolutions_due(self, now: int) -> list[e.Event]:
        """Return the settings change that puts resolutions into effect, if any are due."""
        settings = self.settings_due(now)
        return [] if settings == self.settings else [e.SettingsChanged(now, settings, RESOLVED)]

    @property
    def paused(self) -> bool:
        """Whether the table takes no wagers and opens no rounds until the pit resumes play."""
        return self.itself_paused or self.house_paused

    @property
    def by_hand(self) -> bool:
        """Whether a human dealer deals, rather than a server."""
        if self.shoe is not None:
            return False
        return self.manual.shoe is not None or self.settings.source is Source.CARDS

    @property
    def result_known(self) -> bool:
        """Whether the round has a result, announced or visible on the table."""
        return self.round.phase is Phase.DECIDED or (self.by_hand and self.manual.result_known)

    @property
    def card_seen(self) -> bool:
        """Whether the coup's first card may be known although betting has not been closed.

        That is the case if a device sent a card that the dealer has not explained, or if a card was
        taken back and no card has been burned in its place.
        """
        shoe = self.manual.shoe
        return bool(self.manual.doubts) or (shoe is not None and shoe.owed > 0)

    @property
    def rules(self) -> str:
        """The rules of the shoe at the table; between shoes, the rules of the next shoe."""
        shoe = self.shoe or self.manual.shoe
        return shoe.rules if shoe else self.settings.rules

    @property
    def deal(self) -> Deal:
        """The coup so far."""
        if self.shoe is None and self.manual.shoe is None:
            raise InvalidTransition("the table has no shoe, so it has no coup")
        hands = {hand: tuple(card for to, card in self.round.cards if to is hand) for hand in Hand}
        return Deal(game_of(self.rules).tableau, hands[Hand.PLAYER], hands[Hand.BANKER])

    def may_be_corrected(self, number: int) -> set[str]:
        """Return the players who bet on a settled round that can still be corrected."""
        past = self.manual.round(number)
        return set(past.wagers) if past else set()


def apply(state: TableState | None, event: e.Event) -> TableState:
    """Return the state after one more event."""
    if state is None:
        if not isinstance(event, e.TableOpened):
            raise InvalidTransition(
                f"{type(event).__name__} cannot come first: a journal must begin with TableOpened"
            )
        new = Round(moved_at=event.starts_at)
        return TableState(event.table, event.settings, sequence=1, at=event.at, round=new)
    if event.at < state.at:
        raise InvalidTransition(
            f"{type(event).__name__} at {event.at} is earlier than the last, {state.at}"
        )
    if isinstance(event, e.WagersPlaced):  # most events are of this type
        current = _round_with(state, event)
        return _fast_replace(state, sequence=state.sequence + 1, at=event.at, round=current)
    after_it = _apply_to_round if type(event) in OF_ROUNDS else _apply_to_rest
    display = display_after(state.display, event, state.round.number)
    proposals = four_eyes.proposals_after(state.proposals, event, state.settings)
    known = {"display": display, "proposals": proposals}
    return after_it(_fast_replace(state, sequence=state.sequence + 1, at=event.at, **known), event)


def _apply_to_round(state: TableState, event: e.Event) -> TableState:
    current, shoe = _round_after(state, event)
    manual = manual_after(state.manual, event, state.round, state.settings)
    return _fast_replace(state, round=current, shoe=shoe, manual=manual)


def _apply_to_rest(state: TableState, event: e.Event) -> TableState:
    if type(event) in OF_SHOES:
        return _apply_to_shoe(state, event)
    if type(event) in OF_MANUAL:
        return _apply_to_manual(state, event)
    match event:
        case e.SettingsChanged():
            return replace(state, settings=event.settings)
        case e.LeaseTaken() if event.epoch == state.epoch + 1:
            return replace(state, epoch=event.epoch, holder=event.holder)
        case e.TablePaused() | e.TableResumed():
            paused = isinstance(event, e.TablePaused)
            if event.house:
                frozen = isinstance(event, e.TablePaused) and event.frozen
                return replace(state, house_paused=paused, frozen=frozen)
            return replace(state, itself_paused=paused)
        case e.AgreementProposed() | e.AgreementDeclined() | e.AgreementMade() | e.AgreementEnded():
            return with_agreement(state, event)
        case e.LargeWinPaid() | e.ProposalEnded():
            return state
        case e.ActionProposed():
            return replace(state, round=_held(state.round, event))
        case e.PartnersSuspected() | e.ResultUnusual() | e.DataLost():
            return replace(state, alerts=(*state.alerts[-ALERTS_KEPT + 1 :], event))
        case e.DisputeOpened():
            opened = Dispute(event.round, event.player, event.at, event.words, cites=event.cites)
            return replace(state, disputes=(*state.disputes, opened))
        case e.DisputeDecided() | e.DisputeAnswered():
            return replace(state, disputes=_decided(state, event))
        case e.AmbiguityResolved():
            read = (event.card, event.ambiguity, event.reading, event.words, event.effective)
            return replace(state, resolutions=(*state.resolutions, Resolution(*read)))
    raise InvalidTransition(f"{type(event).__name__} cannot happen now: {event}")


def _apply_to_manual(state: TableState, event: e.Event) -> TableState:
    manual = manual_after(state.manual, event, state.round, state.settings)
    current = state.round
    if isinstance(event, e.RoundCorrected) and event.round == current.number:
        current = replace(current, results=_by_player(event.results))
    if isinstance(event, e.BurnedByHand):
        current = replace(current, moved_by=state.sequence)
    return replace(state, manual=manual, round=current)


def _held(current: Round, event: e.ActionProposed) -> Round:
    """Return the round, put on hold for a while if the event is the first proposal to cancel it."""
    if event.subject != Cancel(current.number) or current.held_until:
        return current
    return replace(current, held_until=event.at + four_eyes.HELD)


def _fast_replace(value: T, **changes: Any) -> T:
    """Copy a dataclass as `replace` does, but faster, because wagers come by the thousand."""
    new = object.__new__(type(value))
    new.__dict__.update(value.__dict__, **changes)
    return new


def _decided(state: TableState, event: e.DisputeDecided | e.DisputeAnswered) -> tuple[Dispute, ...]:
    known = state.dispute(event.round, event.player)
    if known is None:
        words = f"{event.player}'s dispute over round {event.round}"
        raise InvalidTransition(f"{words} was decided without having been opened")
    if isinstance(event, e.DisputeDecided):
        paid = event.after.net - event.before.net
    else:
        paid = event.amount
    decided = replace(known, decided=True, answer=event.words, paid=paid, decided_at=event.at)
    return tuple(decided if dispute is known else dispute for dispute in state.disputes)


def with_agreement(state: TableState, event: AgreementEvent) -> TableState:
    """Return the state after an event of a player's agreement."""
    new = after_agreeing(state.agreeing(event.player), event)
    return _fast_replace(state, agreements={**state.agreements, event.player: new})


def with_wagers(
    state: TableState, wagers: dict[str, PlacedWagers], *, sequence: int, at: int
) -> TableState:
    """Return the state after a series of WagersPlaced events that results in these wagers."""
    return _fast_replace(
        state, sequence=sequence, at=at, round=_fast_replace(state.round, wagers=wagers.copy())
    )


def _round_after(state: TableState, event: e.Event) -> tuple[Round, ShoeState | None]:
    """Return the round and the committed shoe after an event of the round."""
    before, phase, shoe = state.round, next_phase(state.round.phase, event), state.shoe
    _check_shoe(state, event)
    if isinstance(event, e.BonusBreachFlagged):
        return before, shoe
    if isinstance(event, e.DealAsked):
        return replace(before, asked=(*before.asked, event.player)), shoe
    if isinstance(event, e.SqueezeAsked):
        return replace(before, squeezing=(*before.squeezing, event.player)), shoe
    current = replace(before, phase=phase, moved_at=event.at, moved_by=state.sequence)
    match event:
        case e.RoundOpened():
            moved = (event.at, state.sequence)
            current = Round(event.round, phase, event.closes_at, *moved, bets=event.bets)
        case e.CardOffered():
            current = replace(current, offered=event)
        case e.CardDealt():
            if shoe is None:
                raise InvalidTransition(
                    "CardDealt needs a committed shoe, not a shoe of real cards"
                )
            cards = (*current.cards, PlacedCard(event.hand, event.card.card))
            current = replace(current, cards=cards, offered=None)
            shoe = replace(shoe, progress=shoe.progress.take())
        case e.CardPlaced():
            current = replace(current, cards=(*current.cards, PlacedCard(event.hand, event.card)))
        case e.CoupRectified():
            correct = deal_correctly(game_of(state.rules).tableau, event.drawn)
            current = replace(current, cards=correct.placed)
        case e.RoundSettled() | e.RoundCancelled():
            current = replace(current, wagers={}, results=_by_player(event.results))
    cut_short = phase is Phase.CANCELLED and before.phase is Phase.DEALING
    if shoe and (cut_short or isinstance(event, e.CoupDecided)):  # its cards have left the shoe
        shoe = replace(shoe, progress=shoe.progress.end_coup())
    return current, shoe


def _by_player(results: Iterable[e.PlayerResult]) -> dict[str, tuple[e.WagerResult, ...]]:
    return {result.player: result.wagers for result in results}


def _round_with(state: TableState, event: e.WagersPlaced) -> Round:
    """Return the round with a player's new wagers, which do not change its phase."""
    before = state.round
    next_phase(before.phase, event)
    _check_shoe(state, event)
    wagers = {**before.wagers, event.player: event.placed}
    if not event.wagers:
        del wagers[event.player]
    return _fast_replace(before, wagers=wagers)


def _check_shoe(state: TableState, event: e.Event) -> None:
    if state.shoe is None and state.manual.shoe is None:
        raise InvalidTransition(f"{type(event).__name__} cannot happen without a shoe")


def _apply_to_shoe(state: TableState, event: e.Event) -> TableState:
    shoe = state.shoe
    phase = next_phase(shoe.phase if shoe else ShoePhase.ABSENT, event)
    if isinstance(event, e.ShoeCommitted):
        return replace(state, shoe=_new_shoe(state, event))
    if shoe is None or isinstance(event, e.ShoeEnded):
        return replace(state, shoe=None, round=replace(state.round, moved_at=event.at))
    shoe = replace(shoe, phase=phase)
    match event:
        case e.ContributionCommitted():
            new = Contributor(event.commitment, player=event.player)
            shoe = replace(shoe, contributors=(*shoe.contributors, new))
        case e.ContributionRevealed():
            contributors = tuple(
                replace(contributor, secret=event.secret)
                if contributor.player == event.player
                else contributor
                for contributor in shoe.contributors
            )
            shoe = replace(shoe, contributors=contributors)
        case e.ShoeReady():
            shoe = replace(shoe, seed=event.seed)
        case e.CardsBurned():
            shoe = replace(shoe, progress=replace(shoe.progress, burned=event.count))
    return replace(state, shoe=shoe)


def _new_shoe(state: TableState, event: e.ShoeCommitted) -> ShoeState:
    terms = CommitmentTerms(
        event.shoe, event.source, event.decks, event.cut, event.burn, event.rules
    )
    return ShoeState(terms, state.settings.rules, event, new_shoe(terms.dealt))


Decide = Callable[[TableState, Any, int], e.Events]
"""A function that returns the events a command causes at a given time, or raises Refused."""

_SNAPSHOTS: Decoder[TableState] = Decoder(TableState)


def snapshot(state: TableState) -> bytes:
    """Return the canonical bytes of a state, to avoid applying all its events again.

    A snapshot is only a cache: the journal remains the source of truth.
    """
    return encode(state)


def restore(data: bytes) -> TableState:
    """Return the state from the bytes that `snapshot` returned."""
    return _SNAPSHOTS.decode(data)
