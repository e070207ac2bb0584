"""The base class that checks the events of a stream and recomputes its books from them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from baccarat.auditor.amounts import money
from baccarat.auditor.deck_log import DeckLog

Body = dict[str, Any]
Moves = dict[tuple[str, str], int]
"""Coins by player and ledger account."""
Away = dict[str, list[tuple[int, int]]]
"""Start and end of each period in which a player may not wager, by player."""
Linked = dict[str, list[tuple[int, frozenset[str]]]]
"""Each time at which a player's partners changed, and the partners from then on, by player."""
Staff = dict[str, tuple[str, tuple[str, ...]]]
"""Role and issuers of each member of staff. The issuers are the people who opened the account or
issued its password, and the issuers of those people's accounts; the person who was shown the newest
password comes last."""
UNKNOWN_STAFF: tuple[str, tuple[str, ...]] = ("", ())
IssuerHistory = dict[str, list[tuple[int, tuple[str, ...]]]]
"""Each time at which an account's issuers changed, and the issuers from then on, by account."""
Assignments = dict[str, list[tuple[int, tuple[str, ...]]]]
"""By account: when someone was assigned to tables, and the tables from then on."""
Decided = dict[tuple[str, int], tuple[int, int]]
"""Coins that one person has decided alone, and the limit, by person and gaming day."""
GamingDays = list[tuple[int, str, int]]
"""Each time at which the house set its gaming day, with the time zone and the hour from then on."""
DAY = 86_400_000


