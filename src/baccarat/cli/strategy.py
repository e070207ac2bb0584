"""`baccarat strategy list`: the strategies that `baccarat session` can play."""

import argparse
from typing import Any

from rich.text import Text

from baccarat.cli.common import add_json, add_row, console, print_json, table
from baccarat.simulation.strategies import BUILT_IN, Strategy
from baccarat.simulation.trial import CHOICES


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=["list"], help="list what is built in")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    if args.json:
        print_json(_json())
    else:
        _print()
    return 0


def _json() -> dict[str, Any]:
    return {
        "strategies": [
            {"name": each.name, "words": each.words, "options": dict(each.options)}
            for each in BUILT_IN.values()
        ],
        "choices": [{"name": name, "words": words} for name, words in CHOICES.items()],
    }


def _print() -> None:
    out = console()
    how_much = table("how much", "", "options")
    for each in BUILT_IN.values():
        add_row(how_much, [each.name, each.words, _options(each)])
    out.print(how_much)
    out.print()
    on_what = table("on what", "")
    add_row(on_what, ["a bet", "always the same, such as banker"])
    for name, words in CHOICES.items():
        add_row(on_what, [name, words])
    out.print(on_what)
    out.print()
    out.print(Text("Only when a count says so: --tags and --from (see baccarat count)."))
    out.print(Text("Of your own: a Python file with decide(seat, options, memory)."))
    out.print(Text("None of them changes what the house keeps of every unit staked.", style="dim"))


def _options(strategy: Strategy) -> str:
    return ", ".join(
        f"{name}={'-'.join(map(str, value)) if isinstance(value, tuple) else value}"
        for name, value in strategy.options.items()
    )
