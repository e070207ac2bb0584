"""The player's side of `baccarat play`: typed wagers, and the player's money.

A typed line is parsed into wagers. The seat accepts or refuses them as one set, and settles them.
This module does no I/O.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from baccarat import Coup, Game
from baccarat.core.bets import Bet
from baccarat.core.errors import BaccaratError, GameError, nearest, one_of
from baccarat.core.money import format_coins, parse_coins
from baccarat.core.settlement import Settled, settle
from baccarat.core.wagers import Wager, accept, refusals

_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
"""The comma in 1,000; any other comma separates wagers."""
_LONGEST_WORD = 24
"""Maximum length of an unknown word in a message; every amount of money is shorter."""


class BeyondBalance(BaccaratError):
    """Wagers that exceed the player's balance."""


@dataclass
class Seat:
    """One player at a table with play money."""

    game: Game
    bankroll: int
    """Coins the player brought to the table."""
    net: int = 0
    """The player's net result in coins so far; negative for a loss."""
    staked: int = 0
    coups: int = 0
    """Number of coups seen."""
    wagered: int = 0
    """Number of coups wagered on."""
    last: tuple[Wager, ...] = ()
    """The last accepted wagers, which the player may repeat."""

    @property
    def balance(self) -> int:
        return self.bankroll + self.net

    @property
    def can_wager(self) -> bool:
        """Whether the balance is enough for the smallest wager."""
        return self.balance >= smallest_wager(self.game)

    def check(self, wagers: Sequence[Wager]) -> tuple[Wager, ...]:
        """Return the wagers; raise an error if they break a rule or exceed the balance."""
        accepted = accept(self.game, wagers)
        total = sum(wager.stake for wager in accepted)
        if total > self.balance:
            raise BeyondBalance(
                f"these bets come to {format_coins(total)}, but your balance is "
                f"{format_coins(self.balance)}: stake {format_coins(total - self.balance)} less"
            )
        return accepted

    def again(self) -> tuple[Wager, ...]:
        """Return the last wagers; they are checked again, because the balance may no longer cover
        them."""
        if not self.last:
            raise BaccaratError("you have not placed any bets to repeat yet")
        return self.check(self.last)

    def settle(self, coup: Coup, wagers: Sequence[Wager]) -> tuple[Settled, ...]:
        """Settle the wagers on a finished coup; no wagers means the player sat it out."""
        settled = settle(self.game, coup, self.check(wagers))
        self.coups += 1
        if wagers:
            self.wagered += 1
            self.last = tuple(wagers)
        self.staked += sum(wager.stake for wager in wagers)
        self.net += sum(one.net for one in settled)
        return settled


def smallest_wager(game: Game) -> int:
    """Return the smallest single wager that is allowed: a bet's minimum, rounded up to its step."""
    alone = [bet for bet in game.bets if not bet.requires]
    return min(game.offers[bet.id].smallest for bet in alone or game.bets)


def example(game: Game) -> str:
    """Return a line of wagers that this table accepts, as an example."""
    wagers = [Wager(bet.id, game.offers[bet.id].smallest) for bet in game.bets[1:3]]
    if not wagers or refusals(game, wagers):
        wagers = [Wager(game.bets[0].id, game.offers[game.bets[0].id].smallest)]
    return ", ".join(f"{w.bet} {format_coins(w.stake).removesuffix('.00')}" for w in wagers)


def parse_wagers(game: Game, line: str, *, other_words: Iterable[str] = ()) -> tuple[Wager, ...]:
    """Parse bets with their stakes, such as 'banker 20, tie 5' or 'b 20 t 2.50', in any order.

    A bet is named by its short label, id or name, or by the beginning of an id or name if it is
    unambiguous. `other_words` are further suggestions for a misspelt word.
    """
    words = re.findall(r"[^\s,;]+", _THOUSANDS.sub("", line))
    if not words:
        raise BaccaratError(
            f"no bets found in {line.strip()!r}: type, for example, {example(game)}"
        )
    wagers: list[Wager] = []
    while words:
        bet, used = _bet_at_start(game, words, other_words)
        if used == len(words):
            raise BaccaratError(
                f"{bet.name} needs a stake: type the bet and its stake, such as {example(game)}"
            )
        wagers.append(Wager(bet.id, _stake(bet, words[used])))
        words = words[used + 1 :]
    return tuple(wagers)


def _bet_at_start(game: Game, words: Sequence[str], other_words: Iterable[str]) -> tuple[Bet, int]:
    """Return the bet named by the first words, and the number of words in its name; the longest
    match wins."""
    names = {bet.id: {_key(name) for name in (bet.short, bet.id, bet.name)} for bet in game.bets}
    longest = max(name.count("-") + 1 for keys in names.values() for name in keys)
    starts = [(_key(" ".join(words[:n])), n) for n in range(min(longest, len(words)), 0, -1)]
    for key, used in starts:
        for bet in game.bets:
            if key in names[bet.id]:
                return bet, used
    for key, used in starts:
        meant = [
            bet for bet in game.bets if any(name.startswith(key) for name in names[bet.id] if key)
        ]
        if len(meant) == 1:
            return meant[0], used
        if meant:
            raise BaccaratError(
                f"{' '.join(words[:used])!r} could be {one_of(bet.name for bet in meant)}: "
                f"type more of the name, or its short label, such as {meant[0].short}"
            )
    raise BaccaratError(_no_bet(words[0][:_LONGEST_WORD], [*other_words], names) + example(game))


def _no_bet(word: str, other_words: list[str], names: Mapping[str, set[str]]) -> str:
    if word.casefold() in other_words:
        return f"type {word!r} on a line of its own; bets are written like "
    known = [*other_words, *(name for keys in names.values() for name in sorted(keys))]
    meant = nearest(word.casefold(), known) if any(map(str.isalpha, word)) else ""
    return f"unknown bet {word!r}{meant}: type a bet and its stake, such as "


def _stake(bet: Bet, word: str) -> int:
    try:
        return parse_coins(word[:_LONGEST_WORD].lstrip("£€$"))
    except GameError as error:
        raise BaccaratError(f"{bet.name}: {error}") from None


def _key(name: str) -> str:
    """Normalise a name for comparison by ignoring case, spaces and hyphens."""
    return re.sub(r"[\s_-]+", "-", name.casefold())
