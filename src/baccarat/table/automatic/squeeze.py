"""Who may turn the next card: the player with the largest stake on its hand."""

from baccarat.table.state import TableState


def squeezer(state: TableState) -> str | None:
    """Return who may turn the next card of the coup; None if it is dealt face up.

    Among the players who asked to turn cards, it is the one with the largest bet on the card's side
    (`player` or `banker`). If bets are equal, it is the one who asked first.
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
