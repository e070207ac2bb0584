"""Safer gambling: a player's record, limits, breaks, exclusions and jurisdiction profiles."""
