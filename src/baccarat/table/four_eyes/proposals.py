"""Proposals: one member of staff proposes an action and another confirms it (G38).

A command that needs two people has a subject and terms. The first person's command is recorded as a
proposal. If a second person sends the same command with the same terms before the proposal expires,
the command is carried out in both their names. Nobody can confirm their own proposal.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

import msgspec

from baccarat.table import events as e
from baccarat.table.four_eyes import subjects as s
from baccarat.table.four_eyes.terms import ProposalTerms
from baccarat.table.refusals import Code, Refused
from baccarat.table.settings import Settings

LASTS = 24 * 3_600_000
"""How long a proposal waits for the second person, in milliseconds."""
ASKED = 10 * 60_000
"""How long a dealer's request for a table waits for an answer, in milliseconds."""
HELD = 30_000
"""How long, in milliseconds, an automatic table holds a round so that a second person can confirm
its cancellation. A round is held only once, so that further proposals cannot delay it."""

Proposals = tuple[e.ActionProposed, ...]
"""Proposals that are waiting for a second person; there is at most one on each subject."""


@dataclass(frozen=True)
class TwoPersonAction:
    """An action that one person proposes or confirms."""

    subject: s.Subject
    terms: ProposalTerms
    by: str
    words: str = ""
    """The reason, as that person wrote it."""


def digest(proposal: e.ActionProposed) -> str:
    """Return an id for the proposal, derived from its contents, its proposer and its time."""
    return sha256(e.encode(proposal)).hexdigest()[:32]


def find(waiting: Proposals, subject: s.Subject) -> e.ActionProposed | None:
    """Return the proposal on a subject, expired or not; None if there is none."""
    return next((proposal for proposal in waiting if proposal.subject == subject), None)


def find_open(waiting: Proposals, subject: s.Subject, now: int) -> e.ActionProposed | None:
    """Return the proposal on a subject if it has not expired; otherwise None."""
    known = find(waiting, subject)
    return known if known is not None and now < known.until else None


def without(waiting: Proposals, *subjects: s.Subject) -> Proposals:
    """Return all proposals except those on the given subjects."""
    return tuple(proposal for proposal in waiting if proposal.subject not in subjects)


def proposals_after(
    waiting: Proposals, event: e.Event, settings: Settings | None = None
) -> Proposals:
    """Return the waiting proposals after an event.

    `settings` are the table's settings before the event.
    """
    if not (waiting or isinstance(event, e.ActionProposed)):
        return waiting
    match event:
        case e.ActionProposed():
            return (*without(waiting, event.subject), event)
        case e.ProposalEnded():
            return without(waiting, event.subject)
        case e.DealerChanged():
            return tuple(known for known in waiting if not isinstance(known.subject, s.HandOver))
        case e.RoundSettled():
            return without(waiting, s.Cancel(event.round), s.Rectify(event.round))
        case e.RoundCancelled():
            kinds = (s.Cancel, s.Rectify, s.Correct)
            return without(waiting, *(kind(event.round) for kind in kinds))
        case e.SettingsChanged() if settings and event.settings.limits == settings.limits:
            return waiting
    subject = _subject(event)
    return waiting if subject is None else without(waiting, subject)


def seconded(waiting: Proposals, action: TwoPersonAction, now: int) -> str | None:
    """Return the person whose open proposal this action confirms; None if there is none.

    Raise Refused if the action comes from the proposer.
    """
    known = find_open(waiting, action.subject, now)
    if known is None or known.terms != action.terms:
        return None
    if known.by == action.by:
        raise Refused(Code.NEEDS_TWO_PEOPLE, "own-proposal")
    return known.by


