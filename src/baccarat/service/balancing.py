"""Load balancing: which tables a server should hand over, and which it may take.

Every server regularly sends a heartbeat, and reads once a second which server drives which table. A
server that drives more than its share of the tables hands some over when their rounds have ended. A
table that was handed over is taken by the server that drives the fewest tables. Correctness does
not depend on load balancing: leases and epochs decide which server drives a table.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from baccarat.house import leases as lease_jobs
from baccarat.house.outcomes import Lease
from baccarat.service.driver import RENEW, TERM, Driver
from baccarat.service.environment import Environment

LOOK = 1_000
"""Milliseconds between checks of the load."""
HANDOVER_GRACE = 3 * LOOK
"""Milliseconds for which a table that was handed over is left to servers with fewer tables."""

log = logging.getLogger(__name__)


@dataclass
class Heartbeat:
    """Whether the store accepts this server's writes, judged by its heartbeats."""

    until: float = 0.0
    """When the last heartbeat expires, in the event loop's time."""
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
        if not self.away:  # logged as an error only once, to alert the operators
            log.error("store does not accept writes", extra={"why": str(why)})
        self.away = True
        self.until = 0.0


@dataclass(frozen=True)
class Share:
    """What one server should do to balance the load."""

    hand_over: frozenset[str] = frozenset()
    """Streams of the tables to hand over."""
    leave_to_others: frozenset[str] = frozenset()
    """Streams of the tables that another server drives or should take."""


def share_of(
    holder: str, servers: Mapping[str, int], leases: Mapping[str, Lease], now: int
) -> Share:
    """Return which tables a server should hand over, and which it should leave to others.

    `servers` maps each server to the time at which its heartbeat expires.
    """
    up = {holder, *others_up(servers, now, holder)}
    driven = {stream: one for stream, one in leases.items() if one.expires_at > now}
    counts = Counter(dict.fromkeys(up, 0))
    counts.update(lease.holder for lease in driven.values())
    mine, least = counts[holder], min(counts[one] for one in up)
    most = -(-len(driven) // len(up))  # equal share, rounded up
    over = max(mine - most, 1) if mine - least > 1 else 0
    own = sorted(stream for stream, lease in driven.items() if lease.holder == holder)
    handed_over = {
        stream
        for stream, lease in leases.items()
        if not lease.holder and now - lease.expires_at < HANDOVER_GRACE
    }
    others = driven.keys() - own
    leave_to_others = others | handed_over if mine > least else others
    return Share(frozenset(own[len(own) - over :]), frozenset(leave_to_others))


def others_up(servers: Mapping[str, int], now: int, holder: str = "") -> list[str]:
    """Return the servers other than `holder` whose heartbeats have not expired."""
    return sorted(one for one, until in servers.items() if until > now and one != holder)


async def keep_balanced(
    environment: Environment, drivers: Mapping[str, Driver], heartbeat: Heartbeat
) -> None:
    """Send heartbeats and apply load balancing to this server's drivers, until cancelled."""
    sent_at = -TERM
    while True:
        try:
            now = environment.clock()
            if now - sent_at >= RENEW:
                await _send_heartbeat(environment, heartbeat)
                sent_at = now
            servers, leases = await environment.keeper.read(
                lambda store: (store.servers(), store.leases())
            )
            share = share_of(environment.holder, servers, leases, environment.clock())
            for driver in drivers.values():
                driver.follow_balancing(
                    hand_over=driver.stream in share.hand_over,
                    leave_to_others=driver.stream in share.leave_to_others,
                )
        except Exception as error:  # store unavailable, or response lost: retry
            log.warning("load balancing failed", extra={"why": str(error)})
        await asyncio.sleep(LOOK / 1000)


async def _send_heartbeat(environment: Environment, heartbeat: Heartbeat) -> None:
    (outcome,) = await environment.keeper.commit(
        lease_jobs.heartbeat(environment.holder, environment.clock, term=TERM)
    )
    if isinstance(outcome, Exception):
        heartbeat.stop(outcome)
        raise outcome
    heartbeat.beat()


async def announce_stop(environment: Environment) -> None:
    """Announce that this server has stopped."""
    await environment.keeper.commit(
        lease_jobs.heartbeat(environment.holder, environment.clock, term=0)
    )
