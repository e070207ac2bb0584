"""Building a RuleCard from the values in its file.

A `Draft` holds every part that could be read, with its path in the file. Parts with faults are left
out, so that the others can still be checked.
"""

import pathlib
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import product
from typing import Any, TypeVar

from baccarat.core import printed
from baccarat.core.money import Rounding
from baccarat.core.rulecard import RuleCard
from baccarat.core.tableau import STOOD, Cell, Tableau
from baccarat.loader.files import sister_of
from baccarat.loader.findings import MISSING
from baccarat.loader.lines import Path
from baccarat.loader.translations import translate

Part = TypeVar("Part")


@dataclass
class Draft:
    """The parts of a rule card that could be read, with their paths in the file."""

    values: Mapping[str, Any]
    bets: list[tuple[Path, printed.PrintedBet]] = field(default_factory=list)
    bet_ids: set[str] = field(default_factory=set)
    """Ids of all bets in the file. Bets with faults are included, so that references to them are
    valid."""
    parameters: dict[str, printed.Parameter] = field(default_factory=dict)
    tableau: printed.PrintedTableau | None = None
    player_stands: frozenset[int] = frozenset()
    limits: printed.Limits | None = None
    ambiguities: list[tuple[Path, printed.Ambiguity]] = field(default_factory=list)
    reading_bets: list[tuple[Path, printed.PrintedBet]] = field(default_factory=list)
    """Bets that replace the card's bets under some reading."""
    claims: list[tuple[Path, printed.Claim]] = field(default_factory=list)
    folder: pathlib.Path | None = None
    """Folder of the rule card's file."""
    digest: str = ""
    """SHA-256 of the file's text."""
    content: Mapping[str, Any] = field(default_factory=dict)
    """The content of the file as plain values."""
    faulty: Set[str | int] = frozenset()
    """Top-level keys of the card that contain a fault; set after checking."""

    def card(self) -> RuleCard | None:
        """Return the rule card built from the valid parts, or None if they are not enough for a
        game."""
        v = self.values
        if self.tableau is None or self.limits is None or "decks" not in self.parameters:
            return None
        if not self.faulty.isdisjoint({"parameters", "tableau", "limits", "ambiguity"}):
            return None
        bonus = none_if_missing(v["bonus"]) or {}
        return RuleCard(
            **{
                name: none_if_missing(v[name]) or "" for name in ("id", "name", "source", "summary")
            },
            version=none_if_missing(v["version"]) or 1,
            currency=none_if_missing(v["currency"]) or "GBP",
            tableau=self.tableau,
            parameters=self.parameters,
            bets=tuple(bet for _, bet in self.bets if self._can_pay(bet)),
            limits=self.limits,
            ambiguities=tuple(ambiguity for _, ambiguity in self.ambiguities),
            claims=tuple(claim for _, claim in self.claims),
            notes=none_if_missing(v["notes"]) or (),
            poster_notes=tuple(
                _note(note) for note in none_if_missing(v["note"]) or () if is_complete(note)
            ),
            notice=printed.SafetyNotice(**_section(v["notice"])),
            guide=_made(printed.EdgeGuide, _section(v["guide"])),
            procedures=_made(printed.Procedures, _section(v["procedures"])),
            bonus_win_chance=none_if_missing(bonus.get("most_win_chance", MISSING)),
            digest=self.digest,
        )

    @property
    def all_bets(self) -> list[tuple[Path, printed.PrintedBet]]:
        """The bets of the card, and those that replace them under some reading."""
        return [*self.bets, *self.reading_bets]

    @property
    def places_in_force(self) -> dict[str, Path]:
        """The path of each bet in the file, by bet id, including bets of the readings in force."""
        places = {bet.id: path for path, bet in self.bets}
        ambiguities = dict(self.ambiguities)
        for path, bet in self.reading_bets:
            ambiguity = ambiguities[path[:2]]
            if ambiguity.in_force == ambiguity.readings[int(path[3])].id:
                places[bet.id] = path
        return places

    @property
    def bets_are_whole(self) -> bool:
        """Whether every bet could be read, including the bets of readings."""
        return is_complete(self.values["bet"]) and is_complete(self.values["ambiguity"])

    @cached_property
    def open_cells(self) -> frozenset[Cell]:
        """Cells that appear in neither or in both columns of the tableau and that no ambiguity
        governs."""
        assert self.tableau is not None  # noqa: S101  (callers check it)
        draws, stands = self.tableau.banker_draws, self.tableau.banker_stands
        unclear = frozenset(cell for cell in self._cells() if (cell in draws) == (cell in stands))
        return unclear - self._governed()

    def _cells(self) -> frozenset[Cell]:
        """Return the tableau cells that can occur in a deal."""
        assert self.tableau is not None  # noqa: S101  (see open_cells)
        tableau = Tableau(self.tableau.naturals, self.tableau.player_draws, frozenset())
        return frozenset(
            (banker, third)
            for player, banker in product(range(10), repeat=2)
            if not tableau.ends_at_once(player, banker)
            for third in (range(10) if tableau.player_takes_third(player, banker) else [STOOD])
        )

    def _governed(self) -> frozenset[Cell]:
        """Return the cells governed by any ambiguity, including ambiguities with faults. If the
        cells of an ambiguity cannot be read, return all cells."""
        raw = self.values["ambiguity"]
        if raw is MISSING or any(a is MISSING or a["cells"] is MISSING for a in raw):
            return self._cells()
        return frozenset(cell for ambiguity in raw for cell in union(ambiguity["cells"]))

    def _can_pay(self, bet: printed.PrintedBet) -> bool:
        return all(not line.parameter or line.parameter in self.parameters for line in bet.lines)


