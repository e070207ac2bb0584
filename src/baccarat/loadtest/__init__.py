"""Load testing: clients that play, misbehave and reconcile on a running server."""
