"""The live table: commands, events, state, and the transitions between phases.

Everything here is pure: time and randomness are passed in, and nothing uses the web framework or
SQL.
"""
