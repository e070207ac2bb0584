"""The rule card format as one table of keys, used for reading, for checking and for the reference
page."""

from dataclasses import dataclass
from typing import Any

from baccarat.core.errors import nearest
from baccarat.loader import kinds as k
from baccarat.loader.findings import Report, shown
from baccarat.loader.kinds import Kind
from baccarat.loader.lines import Path

MAX_DECKS = 24
"""Maximum number of decks. Counts of sequences fit into 64 bits for up to 27 decks; real tables use
far fewer."""

REQUIRED = object()


@dataclass(frozen=True)
class Key:
    """One key of a table."""

    name: str
    holds: "Kind | Table | Tables | Named"
    meaning: str
    default: Any = REQUIRED
    """Value if the key is left out; REQUIRED if it must be present."""

    def read(self, raw: dict[str, Any], path: Path, report: Report) -> Any:
        """Read the value of this key from a raw table."""
        if self.name in raw:
            return self.holds.read(raw[self.name], (*path, self.name), report)
        if self.default is not REQUIRED:
            return self.default
        remedy = f"{self.meaning}: write {self.holds.write}"
        return report.add(path, f"{self.name!r} is missing", remedy)


@dataclass(frozen=True)
class Table:
    """A TOML table with known keys."""

    title: str
    keys: tuple[Key, ...]

    @property
    def write(self) -> str:
        return f"[{self.title}]"

    @property
    def table(self) -> "Table":
        return self

    def read(self, raw: Any, path: Path, report: Report) -> Any:
        """Read a raw TOML table; a key that is absent or invalid has the value MISSING."""
        if not isinstance(raw, dict):
            problem = f"{shown(raw)} is not a table"
            return report.add(path, problem, f"write the keys of {self.title}")
        known = [key.name for key in self.keys]
        for name in raw:
            if name not in known:
                problem = f"unknown key {shown(name)}{nearest(name, known)}"
                report.add((*path, name), problem, f"{self.title} has {', '.join(known)}")
        return {key.name: key.read(raw, path, report) for key in self.keys}


@dataclass(frozen=True)
class Tables:
    """An array of tables, written [[like this]]."""

    table: Table

    @property
    def write(self) -> str:
        return f"[{self.table.write}]"

    def read(self, raw: Any, path: Path, report: Report) -> Any:
        if not isinstance(raw, list):
            return report.add(path, f"{shown(raw)} is not a list of tables", f"write {self.write}")
        return [self.table.read(item, (*path, i), report) for i, item in enumerate(raw)]


@dataclass(frozen=True)
class Named:
    """Tables whose names the author chooses, written [parameters.like_this]."""

    table: Table

    @property
    def write(self) -> str:
        return self.table.write

    def read(self, raw: Any, path: Path, report: Report) -> Any:
        if not isinstance(raw, dict):
            return report.add(path, f"{shown(raw)} is not a table", f"write {self.write}")
        return {name: self.table.read(item, (*path, name), report) for name, item in raw.items()}


def _table(title: str, *keys: Key) -> Table:
    return Table(title, keys)


def _flag(name: str, meaning: str) -> Key:
    return Key(name, k.FLAG, meaning, default=False)


def _names(name: str, meaning: str) -> Key:
    return Key(name, k.list_of(k.IDENTIFIER), meaning, ())


def _cells(name: str, meaning: str) -> Key:
    return Key(name, k.list_of(k.CELLS), meaning, ())


CITES = _names("cites", "numbers of the requirements that this part of the card meets")

_LINE = _table(
    "bet.lines",
    Key("when", k.CONDITION, "when this line applies"),
    Key("pays", k.PAYS, "what this line pays per unit staked, in addition to the stake"),
)

_BET = _table(
    "bet",
    Key("id", k.IDENTIFIER, "id of the bet, for programs and commands"),
    Key("name", k.TEXT, "name of the bet, for display"),
    Key(
        "lines",
        Tables(_LINE),
        "list of `when … pays …`: the first that applies decides; if none does, the bet loses",
    ),
    Key("short", k.TEXT, "short label for the layout; the name if omitted", None),
    Key("group", k.TEXT, "bets of a group are placed together on the layout", "main"),
    Key("order", k.whole_number(0, 999), "position within the group", 0),
    _names("requires", "bets of which the player must also make at least one"),
    _names("excludes", "bets that cannot be combined with this one"),
    _flag("stands_alone", "true if the bet may always be placed without any other"),
    Key("minimum", k.COINS, "minimum stake, if different from the card's", None),
    Key("maximum", k.COINS, "maximum stake, if different from the card's", None),
    _flag("assumed", "true if the poster does not print these odds"),
    Key("known_as", k.TEXTS, "other names that players use for the bet", ()),
    CITES,
)

