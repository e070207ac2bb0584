"""Cash: deposits, withdrawals, voids of mistaken payments, and play money for guests.

In a gaming day, one person may handle only a limited amount alone for each player, in and out
separately. All operations in one direction count together, so splitting an amount does not get
around the limit. A second limit covers all players together, so splitting an amount among players
does not help much either. A void is a separate operation that states the journal entry it reverses.
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
from baccarat.table.four_eyes.proposals import TwoPersonAction
from baccarat.table.four_eyes.terms import PaymentMethod
from baccarat.table.refusals import Code, Refused

VOIDABLE = DAY
"""How long after a payment it can be voided, in milliseconds."""
MAX_VOIDS = 2**31
"""Maximum number of voids to read; no journal has this many."""
HANDLED = (MoneyPaidIn, MoneyPaidOut, CashVoided)


def pay_in(
    request: PlayerRequest,
    amount: int,
    method: PaymentMethod = PaymentMethod.CASH,
    reference: str = "",
    *,
    cleared_at: int | None = None,
) -> Outcome:
    """Take a deposit from a player at the cashier's desk."""
    check_amount(amount)
    action = _two_person_action(request, terms.PayIn(amount, method, reference))
    check_money(request.player, amount)
    _check_incoming(request, amount, cleared_at)
    how: list[Any] = [method, reference]
    return _paid(request, action, sf.CASH_IN, amount, lambda *paid: MoneyPaidIn(*paid, *how))


def pay_out(
    request: PlayerRequest,
    amount: int,
    method: PaymentMethod = PaymentMethod.CASH,
    reference: str = "",
) -> Outcome:
    """Pay out a withdrawal of real money, which no limit or exclusion prevents.

    If the house's rules say so, the player forfeits all bonus money, including stakes at tables.
    """
    check_amount(amount)
    action = _two_person_action(request, terms.PayOut(amount, method, reference))
    check_money(request.player, amount)
    before = _outgoing(request, amount)
    how: list[Any] = [method, reference]

    def make(*paid: Any) -> MoneyPaidOut:
        return MoneyPaidOut(*paid, *how)

    return _paid(request, action, sf.CASH_OUT, amount, make, before)


def void(
    request: PlayerRequest, entry: int, reason: str, *, cleared_at: int | None = None
) -> Outcome:
    """Reverse a payment made in the last 24 hours; `entry` is its number in the house journal.

    Voiding a deposit requires that the player still has the money, and does not free up deposit
    limits. It counts as a withdrawal of real money, so the player's bonus money may be forfeited.
    Voiding a withdrawal is checked like any deposit: if the player is excluded or has reached a
    limit, the cash must be handed over instead.
    """
    original = _payment(request, entry)
    amount, paid_in = original.amount, isinstance(original, MoneyPaidIn)
    tally, kind = (sf.CASH_OUT, Cash.PAY_IN) if paid_in else (sf.CASH_IN, Cash.PAY_OUT)
    change = -amount if paid_in else amount
    action = _two_person_action(request, terms.VoidCash(entry, change, reason))
    if request.now - original.at >= VOIDABLE:
        raise Refused(Code.NOT_ALLOWED, "void-too-late", entry=entry)
    before: Sequence[Event] = ()
    if paid_in:
        before = _outgoing(request, amount)
    else:
        _check_incoming(request, amount, cleared_at)
    voided: list[Any] = [kind, entry, reason, original.method]
    return _paid(request, action, tally, amount, lambda *paid: CashVoided(*paid, *voided), before)


def give_play_money(request: PlayerRequest, amount: int) -> Outcome:
    """Give a guest play money, which can never be paid out."""
    check_amount(amount)
    guest = request.player
    if not guest.guest:
        raise Refused(Code.NOT_ALLOWED, "not-a-guest", name=guest.name)
    return request.outcome(h.PlayMoneyGiven(request.now, guest.id, amount))


def refill_play_money(request: PlayerRequest, full: int) -> Outcome:
    """Give a guest the play money that is missing from the full amount, stakes included."""
    staked = request.position(request.player.id, request.now).staked
    missing = full - request.balance.real - staked
    if missing <= 0:
        raise Refused(Code.NOT_ALLOWED, "play-money-full")
    return give_play_money(request, missing)


def _two_person_action(request: PlayerRequest, agreed: terms.ProposalTerms) -> TwoPersonAction:
    """Return the action that a second person may have to confirm, or raise Refused.

    Only cashiers may handle cash; other roles may be permitted to confirm a proposed payment.
    """
    action = TwoPersonAction(subjects.Cash(request.player.id), agreed, request.by.id)
    check_may(request.by, Action.CONFIRM_CASH if confirms(action, request) else Action.PAY)
    return action


def _paid(
    request: PlayerRequest,
    action: TwoPersonAction,
    tally: str,
    amount: int,
    make: Callable[..., h.Payment],
    before: Sequence[Event] = (),
) -> Outcome:
    """Return the outcome with the payment or, above the house's limits, with a proposal.

    `make` builds the event from the values that every `Payment` has, in the order of its fields.
    """
    player, by, day, alone = request.player.id, request.by.id, request.day, request.alone
    of_player, of_handler = (
        sf.count_in(safety, tally, day) + amount for safety in (request.safety, request.asker)
    )
    named = day if alone.cash is not None or alone.cash_day is not None else 0
    outcome = by_one_or_two(
        action,
        lambda first: make(
            request.now, player, amount, by, alone.cash, first, named, alone.cash_day
        ),
        two=exceeds(of_player, alone.cash) or exceeds(of_handler, alone.cash_day),
        at=request,
        before=before,
    )
    return request.count_alone(outcome, HANDLED, amount, tally)


def _check_incoming(request: PlayerRequest, amount: int, cleared_at: int | None) -> None:
    """Raise Refused if the player may not play or would exceed a deposit limit."""
    safety, now, conduct = request.safety, request.now, request.conduct
    others = others_of(safety, request.known)
    sf.check_open(safety, now, conduct.gaming_day, others=others, to_staff=True)
    sf.check_register(conduct, cleared_at, now)
    sf.check_deposit(safety, amount, now, conduct)


def _outgoing(request: PlayerRequest, amount: int) -> tuple[Event, ...]:
    """Return the bonus events that precede a withdrawal, or raise Refused if it is not covered."""
    before = bonus.on_withdrawal(request)
    released = sum(event.amount for event in before if isinstance(event, h.BonusReleased))
    check_covered(amount, request.balance.real + released)
    return before


def _payment(request: PlayerRequest, entry: int) -> MoneyPaidIn | MoneyPaidOut:
    """Return the player's unvoided payment with this entry number, or raise Refused."""
    for kind in (MoneyPaidIn, MoneyPaidOut):
        for number, event in request.events(kind, entry - 1, 1):
            if number == entry and isinstance(event, kind) and event.account == request.player.id:
                voids = request.events(CashVoided, entry, MAX_VOIDS)
                if any(isinstance(void, CashVoided) and void.entry == entry for _, void in voids):
                    raise Refused(Code.NOT_ALLOWED, "already-voided", entry=entry)
                return event
    raise Refused(Code.NOT_ALLOWED, "not-a-payment", entry=entry, account=request.player.id)
