"""What the house needs from a store: the port that `store` implements.

A job declares what it must read, and a pure function computes what to write from that. The store
reads for many jobs at once, calls each in turn, and writes everything in one durable commit. A
job's function depends on nothing except its view and changes nothing, so it can be called again.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from baccarat.house.desk import WagerDesk
from baccarat.house.outcomes import Lease, Outcome
from baccarat.house.people.names import ProposedName
from baccarat.house.people.roles import Account, Role
from baccarat.house.people.sign_in_lock import Attempts
from baccarat.house.safety.record import Position, Safety
from baccarat.table.events import BonusBreachFlagged, Event, LargeWinPaid
from baccarat.table.four_eyes.proposals import Proposals
from baccarat.table.journal import Head
from baccarat.table.refusals import Message
from baccarat.table.state import TableState

Clock = Callable[[], int]
"""Server time in milliseconds since 1970."""


@dataclass(frozen=True)
class Key:
    """An idempotency key: a command repeated with its key is answered again, not done again.

    Keys belong to their sender, so nobody can use another sender's.
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
    """Expiry of an initial password, which its owner must change first; 0 for a chosen one."""

    @property
    def given(self) -> bool:
        """Whether it is an initial password issued by the house."""
        return self.expires_at != 0


@dataclass(frozen=True)
class Need:
    """What a job must read; all of it is locked until the commit."""

    stream: str
    wallets: tuple[str, ...] = ()
    """Players whose balances the job reads."""
    everyone: bool = False
    """Whether to include the wallets of everyone whose money the table's rounds may move."""
    people: tuple[str, ...] = ()
    """Accounts the job reads; those who opened them or issued their passwords are read too."""
    lease: bool = False
    """Whether the job reads the table's lease."""
    safety: tuple[str, ...] = ()
    """Players whose protection records the job reads; with `everyone`, also those who staked bonus
    money."""
    linked: bool = False
    """Whether to include the records of players linked with these."""
    proposals: bool = False
    """Whether the job reads the stream's open proposals, and the accounts of their proposers and of
    the table's dealers."""
    attempts: tuple[str, ...] = ()
    """Names, as digests, whose failed sign-ins the job reads."""


class View(NamedTuple):
    """What was read for a job, including changes by earlier jobs of the same commit."""

    head: Head
    state: TableState | None
    """State of the table, once it has been opened; None for other streams."""
    balances: Mapping[str, int]
    """Balances by ledger account; missing accounts are empty."""
    people: Mapping[str, Account]
    lease: Lease | None
    """The table's lease; also None if the job did not request it."""
    safety: Mapping[str, Safety]
    """Protection records of the requested players."""
    position: Callable[[str, int], Position]
    """Returns the position since a time of a player whose wallet is locked; read on demand, because
    few jobs need it."""
    proposals: Proposals
    """Open proposals, if the job requested them."""
    attempts: Mapping[str, Attempts]
    """Wrong passwords under the requested names."""
    now: int
    """Server time when the job is called, but never before the last entry of the house stream:
    servers' clocks differ, and a journal's times never run backwards."""
    later: Callable[[int], Sequence[Event]]
    """Returns the events of a table's stream after an entry; read on demand, because few jobs need
    them."""
    events: Callable[[type[Event], int, int], Sequence[tuple[int, Event]]]
    """Returns numbers and events of a type after a number, oldest first, at most a given count;
    read from the job's stream on demand, because few jobs need them."""
    proposed_name: Callable[[str], ProposedName | None]
    """Returns the name proposed for an account; read on demand."""
    namesakes: Callable[[str], set[Role]]
    """Returns the roles of accounts whose names look like this one; only for jobs of the house
    stream, where accounts are opened."""


@dataclass(frozen=True)
class Job:
    """A command to be carried out by the store."""

    need: Need
    work: Callable[[View], Outcome] | None = None
    """Decides the outcome, or raises Refused."""
    key: Key | None = None
    body: bytes = b""
    """The sender's request, compared when an idempotency key is repeated."""
    place: Callable[[View, WagerDesk, int], Outcome] | None = None
    """Used instead of `work` for wagers, with the current time. The view is older than the desk's
    state."""
    clock: Clock = lambda: 0
    """Read when the job is called, inside the commit that makes it durable."""


FOR_THE_PIT = frozenset({BonusBreachFlagged, LargeWinPaid})
"""Events that are not shown to the player or dealer who causes them."""


class Done(NamedTuple):
    """A job that has been made durable."""

    events: tuple[Event, ...]
    """Events it caused, except those only for the pit."""
    first: int
    """Number of its first event."""
    head: Head
    """Head of its stream afterwards."""
    warnings: tuple[Message, ...] = ()
    repeated: bool = False
    """Whether it had already been done under the same key, so nothing was done now."""

    def has(self, *kinds: type[Event]) -> bool:
        """Return whether the job caused an event of one of these types."""
        return any(isinstance(event, kinds) for event in self.events)


Result = Done | Exception
"""Refused: not done and not recorded. Any other error: the outcome is unknown; send it again with
the same key."""
