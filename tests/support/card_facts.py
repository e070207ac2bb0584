"""The facts of a loaded rule card, in the same plain form as the posters' facts. What is not on the

posters is left out: stake limits, the ranges of what a table sets, the currency, labels and

positions on the layout, our own texts, and the requirements cited. Fields
that are added to a card, a bet, the notice or the procedures are reported under their own name, so
that a poster's facts have to say something about them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from fractions import Fraction
from typing import Any

from baccarat.core.facts import All, Condition, Test
from baccarat.core.printed import (
    Ambiguity,
    Claim,
    Parameter,
    PosterNote,
    PrintedBet,
    PrintedLine,
    Reading,
)
from baccarat.core.rulecard import RuleCard
from baccarat.core.tableau import STOOD, Cell

Facts = Mapping[str, Any]
"""Facts by name: text, a number, True, or a list of texts. Facts that are not stated are absent."""

OURS = {"version", "summary", "currency", "cites", "bonus_cites", "digest"}
OURS_IN_A_BET = {"id", "short", "group", "order", "minimum", "maximum", "replaces", "cites"}
SHORT_NAMES = {"3g8"}
"""Bets whose short name is on a poster; the other short names are ours."""

WARNINGS = ("addiction", "loss", "stop", "before")
"""What a warning may be about. Our sentences are not the posters', so only words are compared."""

OUTCOMES = {
    ("winner", "player"): "player wins",
    ("winner", "banker"): "banker wins",
    ("winner", "tie"): "tie",
    ("player_pair", True): "player pair",
    ("banker_pair", True): "banker pair",
    **{("banker_total", total): f"with {total}" for total in range(10)},
    **{("player_total", total): f"on {total}" for total in range(10)},
    **{("banker_cards", cards): f"in {cards} cards" for cards in (2, 3)},
    **{("banker_start", total): f"banker's first two make {total}" for total in range(10)},
    **{("player_third", points): f"and player's third is {points}" for points in range(10)},
}


def differences(facts: Facts, card: RuleCard) -> dict[str, str]:
    """Return the facts on which a poster and a rule card differ, by name, in words."""
    found = facts_of(card)
    return {
        name: f"{name}: the poster has {facts.get(name)!r}, {card.id} has {found.get(name)!r}"
        for name in (*facts, *(found.keys() - facts.keys()))
        if facts.get(name) != found.get(name)
    }


def facts_of(card: RuleCard) -> dict[str, Any]:
    """Return the facts of a rule card. What it leaves out, or denies, has no entry."""
    facts: dict[str, Any] = {"source": card.source, "name": card.name}
    for parameter in card.parameters.values():
        facts |= _of_parameter(parameter)
    facts |= _of_tableau(card)
    for bet in card.bets:
        facts |= _of_bet(bet)
    facts["partners share the maximum"] = card.limits.partners_share_maximum
    facts["most win chance with bonus money"] = _percent(card.bonus_win_chance)
    for claim in card.claims:
        facts[f"edge of {_subject_of(claim, card)}"] = claim.printed
    for ambiguity in card.ambiguities:
        facts |= _of_ambiguity(ambiguity)
    facts["notes"] = [_note(note) for note in card.poster_notes]
    facts |= _of_notice(card)
    facts |= _of_guide(card)
    facts |= _other_fields(card.procedures, {"cites"})
    facts |= _other_fields(
        card,
        {"id", "source", "name", "tableau", "parameters", "bets", "limits", "ambiguities"}
        | {"claims", "notes", "poster_notes", "notice", "guide", "procedures", "bonus_win_chance"}
        | OURS,
    )
    return {name: value for name, value in facts.items() if value not in (None, False, (), [])}


def _other_fields(part: Any, known: set[str]) -> dict[str, Any]:
    names = (field.name for field in fields(part) if field.name not in known)
    return {name.replace("_", " "): getattr(part, name) for name in names}


def _of_parameter(parameter: Parameter) -> dict[str, Any]:
    """Return what is left open. A range is the poster's only where it is agreed with a player."""
    name, form = parameter.name, parameter.format
    facts = {name: form(parameter.default), f"{name} is set by": parameter.set_by}
    if parameter.set_by == "agreement":
        facts[f"{name} ranges"] = f"{form(parameter.minimum)} to {form(parameter.maximum)}"
    return facts


def _of_tableau(card: RuleCard) -> dict[str, Any]:
    tableau = card.tableau
    stands = set(range(10)) - tableau.naturals - tableau.player_draws
    facts: dict[str, Any] = {
        "naturals": _digits(tableau.naturals),
        "player draws on": _digits(tableau.player_draws),
        "player stands on": _digits(stands),
    }
    for total in range(10):
        draws, stands = (
            {given for banker, given in cells if banker == total}
            for cells in (tableau.banker_draws, tableau.banker_stands)
        )
        rows = (("draws", draws), ("stands", stands))
        row = [f"{verb} {_against(given)}".strip() for verb, given in rows if given]
        facts[f"banker with {total}"] = ", ".join(row) or None
    return facts


