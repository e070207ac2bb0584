"""`baccarat poster`: a game's poster as a PDF, or as a page for the web."""

import argparse
from pathlib import Path

from baccarat.cli.common import add_game, add_json, add_sheet, game_of, tell_files
from baccarat.core.errors import BaccaratError
from baccarat.core.rulecard import Game
from baccarat.files import folder, write_whole
from baccarat.loader import built_in_cards
from baccarat.poster import PAPERS
from baccarat.poster.content import poster_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser, or_all=True)
    add_sheet(parser, "the file to write (CARD.pdf); with --all the folder (posters)")
    parser.add_argument("--html", action="store_true", help="a page for the web instead of a PDF")
    parser.add_argument(
        "--verify-url",
        default="",
        metavar="URL",
        help="where players can check a shoe: printed as a QR code",
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    if args.all == (args.card is not None):
        raise BaccaratError("name one card for the poster, or --all for every built-in one")
    if args.html and args.paper:
        raise BaccaratError("--paper changes nothing on a page for the web: leave out one of both")
    suffix = ".html" if args.html else ".pdf"
    if args.all:
        where = folder(Path(args.output or "posters"))
        games = {where / f"{card}{suffix}": game_of(args, card) for card in built_in_cards()}
    else:
        game = game_of(args)
        games = {Path(args.output or f"{game.card.id}{suffix}"): game}
    # All sheets are made before the first is written: a fault leaves nothing half done.
    sheets = {path: _sheet(game, args) for path, game in games.items()}
    for path, sheet in sheets.items():
        write_whole(path, sheet)
    tell_files(list(sheets), as_json=args.json)
    return 0


def _sheet(game: Game, args: argparse.Namespace) -> bytes:
    poster = poster_of(game, verify_url=args.verify_url)
    if args.html:
        from baccarat.poster.page import poster_page

        return poster_page(poster).encode()
    from baccarat.poster.typeset import poster_pdf

    return poster_pdf(poster, paper=args.paper or PAPERS[0])
