"""Views of disputes with their options, and of the ambiguities of a rule card."""

from collections.abc import Sequence

from baccarat.core.coup import parse_coup
from baccarat.core.printed import Ambiguity
from baccarat.core.text import in_language
from baccarat.house.watch.in_words import coup_in_words
from baccarat.store import history
from baccarat.table.disputes.case import case_of
from baccarat.table.disputes.decisions import is_bound
from baccarat.table.disputes.listed import Listed, with_listed
from baccarat.table.disputes.replay import Case, open_questions, options, proposed
from baccarat.table.events import decode
from baccarat.table.four_eyes import subjects
from baccarat.table.four_eyes.proposals import find
from baccarat.table.manual.corrections import refusal_to_decide
from baccarat.table.rules import card_id
from baccarat.table.state import TableState
from baccarat.web.schema import filled
from baccarat.web.schema.players import (
    CaseView,
    ListedAmbiguities,
    ListedView,
    Option,
    Question,
    Questions,
    ReadingView,
    Withdrawn,
)
from baccarat.web.server.site import Site
from baccarat.web.views.audit import Words
from baccarat.web.views.pit import house_proposals
from baccarat.web.views.proposals import waiting
from baccarat.wording.catalogue import Catalogue


async def current_case(site: Site, table: str, number: int, player: str, t: Catalogue) -> CaseView:
    """Return the view of one player's wagers on a round, with the listed ambiguities."""
    case = await pinned_case(site, table, number, player)
    state, listed = await site.state(table), await site.read(history.listed)
    opened = state.dispute(number, player)
    case = with_listed(case, listed, table, opened)
    return case_view(state, case, listed, (t, site.house.currency))


async def listed_in_house(site: Site) -> ListedAmbiguities:
    """Return the ambiguities that the house has listed: open, then resolved, then withdrawn."""
    listed, now = await site.read(history.listed), site.clock()
    proposals = await site.read(house_proposals, now)
    found = [
        filled(
            ListedView,
            one,
            resolved_at=one.resolved_at or None,
            withdrawn_at=one.withdrawn_at or None,
            waits_for_second=waiting(proposal)
            if (proposal := find(proposals, subjects.Ambiguity(one.id)))
            else None,
        )
        for one in sorted(listed, key=lambda one: (bool(one.withdrawn_at), not one.open, one.at))
    ]
    return {"ambiguities": found}


async def pinned_case(site: Site, table: str, number: int, player: str) -> Case:
    """Return the case of one player's wagers on a round, under the rules of its shoe."""
    stream = site.stream(table)
    entries = await site.read(history.entries_around, stream, number)
    return case_of([decode(entry.body) for entry in entries], number, player)


def case_view(state: TableState, case: Case, listed: Sequence[Listed], words: Words) -> CaseView:
    """Return a case with its options, the proposed one, and the state of the dispute."""
    number, player = case.round, case.result.player
    dispute = state.dispute(number, player)
    proposal = find(state.proposals, subjects.Dispute(number, player))
    found = options(case)
    best = proposed(found)
    questions = _questions(case.rules, words[0])
    waits = refusal_to_decide(state, number)
    coup = found[0].coup  # the readings in force come first
    return {
        "table": state.table,
        "round": number,
        "player": player,
        "dispute": dispute,
        "waits_for_second": waiting(proposal) if proposal else None,
        "settled_at": case.settled_at,
        "coup": coup,
        "face": coup_in_words(coup, words[0]),
        "winner": parse_coup(coup).winner,
        "paid": case.result.net,
        "wagers": case.result.wagers,
        "questions": [_question(question) for question in questions],
        "options": [
            filled(
                Option,
                option,
                readings=dict(option.readings),
                coup=option.coup or None,
                net=option.net if option.known else None,
                texts=[
                    question.reading(reading).text
                    for question, (name, reading) in zip(questions, option.readings, strict=True)
                    if (name, reading) not in found[0].readings
                ],
                face=coup_in_words(option.coup, words[0]) if option.coup else None,
                refusal=option.refusal.text(*words) if option.refusal else None,
            )
            for option in found
        ],
        "pending": sum(one.pending for one in found),
        "waits": waits.text(*words) if waits else None,
        "proposed": {
            "readings": dict(best.readings),
            "net": best.net,
            "due": best.net - case.result.net,
        },
        "listed": [
            {"id": one.id, "question": one.question}
            for one in listed
            if one.applies_to(card_id(case.rules), case.settled_at)
        ],
        "bound": is_bound(case),
        "owed": case.owed,
        "cited": case.cited,
        "withdrawn": [filled(Withdrawn, one) for one in listed if one.id in case.withdrawn],
    }


def _questions(rules: str, t: Catalogue) -> tuple[Ambiguity, ...]:
    return in_language(open_questions(rules), t.language)


def _question(asked: Ambiguity) -> Question:
    readings = [filled(ReadingView, reading) for reading in asked.readings]
    return filled(Question, asked, readings=readings)


def questions_at(state: TableState, t: Catalogue) -> Questions:
    questions = _questions(state.settings.rules, t)
    asked = {
        question.id: waiting(proposal)
        for question in questions
        if (proposal := find(state.proposals, subjects.Ambiguity(question.id)))
    }
    return {
        "table": state.table,
        "card": card_id(state.settings.rules),
        "open": [_question(question) for question in questions],
        "waits_for_second": asked,
        "resolved": list(state.resolutions),
    }
