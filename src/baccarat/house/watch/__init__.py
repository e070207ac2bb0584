"""Monitoring by the house: collusion, results out of bounds, and the audit log."""
