"""Decisions that take two people: their subjects, their terms, and the proposals."""
