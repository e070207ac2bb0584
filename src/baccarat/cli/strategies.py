"""`baccarat strategies`: list the strategies that `baccarat session` can simulate."""

import argparse

from rich.text import Text

from baccarat.cli.shared.printing import Shown, answer, table
from baccarat.simulation.sessions.strategies import BUILT_IN, Strategy
from baccarat.simulation.sessions.trial import CHOICES


def add_arguments(_: argparse.ArgumentParser) -> None:
    """Add nothing: this command has no options of its own."""


def run(args: argparse.Namespace) -> int:
    document = {
        "strategies": [
            {"name": each.name, "words": each.words, "options": dict(each.options)}
            for each in BUILT_IN.values()
        ],
        "choices": [{"name": name, "words": words} for name, words in CHOICES.items()],
    }
    return answer(args, document, _shown())


def _shown() -> Shown:
    strategies = ([each.name, each.words, _options(each)] for each in BUILT_IN.values())
    yield table(["strategy", "stakes", "options"], strategies)
    yield ""
    always = ("the id of a bet", "always the same bet, such as banker")
    yield table(["bet selection", ""], [always, *CHOICES.items()])
    yield ""
    yield Text("To bet only at high counts, use --tags and --min-true-count (see baccarat count).")
    yield Text("To use your own strategy, write a Python file with decide(seat, options, memory).")
    words = "Stakes and bet selection do not change a bet's house edge; betting at high counts can."
    yield Text(words, "dim")


def _options(strategy: Strategy) -> str:
    return ", ".join(
        f"{name}={'-'.join(map(str, value)) if isinstance(value, tuple) else value}"
        for name, value in strategy.options.items()
    )
