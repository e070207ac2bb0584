"""The site: the service with all that its visitors need, and who may come in where.

Every endpoint names the one thing it needs (`Needs`): nothing, a session, or an action that the
visitor's role must permit. The application refuses to start with an endpoint that names none. The
one rule: what is not permitted is denied, before a body is looked at.
"""

import asyncio
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import StrEnum
from http.cookies import SimpleCookie
from typing import Annotated

from fastapi import Depends, Header, Path
from starlette.requests import HTTPConnection

from baccarat.house import jobs
from baccarat.house.attempts import MOST
from baccarat.house.desk import table_stream
from baccarat.house.housefile import TablePlan
from baccarat.house.idempotency import Key
from baccarat.house.jobs import Sender
from baccarat.house.passwords import hash_password, is_password
from baccarat.house.ports import Done, Job, Person
from baccarat.house.roles import Account, Action, Role, check_may
from baccarat.service.register import Register
from baccarat.service.running import Service
from baccarat.table.refusals import Code, Refused
from baccarat.web.devices import COOKIE as DEVICE
from baccarat.web.devices import LASTS_S, Devices
from baccarat.web.display import Displays
from baccarat.web.limits import Limiter, Rates
from baccarat.web.metrics import Metrics
from baccarat.web.problems import SAFE, Fault, Problem
from baccarat.web.sessions import COOKIE, Session, Sessions, digest_of
from baccarat.web.watching import Watchman

API = "/api"
"""Where everything for programs begins; what is outside is for people and for those who run it."""
HASHERS = 2
"""Passwords hashed at the same time: each takes 19 MiB."""
MOST_KNOWN = 100_000
CSRF = "x-csrf-token"


class Anyone(StrEnum):
    """Endpoints for which no role is needed."""

    EVERYBODY = "nothing"
    SIGNED_IN = "a session"


