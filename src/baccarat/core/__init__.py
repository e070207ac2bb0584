"""The game: cards, tableau, coups, bets and what they pay.

This package is pure: standard library only, no I/O, no clock, no randomness, no floats.
"""
