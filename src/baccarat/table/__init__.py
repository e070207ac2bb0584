"""The live table: rounds as commands and events, one state, one transition table.

Pure: time and randomness are handed in; no web framework, no SQL.
"""
