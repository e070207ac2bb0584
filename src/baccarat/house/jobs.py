"""Commands as jobs for the store: what each must read, and what the desk makes of it.

In goes a command and a clock, out comes a `Job`. The clock is read when the job is asked, inside
the commit that makes it durable: a wager is in or out by that moment. The one rule: no decision
here; the table decides, the desk books.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import Protocol

from baccarat.house import cash, desk, leases, partners, staff_accounts
from baccarat.house.attempts import one_more
from baccarat.house.events import (
    OPERATOR,
    STREAM,
    AccountClosed,
    AccountOpened,
    AccountSuspended,
    CashVoided,
    ClockChanged,
    MoneyPaidIn,
    MoneyPaidOut,
    PasswordChanged,
    PasswordIssued,
    SignedIn,
    SignedOut,
    SignInFailed,
    SignInsLocked,
    SuspensionLifted,
    decode_house,
)
from baccarat.house.idempotency import Key, answer_of
from baccarat.house.ledger import bonus_account, real_account
from baccarat.house.outcomes import Moment, Outcome
from baccarat.house.ports import Beside, Job, Need, OpenSession, View, Write
from baccarat.house.profile import Conduct, default_conduct
from baccarat.house.roles import BY_TWO, Account, Role, check_active, check_two
from baccarat.house.safety import NOTHING
from baccarat.house.wallets import Wallet
from baccarat.table import commands as c
from baccarat.table import disputes
from baccarat.table.cases import ShoeKnown, case_of
from baccarat.table.events import BonusBreachFlagged, Event, LargeWinPaid, encode
from baccarat.table.refusals import Code, Refused
from baccarat.table.twopeople import after, both, check_confirmed, check_seen, withdraw

Clock = Callable[[], int]
"""Server time in milliseconds since 1970."""


@dataclass(frozen=True)
class Sender:
    """Who sends a command, the key they made for it, and what exactly they sent."""

    key: Key | None = None
    body: bytes = b""
    proposal: str | None = None
    """The digest of the proposal that the sender has seen and confirms: this very proposal is
    carried out, or nothing is done."""
    reason: str = ""
    """Why, for the second person where it takes two."""


ENDING = (c.SettleRound, c.PayRound, c.CancelRound, c.CallOff, c.RemedyError)
"""Commands after which everyone who wagered gets or gives."""
SECONDED = (
    *(c.CancelRound, c.DecideDispute, c.ResolveAmbiguity, c.RemedyError, c.DismissReport),
    c.ConfirmRectification,
    c.AdjustTable,
)
"""Commands that it may take two people to carry out."""
FOR_THE_PIT = frozenset({BonusBreachFlagged, LargeWinPaid})
"""Events that whoever causes them is not told of."""
NOBODY = Sender()
MOST_VOIDS = 2**31
"""All of them."""


def at_table(
    table: str,
    command: c.Command,
    clock: Clock,
    *,
    sender: Sender = NOBODY,
    sealed: tuple[bytes, bytes] | None = None,
    conduct: Conduct | None = None,
    cleared_at: int | None = None,
    shoe: ShoeKnown | None = None,
) -> Job:
    """A command at a table; with the encrypted secret of the shoe that it commits to, if any.

    For a dispute, `shoe` is what was known of the round's shoe some time before; what has followed
    in the journal is read inside the commit, so the case is the one at that moment.

    A wager is judged by the house's conduct, by when the register of exclusions cleared the
    player, and together with the wagers of those who are linked with them.
    """
    player = _whose(command)
    players = (player,) if player else ()
    need = Need(
        desk.table_stream(table),
        wallets=players,
        everyone=isinstance(command, ENDING),
        safety=players,
        linked=isinstance(command, c.PlaceWagers),
        people=_acting(command),
        proposals=isinstance(command, SECONDED),
    )

    of_house = conduct or default_conduct()

    def protection(view: View) -> desk.Protection:
        return desk.Protection(of_house, view.safety, view.position, cleared_at)

    if isinstance(command, c.PlaceWagers):
        wagers = command

        def place(view: View, taking: desk.WagerDesk) -> Write:
            first, balance = taking.sequence + 1, wallet(view, wagers.player)
            return told(taking.place(wagers, clock(), balance, protection(view)), first)

        return Job(need, place=place, key=sender.key, body=sender.body)

    def work(view: View) -> Write:
        standing = view.state.proposals if view.state else {}
        check_seen(standing, sender.proposal)
        for account in _acting(command):
            if account in view.people:  # not the operator, the house file or the alarm
                check_active(view.people[account])
        balance = wallet(view, player) if player else None
        state = view.state
        owing = state.may_be_corrected if isinstance(command, c.RemedyError) and state else ()
        outcome = desk.at_table(
            view.state,
            command,
            clock(),
            balance=balance,
            protection=protection(view),
            wallets={one: wallet(view, one) for one in owing},
            case=partial(_case, view, command, shoe),
            reason=sender.reason,
        )
        for event in outcome.events if need.proposals else ():
            for first, second in filter(None, [both(event)]):
                check_two(person(view, first), person(view, second), view.people)
        left = outcome.state.proposals if outcome.state else {}
        check_confirmed(standing, sender.proposal, outcome.events, left)
        write = written(outcome, view)
        return write if sealed is None else write._replace(beside=Beside(sealed=sealed))

    return Job(need, work, sender.key, sender.body)


def _whose(command: c.Command) -> str | None:
    """The player whose wallet the command looks at."""
    match command:
        case c.PlaceWagers():
            return command.player
        case c.DecideDispute():
            return command.player
    return None


def _acting(command: c.Command) -> tuple[str, ...]:
    """Accounts that must be active: who acts and, when a table is handed over, who gets it.

    A card that an electronic shoe sends has left it, whatever became of the dealer's account.
    """
    match command:
        case c.HandOver(accept=True):
            return (command.by, command.dealer)
        case c.PlaceCard(device=True):
            return ()
        case c.Conducted():
            return (command.dealer,)
    by = getattr(command, "by", "")
    return (by,) if by else ()


def _case(view: View, command: c.Command, shoe: ShoeKnown | None) -> disputes.Case:
    """The case of a dispute, by all that the table's journal holds now."""
    if shoe is None or not isinstance(command, c.OpenDispute | c.DecideDispute):
        raise ValueError(f"{type(command).__name__} came without the shoe of its round")
    events = shoe.with_later(view.later(shoe.through))
    return case_of(events, command.round, command.player)


