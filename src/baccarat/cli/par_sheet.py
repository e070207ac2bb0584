"""`baccarat par-sheet`: print or write the PAR sheet of a game, as test laboratories ask for it."""

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from rich.text import Text

from baccarat import BaccaratError, __version__
from baccarat.cli.shared.options import add_game, game_of
from baccarat.cli.shared.output import write_result
from baccarat.cli.shared.printing import (
    DIGITS,
    Shown,
    answer,
    attributes,
    indented,
    table,
    with_header,
)
from baccarat.cli.shared.sheets import add_sheet, paper_of, write_sheets
from baccarat.core.money import decimal_string
from baccarat.figures.par_sheet import Band, BetSheet, Outcome, ParSheet, par_sheet_of
from baccarat.output.tables import writer_for
from baccarat.poster.par_sheet import BetPart, Fact, ParSheetContent, content_of
from baccarat.wording.catalogue import Catalogue, catalogue
from baccarat.wording.rules import condition_in_words

PROGRAM = f"baccarat {__version__}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_sheet(parser, "write a .pdf, .csv, .json or .parquet file instead of printing the sheet")


def run(args: argparse.Namespace) -> int:
    path = Path(args.output) if args.output else None
    as_pdf = path is not None and path.suffix.lower() == ".pdf"
    if args.paper and not as_pdf:
        raise BaccaratError("--paper requires a PDF: add --output FILE.pdf")
    if path and not as_pdf:
        writer_for(path, ".pdf")  # raises an error for an unknown format before the work begins
    game = game_of(args)
    sheet = par_sheet_of(game)
    if path and as_pdf:
        return write_sheets(args, {path: _pdf(sheet, paper_of(args))})
    document = _sheet_json(sheet)
    if path:
        files = [*map(str, write_result(path, with_header(document, game), _tables(sheet)))]
        return answer(args, {"files": files}, (f"Written: {file}" for file in files))
    return answer(args, document, _shown(content_of(sheet, program=PROGRAM)), game=game)


def _pdf(sheet: ParSheet, paper: str) -> bytes:
    from baccarat.poster.typeset import par_sheet_pdf

    return par_sheet_pdf(content_of(sheet, program=PROGRAM), paper=paper)


def _sheet_json(sheet: ParSheet) -> dict[str, Any]:
    card = sheet.game.card
    return {
        **attributes(card, "name", "version", "source", "digest"),
        "program": PROGRAM,
        "cards": sheet.cards,
        "total": str(sheet.total),
        "bets": [_bet_json(bet) for bet in sheet.bets],
    }


def _bet_json(sheet: BetSheet) -> dict[str, Any]:
    return {
        **attributes(sheet.bet, "id", "name"),
        **_figures(sheet, _decimal),
        "outcomes": [
            _outcome(outcome) | {"combinations": str(outcome.combinations)}
            for outcome in sheet.outcomes
        ],
        "bands": [_band(band, _decimal) for band in sheet.bands],
        "by_decks": [vars(each) | {"variance": _decimal(each.variance)} for each in sheet.by_decks],
    }


Form = Callable[[Fraction], str | float]
"""How rounded values are written: as decimals in JSON, and as floats in tables."""


def _decimal(value: Fraction) -> str:
    return decimal_string(value, DIGITS)


def _figures(sheet: BetSheet, form: Form) -> dict[str, Any]:
    return {
        **attributes(sheet.figures, "return_to_player", "edge", "hit", "standoff"),
        "variance": form(sheet.figures.variance),
        "sd": form(sheet.figures.standard_deviation()),
        "volatility_index": form(sheet.volatility_index),
    }


def _band(band: Band, form: Form) -> dict[str, Any]:
    rounded = {name: form(getattr(band, name)) for name in ("low", "high", "error")}
    return {**attributes(band, "rounds", "confidence"), **rounded}


def _outcome(outcome: Outcome) -> dict[str, Any]:
    when = condition_in_words(outcome.line.when) if outcome.line else "loses"
    figures = attributes(outcome, "pays", "combinations", "probability", "contribution", "returned")
    return {"when": when, **figures}


def _tables(sheet: ParSheet) -> Mapping[str, Sequence[Mapping[str, Any]]]:
    """Return the sheet as flat tables; the first is that of the outcomes."""

    def of_bets(rows: Iterable[tuple[BetSheet, Mapping[str, Any]]]) -> list[Mapping[str, Any]]:
        digest = sheet.game.card.digest
        return [{"digest": digest, "bet": bet.bet.id, **row} for bet, row in rows]

    bets = sheet.bets
    return {
        "outcomes": of_bets((bet, _outcome(each)) for bet in bets for each in bet.outcomes),
        "bets": of_bets((bet, _figures(bet, float)) for bet in bets),
        "bands": of_bets((bet, _band(each, float)) for bet in bets for each in bet.bands),
        "decks": of_bets((bet, vars(each)) for bet in bets for each in bet.by_decks),
    }


def _shown(content: ParSheetContent) -> Shown:
    """Yield the same content as the PDF, without the third-card rules and the definitions."""
    t = catalogue(content.language)
    yield _facts(content.identity)
    for bet in content.bets:
        yield ""
        yield Text(f"{bet.name} ({bet.id})", "bold cyan")
        yield from map(indented, _bet_shown(bet, content, t))


def _bet_shown(bet: BetPart, content: ParSheetContent, t: Catalogue) -> Iterator[Any]:
    def columns(*keys: str) -> list[str]:
        return [f">{t(f'par-sheet-{key}')}" for key in keys]

    sums = ("combinations", "probability", "contribution", "returned")
    lines = [[*vars(line).values()] for line in (*bet.outcomes, bet.total)]
    yield table((t("par-sheet-when"), *columns("pays", *sums)), lines)
    yield _facts(bet.figures)
    headings = (*columns("rounds"), *(f">{level}" for level in content.confidences))
    bands = ([line.rounds, *line.bands, line.error] for line in bet.bands)
    yield table((*headings, *columns("error")), bands)
    decks = ([line.decks, *line.figures] for line in bet.decks)
    yield table(columns("decks", "return", "edge", "hit", "variance"), decks)


def _facts(facts: Iterable[Fact]) -> Any:
    return table(("", ""), ([Text(fact.label, "dim"), fact.value] for fact in facts))