def _against(given: set[int]) -> str:
    return "" if len(given) == 11 else f"on {_digits(given)}"


def _digits(numbers: Iterable[int]) -> str:
    """Return totals or points as a row of digits: '012' for 0, 1 and 2."""
    found = set(numbers)
    points = "".join(map(str, sorted(found - {STOOD})))
    return ("any" if len(points) == 10 else points) + ("stood" if STOOD in found else "")


def _cells(cells: Iterable[Cell]) -> str:
    """Return cells as banker's totals and player's third cards: '012/any', '6/stood', '3/38'."""
    rows: dict[int, set[int]] = {}
    for total, given in cells:
        rows.setdefault(total, set()).add(given)
    totals: dict[str, list[int]] = {}
    for total in sorted(rows):
        totals.setdefault(_digits(rows[total]), []).append(total)
    return ", ".join(f"{_digits(banker)}/{given}" for given, banker in totals.items())


def _of_bet(bet: PrintedBet) -> dict[str, Any]:
    names = f"{bet.name} ({bet.short})" if bet.id in SHORT_NAMES else bet.name
    facts = {
        "pays": _lines(bet.lines),
        "is called": names,
        "needs": " or ".join(sorted(bet.requires)) or None,
        "is not combined with": ", ".join(sorted(bet.excludes)) or None,
        "stands alone": bet.stands_alone,
        "odds are not printed": bet.assumed,
        "is also called": list(bet.known_as),
    }
    known = {"lines", "name", "requires", "excludes", "stands_alone", "assumed", "known_as"}
    facts |= _other_fields(bet, known | OURS_IN_A_BET)
    return {f"{bet.id} {name}": value for name, value in facts.items()}


def _lines(lines: Iterable[PrintedLine]) -> str:
    return "; ".join(f"{_odds(line)} if {_condition(line.when)}" for line in lines)


def _odds(line: PrintedLine) -> str:
    if line.parameter or line.odds is None:
        return str(line.parameter)
    return f"{line.odds.numerator}:{line.odds.denominator}" if line.odds else "stake back"


def _condition(condition: Condition) -> str:
    match condition:
        case Test(fact, values) if len(values) == 1:
            value = next(iter(values))
            return OUTCOMES.get((fact, value), f"{fact} is {value}")
        case All(parts):
            return " ".join(map(_condition, parts))
        case _:
            return repr(condition)


def _subject_of(claim: Claim, card: RuleCard) -> str:
    bets = " and ".join(claim.bets) + ("" if claim.names_bets else " (not named)")
    at = [f"{name} {card.parameters[name].format(value)}" for name, value in claim.at.items()]
    return " at ".join([bets, *at])


def _of_ambiguity(ambiguity: Ambiguity) -> dict[str, Any]:
    governs = [
        _cells(ambiguity.cells),
        "what is paid on " + ", ".join(ambiguity.bets) if ambiguity.bets else "",
        "what is needed for " + ", ".join(ambiguity.requires) if ambiguity.requires else "",
    ]
    readings = {reading.id: _reading(reading) for reading in ambiguity.readings}
    in_force = readings.pop(ambiguity.in_force)
    facts = {
        "is about": "; ".join(filter(None, governs)),
        "in force": in_force,
        "other readings": sorted(readings.values()),
        "is resolved": ambiguity.resolved,
        "sister cards": list(ambiguity.sisters),
    }
    return {f"{ambiguity.id} {name}": value for name, value in facts.items()}


def _reading(reading: Reading) -> str:
    """Return the effect of a reading; one that changes nothing leaves the card as it is."""
    needs = None if reading.requires is None else f"needs {' or '.join(sorted(reading.requires))}"
    parts = [
        f"draws {_cells(reading.draws)}" if reading.draws else None,
        f"stands {_cells(reading.stands)}" if reading.stands else None,
        *(f"{bet.id} pays {_lines(bet.lines)}" for bet in reading.bets or ()),
        needs,
    ]
    return ", ".join(filter(None, parts)) or "as the bets above"


def _note(note: PosterNote) -> str:
    """Return the kind of a note, and whether it states what is in force."""
    return f"{note.id}: {note.kind}{', in force' if note.in_force else ''}"


def _of_notice(card: RuleCard) -> dict[str, Any]:
    notice = card.notice
    facts = _other_fields(notice, {"warning", "contacts", "cites"})
    warning = (notice.warning or "").casefold()
    facts["warning is about"] = [word for word in WARNINGS if word in warning]
    for contact in notice.contacts:
        name, _, address = contact.rpartition(": ")
        facts[f"contact {address.replace(' ', '')}"] = name.casefold()
    return facts


def _of_guide(card: RuleCard) -> dict[str, Any]:
    guide = card.guide
    facts = _other_fields(guide, {"example", "varies_by"})
    facts |= {"example": _percent(guide.example), "varies by": list(guide.varies_by)}
    return {f"guide: {name}": value for name, value in facts.items()}


def _percent(chance: Fraction | None) -> str | None:
    return None if chance is None else f"{chance * 100}%"
