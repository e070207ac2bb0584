"""Records of real shoes: read, checked, counted.

A record is a text. Each line holds either one coup in our notation (`P:5hKd3c=8 B:7s2h=9`) or any
number of results as the roads take them (`BBnPTpb`). A blank line, or one that starts with
`# shoe`, ends a shoe; whatever follows a `#` is a comment. The one rule: nothing is guessed. Every
line that cannot be read is told, with its number, and the record is refused.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from pathlib import Path

from baccarat.core.cards import DECK_SIZE, Card
from baccarat.core.coup import Coup, Deal, parse_coup
from baccarat.core.errors import BaccaratError
from baccarat.core.facts import PairKind, classes_of, pair_kind, shape_of
from baccarat.core.rulecard import Game
from baccarat.core.tableau import Hand
from baccarat.roads import Result, Winner, parse_results

NATURALS = frozenset({8, 9})
"""What every known house calls a natural, where no rule card says it."""
DECKS = 8
"""Taken for the most a shoe has, where no rule card says it."""
FEWEST_CARDS = 4
"""A coup takes at least so many."""
LISTED = 20
"""Faults that a message lists; beyond them it only says how many more there are."""

_HEADER = re.compile(r"#\s*shoe\b", re.IGNORECASE)
_LOOKS_LIKE_A_COUP = re.compile(r"[:=\d]")


@dataclass(frozen=True, slots=True)
class Entry:
    """One coup of a record."""

    line: int
    result: Result
    coup: Coup | None = None
    """Its cards, where they were noted."""


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
    """What is wrong in a record, and where."""

    file: str
    line: int
    problem: str

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}: {self.problem}"


class RecordError(BaccaratError):
    """A record that cannot be used, with every fault that was found in it."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        count = "a fault" if len(faults) == 1 else f"{len(faults)} faults"
        listed = "\n".join(f"  {fault}" for fault in faults[:LISTED])
        more = f"\n  … and {len(faults) - LISTED} more" if len(faults) > LISTED else ""
        super().__init__(f"the record has {count}:\n{listed}{more}")


def read_records(path: str | Path, *, decks: int = DECKS) -> tuple[ShoeRecord, ...]:
    """The shoes of a file."""
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise BaccaratError(f"{path} cannot be read: {reason}") from error
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise BaccaratError(
            f"{path} is not UTF-8 text: byte {data[error.start]:#04x} on line {line}; "
            "save the record as UTF-8"
        ) from error
    return parse_records(text, str(path), decks=decks)


def parse_records(text: str, file: str = "record", *, decks: int = DECKS) -> tuple[ShoeRecord, ...]:
    """The shoes of a text; `RecordError` holds every fault of it."""
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
    most = decks * DECK_SIZE // FEWEST_CARDS
    faults += (
        Fault(
            file,
            shoe.line,
            f"a shoe of {len(shoe.entries)} coups begins here, and {decks} decks are good for "
            f"{most} at most: put a blank line between shoes",
        )
        for shoe in found
        if len(shoe.entries) > most
    )
    if faults:
        raise RecordError(sorted(faults, key=lambda fault: fault.line))
    if not found:
        raise BaccaratError(f"{file} holds no coup: write one a line, or results such as BBPT")
    return tuple(found)


def _entries(words: str, line: int) -> Iterator[Entry]:
    if _LOOKS_LIKE_A_COUP.search(words):
        coup = parse_coup(words)
        yield Entry(line, result_of(coup), coup)
    else:
        yield from (Entry(line, result) for result in parse_results(words))


def result_of(coup: Coup, naturals: frozenset[int] = NATURALS) -> Result:
    """What the roads remember of a coup."""
    starts = (sum(card.points for card in hand[:2]) % 10 for hand in (coup.player, coup.banker))
    return Result(
        Winner(coup.winner[0].upper()),
        player_pair=pair_kind(*coup.player[:2]) != PairKind.NONE,
        banker_pair=pair_kind(*coup.banker[:2]) != PairKind.NONE,
        natural=any(start in naturals for start in starts),
    )


