"""What must hold between the parts of a rule card: a list of checks, each adding its findings.

Those of the tableau and of ambiguities have a module of their own, `tableaux`.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import lcm

from baccarat.core.conditions import difference, intersection
from baccarat.core.errors import BaccaratError, nearest, one_of
from baccarat.core.facts import classes_of
from baccarat.core.money import Rounding, format_coins
from baccarat.core.rulecard import STAND_OFF, Bet, Limits, Parameter, PrintedTableau, Unit
from baccarat.core.tableau import Tableau
from baccarat.loader.build import Draft
from baccarat.loader.findings import Report, shown
from baccarat.loader.kinds import MISSING, PARAMETER_NAME
from baccarat.loader.lines import Path
from baccarat.loader.schema import MOST_DECKS
from baccarat.loader.tableaux import check_ambiguities, check_tableau, names_of_bets

Check = Callable[[Draft, Report], None]


def check_names(draft: Draft, report: Report) -> None:
    """Ids are given once."""
    values = draft.values
    _check_once(values["bet"], ("bet",), report)
    _check_once(values["ambiguity"], ("ambiguity",), report)
    for (_, i), ambiguity in draft.ambiguities:
        raw = values["ambiguity"][i]["reading"]
        _check_once(raw, ("ambiguity", i, "reading"), report)
        for j in range(len(ambiguity.readings)):
            _check_once(raw[j]["bet"], ("ambiguity", i, "reading", j, "bet"), report)
    _check_new_bets(draft, report)
    if values["bet"] == []:
        report.add(("bet",), "the card has no bets", "add at least one [[bet]]")


def check_parameters(draft: Draft, report: Report) -> None:
    """A parameter makes sense in itself, and something uses it."""
    used = {line.pays for _, bet in draft.all_bets for line in bet.lines}
    for name, parameter in draft.parameters.items():
        path: Path = ("parameters", name)
        _check_parameter(parameter, path, report)
        if not PARAMETER_NAME.fullmatch(name):
            problem = f"{shown(name)} is not the name of a parameter"
            report.add(path, problem, "write small letters, digits and underscores: tie_odds")
        elif name != "decks" and name not in used and draft.bets_are_whole:
            problem = f"no bet uses {shown(name)}"
            report.add(path, problem, "name it in a line's `pays`, or leave it out")
    names = draft.values["parameters"]
    if names is not MISSING and "decks" not in names:
        report.add(("parameters",), "'decks' is missing", "add [parameters.decks]")
    decks = draft.parameters.get("decks")
    if decks and not (
        decks.unit is Unit.COUNT and 1 <= decks.minimum <= decks.maximum <= MOST_DECKS
    ):
        problem = f"decks cannot be {decks.format(decks.minimum)} to {decks.format(decks.maximum)}"
        report.add(("parameters", "decks"), problem, f"count them, within 1 to {MOST_DECKS}")


def check_bets(draft: Draft, report: Report) -> None:
    """Bets name bets and parameters that exist, and can be wagered on."""
    for path, bet in draft.bets:
        for key, names in (("requires", bet.requires), ("excludes", bet.excludes)):
            for i, name in enumerate(names):
                if name not in draft.bet_ids or name == bet.id:
                    problem = f"{name!r} is no other bet{nearest(name, draft.bet_ids - {bet.id})}"
                    remedy = f"name {names_of_bets(draft, but=bet.id)}"
                    report.add((*path, key, i), problem, remedy)
        if bet.stands_alone and bet.requires:
            problem = f"{bet.id} stands alone and yet requires {one_of(bet.requires)}"
            report.add((*path, "stands_alone"), problem, "leave out one of the two")
        _check_company(draft, bet, path, report)
        if draft.limits:
            _check_limits(draft, draft.limits, bet, path, report)
    for path, bet in draft.all_bets:
        _check_odds(draft, bet, path, report)
    if draft.limits and draft.limits.minimum > draft.limits.maximum:
        report.add(("limits", "minimum"), "it is above the maximum", "exchange the two")


def check_claims(draft: Draft, report: Report) -> None:
    """Claims speak of bets and parameters that exist."""
    in_force = [a.reading(a.in_force) for _, a in draft.ambiguities if a.has(a.in_force)]
    replaced = {bet.replaces for reading in in_force for bet in reading.bets or ()}
    for path, claim in draft.claims:
        if not claim.bets:
            report.add((*path, "bets"), "the claim speaks of no bet", "name at least one")
        for i, name in enumerate(claim.bets):
            if name not in draft.bet_ids:
                problem = f"{name!r} is no bet{nearest(name, draft.bet_ids)}"
                report.add((*path, "bets", i), problem, f"name {names_of_bets(draft)}")
            elif name in replaced:
                problem = f"{name!r} is not there under the reading in force"
                remedy = "put another reading in force, or leave the claim out"
                report.add((*path, "bets", i), problem, remedy)
        for name, value in claim.at.items():
            if name in draft.parameters:
                _check_value(draft.parameters[name], value, (*path, "at", name), report)
            elif name not in _parameters(draft):
                problem = f"{shown(name)} is no parameter{nearest(name, _parameters(draft))}"
                report.add((*path, "at", name), problem, f"name {one_of(_parameters(draft))}")


def check_lines(draft: Draft, report: Report) -> None:
    """Every bet can win, and no line is hidden by those before it."""
    printed = draft.tableau
    if printed is None:
        return
    for path, bet in draft.all_bets:
        classes = classes_of(_tableau_for(draft, printed, path))
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
                problem = "the conditions above it already decide every coup it speaks of"
                report.add((*path, "lines", i, "when"), problem, "put the narrower one first")
        if not can_win:
            report.add(path, f"{bet.id} can never win", "give it a line that some coup meets")


def _tableau_for(draft: Draft, printed: PrintedTableau, path: Path) -> Tableau:
    """The tableau in force where a bet stands: in a reading, that reading's own."""
    draws = printed.banker_draws
    for place, ambiguity in draft.ambiguities:
        if path[: len(place)] == place:
            chosen = [reading for i, reading in enumerate(ambiguity.readings) if i == path[3]]
        else:
            chosen = [r for r in ambiguity.readings if r.id == ambiguity.in_force]
        draws = (draws - ambiguity.cells).union(*(reading.draws for reading in chosen))
    return Tableau(printed.naturals, printed.player_draws, draws)


