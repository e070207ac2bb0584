"""Jobs: long computations in parts, whose sum does not depend on how the work is divided.

A job consists of numbered units of work (shoes or sessions). The part for a range of units holds
whole numbers, and parts are added up, so the result depends on the job alone, not on threads,
chunks, interruptions or machines. `execution` runs jobs.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from fractions import Fraction
from math import sqrt
from typing import Any, Generic, Protocol, Self, TypeVar

GROUP = 64
"""Number of units that a kernel processes together; chunks consist of whole groups of this size."""


class Part(Protocol):
    """The result of a range of units: a dataclass derived from `Sums`."""

    @property
    def done(self) -> int:
        """Number of units."""

    @property
    def coups(self) -> int:
        """Number of coups dealt in these units."""

    def __add__(self, other: Self) -> Self: ...

    @classmethod
    def restored(cls, kept: dict[str, Any]) -> Self: ...


class Sums:
    """Base class of dataclasses whose fields hold whole numbers, possibly in tuples or dicts.

    The first field is the number of units. Instances are added field by field, and can be restored
    from a checkpoint.
    """

    @property
    def done(self) -> int:
        units: int = next(iter(vars(self).values()))
        return units

    def __add__(self, other: Self) -> Self:
        names = [field.name for field in fields(self)]  # type: ignore[arg-type]
        return type(self)(*(_added(getattr(self, n), getattr(other, n)) for n in names))

    @classmethod
    def restored(cls, kept: dict[str, Any]) -> Self:
        """Restore an instance from a checkpoint's data; raise KeyError if a field is missing."""
        names = [field.name for field in fields(cls)]  # type: ignore[arg-type]
        return cls(*(_restored(kept[name]) for name in names))


def _added(a: Any, b: Any) -> Any:
    if isinstance(a, tuple):
        return tuple(_added(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, dict):
        if any(isinstance(value, dict) for value in a.values()):
            return {key: _added(value, b[key]) for key, value in a.items()}
        return {key: a.get(key, 0) + b.get(key, 0) for key in {**a, **b}}
    return a + b


def _restored(kept: Any) -> Any:
    """Restore tuples and integer keys, which JSON has converted to lists and strings."""
    if isinstance(kept, list):
        return tuple(map(_restored, kept))
    if isinstance(kept, dict):
        return {
            int(key) if key.lstrip("-").isdigit() else key: _restored(value)
            for key, value in kept.items()
        }
    return kept


P = TypeVar("P", bound=Part)
P_co = TypeVar("P_co", bound=Part, covariant=True)
R_co = TypeVar("R_co", covariant=True)
J_co = TypeVar("J_co", bound="Job[Any]", covariant=True)


class Job(Protocol[P_co]):
    """A computation that can be done in parts."""

    @property
    def units(self) -> int:
        """Total number of units."""

    @property
    def chunk(self) -> int:
        """Default number of units per part: a few hundredths of a second of work."""

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that the result depends on."""

    def part(self, first: int, count: int) -> P_co:
        """Compute the part for these units; `first` must be a multiple of GROUP."""


class Simulated(Job[P], Protocol[P, R_co]):
    """A job whose result is derived from the sum of its parts."""

    def result(self, total: P) -> R_co:
        """Return the result, given the sum of all parts, or of those done if the job was stopped
        early."""


@dataclass(frozen=True)
class Result(Generic[J_co, P_co]):
    """A job with the sum of all its parts, or of those done if the job was stopped early."""

    run: J_co
    tally: P_co

    @property
    def complete(self) -> bool:
        return self.tally.done == self.run.units

    @property
    def coups(self) -> int:
        return self.tally.coups


def in_pieces(part: Callable[[int, int], P], first: int, count: int, most: int) -> P:
    """Compute a part in pieces of at most `most` units, each consisting of whole groups."""
    most = max(most // GROUP * GROUP, GROUP)
    pieces = [part(at, min(most, first + count - at)) for at in range(first, first + count, most)]
    return sum(pieces[1:], pieces[0])


def ratio_error(samples: int, x: Fraction | int, xx: Any, xw: Any, w: int, ww: int) -> float:
    """Return the standard error of x/w, from the sums over the samples of x, x·x, x·w, w and w·w.

    There must be at least two samples.
    """
    mean = Fraction(x, w)
    spread = xx - 2 * mean * xw + mean * mean * ww
    return sqrt(spread * Fraction(samples, samples - 1)) / w


def ranges(job: Job[Any], done: int, chunk: int) -> Iterator[tuple[int, int]]:
    """Yield (first, count) of the remaining chunks, in order."""
    whole = -(-chunk // GROUP) * GROUP
    for first in range(done, job.units, whole):
        yield first, min(whole, job.units - first)
