"""A player's protection record, and the checks based on it.

A `Safety` is computed from the player's events in the house journal (`safety_after`). It also has
tallies of deposits, losses and playing time, which jobs update as they change. More protection
takes effect at once; less protection takes effect after a waiting time. In case of doubt, the
player is protected.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from msgspec import field
from msgspec.structs import replace

from baccarat.core.text import Coins
from baccarat.house import events as h
from baccarat.house.events import LimitKind, Owner
from baccarat.house.safety.periods import (
    DAY,
    HOUR,
    MINUTE,
    UTC_DAY,
    GamingDay,
    Period,
    age_on,
    calendar_day,
    end_of,
    start_of,
    time_of,
)
from baccarat.house.safety.profiles import Conduct
from baccarat.table import codec
from baccarat.table.events import Event
from baccarat.table.refusals import Code, Message, Refused

IDLE = HOUR // 2
"""A sitting ends after this time without a wager, in milliseconds."""
SEEN_EVERY = MINUTE
"""Minimum time between updates of a sitting in the record, in milliseconds."""
GRANTED = "granted/day"
"""Name of the tally of bonus money granted to a player."""
CASH_IN, CASH_OUT = "cash-in/day", "cash-out/day"
"""Names of the tallies of cash that one person handled alone."""
GRANTED_ALONE = "granted-alone/day"
"""Name of the tally of bonus money that a member of staff granted alone."""
DECIDED_ALONE = "decided-alone/day"
"""Name of the tally of everything that a member of staff decided alone: dispute payments, and bonus
money granted and taken back."""


class Limit(codec.Value, frozen=True, omit_defaults=True):
    """A limit in coins or minutes."""

    amount: int | None = None
    """The limit in force; None for no limit."""
    asked: int | None = None
    """The looser limit that was requested; None for no limit."""
    from_at: int = 0
    """When the requested limit can be confirmed; 0 if none was requested."""


class Tally(NamedTuple):
    """A total in the period that began at `start`."""

    start: int
    amount: int


class Grant(codec.Value, frozen=True, omit_defaults=True):
    """A player's bonus grant; only one is open at a time."""

    amount: int
    wagering: int
    expires_at: int
    wagered: int = 0
    """Bonus money staked in settled rounds since the grant."""
    ended: str = ""
    """How the grant ended: "released" or "forfeited"; empty while it is open. Stakes that are
    returned after that are released or forfeited too."""


class Safety(codec.Value, frozen=True, omit_defaults=True):
    """A player's protection record; times are in milliseconds since 1970, 0 for never."""

    born: int | None = None
    """Day number of the date of birth, which is not in any journal."""
    limits: dict[str, Limit] = field(default_factory=dict)
    """Limits by `limit_key`."""
    tallies: dict[str, Tally] = field(default_factory=dict)
    """Tallies by `tally_key`, or by one of the names `GRANTED` to `DECIDED_ALONE`. The tally for
    deposit limits is in coins paid in, and that for time limits is in milliseconds played. That for
    loss limits is the balance that the wallet would have without any win, loss or stake in the
    period."""
    since: int = 0
    """Start of the current or the last sitting."""
    seen: int = 0
    """Time of the last wager, to the minute."""
    check_every: int = 0
    """The player's own interval between reality checks, in minutes; 0 means the profile's."""
    answered_at: int = 0
    break_until: int = 0
    excluded_until: int = 0
    returns_at: int = 0
    """When the exclusion ends, if the player has asked to return; otherwise 0."""
    bonus: Grant | None = None
    partners: tuple[str, ...] = ()
    """The player's linked partners, sorted."""
    named: tuple[str, ...] = ()
    """Players whom this player has named as partners, but who have not named this player in
    return."""
    apart: tuple[str, ...] = ()
    """Players who the pit has decided are not this player's partners."""
    shared: tuple[str, ...] = ()
    """Players who had used the same browser before: evidence for the pit, not a link."""


NOTHING = Safety()


class Position(NamedTuple):
    """A player's results and stakes from the ledger, in coins of real money unless stated."""

    lost: int
    """Coins lost minus coins won in rounds settled since a given time."""
    staked: int
    """Coins staked at all tables now."""
    staked_bonus: int = 0
    """Bonus money staked at all tables now."""

    @property
    def at_risk(self) -> int:
        """Amount that counts against a loss limit: settled net losses plus current stakes."""
        return self.lost + self.staked


