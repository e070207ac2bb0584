"""Strategies: before each coup, which bet and how much.

A strategy is a function `decide(seat, options, memory)` that returns a bet and a stake:

* `seat` is what a player at the table knows (`Seat`), in whole numbers;
* `options` are the strategy's own settings, whole numbers in the order it declares them;
* `memory` holds whole numbers that it may write, all 0 when a session starts;
* the bet is a number as in `seat.bet`, which is what the player's rule of choice proposes (a bet,
  the last winner, a road): most strategies hand it back; NO_BET sits the coup out;
* the stake is in units; it is brought within the limits of the table and what is left.

If numba can compile the function, it runs as fast as the built-in ones, which are written in just
this way. If not, it runs in Python, some hundred times slower, and `Strategy.compiled` says why.
"""

import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from re import search
from types import FunctionType, ModuleType
from typing import Any, NamedTuple
from warnings import catch_warnings, simplefilter

from numba import cfunc, njit, types
from numba.core.errors import NumbaError

from baccarat.core.errors import BaccaratError, nearest, one_of

NO_BET = -1
PLAYER, BANKER, TIE, NOBODY = 0, 1, 2, -1
"""Winners of a coup; nobody before the first coup of a shoe."""

MEMORY = 16
MOST_MEMORY = 1 << 16
MOST_OPTIONS = 100
FAILED = -(1 << 60)
"""The bet of a strategy that raised an error: compiled code has no other way to tell."""
MOST_UNITS = 1 << 40
"""Progressions stop growing here: far above any table's limit."""


class Seat(NamedTuple):
    """What a player knows before a coup."""

    bet: int
    """The bet that the rule of choice proposes, by its number on the card; or NO_BET."""
    coup: int
    """Coups of this shoe so far."""
    played: int
    """Coups of this session so far."""
    winner: int
    """Of the last coup of this shoe."""
    stake: int
    """Staked on the last coup, in coins."""
    result: int
    """Won or lost by that, in coins."""
    bankroll: int
    unit: int
    """A stake of 1 is so many coins."""
    running: int
    """The running count, times `Count.scale`; 0 when nothing is counted."""
    unseen: int
    """Cards of the shoe not seen yet: those left, and those burned face down."""


Decide = Callable[[Any, Any, Any], tuple[int, int]]

SIGNATURE = types.UniTuple(types.int64, 2)(  # type: ignore[no-untyped-call]
    types.NamedUniTuple(types.int64, len(Seat._fields), Seat),  # type: ignore[no-untyped-call]
    types.int64[::1],
    types.int64[::1],
)


@dataclass(frozen=True)
class Compiled:
    """A strategy ready to play."""

    decide: Any
    why_not: str | None
    """Why it runs in Python; None when it is compiled."""


