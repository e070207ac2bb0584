"""Options for how shoes are dealt."""

import argparse
from typing import Any

from baccarat import BaccaratError, Game
from baccarat.cli.shared.printing import attributes
from baccarat.shoe import BURN, COUPS_AFTER_CUT, CUT, Burn, ShoeRules

NAMES = ("cut", "burn", "coups_after_cut")


def add_shoe(parser: argparse.ArgumentParser, *, shuffler: bool = True) -> None:
    """Add the options, including the one for a shuffler if `shuffler` is set."""
    parser.add_argument(
        "--cut", type=int, metavar="N", help=f"number of cards behind the cut card (default: {CUT})"
    )
    parser.add_argument(
        "--burn",
        choices=[str(rule) for rule in Burn],
        help="cards burned from a new shoe; with first-card, the value of the first card decides "
        f"how many (default: {BURN})",
    )
    parser.add_argument(
        "--coups-after-cut",
        type=int,
        metavar="N",
        help=f"coups after the one in which the cut card comes out (default: {COUPS_AFTER_CUT})",
    )
    if shuffler:
        parser.add_argument(
            "--shuffler", action="store_true", help="deal every coup from a full shoe"
        )


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
