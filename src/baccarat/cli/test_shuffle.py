"""`baccarat test-shuffle`: test how well cards are shuffled, or export them for other tests."""

import argparse
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from fractions import Fraction
from pathlib import Path
from random import SystemRandom
from typing import BinaryIO

from baccarat import Card
from baccarat.analysis.frequencies import Fit, fit
from baccarat.analysis.shuffle_tests import MIN_EXPECTED, shuffles
from baccarat.cli.shared.options import add_file, add_number, add_value, check_range
from baccarat.cli.shared.printing import answer, attributes
from baccarat.cli.shared.stores import open_store
from baccarat.files import whole_file
from baccarat.shoe import shuffled

LEVEL = Fraction(1, 100)
"""Results with a p-value below this are reported as unusual."""
MAX_SHOES, MAX_BYTES = 1_000_000, 1 << 34
AT_ONCE = 1 << 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_number(parser, "--shoes", "number of shoes to shuffle", 2000)
    add_number(parser, "--decks", "decks in a shoe", 8)
    add_value(parser, "--store", "STORE", "test all completed shoes of a house instead of new ones")
    add_file(parser, "--export-shoes", "write the tested shoes, one per line")
    words = "write and test random bytes from the source used for shuffling"
    add_file(parser, "--export-bytes", words)
    add_number(parser, "--byte-count", "number of random bytes to write", 1 << 26)


def run(args: argparse.Namespace) -> int:
    check_range("--shoes", args.shoes, MIN_EXPECTED, MAX_SHOES)
    check_range("--byte-count", args.byte_count, 1, MAX_BYTES)
    orders = _of_house(args.store, args.decks) if args.store else _new(args.shoes, args.decks)
    with whole_file(args.export_shoes) if args.export_shoes else nullcontext() as file:
        found = shuffles(_written(orders, file) if file else orders, args.decks)
    fits = {"places": found.places, "neighbours": found.neighbours}
    if args.export_bytes:
        fits["bytes"] = _write_bytes(args.export_bytes, args.byte_count)
    tests = {
        name: attributes(test, "statistic", "freedom", "p_value") for name, test in fits.items()
    }
    shown = (
        f"{found.shoes:,} shoes of {found.decks} decks",
        *(f"{_TITLES[name]:<26} {_in_words(test)}" for name, test in fits.items()),
    )
    unusual = any(test.p_value < LEVEL for test in fits.values())
    document = {"shoes": found.shoes, "decks": found.decks, "tests": tests}
    return answer(args, document, shown, faults=unusual)


_TITLES = {
    "places": "position of each card",
    "neighbours": "pairs of adjacent cards",
    "bytes": "frequency of each byte",
}


def _in_words(test: Fit) -> str:
    p = test.p_value
    figures = f"χ² = {test.statistic:,.1f}, {test.freedom:,} degrees of freedom, p = {p:.2g}"
    if p >= LEVEL:
        return f"{figures}: consistent with chance"
    often = f"chance alone gives this once in {1 / max(p, 1e-12):,.0f} runs"
    return f"{figures}: {often}; run the test again"


def _new(shoes: int, decks: int) -> Iterator[Sequence[Card]]:
    """Yield shoes shuffled as in a house, with the operating system's randomness."""
    randomness = SystemRandom()
    return (shuffled(decks=decks, randomness=randomness) for _ in range(shoes))


def _written(orders: Iterator[Sequence[Card]], file: BinaryIO) -> Iterator[Sequence[Card]]:
    """Write each order to a file and yield it, so that only one is in memory at a time."""
    for order in orders:
        file.write(f"{' '.join(map(str, order))}\n".encode())
        yield order


def _of_house(store: str, decks: int) -> Iterator[Sequence[Card]]:
    from baccarat.store.history import orders_dealt  # needs the extra `house`

    with open_store(store) as opened:
        yield from orders_dealt(opened, decks)


def _write_bytes(path: Path, size: int) -> Fit:
    seen: Counter[int] = Counter()
    with whole_file(path) as file:
        for first in range(0, size, AT_ONCE):
            piece = os.urandom(min(AT_ONCE, size - first))
            seen.update(piece)
            file.write(piece)
    return fit(seen, {byte: Fraction(1, 256) for byte in range(256)})
