"""Ambiguities in rule cards that the house lists in response to disputes, and resolves (R46)."""

from dataclasses import replace

from baccarat.core.errors import BaccaratError
from baccarat.house import events as h
from baccarat.house.outcomes import Moment, Outcome, in_house
from baccarat.house.people.four_eyes import by_one_or_two
from baccarat.table import events as e
from baccarat.table.disputes.decisions import check_words
from baccarat.table.disputes.listed import Listed, Source, replayable
from baccarat.table.four_eyes import subjects, terms
from baccarat.table.four_eyes.proposals import Motion
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import game_of

EVENTS: tuple[type[e.Event], ...] = (h.AmbiguityListed, h.ListedAmbiguityResolved)
LONGEST_FRAGMENT = 4000

AllListed = tuple[Listed, ...]


def after(listed: AllListed, event: e.Event) -> AllListed:
    """Return the listed ambiguities after a house event."""
    match event:
        case h.AmbiguityListed():
            source = Source(event.table, event.round, event.player)
            facts = (event.ambiguity, event.card, event.question, event.fragment)
            return (*listed, Listed(*facts, source, event.at, event.by))
        case h.ListedAmbiguityResolved():
            by, words = (event.first, event.by), event.words
            return tuple(
                replace(one, resolved_at=event.at, resolution=words, resolved_by=by)
                if one.id == event.ambiguity
                else one
                for one in listed
            )
    return listed


def list_ambiguity(
    listed: AllListed,
    source: Source,
    rules: str,
    question: str,
    fragment: str,
    *,
    by: str,
    at: Moment,
) -> Outcome:
    """List an ambiguity in response to a dispute; `rules` are the rules of the disputed round.

    One person may do this alone, because it can only favour players.
    """
    check_words(question)
    known = next((one for one in listed if one.source == source and not one.resolved_at), None)
    if known is not None:
        raise Refused(Code.ALREADY_DISPUTED, "already-listed", ambiguity=known.id)
    card, name = game_of(rules).card, f"L{len(listed) + 1}"
    if fragment:
        _check_fragment(listed, rules, name, fragment)
    event = h.AmbiguityListed(
        at.now,
        ambiguity=name,
        card=card.id,
        version=card.version,
        question=question,
        fragment=fragment,
        table=source.table,
        round=source.round,
        player=source.player,
        by=by,
    )
    return in_house(at, event)


def _check_fragment(listed: AllListed, rules: str, name: str, fragment: str) -> None:
    """Raise Refused unless the fragment is valid and can be replayed with the other open ones."""
    try:
        if len(fragment) > LONGEST_FRAGMENT:
            raise BaccaratError(f"use at most {LONGEST_FRAGMENT} characters")
        for one in listed:
            if one.card == game_of(rules).card.id and one.fragment and not one.resolved_at:
                rules = replayable(rules, one.id, one.fragment)
        replayable(rules, name, fragment)
    except BaccaratError as error:
        raise Refused(Code.BAD_SETTINGS, "fragment-invalid", fault=str(error)[:600]) from error


def resolve(listed: AllListed, name: str, words: str, by: str, at: Moment) -> Outcome:
    """Resolve a listed ambiguity, or record a proposal to do so; two people must agree."""
    known = next((one for one in listed if one.id == name and not one.resolved_at), None)
    if known is None:
        names = ", ".join(one.id for one in listed if not one.resolved_at) or "–"
        raise Refused(Code.NOTHING_OPEN, "not-open-in-house", ambiguity=name[:40], open=names)
    check_words(words)
    agreed = terms.ResolveListed(known.card, known.question)
    motion = Motion(subjects.Ambiguity(name), agreed, by, words)

    def resolved(first: str) -> e.Event:
        return h.ListedAmbiguityResolved(at.now, name, known.card, words, by, first)

    return by_one_or_two(motion, resolved, two=True, at=at)
