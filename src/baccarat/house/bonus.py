"""Bonus money: terms of a grant, what counts towards them, and wagers that breach the rule (R37).

A set of wagers breaches when one of them wins on more than nine coups in ten of a full shoe, and
more than half of what is staked is bonus money. Linked players' wagers count together. The chance
is exact: coups are counted from the pay table of the table's game, whatever its card. The one rule:
no list of forbidden combinations; the pay table says it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from baccarat.analysis.counts import OutcomeCounter, total_sequences
from baccarat.analysis.edges import analyse
from baccarat.analysis.remaining import remaining_shoe
from baccarat.core.money import format_coins, percent_string
from baccarat.house import events as h
from baccarat.house.outcomes import Moment, Outcome, check_money, in_house
from baccarat.house.periods import DAY, Period, start_of
from baccarat.house.profile import OnWithdrawal
from baccarat.house.roles import Account, Action, check_may
from baccarat.house.safety import (
    CASH_IN,
    GRANTED_ALONE,
    NOTHING,
    Grant,
    Safety,
    check_open,
    granted,
    handled,
    handled_alone,
)
from baccarat.house.seconding import decided
from baccarat.house.wallets import Wallet
from baccarat.table.events import Event, RoundSettled
from baccarat.table.placed import Placed
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import game_of
from baccarat.table.twopeople import Motion, giving

NEARLY_ALWAYS = Fraction(9, 10)
MOSTLY = Fraction(1, 2)
LONGEST_GRANT = 366
"""Days."""
TAKING_BACK = "back"
"""The first word of the terms of a proposal to take bonus money back."""
Agreed = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Together:
    """The wagers of linked players on a round."""

    players: tuple[str, ...]
    bets: frozenset[str]
    stake: int
    bonus: int
    chance: Fraction
    """That at least one of them wins."""

    @property
    def breaches(self) -> bool:
        return self.chance > NEARLY_ALWAYS and self.bonus > MOSTLY * self.stake

    @property
    def words(self) -> str:
        who = "" if len(self.players) == 1 else f" of {' and '.join(self.players)} together"
        percent = percent_string(self.chance, 2)
        return (
            f"{format_coins(self.bonus)} of the {format_coins(self.stake)} staked{who} is bonus "
            f"money, and one of {', '.join(sorted(self.bets))} wins on {percent} of coups: with "
            "mostly bonus money that may be 90% at most (R37); stake less of it, or on fewer bets"
        )


def together(
    wagers: Mapping[str, Placed],
    player: str,
    placed: Placed,
    *,
    rules: str,
    partners: Iterable[str] = (),
) -> Together:
    """A player's set with the standing wagers of those who count as one with them."""
    others = {one: wagers[one] for one in partners if one in wagers and one != player}
    group = {**others, player: placed}
    bets = frozenset(wager.bet for one in group.values() for wager in one.wagers)
    stake = sum(one.staked for one in group.values())
    bonus = sum(one.bonus for one in group.values())
    chance = Fraction(0)
    if bonus > MOSTLY * stake:  # only then does it matter
        chance = chance_of_a_win(rules, placed.agreed, bets)
    return Together(tuple(sorted(group)), bets, stake, bonus, chance)


@lru_cache(maxsize=4096)
def chance_of_a_win(rules: str, agreed: Agreed, bets: frozenset[str]) -> Fraction:
    """The exact chance that at least one of the bets pays more than its stake, from a full shoe."""
    game = game_of(rules, agreed)
    places = [i for i, bet in enumerate(game.bets) if bet.id in bets]
    if len(places) == 1:
        return _hits(rules, agreed)[game.bets[places[0]].id]
    table, shoe = game.pay_table, remaining_shoe(game)
    outcomes = table.outcomes(places)
    counts = OutcomeCounter(table, outcomes).counts(shoe)
    won = sum(
        count
        for count, pays in zip(counts, outcomes.pays, strict=True)
        if any(pay > 0 for pay in pays)
    )
    return Fraction(won) / total_sequences(shoe.size)


@lru_cache(maxsize=64)
def _hits(rules: str, agreed: Agreed) -> dict[str, Fraction]:
    return {one.bet.id: one.hit for one in analyse(game_of(rules, agreed))}


# ---- grants -------------------------------------------------------------------------------------


