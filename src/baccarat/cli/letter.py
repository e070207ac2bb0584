"""`baccarat letter`: write a letter that informs a player of what an agreement costs."""

import argparse
from datetime import date
from pathlib import Path

from baccarat.cli.shared.options import add_game, add_value, game_of
from baccarat.cli.shared.sheets import add_sheet, paper_of, write_sheets
from baccarat.core.errors import BaccaratError
from baccarat.poster.letter import NotAgreed, letter_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_value(parser, "--player", "NAME", "name of the player", required=True)
    add_value(parser, "--sender", "NAME", "name for the letterhead", default="")
    add_value(parser, "--date", "YYYY-MM-DD", "date of the letter (default: today)")
    add_sheet(parser, "file to write (default: letter.pdf)")


def run(args: argparse.Namespace) -> int:
    agreed = [word.partition("=")[0].strip() for word in args.settings]
    agreed += ["decks"] if args.decks is not None else []
    try:
        letter = letter_of(
            game_of(args), player=args.player, house=args.sender, on=_date(args.date), agreed=agreed
        )
    except NotAgreed as error:
        raise BaccaratError(f"{error}: add --set {error.parameter}=VALUE") from error
    from baccarat.poster.typeset import letter_pdf

    path = Path(args.output or "letter.pdf")
    return write_sheets(args, {path: letter_pdf(letter, paper=paper_of(args))})


def _date(text: str | None) -> date:
    if text is None:
        return date.today()  # noqa: TID251
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BaccaratError(f"--date {text!r}: must be a date such as 2026-11-15") from None
