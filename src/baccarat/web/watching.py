"""Sessions that end while somebody is served: signed out of, grown old, their account closed.

Every server reads every few seconds who has signed out or changed the password elsewhere, and looks
at the sessions of its open sockets again; what it ends itself it knows at once. The one rule: a
socket is open for as long as a request would be answered, and `EVERY` longer at most.
"""

import asyncio
import json
import logging
from typing import TYPE_CHECKING

from baccarat.house.events import STREAM
from baccarat.store import history
from baccarat.store.sqlstore import SqlStore
from baccarat.table.journal import Entry
from baccarat.web.sessions import LONGEST_MS, End

if TYPE_CHECKING:
    from baccarat.web.site import Site

log = logging.getLogger(__name__)
EVERY = 3.0
"""Seconds from look to look."""
ENDS = ("SignedOut", "PasswordChanged")


class Watchman:
    """One server's."""

    def __init__(self, site: "Site") -> None:
        self._site = site
        self._read_to: int | None = None
        """The entry up to which it knows the house's journal."""

    async def run(self) -> None:
        """Look now and then, without end."""
        while True:
            try:
                await self.look()
            except Exception as error:  # the store is away: look again
                log.warning("sessions were not looked at", extra={"why": str(error)})
            await asyncio.sleep(EVERY)

    async def look(self) -> None:
        """Once, at every session that is served for long."""
        site = self._site
        for entry in await site.service.world.keeper.read(self._ends):
            value = json.loads(entry.body)["value"]
            if "session" in value:
                site.sessions.end(value["session"], site.clock())
            else:
                site.sessions.password_changed(value["account"], value["at"])
            self._read_to = entry.sequence
        for watch in site.sessions.all_watched():
            if site.sessions.is_old(watch.session, site.clock()):
                watch.end(End.OLD)
                continue
            account, _ = await site.newcomer(watch.session)
            if account is None:
                closed = await self._is_closed(watch.session.account)
                watch.end(End.OVER if closed else End.OLD)

    async def _is_closed(self, name: str) -> bool:
        found = await self._site.service.world.keeper.read(lambda store: store.person(name))
        return found is None or found.password is None

    def _ends(self, store: SqlStore) -> list[Entry]:
        if self._read_to is None:  # what began earlier than that is over anyway
            since = self._site.clock() - LONGEST_MS
            self._read_to = history.first_since(store, STREAM, since) - 1
        return history.entries_of(store, STREAM, *ENDS, after=self._read_to)
