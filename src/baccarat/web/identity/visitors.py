"""Who a request comes from: its cookies, its session, its account and its browser.

A session is a signed cookie with an account, the time it began and the time it was last seen. Any
server that has the house's key can read it, so sessions survive restarts and are not looked up in
the database; the store only lists them for their owners. A session ends after 30 idle minutes,
after twelve hours, or when its owner ends it or changes the password in another session (both are
recorded in the house's journal: `web.identity.sessions`). A cookie that was not signed with this
key is ignored.

The standard library takes quadratic time to unquote a cookie, so the guard removes quoted values
from requests. Our own cookies are never quoted.
"""

import asyncio
import base64
import contextlib
import hmac
import json
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from http.cookies import SimpleCookie

from starlette.requests import HTTPConnection

from baccarat.house.people.roles import MAY, Account, Action, Role, is_guest
from baccarat.house.ports import Clock, Job
from baccarat.store.sqlstore import AsyncStore, SqlStore
from baccarat.web.identity import devices
from baccarat.web.server.guard import SECURE, place_of
from baccarat.web.server.problems import Fault, Problem

COOKIE = "baccarat_session"
IDLE_MS = 30 * 60_000
LONGEST_MS = 12 * 3_600_000
FORGOTTEN_MS = LONGEST_MS + 3_600_000
"""How long sign-outs and password changes are remembered; the extra hour allows for clock skew."""
RENEW_MS = 60_000
"""A session gets a new cookie this long after it was last seen, in milliseconds."""
MAX_CACHED = 10_000
"""Maximum number of cookies whose sessions are cached."""
MAX_KNOWN = 100_000
"""Maximum accounts kept in memory."""
log = logging.getLogger(__name__)


class End(StrEnum):
    """Why a session ended."""

    OVER = "over"
    """Its owner signed out, or its account was closed."""
    OLD = "old"
    """Expired as far as this server knows; another server may have issued a newer cookie."""


@dataclass(frozen=True)
class Session:
    """The content of a session cookie; times in milliseconds since 1970."""

    account: str
    id: str
    begun: int
    seen: int


@dataclass
class Watch:
    """The session of a long-lived connection, as in its newest cookie, and whether it has ended."""

    session: Session
    wake: Callable[[], None]
    """Called when the session has ended."""
    why: End | None = None

    def end(self, why: End) -> None:
        self.why = self.why or why
        self.wake()


class _Forged(Exception):
    """A cookie without a valid signature."""


