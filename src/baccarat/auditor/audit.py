"""The audit: checks journal, hashes, heads, ledger, balances and accounts against each other.

First the hashes are verified. Then every stream's books are recomputed from its events and compared
with everything else in the store that follows from the events. Anything that depends on an
unreadable part of the journal is not compared, and the report says so.
"""

import contextlib
import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from baccarat.auditor import compare
from baccarat.auditor.amounts import total
from baccarat.auditor.books import Books
from baccarat.auditor.compare import Heads, Recomputed
from baccarat.auditor.house import HouseBooks
from baccarat.auditor.real_cards import RealCardBooks
from baccarat.auditor.rows import Rows
from baccarat.auditor.table import TableBooks

BOOKED = {
    "MoneyPaidIn": "pay-in",
    "MoneyPaidOut": "pay-out",
    "CashVoided": "void",
    "PlayMoneyGiven": "play-money",
    "BonusOpened": "bonus-grant",
    "BonusReleased": "bonus-release",
    "BonusForfeited": "bonus-forfeit",
    "WagersPlaced": "stake",
    "RoundSettled": "settle",
    "RoundCancelled": "cancel",
    "DisputeDecided": "dispute",
    "DisputeAnswered": "dispute",
    "RoundCorrected": "correct",
}
"""Kind of transaction that each event causes."""
NOT_INDEXED = frozenset({"WagersPlaced", "CardDealt", "CardPlaced", "CardRead"})
"""Events that are too frequent to be indexed by type."""
SHARED = (
    *("away", "linked", "issued", "decided", "days", "staff", "accounts", "listed"),
    *("deck_log", "assigned"),
)
"""Fields of the house's books that the tables' books share."""


@dataclass
class Report:
    """Results of the audit."""

    findings: list[str] = field(default_factory=list)
    not_compared: list[str] = field(default_factory=list)
    """Checks that were left out because a journal could not be read to its end."""
    events: int = 0
    rounds: int = 0
    wagers: int = 0
    shoes: int = 0
    staked: int = 0
    returned: int = 0
    balances: dict[str, int] = field(default_factory=dict)
    """Balance of every ledger account that is not 0, from the readable part of the journal."""
    held: dict[str, int] = field(default_factory=dict)
    """Stakes on rounds in progress, by table, for journals that can be read to their end."""
    heads: dict[str, tuple[int, str]] = field(default_factory=dict)
    """Number and hash of the last entry of every stream, for export."""


def audit(rows: Rows, exported: Heads | None = None) -> Report:
    """Recompute everything from the journal, compare it with the store, and return a report."""
    report, recomputed, house, exported = (
        Report(),
        Recomputed(),
        HouseBooks("house"),
        exported or {},
    )
    ends = {stream: sequence for stream, sequence, _ in rows.heads}
    recomputed.unread = dict.fromkeys(ends, 0)
    disputed = _disputed(rows)
    for stream, entries in groupby(rows.journal, key=lambda row: row[0]):
        books: Books = house  # the house's stream sorts before those of tables
        if stream != "house":
            read = "house" not in recomputed.unread
            shared = {name: getattr(house, name) for name in SHARED}
            own = disputed.get(stream, set())
            books = RealCardBooks(stream, house_read=read, disputed=own, **shared)
        held = _check_entries(books, entries, report, exported, recomputed)
        last = report.heads.get(stream, (0, ""))[0]
        if held and last >= ends.get(stream, 0):
            recomputed.unread.pop(stream, None)
        else:
            recomputed.unread[stream] = last
        report.findings += [f"{stream}, entry {at}: {problem}" for at, problem in books.findings]
        if isinstance(books, TableBooks):
            _add_up(books, report, whole=stream not in recomputed.unread)
    moved: Counter[str] = Counter()
    for (*_, account), amount in recomputed.moved.items():
        moved[account] += amount
    report.balances = {account: coins for account, coins in sorted(moved.items()) if coins}
    if "house" not in recomputed.unread:
        if rows.people is not None:
            report.findings += compare.people(rows, house.accounts)
        if rows.safety is not None:
            report.findings += compare.safety(rows, house.protection())
    report.findings += compare.everything(rows, recomputed, exported, moved)
    report.not_compared += compare.not_compared(recomputed.unread)
    return report


def _disputed(rows: Rows) -> dict[str, set[int]]:
    """Return the disputed rounds by stream; their data is kept until the dispute is checked."""
    found: dict[str, set[int]] = {}
    for stream, _, _, body in rows.journal:
        if b'"type":"DisputeOpened"' in body:
            with contextlib.suppress(ValueError, KeyError, TypeError):
                found.setdefault(stream, set()).add(json.loads(body)["round"])
    return found


def _check_entries(
    books: Books,
    entries: Iterable[tuple[str, int, bytes, bytes]],
    report: Report,
    exported: Heads,
    recomputed: Recomputed,
) -> bool:
    """Check the entries of a stream; return False if its hash chain breaks."""
    stream = books.stream
    previous = hashlib.sha256(b"baccarat/journal/1\0" + stream.encode()).digest()
    for expected, (_, sequence, kept, body) in enumerate(entries, start=1):
        number = expected.to_bytes(8, "big")
        computed = hashlib.sha256(b"baccarat/entry/1\0" + previous + number + body).digest()
        books.sequence = sequence
        if sequence != expected:
            books.report(f"entry {expected} was expected here: entries are missing")
            return False
        if computed != kept:
            books.report("its hash does not match: this entry or the one before it was changed")
            return False
        previous = computed
        report.events, report.heads[stream] = report.events + 1, (sequence, computed.hex())
        if exported.get(stream, (0, ""))[0] == sequence and exported[stream][1] != computed.hex():
            books.report("it differs from the exported head: the journal was rewritten")
        _check_entry(books, sequence, body, recomputed)
    if isinstance(books, TableBooks):
        books.finish()
    return True


def _check_entry(books: Books, sequence: int, body: bytes, recomputed: Recomputed) -> None:
    stream = books.stream
    try:
        event: Any = json.loads(body)
        kind = str(event["type"])
        if kind not in NOT_INDEXED:
            recomputed.marks.add((stream, kind, sequence))
        coins = books.check_event(sequence, kind, event)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        books.sequence = sequence
        books.report(f"it cannot be read: {type(error).__name__} {error}")
        return
    for (player, account), amount in coins.items():
        recomputed.moved[stream, sequence, player, account] += amount
        recomputed.booked[stream, sequence, player] = BOOKED[kind]


def _add_up(books: TableBooks, report: Report, *, whole: bool) -> None:
    report.rounds += books.rounds
    report.wagers += books.settled_wagers
    report.shoes += books.shoes
    report.staked += books.staked
    report.returned += books.returned
    held = sum(map(total, books.wagers.values()))
    if held and whole:  # otherwise the round may end in the unread part
        report.held[books.table] = held
