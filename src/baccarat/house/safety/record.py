"""What the house knows of a player for their protection, and what follows from it.

A `Safety` is what the player's events in the house's journal say (`after`), with running counts of
what was paid in, lost and played, kept up to date by the jobs that change them. Everything here is
pure, on time that is handed in. The one rule: what protects holds at once, what loosens waits, and
a doubt is decided for protection.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import NamedTuple

from baccarat.core.errors import BaccaratError
from baccarat.core.money import format_coins
from baccarat.core.text import Coins
from baccarat.house import events as h
from baccarat.house.events import LimitKind, Owner
from baccarat.house.periods import (
    HOUR,
    MINUTE,
    Period,
    age_at,
    end_of,
    in_words,
    minutes_in_words,
    start_of,
)
from baccarat.house.profile import Conduct
from baccarat.table.events import Event
from baccarat.table.refusals import Code, Refused

IDLE = HOUR // 2
"""A sitting is over when nothing was wagered for so long: as long as a session lasts idle."""
SEEN_EVERY = MINUTE
"""A sitting's time is kept to the minute: so a wager seldom writes more than itself."""
GRANTED = "granted/day"
"""The tally of bonus money."""
CASH_IN, CASH_OUT = "cash-in/day", "cash-out/day"
"""The tallies of a player's cash that one person handled alone."""
GRANTED_ALONE = "granted-alone/day"
"""The tally, of one of the staff, of bonus money that they granted alone."""


@dataclass(frozen=True)
class Limit:
    """One limit: coins, or minutes."""

    amount: int | None = None
    """What holds; None for no limit."""
    asked: int | None = None
    from_at: int = 0
    """When what was asked can be confirmed; 0 when nothing was."""


class Tally(NamedTuple):
    """A count of one period."""

    start: int
    amount: int


@dataclass(frozen=True)
class Grant:
    """The player's bonus money: one grant at a time."""

    amount: int
    wagering: int
    expires_at: int
    wagered: int = 0
    """Bonus money staked in settled rounds since."""
    ended: str = ""
    """"released" or "forfeited"; what comes back of a stake later goes the same way."""


@dataclass(frozen=True)
class Safety:
    """All of it, for one player; times in milliseconds since 1970, 0 for never."""

    born: int | None = None
    """The number of a day. It is in no journal."""
    limits: dict[str, Limit] = field(default_factory=dict)
    """By `limit_key`."""
    tallies: dict[str, Tally] = field(default_factory=dict)
    """By `tally_key`, and `GRANTED` and its neighbours. deposit: coins paid in; time: milliseconds
    played; loss: what the wallet would hold if the period had brought neither loss nor win and
    nothing were at stake.
    """
    since: int = 0
    """When the sitting began."""
    seen: int = 0
    """When something was last wagered, to the minute."""
    check_every: int = 0
    """The player's interval, in minutes; 0: the profile's."""
    answered_at: int = 0
    break_until: int = 0
    excluded_until: int = 0
    returns_at: int = 0
    """When an exclusion that is over ends, because the player asked."""
    bonus: Grant | None = None
    partners: tuple[str, ...] = ()
    """Who counts as one with the player, sorted."""
    named: tuple[str, ...] = ()
    """Whom the player has named as partners, and who have not said so themselves."""
    apart: tuple[str, ...] = ()
    """Who is no partner, as the pit has found."""
    shared: tuple[str, ...] = ()
    """Who had signed in with a browser of the player's before: evidence for the pit, no link."""
    # A new field comes last, with a default, and `decode` must know what it is.


NOTHING = Safety()


class Position(NamedTuple):
    """How a player stands, from the ledger; coins of their own money where it says nothing else."""

    lost: int
    """In rounds settled since a time, less what was won; below zero, won."""
    staked: int
    """On all tables, now."""
    staked_bonus: int = 0
    """Bonus money on all tables, now."""

    @property
    def at_risk(self) -> int:
        """What counts against a limit on losses: a win settled before does, a stake yet to win
        not."""
        return self.lost + self.staked


FORM = 1


