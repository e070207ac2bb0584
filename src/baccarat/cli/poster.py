"""`baccarat poster`: write the poster of a game, or of a table, as a PDF or as a web page."""

import argparse
from collections.abc import Mapping
from pathlib import Path

from baccarat import BaccaratError
from baccarat.cli.shared.options import (
    add_card_or_all,
    add_file,
    add_game_options,
    add_value,
    cards_of,
    game_of,
)
from baccarat.cli.shared.sheets import add_sheet, paper_of, write_sheets
from baccarat.core.errors import find
from baccarat.files import folder
from baccarat.poster.content import Poster, poster_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_card_or_all(parser)
    add_game_options(parser)
    words = "file to write (default: CARD.pdf), or with --all a folder (default: posters)"
    add_sheet(parser, words)
    parser.add_argument("--html", action="store_true", help="write a web page instead of a PDF")
    words = "address where players can verify a shoe, printed as a QR code"
    add_value(parser, "--verify-url", "URL", words, default="")
    words = "house file: write the poster of a table, with its limits and the house's name and logo"
    add_file(parser, "--house", words)
    words = "id of a table in the house file, or use --all for every table (default output: ID.pdf)"
    add_value(parser, "--table", "ID", words)


def run(args: argparse.Namespace) -> int:
    suffix = ".html" if args.html else ".pdf"
    if args.html and args.paper:
        raise BaccaratError("--paper and --html cannot be used together")
    posters = _of_tables(args) if args.house or args.table else _of_cards(args)
    where = folder(Path(args.output or "posters")) if args.all else None
    # All sheets are made before any is written, so that after an error no file is written.
    sheets = {
        where / f"{name}{suffix}" if where else Path(args.output or f"{name}{suffix}"): _sheet(
            poster, args
        )
        for name, poster in posters.items()
    }
    return write_sheets(args, sheets)


def _of_cards(args: argparse.Namespace) -> Mapping[str, Poster]:
    """Return the posters of rule cards, without limits."""
    games = [game_of(args, card) for card in cards_of(args)]
    return {game.card.id: poster_of(game, verify_url=args.verify_url) for game in games}


def _of_tables(args: argparse.Namespace) -> Mapping[str, Poster]:
    """Return the posters of a house's tables."""
    from baccarat.house.housefile import load_house
    from baccarat.poster.venue import game_offered, venue_of

    if args.house is None or args.all == (args.table is not None):
        raise BaccaratError("give --house and either --table or --all")
    if args.card or args.settings or args.decks or args.readings or args.verify_url:
        raise BaccaratError(
            "a table's poster takes its card, odds and address from the house file: change them "
            "there, or leave out --house"
        )
    house = load_house(args.house)
    plans = {plan.id: plan for plan in house.tables}
    chosen = plans.values() if args.all else [find(house.name, "table", args.table, plans)]
    return {
        plan.id: poster_of(game_offered(house, plan), venue=venue_of(house, plan))
        for plan in chosen
    }


def _sheet(poster: Poster, args: argparse.Namespace) -> bytes:
    if args.html:
        from baccarat.poster.page import poster_page

        return poster_page(poster).encode()
    from baccarat.poster.typeset import poster_pdf

    return poster_pdf(poster, paper=paper_of(args))
