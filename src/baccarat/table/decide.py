"""From a command to the events it causes, or to the reason why it is refused.

`decide(state, command, now)` is pure: it looks at the state, never changes it, and `apply` of the
events it returns gives the next one. Commands of the driving server are legal exactly when
`pace.next_step` asks for them, so asking and doing share one rule. The one rule: whoever is refused
has changed nothing, and is told a code, the value and what would be right.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from baccarat.core.errors import BaccaratError
from baccarat.core.misdeals import perfect
from baccarat.core.money import format_coins
from baccarat.core.rulecard import Game
from baccarat.shoe import Burn
from baccarat.shoe.commitment import SealedShoe, Source, Terms, commitment_of, proves
from baccarat.shoe.contributions import Contribution, contribution_of, dealing_order, public_seed
from baccarat.table import agreements, appeals, notices, twopeople
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.appeals import CaseNow
from baccarat.table.canonical import canonical_bytes
from baccarat.table.changes import changes, raises_a_maximum
from baccarat.table.conduct import CONDUCT, alarm, check_dealer
from baccarat.table.pace import Do, next_step
from baccarat.table.phases import Phase, ShoePhase
from baccarat.table.placed import Placed
from baccarat.table.refusals import Code, Refused
from baccarat.table.remedies import REMEDIES, open_to_errors, reported_by
from baccarat.table.rules import game_of, rules_hash
from baccarat.table.settings import Dummy, Excess, Settings
from baccarat.table.settling import better_of, results_of, stakes_back
from baccarat.table.state import ShoeState, TableState, progress_of
from baccarat.table.twopeople import Motion, cancelling
from baccarat.table.wagering import check_wagers

RESOLVED = "resolved questions"
"""Who changes settings when the time has come from which two people resolved a question."""
NOT_OPENED = "this table has not been opened: open it first"
MOST_CONTRIBUTORS = 1000
LONGEST_NAME = 40

STEPS: dict[type[c.Command], Do] = {
    c.CommitShoe: Do.COMMIT_SHOE,
    c.CloseContributions: Do.CLOSE_CONTRIBUTIONS,
    c.ReadyShoe: Do.READY_SHOE,
    c.BurnCards: Do.BURN_CARDS,
    c.OpenRound: Do.OPEN_ROUND,
    c.CloseBetting: Do.CLOSE_BETTING,
    c.DealCard: Do.DEAL_CARD,
    c.SettleRound: Do.SETTLE_ROUND,
    c.EndShoe: Do.END_SHOE,
}
"""The step that each command of the driving server takes."""


def decide(
    state: TableState | None, command: c.Command, now: int, case: CaseNow | None = None
) -> tuple[e.Event, ...]:
    """The events that the command causes, all at one time; Refused when it may not be.

    What is about a dispute needs the case, from the journal that led to this very state.
    """
    if state is None:
        if isinstance(command, c.OpenTable):
            check_settings(command.settings)
            return (e.TableOpened(now, command.table, command.settings),)
        raise Refused(Code.NO_SUCH_TABLE, NOT_OPENED)
    now = max(now, state.at)  # a server's clock may be behind the one that wrote the last event
    if isinstance(command, c.Driven):
        _check_step(state, command, now)
    if isinstance(command, c.OpenDispute | c.DecideDispute):
        if case is None:
            raise ValueError(f"{type(command).__name__} needs the case")
        return tuple(_appeal(state, command, case, now))
    return tuple(_DECIDE[type(command)](state, command, now))


def _check_step(state: TableState, command: c.Driven, now: int) -> None:
    """Is this the step that is due, taken by the server that drives the table, and in time?"""
    if command.epoch != state.epoch:
        raise Refused(
            Code.STALE_EPOCH,
            f"epoch {command.epoch} no longer drives this table: {state.holder or 'nobody'} does, "
            f"in epoch {state.epoch}",
        )
    if isinstance(command, c.EndShoe) and command.abandon:
        return
    wanted, step = STEPS[type(command)], next_step(state)
    if step is None or step.do is not wanted:
        waiting = "a dealer conducts the table" if state.by_hand else "the table is paused"
        due = f"what is due is to {step.do}" if step else waiting
        raise Refused(Code.WRONG_PHASE, f"it is not the moment to {wanted}: {due}")
    if now < step.at:
        words = f"it is too early to {wanted}: its time comes in {step.at - now} ms"
        raise Refused(Code.TOO_EARLY, words)


def _open_table(state: TableState, command: c.OpenTable, _: int) -> Sequence[e.Event]:
    raise Refused(Code.WRONG_PHASE, f"{command.table} is open already, as {state.table}")


def _change_settings(state: TableState, command: c.ChangeSettings, now: int) -> Sequence[e.Event]:
    check_settings(command.settings)
    # What was resolved at the table stays resolved, whatever the file says of it.
    settings = appeals.settings_due(command.settings, state.appeals.resolutions, now)
    if settings == state.settings:
        return []
    words = changes(state.settings, settings)
    return [e.SettingsChanged(now, settings, command.by, changes=words)]


def _adjust_table(state: TableState, command: c.AdjustTable, now: int) -> Sequence[e.Event]:
    """One person lowers maxima and sets the clock; two people raise a maximum or remove one."""
    before = state.settings
    settings = replace(
        before, clock=command.clock or before.clock, limits=command.limits or before.limits
    )
    check_settings(settings)
    if settings == before:
        return []
    words = changes(before, settings)
    first = None
    if raises_a_maximum(before, settings):
        asked = {"clock": command.clock, "limits": command.limits, "changes": words}
        terms, said = canonical_bytes(asked).decode(), "; ".join(words)
        motion = Motion(twopeople.LIMITS, terms, said, command.by)
        first = twopeople.seconded(state.proposals, motion, now)
        if first is None:
            return twopeople.propose(state.proposals, motion, now)
    return [e.SettingsChanged(now, settings, command.by, first or "", words)]


def _notice(state: TableState, command: c.Notice, now: int) -> Sequence[e.Event]:
    return notices.notice(state.notices, replace(command.seen, at=now))


def _take_lease(state: TableState, command: c.TakeLease, now: int) -> Sequence[e.Event]:
    if command.epoch != state.epoch + 1:
        raise Refused(
            Code.STALE_EPOCH,
            f"epoch {command.epoch} cannot begin: the next one is {state.epoch + 1}",
        )
    return [e.LeaseTaken(now, command.epoch, command.holder)]


def _pause(state: TableState, command: c.PauseTable, now: int) -> Sequence[e.Event]:
    already = state.house_paused if command.house else state.itself_paused
    return [] if already else [e.TablePaused(now, command.by, command.reason, command.house)]


def _resume(state: TableState, command: c.ResumeTable, now: int) -> Sequence[e.Event]:
    if command.house:
        stays = state.itself_paused
        return (
            [e.TableResumed(now, command.by, house=True, stays=stays)] if state.house_paused else []
        )
    if state.house_paused:
        words = "the whole house is paused: let it go on first, or leave the table as it is"
        raise Refused(Code.TABLE_PAUSED, words)
    return [e.TableResumed(now, command.by)] if state.itself_paused else []


def _place_wagers(state: TableState, command: c.PlaceWagers, now: int) -> Sequence[e.Event]:
    check_wagers(state, command, now)
    agreed = state.agreed(command.player) if command.wagers else ()
    placed = Placed(command.wagers, agreed, command.bonus)
    if placed == state.round.placed(command.player):
        return []  # nothing changes, so nothing happened
    return [wagers_placed(command, placed, now)]


def wagers_placed(command: c.PlaceWagers, placed: Placed, now: int) -> e.WagersPlaced:
    """What wagers cause that have been checked and change something, not before the last event."""
    wagers, agreed, bonus = placed.wagers, placed.agreed, placed.bonus
    return e.WagersPlaced(now, command.round, command.player, wagers, agreed, bonus)


def _appeal(
    state: TableState, command: c.OpenDispute | c.DecideDispute, case: CaseNow, now: int
) -> Sequence[e.Event]:
    if isinstance(command, c.OpenDispute):
        opened = appeals.open_dispute(state.appeals, command, case, now)
        return [*opened, *reported_by(state, command, now)]
    if words := open_to_errors(state, command.round):
        raise Refused(Code.TOO_EARLY, words)
    return appeals.decide_dispute(state.appeals, state.proposals, command, case, now)


def _dispute(state: TableState, command: Any, now: int) -> Sequence[e.Event]:
    waiting = state.proposals
    if isinstance(command, c.ResolveAmbiguity):
        return appeals.resolve(state.appeals, waiting, state.settings, command, now)
    if command.dealer:
        check_dealer(state, c.Conducted(command.by))
    return twopeople.withdraw(waiting, command.subject, command.by, now)


def _agreement(state: TableState, command: Any, now: int) -> Sequence[e.Event]:
    standing = state.agreements.get(command.player, agreements.NOTHING)
    rules, limits, number = state.rules, state.settings.limits, state.round.number
    match command:
        case c.ProposeAgreement():
            return agreements.propose(standing, command, rules, limits, now)
        case c.ConfirmAgreement():
            return agreements.confirm(standing, command, rules, limits, number=number, now=now)
        case c.DeclineAgreement():
            return agreements.decline(standing, command, now)
    return agreements.end(standing, command, number=number, now=now)


# ---- the shoe -----------------------------------------------------------------------------------


def _commit_shoe(state: TableState, command: c.CommitShoe, now: int) -> Sequence[e.Event]:
    settings = due_settings(state, now)
    terms, clock = command.terms, settings.clock
    expected = terms_of(settings, terms.shoe)
    if terms != expected:
        raise Refused(Code.BAD_SETTINGS, f"the table is set to {expected}, not to {terms}")
    resolved = settings != state.settings
    changed = [e.SettingsChanged(now, settings, RESOLVED)] if resolved else []
    commitment = commitment_of(terms, command.root)
    committed = e.ShoeCommitted(
        now,
        shoe=terms.shoe,
        source=terms.source,
        decks=terms.decks,
        cut=terms.cut,
        burn=terms.burn,
        rules=terms.rules,
        root=command.root,
        commitment=commitment,
        contribute_until=now + clock.contribute,
        reveal_until=now + clock.contribute + clock.reveal,
    )
    if clock.contribute:
        return [*changed, committed]
    ready = _ready(commitment, (), terms.burn, now)
    return [*changed, committed, e.ContributionsClosed(now), *ready]


def _close_contributions(_: TableState, __: c.Command, now: int) -> Sequence[e.Event]:
    return [e.ContributionsClosed(now)]


def _ready_shoe(state: TableState, _: c.Command, now: int) -> Sequence[e.Event]:
    shoe = _shoe(state)
    return _ready(shoe.commitment, shoe.contributions, shoe.terms.burn, now)


def _ready(
    commitment: bytes, contributions: tuple[Contribution, ...], burn: Burn, now: int
) -> Sequence[e.Event]:
    seed = public_seed(commitment, contributions)
    missing = sum(one.secret is None for one in contributions)
    ready = e.ShoeReady(now, seed, missing)
    return [ready] if burn is Burn.FIRST_CARD else [ready, e.CardsBurned(now, burn.most, None)]


def _burn_cards(state: TableState, command: c.BurnCards, now: int) -> Sequence[e.Event]:
    shoe = _shoe(state)
    if command.first is None:
        raise Refused(Code.WRONG_CARD, "the first card says how many are burned: show it")
    _check_card(shoe, command.first, place=0)
    return [e.CardsBurned(now, shoe.terms.burn.taking(command.first.card), command.first)]


def _commit_contribution(
    state: TableState, command: c.CommitContribution, now: int
) -> Sequence[e.Event]:
    shoe = state.shoe
    if shoe is None or shoe.phase is not ShoePhase.CONTRIBUTING or now >= shoe.contribute_until:
        raise Refused(Code.WRONG_PHASE, "no contributions are taken now: wait for the next shoe")
    if not 0 < len(command.name) <= LONGEST_NAME or not command.name.isprintable():
        raise Refused(
            Code.BAD_SETTINGS,
            f"{command.name[:50]!r} is no name: 1 to {LONGEST_NAME} printable characters",
        )
    if len(command.commitment) != 32:
        words = f"a commitment of {len(command.commitment)} bytes: it has 32"
        raise Refused(Code.WRONG_SECRET, words)
    for one in shoe.contributors:
        if command.player == one.player:
            words = f"{command.name} has contributed already: once for each shoe"
            raise Refused(Code.ALREADY_CONTRIBUTED, words)
        if command.commitment == one.contribution.commitment:
            words = "somebody else has committed to the same: choose 32 bytes of your own"
            raise Refused(Code.ALREADY_CONTRIBUTED, words)
    if len(shoe.contributors) >= MOST_CONTRIBUTORS:
        words = f"{MOST_CONTRIBUTORS} have contributed: try the next shoe"
        raise Refused(Code.ALREADY_CONTRIBUTED, words)
    return [e.ContributionCommitted(now, command.player, command.name, command.commitment)]


def _reveal_contribution(
    state: TableState, command: c.RevealContribution, now: int
) -> Sequence[e.Event]:
    shoe = state.shoe
    if shoe is None or shoe.phase is not ShoePhase.REVEALING or now >= shoe.reveal_until:
        raise Refused(Code.WRONG_PHASE, "nothing is to be revealed now")
    for one in shoe.contributors:
        if one.player == command.player and one.contribution.secret is None:
            _check_secret(shoe, one.contribution, command.secret)
            return [e.ContributionRevealed(now, command.player, command.secret)]
    words = f"{command.player} has no contribution to reveal: none was committed, or it is revealed"
    raise Refused(Code.WRONG_PHASE, words)


def _check_secret(shoe: ShoeState, promised: Contribution, secret: bytes) -> None:
    try:
        fits = contribution_of(shoe.commitment, promised.name, secret) == promised.commitment
    except BaccaratError:
        fits = False
    if not fits:
        raise Refused(Code.WRONG_SECRET, "this is not the secret that was committed to")


def _end_shoe(state: TableState, command: c.EndShoe, now: int) -> Sequence[e.Event]:
    shoe = _shoe(state)
    if not state.round.phase.resting:
        words = f"round {state.round.number} is {state.round.phase}: a shoe ends between rounds"
        raise Refused(Code.WRONG_PHASE, words)
    sealed = SealedShoe(shoe.terms, command.order, command.key)
    if sealed.root != shoe.root:
        raise Refused(Code.WRONG_CARD, "this is not the order that was committed to")
    reason = e.EndReason.DEALT_OUT if shoe.progress.over else e.EndReason.ABANDONED
    return [e.ShoeEnded(now, shoe.terms.shoe, reason, command.key, command.order)]


# ---- the round ----------------------------------------------------------------------------------


def _open_round(state: TableState, _: c.Command, now: int) -> Sequence[e.Event]:
    return [e.RoundOpened(now, state.round.number + 1, now + state.settings.clock.betting)]


def _close_betting(state: TableState, _: c.Command, now: int) -> Sequence[e.Event]:
    return [e.BettingClosed(now, state.round.number)]


def _deal_card(state: TableState, command: c.DealCard, now: int) -> Sequence[e.Event]:
    shoe, number = _shoe(state), state.round.number
    _check_card(shoe, command.card, place=shoe.progress.place)
    turn = state.deal.turn
    deal = state.deal.give(command.card.card)
    assert turn.hand is not None  # noqa: S101  (give has refused a card too many)
    coup_hand = deal.player if turn.hand == "player" else deal.banker
    found: list[e.Event] = []
    found += twopeople.changed(state.proposals, [cancelling(number)], now)
    if shoe.progress.meets_cut_card:
        found.append(e.CutCardShown(now, number))
    row, reason = (turn.why, e.Because.of(turn)) if len(coup_hand) == 3 else ("", None)
    total = sum(card.points for card in coup_hand) % 10
    found.append(e.CardDealt(now, number, turn.hand, command.card, total, row, reason))
    if deal.over:
        found.append(e.CoupDecided.of(now, number, deal))
        if shoe.progress.take().meets_cut_card and shoe.terms.source is Source.SHOE:
            found.append(e.CutCardShown(now, number))
    return found


def _settle_round(state: TableState, _: c.Command, now: int) -> Sequence[e.Event]:
    results = results_of(state.rules, state.deal.coup, state.round.wagers)
    return [e.RoundSettled(now, state.round.number, results)]


def _cancel_round(
    state: TableState, command: c.CancelRound, now: int, *, pit: bool = True
) -> Sequence[e.Event]:
    """What the pit says is carried out, or seconded; a dealer only proposes what takes two."""
    current = state.round
    if command.round != current.number or current.phase.resting:
        words = f"round {command.round} is not under way: only the current round can be cancelled"
        raise Refused(Code.NO_SUCH_ROUND, words)
    if state.result_known and state.by_hand and not state.floor.considered:
        words = "the result is known: first say why the round cannot be rectified"
        raise Refused(Code.RECTIFY_FIRST, words)
    staked = sum(placed.staked for placed in current.wagers.values())
    motion = Motion(cancelling(command.round), *_cancelling(state, command, staked), command.by)
    two = card_out(state) or (command.alone is not None and staked > command.alone)
    first = twopeople.seconded(state.proposals, motion, now) if two else None
    if two and first is None:
        return twopeople.propose(state.proposals, motion, now)
    if first is not None and not pit:
        words = f"{first} has proposed this already: a member of the pit confirms it"
        raise Refused(Code.NEEDS_TWO_PEOPLE, words)
    by = (command.by,) if first is None else (first, command.by)
    results = given_back(state, command.reason)
    cancelled = e.RoundCancelled(now, command.round, command.reason, by, results, command.alone)
    if state.by_hand and command.reason is e.CancelReason.FOREIGN_CARD:
        words = f"round {command.round} was cancelled for a card that does not belong to the shoe"
        return [cancelled, *alarm(state, e.Alarm.FOREIGN_CARD, command.by, words, now)]
    return [cancelled]


def given_back(state: TableState, reason: e.CancelReason) -> tuple[e.PlayerResult, ...]:
    """Return what everyone gets when the round under way is cancelled."""
    current = state.round
    if state.settings.floor.dummy is Dummy.BETTER and reason is not e.CancelReason.FOREIGN_CARD:
        meant = perfect(game_of(state.rules).tableau, (card for _, card in current.cards)).deal
        return better_of(state.rules, meant, current.wagers)
    return stakes_back(state.rules, current.wagers)


def card_out(state: TableState) -> bool:
    """May somebody have seen a card of the coup, even one that was taken back?"""
    dealt = state.round.phase in (Phase.DEALING, Phase.DECIDED)
    return dealt or (state.round.phase is Phase.CLOSED and state.floor.seen)


def _cancelling(state: TableState, command: c.CancelRound, staked: int) -> tuple[str, str]:
    """What the second person agrees to: the reason, the stakes and the cards that are out, in
    their order; and the same in words."""
    cards = [card for _, card in state.round.cards]
    terms = " ".join([str(command.reason), str(staked), *map(str, cards)])
    out = " ".join(card.face() for card in cards) or "none"
    words = (
        f"Cancel round {command.round} ({command.reason}). Cards out: {out}. Stakes: "
        f"{format_coins(staked)}."
    )
    return terms, words


def _call_off(state: TableState, command: c.CallOff, now: int) -> Sequence[e.Event]:
    """The dealer's own word: enough for one person's decision, and never a second person's."""
    check_dealer(state, command)
    before: list[e.Event] = []
    if state.result_known and not state.floor.considered and command.words:
        before = [e.RectificationConsidered(now, command.round, command.dealer, command.words)]
        state = replace(state, floor=replace(state.floor, considered=True))
    cancel = c.CancelRound(command.round, command.reason, command.dealer, command.alone)
    return [*before, *_cancel_round(state, cancel, now, pit=False)]