def none_if_missing(value: Any) -> Any:
    """Return the value, or None if it is MISSING."""
    return None if value is MISSING else value


def build(
    values: Mapping[str, Any], content: Mapping[str, Any], folder: pathlib.Path | None = None
) -> Draft:
    """Build a draft of everything that could be read; sister cards are looked up in `folder`."""
    translate(values)
    draft = Draft(values, folder=folder, content=content)
    for name, raw in (none_if_missing(values["parameters"]) or {}).items():
        if is_complete(raw):
            unit = printed.Unit(raw["unit"])
            label = raw["name"] or name.replace("_", " ")
            draft.parameters[name] = _made(
                printed.Parameter, raw, name=name, label=label, unit=unit
            )
    for i, raw in enumerate(none_if_missing(values["bet"]) or []):
        if raw is not MISSING and raw["id"] is not MISSING:
            draft.bet_ids.add(raw["id"])
        if is_complete(raw):
            draft.bets.append((("bet", i), _bet(raw)))
    _build_tableau(draft, values["tableau"])
    if is_complete(values["limits"]):
        rounding = Rounding(values["limits"]["rounding"])
        draft.limits = _made(printed.Limits, values["limits"], rounding=rounding)
    for i, raw in enumerate(none_if_missing(values["ambiguity"]) or []):
        if is_complete(raw):
            draft.ambiguities.append((("ambiguity", i), _ambiguity(raw, ("ambiguity", i), draft)))
    for i, raw in enumerate(none_if_missing(values["claim"]) or []):
        if is_complete(raw):
            draft.claims.append((("claim", i), _made(printed.Claim, raw, at=raw["at"] or {})))
    return draft


def is_complete(raw: Any) -> bool:
    """Return whether a value contains no MISSING, at any depth."""
    match raw:
        case dict():
            return all(is_complete(value) for value in raw.values())
        case list() | tuple():
            return all(is_complete(value) for value in raw)
        case _:
            return raw is not MISSING


def _made(kind: type[Part], raw: Mapping[str, Any], **own: Any) -> Part:
    """Build a part of a rule card from raw field values; `own` overrides some of them."""
    names = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    return kind(**{name: value for name, value in raw.items() if name in names} | own)


def union(cells: Iterable[Iterable[Cell]]) -> frozenset[Cell]:
    return frozenset(cell for part in cells for cell in part)


def _lines(raw: Iterable[Mapping[str, Any]]) -> tuple[printed.PrintedLine, ...]:
    return tuple(
        printed.PrintedLine(line["when"], parameter=line["pays"])
        if isinstance(line["pays"], str)
        else printed.PrintedLine(line["when"], line["pays"])
        for line in raw
    )


def _bet(raw: Mapping[str, Any]) -> printed.PrintedBet:
    short = raw["short"] or raw["name"]
    return _made(printed.PrintedBet, raw, lines=_lines(raw["lines"]), short=short)


def _build_tableau(draft: Draft, raw: Any) -> None:
    if not is_complete(raw):
        return
    draft.player_stands = raw["player_stands"]
    draws, stands = union(raw["banker_draws"]), union(raw["banker_stands"])
    draft.tableau = _made(printed.PrintedTableau, raw, banker_draws=draws, banker_stands=stands)


def _ambiguity(raw: Mapping[str, Any], path: Path, draft: Draft) -> printed.Ambiguity:
    readings = enumerate(raw["reading"])
    return _made(
        printed.Ambiguity,
        raw,
        readings=tuple(_reading(reading, (*path, "reading", i), draft) for i, reading in readings),
        resolved=raw["status"] == "resolved",
        cells=union(raw["cells"]),
        sisters=tuple(sister_of(draft.folder, name) for name in raw["sisters"]),
    )


def _reading(raw: Mapping[str, Any], path: Path, draft: Draft) -> printed.Reading:
    known = {bet.id: bet for _, bet in draft.bets}
    instead: list[printed.PrintedBet] = []
    for i, bet in enumerate(raw["bet"]):
        governed = known.get(bet["replaces"] or bet["id"])
        if governed:
            instead.append(_instead(bet, governed))
            draft.reading_bets.append(((*path, "bet", i), instead[-1]))
    draws, stands, bets = union(raw["draws"]), union(raw["stands"]), tuple(instead) or None
    return _made(printed.Reading, raw, draws=draws, stands=stands, bets=bets)


def _instead(raw: Mapping[str, Any], governed: printed.PrintedBet) -> printed.PrintedBet:
    return replace(
        governed,
        id=raw["id"],
        name=raw["name"] or governed.name,
        short=raw["short"] or raw["name"] or governed.short,
        lines=_lines(raw["lines"]),
        replaces=raw["replaces"],
    )


def _note(raw: Mapping[str, Any]) -> printed.PosterNote:
    return printed.PosterNote(**{**raw, "kind": printed.NoteKind(raw["kind"])})


def _section(raw: Any) -> dict[str, Any]:
    """Return the values of an optional table; {} if the table is left out or has faults."""
    return raw if none_if_missing(raw) and is_complete(raw) else {}
