"""Checks of the tableau (each case has exactly one rule or is governed by an ambiguity) and of the
ambiguities."""

from collections.abc import Collection, Iterator
from itertools import combinations

from baccarat.core.errors import BaccaratError, nearest, one_of
from baccarat.core.printed import Ambiguity, PrintedTableau, Reading
from baccarat.core.tableau import STOOD, Cell, ranges
from baccarat.loader.build import Draft
from baccarat.loader.files import find, read_text
from baccarat.loader.findings import Fault
from baccarat.loader.lines import Path


def check_tableau(draft: Draft) -> Iterator[Fault]:
    """Check that every total and cell appears exactly once, unless an ambiguity governs it."""
    printed = draft.tableau
    if printed is None:
        return
    columns = {
        "naturals": printed.naturals,
        "player_draws": printed.player_draws,
        "player_stands": draft.player_stands,
    }
    for total in range(10):
        places = [name for name, totals in columns.items() if total in totals]
        if len(places) != 1:
            where = f"is in {' and '.join(places)}" if places else "is missing"
            remedy = f"put it in {one_of(columns)}, and in no other"
            path = ("tableau", places[-1]) if places else ("tableau",)
            yield path, f"the player's total {total} {where}", remedy
    yield from _check_columns(draft, printed)
    for row in rows_in_words(draft.open_cells - printed.banker_draws):
        remedy = "put it in banker_draws or banker_stands, or let an ambiguity govern it"
        yield ("tableau",), f"{row} is missing", remedy


def check_ambiguities(draft: Draft) -> Iterator[Fault]:
    """Check that no two ambiguities overlap, and that each reading settles exactly what its
    ambiguity governs."""
    for (_, one), (path, other) in combinations(draft.ambiguities, 2):
        shared = list(rows_in_words(one.cells & other.cells))
        shared += [f"what {name} pays" for name in one.bets if name in other.bets]
        shared += [f"what {name} requires" for name in one.requires if name in other.requires]
        if shared:
            problem = f"{other.id} and {one.id} both govern {shared[0]}"
            yield path, problem, "let one of them govern it"
    for path, ambiguity in draft.ambiguities:
        known = [reading.id for reading in ambiguity.readings]
        if ambiguity.in_force not in known:
            problem = f"{ambiguity.in_force!r} is not a reading{nearest(ambiguity.in_force, known)}"
            yield (*path, "in_force"), problem, f"choose {one_of(known)}"
        if len(known) < 2:
            yield (
                path,
                f"{ambiguity.id!r} has fewer than two readings",
                "add [[ambiguity.reading]]",
            )
        if ambiguity.resolved and not ambiguity.resolution:
            problem = f"{ambiguity.id!r} is resolved but has no resolution"
            yield (*path, "status"), problem, "add `resolution`"
        yield from _check_governed(draft, ambiguity, path)
        for i, reading in enumerate(ambiguity.readings):
            yield from _check_cells(ambiguity, reading, (*path, "reading", i))
            yield from _check_reading_bets(draft, ambiguity, (*path, "reading", i))
            yield from _check_reading_requires(draft, ambiguity, reading, (*path, "reading", i))


def unknown_bet(
    draft: Draft, path: Path, name: str, *, other_than: Collection[str] | None = None
) -> Fault:
    """Return the fault for a reference to a bet that does not exist or is in `other_than`."""
    known = draft.bet_ids - set(other_than or ())
    what = "a bet" if other_than is None else "another bet"
    problem = f"{name!r} is not {what}{nearest(name, known)}"
    return path, problem, f"choose {one_of(sorted(known))}"


def rows_in_words(cells: Collection[Cell]) -> Iterator[str]:
    """Yield a description of each row of cells: 'banker 3, player drew 0–2, 8 or stood'."""
    for total in sorted({total for total, _ in cells}):
        given = {third for row, third in cells if row == total}
        words = [f"drew {ranges(frozenset(given - {STOOD}))}"] if given - {STOOD} else []
        words += ["stood"] if STOOD in given else []
        yield f"banker {total}, player {' or '.join(words)}"