# ---- what several of them need ------------------------------------------------------------------


def terms_of(settings: Settings, shoe: bytes) -> Terms:
    """What a shoe of this name at a table of these settings promises."""
    shuffler = settings.source is Source.SHUFFLER
    return Terms(
        shoe=shoe,
        source=settings.source,
        decks=game_of(settings.rules).decks,
        cut=0 if shuffler else settings.cut,
        burn=Burn.NONE if shuffler else settings.burn,
        rules=rules_hash(settings.rules),
    )


def due_settings(state: TableState, now: int) -> Settings:
    """What the next shoe is made by: the settings, with what has been resolved by now."""
    return appeals.settings_due(state.settings, state.appeals.resolutions, now)


def check_settings(settings: Settings) -> None:
    """Can a table of these settings run? Refused when it cannot."""
    try:
        game = game_of(settings.rules)
        if settings.source is not Source.CARDS:  # there, the dealer says where the cut card is
            progress_of(terms_of(settings, bytes(16)))
        for bet in settings.limits.bets:
            game.bet(bet.bet)
            _check_range(bet.minimum, bet.maximum)
        _check_range(settings.limits.minimum, settings.limits.maximum)
        _check_excess(settings.floor.excess, game)
    except BaccaratError as error:
        raise Refused(Code.BAD_SETTINGS, str(error)) from error


