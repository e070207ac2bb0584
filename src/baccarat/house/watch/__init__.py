"""Monitoring by the house: collusion, results outside their bounds, and the audit log."""
