"""A mapping that is never changed, and of which one with another entry costs little.

A state holds the wagers of everyone at its table, and every wager makes a new state: to copy them
all each time would make a wager dearer the more players there are. So a few newest entries lie
above the others, which are shared. The one rule: whoever holds one never sees it change.
"""

from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from typing import TypeVar

V = TypeVar("V")
MOST_ABOVE = 32
"""Entries that lie above the others before all are put together again."""


class Layered(Mapping[str, V]):
    """Entries, and newer ones that stand in their place or beside them."""

    __slots__ = ("above", "below")

    def __init__(self, below: Mapping[str, V], above: Mapping[str, V]) -> None:
        self.below, self.above = below, above

    def __getitem__(self, key: str) -> V:
        return self.above[key] if key in self.above else self.below[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._together())

    def __len__(self) -> int:
        return len(self.below) + sum(key not in self.below for key in self.above)

    def __repr__(self) -> str:
        return repr(self._together())

    # Those of a dict: the ones that come with a Mapping ask for each entry by its key.

    def keys(self) -> KeysView[str]:
        return self._together().keys()

    def values(self) -> ValuesView[V]:
        return self._together().values()

    def items(self) -> ItemsView[str, V]:
        return self._together().items()

    def _together(self) -> dict[str, V]:
        return {**self.below, **self.above}


def with_entry(mapping: Mapping[str, V], key: str, value: V) -> Mapping[str, V]:
    """A mapping with one more entry, or with another value."""
    if not isinstance(mapping, Layered):
        return Layered(mapping, {key: value})
    if len(mapping.above) < MOST_ABOVE:
        return Layered(mapping.below, {**mapping.above, key: value})
    return Layered({**mapping.below, **mapping.above}, {key: value})


def without_entry(mapping: Mapping[str, V], key: str) -> Mapping[str, V]:
    """A mapping without an entry, if it has it: that is seldom, and all are copied."""
    return {one: value for one, value in mapping.items() if one != key}
