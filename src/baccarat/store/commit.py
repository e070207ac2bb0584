"""One durable commit: reads and locks what its jobs need, runs each job, writes everything.

Locks are always taken in the same order (stream heads, then wallets, then protection records, each
sorted), so that servers may wait for each other but never deadlock. A refused job writes nothing;
every other job is written completely. Rows are collected and written in bulk at the end.
"""

import json
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import partial, reduce
from hashlib import sha256

from sqlalchemy import Connection, bindparam, select, update

from baccarat.core.errors import BaccaratError
from baccarat.house.desk import WagerDesk
from baccarat.house.events import STREAM, decode
from baccarat.house.money import ledger
from baccarat.house.outcomes import Outcome
from baccarat.house.ports import FOR_THE_PIT, Done, Job, Result, View
from baccarat.house.safety import record
from baccarat.house.safety.record import Position, Safety
from baccarat.store import dialects
from baccarat.store import schema as s
from baccarat.store.entries import NOT_INDEXED, entries, find_entries, mark_of
from baccarat.store.notifications import notify
from baccarat.store.positions import Positions
from baccarat.store.side_tables import SideTables
from baccarat.table.events import ActionProposed, Event, ProposalEnded, encode
from baccarat.table.four_eyes.proposals import Proposals, proposals_after
from baccarat.table.journal import Entry, Head, JournalBroken, beginning, chain, head_of, table_of
from baccarat.table.refusals import Code, Message, Refused
from baccarat.table.state import TableState, apply, restore, snapshot

SNAPSHOT_EVERY = 512
"""Number of a table's events between snapshots; a restart replays at most this number, plus
the events of one round."""
MAX_PROPOSED = 1_000
"""Number of entries about proposals that are read, newest first; older proposals are assumed to
have expired."""
MAX_PLAYED = 100_000
"""Maximum number of (player, stream) pairs that a server caches."""
_SNAPSHOT = select(s.snapshots.c.body).where(
    s.snapshots.c.stream == bindparam("stream"), s.snapshots.c.sequence <= bindparam("until")
)
_MOVE_HEAD = (
    update(s.heads)
    .where(s.heads.c.stream == bindparam("at"))
    .values(sequence=bindparam("sequence"), hash=bindparam("hash"))
)


@dataclass
class States:
    """A server's cached state of each table, kept up to date with the journal.

    A state is cached only once its entries are committed. Snapshots save time and are not verified.
    If a snapshot were wrong, its effects would appear in the journal; the auditor, which does not
    read snapshots, would find them.
    """

    known: dict[str, TableState | None] = field(default_factory=dict)
    """The last committed state of every table that this server has read, by stream."""
    snapshots: dict[str, int] = field(default_factory=dict)
    """Entry number of the newest snapshot that this server has read or written, by stream."""
    played: set[tuple[str, str]] = field(default_factory=set)
    """(player, stream) pairs that have transactions, which are never deleted."""

    def keep_played(self, written: Set[tuple[str, str]]) -> None:
        """Cache pairs that were committed; clear the cache first if it would become too large."""
        if len(self.played) + len(written) > MAX_PLAYED:
            self.played.clear()
        self.played |= written

    def at(self, connection: Connection, head: Head) -> TableState | None:
        """Return a table's state at this head, which was locked or read in this transaction."""
        if table_of(head.stream) is None:
            return None
        known = self.known.get(head.stream)
        if known is None or known.sequence > head.sequence:
            known = _newest_snapshot(connection, head)
            self.snapshots[head.stream] = known.sequence if known else 0
        state = _replayed(connection, head, known)
        if (state.sequence if state else 0) != head.sequence:
            raise JournalBroken(
                f"the head of {head.stream} is entry {head.sequence}, but its journal ends at "
                f"{state.sequence if state else 0}: entries are missing; restore a backup"
            )
        if state is not None:  # do not cache an empty stream: it may stay empty
            self.known[head.stream] = state
        return state


def _replayed(connection: Connection, head: Head, state: TableState | None) -> TableState | None:
    after = state.sequence if state else 0
    if after == head.sequence:
        return state
    for entry in entries(connection, head.stream, after=after, before=head.sequence + 1):
        try:
            state = apply(state, decode(entry.body))
        except (BaccaratError, TypeError) as error:
            raise JournalBroken(
                f"{head.stream}, entry {entry.sequence}, was not written by this program "
                f"({error}): check the report of baccarat audit-house, and restore a backup"
            ) from error
    return state