def day_start(at: int, zone: str, hour: int) -> int:
    """Return when the gaming day of a given time began; it begins at `hour` in a time zone."""
    here = ZoneInfo(zone)
    begins = datetime.fromtimestamp(at // 1000, here).replace(hour=hour, minute=0, second=0, fold=0)
    starts = (int((begins - timedelta(days=back)).timestamp()) * 1000 for back in (-1, 0, 1, 2))
    return max(start for start in starts if start <= at)


def subject_of(body: Body) -> str:
    """Return a proposal's subject as text: its kind and the round, person or rule concerned."""
    subject = body["subject"]
    names = ("kind", "table", "round", "player", "dealer", "account", "ambiguity")
    return " ".join(str(subject[name]) for name in names if name in subject)


@dataclass
class Books:
    """Checks the events of a stream, and collects findings and the coins that events move.

    An event of type `Name` is checked by the method `on_Name`.
    """

    unchecked: ClassVar[frozenset[str]] = frozenset()
    """Types of events that need no check."""
    skew: ClassVar[int] = 0
    """Milliseconds within which the order of events here and in the house's journal is unknown."""
    stream: str
    findings: list[tuple[int, str]] = field(default_factory=list)
    sequence: int = 0
    at: int = 0
    moves: Moves = field(default_factory=dict)
    staff: Staff = field(default_factory=dict)
    """Taken from the house's books, like the other fields named in `audit.SHARED`."""
    away: Away = field(default_factory=dict)
    """Times of players' breaks and exclusions."""
    linked: Linked = field(default_factory=dict)
    issued: IssuerHistory = field(default_factory=dict)
    accounts: dict[str, Body] = field(default_factory=dict)
    """By account: its role, whether it is a guest's, who opened it or issued its password,
    whether it is suspended or closed, its tables, and when its owner last signed in."""
    assigned: Assignments = field(default_factory=dict)
    house_read: bool = True
    """Whether the house's books were read to their end. If not, nothing is checked against them,
    because the unread part may show that a person was entitled to act."""
    open_proposals: dict[str, tuple[str, int]] = field(default_factory=dict)
    """Proposer and expiry of each open proposal, by subject."""
    terms: dict[str, Body] = field(default_factory=dict)
    """Terms of the last proposal on each subject."""
    listed: dict[str, Body] = field(default_factory=dict)
    """Ambiguities that the house has listed, by id: the event, with `resolved_at` if resolved,
    and `withdrawn_at` if withdrawn."""
    deck_log: DeckLog = field(default_factory=DeckLog)
    days: GamingDays = field(default_factory=list)
    decided: Decided = field(default_factory=dict)
    """Shared by all streams, because the limit covers both disputes, which are decided at tables,
    and bonus money, which is granted in the house's stream."""

    def check_event(self, sequence: int, kind: str, body: Body) -> Moves:
        """Check an event, and return the coins that it moved."""
        self.sequence, self.moves = sequence, {}
        self.check(body["at"] >= self.at, "its time is before that of the previous event")
        self.at = body["at"]
        handler: Callable[[Body], None] | None = getattr(self, f"on_{kind}", None)
        if handler is not None:
            handler(body)
        else:
            self.check(kind in self.unchecked, f"unexpected event {kind!r} in this journal")
        return {key: amount for key, amount in self.moves.items() if amount}

    def report(self, problem: str) -> None:
        self.findings.append((self.sequence, problem))

    def report_all(self, problems: Iterable[str]) -> None:
        for problem in problems:
            self.report(problem)

    def check(self, condition: object, problem: str) -> bool:
        if not condition:
            self.report(problem)
        return bool(condition)

    def move(self, player: str, account: str, amount: int) -> None:
        key = (str(player), account)  # a forged journal may contain any type
        self.moves[key] = self.moves.get(key, 0) + amount

    # ---- two people ------------------------------------------------------------------------

    def on_ActionProposed(self, body: Body) -> None:
        self.open_proposals[subject_of(body)] = (body["by"], body["until"])
        self.terms[subject_of(body)] = body["terms"]

    def on_ProposalEnded(self, body: Body) -> None:
        self.check(self.open_proposals.pop(subject_of(body), None), "nothing was proposed")

    def check_agreed(self, subject: str, **done: Any) -> Body:
        """Check that what was done matches these terms of the last proposal; return its terms."""
        agreed = self.terms.get(subject, {})
        same = all(agreed.get(name) == value for name, value in done.items())
        self.check(same, f"{subject}: what was done differs from what was proposed")
        return agreed

    def people(self, subject: str, by: list[str], *, alone: bool) -> None:
        """Check that two people decided, unless one person was enough (`alone`).

        The first person must have an open proposal on the subject. The second must be a member of
        the pit or, for cash, a cashier. Neither may have opened the other's account or issued its
        password, and no one else may have been shown the passwords of both.
        """
        if len(by) < 2:
            self.check(alone, f"{subject}: only one person decided it")
            return
        proposed, until = self.open_proposals.get(subject, ("", 0))
        seconded = len(set(by)) == 2 and by[0] == proposed and self.at < until
        self.check(seconded, f"{subject}: not proposed and confirmed in time by {' and '.join(by)}")
        if not self.house_read:
            return
        times = (self.at - self.skew, self.at + self.skew)
        found = [self._reasons_against(subject, by, at) for at in times]
        if all(found):
            self.findings += [(self.sequence, f"{subject}: {why}") for why in found[0]]

    def staff_at(self, who: str, at: int) -> tuple[str, tuple[str, ...]]:
        """Return a person's role at a given time, and the issuers of their account at that time."""
        if who not in self.issued:
            return self.staff.get(who, UNKNOWN_STAFF)
        before = [issuers for since, issuers in self.issued[who] if since <= at]
        return (self.staff[who][0], before[-1]) if before else UNKNOWN_STAFF

    def check_assigned(self, who: str) -> None:
        """Check that a dealer was not assigned only to other tables when they took this one."""
        if not self.house_read or self.staff.get(who, UNKNOWN_STAFF)[0] != "dealer":
            return
        table = self.stream.removeprefix("table:")
        for at in (self.at - self.skew, self.at + self.skew):
            before = [tables for since, tables in self.assigned.get(who, ()) if since <= at]
            if not before or not before[-1] or table in before[-1]:
                return
        self.report(f"{who} took this table, but was assigned to {', '.join(before[-1])}")

    def _reasons_against(self, subject: str, by: list[str], at: int) -> list[str]:
        """Return the reasons why these two people may not decide together."""
        (_, first_by), (role, second_by) = (self.staff_at(who, at) for who in by)
        found = []
        if role != "pit" and not (subject.startswith("cash ") and role == "cashier"):
            found.append(f"{by[1]}, who confirmed it, is not in the pit")
        if by[1] in first_by or by[0] in second_by:
            found.append(f"{by[0]} or {by[1]} opened the other's account or issued its password")
        if self._password_viewers(by[0], at) & self._password_viewers(by[1], at):
            found.append(f"the same person was shown the passwords of both {by[0]} and {by[1]}")
        return found

    def _password_viewers(self, who: str, at: int) -> set[str]:
        """Return the chain of people who were shown initial passwords.

        The first was shown this account's newest password, the second was shown that of the first,
        and so on.
        """
        found: set[str] = set()
        while (issuers := self.staff_at(who, at)[1]) and issuers[-1] not in found:
            who = issuers[-1]
            found.add(who)
        return found

    def check_day(self, day: int) -> None:
        """Check that a gaming day named in an event is the day of that event."""
        set_before = [known for known in self.days if known[0] <= self.at]
        _, zone, hour = set_before[-1] if set_before else (0, "UTC", 0)
        same = day == day_start(self.at, zone, hour)
        self.check(same, "its time is not in the gaming day it names")

    def decides_alone(self, body: Body, by: str, coins: int) -> None:
        """Add to the coins that one person decides alone in a gaming day, and check the limit."""
        most, day = body.get("day_alone"), body.get("day", 0)
        if most is None:
            return
        self.check_day(day)
        used, before = self.decided.get((by, day), (0, 0))
        used, most = used + coins, max(most, before)
        self.decided[by, day] = (used, most)
        words = f"{by} alone decided {money(used)} in a gaming day; the limit is {money(most)}"
        self.check(used <= most, words)


def names_in(body: Body) -> list[str]:
    """Return who caused an event: one person, or the proposer and the confirmer."""
    return [name for name in (body.get("first"), body.get("by")) if name]