def _check_columns(draft: Draft, printed: PrintedTableau) -> Iterator[Fault]:
    """Check that no cell appears twice, and that no cell is for a natural."""
    for key in ("banker_draws", "banker_stands"):
        above: set[Cell] = set()
        for i, entry in enumerate(draft.values["tableau"][key]):
            cells, path = set(entry), ("tableau", key, i)
            for row in rows_in_words(cells & above):
                yield path, f"{row} is in this column twice", "remove one"
            for row in rows_in_words({cell for cell in cells if cell[0] in printed.naturals}):
                yield path, f"{row}: no hand draws after a natural", "remove it"
            if key == "banker_stands":
                for row in rows_in_words(cells & draft.open_cells & printed.banker_draws):
                    remedy = "keep the cell in one column, or let an ambiguity govern it"
                    yield path, f"{row} is in both columns", remedy
            above |= cells


def _check_governed(draft: Draft, ambiguity: Ambiguity, path: Path) -> Iterator[Fault]:
    if not (ambiguity.cells or ambiguity.bets or ambiguity.requires):
        yield (
            path,
            f"{ambiguity.id!r} governs nothing",
            "name the cells, bets or requires that it governs",
        )
    for key in ("bets", "requires"):
        for i, name in enumerate(getattr(ambiguity, key)):
            if name not in draft.bet_ids:
                yield unknown_bet(draft, (*path, key, i), name)
    naturals = draft.tableau.naturals if draft.tableau else frozenset()
    for row in rows_in_words({cell for cell in ambiguity.cells if cell[0] in naturals}):
        yield (*path, "cells"), f"{row}: no hand draws after a natural", "remove it"
    for i, name in enumerate(ambiguity.sisters):
        try:
            read_text(find(name))
        except BaccaratError as error:
            yield (*path, "sisters", i), str(error), "name an existing card"


def _check_cells(ambiguity: Ambiguity, reading: Reading, path: Path) -> Iterator[Fault]:
    settled = reading.draws | reading.stands
    for cells, problem in (
        (reading.draws & reading.stands, "is in both draws and stands"),
        (ambiguity.cells - settled, "is governed, but this reading does not settle it"),
        (settled - ambiguity.cells, "is settled here, but the ambiguity does not govern it"),
    ):
        for row in rows_in_words(cells):
            remedy = "every reading must settle each governed cell exactly once, and no others"
            yield path, f"{row} {problem}", remedy


def _check_reading_bets(draft: Draft, ambiguity: Ambiguity, path: Path) -> Iterator[Fault]:
    _, i, _, j = path
    for n, raw in enumerate(draft.values["ambiguity"][i]["reading"][j]["bet"]):
        name = raw["replaces"] or raw["id"]
        if name not in ambiguity.bets:
            problem = f"{name!r} is not governed by {ambiguity.id!r}{nearest(name, ambiguity.bets)}"
            yield (*path, "bet", n), problem, f"use {one_of(ambiguity.bets)} in `id` or `replaces`"


def _check_reading_requires(
    draft: Draft,
    ambiguity: Ambiguity,
    reading: Reading,
    path: Path,
) -> Iterator[Fault]:
    if reading.requires is None:
        return
    for i, name in enumerate(reading.requires):
        if name not in draft.bet_ids or name in ambiguity.requires:
            yield unknown_bet(draft, (*path, "requires", i), name, other_than=())
    for _, bet in draft.bets:
        if bet.id in ambiguity.requires and reading.requires:
            if bet.stands_alone:
                problem = f"{bet.id} has stands_alone but here requires {one_of(reading.requires)}"
                yield (*path, "requires"), problem, "remove one of the two"
            refused_by = {other.id for _, other in draft.bets if bet.id in other.excludes}
            if not set(reading.requires) - set(bet.excludes) - refused_by:
                problem = f"{bet.id} excludes every bet that it requires here"
                yield (*path, "requires"), problem, "remove one of the two"
    if not ambiguity.requires:
        problem = f"{ambiguity.id!r} governs no bet's `requires`"
        yield (*path, "requires"), problem, "name the bets in the ambiguity's `requires`"
