"""The third-card rules of a game as a poster shows them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from baccarat.core.tableau import STOOD, Tableau, ranges
from baccarat.core.text import grouped
from baccarat.wording.catalogue import Catalogue


@dataclass(frozen=True)
class ClassicRow:
    """A row of one of the two classic tables of third-card rules."""

    having: str
    draws: str
    stands: str


@dataclass(frozen=True)
class TableauSheet:
    """The tableau as two classic tables and as one grid."""

    player: tuple[ClassicRow, ...]
    player_grid: tuple[str, ...]
    """For each Player total, 'draws', 'stands' or 'natural'."""
    banker: tuple[ClassicRow, ...]
    naturals: str
    """The totals on which neither hand draws (naturals), or '' if there are none."""
    columns: tuple[str, ...]
    """Headings: points of Player's third card, or 'stood'."""
    grid: tuple[tuple[str, ...], ...]
    """For each Banker total, 'draws' or 'stands' in each column; an empty row for a natural."""


def tableau_sheet(tableau: Tableau, t: Catalogue) -> TableauSheet:
    """Return a game's tableau as the poster shows it."""
    totals = [total for total in range(10) if total not in tableau.naturals]
    givens = _reachable(tableau, totals)
    return TableauSheet(
        player=tuple(_player_rows(tableau, totals, t)),
        player_grid=tuple(_player_does(tableau, total) for total in range(10)),
        banker=tuple(_banker_rows(tableau, totals, givens, t)),
        naturals=ranges(tableau.naturals),
        columns=tuple(t("poster-stood") if given == STOOD else str(given) for given in givens),
        grid=tuple(
            tuple("draws" if tableau.draws(total, given) else "stands" for given in givens)
            if total in totals
            else ()
            for total in range(10)
        ),
    )


def _reachable(tableau: Tableau, totals: Sequence[int]) -> Sequence[int]:
    """Return the tableau columns that can occur: 0 to 9 if Player ever draws, STOOD if Player ever
    stands."""
    cards = range(10) if any(total in tableau.player_draws for total in totals) else ()
    stood = (STOOD,) if any(total not in tableau.player_draws for total in totals) else ()
    return (*cards, *stood) or (STOOD,)


def _player_rows(tableau: Tableau, totals: Sequence[int], t: Catalogue) -> Iterable[ClassicRow]:
    for key, draws in (("draws", True), ("stands", False)):
        having = [total for total in totals if (total in tableau.player_draws) is draws]
        if having:
            words = {"draws": "", "stands": "", key: t(f"rules-cell_does-{key}")}
            yield ClassicRow(ranges(having), **words)


def _player_does(tableau: Tableau, total: int) -> str:
    if total in tableau.naturals:
        return "natural"
    return "draws" if total in tableau.player_draws else "stands"


def _banker_rows(
    tableau: Tableau, totals: Sequence[int], givens: Sequence[int], t: Catalogue
) -> Iterable[ClassicRow]:
    """Yield the banker's rows; totals with the same actions share a row."""
    rows = grouped(
        (tuple(given for given in givens if tableau.draws(total, given)), total) for total in totals
    )
    for draws, having in rows.items():
        stands = [given for given in givens if given not in draws]
        yield ClassicRow(
            ranges(having), _givens(draws, len(givens), t), _givens(stands, len(givens), t)
        )


def _givens(givens: Sequence[int], of: int, t: Catalogue) -> str:
    if len(givens) in (0, of):
        return t("phrase-always" if givens else "poster-never")
    cards = ranges([given for given in givens if given != STOOD])
    return ", ".join(part for part in (cards, t("poster-stood") if STOOD in givens else "") if part)