def _in_house(view: View, sender: Sender, ask: Callable[[], Outcome]) -> Outcome:
    """What the house decides; where the sender confirms a proposal, that one and nothing else."""
    check_seen(view.proposals, sender.proposal)
    outcome = ask()
    left = reduce(after, outcome.events, view.proposals)
    check_confirmed(view.proposals, sender.proposal, outcome.events, left)
    return outcome


def open_house(name: str, currency: str, clock: Clock) -> Job:
    """The first event of a house; a house that is open stays as it is."""

    def work(view: View) -> Write:
        if view.head.sequence:
            return Write()
        return written(desk.open_house(name, currency, at=_moment(view, clock, None)), view)

    return Job(Need(STREAM), work)


def open_account(
    account: Account,
    clock: Clock,
    *,
    password: str | None = None,
    born: int | None = None,
    by: str = "",
    conduct: Conduct | None = None,
    given: bool = False,
    sender: Sender = NOBODY,
) -> Job:
    """A new account, with its hashed password and, for the house alone, the date of birth.

    A password that is `given` is an initial one: it expires, and its owner changes it first.
    """

    def work(view: View) -> Write:
        known, at = view.people.get(account.id), _moment(view, clock, conduct)
        ask = partial(desk.open_account, account, known=known, at=at, born=born, by=by)
        outcome = _in_house(view, sender, ask)
        write, opened = written(outcome, view), outcome.events[0]
        if not isinstance(opened, AccountOpened):  # it waits for a second person
            return write._replace(safety={})
        issuers = staff_accounts.issuers(account, view.people, opened.first, by)
        new = replace(account, issued_by=issuers)
        until = at.now + staff_accounts.INITIAL_LASTS if given else 0
        beside = Beside(person=new, password=password, since=at.now, expires_at=until)
        return write._replace(beside=beside)

    need = Need(
        STREAM,
        people=(account.id, by) if by else (account.id,),
        safety=(account.id,),
        proposals=account.role in BY_TWO,
    )
    return Job(need, work, sender.key, sender.body)


def withdraw_proposal(subject: str, by: str, clock: Clock) -> Job:
    """What waits for a second person in the house's journal is no longer wanted."""

    def work(view: View) -> Write:
        at = _moment(view, clock, None)
        return written(Outcome(tuple(withdraw(view.proposals, subject, by, at.now)), ()), view)

    return Job(Need(STREAM, proposals=True), work)


