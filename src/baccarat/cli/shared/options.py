"""Options that several commands share, and the games they select."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from baccarat import BaccaratError, Game, built_in_cards, load, parse_cards
from baccarat.core.money import parse_coins

CARD = "the id of a built-in rule card, or a .toml file"


def add_game(parser: argparse.ArgumentParser) -> None:
    """Add the options that select a game."""
    parser.add_argument("card", metavar="CARD", help=CARD)
    add_game_options(parser)


def add_amount(parser: argparse._ActionsContainer, option: str, words: str) -> None:
    """Add an option that takes an amount of money."""
    parser.add_argument(option, type=parse_coins, metavar="AMOUNT", help=words)


def add_file(parser: argparse.ArgumentParser, option: str, words: str, **more: Any) -> None:
    """Add an option that names a file."""
    parser.add_argument(option, type=Path, metavar="FILE", help=words, **more)


def add_card_or_all(parser: argparse.ArgumentParser) -> None:
    """Add a card argument and the option for all cards; `cards_of` reads them."""
    parser.add_argument("card", metavar="CARD", nargs="?", help=CARD)
    parser.add_argument("--all", action="store_true", help="use every built-in rule card")


def add_game_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that refine a game in addition to its card."""
    words = "set a parameter, such as tie_odds=8:1 or double_chance=10%% (repeatable)"
    _add_pairs(parser, "--set", "NAME=VALUE", dest="settings", help=words)
    parser.add_argument("--decks", metavar="N", help="number of decks, the same as --set decks=N")
    words = "choose a reading of an ambiguous rule, such as A3=literal (repeatable)"
    _add_pairs(parser, "--reading", "ID=READING", dest="readings", help=words)


def _add_pairs(parser: argparse.ArgumentParser, option: str, form: str, **more: str) -> None:
    """Add an option whose values `_pairs` reads."""
    parser.add_argument(option, action="append", default=[], metavar=form, **more)  # type: ignore[arg-type]


def add_removed(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--removed",
        type=parse_cards,
        default=(),
        metavar="CARDS",
        help='cards removed from the shoe, such as "8x3,K,Ah"; a card without a suit is removed '
        "evenly from all suits",
    )


def cards_of(args: argparse.Namespace) -> Sequence[str]:
    """Return the named card, or all built-in cards."""
    if args.all == (args.card is not None):
        raise BaccaratError("give either a rule card or --all")
    return built_in_cards() if args.all else (args.card,)


def game_of(args: argparse.Namespace, card: str | None = None) -> Game:
    """Return the game that the options select, or that of another card if one is given."""
    settings = _pairs(args.settings, "--set", "NAME=VALUE")
    if args.decks is not None and settings.setdefault("decks", args.decks) != args.decks:
        raise BaccaratError(f"--decks {args.decks} conflicts with --set decks={settings['decks']}")
    readings = _pairs(args.readings, "--reading", "ID=READING")
    return Game.of(load(card or args.card), settings, readings)


def check_range(option: str, number: int, most: int) -> None:
    """Refuse a number that is not between 1 and the maximum."""
    if not 1 <= number <= most:
        raise BaccaratError(f"{option} {number}: must be between 1 and {most:,}")


def _pairs(words: Sequence[str], option: str, form: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name or not value:
            raise BaccaratError(f"{option} {word!r}: must be written as {option} {form}")
        if pairs.setdefault(name.strip(), value.strip()) != value.strip():
            raise BaccaratError(f"{option} {name!r} is given twice: {pairs[name]} and {value}")
    return pairs
