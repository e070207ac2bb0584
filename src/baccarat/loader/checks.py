"""What must hold between the parts of a rule card: a list of checks, each adding its findings."""

from collections.abc import Callable, Iterator
from itertools import combinations

from baccarat.core.conditions import difference, intersection
from baccarat.core.errors import BaccaratError, nearest, one_of
from baccarat.core.facts import classes_of
from baccarat.core.rulecard import STAND_OFF, Ambiguity, Bet, Reading
from baccarat.core.tableau import STOOD, Cell, Tableau
from baccarat.loader.build import Draft
from baccarat.loader.findings import Report
from baccarat.loader.kinds import MISSING
from baccarat.loader.lines import Path
from baccarat.loader.schema import MOST_DECKS

Check = Callable[[Draft, Report], None]


def check_names(draft: Draft, report: Report) -> None:
    """Ids are given once."""
    for kind in ("bet", "ambiguity"):
        _check_once(draft.values[kind], (kind,), report)
    for i, raw in enumerate(_items(draft.values["ambiguity"])):
        if raw is not MISSING:
            _check_once(raw["reading"], ("ambiguity", i, "reading"), report)
    if draft.values["bet"] == []:
        report.add(("bet",), "the card has no bets", "add at least one [[bet]]")


def check_parameters(draft: Draft, report: Report) -> None:
    """A parameter lies in its own range, and something uses it."""
    used = {line.pays for _, bet in _all_bets(draft) for line in bet.lines}
    read_in_full = len(draft.bets) == len(_items(draft.values["bet"]))
    for name, parameter in draft.parameters.items():
        path = ("parameters", name)
        try:
            parameter.check(parameter.default)
        except BaccaratError as error:
            report.add((*path, "default"), str(error), "give a default within the range")
        if name != "decks" and name not in used and read_in_full:
            report.add(path, f"no bet uses {name!r}", "name it in a line's `pays`, or leave it out")
    if draft.values["parameters"] is not MISSING and "decks" not in draft.values["parameters"]:
        report.add(("parameters",), "'decks' is missing", "add [parameters.decks]")
    decks = draft.parameters.get("decks")
    if decks and not (decks.minimum >= 1 and decks.maximum <= MOST_DECKS):
        problem = f"decks from {decks.minimum} to {decks.maximum} cannot be counted"
        report.add(("parameters", "decks"), problem, f"stay within 1 to {MOST_DECKS}")


def check_bets(draft: Draft, report: Report) -> None:
    """Bets name bets that exist, and parameters that exist."""
    for path, bet in draft.bets:
        for key, names in (("requires", bet.requires), ("excludes", bet.excludes)):
            for i, name in enumerate(names):
                if name not in draft.bet_ids or name == bet.id:
                    problem = f"{name!r} is no other bet of this card{nearest(name, draft.bet_ids)}"
                    report.add((*path, key, i), problem, f"name {one_of(sorted(draft.bet_ids))}")
        if bet.stands_alone and bet.requires:
            problem = f"{bet.id} stands alone and yet requires {one_of(bet.requires)}"
            report.add((*path, "stands_alone"), problem, "leave out one of the two")
        low, high = bet.minimum or 0, bet.maximum
        if high is not None and low > high:
            report.add((*path, "minimum"), "it is above the maximum", "exchange the two")
    parameters = _names(draft.values["parameters"])
    for path, bet in _all_bets(draft):
        for i, line in enumerate(bet.lines):
            if isinstance(line.pays, str) and line.pays not in parameters:
                problem = f"{line.pays!r} is no parameter{nearest(line.pays, parameters)}"
                remedy = f'write odds such as "9:1", "stand-off" or {one_of(parameters)}'
                report.add((*path, "lines", i, "pays"), problem, remedy)
    if draft.limits and draft.limits.minimum > draft.limits.maximum:
        report.add(("limits", "minimum"), "it is above the maximum", "exchange the two")