def encode(safety: Safety) -> bytes:
    """For the store: short, because it is written about once a minute for everyone who plays."""
    if safety == NOTHING:
        return b""
    fields = vars(safety) | {
        "limits": {key: [*vars(limit).values()] for key, limit in safety.limits.items()},
        "bonus": safety.bonus and [*vars(safety.bonus).values()],
    }
    return json.dumps([FORM, *fields.values()], separators=(",", ":")).encode()


@lru_cache(maxsize=4096)
def decode(body: bytes) -> Safety:
    """The inverse of `encode`."""
    if not body:
        return NOTHING
    form, *values = json.loads(body)
    if form != FORM:
        raise BaccaratError(f"protection of form {form!r} is of a newer program: use that")
    born, limits, tallies, *rest = values  # what came later is not in what was written before
    times, bonus, people = rest[:7], rest[7:8], rest[8:]
    return Safety(
        born,
        {key: Limit(*limit) for key, limit in limits.items()},
        {key: Tally(*tally) for key, tally in tallies.items()},
        *times,
        *(Grant(*one) if one else None for one in bonus),
        *map(tuple, people),
    )


def limit_key(owner: Owner, limit: LimitKind, period: Period) -> str:
    return f"{owner}/{limit}/{period}"


@cache
def tally_key(limit: LimitKind, period: Period) -> str:
    return f"{limit}/{period}"


def after(safety: Safety, event: Event, zone: int = 0) -> Safety:
    """What is known after an event of the house that concerns the player."""
    match event:
        case h.LimitSet():
            return _with_limit(safety, event, Limit(event.amount))
        case h.LooserLimitAsked():
            held = safety.limits[limit_key(event.owner, event.limit, event.period)]
            asked = replace(held, asked=event.amount, from_at=event.from_at)
            return _with_limit(safety, event, asked)
        case h.LooserLimitDropped():
            held = safety.limits[limit_key(event.owner, event.limit, event.period)]
            return _with_limit(safety, event, Limit(held.amount))
        case h.RealityCheckChosen():
            return replace(safety, check_every=event.every)
        case h.RealityCheckAnswered():
            return replace(safety, answered_at=event.at)
        case h.BreakTaken():
            return replace(safety, break_until=event.until)
        case h.PlayerExcluded():
            return replace(safety, excluded_until=event.until, returns_at=0)
        case h.ReturnAsked():
            return replace(safety, returns_at=event.from_at)
        case h.MoneyPaidIn():
            counted = _counted(safety, LimitKind.DEPOSIT, event.amount, event.at, zone)
            return moved(_handled(counted, CASH_IN, event, zone), event.amount)
        case h.MoneyPaidOut():
            return moved(_handled(safety, CASH_OUT, event, zone), -event.amount)
        case h.CashVoided(paid=h.Cash.PAY_IN):
            return moved(_handled(safety, CASH_OUT, event, zone), -event.amount)
        case h.CashVoided():
            counted = _counted(safety, LimitKind.DEPOSIT, event.amount, event.at, zone)
            return moved(_handled(counted, CASH_IN, event, zone), event.amount)
        case h.BonusOpened():
            start, coins = start_of(Period.DAY, event.at, zone), granted(safety, event.at, zone)
            tallies = {**safety.tallies, GRANTED: Tally(start, coins + event.amount)}
            bonus = Grant(event.amount, event.wagering, event.expires_at)
            new = replace(safety, bonus=bonus, tallies=tallies)
            return new if event.wagering else _handled(new, CASH_IN, event, zone)
        case h.BonusReleased():
            return moved(_ended(safety, "released"), event.amount)
        case h.BonusForfeited():
            return _ended(safety, "forfeited")
        case h.PartnerNamed():
            return replace(safety, named=(*safety.named, event.partner))
        case h.PartnersChanged():
            named = tuple(one for one in safety.named if one not in event.partners)
            return replace(safety, partners=event.partners, named=named)
        case h.KeptApart():
            return replace(safety, apart=event.others)
        case h.BrowserShared():
            return replace(safety, shared=(*safety.shared, *event.others))
    return safety


def _with_limit(safety: Safety, event: Event, limit: Limit) -> Safety:
    assert isinstance(event, h.LimitSet | h.LooserLimitAsked | h.LooserLimitDropped)  # noqa: S101
    key = limit_key(event.owner, event.limit, event.period)
    return replace(safety, limits={**safety.limits, key: limit})


