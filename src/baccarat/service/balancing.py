"""Fair shares: which tables a server should let go, and which it may take.

Every server says once a second or so that it is up, and looks at who drives what. One that drives
more than its share hands tables over when their rounds have ended; a table that was handed over is
taken by whoever drives the fewest. The one rule: this is courtesy and nothing depends on it. Leases
and epochs decide who drives, whatever a server believes of the others.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from baccarat.house import jobs
from baccarat.house.ports import Lease
from baccarat.service.driver import RENEW, TERM, Driver
from baccarat.service.world import World

LOOK = 1_000
"""Milliseconds from one look to the next."""
COURTESY = 3 * LOOK
"""For so long a table that was handed over is left to those who drive fewer."""

log = logging.getLogger(__name__)


@dataclass
class Pulse:
    """Whether this server's writes get through, as those show by which it says that it is up."""

    until: float = 0.0
    """By the event loop's clock."""
    away: bool = False
    """Did the last one not get through?"""

    @property
    def beats(self) -> bool:
        return asyncio.get_running_loop().time() < self.until

    def beat(self) -> None:
        if self.away:
            log.info("the store takes writes again")
        self.away = False
        self.until = asyncio.get_running_loop().time() + TERM / 1000

    def stop(self, why: Exception) -> None:
        if not self.away:  # said once, so that it wakes somebody: all else says it again and again
            log.error("the store takes no writes", extra={"why": str(why)})
        self.away = True
        self.until = 0.0


@dataclass(frozen=True)
class Share:
    """What one server should do."""

    let_go: frozenset[str] = frozenset()
    """Streams to hand over."""
    leave: frozenset[str] = frozenset()
    """Streams that another server drives, or should take."""


def share_of(
    holder: str, servers: Mapping[str, int], leases: Mapping[str, Lease], now: int
) -> Share:
    """A server's share of the tables; `servers` says until when each counts as up."""
    up = {holder, *others_up(servers, now, holder)}
    driven = {stream: one for stream, one in leases.items() if one.expires_at > now}
    counts = Counter(dict.fromkeys(up, 0))
    counts.update(lease.holder for lease in driven.values())
    mine, least = counts[holder], min(counts[one] for one in up)
    most = -(-len(driven) // len(up))  # rounded up
    over = max(mine - most, 1) if mine - least > 1 else 0
    own = sorted(stream for stream, lease in driven.items() if lease.holder == holder)
    handed_over = {
        stream
        for stream, lease in leases.items()
        if not lease.holder and now - lease.expires_at < COURTESY
    }
    others = driven.keys() - own
    leave = others | handed_over if mine > least else others
    return Share(frozenset(own[len(own) - over :]), frozenset(leave))


def others_up(servers: Mapping[str, int], now: int, holder: str = "") -> list[str]:
    """The servers that count as up, but for this one."""
    return sorted(one for one, until in servers.items() if until > now and one != holder)


async def keep(world: World, drivers: Mapping[str, Driver], pulse: Pulse) -> None:
    """Say that this server is up, and keep its drivers to its share, without end."""
    said_at = -TERM
    while True:
        try:
            now = world.clock()
            if now - said_at >= RENEW:
                await _say(world, pulse)
                said_at = now
            servers, leases = await world.keeper.read(
                lambda store: (store.servers(), store.leases())
            )
            share = share_of(world.holder, servers, leases, world.clock())
            for driver in drivers.values():
                driver.heed(
                    let_go=driver.stream in share.let_go, leave=driver.stream in share.leave
                )
        except Exception as error:  # the store is away, or an answer got lost: look again
            log.warning("shares were not looked at", extra={"why": str(error)})
        await asyncio.sleep(LOOK / 1000)


async def _say(world: World, pulse: Pulse) -> None:
    (said,) = await world.keeper.commit(jobs.be_up(world.holder, world.clock, term=TERM))
    if isinstance(said, Exception):
        pulse.stop(said)
        raise said
    pulse.beat()


async def go(world: World) -> None:
    """Say that this server is no longer there to drive anything."""
    await world.keeper.commit(jobs.be_up(world.holder, world.clock, term=0))
