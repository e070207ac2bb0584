"""The small tables of a commit: people, leases, servers, wrong passwords, sessions, sealed shoes.

`SideTables` reads the rows that jobs need and applies the jobs' changes
(`house.outcomes.SideChanges`), so that later jobs of the same commit see them. The changes are
written at the end of the commit.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import Connection, Table, bindparam, or_, select

from baccarat.house.outcomes import Lease, Resealed, SideChanges
from baccarat.house.people.names import ProposedName, skeleton
from baccarat.house.people.roles import ERASED, Account, Role
from baccarat.house.people.second_factor import SecondFactor
from baccarat.house.people.sign_in_lock import KNOWN_MS, LOCKED_MS, Attempts
from baccarat.house.ports import Person
from baccarat.store import dialects
from baccarat.store import schema as s
from baccarat.table.four_eyes.proposals import Proposals
from baccarat.table.four_eyes.subjects import StaffAccount

FORGET_SESSION, FORGET_IDLE = 12 * 3_600_000, 40 * 60_000
"""Milliseconds after which a session is removed from the list: since it began, and since it was
last used."""
FORGET_SERVER = 3_600_000
"""A server's row is deleted this many milliseconds after its last heartbeat has expired."""
ERASED_PERSON = {
    "name": ERASED,
    "looks": "",
    "password": None,
    "suspended": True,
    "sign_in_id": None,
    "second_factor": None,
    "recovery": "",
}
"""New column values when someone's personal data is erased."""

_TAKEN = select(s.people.c.id).where(
    or_(s.people.c.id == bindparam("id"), s.people.c.sign_in_id == bindparam("id"))
)
_NAMESAKES = select(s.people.c.role).where(s.people.c.looks == bindparam("looks")).distinct()


def account_of(row: Any) -> Account:
    """Return the account in a row of `people`."""
    return Account(
        row.id,
        Role(row.role),
        row.name,
        bool(row.guest),
        tuple(row.issued_by.split()),
        suspended=bool(row.suspended),
        closed=bool(row.suspended) and row.password is None,
        password_since=row.since,
        sign_in_id=row.sign_in_id or "",
        tables=tuple(row.tables.split()),
        second_factor=row.second_factor is not None,
    )


def person_of(row: Any) -> Person:
    """Return the person in a row of `people`."""
    return Person(account_of(row), row.password, row.since, row.expires_at, row.signed_in)


class _Replacement(NamedTuple):
    table: Table
    row: dict[str, Any] | None
    forgotten: dict[str, int]