def _ended(safety: Safety, how: str) -> Safety:
    bonus = safety.bonus
    return safety if bonus is None else replace(safety, bonus=replace(bonus, ended=how))


def moved(safety: Safety, coins: int) -> Safety:
    """Real money came or went without being won or lost."""
    tallies = {
        key: tally._replace(amount=tally.amount + coins) if key.startswith("loss/") else tally
        for key, tally in safety.tallies.items()
    }
    return replace(safety, tallies=tallies)


def _counted(safety: Safety, kind: LimitKind, amount: int, now: int, zone: int) -> Safety:
    tallies = dict(safety.tallies)
    for period in Period:
        start, key = start_of(period, now, zone), tally_key(kind, period)
        tallies[key] = Tally(start, count_of(safety, kind, period, start) + amount)
    return replace(safety, tallies=tallies)


def count_of(safety: Safety, kind: LimitKind, period: Period, start: int) -> int:
    """What was counted in the period that began then."""
    tally = safety.tallies.get(tally_key(kind, period))
    return tally.amount if tally is not None and tally.start == start else 0


def granted(safety: Safety, now: int, zone: int = 0) -> int:
    """Bonus money that was granted today."""
    tally = safety.tallies.get(GRANTED)
    same = tally is not None and tally.start == start_of(Period.DAY, now, zone)
    return tally.amount if tally is not None and same else 0


def handled_alone(safety: Safety, tally: str, day: int) -> int:
    """Coins of a tally that one person handled alone in the gaming day that began then."""
    found = safety.tallies.get(tally)
    return found.amount if found is not None and found.start == day else 0


def handled(safety: Safety, tally: str, amount: int, now: int, zone: int = 0) -> Safety:
    """One person has handled more, alone."""
    day = start_of(Period.DAY, now, zone)
    new = Tally(day, handled_alone(safety, tally, day) + amount)
    return replace(safety, tallies={**safety.tallies, tally: new})


def _handled(
    safety: Safety,
    tally: str,
    event: h.MoneyPaidIn | h.MoneyPaidOut | h.CashVoided | h.BonusOpened,
    zone: int,
) -> Safety:
    """The tally after an event; what two people handled does not count."""
    if event.first:
        return safety
    return handled(safety, tally, event.amount, event.at, zone)


def limit_of(safety: Safety, limit: LimitKind, period: Period) -> int | None:
    """What holds: the stricter of the player's and the house's."""
    held = [
        found.amount
        for owner in Owner
        if (found := safety.limits.get(limit_key(owner, limit, period))) is not None
        and found.amount is not None
    ]
    return min(held, default=None)


# ---- changing limits ----------------------------------------------------------------------------


def limit_change(safety: Safety, wanted: h.LimitSet, *, conduct: Conduct) -> tuple[Event, ...]:
    """What comes of wanting a limit: set, asked for, dropped, or nothing; Refused when too early.

    Tighter holds at once. Looser is asked for, and set when it is asked for again after the wait.
    """
    amount, now = wanted.amount, wanted.at
    if amount is not None and (type(amount) is not int or not 0 <= amount <= 10**15):
        raise Refused(Code.BAD_AMOUNT, f"{amount!r} is no limit: whole coins or minutes, or none")
    held = safety.limits.get(limit_key(wanted.owner, wanted.limit, wanted.period), Limit())
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
            f"a limit is loosened {conduct.profile.loosening // HOUR} hours after it was asked "
            f"for: ask again from {in_words(held.from_at, conduct.zone)} on, if you still want it",
        )
    return (h.LooserLimitAsked(*place, amount, now + conduct.profile.loosening, wanted.by),)


# ---- may they play? -----------------------------------------------------------------------------