@dataclass(frozen=True)
class Strategy:
    """A way to choose stakes."""

    name: str
    words: str
    """What it does, in a sentence."""
    decide: Decide
    options: Mapping[str, int | tuple[int, ...]] = field(default_factory=dict)
    """Names and defaults; the last may be a list of numbers."""
    memory: int = MEMORY
    """How many numbers it keeps."""

    source: str = ""
    """The text of its file, if it came from one."""

    def __post_init__(self) -> None:
        if not isinstance(self.decide, FunctionType):
            raise BaccaratError(
                f"the strategy {self.name} decides by {self.decide!r}: give a plain function "
                "decide(seat, options, memory)"
            )
        if not isinstance(self.memory, int) or not 0 <= self.memory <= MOST_MEMORY:
            raise BaccaratError(
                f"the strategy {self.name} asks to keep {self.memory!r} numbers: "
                f"0 to {MOST_MEMORY} is allowed"
            )
        if not isinstance(self.options, Mapping) or not all(
            isinstance(number, int) for number in self.values
        ):
            raise BaccaratError(
                f"the options {self.options!r} of the strategy {self.name} are not names with "
                "whole numbers, such as {'wins': 3} or {'line': (1, 2, 3)}"
            )
        if len(self.values) > MOST_OPTIONS:
            raise BaccaratError(
                f"the strategy {self.name} has {len(self.values)} numbers for options: "
                f"{MOST_OPTIONS} are allowed"
            )

    @property
    def fingerprint(self) -> str:
        """Changes with what it does: of its file, or of its own code."""
        code = self.decide.__code__
        own = f"{code.co_code!r} {code.co_consts!r} {code.co_names!r}"
        return sha256((self.source or own).encode()).hexdigest()

    @property
    def values(self) -> list[int]:
        """The options as `decide` gets them."""
        return [
            number
            for value in self.options.values()
            for number in (value if isinstance(value, tuple) else (value,))
        ]

    @property
    def compiled(self) -> Compiled:
        """The function that plays: compiled if numba can."""
        return _compiled(self.decide)

    def with_options(self, given: Mapping[str, str]) -> "Strategy":
        """The same with other settings, as typed: `wins=4`, `line=1-2-3`."""
        chosen = dict(self.options)
        for name, text in given.items():
            if name not in chosen:
                has = f"it has {one_of(chosen)}" if chosen else "it has none"
                raise BaccaratError(
                    f"the strategy {self.name} has no option {name!r}{nearest(name, chosen)}: {has}"
                )
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
    """Strangers' code: its mistakes must end the session, not the process."""
    inner = njit(SIGNATURE.args, boundscheck=True, nogil=True)(decide)
    given = inner.nopython_signatures[0].return_type
    if len(getattr(given, "types", ())) != 2 or not all(
        isinstance(part, types.Integer) for part in given.types
    ):
        raise TypeError(f"it returns {given}, not a bet and a stake in whole numbers")

    def guarded(seat: Any, options: Any, memory: Any) -> Any:
        bet, units = FAILED, FAILED
        try:
            bet, units = inner(seat, options, memory)
        except Exception:
            bet = FAILED
        return bet, units

    return cfunc(SIGNATURE)(guarded)


def _cause(error: Exception) -> str:
    """Of pages that the compiler writes, the sentence that says what, and the line where."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    told = next((line for line in lines if not line.startswith("Failed in")), "")
    where = next((m for line in lines if (m := search(r'File "[^"]*", line \d+', line))), None)
    return f"{type(error).__name__}: {told}" + (f" ({where[0]})" if where else "")


def _numbers(name: str, text: str, *, several: bool) -> int | tuple[int, ...]:
    words = text.split("-") if several else [text]
    numbers = tuple(int(w) for w in words if w.isascii() and w.isdigit() and len(w) < 10)
    if len(numbers) < len(words) or (several and min(numbers) < 1):
        form = "whole numbers from 1, such as 1-2-3-4" if several else "a whole number, such as 3"
        raise BaccaratError(f"{name}={text}: write {form}")
    return numbers if several else numbers[0]


# ---- The built-in strategies. A stand-off, and a coup sat out, change nothing. ----
#
# Products with comparisons stand where a branch would be natural: a processor cannot foretell who
# wins, and a wrong guess costs it more than the rest of a coup.


def flat(seat: Any, options: Any, memory: Any) -> Any:  # noqa: ARG001
    return seat.bet, 1


def martingale(seat: Any, options: Any, memory: Any) -> Any:
    losses = (memory[0] + (seat.result < 0)) * (seat.result <= 0)
    if 0 < options[0] <= losses:
        losses = 0
    memory[0] = losses
    return seat.bet, 1 << min(losses, 40)


def grand_martingale(seat: Any, options: Any, memory: Any) -> Any:
    losses = (memory[0] + (seat.result < 0)) * (seat.result <= 0)
    if 0 < options[0] <= losses:
        losses = 0
    memory[0] = losses
    return seat.bet, (1 << min(losses + 1, 40)) - 1


def paroli(seat: Any, options: Any, memory: Any) -> Any:
    wins = (memory[0] + (seat.result > 0)) * (seat.result >= 0)
    memory[0] = wins = wins * (wins < options[0])
    return seat.bet, 1 << min(wins, 40)


def dalembert(seat: Any, options: Any, memory: Any) -> Any:
    more = memory[0] + options[0] * ((seat.result < 0) - (seat.result > 0))
    memory[0] = max(more, 0)
    return seat.bet, 1 + memory[0]


def fibonacci(seat: Any, options: Any, memory: Any) -> Any:  # noqa: ARG001
    # memory: the stake now and the one before it, less 1 so that both start at 1 and 0.
    now, before = memory[0] + 1, memory[1]
    if seat.result < 0 and now < MOST_UNITS:
        now, before = now + before, now
    elif seat.result > 0:
        for _ in range(2):
            if before > 0:
                now, before = before, now - before
    memory[0], memory[1] = now - 1, before
    return seat.bet, now


LINE = 3
"""Where labouchere's numbers begin in its memory; before them: started, first, beyond the last."""


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