def _check_excess(excess: Excess, game: Game) -> None:
    if excess is Excess.NEXT:
        raise BaccaratError(
            "excess = “next” would let players bet on a card that they have seen: write “burned”"
        )
    if excess is Excess.RETURNED and not game.card.procedures.reconstruction:
        raise BaccaratError(
            f"excess = “returned”: {game.card.name} does not declare reconstruction (R44); write "
            "“burned”"
        )


def _check_range(minimum: int | None, maximum: int | None) -> None:
    if minimum is not None and maximum is not None and minimum > maximum:
        raise BaccaratError(
            f"a minimum of {minimum} coins above a maximum of {maximum} lets no wager through: "
            "lower the one or raise the other"
        )


def _check_card(shoe: ShoeState, card: Any, *, place: int) -> None:
    """Is it the card whose turn it is? The message shows neither that card nor its position."""
    order = dealing_order(shoe.seed, shoe.terms.cards) if shoe.seed else ()
    if place >= len(order) or card.position != order[place]:
        words = f"position {card.position} of the shoe is not the one whose turn it is"
        raise Refused(Code.WRONG_CARD, words)
    if not proves(card, cards=shoe.terms.cards, root=shoe.root):
        words = f"the proof of position {card.position} does not lead to the root"
        raise Refused(Code.WRONG_CARD, words)


