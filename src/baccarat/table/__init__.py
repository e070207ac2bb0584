"""The live table: rounds as commands and events, one state, one transition table.

Pure: time and randomness are passed in; no web framework, no SQL.
"""
