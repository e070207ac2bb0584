"""The roads of a shoe, drawn in a terminal.

A rich console prints a `Drawing`. On a terminal with colours it looks like the display above a
table; anywhere else (a file, a pipe, NO_COLOR) the same grids are drawn with letters in plain
ASCII, so that nothing depends on colour alone.

Every road is a grid of dots with cells of the same width. If the console is too narrow, the oldest
columns are left out, and the title says so.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from rich.columns import Columns
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from baccarat.core.coup import Winner
from baccarat.core.roads import Result, Roads, draw_derived, statistics, what_if

_DERIVED = {
    "big_eye_boy": "Big Eye Boy",
    "small_road": "Small Road",
    "cockroach_pig": "Cockroach Pig",
}

_SIDE_STYLES = {"B": "red", "P": "bright_blue", "T": "green"}
_BEAD_STYLES = {"B": "bright_white on red", "P": "bright_white on blue", "T": "black on green"}
_PAIR_STYLES = {" ": "", "p": "bright_blue", "b": "red", "+": "magenta"}
_COLOUR_STYLES = {"R": "red", "B": "bright_blue"}
_DOT_STYLE = "bright_black"

_SIDE_BY_SIDE = 72
"""Minimum console width for drawing grids side by side."""
_PANEL_WIDTH = 26
_GAP = 3
"""Number of spaces between two parts drawn side by side."""


@dataclass(frozen=True)
class _Look:
    """The characters used for drawing."""

    dot: str
    """An empty cell."""
    win: str
    """An entry of the big road; {} stands for the winner's letter."""
    natural_win: str
    """An entry of the big road for a natural win, in the same form."""
    derived: Mapping[str, str]
    """The entry of each derived road; {} stands for the colour's letter."""
    legend: int
    """Column of `_LEGEND` with these characters."""


_SYMBOLS = _Look(
    dot="·",
    win="○",
    natural_win="◎",
    derived={"big_eye_boy": "○", "small_road": "●", "cockroach_pig": "╱"},
    legend=0,
)

_LETTERS = _Look(
    dot=".",
    win="{}",
    natural_win="{}n",
    derived=dict.fromkeys(_DERIVED, "{}"),
    legend=1,
)

_LEGEND = (
    ("[red]○[/]", "B", "Banker"),
    ("[bright_blue]○[/]", "P", "Player"),
    ("[green]/[/]", "/", "a tie after it, [green]2[/] two"),
    ("◎ n", "n", "natural"),
    ("[red]b[/]", "b", "banker pair"),
    ("[bright_blue]p[/]", "p", "player pair"),
    ("[magenta]+[/]", "+", "both pairs"),
    ("", "R red, B blue", "(derived)"),
)

_Cells = Mapping[tuple[int, int], Text]
"""The text drawn in each cell (column, row)."""


