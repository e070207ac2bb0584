"""Records of real shoes: parsing, checking and counting.

A record is a text file. Each line holds either one coup in coup notation (`P:5hKd3c=8 B:7s2h=9`) or
any number of results in road notation (`BBnPTpb`). A blank line, or a line that starts with `#
shoe`, ends a shoe; text after a `#` is a comment. Nothing is guessed: if any line cannot be read,
the record is refused, and the error lists every such line with its number.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path

from baccarat.core.cards import DECK_SIZE, Card
from baccarat.core.coup import Coup, Deal, Winner, parse_coup
from baccarat.core.errors import BaccaratError
from baccarat.core.facts import PairKind, classes_of, pair_kind, shape_of
from baccarat.core.roads import Result, parse_results, runs, statistics
from baccarat.core.rulecard import Game
from baccarat.core.tableau import Hand
from baccarat.loader import faults_in_words
from baccarat.loader.files import read_text

NATURALS = frozenset({8, 9})
"""Totals that are naturals in every known house, used when no rule card is given."""
DECKS = 8
"""Maximum number of decks in a shoe, assumed when no rule card is given."""
MIN_CARDS = 4
"""Minimum number of cards in a coup."""

_HEADER = re.compile(r"#\s*shoe\b", re.IGNORECASE)
_LOOKS_LIKE_A_COUP = re.compile(r"[:=\d]")


@dataclass(frozen=True, slots=True)
class Entry:
    """One coup of a record."""

    line: int
    result: Result
    coup: Coup | None = None
    """The cards of the coup, if they were noted."""


@dataclass(frozen=True)
class ShoeRecord:
    """The coups of one shoe, oldest first."""

    file: str
    entries: tuple[Entry, ...]

    @property
    def line(self) -> int:
        return self.entries[0].line

    @property
    def results(self) -> list[Result]:
        return [entry.result for entry in self.entries]


@dataclass(frozen=True)
class Fault:
    """One fault in a record, with its line."""

    file: str
    line: int
    problem: str

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}: {self.problem}"


class RecordError(BaccaratError):
    """Raised for a record that cannot be used; it holds every fault found."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__(faults_in_words("the record", faults))


def read_records(path: str | Path, *, decks: int = DECKS) -> tuple[ShoeRecord, ...]:
    """Read the records of shoes in a file."""
    text = read_text(Path(path), "record", suffix=".txt", largest=None).removeprefix("\ufeff")
    return parse_records(text, str(path), decks=decks)


def parse_records(text: str, file: str = "record", *, decks: int = DECKS) -> tuple[ShoeRecord, ...]:
    """Parse the records of shoes in a text; raise RecordError with all faults if there are any."""
    shoes: list[list[Entry]] = [[]]
    faults: list[Fault] = []
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.partition("#")[0].strip()
        if not line.strip() or _HEADER.match(line.strip()):
            shoes.append([])
        elif words:
            try:
                shoes[-1] += _entries(words, number)
            except BaccaratError as error:
                faults.append(Fault(file, number, str(error)))
    found = [ShoeRecord(file, tuple(entries)) for entries in shoes if entries]
    most = decks * DECK_SIZE // MIN_CARDS
    faults += (
        Fault(
            file,
            shoe.line,
            f"the shoe that begins here has {len(shoe.entries)} coups, but {decks} decks give at "
            f"most {most}: put a blank line between shoes",
        )
        for shoe in found
        if len(shoe.entries) > most
    )
    if faults:
        raise RecordError(sorted(faults, key=lambda fault: fault.line))
    if not found:
        raise BaccaratError(
            f"{file} contains no coups: write one per line, or results such as BBPT"
        )
    return tuple(found)


def _entries(words: str, line: int) -> Iterator[Entry]:
    if _LOOKS_LIKE_A_COUP.search(words):
        coup = parse_coup(words)
        yield Entry(line, result_of(coup), coup)
    else:
        yield from (Entry(line, result) for result in parse_results(words))


def result_of(coup: Coup, naturals: frozenset[int] = NATURALS) -> Result:
    """Return the result of a coup for the roads: winner, pairs and natural."""
    starts = (sum(card.points for card in hand[:2]) % 10 for hand in (coup.player, coup.banker))
    return Result(
        coup.winner,
        player_pair=pair_kind(*coup.player[:2]) != PairKind.NONE,
        banker_pair=pair_kind(*coup.banker[:2]) != PairKind.NONE,
        natural=any(start in naturals for start in starts),
    )