def change_password(account: str, password: str, clock: Clock, *, known_since: int) -> Job:
    """Another password, hashed, of somebody who knew the old one, which was set at `known_since`.

    If another was set meanwhile, or the account was suspended or closed, nothing is changed.
    """

    def work(view: View) -> Write:
        at = _moment(view, clock, None)
        check_active(person(view, account))
        if person(view, account).password_since != known_since:
            raise Refused(
                Code.NOT_ALLOWED, "the password has been changed meanwhile: sign in again"
            )
        done = written(Outcome((PasswordChanged(at.now, account),), ()), view)
        return done._replace(beside=Beside(new_password=(account, password, at.now)))

    return Job(Need(STREAM, people=(account,)), work)


def close_account(account: str, by: str, clock: Clock, *, sender: Sender = NOBODY) -> Job:
    """Nobody signs in with it from here on, and its sessions end."""

    def done(event: Event, *_: object) -> Beside | None:
        if not isinstance(event, AccountClosed):
            return None
        return Beside(new_password=(account, None, event.at), suspended=(account, event.at))

    return _about_staff(account, by, clock, staff_accounts.close, done, sender)


def issue_password(
    account: str, password: str, by: str, clock: Clock, *, sender: Sender = NOBODY
) -> Job:
    """A new initial password, hashed, for one of the staff; their sessions end."""

    def done(event: Event, known: Account, people: Mapping[str, Account]) -> Beside | None:
        if not isinstance(event, PasswordIssued):
            return None
        return Beside(
            new_password=(account, password, event.at),
            expires_at=event.expires_at,
            issued_by=(account, staff_accounts.issuers(known, people, event.first, by)),
        )

    return _about_staff(account, by, clock, staff_accounts.issue_password, done, sender)


def suspend_account(account: str, words: str, by: str, clock: Clock) -> Job:
    """Nobody signs in with it until the suspension is lifted, and its sessions end."""

    def ask(known: Account, *, by: str, at: Moment) -> Outcome:
        return staff_accounts.suspend(known, words, by=by, at=at)

    def done(event: Event, *_: object) -> Beside | None:
        suspended = isinstance(event, AccountSuspended)
        return Beside(suspended=(account, event.at)) if suspended else None

    return _about_staff(account, by, clock, ask, done)


def lift_suspension(account: str, by: str, clock: Clock, *, sender: Sender = NOBODY) -> Job:
    """Its owner may sign in again."""

    def done(event: Event, *_: object) -> Beside | None:
        lifted = isinstance(event, SuspensionLifted)
        return Beside(suspended=(account, 0)) if lifted else None

    return _about_staff(account, by, clock, staff_accounts.lift, done, sender)


class _AskAboutStaff(Protocol):
    def __call__(self, account: Account, /, *, by: str, at: Moment) -> Outcome: ...


def _about_staff(
    account: str,
    by: str,
    clock: Clock,
    ask: _AskAboutStaff,
    done: Callable[[Event, Account, Mapping[str, Account]], Beside | None],
    sender: Sender = NOBODY,
) -> Job:
    """What is asked about an account of the staff; `done` says what the first event changes."""

    def work(view: View) -> Write:
        known = person(view, account)
        if by != OPERATOR:
            person(view, by)
        at = _moment(view, clock, None)
        outcome = _in_house(view, sender, partial(ask, known, by=by, at=at))
        write = written(outcome, view)
        beside = done(outcome.events[0], known, view.people) if outcome.events else None
        return write._replace(beside=beside)

    return Job(Need(STREAM, people=(account, by), proposals=True), work)


@dataclass(frozen=True)
class Case:
    """What someone asks the house about a player."""

    player: Account
    by: Account
    balance: Wallet
    at: Moment
    view: View


def about_player(
    player: str,
    by: str,
    clock: Clock,
    ask: Callable[[Case], Outcome],
    *,
    conduct: Conduct | None = None,
    sender: Sender = NOBODY,
    linked: bool = False,
    proposals: bool = False,
    staff: bool = False,
) -> Job:
    """A job in the house's stream that concerns one player's money or protection.

    It locks what a wager of the player locks, so one of the two is first. With `staff`, it also
    reads what is counted of the one who asks.
    """

    def work(view: View) -> Write:
        at = replace(_moment(view, clock, conduct, player), reason=sender.reason)
        case = Case(person(view, player), person(view, by), wallet(view, player), at, view)
        return written(_in_house(view, sender, partial(ask, case)), view)

    need = Need(
        STREAM,
        wallets=(player,),
        people=(player, by),
        safety=(player, by) if staff else (player,),
        linked=linked,
        proposals=proposals,
    )
    return Job(need, work, sender.key, sender.body)