def shoe_text(number: int, coups: Iterable[object]) -> str:
    """One shoe as `parse_records` reads it back."""
    return "\n".join([f"# shoe {number}", *map(str, coups), "", ""])


def misdealt(shoes: Iterable[ShoeRecord], game: Game) -> list[Fault]:
    """Coups whose cards the game's tableau would not have dealt, cards its decks do not hold."""
    faults: list[Fault] = []
    possible = classes_of(game.tableau).index
    decks = "1 deck holds" if game.decks == 1 else f"{game.decks} decks hold"
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
                shoe.file,
                shoe.line,
                f"the shoe that begins here has {n} × {card}: {decks} {hold}",
            )
            for counted, hold in ((gone, game.decks), (ranks, 4 * game.decks))
            for card, n in counted.items()
            if n > hold
        )
    return faults


def _not_as_the_tableau(coup: Coup, game: Game) -> str:
    """Why the tableau would not have dealt this coup."""
    left = {Hand.PLAYER: list(coup.player), Hand.BANKER: list(coup.banker)}
    deal = Deal(game.tableau)
    while (hand := deal.turn.hand) is not None:
        if not left[hand]:
            return f"{deal.turn.why}, but got no card"
        deal = deal.give(left[hand].pop(0))
    hand, card = next((hand, cards[0]) for hand, cards in left.items() if cards)
    return f"{deal.turn.why}, but {hand} got {card}"


@dataclass(frozen=True)
class Summary:
    """The counts of some shoes."""

    shoes: int
    coups: int
    fewest: int
    most: int
    """Coups in the shortest and the longest shoe."""
    results: dict[str, int]
    pairs_noted: int
    """Coups of shoes in which pairs were noted: with cards, or with at least one mark."""
    player_pairs: int
    banker_pairs: int
    naturals_noted: int
    naturals: int
    runs: dict[int, dict[str, int]]
    """For each length, how many runs of the player and of the banker; ties do not end a run."""

    @property
    def coups_per_shoe(self) -> Fraction:
        return Fraction(self.coups, self.shoes)


def summary(shoes: Sequence[ShoeRecord]) -> Summary:
    """Count what happened. Marks that nobody made in a whole shoe were not noted there."""
    names = {Winner.PLAYER: "player", Winner.BANKER: "banker", Winner.TIE: "tie"}
    results = dict.fromkeys(names.values(), 0)
    runs: Counter[tuple[int, str]] = Counter()
    noted: Counter[str] = Counter()
    for shoe in shoes:
        found = shoe.results
        for result in found:
            results[names[result.winner]] += 1
        winners = (result.winner for result in found if result.winner is not Winner.TIE)
        runs.update((len(list(run)), names[winner]) for winner, run in groupby(winners))
        player, banker = (
            sum(result.player_pair for result in found),
            sum(result.banker_pair for result in found),
        )
        naturals = sum(result.natural for result in found)
        has_cards = all(entry.coup for entry in shoe.entries)
        noted["pairs"] += len(found) if has_cards or player or banker else 0
        noted["naturals"] += len(found) if has_cards or naturals else 0
        noted += Counter(player_pairs=player, banker_pairs=banker, natural=naturals)
    lengths = [len(shoe.entries) for shoe in shoes]
    return Summary(
        shoes=len(shoes),
        coups=sum(lengths),
        fewest=min(lengths),
        most=max(lengths),
        results=results,
        pairs_noted=noted["pairs"],
        player_pairs=noted["player_pairs"],
        banker_pairs=noted["banker_pairs"],
        naturals_noted=noted["naturals"],
        naturals=noted["natural"],
        runs={
            length: {name: runs[length, name] for name in ("player", "banker")}
            for length in sorted({length for length, _ in runs})
        },
    )
