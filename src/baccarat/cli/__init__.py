"""The `baccarat` command: one module per subcommand, without any game logic.

Only the module of the subcommand being run is imported, so that it starts quickly.
"""

import argparse
import atexit
import gc
import io
import json
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import NoReturn

import baccarat
from baccarat.core.errors import BaccaratError, nearest

DONE, FAULTS_FOUND, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130

COMMANDS = {
    "cards": "List the built-in rule cards",
    "show": "Print the rules of a game in words",
    "edge": "Print the exact house edge of every bet",
    "audit": "Compare the figures printed on a poster with the exact ones",
    "check": "Report every fault in a rule card file",
    "compare": "Compare games: the edges of their bets, and the rules that differ",
    "catalogue": "List published side bets with their exact and published house edges",
    "removal": "Print how removing one card changes the edge of each bet",
    "chances": "Print result chances and bet expectations, given the cards dealt so far",
    "deal": "Deal one coup and explain each step",
    "roads": "Draw the roads of a shoe",
    "records": "Compare the results of real shoes with the exact figures",
    "session": "Print the cost and risk of a session, or simulate a betting strategy",
    "strategies": "List the strategies that `session` can simulate",
    "simulate": "Simulate whole shoes and measure every bet",
    "count": "Find the best card count for a bet, and what it wins",
    "count-studies": "Repeat published studies of card counting and compare the figures",
    "poster": "Write a poster with the rules, odds and house edges of a game",
    "par-sheet": "Print or write the PAR sheet of a game, for test laboratories",
    "letter": "Write a letter with the house edges under the terms agreed with a player",
    "play": "Play in the terminal with play money",
    "serve": "Run a server with live tables",
    "create-pit-account": "Create an account for the pit or a cashier",
    "restore-staff-account": "Lift the suspension of a staff account and issue a new password",
    "rotate-key": "Replace the key that protects undealt cards, second factors and sessions",
    "export-person": "Print everything stored about a person, as JSON",
    "erase-person": "Erase the data of a player with no balance, or of a closed staff account",
    "load-test": "Run clients against a server and check that no bet is lost",
    "backup": "Copy a store to a new file",
    "verify": "Check that a shoe was dealt in the order it was committed to",
    "test-shuffle": "Test how well cards are shuffled, or export them for other tests",
    "checksum": "Print the checksum of the installed program",
    "audit-house": "Recompute every balance and settlement from the journals",
}
"""Every subcommand and its description, in the order shown in the help."""

OWN_OUTPUT = {
    *("create-pit-account", "restore-staff-account", "rotate-key"),
    *("export-person", "erase-person", "serve"),
}
"""Commands without the option `--json`."""


EXTRAS = {
    package: extra
    for extra, packages in {
        "lab": ("numpy", "numba"),
        "poster": ("jinja2", "typst", "segno"),
        "house": ("alembic", "argon2", "cryptography", "psycopg", "sqlalchemy", "msgspec"),
        "serve": ("fastapi", "uvicorn", "httpx", "websockets", "prometheus_client"),
    }.items()
    for package in packages
}
"""Packages that only some commands need, mapped to the extra that installs them."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status: 0 for success, 1 for faults found, 2 for bad
    input, 130 for Ctrl-C."""
    if argv is None:  # the process runs only this command
        gc.set_threshold(10_000)  # most commands create little garbage
        atexit.register(gc.freeze)  # memory is released with the process, not object by object
    words = list(sys.argv[1:] if argv is None else argv)
    for output in (sys.stdout, sys.stderr):
        if isinstance(output, io.TextIOWrapper):
            output.reconfigure(errors="replace")  # a terminal that cannot show ♥ shows ? instead
    wants_json = "--json" in words
    try:
        if not words or words[0] in ("-h", "--help", "help"):
            print(_overview(), flush=True)
            return DONE if words else BAD_INPUT
        if words[0] in ("-V", "--version"):
            print(f"baccarat {baccarat.__version__}")
            return DONE
        return _run(words[0], words[1:])
    except BaccaratError as error:
        _complain(str(error), wants_json=wants_json)
        return BAD_INPUT
    except BrokenPipeError:
        # The reader closed the pipe, as in `baccarat audit --all | head`: do not fail at exit too.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except OSError as error:  # a full disk, a closed terminal
        _complain(f"cannot write the output: {error.strerror}", wants_json=wants_json)
        return BAD_INPUT
    except SystemError as error:
        if not caused_by_ctrl_c(error):
            raise
        return INTERRUPTED
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED


def caused_by_ctrl_c(error: BaseException | None) -> bool:
    """Return whether Ctrl-C is the cause of an error; compiled code raises SystemError for it."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _run(name: str, words: Sequence[str]) -> int:
    if name not in COMMANDS:
        hint = nearest(name, COMMANDS)
        raise BaccaratError(f"unknown command {name!r}{hint}; see baccarat --help")
    try:
        command = import_module(module_of(name))
        status: int = command.run(parser_of(name, command).parse_args(words))
        return status
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRAS:
            raise
        extra = EXTRAS[package]
        raise BaccaratError(
            f"baccarat {name} requires {package}: pip install 'baccarat[{extra}]'"
        ) from error


def module_of(name: str) -> str:
    """Return the name of a command's module; hyphens become underscores."""
    return f"baccarat.cli.{name.replace('-', '_')}"


def parser_of(name: str, command: ModuleType) -> argparse.ArgumentParser:
    """Return the argument parser of a command, whose module has `add_arguments` and `run`."""
    words = f"{COMMANDS[name]}."
    parser = _Parser(prog=f"baccarat {name}", description=words, allow_abbrev=False)
    command.add_arguments(parser)
    if name not in OWN_OUTPUT:
        parser.add_argument("--json", action="store_true", help="print the result as JSON")
    return parser


class _Parser(argparse.ArgumentParser):
    """An argument parser that reports errors as all commands do: in words, or as JSON with
    --json."""

    def error(self, message: str) -> NoReturn:
        raise BaccaratError(f"{message}; see {self.prog} --help")


def _complain(message: str, *, wants_json: bool) -> None:
    if wants_json:
        print(json.dumps({"error": message}, ensure_ascii=False), file=sys.stderr)
    else:
        print(f"baccarat: {message}", file=sys.stderr)


def _overview() -> str:
    commands = "\n".join(f"  {name:<21} {words}" for name, words in COMMANDS.items())
    return f"""usage: baccarat COMMAND [OPTIONS]

Deal, analyse and simulate punto banco and its variants, and run live tables.

commands:
{commands}

Run `baccarat COMMAND --help` for the options of a command. Where a command takes a CARD, give the
id of a rule card (see `baccarat cards` and `baccarat catalogue`) or the path of a .toml file."""