def pay_in(
    player: str,
    amount: int,
    by: str,
    clock: Clock,
    *,
    cleared_at: int | None = None,
    conduct: Conduct | None = None,
    alone: int | None = None,
    day_alone: int | None = None,
    sender: Sender = NOBODY,
) -> Job:
    """Money that a player brings; above `alone` coins in a gaming day, or `day_alone` that one
    person handled for all players, by two people."""

    def ask(case: Case) -> Outcome:
        return desk.pay_in(
            case.player,
            amount,
            by=case.by,
            at=case.at,
            cleared_at=cleared_at,
            others=partners.others_of(case.at.safety, case.view.safety),
            alone=alone,
            day_alone=day_alone,
            handler=case.view.safety[by],
        )

    return about_player(
        player,
        by,
        clock,
        ask,
        conduct=conduct,
        sender=sender,
        linked=True,
        proposals=True,
        staff=True,
    )


def pay_out(
    player: str,
    amount: int,
    by: str,
    clock: Clock,
    *,
    conduct: Conduct | None = None,
    alone: int | None = None,
    day_alone: int | None = None,
    sender: Sender = NOBODY,
) -> Job:
    """Money that a player takes home; above `alone` coins in a gaming day, or `day_alone` that one
    person handled for all players, by two people."""

    def ask(case: Case) -> Outcome:
        def staked() -> int:
            return case.view.position(player, case.at.now).staked_bonus

        return desk.pay_out(
            case.player,
            amount,
            balance=case.balance,
            by=case.by,
            at=case.at,
            staked=staked,
            alone=alone,
            day_alone=day_alone,
            handler=case.view.safety[by],
        )

    return about_player(
        player, by, clock, ask, conduct=conduct, sender=sender, proposals=True, staff=True
    )


def void_cash(
    player: str,
    entry: int,
    words: str,
    by: str,
    clock: Clock,
    *,
    cleared_at: int | None = None,
    conduct: Conduct | None = None,
    alone: int | None = None,
    day_alone: int | None = None,
    sender: Sender = NOBODY,
) -> Job:
    """Book a payment of the player, by its entry in the house's journal, back."""

    def ask(case: Case) -> Outcome:
        return cash.void(
            case.player,
            _payment(case.view, player, entry),
            entry,
            words,
            balance=case.balance,
            by=case.by,
            at=case.at,
            alone=alone,
            day_alone=day_alone,
            handler=case.view.safety[by],
            cleared_at=cleared_at,
            others=partners.others_of(case.at.safety, case.view.safety),
            staked=lambda: case.view.position(player, case.at.now).staked_bonus,
        )

    return about_player(
        player,
        by,
        clock,
        ask,
        conduct=conduct,
        sender=sender,
        linked=True,
        proposals=True,
        staff=True,
    )


def _payment(view: View, player: str, entry: int) -> MoneyPaidIn | MoneyPaidOut:
    """A payment of the player that has not been voided, as the journal has it."""
    for kind in (MoneyPaidIn, MoneyPaidOut):
        for number, body in view.entries(kind.__name__, entry - 1, 1):
            event = decode_house(body)
            if number == entry and isinstance(event, kind) and event.account == player:
                _check_not_voided(view, entry)
                return event
    words = f"entry {entry} is not a payment of {player}: choose one of their bookings"
    raise Refused(Code.NOT_ALLOWED, words)


def _check_not_voided(view: View, entry: int) -> None:
    """Voids come after what they void, and there are few."""
    for _, body in view.entries(CashVoided.__name__, entry, MOST_VOIDS):
        event = decode_house(body)
        if isinstance(event, CashVoided) and event.entry == entry:
            raise Refused(Code.NOT_ALLOWED, f"entry {entry} has been voided already")


def give_play_money(guest: str, amount: int, clock: Clock, *, sender: Sender = NOBODY) -> Job:
    def ask(case: Case) -> Outcome:
        return desk.give_play_money(case.player, amount, at=case.at)

    return about_player(guest, guest, clock, ask, sender=sender)


