"""Ambiguities in rule cards that the house lists in response to disputes, resolves and withdraws
(R46).

One person may list an ambiguity that is only described in words, because two people must agree to
every payment that results from it. An ambiguity with readings that can be replayed decides the
disputes at every table with the rule card, so two people must list it.
"""

from dataclasses import replace

from baccarat.core.errors import BaccaratError
from baccarat.house import events as h
from baccarat.house.outcomes import DecisionContext, Outcome
from baccarat.house.people.four_eyes import by_one_or_two
from baccarat.table import events as e
from baccarat.table.disputes.listed import Listed, Source, replayable, with_readings
from baccarat.table.four_eyes import subjects, terms
from baccarat.table.four_eyes.proposals import TwoPersonAction
from baccarat.table.refusals import Code, Refused, check_words
from baccarat.table.rules import ambiguity_in, game_of

EVENTS: tuple[type[e.Event], ...] = (
    h.AmbiguityListed,
    h.ListedAmbiguityResolved,
    h.ListedAmbiguityWithdrawn,
)
LONGEST_FRAGMENT = 4000

AllListed = tuple[Listed, ...]


def listed_after(listed: AllListed, event: e.Event) -> AllListed:
    """Return the listed ambiguities after a house event."""
    match event:
        case h.AmbiguityListed():
            source = Source(event.table, event.round, event.player)
            facts = (event.ambiguity, event.card, event.question, event.fragment)
            by = tuple(name for name in (event.first, event.by) if name)
            return (*listed, Listed(*facts, source, event.at, by))
        case h.ListedAmbiguityResolved() | h.ListedAmbiguityWithdrawn():
            return tuple(_ended(one, event) if one.id == event.ambiguity else one for one in listed)
    return listed


def _ended(one: Listed, event: h.ListedAmbiguityResolved | h.ListedAmbiguityWithdrawn) -> Listed:
    at, words, by = event.at, event.words, (event.first, event.by)
    if isinstance(event, h.ListedAmbiguityResolved):
        return replace(one, resolved_at=at, resolution=words, resolved_by=by)
    return replace(one, withdrawn_at=at, withdrawal=words, withdrawn_by=by)


def list_ambiguity(
    listed: AllListed,
    at: DecisionContext,
    *,
    source: Source,
    rules: str,
    question: str,
    fragment: str,
    by: str,
) -> Outcome:
    """List an ambiguity in response to a dispute, or propose to list it if it has readings.

    `rules` are those of the disputed round.
    """
    check_words(question)
    known = next((one for one in listed if one.source == source and one.open), None)
    if known is not None:
        raise Refused(Code.ALREADY_DISPUTED, "already-listed", ambiguity=known.id)
    card, name = game_of(rules).card, f"L{len(listed) + 1}"
    if fragment:
        _check_fragment(listed, rules, name, question, fragment)
    subject = subjects.Listing(source.table, source.round, source.player)
    action = TwoPersonAction(subject, terms.ListAmbiguity(card.id, question, fragment), by)

    def made(first: str) -> e.Event:
        return h.AmbiguityListed(
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
            first=first,
        )

    return by_one_or_two(action, made, two=bool(fragment), at=at)


def _check_fragment(listed: AllListed, rules: str, name: str, question: str, fragment: str) -> None:
    """Raise Refused unless the fragment can be replayed together with the open ambiguities.

    An open ambiguity that does not fit these rules is skipped, as it is in a dispute. The fragment
    may leave out the question, but not ask another one.
    """
    try:
        if len(fragment) > LONGEST_FRAGMENT:
            raise BaccaratError(f"use at most {LONGEST_FRAGMENT} characters")
        for one in listed:
            if one.card == game_of(rules).card.id and one.open:
                rules = with_readings(rules, one) or rules
        replayable(rules, name, question, fragment)
        if ambiguity_in(fragment).get("question", question) != question:
            raise BaccaratError(
                "the fragment has a question of its own that differs from yours: leave it out"
            )
    except BaccaratError as error:
        raise Refused(Code.BAD_SETTINGS, "fragment-invalid", fault=str(error)[:600]) from error


def resolve(listed: AllListed, at: DecisionContext, *, name: str, words: str, by: str) -> Outcome:
    """Resolve a listed ambiguity, or propose to resolve it; two people must agree."""
    known = next((one for one in listed if one.id == name and one.open), None)
    if known is None:
        names = ", ".join(one.id for one in listed if one.open) or "–"
        raise Refused(Code.NOTHING_OPEN, "not-open-in-house", ambiguity=name[:40], open=names)
    check_words(words)
    agreed = terms.ResolveListed(known.card, known.question, words)
    action = TwoPersonAction(subjects.Ambiguity(name), agreed, by, words)

    def resolved(first: str) -> e.Event:
        return h.ListedAmbiguityResolved(at.now, name, known.card, words, by, first)

    return by_one_or_two(action, resolved, two=True, at=at)


def withdraw(listed: AllListed, at: DecisionContext, *, name: str, words: str, by: str) -> Outcome:
    """Withdraw a listed ambiguity, resolved or not, or propose to withdraw it; two people must
    agree."""
    known = next((one for one in listed if one.id == name and not one.withdrawn_at), None)
    if known is None:
        raise Refused(Code.NOTHING_OPEN, "not-listed-in-house", ambiguity=name[:40])
    check_words(words)
    agreed = terms.WithdrawListed(known.card, known.question, words)
    action = TwoPersonAction(subjects.Ambiguity(name), agreed, by, words)

    def withdrawn(first: str) -> e.Event:
        return h.ListedAmbiguityWithdrawn(at.now, name, known.card, words, by, first)

    return by_one_or_two(action, withdrawn, two=True, at=at)