@dataclass(frozen=True)
class Drawing:
    """The five roads with counts and a legend, fitted to the console's width, or only the big
    road."""

    roads: Roads
    big_road_only: bool = False

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw the roads for a console, whose width and colours are known only here."""
        has_colours = console.color_system is not None and not console.no_color
        look = _SYMBOLS if has_colours and not options.ascii_only else _LETTERS
        if self.big_road_only:
            yield _big_road(self.roads, look, options.max_width)
            return
        for part in _parts(self.roads, look, options.max_width):
            yield part
            yield ""
        legend = [f"{row[look.legend]} {row[-1]}" for row in _LEGEND if row[look.legend]]
        yield Columns(map(Text.from_markup, legend), padding=(0, _GAP))


def _parts(roads: Roads, look: _Look, width: int) -> list[RenderableType]:
    """Return the roads from top to bottom, side by side where they fit."""
    big_road = _big_road(roads, look, width)
    if width < _SIDE_BY_SIDE:
        derived = [_derived(name, roads, look, width) for name in _DERIVED]
        return [_bead_plate(roads, look, width), _panel(roads, look), big_road, *derived]
    third = (width - 2 * _GAP) // 3
    derived = [_derived(name, roads, look, third) for name in _DERIVED]
    bead_plate = _bead_plate(roads, look, width - _PANEL_WIDTH - _GAP)
    return [_beside(bead_plate, _panel(roads, look)), big_road, _beside(*derived)]


def _bead_plate(roads: Roads, look: _Look, room: int) -> Text:
    cells = {}
    for entry in roads.bead_plate:
        result = entry.result
        bead = _pair(result) + result.winner.letter + ("n" if result.natural else " ")
        cells[entry.column, entry.row] = Text.assemble(
            (bead, _BEAD_STYLES[result.winner.letter]), " "
        )
    empty = Text(f" {look.dot}  ", _DOT_STYLE)
    return _grid("Bead Plate", cells, empty, rows=roads.rows, room=room)


def _big_road(roads: Roads, look: _Look, room: int) -> Text:
    """Return the big road; each cell shows a pair mark or a space, the win, and the number of
    ties."""
    wins = [_win(entry.result, look) for entry in roads.big_road]
    # One tie is drawn as a slash, as dealers do; several ties are shown as a number.
    ties = [str(entry.ties) if entry.ties > 1 else "/" * entry.ties for entry in roads.big_road]
    # A road without naturals or ties needs no room for them.
    win_width = max(map(len, wins), default=1)
    ties_width = max(map(len, ties), default=0)
    cells = {}
    for entry, win, tie in zip(roads.big_road, wins, ties, strict=True):
        pair = _pair(entry.result)
        cells[entry.column, entry.row] = Text.assemble(
            (pair, _PAIR_STYLES[pair]),
            (win.ljust(win_width), _SIDE_STYLES[entry.result.winner.letter]),
            (tie.ljust(ties_width), _SIDE_STYLES["T"]),
        )
    empty = Text(f" {look.dot}".ljust(1 + win_width + ties_width), _DOT_STYLE)
    return _grid("Big Road", cells, empty, rows=roads.rows, room=room)


def _derived(name: str, roads: Roads, look: _Look, room: int) -> Text:
    cells = {
        (entry.column, entry.row): _mark(name, entry.colour, look)
        for entry in draw_derived(getattr(roads, name), roads.rows, roads.tail)
    }
    empty = Text(look.dot, _DOT_STYLE)
    return _grid(_DERIVED[name], cells, empty, rows=roads.rows, room=room)


def _grid(title: str, cells: _Cells, empty: Text, *, rows: int, room: int) -> Text:
    """Return the title and, below it, as many columns as fit, always including the newest."""
    used = max((column + 1 for column, _ in cells), default=0)
    shown = max(1, room // len(empty))
    first = max(0, used - shown)
    note = f" (last {shown} columns)" if first else ""
    if first and len(title + note) > room:
        note = f" (last {shown})"
    lines = [Text.assemble((title, "bold"), (note, "dim"))]
    for row in range(rows):
        line = [cells.get((column, row), empty) for column in range(first, first + shown)]
        lines.append(Text.assemble(*line))
    return Text("\n", no_wrap=True).join(lines)


def _panel(roads: Roads, look: _Look) -> Text:
    """Return the counts, and the entries that the derived roads would get if either side won
    next."""
    results = [entry.result for entry in roads.bead_plate]
    counts, next_colours = statistics(results), what_if(results)
    lines = [
        _count("Banker", counts.banker, f"longest run {counts.longest_banker_run}"),
        _count("Player", counts.player, f"longest run {counts.longest_player_run}"),
        _count("Tie", counts.tie, ""),
    ]
    # Do not show zero where the marks may not have been recorded.
    if counts.naturals:
        lines[-1].append(f"naturals {counts.naturals}")
    if counts.banker_pairs or counts.player_pairs:
        lines.append(Text(f"Pairs: Banker {counts.banker_pairs}  Player {counts.player_pairs}"))
    lines.append(Text("Next won by    B  P", "bold"))
    for name, title in _DERIVED.items():
        marks = [
            _mark(name, next_colours[side][name], look) for side in (Winner.BANKER, Winner.PLAYER)
        ]
        lines.append(Text("  ").join([Text(title.ljust(13)), *marks]))
    return Text("\n").join(lines)


def _count(name: str, count: int, remark: str) -> Text:
    return Text.assemble((name.ljust(6), "bold " + _SIDE_STYLES[name[0]]), f" {count:3}  {remark}")


def _mark(name: str, colour: str | None, look: _Look) -> Text:
    if colour is None:
        return Text("-")
    return Text(look.derived[name].format(colour), _COLOUR_STYLES[colour])


def _win(win: Result, look: _Look) -> str:
    return (look.natural_win if win.natural else look.win).format(win.winner.letter)


def _pair(marked: Result) -> str:
    if marked.player_pair and marked.banker_pair:
        return "+"
    return "p" if marked.player_pair else "b" if marked.banker_pair else " "


def _beside(*parts: Text) -> Table:
    """Return the parts arranged from left to right."""
    table = Table.grid(padding=(0, _GAP, 0, 0))
    table.add_row(*parts)
    return table