def _shoe(state: TableState) -> ShoeState:
    if state.shoe is None:
        raise Refused(Code.WRONG_PHASE, "there is no shoe at the table: commit to one first")
    return state.shoe


_DECIDE: dict[type[c.Command], Callable[[TableState, Any, int], Sequence[e.Event]]] = {
    c.OpenTable: _open_table,
    c.ChangeSettings: _change_settings,
    c.AdjustTable: _adjust_table,
    c.Notice: _notice,
    c.TakeLease: _take_lease,
    c.PauseTable: _pause,
    c.ResumeTable: _resume,
    c.PlaceWagers: _place_wagers,
    c.CommitContribution: _commit_contribution,
    c.RevealContribution: _reveal_contribution,
    c.CancelRound: _cancel_round,
    c.CallOff: _call_off,
    c.ProposeAgreement: _agreement,
    c.ConfirmAgreement: _agreement,
    c.DeclineAgreement: _agreement,
    c.EndAgreement: _agreement,
    c.ResolveAmbiguity: _dispute,
    c.WithdrawProposal: _dispute,
    c.CommitShoe: _commit_shoe,
    c.CloseContributions: _close_contributions,
    c.ReadyShoe: _ready_shoe,
    c.BurnCards: _burn_cards,
    c.OpenRound: _open_round,
    c.CloseBetting: _close_betting,
    c.DealCard: _deal_card,
    c.SettleRound: _settle_round,
    c.EndShoe: _end_shoe,
    **CONDUCT,
    **REMEDIES,
}
