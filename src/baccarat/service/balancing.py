"""Load balancing: which tables a server should hand over, and which it may take.

About once a second, every server reports that it is up and reads which server drives which table.
A server that drives more than its share hands tables over when their rounds have ended; a table
that was handed over is taken by the server that drives the fewest. Correctness does not depend on
this: leases and epochs decide which server drives a table.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from baccarat.house import leases as lease_jobs
from baccarat.house.outcomes import Lease
from baccarat.service.driver import RENEW, TERM, Driver
from baccarat.service.environment import World

LOOK = 1_000
"""Milliseconds between checks."""
COURTESY = 3 * LOOK
"""Milliseconds for which a table that was handed over is left to servers that drive fewer."""

log = logging.getLogger(__name__)


@dataclass
class Pulse:
    """Whether the store accepts this server's writes, judged by its heartbeats."""

    until: float = 0.0
    """When the last heartbeat expires, by the event loop's clock."""
    away: bool = False
    """Whether the last heartbeat failed."""

    @property
    def beats(self) -> bool:
        return asyncio.get_running_loop().time() < self.until

    def beat(self) -> None:
        if self.away:
            log.info("store accepts writes again")
        self.away = False
        self.until = asyncio.get_running_loop().time() + TERM / 1000

    def stop(self, why: Exception) -> None:
        if not self.away:  # logged as an error once, to alert the operators
            log.error("store does not accept writes", extra={"why": str(why)})
        self.away = True
        self.until = 0.0


@dataclass(frozen=True)
class Share:
    """What one server should do to balance the load."""

    let_go: frozenset[str] = frozenset()
    """Streams to hand over."""
    leave: frozenset[str] = frozenset()
    """Streams that another server drives, or should take."""


def share_of(
    holder: str, servers: Mapping[str, int], leases: Mapping[str, Lease], now: int
) -> Share:
    """Return a server's share of the tables; `servers` gives the time at which each heartbeat
    expires."""
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
    """Return the servers that count as up, except this one."""
    return sorted(one for one, until in servers.items() if until > now and one != holder)


async def keep(world: World, drivers: Mapping[str, Driver], pulse: Pulse) -> None:
    """Report that this server is up and balance its drivers, until cancelled."""
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
                driver.follow_balancing(
                    let_go=driver.stream in share.let_go, leave=driver.stream in share.leave
                )
        except Exception as error:  # store unavailable, or answer lost: retry
            log.warning("load balancing failed", extra={"why": str(error)})
        await asyncio.sleep(LOOK / 1000)


async def _say(world: World, pulse: Pulse) -> None:
    (outcome,) = await world.keeper.commit(lease_jobs.be_up(world.holder, world.clock, term=TERM))
    if isinstance(outcome, Exception):
        pulse.stop(outcome)
        raise outcome
    pulse.beat()


async def go(world: World) -> None:
    """Report that this server has stopped."""
    await world.keeper.commit(lease_jobs.be_up(world.holder, world.clock, term=0))
