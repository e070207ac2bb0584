"""The live table: its commands, its events, its state and one table of phase transitions.

Everything here is pure: time and randomness are passed in, and nothing uses the web framework or
SQL.
"""
