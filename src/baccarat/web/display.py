"""A table's display: the cards on the felt with their proofs, and the roads of the shoe.

Folded from the public entries of the journal, once for all who look; it is only ever caught up. A
shoe's roads begin with the shoe; a shuffler, which is new for every coup, keeps its last results.
The one rule: roads and statistics are the ones of `baccarat.roads`, as places to draw.
"""

import asyncio
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from baccarat.core.cards import Card, parse_cards, total
from baccarat.core.coup import parse_coup
from baccarat.house.desk import table_stream
from baccarat.records import result_of
from baccarat.roads import (
    DERIVED,
    BigRoadEntry,
    Result,
    Winner,
    bead_plate,
    big_road,
    derived_road,
    draw_derived,
    statistics,
)
from baccarat.service.world import Keeper
from baccarat.shoe.commitment import Source
from baccarat.store import history
from baccarat.store.sqlstore import SqlStore
from baccarat.table.canonical import to_plain
from baccarat.table.journal import Entry
from baccarat.web.answers.tables import CardTold, Decided, Places, PublicNotice, Roads

SHUFFLERS_MEMORY = 72
"""Results that the display of a shuffler keeps: about a shoe of them."""


@dataclass
class Display:
    """What is shown after an entry."""

    sequence: int = 0
    results: list[Result] = field(default_factory=list)
    round: int = 0
    cards: list[CardTold] = field(default_factory=list)
    """Of this round, as they were dealt: hand, card, total, row, and the proof."""
    decided: Decided | None = None
    cut_card_out: bool = False
    contributors: list[str] = field(default_factory=list)
    drawn: Roads | None = None
    places: dict[int, int] = field(default_factory=dict)
    """Round to the place of its result: where a correction goes."""
    notice: PublicNotice | None = None
    """What was put right last at a table of real cards, as everybody may know it; said `until` the
    end of a round."""

    def take(self, entry: Entry) -> None:
        """The next entry."""
        self.sequence = entry.sequence
        kind = entry.body[9 : entry.body.index(b'"', 9)].decode()  # {"type":"…
        reader = _READERS.get(kind)
        if reader is not None:
            reader(self, json.loads(entry.body)["value"])

    def _shoe(self, value: dict[str, Any]) -> None:
        self.cut_card_out, self.contributors = False, []
        kept = SHUFFLERS_MEMORY if value["source"] == Source.SHUFFLER else 0
        self.results, self.drawn = self.results[-kept:] if kept else [], None
        self.places = {}

    def _contribution(self, value: dict[str, Any]) -> None:
        self.contributors.append(value["name"])

    def _opened(self, value: dict[str, Any]) -> None:
        self.round, self.cards, self.decided = value["round"], [], None
        if self.notice is not None and self.notice["until"] < self.round:
            self.notice = None

    def _card(self, value: dict[str, Any]) -> None:
        self.cards.append({**on_the_felt(value), **value["card"]})

    def _shoe_by_hand(self, _: dict[str, Any]) -> None:
        self.cut_card_out, self.contributors, self.results, self.drawn = False, [], [], None
        self.places = {}

    def _placed(self, value: dict[str, Any]) -> None:
        self.cards.append(on_the_felt(value))

    def _irregular(self, value: dict[str, Any]) -> None:
        self._note("IrregularityFound", {"words": value["words"]}, value["round"])

    def _note(self, kind: str, value: dict[str, Any], until: int) -> None:
        self.notice = {"type": kind, "value": value, "until": until}

    def _rectified(self, value: dict[str, Any]) -> None:
        """The cards where they belong; a result that was announced too soon is none."""
        self._note("CoupRectified", {}, value["round"])
        self._take_back(value["round"])
        kept = parse_cards(" ".join(value["drawn"]))[: len(value["drawn"]) - len(value["excess"])]
        self.cards = _laid(zip(value["hands"], kept, strict=True))

    def _cancelled(self, value: dict[str, Any]) -> None:
        """A dummy round has no result, even if one was announced."""
        self._take_back(value["round"])

    def _corrected(self, value: dict[str, Any]) -> None:
        """Another result in the place of the one that was settled, and the cards it comes from."""
        coup = parse_coup(value["coup"])
        known = _decided(value)
        self._note("RoundCorrected", {**known, "corrections": []}, self.round + 1)
        if self.decided is not None and self.decided["round"] == value["round"]:
            self.decided = known
            turns = zip_longest(coup.player, coup.banker)
            both = (pair for turn in turns for pair in zip(("player", "banker"), turn, strict=True))
            self.cards = _laid((hand, card) for hand, card in both if card is not None)
        place = self.places.get(value["round"])
        if place is not None and place < len(self.results):  # of the shoe that is shown
            self.results[place], self.drawn = result_of(coup), None

    def _take_back(self, number: int) -> None:
        if self.decided is not None and self.decided["round"] == number:
            self.decided, self.drawn = None, None
            self.results.pop()

    def _cut_card(self, _: dict[str, Any]) -> None:
        self.cut_card_out = True

    def _coup(self, value: dict[str, Any]) -> None:
        self.decided = _decided(value)
        self.places[value["round"]] = len(self.results)
        self.results.append(result_of(parse_coup(value["coup"])))
        self.drawn = None

    def roads(self) -> Roads:
        """The roads as places to draw, computed when first asked for."""
        if self.drawn is None:
            self.drawn = drawn(self.results)
        return self.drawn


