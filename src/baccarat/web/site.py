"""The site: the service with all that its visitors need, and who may come in where.

Every endpoint names the one thing it needs (`Needs`): nothing, a session, or an action that the
visitor's role must permit. The application refuses to start with an endpoint that names none. The
one rule: what is not permitted is denied, before a body is looked at.
"""

import asyncio
import hmac
import logging
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import StrEnum
from http.cookies import SimpleCookie
from typing import Annotated, TypeVar

from fastapi import Depends, Header, Path
from starlette.requests import HTTPConnection

from baccarat.house import attempts as wrong
from baccarat.house import jobs
from baccarat.house.desk import table_stream
from baccarat.house.housefile import TablePlan
from baccarat.house.idempotency import Key
from baccarat.house.jobs import Sender
from baccarat.house.passwords import hash_password, is_password
from baccarat.house.ports import Done, Job, OpenSession, Person
from baccarat.house.roles import Account, Action, Role, check_may, is_guest
from baccarat.service.register import Register
from baccarat.service.running import Service
from baccarat.table.refusals import Code, Refused
from baccarat.web.addresses import address_of, place_of, shortened
from baccarat.web.agents import agent_of
from baccarat.web.cookies import cookie_in
from baccarat.web.devices import COOKIE as DEVICE
from baccarat.web.devices import LASTS_S, Devices
from baccarat.web.display import Displays
from baccarat.web.doors import Doors
from baccarat.web.limits import Limiter, Rates
from baccarat.web.metrics import Metrics
from baccarat.web.pool import Pool
from baccarat.web.problems import SAFE, Fault, Problem
from baccarat.web.sessions import COOKIE, IDLE_MS, LONGEST_MS, Session, Sessions, digest_of
from baccarat.web.shoes import ShoeDocuments
from baccarat.web.watching import Watchman

Hashed = TypeVar("Hashed")
API = "/api"
"""Where everything for programs begins; what is outside is for people and for those who run it."""
HASHERS = 2
"""Passwords hashed at the same time: each takes 19 MiB."""
MOST_HASHING = 50
"""Passwords that wait to be hashed: two seconds' worth."""
MOST_KNOWN = 100_000
KNOWN_AGAIN = 24 * 3_600_000
"""Milliseconds after which an address is written down again as one at which a name signed in."""
SEEN_EVERY = 5 * 60_000
"""Milliseconds after which the list of sessions is written to again: it says when one was seen."""
log = logging.getLogger(__name__)
CSRF = "x-csrf-token"
PROBES = frozenset({"/health", "/ready", "/metrics"})
READ, PAGE = 2, 5
"""Points that most reads cost, and most pages (`Site.charge`)."""


class Anyone(StrEnum):
    """Endpoints for which no role is needed."""

    EVERYBODY = "nothing"
    SIGNED_IN = "a session"
    OPERATIONS = "the operations token"


