"""Open sessions: listed for their owners, and ended on every server.

Every `EVERY` seconds, each server reads which sessions were ended and which passwords were changed
on other servers, and checks the sessions of its open sockets again. Sessions that a server ends
itself are over at once. So a socket stays open for at most `EVERY` seconds after its session has
ended.
"""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable

from starlette.requests import HTTPConnection

from baccarat.house.events import (
    STREAM,
    GuestRegistered,
    PasswordChanged,
    PersonErased,
    SignedOut,
    decode,
)
from baccarat.house.people import sign_ins
from baccarat.house.people.roles import Account
from baccarat.house.people.sign_in_lock import OpenSession
from baccarat.house.ports import Done, Job
from baccarat.store import history
from baccarat.store.sqlstore import SqlStore
from baccarat.table.journal import Entry
from baccarat.web.identity import visitors as v
from baccarat.web.server.guard import address_of, shortened

SEEN_EVERY = 5 * 60_000
"""Interval, in milliseconds, at which a session's last-seen time is stored."""
EVERY = 3.0
"""Seconds between checks."""
CHANGES = (SignedOut, PasswordChanged, PersonErased, GuestRegistered)
BROWSERS = (
    *(("Edg", "Edge"), ("OPR", "Opera"), ("SamsungBrowser", "Samsung Internet")),
    *(("Firefox", "Firefox"), ("FxiOS", "Firefox"), ("Chrome", "Chrome"), ("CriOS", "Chrome")),
    ("Safari", "Safari"),
)
"""Markers and browser names, by priority: most User-Agent headers contain several markers."""
SYSTEMS = (
    *(("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows")),
    *(("CrOS", "ChromeOS"), ("Mac OS X", "macOS"), ("Linux", "Linux")),
)
LONGEST = 40
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9._-]*")
log = logging.getLogger(__name__)


class SessionList:
    """Maintains the list of sessions in the store, and ends sessions on this server."""

    def __init__(self, visitors: v.Visitors, do: Callable[[Job], Awaitable[Done]]) -> None:
        self._visitors, self._do = visitors, do
        self._written: dict[str, int] = {}
        """By session digest: when its last-seen time was last stored."""
        self._read_to: int | None = None
        """Number of the last entry read from the house's journal."""

    def began(self, connection: HTTPConnection, account: Account, session: v.Session) -> None:
        """Log a new session, and list it for its owner."""
        listed = _listed(connection, session)
        extra = {"account": account.id, "address": address_of(connection)}
        log.info("signed in", extra={**extra, "session": listed.digest})
        if account.registered:  # other guests never have a second session
            self._written[listed.digest] = session.seen
            self._visitors.note(sign_ins.session_begun(account, listed, self._visitors.clock))

    def seen(self, connection: HTTPConnection, account: Account, session: v.Session) -> None:
        """Store when a session was last seen, at most once per `SEEN_EVERY`."""
        listed = _listed(connection, session)
        if (
            not account.registered
            or session.seen - self._written.get(listed.digest, 0) < SEEN_EVERY
        ):
            return
        if len(self._written) >= v.MAX_KNOWN:
            self._written.clear()
        self._written[listed.digest] = session.seen
        self._visitors.note(sign_ins.session_seen(listed))

    async def of(self, connection: HTTPConnection, session: v.Session) -> list[OpenSession]:
        """Return the listed open sessions of this session's account, this session first."""
        own, now = _listed(connection, session), self._visitors.clock()
        found, person = await self._visitors.keeper.read(
            lambda store: (store.sessions(session.account), store.person(session.account))
        )
        since = person.since if person else 0
        return [own] + [
            other
            for other in found
            if other.digest != own.digest
            and other.begun >= since
            and now - other.begun < v.LONGEST_MS
            and now - other.seen < v.IDLE_MS + SEEN_EVERY
            and not self._visitors.sessions.has_ended(other.digest)
        ]

    async def sign_out(self, connection: HTTPConnection, session: v.Session) -> None:
        """End the session of a request: here at once, and on other servers within `EVERY`
        seconds."""
        connection.scope["state"]["cookie"] = v.cookie_of(connection, v.COOKIE, "")
        await self._end(session.account, v.digest_of(session), "signed out")

    async def end(self, account: Account, digest: str) -> bool:
        """End another session of an account on every server; return False if there is none."""
        found = await self._visitors.keeper.read(SqlStore.sessions, account.id)
        if digest not in (session.digest for session in found):
            return False
        await self._end(account.id, digest, "session ended")
        return True

    async def _end(self, account: str, digest: str, what: str) -> None:
        self._visitors.sessions.end(digest, self._visitors.clock())
        await self._do(sign_ins.signed_out(account, digest, self._visitors.clock))
        log.info(what, extra={"account": account, "session": digest})

    async def run(self) -> None:
        """Check the sessions periodically until cancelled."""
        while True:
            try:
                await self.check()
            except Exception as error:  # the store is unavailable: retry
                log.warning("session check failed", extra={"why": str(error)})
            await asyncio.sleep(EVERY)

    async def check(self) -> None:
        """Apply changes to sessions and accounts from the journal, and end invalid sessions."""
        sessions, clock = self._visitors.sessions, self._visitors.clock
        for entry in await self._visitors.keeper.read(self._changes):
            match decode(entry.body):
                case SignedOut(session=session):
                    sessions.end(session, clock())
                case PasswordChanged(account=changed, at=at) | PersonErased(account=changed, at=at):
                    sessions.password_changed(changed, at)
                    self._visitors.forget_account(changed)
                case GuestRegistered(account=changed):
                    self._visitors.forget_account(changed)
            self._read_to = entry.sequence
        for watch in sessions.all_watched():
            if sessions.is_old(watch.session, clock()):
                watch.end(v.End.OLD)
                continue
            account, _ = await self._visitors.owner_of(watch.session)
            if account is None:
                found = await self._visitors.keeper.read(SqlStore.person, watch.session.account)
                closed = found is None or found.password is None
                watch.end(v.End.OVER if closed else v.End.OLD)

    def _changes(self, store: SqlStore) -> list[Entry]:
        if self._read_to is None:  # sessions begun earlier have expired
            since = self._visitors.clock() - v.LONGEST_MS
            self._read_to = history.first_since(store, STREAM, since) - 1
        return history.entries_of(store, STREAM, *CHANGES, after=self._read_to)


def _listed(connection: HTTPConnection, session: v.Session) -> OpenSession:
    address, agent = shortened(address_of(connection)), connection.headers.get("user-agent", "")
    whose = (v.digest_of(session), session.account, session.begun, session.seen)
    return OpenSession(*whose, address, agent_of(agent))


def agent_of(header: str) -> str:
    """Return the browser and system named in a User-Agent header, or else its first word, or ""."""
    header = header[:400]
    browser = next((name for mark, name in BROWSERS if mark in header), "")
    system = next((name for mark, name in SYSTEMS if mark in header), "")
    if browser:
        return f"{browser} ({system})" if system else browser
    found = _NAME.match(header)
    return found[0][:LONGEST] if found else ""
