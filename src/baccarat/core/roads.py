"""The roads: how a shoe's results are kept on the display, as data.

In go the results of a shoe, oldest first; out come the bead plate, the big road and the three
derived roads, as entries with the column and row (counted from 0) where each is drawn. Drawing
them is for others. Everything takes time in proportion to the number of results.

The one rule: a *run* is the same side winning again and again, whatever ties lie between. Runs
are the columns that the derived roads compare; where a long run bends on the display is a matter
of drawing only, and no derived road looks at it.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from itertools import groupby

from baccarat.core.errors import BaccaratError

ROWS = 6
"""The height of a display's grid."""

DERIVED = {"big_eye_boy": 1, "small_road": 2, "cockroach_pig": 3}
"""The derived roads: how many columns back each one looks."""


class Winner(StrEnum):
    BANKER = "B"
    PLAYER = "P"
    TIE = "T"


class Tail(StrEnum):
    """What a run does after it has turned right. Houses differ."""

    STAYS_TURNED = "stays-turned"
    """It stays in its row to the end of the run."""
    DROPS_AGAIN = "drops-again"
    """It goes down again wherever the cell below is free."""


@dataclass(frozen=True, slots=True)
class Result:
    """What the display remembers of one coup."""

    winner: Winner
    _: KW_ONLY
    player_pair: bool = False
    banker_pair: bool = False
    natural: bool = False


@dataclass(frozen=True, slots=True)
class BeadEntry:
    column: int
    row: int
    result: Result


@dataclass(frozen=True, slots=True)
class BigRoadEntry:
    """One win, with the marks of the coup that made it."""

    column: int
    row: int
    winner: Winner
    ties: int
    """Ties between this win and the next; the first entry also counts those before it."""
    _: KW_ONLY
    player_pair: bool = False
    banker_pair: bool = False
    natural: bool = False


@dataclass(frozen=True, slots=True)
class DerivedEntry:
    column: int
    row: int
    colour: str
    """'R' or 'B': red or blue. It says nothing about Banker or Player."""


@dataclass(frozen=True, slots=True)
class Roads:
    """All five roads of a shoe, and the grid they are drawn in."""

    bead_plate: tuple[BeadEntry, ...]
    big_road: tuple[BigRoadEntry, ...]
    big_eye_boy: str
    small_road: str
    cockroach_pig: str
    rows: int = ROWS
    tail: Tail = Tail.STAYS_TURNED


@dataclass(frozen=True, slots=True)
class Statistics:
    """The counts beside the roads."""

    banker: int
    player: int
    tie: int
    player_pairs: int
    banker_pairs: int
    naturals: int
    longest_banker_run: int
    longest_player_run: int


def parse_results(text: str) -> list[Result]:
    """Results written as `BBPTPB`: B, P or T, each followed directly by its marks, if any.

    The marks are `p` player pair, `b` banker pair and `n` natural, each at most once: `Bn`, `Tpb`.
    White space, commas, hyphens and bars between results are ignored. A text without any capital
    letter has no marks: `bbptpb` is six winners.
    """
    lower_case = not any(char.isupper() for char in text)
    winners, marks = ("bpt", "") if lower_case else ("BPT", "pbn")
    words: list[str] = []
    open_word = False  # a mark belongs to the letter it touches: `B n` is a slip, not a natural
    for position, char in enumerate(text, start=1):
        if char in winners:
            words.append(char.upper())
            open_word = True
        elif char in marks and open_word and char not in words[-1]:
            words[-1] += char
        elif char.isspace() or char in ",-|":
            open_word = False
        else:
            raise BaccaratError(
                f"{char!r} at position {position} cannot stand there: a result is B, P or T, "
                "followed by each of its marks p, b and n at most once, as in BBnPTpb "
                "(or the winners alone in lower case, as in bbpt)"
            )
    return [
        Result(
            Winner(word[0]), player_pair="p" in word, banker_pair="b" in word, natural="n" in word
        )
        for word in words
    ]


def format_results(results: Iterable[Result]) -> str:
    """The text that `parse_results` reads back as the same results."""
    return "".join(
        result.winner + "p" * result.player_pair + "b" * result.banker_pair + "n" * result.natural
        for result in results
    )


