"""What the house knows about a player for their protection, and the checks based on it.

A `Safety` is folded from the player's events in the house journal (`after`), with running counts of
money paid in, losses and playing time, updated by the jobs that change them. What protects a player
takes effect at once, what loosens protection waits, and in doubt protection wins.
"""

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import NamedTuple

from msgspec import field
from msgspec.structs import replace

from baccarat.core.text import Coins
from baccarat.house import events as h
from baccarat.house.events import LimitKind, Owner
from baccarat.house.safety.periods import (
    HOUR,
    MINUTE,
    Period,
    age_on,
    end_of,
    start_of,
    time_of,
)
from baccarat.house.safety.profiles import Conduct
from baccarat.table import codec
from baccarat.table.events import Event
from baccarat.table.refusals import Code, Message, Refused

IDLE = HOUR // 2
"""A sitting ends after this long without a wager, as an idle session does."""
SEEN_EVERY = MINUTE
"""Precision of a sitting's times, so that a wager rarely writes more than itself."""
GRANTED = "granted/day"
"""Tally of bonus money granted to a player."""
CASH_IN, CASH_OUT = "cash-in/day", "cash-out/day"
"""Tallies of a player's cash that one person handled alone."""
GRANTED_ALONE = "granted-alone/day"
"""Tally of bonus money that a member of staff granted alone."""
DECIDED_ALONE = "decided-alone/day"
"""Tally of everything that a member of staff decided alone: dispute payments, and bonus money
granted and taken back."""


class Limit(codec.Value, frozen=True, omit_defaults=True):
    """A limit in coins or minutes."""

    amount: int | None = None
    """Limit in force; None for no limit."""
    asked: int | None = None
    from_at: int = 0
    """When the requested limit can be confirmed; 0 if none was requested."""


class Tally(NamedTuple):
    """Count in one period."""

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
    """How it ended, as "released" or "forfeited"; stakes returned later go the same way."""


class Safety(codec.Value, frozen=True, omit_defaults=True):
    """A player's protection record; times are in milliseconds since 1970, 0 for never."""

    born: int | None = None
    """Day number of the date of birth, which is not in any journal."""
    limits: dict[str, Limit] = field(default_factory=dict)
    """By `limit_key`."""
    tallies: dict[str, Tally] = field(default_factory=dict)
    """By `tally_key`, or one of the names `GRANTED` to `DECIDED_ALONE`. deposit: coins paid in;
    time: milliseconds played; loss: what the wallet would hold without any win or loss in the
    period and with nothing at stake."""
    since: int = 0
    """Start of the sitting."""
    seen: int = 0
    """Time of the last wager, to the minute."""
    check_every: int = 0
    """The player's own interval between reality checks, in minutes; 0 for the profile's."""
    answered_at: int = 0
    break_until: int = 0
    excluded_until: int = 0
    returns_at: int = 0
    """When an exclusion that has run out ends, at the player's request."""
    bonus: Grant | None = None
    partners: tuple[str, ...] = ()
    """Players who count as one with this player, sorted."""
    named: tuple[str, ...] = ()
    """Players named as partners who have not confirmed it."""
    apart: tuple[str, ...] = ()
    """Players who are not partners, as the pit has found."""
    shared: tuple[str, ...] = ()
    """Players who had signed in before with the same browser: evidence for the pit, not a link."""


NOTHING = Safety()


class Position(NamedTuple):
    """A player's results and stakes from the ledger, in coins of their own money unless stated."""

    lost: int
    """Coins lost minus coins won in rounds settled since a given time."""
    staked: int
    """Coins on all tables now."""
    staked_bonus: int = 0
    """Bonus money on all tables now."""

    @property
    def at_risk(self) -> int:
        """Amount that counts against a loss limit: settled wins reduce it, possible wins do not."""
        return self.lost + self.staked


_DECODER: codec.Decoder[Safety] = codec.Decoder(Safety)


def encode(safety: Safety) -> bytes:
    """Encode a record for the store, briefly: it is written once a minute for every player."""
    return codec.encode(safety) if safety != NOTHING else b""


@lru_cache(maxsize=4096)
def decode(body: bytes) -> Safety:
    """Decode a record that `encode` wrote."""
    return _DECODER.decode(body) if body else NOTHING


def limit_key(owner: Owner, limit: LimitKind, period: Period) -> str:
    return f"{owner}/{limit}/{period}"


@cache
def tally_key(limit: LimitKind, period: Period) -> str:
    return f"{limit}/{period}"