class Sessions:
    """Signs and reads session cookies, and keeps track of ended sessions."""

    def __init__(self, secret: bytes) -> None:
        self._key = hmac.digest(secret, b"baccarat/session/1", sha256)
        self._ended: OrderedDict[str, int] = OrderedDict()
        """By session digest: when it ended."""
        self._chosen: OrderedDict[str, int] = OrderedDict()
        """By account: when its password was last changed."""
        self._watched: dict[str, list[Watch]] = {}
        # Computing a signature takes longer than most of what is done with a session.
        self._opened = lru_cache(MAX_CACHED)(self._open)
        self.csrf_token = lru_cache(MAX_CACHED)(self._csrf_token)

    def begin(self, account: str, now: int) -> Session:
        return Session(account, secrets.token_urlsafe(16), now, now)

    def end(self, digest: str, now: int) -> None:
        """Record that a session was ended, on this server or another."""
        self._ended.setdefault(digest, now)
        for watch in self._watched.get(digest, ()):
            watch.end(End.OVER)
        _forget_old(self._ended, now)

    def has_ended(self, digest: str) -> bool:
        """Return whether this server knows that the session was ended."""
        return digest in self._ended

    def password_changed(self, account: str, at: int) -> None:
        """Expire the account's sessions that began before this time."""
        at = max(at, self._chosen.pop(account, 0))
        self._chosen[account] = at
        _forget_old(self._chosen, at)

    def is_old(self, session: Session, now: int) -> bool:
        """Return whether a session has expired, or began before a password change."""
        chosen = self._chosen.get(session.account, 0)
        idle, lasted = now - session.seen, now - session.begun
        return idle >= IDLE_MS or lasted >= LONGEST_MS or session.begun < chosen

    @contextlib.contextmanager
    def watched(self, session: Session, wake: Callable[[], None]) -> Iterator[Watch]:
        """Yield a `Watch` that wakes a long-lived connection when its session ends."""
        watch, digest = Watch(session, wake), digest_of(session)
        watching = self._watched.setdefault(digest, [])
        watching.append(watch)
        try:
            yield watch
        finally:
            watching.remove(watch)
            if not watching:
                self._watched.pop(digest, None)

    def all_watched(self) -> list[Watch]:
        return [watch for watching in self._watched.values() for watch in watching]

    def cookie(self, session: Session) -> str:
        fields = [session.account, session.id, session.begun, session.seen]
        text = base64.urlsafe_b64encode(json.dumps(fields).encode()).decode().rstrip("=")
        return f"{text}.{self._sign('cookie', text)}"

    def read(self, cookie: str, now: int) -> Session | None:
        """Return the session in a cookie, or None if it is forged, damaged or over."""
        try:
            session, digest = self._opened(cookie)
        except _Forged:
            return None
        if self.is_old(session, now) or digest in self._ended:
            return None
        return self._seen(session, digest)

    def _open(self, cookie: str) -> tuple[Session, str]:
        """Return the session in a cookie and its digest, or raise _Forged, which is not cached."""
        text, _, signature = cookie.partition(".")
        if not hmac.compare_digest(self._sign("cookie", text).encode(), signature.encode()):
            raise _Forged
        session = Session(*json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))))
        return session, digest_of(session)

    def renewed(self, session: Session, now: int) -> Session | None:
        """Return the session with a new last-seen time, or None if its cookie is still recent."""
        if now - session.seen < RENEW_MS:
            return None
        return self._seen(replace(session, seen=now), digest_of(session))

    def restarted(self, session: Session, now: int) -> Session:
        """Return the same session with a new start time, so that it survives a password change."""
        return self._seen(replace(session, begun=now, seen=now), digest_of(session))

    def place_digest(self, name: str, place: str) -> str:
        """Return the digest of a typed name and a place; the store keeps only this digest."""
        return self._sign("name at", f"{place} {name}")

    def _csrf_token(self, session: Session) -> str:
        """Return the CSRF token of a session, known only to pages that can read our responses."""
        return self._sign("csrf", session.id)

    def is_csrf_token(self, session: Session, token: str) -> bool:
        return hmac.compare_digest(self.csrf_token(session).encode(), token.encode())

    def _seen(self, session: Session, digest: str) -> Session:
        for watch in self._watched.get(digest, ()):
            known = watch.session
            begun, seen = max(known.begun, session.begun), max(known.seen, session.seen)
            watch.session = replace(known, begun=begun, seen=seen)
        return session

    def _sign(self, purpose: str, text: str) -> str:
        return hmac.digest(self._key, f"{purpose}:{text}".encode(), sha256).hex()


def digest_of(session: Session) -> str:
    """Return a session's public identifier, from which its cookie cannot be derived."""
    return sha256(session.id.encode()).hexdigest()[:32]


def _forget_old(remembered: OrderedDict[str, int], now: int) -> None:
    """Remove entries older than any valid session, oldest first.

    The number of entries is not limited: otherwise anyone could push out other entries by signing
    out often. An OrderedDict finds its first entry at once; a plain dict would have to skip all
    entries removed before.
    """
    while remembered and now - next(iter(remembered.values())) > FORGOTTEN_MS:
        remembered.popitem(last=False)