_DECODER: codec.Decoder[Safety] = codec.Decoder(Safety)


def encode(safety: Safety) -> bytes:
    """Return a record as bytes, kept short because it is written once a minute for each player."""
    return codec.encode(safety) if safety != NOTHING else b""


@lru_cache(maxsize=4096)
def decode(body: bytes) -> Safety:
    """Return the record from bytes that `encode` returned."""
    return _DECODER.decode(body) if body else NOTHING


def limit_key(owner: Owner, limit: LimitKind, period: Period) -> str:
    return f"{owner}/{limit}/{period}"


@cache
def tally_key(limit: LimitKind, period: Period) -> str:
    return f"{limit}/{period}"


def safety_after(safety: Safety, event: Event, gaming_day: GamingDay = UTC_DAY) -> Safety:
    """Return the record after a house event about the player."""
    match event:
        case h.LimitSet() | h.LooserLimitAsked() | h.LooserLimitDropped():
            return _limited(safety, event)
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
        case h.MoneyPaidIn() | h.CashVoided(paid=h.Cash.PAY_OUT):
            for period in Period:
                start, key = (
                    start_of(period, event.at, gaming_day),
                    tally_key(LimitKind.DEPOSIT, period),
                )
                safety = _counted(safety, key, event.amount, start)
            return balance_changed(_handled(safety, CASH_IN, event, gaming_day), event.amount)
        case h.MoneyPaidOut() | h.CashVoided():
            return balance_changed(_handled(safety, CASH_OUT, event, gaming_day), -event.amount)
        case h.BonusOpened():
            safety = handled(safety, GRANTED, event.amount, event.at, gaming_day)
            bonus = Grant(event.amount, event.wagering, event.expires_at)
            new = replace(safety, bonus=bonus)
            return new if event.wagering else _handled(new, CASH_IN, event, gaming_day)
        case h.BonusReleased():
            return balance_changed(_ended(safety, "released"), event.amount)
        case h.BonusForfeited():
            return _ended(safety, "forfeited")
        case h.PartnerNamed():
            return replace(safety, named=(*safety.named, event.partner))
        case h.PartnersChanged():
            named = tuple(name for name in safety.named if name not in event.partners)
            return replace(safety, partners=event.partners, named=named)
        case h.KeptApart():
            return replace(safety, apart=event.others)
        case h.BrowserShared():
            return replace(safety, shared=(*safety.shared, *event.others))
    return safety


def _limited(
    safety: Safety, event: h.LimitSet | h.LooserLimitAsked | h.LooserLimitDropped
) -> Safety:
    key = limit_key(event.owner, event.limit, event.period)
    held = safety.limits.get(key, Limit())
    match event:
        case h.LimitSet():
            held = Limit(event.amount)
        case h.LooserLimitAsked():
            held = replace(held, asked=event.amount, from_at=event.from_at)
        case h.LooserLimitDropped():
            held = Limit(held.amount)
    return replace(safety, limits={**safety.limits, key: held})


def _ended(safety: Safety, how: str) -> Safety:
    bonus = safety.bonus
    return safety if bonus is None else replace(safety, bonus=replace(bonus, ended=how))


def balance_changed(safety: Safety, coins: int) -> Safety:
    """Return the record after the balance changed by `coins` without a win or a loss."""
    tallies = {
        key: tally._replace(amount=tally.amount + coins) if key.startswith("loss/") else tally
        for key, tally in safety.tallies.items()
    }
    return replace(safety, tallies=tallies)


def _counted(safety: Safety, tally: str, amount: int, start: int) -> Safety:
    """Return the record after adding an amount to a tally of the period that began at `start`."""
    new = Tally(start, count_in(safety, tally, start) + amount)
    return replace(safety, tallies={**safety.tallies, tally: new})


def count_in(safety: Safety, tally: str, day: int) -> int:
    """Return a tally's amount in the period that began at `day`."""
    found = safety.tallies.get(tally)
    return found.amount if found is not None and found.start == day else 0


def count_of(safety: Safety, kind: LimitKind, period: Period, start: int) -> int:
    """Return the amount that counts against a limit in the period that began at `start`."""
    return count_in(safety, tally_key(kind, period), start)


def handled(
    safety: Safety, tally: str, amount: int, now: int, gaming_day: GamingDay = UTC_DAY
) -> Safety:
    """Return the record after adding, to a tally of the day, an amount that one person handled."""
    return _counted(safety, tally, amount, start_of(Period.DAY, now, gaming_day))


