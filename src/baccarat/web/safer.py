"""Playing safely: how I stand, my limits, reality checks, breaks, exclusion; and bonus money.

Everything is told with words for people, and enforced by the jobs, not here. The one rule: what a
player may know of their own protection is one request away, whatever their state.
"""

import asyncio
from typing import Annotated

from fastapi import Depends, Path, Request

from baccarat.core.money import format_coins
from baccarat.house import bonus, player_jobs
from baccarat.house import safety as sf
from baccarat.house.events import LimitKind, Owner
from baccarat.house.ledger import bonus_account, real_account
from baccarat.house.periods import (
    HOUR,
    MINUTE,
    Period,
    end_of,
    in_words,
    minutes_in_words,
    parse_date,
    start_of,
)
from baccarat.house.ports import Job
from baccarat.house.profile import Conduct, OnWithdrawal
from baccarat.house.roles import Account, Action
from baccarat.house.safety import Position, Safety
from baccarat.house.wallets import Wallet, funded
from baccarat.store.sqlstore import SqlStore
from baccarat.table.placed import Placed
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import game_of
from baccarat.table.wagering import check_wagers
from baccarat.web.answers import Routes
from baccarat.web.answers.players import Bonus, LimitTold, Play, RealityCheck, Sitting, Trial
from baccarat.web.bodies import Birth, Every, Hours, LimitBody, Months, Shown, WagersBody
from baccarat.web.site import API, Needs, Site, Table, TheSite
from baccarat.web.tables import state_of

routes = Routes(prefix=API, tags=["playing safely"])
Owns = Annotated[Account, Depends(Needs(Action.SEE_OWN_MONEY))]
Player = Annotated[Account, Depends(Needs(Action.PROTECT_ONESELF))]
Wagering = Annotated[Account, Depends(Needs(Action.WAGER))]
Protector = Annotated[Account, Depends(Needs(Action.PROTECT))]
Seer = Annotated[Account, Depends(Needs(Action.SEE_ALL_MONEY))]
TRIAL = 20
"""Points that it costs to try wagers (`Site.charge`): the chance is computed."""
Who = Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$", description="the player's account")]


@routes.get("/me/play")
async def play(site: TheSite, account: Owns) -> Play:
    """How I stand: time and result of this sitting, limits, checks, breaks, where to find help."""
    return await standing_of(site, account)


@routes.put("/me/limits/{limit}/{period}")
async def set_limit(
    limit: LimitKind, period: Period, body: LimitBody, site: TheSite, account: Player
) -> Play:
    """Limit what I pay in, lose or play: tighter at once, looser when asked again a day later."""
    return await _limit(site, account, limit, period, body.amount, account)


@routes.put("/me/birth-date")
async def give_birth_date(body: Birth, site: TheSite, account: Player) -> Play:
    """When I was born: given once, for the house alone."""
    born, conduct = parse_date(body.born), site.service.house.conduct
    assert born is not None  # noqa: S101  (the form takes days of the calendar only)
    job = player_jobs.give_birth_date(account.id, born, site.clock, conduct=conduct)
    return await _done(site, account, job)


@routes.put("/me/reality-check")
async def choose_reality_check(body: Every, site: TheSite, account: Player) -> Play:
    """How often I want to be reminded, in minutes; 0 for as often as the house asks."""
    conduct = site.service.house.conduct
    job = player_jobs.choose_reality_check(account.id, body.every, site.clock, conduct=conduct)
    return await _done(site, account, job)


@routes.post("/me/reality-check")
async def answer_reality_check(body: Shown, site: TheSite, account: Player) -> Play:
    """I have seen for how long I play and how I stand, and go on. The figures are those of
    `sitting`; an answer to figures that have changed is refused."""
    job = player_jobs.answer_reality_check(
        account.id,
        Position(-body.net, body.staked),
        site.clock,
        conduct=site.service.house.conduct,
    )
    return await _done(site, account, job)


@routes.post("/me/break")
async def take_break(body: Hours, site: TheSite, account: Player) -> Play:
    """No play for a while, from now on."""
    conduct = site.service.house.conduct
    job = player_jobs.take_break(account.id, body.hours, site.clock, conduct=conduct)
    return await _done(site, account, job)


@routes.post("/me/exclusion")
async def exclude(body: Months, site: TheSite, account: Player) -> Play:
    """No play for months, from now on; it cannot be undone."""
    conduct = site.service.house.conduct
    job = player_jobs.exclude(account.id, body.months, account.id, site.clock, conduct=conduct)
    return await _done(site, account, job)


@routes.post("/me/return")
async def ask_to_return(site: TheSite, account: Player) -> Play:
    """My exclusion is over, and I want to play again: from a day later."""
    job = player_jobs.ask_to_return(account.id, site.clock, conduct=site.service.house.conduct)
    return await _done(site, account, job)


@routes.get("/me/bonus")
async def my_bonus(site: TheSite, account: Owns) -> Bonus:
    """My bonus money, what is still to be wagered of it, and what would forfeit it."""
    return await bonus_of(site, account)


