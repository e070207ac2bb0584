"""The site: the service, and everything that endpoints and pages share.

Every endpoint declares what it requires (`Needs`): nothing, a session, the operations token, or an
action that the visitor's role must permit. The application does not start if an endpoint declares
nothing. Requests that are not permitted are refused before their body is read. How to add an
endpoint: docs/internals/endpoints.md.
"""

import hmac
import inspect
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from hashlib import sha256
from typing import Annotated, Any

from fastapi import Depends, Header, Path, Query
from starlette.requests import HTTPConnection

from baccarat.house import jobs
from baccarat.house.people.roles import MAY, Account, Action, check_may
from baccarat.house.ports import Done, Job, Key
from baccarat.house.table_plans import TablePlan
from baccarat.service.exclusion_register import Register
from baccarat.service.service import Service
from baccarat.store.sqlstore import SqlStore
from baccarat.table.commands import Command
from baccarat.table.events import ActionProposed
from baccarat.table.journal import table_stream
from baccarat.table.refusals import Code, Refused
from baccarat.table.state import TableState
from baccarat.web.compute.pool import Pool
from baccarat.web.identity.sessions import SessionList
from baccarat.web.identity.sign_in import SignIns
from baccarat.web.identity.visitors import Session, Visitors
from baccarat.web.server.guard import ConnectionCounter, Limiter, Rates, place_of
from baccarat.web.server.language import Words
from baccarat.web.server.metrics import Metrics
from baccarat.web.server.problems import SAFE, Fault, Problem
from baccarat.web.views.shoes import ShoeDocuments

API = "/api"
"""Path prefix of the API; other paths are pages, probes and metrics."""
CSRF = "x-csrf-token"
PROBES = frozenset({"/health", "/ready", "/metrics"})
READ, PAGE = 2, 5
"""Points that most API reads and most pages cost (`Site.charge`)."""


