"""The desk: a command, the table or account it concerns, and the wallet, to all that it does.

In go values, out comes an `Outcome`: the events for the journal and the transactions for the
ledger, to be written together or not at all. The service reads, asks the desk, writes, and answers.
The one rule: whatever moves money goes through here, so events and money never part.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from baccarat.core.text import Coins
from baccarat.house import bonus, cash
from baccarat.house import events as h
from baccarat.house import safety as sf
from baccarat.house.corrections import corrections
from baccarat.house.events import LimitKind
from baccarat.house.ledger import Transaction, of_table_event, of_wagers
from baccarat.house.names import fault_of, imitation_of
from baccarat.house.outcomes import (
    Moment,
    Outcome,
    check_amount,
    check_covered,
    check_money,
    in_house,
)
from baccarat.house.partners import check_together, others_of
from baccarat.house.periods import Period, start_of
from baccarat.house.profile import Breach, Conduct
from baccarat.house.roles import BY_TWO, Account, Action, Role, check_may, is_guest
from baccarat.house.safety import Position, Safety
from baccarat.house.seconding import decided
from baccarat.house.staff_accounts import OPEN
from baccarat.house.wallets import Wallet, funded
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.agreements import Values
from baccarat.table.appeals import CaseNow
from baccarat.table.decide import NOT_OPENED, decide, wagers_placed
from baccarat.table.placed import NO_WAGERS, Placed
from baccarat.table.refusals import Code, Refused
from baccarat.table.remedies import settled_again
from baccarat.table.rules import game_of
from baccarat.table.state import TableState, apply, with_wagers
from baccarat.table.twopeople import Motion, explained, opening
from baccarat.table.wagering import WagerTerms


class Protection(NamedTuple):
    """All that is looked at for a player's protection besides the table and the wallet."""

    conduct: Conduct
    safety: Mapping[str, Safety]
    position: Callable[[str, int], Position]
    """How a player stands since a time: asked of few."""
    cleared_at: int | None = None
    """When the register of exclusions last said that the player may play."""


def table_stream(table: str) -> str:
    """The name of a table's stream in the journal."""
    return f"table:{table}"


def at_table(
    state: TableState | None,
    command: c.Command,
    now: int,
    *,
    balance: Wallet | None = None,
    protection: Protection | None = None,
    wallets: Mapping[str, Wallet] | None = None,
    case: CaseNow | None = None,
    reason: str = "",
) -> Outcome:
    """What a command does at a table.

    The balance is that of the player who wagers; the wallets are those of everyone whose money a
    round may still move; the case is that of the dispute, as the journal has it now; the reason is
    for the second person, where it takes two.
    """
    if isinstance(command, c.PlaceWagers):
        taking = WagerDesk(state)
        outcome = taking.place(command, now, balance or Wallet(0), protection)
        return outcome._replace(state=taking.state)
    events = tuple(explained(event, reason) for event in decide(state, command, now, case))
    if state is not None and isinstance(command, c.RemedyError):
        events = tuple(_with_corrections(state, event, wallets or {}) for event in events)
    elif protection is not None:
        events = tuple(_with_large_wins(events, protection.conduct.large_win))
    made: list[Transaction] = []
    known: dict[str, Safety] = {}
    for event in events:
        if state is not None:
            made += _booked(state, event)
        if protection is not None and isinstance(event, e.RoundSettled):
            known |= bonus.wagered(event, protection.safety)
        state = apply(state, event)
    return Outcome(events, tuple(made), state, known)


def _booked(state: TableState, event: e.Event) -> tuple[Transaction, ...]:
    stream = table_stream(state.table)
    return of_table_event(state, event, stream=stream, sequence=state.sequence + 1)


