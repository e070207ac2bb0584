"""Options that determine how shoes are dealt."""

import argparse
from typing import Any

from baccarat import BaccaratError, Game
from baccarat.cli.shared.options import add_choice, add_number
from baccarat.cli.shared.printing import attributes
from baccarat.shoe import BURN, COUPS_AFTER_CUT, CUT, Burn, ShoeRules

NAMES = ("cut", "burn", "coups_after_cut")


def add_shoe(parser: argparse.ArgumentParser, *, shuffler: bool = True) -> None:
    """Add the options, including the one for a shuffler if `shuffler` is set."""
    add_number(parser, "--cut", f"number of cards behind the cut card (default: {CUT})")
    words = "cards burned from a new shoe; with first-card, the value of the first card decides "
    add_choice(parser, "--burn", Burn, words + f"how many (default: {BURN})")
    words = "coups after the one in which the cut card comes out"
    add_number(parser, "--coups-after-cut", f"{words} (default: {COUPS_AFTER_CUT})")
    if shuffler:
        words = "deal every coup from a full shoe"
        parser.add_argument("--shuffler", action="store_true", help=words)


def rules_of(args: argparse.Namespace, game: Game) -> ShoeRules:
    """Return the shoe rules that the options select."""
    given = {name: getattr(args, name) for name in NAMES if getattr(args, name) is not None}
    if getattr(args, "shuffler", False):
        if given:
            raise BaccaratError("--shuffler cannot be used with --cut, --burn or --coups-after-cut")
        return ShoeRules.shuffler(game.decks)
    if "burn" in given:
        given["burn"] = Burn(given["burn"])
    return ShoeRules(game.decks, **given)


def rules_json(rules: ShoeRules) -> dict[str, Any]:
    return attributes(rules, *NAMES) | {"shuffler": rules.is_shuffler}
