"""Cash: payments in and out, voids of mistaken payments, and play money for guests.

In a gaming day, one person alone may handle only a limited amount for each player, in each
direction and over all operations, so splitting an amount does not get around the limit. A second
limit covers all players together, so splitting it among players gains little. A void is a
separate operation that names the entry it reverses.
"""

from collections.abc import Callable, Sequence
from typing import Any

from baccarat.house import events as h
from baccarat.house.events import Cash, CashVoided, MoneyPaidIn, MoneyPaidOut
from baccarat.house.money import bonus
from baccarat.house.money.wallets import check_amount, check_covered, check_money
from baccarat.house.outcomes import Outcome, PlayerRequest
from baccarat.house.people.four_eyes import by_one_or_two, confirms
from baccarat.house.people.partners import others_of
from baccarat.house.people.roles import Action, check_may
from baccarat.house.safety import record as sf
from baccarat.house.safety.periods import DAY
from baccarat.house.safety.profiles import exceeds
from baccarat.table.events import Event
from baccarat.table.four_eyes import subjects, terms
from baccarat.table.four_eyes.proposals import Motion
from baccarat.table.refusals import Code, Refused

VOIDABLE = DAY
"""How long after an operation it can be voided."""
MOST_VOIDS = 2**31
"""Read limit that no journal reaches."""
HANDLED = (MoneyPaidIn, MoneyPaidOut, CashVoided)


def pay_in(request: PlayerRequest, amount: int, *, cleared_at: int | None = None) -> Outcome:
    """Take cash from a player at the cashier's desk."""
    check_amount(amount)
    motion = _motion(request, terms.PayIn(amount))
    check_money(request.player, amount)
    _check_incoming(request, amount, cleared_at)
    return _paid(request, motion, sf.CASH_IN, amount, lambda *paid: MoneyPaidIn(*paid))


def pay_out(request: PlayerRequest, amount: int) -> Outcome:
    """Pay real money out to a player, which is always possible.

    Depending on the house rule, bonus money in the wallet and on tables is forfeited.
    """
    check_amount(amount)
    motion = _motion(request, terms.PayOut(amount))
    check_money(request.player, amount)
    before = _outgoing(request, amount)
    return _paid(request, motion, sf.CASH_OUT, amount, lambda *paid: MoneyPaidOut(*paid), before)


def void(
    request: PlayerRequest, entry: int, reason: str, *, cleared_at: int | None = None
) -> Outcome:
    """Reverse a payment made in the last 24 hours, named by its entry in the house journal.

    Voiding a payment in takes the money back only while the player still has it, and does not free
    up deposit limits. It counts as a withdrawal of real money, so bonus money in the wallet and on
    tables may be forfeited. Voiding a payment out is checked like any payment in: if the player is
    excluded or has reached a limit, the cash must be handed over instead.
    """
    original = _payment(request, entry)
    amount, paid_in = original.amount, isinstance(original, MoneyPaidIn)
    tally, kind = (sf.CASH_OUT, Cash.PAY_IN) if paid_in else (sf.CASH_IN, Cash.PAY_OUT)
    change = -amount if paid_in else amount
    motion = _motion(request, terms.VoidCash(entry, change, reason))
    if request.now - original.at >= VOIDABLE:
        raise Refused(Code.NOT_ALLOWED, "void-too-late", entry=entry)
    before: Sequence[Event] = ()
    if paid_in:
        before = _outgoing(request, amount)
    else:
        _check_incoming(request, amount, cleared_at)
    voided: list[Any] = [kind, entry, reason]
    return _paid(request, motion, tally, amount, lambda *paid: CashVoided(*paid, *voided), before)


def give_play_money(request: PlayerRequest, amount: int) -> Outcome:
    """Give a guest play money, which can never be paid out."""
    check_amount(amount)
    guest = request.player
    if not guest.guest:
        raise Refused(Code.NOT_ALLOWED, "not-a-guest", name=guest.name)
    return request.outcome(h.PlayMoneyGiven(request.now, guest.id, amount))


def _motion(request: PlayerRequest, agreed: terms.Terms) -> Motion:
    """Return the motion that a second person may have to confirm.

    Cashiers may handle cash; people who may only confirm it are limited to that.
    """
    motion = Motion(subjects.Cash(request.player.id), agreed, request.by.id)
    check_may(request.by, Action.CONFIRM_CASH if confirms(motion, request) else Action.PAY)
    return motion


def _paid(
    request: PlayerRequest,
    motion: Motion,
    tally: str,
    amount: int,
    make: Callable[..., h.Payment],
    before: Sequence[Event] = (),
) -> Outcome:
    """Return the payment or, above the house's limits, the proposal for a second person.

    `make` receives the values that every payment has, in order.
    """
    player, by, day, alone = request.player.id, request.by.id, request.day, request.alone
    of_player, of_handler = (
        sf.count_in(safety, tally, day) + amount for safety in (request.safety, request.asker)
    )
    named = day if alone.cash is not None or alone.cash_day is not None else 0
    outcome = by_one_or_two(
        motion,
        lambda first: make(
            request.now, player, amount, by, alone.cash, first, named, alone.cash_day
        ),
        two=exceeds(of_player, alone.cash) or exceeds(of_handler, alone.cash_day),
        at=request,
        player=player,
        before=before,
    )
    return request.count_alone(outcome, HANDLED, amount, tally)


def _check_incoming(request: PlayerRequest, amount: int, cleared_at: int | None) -> None:
    """Refuse money for a player who may not play or who has reached a deposit limit."""
    safety, now, conduct = request.safety, request.now, request.conduct
    others = others_of(safety, request.known)
    sf.check_open(safety, now, conduct.zone, others=others, to_staff=True)
    sf.check_register(conduct, cleared_at, now)
    sf.check_deposit(safety, amount, now, conduct)


def _outgoing(request: PlayerRequest, amount: int) -> tuple[Event, ...]:
    """Return the bonus events before a withdrawal, or raise Refused if real money is lacking."""
    before = bonus.on_withdrawal(request)
    released = sum(event.amount for event in before if isinstance(event, h.BonusReleased))
    check_covered(amount, request.balance.real + released)
    return before


def _payment(request: PlayerRequest, entry: int) -> MoneyPaidIn | MoneyPaidOut:
    """Return the player's unvoided payment with this entry number, or raise Refused."""
    for kind in (MoneyPaidIn, MoneyPaidOut):
        for number, event in request.events(kind, entry - 1, 1):
            if number == entry and isinstance(event, kind) and event.account == request.player.id:
                _check_not_voided(request, entry)
                return event
    raise Refused(Code.NOT_ALLOWED, "not-a-payment", entry=entry, account=request.player.id)


def _check_not_voided(request: PlayerRequest, entry: int) -> None:
    """Refuse a second void; voids are few, and come after the entries they reverse."""
    for _, event in request.events(CashVoided, entry, MOST_VOIDS):
        if isinstance(event, CashVoided) and event.entry == entry:
            raise Refused(Code.NOT_ALLOWED, "already-voided", entry=entry)
