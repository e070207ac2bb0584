"""The game: cards, tableau, coups, bets and what they pay.

Pure: standard library only; no I/O, no clock, no randomness, no float.
"""
