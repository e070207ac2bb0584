"""Two people: what one member of staff proposes, another carries out (G38).

A command that needs two people names its subject and its terms. The first person's command is
written down as a proposal; the same command of a second person, on the same terms and in time, is
carried out in both their names. The one rule: nobody seconds themselves, and a proposal on other
terms counts for nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from baccarat.table import events as e
from baccarat.table.refusals import Code, Refused

LASTS = 24 * 3_600_000
"""How long a proposal waits for the second person."""
HAND_OVER = "hand-over"
ASKED = 10 * 60_000
"""How long a request for a table waits."""
HELD = 30_000
"""How long a table that deals by itself waits for the second person to cancel its round, once a
round: one person cannot hold a round for longer."""


@dataclass(frozen=True)
class Proposal:
    """What one person has proposed."""

    terms: str
    words: str
    by: str
    until: int

    @property
    def digest(self) -> str:
        """Name this very proposal: what it would do, who proposed it and when."""
        named = f"{self.terms}\n{self.words}\n{self.by}\n{self.until}"
        return sha256(named.encode()).hexdigest()[:32]


def check_seen(standing: "Proposals", digest: str | None) -> None:
    """Refuse to confirm anything but the proposal that the second person has seen, if they say."""
    if digest is not None and all(one.digest != digest for one in standing.values()):
        raise _stale()


def check_confirmed(
    standing: "Proposals", digest: str | None, events: Sequence[e.Event], left: "Proposals"
) -> None:
    """Refuse events that do not carry out (or withdraw) the proposal with this digest, if one is
    given: a confirmation never becomes a proposal, and never something done by one person.

    `left` are the proposals that stand after the events.
    """
    if digest is None:
        return
    check_seen(standing, digest)
    subject, seen = next(item for item in standing.items() if item[1].digest == digest)
    proposes = any(isinstance(event, e.ActionProposed) for event in events)
    if proposes or subject in left or not any(_settles(event, subject, seen) for event in events):
        raise _stale()


def _settles(event: e.Event, subject: str, seen: "Proposal") -> bool:
    """Return whether an event carries a proposal out in the name of its proposer, or withdraws
    it."""
    match event:
        case e.ProposalEnded():
            ends = (e.ProposalEnd.DONE, e.ProposalEnd.WITHDRAWN)
            return event.subject == subject and event.why in ends
        case e.DealerChanged():
            return handing_over(event.dealer) == subject
    return (both(event) or ("",))[0] == seen.by


def _stale() -> Refused:
    words = "the proposal has changed or ended since you saw it: look at it again"
    return Refused(Code.STALE_VIEW, words)


def cancelling(number: int) -> str:
    """What proposals to cancel a round are called by."""
    return f"cancel {number}"


def rectifying(number: int) -> str:
    """What proposals to change a complete coup are called by."""
    return f"rectify {number}"


def handing_over(dealer: str) -> str:
    """What a dealer's request for a table that another has is called by."""
    return f"{HAND_OVER} {dealer}"


def correcting(number: int) -> str:
    """What proposals about a reported error of a round are called by."""
    return f"correct {number}"


def opening(account: str) -> str:
    """What proposals to open, restore or close an account of the staff are called by."""
    return f"account {account}"


def paying(player: str) -> str:
    """What proposals about a player's cash are called by."""
    return f"cash {player}"


LIMITS = "limits"
"""What proposals to change a table's limits are called by."""


def giving(player: str) -> str:
    """What proposals about a player's bonus money are called by."""
    return f"bonus {player}"


Proposals = dict[str, Proposal]
"""By subject: at most one waits for each."""


@dataclass(frozen=True)
class Motion:
    """What someone wants done."""

    subject: str
    terms: str
    """All that the second person must agree to."""
    words: str
    by: str


def seconded(standing: Proposals, motion: Motion, now: int) -> str | None:
    """Who has proposed exactly this; None when nobody has, or when it was the same person."""
    known = standing.get(motion.subject)
    if known is None or known.terms != motion.terms or now >= known.until:
        return None
    if known.by == motion.by:
        raise Refused(
            Code.NEEDS_TWO_PEOPLE,
            f"{motion.by} has proposed this already: somebody else must confirm it",
        )
    return known.by


def propose(standing: Proposals, motion: Motion, now: int) -> Sequence[e.Event]:
    """Write the motion down, in the place of whatever was proposed on the subject before."""
    found: list[e.Event] = []
    known = standing.get(motion.subject)
    if known is not None:
        why = e.ProposalEnd.EXPIRED if now >= known.until else e.ProposalEnd.REPLACED
        found.append(e.ProposalEnded(now, motion.subject, motion.by, why))
    proposed = e.ActionProposed(
        now,
        subject=motion.subject,
        terms=motion.terms,
        words=motion.words,
        by=motion.by,
        until=now + LASTS,
    )
    return [*found, proposed]


def explained(event: e.Event, reason: str) -> e.Event:
    """Add the reason that was given for a proposal."""
    if not reason or not isinstance(event, e.ActionProposed):
        return event
    return replace(event, words=f"{event.words} Reason: {reason}")


def withdraw(standing: Proposals, subject: str, by: str, now: int) -> Sequence[e.Event]:
    if subject not in standing:
        return []
    return [e.ProposalEnded(now, subject, by, e.ProposalEnd.WITHDRAWN)]


def changed(standing: Proposals, subjects: Sequence[str], now: int) -> Sequence[e.Event]:
    """The ends of proposals whose facts have changed."""
    return [
        e.ProposalEnded(now, one, standing[one].by, e.ProposalEnd.CHANGED)
        for one in subjects
        if one in standing
    ]


def after(standing: Proposals, event: e.Event) -> Proposals:
    """What waits after one more event."""
    match event:
        case e.ActionProposed():
            new = Proposal(event.terms, event.words, event.by, event.until)
            return {**standing, event.subject: new}
        case e.ProposalEnded():
            return without(standing, event.subject)
    return standing


def without(standing: Proposals, subject: str) -> Proposals:
    return {name: one for name, one in standing.items() if name != subject}


def without_requests(standing: Proposals) -> Proposals:
    """What waits once the table has another dealer: nobody asks the one who had it."""
    asks = f"{HAND_OVER} "
    return {name: one for name, one in standing.items() if not name.startswith(asks)}


def both(event: e.Event) -> tuple[str, str] | None:
    """The two people in whose names something was done; None where it was one."""
    by, first = getattr(event, "by", ""), getattr(event, "first", "")
    names = by if isinstance(by, tuple) else (first, by)
    return (names[0], names[1]) if len(names) == 2 and all(names) else None
