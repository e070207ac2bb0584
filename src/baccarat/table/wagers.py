"""Is a player's set of wagers taken? The reasons against it, in the order of `refusals.Code`.

A set replaces whatever the player had on the round, so it is judged by itself: the order of
placing never matters, and an empty set withdraws. The rules are the core's; what this adds is the
moment (the open round, before it closes), agreements, and the most one player may stake on a coup.
"""

from collections.abc import Mapping

from baccarat.core.errors import GameError
from baccarat.core.money import format_coins
from baccarat.core.rulecard import Game
from baccarat.core.text import Coins
from baccarat.core.wagers import Wager, refusals
from baccarat.table.agreements import Values
from baccarat.table.commands import PlaceWagers
from baccarat.table.phases import Phase
from baccarat.table.placed import NO_WAGERS, Placed
from baccarat.table.refusals import WAGER_CODES, Code, Refused
from baccarat.table.rules import table_game
from baccarat.table.state import TableState


def check_wagers(state: TableState, command: PlaceWagers, now: int) -> None:
    """Nothing, or Refused for the first reason."""
    WagerTerms(state).check(command, now, state.round.wagers)


class WagerTerms:
    """What a table asks of wagers on its round: found once for all that come.

    The wagers that stand are handed in, because they change from one to the next; all else that
    counts is as the state has it.
    """

    def __init__(self, state: TableState) -> None:
        self._state, self._limits = state, state.settings.limits
        self._game = table_game(state.rules, self._limits)

    def check(self, command: PlaceWagers, now: int, standing: Mapping[str, Placed]) -> int:
        """What they come to, or Refused for the first reason."""
        _check_moment(self._state, command, now)
        if command.replaces is not None:
            _check_replaced(standing, command.player, command.replaces)
        if self._limits.seats is not None:
            _check_seat(standing, command, self._limits.seats)
        if command.wagers:  # withdrawing is always possible, whatever was agreed
            self._check_rules(command)
        total = command.staked
        _check_total(total, command.bonus, self._limits.coup_maximum)
        return total

    def _check_rules(self, command: PlaceWagers) -> None:
        agreed = self._state.agreed(command.player)
        game = _agreed_game(self._state, command.player, agreed) if agreed else self._game
        found = refusals(game, command.wagers)
        if found:
            raise Refused(WAGER_CODES[found[0].rule], found[0].said)


def _check_total(total: int, bonus: int, most: int | None) -> None:
    if most is not None and total > most:
        raise Refused(
            Code.OVER_COUP_LIMIT,
            "these wagers come to {total}: one player may stake {most} on a coup here",
            total=Coins(total),
            most=Coins(most),
        )
    if not 0 <= bonus <= total:
        raise Refused(
            Code.BAD_AMOUNT,
            f"{bonus} coins of bonus money in a stake of {total}: it is 0 to all of it",
        )


def _check_moment(state: TableState, command: PlaceWagers, now: int) -> None:
    current, number = state.round, command.round
    if number != current.number or current.phase is Phase.NONE:
        words = "round {round} does not take wagers: the round is {current}"
        raise Refused(Code.NO_SUCH_ROUND, words, round=number, current=current.number)
    if state.paused and command.wagers:  # its round is dealt all the same: who will may leave it
        leave = "; those that stand can be withdrawn" if current.phase is Phase.OPEN else ""
        words = f"the table is paused: no wagers are taken until it goes on{leave}"
        raise Refused(Code.TABLE_PAUSED, words)
    by_clock = current.closes_at > 0  # or the dealer says "no more bets"
    if current.phase is not Phase.OPEN or (by_clock and now >= current.closes_at):
        words = "no more bets on round {round}: wait for round {next}"
        raise Refused(Code.BETTING_CLOSED, words, round=number, next=number + 1)
    if not current.bets:
        words = (
            "round {round} is dealt without bets, because a card of the shoe has been seen: wait "
            "for round {next}"
        )
        raise Refused(Code.BETTING_CLOSED, words, round=number, next=number + 1)
    if state.floor.shoe is not None and state.floor.shoe.owed:
        words = (
            "no more bets on round {round}, because the next card may have been seen: wait for "
            "round {next}"
        )
        raise Refused(Code.BETTING_CLOSED, words, round=number, next=number + 1)


def _check_replaced(
    standing: Mapping[str, Placed], player: str, replaces: tuple[Wager, ...]
) -> None:
    """Two windows of one player: the second must know what the first has placed."""
    wagers = standing.get(player, NO_WAGERS).wagers
    if len(replaces) == len(wagers) and set(replaces) == set(wagers):
        return
    listed = ", ".join(f"{one.bet} {format_coins(one.stake)}" for one in wagers) or "none"
    words = "your wagers were changed meanwhile, and these stand: {standing}; look at them first"
    raise Refused(Code.WAGERS_CHANGED, words, standing=listed)


def _check_seat(taken: Mapping[str, Placed], command: PlaceWagers, seats: int) -> None:
    if not command.wagers or command.player in taken or len(taken) < seats:
        return
    words = "all {seats} seats are taken for round {round}: wait for the next round"
    raise Refused(Code.NO_SEAT, words, seats=seats, round=command.round)


def _agreed_game(state: TableState, player: str, agreed: Values) -> Game:
    """The game as the table offers it, under what was agreed with the player."""
    try:
        return table_game(state.rules, state.settings.limits, agreed)
    except GameError as error:  # the table has another card now
        words = f"what was agreed with {player} does not fit this table any more: {error}; agree "
        raise Refused(Code.NO_SUCH_AGREEMENT, f"{words}anew, or end the agreement") from error