class Site:
    """The service, sessions, rate limits and metrics of one server."""

    def __init__(
        self, service: Service, secret: bytes, rates: Rates, operations_token: str | None = None
    ) -> None:
        keeper, clock = service.environment.keeper, service.environment.clock
        self._operations_token = operations_token
        self.service, self.house, self.clock = service, service.house, clock
        self.metrics = Metrics()
        self.read = keeper.read
        keeper.time_commits(self.metrics.commit.observe)
        second_factor = self.house.second_factor
        self.visitors = Visitors(keeper, clock, secret, second_factor=second_factor)
        self.session_list = SessionList(self.visitors, self.do)
        self.sign_ins = SignIns(self.visitors, rates, service.environment.vault)
        self.shoes = ShoeDocuments(keeper)
        self.arrivals = Limiter(rates.new_account, clock, "new-accounts")
        self.wagers = Limiter(rates.wagers, clock, "bets")
        self.commands = Limiter(rates.commands, clock, "changes")
        self.reports = Limiter(rates.reports, clock, "reports")
        self.figures = Limiter(rates.figures, clock, "figures")
        self.contributions = Limiter(rates.contributions, clock, "contributions")
        self.contributions_from = Limiter(rates.contributions_from, clock, "contributions-here")
        self.reads = Limiter(rates.reads, clock, "requests")
        self.reads_from = Limiter(rates.reads_from, clock, "requests-here")
        self.pool = Pool()
        conduct = self.house.conduct
        self.register = Register(conduct, clock) if conduct.register else None
        self.at_table = partial(jobs.at_table, clock=clock, conduct=conduct)
        """Function that returns the job for a command at a table."""
        self.doors = ConnectionCounter(any_is_proxy=False)
        self.sockets: Counter[str] = Counter()
        """Number of open sockets of each account."""
        self.seated: dict[str, Counter[str]] = {}
        """By table: the players who follow it on this server, with their number of sockets."""
        self.added_up_at: int | None = None
        """When the ledger was last summed."""

    def close(self) -> None:
        self.sign_ins.close()
        self.pool.close()

    async def do(self, job: Job) -> Done:
        """Commit a job and return its result once it is durable."""
        with self.metrics.command.time():
            return await self.service.do(job)

    async def do_or_propose(self, job: Job) -> bool:
        """Commit a job, and return whether it must be confirmed by a second person."""
        return (await self.do(job)).has(ActionProposed)

    async def open_account(self, job: Job) -> Done:
        """Open an account, or raise a Problem if its id is taken."""
        try:
            return await self.do(job)
        except Refused as error:
            if error.code is not Code.NO_SUCH_ACCOUNT:
                raise
            raise Problem(Fault.ID_TAKEN, "id-taken") from error

    # ---- requests ----------------------------------------------------------------------------

    def knows_token(self, connection: HTTPConnection) -> bool:
        """Return whether a request carries the operations token; False if none is configured."""
        token = self._operations_token
        return token is not None and hmac.compare_digest(_bearer(connection), token.encode())

    def check_shoe_key(self, connection: HTTPConnection) -> None:
        """Raise Problem unless a request carries the key of its table's electronic shoe."""
        known = {plan.id: plan.shoe_key for plan in self.house.tables}
        expected = known.get(connection.path_params["table"], "")
        digest = sha256(_bearer(connection)).hexdigest()
        if not expected or not hmac.compare_digest(digest, expected):
            words = "For the table's electronic shoe only. Send its key as a Bearer token."
            raise Problem(Fault.NEEDS_TOKEN, words, headers={"WWW-Authenticate": "Bearer"})

    def place_counted(self, connection: HTTPConnection) -> str:
        """Return the address whose clients share limits, or "" for a trusted proxy."""
        place = place_of(connection)
        return "" if self.doors.is_proxy(place) else place

    def charge(self, connection: HTTPConnection, points: int) -> None:
        """Charge a request before it is processed, or raise a Problem if it exceeds a limit.

        A point is about a millisecond of work. All clients at one address also share a limit,
        because anyone can have many accounts.
        """
        self.reads.use(self.visitors.client_of(connection), points)
        if place := self.place_counted(connection):
            self.reads_from.use(place, points)

    def charge_entries(self, connection: HTTPConnection, entries: int) -> None:
        """Charge for reading this many journal entries."""
        self.charge(connection, -(-entries // 20))

    def renew(self, connection: HTTPConnection, account: Account, session: Session) -> None:
        """Keep a session alive: renew its cookie and its entry in the owner's list when due."""
        renewed = self.visitors.sessions.renewed(session, self.clock())
        if renewed is not None:
            self.visitors.remember(connection, renewed)
            self.session_list.seen(connection, account, renewed)

    # ---- tables ------------------------------------------------------------------------------

    def plan(self, table: str) -> TablePlan:
        """Return a table's plan from the house file, or raise Refused."""
        if table not in self.service.plans:
            known = ", ".join(self.service.plans)
            raise Refused(Code.NO_SUCH_TABLE, "no-table", table=table[:50], tables=known)
        return self.service.plans[table]

    @property
    def tables(self) -> dict[str, str]:
        """Table names by id, including tables that are no longer in the house file."""
        names = {plan.id: plan.name for plan in self.house.tables}
        return names | {table: table for table in self.service.drivers if table not in names}

    async def account(self, who: str) -> Account:
        """Return an account, or raise Refused."""
        account = await self.visitors.account(who)
        if account is None:
            raise Refused(Code.NO_SUCH_ACCOUNT, "no-account", account=who)
        return account

    async def state(self, table: str) -> TableState:
        """Return a table's current state, or raise Refused."""
        state = await self.read(SqlStore.state, table_stream(table))
        if state is None:
            raise Refused(Code.NO_SUCH_TABLE, "table-not-opened")
        return state

    def check_guest(self, table: str, account: Account) -> None:
        """Raise Refused if the account is an unregistered guest's, and none may play here."""
        plan = self.plan(table)
        if not plan.guests and not account.registered:
            raise Refused(Code.NOT_ALLOWED, "no-guests-here", table=plan.name)

    async def cleared_at(self, account: Account) -> int | None:
        """Return when the exclusion register last cleared a player, or None without a register."""
        return await self.register.cleared_at(account) if self.register else None

    def stream(self, table: str) -> str:
        """Return the name of a table's journal, or raise Refused."""
        if table not in self.service.drivers:
            self.plan(table)  # its error lists the tables
        return table_stream(table)


def site_of(connection: HTTPConnection) -> Site:
    site: Site = connection.app.state.site
    return site


# ---- endpoint declarations -----------------------------------------------------------------------


def _bearer(connection: HTTPConnection) -> bytes:
    """Return the Bearer token of a request; empty if there is none."""
    scheme, _, shown = connection.headers.get("authorization", "").partition(" ")
    return shown.strip().encode() if scheme.lower() == "bearer" else b""


class Anyone(StrEnum):
    """Requirements that do not depend on a role."""

    EVERYBODY = "nothing"
    SIGNED_IN = "a session"
    OPERATIONS = "the operations token"
    SHOE = "the key of the table's electronic shoe"


@dataclass(frozen=True)
class Needs:
    """What an endpoint requires of its visitor; as a dependency, it returns the account."""

    rule: Action | Anyone
    new: bool = False
    """Whether an account that still has its initial password is allowed."""
    points: int | None = None
    """Cost of a read (`Site.charge`); None for the usual cost."""

    def shows(self, method: str) -> tuple[str, ...]:
        """Return the names of the OpenAPI security schemes that a request must satisfy."""
        if self.rule is Anyone.EVERYBODY:
            return ()
        if self.rule is Anyone.OPERATIONS:
            return ("operations_token",)
        if self.rule is Anyone.SHOE:
            return ("shoe_key",)
        return ("session",) if method in SAFE else ("session", "csrf_token")

    async def __call__(self, connection: HTTPConnection) -> Account | None:
        site = site_of(connection)
        changing = connection.scope.get("method", "GET") not in SAFE
        # Changes have limits per account (below), independent of others at the same address.
        if not changing or self.rule in (Anyone.EVERYBODY, Anyone.SHOE):
            self._charge(site, connection)
        if self.rule is Anyone.SHOE:
            site.check_shoe_key(connection)
            return None
        if self.rule is Anyone.EVERYBODY:
            return None
        if self.rule is Anyone.OPERATIONS:
            if not site.knows_token(connection):
                words = "For operators only. Send the operations token as a Bearer token."
                shown = {"WWW-Authenticate": "Bearer"}
                raise Problem(Fault.NEEDS_TOKEN, words, headers=shown)
            return None
        session, account = await site.visitors.authenticate(connection, new=self.new)
        connection.scope["state"]["account"] = account.id
        if changing:
            self.check_change(site, session, account, connection.headers.get(CSRF, ""))
            connection.scope["state"]["charged"] = True
        else:
            self._check_role(account)
        site.renew(connection, account, session)
        return account

    def check_change(self, site: Site, session: Session, account: Account, token: str) -> None:
        """Check a CSRF token, a role and a rate limit before a change, or raise an error."""
        if not site.visitors.sessions.is_csrf_token(session, token):
            raise Problem(Fault.NO_CSRF_TOKEN, "csrf")
        self._check_role(account)
        (site.wagers if self.rule is Action.WAGER else site.commands).use(account.id)

    def _check_role(self, account: Account) -> None:
        if isinstance(self.rule, Action) and (
            account.suspended or self.rule not in MAY[account.role]
        ):
            check_may(account, self.rule)

    def _charge(self, site: Site, connection: HTTPConnection) -> None:
        connection.scope["state"]["charged"] = True
        if connection.scope["path"] in PROBES:  # answered even if its address is over the limit
            site.reads.use(f"probe {place_of(connection)}", READ)
        elif self.points is None:
            charge_usual(connection)
        else:
            site.charge(connection, self.points)


def charge_usual(connection: HTTPConnection) -> None:
    """Charge the usual cost of a request for this path, or raise a Problem if over a limit."""
    connection.scope["state"]["charged"] = True
    read = connection.scope["path"].startswith((f"{API}/", "/static/"))
    site_of(connection).charge(connection, READ if read else PAGE)


async def _the_site(connection: HTTPConnection) -> Site:
    """Return the site; async because FastAPI runs plain functions in a thread."""
    return site_of(connection)


def from_request(kind: type[Any]) -> Any:
    """Return a dependency that builds an instance of this class.

    Given the class itself, FastAPI would call it in a thread.
    """

    async def build(**values: Any) -> Any:
        return kind(**values)

    setattr(build, "__signature__", inspect.signature(kind))  # noqa: B010
    return Depends(build)


async def _confirming(
    x_proposal: Annotated[
        str | None,
        Header(
            pattern="^[0-9a-f]{32}$",
            description="the proposal to confirm, from GET /api/pit; if it has changed or ended, "
            "the request is refused",
        ),
    ] = None,
) -> jobs.Sender:
    return jobs.Sender(proposal=x_proposal)


Confirming = Annotated[jobs.Sender, Depends(_confirming)]
"""For endpoints without an idempotency key: the proposal being confirmed, if one is named."""


IdempotencyKey = Annotated[
    str,
    Header(
        min_length=1,
        max_length=80,
        description="a new key for each command; the same key to retry it",
    ),
]


@dataclass(frozen=True)
class _Keyed:
    """The idempotency key of a request, and the proposal it confirms, if any."""

    idempotency_key: IdempotencyKey
    confirming: Confirming

    def sender(self, account: Account, body: bytes, *, reason: str = "") -> jobs.Sender:
        key = Key(account.id, self.idempotency_key)
        return jobs.Sender(key, body, self.confirming.proposal, reason)


TheSite = Annotated[Site, Depends(_the_site)]
Keyed = Annotated[_Keyed, from_request(_Keyed)]
Table = Annotated[str, Path(description="the table's id", max_length=80)]
Number = Annotated[int, Path(ge=1, le=2**53, description="the round's number")]
Who = Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$", description="the account's id")]
Stream = Annotated[
    str | None, Query(pattern=r"^(house|table:[a-z0-9_-]{1,80})$", description="only this journal")
]
Visitor = Depends(Needs(Anyone.EVERYBODY))
Owner = Annotated[Account, Depends(Needs(Action.SEE_OWN_MONEY))]
"""The account whose money is requested."""


@dataclass(frozen=True)
class TableRequest:
    """The table of a request, and the catalogue in the visitor's language."""

    table: Table
    site: TheSite
    t: Words

    async def state(self) -> TableState:
        """Return the table's current state, or raise Refused."""
        self.site.stream(self.table)
        return await self.site.state(self.table)

    async def do(self, command: Command, **more: Any) -> Done:
        """Carry out a command at the table."""
        self.site.stream(self.table)
        return await self.site.do(self.site.at_table(self.table, command, **more))


AtTable = Annotated[TableRequest, from_request(TableRequest)]
