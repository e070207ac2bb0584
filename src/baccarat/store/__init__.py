"""The store: SQLite in a file, or PostgreSQL, behind one interface.

It is the only package that uses SQL. The interface is declared in `house.ports`.
"""