@routes.post("/me/bonus/review")
async def review_bonus(site: TheSite, account: Player) -> Bonus:
    """Release my bonus money, if its terms are met."""
    job = player_jobs.review_bonus(account.id, site.clock, conduct=site.service.house.conduct)
    await site.do(job)
    return await my_bonus(site, account)


@routes.post("/tables/{table}/wagers/trial")
async def try_wagers(
    table: Table, body: WagersBody, request: Request, site: TheSite, account: Wagering
) -> Trial:
    """Would these wagers breach the rule on bonus money (R37)? Nothing is wagered. A set that
    the rules of the table refuse, or that costs more than there is, is refused here too."""
    site.charge(request, TRIAL)
    site.plan(table).check_seat(account)
    command, state = body.of(account.id), await state_of(site, table)
    check_wagers(state, command, site.clock())
    balance = await site.service.world.keeper.read(lambda store: _wallet(store, account.id))
    known = await site.service.world.keeper.read(lambda store: store.safety(account.id))
    if not bonus.is_open(known, site.clock()):
        balance = Wallet(balance.real)
    before = state.round.placed(account.id)
    staked = Wallet(before.real, before.bonus)
    coins = funded(command.staked, balance=balance, staked=staked).bonus
    found = await asyncio.to_thread(
        bonus.together,
        state.round.wagers,
        account.id,
        Placed(command.wagers, state.agreed(account.id), coins),
        rules=state.rules,
        partners=known.partners,
    )
    return {
        "stake": found.stake,
        "bonus": found.bonus,
        "chance": f"{found.chance.numerator}/{found.chance.denominator}" if found.chance else None,
        "breaches": found.breaches,
        "would_be": site.service.house.conduct.bonus.breach,
        "words": found.words if found.breaches else "these wagers do not breach the rule",
    }


# ---- the pit ------------------------------------------------------------------------------------


@routes.get("/accounts/{who}/play")
async def play_of(who: Who, site: TheSite, _: Seer) -> Play:
    """How a player stands."""
    return await standing_of(site, await _player(site, who))


@routes.put("/accounts/{who}/limits/{limit}/{period}")
async def set_limit_of(
    who: Who, limit: LimitKind, period: Period, body: LimitBody, site: TheSite, by: Protector
) -> Play:
    """A limit of the house for a player: beside their own, and the stricter holds."""
    return await _limit(site, await _player(site, who), limit, period, body.amount, by)


@routes.post("/accounts/{who}/exclusion")
async def exclude_player(who: Who, body: Months, site: TheSite, by: Protector) -> Play:
    """Exclude a player, from now on."""
    conduct = site.service.house.conduct
    job = player_jobs.exclude(who, body.months, by.id, site.clock, conduct=conduct)
    return await _done(site, await _player(site, who), job)


async def _player(site: Site, who: str) -> Account:
    account = await site.account(who)
    if account is None:
        raise Refused(Code.NO_SUCH_ACCOUNT, f"there is no account {who!r}: check the id")
    return account


# ---- what is told -------------------------------------------------------------------------------


async def _limit(
    site: Site,
    account: Account,
    limit: LimitKind,
    period: Period,
    amount: int | None,
    by: Account,
) -> Play:
    conduct = site.service.house.conduct
    job = player_jobs.set_limit(
        account.id, limit, period, amount, by.id, site.clock, conduct=conduct
    )
    return await _done(site, account, job)


async def _done(site: Site, account: Account, job: Job) -> Play:
    await site.do(job)
    return await standing_of(site, account)


async def standing_of(site: Site, account: Account) -> Play:
    """How a player stands."""
    now = site.clock()
    return await site.service.world.keeper.read(lambda store: _told(site, store, account, now))


async def bonus_of(site: Site, account: Account) -> Bonus:
    """How a player's bonus money stands."""
    store, conduct = site.service.world.keeper, site.service.house.conduct
    coins = await store.read(lambda kept: kept.balance(bonus_account(account.id)))
    safety = await store.read(lambda kept: kept.safety(account.id))
    return _bonus(safety, coins, conduct, site.clock())


def _told(site: Site, store: SqlStore, account: Account, now: int) -> Play:
    """Everything, in figures and in words."""
    conduct, safety = site.service.house.conduct, store.safety(account.id)
    limits = _limits(store, account, safety, conduct, now)
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
        "blocked": _blocked(store, safety, conduct, now),
        "stake_cap": conduct.stake_cap,
        "least_exclusion_months": conduct.profile.least_exclusion,
        "longest_break_hours": conduct.profile.longest_break // HOUR,
        "help": _help(site),
    }


