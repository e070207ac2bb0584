"""Rate limits: so many at once, so many a minute, for each sender.

A bucket per sender fills with time and empties with use, by one or by what the work costs; anyone
who finds it empty is told how long to wait. A limit protects the house and other players, so it is
counted before the work.
"""

from collections import OrderedDict
from dataclasses import dataclass

from baccarat.house.jobs import Clock
from baccarat.web.problems import Fault, Problem

MOST_SENDERS = 100_000


@dataclass(frozen=True)
class Rate:
    """So many at once, and so many a minute from then on."""

    at_once: int
    a_minute: int


@dataclass(frozen=True)
class Rates:
    """All of them."""

    sign_in: Rate = Rate(10, 10)
    """For each account."""
    sign_in_from: Rate = Rate(100, 100)
    """For each address, whatever accounts are tried."""
    new_account: Rate = Rate(1_000, 600)
    """For each address: a whole room may be behind one."""
    wagers: Rate = Rate(40, 600)
    """For each account."""
    commands: Rate = Rate(40, 120)
    """For each account: everything else that changes something."""
    figures: Rate = Rate(60, 240)
    """For each address: figures that are computed on demand."""
    contributions: Rate = Rate(20, 40)
    """For each account: a commitment and its secret are two."""
    contributions_from: Rate = Rate(300, 600)
    """For each address, commitments: a shoe takes 1,000, and nobody fills it with their guests."""
    reads: Rate = Rate(6_000, 6_000)
    """For each account, or each address where nobody is signed in, in points (above)."""
    reads_from: Rate = Rate(30_000, 30_000)
    """For each address, in points, whoever is signed in there."""


class Limiter:
    """One limit for many senders."""

    def __init__(self, rate: Rate, clock: Clock, what: str) -> None:
        self._rate, self._clock, self._what = rate, clock, what
        self._left: OrderedDict[str, tuple[int, int]] = OrderedDict()
        """By sender: when looked at last, and thousandths left then."""

    def use(self, sender: str, points: int = 1) -> None:
        """Count one, or so many points; a Problem when there are not as many left."""
        now, full = self._clock(), self._rate.at_once * 60_000
        at, left = self._left.pop(sender, (now, full))
        left = min(full, left + max(0, now - at) * self._rate.a_minute)
        cost = min(points * 60_000, full)  # what costs more than all there is takes all there is
        if left < cost:
            self._left[sender] = (now, left)
            wait = -((left - cost) // (self._rate.a_minute * 1000))
            words = f"too many {self._what}: try again in {wait} s"
            raise Problem(Fault.RATE_LIMITED, words, headers={"Retry-After": str(wait)})
        self._left[sender] = (now, left - cost)
        if len(self._left) > MOST_SENDERS:
            self._left.popitem(last=False)
