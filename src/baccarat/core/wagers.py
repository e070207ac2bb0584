"""Wagers: which stakes a player may put down together, and why others are refused.

A player's wagers for a round are one set, judged as a whole, so that the order of placing never
matters. `refusals` is the only place where legality is written; asking and doing share it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from baccarat.core.errors import BaccaratError, one_of
from baccarat.core.rulecard import Bet, Game, Offer
from baccarat.core.text import Coins, Sentence, say


@dataclass(frozen=True, slots=True)
class Wager:
    """One player's stake on one bet in one round."""

    bet: str
    stake: int
    """In coins."""


class RefusedBy(StrEnum):
    """The rule that forbids a wager, in the order in which refusals are reported."""

    NO_SUCH_BET = "no such bet"
    TWICE = "one wager per bet"
    STAKE = "a stake is a whole number of coins above zero"
    LIMITS = "limits of the table"
    STEP = "stake step"
    EXCLUDES = "may not be combined"
    REQUIRES = "needs another wager"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a set of wagers is not accepted."""

    rule: RefusedBy
    bet: str
    said: Sentence

    @property
    def words(self) -> str:
        return str(self.said)


class WagerRefused(BaccaratError):
    """A set of wagers that the rules do not allow; `refusal` is the first reason."""

    def __init__(self, refusals: Sequence[Refusal]) -> None:
        super().__init__(refusals[0].words)
        self.refusal = refusals[0]
        self.refusals = tuple(refusals)


def accept(game: Game, wagers: Sequence[Wager]) -> tuple[Wager, ...]:
    """The wagers, or WagerRefused."""
    found = refusals(game, wagers)
    if found:
        raise WagerRefused(found)
    return tuple(wagers)


def refusals(game: Game, wagers: Sequence[Wager]) -> list[Refusal]:
    """Every reason against this set, in the order of RefusedBy, then of the card's bets.

    Empty when the set is allowed; the order of placing never changes what is named first.
    """
    found = _reasons(game, wagers)
    if not found:  # as nearly always
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
            said = say(
                "there is no bet {name} here: the bets are {bets}",
                bet=wager.bet,
                name=repr(wager.bet),
                bets=one_of(offers),
            )
            found.append(Refusal(RefusedBy.NO_SUCH_BET, wager.bet, said))
            continue
        if wager.bet in placed:
            words = "{name} has two wagers: put the stakes together into one"
            found.append(_refusal(RefusedBy.TWICE, offer.bet, words))
        placed.add(wager.bet)
        found += _stake_reasons(offer, wager.stake)
    for name in placed:
        bet = offers[name].bet
        if bet.requires or (bet.excludes and len(placed) > 1):
            found += _company_reasons(bet, offers, placed)
    return found


def _refusal(rule: RefusedBy, bet: Bet, words: str, **values: str | int) -> Refusal:
    return Refusal(rule, bet.id, say(words, bet=bet.id, name=bet.name, **values))


def _stake_reasons(offer: Offer, stake: object) -> Iterable[Refusal]:
    bet, least, most, step = offer
    if not isinstance(stake, int) or isinstance(stake, bool) or stake <= 0:
        words = "{name}: a stake of {stake} coins is not a whole number above zero"
        return [_refusal(RefusedBy.STAKE, bet, words, stake=repr(stake))]
    found = []
    if not least <= stake <= most:
        words = "{name}: a stake of {stake} is outside the limits of the table, {least} to {most}"
        values = {"stake": Coins(stake), "least": Coins(least), "most": Coins(most)}
        found.append(_refusal(RefusedBy.LIMITS, bet, words, **values))
    if stake % step:
        words = "{name}: a stake of {stake} would not pay whole coins; stake a multiple of {step}"
        values = {"stake": Coins(stake), "step": Coins(step)}
        found.append(_refusal(RefusedBy.STEP, bet, words, **values))
    return found


def _company_reasons(bet: Bet, offers: Mapping[str, Offer], placed: set[str]) -> Iterator[Refusal]:
    for other in bet.excludes:
        # Exclusion is mutual; of two bets that name each other only the first complains.
        both_name_each_other = other in offers and bet.id in offers[other].bet.excludes
        if other in placed and not (both_name_each_other and other < bet.id):
            words = "{name} and {others} may not both be wagered on in one coup: choose one of them"
            others = offers[other].bet.name
            yield _refusal(RefusedBy.EXCLUDES, bet, words, other=other, others=others)
    if bet.requires and placed.isdisjoint(bet.requires):
        names = one_of(offers[name].bet.name for name in bet.requires if name in offers)
        words = "{name} needs a wager on {others} in the same coup"
        yield _refusal(RefusedBy.REQUIRES, bet, words, others=names)