def propose(waiting: Proposals, action: TwoPersonAction, now: int, lasts: int = LASTS) -> e.Events:
    """Return the events that propose an action and end any earlier proposal on its subject."""
    subject, by = action.subject, action.by
    proposed = e.ActionProposed(now, subject, action.terms, action.words, by, now + lasts)
    known = find(waiting, subject)
    if known is None:
        return [proposed]
    why = e.ProposalEnd.EXPIRED if now >= known.until else e.ProposalEnd.REPLACED
    return [e.ProposalEnded(now, subject, by, why), proposed]


def explained(event: e.Event, reason: str) -> e.Event:
    """Return the event, with the given reason added if it is a proposal without one."""
    if not isinstance(event, e.ActionProposed) or event.words:
        return event
    return msgspec.structs.replace(event, words=reason)


def withdraw(waiting: Proposals, subject: s.Subject, by: str, now: int) -> e.Events:
    """Return the event that withdraws the proposal on a subject, if there is a proposal."""
    if find(waiting, subject) is None:
        return []
    return [e.ProposalEnded(now, subject, by, e.ProposalEnd.WITHDRAWN)]


def changed(waiting: Proposals, subjects: Sequence[s.Subject], now: int) -> e.Events:
    """Return the events that end proposals on these subjects because the facts have changed."""
    return [
        e.ProposalEnded(now, subject, known.by, e.ProposalEnd.CHANGED)
        for subject in subjects
        if (known := find(waiting, subject)) is not None
    ]


# ---- what the second person has seen ------------------------------------------------------------


def check_confirmed(
    waiting: Proposals, seen: str | None, events: e.Events, left: Proposals
) -> None:
    """Raise Refused unless the events carry out or withdraw the proposal with the digest `seen`.

    So a confirmation can never turn into a new proposal or into an action by one person. `left` are
    the proposals that remain after the events. Without a digest, nothing is checked.
    """
    if seen is None:
        return
    known = next((proposal for proposal in waiting if digest(proposal) == seen), None)
    proposes = any(isinstance(event, e.ActionProposed) for event in events)
    done = known is not None and any(_settles(event, known) for event in events)
    if known is None or proposes or not done or find(left, known.subject) is not None:
        raise Refused(Code.STALE_VIEW, "proposal-changed")


def _settles(event: e.Event, known: e.ActionProposed) -> bool:
    """Return whether an event carries out a proposal in its proposer's name, or withdraws it."""
    match event:
        case e.ProposalEnded():
            ends = (e.ProposalEnd.DONE, e.ProposalEnd.WITHDRAWN)
            return event.subject == known.subject and event.why in ends
        case e.DealerChanged():
            return s.HandOver(event.dealer) == known.subject
    return (
        _subject(event) == known.subject and (proposer_and_confirmer(event) or ("",))[0] == known.by
    )


def _subject(event: e.Event) -> s.Subject | None:
    """Return the subject of the proposal that an event carries out; None if there is none."""
    match event:
        case e.RoundCancelled():
            return s.Cancel(event.round)
        case e.CoupRectified():
            return s.Rectify(event.round)
        case e.RoundCorrected() | e.ReportDismissed():
            return s.Correct(event.round)
        case e.DisputeDecided() | e.DisputeAnswered():
            return s.Dispute(event.round, event.player)
        case e.AmbiguityResolved():
            return s.Ambiguity(event.ambiguity)
        case e.SettingsChanged():
            return s.Limits()
    return None


def carried_out(waiting: Proposals, event: e.Event) -> e.ActionProposed:
    """Return the proposal that an event by two people carries out."""
    subject = _subject(event)
    known = find(waiting, subject) if subject is not None else None
    if known is None:
        raise LookupError(f"{type(event).__name__} names two people, but nobody proposed it")
    return known


def proposer_and_confirmer(event: e.Event) -> tuple[str, str] | None:
    """Return the proposer and the confirmer of an action; None if one person acted alone."""
    by, first = getattr(event, "by", ""), getattr(event, "first", "")
    names = by if isinstance(by, tuple) else (first, by)
    return (names[0], names[1]) if len(names) == 2 and all(names) else None
