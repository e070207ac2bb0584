"""The audit: journal, hashes, heads, ledger, balances and accounts, each against the others.

In go the rows of a store, and heads that were exported earlier; out comes a report. First the
hashes must hold; then every stream's books are kept again from its events, and whatever else the
store holds that follows from them is compared with them. What depends on a part that could not be
read is not compared with it, and the report says so. The one rule: all findings, not the first.
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
from baccarat.auditor.words import money

Heads = Mapping[str, tuple[int, str]]
"""Stream to the number and the hash (in hex) of an entry."""
BOOKED = {
    "MoneyPaidIn": "pay-in",
    "MoneyPaidOut": "pay-out",
    "CashVoided": "void",
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
    not_compared: list[str] = field(default_factory=list)
    """What a journal that cannot be read to its end leaves open."""
    events: int = 0
    rounds: int = 0
    wagers: int = 0
    shoes: int = 0
    staked: int = 0
    returned: int = 0
    balances: dict[str, int] = field(default_factory=dict)
    """Every account that is not empty, as the journal gives it as far as it can be read."""
    held: dict[str, int] = field(default_factory=dict)
    """By table, stakes of a round that has not ended, where the journal can be read to its end."""
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
            _add_up(books, report, whole=stream not in due.unread)
    if "house" not in due.unread:
        _compare_people(rows, house.accounts, report)
        _compare_safety(rows, house.protection(), report)
    _compare_heads(rows, exported or {}, report)
    _compare_marks(rows, due, report)
    _compare_postings(rows, due, report)
    _compare_transactions(rows, due, report)
    _compare_played(rows, due, report)
    _compare_balances(rows, due, report)
    _say_what_was_not_compared(due, report)
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


def _add_up(books: TableBooks, report: Report, *, whole: bool) -> None:
    report.rounds += books.rounds
    report.wagers += books.settled_wagers
    report.shoes += books.shoes
    report.staked += books.staked
    report.returned += books.returned
    held = sum(w["stake"] for placed in books.wagers.values() for w in placed["wagers"])
    if held and whole:  # otherwise the round may have ended in the rest
        report.held[books.table] = held


def _compare_people(rows: Rows, accounts: Mapping[str, Any], report: Report) -> None:
    """Everybody has the account that was opened for them, and nobody another."""
    if rows.people is None:
        return
    stored: dict[str, Any] = {
        account: {"role": role, "name": name, "guest": guest}
        for account, role, name, guest in rows.people
    }
    for account, names, suspended in rows.issued or ():
        stored[account] |= {"issued by": names, "suspended": bool(suspended)}
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
        head, end = stored.get(stream), last.get(stream)
        if head != end:
            words = _apart(head, end)
            report.findings.append(f"{stream}: its head is not its last entry: {words}")
    for stream, (sequence, _) in exported.items():
        if last.get(stream, (0, ""))[0] < sequence:
            report.findings.append(f"{stream}: cut off before entry {sequence}, which was exported")


def _apart(head: tuple[int, str] | None, end: tuple[int, str] | None) -> str:
    """A head and a last entry that are not the same."""
    if head and end and head[0] == end[0]:
        return f"both are entry {end[0]}, with different hashes"
    names = f"the head names entry {head[0]}" if head else "there is no head"
    return f"{names}, and the journal " + (f"ends with entry {end[0]}" if end else "has no entry")


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
    """Has the ledger moved what the journal comes to? Where that cannot be read, the coins of each
    transaction must still come to zero."""
    stored: Counter[tuple[str, int, str, str]] = Counter()
    sums: Counter[tuple[str, int, str]] = Counter()
    moved = due.moved
    for stream, sequence, player, account, amount in rows.postings:
        if due.was_read(stream, sequence):
            stored[stream, sequence, player, account] += amount
        else:
            sums[stream, sequence, player] += amount
    for key in sorted(stored.keys() | moved.keys()):
        if stored[key] != moved[key]:
            stream, sequence, player, account = key
            report.findings.append(
                f"{stream}, entry {sequence}: for {player}, {account} moved by "
                f"{money(stored[key])} in the ledger, and by {money(moved[key])} as recomputed "
                "from the journal"
            )
    for (stream, sequence, player), coins in sorted(sums.items()):
        if coins:
            words = f"what {player} had booked comes to {money(coins)} in the ledger, not to zero"
            report.findings.append(f"{stream}, entry {sequence}: {words}")


def _compare_safety(rows: Rows, computed: dict[str, dict[str, Any]], report: Report) -> None:
    """Is every player protected as the journal says? What their wagers come to is left out."""
    if rows.safety is None:
        return
    stored = {player: _protection_in(body) for player, body in rows.safety}
    for player in sorted(stored.keys() | computed.keys()):
        there, due = stored.get(player, {}), computed.get(player, {})
        for name in sorted(there.keys() | due.keys()):
            if (there.get(name) or None) != (due.get(name) or None):
                held, meant = (_limit(name, one.get(name)) for one in (there, due))
                words = f"{held} in the store, {meant} by the journal"
                report.findings.append(f"{player}: {name} {words}")


def _limit(name: str, value: Any) -> Any:
    """Limits on deposits and losses are money; those on time are minutes, the rest no amounts."""
    is_money = any(f"/{one}/" in name for one in ("deposit", "loss"))
    return money(value) if is_money and value is not None else value


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
    """What accounts hold is what was moved: as the journal has it, and where that cannot be read,
    as the ledger has it, which is then all there is to compare with."""
    computed: Counter[str] = Counter()
    for (_, _, _, account), amount in due.moved.items():
        computed[account] += amount
    report.balances = {account: coins for account, coins in sorted(computed.items()) if coins}
    if sum(computed.values()):
        coins = money(sum(computed.values()))
        report.findings.append(f"all accounts come to {coins}, not to zero")
    for stream, sequence, _, account, amount in rows.postings:
        if not due.was_read(stream, sequence):
            computed[account] += amount
    source = "by the journal"
    if due.unread:
        source += " and, where that cannot be read, the ledger"
    stored = Counter(dict(rows.balances))
    for account in sorted(stored.keys() | computed.keys()):
        if stored[account] != computed[account]:
            report.findings.append(
                f"{account}: {money(stored[account])} in the store, {money(computed[account])} "
                f"{source}"
            )
        if computed[account] < 0 and not account.startswith("house/"):
            report.findings.append(f"{account}: {money(computed[account])}, below zero")


def _say_what_was_not_compared(due: Due, report: Report) -> None:
    """Nobody shall take for well what nobody looked at."""
    for stream, read in sorted(due.unread.items()):
        break_ = f"{stream} cannot be read from entry {read + 1} on"
        report.not_compared.append(
            f"{break_}: what happened there was not judged, and its transactions, postings and "
            "marks were not compared with the journal"
        )
        if stream == "house":
            report.not_compared.append(
                f"{break_}: accounts and the protection of players were not compared, and whether "
                "those who wagered or confirmed something were allowed to was not judged"
            )
    if due.unread:
        names = " and ".join(sorted(due.unread))
        report.not_compared.append(
            f"balances were not compared with the journal of {names} after the break, but with the "
            "ledger"
        )