class Site:
    """What the endpoints share."""

    def __init__(
        self, service: Service, secret: bytes, rates: Rates, operations_token: str | None = None
    ) -> None:
        clock = service.world.clock
        self._operations_token = operations_token
        self.service, self.clock = service, clock
        self.sessions, self.metrics = Sessions(secret), Metrics()
        service.world.keeper.time_commits(self.metrics.commit.observe)
        self.devices, self.watchman = Devices(secret), Watchman(self)
        self.displays = Displays(service.world.keeper)
        self.shoes = ShoeDocuments(service.world.keeper)
        self.sign_ins = Limiter(rates.sign_in, clock, "attempts to sign in")
        self.sign_ins_from = Limiter(rates.sign_in_from, clock, "sign-ins from this address")
        self.arrivals = Limiter(rates.new_account, clock, "new accounts from this address")
        self.wagers = Limiter(rates.wagers, clock, "wagers")
        self.commands = Limiter(rates.commands, clock, "requests")
        self.figures = Limiter(rates.figures, clock, "computations for this address")
        self.contributions = Limiter(rates.contributions, clock, "contributions")
        self.contributions_from = Limiter(
            rates.contributions_from, clock, "contributions from this address"
        )
        self.reads = Limiter(rates.reads, clock, "requests")
        self.reads_from = Limiter(rates.reads_from, clock, "requests from this address")
        self.pool = Pool()
        self.register = Register(service.house.conduct, clock)
        self.doors = Doors(any_is_proxy=False)
        self.sockets: dict[str, int] = {}
        """Open sockets of each account."""
        self.seated: dict[str, Counter[str]] = {}
        """By table: the players who follow it here, and by how many sockets."""
        self.added_up_at: int | None = None
        """When the sum of the ledger was last read."""
        self._hashers = ThreadPoolExecutor(HASHERS, thread_name_prefix="hasher")
        self._hashing = 0
        """Passwords that are being hashed, or wait for it."""
        self._known: dict[str, Account] = {}
        self._noting: set[asyncio.Task[object]] = set()
        self._noted: dict[str, int] = {}
        """By digest: when the list of sessions was last written to."""
        self._nobodys = hash_password("nobody has this password")

    def knows_token(self, connection: HTTPConnection) -> bool:
        """Does it show the token of those who watch the server? Without one, nobody does."""
        scheme, _, shown = connection.headers.get("authorization", "").partition(" ")
        token = self._operations_token
        if token is None or scheme.lower() != "bearer":
            return False
        return hmac.compare_digest(shown.strip().encode(), token.encode())

    def close(self) -> None:
        self._hashers.shutdown()
        self.pool.close()

    def client_of(self, connection: HTTPConnection) -> str:
        """Whose work a request is: the account's that is signed in, or else the address's."""
        session = self.session_of(connection)
        return f"account {session.account}" if session else f"address {place_of(connection)}"

    def queue_of(self, connection: HTTPConnection) -> str:
        """Return the queue a computation waits in: the account's, or that of the address for guests
        and where nobody is signed in, since anyone can be many guests."""
        session = self.session_of(connection)
        if session is None or is_guest(session.account):
            return f"address {place_of(connection)}"
        return f"account {session.account}"

    def place_counted(self, connection: HTTPConnection) -> str:
        """Return the address whose accounts have a limit together; "" for a proxy of ours."""
        place = place_of(connection)
        return "" if self.doors.is_proxy(place) else place

    def charge(self, connection: HTTPConnection, points: int) -> None:
        """Count what a request costs, before the work; a Problem when that is too much.

        A point is about a millisecond. All clients of one address have a limit together as well:
        anyone can have many accounts.
        """
        self.reads.use(self.client_of(connection), points)
        place = place_of(connection)
        if not self.doors.is_proxy(place):
            self.reads_from.use(place, points)

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
        return await self._in_turn(hash_password, password)

    async def _in_turn(self, function: Callable[..., Hashed], *arguments: str) -> Hashed:
        """Hash or compare a password, when it is its turn; a Problem when too many wait."""
        if self._hashing >= HASHERS + MOST_HASHING:
            words = f"{MOST_HASHING} passwords are waiting to be checked: try again later"
            raise Problem(Fault.BUSY, words, headers={"Retry-After": "5"})
        self._hashing += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._hashers, function, *arguments)
        finally:
            self._hashing -= 1

    async def check_sign_ins_from(self, connection: HTTPConnection, name: str) -> None:
        """Count an attempt to sign in for its address; a Problem when there are too many."""
        await self._limited(self.sign_ins_from, place_of(connection), connection, name)

    async def _limited(
        self, limiter: Limiter, sender: str, connection: HTTPConnection, name: str
    ) -> None:
        """Count an attempt to sign in, and log it when there are too many."""
        try:
            limiter.use(sender)
        except Problem:
            who = name if await self.account(name) else None  # or else it may be a secret
            extra = {"account": who, "address": address_of(connection), "why": "rate limit"}
            log.info("sign-in refused", extra=extra)
            raise

    async def signed_in(
        self, connection: HTTPConnection, name: str, password: str
    ) -> tuple[Person, int]:
        """Whose name and password these are, and since when: from before they were checked, but not
        from before they were chosen. All is the same when there is no such account.

        Wrong passwords are counted where they come from (`house.attempts`), so that strangers
        cannot lock an account's owner out.
        """
        place = self._place(connection, name)
        await self._limited(self.sign_ins, place.here, connection, name)
        asked_at = self.clock()
        found, attempts, anywhere, known_at = await self.service.world.keeper.read(
            lambda store: (
                store.person(name),
                store.attempts(place.here),
                store.attempts(place.anywhere),
                store.known_place(place.address),
            )
        )
        known = place.browser or (known_at is not None and asked_at < known_at + wrong.KNOWN_MS)
        locks = [attempts.locked_until(asked_at)] if attempts else []
        if anywhere and not known:
            locks.append(anywhere.locked_until(asked_at, wrong.MOST_ANYWHERE))
        until = max((one for one in locks if one is not None), default=None)
        # What was typed as a name may be a secret: only the name of an account is logged.
        who = {"account": name if found else None, "address": address_of(connection)}
        if until is not None:
            log.info("sign-in refused", extra={**who, "why": "locked"})
            raise _locked(until - asked_at)
        kept = found.password if found and found.password else self._nobodys
        right = await self._in_turn(is_password, kept, password)
        if found is None or found.password is None or not right:
            counted = {place.here: wrong.MOST}
            if not known:
                counted[place.anywhere] = wrong.MOST_ANYWHERE
            self._note(jobs.sign_in_failed(counted, None if found is None else name, self.clock))
            log.info("sign-in failed", extra={**who, "why": "wrong password"})
            words = "no account has this id and password: check both, or ask the pit"
            raise Problem(Fault.WRONG_PASSWORD, words)
        new = known_at is None or asked_at - known_at > KNOWN_AGAIN
        if attempts is not None or new:
            self._note(
                jobs.password_known(
                    [place.here] if attempts else [], (place.address, asked_at) if new else None
                )
            )
        self._check_usable(found)
        return found, max(asked_at, found.since)

    def _check_usable(self, person: Person) -> None:
        """Said only to somebody who knows the password."""
        if person.account.suspended:
            words = "this account is suspended: ask the pit"
            raise Problem(Fault.SUSPENDED, words)
        if person.given and self.clock() >= person.expires_at:
            words = "this initial password has expired: ask the pit for a new one"
            raise Problem(Fault.EXPIRED_PASSWORD, words)

    def _place(self, connection: HTTPConnection, name: str) -> "_Place":
        browser = name in self.devices.open(_cookie(connection, DEVICE))
        network, digest = place_of(connection), self.sessions.place_digest
        return _Place(
            browser=browser,
            here=digest(name, f"{'browser' if browser else 'address'} {network}"),
            address=digest(name, f"known {network}"),
            anywhere=digest(name, "anywhere"),
        )

    def _note(self, job: Job) -> None:
        """Write it down while nobody waits: how long an answer takes tells nothing."""
        noting = asyncio.create_task(self.service.world.keeper.commit(job))
        self._noting.add(noting)
        noting.add_done_callback(self._noted_down)

    def _noted_down(self, noting: asyncio.Task[object]) -> None:
        self._noting.discard(noting)
        if not noting.cancelled() and noting.exception() is not None:
            log.warning("not written down", extra={"why": str(noting.exception())})

    def began(self, connection: HTTPConnection, account: Account, session: Session) -> None:
        """Somebody signed in: for the log, and for the list that its owner sees."""
        listed = self._listed(connection, session)
        extra = {"account": account.id, "address": address_of(connection)}
        log.info("signed in", extra={**extra, "session": listed.digest})
        if not account.guest:  # whose only session it is
            self._noted[listed.digest] = session.seen
            self._note(jobs.session_begun(account, listed, self.clock))

    def seen(self, connection: HTTPConnection, account: Account, session: Session) -> None:
        """A session goes on: now and then, its list says so."""
        listed = self._listed(connection, session)
        if account.guest or session.seen - self._noted.get(listed.digest, 0) < SEEN_EVERY:
            return
        if len(self._noted) >= MOST_KNOWN:
            self._noted.clear()
        self._noted[listed.digest] = session.seen
        self._note(jobs.session_seen(listed))

    def _listed(self, connection: HTTPConnection, session: Session) -> OpenSession:
        address, agent = shortened(address_of(connection)), connection.headers.get("user-agent", "")
        whose = (digest_of(session), session.account, session.begun, session.seen)
        return OpenSession(*whose, address, agent_of(agent))

    async def sessions_of(self, connection: HTTPConnection, session: Session) -> list[OpenSession]:
        """All sessions of an account that go on, as far as they are listed; this one first."""
        mine, now = self._listed(connection, session), self.clock()
        found, person = await self.service.world.keeper.read(
            lambda store: (store.sessions(session.account), store.person(session.account))
        )
        since = person.since if person else 0
        return [mine] + [
            one
            for one in found
            if one.digest != mine.digest
            and one.begun >= since
            and now - one.begun < LONGEST_MS
            and now - one.seen < IDLE_MS + SEEN_EVERY
            and not self.sessions.has_ended(one.digest)
        ]

    async def end_session(self, account: Account, digest: str) -> bool:
        """End another session of an account, at every server; False when it has no such session."""
        found = await self.service.world.keeper.read(lambda store: store.sessions(account.id))
        if digest not in (one.digest for one in found):
            return False
        self.sessions.end(digest, self.clock())
        await self.do(jobs.signed_out(account.id, digest, self.clock))
        log.info("session ended", extra={"account": account.id, "session": digest})
        return True

    def session_of(self, connection: HTTPConnection) -> Session | None:
        return self.sessions.read(_cookie(connection, COOKIE), self.clock())

    def remember(self, connection: HTTPConnection, session: Session) -> None:
        """Send the session's cookie with the answer."""
        sealed, secure = self.sessions.cookie(session), is_secure(connection)
        connection.scope["state"]["cookie"] = cookie_of(sealed, secure)

    def recognise(self, connection: HTTPConnection, account: str) -> list[str]:
        """Remember an account in its browser; the others that signed in there, if it is new."""
        known = self.devices.open(_cookie(connection, DEVICE))
        if account in known:
            return []
        sealed, secure = self.devices.seal([*known, account]), is_secure(connection)
        connection.scope["state"]["device"] = cookie_of(sealed, secure, DEVICE, LASTS_S)
        return known

    async def forget(self, connection: HTTPConnection, session: Session) -> None:
        """End a session: here at once, elsewhere when the journal is read."""
        digest = digest_of(session)
        self.sessions.end(digest, self.clock())
        connection.scope["state"]["cookie"] = cookie_of("", is_secure(connection))
        await self.do(jobs.signed_out(session.account, digest, self.clock))
        log.info("signed out", extra={"account": session.account, "session": digest})

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


