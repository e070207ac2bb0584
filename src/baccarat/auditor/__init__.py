"""The auditor: recomputes every balance and every settlement from the journal alone.

It shares no code with the service it audits: its own reading of the database, of rule cards, of
the rules of payment and of the ledger. Of this package it uses only the verifier of shoes, which
shares no code with the service either. The one rule: believe the journal's events, once its hashes
hold, and nothing that was computed from them.
"""

from baccarat.auditor.audit import Report, audit
from baccarat.auditor.rows import Rows, Unreadable, read_store

__all__ = ["Report", "Rows", "Unreadable", "audit", "read_store"]
