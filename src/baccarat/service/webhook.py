"""Sends alerts on to another system by HTTP (a webhook).

Alerts are read from the journals after they were committed, so a slow or absent receiver never
delays a commit. Of several servers, only the one whose name sorts first sends alerts. When another
takes over, it sends the alerts of the last minutes again: each is sent at least once, unless the
receiver is unavailable for longer than the retries last, and receivers recognise repeats by `id`.
The body is signed with a secret that the receiver shares. Redirects are not followed.
"""

import asyncio
import hmac
import json
import logging
from collections.abc import Awaitable, Callable, Iterable

from baccarat.house.events import STREAM, decode
from baccarat.house.housefile import House
from baccarat.house.staff_events import EmergencyStopped
from baccarat.house.watch.audit_log import AuditLogLine, kinds_of, significant
from baccarat.service import balancing
from baccarat.service.environment import Environment
from baccarat.store import history
from baccarat.store.sqlstore import SqlStore
from baccarat.table.events import Event, TablePaused
from baccarat.table.journal import table_of, table_stream
from baccarat.wording.catalogue import catalogue

KINDS: tuple[type[Event], ...] = (
    *(kind for topic in ("alarm", "large-win", "data-loss") for kind in kinds_of(topic)),
    *(TablePaused, EmergencyStopped),
)
"""Types of events that are sent on."""
EVERY = 2.0
"""Seconds between readings of the journals."""
RECENT = 10 * 60_000
"""Alerts older than this many milliseconds are not sent."""
WAITS = (1.0, 2.0, 4.0, 8.0, 16.0)
"""Seconds before each retry; after the last one, the alert is dropped and logged."""
MAX_WAITING = 1_000
"""Maximum number of alerts waiting to be sent; further ones are dropped and logged."""
PATIENCE = 5.0
"""Timeout for a response, in seconds."""
SIGNATURE = "X-Baccarat-Signature"
log = logging.getLogger(__name__)

Post = Callable[[bytes, dict[str, str]], Awaitable[int]]
"""Sends a body with headers, and returns the status of the response."""


class Webhook:
    """Sends the alerts of a house to the address in its house file."""

    def __init__(self, house: House, environment: Environment, post: Post | None = None) -> None:
        self._house, self._environment = house, environment
        self._post = post or self._post_http
        self._read_to: dict[str, int] = {}
        """Number of the last entry that was read, by stream."""
        self._waiting: asyncio.Queue[bytes] = asyncio.Queue(MAX_WAITING)

    async def run(self) -> None:
        """Read and send alerts until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._read(), name="webhook reader")
            group.create_task(self._send(), name="webhook sender")

    async def _read(self) -> None:
        while True:
            try:
                await self.look()
            except Exception as error:  # the store is unavailable: retry
                log.warning("webhook cannot read alerts", extra={"why": str(error)})
            await asyncio.sleep(EVERY)

    async def look(self) -> None:
        """Queue the alerts that were recorded since the last call, if this server sends alerts."""
        keeper, clock, holder = (
            self._environment.keeper,
            self._environment.clock,
            self._environment.holder,
        )
        others = balancing.others_up(await keeper.read(SqlStore.servers), clock(), holder)
        if others and others[0] < holder:
            self._read_to.clear()
            return
        for line in await keeper.read(self._new):
            try:
                self._waiting.put_nowait(self._body(line))
            except asyncio.QueueFull:
                log.error("alert not sent: too many are waiting", extra={"alert": _id_of(line)})

    def _new(self, store: SqlStore) -> list[AuditLogLine]:
        found: list[AuditLogLine] = []
        t, since = catalogue(), self._environment.clock() - RECENT
        for stream in (STREAM, *(table_stream(plan.id) for plan in self._house.tables)):
            after = self._read_to.get(stream)
            if after is None:
                after = history.first_since(store, stream, since) - 1
            for entry in history.entries_of(store, stream, *KINDS, after=after):
                line = significant(
                    stream, entry.sequence, decode(entry.body), t, self._house.currency
                )
                found += [line] if line else []
                after = entry.sequence
            self._read_to[stream] = after
        return sorted(found, key=lambda line: line.at)

    def _body(self, line: AuditLogLine) -> bytes:
        content = {
            "id": _id_of(line),
            "house": self._house.name,
            "table": table_of(line.stream),
            "kind": line.kind,
            "at": line.at,
            "who": line.who,
            "words": line.words,
        }
        return json.dumps(content, ensure_ascii=False).encode()

    async def _send(self) -> None:
        while True:
            await self.deliver(await self._waiting.get())

    async def deliver(self, body: bytes, waits: Iterable[float] = WAITS) -> bool:
        """Send one alert, with retries; return whether the receiver has accepted it."""
        for wait in (*waits, None):
            why = ""
            try:
                async with asyncio.timeout(PATIENCE):
                    status = await self._post(body, self._headers(body))
                if 200 <= status < 300:
                    return True
                why = f"status {status}"
            except Exception as error:  # of any kind: the receiver is not under our control
                why = type(error).__name__
            if wait is None:
                log.error("alert not sent", extra={"why": why})
            else:
                log.warning("alert not sent yet", extra={"why": why})
                await asyncio.sleep(wait)
        return False

    def _headers(self, body: bytes) -> dict[str, str]:
        at = str(self._environment.clock())
        secret = self._environment.webhook_secret.encode()
        signature = hmac.digest(secret, at.encode() + b"." + body, "sha256").hex()
        return {
            "Content-Type": "application/json",
            SIGNATURE: f"t={at},v1={signature}",
        }

    async def _post_http(self, body: bytes, headers: dict[str, str]) -> int:
        import httpx  # only needed for a webhook

        async with httpx.AsyncClient(timeout=PATIENCE, follow_redirects=False) as client:
            answer = await client.post(self._house.webhook, content=body, headers=headers)
        return answer.status_code


def _id_of(line: AuditLogLine) -> str:
    return f"{line.stream}/{line.sequence}"