_READING_BET = _table(
    "ambiguity.reading.bet",
    Key("id", k.IDENTIFIER, "id of a governed bet, or of a new bet that replaces one"),
    Key("replaces", k.IDENTIFIER, "id of the governed bet to replace, if `id` is new", None),
    Key("name", k.TEXT, "name for display; the governed bet's if omitted", None),
    Key("short", k.TEXT, "short label; the governed bet's if omitted", None),
    Key("lines", Tables(_LINE), "what the bet pays under this reading"),
)

_READING = _table(
    "ambiguity.reading",
    Key("id", k.IDENTIFIER, "id of the reading"),
    Key("text", k.TEXT, "the reading in words"),
    _cells("draws", "governed cells on which the banker draws"),
    _cells("stands", "governed cells on which the banker stands"),
    Key("bet", Tables(_READING_BET), "bets that replace the governed ones", ()),
    Key(
        "requires",
        k.list_of(k.IDENTIFIER),
        "what the governed bets require under this reading",
        None,
    ),
)

_AMBIGUITY = _table(
    "ambiguity",
    Key("id", k.IDENTIFIER, "id of the ambiguity"),
    Key("question", k.TEXT, "what the rules leave open"),
    _cells("cells", "tableau cells that the ambiguity governs"),
    _names("bets", "bets whose payment the ambiguity governs"),
    _names("requires", "bets whose `requires` the ambiguity governs"),
    Key("in_force", k.IDENTIFIER, "id of the reading in force"),
    Key("status", k.choice("open", "resolved"), "whether the house has chosen a reading"),
    Key("resolution", k.TEXT, "how and why the ambiguity was resolved", ""),
    Key(
        "sisters",
        k.TEXTS,
        "cards of the same family whose printed figures may resolve the ambiguity: "
        "built-in ids, or files in the same folder",
        (),
    ),
    CITES,
    Key("reading", Tables(_READING), "the possible readings, two or more"),
)

_CLAIM = _table(
    "claim",
    Key("bets", k.list_of(k.IDENTIFIER), "the bet or bets that the figure refers to"),
    Key("printed", k.PRINTED, "the house edge, digit for digit as printed"),
    Key("at", k.VALUES, "parameter values for the figure; the defaults if omitted", None),
    Key(
        "names_bets",
        k.FLAG,
        "false if the poster does not say which bets the figure refers to",
        default=True,
    ),
    Key("source", k.TEXT, "who published the figure, if not the card's source", ""),
    Key("reason", k.TEXT, "why the figure differs from the exact one, if known", ""),
    CITES,
)

_NOTE = _table(
    "note",
    Key("id", k.IDENTIFIER, "id of the note"),
    Key(
        "kind",
        k.NOTE_KIND,
        "`gap` if a house procedure settles what the poster leaves open, otherwise `note`",
    ),
    Key("text", k.TEXT, "what is missing or odd on the poster"),
    Key("in_force", k.TEXT, "the rule that applies at the table instead", ""),
    CITES,
)

_PARAMETER = _table(
    "parameters.NAME",
    Key("unit", k.UNIT, "how the value is written: as a count, as odds or as a percentage"),
    Key("default", k.NUMBER, "value unless the table or an agreement sets another"),
    Key("minimum", k.NUMBER, "lowest value allowed"),
    Key("maximum", k.NUMBER, "highest value allowed"),
    Key("meaning", k.TEXT, "what the parameter is, in words"),
    Key("name", k.TEXT, "name for display; NAME if omitted", None),
    Key(
        "set_by",
        k.choice("poster", "table", "agreement"),
        "who sets the value; with `poster` it is fixed, and other values are for analysis only",
        "table",
    ),
    CITES,
)

_TABLEAU = _table(
    "tableau",
    Key("naturals", k.TOTALS, "two-card totals after which neither hand draws"),
    Key("player_draws", k.TOTALS, "two-card totals on which the player draws"),
    Key("player_stands", k.TOTALS, "two-card totals on which the player stands"),
    Key(
        "banker_draws",
        k.list_of(k.CELLS),
        "cells (banker's total / player's third card) on which the banker draws",
    ),
    Key("banker_stands", k.list_of(k.CELLS), "cells on which the banker stands"),
    CITES,
)

