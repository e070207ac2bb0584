"""Disputes: a round dealt and settled again under every reading that is still open (R46).

In goes a case (a player's wagers on a round, the cards of its coup and those known to follow), out
come options: for each combination of readings of the open ambiguities, what the same wagers would
have come to. A combination is one reading for each ambiguity, the same for all the player's wagers.
The rules are those pinned for the shoe. The one rule: nothing is guessed. An option that needs a
card nobody has seen yet is pending, and one under which the wagers could not have been made, or
whose cards will never be seen, is not possible.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from baccarat.core.cards import Card
from baccarat.core.coup import Coup, Deal
from baccarat.core.errors import BaccaratError
from baccarat.core.money import Rounding, format_coins, net_result
from baccarat.core.rulecard import Ambiguity, Bet, Game
from baccarat.core.wagers import RefusedBy, Wager, refusals
from baccarat.table.events import PlayerResult, WagerResult
from baccarat.table.rules import game_of

MOST_COMBINATIONS = 1024
Readings = tuple[tuple[str, str], ...]
"""Open ambiguities and a reading of each, in the card's order."""


@dataclass(frozen=True)
class Case:
    """One player's part in a settled round, as the journal has it."""

    round: int
    rules: str
    """Canonical content, as pinned for the shoe."""
    result: PlayerResult
    """What was paid."""
    agreed: tuple[tuple[str, str], ...]
    drawn: tuple[Card, ...]
    """The cards of the coup, in the order of dealing."""
    following: tuple[Card, ...] = ()
    """The cards that came out of the shoe after them, as far as they are public."""
    over: bool = False
    """The shoe has ended: no other card of it will become known."""


@dataclass(frozen=True)
class Option:
    """What a combination of readings would have come to."""

    readings: Readings
    coup: str
    """As it would have been dealt; empty while that is not known."""
    wagers: tuple[WagerResult, ...]
    pending: bool
    """It needs a card that has not been dealt yet."""
    possible: bool
    words: str

    @property
    def known(self) -> bool:
        return self.possible and not self.pending

    @property
    def net(self) -> int:
        return sum(wager.net for wager in self.wagers)


def open_questions(rules: str) -> tuple[Ambiguity, ...]:
    """The ambiguities of the rules that nobody has resolved."""
    return tuple(one for one in game_of(rules).card.ambiguities if not one.resolved)


def options(case: Case) -> tuple[Option, ...]:
    """Every combination, the one in force first."""
    asked, count = open_questions(case.rules), 1
    for one in asked:
        count *= len(one.readings)
    if count > MOST_COMBINATIONS:
        raise BaccaratError(
            f"{len(asked)} open ambiguities can be read together in {count:,} ways: "
            f"{MOST_COMBINATIONS:,} are compared; resolve some"
        )
    base = game_of(case.rules, case.agreed)
    in_force = tuple((one.id, base.readings[one.id]) for one in asked)
    every = product(*([(one.id, reading.id) for reading in one.readings] for one in asked))
    others = [readings for readings in every if readings != in_force]
    return tuple(_option(case, base, readings, in_force) for readings in (in_force, *others))


def proposed(found: Sequence[Option]) -> Option:
    """The best for the player; of equals, the one that departs least from the readings in force."""
    in_force = dict(found[0].readings)
    known = [one for one in found if one.known]
    return max(
        known,
        key=lambda one: (one.net, sum(in_force[name] == reading for name, reading in one.readings)),
    )


def _option(case: Case, base: Game, readings: Readings, in_force: Readings) -> Option:
    game = _reread(case.rules, case.agreed, readings)
    said = "As it was read." if readings == in_force else _said(base, readings, in_force)
    wagers = [(wager, _bet_of(wager, base, game)) for wager in case.result.wagers]
    refusal = _refusal(game, wagers)
    if refusal:
        words = f"{said} These wagers would not have been taken: {refusal}"
        return Option(readings, "", (), pending=False, possible=False, words=words)
    deal = Deal(game.tableau)
    for card in (*case.drawn, *case.following):
        if deal.over:
            break
        deal = deal.give(card)
    if not deal.over:
        unseen = (
            "The shoe has ended, and its next card was never seen."
            if case.over
            else f"{str(deal.turn.hand).capitalize()} would draw a card that has not been dealt "
            "yet: this option waits for it."
        )
        words = f"{said} {unseen}"
        return Option(readings, "", (), pending=not case.over, possible=not case.over, words=words)
    results = tuple(_settled(game, deal.coup, wager, bet) for wager, bet in wagers)
    net = sum(one.net for one in results)
    words = f"{said} The coup is {deal.coup.face()}; the wagers come to {_signed(net)}."
    return Option(readings, str(deal.coup), results, pending=False, possible=True, words=words)


@lru_cache(maxsize=256)
def _reread(rules: str, agreed: tuple[tuple[str, str], ...], readings: Readings) -> Game:
    """The game under other readings of its open questions."""
    base = game_of(rules, agreed)
    return base.card.game(base.parameters, {**base.readings, **dict(readings)})


def _said(base: Game, readings: Readings, in_force: Readings) -> str:
    changed = [(name, reading) for name, reading in readings if (name, reading) not in in_force]
    return " ".join(base.card.ambiguity(name).reading(reading).text for name, reading in changed)


def _bet_of(wager: WagerResult, base: Game, game: Game) -> Bet | None:
    """The bet that the wager is on under other readings; None when no single bet stands for it."""
    placed = base.bet(wager.bet)
    origin = placed.replaces or placed.id
    standing = [bet for bet in game.bets if (bet.replaces or bet.id) == origin]
    same = [bet for bet in standing if bet.id == wager.bet]
    return (same or standing)[0] if same or len(standing) == 1 else None


def _refusal(game: Game, wagers: Sequence[tuple[WagerResult, Bet | None]]) -> str:
    """Why the set could not have been made; stakes and limits were judged when it was."""
    placed = [Wager(bet.id, wager.stake) for wager, bet in wagers if bet is not None]
    company = (RefusedBy.EXCLUDES, RefusedBy.REQUIRES)
    return next((one.words for one in refusals(game, placed) if one.rule in company), "")


def _settled(game: Game, coup: Coup, wager: WagerResult, bet: Bet | None) -> WagerResult:
    if bet is None:  # there would have been no such bet: the stake comes back
        return WagerResult(wager.bet, wager.stake, 0)
    rounding = game.card.limits.rounding
    if rounding is Rounding.REFUSE:  # the stake fitted other odds: a part of a coin is the player's
        rounding = Rounding.UP
    net = net_result(wager.stake, game.pay_table.pays(coup)[bet.id], rounding)
    return WagerResult(wager.bet, wager.stake, net)


def reason(found: Sequence[Option], best: Option, paid: int) -> str:
    """Why this is proposed, in words."""
    waiting = sum(one.pending for one in found)
    wait = f" {waiting} of the options still wait for cards." if waiting else ""
    more = best.net - paid
    if more <= 0:
        return f"No open reading is better for the player than what was paid.{wait}"
    return (
        f"An ambiguous rule is read for the player until it is resolved (R46). {best.words} "
        f"{_signed(paid)} was paid, so {format_coins(more)} is due.{wait}"
    )


def _signed(coins: int) -> str:
    return f"{'−' if coins < 0 else '+' if coins else ''}{format_coins(abs(coins))}"
