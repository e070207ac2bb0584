"""The interface (port) between the house and a store, which the package `store` implements.

A job declares what must be read for it, and has a pure function that computes what to write. The
store reads for many jobs at once, calls their functions one after another, and writes everything in
one durable commit. A job's function depends only on its view and has no side effects, so it can be
called again.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from baccarat.house.desk import WagerDesk
from baccarat.house.outcomes import Lease, Outcome
from baccarat.house.people.names import ProposedName
from baccarat.house.people.roles import Account, Role
from baccarat.house.people.second_factor import SecondFactor
from baccarat.house.people.sign_in_lock import Attempts
from baccarat.house.safety.record import Position, Safety
from baccarat.table.events import BonusBreachFlagged, Event, LargeWinPaid
from baccarat.table.four_eyes.proposals import Proposals
from baccarat.table.journal import Head
from baccarat.table.refusals import Message
from baccarat.table.state import TableState

Clock = Callable[[], int]
"""Returns the server time in milliseconds since 1970."""


@dataclass(frozen=True)
class Key:
    """An idempotency key: a command repeated with the same key is not carried out again.

    Keys are kept for each owner separately, so nobody can use another sender's keys.
    """

    owner: str
    key: str


class Person(NamedTuple):
    """A person known to the store."""

    account: Account
    password: str | None
    """Hashed password; None if the person cannot sign in."""
    since: int
    """When the password was set, which ended all earlier sessions."""
    expires_at: int = 0
    """When an initial password expires; 0 if the owner chose the password."""
    signed_in: int = 0
    """When a member of staff last signed in; 0 if never."""

    @property
    def given(self) -> bool:
        """Whether the password is an initial password issued by the house."""
        return self.expires_at != 0


@dataclass(frozen=True)
class Need:
    """The rows that must be read for a job; all of them are locked until the commit."""

    stream: str
    wallets: tuple[str, ...] = ()
    """Players whose balances the job reads."""
    everyone: bool = False
    """Whether to include the wallets of all players whose money the table's rounds may move."""
    corrects: int | None = None
    """A settled round; the wallets of all players who bet on it are included."""
    people: tuple[str, ...] = ()
    """Accounts that the job reads. The accounts of those who opened them or issued their passwords
    are read too."""
    lease: bool = False
    """Whether the job reads the table's lease."""
    safety: tuple[str, ...] = ()
    """Players whose protection records the job reads. With `everyone`, the records of players who
    staked bonus money are read too."""
    linked: bool = False
    """Whether to include the records of players linked with those in `safety`."""
    proposals: bool = False
    """Whether the job reads the stream's open proposals, and the accounts of their proposers and of
    the table's dealers."""
    attempts: tuple[str, ...] = ()
    """Digests of the names whose failed sign-ins the job reads."""
    desk: bool = False
    """Whether the job places wagers at the table's desk."""
    also: tuple[str, ...] = ()
    """Other streams that the job reads, which are locked too."""


class View(NamedTuple):
    """The values read for a job, including changes by earlier jobs of the same commit."""

    head: Head
    state: TableState | None
    """State of the table; None for other streams and for a table that has not been opened."""
    balances: Mapping[str, int]
    """Balances by ledger account; accounts that are missing have a balance of 0."""
    people: Mapping[str, Account]
    lease: Lease | None
    """The table's lease; None if there is none or if the job did not request it."""
    safety: Mapping[str, Safety]
    """Protection records of the requested players."""
    position: Callable[[str, int], Position]
    """Returns the position, since a given time, of a player whose wallet is locked; read on demand,
    because few jobs need it."""
    proposals: Proposals
    """Open proposals, if the job requested them."""
    second_factors: Mapping[str, SecondFactor]
    """Second factors of the accounts in `people` that have one."""
    attempts: Mapping[str, Attempts]
    """Wrong passwords under the requested names."""
    now: int
    """Server time when the job is called, but never earlier than the last entry of the house
    stream: servers' clocks differ, and the timestamps in a journal never decrease."""
    later: Callable[[int], Sequence[Event]]
    """Returns the events of a table's stream after the entry with a given number; read on demand,
    because few jobs need them."""
    events: Callable[[type[Event], int, int], Sequence[tuple[int, Event]]]
    """Returns events of a given type in the job's stream with their numbers, oldest first: only
    those after a given number, and at most a given count. They are read on demand, because few jobs
    need them."""
    proposed_name: Callable[[str], ProposedName | None]
    """Returns the name proposed for an account; read on demand."""
    namesakes: Callable[[str], set[Role]]
    """Returns the roles of accounts whose names look like a given name. It is available only to
    jobs of the house stream, where accounts are opened."""
    taken: Callable[[str], bool]
    """Returns whether an account has a given ID, or a guest chose it to sign in with."""
    house_events: Callable[[Sequence[type[Event]]], Sequence[tuple[int, Event]]] = lambda _: ()
    """Returns all events of the given types in the house's journal with their numbers, oldest
    first; only for jobs that read this journal."""
    others: Mapping[str, TableState | None] = MappingProxyType({})
    """States of the tables whose streams the job also reads, by stream."""
    desk: WagerDesk | None = None
    """The table's desk, if the job requested it. Its state is newer than `state`."""


@dataclass(frozen=True)
class Job:
    """A command to be carried out by the store."""

    need: Need
    work: Callable[[View], Outcome]
    """Returns the outcome, or raises Refused."""
    key: Key | None = None
    body: bytes = b""
    """The sender's request, compared when an idempotency key is repeated."""
    clock: Clock = lambda: 0
    """Read when the job's function is called, inside the commit that makes the job durable."""


FOR_THE_PIT = frozenset({BonusBreachFlagged, LargeWinPaid})
"""Events that are not shown to the player or dealer who causes them."""


class Done(NamedTuple):
    """The result of a job that has been made durable."""

    events: tuple[Event, ...]
    """The events that the job caused, except those that only the pit may see."""
    first: int
    """Number of the job's first event."""
    head: Head
    """Head of the job's stream after these events."""
    warnings: tuple[Message, ...] = ()
    repeated: bool = False
    """Whether the job had already been done with the same key, so that nothing was done now."""

    def has(self, *kinds: type[Event]) -> bool:
        """Return whether the job caused an event of one of these types."""
        return any(isinstance(event, kinds) for event in self.events)


Result = Done | Exception
"""The result of a job. Refused means that nothing was done or recorded. After any other exception
the outcome is unknown: send the command again with the same key."""
