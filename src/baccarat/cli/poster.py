"""`baccarat poster`: write a game's poster as a PDF, or as a web page."""

import argparse
from pathlib import Path

from baccarat import BaccaratError, Game
from baccarat.cli.shared.options import (
    add_card_or_all,
    add_game_options,
    add_value,
    cards_of,
    game_of,
)
from baccarat.cli.shared.sheets import add_sheet, paper_of, write_sheets
from baccarat.files import folder
from baccarat.poster.content import poster_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_card_or_all(parser)
    add_game_options(parser)
    words = "file to write (default: CARD.pdf), or with --all a folder (default: posters)"
    add_sheet(parser, words)
    parser.add_argument("--html", action="store_true", help="write a web page instead of a PDF")
    words = "address where players can verify a shoe, printed as a QR code"
    add_value(parser, "--verify-url", "URL", words, default="")


def run(args: argparse.Namespace) -> int:
    cards, suffix = cards_of(args), ".html" if args.html else ".pdf"
    if args.html and args.paper:
        raise BaccaratError("--paper and --html cannot be used together")
    if args.all:
        where = folder(Path(args.output or "posters"))
        games = {where / f"{card}{suffix}": game_of(args, card) for card in cards}
    else:
        game = game_of(args)
        games = {Path(args.output or f"{game.card.id}{suffix}"): game}
    # All sheets are made before any is written, so that after an error no file is written.
    return write_sheets(args, {path: _sheet(game, args) for path, game in games.items()})


def _sheet(game: Game, args: argparse.Namespace) -> bytes:
    poster = poster_of(game, verify_url=args.verify_url)
    if args.html:
        from baccarat.poster.page import poster_page

        return poster_page(poster).encode()
    from baccarat.poster.typeset import poster_pdf

    return poster_pdf(poster, paper=paper_of(args))
