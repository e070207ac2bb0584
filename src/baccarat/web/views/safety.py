"""Views of limits, breaks, reality checks and bonus money, for players and staff."""

from itertools import product
from typing import Any

from msgspec.structs import asdict

from baccarat.core.text import in_language
from baccarat.house.events import LimitKind, Owner
from baccarat.house.money.ledger import bonus_account
from baccarat.house.people.roles import Account
from baccarat.house.safety import periods
from baccarat.house.safety import record as sf
from baccarat.house.safety.periods import Period
from baccarat.house.safety.profiles import Conduct
from baccarat.house.safety.record import Safety
from baccarat.store.sqlstore import SqlStore
from baccarat.table.refusals import Refused
from baccarat.table.rules import game_of
from baccarat.web.schema.players import Bonus, LimitView, Play, RealityCheck, Sitting
from baccarat.web.server.site import Site
from baccarat.web.views.audit import Words
from baccarat.wording.catalogue import Catalogue


async def standing_of(
    site: Site, account: Account, t: Catalogue, *, to_staff: bool = False
) -> Play:
    """Return a player's sitting, limits, breaks and exclusions, worded for the player or staff."""
    return await site.read(_play, site, account, t, to_staff=to_staff)


def _play(store: SqlStore, site: Site, account: Account, t: Catalogue, *, to_staff: bool) -> Play:
    conduct, safety, now = site.house.conduct, store.safety(account.id), site.clock()
    words = (t, site.house.currency)
    limits = _limits(store, account, safety, conduct, now, words)
    check = _check(safety, conduct, now, guest=account.guest)
    return {
        "now": now,
        "profile": conduct.profile.name,
        "birth_date_known": safety.born is not None,
        "sitting": sitting_of(store, account, conduct, now),
        "limits": limits,
        "warnings": [limit["warning"] for limit in limits if limit["warning"]],
        "reality_check": check,
        "break_until": safety.break_until or None,
        "excluded_until": safety.excluded_until if sf.is_excluded(safety, now) else None,
        "returns_at": safety.returns_at or None,
        "blocked": _blocked(store, safety, conduct, now, words, to_staff=to_staff),
        "stake_cap": conduct.stake_cap,
        "least_exclusion_months": conduct.profile.least_exclusion,
        "longest_break_hours": conduct.profile.longest_break // periods.HOUR,
        "help": _help(site, t.language),
    }


def sitting_of(store: SqlStore, account: Account, conduct: Conduct, now: int) -> Sitting | None:
    """Return the current sitting, or the last one if its reality check is not yet answered.

    Every page takes a player's time and net result from here.
    """
    safety = store.safety(account.id)
    sits = sf.is_sitting(safety, now)
    if not sits and not sf.check_due(safety, conduct, now, guest=account.guest):
        return None
    until = now if sits else safety.seen + periods.MINUTE
    position = store.position(account.id, safety.since)
    return {
        "since": safety.since,
        "over": not sits,
        "elapsed": until - safety.since,
        "net": -position.lost,
        "staked": position.staked,
    }


def _limits(
    store: SqlStore, account: Account, safety: Safety, conduct: Conduct, now: int, words: Words
) -> list[LimitView]:
    """Return every limit in force or requested, with its owner and how much of it is used."""
    found: list[LimitView] = []
    for kind, period, owner in product(LimitKind, Period, Owner):
        held = safety.limits.get(sf.limit_key(owner, kind, period), sf.Limit())
        if held.amount is None and not held.from_at:
            continue
        start, used = periods.start_of(period, now, conduct.gaming_day), 0
        if kind is LimitKind.TIME:
            used = sf.time_played(safety, period, now, conduct.gaming_day)
        elif kind is LimitKind.DEPOSIT:
            used = sf.count_of(safety, kind, period, start)
        elif sf.limit_of(safety, kind, period) is not None:
            used = store.position(account.id, start).at_risk
        warning = None
        if held.amount is not None:
            warning = sf.warning(kind, period, used, held.amount, conduct)
        found.append(
            {
                "limit": kind,
                "period": period,
                "owner": owner,
                "amount": held.amount,
                "unit": "minutes" if kind is LimitKind.TIME else "coins",
                "used": used // periods.MINUTE if kind is LimitKind.TIME else used,
                "until": periods.end_of(period, now, conduct.gaming_day),
                "asked": {"amount": held.asked, "from": held.from_at} if held.from_at else None,
                "warning": warning.text(*words) if warning else None,
            }
        )
    return found


def _check(safety: Safety, conduct: Conduct, now: int, *, guest: bool) -> RealityCheck:
    every = sf.interval_of(safety, conduct, guest=guest)
    last = max(safety.since, safety.answered_at)
    return {
        "every": every // periods.MINUTE,
        "chosen": safety.check_every,
        "due": sf.check_due(safety, conduct, now, guest=guest),
        "due_at": last + every if every and sf.is_sitting(safety, now) else None,
    }


def _blocked(
    store: SqlStore, safety: Safety, conduct: Conduct, now: int, words: Words, *, to_staff: bool
) -> str | None:
    """Return why the player may not wager at all, or None if they may."""
    try:
        others = [store.safety(partner) for partner in safety.partners]
        sf.check_open(safety, now, conduct.gaming_day, others=others, to_staff=to_staff)
        sf.check_time(safety, conduct, now, to_staff=to_staff)
    except Refused as refused:
        return refused.text(*words)
    return None


def _help(site: Site, language: str) -> list[str]:
    """Return where to find help: the house's contacts, or those of every rule card played there."""
    house = site.house
    notices = (house.notice.on(game_of(plan.settings.rules).card) for plan in house.tables)
    contacts = (contact for notice in notices for contact in in_language(notice, language).contacts)
    return list(dict.fromkeys(contacts))


def bonus_of(store: SqlStore, player: str) -> Bonus:
    """Return the state of a player's bonus money."""
    coins, held = store.balance(bonus_account(player)), store.safety(player).bonus
    if held is None:
        return {"balance": coins, "grant": None}
    left = max(held.wagering - held.wagered, 0)
    grant: Any = {**asdict(held), "left": left, "ended": held.ended or None}
    return {"balance": coins, "grant": grant}