class Visitors:
    """Reads the cookies of requests and sets new ones, and finds the accounts of sessions."""

    def __init__(
        self, keeper: AsyncStore, clock: Clock, secret: bytes, *, second_factor: bool = False
    ) -> None:
        self.keeper, self.clock, self.sessions = keeper, clock, Sessions(secret)
        self._second_factor = second_factor
        self._devices = devices.Devices(secret)
        self._known: dict[str, Account] = {}
        self.pending: set[asyncio.Task[object]] = set()
        """Commits running in the background."""

    def note(self, job: Job) -> None:
        """Commit a job in the background, so that response times reveal nothing about it."""
        task = asyncio.create_task(self.keeper.commit(job))
        self.pending.add(task)
        task.add_done_callback(self._log_failure)

    def _log_failure(self, task: asyncio.Task[object]) -> None:
        self.pending.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.warning("sign-in record not saved", extra={"why": str(task.exception())})

    async def account(self, name: str) -> Account | None:
        """Return an account, or None. Accounts are cached until they are erased."""
        if name not in self._known:
            found = await self.keeper.read(SqlStore.person, name)
            if found is None:
                return None
            if len(self._known) >= MAX_KNOWN:
                self._known.clear()
            self._known[name] = found.account
        return self._known[name]

    async def name_of(self, name: str) -> str:
        """Return the display name of an account, or "" if there is none."""
        account = await self.account(name) if name else None
        return account.name if account else ""

    def forget_account(self, account: str) -> None:
        """Drop an account from the cache."""
        self._known.pop(account, None)

    async def owner_of(self, session: Session | None) -> tuple[Account | None, bool]:
        """Return the account of a session, and whether its owner must first choose a password.

        Only staff accounts can be closed or get an initial password, so only they are read from the
        store each time. A session that began before the password was chosen is over, because
        someone else may have begun it. For players, other servers apply a password change within
        seconds (`SessionList.check`).
        """
        account = await self.account(session.account) if session else None
        if session is None or account is None or account.role is Role.PLAYER:
            return account, False
        found = await self.keeper.read(SqlStore.person, account.id)
        if found is None or found.password is None or found.account.suspended:
            return None, False
        return (None, False) if session.begun < found.since else (found.account, found.given)

    async def authenticate(
        self, connection: HTTPConnection, *, new: bool = False
    ) -> tuple[Session, Account]:
        """Return the session and account of a request, or raise a Problem if it has none.

        With `new`, also accept accounts that still have their initial password or must set up a
        second factor.
        """
        session = self.session_of(connection)
        account, given = await self.owner_of(session)
        if session is None or account is None:
            raise Problem(Fault.NOT_SIGNED_IN, "not-signed-in")
        if given and not new:
            raise Problem(Fault.GIVEN_PASSWORD, "given-password")
        if not new and self.lacks_second_factor(account):
            raise Problem(Fault.NEEDS_SECOND_FACTOR, "needs-second-factor")
        return session, account

    def lacks_second_factor(self, account: Account) -> bool:
        """Return whether someone must set up a second factor, because the house requires it."""
        allowed = (
            Action.USE_SECOND_FACTOR in MAY[account.role]
        )  # electronic shoes cannot enter codes
        return self._second_factor and allowed and not account.second_factor

    def session_of(self, connection: HTTPConnection) -> Session | None:
        return self.sessions.read(host_cookie_in(connection, COOKIE), self.clock())

    def client_of(self, connection: HTTPConnection, *, guests: bool = True) -> str:
        """Return the client a request is charged to: the signed-in account, or the address.

        Without `guests`, guests are charged to their address: anyone can open many guest accounts.
        """
        session = self.session_of(connection)
        if session is None or (is_guest(session.account) and not guests):
            return f"address {place_of(connection)}"
        return f"account {session.account}"

    def remember(self, connection: HTTPConnection, session: Session) -> None:
        """Set the session's cookie in the response."""
        cookie = self.sessions.cookie(session)
        connection.scope["state"]["cookie"] = cookie_of(connection, COOKIE, cookie)

    def accounts_of_browser(self, connection: HTTPConnection) -> list[str]:
        """Return the accounts that have signed in with this browser, oldest first."""
        return self._devices.open(host_cookie_in(connection, devices.COOKIE))

    def recognise(self, connection: HTTPConnection, account: str) -> list[str]:
        """Add an account to the device cookie.

        Return the other accounts in the cookie, or an empty list if it already contained this
        account.
        """
        known = self.accounts_of_browser(connection)
        if account in known:
            return []
        connection.scope["state"]["device"] = cookie_of(
            connection, devices.COOKIE, self._devices.seal([*known, account]), devices.LASTS_S
        )
        return known


def host_cookie_in(connection: HTTPConnection, name: str) -> str:
    """Return the value of a cookie that `cookie_of` made."""
    return connection.cookies.get(_host_name(connection, name), "")


def cookie_of(connection: HTTPConnection, name: str, value: str, lasts_s: int | None = None) -> str:
    """Return a Set-Cookie header; with an empty value, it removes the cookie."""
    name, jar = _host_name(connection, name), SimpleCookie()
    jar[name] = value
    morsel = jar[name]
    morsel["path"], morsel["samesite"], morsel["httponly"] = "/", "Lax", True
    if connection.scope["scheme"] in SECURE:
        morsel["secure"] = True
    if not value:
        lasts_s = 0
    if lasts_s is not None:
        morsel["max-age"] = lasts_s
    return morsel.OutputString()


def _host_name(connection: HTTPConnection, name: str) -> str:
    """Return a cookie's name, with the `__Host-` prefix over https.

    Browsers accept cookies with that prefix only from this host over https, not from a subdomain.
    """
    return f"__Host-{name}" if connection.scope["scheme"] in SECURE else name