class WagerDesk:
    """Wagers at one table, taken one after the other: as many as come in one commit.

    What holds for all of them is found once. The table's state is made when it is asked for, and is
    the one that their events lead to.
    """

    def __init__(self, state: TableState | None) -> None:
        if state is None:
            raise Refused(Code.NO_SUCH_TABLE, NOT_OPENED)
        self._before, self._terms = state, WagerTerms(state)
        self._least_age = game_of(state.rules).card.notice.minimum_age
        self._stream = table_stream(state.table)
        self._standing = dict(state.round.wagers)
        self._at = state.at
        self.sequence = state.sequence
        """Of the last event."""

    @property
    def state(self) -> TableState:
        return with_wagers(self._before, self._standing, sequence=self.sequence, at=self._at)

    def place(
        self, command: c.PlaceWagers, now: int, balance: Wallet, protection: Protection | None
    ) -> Outcome:
        """What they do, but for the state, or Refused for the first reason in its order."""
        now, player = max(now, self._at), command.player
        safety = sf.NOTHING if protection is None else protection.safety[player]
        if protection is not None and command.wagers:  # withdrawing is always possible
            self._check_play(player, now, protection)
        total = self._terms.check(command, now, self._standing)  # the rules first, then the money
        if safety.partners:
            check_together(self._before, command, safety.partners, self._standing)
        if not bonus.is_open(safety, now):
            balance = Wallet(balance.real)
        before, agreed = self._standing.get(player, NO_WAGERS), self._before.agreed(player)
        stood = before.real
        coins = 0
        if total > balance.real + stood:  # seldom: real money does not cover it
            coins = funded(total, balance=balance, staked=Wallet(stood, before.bonus)).bonus
        placed = Placed(command.wagers, agreed if command.wagers else (), coins)
        if placed == before:
            return Outcome((), ())  # nothing changes, so nothing happened
        event = wagers_placed(command, placed, now)
        more = total - coins - stood
        events: tuple[e.Event, ...] = (event,)
        warnings: tuple[str, ...] = ()
        known: dict[str, Safety] = {}
        if protection is not None:
            after, warnings = _within_limits(event, stood, more, balance, protection)
            if coins or safety.partners:
                flags, words = self._check_breach(event, agreed, safety, protection.conduct)
                events, warnings = events + flags, warnings + words
            if command.wagers:
                after = sf.wagered(after, now, protection.conduct.zone)
            if after is not safety:
                known = {player: after}
        table, sequence, more_bonus = self._before.table, self.sequence + 1, coins - before.bonus
        made = of_wagers(table, player, self._stream, sequence, real=more, bonus=more_bonus)
        self.sequence += len(events)
        self._at = now
        if placed.wagers:
            self._standing[player] = placed
        else:
            self._standing.pop(player, None)
        return Outcome(events, made, None, known, warnings)

    def _check_play(self, player: str, now: int, protection: Protection) -> None:
        safety = protection.safety[player]
        sf.check_play(
            safety,
            protection.conduct,
            now,
            guest=is_guest(player),
            least_age=self._least_age,
            cleared_at=protection.cleared_at,
            others=others_of(safety, protection.safety) if safety.partners else (),
        )

    def _check_breach(
        self, event: e.WagersPlaced, agreed: Values, safety: Safety, conduct: Conduct
    ) -> tuple[tuple[e.Event, ...], tuple[str, ...]]:
        """R37: refused, or flagged by an event and in words; a withdrawal is never refused."""
        found = bonus.together(
            self._standing,
            event.player,
            Placed(event.wagers, agreed, event.bonus),
            rules=self._before.rules,
            partners=safety.partners,
        )
        if not found.breaches:
            return (), ()
        if conduct.bonus.breach is Breach.REFUSE and event.wagers:
            raise Refused(Code.BONUS_BREACH, found.words)
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
        return (flag,), (found.words,)


def _within_limits(
    event: e.WagersPlaced, stood: int, more: int, balance: Wallet, protection: Protection
) -> tuple[Safety, tuple[str, ...]]:
    """The stake cap, and limits on losses; what comes nearer to no limit is never refused.

    Of real money, `stood` coins were staked before, and `more` are now, or below zero fewer.
    """
    player, now = event.player, event.at
    conduct, safety = protection.conduct, protection.safety[player]
    if (conduct.stake_cap is None and not safety.limits) or is_guest(player):
        return safety, ()
    real = stood + more
    if conduct.stake_cap is not None and real > max(conduct.stake_cap, stood):
        raise Refused(
            Code.STAKE_CAP,
            "these wagers come to {total}: {most} is the most that one player may stake on a round "
            "in this house",
            total=Coins(real),
            most=Coins(conduct.stake_cap),
        )
    if not safety.limits:
        return safety, ()
    safety, lost = loss_tallies(
        safety, balance, now, conduct, lambda since: protection.position(player, since).at_risk
    )
    sf.check_loss(lost, safety, more=more, stands=stood, now=now, conduct=conduct)
    used = {(LimitKind.LOSS, period): coins + more for period, coins in lost.items()}
    for period in Period:
        used[LimitKind.TIME, period] = sf.played(safety, period, now, conduct.zone)
    warned = (
        sf.warning(kind, period, amount, most, conduct)
        for (kind, period), amount in used.items()
        if (most := sf.limit_of(safety, kind, period)) is not None
    )
    return safety, tuple(words for words in warned if words)


def loss_tallies(
    safety: Safety, balance: Wallet, now: int, conduct: Conduct, at_risk: Callable[[int], int]
) -> tuple[Safety, dict[Period, int]]:
    """What is lost or at stake in each period that has a limit, before the wager.

    The ledger is asked once a period. From then on, what the wallet would hold without play less
    what it holds is what was lost or is at stake, to the coin.
    """
    tallies, lost = dict(safety.tallies), {}
    for period, _ in sf.loss_limits(safety):
        start, key = start_of(period, now, conduct.zone), sf.tally_key(LimitKind.LOSS, period)
        if key not in tallies or tallies[key].start != start:
            tallies[key] = sf.Tally(start, balance.real + at_risk(start))
        lost[period] = tallies[key].amount - balance.real
    return replace(safety, tallies=tallies), lost


def correction_of(
    state: TableState, command: c.RemedyError, now: int, wallets: Mapping[str, Wallet]
) -> e.RoundCorrected:
    """What settling a round again would move, by the very code that does it; nothing is done."""
    new = _with_corrections(state, settled_again(state, command, now), wallets)
    assert isinstance(new, e.RoundCorrected)  # noqa: S101
    return new


