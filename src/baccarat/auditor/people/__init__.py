"""Checks of the house's accounts and its staff."""
