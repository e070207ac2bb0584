"""Endpoints about the house's real cards."""