def sitting_of(store: SqlStore, account: Account, conduct: Conduct, now: int) -> Sitting | None:
    """The sitting that goes on, or the one whose reality check is still to be answered.

    Every page tells a player's time and net result from here.
    """
    safety = store.safety(account.id)
    sits = sf.sits(safety, now)
    if not sits and not sf.check_due(safety, conduct, now, guest=account.guest):
        return None
    until = now if sits else safety.seen + MINUTE
    position = store.position(account.id, safety.since)
    minutes, net = (until - safety.since) // MINUTE, -position.lost
    how = f"won {format_coins(net)}" if net >= 0 else f"lost {format_coins(-net)}"
    if position.staked:
        how += f", and {format_coins(position.staked)} more is at stake"
    return {
        "since": safety.since,
        "over": not sits,
        "elapsed": until - safety.since,
        "net": net,
        "staked": position.staked,
        "words": f"you have played for {minutes_in_words(minutes)} and {how}",
    }


def _limits(
    store: SqlStore, account: Account, safety: Safety, conduct: Conduct, now: int
) -> list[LimitTold]:
    """Every limit that holds or is asked for, whose it is, and how much of it is used."""
    found: list[LimitTold] = []
    used = {}
    for period in Period:
        used[LimitKind.TIME, period] = sf.played(safety, period, now, conduct.zone)
        start = start_of(period, now, conduct.zone)
        used[LimitKind.DEPOSIT, period] = sf.count_of(safety, LimitKind.DEPOSIT, period, start)
        if sf.limit_of(safety, LimitKind.LOSS, period) is not None:
            used[LimitKind.LOSS, period] = store.position(account.id, start).at_risk
    for kind in LimitKind:
        for period in Period:
            for owner in Owner:
                held = safety.limits.get(sf.limit_key(owner, kind, period))
                if held is None or (held.amount is None and not held.from_at):
                    continue
                spent = used.get((kind, period), 0)
                words = None
                if held.amount is not None:
                    words = sf.warning(kind, period, spent, held.amount, conduct)
                found.append(
                    {
                        "limit": kind,
                        "period": period,
                        "owner": owner,
                        "amount": held.amount,
                        "unit": "minutes" if kind is LimitKind.TIME else "coins",
                        "used": spent // MINUTE if kind is LimitKind.TIME else spent,
                        "until": end_of(period, now, conduct.zone),
                        "asked": {"amount": held.asked, "from": held.from_at}
                        if held.from_at
                        else None,
                        "warning": words,
                        "words": _limit_words(held, kind, period, owner, conduct),
                    }
                )
    return found


def _limit_words(
    held: sf.Limit, kind: LimitKind, period: Period, owner: Owner, conduct: Conduct
) -> str:
    def shown(amount: int | None) -> str:
        if amount is None:
            return "no limit"
        return minutes_in_words(amount) if kind is LimitKind.TIME else format_coins(amount)

    whose = "your limit" if owner is Owner.PLAYER else "the house's limit for you"
    words = f"{whose}: {shown(held.amount)} {kind} a {period}"
    if not held.from_at:
        return words
    when = in_words(held.from_at, conduct.zone)
    return f"{words}; {shown(held.asked)} can be confirmed from {when} on, if still wanted"


def _check(safety: Safety, conduct: Conduct, now: int, *, guest: bool) -> RealityCheck:
    every = sf.interval_of(safety, conduct, guest=guest)
    last = max(safety.since, safety.answered_at)
    return {
        "every": every // MINUTE,
        "chosen": safety.check_every,
        "due": sf.check_due(safety, conduct, now, guest=guest),
        "due_at": last + every if every and sf.sits(safety, now) else None,
    }


def _blocked(store: SqlStore, safety: Safety, conduct: Conduct, now: int) -> str | None:
    """Why nothing can be wagered at all, in words."""
    try:
        others = [store.safety(one) for one in safety.partners]
        sf.check_open(safety, now, conduct.zone, others=others)
    except Refused as refused:
        return str(refused)
    return None


def _help(site: Site) -> list[str]:
    """Where to find help: the contacts of every card that is played here."""
    cards = (game_of(plan.settings.rules).card for plan in site.service.house.tables)
    return list(dict.fromkeys(contact for card in cards for contact in card.notice.contacts))


def _wallet(store: SqlStore, account: str) -> Wallet:
    return Wallet(store.balance(real_account(account)), store.balance(bonus_account(account)))


def _bonus(safety: Safety, coins: int, conduct: Conduct, now: int) -> Bonus:
    held = safety.bonus
    if held is None:
        return {"balance": coins, "grant": None, "words": "you have no bonus"}
    left = max(held.wagering - held.wagered, 0)
    until = in_words(held.expires_at, conduct.zone)
    if held.ended:
        words = f"your bonus was {held.ended}"
    elif now >= held.expires_at:
        words = f"your bonus expired on {until}"
    elif not left:
        words = "your bonus has been wagered as agreed: it is released to your own money"
    else:
        words = (
            f"{format_coins(left)} of bonus money is still to be staked in settled rounds until "
            f"{until}; then all of it, winnings too, is yours"
        )
        if conduct.bonus.withdrawal is OnWithdrawal.FORFEIT:
            words += ". Taking your own money home before that forfeits it"
    return {
        "balance": coins,
        "grant": {
            "amount": held.amount,
            "wagering": held.wagering,
            "wagered": held.wagered,
            "left": left,
            "expires_at": held.expires_at,
            "ended": held.ended or None,
        },
        "words": words,
    }
