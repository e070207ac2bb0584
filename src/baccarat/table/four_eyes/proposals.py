"""Proposals: what one member of staff proposes, another confirms (G38).

A command that needs two people names its subject and its terms. The first person's command is
recorded as a proposal; the same command from a second person, on the same terms and in time, is
carried out in both their names. Nobody can second their own proposal.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

import msgspec

from baccarat.table import events as e
from baccarat.table.four_eyes import subjects as s
from baccarat.table.four_eyes.terms import Terms
from baccarat.table.refusals import Code, Refused
from baccarat.table.settings import Settings

LASTS = 24 * 3_600_000
"""How long a proposal waits for the second person, in milliseconds."""
ASKED = 10 * 60_000
"""How long a dealer's request for a table waits, in milliseconds."""
HELD = 30_000
"""How long, in milliseconds, an automatic table waits for a second person to cancel its round. It
waits once a round, so that one person cannot hold a round for longer."""

Proposals = tuple[e.ActionProposed, ...]
"""Proposals that are waiting for a second person: at most one on each subject."""


@dataclass(frozen=True)
class Motion:
    """An action that someone wants carried out."""

    subject: s.Subject
    terms: Terms
    by: str
    words: str = ""
    """Why, as they wrote it."""


def digest(proposal: e.ActionProposed) -> str:
    """Return the id of exactly this proposal: what it would do, who proposed it and when."""
    return sha256(e.encode(proposal)).hexdigest()[:32]


def find(standing: Proposals, subject: s.Subject) -> e.ActionProposed | None:
    """Return the proposal on a subject."""
    return next((proposal for proposal in standing if proposal.subject == subject), None)


def find_open(standing: Proposals, subject: s.Subject, now: int) -> e.ActionProposed | None:
    """Return the proposal on a subject, if it can still be confirmed."""
    known = find(standing, subject)
    return known if known is not None and now < known.until else None


def without(standing: Proposals, *subjects: s.Subject) -> Proposals:
    """Return the proposals on other subjects."""
    return tuple(proposal for proposal in standing if proposal.subject not in subjects)


def after(standing: Proposals, event: e.Event, settings: Settings | None = None) -> Proposals:
    """Return the waiting proposals after one more event; `settings` are the table's before it."""
    if not (standing or isinstance(event, e.ActionProposed)):
        return standing
    match event:
        case e.ActionProposed():
            return (*without(standing, event.subject), event)
        case e.ProposalEnded():
            return without(standing, event.subject)
        case e.DealerChanged():
            return tuple(known for known in standing if not isinstance(known.subject, s.HandOver))
        case e.RoundSettled():
            return without(standing, s.Cancel(event.round), s.Rectify(event.round))
        case e.RoundCancelled():
            kinds = (s.Cancel, s.Rectify, s.Correct)
            return without(standing, *(kind(event.round) for kind in kinds))
        case e.SettingsChanged() if settings and event.settings.limits == settings.limits:
            return standing
    subject = _subject(event)
    return standing if subject is None else without(standing, subject)


def seconded(standing: Proposals, motion: Motion, now: int) -> str | None:
    """Return who has proposed exactly this, if anyone; refuse the proposer as second person."""
    known = find_open(standing, motion.subject, now)
    if known is None or known.terms != motion.terms:
        return None
    if known.by == motion.by:
        raise Refused(Code.NEEDS_TWO_PEOPLE, "own-proposal")
    return known.by


def propose(standing: Proposals, motion: Motion, now: int) -> e.Events:
    """Propose a motion, replacing any earlier proposal on its subject."""
    subject, by = motion.subject, motion.by
    proposed = e.ActionProposed(now, subject, motion.terms, motion.words, by, now + LASTS)
    known = find(standing, subject)
    if known is None:
        return [proposed]
    why = e.ProposalEnd.EXPIRED if now >= known.until else e.ProposalEnd.REPLACED
    return [e.ProposalEnded(now, subject, by, why), proposed]


def explained(event: e.Event, reason: str) -> e.Event:
    """Return the event; if it is a proposal without a reason, with the given one."""
    if not isinstance(event, e.ActionProposed) or event.words:
        return event
    return msgspec.structs.replace(event, words=reason)


def withdraw(standing: Proposals, subject: s.Subject, by: str, now: int) -> e.Events:
    """Return the end of the proposal on a subject, if there is one."""
    if find(standing, subject) is None:
        return []
    return [e.ProposalEnded(now, subject, by, e.ProposalEnd.WITHDRAWN)]


def changed(standing: Proposals, subjects: Sequence[s.Subject], now: int) -> e.Events:
    """Return the ends of proposals whose facts have changed."""
    return [
        e.ProposalEnded(now, subject, known.by, e.ProposalEnd.CHANGED)
        for subject in subjects
        if (known := find(standing, subject)) is not None
    ]


# ---- what the second person has seen ------------------------------------------------------------


def check_confirmed(
    standing: Proposals, seen: str | None, events: e.Events, left: Proposals
) -> None:
    """Refuse events that do not carry out or withdraw the proposal with this digest, if given.

    A confirmation never becomes a proposal, and never an action by one person. `left` are the
    proposals that remain after the events.
    """
    if seen is None:
        return
    known = next((proposal for proposal in standing if digest(proposal) == seen), None)
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
    return _subject(event) == known.subject and (both(event) or ("",))[0] == known.by


def _subject(event: e.Event) -> s.Subject | None:
    """Return the subject of the proposals that an event carries out."""
    match event:
        case e.RoundCancelled():
            return s.Cancel(event.round)
        case e.CoupRectified():
            return s.Rectify(event.round)
        case e.RoundCorrected() | e.ReportDismissed():
            return s.Correct(event.round)
        case e.DisputeDecided():
            return s.Dispute(event.round, event.player)
        case e.AmbiguityResolved():
            return s.Ambiguity(event.ambiguity)
        case e.SettingsChanged():
            return s.Limits()
    return None


def carried_out(standing: Proposals, event: e.Event) -> e.ActionProposed:
    """Return the proposal that an event by two people carries out."""
    subject = _subject(event)
    known = find(standing, subject) if subject is not None else None
    if known is None:
        raise LookupError(f"{type(event).__name__} names two people, and nobody proposed it")
    return known


def both(event: e.Event) -> tuple[str, str] | None:
    """Return the two people in whose names an action was taken; None if it was one person."""
    by, first = getattr(event, "by", ""), getattr(event, "first", "")
    names = by if isinstance(by, tuple) else (first, by)
    return (names[0], names[1]) if len(names) == 2 and all(names) else None
