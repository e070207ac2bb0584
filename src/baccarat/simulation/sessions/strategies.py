"""Betting strategies: which bet to place before each coup, and how much to stake.

A strategy is a function `decide(seat, options, memory)` that returns a bet and a stake:

* `seat` is what a player at the table knows (`Seat`), in whole numbers;
* `options` are the strategy's own settings, whole numbers in the order it declares them;
* `memory` is an array of whole numbers that the strategy may change, all 0 when a session starts;
* the bet is an index like `seat.bet`, which is the bet proposed by the selection rule (a fixed bet,
  the last winner, a road). Most strategies return `seat.bet`; NO_BET sits the coup out;
* the stake is in units; it is adjusted to the table's limits and to the remaining bankroll.

If numba can compile the function, it runs as fast as the built-in ones, which are written in the
same way. If not, it runs in Python, about a hundred times slower, and `Strategy.compiled` says why.
"""

import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from re import search
from types import FunctionType, ModuleType
from typing import Any, NamedTuple, NoReturn
from warnings import catch_warnings, simplefilter

from numba import cfunc, njit, types
from numba.core.errors import NumbaError

from baccarat.core.errors import BaccaratError, nearest, one_of, unknown

NO_BET = -1
PLAYER, BANKER, TIE, NOBODY = 0, 1, 2, -1
"""Possible winners of a coup; NOBODY before the first coup of a shoe."""

MEMORY = 16
MAX_MEMORY = 1 << 16
MAX_OPTIONS = 100
FAILED = -(1 << 60)
"""Returned as the bet if a strategy raised an error, because compiled code cannot pass on
exceptions."""
MAX_UNITS = 1 << 40
"""Stake, in units, at which progressions stop growing: far above any table's limit."""


class Seat(NamedTuple):
    """What a player knows before a coup."""

    bet: int
    """The bet that the selection rule proposes, as its index among the card's bets, or NO_BET."""
    coup: int
    """Number of coups dealt from this shoe so far."""
    played: int
    """Number of coups played in this session so far."""
    winner: int
    """Winner of the last coup of this shoe."""
    stake: int
    """Stake on the last coup, in coins."""
    result: int
    """Net result of that stake, in coins."""
    bankroll: int
    unit: int
    """Number of coins in a stake of one unit."""
    running: int
    """The running count, times `Count.scale`; 0 if cards are not counted."""
    unseen: int
    """Number of unseen cards: those left in the shoe, and those burned face down."""


Decide = Callable[[Any, Any, Any], tuple[int, int]]

SIGNATURE = types.UniTuple(types.int64, 2)(  # type: ignore[no-untyped-call]
    types.NamedUniTuple(types.int64, len(Seat._fields), Seat),  # type: ignore[no-untyped-call]
    types.int64[::1],
    types.int64[::1],
)


@dataclass(frozen=True)
class Compiled:
    """A strategy's function, compiled if possible."""

    decide: Any
    why_not: str | None
    """The reason why the strategy runs in Python; None if it is compiled."""


@dataclass(frozen=True)
class Strategy:
    """A betting strategy."""

    name: str
    words: str
    """One-sentence description."""
    decide: Decide
    options: Mapping[str, int | tuple[int, ...]] = field(default_factory=dict)
    """Option names and values; the value of the last option may be a tuple of numbers."""
    memory: int = MEMORY
    """Number of values in the strategy's memory."""

    source: str = ""
    """Text of the strategy's file, if it came from one."""

    def __post_init__(self) -> None:
        if not isinstance(self.decide, FunctionType):
            self._refuse(
                f"has no plain function decide(seat, options, memory), only {self.decide!r}"
            )
        if not isinstance(self.memory, int) or not 0 <= self.memory <= MAX_MEMORY:
            self._refuse(f"must have a memory of 0 to {MAX_MEMORY} numbers, not {self.memory!r}")
        if not isinstance(self.options, Mapping) or not all(
            isinstance(number, int) for number in self.values
        ):
            self._refuse(
                f"has invalid options {self.options!r}: write names with whole numbers, such as "
                "{'wins': 3} or {'line': (1, 2, 3)}"
            )
        if len(self.values) > MAX_OPTIONS:
            self._refuse(
                f"has {len(self.values)} numbers in its options: at most {MAX_OPTIONS} are allowed"
            )

    def _refuse(self, why: str) -> NoReturn:
        raise BaccaratError(f"the strategy {self.name} {why}")

    @property
    def fingerprint(self) -> str:
        """Hash of the strategy's file or code, which changes whenever its behaviour may change."""
        code = self.decide.__code__
        own = f"{code.co_code!r} {code.co_consts!r} {code.co_names!r}"
        return sha256((self.source or own).encode()).hexdigest()

    @property
    def values(self) -> list[int]:
        """The options as `decide` receives them."""
        return [
            number
            for value in self.options.values()
            for number in (value if isinstance(value, tuple) else (value,))
        ]

    @property
    def compiled(self) -> Compiled:
        """The strategy's function, compiled if numba can compile it."""
        return _compiled(self.decide)

    def with_options(self, given: Mapping[str, str]) -> "Strategy":
        """Return the strategy with other option values, given as text: `wins=4`, `line=1-2-3`."""
        chosen = dict(self.options)
        for name, text in given.items():
            if name not in chosen:
                raise BaccaratError(unknown(f"the strategy {self.name}", "option", name, chosen))
            chosen[name] = _numbers(name, text, several=isinstance(chosen[name], tuple))
        return replace(self, options=chosen)