def oscars_grind(seat: Any, options: Any, memory: Any) -> Any:  # noqa: ARG001
    # memory: stake less 1, result of this series in coins
    memory[1] += seat.result
    if memory[1] >= seat.unit:
        memory[0], memory[1] = 0, 0
    elif seat.result > 0:
        # One unit more than before, but no more than brings the series one unit up.
        memory[0] = min(memory[0] + 1, (seat.unit - memory[1] - 1) // seat.unit)
    return seat.bet, 1 + memory[0]


def one_three_two_six(seat: Any, options: Any, memory: Any) -> Any:
    wins = (memory[0] + (seat.result > 0)) * (seat.result >= 0)
    memory[0] = wins = wins * (wins < len(options))
    return seat.bet, options[wins]


BUILT_IN = {
    strategy.name: strategy
    for strategy in (
        Strategy("flat", "the same stake always", flat),
        Strategy(
            "martingale",
            "double after a loss, back to one unit after a win, "
            "or after `losses` in a row (0: never)",
            martingale,
            {"losses": 0},
        ),
        Strategy(
            "grand-martingale",
            "double and one unit more after a loss, back to one unit after a win, "
            "or after `losses` in a row (0: never)",
            grand_martingale,
            {"losses": 0},
        ),
        Strategy(
            "paroli",
            "double after a win; back to one unit after a loss, or after `wins` in a row",
            paroli,
            {"wins": 3},
        ),
        Strategy(
            "dalembert",
            "`step` units more after a loss, as many less after a win",
            dalembert,
            {"step": 1},
        ),
        Strategy(
            "fibonacci",
            "along 1, 1, 2, 3, 5, 8 …: one place on after a loss, two back after a win",
            fibonacci,
        ),
        Strategy(
            "labouchere",
            "first and last number of a `line`; a win strikes both out, a loss is written behind",
            labouchere,
            {"line": (1, 2, 3, 4)},
            memory=512,
        ),
        Strategy(
            "oscars-grind",
            "one unit more after a win, the same after a loss, until a series is one unit up",
            oscars_grind,
        ),
        Strategy(
            "1-3-2-6",
            "along the `stakes` after each win, back to the first after a loss or at the end",
            one_three_two_six,
            {"stakes": (1, 3, 2, 6)},
        ),
    )
}


def strategy_named(text: str) -> Strategy:
    """A built-in strategy, or one from a Python file; options may follow: `paroli:wins=4`."""
    name, _, given = text.partition(":")
    made = from_file(Path(name)) if name.endswith(".py") else BUILT_IN.get(name)
    if made is None:
        raise BaccaratError(
            f"there is no strategy {name!r}{nearest(name, BUILT_IN)}: name {one_of(BUILT_IN)}, "
            "or a Python file that has a function decide(seat, options, memory)"
        )
    options: dict[str, str] = {}
    for word in filter(None, given.split(",")):
        option, equals, value = word.partition("=")
        if not equals:
            raise BaccaratError(f"{word!r} sets nothing: write {name}:NAME=VALUE")
        options[option.strip()] = value.strip()
    return made.with_options(options)


def from_file(path: Path) -> Strategy:
    """The strategy of a Python file: its `decide`, and if there are any OPTIONS and MEMORY."""
    module = _module(path)
    decide = getattr(module, "decide", None)
    if not callable(decide):
        raise BaccaratError(f"{path} has no function decide(seat, options, memory): write one")
    words = (module.__doc__ or "").strip().partition("\n")[0]
    options = getattr(module, "OPTIONS", {})
    text = path.read_text(encoding="utf-8")
    memory = getattr(module, "MEMORY", MEMORY)
    return Strategy(path.stem, words, decide, options, memory, source=text)


def _module(path: Path) -> ModuleType:
    if not path.is_file():
        raise BaccaratError(f"there is no file {path}")
    name = f"baccarat_strategy_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None  # noqa: S101  (its name ends in .py)
    assert spec.loader is not None  # noqa: S101
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise BaccaratError(f"{path} cannot be run: {type(error).__name__}: {error}") from error
    return module
