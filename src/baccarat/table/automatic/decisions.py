"""Decisions on the commands of a server that deals a table."""

from typing import Any

from baccarat.core.cards import total
from baccarat.core.errors import BaccaratError
from baccarat.shoe import Burn, ShoeRules
from baccarat.shoe.commitment import (
    CommitmentTerms,
    Hex,
    OpenedCard,
    SealedShoe,
    Source,
    commitment_of,
    proves,
)
from baccarat.shoe.contributions import Contribution, contribution_of, dealing_order, public_seed
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.automatic.next_step import held_until, next_step
from baccarat.table.automatic.squeeze import squeezer
from baccarat.table.four_eyes import proposals, subjects
from baccarat.table.phases import Phase, ShoePhase
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import game_of, rules_hash
from baccarat.table.settings import Settings
from baccarat.table.settlement import results_of
from baccarat.table.state import Decide, ShoeState, TableState

MAX_CONTRIBUTORS = 1000


def check_step(state: TableState, command: c.ServerCommand, now: int) -> None:
    """Raise Refused unless this step is due now and the sender drives the table."""
    if command.epoch != state.epoch:
        epochs = {"epoch": command.epoch, "current": state.epoch}
        raise Refused(Code.STALE_EPOCH, "stale-epoch", **epochs)
    if isinstance(command, c.EndShoe) and command.abandon:
        return
    wanted, step = type(command).__name__, next_step(state)
    if step is None:
        key = "step-by-dealer" if state.by_hand else "step-while-paused"
        raise Refused(Code.WRONG_PHASE, key, step=wanted)
    if step.command is not type(command):
        due = step.command.__name__
        raise Refused(Code.WRONG_PHASE, "step-not-due", step=wanted, due=due)
    if now < step.at:
        raise Refused(Code.TOO_EARLY, "step-too-early", step=wanted, wait=step.at - now)


def _commit_shoe(state: TableState, command: c.CommitShoe, now: int) -> e.Events:
    settings = state.settings_due(now)
    terms, clock = command.terms, settings.clock
    if terms != terms_of(settings, terms.shoe):
        raise Refused(Code.BAD_SETTINGS, "terms-differ")
    changed = state.resolutions_due(now)
    commitment = commitment_of(terms, command.root)
    committed = e.ShoeCommitted(
        now,
        **vars(terms),
        root=Hex(command.root),
        commitment=commitment,
        contribute_until=now + clock.contribute,
        reveal_until=now + clock.contribute + clock.reveal,
    )
    if clock.contribute:
        return [*changed, committed]
    ready = _ready(commitment, (), terms.burn, now)
    return [*changed, committed, e.ContributionsClosed(now), *ready]


def _close_contributions(_: TableState, __: c.Command, now: int) -> e.Events:
    return [e.ContributionsClosed(now)]


def _ready_shoe(state: TableState, _: c.Command, now: int) -> e.Events:
    shoe = _shoe(state)
    return _ready(shoe.committed.commitment, shoe.contributors, shoe.terms.burn, now)


def _ready(
    commitment: bytes, contributions: tuple[Contribution, ...], burn: Burn, now: int
) -> e.Events:
    seed = public_seed(commitment, contributions)
    missing = sum(contribution.secret is None for contribution in contributions)
    ready = e.ShoeReady(now, seed, missing)
    return [ready] if burn is Burn.FIRST_CARD else [ready, e.CardsBurned(now, burn.most, None)]


def _burn_cards(state: TableState, command: c.BurnCards, now: int) -> e.Events:
    shoe = _shoe(state)
    if command.first is None:
        raise Refused(Code.WRONG_CARD, "first-card-needed")
    _check_card(shoe, command.first, place=0)
    return [e.CardsBurned(now, shoe.terms.burn.taking(command.first.card), command.first)]


def _commit_contribution(state: TableState, command: c.CommitContribution, now: int) -> e.Events:
    shoe = state.shoe
    open_now = shoe is not None and shoe.phase is ShoePhase.CONTRIBUTING
    if shoe is None or not open_now or now >= shoe.committed.contribute_until:
        raise Refused(Code.WRONG_PHASE, "contributions-closed")
    if len(command.commitment) != 32:
        raise Refused(Code.WRONG_SECRET, "commitment-size", bytes=len(command.commitment))
    for contributor in shoe.contributors:
        if command.player == contributor.player:
            raise Refused(Code.ALREADY_CONTRIBUTED, "already-contributed")
        if command.commitment == contributor.commitment:
            raise Refused(Code.ALREADY_CONTRIBUTED, "commitment-taken")
    if len(shoe.contributors) >= MAX_CONTRIBUTORS:
        raise Refused(Code.ALREADY_CONTRIBUTED, "contributors-full", most=MAX_CONTRIBUTORS)
    return [e.ContributionCommitted(now, command.player, Hex(command.commitment))]


