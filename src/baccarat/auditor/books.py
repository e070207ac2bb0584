"""Recompute the books of a stream from its events: code shared by all kinds of stream."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

from baccarat.auditor.amounts import money

Body = dict[str, Any]
Moves = dict[tuple[str, str], int]
"""Coins by player and account."""
Away = dict[str, list[tuple[int, int]]]
"""Start and end of the times at which each player may not wager."""
Linked = dict[str, list[tuple[int, frozenset[str]]]]
"""Times and partners from then on, by player."""
Staff = dict[str, tuple[str, tuple[str, ...]]]
"""Role of each member of staff, and who opened their account or issued its password, with those who
did so for them; the person who was shown the newest password is last."""
UNKNOWN_STAFF: tuple[str, tuple[str, ...]] = ("", ())
LetIn = dict[str, list[tuple[int, tuple[str, ...]]]]
"""Times, and who had opened the account or issued its password from then on, by member of staff."""
Decided = dict[tuple[str, int], tuple[int, int]]
"""Coins decided alone so far, and the limit, by person and gaming day."""
DAY = 86_400_000


def subject_of(body: Body) -> str:
    """Return a proposal's subject as text: its kind, then the round, person or rule it concerns."""
    subject = body["subject"]
    names = ("kind", "round", "player", "dealer", "account", "ambiguity")
    return " ".join(str(subject[name]) for name in names if name in subject)


@dataclass
class Books:
    """Findings, and the coins that the last event moved.

    Each event is checked by the method named `on_` and its type.
    """

    unjudged: ClassVar[frozenset[str]] = frozenset()
    """Events that need no check."""
    stream: str
    findings: list[tuple[int, str]] = field(default_factory=list)
    sequence: int = 0
    at: int = 0
    moves: Moves = field(default_factory=dict)
    staff: Staff = field(default_factory=dict)
    """From the house's books, as are `away`, `linked`, `issued`, `accounts` and `decided`."""
    away: Away = field(default_factory=dict)
    """Times of players' breaks and exclusions."""
    linked: Linked = field(default_factory=dict)
    issued: LetIn = field(default_factory=dict)
    accounts: dict[str, Body] = field(default_factory=dict)
    """Role of every account, whether it is a guest's, who opened it or issued its password, and
    whether it is suspended or closed."""
    house_read: bool = True
    """Whether the house's books were read to their end. If not, nothing is checked against them,
    because the unread part may clear a person."""
    motions: dict[str, tuple[str, int]] = field(default_factory=dict)
    """Proposer and expiry of each open proposal, by subject."""
    decided: Decided = field(default_factory=dict)
    """Shared by all streams: disputes are decided at tables, bonus money in the house."""

    def take(self, sequence: int, kind: str, body: Body) -> Moves:
        """Check an event, and return the coins it moved."""
        self.sequence, self.moves = sequence, {}
        self.need(body["at"] >= self.at, "its time is before that of the previous event")
        self.at = body["at"]
        handler: Callable[[Body], None] | None = getattr(self, f"on_{kind}", None)
        if handler is not None:
            handler(body)
        else:
            self.need(kind in self.unjudged, f"unexpected event {kind!r} in this journal")
        return {key: amount for key, amount in self.moves.items() if amount}

    def say(self, problem: str) -> None:
        self.findings.append((self.sequence, problem))

    def need(self, condition: object, problem: str) -> bool:
        if not condition:
            self.say(problem)
        return bool(condition)

    def move(self, player: str, account: str, amount: int) -> None:
        key = (str(player), account)  # the journal may hold any type
        self.moves[key] = self.moves.get(key, 0) + amount

    # ---- two people ------------------------------------------------------------------------

    def on_ActionProposed(self, body: Body) -> None:
        self.motions[subject_of(body)] = (body["by"], body["until"])

    def on_ProposalEnded(self, body: Body) -> None:
        self.need(self.motions.pop(subject_of(body), None), "nothing was proposed")

    def people(self, subject: str, by: list[str], *, alone: bool) -> None:
        """Check that two people decided, unless one was enough.

        The first must have proposed it, in time; the second must be a member of the pit (or, for
        cash, a cashier); and neither may have opened the other's account or issued its password.
        """
        if len(by) < 2:
            self.need(alone, f"{subject}: only one person decided it")
            return
        proposed, until = self.motions.get(subject, ("", 0))
        seconded = len(set(by)) == 2 and by[0] == proposed and self.at < until
        self.need(seconded, f"{subject}: not proposed and confirmed in time by {' and '.join(by)}")
        if not self.house_read:
            return
        found = [self._not_two(subject, by, at) for at in self.moments()]
        if all(found):
            self.findings += [(self.sequence, f"{subject}: {why}") for why in found[0]]

    def moments(self) -> tuple[int, ...]:
        """Return the times at which the house's books apply.

        That is the event's own time, or the times around it if the order of events is uncertain.
        """
        return (self.at,)

    def staff_at(self, who: str, at: int) -> tuple[str, tuple[str, ...]]:
        """Return a person's role and issuers at a time.

        Issuers are those who had opened the account or issued its password.
        """
        del at  # the house's own books are at the event's time
        return self.staff.get(who, UNKNOWN_STAFF)

    def _not_two(self, subject: str, by: list[str], at: int) -> list[str]:
        """Return why these two people do not count as independent of each other."""
        (_, first_by), (role, second_by) = (self.staff_at(who, at) for who in by)
        found = []
        if role != "pit" and not (subject.startswith("cash ") and role == "cashier"):
            found.append(f"{by[1]}, who confirmed it, is not in the pit")
        if by[1] in first_by or by[0] in second_by:
            found.append(f"{by[0]} or {by[1]} opened the other's account or issued its password")
        if self._shown(by[0], at) & self._shown(by[1], at):
            found.append(f"the same person was shown the passwords of both {by[0]} and {by[1]}")
        return found

    def _shown(self, who: str, at: int) -> set[str]:
        """Return who was shown an account's newest password, who was shown that person's, and so
        on."""
        found: set[str] = set()
        while (issuers := self.staff_at(who, at)[1]) and issuers[-1] not in found:
            who = issuers[-1]
            found.add(who)
        return found

    def decides_alone(self, body: Body, by: str, coins: int) -> None:
        """Count what one person decides alone in a gaming day, over all streams."""
        most, day = body.get("day_alone"), body.get("day", 0)
        if most is None:
            return
        self.need(0 <= body["at"] - day < DAY, "its time is not in the gaming day it names")
        used, before = self.decided.get((by, day), (0, 0))
        used, most = used + coins, max(most, before)
        self.decided[by, day] = (used, most)
        words = f"{by} alone decided {money(used)} in a gaming day; the limit is {money(most)}"
        self.need(used <= most, words)


def names_in(body: Body) -> list[str]:
    """Return who did something: one person, or the proposer and the confirmer."""
    return [name for name in (body.get("first"), body.get("by")) if name]
