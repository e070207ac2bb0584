"""From the values of a rule card file to a RuleCard.

A `Draft` holds every part that could be read, with its place in the file; parts with faults are
left out, so that the checks still find what is wrong with the rest.
"""

import pathlib
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from baccarat.core.money import Rounding
from baccarat.core.rulecard import (
    Ambiguity,
    Bet,
    Claim,
    Limits,
    Line,
    Notice,
    Parameter,
    PrintedTableau,
    Procedures,
    Reading,
    RuleCard,
    Unit,
)
from baccarat.core.tableau import STOOD, Cell
from baccarat.loader.files import sister_of
from baccarat.loader.kinds import MISSING
from baccarat.loader.lines import Path


@dataclass
class Draft:
    """What could be read of a card, each part with its place in the file."""

    values: Mapping[str, Any]
    bets: list[tuple[Path, Bet]] = field(default_factory=list)
    bet_ids: set[str] = field(default_factory=set)
    """Every bet the file names, faulty ones included: they still count as existing."""
    parameters: dict[str, Parameter] = field(default_factory=dict)
    tableau: PrintedTableau | None = None
    player_stands: frozenset[int] = frozenset()
    limits: Limits | None = None
    ambiguities: list[tuple[Path, Ambiguity]] = field(default_factory=list)
    reading_bets: list[tuple[Path, Bet]] = field(default_factory=list)
    """What readings put in the place of bets."""
    claims: list[tuple[Path, Claim]] = field(default_factory=list)
    folder: pathlib.Path | None = None
    """Where the card lies."""
    digest: str = ""
    """SHA-256 of the file's text."""
    faulty: Set[str | int] = frozenset()
    """The keys of the card below which something is wrong, once it has been checked."""

    def card(self) -> RuleCard | None:
        """The card made of the sound parts, or None when they do not make a game."""
        v = self.values
        if self.tableau is None or self.limits is None or "decks" not in self.parameters:
            return None
        if not self.faulty.isdisjoint({"parameters", "tableau", "limits", "ambiguity"}):
            return None
        bonus = sound(v["bonus"]) or {}
        return RuleCard(
            **{name: sound(v[name]) or "" for name in ("id", "name", "source", "summary")},
            version=sound(v["version"]) or 1,
            currency=sound(v["currency"]) or "GBP",
            tableau=self.tableau,
            parameters=self.parameters,
            bets=tuple(bet for _, bet in self.bets if self._can_pay(bet)),
            limits=self.limits,
            ambiguities=tuple(ambiguity for _, ambiguity in self.ambiguities),
            claims=tuple(claim for _, claim in self.claims),
            notes=sound(v["notes"]) or (),
            notice=_notice(sound(v["notice"])),
            procedures=_procedures(sound(v["procedures"])),
            bonus_win_chance=sound(bonus.get("most_win_chance", MISSING)),
            bonus_cites=sound(bonus.get("cites", MISSING)) or (),
            cites=sound(v["cites"]) or (),
            digest=self.digest,
        )

    @property
    def all_bets(self) -> list[tuple[Path, Bet]]:
        """The bets of the card and those that readings put in their place."""
        return [*self.bets, *self.reading_bets]

    @property
    def bets_are_whole(self) -> bool:
        """Could every bet be read, those of readings included?"""
        return whole(self.values["bet"]) and whole(self.values["ambiguity"])

    @cached_property
    def open_cells(self) -> frozenset[Cell]:
        """Cells that stand in neither or both columns, and that no ambiguity governs."""
        assert self.tableau is not None  # noqa: S101  (there are no cells without it)
        draws, stands = self.tableau.banker_draws, self.tableau.banker_stands
        unclear = frozenset(cell for cell in self._cells() if (cell in draws) == (cell in stands))
        return unclear - self._governed()

    def _cells(self) -> Iterator[Cell]:
        """The cells a deal can reach."""
        assert self.tableau is not None  # noqa: S101  (see open_cells)
        givens = [*range(10)] if self.tableau.player_draws else []
        givens += [STOOD] if self.player_stands else []
        for total in range(10):
            if total not in self.tableau.naturals:
                yield from ((total, given) for given in givens)

    def _governed(self) -> frozenset[Cell]:
        """The cells of all ambiguities, of faulty ones too: any cell, when nobody can tell."""
        raw = self.values["ambiguity"]
        if raw is MISSING or any(a is MISSING or a["cells"] is MISSING for a in raw):
            return frozenset(self._cells())
        return frozenset(cell for ambiguity in raw for cell in union(ambiguity["cells"]))

    def _can_pay(self, bet: Bet) -> bool:
        return all(
            not isinstance(line.pays, str) or line.pays in self.parameters for line in bet.lines
        )


