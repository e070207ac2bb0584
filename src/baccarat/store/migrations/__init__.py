"""Alembic migrations of the store, run when a database is opened."""
