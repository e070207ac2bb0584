"""The rule card format, as one table of keys that reading, checking and the reference share."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from baccarat.core.errors import nearest
from baccarat.loader import kinds as k
from baccarat.loader.findings import Report, shown
from baccarat.loader.kinds import MISSING, Kind
from baccarat.loader.lines import Path

MOST_DECKS = 24
"""Counts of coups stay within 64 bits up to 27 decks; no table uses more than a few."""

REQUIRED = object()


@dataclass(frozen=True)
class Key:
    """One key of a table."""

    name: str
    holds: "Kind | Table | Tables | Named"
    meaning: str
    default: Any = REQUIRED
    """Value when the key is left out; REQUIRED when it may not be."""

    @property
    def write(self) -> str:
        """How to write it."""
        match self.holds:
            case Kind():
                return self.holds.write
            case Tables(table=table):
                return f"[[{table.title}]]"
            case Table(title=title) | Named(table=Table(title=title)):
                return f"[{title}]"


@dataclass(frozen=True)
class Table:
    """A TOML table with known keys."""

    title: str
    keys: tuple[Key, ...]


@dataclass(frozen=True)
class Tables:
    """An array of tables, [[like this]]."""

    table: Table


@dataclass(frozen=True)
class Named:
    """Tables under names the author chooses, [parameters.like_this]."""

    table: Table


CITES = Key("cites", k.list_of(k.IDENTIFIER), "numbers of the requirements it answers", ())

_LINE = Table(
    "bet.lines",
    (
        Key("when", k.CONDITION, "when this line applies"),
        Key("pays", k.PAYS, "what it then pays, for each unit staked, on top of the stake"),
    ),
)

_BET = Table(
    "bet",
    (
        Key("id", k.IDENTIFIER, "name of the bet for programs and commands"),
        Key("name", k.TEXT, "name of the bet for people"),
        Key(
            "lines",
            Tables(_LINE),
            "ordered list of `when … pays …`: the first that applies decides, none loses",
        ),
        Key("short", k.TEXT, "label for a small spot on the layout; the name if left out", None),
        Key("group", k.TEXT, "bets of one group stand together on the layout", "main"),
        Key("order", k.whole(0, 999), "place within the group", 0),
        Key(
            "requires",
            k.list_of(k.IDENTIFIER),
            "bets of which the player must also wager on at least one",
            (),
        ),
        Key("excludes", k.list_of(k.IDENTIFIER), "bets that may not be combined with this one", ()),
        Key("stands_alone", k.FLAG, "declares that it never needs another wager", default=False),
        Key("minimum", k.COINS, "least stake, where it differs from the card's", None),
        Key("maximum", k.COINS, "largest stake, where it differs from the card's", None),
        Key("assumed", k.FLAG, "true when the poster does not print these odds", default=False),
        CITES,
    ),
)

_READING_BET = Table(
    "ambiguity.reading.bet",
    (
        Key("id", k.IDENTIFIER, "a governed bet, or a new one that stands for it"),
        Key("replaces", k.IDENTIFIER, "the governed bet it stands for, if the id is new", None),
        Key("name", k.TEXT, "name for people; the governed bet's if left out", None),
        Key("short", k.TEXT, "label for a small spot; the governed bet's if left out", None),
        Key("lines", Tables(_LINE), "what it pays under this reading"),
    ),
)

_READING = Table(
    "ambiguity.reading",
    (
        Key("id", k.IDENTIFIER, "name of the reading"),
        Key("text", k.TEXT, "the reading in words"),
        Key("draws", k.list_of(k.CELLS), "governed cells on which the banker draws", ()),
        Key("stands", k.list_of(k.CELLS), "governed cells on which the banker stands", ()),
        Key("bet", Tables(_READING_BET), "bets that stand for the governed ones", ()),
        Key("requires", k.list_of(k.IDENTIFIER), "what the governed bets then require", None),
    ),
)

_AMBIGUITY = Table(
    "ambiguity",
    (
        Key("id", k.IDENTIFIER, "name of the ambiguity"),
        Key("question", k.TEXT, "what the rules leave open"),
        Key("cells", k.list_of(k.CELLS), "tableau cells it governs", ()),
        Key("bets", k.list_of(k.IDENTIFIER), "bets whose payment it governs", ()),
        Key("requires", k.list_of(k.IDENTIFIER), "bets whose `requires` it governs", ()),
        Key("in_force", k.IDENTIFIER, "the reading in force"),
        Key("status", k.choice("open", "resolved"), "whether the house has decided it"),
        Key("resolution", k.TEXT, "how and why it was resolved", ""),
        Key(
            "sisters",
            k.list_of(k.TEXT),
            "cards of the same family whose printed figures may decide it: "
            "built-in ids, or files beside this one",
            (),
        ),
        CITES,
        Key("reading", Tables(_READING), "its readings, two or more"),
    ),
)

_CLAIM = Table(
    "claim",
    (
        Key("bets", k.list_of(k.IDENTIFIER), "the bet or bets the figure speaks of"),
        Key("printed", k.PRINTED, "the house edge, digit for digit as printed"),
        Key("at", k.VALUES, "the parameters it holds at; the defaults if left out", None),
        Key(
            "names_bets",
            k.FLAG,
            "false when the poster does not say which bets the figure is of",
            default=True,
        ),
        CITES,
    ),
)

_PARAMETER = Table(
    "parameters.NAME",
    (
        Key("unit", k.UNIT, "how it is written: a count, odds or a percentage"),
        Key("default", k.NUMBER, "its value unless the table or an agreement says otherwise"),
        Key("minimum", k.NUMBER, "the least it may be"),
        Key("maximum", k.NUMBER, "the most it may be"),
        Key("meaning", k.TEXT, "what it is, in words"),
        Key(
            "set_by",
            k.choice("poster", "table", "agreement"),
            "who decides it; `poster` means fixed there, other values being for study",
            "table",
        ),
        CITES,
    ),
)

_TABLEAU = Table(
    "tableau",
    (
        Key("naturals", k.TOTALS, "two-card totals that end the drawing for both hands"),
        Key("player_draws", k.TOTALS, "two-card totals on which the player draws"),
        Key("player_stands", k.TOTALS, "two-card totals on which the player stands"),
        Key(
            "banker_draws",
            k.list_of(k.CELLS),
            "cells (banker's total / what the player was given) on which the banker draws",
        ),
        Key("banker_stands", k.list_of(k.CELLS), "cells on which the banker stands"),
        CITES,
    ),
)

_LIMITS = Table(
    "limits",
    (
        Key("minimum", k.COINS, "least stake of a wager, unless the table shows another"),
        Key("maximum", k.COINS, "largest stake of a wager, unless the table shows another"),
        Key(
            "rounding",
            k.ROUNDING,
            "what happens to payouts that are not whole coins; `refuse` takes only stakes "
            "on the bet's step",
            "refuse",
        ),
        Key(
            "partners_share_maximum",
            k.FLAG,
            "partners who together go over the maximum are not permitted",
            default=False,
        ),
        CITES,
    ),
)

_NOTICE = Table(
    "notice",
    (
        Key("minimum_age", k.whole(16, 30), "youngest age of entry", None),
        Key("regulator", k.TEXT, "who supervises the game", None),
        Key("warning", k.TEXT, "the warning about addiction, in our words", None),
        Key("contacts", k.list_of(k.TEXT), "where to find help", ()),
        CITES,
    ),
)

_PROCEDURES = Table(
    "procedures",
    (
        Key(
            "errors_until_next_coup",
            k.FLAG,
            "a card drawn too many or too few is remedied if put right or reported before the next "
            "coup's first card; after that all results stand",
            default=False,
        ),
        Key(
            "reconstruction",
            k.FLAG,
            "cards out of order go back into the order that was meant; a card too many goes back "
            "into the shoe, and the next coup is dealt without bets",
            default=False,
        ),
        Key(
            "cancelled_returns_stakes",
            k.FLAG,
            "a round may be cancelled: it has no result, and every stake goes back",
            default=False,
        ),
        Key(
            "disputes_for_player",
            k.FLAG,
            "disputes over an ambiguous rule are decided for the player until it is resolved",
            default=False,
        ),
        CITES,
    ),
)

_BONUS = Table(
    "bonus",
    (
        Key(
            "most_win_chance",
            k.PERCENT,
            "wagers made mostly with bonus money may not together win more often than this",
        ),
        CITES,
    ),
)

CARD = Table(
    "the card",
    (
        Key("format", k.whole(1, 1), "version of this format"),
        Key("id", k.IDENTIFIER, "name of the card for programs and commands"),
        Key("name", k.TEXT, "name of the game for people"),
        Key("version", k.whole(1, 10**6), "version of the card, counted up by its author"),
        Key("source", k.TEXT, "the poster or rule sheet it comes from"),
        Key("summary", k.TEXT, "the game in one sentence"),
        Key("currency", k.TEXT, "the money stakes are counted in", "GBP"),
        CITES,
        Key("notes", k.list_of(k.TEXT), "remarks for whoever reads the card", ()),
        Key("parameters", Named(_PARAMETER), "what the card leaves open; `decks` must be there"),
        Key("tableau", _TABLEAU, "who draws a third card"),
        Key("limits", _LIMITS, "least and largest stakes, rounding"),
        Key("bet", Tables(_BET), "the bets"),
        Key("ambiguity", Tables(_AMBIGUITY), "rules that can be read in several ways", ()),
        Key("claim", Tables(_CLAIM), "figures the poster prints", ()),
        Key("notice", _NOTICE, "age, regulator, warning, help", None),
        Key("procedures", _PROCEDURES, "errors, cancelled rounds, disputes", None),
        Key("bonus", _BONUS, "rules for bonus money", None),
    ),
)
"""The whole format."""


def tables(table: Table = CARD) -> Iterator[Table]:
    """The table and every table below it, each once, in the order of the reference."""
    seen: list[Table] = []

    def walk(current: Table) -> None:
        if current not in seen:
            seen.append(current)
            for key in current.keys:
                if isinstance(key.holds, Table):
                    walk(key.holds)
                elif isinstance(key.holds, Tables | Named):
                    walk(key.holds.table)

    walk(table)
    yield from seen


def read_table(raw: Any, table: Table, path: Path, report: Report) -> Any:
    """A raw TOML table to its values, MISSING where a key is absent or wrong."""
    if not isinstance(raw, dict):
        report.add(path, f"{shown(raw)} is not a table", f"write the keys of {table.title}")
        return MISSING
    known = [key.name for key in table.keys]
    for name in raw:
        if name not in known:
            problem = f"unknown key {shown(name)}{nearest(name, known)}"
            report.add((*path, name), problem, f"{table.title} has {', '.join(known)}")
    return {key.name: _read_key(raw, key, path, report) for key in table.keys}


def _read_key(raw: dict[str, Any], key: Key, path: Path, report: Report) -> Any:
    if key.name not in raw:
        if key.default is REQUIRED:
            report.add(path, f"{key.name!r} is missing", f"{key.meaning}: write {key.write}")
            return MISSING
        return key.default
    value, place = raw[key.name], (*path, key.name)
    match key.holds:
        case Kind():
            return key.holds.read(value, place, report)
        case Table():
            return read_table(value, key.holds, place, report)
        case Tables():
            return _read_tables(value, key.holds.table, place, report)
        case Named():
            return _read_named(value, key.holds.table, place, report)


def _read_tables(raw: Any, table: Table, path: Path, report: Report) -> Any:
    if not isinstance(raw, list):
        report.add(path, f"{shown(raw)} is not a list of tables", f"write [[{table.title}]]")
        return MISSING
    return [read_table(item, table, (*path, i), report) for i, item in enumerate(raw)]


def _read_named(raw: Any, table: Table, path: Path, report: Report) -> Any:
    if not isinstance(raw, dict):
        report.add(path, f"{shown(raw)} is not a table", f"write [{table.title}]")
        return MISSING
    return {name: read_table(item, table, (*path, name), report) for name, item in raw.items()}
