"""The game: cards, third-card rules (the tableau), coups (deals), bets and payouts.

This package is pure: standard library only, no I/O, no clock, no randomness, no floats.
"""