@dataclass(frozen=True)
class _Place:
    """Where somebody tries to sign in under a name; digests of the name with the place."""

    browser: bool
    """Has the name signed in with this browser before?"""
    here: str
    address: str
    anywhere: str


def _locked(left: int) -> Problem:
    """Too many wrong passwords; `left` are milliseconds."""
    words = (
        f"too many wrong passwords in a row: nobody signs in under this name from here for "
        f"{-(-left // 60_000)} min; wait, or use a browser in which it has signed in before"
    )
    return Problem(Fault.SIGN_IN_LOCKED, words, headers={"Retry-After": str(-(-left // 1000))})


def is_secure(connection: HTTPConnection) -> bool:
    """Did it come by https, as far as this server or a proxy that it believes can tell?"""
    return connection.scope["scheme"] in ("https", "wss")


def cookie_name(name: str, *, secure: bool) -> str:
    """By https, cookies have a prefix by which browsers take them from this very host alone: not
    from a page of a subdomain, and not from one without https."""
    return f"__Host-{name}" if secure else name


def _cookie(connection: HTTPConnection, name: str) -> str:
    return cookie_in(connection, cookie_name(name, secure=is_secure(connection)))


def cookie_of(value: str, secure: bool, name: str = COOKIE, lasts: int | None = None) -> str:  # noqa: FBT001
    """The Set-Cookie header; without a value, one that removes it."""
    jar: SimpleCookie = SimpleCookie()
    name = cookie_name(name, secure=secure)
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


def cost_of(entries: int) -> int:
    """Points that it costs to read and to tell so many entries (`Site.charge`)."""
    return -(-entries // 20)


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
    points: int | None = None
    """What reading it costs (`Site.charge`); None for what is usual."""

    def shows(self, method: str) -> tuple[str, ...]:
        """What a visitor shows, by the names of the OpenAPI document."""
        if self.rule is Anyone.EVERYBODY:
            return ()
        if self.rule is Anyone.OPERATIONS:
            return ("operations_token",)
        return ("session",) if method in SAFE else ("session", "csrf_token")

    async def __call__(self, connection: HTTPConnection) -> Account | None:
        site = site_of(connection)
        if connection.scope.get("method", "GET") in SAFE:
            self._charge(site, connection)
        if self.rule is Anyone.EVERYBODY:
            return None
        if self.rule is Anyone.OPERATIONS:
            if not site.knows_token(connection):
                words = "this is for those who run the server: send the operations token as Bearer"
                shown = {"WWW-Authenticate": "Bearer"}
                raise Problem(Fault.NEEDS_TOKEN, words, headers=shown)
            return None
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
            site.seen(connection, account, renewed)
        return account

    def _charge(self, site: Site, connection: HTTPConnection) -> None:
        path = connection.scope["path"]
        if path in PROBES:  # whatever visitors of the same address do, these are answered
            site.reads.use(f"probe {place_of(connection)}", READ)
            return
        if self.points is None:
            charge_usual(connection)
        else:
            site.charge(connection, self.points)


def charge_usual(connection: HTTPConnection) -> None:
    """Count what most requests for such a path cost; a Problem when that is too much."""
    read = connection.scope["path"].startswith((f"{API}/", "/static/"))
    site_of(connection).charge(connection, READ if read else PAGE)


@dataclass(frozen=True)
class _Keyed:
    """The idempotency key of a request."""

    key: str = field(default="")
    proposal: str | None = None

    def sender(self, account: Account, body: bytes, *, reason: str = "") -> Sender:
        return Sender(Key(account.id, self.key), body, self.proposal, reason)


async def _confirming(
    x_proposal: Annotated[
        str | None,
        Header(
            pattern="^[0-9a-f]{32}$",
            description="the proposal that is confirmed, as GET /api/pit shows it: if it has "
            "changed or ended, nothing is done, and nothing is proposed",
        ),
    ] = None,
) -> Sender:
    return Sender(proposal=x_proposal)


Confirming = Annotated[Sender, Depends(_confirming)]
"""For endpoints without a key: the proposal that is confirmed, if the sender names one."""


async def _keyed(
    idempotency_key: Annotated[
        str, Header(min_length=1, max_length=80, description="new for every command; same to retry")
    ],
    confirming: Confirming,
) -> _Keyed:
    return _Keyed(idempotency_key, confirming.proposal)


TheSite = Annotated[Site, Depends(_the_site)]
Keyed = Annotated[_Keyed, Depends(_keyed)]
Table = Annotated[str, Path(description="the table's id", max_length=80)]
Number = Annotated[int, Path(ge=1, le=2**53, description="of the round")]
