"""The auditor: recomputes every balance and every settlement from the journal alone.

It shares no code with the service it audits: it has its own reading of the database, rule cards,
payout rules and ledger. From this package it uses only the shoe verifier, which shares no code with
the service either. Once the hashes are verified, it trusts the journal's events, but nothing that
was computed from them.
"""

from baccarat.auditor.audit import Report, audit
from baccarat.auditor.rows import Rows, Unreadable, read_store

__all__ = ["Report", "Rows", "Unreadable", "audit", "read_store"]
