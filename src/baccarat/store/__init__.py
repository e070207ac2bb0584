"""The store: SQLite in a file, or PostgreSQL, behind one contract.

The only room that knows SQL. What it must do is declared in `house.ports`.
"""
