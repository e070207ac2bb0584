"""The audit: journal, hashes, heads, ledger, balances and accounts, each against the others.

In go the rows of a store, and heads that were exported earlier; out comes a report. First the
hashes must hold; then every stream's books are kept again from its events, and whatever else the
store holds that follows from them is compared with them. What depends on a part that could not be
read is compared with nothing. The one rule: all findings, not the first.
"""

import contextlib
import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from baccarat.auditor.books import Books, TableBooks
from baccarat.auditor.floor import FloorBooks
from baccarat.auditor.house import HouseBooks
from baccarat.auditor.rows import Rows

Heads = Mapping[str, tuple[int, str]]
"""Stream to the number and the hash (in hex) of an entry."""
BOOKED = {
    "MoneyPaidIn": "pay-in",
    "MoneyPaidOut": "pay-out",
    "PlayMoneyGiven": "play-money",
    "BonusGranted": "bonus-grant",
    "BonusOpened": "bonus-grant",
    "BonusReleased": "bonus-release",
    "BonusForfeited": "bonus-forfeit",
    "WagersPlaced": "stake",
    "RoundSettled": "settle",
    "RoundCancelled": "cancel",
    "DisputeDecided": "dispute",
    "RoundCorrected": "correct",
}
"""What the transactions of an event are called."""
UNMARKED = frozenset({"WagersPlaced", "CardDealt", "CardPlaced"})
"""Events that are too many to be marked."""


@dataclass
class Due:
    """What the ledger and the marks must be, by the journal."""

    moved: Counter[tuple[str, int, str, str]] = field(default_factory=Counter)
    """Stream, sequence, player, account: coins."""
    booked: dict[tuple[str, int, str], str] = field(default_factory=dict)
    """Stream, sequence, player: what for."""
    marks: set[tuple[str, str, int]] = field(default_factory=set)
    """Stream, kind, sequence."""
    unread: dict[str, int] = field(default_factory=dict)
    """Streams that were not read to their end: the last entry that was."""

    def was_read(self, stream: str, sequence: int) -> bool:
        return sequence <= self.unread.get(stream, sequence)


@dataclass
class Report:
    """What the audit found."""

    findings: list[str] = field(default_factory=list)
    events: int = 0
    rounds: int = 0
    wagers: int = 0
    shoes: int = 0
    staked: int = 0
    returned: int = 0
    balances: dict[str, int] = field(default_factory=dict)
    """Every account that is not empty, as the journal gives it."""
    held: dict[str, int] = field(default_factory=dict)
    """By table, stakes of a round that has not ended."""
    heads: dict[str, tuple[int, str]] = field(default_factory=dict)
    """The last entry of every stream: what to export."""


def audit(rows: Rows, exported: Heads | None = None) -> Report:
    """Recompute everything from the journal, and compare."""
    report, due, house = Report(), Due(), HouseBooks("house")
    ends = {stream: sequence for stream, sequence, _ in rows.heads}
    due.unread = dict.fromkeys(ends, 0)
    disputed = _disputed(rows)
    for stream, entries in groupby(rows.journal, key=lambda row: row[0]):
        books: Books = house  # its stream comes before those of tables
        if stream != "house":
            books = FloorBooks(
                stream,
                away=house.away,
                linked=house.linked,
                staff=house.staff,
                accounts=house.accounts,
                house_read="house" not in due.unread,
                disputed=disputed.get(stream, set()),
            )
        held = _keep(books, entries, report, exported or {}, due)
        read = report.heads.get(stream, (0, ""))[0]
        if held and read >= ends.get(stream, 0):
            due.unread.pop(stream, None)
        else:
            due.unread[stream] = read
        report.findings += [f"{stream}, entry {at}: {problem}" for at, problem in books.findings]
        if isinstance(books, TableBooks):
            _add_up(books, report)
    if "house" not in due.unread:
        _compare_people(rows, house.accounts, report)
        _compare_safety(rows, house.protection(), report)
    _compare_heads(rows, exported or {}, report)
    _compare_marks(rows, due, report)
    _compare_postings(rows, due, report)
    _compare_transactions(rows, due, report)
    _compare_played(rows, due, report)
    _compare_balances(rows, due, report)
    return report


