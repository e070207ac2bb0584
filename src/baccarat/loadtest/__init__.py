"""Clients that play, misbehave and reconcile, for testing a running server under load."""
