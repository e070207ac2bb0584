"""What the house asks of a store, as values: the port that `store` implements.

A job says what it must read, and a pure function says what to write for what was read. The store
reads for many jobs at once, asks each in turn, and writes everything in one durable commit. The one
rule: a job's function reads nothing but its view and changes nothing, so it can be asked again.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple, Protocol

from baccarat.house.attempts import Attempts
from baccarat.house.desk import WagerDesk
from baccarat.house.idempotency import Key
from baccarat.house.ledger import Transaction
from baccarat.house.roles import Account
from baccarat.house.safety import Position, Safety
from baccarat.table.events import Event
from baccarat.table.journal import Entry, Head
from baccarat.table.state import TableState
from baccarat.table.twopeople import Proposals


@dataclass(frozen=True)
class Lease:
    """Who drives a table, and until when unless renewed."""

    epoch: int
    holder: str
    """Nobody ("") once it was given up."""
    expires_at: int


class Person(NamedTuple):
    """Somebody the store knows."""

    account: Account
    password: str | None
    """Hashed; nobody signs in without one."""
    since: int
    """When it was set: sessions that began before are over."""
    expires_at: int = 0
    """Of an initial password, which its owner must change first: when it expires. 0 for their
    own."""

    @property
    def given(self) -> bool:
        """Is it an initial password that the house has issued?"""
        return self.expires_at != 0


class OpenSession(NamedTuple):
    """A session in the list that its owner sees; whether it holds, its signed cookie says."""

    digest: str
    account: str
    begun: int
    seen: int
    """When something was last asked in it, to some minutes."""
    address: str
    """Shortened."""
    agent: str
    """The browser or program, in a few words."""


@dataclass(frozen=True)
class Need:
    """What a job must read; all of it is locked until the commit."""

    stream: str
    wallets: tuple[str, ...] = ()
    """Players whose balances it looks at."""
    everyone: bool = False
    """Also the wallets of everyone whose money the table's rounds may move."""
    people: tuple[str, ...] = ()
    """Accounts it must know; those who opened them or issued their passwords are read too."""
    lease: bool = False
    """Whether it looks at the table's lease."""
    safety: tuple[str, ...] = ()
    """Players of whose protection it must know; with `everyone`, those who staked bonus money
    too."""
    linked: bool = False
    """Also of those who are linked with these players."""
    proposals: bool = False
    """What waits for a second person in the stream, and the accounts of those who proposed it."""
    attempts: tuple[str, ...] = ()
    """Names, as digests, under which somebody tried to sign in."""


class View(NamedTuple):
    """What was read for a job, what earlier jobs of the same commit did included."""

    head: Head
    state: TableState | None
    """Of a table's stream, once the table has been opened."""
    balances: Mapping[str, int]
    """By ledger account; those not there are empty."""
    people: Mapping[str, Account]
    lease: Lease | None
    """None also for a job that did not ask for it."""
    safety: Mapping[str, Safety]
    """Of the players it asked for."""
    position: Callable[[str, int], Position]
    """How a player whose wallet is locked stands since a time: read when asked, because few ask."""
    proposals: Proposals
    """What waits for a second person, where the job asked."""
    attempts: Mapping[str, Attempts]
    """Wrong passwords under the names it asked for."""
    at: int
    """When the stream's last entry happened: servers' clocks differ, and no entry goes back."""
    later: Callable[[int], Sequence[Event]]
    """The events of a table's stream after an entry: read when asked, because few ask."""
    entries: Callable[[str, int, int], Sequence[tuple[int, bytes]]]
    """Entries of a kind after a number, oldest first, at most so many, with their numbers: read
    from the job's stream when asked, because few ask."""


@dataclass(frozen=True)
class Beside:
    """What few jobs write, besides what they all do."""

    person: Account | None = None
    password: str | None = field(default=None, repr=False)
    """The new person's password, hashed."""
    since: int = 1
    """When the password was set."""
    expires_at: int = 0
    """When the new password expires, if it is an initial one; 0 for one of the owner's choosing."""
    new_password: tuple[str, str | None, int] | None = field(default=None, repr=False)
    """An account, its password from here on, hashed, and since when; None closes the account."""
    issued_by: tuple[str, tuple[str, ...]] | None = None
    """An account, and everyone who opened it or issued its password."""
    suspended: tuple[str, int] | None = None
    """A suspended account, and since when: sessions that began before are over. 0 lifts the
    suspension."""
    lease: Lease | None = None
    attempts: Mapping[str, Attempts | None] = field(default_factory=dict)
    """Wrong passwords under names, as digests; None for no more."""
    known_place: tuple[str, int] | None = None
    """A digest of a name and an address at which it has signed in, and when."""
    session: OpenSession | None = None
    """One that began or was seen."""
    ended: str = ""
    """The digest of a session that is over."""
    up: tuple[str, int] | None = None
    """A server that is up, and until when it counts as that."""
    sealed: tuple[bytes, bytes] | None = field(default=None, repr=False)
    """A shoe's id and its secret, encrypted."""


class Write(NamedTuple):
    """All that a job does."""

    bodies: Sequence[bytes] = ()
    """Canonical bytes of the events, in their order."""
    transactions: tuple[Transaction, ...] = ()
    state: TableState | None = None
    """The table's state after the events."""
    answer: bytes | None = b""
    """For the sender, kept under the idempotency key. None: all of the events, and nothing else."""
    safety: Mapping[str, Safety] = MappingProxyType({})
    """What is now known of players for their protection."""
    beside: Beside | None = None
    """All else; few jobs write any of it."""


@dataclass(frozen=True)
class Job:
    """One command on its way to the store."""

    need: Need
    work: Callable[[View], Write] | None = None
    """Raises Refused when the command may not be."""
    key: Key | None = None
    body: bytes = b""
    """What the sender asked, for the idempotency key."""
    place: Callable[[View, WagerDesk], Write] | None = None
    """For wagers, instead of `work`. Head and state of the view are older than the desk's."""


class Done(NamedTuple):
    """A job that is durable."""

    answer: bytes
    head: Head
    """Of its stream, after it."""
    repeated: bool = False
    """It had been done before, under the same key; nothing was done now."""


Result = Done | Exception
"""Refused: not done, and not remembered. Another error: not known; send it again under its key."""


class Store(Protocol):
    """What keeps everything."""

    def commit(self, jobs: Sequence[Job]) -> list[Result]:
        """Do jobs, each by itself, in as few durable commits as can be; in their order."""

    def head(self, stream: str) -> Head: ...

    def heads(self) -> list[Head]: ...

    def entries(self, stream: str, *, after: int = 0, limit: int = 1000) -> list[Entry]: ...

    def state(self, stream: str) -> TableState | None: ...

    def balance(self, account: str) -> int: ...

    def balances(self) -> Iterable[tuple[str, int]]: ...

    def person(self, account: str) -> Person | None: ...

    def attempts(self, name: str) -> Attempts | None:
        """Wrong passwords under a name, as a digest."""

    def known_place(self, digest: str) -> int | None:
        """When a name last signed in at an address, both as one digest."""

    def sessions(self, account: str) -> list[OpenSession]:
        """An account's sessions, as far as they are listed."""

    def safety(self, player: str) -> Safety: ...

    def position(self, player: str, since: int) -> Position: ...

    def leases(self) -> dict[str, Lease]:
        """By stream."""

    def servers(self) -> dict[str, int]:
        """Those that are or were up, and until when each counts as that."""

    def sealed(self, shoe: bytes) -> bytes | None:
        """A shoe's encrypted secret."""