def _disputed(rows: Rows) -> dict[str, set[int]]:
    """By stream, the rounds that are disputed later: what they need must be kept."""
    found: dict[str, set[int]] = {}
    for stream, _, _, body in rows.journal:
        if body.startswith(b'{"type":"DisputeOpened"'):
            with contextlib.suppress(ValueError, KeyError, TypeError):
                found.setdefault(stream, set()).add(json.loads(body)["value"]["round"])
    return found


def _keep(
    books: Books,
    entries: Iterable[tuple[str, int, bytes, bytes]],
    report: Report,
    exported: Heads,
    due: Due,
) -> bool:
    """Keep the books of a stream; one whose hashes do not hold is read no further. Do they?"""
    stream = books.stream
    previous = hashlib.sha256(b"baccarat/journal/1\0" + stream.encode()).digest()
    for place, (_, sequence, kept, body) in enumerate(entries, start=1):
        number = place.to_bytes(8, "big")
        computed = hashlib.sha256(b"baccarat/entry/1\0" + previous + number + body).digest()
        books.sequence = sequence
        if sequence != place:
            books.say(f"entry {place} was due: entries are missing")
            return False
        if computed != kept:
            books.say("its hash does not follow from the entry before it: one of them was changed")
            return False
        previous = computed
        report.events, report.heads[stream] = report.events + 1, (sequence, computed.hex())
        if exported.get(stream, (0, ""))[0] == sequence and exported[stream][1] != computed.hex():
            books.say("it is not what was exported as a head: the journal was written anew")
        _take(books, sequence, body, due)
    if isinstance(books, TableBooks):
        books.finish()
    return True


def _take(books: Books, sequence: int, body: bytes, due: Due) -> None:
    stream = books.stream
    try:
        event: Any = json.loads(body)
        kind = str(event["type"])
        if kind not in UNMARKED:
            due.marks.add((stream, kind, sequence))
        coins = books.take(sequence, kind, event["value"])
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        books.sequence = sequence
        books.say(f"it cannot be read: {type(error).__name__} {error}")
        return
    for (player, account), amount in coins.items():
        due.moved[stream, sequence, player, account] += amount
        due.booked[stream, sequence, player] = BOOKED[kind]


def _add_up(books: TableBooks, report: Report) -> None:
    report.rounds += books.rounds
    report.wagers += books.settled_wagers
    report.shoes += books.shoes
    report.staked += books.staked
    report.returned += books.returned
    held = sum(w["stake"] for placed in books.wagers.values() for w in placed["wagers"])
    if held:
        report.held[books.table] = held


def _compare_people(rows: Rows, accounts: Mapping[str, Any], report: Report) -> None:
    """Everybody has the account that was opened for them, and nobody another."""
    if rows.people is None:
        return
    stored: dict[str, Any] = {
        account: {"role": role, "name": name, "guest": guest}
        for account, role, name, guest in rows.people
    }
    for account, by in rows.opened or ():
        stored[account]["opened by"] = by
    for account in sorted(stored.keys() | accounts.keys()):
        there, due = stored.get(account, {}), accounts.get(account, {})
        if there.get("role") != due.get("role"):
            roles = [one.get("role", "no account") for one in (there, due)]
            words = f"{roles[0]} in the store, {roles[1]} by the journal"
            report.findings.append(f"{account}: {words}")
            continue
        for name in sorted(there):
            if there[name] != due[name]:
                words = f"{name} {there[name]!r} in the store, {due[name]!r} by the journal"
                report.findings.append(f"{account}: {words}")


def _compare_heads(rows: Rows, exported: Heads, report: Report) -> None:
    stored = {stream: (sequence, digest.hex()) for stream, sequence, digest in rows.heads}
    last = {stream: (sequence, digest.hex()) for stream, sequence, digest, _ in rows.journal}
    for stream in sorted(stored.keys() | last.keys()):
        if stored.get(stream) != last.get(stream):
            report.findings.append(f"{stream}: its head is not its last entry")
    for stream, (sequence, _) in exported.items():
        if last.get(stream, (0, ""))[0] < sequence:
            report.findings.append(f"{stream}: cut off before entry {sequence}, which was exported")


def _compare_marks(rows: Rows, due: Due, report: Report) -> None:
    """Is every entry that is found by its kind found, and as what it is?"""
    if rows.marks is None:
        return
    stored = {one for one in rows.marks if due.was_read(one[0], one[2])}
    for stream, kind, sequence in sorted(due.marks ^ stored):
        words = f"{kind}, and not marked as that"
        if (stream, kind, sequence) not in due.marks:
            words = f"marked as {kind}, which by the journal it is not"
        report.findings.append(f"{stream}, entry {sequence}: {words}")


