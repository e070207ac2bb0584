"""The desk, which decides the outcome of a command at a table and the money that it moves.

This module does no I/O. An `Outcome` holds the events for the journal and the transactions for the
ledger, which are written together or not at all.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

import msgspec

from baccarat.core.text import Coins
from baccarat.core.wagers import NO_WAGERS, PlacedWagers
from baccarat.house.events import LimitKind
from baccarat.house.money import bonus
from baccarat.house.money.corrections import corrections
from baccarat.house.money.ledger import Transaction, of_table_event, of_wagers
from baccarat.house.money.wallets import Wallet, funded
from baccarat.house.outcomes import Outcome
from baccarat.house.people.partners import check_together, others_of
from baccarat.house.people.roles import is_guest
from baccarat.house.safety import record as sf
from baccarat.house.safety.periods import Period, start_of
from baccarat.house.safety.profiles import Breach, Conduct
from baccarat.house.safety.record import Position, Safety
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.codec import Values
from baccarat.table.decide import decide
from baccarat.table.disputes.decisions import CaseNow
from baccarat.table.four_eyes.proposals import explained
from baccarat.table.journal import table_stream
from baccarat.table.refusals import Code, Message, Refused
from baccarat.table.rules import game_of
from baccarat.table.state import TableState, apply, with_agreement, with_wagers
from baccarat.table.wagers import WagerTerms, accepted


class Protection(NamedTuple):
    """Facts that player protection depends on, in addition to the table and the wallet."""

    conduct: Conduct
    safety: Mapping[str, Safety]
    position: Callable[[str, int], Position]
    """Returns a player's position since a given time; called only by the few commands that need
    it."""
    cleared_at: int | None = None
    """When the exclusion register last confirmed that the player may play."""


def at_table(
    state: TableState | None,
    command: c.Command,
    now: int,
    protection: Protection,
    *,
    wallets: Mapping[str, Wallet] | None = None,
    case: CaseNow | None = None,
    reason: str = "",
) -> Outcome:
    """Return the outcome of a command at a table, other than placing wagers.

    `wallets` are the wallets of all players whose rounds can still be corrected. `case` computes
    the case of a dispute from the current journal. `reason` is shown to the second person if two
    people are needed.
    """
    if isinstance(command, c.DecideDispute):
        command = _with_day(state, command, now, protection)
    decided = (explained(event, reason) for event in decide(state, command, now, case))
    corrected = (
        with_corrections(event, wallets or {}) if isinstance(event, e.RoundCorrected) else event
        for event in decided
    )
    events = tuple(_with_large_wins(corrected, protection.conduct.large_win))
    made: list[Transaction] = []
    known: dict[str, Safety] = {}
    for event in events:
        if state is not None:
            stream, sequence = table_stream(state.table), state.sequence + 1
            made += of_table_event(state, event, stream=stream, sequence=sequence)
        if isinstance(event, e.RoundSettled):
            known |= bonus.wagered(event, protection.safety)
        if isinstance(event, e.DisputeDecided):
            known |= _decided_alone(event, protection)
        state = apply(state, event)
    return Outcome(events, tuple(made), state, known)


def _with_day(
    state: TableState | None, command: c.DecideDispute, now: int, protection: Protection
) -> c.DecideDispute:
    """Return the command with the gaming day and the amount its sender has decided alone that day.

    Disputes over play money do not count.
    """
    if is_guest(command.player):
        return msgspec.structs.replace(command, day_alone=None)
    now = max(now, state.at if state else 0)
    day = start_of(Period.DAY, now, protection.conduct.gaming_day)
    used = sf.count_in(protection.safety[command.by], sf.DECIDED_ALONE, day)
    return msgspec.structs.replace(command, day=day, used=used)


def _decided_alone(event: e.DisputeDecided, protection: Protection) -> dict[str, Safety]:
    """Return the updated record of the person who decided alone; empty if two people decided."""
    if len(event.by) > 1 or is_guest(event.player):
        return {}
    (by,), paid = event.by, event.after.net - event.before.net
    gaming_day = protection.conduct.gaming_day
    return {by: sf.handled(protection.safety[by], sf.DECIDED_ALONE, paid, event.at, gaming_day)}


class WagerDesk:
    """Accepts wagers at one table, one after another; they are committed together.

    Values that all wagers share are computed once. The table's state after the wagers is computed
    only on request.
    """

    def __init__(self, state: TableState | None) -> None:
        if state is None:
            raise Refused(Code.NO_SUCH_TABLE, "table-not-opened")
        self._before, self._terms = state, WagerTerms(state)
        self._least_age = game_of(state.rules).card.notice.minimum_age
        self._stream = table_stream(state.table)
        self._standing = dict(state.round.wagers)
        self._at = state.at
        self.sequence = state.sequence
        """Sequence number of the last event."""

    @property
    def state(self) -> TableState:
        return with_wagers(self._before, self._standing, sequence=self.sequence, at=self._at)

    def place(
        self, command: c.PlaceWagers, now: int, balance: Wallet, protection: Protection
    ) -> Outcome:
        """Place a player's wagers, or raise Refused with the first reason.

        The outcome does not contain the table's state; see `state`.
        """
        now, player = max(now, self._at), command.player
        safety = protection.safety[player]
        if command.wagers:  # withdrawing is always allowed
            check_play(player, now, protection, self._least_age)
        made, state, terms = self._accepting(command, now)
        total = terms.check(command, now, self._standing)  # check the rules before the money
        if safety.partners:
            check_together(state, command, safety.partners, self._standing)
        before, agreed = self._standing.get(player, NO_WAGERS), state.agreed(player)
        stood = before.real
        coins = self._bonus_needed(command.player, total, now, balance, protection)
        placed = PlacedWagers(command.wagers, agreed if command.wagers else (), coins)
        if placed == before:
            return Outcome()  # nothing has changed
        event = e.WagersPlaced(now, command.round, player, placed.wagers, placed.agreed, coins)
        more = total - coins - stood
        events: tuple[e.Event, ...] = (*made, event)
        after, warnings = _within_limits(event, stood, more, balance, protection)
        if coins or safety.partners:
            flags, words = self._check_breach(event, agreed, safety, protection.conduct)
            events, warnings = events + flags, warnings + words
        if command.wagers:
            after = sf.wagered(after, now, protection.conduct.gaming_day)
        known = {player: after} if after is not safety else {}
        sequence, more_bonus = self.sequence + len(made) + 1, coins - before.bonus
        moved = of_wagers(state.table, player, self._stream, sequence, real=more, bonus=more_bonus)
        self.sequence += len(events)
        self._before, self._terms, self._at = state, terms, now
        if placed.wagers:
            self._standing[player] = placed
        else:
            self._standing.pop(player, None)
        return Outcome(events, moved, None, known, warnings)

    def trial(
        self, command: c.PlaceWagers, now: int, balance: Wallet, protection: Protection
    ) -> bonus.GroupWagers:
        """Return the figures that the bonus rule (R37) depends on, without placing the wagers.

        Raise Refused if the table's rules forbid the wagers, or if the player has too little money.
        """
        player, now = command.player, max(now, self._at)
        _, state, terms = self._accepting(command, now)
        total = terms.check(command, now, self._standing)
        coins = self._bonus_needed(player, total, now, balance, protection)
        placed = PlacedWagers(command.wagers, state.agreed(player), coins)
        return self._together(player, placed, protection.safety[player])

    def _accepting(
        self, command: c.PlaceWagers, now: int
    ) -> tuple[tuple[e.Event, ...], TableState, WagerTerms]:
        """Return the event of any agreement that the command makes, and the new state and terms."""
        made = accepted(self._before, command, now)
        if made is None:  # the usual case
            return (), self._before, self._terms
        state = with_agreement(self._before, made)
        return (made,), state, WagerTerms(state)

    def _bonus_needed(
        self, player: str, total: int, now: int, balance: Wallet, protection: Protection
    ) -> int:
        """Return the bonus coins in a stake, or raise Refused if the player has too little."""
        before = self._standing.get(player, NO_WAGERS)
        if total <= balance.real + before.real:  # the usual case
            return 0
        if not bonus.is_open(protection.safety[player], now):
            balance = Wallet(balance.real)
        staked = Wallet(before.real, before.bonus)
        coins = funded(total, balance=balance, staked=staked).bonus
        if coins > before.bonus:
            bonus.check_real_first(protection.position(player, now).staked - before.real)
        return coins

    def _together(self, player: str, placed: PlacedWagers, safety: Safety) -> bonus.GroupWagers:
        rules, partners = self._before.rules, safety.partners
        return bonus.combined_wagers(self._standing, player, placed, rules=rules, partners=partners)

    def _check_breach(
        self, event: e.WagersPlaced, agreed: Values, safety: Safety, conduct: Conduct
    ) -> tuple[tuple[e.Event, ...], tuple[Message, ...]]:
        """Refuse or flag wagers that breach R37, depending on the house's setting.

        Flagged wagers are accepted with a warning. Withdrawing wagers is never refused.
        """
        found = self._together(
            event.player, PlacedWagers(event.wagers, agreed, event.bonus), safety
        )
        if not found.breaches:
            return (), ()
        if conduct.bonus.breach is Breach.REFUSE and event.wagers:
            raise found.refusal
        flag = e.BonusBreachFlagged(
            event.at,
            event.round,
            event.player,
            found.players,
            tuple(sorted(found.bets)),
            f"{found.chance.numerator}/{found.chance.denominator}",
            found.stake,
            found.bonus,
        )
        return (flag,), (found.refusal.message,)


def check_play(player: str, now: int, protection: Protection, least_age: int | None) -> None:
    """Raise Refused, with the first reason found, if a player may not wager now.

    `least_age` is the minimum age that the rule card requires, if any.
    """
    safety, conduct, guest = protection.safety[player], protection.conduct, is_guest(player)
    others = others_of(safety, protection.safety) if safety.partners else ()
    sf.check_open(safety, now, conduct.gaming_day, others=others)
    if not guest:
        sf.check_register(conduct, protection.cleared_at, now)
        sf.check_age(safety.born, conduct, now, least_age)
    if sf.check_due(safety, conduct, now, guest=guest):
        raise Refused(Code.REALITY_CHECK, "reality-check")
    sf.check_time(safety, conduct, now)


def _within_limits(
    event: e.WagersPlaced, stood: int, more: int, balance: Wallet, protection: Protection
) -> tuple[Safety, tuple[Message, ...]]:
    """Check the stake cap and the loss limits; return the updated record and warnings.

    `stood` is the real money staked before, and `more` is the real money added (negative if some is
    withdrawn). A change that does not increase the stake is never refused.
    """
    player, now = event.player, event.at
    conduct, safety = protection.conduct, protection.safety[player]
    if (conduct.stake_cap is None and not safety.limits) or is_guest(player):
        return safety, ()
    real = stood + more
    if conduct.stake_cap is not None and real > max(conduct.stake_cap, stood):
        raise Refused(
            Code.STAKE_CAP,
            "stake-cap",
            total=Coins(real),
            most=Coins(conduct.stake_cap),
        )
    if not safety.limits:
        return safety, ()
    safety, lost = _loss_tallies(player, balance, now, protection)
    sf.check_loss(lost, safety, more=more, stands=stood, now=now, conduct=conduct)
    used = {(LimitKind.LOSS, period): coins + more for period, coins in lost.items()}
    for period in Period:
        used[LimitKind.TIME, period] = sf.time_played(safety, period, now, conduct.gaming_day)
    warned = (
        sf.warning(kind, period, amount, most, conduct)
        for (kind, period), amount in used.items()
        if (most := sf.limit_of(safety, kind, period)) is not None
    )
    return safety, tuple(filter(None, warned))


def _loss_tallies(
    player: str, balance: Wallet, now: int, protection: Protection
) -> tuple[Safety, dict[Period, int]]:
    """Return the record with its loss tallies updated, and the amount lost or at stake by period.

    Only periods with a loss limit are included; the new wager does not count yet. The ledger is
    read once per period. After that, the tally holds the balance that the wallet would have without
    play; the amount lost or at stake is the tally minus the actual balance.
    """
    safety, gaming_day = protection.safety[player], protection.conduct.gaming_day
    tallies, lost = dict(safety.tallies), {}
    for period, _ in sf.limits_of(safety, LimitKind.LOSS):
        start, key = start_of(period, now, gaming_day), sf.tally_key(LimitKind.LOSS, period)
        if key not in tallies or tallies[key].start != start:
            at_risk = protection.position(player, start).at_risk
            tallies[key] = sf.Tally(start, balance.real + at_risk)
        lost[period] = tallies[key].amount - balance.real
    return msgspec.structs.replace(safety, tallies=tallies), lost


def with_corrections(event: e.RoundCorrected, wallets: Mapping[str, Wallet]) -> e.RoundCorrected:
    """Return the event with each player's correction, computed from the players' balances."""
    moved = corrections(event.paid_before, event.results, wallets)
    return msgspec.structs.replace(event, corrections=moved)


def _with_large_wins(events: Iterable[e.Event], limit: int) -> Iterator[e.Event]:
    """Yield each event, followed by a LargeWinPaid for each large win that it pays (G23)."""
    before: dict[str, int]
    results: tuple[e.PlayerResult, ...]
    for event in events:
        yield event
        match event:
            case e.RoundSettled() | e.RoundCancelled():
                before, results = {}, event.results
            case e.RoundCorrected():
                before = {result.player: result.net for result in event.paid_before}
                results = event.results
            case e.DisputeDecided():
                before, results = {event.player: event.before.net}, (event.after,)
            case _:
                continue
        for result in results:
            more = result.net > before.get(result.player, 0)
            if result.net >= limit and more and not is_guest(result.player):
                yield e.LargeWinPaid(event.at, event.round, result.player, result.net, limit)
