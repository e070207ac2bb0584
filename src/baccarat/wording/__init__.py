"""The rules of a game in words, generated from a rule card."""
