"""Checks the log of deck sets: who counted and shuffled them, and the shoes they were used for."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Body = dict[str, Any]
DECK = 52


@dataclass
class DeckLog:
    """The house's deck sets, shared by the books of the house and of all tables."""

    serials: dict[str, list[str]] = field(default_factory=dict)
    """Serial numbers of the decks in each set."""
    retired: dict[str, int] = field(default_factory=dict)
    """When each retired set was retired."""
    prepared: dict[int, Body] = field(default_factory=dict)
    """The counts and shuffles, by their entry in the house's journal."""
    used: set[int] = field(default_factory=set)
    """Entries of the counts and shuffles that a shoe has used."""

    def receive(self, body: Body) -> Iterator[str]:
        name, known = body["deck_set"], [one for set_ in self.serials.values() for one in set_]
        if name in self.serials:
            yield f"deck set {name} was received twice"
        for at, serial in enumerate(body["serials"]):
            if serial in known or serial in body["serials"][:at]:
                yield f"deck {serial} is in two places"
        self.serials[name] = body["serials"]

    def prepare(self, number: int, body: Body) -> Iterator[str]:
        cards = DECK * len(self.serials.get(body["deck_set"], ()))
        yield from self._in_use(body)
        if body["cards"] != cards:
            yield f"{body['cards']} cards were counted, but the set has {cards}"
        if body["by"] == body["shuffled_by"]:
            yield f"{body['by']} counted and shuffled the same cards"
        self.prepared[number] = body

    def change(self, body: Body) -> Iterator[str]:
        yield from self._in_use(body)

    def retire(self, body: Body) -> Iterator[str]:
        yield from self._in_use(body)
        self.retired[body["deck_set"]] = body["at"]

    def _in_use(self, body: Body) -> Iterator[str]:
        """Yield a finding unless the set is known and not retired."""
        name = body["deck_set"]
        if name not in self.serials:
            yield f"deck set {name} was never received"
        if name in self.retired:
            yield f"deck set {name} had been retired"

    def begin(self, table: str, body: Body) -> Iterator[str]:
        """Yield a finding unless a shoe's set was last counted and shuffled for this shoe."""
        name, number, at = body["deck_set"], body["prepared"], body["at"]
        prepared: Body = self.prepared.get(number, {})
        fits = prepared.get("deck_set") == name and prepared.get("table") == table
        if not fits or prepared["at"] > at:
            yield f"the cards of deck set {name} were not counted for this shoe"
        if number in self.used:
            yield f"the cards of deck set {name} were not counted since the last shoe"
        if self.retired.get(name, at) < at:
            yield f"deck set {name} had been retired"
        if len(self.serials.get(name, ())) != body["decks"]:
            yield f"deck set {name} does not have {body['decks']} decks"
        if body.get("cut_by") not in ("player", "dealer", "pit"):
            yield "nobody cut the cards"
        yield from self.elsewhere(name, number, 0, at)
        self.used.add(number)

    def elsewhere(self, name: str, number: int, since: int, until: int) -> Iterator[str]:
        """Yield a finding if the set was counted and shuffled for another shoe in this time."""
        for other, body in self.prepared.items():
            if body["deck_set"] == name and other > number and since <= body["at"] < until:
                yield f"deck set {name} was prepared for {body['table']} while it was in use here"
