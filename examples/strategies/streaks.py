"""Bet one unit, or two while a side has won at least `streak` times in a row."""

from baccarat.simulation import TIE

OPTIONS = {"streak": 3}
MEMORY = 2  # the side that won last, and the number of its wins in a row


def decide(seat, options, memory):
    if seat.coup == 0:  # a new shoe: nothing has won yet
        memory[0], memory[1] = -1, 0
    elif seat.winner != TIE:
        memory[1] = memory[1] + 1 if seat.winner == memory[0] else 1
        memory[0] = seat.winner
    return seat.bet, 2 if memory[1] >= options[0] else 1
