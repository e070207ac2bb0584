"""Roads: the displays of a shoe's results, as data.

From the results of a shoe, oldest first, this module computes the bead plate, the big road and the
three derived roads. Each entry of a road has the column and row (from 0) where it is drawn. All
functions run in linear time.

A *run* is a series of wins by the same side; ties do not interrupt it. Runs are the columns that
the derived roads compare. A long run turns right when it is drawn, but that does not affect the
derived roads.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from itertools import groupby

from baccarat.core.coup import Winner
from baccarat.core.errors import BaccaratError

ROWS = 6
"""Height of the display grid."""

_BY_LETTER = {winner.letter: winner for winner in Winner}

DERIVED = {"big_eye_boy": 1, "small_road": 2, "cockroach_pig": 3}
"""How many columns back each derived road looks."""


class Tail(StrEnum):
    """How a run continues after it has turned right, which differs between houses."""

    STAYS_TURNED = "stays-turned"
    """The run stays in its row until it ends."""
    DROPS_AGAIN = "drops-again"
    """The run goes down again wherever the cell below is free."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one coup, as shown on the display."""

    winner: Winner
    _: KW_ONLY
    player_pair: bool = False
    banker_pair: bool = False
    natural: bool = False

    @property
    def marks(self) -> str:
        """The marks as letters that `parse_results` reads: 'p', 'b' and 'n'."""
        return "p" * self.player_pair + "b" * self.banker_pair + "n" * self.natural


@dataclass(frozen=True, slots=True)
class BeadEntry:
    column: int
    row: int
    result: Result


@dataclass(frozen=True, slots=True)
class BigRoadEntry(BeadEntry):
    """One win on the big road."""

    ties: int
    """Ties between this win and the next; the first entry also counts those before it."""


@dataclass(frozen=True, slots=True)
class DerivedEntry:
    column: int
    row: int
    colour: str
    """'R' for red or 'B' for blue; not related to Banker and Player."""


@dataclass(frozen=True, slots=True)
class Roads:
    """All five roads of a shoe, and the grid on which they are drawn."""

    bead_plate: tuple[BeadEntry, ...]
    big_road: tuple[BigRoadEntry, ...]
    big_eye_boy: str
    small_road: str
    cockroach_pig: str
    rows: int = ROWS
    tail: Tail = Tail.STAYS_TURNED


@dataclass(frozen=True, slots=True)
class Statistics:
    """The counts shown beside the roads."""

    banker: int
    player: int
    tie: int
    player_pairs: int
    banker_pairs: int
    naturals: int
    longest_banker_run: int
    longest_player_run: int


def parse_results(text: str) -> list[Result]:
    """Parse results written as `BBPTPB`: B, P or T, each followed directly by any marks.

    The marks are `p` player pair, `b` banker pair and `n` natural, each at most once: `Bn`, `Tpb`.
    Whitespace, commas, hyphens and bars between results are ignored. A text without capital letters
    has no marks: `bbptpb` is six results.
    """
    lower_case = not any(char.isupper() for char in text)
    winners, marks = ("bpt", "") if lower_case else ("BPT", "pbn")
    words: list[str] = []
    open_word = False  # a mark must directly follow its letter: `B n` is an error, not a natural
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
                f"unexpected {char!r} at position {position}: write each result as B, P or T, "
                "followed by any of the marks p, b and n once each, as in BBnPTpb "
                "(or only the winners in lower case, as in bbpt)"
            )
    return [
        Result(
            _BY_LETTER[word[0]],
            player_pair="p" in word,
            banker_pair="b" in word,
            natural="n" in word,
        )
        for word in words
    ]


def format_results(results: Iterable[Result]) -> str:
    """Format results as a text that `parse_results` parses to the same results."""
    return "".join(result.winner.letter + result.marks for result in results)


