"""The game: cards, the tableau, coups, bets and their payouts.

This package is pure: standard library only, no I/O, no clock, no randomness, no floats.
"""
