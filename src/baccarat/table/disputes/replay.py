"""Replays a disputed round under every reading of its open ambiguities (R46).

A case holds a player's wagers on a round, the cards of its coup and the cards known to follow. A
combination of readings is one reading for each open ambiguity, the same for all the player's
wagers. For each combination there is an option: what the same wagers would have won or lost. The
rules are those of the shoe. Unknown cards are not guessed: an option that needs a card nobody has
seen yet is pending. An option is not possible if its wagers could not have been made, or if its
cards will never be seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import prod

from baccarat.core.bets import Bet
from baccarat.core.cards import Card
from baccarat.core.coup import Coup, Deal
from baccarat.core.errors import BaccaratError
from baccarat.core.money import Rounding, net_result
from baccarat.core.printed import Ambiguity
from baccarat.core.rulecard import Game
from baccarat.core.tableau import Hand
from baccarat.core.wagers import RefusedBy, Wager, refusals
from baccarat.table.codec import Readings, Values
from baccarat.table.events import PlayerResult, WagerResult
from baccarat.table.refusals import Message, refused_by
from baccarat.table.rules import game_of

MAX_COMBINATIONS = 1024


@dataclass(frozen=True)
class Case:
    """One player's part in a settled round, as recorded in the journal."""

    round: int
    rules: str
    """Canonical content of the rules of the shoe."""
    result: PlayerResult
    """What was paid."""
    drawn: tuple[Card, ...]
    """The cards of the coup, in the order of dealing."""
    following: tuple[Card, ...] = ()
    """The cards that left the shoe after the coup, up to the first that is not public."""
    over: bool = False
    """Whether no more cards of the shoe will become known."""
    settled_at: int = 0
    listed: tuple[str, ...] = ()
    """Ambiguities listed by the house that are part of `rules`."""
    owed: tuple[str, ...] = ()
    """Ambiguities listed because of this dispute that cannot be replayed; the dispute must be
    paid."""
    cited: tuple[str, ...] = ()
    """Ambiguities cited by the dispute that cannot be replayed; the dispute must be paid unless two
    people find that the ambiguities do not concern it."""
    withdrawn: tuple[str, ...] = ()
    """Ambiguities that applied to this dispute until two people withdrew them."""
    involved: frozenset[str] = frozenset()
    """People who may not answer or pay a dispute over the round alone: its dealers and, once the
    house has added them, those who opened the dealers' accounts or issued their passwords."""


@dataclass(frozen=True)
class Option:
    """The result of the wagers under one combination of readings."""

    readings: Readings
    coup: str
    """The coup as it would have been dealt; empty if that is not known."""
    wagers: tuple[WagerResult, ...]
    pending: bool
    """Whether the option needs a card that is not known yet."""
    possible: bool
    refusal: Message | None = None
    """Why the wagers could not have been made; None if they could."""
    hand: Hand | None = None
    """The hand that would draw a card nobody has seen, if any."""

    @property
    def known(self) -> bool:
        return self.possible and not self.pending

    @property
    def net(self) -> int:
        return sum(wager.net for wager in self.wagers)


def open_questions(rules: str) -> tuple[Ambiguity, ...]:
    """Return the ambiguities of the rules that have not been resolved."""
    return tuple(
        ambiguity for ambiguity in game_of(rules).card.ambiguities if not ambiguity.resolved
    )


def options(case: Case) -> tuple[Option, ...]:
    """Return an option for every combination of readings; the combination in force comes first."""
    asked = open_questions(case.rules)
    count = prod(len(one.readings) for one in asked)
    if count > MAX_COMBINATIONS:
        raise BaccaratError(
            f"{len(asked)} open ambiguities have {count:,} combinations of readings, and at most "
            f"{MAX_COMBINATIONS:,} can be compared: resolve some"
        )
    base = game_of(case.rules, case.result.agreed)
    in_force = tuple((one.id, base.readings[one.id]) for one in asked)
    every = product(*([(one.id, reading.id) for reading in one.readings] for one in asked))
    others = [readings for readings in every if readings != in_force]
    return tuple(_option(case, base, readings) for readings in (in_force, *others))


def proposed(found: Sequence[Option]) -> Option:
    """Return the option that pays the player most.

    Of several that pay the same, return the one that keeps the most readings in force.
    """
    in_force = dict(found[0].readings)
    known = [one for one in found if one.known]
    return max(
        known,
        key=lambda one: (one.net, sum(in_force[name] == reading for name, reading in one.readings)),
    )


def _option(case: Case, base: Game, readings: Readings) -> Option:
    game = _game_with_readings(case.rules, case.result.agreed, readings)
    wagers = [(wager, _bet_of(wager, base, game)) for wager in case.result.wagers]
    refusal = _refusal(game, wagers)
    if refusal:
        return Option(readings, "", (), pending=False, possible=False, refusal=refusal)
    deal = Deal(game.tableau)
    for card in (*case.drawn, *case.following):
        if deal.over:
            break
        deal = deal.give(card)
    if not deal.over:
        hand, waits = deal.turn.hand, not case.over
        return Option(readings, "", (), pending=waits, possible=waits, hand=hand)
    results = tuple(_settled(game, deal.coup, wager, bet) for wager, bet in wagers)
    return Option(readings, str(deal.coup), results, pending=False, possible=True)


@lru_cache(maxsize=256)
def _game_with_readings(rules: str, agreed: Values, readings: Readings) -> Game:
    """Return the game with these readings of its open ambiguities."""
    base = game_of(rules, agreed)
    return Game.of(base.card, base.parameters, {**base.readings, **dict(readings)})


def _bet_of(wager: WagerResult, base: Game, game: Game) -> Bet | None:
    """Return the wager's bet under other readings; None if no single bet corresponds to it."""
    placed = base.bet(wager.bet)
    origin = placed.replaces or placed.id
    alike = [bet for bet in game.bets if (bet.replaces or bet.id) == origin]
    same = [bet for bet in alike if bet.id == wager.bet]
    return (same or alike)[0] if same or len(alike) == 1 else None


def _refusal(game: Game, wagers: Sequence[tuple[WagerResult, Bet | None]]) -> Message | None:
    """Return why the wagers could not be combined, or None; stakes and limits are not checked."""
    placed = [Wager(bet.id, wager.stake) for wager, bet in wagers if bet is not None]
    company = (RefusedBy.EXCLUDES, RefusedBy.REQUIRES)
    found = (
        refused_by(refusal).message for refusal in refusals(game, placed) if refusal.rule in company
    )
    return next(found, None)


def _settled(game: Game, coup: Coup, wager: WagerResult, bet: Bet | None) -> WagerResult:
    if bet is None:  # the bet would not have existed: the stake is returned
        return WagerResult(wager.bet, wager.stake, 0)
    rounding = game.card.limits.rounding
    if rounding is Rounding.REFUSE:  # the stake was chosen for other odds, so round up
        rounding = Rounding.UP
    net = net_result(wager.stake, game.pay_table.pays(coup)[bet.id], rounding)
    return WagerResult(wager.bet, wager.stake, net)
