"""Bonus money: grants, their wagering requirements, and forbidden wagers (R37).

A set of wagers breaches R37 if the probability that at least one of them wins, from a full shoe, is
more than nine in ten, and more than half of the stake is bonus money. Linked players' wagers count
together. The probability is computed exactly from the pay table of the table's game, so any rule
card works without a list of forbidden combinations.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from msgspec.structs import replace

from baccarat.analysis.counts import counter_of, total_sequences
from baccarat.analysis.remaining import remaining_shoe
from baccarat.core.money import percent_string
from baccarat.core.text import Coins
from baccarat.core.wagers import PlacedWagers
from baccarat.house import events as h
from baccarat.house.money.wallets import check_money
from baccarat.house.outcomes import Outcome, PlayerRequest
from baccarat.house.people.four_eyes import by_one_or_two
from baccarat.house.people.roles import Action, check_may
from baccarat.house.safety import record as sf
from baccarat.house.safety.periods import DAY
from baccarat.house.safety.profiles import OnWithdrawal, exceeds
from baccarat.table.codec import Values
from baccarat.table.events import Event, RoundSettled
from baccarat.table.four_eyes import subjects, terms
from baccarat.table.four_eyes.proposals import TwoPersonAction
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import game_of

NEARLY_ALWAYS = Fraction(9, 10)
MOSTLY = Fraction(1, 2)
LONGEST_GRANT = 366
"""Longest time that a grant can stay open, in days."""


@dataclass(frozen=True)
class GroupWagers:
    """The wagers of linked players on one round."""

    players: tuple[str, ...]
    bets: frozenset[str]
    stake: int
    bonus: int
    chance: Fraction
    """Probability that at least one of the bets wins."""

    @property
    def breaches(self) -> bool:
        return self.chance > NEARLY_ALWAYS and self.bonus > MOSTLY * self.stake

    @property
    def refusal(self) -> Refused:
        return Refused(
            Code.BONUS_BREACH,
            "bonus-breach",
            bonus=Coins(self.bonus),
            stake=Coins(self.stake),
            people=len(self.players),
            bets=", ".join(sorted(self.bets)),
            chance=percent_string(self.chance, 2),
        )


def combined_wagers(
    wagers: Mapping[str, PlacedWagers],
    player: str,
    placed: PlacedWagers,
    *,
    rules: str,
    partners: Iterable[str] = (),
) -> GroupWagers:
    """Return a player's new wagers combined with the wagers that linked players have placed."""
    others = {name: wagers[name] for name in partners if name in wagers and name != player}
    group = {**others, player: placed}
    bets = frozenset(wager.bet for standing in group.values() for wager in standing.wagers)
    stake = sum(standing.staked for standing in group.values())
    bonus = sum(standing.bonus for standing in group.values())
    chance = Fraction(0)
    if bonus > MOSTLY * stake:  # otherwise the chance is not needed
        chance = chance_of_a_win(rules, placed.agreed, bets)
    return GroupWagers(tuple(sorted(group)), bets, stake, bonus, chance)


@lru_cache(maxsize=4096)
def chance_of_a_win(rules: str, agreed: Values, bets: frozenset[str]) -> Fraction:
    """Return the exact probability, from a full shoe, that at least one of the bets wins."""
    game = game_of(rules, agreed)
    places = [i for i, bet in enumerate(game.bets) if bet.id in bets]
    table, shoe = game.pay_table, remaining_shoe(game)
    outcomes = table.outcomes(places)
    counts = counter_of(table, outcomes).counts(shoe)
    won = sum(
        count
        for count, pays in zip(counts, outcomes.pays, strict=True)
        if any(pay > 0 for pay in pays)
    )
    return Fraction(won) / total_sequences(shoe.size)


# ---- grants -------------------------------------------------------------------------------------


def grant(
    request: PlayerRequest, amount: int, *, times: int | None = None, days: int | None = None
) -> Outcome:
    """Grant bonus money that must be wagered `times` times within `days` days.

    The house's defaults apply if `times` or `days` is None. Two people are needed if more than
    `alone.decide` is granted to the player in a gaming day, or if one person would grant more than
    that alone in the day. They are also needed if one person would decide more than
    `alone.decide_day` alone in the day: bonus money granted and taken back, and dispute payments. A
    bonus without a wagering requirement also counts as cash.
    """
    player, by, alone, rules = request.player, request.by, request.alone, request.conduct.bonus
    times, days = rules.times if times is None else times, rules.days if days is None else days
    check_may(by, Action.GRANT_BONUS)
    check_money(player, amount)
    sf.check_open(request.safety, request.now, request.conduct.gaming_day, to_staff=True)
    today = sf.count_in(request.safety, sf.GRANTED, request.day)
    _check_terms(request, times, days)
    _check_room(request, amount, today)
    opened = (request.now, player.id, amount, by.id, alone.decide)
    day = 0 if alone.decide is None else request.day
    wagering = (amount * times, request.now + days * DAY)
    used = max(today, sf.count_in(request.asker, sf.GRANTED_ALONE, request.day))
    paid_in = sf.count_in(request.safety, sf.CASH_IN, request.day)
    outcome = by_one_or_two(
        TwoPersonAction(subjects.Bonus(player.id), terms.GrantBonus(amount, times, days), by.id),
        lambda first: h.BonusOpened(*opened, first, day, alone.decide_day, *wagering),
        two=exceeds(used + amount, alone.decide)
        or _exceeds_day(request, amount)
        or (times == 0 and exceeds(paid_in + amount, alone.cash)),
        at=request,
    )
    return request.count_alone(
        outcome, (h.BonusOpened,), amount, sf.GRANTED_ALONE, sf.DECIDED_ALONE
    )