def _handled(safety: Safety, tally: str, event: h.Payment, gaming_day: GamingDay) -> Safety:
    """Return the record after adding a payment to a tally, unless two people handled it."""
    return safety if event.first else handled(safety, tally, event.amount, event.at, gaming_day)


def limit_of(safety: Safety, limit: LimitKind, period: Period) -> int | None:
    """Return the limit in force, the stricter of the player's and the house's, if there is one."""
    held = (safety.limits.get(limit_key(owner, limit, period), Limit()) for owner in Owner)
    return min((found.amount for found in held if found.amount is not None), default=None)


def limits_of(safety: Safety, limit: LimitKind) -> list[tuple[Period, int]]:
    """Return every limit of a kind that is in force, with its period."""
    if not safety.limits:  # the usual case
        return []
    found = ((period, limit_of(safety, limit, period)) for period in Period)
    return [(period, most) for period, most in found if most is not None]


# ---- permission to play -------------------------------------------------------------------------


def check_open(
    safety: Safety,
    now: int,
    gaming_day: GamingDay = UTC_DAY,
    *,
    others: Sequence[Safety] = (),
    to_staff: bool = False,
) -> None:
    """Raise Refused if the player or a linked player is excluded or on a break.

    Linked players are checked so that a second account cannot be used to get round an exclusion or
    a break. The message is worded for the player or, if `to_staff` is true, for staff.
    """
    who = "player" if to_staff else "you"
    if is_excluded(safety, now):
        if now < safety.excluded_until:
            key, ends = "excluded-until", safety.excluded_until
        else:
            key = "excluded-returning" if safety.returns_at else "self-excluded"
            ends = safety.returns_at
        raise Refused(Code.SELF_EXCLUDED, key, who=who, until=time_of(ends, gaming_day))
    # Refusals caused by a linked account reveal neither the account nor an end date, because the
    # account may belong to someone else.
    if any(is_excluded(other, now) for other in others):
        raise Refused(Code.SELF_EXCLUDED, "linked-excluded", who=who)
    if now < safety.break_until:
        until = time_of(safety.break_until, gaming_day)
        raise Refused(Code.ON_A_BREAK, "on-a-break", who=who, until=until)
    if any(now < other.break_until for other in others):
        raise Refused(Code.ON_A_BREAK, "linked-on-a-break", who=who)


def is_excluded(safety: Safety, now: int) -> bool:
    """Return whether a player is excluded.

    An exclusion ends only after the player has asked to return and the waiting time is over.
    """
    if not safety.excluded_until:
        return False
    return now < safety.excluded_until or not safety.returns_at or now < safety.returns_at


def check_time(safety: Safety, conduct: Conduct, now: int, *, to_staff: bool = False) -> None:
    """Raise Refused if a player has reached a time limit; worded for the player or for staff."""
    who = "player" if to_staff else "you"
    for period, most in limits_of(safety, LimitKind.TIME):
        if time_played(safety, period, now, conduct.gaming_day) >= most * MINUTE:
            until = time_of(end_of(period, now, conduct.gaming_day), conduct.gaming_day)
            raise Refused(
                Code.TIME_LIMIT, "time-limit", who=who, minutes=most, period=period, until=until
            )


def check_register(conduct: Conduct, cleared_at: int | None, now: int) -> None:
    """Raise Refused unless the exclusion register has recently confirmed that the player may play.

    If the register does not respond, the player may not play.
    """
    fresh = cleared_at is not None and 0 <= now - cleared_at < conduct.register_fresh
    if conduct.register is not None and not fresh:
        raise Refused(Code.REGISTER_SILENT, "register-silent")


def check_age(
    born: int | None,
    conduct: Conduct,
    now: int,
    least: int | None = None,
    *,
    opening: bool = False,
) -> None:
    """Raise Refused if a player is younger than the profile or the rule card (`least`) requires.

    A player of unknown age may play only if the house does not require a date of birth and the rule
    card does not raise the minimum age.
    """
    years = max(conduct.profile.minimum_age, least or 0)
    if born is None:
        if not conduct.birth_dates and years == conduct.profile.minimum_age:
            return
        raise Refused(Code.UNDER_AGE, "age-missing" if opening else "age-unknown", years=years)
    yesterday = now // DAY - 1  # in no time zone is it an earlier date now
    if age_on(born, yesterday) >= years:  # the usual case, which needs no calendar
        return
    if age_on(born, calendar_day(now, conduct.gaming_day)) < years:
        raise Refused(Code.UNDER_AGE, "under-age", years=years)


