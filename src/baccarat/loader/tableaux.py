"""Checks of the tableau and of ambiguities: every question has one answer, or several readings."""

from collections.abc import Collection, Iterator
from itertools import combinations

from baccarat.core.errors import BaccaratError, nearest, one_of
from baccarat.core.rulecard import Ambiguity, PrintedTableau, Reading
from baccarat.core.tableau import STOOD, Cell, ranges
from baccarat.loader.build import Draft
from baccarat.loader.files import find, read_text
from baccarat.loader.findings import Report
from baccarat.loader.lines import Path


def check_tableau(draft: Draft, report: Report) -> None:
    """Every total and cell stands in one place, unless an ambiguity governs it."""
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
            where = f"stands in {' and '.join(places)}" if places else "is missing"
            remedy = f"put it into {one_of(columns)}"
            path = ("tableau", places[-1]) if places else ("tableau",)
            report.add(path, f"the player's total {total} {where}", remedy)
    _check_columns(draft, printed, report)
    for row in rows_in_words(draft.open_cells - printed.banker_draws):
        remedy = "put it into banker_draws or banker_stands, or let an ambiguity govern it"
        report.add(("tableau",), f"{row} is missing", remedy)


def check_ambiguities(draft: Draft, report: Report) -> None:
    """No two overlap; each reading settles all that is governed, and nothing else."""
    for (_, one), (path, other) in combinations(draft.ambiguities, 2):
        shared = list(rows_in_words(one.cells & other.cells))
        shared += [f"what {name} pays" for name in one.bets if name in other.bets]
        shared += [f"what {name} requires" for name in one.requires if name in other.requires]
        if shared:
            problem = f"{other.id} and {one.id} both govern {shared[0]}"
            report.add(path, problem, "let one of them govern it")
    for path, ambiguity in draft.ambiguities:
        known = [reading.id for reading in ambiguity.readings]
        if ambiguity.in_force not in known:
            problem = f"{ambiguity.in_force!r} is no reading{nearest(ambiguity.in_force, known)}"
            report.add((*path, "in_force"), problem, f"name {one_of(known)}")
        if len(known) < 2:
            report.add(
                path, f"{ambiguity.id} has fewer than two readings", "add [[ambiguity.reading]]"
            )
        if ambiguity.resolved and not ambiguity.resolution:
            problem = f"{ambiguity.id} is resolved without saying how"
            report.add((*path, "status"), problem, "add `resolution`")
        _check_governed(draft, ambiguity, path, report)
        for i, reading in enumerate(ambiguity.readings):
            _check_cells(ambiguity, reading, (*path, "reading", i), report)
            _check_reading_bets(draft, ambiguity, (*path, "reading", i), report)
            _check_reading_requires(draft, ambiguity, reading, (*path, "reading", i), report)


def names_of_bets(draft: Draft, but: str = "") -> str:
    """The bets there are, for the end of a message."""
    return one_of(sorted(draft.bet_ids - {but}))


def rows_in_words(cells: Collection[Cell]) -> Iterator[str]:
    """Cells row by row: 'banker 3, player given 0–2, 8 or stood'."""
    for total in sorted({total for total, _ in cells}):
        given = {third for row, third in cells if row == total}
        words = [f"given {ranges(frozenset(given - {STOOD}))}"] if given - {STOOD} else []
        words += ["stood"] if STOOD in given else []
        yield f"banker {total}, player {' or '.join(words)}"


def _check_columns(draft: Draft, printed: PrintedTableau, report: Report) -> None:
    """No cell stands twice, and none is of a natural."""
    for key in ("banker_draws", "banker_stands"):
        above: set[Cell] = set()
        for i, entry in enumerate(draft.values["tableau"][key]):
            cells, path = set(entry), ("tableau", key, i)
            for row in rows_in_words(cells & above):
                report.add(path, f"{row} stands twice in this column", "leave it out once")
            for row in rows_in_words({cell for cell in cells if cell[0] in printed.naturals}):
                report.add(path, f"{row}: after a natural nobody draws", "leave it out")
            if key == "banker_stands":
                for row in rows_in_words(cells & draft.open_cells & printed.banker_draws):
                    remedy = "leave it in one of them, or let an ambiguity govern it"
                    report.add(path, f"{row} stands in both columns", remedy)
            above |= cells


def _check_governed(draft: Draft, ambiguity: Ambiguity, path: Path, report: Report) -> None:
    if not (ambiguity.cells or ambiguity.bets or ambiguity.requires):
        report.add(path, f"{ambiguity.id} governs nothing", "name its cells, bets or requires")
    for key in ("bets", "requires"):
        for i, name in enumerate(getattr(ambiguity, key)):
            if name not in draft.bet_ids:
                problem = f"{name!r} is no bet{nearest(name, draft.bet_ids)}"
                report.add((*path, key, i), problem, f"name {names_of_bets(draft)}")
    naturals = draft.tableau.naturals if draft.tableau else frozenset()
    for row in rows_in_words({cell for cell in ambiguity.cells if cell[0] in naturals}):
        report.add((*path, "cells"), f"{row}: after a natural nobody draws", "leave it out")
    for i, name in enumerate(ambiguity.sisters):
        try:
            read_text(find(name))
        except BaccaratError as error:
            report.add((*path, "sisters", i), str(error), "name a card that is there")


def _check_cells(ambiguity: Ambiguity, reading: Reading, path: Path, report: Report) -> None:
    settled = reading.draws | reading.stands
    for cells, problem in (
        (reading.draws & reading.stands, "both draws and stands"),
        (ambiguity.cells - settled, "is governed, but this reading does not settle it"),
        (settled - ambiguity.cells, "is settled here, but not governed"),
    ):
        for row in rows_in_words(cells):
            remedy = "every reading settles each governed cell, once, and no other"
            report.add(path, f"{row} {problem}", remedy)


def _check_reading_bets(draft: Draft, ambiguity: Ambiguity, path: Path, report: Report) -> None:
    _, i, _, j = path
    for n, raw in enumerate(draft.values["ambiguity"][i]["reading"][j]["bet"]):
        name = raw["replaces"] or raw["id"]
        if name not in ambiguity.bets:
            problem = f"{name!r} is not governed by {ambiguity.id}{nearest(name, ambiguity.bets)}"
            remedy = f"name {one_of(ambiguity.bets)} in `id` or `replaces`"
            report.add((*path, "bet", n), problem, remedy)


def _check_reading_requires(
    draft: Draft, ambiguity: Ambiguity, reading: Reading, path: Path, report: Report
) -> None:
    if reading.requires is None:
        return
    for i, name in enumerate(reading.requires):
        if name not in draft.bet_ids or name in ambiguity.requires:
            problem = f"{name!r} is no other bet{nearest(name, draft.bet_ids)}"
            report.add((*path, "requires", i), problem, f"name {names_of_bets(draft)}")
    for _, bet in draft.bets:
        if bet.id in ambiguity.requires and reading.requires:
            if bet.stands_alone:
                problem = f"{bet.id} stands alone, and here it requires {one_of(reading.requires)}"
                report.add((*path, "requires"), problem, "leave out one of the two")
            refused_by = {other.id for _, other in draft.bets if bet.id in other.excludes}
            if not set(reading.requires) - set(bet.excludes) - refused_by:
                problem = f"{bet.id} excludes all that it requires here"
                report.add((*path, "requires"), problem, "leave out one of the two")
    if not ambiguity.requires:
        problem = f"{ambiguity.id} governs no bet's `requires`"
        report.add((*path, "requires"), problem, "name the bets in the ambiguity's `requires`")
