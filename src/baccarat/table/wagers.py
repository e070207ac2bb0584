"""Checks of a player's set of wagers, in the order of `refusals.Code`.

A set of wagers replaces all earlier wagers of the player on the round, so it is checked by itself:
the order of placing does not matter, and an empty set withdraws all wagers. The core checks the
rules of the game. This module adds checks of timing (the round must be open), seats, agreements and
the maximum that one player may stake on a coup.
"""

from collections.abc import Mapping

from baccarat.core.errors import GameError
from baccarat.core.money import format_coins
from baccarat.core.text import Coins
from baccarat.core.wagers import NO_WAGERS, PlacedWagers, Wager, refusals
from baccarat.table import events as e
from baccarat.table.agreements import agreeable, bets_by_agreement, checked, listed, standing_offer
from baccarat.table.commands import PlaceWagers
from baccarat.table.phases import Phase
from baccarat.table.refusals import Code, Refused, refused_by
from baccarat.table.rules import table_game
from baccarat.table.state import TableState


class WagerTerms:
    """Checks wagers on a table's current round; one instance serves many wagers.

    The wagers already placed are passed to `check`, because they change with every command;
    everything else is taken from the state.
    """

    def __init__(self, state: TableState) -> None:
        self._state, self._limits = state, state.settings.limits
        self._game = table_game(state.rules, self._limits)
        self._needing = bets_by_agreement(state.rules)

    def check(self, command: PlaceWagers, now: int, placed: Mapping[str, PlacedWagers]) -> int:
        """Return the total stakes, or raise Refused for the first reason in order of precedence."""
        _check_moment(self._state, command, now)
        if command.replaces is not None:
            _check_replaced(placed, command.player, command.replaces)
        seats, seated = self._limits.seats, command.player in placed
        if seats is not None and command.wagers and not seated and len(placed) >= seats:
            raise Refused(Code.NO_SEAT, "no-seat", seats=seats, round=command.round)
        if command.wagers:  # withdrawing is always possible, whatever was agreed
            self._check_rules(command)
        total, most = sum([wager.stake for wager in command.wagers]), self._limits.coup_maximum
        if most is not None and total > most:
            limit = {"total": Coins(total), "most": Coins(most)}
            raise Refused(Code.OVER_COUP_LIMIT, "over-coup-limit", **limit)
        return total

    def _check_rules(self, command: PlaceWagers) -> None:
        game = self._game
        self._check_agreement(command)
        if agreed := self._state.agreed(command.player):
            try:
                game = table_game(self._state.rules, self._limits, agreed)
            except GameError as error:  # the table now has another rule card
                raise Refused(Code.NO_SUCH_AGREEMENT, "agreement-outdated") from error
        found = refusals(game, command.wagers)
        if found:
            raise refused_by(found[0])

    def _check_agreement(self, command: PlaceWagers) -> None:
        """Raise Refused if a bet needs an agreement and the player has none (A17)."""
        state = self._state
        bets = [wager.bet for wager in command.wagers if wager.bet in self._needing]
        if not bets or state.agreed(command.player):
            return
        parameters = agreeable(self._game).values()
        raise Refused(
            Code.AGREEMENT_NEEDED,
            "agreement-needed",
            name=self._game.bet(bets[0]).name,
            terms=", ".join(parameter.label for parameter in parameters),
            offer=listed(standing_offer(state.rules, state.settings)),
        )


def accepted(state: TableState, command: PlaceWagers, now: int) -> e.AgreementMade | None:
    """Return the agreement that a command makes by accepting the standing offer, if any (A17).

    Raise Refused if the offer has changed, or if the player has already agreed on other terms.
    """
    if not command.accept or not command.wagers:
        return None
    rules, held, player = state.rules, state.agreed(command.player), command.player
    values = checked(command.accept, rules, state.settings.limits)
    if values == held:
        return None
    if held:
        raise Refused(Code.STALE_VIEW, "agreement-held", values=listed(held))
    offer = standing_offer(rules, state.settings)
    if values != offer:
        raise Refused(Code.STALE_VIEW, "offer-changed", values=listed(values), offer=listed(offer))
    return e.AgreementMade(now, player, values, command.round, e.THE_HOUSE, player)


def _check_moment(state: TableState, command: PlaceWagers, now: int) -> None:
    current, number = state.round, command.round
    if number != current.number or current.phase is Phase.NONE:
        now_played = current.number
        raise Refused(Code.NO_SUCH_ROUND, "round-takes-no-bets", round=number, current=now_played)
    if state.paused and command.wagers:  # the round is dealt anyway, so players may withdraw
        placed = current.phase is Phase.OPEN
        raise Refused(Code.TABLE_PAUSED, "paused-with-bets" if placed else "paused")
    if state.frozen:
        raise Refused(Code.TABLE_PAUSED, "bets-stopped")
    if state.manual.called:  # not even a withdrawal: a card may have been seen
        raise Refused(Code.TABLE_PAUSED, "bets-frozen")
    by_clock = current.closes_at > 0  # otherwise the dealer calls "no more bets"
    if current.phase is not Phase.OPEN or (by_clock and now >= current.closes_at):
        key = "no-more-bets"
    elif not current.bets:
        key = "round-without-bets"
    elif state.card_seen:  # R02: not even a withdrawal
        key = "card-queried" if state.manual.doubts else "next-card-seen"
    else:
        return
    raise Refused(Code.BETTING_CLOSED, key, round=number, next=number + 1)


def _check_replaced(
    placed: Mapping[str, PlacedWagers], player: str, replaces: tuple[Wager, ...]
) -> None:
    """Raise Refused if the player's wagers are not those that the command expects to replace."""
    wagers = placed.get(player, NO_WAGERS).wagers
    if len(replaces) == len(wagers) and set(replaces) == set(wagers):
        return
    listed = ", ".join(f"{wager.bet} {format_coins(wager.stake)}" for wager in wagers) or "none"
    raise Refused(Code.WAGERS_CHANGED, "bets-changed", bets=listed)
