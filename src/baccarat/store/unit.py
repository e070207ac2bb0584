"""One durable commit: what its jobs need is read and locked, each is asked, everything is written.

In go jobs and a connection in a transaction; out come results, and rows. Locks are taken in one
order (heads of streams, then wallets, then players' protection, each sorted), so that two servers
wait for each other but never in a circle. The one rule: a job that is refused leaves no trace; one
that is done is written whole. Rows are gathered and written at the end, many at a time.
"""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from sqlalchemy import Connection, Table, bindparam, select, update
from sqlalchemy.dialects import postgresql, sqlite

from baccarat.house.attempts import KNOWN_MS, LOCKED_MS, Attempts
from baccarat.house.desk import WagerDesk
from baccarat.house.events import STREAM, decode_house
from baccarat.house.idempotency import answer_of, check_same, digest
from baccarat.house.ledger import (
    LedgerError,
    Transaction,
    bonus_account,
    may_not_be_negative,
    real_account,
)
from baccarat.house.ports import Beside, Done, Job, Lease, OpenSession, Result, View, Write
from baccarat.house.roles import Account, Role
from baccarat.house.safety import Position, Safety, decode, encode
from baccarat.store import bulk
from baccarat.store import schema as s
from baccarat.store.doorbell import ring
from baccarat.store.positions import Positions
from baccarat.store.states import States
from baccarat.table.events import Event
from baccarat.table.events import decode as decode_event
from baccarat.table.journal import Entry, Head, beginning, chain, head_of
from baccarat.table.refusals import Refused
from baccarat.table.state import TableState, snapshot
from baccarat.table.twopeople import Proposals, after

SNAPSHOT_EVERY = 512
"""Events of a table from one snapshot to the next; a restart replays these and one round."""
UNMARKED = frozenset({"WagersPlaced", "CardDealt", "CardPlaced"})
"""Kinds of events that are too many to be found by their kind."""
_TYPE = b'{"type":"'
"""How the canonical bytes of an event begin."""
_UNMARKED = tuple(b'%b%b"' % (_TYPE, kind.encode()) for kind in UNMARKED)
MOST_PROPOSED = 1_000
"""Newest entries about proposals that are read: what is older has been waiting for too long."""
FORGET_SESSION, FORGET_IDLE = 12 * 3_600_000, 40 * 60_000
"""Milliseconds after which a session has ended: since it began, and since it was seen."""
FORGET_SERVER = 3_600_000
"""Milliseconds after which a server that was not heard of is forgotten."""

# Statements are made once: making them costs more than running them.
_LAST = select(s.journal.c.body).where(
    s.journal.c.stream == bindparam("stream"), s.journal.c.sequence == bindparam("sequence")
)
_ANSWERED = (
    select(s.journal.c.sequence, s.journal.c.hash, s.journal.c.body)
    .where(s.journal.c.stream == bindparam("stream"))
    .where(s.journal.c.sequence.between(bindparam("first"), bindparam("last")))
    .order_by(s.journal.c.sequence)
)
_SINCE = (
    select(s.journal.c.body)
    .where(s.journal.c.stream == bindparam("stream"), s.journal.c.sequence > bindparam("after"))
    .order_by(s.journal.c.sequence)
)
_PROPOSED = (
    select(s.journal.c.body)
    .join(
        s.marks,
        (s.marks.c.stream == s.journal.c.stream) & (s.marks.c.sequence == s.journal.c.sequence),
    )
    .where(
        s.marks.c.stream == bindparam("stream"),
        s.marks.c.kind.in_(("ActionProposed", "ProposalEnded")),
    )
    .order_by(s.marks.c.sequence.desc())
    .limit(bindparam("most"))
)
_OF_KIND = (
    select(s.journal.c.sequence, s.journal.c.body)
    .join(
        s.marks,
        (s.marks.c.stream == s.journal.c.stream) & (s.marks.c.sequence == s.journal.c.sequence),
    )
    .where(
        s.marks.c.stream == bindparam("stream"),
        s.marks.c.kind == bindparam("kind"),
        s.marks.c.sequence > bindparam("after"),
    )
    .order_by(s.marks.c.sequence)
    .limit(bindparam("most"))
)
_MOVE_HEAD = (
    update(s.heads)
    .where(s.heads.c.stream == bindparam("at"))
    .values(sequence=bindparam("sequence"), hash=bindparam("hash"))
)

