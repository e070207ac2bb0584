"""Decisions of the house: their inputs and their outcomes.

Every decision returns an `Outcome` of events, coins and other rows, to be written together. House
events and their transactions are made in one place (`in_house`), so there is never one without the
other.
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
    """Which server drives a table, and until when unless renewed."""

    epoch: int
    holder: str
    """Empty once the lease was given up."""
    expires_at: int


@dataclass(frozen=True)
class SideChanges:
    """Rows that few jobs write, in addition to events and coins."""

    person: Account | None = None
    password: str | None = field(default=None, repr=False)
    """Hashed password of the new person."""
    since: int = 1
    """When the password was set."""
    expires_at: int = 0
    """When the new password expires, if it is an initial one; 0 if its owner chose it."""
    new_password: tuple[str, str | None, int] | None = field(default=None, repr=False)
    """Account, new hashed password and when it was set; a password of None closes the account."""
    issued_by: tuple[str, tuple[str, ...]] | None = None
    """Account, and everyone who opened it or issued its password."""
    suspended: tuple[str, int] | None = None
    """Suspended account and time of suspension, which ends earlier sessions; a time of 0 lifts the
    suspension."""
    proposed_name: ProposedName | None = None
    erased: tuple[str, int] | None = None
    """Account whose name, password and sessions are erased, and when."""
    lease: Lease | None = None
    attempts: Mapping[str, Attempts | None] = field(default_factory=dict)
    """Wrong passwords by name, as digests; None to forget them."""
    known_place: tuple[str, int] | None = None
    """Digest of a name and an address from which it signed in, and when."""
    session: OpenSession | None = None
    """Session that began or was used."""
    ended: str = ""
    """Digest of a session that ended."""
    up: tuple[str, int] | None = None
    """Server that is up, and until when it counts as up."""
    sealed: tuple[bytes, bytes] | None = field(default=None, repr=False)
    """Id of a shoe, and its encrypted secret."""


class Outcome(NamedTuple):
    """Everything that a job writes."""

    events: Sequence[e.Event] = ()
    transactions: tuple[Transaction, ...] = ()
    state: TableState | None = None
    """State of the table afterwards."""
    safety: Mapping[str, sf.Safety] = MappingProxyType({})
    """Protection records afterwards, of players whose record may have changed."""
    warnings: tuple[Message, ...] = ()
    """Messages for the player: limits that are nearly reached, and flags."""
    side_changes: SideChanges | None = None


@dataclass(frozen=True)
class Moment:
    """When the house decides something, and what it knows at that time."""

    now: int
    sequence: int
    """Number of the next entry in the house journal."""
    conduct: Conduct
    safety: sf.Safety = sf.NOTHING
    """The player's record, if the decision is about one player."""
    proposals: Proposals = ()
    """Proposals waiting for a second person."""
    people: Mapping[str, Account] = field(default_factory=dict)
    """Accounts that the decision is about, and those of people with open proposals."""
    reason: str = ""
    """Reason shown to the second person, if two people are needed."""
    confirming: bool = False
    """Whether the sender confirms a proposal that they have seen, and wants nothing else done."""
    known: Mapping[str, sf.Safety] = field(default_factory=dict)
    """Protection records of everyone concerned, including linked players and the staff who ask."""


@dataclass(frozen=True, kw_only=True)
class PlayerRequest(Moment):
    """A request about one player's money or protection."""

    player: Account
    by: Account
    balance: Wallet = EMPTY
    alone: Alone = ANY_AMOUNT
    position: Callable[[str, int], sf.Position] = lambda *_: sf.Position(0, 0)
    """Returns a player's position since a time; read when needed."""
    events: Callable[[type[e.Event], int, int], Sequence[tuple[int, e.Event]]] = lambda *_: ()
    """Returns house journal events of a type, after a number, at most a given count."""

    @property
    def day(self) -> int:
        """Start of the gaming day."""
        return start_of(Period.DAY, self.now, self.conduct.zone)

    @property
    def asker(self) -> sf.Safety:
        """Protection record of the person who asks."""
        return self.known.get(self.by.id, sf.NOTHING)

    def staked_bonus(self) -> int:
        """Return the player's bonus money on tables."""
        return self.position(self.player.id, self.now).staked_bonus

    def outcome(self, *events: e.Event) -> Outcome:
        return in_house(self, *events, player=self.player.id)

    def count_alone(
        self, outcome: Outcome, kinds: tuple[type[Any], ...], amount: int, *tallies: str
    ) -> Outcome:
        """Add an amount to the tallies of the person who asks, if they acted alone.

        They did if an event of one of these types names no first person.
        """
        if not any(isinstance(event, kinds) and not event.first for event in outcome.events):
            return outcome
        after = self.asker
        for tally in tallies:
            after = sf.handled(after, tally, amount, self.now, self.conduct.zone)
        return outcome._replace(safety={**outcome.safety, self.by.id: after})


Decision = Callable[[PlayerRequest], Outcome]


def in_house(at: Moment, *events: e.Event, player: str = "") -> Outcome:
    """Return the outcome of house events: their transactions and the player's updated record."""
    made: list[Transaction] = []
    safety = at.safety
    for number, event in enumerate(events, start=at.sequence):
        made += of_house_event(event, stream=h.STREAM, sequence=number)
        safety = sf.after(safety, event, at.conduct.zone)
    return Outcome(events, tuple(made), safety={player: safety} if player else {})