def check_tableau(draft: Draft, report: Report) -> None:
    """Every question has one answer, unless an ambiguity governs it."""
    printed = draft.tableau
    if printed is None:
        return
    for total in range(10):
        places = [
            name
            for name, totals in (
                ("naturals", printed.naturals),
                ("player_draws", printed.player_draws),
                ("player_stands", draft.player_stands),
            )
            if total in totals
        ]
        if len(places) != 1:
            where = f"stands in {' and '.join(places)}" if places else "is missing"
            remedy = "put it into one of naturals, player_draws and player_stands"
            report.add(("tableau",), f"the player's total {total} {where}", remedy)
    governed = {cell for _, ambiguity in draft.ambiguities for cell in ambiguity.cells}
    for cell in _cells(draft):
        draws, stands = cell in printed.banker_draws, cell in printed.banker_stands
        if draws == stands and cell not in governed:
            where = "stands in both columns" if draws else "is missing"
            remedy = "put it into one column, or let an ambiguity govern it"
            report.add(("tableau", "banker_draws"), f"{cell_in_words(cell)} {where}", remedy)
    for key in ("banker_draws", "banker_stands"):
        for cell in sorted(getattr(printed, key)):
            if cell[0] in printed.naturals:
                problem = f"{cell_in_words(cell)}: {cell[0]} is a natural, nobody draws"
                report.add(("tableau", key), problem, "leave it out")


def check_ambiguities(draft: Draft, report: Report) -> None:
    """No two overlap; each reading settles all that is governed, and nothing else."""
    for (_, one), (path, other) in combinations(draft.ambiguities, 2):
        shared = [cell_in_words(cell) for cell in sorted(one.cells & other.cells)]
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
            report.add(path, "one reading is no ambiguity", "give two readings or more")
        if not (ambiguity.cells or ambiguity.bets or ambiguity.requires):
            report.add(path, "it governs nothing", "name its cells, bets or requires")
        for key in ("bets", "requires"):
            for i, name in enumerate(getattr(ambiguity, key)):
                if name not in draft.bet_ids:
                    problem = f"{name!r} is no bet{nearest(name, draft.bet_ids)}"
                    report.add((*path, key, i), problem, f"name {one_of(sorted(draft.bet_ids))}")
        for i, reading in enumerate(ambiguity.readings):
            _check_reading(draft, ambiguity, reading, (*path, "reading", i), report)
    _check_resolutions(draft, report)


def check_claims(draft: Draft, report: Report) -> None:
    """Claims speak of bets and parameters that exist."""
    for path, claim in draft.claims:
        if not claim.bets:
            report.add((*path, "bets"), "the claim speaks of no bet", "name at least one")
        for i, name in enumerate(claim.bets):
            if name not in draft.bet_ids:
                problem = f"{name!r} is no bet{nearest(name, draft.bet_ids)}"
                report.add((*path, "bets", i), problem, f"name {one_of(sorted(draft.bet_ids))}")
        for name, value in claim.at.items():
            if name in draft.parameters:
                try:
                    draft.parameters[name].check(value)
                except BaccaratError as error:
                    report.add((*path, "at", name), str(error), "give a value within the range")
            elif name not in _names(draft.values["parameters"]):
                problem = f"{name!r} is no parameter{nearest(name, draft.parameters)}"
                report.add((*path, "at", name), problem, f"name {one_of(draft.parameters)}")


def check_lines(draft: Draft, report: Report) -> None:
    """Every bet can win, and no line is hidden by those before it."""
    printed = draft.tableau
    if printed is None:
        return
    draws = printed.banker_draws
    for _, ambiguity in draft.ambiguities:
        in_force = [r for r in ambiguity.readings if r.id == ambiguity.in_force]
        draws = (draws - ambiguity.cells).union(*(reading.draws for reading in in_force))
    classes = classes_of(Tableau(printed.naturals, printed.player_draws, draws))
    for path, bet in _all_bets(draft):
        rest, can_win = classes.possible, False
        for i, line in enumerate(bet.lines):
            holds = intersection(line.when.classes(classes), classes.possible)
            decides = intersection(rest, holds)
            rest = difference(rest, holds)
            can_win |= any(decides) and line.pays != STAND_OFF
            if not any(holds):
                problem, remedy = "no coup meets this condition", "correct it or leave it out"
                report.add((*path, "lines", i, "when"), problem, remedy)
            elif not any(decides):
                problem = f"the lines before it already decide every coup line {i + 1} speaks of"
                report.add((*path, "lines", i, "when"), problem, "put the narrower line first")
        if not can_win:
            report.add(path, f"{bet.id} can never win", "give it a line that some coup meets")