_CHANGE_PASSWORD = (
    update(s.people)
    .where(s.people.c.id == bindparam("account"))
    .values(password=bindparam("new"), since=bindparam("from_at"), expires_at=bindparam("until"))
)
_CHANGE_ISSUERS = (
    update(s.people)
    .where(s.people.c.id == bindparam("account"))
    .values(issued_by=bindparam("issuers"))
)
_SUSPEND = (
    update(s.people)
    .where(s.people.c.id == bindparam("account"))
    .values(suspended=bindparam("is_suspended"))
)
_END_SESSIONS = (
    update(s.people).where(s.people.c.id == bindparam("account")).values(since=bindparam("from_at"))
)


@dataclass
class Unit:
    """A commit in the making: what was read, and what is to be written."""

    connection: Connection
    states: States
    positions: Positions = field(default_factory=Positions)
    heads: dict[str, Head] = field(default_factory=dict)
    tables: dict[str, TableState | None] = field(default_factory=dict)
    times: dict[str, int] = field(default_factory=dict)
    """When the last entry of a stream happened that is no table's; a table's state knows."""
    balances: dict[str, int] = field(default_factory=dict)
    """Of the wallets that were read, and of no other account: those are not known here."""
    changes: dict[str, int] = field(default_factory=dict)
    """What balances change by."""
    people: dict[str, Account] = field(default_factory=dict)
    answers: dict[tuple[str, str], tuple[bytes, Done]] = field(default_factory=dict)
    """By owner and key: the digest of what was asked, and what was done for it."""
    leases: dict[str, Lease] = field(default_factory=dict)
    safety: dict[str, Safety] = field(default_factory=dict)
    changed_safety: set[str] = field(default_factory=set)
    desks: dict[str, tuple[View, WagerDesk]] = field(default_factory=dict)
    """Where wagers are being taken; the table's state follows when the desk is closed."""
    entries: list[Entry] = field(default_factory=list)
    booked: list[Transaction] = field(default_factory=list)
    rows: dict[str, list[bulk.Row]] = field(default_factory=lambda: defaultdict(list))
    """Rows of the small tables, by name."""
    attempts: dict[str, Attempts] = field(default_factory=dict)
    changed_attempts: dict[str, Attempts | None] = field(default_factory=dict)
    sessions: dict[str, OpenSession | None] = field(default_factory=dict)
    """By digest: those that began or were seen; None for one that is over."""
    known_places: dict[str, int] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)
    """Ledger accounts that have a row."""
    changed_leases: set[str] = field(default_factory=set)
    passwords: dict[str, tuple[str | None, int, int]] = field(default_factory=dict, repr=False)
    """By account: what is changed, since when it holds, and when it expires."""
    issuers: dict[str, tuple[str, ...]] = field(default_factory=dict)
    suspended: dict[str, int] = field(default_factory=dict)
    """By account: since when, 0 for no longer."""
    proposals: Proposals = field(default_factory=dict)
    """What waits for a second person in the house's own stream."""
    up: dict[str, int] = field(default_factory=dict)
    """Servers that say they are up, and until when they count as that."""
    snapshots: dict[str, int] = field(default_factory=dict)
    """Streams of which a snapshot is written, and at which entry."""
    played: set[tuple[str, str]] = field(default_factory=set)
    """Players, and streams in which these are perhaps their first transactions."""

    # ---- reading ---------------------------------------------------------------------------

    def read(self, jobs: Sequence[Job]) -> None:
        """Read and lock all that the jobs need."""
        streams = sorted({job.need.stream for job in jobs})
        self._read_heads(streams)
        for stream in streams:
            self.tables[stream] = self.states.at(self.connection, self.heads[stream])
            self._read_time(self.heads[stream])
        self._read_leases(sorted({job.need.stream for job in jobs if job.need.lease}))
        self._read_balances(sorted(self._wallets(jobs)))
        self._read_safety(sorted(self._protected(jobs)))
        self._read_safety(sorted(self._linked(jobs) - self.safety.keys()))
        self._read_proposals(jobs)
        self._read_people(sorted(self._named(jobs)))
        self._read_attempts(sorted({name for job in jobs for name in job.need.attempts}))
        self._read_answers([(job.key.owner, job.key.key) for job in jobs if job.key])

    def _read_heads(self, streams: list[str]) -> None:
        for stream in streams:
            if stream not in self.states:  # it may be new: a row to lock must be there
                new = {"stream": stream, "sequence": 0, "hash": beginning(stream).hash}
                self.connection.execute(_insert_if_new(self.connection, s.heads), new)
        for row in bulk.find(self.connection, s.heads, "stream", streams, lock=True):
            self.heads[row.stream] = Head(row.stream, row.sequence, row.hash)

    def _read_time(self, head: Head) -> None:
        if self.tables[head.stream] is None and head.sequence:
            place = {"stream": head.stream, "sequence": head.sequence}
            self.times[head.stream] = _at(self.connection.execute(_LAST, place).scalar_one())

    def _wallets(self, jobs: Sequence[Job]) -> set[str]:
        players = {player for job in jobs for player in job.need.wallets}
        staked: set[str] = set()
        for job in jobs:
            state = self.tables[job.need.stream]
            if job.need.everyone and state is not None:
                players |= state.may_be_corrected
                players |= {one for one, placed in state.round.wagers.items() if placed.bonus}
                staked |= state.round.wagers.keys()
        both = {account(player) for player in players for account in (real_account, bonus_account)}
        return both.union(map(real_account, staked))

    def _read_balances(self, accounts: list[str]) -> None:
        self.balances.update(dict.fromkeys(accounts, 0))
        for account, balance in bulk.find(
            self.connection, s.balances, "account", accounts, lock=True
        ):
            self.balances[account] = balance
            self.known.add(account)

    def _protected(self, jobs: Sequence[Job]) -> set[str]:
        players = {player for job in jobs for player in job.need.safety}
        for job in jobs:
            state = self.tables[job.need.stream]
            if job.need.everyone and state is not None:
                players |= {one for one, placed in state.round.wagers.items() if placed.bonus}
        if bulk.locks_rows(self.connection):
            # Before anything of it is locked, so that partners too are locked in the one order.
            wanted = sorted({one for job in jobs if job.need.linked for one in job.need.safety})
            for _, body in bulk.find(self.connection, s.safety, "player", wanted):
                players.update(decode(bytes(body)).partners)
        return players

    def _linked(self, jobs: Sequence[Job]) -> set[str]:
        """Who is linked with them: where rows are locked, seldom anyone that is not read yet."""
        asked = {one for job in jobs if job.need.linked for one in job.need.safety}
        return {other for one in asked for other in self.safety[one].partners}

    def _read_safety(self, players: list[str]) -> None:
        self._take_safety(players)
        new = [{"player": one, "body": b""} for one in players if one not in self.safety]
        if new:  # a row to lock must be there
            self.connection.execute(_insert_if_new(self.connection, s.safety), new)
            self._take_safety([row["player"] for row in new])

    def _take_safety(self, players: list[Any]) -> None:
        for player, body in bulk.find(self.connection, s.safety, "player", players, lock=True):
            self.safety[player] = decode(bytes(body))

    def _read_proposals(self, jobs: Sequence[Job]) -> None:
        """Of the house's own stream, from its newest entries; a table's state knows its own."""
        if any(job.need.proposals and job.need.stream == STREAM for job in jobs):
            rows = self.connection.execute(_PROPOSED, {"stream": STREAM, "most": MOST_PROPOSED})
            for (body,) in reversed(rows.all()):
                self.proposals = after(self.proposals, decode_house(bytes(body)))

    def _named(self, jobs: Sequence[Job]) -> set[str]:
        """Accounts that jobs must know."""
        asking = [job for job in jobs if job.need.proposals]
        waiting = [one for job in asking for one in self._waiting(job.need.stream).values()]
        return {one for job in jobs for one in job.need.people} | {one.by for one in waiting}

    def _waiting(self, stream: str) -> Proposals:
        state = self.tables[stream]
        return self.proposals if state is None else state.proposals

    def _read_people(self, ids: list[str]) -> None:
        self._take_people(ids)
        issuers = {one for known in self.people.values() for one in known.issued_by}
        self._take_people(sorted(issuers - self.people.keys()))  # theirs are among them

    def _take_people(self, ids: list[str]) -> None:
        for row in bulk.find(self.connection, s.people, "id", ids):
            self.people[row.id] = account_of(row)

    def _read_attempts(self, names: list[str]) -> None:
        for row in bulk.find(self.connection, s.attempts, "name", names):
            self.attempts[row.name] = Attempts(row.wrong, row.at)

    def _read_leases(self, streams: list[str]) -> None:
        for row in bulk.find(self.connection, s.leases, "stream", streams):
            self.leases[row.stream] = Lease(row.epoch, row.holder, row.expires_at)

    def _read_answers(self, keys: list[tuple[str, str]]) -> None:
        for row in bulk.find_pairs(self.connection, s.answers, ("owner", "key"), keys):
            first = min(row.first, row.sequence)  # one that caused no event has a head, too
            place = {"stream": row.stream, "first": first, "last": row.sequence}
            entries = self.connection.execute(_ANSWERED, place).all()
            last = entries[-1].hash if entries else beginning(row.stream).hash
            told = [bytes(one.body) for one in entries if one.sequence >= row.first]
            answer = answer_of(row.first, told) if row.answer is None else bytes(row.answer)
            done = Done(answer, Head(row.stream, row.sequence, last))
            self.answers[row.owner, row.key] = (bytes(row.body), done)

    # ---- asking ----------------------------------------------------------------------------

    def ask(self, job: Job) -> Result:
        """Do one job; what it raises, it raises before anything of it is written."""
        try:
            if job.key is not None:
                found = self.answers.get((job.key.owner, job.key.key))
                if found is not None:
                    body, done = found
                    check_same(body, job.body)
                    return done._replace(repeated=True)
            write = self._asked(job)
        except Refused as refused:
            return refused
        self._book(write)
        return self._take(job, write)

    def _asked(self, job: Job) -> Write:
        stream = job.need.stream
        if job.place is not None:
            desk = self.desks.get(stream)
            if desk is None:
                desk = self.desks[stream] = (self._view(job), WagerDesk(self.tables[stream]))
            return job.place(*desk)
        assert job.work is not None  # noqa: S101  (one of the two)
        self._close_desk(stream)
        return job.work(self._view(job))

    def _close_desk(self, stream: str) -> None:
        if stream in self.desks:
            self.tables[stream] = self.desks.pop(stream)[1].state

    def _view(self, job: Job) -> View:
        stream = job.need.stream
        return View(
            head=self.heads[stream],
            state=self.tables[stream],
            balances=self.balances,
            people=self.people,
            lease=self.leases.get(stream),
            safety=self.safety,
            position=self._position,
            proposals=self._waiting(stream) if job.need.proposals else {},
            attempts=self.attempts,
            at=self.times.get(stream, 0),
            later=partial(self._later, stream),
            entries=partial(self._entries, stream),
        )

    def _later(self, stream: str, after: int) -> list[Event]:
        """What has followed an entry, in the journal and in this commit; the head is locked."""
        place = {"stream": stream, "after": after}
        bodies = [bytes(body) for body in self.connection.execute(_SINCE, place).scalars()]
        mine = (one for one in self.entries if one.stream == stream and one.sequence > after)
        return [decode_event(body) for body in (*bodies, *(one.body for one in mine))]

    def _entries(self, stream: str, kind: str, after: int, most: int) -> list[tuple[int, bytes]]:
        """What is written, and then what this commit is going to write."""
        asked = {"stream": stream, "kind": kind, "after": after, "most": most}
        rows = self.connection.execute(_OF_KIND, asked)
        found = [(row.sequence, bytes(row.body)) for row in rows]
        found += [
            (one.sequence, one.body)
            for one in self.entries
            if one.stream == stream and one.sequence > after and mark_of(one)[1] == kind
        ]
        return found[:most]

    def _position(self, player: str, since: int) -> Position:
        entries = {(entry.stream, entry.sequence): entry for entry in self.entries}
        return self.positions.position(
            self.connection, player, since, booked=self.booked, entries=entries
        )

    def _book(self, write: Write) -> None:
        """Book its transactions; no balance that was read may be below zero after all of them.

        Those that were not read are left to the database.
        """
        balances, changes = self.balances, self.changes
        short: set[str] = set()
        for transaction in write.transactions:
            for account, amount in transaction.postings:
                changes[account] = changes.get(account, 0) + amount
                if account in balances:
                    balances[account] += amount
                    if balances[account] < 0:
                        short.add(account)
        for account in sorted(short):
            if balances[account] < 0 and may_not_be_negative(account):
                words = f"{account} would have {balances[account]} coins: it cannot owe any"
                raise LedgerError(words)
        self.booked += write.transactions

    def _take(self, job: Job, write: Write) -> Done:
        stream = job.need.stream
        first = self.heads[stream].sequence + 1
        new = chain(self.heads[stream], write.bodies)
        if new:
            self.heads[stream] = head_of(new[-1])
            self.entries += new
            if job.place is None:
                self.tables[stream] = write.state
            if self.tables[stream] is None:
                self.times[stream] = _at(write.bodies[-1])
            if job.need.proposals and stream == STREAM:
                for body in write.bodies:
                    self.proposals = after(self.proposals, decode_house(body))
        for player, safety in write.safety.items():
            if self.safety[player] is not safety and self.safety[player] != safety:
                self.safety[player] = safety
                self.changed_safety.add(player)
        if write.beside is not None:
            self._take_beside(stream, write.beside)
        head, answer = self.heads[stream], write.answer
        done = Done(answer_of(first, write.bodies) if answer is None else answer, head)
        if job.key is not None:
            owner, key, body = job.key.owner, job.key.key, digest(job.body)
            self.answers[owner, key] = (body, done)
            self.rows["answers"].append((owner, key, body, answer, stream, head.sequence, first))
        return done

    def _take_beside(self, stream: str, beside: Beside) -> None:
        if beside.person is not None:
            person = beside.person
            self.people[person.id] = replace(person, password_since=beside.since)
            own = (beside.password, beside.since, " ".join(person.issued_by), beside.expires_at)
            self.rows["people"].append(
                (person.id, str(person.role), person.name, person.guest, *own, person.suspended)
            )
        if beside.new_password is not None:
            account, password, since = beside.new_password
            self.passwords[account] = (password, since, beside.expires_at)
            known = self.people[account]
            closed = known.closed or password is None
            self.people[account] = replace(known, closed=closed, password_since=since)
        if beside.issued_by is not None:
            account, issuers = beside.issued_by
            self.issuers[account] = issuers
            self.people[account] = replace(self.people[account], issued_by=issuers)
        if beside.suspended is not None:
            account, since = beside.suspended
            self.suspended[account] = since
            self.people[account] = replace(self.people[account], suspended=bool(since))
        if beside.sealed is not None:
            shoe, sealed = beside.sealed
            self.rows["shoes"].append((shoe, stream, sealed))
        if beside.lease is not None:
            self.leases[stream] = beside.lease
            self.changed_leases.add(stream)
        if beside.up is not None:
            self.up |= [beside.up]
        if beside.known_place is not None:
            self.known_places |= [beside.known_place]
        if beside.session is not None:
            self.sessions[beside.session.digest] = beside.session
        if beside.ended:
            self.sessions[beside.ended] = None
        for name, attempts in beside.attempts.items():
            self.changed_attempts[name] = attempts
            if attempts is None:
                self.attempts.pop(name, None)
            else:
                self.attempts[name] = attempts

    # ---- writing ---------------------------------------------------------------------------

    def write(self) -> None:
        """Everything, in as few statements as can be."""
        for stream in [*self.desks]:
            self._close_desk(stream)
        add = partial(bulk.add, self.connection)
        if self.entries:
            add(s.journal, self.entries)
            marks = [mark_of(one) for one in self.entries if not one.body.startswith(_UNMARKED)]
            if marks:
                add(s.marks, marks)
            self._write_heads()
        if self.booked:
            self._write_booked()
            self._write_balances()
        for name, rows in self.rows.items():
            add(s.metadata.tables[name], rows)
        self._write_people()
        if self.changed_safety:
            new = [(encode(self.safety[one]), one) for one in sorted(self.changed_safety)]
            bulk.change(self.connection, s.safety, "player", "body", new, by=False)
        self._write_leases()
        self._write_servers()
        self._write_attempts()
        self._write_sessions()

    def _write_people(self) -> None:
        execute = self.connection.execute
        for account, (password, since, until) in sorted(self.passwords.items()):
            changed = {"account": account, "new": password, "from_at": since, "until": until}
            execute(_CHANGE_PASSWORD, changed)
        for account, issuers in sorted(self.issuers.items()):
            execute(_CHANGE_ISSUERS, {"account": account, "issuers": " ".join(issuers)})
        for account, since in sorted(self.suspended.items()):
            execute(_SUSPEND, {"account": account, "is_suspended": bool(since)})
            if since:
                execute(_END_SESSIONS, {"account": account, "from_at": since})

    def _write_heads(self) -> None:
        moved = {entry.stream for entry in self.entries}
        rows = [
            {"at": stream, "sequence": self.heads[stream].sequence, "hash": self.heads[stream].hash}
            for stream in sorted(moved)
        ]
        self.connection.execute(_MOVE_HEAD, rows)
        for stream in moved:
            self._write_snapshot(stream)
        ring(self.connection, moved)

    def _write_snapshot(self, stream: str) -> None:
        """Between rounds, when enough has happened since the last one."""
        state = self.tables[stream]
        if state is None or not state.round.phase.resting:
            return
        if state.sequence - self.states.snapshot_at(stream) < SNAPSHOT_EVERY:
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
        if self.played:
            bulk.add(self.connection, s.played, sorted(self.played), if_new=True)
        bulk.add(self.connection, s.transactions, transactions)
        bulk.add(self.connection, s.postings, postings)

    def _write_balances(self) -> None:
        accounts = sorted(account for account, amount in self.changes.items() if amount)
        new = [{"account": one, "balance": 0} for one in accounts if one not in self.known]
        if new:
            self.connection.execute(_insert_if_new(self.connection, s.balances), new)
        others = [account for account in accounts if account not in self.balances]
        bulk.find(self.connection, s.balances, "account", others, lock=True)
        rows = [(self.changes[account], account) for account in accounts]
        if rows:
            bulk.change(self.connection, s.balances, "account", "balance", rows, by=True)

    def _write_leases(self) -> None:
        for stream in sorted(self.changed_leases):
            lease = self.leases[stream]
            self.connection.execute(s.leases.delete().where(s.leases.c.stream == stream))
            self.connection.execute(s.leases.insert(), {"stream": stream, **vars(lease)})

    def _write_servers(self) -> None:
        """Those that are up, and none that was not heard of for long."""
        for holder, until in self.up.items():
            c = s.servers.c
            gone = (c.holder == holder) | (c.until < until - FORGET_SERVER)
            self.connection.execute(s.servers.delete().where(gone))
            self.connection.execute(s.servers.insert(), {"holder": holder, "until": until})

    def _write_attempts(self) -> None:
        """Those that count, and none that have been forgiven by time."""
        c = s.attempts.c
        for name, found in sorted(self.changed_attempts.items()):
            self.connection.execute(s.attempts.delete().where(c.name == name))
            if found is not None:
                old = c.at < found.at - LOCKED_MS
                self.connection.execute(s.attempts.delete().where(old))
                self.connection.execute(s.attempts.insert(), {"name": name, **vars(found)})

    def _write_sessions(self) -> None:
        """Those that go on, and none that must have ended; addresses that are known."""
        for name, session in sorted(self.sessions.items()):
            gone = s.sessions.c.digest == name
            if session is not None:
                gone |= s.sessions.c.begun < session.seen - FORGET_SESSION
                gone |= s.sessions.c.seen < session.seen - FORGET_IDLE
            self.connection.execute(s.sessions.delete().where(gone))
            if session is not None:
                self.connection.execute(s.sessions.insert(), session._asdict())
        for name, at in sorted(self.known_places.items()):
            c = s.known_places.c
            gone = (c.digest == name) | (c.at < at - KNOWN_MS)
            self.connection.execute(s.known_places.delete().where(gone))
            self.connection.execute(s.known_places.insert(), {"digest": name, "at": at})


def mark_of(entry: Entry) -> bulk.Row:
    """The row by which entries of a kind are found; those that are UNMARKED get none."""
    kind = entry.body[len(_TYPE) : entry.body.index(b'"', len(_TYPE))].decode()
    return entry.stream, kind, entry.sequence


def account_of(row: Any) -> Account:
    """The account of a row of `people`."""
    return Account(
        row.id,
        Role(row.role),
        row.name,
        bool(row.guest),
        tuple(row.issued_by.split()),
        suspended=bool(row.suspended),
        closed=bool(row.suspended) and row.password is None,
        password_since=row.since,
    )


def _at(body: bytes) -> int:
    """When an event happened."""
    return int(json.loads(body)["value"]["at"])


def _insert_if_new(connection: Connection, table: Table) -> Any:
    """INSERT … ON CONFLICT DO NOTHING, which both databases have and SQL does not."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    return dialect.insert(table).on_conflict_do_nothing()