def sound(value: Any) -> Any:
    """The value, or None when it is missing."""
    return None if value is MISSING else value


def build(values: Mapping[str, Any], folder: pathlib.Path | None = None) -> Draft:
    """Everything of a card that could be read; its sisters are named from its folder."""
    draft = Draft(values, folder=folder)
    for name, raw in (sound(values["parameters"]) or {}).items():
        if whole(raw):
            draft.parameters[name] = Parameter(name=name, **{**raw, "unit": Unit(raw["unit"])})
    for i, raw in enumerate(sound(values["bet"]) or []):
        if raw is not MISSING and raw["id"] is not MISSING:
            draft.bet_ids.add(raw["id"])
        if whole(raw):
            draft.bets.append((("bet", i), _bet(raw)))
    _build_tableau(draft, values["tableau"])
    if whole(values["limits"]):
        limits = values["limits"]
        draft.limits = Limits(**{**limits, "rounding": Rounding(limits["rounding"])})
    for i, raw in enumerate(sound(values["ambiguity"]) or []):
        if whole(raw):
            draft.ambiguities.append((("ambiguity", i), _ambiguity(raw, ("ambiguity", i), draft)))
    for i, raw in enumerate(sound(values["claim"]) or []):
        if whole(raw):
            claim = Claim(
                raw["bets"], raw["at"] or {}, raw["printed"], raw["cites"], raw["names_bets"]
            )
            draft.claims.append((("claim", i), claim))
    return draft


def whole(raw: Any) -> bool:
    """Is nothing missing in it, at any depth?"""
    match raw:
        case dict():
            return all(whole(value) for value in raw.values())
        case list() | tuple():
            return all(whole(value) for value in raw)
        case _:
            return raw is not MISSING


def union(cells: Iterable[Iterable[Cell]]) -> frozenset[Cell]:
    return frozenset(cell for part in cells for cell in part)


def _lines(raw: Iterable[Mapping[str, Any]]) -> tuple[Line, ...]:
    return tuple(Line(line["when"], line["pays"]) for line in raw)


def _bet(raw: Mapping[str, Any]) -> Bet:
    return Bet(**{**raw, "lines": _lines(raw["lines"]), "short": raw["short"] or raw["name"]})


def _build_tableau(draft: Draft, raw: Any) -> None:
    if not whole(raw):
        return
    draft.player_stands = raw["player_stands"]
    draft.tableau = PrintedTableau(
        naturals=raw["naturals"],
        player_draws=raw["player_draws"],
        banker_draws=union(raw["banker_draws"]),
        banker_stands=union(raw["banker_stands"]),
        cites=raw["cites"],
    )


def _ambiguity(raw: Mapping[str, Any], path: Path, draft: Draft) -> Ambiguity:
    readings = enumerate(raw["reading"])
    return Ambiguity(
        id=raw["id"],
        question=raw["question"],
        readings=tuple(_reading(reading, (*path, "reading", i), draft) for i, reading in readings),
        in_force=raw["in_force"],
        resolved=raw["status"] == "resolved",
        resolution=raw["resolution"],
        cells=union(raw["cells"]),
        bets=raw["bets"],
        requires=raw["requires"],
        sisters=tuple(sister_of(draft.folder, name) for name in raw["sisters"]),
        cites=raw["cites"],
    )


def _reading(raw: Mapping[str, Any], path: Path, draft: Draft) -> Reading:
    bets = {bet.id: bet for _, bet in draft.bets}
    instead: list[Bet] = []
    for i, bet in enumerate(raw["bet"]):
        governed = bets.get(bet["replaces"] or bet["id"])
        if governed:
            instead.append(_instead(bet, governed))
            draft.reading_bets.append(((*path, "bet", i), instead[-1]))
    return Reading(
        id=raw["id"],
        text=raw["text"],
        draws=union(raw["draws"]),
        stands=union(raw["stands"]),
        bets=tuple(instead) or None,
        requires=raw["requires"],
    )


def _instead(raw: Mapping[str, Any], governed: Bet) -> Bet:
    return replace(
        governed,
        id=raw["id"],
        name=raw["name"] or governed.name,
        short=raw["short"] or raw["name"] or governed.short,
        lines=_lines(raw["lines"]),
        replaces=raw["replaces"],
    )


def _notice(raw: Mapping[str, Any] | None) -> Notice:
    return Notice(**raw) if raw and whole(raw) else Notice()


def _procedures(raw: Mapping[str, Any] | None) -> Procedures:
    return Procedures(**raw) if raw and whole(raw) else Procedures()