CHECKS: tuple[Check, ...] = (
    check_names,
    check_parameters,
    check_bets,
    check_tableau,
    check_ambiguities,
    check_claims,
    check_lines,
)


def _check_once(raw: object, path: Path, report: Report) -> None:
    seen: set[str] = set()
    for i, item in enumerate(raw if isinstance(raw, list) else []):
        name = item["id"] if item is not MISSING else MISSING
        if name in seen:
            report.add((*path, i, "id"), f"{name!r} is given twice", "give each an id of its own")
        seen.add(name if name is not MISSING else "")


def _check_new_bets(draft: Draft, report: Report) -> None:
    """A bet that a reading adds has an id that no other bet can have beside it."""
    added_by: dict[str, Path] = {}
    for path, bet in draft.reading_bets:
        if bet.replaces and bet.id in draft.bet_ids:
            problem, remedy = f"{bet.id!r} is already a bet of the card", "give it an id of its own"
            report.add((*path, "id"), problem, remedy)
        elif bet.replaces and added_by.setdefault(bet.id, path[:2]) != path[:2]:
            problem = f"another ambiguity adds a bet {bet.id!r}"
            report.add((*path, "id"), problem, "give each an id of its own")


def _check_parameter(parameter: Parameter, path: Path, report: Report) -> None:
    low, high = parameter.minimum, parameter.maximum
    if low > high:
        report.add((*path, "minimum"), "it is above the maximum", "exchange the two")
        return
    _check_value(parameter, parameter.default, (*path, "default"), report)
    for key, value in (("minimum", low), ("maximum", high)):
        _check_value(parameter, value, (*path, key), report)
    if parameter.unit is Unit.ODDS and low == 0:
        report.add((*path, "minimum"), "odds of nothing are no odds", "write odds above zero")
    if parameter.unit is Unit.PERCENT and high > 1:
        problem = f"{parameter.format(high)} is more than the whole"
        report.add((*path, "maximum"), problem, 'write a percentage up to "100%"')


def _check_value(parameter: Parameter, value: Fraction, path: Path, report: Report) -> None:
    try:
        parameter.check(value)
    except BaccaratError as error:
        report.add(path, str(error), "give a value that the parameter allows")


def _check_company(draft: Draft, bet: Bet, path: Path, report: Report) -> None:
    """A bet that requires others can be combined with one of them."""
    refused_by = {other.id for _, other in draft.bets if bet.id in other.excludes}
    if bet.requires and set(bet.requires) <= refused_by | set(bet.excludes):
        problem = f"{bet.id} may not be combined with any bet that it requires"
        report.add((*path, "requires"), problem, "require a bet that it can be combined with")


def _check_limits(draft: Draft, limits: Limits, bet: Bet, path: Path, report: Report) -> None:
    """There is a stake that the table takes."""
    low = limits.minimum if bet.minimum is None else bet.minimum
    high = limits.maximum if bet.maximum is None else bet.maximum
    if low > high and (bet.minimum or bet.maximum):
        problem = f"its least stake {format_coins(low)} is above its largest {format_coins(high)}"
        report.add((*path, "maximum" if bet.maximum else "minimum"), problem, "widen the limits")
        return
    odds = (_odds(draft, line.pays) for line in bet.lines)
    step = lcm(*(pays.denominator for pays in odds if pays))
    if limits.rounding is Rounding.REFUSE and low <= high and high // step * step < low:
        problem = f"no stake from {format_coins(low)} to {format_coins(high)} pays whole coins"
        remedy = f"allow a multiple of {format_coins(step)}, or declare a rounding"
        report.add(path, problem, remedy)


def _check_odds(draft: Draft, bet: Bet, path: Path, report: Report) -> None:
    """Where a line names a parameter, it is one that says what a bet pays."""
    paying = [
        name
        for name in _parameters(draft)
        if name not in draft.parameters or draft.parameters[name].unit is not Unit.COUNT
    ]
    for i, line in enumerate(bet.lines):
        if isinstance(line.pays, str) and line.pays not in paying:
            what = "a count" if line.pays in _parameters(draft) else "no parameter"
            problem = f"{line.pays!r} is {what}{nearest(line.pays, paying)}"
            names = one_of(['odds such as "9:1"', '"stand-off"', *(f'"{name}"' for name in paying)])
            report.add((*path, "lines", i, "pays"), problem, f"write {names}")


def _odds(draft: Draft, pays: Fraction | str) -> Fraction | None:
    if isinstance(pays, Fraction):
        return pays
    return draft.parameters[pays].default if pays in draft.parameters else None


def _parameters(draft: Draft) -> Iterable[str]:
    names = draft.values["parameters"]
    return list(names) if isinstance(names, dict) else []