def bead_plate(results: Iterable[Result], rows: int = ROWS) -> list[BeadEntry]:
    """Return the bead plate: every result in order, down each column and then on to the next."""
    _check_rows(rows)
    return [
        BeadEntry(number // rows, number % rows, result) for number, result in enumerate(results)
    ]


def big_road(
    results: Sequence[Result], rows: int = ROWS, tail: Tail = Tail.STAYS_TURNED
) -> list[BigRoadEntry]:
    """Return the big road: one run of wins per column, with ties counted on the win before them.

    Ties before the first win are counted on the first win; without any win the road is empty.
    A tie's own marks appear only on the bead plate.

    A run starts in the top row, in the first column with a free top cell after the column where
    the previous run started. It goes down to the bottom row, or until the cell below is occupied
    (by the tail of an earlier run); then it turns right along its row. From there, with
    `Tail.STAYS_TURNED`, it stays in that row until the run ends; with `Tail.DROPS_AGAIN` each
    further entry goes down if the cell below is free, and right otherwise. An entry that goes
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
    return [BigRoadEntry(*cell, win, n) for cell, win, n in zip(cells, wins, ties, strict=True)]


def derived_road(results: Iterable[Result], k: int) -> str:
    """Return the colours (R or B), in the order of the coups, of the derived road that looks k
    columns back."""
    before: list[int] = []
    colours: list[str] = []
    for _, length in runs(results):
        colours += [_colour(before, place, k) or "" for place in range(1, length + 1)]
        before.append(length)
    return "".join(colours)


def draw_derived(
    colours: str, rows: int = ROWS, tail: Tail = Tail.STAYS_TURNED
) -> list[DerivedEntry]:
    """Place a derived road on its grid, with runs of one colour placed as `big_road` places
    wins."""
    cells = _place(colours, rows, tail)
    return [DerivedEntry(*cell, colour) for cell, colour in zip(cells, colours, strict=True)]


def roads(results: Sequence[Result], rows: int = ROWS, tail: Tail = Tail.STAYS_TURNED) -> Roads:
    return Roads(
        bead_plate=tuple(bead_plate(results, rows)),
        big_road=tuple(big_road(results, rows, tail)),
        rows=rows,
        tail=tail,
        **{name: derived_road(results, k) for name, k in DERIVED.items()},
    )


def what_if(results: Iterable[Result]) -> dict[Winner, dict[str, str | None]]:
    """Return the colour that each derived road would add if Player or Banker won next, or None if
    it would add no entry.

    `{"player": {"big_eye_boy": "R", "small_road": "B", "cockroach_pig": None}, "banker": {...}}`
    """
    results, answers = list(results), dict[Winner, dict[str, str | None]]()
    for side in (Winner.PLAYER, Winner.BANKER):
        *before, place = [length for _, length in runs([*results, Result(side)])]
        answers[side] = {name: _colour(before, place, k) for name, k in DERIVED.items()}
    return answers


def statistics(results: Sequence[Result]) -> Statistics:
    """Count the results of a shoe. A tie does not end a run."""
    winners = Counter(result.winner for result in results)
    longest = dict.fromkeys(Winner, 0)
    for winner, length in runs(results):
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


def runs(results: Iterable[Result]) -> list[tuple[Winner, int]]:
    """Return each run's winner and length; ties do not end a run."""
    winners = (result.winner for result in results if result.winner != Winner.TIE)
    return [(winner, len(list(run))) for winner, run in groupby(winners)]


def _colour(before: Sequence[int], place: int, k: int) -> str | None:
    """Return the colour of the entry at `place` (from 1) in its run, looking k columns back.

    `before` holds the lengths of the earlier runs. Return None if there are too few of them.
    """
    if place == 1:  # a new column: compare the last one with the one k columns before it
        if len(before) < k + 1:
            return None
        return "R" if before[-1] == before[-1 - k] else "B"
    if len(before) < k:
        return None
    # Blue only for the first entry below the end of the compared column. Further down, both the
    # entry and the one above it have no neighbour there, which counts as the same: red.
    return "B" if place == before[-k] + 1 else "R"


def _place(values: Iterable[str], rows: int, tail: Tail) -> list[tuple[int, int]]:
    """Return the cell (column, row) of every value; consecutive equal values form a run.

    `big_road` describes how runs are placed.
    """
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
    """Return the first column, from `column` on, whose cell in this row is free."""
    while (column, row) in taken:
        column += 1
    return column


def _check_rows(rows: int) -> None:
    if rows < 1:
        raise BaccaratError(f"a road needs at least 1 row, not {rows}")
