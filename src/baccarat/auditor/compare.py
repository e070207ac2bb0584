"""Compares the other database tables of a store with values computed from its journal."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from baccarat.auditor.amounts import money
from baccarat.auditor.rows import Rows

Heads = Mapping[str, tuple[int, str]]
"""Number and hex hash of an entry, by stream."""
Key = TypeVar("Key", bound=Any)
Value = TypeVar("Value")


@dataclass
class Recomputed:
    """The ledger and the index of entries (marks), as recomputed from the journal."""

    moved: Counter[tuple[str, int, str, str]] = field(default_factory=Counter)
    """Coins by stream, sequence, player and ledger account."""
    booked: dict[tuple[str, int, str], str] = field(default_factory=dict)
    """Kind of transaction by stream, sequence and player."""
    marks: set[tuple[str, str, int]] = field(default_factory=set)
    """Stream, type of event and sequence of each indexed entry."""
    unread: dict[str, int] = field(default_factory=dict)
    """Streams that were not read to their end, and the last entry that was read."""

    def was_read(self, stream: str, sequence: int) -> bool:
        return sequence <= self.unread.get(stream, sequence)


def differences(
    stored: Mapping[Key, Value], due: Mapping[Key, Value]
) -> Iterator[tuple[Key, Value | None, Value | None]]:
    """Yield each key whose values differ, with both values; None for a missing value."""
    for key in sorted(stored.keys() | due.keys()):
        if stored.get(key) != due.get(key):
            yield key, stored.get(key), due.get(key)


def people(rows: Rows, accounts: Mapping[str, Any]) -> Iterator[str]:
    """Yield a finding for each account that differs from the journal."""
    stored: dict[str, Any] = {
        account: {
            "role": role,
            "guest": guest,
            "issued by": names,
            "suspended": bool(suspended),
            "tables": tables,
            "signed in": signed_in,
            "second factor": bool(code),
        }
        for account, role, guest, names, suspended, tables, signed_in, code in rows.people or ()
    }
    for account in sorted(stored.keys() | accounts.keys()):
        there, due = stored.get(account, {}), accounts.get(account, {})
        if there.get("role") != due.get("role"):
            roles = [known.get("role", "no account") for known in (there, due)]
            yield f"{account}: {roles[0]} in the store, {roles[1]} in the journal"
            continue
        for name, held, meant in differences(there, due):
            yield f"{account}: {name} {held!r} in the store, {meant!r} in the journal"


def safety(rows: Rows, computed: Mapping[str, dict[str, Any]]) -> Iterator[str]:
    """Yield a finding for each difference between a protection record and the journal.

    Values that wagers change are not compared.
    """
    stored = {player: _protection_in(body) for player, body in rows.safety or ()}
    for player in sorted(stored.keys() | computed.keys()):
        there, due = (
            {name: value or None for name, value in known.get(player, {}).items()}
            for known in (stored, computed)
        )
        for name, *values in differences(there, due):
            held, meant = (_limit(name, value) for value in values)
            yield f"{player}: {name} {held} in the store, {meant} in the journal"


def _limit(name: str, value: Any) -> Any:
    """Return deposit and loss limits formatted as money, and any other value unchanged."""
    is_money = any(f"/{kind}/" in name for kind in ("deposit", "loss"))
    return money(value) if is_money and value is not None else value


def _protection_in(body: bytes) -> dict[str, Any]:
    """Return the values of a stored protection record that can be compared with the journal."""
    names = {
        "break_until": "on a break until",
        "excluded_until": "excluded until",
        "returns_at": "returning at",
        "partners": "partners",
    }
    try:
        fields = json.loads(body or "{}")
        limits = {key: limit.get("amount") for key, limit in fields.get("limits", {}).items()}
        return limits | {name: fields.get(field) for field, name in names.items()}
    except (ValueError, TypeError, AttributeError):
        return {"protection": "unreadable"}


def heads(rows: Rows, exported: Heads) -> Iterator[str]:
    """Yield a finding for each head that is not the stream's last entry.

    Also yield a finding for each stream that was cut off before an exported entry.
    """
    stored = {stream: (sequence, digest.hex()) for stream, sequence, digest in rows.heads}
    last = {stream: (sequence, digest.hex()) for stream, sequence, digest, _ in rows.journal}
    for stream, head, end in differences(stored, last):
        if head and end and head[0] == end[0]:
            words = f"both are entry {end[0]}, with different hashes"
        else:
            words = f"the head is entry {head[0]}" if head else "the head is missing"
            ends = f"ends at entry {end[0]}" if end else "has no entries"
            words = f"{words}, but the journal {ends}"
        yield f"{stream}: its head is not its last entry: {words}"
    for stream, (sequence, _) in exported.items():
        if last.get(stream, (0, ""))[0] < sequence:
            yield f"{stream}: ends before entry {sequence}, which was exported as its head"


def marks(rows: Rows, recomputed: Recomputed) -> Iterator[str]:
    """Yield a finding for each entry that is missing from the index by type, or wrongly in it."""
    stored = {mark for mark in rows.marks or () if recomputed.was_read(mark[0], mark[2])}
    for stream, kind, sequence in sorted(recomputed.marks ^ stored):
        words = f"missing from the index of {kind} events"
        if (stream, kind, sequence) not in recomputed.marks:
            words = f"indexed as {kind}, but is another event in the journal"
        yield f"{stream}, entry {sequence}: {words}"


def postings(rows: Rows, recomputed: Recomputed) -> Iterator[str]:
    """Yield a finding for each posting that differs from the journal.

    Where the journal cannot be read, the coins of each transaction must still sum to zero.
    """
    stored: Counter[tuple[str, int, str, str]] = Counter()
    sums: Counter[tuple[str, int, str]] = Counter()
    for stream, sequence, player, account, amount in rows.postings:
        if recomputed.was_read(stream, sequence):
            stored[stream, sequence, player, account] += amount
        else:
            sums[stream, sequence, player] += amount
    for key in sorted(stored.keys() | recomputed.moved.keys()):
        if stored[key] != recomputed.moved[key]:
            stream, sequence, player, account = key
            yield (
                f"{stream}, entry {sequence}: for {player}, {account} changed by "
                f"{money(stored[key])} in the ledger, but by {money(recomputed.moved[key])} as "
                "recomputed from the journal"
            )
    for (stream, sequence, player), coins in sorted(sums.items()):
        if coins:
            words = f"the postings of {player} add up to {money(coins)} in the ledger, not to zero"
            yield f"{stream}, entry {sequence}: {words}"


def blocks(rows: Rows) -> Iterator[str]:
    """Yield a finding for each transaction that is stored in the wrong block of the ledger."""
    for stream, sequence, player in sorted(rows.misplaced or ()):
        words = f"the postings of {player} are in the wrong block of the ledger"
        yield f"{stream}, entry {sequence}: {words}"


def transactions(rows: Rows, recomputed: Recomputed) -> Iterator[str]:
    """Yield a finding for each transaction that is missing, unexpected or of the wrong kind."""
    stored = {
        (stream, sequence, player): kind
        for stream, sequence, player, kind in rows.transactions or ()
        if recomputed.was_read(stream, sequence)
    }
    for (stream, sequence, player), kept, booked in differences(stored, recomputed.booked):
        words = "is missing from the ledger"
        if booked is None:
            words = "is in the ledger, but not in the journal"
        elif kept is not None:
            words = f"is a {kept} in the ledger, but a {booked} in the journal"
        yield f"{stream}, entry {sequence}: a transaction of {player} {words}"


def played(rows: Rows, recomputed: Recomputed) -> Iterator[str]:
    """Yield a finding for each stream that is missing from a player's list, or wrongly in it."""
    computed = {(player, stream) for stream, _, player in recomputed.booked}
    for player, stream in sorted(computed ^ set(rows.played or ())):
        if (player, stream) in computed:
            yield f"{player}: has transactions in {stream}, but the store does not list them there"
        elif stream not in recomputed.unread:
            yield f"{player}: has no transactions in {stream}, but the store lists some"


