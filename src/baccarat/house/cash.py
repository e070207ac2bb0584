"""Cash: when a second person confirms it, and voids of what was booked by mistake.

One person handles at most the house's amount for a player in a gaming day, in each direction and
over all operations that one person handled alone, so that splitting an amount changes nothing; for
all players together, at most another amount, so that splitting it over players changes little. A
void is an operation of its own that names the entry it reverses.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from baccarat.core.money import format_coins
from baccarat.house import bonus
from baccarat.house import events as h
from baccarat.house import safety as sf
from baccarat.house.events import Cash, CashVoided
from baccarat.house.outcomes import Moment, Outcome, check_amount, check_covered
from baccarat.house.periods import DAY, Period, start_of
from baccarat.house.roles import Account, Action, check_may
from baccarat.house.safety import Safety
from baccarat.house.seconding import confirms, decided
from baccarat.house.wallets import Wallet
from baccarat.table.events import ActionProposed, Event, ProposalEnded
from baccarat.table.refusals import Code, Refused
from baccarat.table.twopeople import Motion, paying

IN, OUT, VOID = "in", "out", "void"
"""What a proposal about cash is for: the first word of its terms."""
_WORDS = {IN: "Pay in {} for {}", OUT: "Pay out {} to {}"}
VOIDABLE = DAY
"""How long after an operation it can be voided."""


@dataclass(frozen=True)
class Asked:
    """An operation that somebody asks for, and whether it takes two people."""

    motion: Motion
    player: str
    two: bool
    day: int
    """When the gaming day began; 0 where the house names no amount."""
    at: Moment
    after: Safety
    """What is known of the one who asks once they have handled it alone."""

    def decided(self, make: Callable[[str], Event], before: Sequence[Event] = ()) -> Outcome:
        outcome = decided(
            self.motion, make, two=self.two, at=self.at, player=self.player, before=before
        )
        if any(isinstance(one, ActionProposed | ProposalEnded) for one in outcome.events):
            return outcome  # by two people
        return outcome._replace(safety={**outcome.safety, self.motion.by: self.after})


def asked(
    player: str,
    amount: int,
    way: str,
    *,
    by: Account,
    at: Moment,
    alone: int | None,
    day_alone: int | None = None,
    handler: Safety = sf.NOTHING,
    voids: tuple[int, str] | None = None,
) -> Asked:
    """Who must handle money on its way in or out; Refused where it is not theirs to handle.

    Cashiers handle cash; anyone who may confirm cash does only that. Above `alone` coins for the
    player in a gaming day, or `day_alone` for all players, it takes two. `handler` is what is known
    of the one who asks, `voids` are the entry that is voided and why.
    """
    check_amount(amount)
    day = start_of(Period.DAY, at.now, at.conduct.zone)
    tally = sf.CASH_IN if way == IN else sf.CASH_OUT
    two = alone is not None and sf.handled_alone(at.safety, tally, day) + amount > alone
    by_handler = sf.handled_alone(handler, tally, day) + amount
    two = two or (day_alone is not None and by_handler > day_alone)
    terms, words = f"{way} {amount}", _WORDS[way].format(format_coins(amount), player)
    if voids is not None:
        entry, why = voids
        terms = f"{VOID} {entry} {amount} {way}"
        paid = "paid out to" if way == IN else "paid in for"
        words = f"Void {format_coins(amount)} {paid} {player} (entry {entry}): {why}"
    motion = Motion(paying(player), terms, words, by.id)
    check_may(by, Action.CONFIRM_CASH if confirms(motion, at) else Action.PAY)
    after = sf.handled(handler, tally, amount, at.now, at.conduct.zone)
    named = alone is not None or day_alone is not None
    return Asked(motion, player, two, day if named else 0, at, after)


def void(
    player: Account,
    original: h.MoneyPaidIn | h.MoneyPaidOut,
    entry: int,
    words: str,
    *,
    balance: Wallet,
    by: Account,
    at: Moment,
    alone: int | None = None,
    day_alone: int | None = None,
    handler: Safety = sf.NOTHING,
    cleared_at: int | None = None,
    others: Iterable[Safety] = (),
    staked: Callable[[], int] = lambda: 0,
) -> Outcome:
    """Book a mistake back: the original must be the player's, of the last 24 hours.

    Money that came in goes only while it is there, and gives nothing back to limits on deposits. It
    is real money that leaves: bonus money may be forfeited by it, in the wallet and on tables
    (`staked`).
    Money that was paid out comes in again on the terms of any money that comes in: whoever is
    excluded, or has reached a limit, is handed the cash instead.
    """
    amount = original.amount
    paid_in = isinstance(original, h.MoneyPaidIn)
    way = OUT if paid_in else IN
    asking = asked(
        player.id,
        amount,
        way,
        by=by,
        at=at,
        alone=alone,
        day_alone=day_alone,
        handler=handler,
        voids=(entry, words),
    )
    if at.now - original.at >= VOIDABLE:
        words = f"entry {entry} is older than 24 hours: pay in or out instead"
        raise Refused(Code.NOT_ALLOWED, words)
    before: tuple[Event, ...] = ()
    if paid_in:
        before = bonus.on_withdrawal(player.id, balance, at, staked=staked)
        released = sum(one.amount for one in before if isinstance(one, h.BonusReleased))
        check_covered(amount, balance.real + released)
    else:
        sf.check_open(at.safety, at.now, at.conduct.zone, others=others, to_staff=True)
        sf.check_register(at.conduct, cleared_at, at.now)
        sf.check_deposit(at.safety, amount, at.now, at.conduct)
    paid = Cash.PAY_IN if paid_in else Cash.PAY_OUT
    return asking.decided(
        lambda first: CashVoided(
            at.now,
            player.id,
            amount,
            paid,
            entry,
            words,
            by.id,
            alone,
            first,
            asking.day,
            day_alone,
        ),
        before,
    )
