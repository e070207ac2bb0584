"""Disputes: the facts of the case, its replay under every open reading, and the decision."""
