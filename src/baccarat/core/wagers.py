"""Wagers: which stakes a player may place together, and the reasons for refusing others.

A player's wagers for a round are checked as one set, so the order of placing never matters. The
rules are in `refusals`, which is used both to check whether a wager is allowed and to place it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from baccarat.core.bets import Bet, Offer
from baccarat.core.errors import BaccaratError
from baccarat.core.rulecard import Game
from baccarat.core.text import Alternatives, Coins, Value


@dataclass(frozen=True, slots=True)
class Wager:
    """One player's stake on one bet in one round."""

    bet: str
    stake: int
    """Stake in coins."""


class RefusedBy(StrEnum):
    """Rules by which wagers can be refused, in the order in which refusals are reported."""

    NO_SUCH_BET = "no such bet"
    TWICE = "duplicate bet"
    STAKE = "invalid stake"
    LIMITS = "table limits"
    STEP = "stake step"
    EXCLUDES = "bets cannot be combined"
    REQUIRES = "another bet is required"


@dataclass(frozen=True, slots=True)
class Refusal:
    """One reason why a set of wagers is refused."""

    rule: RefusedBy
    bet: str
    words: str
    """The reason in English."""
    values: tuple[tuple[str, Value], ...]
    """The values that the sentence contains, for translations; amounts of money are `Coins`."""


class WagerRefused(BaccaratError):
    """Raised for a set of wagers that the rules do not allow; `refusal` is the first reason."""

    def __init__(self, refusals: Sequence[Refusal]) -> None:
        super().__init__(refusals[0].words)
        self.refusal = refusals[0]
        self.refusals = tuple(refusals)


def accept(game: Game, wagers: Sequence[Wager]) -> tuple[Wager, ...]:
    """Return the wagers if the rules allow them all, or raise WagerRefused."""
    found = refusals(game, wagers)
    if found:
        raise WagerRefused(found)
    return tuple(wagers)


def refusals(game: Game, wagers: Sequence[Wager]) -> list[Refusal]:
    """Return every reason to refuse this set of wagers, sorted by RefusedBy, then by the card's
    order of bets.

    The list is empty when the set is allowed. The order of placing does not affect it.
    """
    found = _reasons(game, wagers)
    if not found:  # the usual case
        return found
    rules = list(RefusedBy)
    bets = [bet.id for bet in game.bets]

    def order(refusal: Refusal) -> tuple[int, int, str]:
        place = bets.index(refusal.bet) if refusal.bet in bets else len(bets)
        return rules.index(refusal.rule), place, refusal.bet

    return sorted(found, key=order)


def _reasons(game: Game, wagers: Sequence[Wager]) -> list[Refusal]:
    found: list[Refusal] = []
    placed: set[str] = set()
    offers = game.offers
    for wager in wagers:
        offer = offers.get(wager.bet)
        if offer is None:
            words = "unknown bet {name}: choose {bets}"
            values: dict[str, Value] = {"name": repr(wager.bet), "bets": Alternatives(offers)}
            found.append(_refusal(RefusedBy.NO_SUCH_BET, wager.bet, words, **values))
            continue
        if wager.bet in placed:
            words = "{name} is bet on twice: combine the stakes into one bet"
            found.append(_of_bet(RefusedBy.TWICE, offer.bet, words))
        placed.add(wager.bet)
        found += _stake_reasons(offer, wager.stake)
    for name in placed:
        bet = offers[name].bet
        if bet.requires or (bet.excludes and len(placed) > 1):
            found += _company_reasons(bet, offers, placed)
    return found


def _of_bet(rule: RefusedBy, bet: Bet, words: str, **values: Value) -> Refusal:
    return _refusal(rule, bet.id, words, name=bet.name, **values)


def _refusal(rule: RefusedBy, bet: str, words: str, **values: Value) -> Refusal:
    return Refusal(rule, bet, words.format(**values), (("bet", bet), *values.items()))


def unpayable(offer: Offer, stake: int) -> Refusal | None:
    """Return the reason why this stake could not be paid exactly if it won, or None; limits are
    ignored."""
    if type(stake) is not int or stake <= 0:
        words = "{name}: invalid stake {stake}: must be a positive whole number of coins"
        return _of_bet(RefusedBy.STAKE, offer.bet, words, stake=repr(stake))
    if stake % offer.step:
        words = "{name}: {stake} cannot be paid out exactly; bet a multiple of {step}"
        values = {"stake": Coins(stake), "step": Coins(offer.step)}
        return _of_bet(RefusedBy.STEP, offer.bet, words, **values)
    return None


def _stake_reasons(offer: Offer, stake: int) -> Iterator[Refusal]:
    refusal = unpayable(offer, stake)
    if refusal:
        yield refusal
    if not (refusal and refusal.rule is RefusedBy.STAKE) and not offer.least <= stake <= offer.most:
        words = "{name}: {stake} is outside the table limits; bet {least} to {most}"
        values = {"stake": stake, "least": offer.least, "most": offer.most}
        values = {name: Coins(coins) for name, coins in values.items()}
        yield _of_bet(RefusedBy.LIMITS, offer.bet, words, **values)


def _company_reasons(bet: Bet, offers: Mapping[str, Offer], placed: set[str]) -> Iterator[Refusal]:
    for other in bet.excludes:
        # When two bets exclude each other, report it only for the first.
        both_name_each_other = other in offers and bet.id in offers[other].bet.excludes
        if other in placed and not (both_name_each_other and other < bet.id):
            words = "{name} and {others} cannot be bet on in the same round: choose one of them"
            others = offers[other].bet.name
            yield _of_bet(RefusedBy.EXCLUDES, bet, words, other=other, others=others)
    if bet.requires and placed.isdisjoint(bet.requires):
        names = Alternatives(offers[name].bet.name for name in bet.requires if name in offers)
        words = "{name}: bet on {others} first"
        yield _of_bet(RefusedBy.REQUIRES, bet, words, others=names)


@dataclass(frozen=True)
class PlacedWagers:
    """One player's wagers on a round, as a table stores them."""

    wagers: tuple[Wager, ...]
    agreed: tuple[tuple[str, str], ...] = ()
    bonus: int = 0

    @property
    def staked(self) -> int:
        return sum([wager.stake for wager in self.wagers])

    @property
    def real(self) -> int:
        """Coins staked from the player's own money, not from a bonus."""
        return self.staked - self.bonus


NO_WAGERS = PlacedWagers(())