def bead_plate(results: Iterable[Result], rows: int = ROWS) -> list[BeadEntry]:
    """Every result in its order: top to bottom, then the next column."""
    _check_rows(rows)
    return [
        BeadEntry(number // rows, number % rows, result) for number, result in enumerate(results)
    ]


def big_road(
    results: Sequence[Result], rows: int = ROWS, tail: Tail = Tail.STAYS_TURNED
) -> list[BigRoadEntry]:
    """The wins, a run to each column; ties are counted on the win before them.

    Ties before the first win are counted on the first win; without any win the road is empty.
    Marks of a tie are on the bead plate only.

    A run starts at the top, in the first column after the start of the run before it whose top
    cell is free. It goes down until the bottom row, or until the cell below is occupied (by the
    tail of an older run); then it turns right along its row. From there, with
    `Tail.STAYS_TURNED`, it stays in that row to the end of the run; with `Tail.DROPS_AGAIN` each
    next entry goes down where the cell below is free, and right otherwise. An entry that goes
    right takes the first free cell of its row.
    """
    wins: list[Result] = []
    ties: list[int] = []
    leading_ties = 0
    for result in results:
        if result.winner != Winner.TIE:
            wins.append(result)
            ties.append(0)
        elif ties:
            ties[-1] += 1
        else:
            leading_ties += 1
    if ties:
        ties[0] += leading_ties
    cells = _place([win.winner for win in wins], rows, tail)
    return [
        BigRoadEntry(
            column,
            row,
            win.winner,
            count,
            player_pair=win.player_pair,
            banker_pair=win.banker_pair,
            natural=win.natural,
        )
        for (column, row), win, count in zip(cells, wins, ties, strict=True)
    ]


def derived_road(results: Iterable[Result], k: int) -> str:
    """The colours, R or B, of the derived road that looks k columns back, in order of the coups."""
    before: list[int] = []
    colours: list[str] = []
    for _, length in _runs(_winners(results)):
        colours += [_colour(before, place, k) or "" for place in range(1, length + 1)]
        before.append(length)
    return "".join(colours)


def big_eye_boy(results: Iterable[Result]) -> str:
    return derived_road(results, DERIVED["big_eye_boy"])


def small_road(results: Iterable[Result]) -> str:
    return derived_road(results, DERIVED["small_road"])


def cockroach_pig(results: Iterable[Result]) -> str:
    return derived_road(results, DERIVED["cockroach_pig"])


def draw_derived(
    colours: str, rows: int = ROWS, tail: Tail = Tail.STAYS_TURNED
) -> list[DerivedEntry]:
    """A derived road in its grid: runs of a colour are placed as `big_road` places runs of wins."""
    cells = _place(colours, rows, tail)
    return [
        DerivedEntry(column, row, colour)
        for (column, row), colour in zip(cells, colours, strict=True)
    ]


def roads(results: Sequence[Result], rows: int = ROWS, tail: Tail = Tail.STAYS_TURNED) -> Roads:
    """All five roads of a shoe."""
    return Roads(
        bead_plate=tuple(bead_plate(results, rows)),
        big_road=tuple(big_road(results, rows, tail)),
        big_eye_boy=big_eye_boy(results),
        small_road=small_road(results),
        cockroach_pig=cockroach_pig(results),
        rows=rows,
        tail=tail,
    )


def what_if(results: Iterable[Result]) -> dict[str, dict[str, str | None]]:
    """For either side winning next: the colour each derived road would get, None for no entry.

    `{"P": {"big_eye_boy": "R", "small_road": "B", "cockroach_pig": None}, "B": {...}}`
    """
    winners = _winners(results)
    answers: dict[str, dict[str, str | None]] = {}
    for side in (Winner.PLAYER, Winner.BANKER):
        *before, place = [length for _, length in _runs([*winners, side])]
        answers[side.value] = {name: _colour(before, place, k) for name, k in DERIVED.items()}
    return answers


def statistics(results: Sequence[Result]) -> Statistics:
    """The counts of a shoe. A tie does not end a run."""
    winners = Counter(result.winner for result in results)
    longest = dict.fromkeys(Winner, 0)
    for winner, length in _runs(_winners(results)):
        longest[winner] = max(longest[winner], length)
    return Statistics(
        banker=winners[Winner.BANKER],
        player=winners[Winner.PLAYER],
        tie=winners[Winner.TIE],
        player_pairs=sum(result.player_pair for result in results),
        banker_pairs=sum(result.banker_pair for result in results),
        naturals=sum(result.natural for result in results),
        longest_banker_run=longest[Winner.BANKER],
        longest_player_run=longest[Winner.PLAYER],
    )


def _winners(results: Iterable[Result]) -> list[Winner]:
    """Who won, leaving out the ties."""
    return [result.winner for result in results if result.winner != Winner.TIE]


def _runs(winners: Iterable[Winner]) -> list[tuple[Winner, int]]:
    """Each run's winner and length."""
    return [(winner, len(list(run))) for winner, run in groupby(winners)]


def _colour(before: Sequence[int], place: int, k: int) -> str | None:
    """The colour of the entry at `place` (from 1) in its run, looking k columns back.

    `before` holds the lengths of the runs before this one. None: too few of them for an entry.
    """
    if place == 1:  # a new column: were the last one and the one k before it equally long?
        if len(before) < k + 1:
            return None
        return "R" if before[-1] == before[-1 - k] else "B"
    if len(before) < k:
        return None
    # Blue for the one entry that has just outgrown the column compared with; further down, both
    # the entry and the one above it have no neighbour, which is "the same" again.
    return "B" if place == before[-k] + 1 else "R"


def _place(values: Iterable[str], rows: int, tail: Tail) -> list[tuple[int, int]]:
    """The cell (column, row) of every value, where equal neighbours are a run: see `big_road`."""
    _check_rows(rows)
    cells: list[tuple[int, int]] = []
    taken: set[tuple[int, int]] = set()
    previous = None
    start, column, row, turned = -1, 0, 0, False
    for value in values:
        may_drop = tail is Tail.DROPS_AGAIN or not turned
        if value != previous:
            start = column = _first_free(taken, start + 1, 0)
            row, turned = 0, False
        elif may_drop and row + 1 < rows and (column, row + 1) not in taken:
            row += 1
        else:
            column, turned = _first_free(taken, column + 1, row), True
        cells.append((column, row))
        taken.add((column, row))
        previous = value
    return cells


def _first_free(taken: set[tuple[int, int]], column: int, row: int) -> int:
    """The first column from `column` on whose cell in this row is free."""
    while (column, row) in taken:
        column += 1
    return column


def _check_rows(rows: int) -> None:
    if rows < 1:
        raise BaccaratError(f"a road cannot be drawn in {rows} rows: it needs at least 1")