@dataclass
class SideTables:
    """Rows of the small tables that a commit has read, and its pending changes to them."""

    connection: Connection
    people: dict[str, Account] = field(default_factory=dict)
    second_factors: dict[str, SecondFactor] = field(default_factory=dict, repr=False)
    leases: dict[str, Lease] = field(default_factory=dict)
    attempts: dict[str, Attempts] = field(default_factory=dict)
    _rows: dict[str, list[dialects.Row]] = field(default_factory=partial(defaultdict, list))
    """New rows, by the name of the table."""
    _changed_people: dict[str, dict[str, Any]] = field(
        default_factory=partial(defaultdict, dict), repr=False
    )
    """New column values of rows in `people`, by account."""
    proposed_names: dict[str, ProposedName] = field(default_factory=dict)
    """Names proposed in this commit, by account."""
    _resealed: Resealed = field(default=Resealed({}, {}), repr=False)
    _replaced: dict[tuple[str, str], _Replacement] = field(default_factory=dict)
    """Rows to replace or delete, by the name of the table and the key."""

    # ---- reading ---------------------------------------------------------------------------

    def read_people(self, ids: Sequence[str]) -> None:
        """Read these accounts and, recursively, the accounts of everyone in their `issued_by`.

        The recursion is needed because an account's list may be out of date: the people in it may
        have been issued new passwords since.
        """
        asked: set[str] = set()
        while ids:
            for row in dialects.find(self.connection, s.people, "id", ids):
                self.people[row.id] = account_of(row)
                if row.second_factor is not None:
                    self.second_factors[row.id] = SecondFactor(
                        bytes(row.second_factor), row.last_step, tuple(row.recovery.split())
                    )
            asked.update(ids)
            issuers = {name for account in self.people.values() for name in account.issued_by}
            ids = sorted(issuers - self.people.keys() - asked)

    def read_attempts(self, names: Sequence[str]) -> None:
        for row in dialects.find(self.connection, s.attempts, "name", names):
            self.attempts[row.name] = Attempts(row.wrong, row.at)

    def read_leases(self, streams: Sequence[str]) -> None:
        for row in dialects.find(self.connection, s.leases, "stream", streams):
            self.leases[row.stream] = Lease(row.epoch, row.holder, row.expires_at)

    def namesakes(self, name: str) -> set[Role]:
        """Return the roles of all accounts, including new ones, whose names look like this name."""
        looks = skeleton(name)
        known = self.connection.execute(_NAMESAKES, {"looks": looks}).scalars()
        new = (
            account.role
            for account in self.people.values()
            if account.registered and skeleton(account.name) == looks
        )
        return {Role(str(role)) for role in (*known, *new)}

    def taken(self, name: str) -> bool:
        """Return whether an account has this ID, or a guest chose it to sign in with."""
        new = (name in (account.id, account.sign_in_id) for account in self.people.values())
        return any(new) or self.connection.execute(_TAKEN, {"id": name}).first() is not None

    def proposed_name(self, account: str) -> ProposedName | None:
        """Return the name proposed for an account; None if there is none."""
        if account in self.proposed_names:
            return self.proposed_names[account]
        rows = dialects.find(self.connection, s.proposed_names, "account", [account])
        return next((ProposedName(*row) for row in rows), None)

    # ---- changing --------------------------------------------------------------------------

    def take(self, stream: str, side_changes: SideChanges) -> None:
        """Apply the changes that a job of this stream makes."""
        self._take_people(side_changes)
        if side_changes.sealed is not None:
            shoe, sealed = side_changes.sealed
            self._rows["shoes"].append((shoe, stream, sealed))
        if side_changes.resealed is not None:
            self._resealed = side_changes.resealed
        if side_changes.lease is not None:
            self.leases[stream] = side_changes.lease
            self._replace(s.leases, stream, vars(side_changes.lease))
        if side_changes.heartbeat is not None:
            holder, until = side_changes.heartbeat
            self._replace(s.servers, holder, {"until": until}, until=until - FORGET_SERVER)
        if side_changes.known_place is not None:
            digest, at = side_changes.known_place
            self._replace(s.known_places, digest, {"at": at}, at=at - KNOWN_MS)
        if side_changes.session is not None:
            digest, seen = side_changes.session.digest, side_changes.session.seen
            old = {"begun": seen - FORGET_SESSION, "seen": seen - FORGET_IDLE}
            self._replace(s.sessions, digest, side_changes.session._asdict(), **old)
        if side_changes.ended:
            self._replace(s.sessions, side_changes.ended)
        for name, attempts in side_changes.attempts.items():
            if attempts is None:
                self.attempts.pop(name, None)
                self._replace(s.attempts, name)
            else:
                self.attempts[name] = attempts
                self._replace(s.attempts, name, vars(attempts), at=attempts.at - LOCKED_MS)

    def _replace(
        self, table: Table, key: str, row: dict[str, Any] | None = None, **forgotten: int
    ) -> None:
        """Replace the row with this key or, if `row` is None, delete it.

        Also delete all rows in which a column named in `forgotten` is below the given value.
        """
        self._replaced[table.name, key] = _Replacement(table, row, forgotten)

    def _take_people(self, side_changes: SideChanges) -> None:
        if side_changes.person is not None:
            person = side_changes.person
            self.people[person.id] = replace(person, password_since=side_changes.since)
            own = (
                side_changes.password,
                side_changes.since,
                " ".join(person.issued_by),
                side_changes.expires_at,
            )
            self._rows["people"].append(
                (
                    *(person.id, str(person.role), person.name, person.guest, *own),
                    *(person.suspended, "" if person.guest else skeleton(person.name), None),
                    *("", 0, None, 0, ""),
                )
            )
        if side_changes.new_password is not None:
            account, password, since = side_changes.new_password
            closed = self.people[account].closed or password is None
            new = {"password": password, "since": since, "expires_at": side_changes.expires_at}
            self._change(account, new, closed=closed, password_since=since)
        if side_changes.registered is not None:
            account, chosen, name = side_changes.registered
            new = {"sign_in_id": chosen, "name": name, "looks": skeleton(name)}
            self._change(account, new, sign_in_id=chosen, name=name)
        if side_changes.issued_by is not None:
            account, issuers = side_changes.issued_by
            self._change(account, {"issued_by": " ".join(issuers)}, issued_by=issuers)
        if side_changes.suspended is not None:
            account, since = side_changes.suspended
            self._change(account, {"suspended": bool(since)}, suspended=bool(since))
            if since:  # a suspension ends earlier sessions
                self._changed_people[account]["since"] = since
        if side_changes.assigned is not None:
            account, tables = side_changes.assigned
            self._change(account, {"tables": " ".join(tables)}, tables=tables)
        if side_changes.second_factor is not None:
            self._take_second_factor(*side_changes.second_factor)
        if side_changes.signed_in is not None:
            account, at = side_changes.signed_in
            self._changed_people[account] |= {"signed_in": at}
        if side_changes.proposed_name is not None:
            self.proposed_names[side_changes.proposed_name.account] = side_changes.proposed_name
        if side_changes.erased is not None:
            account, since = side_changes.erased
            self._changed_people[account] |= ERASED_PERSON | {"since": since}

    def _take_second_factor(self, account: str, new: SecondFactor | None) -> None:
        if new is None:
            self.second_factors.pop(account, None)
            self._change(account, {"second_factor": None, "recovery": ""}, second_factor=False)
            return
        self.second_factors[account] = new
        values = (new.sealed, new.last_step, " ".join(new.recovery))
        row = dict(zip(("second_factor", "last_step", "recovery"), values, strict=True))
        self._change(account, row, second_factor=True)

    def _change(self, account: str, row: dict[str, Any], **fields: Any) -> None:
        """Change columns of an account's row, and fields of the `Account` that later jobs see."""
        self._changed_people[account] |= row
        self.people[account] = replace(self.people[account], **fields)

    # ---- writing ---------------------------------------------------------------------------

    def write(self) -> None:
        """Write all changes."""
        for name, rows in self._rows.items():
            dialects.add(self.connection, s.metadata.tables[name], rows)
        for account, values in sorted(self._changed_people.items()):
            update = s.people.update().where(s.people.c.id == account).values(**values)
            self.connection.execute(update)
            if values.get("name") == ERASED:  # remove their sessions from the list
                self.connection.execute(s.sessions.delete().where(s.sessions.c.account == account))
        for shoe, sealed in self._resealed.shoes.items():
            update = s.shoes.update().where(s.shoes.c.shoe == shoe).values(sealed=sealed)
            self.connection.execute(update)
        for account, sealed in self._resealed.second_factors.items():
            update = s.people.update().where(s.people.c.id == account)
            self.connection.execute(update.values(second_factor=sealed))
        for (_, key), (table, row, forgotten) in sorted(self._replaced.items(), key=itemgetter(0)):
            (column,) = table.primary_key
            below = (table.c[name] < value for name, value in forgotten.items())
            self.connection.execute(table.delete().where(or_(column == key, *below)))
            if row is not None:
                self.connection.execute(table.insert(), {**row, column.name: key})

    def keep_names(self, standing: Proposals, now: int) -> None:
        """Write names proposed in this commit, and delete those that no open proposal needs."""
        table, new = s.proposed_names, self.proposed_names
        waiting = {
            proposal.subject.account
            for proposal in standing
            if isinstance(proposal.subject, StaffAccount) and now < proposal.until
        }
        gone = table.c.account.not_in(waiting - new.keys())
        self.connection.execute(table.delete().where(gone))
        if found := [name._asdict() for account, name in new.items() if account in waiting]:
            self.connection.execute(table.insert(), found)
