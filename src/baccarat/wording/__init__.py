"""Catalogues of text in each language, and the rules of a game in words."""
