"""`baccarat randomness`: are the cards shuffled well? Tested, and exported for others to test."""

import argparse
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, nullcontext
from fractions import Fraction
from pathlib import Path
from random import SystemRandom
from typing import BinaryIO

from baccarat.analysis.frequencies import Fit, fit
from baccarat.analysis.orders import FEWEST, shuffles
from baccarat.cli import DONE, FAULTS_FOUND
from baccarat.cli.common import add_json, print_json
from baccarat.core.cards import Card
from baccarat.core.errors import BaccaratError
from baccarat.files import whole_file
from baccarat.shoe import shuffled

LEVEL = Fraction(1, 100)
"""What comes by chance less often than this is told as unusual."""
MOST_SHOES, MOST_BYTES = 1_000_000, 1 << 34
AT_ONCE = 1 << 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--shoes", type=int, default=2000, help="new shoes (default: %(default)s)")
    parser.add_argument("--decks", type=int, default=8, help="of a shoe (default: %(default)s)")
    parser.add_argument(
        "--store", help="all shoes a house has shown to their end, instead of new ones"
    )
    parser.add_argument(
        "--dealt", type=Path, metavar="FILE", help="write the orders, a shoe a line"
    )
    parser.add_argument(
        "--raw", type=Path, metavar="FILE", help="write random bytes, as for shuffling"
    )
    parser.add_argument("--bytes", type=int, default=1 << 26, help="so many (default: %(default)s)")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    if not FEWEST <= args.shoes <= MOST_SHOES:
        raise BaccaratError(f"--shoes {args.shoes} cannot be: from {FEWEST} to {MOST_SHOES:,}")
    if not 0 < args.bytes <= MOST_BYTES:
        raise BaccaratError(f"--bytes {args.bytes} cannot be: from 1 to {MOST_BYTES:,}")
    orders = _of_house(args.store, args.decks) if args.store else _new(args.shoes, args.decks)
    with whole_file(args.dealt) if args.dealt else nullcontext() as file:
        found = shuffles(_written(orders, file) if file else orders, args.decks)
    fits = {"places": found.places, "neighbours": found.neighbours}
    if args.raw:
        fits["bytes"] = _write_raw(args.raw, args.bytes)
    if args.json:
        tests = {
            name: {"statistic": one.statistic, "freedom": one.freedom, "p_value": one.p_value}
            for name, one in fits.items()
        }
        print_json({"shoes": found.shoes, "decks": found.decks, "tests": tests})
    else:
        print(f"{found.shoes:,} shoes of {found.decks} decks")
        for name, one in fits.items():
            print(f"{_ASKED[name]:<26} {_told(one)}")
    return FAULTS_FOUND if any(one.p_value < LEVEL for one in fits.values()) else DONE


_ASKED = {
    "places": "which card lies where",
    "neighbours": "which card follows which",
    "bytes": "how often each byte comes",
}


def _told(one: Fit) -> str:
    p = one.p_value
    figures = f"χ² {one.statistic:,.1f} on {one.freedom:,}, p {p:.2g}"
    if p >= LEVEL:
        return f"{figures}: as chance has it"
    return f"{figures}: chance alone does that once in {1 / max(p, 1e-12):,.0f} times; test again"


def _new(shoes: int, decks: int) -> Iterator[Sequence[Card]]:
    """Shuffled as a house shuffles, by the operating system's randomness."""
    randomness = SystemRandom()
    return (shuffled(decks=decks, randomness=randomness) for _ in range(shoes))


def _written(orders: Iterator[Sequence[Card]], file: BinaryIO) -> Iterator[Sequence[Card]]:
    """The same, each written down on its way: a million shoes need no more memory than one."""
    for order in orders:
        file.write(f"{' '.join(map(str, order))}\n".encode())
        yield order


def _of_house(store: str, decks: int) -> Iterator[Sequence[Card]]:
    from baccarat.cli.serve import store_address  # needs the extra `house`
    from baccarat.store.history import orders_dealt
    from baccarat.store.sqlstore import SqlStore

    with closing(SqlStore.open(store_address(store, must_exist=True))) as kept:
        yield from orders_dealt(kept, decks)


def _write_raw(path: Path, size: int) -> Fit:
    seen: Counter[int] = Counter()
    with whole_file(path) as file:
        for first in range(0, size, AT_ONCE):
            piece = os.urandom(min(AT_ONCE, size - first))
            seen.update(piece)
            file.write(piece)
    return fit(seen, {byte: Fraction(1, 256) for byte in range(256)})