def _reveal_contribution(state: TableState, command: c.RevealContribution, now: int) -> e.Events:
    shoe = state.shoe
    if shoe is None or shoe.phase is not ShoePhase.REVEALING or now >= shoe.committed.reveal_until:
        raise Refused(Code.WRONG_PHASE, "reveal-closed")
    for contributor in shoe.contributors:
        if contributor.player == command.player and contributor.secret is None:
            _check_secret(shoe, contributor, command.secret)
            return [e.ContributionRevealed(now, command.player, Hex(command.secret))]
    raise Refused(Code.WRONG_PHASE, "nothing-to-reveal")


def _check_secret(shoe: ShoeState, promised: Contribution, secret: bytes) -> None:
    try:
        fits = contribution_of(shoe.committed.commitment, secret) == promised.commitment
    except BaccaratError:
        fits = False
    if not fits:
        raise Refused(Code.WRONG_SECRET, "wrong-secret")


def _end_shoe(state: TableState, command: c.EndShoe, now: int) -> e.Events:
    shoe = _shoe(state)
    if not state.round.phase.resting:
        raise Refused(Code.WRONG_PHASE, "shoe-in-use", round=state.round.number)
    sealed = SealedShoe(shoe.terms, command.order, Hex(command.key))
    if sealed.root != shoe.committed.root:
        raise Refused(Code.WRONG_CARD, "wrong-order")
    reason = e.EndReason.DEALT_OUT if shoe.progress.over else e.EndReason.ABANDONED
    return [e.ShoeEnded(now, shoe.terms.shoe, reason, sealed.key, command.order)]


def _open_round(state: TableState, _: c.Command, now: int) -> e.Events:
    return [e.RoundOpened(now, state.round.number + 1, now + state.settings.clock.betting)]


def _ask_to_deal(state: TableState, command: c.AskToDeal, now: int) -> e.Events:
    """Record that a player with a bet asks for the cards; asking again changes nothing."""
    current, player = state.round, command.player
    if state.settings.deal_now is None or state.by_hand:
        raise Refused(Code.NOT_ALLOWED, "deal-now-off")
    _check_asking(state, command)
    return [] if player in current.asked else [e.DealAsked(now, current.number, player)]


def _ask_to_squeeze(state: TableState, command: c.AskToSqueeze, now: int) -> e.Events:
    """Record that a player with a bet asks to turn cards; asking again changes nothing."""
    current, player = state.round, command.player
    if not state.settings.clock.squeeze or state.by_hand:
        raise Refused(Code.NOT_ALLOWED, "squeeze-off")
    _check_asking(state, command)
    return [] if player in current.squeezing else [e.SqueezeAsked(now, current.number, player)]


def _check_asking(state: TableState, command: c.AskToDeal | c.AskToSqueeze) -> None:
    """Raise Refused unless the player has a bet on this round, which is open."""
    current, number = state.round, command.round
    if number != current.number:
        raise Refused(Code.NO_SUCH_ROUND, "asking-other-round", round=number)
    if current.phase is not Phase.OPEN:
        raise Refused(Code.BETTING_CLOSED, "asking-closed", round=number)
    if command.player not in current.wagers:
        raise Refused(Code.NOT_ALLOWED, "asking-no-bet")


def _close_betting(state: TableState, _: c.Command, now: int) -> e.Events:
    return [e.BettingClosed(now, state.round.number)]


def _offer_card(state: TableState, command: c.OfferCard, now: int) -> e.Events:
    _check_card(_shoe(state), command.card, place=_shoe(state).progress.place)
    player, hand = squeezer(state), state.deal.turn.hand
    assert player is not None and hand is not None  # noqa: S101, PT018  (or the step is not due)
    until = now + state.settings.clock.squeeze
    offered = e.CardOffered(now, state.round.number, hand, player, command.card, until)
    return [*_end_proposal(state, now), offered]


