"""Consistency checks between the parts of a rule card; each check yields the faults it finds.

The checks of the tableau and of the ambiguities are in `tableaux`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from math import lcm
from typing import Any

from baccarat.core.bets import STAND_OFF
from baccarat.core.errors import BaccaratError, GameError, all_of, nearest, one_of
from baccarat.core.facts import All, Condition, CountTest, CoupClasses, Not, Test
from baccarat.core.facts import Any as AnyOf
from baccarat.core.hand_facts.classes import classes_for
from baccarat.core.money import Rounding, format_coins
from baccarat.core.printed import Limits, Parameter, PrintedBet, PrintedTableau, Unit
from baccarat.core.tableau import Tableau
from baccarat.loader.build import Draft, is_complete
from baccarat.loader.findings import MISSING, Fault, Report, shown
from baccarat.loader.kinds import PARAMETER_NAME, read_condition
from baccarat.loader.lines import Path
from baccarat.loader.schema import MAX_DECKS
from baccarat.loader.tableaux import check_ambiguities, check_tableau, unknown_bet
from baccarat.loader.translations import check_translations

Check = Callable[[Draft], Iterator[Fault]]


def check_names(draft: Draft) -> Iterator[Fault]:
    """Check that ids are unique."""
    values = draft.values
    yield from _check_once(values["bet"], ("bet",))
    yield from _check_once(values["ambiguity"], ("ambiguity",))
    yield from _check_once(values["note"], ("note",))
    for (_, i), ambiguity in draft.ambiguities:
        raw = values["ambiguity"][i]["reading"]
        yield from _check_once(raw, ("ambiguity", i, "reading"))
        for j in range(len(ambiguity.readings)):
            yield from _check_once(raw[j]["bet"], ("ambiguity", i, "reading", j, "bet"))
    yield from _check_new_bets(draft)
    if values["bet"] == []:
        yield ("bet",), "the card has no bets", "add at least one [[bet]]"


def check_parameters(draft: Draft) -> Iterator[Fault]:
    """Check that every parameter has a valid range and is used."""
    used = {line.parameter for _, bet in draft.all_bets for line in bet.lines}
    for name, parameter in draft.parameters.items():
        path: Path = ("parameters", name)
        yield from _check_parameter(parameter, path)
        if not PARAMETER_NAME.fullmatch(name):
            problem = f"{shown(name)} is not the name of a parameter"
            yield path, problem, "use lower-case letters, digits and underscores, as in tie_odds"
        elif name == "readings":
            yield path, "'readings' is reserved", "choose another name"
        elif name != "decks" and name not in used and draft.bets_are_whole:
            yield path, f"no bet uses {shown(name)}", "use it in a line's `pays`, or remove it"
    names = draft.values["parameters"]
    if names is not MISSING and "decks" not in names:
        yield ("parameters",), "'decks' is missing", "add [parameters.decks]"
    decks = draft.parameters.get("decks")
    if decks and not (
        decks.unit is Unit.COUNT and 1 <= decks.minimum <= decks.maximum <= MAX_DECKS
    ):
        problem = f"decks cannot be {decks.format(decks.minimum)} to {decks.format(decks.maximum)}"
        remedy = f'use unit = "count" and values from 1 to {MAX_DECKS}'
        yield ("parameters", "decks"), problem, remedy


def check_bets(draft: Draft) -> Iterator[Fault]:
    """Check that bets refer to existing bets and parameters, and that each accepts some stake."""
    for path, bet in draft.bets:
        for key, names in (("requires", bet.requires), ("excludes", bet.excludes)):
            for i, name in enumerate(names):
                if name not in draft.bet_ids or name == bet.id:
                    yield unknown_bet(draft, (*path, key, i), name, other_than=[bet.id])
        if bet.stands_alone and bet.requires:
            problem = f"{bet.id} has stands_alone but requires {one_of(bet.requires)}"
            yield (*path, "stands_alone"), problem, "remove one of the two"
        yield from _check_required(draft, bet, path)
        if draft.limits:
            yield from _check_limits(draft, draft.limits, bet, path)
    for path, bet in draft.all_bets:
        yield from _check_odds(draft, bet, path)
    if draft.limits and draft.limits.minimum > draft.limits.maximum:
        yield ("limits", "minimum"), "the minimum is above the maximum", "swap them"


def check_claims(draft: Draft) -> Iterator[Fault]:
    """Check that claims refer to existing bets and to valid values of existing parameters."""
    in_force = [r for _, a in draft.ambiguities for r in a.readings if r.id == a.in_force]
    replaced = {bet.replaces for reading in in_force for bet in reading.bets or ()}
    for path, claim in draft.claims:
        if not claim.bets:
            yield (*path, "bets"), "the claim names no bet", "name at least one"
        for i, name in enumerate(claim.bets):
            if name not in draft.bet_ids:
                yield unknown_bet(draft, (*path, "bets", i), name)
            elif name in replaced:
                problem = f"{name!r} is not a bet under the reading in force"
                remedy = "put another reading in force, or remove the claim"
                yield (*path, "bets", i), problem, remedy
        for name, value in claim.at.items():
            if name in draft.parameters:
                yield from _check_value(draft.parameters[name], value, (*path, "at", name))
            elif name not in _parameters(draft):
                problem = f"{shown(name)} is not a parameter{nearest(name, _parameters(draft))}"
                yield (*path, "at", name), problem, f"choose {one_of(_parameters(draft))}"


def check_lines(draft: Draft) -> Iterator[Fault]:
    """Check that every bet can win, and that no line is unreachable because of the lines above
    it."""
    printed = draft.tableau
    if printed is None:
        return
    for path, bet in draft.all_bets:
        try:
            tableau = _tableau_for(draft, printed, path)
            classes = classes_for(tableau, (line.when for line in bet.lines))
        except GameError as error:
            yield (*path, "lines"), str(error), "or split the bet into several"
            continue
        rest, can_win = classes.possible, False
        for i, line in enumerate(bet.lines):
            holds = line.when.classes(classes) & classes.possible
            decides = rest & holds
            rest &= ~holds
            can_win |= decides != 0 and line.odds != STAND_OFF
            when: Path = (*path, "lines", i, "when")
            if not decides and holds:
                problem = "the lines above already cover every coup that meets this condition"
                yield when, problem, "put the narrower condition first"
            raw: Any = draft.content
            for key in when:
                raw = raw[key]
            check = _check_alternatives if holds else _check_condition
            yield from check(raw, when, classes)
        if not can_win:
            yield path, f"{bet.id} can never win", "add a line whose condition a coup can meet"


def _check_condition(raw: Mapping[str, Any], path: Path, classes: CoupClasses) -> Iterator[Fault]:
    """Check that some coup meets a condition, and each of its alternatives."""
    condition: Condition = read_condition(raw, path, Report({(): 1}))
    if not condition.classes(classes) & classes.possible:
        problem, remedy = "no coup meets this condition", "correct or remove it"
        if len(facts := _contradicting(condition, classes)) > 1:
            problem += f": {all_of(facts)} contradict each other"
            remedy = "correct or remove one of them"
        yield path, problem, remedy
    else:
        yield from _check_alternatives(raw, path, classes)


def _check_alternatives(
    raw: Mapping[str, Any], path: Path, classes: CoupClasses
) -> Iterator[Fault]:
    """Check that some coup meets each of the conditions in `any`, at any depth."""
    for name, value in raw.items():
        at: Path = (*path, name)
        if name == "not":
            yield from _check_alternatives(value, at, classes)
        elif name in ("any", "all"):
            check = _check_condition if name == "any" else _check_alternatives
            for i, part in enumerate(value):
                yield from check(part, (*at, i), classes)


def _contradicting(condition: Condition, classes: CoupClasses) -> list[str]:
    """Return the names of facts that no coup meets together; none of them can be left out."""
    parts = [*_parts(condition)]
    for part in parts[:]:
        others = [other for other in parts if other is not part]
        if not All(tuple(others)).classes(classes) & classes.possible:
            parts = others
    return [
        part.fact if isinstance(part, Test | CountTest) else _NAMES[type(part)] for part in parts
    ]


_NAMES = {AnyOf: "any", Not: "not"}


def _parts(condition: Condition) -> Iterator[Condition]:
    """Yield the conditions that must all be true."""
    if isinstance(condition, All):
        for part in condition.parts:
            yield from _parts(part)
    else:
        yield condition


def _tableau_for(draft: Draft, printed: PrintedTableau, path: Path) -> Tableau:
    """Return the tableau that applies to a bet: that of the bet's own reading, or that of the
    readings in force."""
    draws = printed.banker_draws
    for place, ambiguity in draft.ambiguities:
        if path[: len(place)] == place:
            chosen = [reading for i, reading in enumerate(ambiguity.readings) if i == path[3]]
        else:
            chosen = [r for r in ambiguity.readings if r.id == ambiguity.in_force]
        draws = (draws - ambiguity.cells).union(*(reading.draws for reading in chosen))
    return Tableau(printed.naturals, printed.player_draws, draws)


def check_text(draft: Draft) -> Iterator[Fault]:
    """Check the translations, but only if all texts they may refer to could be read."""
    if (
        draft.bets_are_whole
        and is_complete(draft.values["parameters"])
        and is_complete(draft.values["note"])
    ):
        yield from check_translations(draft.values)


CHECKS: tuple[Check, ...] = (
    check_names,
    check_parameters,
    check_bets,
    check_tableau,
    check_ambiguities,
    check_claims,
    check_lines,
    check_text,
)


def _check_once(raw: object, path: Path) -> Iterator[Fault]:
    seen: set[str] = set()
    for i, item in enumerate(raw if isinstance(raw, list) else []):
        name = item["id"] if item is not MISSING else MISSING
        if name in seen:
            yield (*path, i, "id"), f"{name!r} is used twice", "give each a different id"
        seen.add(name if name is not MISSING else "")


def _check_new_bets(draft: Draft) -> Iterator[Fault]:
    """Check that a bet added by a reading does not have the id of another bet."""
    added_by: dict[str, Path] = {}
    for path, bet in draft.reading_bets:
        if bet.replaces and bet.id in draft.bet_ids:
            problem = f"{bet.id!r} is already a bet of the card"
            yield (*path, "id"), problem, "give the new bet a different id"
        elif bet.replaces and added_by.setdefault(bet.id, path[:2]) != path[:2]:
            problem = f"another ambiguity already adds a bet {bet.id!r}"
            yield (*path, "id"), problem, "give each a different id"


def _check_parameter(parameter: Parameter, path: Path) -> Iterator[Fault]:
    low, high = parameter.minimum, parameter.maximum
    if low > high:
        yield (*path, "minimum"), "the minimum is above the maximum", "swap them"
        return
    yield from _check_value(parameter, parameter.default, (*path, "default"))
    for key, value in (("minimum", low), ("maximum", high)):
        yield from _check_value(parameter, value, (*path, key))
    if parameter.unit is Unit.ODDS and low == 0:
        yield (*path, "minimum"), "odds cannot be zero", "write odds above zero"
    if parameter.unit is Unit.PERCENT and high > 1:
        problem = f"{parameter.format(high)} is more than 100%"
        yield (*path, "maximum"), problem, 'write at most "100%"'


def _check_value(parameter: Parameter, value: Fraction, path: Path) -> Iterator[Fault]:
    try:
        parameter.check(value)
    except BaccaratError as error:
        yield path, str(error), "use a value that the parameter allows"


def _check_required(draft: Draft, bet: PrintedBet, path: Path) -> Iterator[Fault]:
    """Check that a bet can be combined with at least one of the bets it requires."""
    refused_by = {other.id for _, other in draft.bets if bet.id in other.excludes}
    if bet.requires and set(bet.requires) <= refused_by | set(bet.excludes):
        problem = f"{bet.id} cannot be combined with any bet that it requires"
        yield (*path, "requires"), problem, "require a bet that it can be combined with"


def _check_limits(
    draft: Draft,
    limits: Limits,
    bet: PrintedBet,
    path: Path,
) -> Iterator[Fault]:
    """Check that at least one stake on the bet is allowed."""
    low = limits.minimum if bet.minimum is None else bet.minimum
    high = limits.maximum if bet.maximum is None else bet.maximum
    if low > high and (bet.minimum or bet.maximum):
        problem = f"its minimum {format_coins(low)} is above its maximum {format_coins(high)}"
        yield (*path, "maximum" if bet.maximum else "minimum"), problem, "widen the limits"
        return
    defaults = {name: parameter.default for name, parameter in draft.parameters.items()}
    odds = (line.pays(defaults) for line in bet.lines)
    step = lcm(*(pays.denominator for pays in odds if pays))
    if limits.rounding is Rounding.REFUSE and low <= high and high // step * step < low:
        stakes = f"{format_coins(low)} to {format_coins(high)}"
        problem = f"no stake from {stakes} pays a whole number of coins"
        remedy = f"allow a multiple of {format_coins(step)}, or set `rounding`"
        yield path, problem, remedy


def _check_odds(draft: Draft, bet: PrintedBet, path: Path) -> Iterator[Fault]:
    """Check that each parameter used as odds exists and has a unit other than "count"."""
    paying = [
        name
        for name in _parameters(draft)
        if name not in draft.parameters or draft.parameters[name].unit is not Unit.COUNT
    ]
    for i, line in enumerate(bet.lines):
        name = line.parameter
        if name and name not in paying:
            what = "is a count" if name in _parameters(draft) else "is not a parameter"
            problem = f"{name!r} {what}{nearest(name, paying)}"
            names = one_of(['odds such as "9:1"', '"stand-off"', *(f'"{name}"' for name in paying)])
            yield (*path, "lines", i, "pays"), problem, f"write {names}"


def _parameters(draft: Draft) -> Iterable[str]:
    names = draft.values["parameters"]
    return list(names) if isinstance(names, dict) else []
