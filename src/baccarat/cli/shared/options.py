"""Options that several commands share, and the game that they select."""

import argparse
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from baccarat import BaccaratError, Game, built_in_cards, load, parse_cards
from baccarat.core.money import parse_coins

CARD = "the id of a built-in rule card or of one in the catalogue, or a .toml file"


def add_game(parser: argparse.ArgumentParser) -> None:
    """Add the options that select a game."""
    add_value(parser, "card", "CARD", CARD)
    add_game_options(parser)


def add_value(
    parser: argparse._ActionsContainer, name: str, metavar: str | None, words: str, **more: Any
) -> None:
    """Add an argument or option that takes a value; its help text shows the default, if there is
    one."""
    default = more.get("default")
    shown = " (default: %(default)s)" if default or default == 0 else ""
    parser.add_argument(name, metavar=metavar, help=words + shown, **more)


def add_number(
    parser: argparse._ActionsContainer, option: str, words: str, default: int | None = None
) -> None:
    """Add an option that takes a whole number."""
    add_value(parser, option, "N", words, type=int, default=default)


def add_seconds(
    parser: argparse._ActionsContainer, option: str, words: str, most: int, **more: Any
) -> None:
    """Add an option that takes a number of seconds, at most `most`."""

    def seconds(text: str) -> float:
        with suppress(ValueError):
            if 0 <= float(text) <= most:
                return float(text)
        raise argparse.ArgumentTypeError(f"must be between 0 and {most} seconds, not {text!r}")

    add_value(parser, option, "SECONDS", words, type=seconds, **more)


def add_amount(parser: argparse._ActionsContainer, option: str, words: str) -> None:
    """Add an option that takes an amount of money."""
    add_value(parser, option, "AMOUNT", words, type=parse_coins)


def add_file(parser: argparse._ActionsContainer, option: str, words: str) -> None:
    """Add an option that names a file."""
    add_value(parser, option, "FILE", words, type=Path)


def add_choice(
    parser: argparse._ActionsContainer,
    option: str,
    choices: Iterable[str],
    words: str,
    default: str | None = None,
) -> None:
    """Add an option whose value is one of these words."""
    add_value(parser, option, None, words, choices=[*map(str, choices)], default=default)


def add_cards(parser: argparse._ActionsContainer, option: str, words: str) -> None:
    """Add an option that takes a list of cards."""
    add_value(parser, option, "CARDS", words, type=parse_cards, default=())


def add_card_or_all(parser: argparse.ArgumentParser) -> None:
    """Add a rule card argument and the option --all; `cards_of` reads both."""
    add_value(parser, "card", "CARD", CARD, nargs="?")
    parser.add_argument("--all", action="store_true", help="use every built-in rule card")


def add_game_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that change a game's parameters and readings."""
    repeatable: Any = {"action": "append", "default": []}
    words = "set a parameter, such as tie_odds=8:1 or double_chance=10%% (repeatable)"
    add_value(parser, "--set", "NAME=VALUE", words, dest="settings", **repeatable)
    add_value(parser, "--decks", "N", "number of decks, the same as --set decks=N")
    words = "choose a reading of an ambiguous rule, such as A3=literal (repeatable)"
    add_value(parser, "--reading", "ID=READING", words, dest="readings", **repeatable)


def add_removed(parser: argparse.ArgumentParser) -> None:
    words = 'cards removed from the shoe, such as "8x3,K,Ah"; a card without a suit is removed '
    add_cards(parser, "--removed", words + "evenly from all suits")


def cards_of(args: argparse.Namespace) -> Sequence[str]:
    """Return the name of the given rule card, or the ids of all built-in ones."""
    if args.all == (args.card is not None):
        raise BaccaratError("give either a rule card or --all")
    return built_in_cards() if args.all else (args.card,)


def game_of(args: argparse.Namespace, card: str | None = None) -> Game:
    """Return the game that the options select; `card` overrides the card given in the options."""
    settings = _pairs(args.settings, "--set", "NAME=VALUE")
    if args.decks is not None and settings.setdefault("decks", args.decks) != args.decks:
        raise BaccaratError(f"--decks {args.decks} conflicts with --set decks={settings['decks']}")
    readings = _pairs(args.readings, "--reading", "ID=READING")
    return Game.of(load(card or args.card), settings, readings)


def check_range(option: str, number: int, least: int, most: int | None = None) -> None:
    """Raise an error if a number is not between the minimum and the maximum."""
    if number < least or (most is not None and number > most):
        allowed = f"{least} or more" if most is None else f"between {least} and {most:,}"
        raise BaccaratError(f"{option} {number}: must be {allowed}")


def _pairs(words: Sequence[str], option: str, form: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name or not value:
            raise BaccaratError(f"{option} {word!r}: must be written as {option} {form}")
        if pairs.setdefault(name.strip(), value.strip()) != value.strip():
            raise BaccaratError(f"{option} {name!r} is given twice: {pairs[name]} and {value}")
    return pairs
