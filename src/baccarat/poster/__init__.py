"""Sheets for people: posters, letters and the audit report, on paper and as HTML.

Each sheet is first a plain value (`content`, `letter`, `report`) and only then drawn. One rule:
nothing is decided while drawing, and no text is ever read as markup.
"""

PAPERS = ("a4", "a3", "letter")
"""Formats of paper."""
