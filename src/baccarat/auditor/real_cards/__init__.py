"""Checks tables with real cards."""

from baccarat.auditor.real_cards.books import RealCardBooks

__all__ = ["RealCardBooks"]