def balances(rows: Rows, recomputed: Recomputed, computed: Counter[str]) -> Iterator[str]:
    """Yield a finding for each balance that differs from the journal.

    Where the journal cannot be read, balances are compared with the ledger's postings instead,
    because there is nothing else to compare them with.
    """
    if sum(computed.values()):
        yield f"all accounts add up to {money(sum(computed.values()))}, not to zero"
    computed = computed.copy()
    for stream, sequence, _, account, amount in rows.postings:
        if not recomputed.was_read(stream, sequence):
            computed[account] += amount
    source = "in the journal"
    if recomputed.unread:
        source += " (by the ledger where the journal cannot be read)"
    stored = Counter(dict(rows.balances))
    for account in sorted(stored.keys() | computed.keys()):
        held, coins = stored[account], computed[account]
        if held != coins:
            yield f"{account}: {money(held)} in the store, {money(coins)} {source}"
        if coins < 0 and not account.startswith("house/"):
            yield f"{account}: {money(coins)} is below zero"


def not_compared(unread: Mapping[str, int]) -> Iterator[str]:
    """Yield a line for each check that was left out, so that nobody assumes it was done."""
    for stream, read in sorted(unread.items()):
        start = f"{stream} cannot be read from entry {read + 1} on"
        yield (
            f"{start}: the events there were not checked, and their transactions, postings and "
            "index were not compared with the journal"
        )
        if stream == "house":
            yield (
                f"{start}: accounts and safety records of players were not compared, and it was "
                "not checked who was allowed to wager or to confirm something"
            )
    if unread:
        names = " and ".join(sorted(unread))
        yield (
            f"balances were compared with the ledger instead of the journal of {names} after the "
            "break"
        )


def everything(rows: Rows, due: Recomputed, exported: Heads, moved: Counter[str]) -> Iterator[str]:
    """Yield the findings of all comparisons except those of accounts and protection records.

    Database tables that were not read are left out.
    """
    yield from heads(rows, exported)
    if rows.marks is not None:
        yield from marks(rows, due)
    yield from postings(rows, due)
    yield from blocks(rows)
    if rows.transactions is not None:
        yield from transactions(rows, due)
    if rows.played is not None:
        yield from played(rows, due)
    yield from balances(rows, due, moved)
