"""The store: a SQLite file or a PostgreSQL database behind one interface.

This is the only package that uses SQL. The interface is declared in `house.ports`.
"""