def _compare_postings(rows: Rows, due: Due, report: Report) -> None:
    stored: Counter[tuple[str, int, str, str]] = Counter()
    moved = due.moved
    for stream, sequence, player, account, amount in rows.postings:
        if due.was_read(stream, sequence):
            stored[stream, sequence, player, account] += amount
    for key in sorted(stored.keys() | moved.keys()):
        if stored[key] != moved[key]:
            stream, sequence, _, account = key
            report.findings.append(
                f"{stream}, entry {sequence}: {account} moved by {stored[key]} coins in the "
                f"ledger, and by {moved[key]} in the journal"
            )


def _compare_safety(rows: Rows, computed: dict[str, dict[str, Any]], report: Report) -> None:
    """Is every player protected as the journal says? What their wagers come to is left out."""
    if rows.safety is None:
        return
    stored = {player: _protection_in(body) for player, body in rows.safety}
    for player in sorted(stored.keys() | computed.keys()):
        there, due = stored.get(player, {}), computed.get(player, {})
        for name in sorted(there.keys() | due.keys()):
            if (there.get(name) or None) != (due.get(name) or None):
                words = f"{there.get(name)} in the store, {due.get(name)} by the journal"
                report.findings.append(f"{player}: {name} {words}")


def _protection_in(body: bytes) -> dict[str, Any]:
    """The fields by their places; what came later is not in what was written before."""
    if not body:
        return {}
    try:
        fields = json.loads(body)
        names = {8: "a break until", 9: "excluded until", 10: "returning at", 12: "partners"}
        found = {name: fields[place] for place, name in names.items() if place < len(fields)}
        return found | {key: limit[0] for key, limit in fields[2].items()}
    except (ValueError, TypeError, LookupError, AttributeError):
        return {"protection": "nothing that can be read"}


def _compare_transactions(rows: Rows, due: Due, report: Report) -> None:
    """Has the ledger every transaction, as what it was, where it is looked for, and no other?"""
    for stream, sequence, player in sorted(rows.misplaced or ()):
        words = f"what {player} had booked stands in another block of the ledger"
        report.findings.append(f"{stream}, entry {sequence}: {words}")
    if rows.transactions is None:
        return
    stored = {
        (stream, sequence, player): kind
        for stream, sequence, player, kind in rows.transactions
        if due.was_read(stream, sequence)
    }
    booked = due.booked
    for key in sorted(stored.keys() | booked.keys()):
        if stored.get(key) == booked.get(key):
            continue
        stream, sequence, player = key
        words = "that the ledger does not have"
        if key not in booked:
            words = "that the journal does not have"
        elif key in stored:
            words = f"is a {stored[key]} in the ledger, and a {booked[key]} in the journal"
        report.findings.append(f"{stream}, entry {sequence}: a transaction of {player} {words}")


def _compare_played(rows: Rows, due: Due, report: Report) -> None:
    """Are players told of every stream in which they did something, and of no other?"""
    if rows.played is None:
        return
    computed = {(player, stream) for stream, _, player in due.booked}
    for player, stream in sorted(computed ^ set(rows.played)):
        if stream in due.unread and (player, stream) not in computed:
            continue
        words = f"no transactions in {stream}, where the store lists some"
        if (player, stream) in computed:
            words = f"transactions in {stream} that the store does not list as theirs"
        report.findings.append(f"{player}: {words}")


def _compare_balances(rows: Rows, due: Due, report: Report) -> None:
    """An account is in many streams: its balance is known when all of them are."""
    computed: Counter[str] = Counter()
    for (_, _, _, account), amount in due.moved.items():
        computed[account] += amount
    stored = Counter(dict(rows.balances))
    for account in sorted(stored.keys() | computed.keys()) if not due.unread else ():
        if stored[account] != computed[account]:
            report.findings.append(
                f"{account}: {stored[account]} coins in the store, {computed[account]} by the "
                "journal"
            )
        if computed[account] < 0 and not account.startswith("house/"):
            report.findings.append(f"{account}: {computed[account]} coins, below zero")
    if sum(computed.values()):
        report.findings.append(f"all accounts come to {sum(computed.values())} coins, not to zero")
    report.balances = {account: coins for account, coins in sorted(computed.items()) if coins}