class Site:
    """What the endpoints share."""

    def __init__(self, service: Service, secret: bytes, rates: Rates) -> None:
        clock = service.world.clock
        self.service, self.clock = service, clock
        self.sessions, self.metrics = Sessions(secret), Metrics()
        service.world.keeper.time_commits(self.metrics.commit.observe)
        self.devices, self.watchman = Devices(secret), Watchman(self)
        self.displays = Displays(service.world.keeper)
        self.sign_ins = Limiter(rates.sign_in, clock, "attempts to sign in")
        self.sign_ins_from = Limiter(rates.sign_in_from, clock, "sign-ins from this address")
        self.arrivals = Limiter(rates.new_account, clock, "new accounts from this address")
        self.wagers = Limiter(rates.wagers, clock, "wagers")
        self.commands = Limiter(rates.commands, clock, "requests")
        self.figures = Limiter(rates.figures, clock, "computations for this address")
        self.register = Register(service.house.conduct, clock)
        self.sockets: dict[str, int] = {}
        """Open sockets of each account."""
        self.seated: dict[str, Counter[str]] = {}
        """By table: the players who follow it here, and by how many sockets."""
        self.added_up_at: int | None = None
        """When the sum of the ledger was last read."""
        self._hashers = ThreadPoolExecutor(HASHERS, thread_name_prefix="hasher")
        self._known: dict[str, Account] = {}
        self._noting: set[asyncio.Task[object]] = set()
        self._nobodys = hash_password("nobody has this password")

    def close(self) -> None:
        self._hashers.shutdown()

    async def do(self, job: Job) -> Done:
        """Its answer, once durable."""
        with self.metrics.command.time():
            return await self.service.do(job)

    # ---- people ------------------------------------------------------------------------------

    async def account(self, name: str) -> Account | None:
        """An account; they never change, so those seen before are not asked for again."""
        if name not in self._known:
            found = await self.service.world.keeper.read(lambda store: store.person(name))
            if found is None:
                return None
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[name] = found.account
        return self._known[name]

    async def newcomer(self, session: Session | None) -> tuple[Account | None, bool]:
        """Whose session it is, and whether they must choose a password of their own first.

        Only accounts of the staff are closed or given, so only they are read. A session that began
        before the password was chosen is over: somebody else may have begun it. Of players, other
        servers know that within seconds (`watching`).
        """
        account = await self.account(session.account) if session else None
        if session is None or account is None or account.role is Role.PLAYER:
            return account, False
        found = await self.service.world.keeper.read(lambda store: store.person(account.id))
        if found is None or found.password is None or found.account.suspended:
            return None, False
        return (None, False) if session.begun < found.since else (found.account, found.given)

    async def let_in(
        self, connection: HTTPConnection, *, new: bool = False
    ) -> tuple[Session, Account]:
        """Whose session a request belongs to; a Problem when it is nobody's."""
        session = self.session_of(connection)
        account, given = await self.newcomer(session)
        if session is None or account is None:
            words = "there is no session, or it is over: sign in, or come in as a guest"
            raise Problem(Fault.NOT_SIGNED_IN, words)
        if given and not new:
            words = (
                f"{account.name} has an initial password: choose one of your own first "
                f"(PUT {API}/me/password, or the page /account)"
            )
            raise Problem(Fault.GIVEN_PASSWORD, words)
        return session, account

    async def hashed(self, password: str) -> str:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._hashers, hash_password, password)

    async def signed_in(
        self, connection: HTTPConnection, name: str, password: str
    ) -> tuple[Account, int]:
        """Whose name and password these are, and since when: from before they were checked, but not
        from before they were chosen. All is the same when there is no such account.

        Wrong passwords in a browser in which the name has signed in before are counted apart from
        those of strangers, who could otherwise lock its owner out whenever they like.
        """
        known_here = name in self.devices.open(connection.cookies.get(DEVICE, ""))
        digest = self.sessions.name_digest(name, known=known_here)
        self.sign_ins.use(digest)
        asked_at = self.clock()
        found, attempts = await self.service.world.keeper.read(
            lambda store: (store.person(name), store.attempts(digest))
        )
        until = attempts.locked_until(self.clock()) if attempts else None
        if until is not None:
            minutes = -((self.clock() - until) // 60_000)
            words = (
                f"{MOST} wrong passwords in a row: nobody signs in under this name for "
                f"{minutes} min; wait, or use a browser in which it has signed in before"
            )
            wait = {"Retry-After": str(-((self.clock() - until) // 1000))}
            raise Problem(Fault.SIGN_IN_LOCKED, words, headers=wait)
        kept = found.password if found and found.password else self._nobodys
        loop = asyncio.get_running_loop()
        right = await loop.run_in_executor(self._hashers, is_password, kept, password)
        if found is None or found.password is None or not right:
            known = None if found is None else name
            self._note(jobs.sign_in_failed(digest, known, self.clock))
            words = "no account has this id and password: check both, or ask the pit"
            raise Problem(Fault.WRONG_PASSWORD, words)
        if attempts is not None:
            self._note(jobs.signed_in(digest))
        self._check_usable(found)
        return found.account, max(asked_at, found.since)

    def _check_usable(self, person: Person) -> None:
        """Said only to somebody who knows the password."""
        if person.account.suspended:
            words = "this account is suspended: ask the pit"
            raise Problem(Fault.SUSPENDED, words)
        if person.given and self.clock() >= person.expires_at:
            words = "this initial password has expired: ask the pit for a new one"
            raise Problem(Fault.EXPIRED_PASSWORD, words)

    def _note(self, job: Job) -> None:
        """Write it down while nobody waits: how long an answer takes tells nothing."""
        noting = asyncio.create_task(self.service.world.keeper.commit(job))
        self._noting.add(noting)
        noting.add_done_callback(self._noting.discard)

    def session_of(self, connection: HTTPConnection) -> Session | None:
        return self.sessions.read(connection.cookies.get(COOKIE, ""), self.clock())

    def remember(self, connection: HTTPConnection, session: Session) -> None:
        """Send the session's cookie with the answer."""
        secure = connection.scope["scheme"] == "https"
        connection.scope["state"]["cookie"] = cookie_of(self.sessions.cookie(session), secure)

    def recognise(self, connection: HTTPConnection, account: str) -> list[str]:
        """Remember an account in its browser; the others that signed in there, if it is new."""
        known = self.devices.open(connection.cookies.get(DEVICE, ""))
        if account in known:
            return []
        secure = connection.scope["scheme"] == "https"
        sealed = self.devices.seal([*known, account])
        connection.scope["state"]["device"] = cookie_of(sealed, secure, DEVICE, LASTS_S)
        return known

    async def forget(self, connection: HTTPConnection, session: Session) -> None:
        """End a session: here at once, elsewhere when the journal is read."""
        digest = digest_of(session)
        self.sessions.end(digest)
        secure = connection.scope["scheme"] == "https"
        connection.scope["state"]["cookie"] = cookie_of("", secure)
        await self.do(jobs.signed_out(session.account, digest, self.clock))

    # ---- tables ------------------------------------------------------------------------------

    def plan(self, table: str) -> TablePlan:
        if table not in self.service.plans:
            known = ", ".join(self.service.plans)
            raise Refused(Code.NO_SUCH_TABLE, f"there is no table {table[:50]!r}: {known} are")
        return self.service.plans[table]

    @property
    def tables(self) -> dict[str, str]:
        """Names by id, also of tables that are no longer in the house file: their history stays."""
        names = {plan.id: plan.name for plan in self.service.house.tables}
        return names | {table: table for table in self.service.drivers if table not in names}

    def stream(self, table: str) -> str:
        """The journal of one of these, or Refused."""
        if table not in self.service.drivers:
            self.plan(table)  # it says which there are
        return table_stream(table)


def cookie_of(value: str, secure: bool, name: str = COOKIE, lasts: int | None = None) -> str:  # noqa: FBT001
    """The Set-Cookie header; without a value, one that removes it."""
    jar: SimpleCookie = SimpleCookie()
    jar[name] = value
    morsel = jar[name]
    if lasts is not None:
        morsel["max-age"] = lasts
    morsel["path"], morsel["samesite"], morsel["httponly"] = "/", "Lax", True
    if secure:
        morsel["secure"] = True
    if not value:
        morsel["max-age"] = 0
    return morsel.OutputString()


def site_of(connection: HTTPConnection) -> Site:
    site: Site = connection.app.state.site
    return site


async def _the_site(connection: HTTPConnection) -> Site:
    """For FastAPI, which would ask a plain function in a thread of its own."""
    return site_of(connection)


@dataclass(frozen=True)
class Needs:
    """What an endpoint needs of its visitor, as a dependency that gives the account."""

    rule: Action | Anyone
    new: bool = False
    """Also somebody who has not chosen their own password yet."""

    def shows(self, method: str) -> tuple[str, ...]:
        """What a visitor shows, by the names of the OpenAPI document."""
        if self.rule is Anyone.EVERYBODY:
            return ()
        return ("session",) if method in SAFE else ("session", "csrf_token")

    async def __call__(self, connection: HTTPConnection) -> Account | None:
        if self.rule is Anyone.EVERYBODY:
            return None
        site = site_of(connection)
        session, account = await site.let_in(connection, new=self.new)
        connection.scope["state"]["account"] = account.id
        changing = connection.scope.get("method", "GET") not in SAFE
        if changing and not site.sessions.is_csrf_token(session, connection.headers.get(CSRF, "")):
            words = f"the {CSRF} header is not this session's: GET {API}/session tells it"
            raise Problem(Fault.NO_CSRF_TOKEN, words)
        if isinstance(self.rule, Action):
            check_may(account, self.rule)
        if changing:
            limiter = site.wagers if self.rule is Action.WAGER else site.commands
            limiter.use(account.id)
        renewed = site.sessions.renewed(session, site.clock())
        if renewed is not None:
            site.remember(connection, renewed)
        return account


@dataclass(frozen=True)
class _Keyed:
    """The idempotency key of a request."""

    key: str = field(default="")

    def sender(self, account: Account, body: bytes) -> Sender:
        return Sender(Key(account.id, self.key), body)


async def _keyed(
    idempotency_key: Annotated[
        str, Header(min_length=1, max_length=80, description="new for every command; same to retry")
    ],
) -> _Keyed:
    return _Keyed(idempotency_key)


TheSite = Annotated[Site, Depends(_the_site)]
Keyed = Annotated[_Keyed, Depends(_keyed)]
Table = Annotated[str, Path(description="the table's id", max_length=80)]
Number = Annotated[int, Path(ge=1, le=2**53, description="of the round")]