def grant(
    player: Account,
    amount: int,
    *,
    times: int | None = None,
    days: int | None = None,
    balance: Wallet,
    staked: int = 0,
    by: Account,
    at: Moment,
    alone: int | None = None,
    cash_alone: int | None = None,
    granter: Safety = NOTHING,
) -> Outcome:
    """Bonus money on terms: wagered so often before it is released, within so many days.

    In a gaming day one person grants at most `alone` coins, to a player and in all; above it, two
    people do. What need not be wagered is cash in all but name, and also counts as cash.
    `granter` is what is known of the one who grants.
    """
    check_may(by, Action.GRANT_BONUS)
    check_money(player, amount)
    check_open(at.safety, at.now, at.conduct.zone, to_staff=True)
    rules, most = at.conduct.bonus, at.conduct.profile.bonus_times
    times, days = rules.times if times is None else times, rules.days if days is None else days
    if not 0 <= times <= most:
        words = f"{times} times: {at.conduct.profile.name} allows a bonus to be wagered {most}"
        raise Refused(Code.BONUS_TERMS, f"{words} times at most")
    if not 1 <= days <= LONGEST_GRANT:
        words = f"{days} days: a bonus is open for 1 to {LONGEST_GRANT}"
        raise Refused(Code.BONUS_TERMS, words)
    day = start_of(Period.DAY, at.now, at.conduct.zone)
    today = granted(at.safety, at.now, at.conduct.zone)
    left = rules.most - today
    if amount > left:
        raise Refused(
            Code.BAD_AMOUNT,
            f"{format_coins(amount)} of bonus money: this house grants a player at most "
            f"{format_coins(rules.most)} a day, and {format_coins(max(left, 0))} is left of it; "
            "grant less, or let the house file say more ([bonus] most)",
        )
    there = balance.bonus + staked  # what comes back of a stake is the earlier grant's
    if at.safety.bonus is not None and there:
        words = f"{format_coins(there)} of bonus money is still there: one grant at a time"
        raise Refused(Code.BONUS_TERMS, f"{words}; wait until it is released, forfeited or lost")
    expires_at = at.now + days * DAY
    words = (
        f"{format_coins(amount)} of bonus money for {player.id}, to be wagered {times} times "
        f"within {days} days"
    )
    opened = (player.id, amount, amount * times, expires_at, by.id, alone)
    used = max(today, handled_alone(granter, GRANTED_ALONE, day))
    paid_in = handled_alone(at.safety, CASH_IN, day)
    as_cash = times == 0 and cash_alone is not None and paid_in + amount > cash_alone
    outcome = decided(
        Motion(giving(player.id), f"{amount} {times} {days}", words, by.id),
        lambda first: h.BonusOpened(at.now, *opened, first, 0 if alone is None else day),
        two=(alone is not None and used + amount > alone) or as_cash,
        at=at,
        player=player.id,
    )
    if all(not isinstance(one, h.BonusOpened) or one.first for one in outcome.events):
        return outcome
    after = handled(granter, GRANTED_ALONE, amount, at.now, at.conduct.zone)
    return outcome._replace(safety={**outcome.safety, by.id: after})


def take_back(
    player: Account, *, balance: Wallet, by: Account, at: Moment, alone: int | None = None
) -> Outcome:
    """The pit takes bonus money back; above what one person may, two do."""
    check_may(by, Action.GRANT_BONUS)
    check_money(player, balance.bonus)
    words = f"the bonus money of {player.id}, {format_coins(balance.bonus)}, is to be taken back"
    taken = (player.id, balance.bonus, h.BonusEnd.TAKEN_BACK, by.id, alone)
    return decided(
        Motion(giving(player.id), f"{TAKING_BACK} {balance.bonus}", words, by.id),
        lambda first: h.BonusForfeited(at.now, *taken, first),
        two=alone is not None and balance.bonus > alone,
        at=at,
        player=player.id,
    )


def review(player: str, *, balance: Wallet, at: Moment) -> Outcome:
    """Release bonus money whose terms are met, or take it back when its time is over."""
    return in_house(at, *due(player, balance, at), player=player)


def due(player: str, balance: Wallet, at: Moment) -> tuple[Event, ...]:
    """What is due; what comes back of a stake after a grant has ended goes the grant's way."""
    held, coins = at.safety.bonus, balance.bonus
    if held is None or not coins:
        return ()
    if held.ended != "forfeited" and is_met(held):
        return (h.BonusReleased(at.now, player, coins, h.STREAM),)
    if held.ended or at.now >= held.expires_at:
        return (h.BonusForfeited(at.now, player, coins, h.BonusEnd.EXPIRY, h.STREAM),)
    return ()


def on_withdrawal(
    player: str, balance: Wallet, at: Moment, *, staked: Callable[[], int] = lambda: 0
) -> tuple[Event, ...]:
    """What becomes of bonus money when real money is taken home: what is due, or the house rule.

    Where the rule forfeits, an open grant ends, although none of its money may be in the wallet:
    what comes back later, of stakes (`staked`, read from the ledger where it matters) or by a
    dispute, is forfeited too. What has been wagered as agreed stays the player's.
    """
    found, held = due(player, balance, at), at.safety.bonus
    forfeits = at.conduct.bonus.withdrawal is OnWithdrawal.FORFEIT
    if found or held is None or not is_open(at.safety, at.now) or is_met(held) or not forfeits:
        return found
    end = h.BonusEnd.WITHDRAWAL
    return (h.BonusForfeited(at.now, player, balance.bonus, end, h.STREAM, staked=staked()),)


def is_open(safety: Safety, now: int) -> bool:
    """Can bonus money be staked? Money without a grant has no terms, and can."""
    held = safety.bonus
    return held is None or (not held.ended and now < held.expires_at)


def is_met(held: Grant) -> bool:
    return held.wagered >= held.wagering


def wagered(event: RoundSettled, safety: Mapping[str, Safety]) -> dict[str, Safety]:
    """What counts: bonus money staked in a settled round, whatever became of it."""
    return {
        one.player: replace(
            safety[one.player], bonus=replace(held, wagered=held.wagered + one.bonus)
        )
        for one in event.results
        if one.bonus and (held := safety[one.player].bonus) is not None and not held.ended
    }