@lru_cache(maxsize=64)
def _compiled(decide: Any) -> Compiled:
    try:
        with catch_warnings():
            simplefilter("ignore")
            if decide.__module__ == __name__:
                return Compiled(cfunc(SIGNATURE, cache=True, error_model="numpy")(decide), None)
            return Compiled(_guarded(decide), None)
    except (NumbaError, NotImplementedError, TypeError) as error:
        return Compiled(decide, _cause(error))


def _guarded(decide: Any) -> Any:
    """Compile a user's function so that its errors end the session, not the process."""
    inner = njit(SIGNATURE.args, boundscheck=True, nogil=True)(decide)
    given = inner.nopython_signatures[0].return_type
    if len(getattr(given, "types", ())) != 2 or not all(
        isinstance(part, types.Integer) for part in given.types
    ):
        raise TypeError(f"it returns {given} instead of a bet and a stake in whole numbers")

    def guarded(seat: Any, options: Any, memory: Any) -> Any:
        bet, units = FAILED, FAILED
        try:
            bet, units = inner(seat, options, memory)
        except Exception:
            bet = FAILED
        return bet, units

    return cfunc(SIGNATURE)(guarded)


def _cause(error: Exception) -> str:
    """Extract the reason and the line from the compiler's long error message."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    reason = next((line for line in lines if not line.startswith("Failed in")), "")
    where = next((m for line in lines if (m := search(r'File "[^"]*", line \d+', line))), None)
    return f"{type(error).__name__}: {reason}" + (f" ({where[0]})" if where else "")


def _numbers(name: str, text: str, *, several: bool) -> int | tuple[int, ...]:
    words = text.split("-") if several else [text]
    numbers = tuple(int(w) for w in words if w.isascii() and w.isdigit() and len(w) < 10)
    if len(numbers) < len(words) or (several and min(numbers) < 1):
        form = "whole numbers from 1, such as 1-2-3-4" if several else "a whole number, such as 3"
        raise BaccaratError(f"{name}={text}: write {form}")
    return numbers if several else numbers[0]


# ---- The built-in strategies. A stand-off, and a coup sat out, change nothing. ----
#
# Multiplication by comparisons replaces branches: a processor cannot predict who wins, and a
# mispredicted branch costs more than the rest of a coup.


BUILT_IN: dict[str, Strategy] = {}
"""The built-in strategies by name."""


def _built_in(
    name: str, words: str, memory: int = MEMORY, **options: int | tuple[int, ...]
) -> Callable[[Decide], Decide]:
    """Register a function as a built-in strategy."""

    def register(decide: Decide) -> Decide:
        BUILT_IN[name] = Strategy(name, words, decide, options, memory)
        return decide

    return register


@_built_in("flat", "always the same stake")
def flat(seat: Any, options: Any, memory: Any) -> Any:  # noqa: ARG001
    return seat.bet, 1


@_built_in(
    "martingale",
    "double after a loss; back to one unit after a win, or after `losses` in a row (0: never)",
    losses=0,
)
def martingale(seat: Any, options: Any, memory: Any) -> Any:
    losses = (memory[0] + (seat.result < 0)) * (seat.result <= 0)
    if 0 < options[0] <= losses:
        losses = 0
    memory[0] = losses
    return seat.bet, 1 << min(losses, 40)


@_built_in(
    "grand-martingale",
    "double and add one unit after a loss; back to one unit after a win, "
    "or after `losses` in a row (0: never)",
    losses=0,
)
def grand_martingale(seat: Any, options: Any, memory: Any) -> Any:
    losses = (memory[0] + (seat.result < 0)) * (seat.result <= 0)
    if 0 < options[0] <= losses:
        losses = 0
    memory[0] = losses
    return seat.bet, (1 << min(losses + 1, 40)) - 1


@_built_in(
    "paroli", "double after a win; back to one unit after a loss, or after `wins` in a row", wins=3
)
def paroli(seat: Any, options: Any, memory: Any) -> Any:
    wins = (memory[0] + (seat.result > 0)) * (seat.result >= 0)
    memory[0] = wins = wins * (wins < options[0])
    return seat.bet, 1 << min(wins, 40)


@_built_in("dalembert", "`step` units more after a loss, `step` units less after a win", step=1)
def dalembert(seat: Any, options: Any, memory: Any) -> Any:
    more = memory[0] + options[0] * ((seat.result < 0) - (seat.result > 0))
    memory[0] = max(more, 0)
    return seat.bet, 1 + memory[0]


@_built_in("fibonacci", "stake 1, 1, 2, 3, 5, 8 …: one step on after a loss, two back after a win")
def fibonacci(seat: Any, options: Any, memory: Any) -> Any:  # noqa: ARG001
    # memory: the current stake minus 1, and the stake before it, so that they start as 1 and 0.
    now, before = memory[0] + 1, memory[1]
    if seat.result < 0 and now < MAX_UNITS:
        now, before = now + before, now
    elif seat.result > 0:
        for _ in range(2):
            if before > 0:
                now, before = before, now - before
    memory[0], memory[1] = now - 1, before
    return seat.bet, now


LINE = 3
"""Index in labouchere's memory where its line begins. Before it are a started flag, the first index
and the end index."""


@_built_in(
    "labouchere",
    "stake the sum of a `line`'s first and last number; cross both out after a win, "
    "add the sum at the end after a loss",
    memory=512,
    line=(1, 2, 3, 4),
)
def labouchere(seat: Any, options: Any, memory: Any) -> Any:
    first, end = memory[1], memory[2]
    if memory[0] == 1 and seat.result > 0:
        first, end = first + 1, end - 1
    elif memory[0] == 1 and seat.result < 0:
        units = seat.stake // seat.unit
        if end == len(memory):  # no room at the end: move the line to the front
            for i in range(end - first):
                memory[LINE + i] = memory[first + i]
            first, end = LINE, LINE + end - first
        if end < len(memory):
            memory[end] = units
            end += 1
    if memory[0] == 0 or first >= end:
        memory[0], first, end = 1, LINE, LINE + len(options)
        for i in range(len(options)):
            memory[LINE + i] = options[i]
    memory[1], memory[2] = first, end
    return seat.bet, memory[first] + (memory[end - 1] if end - first > 1 else 0)


@_built_in(
    "oscars-grind",
    "one unit more after a win, the same after a loss, until the series has won one unit",
)
def oscars_grind(seat: Any, options: Any, memory: Any) -> Any:  # noqa: ARG001
    # memory: stake minus 1, result of this series in coins
    memory[1] += seat.result
    if memory[1] >= seat.unit:
        memory[0], memory[1] = 0, 0
    elif seat.result > 0:
        # One unit more than before, but no more than needed to end the series one unit up.
        memory[0] = min(memory[0] + 1, (seat.unit - memory[1] - 1) // seat.unit)
    return seat.bet, 1 + memory[0]


@_built_in(
    "1-3-2-6",
    "the next of the `stakes` after each win; back to the first after a loss or at the end",
    stakes=(1, 3, 2, 6),
)
def one_three_two_six(seat: Any, options: Any, memory: Any) -> Any:
    wins = (memory[0] + (seat.result > 0)) * (seat.result >= 0)
    memory[0] = wins = wins * (wins < len(options))
    return seat.bet, options[wins]


def strategy_named(text: str) -> Strategy:
    """Return a built-in strategy or one from a Python file, with options as in `paroli:wins=4`."""
    name, _, given = text.partition(":")
    made = from_file(Path(name)) if name.endswith(".py") else BUILT_IN.get(name)
    if made is None:
        raise BaccaratError(
            f"unknown strategy {name!r}{nearest(name, BUILT_IN)}: choose {one_of(BUILT_IN)}, "
            "or give a Python file with a function decide(seat, options, memory)"
        )
    options: dict[str, str] = {}
    for word in filter(None, given.split(",")):
        option, equals, value = word.partition("=")
        if not equals:
            raise BaccaratError(f"{word!r} is not an option: write {name}:NAME=VALUE")
        options[option.strip()] = value.strip()
    return made.with_options(options)


def from_file(path: Path) -> Strategy:
    """Load a strategy from a Python file, which defines `decide` and may define OPTIONS and
    MEMORY."""
    module = _module(path)
    decide = getattr(module, "decide", None)
    if not callable(decide):
        raise BaccaratError(f"{path} has no function decide(seat, options, memory): add one")
    words = (module.__doc__ or "").strip().partition("\n")[0]
    options = getattr(module, "OPTIONS", {})
    text = path.read_text(encoding="utf-8")
    memory = getattr(module, "MEMORY", MEMORY)
    return Strategy(path.stem, words, decide, options, memory, source=text)


def _module(path: Path) -> ModuleType:
    if not path.is_file():
        raise BaccaratError(f"{path} does not exist")
    name = f"baccarat_strategy_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None  # noqa: S101  (the name ends in .py)
    assert spec.loader is not None  # noqa: S101
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise BaccaratError(f"{path} cannot be run: {type(error).__name__}: {error}") from error
    return module
