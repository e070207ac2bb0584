"""Exact analysis: counts as integers, probabilities and edges as fractions."""
