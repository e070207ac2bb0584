"""Decisions that need two people: the subjects and terms of proposals, and their confirmation."""