def check_open(
    safety: Safety,
    now: int,
    zone: int = 0,
    *,
    others: Iterable[Safety] = (),
    to_staff: bool = False,
) -> None:
    """Nothing, or Refused while a player, or one of those linked with them, is away.

    Away is excluded or on a break: a second account is no way round either. It is told to the
    player or, of the player, to the staff.
    """
    others = tuple(others)
    are, whose, they = ("this player is", "this player's", "they") if to_staff else _YOU
    if is_excluded(safety, now):
        if now < safety.excluded_until:
            until = f"until {in_words(safety.excluded_until, zone)} at least"
        elif safety.returns_at:
            until = f"until {in_words(safety.returns_at, zone)}, as {they} asked to return"
        else:
            until = f"until {they} ask to return, and a day more"
        own = "their" if to_staff else "your"
        words = f"{are} excluded from play {until}; {own} money can be paid out at any time"
        raise Refused(Code.SELF_EXCLUDED, words)
    if others and any(is_excluded(one, now) for one in others):
        raise Refused(Code.SELF_EXCLUDED, _LINKED.format(whose, "excluded from play"))
    if now < safety.break_until:
        words = f"{are} taking a break until {in_words(safety.break_until, zone)}"
        raise Refused(Code.ON_A_BREAK, words)
    if others and any(now < one.break_until for one in others):
        raise Refused(Code.ON_A_BREAK, _LINKED.format(whose, "taking a break"))


_YOU = ("you are", "yours", "you")
_LINKED = (
    "an account that is linked with {} is {}, and linked accounts count as one: nothing is paid "
    "in or wagered meanwhile, and money can be paid out at any time; if it is another "
    "person's, ask the pit to look at it"
)
"""Whose account it is, and until when, is not told: it may be another person's after all."""


def is_excluded(safety: Safety, now: int) -> bool:
    """An exclusion that is over still holds until the player has asked to return, and waited."""
    if not safety.excluded_until:
        return False
    return now < safety.excluded_until or not safety.returns_at or now < safety.returns_at


def check_play(
    safety: Safety,
    conduct: Conduct,
    now: int,
    *,
    guest: bool,
    least_age: int | None = None,
    cleared_at: int | None = None,
    others: Iterable[Safety] = (),
) -> None:
    """Nothing, or Refused for the first reason for which a player may not wager now."""
    check_open(safety, now, conduct.zone, others=others)
    if not guest:
        check_register(conduct, cleared_at, now)
        check_age(safety.born, conduct, now, least_age)
    if check_due(safety, conduct, now, guest=guest):
        words = "a reality check is due: see for how long you play and how you stand, and answer it"
        raise Refused(Code.REALITY_CHECK, words)
    for period in Period if safety.limits else ():
        most = limit_of(safety, LimitKind.TIME, period)
        if most is not None and played(safety, period, now, conduct.zone) >= most * MINUTE:
            until = in_words(end_of(period, now, conduct.zone), conduct.zone)
            limit = f"your limit of {minutes_in_words(most)} of play a {period}"
            raise Refused(Code.TIME_LIMIT, f"{limit} is reached: until {until}")


def check_register(conduct: Conduct, cleared_at: int | None, now: int) -> None:
    """The register must have said lately that the player is not in it; silence is a no."""
    if conduct.register is None:
        return
    if cleared_at is None or not 0 <= now - cleared_at < conduct.register_fresh:
        words = "the register of exclusions has not said that you may play: try again later"
        raise Refused(Code.REGISTER_SILENT, words)


def check_age(
    born: int | None,
    conduct: Conduct,
    now: int,
    least: int | None = None,
    *,
    remedy: str = "give it, once, under Playing safely (/account/limits)",
) -> None:
    """Old enough for the profile, and for the card where it asks for more.

    Who has not said when they were born is old enough only where neither house nor card asks.
    """
    years = max(conduct.profile.minimum_age, least or 0)
    if born is None:
        if not conduct.birth_dates and years == conduct.profile.minimum_age:
            return
        words = f"one must be {years} to play here, and your date of birth is not known: {remedy}"
        raise Refused(Code.UNDER_AGE, words)
    if age_at(born, now, conduct.zone) < years:
        words = f"one must be {years} to play here, and by your date of birth you are younger"
        raise Refused(Code.UNDER_AGE, words)


# ---- sittings -----------------------------------------------------------------------------------


def interval_of(safety: Safety, conduct: Conduct, *, guest: bool) -> int:
    """Milliseconds from one reality check to the next; 0 for none."""
    if guest and not conduct.profile.check_guests:
        return 0
    own, asked = safety.check_every * MINUTE, conduct.profile.reality_check
    return own if own and (not asked or own < asked) else asked


