"""Options that say how shoes are dealt, and how that is told."""

import argparse
from typing import Any

from baccarat.core.errors import BaccaratError
from baccarat.core.rulecard import Game
from baccarat.shoe import CUT, Burn
from baccarat.simulation.plan import ShoePlan, shoe_plan


def add_shoe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--cut", type=int, help=f"cards behind the cut card (default: {CUT})")
    parser.add_argument(
        "--burn", choices=[str(rule) for rule in Burn], help="cards burned first (default: none)"
    )
    parser.add_argument("--one-more", action="store_true", help="one more coup after the cut card")
    parser.add_argument("--shuffler", action="store_true", help="a full shoe for every coup")


def plan_of(args: argparse.Namespace, game: Game) -> ShoePlan:
    """The plan that these options name."""
    if args.shuffler and (args.cut is not None or args.burn is not None or args.one_more):
        raise BaccaratError("a shuffler has no cut card and burns nothing: name one or the other")
    return shoe_plan(
        game,
        cut=CUT if args.cut is None else args.cut,
        burn=Burn(args.burn or Burn.NONE),
        coups_after_cut=int(args.one_more),
        shuffler=args.shuffler,
    )


def plan_json(plan: ShoePlan) -> dict[str, Any]:
    return {
        "cut": plan.cut,
        "burn": str(plan.burn),
        "one_more": bool(plan.coups_after_cut),
        "shuffler": plan.shuffler,
    }


def plan_words(plan: ShoePlan) -> str:
    if plan.shuffler:
        return "a shuffler"
    more = ", one more coup after the cut card" if plan.coups_after_cut else ""
    return f"shoes, cut card at {plan.cut}, burn: {plan.burn}{more}"