def shoe_text(number: int, coups: Iterable[object]) -> str:
    """Format one shoe in the notation that `parse_records` reads."""
    return "\n".join([f"# shoe {number}", *map(str, coups), "", ""])


def misdealt(shoes: Iterable[ShoeRecord], game: Game) -> list[Fault]:
    """Return faults for coups that the tableau would not deal, and for more copies of a card than
    the decks contain."""
    faults: list[Fault] = []
    possible = classes_of(game.tableau).index
    decks = "1 deck has" if game.decks == 1 else f"{game.decks} decks have"
    for shoe in shoes:
        gone: Counter[Card] = Counter()
        ranks: Counter[str] = Counter()
        for entry in shoe.entries:
            if entry.coup is None:
                continue
            if shape_of(entry.coup) not in possible:
                problem = _not_as_the_tableau(entry.coup, game)
                faults.append(Fault(shoe.file, entry.line, f"{entry.coup}: {problem}"))
            cards = (*entry.coup.player, *entry.coup.banker)
            gone.update(card for card in cards if card.suit)
            ranks.update(card.rank for card in cards)
        faults += (
            Fault(
                shoe.file, shoe.line, f"the shoe that begins here has {n} × {card}: {decks} {hold}"
            )
            for counted, hold in ((gone, game.decks), (ranks, 4 * game.decks))
            for card, n in counted.items()
            if n > hold
        )
    return faults


def _not_as_the_tableau(coup: Coup, game: Game) -> str:
    """Return a description of where this coup departs from the tableau."""
    left = {Hand.PLAYER: list(coup.player), Hand.BANKER: list(coup.banker)}
    deal = Deal(game.tableau)
    while (hand := deal.turn.hand) is not None:
        if not left[hand]:
            return f"{_why(deal)}, but {hand} got no card"
        deal = deal.give(left[hand].pop(0))
    hand, card = next((hand, cards[0]) for hand, cards in left.items() if cards)
    return f"{_why(deal)}, but {hand} got {card}"


def _why(deal: Deal) -> str:
    from baccarat.wording.catalogue import catalogue  # slow to import, and only for errors
    from baccarat.wording.dealing import reason_in_words

    return reason_in_words(deal.turn.reason, catalogue())


@dataclass(frozen=True)
class Summary:
    """Counts of results, pairs, naturals and runs in some shoes."""

    shoes: int
    coups: int
    fewest: int
    """Number of coups in the shortest shoe."""
    most: int
    """Number of coups in the longest shoe."""
    results: dict[Winner, int]
    pairs_noted: int
    """Number of coups in shoes in which pairs were noted: all cards are known, or at least one pair
    is marked."""
    player_pairs: int
    banker_pairs: int
    naturals_noted: int
    naturals: int
    runs: dict[int, dict[Winner, int]]
    """Number of player and banker runs by length; ties do not end a run."""

    @property
    def coups_per_shoe(self) -> Fraction:
        return Fraction(self.coups, self.shoes)


def summary(shoes: Sequence[ShoeRecord]) -> Summary:
    """Count the results of some shoes. If a shoe has neither cards nor any pair marks, its coups do
    not count towards `pairs_noted`; the same holds for naturals."""
    counted: Counter[str] = Counter()
    lengths_of_runs: Counter[tuple[int, Winner]] = Counter()
    for shoe in shoes:
        found, coups = statistics(shoe.results), len(shoe.entries)
        counted.update(asdict(found))
        lengths_of_runs.update((length, winner) for winner, length in runs(shoe.results))
        has_cards = all(entry.coup for entry in shoe.entries)
        if has_cards or found.player_pairs or found.banker_pairs:
            counted["pairs_noted"] += coups
        if has_cards or found.naturals:
            counted["naturals_noted"] += coups
    lengths = [len(shoe.entries) for shoe in shoes]
    return Summary(
        shoes=len(shoes),
        coups=sum(lengths),
        fewest=min(lengths),
        most=max(lengths),
        results={winner: counted[winner] for winner in Winner},
        **{name: counted[name] for name in ("pairs_noted", "player_pairs", "banker_pairs")},
        **{name: counted[name] for name in ("naturals_noted", "naturals")},
        runs={
            length: {side: lengths_of_runs[length, side] for side in (Winner.PLAYER, Winner.BANKER)}
            for length in sorted({length for length, _ in lengths_of_runs})
        },
    )
