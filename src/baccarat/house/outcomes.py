"""Decisions of the house: their inputs and their outcomes.

Every decision returns an `Outcome`: events, transactions and other rows that are written together.
House events and their transactions are created in one place (`in_house`), so that neither exists
without the other.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from baccarat.house import events as h
from baccarat.house.money.ledger import Transaction, of_house_event
from baccarat.house.money.wallets import EMPTY, Wallet
from baccarat.house.people.names import ProposedName
from baccarat.house.people.roles import Account
from baccarat.house.people.second_factor import SecondFactor
from baccarat.house.people.sign_in_lock import Attempts, OpenSession
from baccarat.house.safety import record as sf
from baccarat.house.safety.periods import Period, start_of
from baccarat.house.safety.profiles import ANY_AMOUNT, Alone, Conduct
from baccarat.table import events as e
from baccarat.table.four_eyes.proposals import Proposals
from baccarat.table.refusals import Message
from baccarat.table.state import TableState


@dataclass(frozen=True)
class Lease:
    """The right of a server to drive a table until the lease expires; it can be renewed."""

    epoch: int
    holder: str
    """The server that holds the lease; empty once the lease has been given up."""
    expires_at: int


class Resealed(NamedTuple):
    """Secrets that were encrypted again with another key."""

    shoes: Mapping[bytes, bytes]
    second_factors: Mapping[str, bytes]


@dataclass(frozen=True)
class SideChanges:
    """Rows that a few jobs write in addition to events and transactions."""

    person: Account | None = None
    password: str | None = field(default=None, repr=False)
    """Hashed password of the new person."""
    since: int = 1
    """When the password was set."""
    expires_at: int = 0
    """When the new password expires, if it is an initial one; 0 if its owner chose it."""
    new_password: tuple[str, str | None, int] | None = field(default=None, repr=False)
    """An account, its new hashed password and when it was set. None instead of a password closes
    the account."""
    registered: tuple[str, str, str] | None = None
    """A guest's account, and the ID and the name that the guest chose."""
    issued_by: tuple[str, tuple[str, ...]] | None = None
    """An account, and everyone who opened it or issued its password."""
    suspended: tuple[str, int] | None = None
    """An account and the time of its suspension, which ends earlier sessions; a time of 0 lifts the
    suspension."""
    assigned: tuple[str, tuple[str, ...]] | None = None
    """A member of staff, and the tables that they are assigned to."""
    signed_in: tuple[str, int] | None = None
    """A member of staff who signed in, and when."""
    second_factor: tuple[str, SecondFactor | None] | None = field(default=None, repr=False)
    """An account and its new second factor; None removes it."""
    proposed_name: ProposedName | None = None
    erased: tuple[str, int] | None = None
    """An account whose name, password and sessions are erased, and the time of the erasure."""
    lease: Lease | None = None
    attempts: Mapping[str, Attempts | None] = field(default_factory=dict)
    """Counts of wrong passwords, by the digest of the name; None deletes a count."""
    known_place: tuple[str, int] | None = None
    """Digest of a name and an address from which that name signed in, and the time of sign-in."""
    session: OpenSession | None = None
    """A session that began or was used."""
    ended: str = ""
    """Digest of a session that ended."""
    heartbeat: tuple[str, int] | None = None
    """A server that is available, and until when."""
    sealed: tuple[bytes, bytes] | None = field(default=None, repr=False)
    """The id of a shoe and its encrypted secret."""
    resealed: Resealed | None = field(default=None, repr=False)


class Outcome(NamedTuple):
    """Everything that a job writes."""

    events: Sequence[e.Event] = ()
    transactions: tuple[Transaction, ...] = ()
    state: TableState | None = None
    """The table's state after the events."""
    safety: Mapping[str, sf.Safety] = MappingProxyType({})
    """New protection records of the players whose records may have changed."""
    warnings: tuple[Message, ...] = ()
    """Messages for the player about limits that are nearly reached and wagers that were flagged."""
    side_changes: SideChanges | None = None


@dataclass(frozen=True)
class DecisionContext:
    """The time of a decision by the house, and the facts known at that time."""

    now: int
    sequence: int
    """Number of the next entry in the house journal."""
    conduct: Conduct
    proposals: Proposals = ()
    """Proposals waiting for a second person."""
    people: Mapping[str, Account] = field(default_factory=dict)
    """The accounts that the decision is about, and those of people with open proposals."""
    reason: str = ""
    """Reason shown to the second person, if two people are needed."""
    confirming: bool = False
    """Whether the sender confirms a proposal that they have seen, so that nothing else may be
    done."""
    known: Mapping[str, sf.Safety] = field(default_factory=dict)
    """Protection records of everyone concerned, including linked players and the staff member who
    sent the request."""


@dataclass(frozen=True, kw_only=True)
class PlayerRequest(DecisionContext):
    """A request about one player's money or protection."""

    player: Account
    by: Account
    balance: Wallet = EMPTY
    alone: Alone = ANY_AMOUNT
    position: Callable[[str, int], sf.Position] = lambda *_: sf.Position(0, 0)
    """Returns a player's position since a given time; called only when needed."""
    events: Callable[[type[e.Event], int, int], Sequence[tuple[int, e.Event]]] = lambda *_: ()
    """Returns events of a given type in the house journal, with their numbers: only those after a
    given number, and at most a given count."""

    @property
    def safety(self) -> sf.Safety:
        """The player's protection record."""
        return self.known[self.player.id]

    @property
    def day(self) -> int:
        """Start of the gaming day."""
        return start_of(Period.DAY, self.now, self.conduct.gaming_day)

    @property
    def asker(self) -> sf.Safety:
        """Record of the person who sent the request."""
        return self.known.get(self.by.id, sf.NOTHING)

    def staked_bonus(self) -> int:
        """Return the player's bonus money that is staked at tables."""
        return self.position(self.player.id, self.now).staked_bonus

    def outcome(self, *events: e.Event) -> Outcome:
        return in_house(self, *events)

    def count_alone(
        self, outcome: Outcome, kinds: tuple[type[Any], ...], amount: int, *tallies: str
    ) -> Outcome:
        """Add an amount to the tallies of the person who sent the request, if they acted alone.

        They acted alone if the outcome has an event of one of these types with an empty `first`.
        """
        if not any(isinstance(event, kinds) and not event.first for event in outcome.events):
            return outcome
        after = self.asker
        for tally in tallies:
            after = sf.handled(after, tally, amount, self.now, self.conduct.gaming_day)
        return outcome._replace(safety={**outcome.safety, self.by.id: after})


Decision = Callable[[PlayerRequest], Outcome]


def in_house(at: DecisionContext, *events: e.Event) -> Outcome:
    """Return the outcome of house events, with their transactions and the players' new records."""
    made: list[Transaction] = []
    changed: dict[str, sf.Safety] = {}
    for number, event in enumerate(events, start=at.sequence):
        made += of_house_event(event, stream=h.STREAM, sequence=number)
        account = getattr(event, "account", "")
        if account in at.known:
            before = changed.get(account, at.known[account])
            changed[account] = sf.safety_after(before, event, at.conduct.gaming_day)
    return Outcome(events, tuple(made), safety=changed)