def _turn_card(state: TableState, command: c.TurnCard, now: int) -> e.Events:
    """Deal the card that lies face down, before its time is up."""
    offered = state.round.offered
    if offered is None or (offered.round, offered.player) != (command.round, command.player):
        raise Refused(Code.WRONG_PHASE, "nothing-to-turn")
    if now < held_until(state):
        raise Refused(Code.WRONG_PHASE, "turn-on-hold")
    return [*_end_proposal(state, now), *turned(state, now)]


def _deal_card(state: TableState, command: c.DealCard, now: int) -> e.Events:
    shoe = _shoe(state)
    _check_card(shoe, command.card, place=shoe.progress.place)
    return [*_end_proposal(state, now), *_dealt(state, command.card, now)]


def turned(state: TableState, now: int) -> e.Events:
    """Return the events that deal the card that lies face down, if there is one."""
    offered = state.round.offered
    return [] if offered is None else _dealt(state, offered.peek, now)


def _end_proposal(state: TableState, now: int) -> e.Events:
    """Return the end of a proposal to cancel the round, because another card is out."""
    return proposals.changed(state.proposals, [subjects.Cancel(state.round.number)], now)


def _dealt(state: TableState, card: OpenedCard, now: int) -> e.Events:
    shoe, number = _shoe(state), state.round.number
    turn = state.deal.turn
    deal = state.deal.give(card.card)
    assert turn.hand is not None  # noqa: S101  (give refuses an excess card)
    coup_hand = deal.player if turn.hand == "player" else deal.banker
    found: list[e.Event] = []
    if shoe.progress.meets_cut_card:
        found.append(e.CutCardShown(now, number))
    reason = turn.reason if len(coup_hand) == 3 else None
    points = total(coup_hand)
    found.append(e.CardDealt(now, number, turn.hand, card, points, reason))
    if deal.over:
        found.append(e.CoupDecided.of(now, number, deal))
        if shoe.progress.take().meets_cut_card and shoe.terms.source is Source.SHOE:
            found.append(e.CutCardShown(now, number))
    return found


def _settle_round(state: TableState, _: c.Command, now: int) -> e.Events:
    results = results_of(state.rules, state.deal.coup, state.round.wagers)
    return [e.RoundSettled(now, state.round.number, results, rules_hash(state.rules))]


def terms_of(settings: Settings, shoe: Hex) -> CommitmentTerms:
    """Return the terms that a shoe with this id commits to at a table with these settings."""
    return CommitmentTerms.of(shoe, shoe_rules(settings), rules_hash(settings.rules))


def shoe_rules(settings: Settings) -> ShoeRules:
    """Return the dealing rules of a shoe with these settings; refuse an invalid cut position."""
    decks = game_of(settings.rules).decks
    if settings.source is Source.SHUFFLER:
        return ShoeRules.shuffler(decks)
    return ShoeRules(decks, settings.cut, settings.burn)


def _check_card(shoe: ShoeState, card: Any, *, place: int) -> None:
    """Raise Refused unless this is the card that is due.

    The refusal does not reveal the card that is due or its position.
    """
    order = dealing_order(shoe.seed, shoe.terms.cards) if shoe.seed else ()
    if place >= len(order) or card.position != order[place]:
        raise Refused(Code.WRONG_CARD, "wrong-position", position=card.position)
    if not proves(card, cards=shoe.terms.cards, root=shoe.committed.root):
        raise Refused(Code.WRONG_CARD, "wrong-proof", position=card.position)


def _shoe(state: TableState) -> ShoeState:
    if state.shoe is None:
        raise Refused(Code.WRONG_PHASE, "no-committed-shoe")
    return state.shoe


DRIVEN: dict[type[c.Command], Decide] = {
    c.AskToDeal: _ask_to_deal,
    c.AskToSqueeze: _ask_to_squeeze,
    c.TurnCard: _turn_card,
    c.CommitContribution: _commit_contribution,
    c.RevealContribution: _reveal_contribution,
    c.CommitShoe: _commit_shoe,
    c.CloseContributions: _close_contributions,
    c.ReadyShoe: _ready_shoe,
    c.BurnCards: _burn_cards,
    c.OpenRound: _open_round,
    c.CloseBetting: _close_betting,
    c.OfferCard: _offer_card,
    c.DealCard: _deal_card,
    c.SettleRound: _settle_round,
    c.EndShoe: _end_shoe,
}