CHECKS: tuple[Check, ...] = (
    check_names,
    check_parameters,
    check_bets,
    check_tableau,
    check_ambiguities,
    check_claims,
    check_lines,
)


def cell_in_words(cell: Cell) -> str:
    total, given = cell
    return f"banker {total}, player " + ("stood" if given == STOOD else f"given {given}")


def _cells(draft: Draft) -> Iterator[Cell]:
    """The cells a deal can reach."""
    printed = draft.tableau
    if printed is None:
        return
    givens = [*range(10)] if printed.player_draws else []
    if draft.player_stands:
        givens.append(STOOD)
    for total in range(10):
        if total not in printed.naturals:
            yield from ((total, given) for given in givens)


def _check_reading(
    draft: Draft, ambiguity: Ambiguity, reading: Reading, path: Path, report: Report
) -> None:
    doubled, settled = reading.draws & reading.stands, reading.draws | reading.stands
    for cells, problem in (
        (doubled, "both draws and stands"),
        (ambiguity.cells - settled, "is governed, but this reading does not settle it"),
        (settled - ambiguity.cells, "is settled here, but not governed"),
    ):
        for cell in sorted(cells):
            remedy = "every reading settles each governed cell, once, and no other"
            report.add(path, f"{cell_in_words(cell)} {problem}", remedy)
    for i, raw in enumerate(_items(_raw(draft, path)["bet"])):
        name = raw["replaces"] or raw["id"]
        if name not in ambiguity.bets:
            problem = f"{name!r} is not governed by {ambiguity.id}{nearest(name, ambiguity.bets)}"
            remedy = f"name {one_of(ambiguity.bets)} in id or replaces"
            report.add((*path, "bet", i), problem, remedy)
        if raw["replaces"] and raw["id"] in draft.bet_ids:
            problem = f"{raw['id']!r} is already a bet of the card"
            report.add((*path, "bet", i, "id"), problem, "give the new bet an id of its own")
    if reading.requires is not None:
        for i, name in enumerate(reading.requires):
            if name not in draft.bet_ids:
                problem = f"{name!r} is no bet{nearest(name, draft.bet_ids)}"
                report.add((*path, "requires", i), problem, f"name {one_of(draft.bet_ids)}")
        if not ambiguity.requires:
            problem = f"{ambiguity.id} governs no bet's `requires`"
            report.add((*path, "requires"), problem, "name the bets in the ambiguity's `requires`")


def _check_resolutions(draft: Draft, report: Report) -> None:
    for path, ambiguity in draft.ambiguities:
        if ambiguity.resolved and not ambiguity.resolution:
            problem = f"{ambiguity.id} is resolved without saying how"
            report.add((*path, "status"), problem, "add `resolution`")


def _raw(draft: Draft, path: Path) -> dict[str, object]:
    found: object = draft.values
    for part in path:
        found = found[part]  # type: ignore[index]
    assert isinstance(found, dict)  # noqa: S101
    return found


def _all_bets(draft: Draft) -> Iterator[tuple[Path, Bet]]:
    """The bets of the card and those that readings put in their place."""
    yield from draft.bets
    for path, ambiguity in draft.ambiguities:
        for i, reading in enumerate(ambiguity.readings):
            for j, bet in enumerate(reading.bets or ()):
                yield (*path, "reading", i, "bet", j), bet


def _items(raw: object) -> list[dict[str, object]]:
    return [item for item in raw if item is not MISSING] if isinstance(raw, list | tuple) else []


def _names(raw: object) -> list[str]:
    return list(raw) if isinstance(raw, dict) else []


def _check_once(raw: object, path: Path, report: Report) -> None:
    seen: set[object] = set()
    for i, item in enumerate(raw if isinstance(raw, list) else []):
        name = item["id"] if item is not MISSING else MISSING
        if name is not MISSING and name in seen:
            report.add((*path, i, "id"), f"{name!r} is given twice", "give each an id of its own")
        seen.add(name)