_READERS = {
    "ShoeCommitted": Display._shoe,
    "ContributionCommitted": Display._contribution,
    "RoundOpened": Display._opened,
    "CardDealt": Display._card,
    "ShoeBegun": Display._shoe_by_hand,
    "CardPlaced": Display._placed,
    "IrregularityFound": Display._irregular,
    "CoupRectified": Display._rectified,
    "RoundCancelled": Display._cancelled,
    "RoundCorrected": Display._corrected,
    "CutCardShown": Display._cut_card,
    "CoupDecided": Display._coup,
}


def on_the_felt(value: dict[str, Any]) -> CardTold:
    """A card as it lies there, without its proof."""
    told: CardTold = {
        "hand": value["hand"],
        "card": value["card"],
        "total": value["total"],
        "row": value["row"],
    }
    if "reason" in value:
        told["reason"] = value["reason"]
    return told


def _decided(value: dict[str, Any]) -> Decided:
    told: Decided = {"round": value["round"], "coup": value["coup"], "winner": value["winner"]}
    if "reason" in value:
        told["row"], told["reason"] = value["row"], value["reason"]
    return told


def _laid(cards: Iterable[tuple[str, Card]]) -> list[CardTold]:
    """Cards as they lie after they were put right: each with the total of its hand so far."""
    hands: dict[str, list[Card]] = {"player": [], "banker": []}
    told: list[CardTold] = []
    for hand, card in cards:
        hands[hand].append(card)
        value = {"hand": hand, "card": str(card), "total": total(hands[hand]), "row": ""}
        told.append(on_the_felt(value))
    return told


def drawn(results: list[Result]) -> Roads:
    """Five roads, what either side winning next would add to each, and the counts beside them."""
    now = _places(results)
    return {
        "coups": len(results),
        **now,
        "what_if": {side: _added(now, results, side) for side in (Winner.PLAYER, Winner.BANKER)},
        "statistics": to_plain(statistics(results)),
    }


def _places(results: list[Result]) -> Places:
    """Each road as places to draw.

    Places are short lists, because they are sent after every coup: bead plate [column, row, winner,
    marks], big road [column, row, winner, marks, ties], derived roads [column, row, colour].
    """
    big = big_road(results)
    return {
        "bead_plate": [
            [bead.column, bead.row, bead.result.winner, _marks(bead.result)]
            for bead in bead_plate(results)
        ],
        "big_road": [[one.column, one.row, one.winner, _marks(one), one.ties] for one in big],
        "big_eye_boy": _derived(results, DERIVED["big_eye_boy"]),
        "small_road": _derived(results, DERIVED["small_road"]),
        "cockroach_pig": _derived(results, DERIVED["cockroach_pig"]),
    }


def _derived(results: list[Result], k: int) -> list[list[int | str]]:
    return [[one.column, one.row, one.colour] for one in draw_derived(derived_road(results, k))]


def _added(now: Places, results: list[Result], side: Winner) -> Places:
    """What the side winning next would add to each road; nothing that lies there would move."""
    then = _places([*results, Result(side)])
    return {
        "bead_plate": then["bead_plate"][len(now["bead_plate"]) :],
        "big_road": then["big_road"][len(now["big_road"]) :],
        "big_eye_boy": then["big_eye_boy"][len(now["big_eye_boy"]) :],
        "small_road": then["small_road"][len(now["small_road"]) :],
        "cockroach_pig": then["cockroach_pig"][len(now["cockroach_pig"]) :],
    }


def _marks(one: Result | BigRoadEntry) -> str:
    return "p" * one.player_pair + "b" * one.banker_pair + "n" * one.natural


class Displays:
    """The display of every table that somebody has looked at."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._known: dict[str, Display] = {}
        self._locks: dict[str, asyncio.Lock] = {}

    async def of(self, table: str) -> Display:
        """The display as of now, or of a moment later."""
        async with self._locks.setdefault(table, asyncio.Lock()):
            known, stream = self._known.get(table), table_stream(table)
            self._known[table] = await self._keeper.read(lambda store: _read(store, stream, known))
            return self._known[table]


def _read(store: SqlStore, stream: str, known: Display | None) -> Display:
    display = known or _beginning(store, stream)
    while entries := store.entries(stream, after=display.sequence):
        for entry in entries:
            display.take(entry)
    return display


def _beginning(store: SqlStore, stream: str) -> Display:
    """The display just before the first shoe whose results are still shown."""
    by_hand = history.newest_of(store, stream, "ShoeBegun", before=None, limit=1)
    shoes = history.newest_of(store, stream, "ShoeCommitted", before=None, limit=SHUFFLERS_MEMORY)
    if by_hand and (not shoes or by_hand[0].sequence > shoes[0].sequence):
        return Display(sequence=by_hand[0].sequence - 1)
    if not shoes:
        return Display()
    newest = json.loads(shoes[0].body)["value"]
    first = shoes[-1] if newest["source"] == Source.SHUFFLER else shoes[0]
    return Display(sequence=first.sequence - 1)
