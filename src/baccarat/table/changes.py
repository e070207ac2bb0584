"""What changes from one set of table settings to another: in words, and whether a maximum rises."""

from collections.abc import Iterator

from baccarat.core.money import format_coins
from baccarat.core.rulecard import Game
from baccarat.table.rules import game_of, table_game
from baccarat.table.settings import Clock, Settings

ARROW = " → "
_CLOCK = {
    "betting": "betting time",
    "card": "time between cards",
    "pause": "pause between rounds",
    "contribute": "time to contribute",
    "reveal": "time to reveal contributions",
}
_REST = ("source", "cut", "burn")


def changes(before: Settings, after: Settings) -> tuple[str, ...]:
    """Each changed value before and after, such as "maximum on Tie: 100.00 → 500.00"."""
    return (*_rules(before, after), *_limits(before, after), *_clock(before, after))


def raises_a_maximum(before: Settings, after: Settings) -> bool:
    """Does a bet, a coup or the table take more than before, or as much as anyone likes?"""
    old, new = _game(before), _game(after)
    most = {bet.id: old.limits(bet)[1] for bet in old.bets}
    if any(new.limits(bet)[1] > most.get(bet.id, 0) for bet in new.bets):
        return True
    was, becomes = before.limits, after.limits
    return _rises(was.coup_maximum, becomes.coup_maximum) or _rises(was.seats, becomes.seats)


def _rises(before: int | None, after: int | None) -> bool:
    return before is not None and (after is None or after > before)


def _game(settings: Settings) -> Game:
    return table_game(settings.rules, settings.limits)


def _rules(before: Settings, after: Settings) -> Iterator[str]:
    if before.rules != after.rules:
        names = [game_of(one.rules).card.name for one in (before, after)]
        yield f"rules: {names[0]}{ARROW}{names[1]}" if names[0] != names[1] else "rules: changed"
    for name in _REST:
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            yield f"{name}: {old}{ARROW}{new}"
    for name, old in vars(before.floor).items():
        if old != getattr(after.floor, name):
            yield f"{name}: {old}{ARROW}{getattr(after.floor, name)}"


def _limits(before: Settings, after: Settings) -> Iterator[str]:
    old, new = _game(before), _game(after)
    known = {bet.id: bet for bet in old.bets}
    for place, name in enumerate(("minimum", "maximum")):
        was, becomes = (getattr(one.card.limits, name) for one in (old, new))
        if was != becomes:
            yield f"{name}: {format_coins(was)}{ARROW}{format_coins(becomes)}"
        for bet in new.bets:
            if bet.id in known:
                own = old.limits(known[bet.id])[place], new.limits(bet)[place]
                if own[0] != own[1] and own != (was, becomes):
                    amounts = ARROW.join(format_coins(one) for one in own)
                    yield f"{name} on {bet.name}: {amounts}"
    coups = (before.limits.coup_maximum, after.limits.coup_maximum)
    if coups[0] != coups[1]:
        written = ("none" if one is None else format_coins(one) for one in coups)
        yield f"maximum on a coup: {ARROW.join(written)}"
    seats = (before.limits.seats, after.limits.seats)
    if seats[0] != seats[1]:
        yield f"seats: {ARROW.join('any' if one is None else str(one) for one in seats)}"


def _clock(before: Settings, after: Settings) -> Iterator[str]:
    for name, words in _CLOCK.items():
        old, new = (_seconds(one.clock, name) for one in (before, after))
        if old != new:
            yield f"{words}: {old}{ARROW}{new}"


def _seconds(clock: Clock, name: str) -> str:
    return f"{getattr(clock, name) / 1000:g} s"
