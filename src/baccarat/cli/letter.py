"""`baccarat letter`: what an agreement costs a player, in writing."""

import argparse
from datetime import date
from pathlib import Path

from baccarat.cli.common import add_game, add_json, add_sheet, game_of, tell_files
from baccarat.core.errors import BaccaratError
from baccarat.files import write_whole
from baccarat.poster import PAPERS
from baccarat.poster.letter import letter_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("--player", required=True, metavar="NAME", help="whom the letter is for")
    parser.add_argument("--house", default="", metavar="NAME", help="who writes it")
    parser.add_argument("--date", metavar="YYYY-MM-DD", help="the date of the letter (today)")
    add_sheet(parser, "the file to write (letter.pdf)")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    letter = letter_of(
        game_of(args),
        player=args.player,
        house=args.house,
        on=_date(args.date),
        agreed=[
            *(word.partition("=")[0].strip() for word in args.settings),
            *(["decks"] if args.decks is not None else []),
        ],
    )
    from baccarat.poster.typeset import letter_pdf

    path = Path(args.output or "letter.pdf")
    write_whole(path, letter_pdf(letter, paper=args.paper or PAPERS[0]))
    tell_files([path], as_json=args.json)
    return 0


def _date(text: str | None) -> date:
    if text is None:
        return date.today()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BaccaratError(f"--date {text!r} is no date: write it as 2026-11-15") from None
