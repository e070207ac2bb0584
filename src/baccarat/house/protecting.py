"""What players and the pit ask for protection: limits, reality checks, breaks, exclusions.

In goes what is asked and what is known at that moment, out comes an `Outcome`. The one rule: what
protects is never refused for being early, late or twice; what ends protection waits its time.
"""

from dataclasses import replace

from baccarat.core.text import Coins
from baccarat.house import events as h
from baccarat.house import safety as sf
from baccarat.house.events import LimitKind, Owner
from baccarat.house.outcomes import Moment, Outcome, check_wallet, in_house
from baccarat.house.periods import HOUR, Period, age_at, date_of, months_after
from baccarat.house.roles import Account, Action, check_may
from baccarat.table.refusals import Code, Refused

LEAST_BREAK = 24
"""Hours."""
LONGEST_EXCLUSION = 120
"""Months."""
RETURN_WAIT = 24 * HOUR
LONGEST_INTERVAL = 1440
"""Minutes from one reality check to the next."""
OLDEST = 120
"""Years: a date of birth longer ago is a slip of the pen."""


def set_limit(
    player: Account,
    limit: LimitKind,
    period: Period,
    amount: int | None,
    *,
    by: Account,
    at: Moment,
) -> Outcome:
    """A limit of the player's own, or of the house for this player."""
    check_wallet(player)
    owner = _owner(player, by)
    change = sf.limit_change(
        at.safety,
        h.LimitSet(at.now, player.id, limit, period, owner, amount, by.id),
        conduct=at.conduct,
    )
    return in_house(at, *change, player=player.id)


def give_birth_date(player: Account, born: int, *, at: Moment) -> Outcome:
    """When the player was born, said once. It is kept whatever age it makes them: who turns out
    too young does not try another date."""
    check_wallet(player)
    if at.safety.born is not None:
        words = "your date of birth is known, and is given once: if it is wrong, tell the pit"
        raise Refused(Code.NOT_ALLOWED, words)
    if not 0 <= age_at(born, at.now, at.conduct.zone) <= OLDEST:
        year, month, day = date_of(born)
        words = f"nobody was born on {year:04}-{month:02}-{day:02} who plays today: give a day of "
        words += f"the last {OLDEST} years"
        raise Refused(Code.BAD_AMOUNT, words)
    known = replace(at, safety=replace(at.safety, born=born))
    return in_house(known, h.BirthDateGiven(at.now, player.id), player=player.id)


def choose_reality_check(player: Account, every: int, *, at: Moment) -> Outcome:
    """How often, in minutes; 0 for as often as the house asks."""
    if not 0 <= every <= LONGEST_INTERVAL:
        words = f"{every} minutes: an interval has 1 to {LONGEST_INTERVAL}, or 0 for none"
        raise Refused(Code.BAD_AMOUNT, words)
    if sf.check_due(at.safety, at.conduct, at.now, guest=player.guest):
        raise Refused(Code.REALITY_CHECK, "a reality check is due: answer it first")
    return in_house(at, h.RealityCheckChosen(at.now, player.id, every), player=player.id)


def answer_reality_check(
    player: Account, shown: sf.Position, position: sf.Position, *, at: Moment
) -> Outcome:
    """The player has seen the time and the result of the sitting, and goes on.

    An answer to figures that have changed since they were shown is refused. An answer that nobody
    asked for would only put the next question off, and changes nothing.
    """
    if not sf.check_due(at.safety, at.conduct, at.now, guest=player.guest):
        return in_house(at, player=player.id)
    if (shown.lost, shown.staked) != (position.lost, position.staked):
        raise Refused(
            Code.REALITY_CHECK,
            "your result has changed since it was shown: you have {how} {net}, and {staked} is at "
            "stake; look at it again, then answer",
            how="lost" if position.lost > 0 else "won",
            net=Coins(abs(position.lost)),
            staked=Coins(position.staked),
        )
    event = h.RealityCheckAnswered(
        at.now, player.id, at.safety.since, position.lost, position.staked
    )
    return in_house(at, event, player=player.id)


def take_break(player: Account, hours: int, *, at: Moment) -> Outcome:
    """No play for a while; a break is never cut short."""
    most = at.conduct.profile.longest_break // HOUR
    if not LEAST_BREAK <= hours <= most:
        words = f"{hours} hours: a break takes {LEAST_BREAK} to {most} hours"
        raise Refused(Code.BAD_AMOUNT, words)
    until = max(at.now + hours * HOUR, at.safety.break_until)
    return in_house(at, h.BreakTaken(at.now, player.id, until), player=player.id)


def exclude(player: Account, months: int, *, by: Account, at: Moment, staked: int = 0) -> Outcome:
    """No play from this moment on, for months; it can be made longer, never shorter.

    What is staked on rounds under way is noted for the pit.
    """
    least = at.conduct.profile.least_exclusion
    if not least <= months <= LONGEST_EXCLUSION:
        words = f"{months} months: an exclusion lasts {least} to {LONGEST_EXCLUSION} months"
        raise Refused(Code.BAD_AMOUNT, words)
    _owner(player, by)
    until = max(months_after(at.now, months), at.safety.excluded_until)
    excluded = h.PlayerExcluded(at.now, player.id, until, by.id, staked)
    return in_house(at, excluded, player=player.id)


def ask_to_return(player: Account, *, at: Moment) -> Outcome:
    """An exclusion that is over ends a day after the player has asked."""
    if at.now < at.safety.excluded_until:
        sf.check_open(at.safety, at.now, at.conduct.zone)
    if not at.safety.excluded_until or at.safety.returns_at:
        return in_house(at, player=player.id)
    event = h.ReturnAsked(at.now, player.id, at.now + RETURN_WAIT)
    return in_house(at, event, player=player.id)


def _owner(player: Account, by: Account) -> Owner:
    """Players speak for themselves, and the pit for the house."""
    if by.id == player.id:
        return Owner.PLAYER
    check_may(by, Action.PROTECT)
    return Owner.HOUSE