def sign_in_failed(counted: Mapping[str, int], account: str | None, clock: Clock) -> Job:
    """Somebody did not know a password; of an account, if there is one.

    `counted` are digests of the name with a place, and how many wrong passwords each allows.
    """

    def work(view: View) -> Write:
        at = _moment(view, clock, None)
        new = {name: one_more(view.attempts.get(name), at.now) for name in counted}
        events: list[Event] = []
        if account is not None:
            events.append(SignInFailed(at.now, account))
            for name, most in counted.items():
                until = new[name].locked_until(at.now, most)
                if until is not None and new[name].wrong == most:
                    events.append(SignInsLocked(at.now, account, most, until))
        write = written(Outcome(tuple(events), ()), view)
        return write._replace(beside=Beside(attempts={**new}))

    return Job(Need(STREAM, attempts=tuple(counted)), work)


def password_known(forgiven: Sequence[str], known_place: tuple[str, int] | None) -> Job:
    """Somebody did know it: wrong passwords before no longer count, and the place is known."""
    beside = Beside(attempts=dict.fromkeys(forgiven), known_place=known_place)
    return Job(Need(STREAM), lambda _: Write(beside=beside))


def session_begun(account: Account, session: OpenSession, clock: Clock) -> Job:
    """Somebody signed in; of the staff, the journal says so too."""

    def work(view: View) -> Write:
        at = _moment(view, clock, None)
        staff = account.role is not Role.PLAYER
        events = (SignedIn(at.now, account.id, session.digest),) if staff else ()
        return written(Outcome(events, ()), view)._replace(beside=Beside(session=session))

    return Job(Need(STREAM), work)


def session_seen(session: OpenSession) -> Job:
    """A session goes on."""
    return Job(Need(STREAM), lambda _: Write(beside=Beside(session=session)))


def signed_out(account: str, session: str, clock: Clock) -> Job:
    """A session, by its digest, is over."""

    def work(view: View) -> Write:
        at = _moment(view, clock, None)
        done = written(Outcome((SignedOut(at.now, account, session),), ()), view)
        return done._replace(beside=Beside(ended=session))

    return Job(Need(STREAM), work)


def clock_changed(server: str, milliseconds: int, clock: Clock) -> Job:
    """A server's clock has jumped."""

    def work(view: View) -> Write:
        at = _moment(view, clock, None)
        return written(Outcome((ClockChanged(at.now, server, milliseconds),), ()), view)

    return Job(Need(STREAM), work)


def take_lease(table: str, holder: str, clock: Clock, *, term: int) -> Job:
    """Drive a table from now on; the answer is the epoch."""

    def work(view: View) -> Write:
        return leases.take(view, holder=holder, now=clock(), term=term)

    return Job(Need(desk.table_stream(table), lease=True), work)


def renew_lease(table: str, epoch: int, clock: Clock, *, term: int) -> Job:
    """Go on driving it; with a term of 0, stop."""

    def work(view: View) -> Write:
        return leases.renew(view, epoch=epoch, now=clock(), term=term)

    return Job(Need(desk.table_stream(table), lease=True), work)


def be_up(holder: str, clock: Clock, *, term: int) -> Job:
    """This server is up; with a term of 0, it goes."""
    return Job(Need(STREAM), lambda _: leases.be_up(holder=holder, now=clock(), term=term))


def wallet(view: View, player: str) -> Wallet:
    """A player's coins, as the view has them."""
    balances = view.balances
    return Wallet(balances.get(real_account(player), 0), balances.get(bonus_account(player), 0))


def person(view: View, account: str) -> Account:
    if account not in view.people:
        raise Refused(Code.NO_SUCH_ACCOUNT, f"there is no account {account!r}: open it first")
    return view.people[account]


def _moment(view: View, clock: Clock, conduct: Conduct | None, player: str | None = None) -> Moment:
    safety = view.safety[player] if player else NOTHING
    about = (conduct or default_conduct(), safety, view.proposals, view.people)
    return Moment(_now(view, clock), _next(view), *about)


def _now(view: View, clock: Clock) -> int:
    return max(clock(), view.at)


def _next(view: View) -> int:
    return view.head.sequence + 1


def written(outcome: Outcome, view: View) -> Write:
    """All of an outcome, whose events come next in the stream."""
    return told(outcome, _next(view))


def told(outcome: Outcome, first: int) -> Write:
    """All of an outcome, and what its sender is told where the events are not all of it."""
    events, transactions, state, safety, warnings = outcome
    bodies, answer = [encode(event) for event in events], None
    if warnings or not FOR_THE_PIT.isdisjoint(map(type, events)):
        told_of = zip(events, bodies, strict=True)
        public = [body for event, body in told_of if type(event) not in FOR_THE_PIT]
        answer = answer_of(first, public, warnings)
    return Write(bodies, transactions, state, answer, safety)
