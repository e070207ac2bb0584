"""`baccarat deal`: deal one coup, with the row of the tableau that explains each step."""

import argparse
import random
import secrets
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from rich.text import Text

from baccarat import BaccaratError, Card, Deal, Game, parse_cards
from baccarat.analysis.remaining import RemainingShoe
from baccarat.cli.shared.options import add_game, add_number, add_value, game_of
from baccarat.cli.shared.printing import Shown, answer, table
from baccarat.core.cards import total
from baccarat.core.coup import Winner
from baccarat.shoe import Shoe, ShoeRules, shuffled
from baccarat.wording.catalogue import catalogue
from baccarat.wording.dealing import reason_in_words
from baccarat.wording.rules import odds_in_words


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    words = 'deal these cards in this order, such as "5h,7d,Kc,3s,8h"'
    add_value(parser, "--cards", "CARDS", words)
    words = "random seed; `baccarat play` with the same seed starts with this coup"
    add_number(parser, "--seed", words)


def run(args: argparse.Namespace) -> int:
    game = game_of(args)
    if args.cards is not None and args.seed is not None:
        raise BaccaratError("--cards and --seed cannot be used together")
    seed = args.seed
    if seed is None and args.cards is None:
        seed = secrets.randbelow(10**9)
    cards = _cards(args.cards, game, seed)
    states = list(_states(game, cards))
    left_over = cards[len(states) - 1 :] if args.cards is not None else []
    coup = states[-1].coup
    pays = game.pay_table.pays(coup)
    document = {
        **({} if seed is None else {"seed": seed}),
        "coup": str(coup),
        "winner": coup.winner,
        "player": {"cards": [*map(str, coup.player)], "total": coup.player_total},
        "banker": {"cards": [*map(str, coup.banker)], "total": coup.banker_total},
        "steps": [step._asdict() | {"card": str(step.card)} for step in _steps(states)],
        "end": _why(states[-1]),
        "bets": [{"id": bet, "pays": pay} for bet, pay in pays.items()],
        **({"left_over": [*map(str, left_over)]} if left_over else {}),
    }
    return answer(args, document, _shown(game, states, seed, left_over), game=game)


def _cards(text: str | None, game: Game, seed: int | None) -> list[Card]:
    if text is not None:
        cards = parse_cards(text)
        RemainingShoe(game.decks, Counter(cards))  # raises an error if a card is not in the shoe
        return list(cards)
    randomness = random.Random(seed)  # noqa: S311  (a seed makes it repeatable)
    order = shuffled(decks=game.decks, randomness=randomness)
    return list(order[Shoe(order, ShoeRules(game.decks)).progress.burned :])


def _states(game: Game, cards: list[Card]) -> Iterator[Deal]:
    """Yield the states of the deal, from before the first card to after the last card."""
    deal = game.start_coup()
    yield deal
    for card in cards:
        if deal.over:
            return
        deal = deal.give(card)
        yield deal
    if not deal.over:
        due = deal.turn.hand
        raise BaccaratError(
            f"{len(cards)} cards are too few: {due} needs another ({_why(deal)}); add to --cards"
        )


class Step(NamedTuple):
    """A card dealt, the hand that got it with its total, and the row of the tableau that requires
    it."""

    hand: str
    card: Card
    total: int
    why: str


def _steps(states: Sequence[Deal]) -> Iterator[Step]:
    for before, after in pairwise(states):
        hand = str(before.turn.hand)
        cards = after.player if hand == "player" else after.banker
        yield Step(hand, cards[-1], total(cards), _why(before))


def _why(deal: Deal) -> str:
    return reason_in_words(deal.turn.reason, catalogue())


def _shown(game: Game, states: Sequence[Deal], seed: int | None, left_over: list[Card]) -> Shown:
    coup = states[-1].coup
    if seed is not None:
        yield Text(f"seed {seed}", "dim")
    rows = [[s.hand.capitalize(), face(s.card), str(s.total), s.why] for s in _steps(states)]
    yield table(["hand", "card", ">total", "reason"], [*rows, ["", "", "", _why(states[-1])]])
    result = "Tie" if coup.winner is Winner.TIE else f"{coup.winner.capitalize()} wins"
    yield Text(f"{result}: Player {coup.player_total}, Banker {coup.banker_total}.", "bold")
    yield Text(str(coup), "dim")
    pays = game.pay_table.pays(coup).items()
    paid = [f"{game.bet(bet).name} {odds_in_words(pay)}" for bet, pay in pays if pay >= 0]
    yield Text(f"Winning bets: {', '.join(paid) or 'none'}")
    if left_over:
        yield Text(f"Cards not dealt: {' '.join(card.face() for card in left_over)}", "dim")


def face(card: Card) -> Text:
    """Return a card for display, with red suits in red."""
    return Text(card.face(), "red" if card.suit in ("h", "d") else "bold")
