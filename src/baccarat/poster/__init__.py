"""Printed sheets: posters, letters and the audit report, as PDF and HTML.

Each sheet is first built as a plain value (`content`, `letter`, `report`) and then rendered.
Rendering makes no decisions, and never interprets text as markup.
"""

PAPERS = ("a4", "a3", "letter")
"""Paper sizes."""
