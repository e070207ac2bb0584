"""Two people, for what no table decides: accounts of the staff, much bonus money, cash (G38).

The mechanism is the tables' (`table.twopeople`): the first person's request is written down as a
proposal, in the house's journal, and the same request of a second person is carried out in both
names. The one rule: the two are two, and neither opened the other's account or issued its password.
"""

from collections.abc import Callable, Sequence

from baccarat.house.outcomes import Moment, Outcome, in_house
from baccarat.house.roles import check_two
from baccarat.table.events import Event, ProposalEnd, ProposalEnded
from baccarat.table.twopeople import Motion, explained, propose, seconded


def confirms(motion: Motion, at: Moment) -> bool:
    """Has somebody else proposed exactly this?"""
    known = at.proposals.get(motion.subject)
    same = known is not None and known.terms == motion.terms and at.now < known.until
    return known is not None and same and known.by != motion.by


def decided(
    motion: Motion,
    make: Callable[[str], Event],
    *,
    two: bool,
    at: Moment,
    player: str = "",
    before: Sequence[Event] = (),
) -> Outcome:
    """The deed, made with the name of the first person (nobody's where one decides alone); or, of
    two, what waits for the second. The deed comes after the events in `before`.

    What somebody else has proposed on the same terms is confirmed, also by one who could do it
    alone.
    """
    if not two and not confirms(motion, at):
        return in_house(at, *before, make(""), player=player)
    first = seconded(at.proposals, motion, at.now)
    if first is None:
        proposed = propose(at.proposals, motion, at.now)
        return in_house(at, *(explained(one, at.reason) for one in proposed), player=player)
    check_two(at.people[first], at.people[motion.by], at.people)
    ended = ProposalEnded(at.now, motion.subject, motion.by, ProposalEnd.DONE)
    return in_house(at, *before, make(first), ended, player=player)
