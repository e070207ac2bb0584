"""The four-eyes rule for decisions outside tables: staff accounts, large bonuses and cash (G38).

The mechanism is the same as at tables (`table.four_eyes.proposals`). The first person's request is
recorded as a proposal in the house journal; the same request by a second person is carried out in
both names. Neither person may have opened the other's account or issued its password.
"""

from collections.abc import Callable, Sequence

from baccarat.house.outcomes import DecisionContext, Outcome, SideChanges, in_house
from baccarat.house.people.roles import check_two, person
from baccarat.table.events import Event, ProposalEnd, ProposalEnded
from baccarat.table.four_eyes import proposals
from baccarat.table.refusals import Refused


def confirms(action: proposals.TwoPersonAction, at: DecisionContext) -> bool:
    """Return whether the action confirms an open proposal of another person."""
    known = proposals.find_open(at.proposals, action.subject, at.now)
    return known is not None and known.terms == action.terms and known.by != action.by


def by_one_or_two(
    action: proposals.TwoPersonAction,
    make: Callable[[str], Event],
    *,
    two: bool,
    at: DecisionContext,
    before: Sequence[Event] = (),
    side_changes: Callable[[str], SideChanges] | None = None,
) -> Outcome:
    """Return the outcome with the event or, if a second person is needed, with a proposal.

    `make` builds the event from the name of the proposer, which is empty if one person decides
    alone. The event comes after the events in `before`, and is written with the rows of
    `side_changes`.

    If someone else has proposed the same terms, that proposal is confirmed, even by a person who
    could act alone. If the two are not independent, the second person acts alone where that is
    allowed, and the proposal ends.
    """
    first = ""
    ended: Sequence[Event] = ()
    if two or confirms(action, at):
        known = proposals.find_open(at.proposals, action.subject, at.now)
        if known is None or proposals.seconded(at.proposals, action, at.now) is None:
            proposed = proposals.propose(at.proposals, action, at.now)
            events = (proposals.explained(event, at.reason) for event in proposed)
            return in_house(at, *events)
        try:
            check_two(at.people[known.by], person(at.people, action.by), at.people, known.at)
            first = known.by
            ended = (ProposalEnded(at.now, action.subject, action.by, ProposalEnd.DONE),)
        except Refused:
            if two or at.confirming:
                raise
            ended = proposals.changed(at.proposals, [action.subject], at.now)
    outcome = in_house(at, *before, make(first), *ended)
    return outcome._replace(side_changes=side_changes(first) if side_changes else None)