# ---- sittings -----------------------------------------------------------------------------------


def interval_of(safety: Safety, conduct: Conduct, *, guest: bool) -> int:
    """Return the time between reality checks, in milliseconds; 0 if there are none."""
    if guest and not conduct.profile.check_guests:
        return 0
    own, asked = safety.check_every * MINUTE, conduct.profile.reality_check
    return own if own and (not asked or own < asked) else asked


def check_due(safety: Safety, conduct: Conduct, now: int, *, guest: bool) -> bool:
    """Return whether a reality check is due.

    A check becomes due during a sitting, and then stays due until the player answers it.
    """
    every = interval_of(safety, conduct, guest=guest)
    if not every or not safety.seen:
        return False
    due_at = max(safety.since, safety.answered_at) + every
    return due_at <= now and due_at < safety.seen + IDLE


def wagered(safety: Safety, now: int, gaming_day: GamingDay = UTC_DAY) -> Safety:
    """Return the record after a wager, which continues the sitting or begins a new one."""
    now = max(now, safety.seen)
    if safety.seen and now - safety.seen < SEEN_EVERY:
        return safety
    since = safety.since if is_sitting(safety, now) else now
    tallies = dict(safety.tallies)
    for period in Period:
        tally = Tally(
            start_of(period, now, gaming_day), time_played(safety, period, now, gaming_day)
        )
        tallies[tally_key(LimitKind.TIME, period)] = tally
    return replace(safety, tallies=tallies, since=since, seen=now)


def is_sitting(safety: Safety, now: int) -> bool:
    """Return whether the sitting is still in progress."""
    return safety.seen > 0 and now - safety.seen < IDLE


def time_played(safety: Safety, period: Period, now: int, gaming_day: GamingDay = UTC_DAY) -> int:
    """Return the milliseconds of play in the period, up to now.

    A sitting is counted from its first wager until now or, once it is over, until a minute after
    its last recorded wager, so that the time is never too short.
    """
    start = start_of(period, now, gaming_day)
    counted = count_of(safety, LimitKind.TIME, period, start)
    if not safety.seen:
        return counted
    until = now if is_sitting(safety, now) else safety.seen + SEEN_EVERY
    return counted + max(0, until - max(safety.seen, start))


# ---- losses -------------------------------------------------------------------------------------


def check_loss(
    lost: dict[Period, int], safety: Safety, *, more: int, stands: int, now: int, conduct: Conduct
) -> None:
    """Raise Refused if staking `more` coins could lead to a loss above a limit."""
    for period, most in limits_of(safety, LimitKind.LOSS):
        if more > 0 and lost[period] + more > most:
            until = time_of(end_of(period, now, conduct.gaming_day), conduct.gaming_day)
            raise Refused(
                Code.LOSS_LIMIT,
                "loss-limit",
                most=Coins(most),
                left=Coins(max(most - lost[period], 0)),
                stands="yes" if stands else "no",
                period=period,
                until=until,
            )


def check_deposit(safety: Safety, amount: int, now: int, conduct: Conduct) -> None:
    """Raise Refused if a deposit would exceed a deposit limit."""
    for period, most in limits_of(safety, LimitKind.DEPOSIT):
        start = start_of(period, now, conduct.gaming_day)
        left = most - count_of(safety, LimitKind.DEPOSIT, period, start)
        if amount > left:
            until = time_of(end_of(period, now, conduct.gaming_day), conduct.gaming_day)
            raise Refused(
                Code.DEPOSIT_LIMIT,
                "deposit-limit",
                most=Coins(most),
                left=Coins(max(left, 0)),
                period=period,
                until=until,
            )


def warning(
    kind: LimitKind, period: Period, used: int, most: int, conduct: Conduct
) -> Message | None:
    """Return a warning if a limit is nearly reached; otherwise None.

    `used` is in coins or milliseconds, and `most` is in coins or minutes.
    """
    unit = MINUTE if kind is LimitKind.TIME else 1
    if used * 100 < most * unit * conduct.profile.warning:
        return None
    amounts = (used // MINUTE, most) if kind is LimitKind.TIME else (Coins(used), Coins(most))
    shown = dict(zip(("used", "most"), amounts, strict=True))
    return Message(f"warning-{kind}", {**shown, "period": period})