_LIMITS = _table(
    "limits",
    Key("minimum", k.COINS, "minimum stake, unless the table sets another"),
    Key("maximum", k.COINS, "maximum stake, unless the table sets another"),
    Key(
        "rounding",
        k.ROUNDING,
        "how payouts that are not whole coins are rounded; `refuse` accepts only stakes that are "
        "a multiple of the bet's step",
        "refuse",
    ),
    _flag("partners_share_maximum", "true if the maximum applies to the total stake of partners"),
    CITES,
)

_NOTICE = _table(
    "notice",
    Key("minimum_age", k.whole_number(16, 30), "minimum age to play", None),
    Key("regulator", k.TEXT, "who regulates the game", None),
    Key("warning", k.TEXT, "the warning about addiction, paraphrased", None),
    Key("contacts", k.TEXTS, "where to find help", ()),
    _flag("responsible_gaming", "games are conducted on responsible-gaming principles"),
    _flag("fair_gambling", "the house commits itself to fair and open gambling by these rules"),
    Key("copies", k.TEXT, "where players can get the poster in A4, such as `reception`", None),
    CITES,
)

_GUIDE = _table(
    "guide",
    Key("example", k.PERCENT, "house edge used in an example with a sum of money", None),
    Key(
        "varies_by",
        k.list_of(k.choice("region", "casino", "game")),
        "what house edges depend on",
        (),
    ),
    _flag("decisions_matter", "skill or betting decisions affect the edge in some games"),
    _flag("always_advantage", "the house always has some advantage"),
    _flag("in_writing", "players get the edge under their agreement in writing"),
    CITES,
)

_PROCEDURES = _table(
    "procedures",
    _flag(
        "errors_until_next_coup",
        "an extra or missing card is corrected if it is noticed or reported before the next "
        "coup's first card; after that all results stand",
    ),
    _flag(
        "reconstruction",
        "cards dealt out of order are put back in the correct order; an extra card goes back "
        "into the shoe, and the next coup is dealt without bets",
    ),
    _flag(
        "cancelled_returns_stakes",
        "a round may be cancelled: it has no result, and every stake is returned",
    ),
    _flag(
        "disputes_for_player",
        "disputes over an ambiguous rule that is still open are decided in the player's favour",
    ),
    CITES,
)

_BONUS = _table(
    "bonus",
    Key(
        "most_win_chance",
        k.PERCENT,
        "maximum chance that any of a player's bets wins, if most of the stakes are bonus money",
    ),
    CITES,
)

CARD = _table(
    "the card",
    Key("format", k.whole_number(1, 1), "version of this format"),
    Key("id", k.IDENTIFIER, "id of the card, for programs and commands"),
    Key("name", k.TEXT, "name of the game, for display"),
    Key("version", k.whole_number(1, 10**6), "version of the card, increased by its author"),
    Key("source", k.TEXT, "the poster or rule sheet that the card describes"),
    Key("summary", k.TEXT, "the game in one sentence"),
    Key("currency", k.TEXT, "currency of the stakes", "GBP"),
    CITES,
    Key("notes", k.TEXTS, "remarks for players, printed with the rules", ()),
    Key("parameters", Named(_PARAMETER), "what the card leaves open; `decks` is required"),
    Key("tableau", _TABLEAU, "who draws a third card"),
    Key("limits", _LIMITS, "minimum and maximum stakes, rounding"),
    Key("bet", Tables(_BET), "the bets"),
    Key("ambiguity", Tables(_AMBIGUITY), "rules with more than one possible reading", ()),
    Key("claim", Tables(_CLAIM), "figures the poster prints", ()),
    Key("note", Tables(_NOTE), "misprints and omissions on the poster, for the audit", ()),
    Key("notice", _NOTICE, "age, regulator, warning, help, fair gambling, copies", None),
    Key("guide", _GUIDE, "what the poster explains about house edges", None),
    Key("procedures", _PROCEDURES, "errors, cancelled rounds, disputes", None),
    Key("bonus", _BONUS, "rules for bonus money", None),
    Key("text", k.TRANSLATIONS, "the texts of the card in other languages", None),
)
"""The whole rule card format."""


def tables(table: Table = CARD) -> list[Table]:
    """Return the table and all tables nested in it, each once, in the order of the reference
    page."""
    below = [key.holds.table for key in table.keys if not isinstance(key.holds, Kind)]
    found = [table, *(inner for child in below for inner in tables(child))]
    return list({inner.title: inner for inner in found}.values())