def _check_terms(request: PlayerRequest, times: int, days: int) -> None:
    profile = request.conduct.profile
    if not 0 <= times <= profile.bonus_times:
        raise Refused(
            Code.BONUS_TERMS,
            "bonus-times",
            times=times,
            profile=profile.name,
            most=profile.bonus_times,
        )
    if not 1 <= days <= LONGEST_GRANT:
        raise Refused(Code.BONUS_TERMS, "bonus-days", days=days, most=LONGEST_GRANT)


def _check_room(request: PlayerRequest, amount: int, today: int) -> None:
    """Raise Refused if a grant exceeds the daily maximum, or if an earlier grant has money left."""
    most = request.conduct.bonus.most
    if amount > most - today:
        raise Refused(
            Code.BAD_AMOUNT,
            "bonus-room",
            amount=Coins(amount),
            most=Coins(most),
            left=Coins(max(most - today, 0)),
        )
    if request.safety.bonus is None:
        return
    there = request.balance.bonus + request.staked_bonus()  # left from the earlier grant
    if there:
        raise Refused(Code.BONUS_TERMS, "bonus-open", coins=Coins(there))


def _exceeds_day(request: PlayerRequest, amount: int) -> bool:
    """Return whether this amount takes the person above the daily limit for deciding alone."""
    used = sf.count_in(request.asker, sf.DECIDED_ALONE, request.day)
    return exceeds(used + amount, request.alone.decide_day)


def take_back(request: PlayerRequest) -> Outcome:
    """Take back all of a player's bonus money.

    The money in the wallet is taken back at once; bonus stakes at tables are forfeited when they
    are returned. Two people are needed if the total is above `alone.decide`, or if one person would
    decide more than `alone.decide_day` in the gaming day. The two people agree on the total,
    because the player can change how much of it is staked.
    """
    player, by, alone, staked = request.player, request.by, request.alone, request.staked_bonus()
    check_may(by, Action.GRANT_BONUS)
    total = request.balance.bonus + staked
    check_money(player, total)
    taken = (player.id, request.balance.bonus, h.BonusEnd.TAKEN_BACK, by.id, alone.decide)
    ending = (staked, request.day, alone.decide_day)
    outcome = by_one_or_two(
        TwoPersonAction(subjects.Bonus(player.id), terms.TakeBackBonus(total), by.id),
        lambda first: h.BonusForfeited(request.now, *taken, first, *ending),
        two=exceeds(total, alone.decide) or _exceeds_day(request, total),
        at=request,
    )
    return request.count_alone(outcome, (h.BonusForfeited,), total, sf.DECIDED_ALONE)


def review(request: PlayerRequest) -> Outcome:
    """Release bonus money if its wagering requirement is met, or forfeit it if it has expired."""
    return request.outcome(*_due(request))


def _due(request: PlayerRequest) -> tuple[Event, ...]:
    """Return the event that releases or forfeits the bonus money in the wallet, if one is due.

    Bonus stakes returned after their grant has ended are released or forfeited like the grant.
    """
    held, coins, player = request.safety.bonus, request.balance.bonus, request.player.id
    if held is None or not coins:
        return ()
    if held.ended != "forfeited" and is_met(held):
        return (h.BonusReleased(request.now, player, coins, h.STREAM),)
    if held.ended or request.now >= held.expires_at:
        return (h.BonusForfeited(request.now, player, coins, h.BonusEnd.EXPIRY, h.STREAM),)
    return ()


def on_withdrawal(request: PlayerRequest) -> tuple[Event, ...]:
    """Return the events for bonus money when the player withdraws real money.

    If a release or a forfeit is already due, that event is returned; otherwise the house rule
    applies. If the rule is to forfeit, an open grant ends even if none of its money is in the
    wallet, and bonus money returned later from stakes or a dispute is forfeited too. A grant whose
    wagering requirement is met is never forfeited by a withdrawal.
    """
    found, held, now = _due(request), request.safety.bonus, request.now
    forfeits = request.conduct.bonus.withdrawal is OnWithdrawal.FORFEIT
    if found or held is None or not is_open(request.safety, now) or is_met(held) or not forfeits:
        return found
    lost = (request.balance.bonus, h.BonusEnd.WITHDRAWAL, h.STREAM)
    staked = request.staked_bonus()
    return (h.BonusForfeited(now, request.player.id, *lost, staked=staked),)


def is_open(safety: sf.Safety, now: int) -> bool:
    """Return whether bonus money can be staked: its grant is open, or it has no grant."""
    held = safety.bonus
    return held is None or (not held.ended and now < held.expires_at)


def check_real_first(elsewhere: int) -> None:
    """Raise Refused if bonus money is staked while real money is staked at another table.

    Otherwise the player could meet the wagering requirement first and then take the real money off
    the other table without having risked it.
    """
    if elsewhere > 0:
        raise Refused(Code.BONUS_TERMS, "bonus-after-own", elsewhere=Coins(elsewhere))


def is_met(held: sf.Grant) -> bool:
    return held.wagered >= held.wagering


def wagered(event: RoundSettled, safety: Mapping[str, sf.Safety]) -> dict[str, sf.Safety]:
    """Return the records after counting the bonus money staked in a settled round.

    Stakes count towards the wagering requirement whether they won or lost.
    """
    return {
        result.player: replace(
            safety[result.player], bonus=replace(held, wagered=held.wagered + result.bonus)
        )
        for result in event.results
        if result.bonus and (held := safety[result.player].bonus) is not None and not held.ended
    }
