"""Bet one unit, or two once a side has won `streak` times in a row, until the streak ends."""

from baccarat.simulation import TIE

OPTIONS = {"streak": 3}
MEMORY = 2  # the side that won last, and how often in a row


def decide(seat, options, memory):
    if seat.coup == 0:  # a new shoe: nothing has won yet
        memory[0], memory[1] = -1, 0
    elif seat.winner != TIE:
        memory[1] = memory[1] + 1 if seat.winner == memory[0] else 1
        memory[0] = seat.winner
    return seat.bet, 2 if memory[1] >= options[0] else 1
