"""`baccarat catalogue`: list published bets with their exact and their published figures."""

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from rich.text import Text

from baccarat.cli.shared.options import add_number, add_value
from baccarat.cli.shared.output import add_output, check_output, report
from baccarat.cli.shared.printing import DIGITS, Shown, attributes, counted, table
from baccarat.core.money import decimal_string, percent_string
from baccarat.figures.published import Entry, Published, entries_of, rows_of
from baccarat.loader import catalogue_cards, load


def add_arguments(parser: argparse.ArgumentParser) -> None:
    words = "cards, or folders of cards, to list instead of the catalogue that comes with baccarat"
    add_value(parser, "cards", "CARD", words, nargs="*")
    add_number(parser, "--decks", "number of decks (default: that of each card)")
    add_output(parser)


def run(args: argparse.Namespace) -> int:
    check_output(args)
    cards = [load(name) for name in _names(args.cards or catalogue_cards())]
    entries = [entry for card in cards for entry in entries_of(card, args.decks)]
    document = {"bets": [_entry_json(entry) for entry in entries]}
    return report(args, document, _shown(entries), tables={"bets": [*rows_of(entries)]})


def _names(given: Iterable[str]) -> Iterable[str | Path]:
    """Yield the cards, with each folder replaced by the cards in it."""
    for name in given:
        if Path(name).is_dir():
            yield from sorted(Path(name).glob("*.toml"))
        else:
            yield name


def _entry_json(entry: Entry) -> dict[str, Any]:
    figures = entry.figures
    return {
        "card": entry.card.id,
        "bet": entry.bet.id,
        "name": entry.bet.name,
        **attributes(entry, "reading", "decks", "pays"),
        **attributes(figures, "edge"),
        "edge_percent": decimal_string(figures.edge * 100, DIGITS),
        **attributes(figures, "hit"),
        "variance": decimal_string(figures.variance, DIGITS),
        "published": [
            attributes(each, "printed", "source", "agrees", "reason") for each in entry.published
        ],
    }


def _shown(entries: Sequence[Entry]) -> Shown:
    columns = ("card", "bet", "pays", ">house edge", ">wins", ">variance", ">published", "agrees")
    yield table(columns, (row for entry in entries for row in _rows(entry)))
    figures = [each for entry in entries for each in entry.published]
    wrong = sum(not each.agrees for each in figures)
    words = f"{counted(len(figures), 'published figure')}, of which {wrong} not confirmed"
    yield Text(f"{counted(len(entries), 'bet')}; {words}", "dim")


def _rows(entry: Entry) -> Iterable[list[str | Text]]:
    """Yield the rows of an entry: one, and another for each further published figure."""
    figures = entry.figures
    name = f"{entry.bet.name} ({entry.reading})" if entry.reading else entry.bet.name
    edge = Text(percent_string(figures.edge, 6), "bold red" if figures.edge < 0 else "bold")
    hit, variance = percent_string(figures.hit), decimal_string(figures.variance, 4)
    first, *others = entry.published or (None,)
    yield [entry.card.id, name, entry.pays, edge, hit, variance, *_published_cells(first)]
    for each in others:
        yield ["", "", "", "", "", "", *_published_cells(each)]


def _published_cells(published: Published | None) -> list[str | Text]:
    if published is None:
        return ["–", ""]
    printed = published.printed.replace("-", "−")
    if published.agrees:
        return [printed, Text("yes", "green")]
    return [printed, Text(f"no: {published.reason}", "red")]
