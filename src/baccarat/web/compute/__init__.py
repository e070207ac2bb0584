"""Computations in worker processes."""