def _with_corrections(state: TableState, event: e.Event, wallets: Mapping[str, Wallet]) -> e.Event:
    past = state.floor.round(event.round) if isinstance(event, e.RoundCorrected) else None
    if past is None or not isinstance(event, e.RoundCorrected):
        return event
    return replace(event, corrections=corrections(past.results, event.results, wallets))


def _with_large_wins(events: Iterable[e.Event], limit: int) -> Iterator[e.Event]:
    """Each settlement with the wins that the house wants to know of (G23)."""
    for event in events:
        yield event
        if isinstance(event, e.RoundSettled):
            for one in event.results:
                if one.net >= limit and not is_guest(one.player):
                    yield e.LargeWinPaid(event.at, event.round, one.player, one.net, limit)


def open_house(name: str, currency: str, *, at: Moment) -> Outcome:
    """The first event of the house's own stream."""
    return in_house(at, h.HouseOpened(at.now, name, currency))


def open_account(
    account: Account,
    *,
    known: Account | None,
    at: Moment,
    born: int | None = None,
    by: str = "",
) -> Outcome:
    """A new account; ids are given once, players are old enough, and two people of the pit open
    one of the pit or of a cashier (the operator's command line opens the first)."""
    from_inside = by not in ("", h.OPERATOR)
    if from_inside:
        check_may(at.people[by], Action.OPEN_ACCOUNT)
    if known is not None:
        raise Refused(Code.NO_SUCH_ACCOUNT, f"{account.id} is taken: choose another name")
    fault = fault_of(account.name)
    if fault is None and account.role is Role.PLAYER and not account.guest:
        fault = imitation_of(account.name)
    if fault is not None:
        raise Refused(Code.NOT_ALLOWED, f"the name {account.name!r} {fault}")
    if account.role is Role.PLAYER and not account.guest:
        sf.check_age(born, at.conduct, at.now, remedy="give it with the new account (born)")
    given = (account.id, account.role, account.name, account.guest)
    words = f"Open an account for {account.name} ({account.id}, {account.role})"
    return decided(
        Motion(opening(account.id), f"{OPEN} {account.role} {account.name}", words, by),
        lambda first: h.AccountOpened(at.now, *given, by, first),
        two=account.role in BY_TWO and from_inside,
        at=replace(at, safety=Safety(born=born)),
        player=account.id,
    )


def pay_in(
    player: Account,
    amount: int,
    *,
    by: Account,
    at: Moment,
    cleared_at: int | None = None,
    others: Iterable[Safety] = (),
    alone: int | None = None,
    day_alone: int | None = None,
    handler: Safety = sf.NOTHING,
) -> Outcome:
    """Money that a player brings to the cashier; the others are those linked with them.

    Above `alone` coins for the player in a gaming day, or `day_alone` by the one person for all
    players (`handler` is what is known of them), a second person confirms it.
    """
    asked = cash.asked(
        player.id, amount, cash.IN, by=by, at=at, alone=alone, day_alone=day_alone, handler=handler
    )
    check_money(player, amount)
    sf.check_open(at.safety, at.now, at.conduct.zone, others=others, to_staff=True)
    sf.check_register(at.conduct, cleared_at, at.now)
    sf.check_deposit(at.safety, amount, at.now, at.conduct)
    paid = (at.now, player.id, amount, by.id, alone)
    return asked.decided(lambda first: h.MoneyPaidIn(*paid, first, asked.day, day_alone))


def pay_out(
    player: Account,
    amount: int,
    *,
    balance: Wallet,
    by: Account,
    at: Moment,
    staked: Callable[[], int] = lambda: 0,
    alone: int | None = None,
    day_alone: int | None = None,
    handler: Safety = sf.NOTHING,
) -> Outcome:
    """Real money that a player takes home: always possible. Bonus money may be forfeited by it, in
    the wallet and on tables (`staked`).

    Above `alone` coins for the player in a gaming day, or `day_alone` by the one person for all
    players (`handler` is what is known of them), a second person confirms it.
    """
    asked = cash.asked(
        player.id, amount, cash.OUT, by=by, at=at, alone=alone, day_alone=day_alone, handler=handler
    )
    check_money(player, amount)
    before = bonus.on_withdrawal(player.id, balance, at, staked=staked)
    released = sum(one.amount for one in before if isinstance(one, h.BonusReleased))
    check_covered(amount, balance.real + released)
    paid = (at.now, player.id, amount, by.id, alone)
    return asked.decided(lambda first: h.MoneyPaidOut(*paid, first, asked.day, day_alone), before)


def give_play_money(guest: Account, amount: int, *, at: Moment) -> Outcome:
    """What a guest plays with; nobody can pay it out."""
    check_amount(amount)
    if not guest.guest:
        raise Refused(Code.NOT_ALLOWED, f"{guest.name} is no guest: play money is for guests")
    return in_house(at, h.PlayMoneyGiven(at.now, guest.id, amount), player=guest.id)
