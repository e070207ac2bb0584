"""The player's side of `baccarat play`: wagers as they are typed, and the money they come from.

A typed line becomes wagers; the seat takes them as one set or refuses them whole, and settles
them. Pure: nothing is read or printed here.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from baccarat.core.coup import Coup
from baccarat.core.errors import BaccaratError, GameError, nearest, one_of
from baccarat.core.money import format_coins, parse_coins
from baccarat.core.rulecard import Bet, Game
from baccarat.core.settlement import Settled, settle
from baccarat.core.wagers import Wager, accept, refusals

_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
"""The comma of 1,000; any other comma stands between wagers."""
_LONGEST_WORD = 24
"""What is quoted of a word that means nothing; no amount of money is as long."""


class BeyondBalance(BaccaratError):
    """Wagers that come to more than the player has."""


@dataclass
class Seat:
    """One player at a table with play money."""

    game: Game
    bankroll: int
    """Coins brought to the table."""
    net: int = 0
    """Coins the player is up or, below zero, down."""
    staked: int = 0
    coups: int = 0
    """Coups seen."""
    wagered: int = 0
    """Coups wagered on."""
    last: tuple[Wager, ...] = ()
    """The wagers taken last, for those who want them again."""

    @property
    def balance(self) -> int:
        return self.bankroll + self.net

    @property
    def can_wager(self) -> bool:
        """Is there enough left for the smallest wager?"""
        return self.balance >= smallest_wager(self.game)

    def check(self, wagers: Sequence[Wager]) -> tuple[Wager, ...]:
        """The wagers, or an error: they break a rule, or come to more than the balance."""
        accepted = accept(self.game, wagers)
        total = sum(wager.stake for wager in accepted)
        if total > self.balance:
            raise BeyondBalance(
                f"these wagers come to {format_coins(total)}, and your balance is "
                f"{format_coins(self.balance)}: stake {format_coins(total - self.balance)} less"
            )
        return accepted

    def again(self) -> tuple[Wager, ...]:
        """The wagers taken last, judged anew: the balance may have gone below them."""
        if not self.last:
            raise BaccaratError("there are no wagers to repeat yet: write some first")
        return self.check(self.last)

    def settle(self, coup: Coup, wagers: Sequence[Wager]) -> tuple[Settled, ...]:
        """Settle the wagers of a finished coup; no wagers means the player sat it out."""
        settled = settle(self.game, coup, self.check(wagers))
        self.coups += 1
        if wagers:
            self.wagered += 1
            self.last = tuple(wagers)
        self.staked += sum(wager.stake for wager in wagers)
        self.net += sum(one.net for one in settled)
        return settled


def smallest_wager(game: Game) -> int:
    """The least that anyone can wager on its own: a bet's minimum, brought up to its step."""
    alone = [bet for bet in game.bets if not bet.requires]
    return min(game.offers[bet.id].smallest for bet in alone or game.bets)


def example(game: Game) -> str:
    """A line of wagers that this table takes, to show how one is written."""
    wagers = [Wager(bet.id, game.offers[bet.id].smallest) for bet in game.bets[1:3]]
    if not wagers or refusals(game, wagers):
        wagers = [Wager(game.bets[0].id, game.offers[game.bets[0].id].smallest)]
    return ", ".join(f"{w.bet} {format_coins(w.stake).removesuffix('.00')}" for w in wagers)


def parse_wagers(game: Game, line: str, *, other_words: Iterable[str] = ()) -> tuple[Wager, ...]:
    """'banker 20, tie 5' or 'b 20 t 2.50' to wagers: each a bet and its stake, in any order.

    A bet is its short label, id or name, or the beginning of an id or name that no other bet
    shares. `other_words` are what else a misspelt word might have meant.
    """
    words = re.findall(r"[^\s,;]+", _THOUSANDS.sub("", line))
    if not words:
        raise BaccaratError(f"there is no wager in {line.strip()!r}: write {example(game)}")
    wagers: list[Wager] = []
    while words:
        bet, used = _bet_at_start(game, words, other_words)
        if used == len(words):
            raise BaccaratError(
                f"{bet.name} needs a stake: write the bet, then how much, such as {example(game)}"
            )
        wagers.append(Wager(bet.id, _stake(bet, words[used])))
        words = words[used + 1 :]
    return tuple(wagers)


def _bet_at_start(game: Game, words: Sequence[str], other_words: Iterable[str]) -> tuple[Bet, int]:
    """The bet that the first words name, and how many of them do: the most that make sense."""
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
                f"write more of it, or its short label, such as {meant[0].short}"
            )
    raise BaccaratError(_no_bet(words[0][:_LONGEST_WORD], [*other_words], names) + example(game))


def _no_bet(word: str, other_words: list[str], names: Mapping[str, set[str]]) -> str:
    if word.casefold() in other_words:
        return f"{word!r} stands alone on its line; wagers are written like "
    known = [*other_words, *(name for keys in names.values() for name in sorted(keys))]
    meant = nearest(word.casefold(), known) if any(map(str.isalpha, word)) else ""
    return f"{word!r} is no bet here{meant}: write a bet and then its stake, such as "


def _stake(bet: Bet, word: str) -> int:
    try:
        return parse_coins(word[:_LONGEST_WORD].lstrip("£€$"))
    except GameError as error:
        raise BaccaratError(f"{bet.name}: {error}") from None


def _key(name: str) -> str:
    """A name without the differences that nobody means: case, spaces, hyphens."""
    return re.sub(r"[\s_-]+", "-", name.casefold())
