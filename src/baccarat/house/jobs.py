"""Commands as jobs for the store: what each must read, and what the desk makes of it.

In goes a command and a clock, out comes a `Job`. The clock is read when the job is asked, inside
the commit that makes it durable: a wager is in or out by that moment. The one rule: no decision
here; the table decides, the desk books.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from baccarat.house import desk, leases
from baccarat.house.events import STREAM
from baccarat.house.idempotency import Key
from baccarat.house.ledger import bonus_account, real_account
from baccarat.house.ports import Job, Need, View, Write
from baccarat.house.roles import Account
from baccarat.house.wallets import Wallet
from baccarat.table import commands as c
from baccarat.table.events import encode
from baccarat.table.refusals import Code, Refused

Clock = Callable[[], int]
"""Server time in milliseconds since 1970."""


@dataclass(frozen=True)
class Sender:
    """Who sends a command, the key they made for it, and what exactly they sent."""

    key: Key | None = None
    body: bytes = b""


NOBODY = Sender()


def at_table(
    table: str,
    command: c.Command,
    clock: Clock,
    *,
    sender: Sender = NOBODY,
    sealed: tuple[bytes, bytes] | None = None,
) -> Job:
    """A command at a table; with the encrypted secret of the shoe that it commits to, if any."""
    player = command.player if isinstance(command, c.PlaceWagers) else None
    need = Need(
        desk.table_stream(table),
        wallets=(player,) if player else (),
        everyone=isinstance(command, c.SettleRound | c.CancelRound),
    )

    def work(view: View) -> Write:
        balance = wallet(view, player) if player else None
        outcome = desk.at_table(view.state, command, clock(), balance=balance)
        write = _write(outcome, view)
        return write if sealed is None else replace(write, sealed=sealed)

    return Job(need, work, sender.key, sender.body)


def open_house(name: str, currency: str, clock: Clock) -> Job:
    """The first event of a house; a house that is open stays as it is."""

    def work(view: View) -> Write:
        if view.head.sequence:
            return Write()
        return _write(desk.open_house(name, currency, now=clock()), view)

    return Job(Need(STREAM), work)


def open_account(
    account: Account, clock: Clock, *, password: str | None = None, sender: Sender = NOBODY
) -> Job:
    """A new account, with its hashed password."""

    def work(view: View) -> Write:
        outcome = desk.open_account(
            account, known=view.people.get(account.id), now=clock(), sequence=_next(view)
        )
        return replace(_write(outcome, view), person=account, password=password)

    return Job(Need(STREAM, people=(account.id,)), work, sender.key, sender.body)


def pay_in(player: str, amount: int, by: str, clock: Clock, *, sender: Sender = NOBODY) -> Job:
    def outcome(view: View) -> desk.Outcome:
        return desk.pay_in(
            person(view, player), amount, by=person(view, by), now=clock(), sequence=_next(view)
        )

    return _money(player, by, outcome, sender)


def pay_out(player: str, amount: int, by: str, clock: Clock, *, sender: Sender = NOBODY) -> Job:
    def outcome(view: View) -> desk.Outcome:
        return desk.pay_out(
            person(view, player),
            amount,
            balance=wallet(view, player),
            by=person(view, by),
            now=clock(),
            sequence=_next(view),
        )

    return _money(player, by, outcome, sender)


def grant_bonus(player: str, amount: int, by: str, clock: Clock, *, sender: Sender = NOBODY) -> Job:
    def outcome(view: View) -> desk.Outcome:
        return desk.grant_bonus(
            person(view, player), amount, by=person(view, by), now=clock(), sequence=_next(view)
        )

    return _money(player, by, outcome, sender)


def release_bonus(
    player: str, amount: int, by: str, clock: Clock, *, sender: Sender = NOBODY
) -> Job:
    def outcome(view: View) -> desk.Outcome:
        return desk.release_bonus(
            person(view, player),
            amount,
            balance=wallet(view, player),
            by=person(view, by),
            now=clock(),
            sequence=_next(view),
        )

    return _money(player, by, outcome, sender)


def give_play_money(guest: str, amount: int, clock: Clock, *, sender: Sender = NOBODY) -> Job:
    def outcome(view: View) -> desk.Outcome:
        return desk.give_play_money(person(view, guest), amount, now=clock(), sequence=_next(view))

    return _money(guest, guest, outcome, sender)


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


def wallet(view: View, player: str) -> Wallet:
    """A player's coins, as the view has them."""
    balances = view.balances
    return Wallet(balances.get(real_account(player), 0), balances.get(bonus_account(player), 0))


def person(view: View, account: str) -> Account:
    if account not in view.people:
        raise Refused(Code.NO_SUCH_ACCOUNT, f"there is no account {account!r}: open it first")
    return view.people[account]


def _money(player: str, by: str, outcome: Callable[[View], desk.Outcome], sender: Sender) -> Job:
    def work(view: View) -> Write:
        return _write(outcome(view), view)

    return Job(Need(STREAM, wallets=(player,), people=(player, by)), work, sender.key, sender.body)


def _next(view: View) -> int:
    return view.head.sequence + 1


def _write(outcome: desk.Outcome, view: View) -> Write:
    """All of an outcome, and what its sender is told: the events it caused, and their numbers."""
    bodies = tuple(encode(event) for event in outcome.events)
    answer = b'{"events":[%b],"first":%d}' % (b",".join(bodies), _next(view))
    return Write(bodies, outcome.transactions, outcome.state, answer)
