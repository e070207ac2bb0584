"""Protection requests by players and the pit: limits, reality checks, breaks, exclusions.

A request for more protection is never refused because of its timing or because it is repeated.
Protection ends only after a waiting time.
"""

from dataclasses import replace

import msgspec

from baccarat.core.text import Coins
from baccarat.house import events as h
from baccarat.house.money.wallets import check_wallet
from baccarat.house.outcomes import Outcome, PlayerRequest
from baccarat.house.people.roles import Action, check_may
from baccarat.house.safety import record as sf
from baccarat.house.safety.periods import HOUR, Period, age_at, date_of, months_after, time_of
from baccarat.house.safety.profiles import Conduct
from baccarat.table.events import Event
from baccarat.table.refusals import Code, Refused

MIN_BREAK = 24
"""Shortest break, in hours."""
LONGEST_EXCLUSION = 120
"""Longest exclusion, in months."""
RETURN_WAIT = 24 * HOUR
LONGEST_INTERVAL = 1440
"""Longest interval between reality checks, in minutes."""
OLDEST = 120
"""Highest age accepted, in years; an earlier date of birth must be a typing error."""


def set_limit(
    request: PlayerRequest, limit: h.LimitKind, period: Period, amount: int | None
) -> Outcome:
    """Set or remove a limit, or request a looser one.

    The limit is the player's own or, if the pit sends the request, the house's for this player.
    """
    player = request.player
    check_wallet(player)
    owner = _owner(request)
    wanted = h.LimitSet(request.now, player.id, limit, period, owner, amount, request.by.id)
    return request.outcome(*_limit_change(request.safety, wanted, request.conduct))


def _limit_change(safety: sf.Safety, wanted: h.LimitSet, conduct: Conduct) -> tuple[Event, ...]:
    """Return the events that result from requesting a limit, if any.

    A tighter limit applies at once. A looser limit is first recorded as a request, and is set if it
    is requested again after the waiting time.
    """
    amount, now = wanted.amount, wanted.at
    if amount is not None and (type(amount) is not int or not 0 <= amount <= 10**15):
        raise Refused(Code.BAD_AMOUNT, "bad-limit", amount=repr(amount))
    held = safety.limits.get(sf.limit_key(wanted.owner, wanted.limit, wanted.period), sf.Limit())
    place = (now, wanted.account, wanted.limit, wanted.period, wanted.owner)
    if amount == held.amount:
        return (h.LooserLimitDropped(*place, wanted.by),) if held.from_at else ()
    tighter = amount is not None and (held.amount is None or amount < held.amount)
    asked = held.from_at and amount == held.asked
    if tighter or (asked and now >= held.from_at):
        return (wanted,)
    if asked:
        raise Refused(
            Code.TOO_EARLY,
            "limit-too-early",
            hours=conduct.profile.loosening // HOUR,
            again=time_of(held.from_at, conduct.gaming_day),
        )
    return (h.LooserLimitAsked(*place, amount, now + conduct.profile.loosening, wanted.by),)


def give_birth_date(request: PlayerRequest, born: int) -> Outcome:
    """Record the player's date of birth, which can be given only once and is not in the event.

    The date is kept even if the player is too young, so that they cannot try another date.
    """
    check_wallet(request.player)
    if request.safety.born is not None:
        raise Refused(Code.NOT_ALLOWED, "birth-date-known")
    if not 0 <= age_at(born, request.now, request.conduct.gaming_day) <= OLDEST:
        raise Refused(Code.BAD_AMOUNT, "bad-birth-date", date=date_of(born), years=OLDEST)
    player, safety = request.player.id, msgspec.structs.replace(request.safety, born=born)
    known = replace(request, known={**request.known, player: safety})
    return known.outcome(h.BirthDateGiven(request.now, player))


def choose_reality_check(request: PlayerRequest, every: int) -> Outcome:
    """Choose the interval between reality checks, in minutes; 0 means the house's interval."""
    if not 0 <= every <= LONGEST_INTERVAL:
        raise Refused(Code.BAD_AMOUNT, "bad-interval", minutes=every, most=LONGEST_INTERVAL)
    if _check_due(request):
        raise Refused(Code.REALITY_CHECK, "reality-check")
    return request.outcome(h.RealityCheckChosen(request.now, request.player.id, every))


def answer_reality_check(request: PlayerRequest, shown: sf.Position) -> Outcome:
    """Record that the player has seen the duration and the result of the sitting.

    If the figures have changed since they were shown, the answer is refused. If no check is due,
    the answer changes nothing, because it would only postpone the next check.
    """
    if not _check_due(request):
        return request.outcome()
    player, since = request.player.id, request.safety.since
    position = request.position(player, since)
    if (shown.lost, shown.staked) != (position.lost, position.staked):
        raise Refused(
            Code.REALITY_CHECK,
            "result-changed",
            how="lost" if position.lost > 0 else "won",
            net=Coins(abs(position.lost)),
            staked=Coins(position.staked),
        )
    answered = (since, position.lost, position.staked)
    return request.outcome(h.RealityCheckAnswered(request.now, player, *answered))


def take_break(request: PlayerRequest, hours: int) -> Outcome:
    """Start or extend a break of a number of hours; a break cannot be shortened."""
    most = request.conduct.profile.longest_break // HOUR
    if not MIN_BREAK <= hours <= most:
        raise Refused(Code.BAD_AMOUNT, "bad-break", hours=hours, least=MIN_BREAK, most=most)
    until = max(request.now + hours * HOUR, request.safety.break_until)
    return request.outcome(h.BreakTaken(request.now, request.player.id, until))


def exclude(request: PlayerRequest, months: int) -> Outcome:
    """Exclude the player for a number of months; an exclusion can be extended but not shortened.

    Stakes on rounds in progress are recorded for the pit.
    """
    least, player, now = request.conduct.profile.least_exclusion, request.player.id, request.now
    if not least <= months <= LONGEST_EXCLUSION:
        raise Refused(
            Code.BAD_AMOUNT, "bad-exclusion", months=months, least=least, most=LONGEST_EXCLUSION
        )
    _owner(request)
    until = max(months_after(now, months), request.safety.excluded_until)
    position = request.position(player, now)
    staked = position.staked + position.staked_bonus
    return request.outcome(h.PlayerExcluded(now, player, until, request.by.id, staked))


def ask_to_return(request: PlayerRequest) -> Outcome:
    """Record the player's request to return after an exclusion, which takes effect a day later.

    The request is refused until the exclusion's period is over.
    """
    safety, now = request.safety, request.now
    if now < safety.excluded_until:
        sf.check_open(safety, now, request.conduct.gaming_day)
    if not safety.excluded_until or safety.returns_at:
        return request.outcome()
    return request.outcome(h.ReturnAsked(now, request.player.id, now + RETURN_WAIT))


def _check_due(request: PlayerRequest) -> bool:
    return sf.check_due(request.safety, request.conduct, request.now, guest=request.player.guest)


def _owner(request: PlayerRequest) -> h.Owner:
    """Return the owner of the requested limit: players set their own, and the pit sets the
    house's."""
    if request.by.id == request.player.id:
        return h.Owner.PLAYER
    check_may(request.by, Action.PROTECT)
    return h.Owner.HOUSE