def after(safety: Safety, event: Event, zone: int = 0) -> Safety:
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
                start, key = start_of(period, event.at, zone), tally_key(LimitKind.DEPOSIT, period)
                safety = _counted(safety, key, event.amount, start)
            return moved(_handled(safety, CASH_IN, event, zone), event.amount)
        case h.MoneyPaidOut() | h.CashVoided():
            return moved(_handled(safety, CASH_OUT, event, zone), -event.amount)
        case h.BonusOpened():
            start = start_of(Period.DAY, event.at, zone)
            bonus = Grant(event.amount, event.wagering, event.expires_at)
            new = replace(_counted(safety, GRANTED, event.amount, start), bonus=bonus)
            return new if event.wagering else _handled(new, CASH_IN, event, zone)
        case h.BonusReleased():
            return moved(_ended(safety, "released"), event.amount)
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


def moved(safety: Safety, coins: int) -> Safety:
    """Return the record after real money moved without being won or lost."""
    tallies = {
        key: tally._replace(amount=tally.amount + coins) if key.startswith("loss/") else tally
        for key, tally in safety.tallies.items()
    }
    return replace(safety, tallies=tallies)


def _counted(safety: Safety, tally: str, amount: int, start: int) -> Safety:
    """Add an amount to a tally of the period with this start."""
    new = Tally(start, count_in(safety, tally, start) + amount)
    return replace(safety, tallies={**safety.tallies, tally: new})


def count_in(safety: Safety, tally: str, day: int) -> int:
    """Return a tally's amount in the period that began at `day`."""
    found = safety.tallies.get(tally)
    return found.amount if found is not None and found.start == day else 0


def count_of(safety: Safety, kind: LimitKind, period: Period, start: int) -> int:
    """Return what counts against a limit in the period that began at `start`."""
    return count_in(safety, tally_key(kind, period), start)


def handled(safety: Safety, tally: str, amount: int, now: int, zone: int = 0) -> Safety:
    """Add what one person handled alone to a tally of the day."""
    return _counted(safety, tally, amount, start_of(Period.DAY, now, zone))


def _handled(safety: Safety, tally: str, event: h.Payment, zone: int) -> Safety:
    """Add an event to a tally, unless two people handled it."""
    return safety if event.first else handled(safety, tally, event.amount, event.at, zone)


def limit_of(safety: Safety, limit: LimitKind, period: Period) -> int | None:
    """Return the limit in force: the stricter of the player's and the house's."""
    held = (safety.limits.get(limit_key(owner, limit, period), Limit()) for owner in Owner)
    return min((found.amount for found in held if found.amount is not None), default=None)


def limits_of(safety: Safety, limit: LimitKind) -> list[tuple[Period, int]]:
    """Return every limit of a kind that is in force."""
    if not safety.limits:  # nearly always
        return []
    found = ((period, limit_of(safety, limit, period)) for period in Period)
    return [(period, most) for period, most in found if most is not None]


# ---- permission to play -------------------------------------------------------------------------


def check_open(
    safety: Safety,
    now: int,
    zone: int = 0,
    *,
    others: Iterable[Safety] = (),
    to_staff: bool = False,
) -> None:
    """Raise Refused while the player, or someone linked with them, is excluded or on a break.

    Linked players count so that a second account is not a way round either. The message addresses
    the player, or the staff if `to_staff`.
    """
    others = tuple(others)
    who = "player" if to_staff else "you"
    if is_excluded(safety, now):
        if now < safety.excluded_until:
            key, ends = "excluded-until", safety.excluded_until
        else:
            key = "excluded-returning" if safety.returns_at else "self-excluded"
            ends = safety.returns_at
        raise Refused(Code.SELF_EXCLUDED, key, who=who, until=time_of(ends, zone))
    # The refusals for linked accounts reveal neither whose it is nor until when: it may be another
    # person's after all.
    if others and any(is_excluded(one, now) for one in others):
        raise Refused(Code.SELF_EXCLUDED, "linked-excluded", who=who)
    if now < safety.break_until:
        until = time_of(safety.break_until, zone)
        raise Refused(Code.ON_A_BREAK, "on-a-break", who=who, until=until)
    if others and any(now < one.break_until for one in others):
        raise Refused(Code.ON_A_BREAK, "linked-on-a-break", who=who)


def is_excluded(safety: Safety, now: int) -> bool:
    """Return whether a player is excluded. An exclusion lasts until the player has asked to return
    and the waiting time is over."""
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
    """Raise Refused for the first reason why a player may not wager now."""
    check_open(safety, now, conduct.zone, others=others)
    if not guest:
        check_register(conduct, cleared_at, now)
        check_age(safety.born, conduct, now, least_age)
    if check_due(safety, conduct, now, guest=guest):
        raise Refused(Code.REALITY_CHECK, "reality-check")
    check_time(safety, conduct, now)