def check_due(safety: Safety, conduct: Conduct, now: int, *, guest: bool) -> bool:
    """It comes up while the sitting lasts, and then stays until it is answered."""
    every = interval_of(safety, conduct, guest=guest)
    if not every or not safety.seen:
        return False
    due_at = max(safety.since, safety.answered_at) + every
    return due_at <= now and due_at < safety.seen + IDLE


def wagered(safety: Safety, now: int, zone: int = 0) -> Safety:
    """After a wager: the sitting goes on, or a new one begins."""
    now = max(now, safety.seen)
    if sits(safety, now):
        if now - safety.seen < SEEN_EVERY:
            return safety
        since = safety.since
    else:
        since = now
    tallies = dict(safety.tallies)
    for period in Period:
        tally = Tally(start_of(period, now, zone), played(safety, period, now, zone))
        tallies[tally_key(LimitKind.TIME, period)] = tally
    return replace(safety, tallies=tallies, since=since, seen=now)


def sits(safety: Safety, now: int) -> bool:
    """Is the sitting still going on?"""
    return safety.seen > 0 and now - safety.seen < IDLE


def played(safety: Safety, period: Period, now: int, zone: int = 0) -> int:
    """Milliseconds of play in the period, up to now.

    A sitting counts from its first wager to now, or, when it is over, to the full minute of its
    last one: never less than was played.
    """
    start = start_of(period, now, zone)
    counted = count_of(safety, LimitKind.TIME, period, start)
    if not safety.seen:
        return counted
    until = now if sits(safety, now) else safety.seen + SEEN_EVERY
    return counted + max(0, until - max(safety.seen, start))


# ---- losses -------------------------------------------------------------------------------------


def loss_limits(safety: Safety) -> list[tuple[Period, int]]:
    """Every limit on losses that holds."""
    found = ((period, limit_of(safety, LimitKind.LOSS, period)) for period in Period)
    return [(period, most) for period, most in found if most is not None]


def check_loss(
    lost: dict[Period, int], safety: Safety, *, more: int, stands: int, now: int, conduct: Conduct
) -> None:
    """Nothing, or Refused when so much more at stake than what stands could pass a limit."""
    for period, most in loss_limits(safety):
        if more > 0 and lost[period] + more > most:
            until = in_words(end_of(period, now, conduct.zone), conduct.zone)
            left = max(most - lost[period], 0)
            besides = " besides what stands" if stands else ""
            raise Refused(
                Code.LOSS_LIMIT,
                f"your limit of {{most}} lost a {{period}} leaves {{left}} to stake{besides} until "
                "{until}: stake less",
                most=Coins(most),
                left=Coins(left),
                period=str(period),
                until=until,
            )


def check_deposit(safety: Safety, amount: int, now: int, conduct: Conduct) -> None:
    """Nothing, or Refused when a payment would pass a limit."""
    for period in Period:
        most = limit_of(safety, LimitKind.DEPOSIT, period)
        if most is None:
            continue
        start = start_of(period, now, conduct.zone)
        left = most - count_of(safety, LimitKind.DEPOSIT, period, start)
        if amount > left:
            until = in_words(end_of(period, now, conduct.zone), conduct.zone)
            raise Refused(
                Code.DEPOSIT_LIMIT,
                f"a limit of {format_coins(most)} paid in a {period} leaves "
                f"{format_coins(max(left, 0))} until {until}: pay in less",
            )


def warning(kind: LimitKind, period: Period, used: int, most: int, conduct: Conduct) -> str | None:
    """In words, when a limit is nearly reached; coins, or milliseconds and minutes."""
    unit = MINUTE if kind is LimitKind.TIME else 1
    if used * 100 < most * unit * conduct.profile.warning:
        return None
    if kind is LimitKind.TIME:
        return f"you have played {used // MINUTE} of {minutes_in_words(most)} of this {period}"
    what = "paid in" if kind is LimitKind.DEPOSIT else "lost or at stake"
    return f"{format_coins(used)} of {format_coins(most)} of this {period} {what}"