def _newest_snapshot(connection: Connection, head: Head) -> TableState | None:
    place = {"stream": head.stream, "until": head.sequence}
    body = connection.execute(_SNAPSHOT, place).scalar()
    try:
        return None if body is None else restore(body)
    except (BaccaratError, ValueError):  # another version wrote it: replay the journal
        return None


@dataclass
class Commit:
    """A commit in progress: the values that were read, and the rows that will be written."""

    connection: Connection
    states: States
    positions: Positions = field(default_factory=Positions)
    heads: dict[str, Head] = field(default_factory=dict)
    tables: dict[str, TableState | None] = field(default_factory=dict)
    times: dict[str, int] = field(default_factory=dict)
    """Time of the last entry of each stream that is not a table's; a table's state has its own
    time."""
    balances: dict[str, int] = field(default_factory=dict)
    """Balances of the wallets that were read; balances of other accounts are not known here."""
    changes: dict[str, int] = field(default_factory=dict)
    """Changes to balances, by ledger account."""
    answers: dict[tuple[str, str], tuple[bytes, Done]] = field(default_factory=dict)
    """Digest and result of each request with an idempotency key, by owner and key."""
    safety: dict[str, Safety] = field(default_factory=dict)
    changed_safety: set[str] = field(default_factory=set)
    desks: dict[str, tuple[View, WagerDesk]] = field(default_factory=dict)
    """Desks that are taking wagers, by stream; a table's state is updated when its desk is
    closed."""
    entries: list[Entry] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    """Events of the entries, in the same order."""
    booked: list[ledger.Transaction] = field(default_factory=list)
    answered: list[dialects.Row] = field(default_factory=list)
    """New rows of the database table `answers`."""
    known: set[str] = field(default_factory=set)
    """Ledger accounts that already have a row."""
    proposals: Proposals = ()
    """Open proposals in the house stream."""
    proposals_read: Proposals = ()
    """Open proposals in the house stream before this commit."""
    snapshots: dict[str, int] = field(default_factory=dict)
    """Entry number of the snapshot to be written, by stream."""
    played: set[tuple[str, str]] = field(default_factory=set)
    """(player, stream) pairs that may have their first transactions in this commit."""

    def __post_init__(self) -> None:
        self.side = SideTables(self.connection)
        self.side_changed = False

    # ---- reading ---------------------------------------------------------------------------

    def read(self, jobs: Sequence[Job]) -> None:
        """Read and lock everything that the jobs need."""
        streams = sorted({one for job in jobs for one in (job.need.stream, *job.need.also)})
        self._read_heads(streams)
        for stream in streams:
            self.tables[stream] = self.states.at(self.connection, self.heads[stream])
            self._read_time(self.heads[stream])
        if driven := sorted({job.need.stream for job in jobs if job.need.lease}):
            self.side.read_leases(driven)
        self._read_balances(sorted(self._wallets(jobs)))
        self._read_safety(sorted(self._protected(jobs)))
        self._read_safety(sorted(self._linked(jobs) - self.safety.keys()))
        self._read_proposals(jobs)
        if people := sorted(self._named(jobs)):
            self.side.read_people(people)
        if names := sorted({name for job in jobs for name in job.need.attempts}):
            self.side.read_attempts(names)
        self._read_answers([(job.key.owner, job.key.key) for job in jobs if job.key])

    def _read_heads(self, streams: list[str]) -> None:
        new = [beginning(stream) for stream in streams if stream not in self.states.known]
        dialects.add(self.connection, s.heads, new, if_new=True)  # a new stream needs a row to lock
        for row in dialects.find(self.connection, s.heads, "stream", streams, lock=True):
            self.heads[row.stream] = Head(row.stream, row.sequence, row.hash)

    def _read_time(self, head: Head) -> None:
        if self.tables[head.stream] is None and head.sequence:
            (last,) = entries(self.connection, head.stream, after=head.sequence - 1, limit=1)
            self.times[head.stream] = decode(last.body).at

    def _wallets(self, jobs: Sequence[Job]) -> set[str]:
        players = {player for job in jobs for player in job.need.wallets}
        staked: set[str] = set()
        for state in self._affected(jobs):
            players |= _with_bonus(state)
            staked |= state.round.wagers.keys()
        for job in jobs:
            corrects, table = job.need.corrects, self.tables.get(job.need.stream)
            if corrects is not None and table is not None:
                players |= table.may_be_corrected(corrects)
        own = map(ledger.real_account, players | staked)
        return {*own, *map(ledger.bonus_account, players)}

    def _affected(self, jobs: Sequence[Job]) -> list[TableState]:
        """Return the states of tables where a job may move the money of all players."""
        states = [self.tables[job.need.stream] for job in jobs if job.need.everyone]
        return [state for state in states if state is not None]

    def _read_balances(self, accounts: list[str]) -> None:
        self.balances.update(dict.fromkeys(accounts, 0))
        for account, balance in dialects.find(
            self.connection, s.balances, "account", accounts, lock=True
        ):
            self.balances[account] = balance
            self.known.add(account)

    def _protected(self, jobs: Sequence[Job]) -> set[str]:
        players = {player for job in jobs for player in job.need.safety}
        players.update(*map(_with_bonus, self._affected(jobs)))
        if dialects.locks_rows(self.connection):
            # Read partners before locking, so that all rows are locked in sorted order.
            wanted = sorted({one for job in jobs if job.need.linked for one in job.need.safety})
            for _, body in dialects.find(self.connection, s.safety, "player", wanted):
                players.update(record.decode(bytes(body)).partners)
        return players

    def _linked(self, jobs: Sequence[Job]) -> set[str]:
        """Return the partners of those players whose partners' records a job needs too."""
        asked = {one for job in jobs if job.need.linked for one in job.need.safety}
        return {other for one in asked for other in self.safety[one].partners}

    def _read_safety(self, players: list[str]) -> None:
        self._take_safety(players)
        new = [player for player in players if player not in self.safety]
        rows = [(player, b"") for player in new]
        dialects.add(self.connection, s.safety, rows, if_new=True)  # create rows to lock
        self._take_safety(new)

    def _take_safety(self, players: list[str]) -> None:
        for player, body in dialects.find(self.connection, s.safety, "player", players, lock=True):
            self.safety[player] = record.decode(bytes(body))

    def _read_proposals(self, jobs: Sequence[Job]) -> None:
        """Read the open proposals of the house stream; a table's state contains its proposals."""
        if any(job.need.proposals and job.need.stream == STREAM for job in jobs):
            kinds = (ActionProposed, ProposalEnded)
            newest = find_entries(self.connection, STREAM, kinds, limit=MAX_PROPOSED, newest=True)
            events = [decode(entry.body) for entry in reversed(newest)]
            self.proposals = self.proposals_read = reduce(proposals_after, events, self.proposals)

    def _named(self, jobs: Sequence[Job]) -> set[str]:
        """Return the ids of the accounts that the jobs need."""
        named = {person for job in jobs for person in job.need.people}
        for stream in {job.need.stream for job in jobs if job.need.proposals}:
            named |= {one.by for one in self._waiting(stream)}
            if (state := self.tables[stream]) is not None:
                named.update(state.manual.dealers, *(one.dealers for one in state.manual.past))
        return named

    def _waiting(self, stream: str) -> Proposals:
        state = self.tables[stream]
        return self.proposals if state is None else state.proposals

    def _read_answers(self, keys: list[tuple[str, str]]) -> None:
        for row in dialects.find_pairs(self.connection, s.answers, ("owner", "key"), keys):
            first = min(row.first, row.sequence)  # without events, read the head's entry
            between = {"after": first - 1, "before": row.sequence + 1}
            found = [*entries(self.connection, row.stream, **between)]
            events = [decode(old.body) for old in found if old.sequence >= row.first]
            warnings = tuple(Message.of_plain(*one) for one in json.loads(row.warnings or "[]"))
            head = head_of(found[-1]) if found else beginning(row.stream)
            done = Done(_shown(events), row.first, head, warnings, repeated=True)
            self.answers[row.owner, row.key] = (bytes(row.body), done)

    # ---- running jobs ----------------------------------------------------------------------

    def run(self, job: Job) -> Result:
        """Carry out one job and return its result; a refused job adds no rows to the commit."""
        try:
            if job.key is not None:
                found = self.answers.get((job.key.owner, job.key.key))
                if found is not None:
                    asked, done = found
                    if asked != sha256(job.body).digest():
                        raise Refused(Code.KEY_REUSED, "key-reused")
                    return done._replace(repeated=True)
            outcome = self._run_work(job)
        except Refused as refused:
            return refused
        self._book(outcome)
        return self._take(job, outcome)

    def _run_work(self, job: Job) -> Outcome:
        stream = job.need.stream
        if not job.need.desk:
            self._close_desk(stream)
            return job.work(self._view(job))
        if stream not in self.desks:
            self.desks[stream] = (self._view(job), WagerDesk(self.tables[stream]))
        view, desk = self.desks[stream]
        return job.work(view._replace(desk=desk, now=job.clock()))

    def _close_desk(self, stream: str) -> None:
        if stream in self.desks:
            self.tables[stream] = self.desks.pop(stream)[1].state

    def _view(self, job: Job) -> View:
        stream = job.need.stream
        return View(
            head=self.heads[stream],
            state=self.tables[stream],
            balances=self.balances,
            people=self.side.people,
            second_factors=self.side.second_factors,
            lease=self.side.leases.get(stream),
            safety=self.safety,
            position=self._position,
            proposals=self._waiting(stream) if job.need.proposals else (),
            attempts=self.side.attempts,
            now=self._now(job),
            house_events=partial(self._found, STREAM),
            others={one: self.tables[one] for one in job.need.also},
            later=partial(self._later, stream),
            events=partial(self._events, stream),
            namesakes=self.side.namesakes,
            proposed_name=self.side.proposed_name,
            taken=self.side.taken,
        )

    def _now(self, job: Job) -> int:
        """Return the time of a job: not before the last entry of any other stream it reads."""
        read = [self.times.get(one, 0) for one in (job.need.stream, *job.need.also)]
        tables = [state.at for one in job.need.also if (state := self.tables[one]) is not None]
        return max(job.clock(), *read, *tables)

    def _later(self, stream: str, after: int) -> list[Event]:
        """Return a stream's events after an entry, including those of this commit."""
        written = entries(self.connection, stream, after=after)
        new = (event for _, event in self._new(stream, after))
        return [*(decode(entry.body) for entry in written), *new]

    def _new(self, stream: str, after: int) -> Iterator[tuple[int, Event]]:
        """Yield the events that this commit will write to a stream, with their numbers."""
        for entry, event in zip(self.entries, self.events, strict=True):
            if entry.stream == stream and entry.sequence > after:
                yield entry.sequence, event

    def _events(
        self, stream: str, kind: type[Event], after: int, most: int
    ) -> list[tuple[int, Event]]:
        """Return a stream's events of a type with their numbers, including those of this commit."""
        return self._found(stream, (kind,), after=after, limit=most)[:most]

    def _found(
        self, stream: str, kinds: Sequence[type[Event]], after: int = 0, limit: int | None = None
    ) -> list[tuple[int, Event]]:
        written = find_entries(self.connection, stream, kinds, after=after, limit=limit)
        found = [(entry.sequence, decode(entry.body)) for entry in written]
        return found + [(n, event) for n, event in self._new(stream, after) if type(event) in kinds]

    def _position(self, player: str, since: int) -> Position:
        new = {(entry.stream, entry.sequence): entry for entry in self.entries}
        return self.positions.position(
            self.connection, player, since, booked=self.booked, entries=new
        )

    def _book(self, outcome: Outcome) -> None:
        """Post the transactions of an outcome; raise an error if a balance would become negative.

        Only balances that were read are checked here; a constraint in the database checks the rest.
        """
        balances, changes = self.balances, self.changes
        short: set[str] = set()
        for transaction in outcome.transactions:
            for account, amount in transaction.postings:
                changes[account] = changes.get(account, 0) + amount
                if account in balances:
                    balances[account] += amount
                    if balances[account] < 0:
                        short.add(account)
        for account in sorted(short):
            if balances[account] < 0 and ledger.may_not_be_negative(account):
                words = f"{account} would have {balances[account]} coins, but must not go below 0"
                raise ledger.LedgerError(words)
        self.booked += outcome.transactions

    def _take(self, job: Job, outcome: Outcome) -> Done:
        stream, events = job.need.stream, outcome.events
        first = self.heads[stream].sequence + 1
        new = chain(self.heads[stream], [encode(event) for event in events])
        if new:
            self.heads[stream] = head_of(new[-1])
            self.entries += new
            self.events += events
            if not job.need.desk:
                self.tables[stream] = outcome.state
            if self.tables[stream] is None:
                self.times[stream] = events[-1].at
            if job.need.proposals and stream == STREAM:
                self.proposals = reduce(proposals_after, events, self.proposals)
        for player, safety in outcome.safety.items():
            if self.safety[player] is not safety and self.safety[player] != safety:
                self.safety[player] = safety
                self.changed_safety.add(player)
        if outcome.side_changes is not None:
            self.side.take(stream, outcome.side_changes)
            self.side_changed = True
        head, warnings = self.heads[stream], outcome.warnings
        done = Done(_shown(events), first, head, warnings)
        if job.key is not None:
            owner, key, body = job.key.owner, job.key.key, sha256(job.body).digest()
            self.answers[owner, key] = (body, done)
            plain = [(warning.key, warning.plain_values) for warning in warnings]
            warned = json.dumps(plain) if plain else None
            self.answered.append((owner, key, body, warned, stream, head.sequence, first))
        return done

    # ---- writing ---------------------------------------------------------------------------

    def write(self) -> None:
        """Write everything in as few statements as possible."""
        for stream in [*self.desks]:
            self._close_desk(stream)
        add = partial(dialects.add, self.connection)
        if self.entries:
            add(s.journal, self.entries)
            pairs = zip(self.entries, self.events, strict=True)
            add(s.marks, [mark_of(*pair) for pair in pairs if type(pair[1]) not in NOT_INDEXED])
            self._write_heads()
        if self.booked:
            self._write_booked()
            self._write_balances()
        add(s.answers, self.answered)
        if self.changed_safety:
            new = [(record.encode(self.safety[one]), one) for one in sorted(self.changed_safety)]
            dialects.change(self.connection, s.safety, "player", "body", new, add=False)
        if self.side_changed:
            self.side.write()
        if self.proposals != self.proposals_read:
            self.side.keep_names(self.proposals, self.times.get(STREAM, 0))

    def _write_heads(self) -> None:
        moved = {entry.stream for entry in self.entries}
        rows = [
            {"at": stream, "sequence": self.heads[stream].sequence, "hash": self.heads[stream].hash}
            for stream in sorted(moved)
        ]
        self.connection.execute(_MOVE_HEAD, rows)
        for stream in moved:
            self._write_snapshot(stream)
        if dialects.locks_rows(self.connection):  # there may be other servers
            notify(self.connection, moved)

    def _write_snapshot(self, stream: str) -> None:
        """Write a snapshot between rounds, if enough events have followed the last snapshot."""
        state = self.tables[stream]
        if state is None or state.sequence - self.states.snapshots.get(stream, 0) < SNAPSHOT_EVERY:
            return
        if not state.round.phase.resting:
            return
        self.snapshots[stream] = state.sequence
        self.connection.execute(s.snapshots.delete().where(s.snapshots.c.stream == stream))
        row = {"stream": stream, "sequence": state.sequence, "body": snapshot(state)}
        self.connection.execute(s.snapshots.insert(), row)

    def _write_booked(self) -> None:
        transactions, postings = [], []
        for stream, sequence, kind, player, moved in self.booked:
            block = sequence // s.BLOCK
            transactions.append((stream, block, player, sequence, str(kind)))
            for account, amount in moved:
                postings.append((account, stream, sequence, player, amount, block))
        self.played = {(one.player, one.stream) for one in self.booked} - self.states.played
        dialects.add(self.connection, s.played, sorted(self.played), if_new=True)
        dialects.add(self.connection, s.transactions, transactions)
        dialects.add(self.connection, s.postings, postings)

    def _write_balances(self) -> None:
        accounts = sorted(account for account, amount in self.changes.items() if amount)
        new = [(account, 0) for account in accounts if account not in self.known]
        dialects.add(self.connection, s.balances, new, if_new=True)
        others = [account for account in accounts if account not in self.balances]
        dialects.find(self.connection, s.balances, "account", others, lock=True)
        rows = [(self.changes[account], account) for account in accounts]
        if rows:
            dialects.change(self.connection, s.balances, "account", "balance", rows, add=True)


def _with_bonus(state: TableState) -> set[str]:
    """Return the players who have staked bonus money on the current round."""
    return {player for player, placed in state.round.wagers.items() if placed.bonus}


def _shown(events: Sequence[Event]) -> tuple[Event, ...]:
    """Return the events that the sender of a command may see."""
    return tuple([event for event in events if type(event) not in FOR_THE_PIT])