def check_time(safety: Safety, conduct: Conduct, now: int) -> None:
    """Raise Refused if a player has played for as long as a limit on time allows."""
    for period, most in limits_of(safety, LimitKind.TIME):
        if played(safety, period, now, conduct.zone) >= most * MINUTE:
            until = time_of(end_of(period, now, conduct.zone), conduct.zone)
            raise Refused(Code.TIME_LIMIT, "time-limit", minutes=most, period=period, until=until)


def check_register(conduct: Conduct, cleared_at: int | None, now: int) -> None:
    """Refuse unless the exclusion register has recently confirmed that the player is not on it.

    No answer counts as a refusal.
    """
    if conduct.register is None:
        return
    if cleared_at is None or not 0 <= now - cleared_at < conduct.register_fresh:
        raise Refused(Code.REGISTER_SILENT, "register-silent")


def check_age(
    born: int | None,
    conduct: Conduct,
    now: int,
    least: int | None = None,
    *,
    opening: bool = False,
) -> None:
    """Refuse a player who is too young for the profile, or for the card if that requires more.

    A player of unknown age may play only if neither house nor card requires a date of birth.
    """
    years = max(conduct.profile.minimum_age, least or 0)
    if born is None:
        if not conduct.birth_dates and years == conduct.profile.minimum_age:
            return
        raise Refused(Code.UNDER_AGE, "age-missing" if opening else "age-unknown", years=years)
    if age_on(born, (now + conduct.zone * MINUTE) // (24 * HOUR)) < years:
        raise Refused(Code.UNDER_AGE, "under-age", years=years)


# ---- sittings -----------------------------------------------------------------------------------


def interval_of(safety: Safety, conduct: Conduct, *, guest: bool) -> int:
    """Return the milliseconds between reality checks; 0 for none."""
    if guest and not conduct.profile.check_guests:
        return 0
    own, asked = safety.check_every * MINUTE, conduct.profile.reality_check
    return own if own and (not asked or own < asked) else asked


def check_due(safety: Safety, conduct: Conduct, now: int, *, guest: bool) -> bool:
    """Return whether a reality check is due; it comes up in a sitting and stays until answered."""
    every = interval_of(safety, conduct, guest=guest)
    if not every or not safety.seen:
        return False
    due_at = max(safety.since, safety.answered_at) + every
    return due_at <= now and due_at < safety.seen + IDLE


def wagered(safety: Safety, now: int, zone: int = 0) -> Safety:
    """Return the record after a wager, which continues the sitting or begins a new one."""
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
    """Return whether the sitting is still in progress."""
    return safety.seen > 0 and now - safety.seen < IDLE


def played(safety: Safety, period: Period, now: int, zone: int = 0) -> int:
    """Return the milliseconds of play in the period, up to now.

    A sitting counts from its first wager to now or, once it is over, to the full minute of its last
    wager, so the time is never too short.
    """
    start = start_of(period, now, zone)
    counted = count_of(safety, LimitKind.TIME, period, start)
    if not safety.seen:
        return counted
    until = now if sits(safety, now) else safety.seen + SEEN_EVERY
    return counted + max(0, until - max(safety.seen, start))


# ---- losses -------------------------------------------------------------------------------------


def check_loss(
    lost: dict[Period, int], safety: Safety, *, more: int, stands: int, now: int, conduct: Conduct
) -> None:
    """Raise Refused if staking `more` coins could exceed a loss limit."""
    for period, most in limits_of(safety, LimitKind.LOSS):
        if more > 0 and lost[period] + more > most:
            until = time_of(end_of(period, now, conduct.zone), conduct.zone)
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
    """Raise Refused if a payment would exceed a deposit limit."""
    for period, most in limits_of(safety, LimitKind.DEPOSIT):
        start = start_of(period, now, conduct.zone)
        left = most - count_of(safety, LimitKind.DEPOSIT, period, start)
        if amount > left:
            until = time_of(end_of(period, now, conduct.zone), conduct.zone)
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
    """Return a warning if a limit is nearly reached.

    `used` is in coins or milliseconds, `most` in coins or minutes.
    """
    unit = MINUTE if kind is LimitKind.TIME else 1
    if used * 100 < most * unit * conduct.profile.warning:
        return None
    amounts = (used // MINUTE, most) if kind is LimitKind.TIME else (Coins(used), Coins(most))
    shown = dict(zip(("used", "most"), amounts, strict=True))
    return Message(f"warning-{kind}", {**shown, "period": period})
