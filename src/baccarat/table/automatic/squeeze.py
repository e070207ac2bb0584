"""Who may turn the next card: the player with the largest stake on its hand."""

from baccarat.table.state import TableState


def squeezer(state: TableState) -> str | None:
    """Return who may turn the next card of the coup; None if it is dealt face up.

    It is the player with the largest bet on `player` or `banker`, the side of the card, among those
    who asked to turn cards. Of equal bets, the one whose player asked first counts.
    """
    current = state.round
    if not state.settings.clock.squeeze or not current.squeezing:
        return None
    hand = state.deal.turn.hand
    stakes = {
        player: sum(wager.stake for wager in current.placed(player).wagers if wager.bet == hand)
        for player in current.squeezing
    }
    largest = max(stakes, key=lambda player: stakes[player])
    return largest if stakes[largest] else None
