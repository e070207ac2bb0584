"""`baccarat deal`: one coup, each step explained by the row of the tableau that decided it."""

import argparse
import random
import secrets
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from rich.text import Text

from baccarat.analysis.remaining import RemainingShoe
from baccarat.cli.common import (
    add_game,
    add_json,
    add_row,
    console,
    game_of,
    header_json,
    header_words,
    print_json,
    table,
)
from baccarat.core.cards import Card, parse_cards, total
from baccarat.core.coup import Coup, Deal
from baccarat.core.errors import BaccaratError
from baccarat.core.money import ratio
from baccarat.core.rulecard import Game
from baccarat.core.words import odds_in_words
from baccarat.shoe import shuffled


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument(
        "--cards",
        metavar="CARDS",
        help='deal these, in order, such as "5h,7d,Kc,3s,8h"; the first goes to the player',
    )
    parser.add_argument("--seed", type=int, help="shuffle by this number, to repeat a coup")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    game = game_of(args)
    if args.cards is not None and args.seed is not None:
        raise BaccaratError("--cards and --seed both say what is dealt: name one")
    seed = args.seed
    if seed is None and args.cards is None:
        seed = secrets.randbelow(10**9)
    cards = _cards(args.cards, game, seed)
    steps = list(_steps(game, cards))
    left_over = cards[len(steps) - 1 :] if args.cards is not None else []
    coup = steps[-1].coup
    if args.json:
        print_json(_json(game, seed, steps, coup) | _left_over_json(left_over))
    else:
        _print(game, seed, steps, coup)
        if left_over:
            words = " ".join(card.face() for card in left_over)
            console().print(Text(f"Not needed: {words}", style="dim"))
    return 0


def _cards(text: str | None, game: Game, seed: int | None) -> list[Card]:
    if text is not None:
        cards = parse_cards(text)
        RemainingShoe(game.decks, Counter(cards))  # refuses a card the shoe does not hold
        return list(cards)
    randomness = random.Random(seed)  # noqa: S311  (a seed is there to be repeated)
    return list(shuffled(decks=game.decks, randomness=randomness))


def _steps(game: Game, cards: list[Card]) -> Iterator[Deal]:
    """The states of the deal, from the first question to the last answer."""
    deal = Deal(game.tableau)
    yield deal
    for card in cards:
        if deal.over:
            return
        deal = deal.give(card)
        yield deal
    if not deal.over:
        due = deal.turn
        raise BaccaratError(
            f"{len(cards)} cards are too few: {due.hand} is due another ({due.why}); add to --cards"
        )


def _json(game: Game, seed: int | None, steps: list[Deal], coup: Coup) -> dict[str, Any]:
    data = header_json(game) | ({} if seed is None else {"seed": seed})
    explained = []
    for before, after in pairwise(steps):
        hand = before.turn.hand
        cards = after.player if hand == "player" else after.banker
        step = {"hand": hand, "card": str(cards[-1]), "total": total(cards), "why": before.turn.why}
        explained.append(step)
    pays = game.pay_table.pays(coup)
    return data | {
        "coup": str(coup),
        "winner": coup.winner,
        "player": {"cards": [*map(str, coup.player)], "total": coup.player_total},
        "banker": {"cards": [*map(str, coup.banker)], "total": coup.banker_total},
        "steps": explained,
        "end": steps[-1].turn.why,
        "bets": [{"id": bet, "pays": ratio(pay)} for bet, pay in pays.items()],
    }


def _print(game: Game, seed: int | None, steps: list[Deal], coup: Coup) -> None:
    out = console()
    out.print(Text(header_words(game), style="bold"))
    if seed is not None:
        out.print(Text(f"seed {seed}", style="dim"))
    listing = table("to", "card", ">total", "because")
    for before, after in pairwise(steps):
        hand = before.turn.hand
        cards = after.player if hand == "player" else after.banker
        name = str(hand).capitalize()
        add_row(listing, [name, face(cards[-1]), str(total(cards)), before.turn.why])
    add_row(listing, ["", "", "", steps[-1].turn.why])
    out.print(listing)
    result = "Tie" if coup.winner == "tie" else f"{coup.winner.capitalize()} wins"
    totals = f"Player {coup.player_total}, Banker {coup.banker_total}."
    out.print(Text(f"{result}: {totals}", style="bold"))
    out.print(Text(str(coup), style="dim"))
    paid = [
        f"{game.bet(bet).name} {odds_in_words(pay)}"
        for bet, pay in game.pay_table.pays(coup).items()
        if pay >= 0
    ]
    out.print(Text("Paid: " + (", ".join(paid) if paid else "nothing")))


def _left_over_json(cards: list[Card]) -> dict[str, list[str]]:
    return {"left_over": [str(card) for card in cards]} if cards else {}


def face(card: Card) -> Text:
    """A card for people, red suits in red."""
    return Text(card.face(), style="red" if card.suit in ("h", "d") else "bold")
