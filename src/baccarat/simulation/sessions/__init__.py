"""Simulated sessions of a strategy at a table."""
