"""The `baccarat` command: one module per command, no logic of the game in any of them.

Only the module of the command that was asked for is imported, so that a prompt answers at once.
"""

import argparse
import io
import json
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn, Protocol, cast

from baccarat.core.errors import BaccaratError, nearest

DONE, FAULTS_FOUND, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130

COMMANDS = {
    "cards": "list the rule cards that are built in",
    "show": "a game's rules in words",
    "edge": "exact house edge of every bet",
    "audit": "what a poster prints against what is exact",
    "check": "find every fault of a rule card file",
    "removal": "how each bet moves when a card of a rank is gone",
    "chances": "mid-coup: what each result and bet has left",
    "deal": "deal one coup, each step explained",
    "roads": "draw the roads of a shoe",
    "records": "what real shoes came to, against what is exact",
    "session": "a night at the table: cost, spread, ruin; flat wagers exactly, or a strategy",
    "strategy": "the strategies that a session can be played with",
    "simulate": "whole shoes, every bet, at full speed",
    "count": "the best count of a bet, and what it wins",
    "poster": "the rules, odds and edges of a game on one sheet",
    "letter": "what an agreement costs, in writing for a player",
    "play": "a table in the terminal, with play money",
    "serve": "open a house: live tables for many players",
    "open-pit": "an account of the pit, from the operator: the second one of a new house",
    "restore-staff": "lift a suspension and issue a new password, from the operator",
    "crowd": "real clients against a running server, and what they found",
    "backup": "everything a store holds, as a file of its own",
    "verify": "was a shoe dealt as it was promised?",
    "randomness": "are the cards shuffled well? tested, and exported for other tests",
    "components": "the digest of the program's own files",
    "audit-house": "every balance and settlement again, from the journal",
}
"""Every command and what it does, in the order of the help."""


EXTRAS = {
    "numpy": "lab",
    "numba": "lab",
    "typst": "poster",
    "segno": "poster",
    "alembic": "house",
    "argon2": "house",
    "cryptography": "house",
    "psycopg": "house",
    "sqlalchemy": "house",
    "fastapi": "serve",
    "uvicorn": "serve",
    "httpx": "serve",
    "websockets": "serve",
    "prometheus_client": "serve",
}
"""Packages that only some commands need, and the extra that brings each."""


class Command(Protocol):
    """What a command's module offers."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, args: argparse.Namespace) -> int: ...


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; 0 done, 1 faults found, 2 bad input."""
    words = list(sys.argv[1:] if argv is None else argv)
    for output in (sys.stdout, sys.stderr):
        if isinstance(output, io.TextIOWrapper):
            output.reconfigure(errors="replace")  # a terminal without ♥ shows ? and goes on
    if not words or words[0] in ("-h", "--help", "help"):
        print(_overview())
        return DONE if words else BAD_INPUT
    if words[0] in ("-V", "--version"):
        print(f"baccarat {_version()}")
        return DONE
    wants_json = "--json" in words
    try:
        return _run(words[0], words[1:])
    except BaccaratError as error:
        _complain(str(error), wants_json=wants_json)
        return BAD_INPUT
    except BrokenPipeError:
        # The reader has seen enough (`baccarat audit --all | head`): do not fail again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except OSError as error:  # a full disk, a closed terminal
        _complain(f"the output cannot be written: {error.strerror}", wants_json=wants_json)
        return BAD_INPUT
    except SystemError as error:
        if not came_of_ctrl_c(error):
            raise
        return INTERRUPTED
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED


def came_of_ctrl_c(error: BaseException | None) -> bool:
    """Compiled code tells of Ctrl-C by an error of its own, with the cause behind it."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _run(name: str, words: Sequence[str]) -> int:
    if name not in COMMANDS:
        known = ", ".join(COMMANDS)
        raise BaccaratError(f"there is no command {name!r}{nearest(name, COMMANDS)}: try {known}")
    try:
        command = cast("Command", import_module(module_of(name)))
        return command.run(parser_of(name, command).parse_args(words))
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRAS:
            raise
        extra = EXTRAS[package]
        raise BaccaratError(
            f"baccarat {name} needs {package}: pip install 'baccarat[{extra}]'"
        ) from error


def module_of(name: str) -> str:
    """Where a command lives; names of modules have no hyphens."""
    return f"baccarat.cli.{name.replace('-', '_')}"


def parser_of(name: str, command: Command) -> argparse.ArgumentParser:
    """What a command takes."""
    parser = _Parser(prog=f"baccarat {name}", description=f"baccarat {name}: {COMMANDS[name]}.")
    command.add_arguments(parser)
    return parser


class _Parser(argparse.ArgumentParser):
    """An argument parser whose complaints look like all others (and are JSON under --json)."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(allow_abbrev=False, **kwargs)  # type: ignore[arg-type]

    def error(self, message: str) -> NoReturn:
        raise BaccaratError(f"{message}; see {self.prog} --help")


def _complain(message: str, *, wants_json: bool) -> None:
    if wants_json:
        print(json.dumps({"error": message}, ensure_ascii=False), file=sys.stderr)
    else:
        print(f"baccarat: {message}", file=sys.stderr)


def _overview() -> str:
    lines = [f"  {name:<13} {words}" for name, words in COMMANDS.items()]
    return "\n".join(
        [
            "usage: baccarat COMMAND …      (baccarat COMMAND --help says more)",
            "",
            "Punto banco and its variations: exact, fast and fair.",
            "",
            *lines,
            "",
            "A card is the id of a built-in one (`baccarat cards`) or the path of a .toml file.",
        ]
    )


def _version() -> str:
    from importlib import metadata  # slow to import, and only this needs it

    try:
        return metadata.version("baccarat")
    except metadata.PackageNotFoundError:
        return "(not installed)"
