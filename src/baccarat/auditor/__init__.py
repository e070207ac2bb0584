"""The auditor: recomputes every balance and every settlement from the journal alone.

The auditor shares no code with the service that it audits: it has its own code for reading the
database and rule cards, for payouts and for the ledger. From the rest of this project it uses only
the shoe verifier, which shares no code with the service either. Once the hashes are verified, the
auditor trusts the journal's events, but nothing that was computed from them.
"""

from baccarat.auditor.audit import Report, audit
from baccarat.auditor.rows import Rows, Unreadable, read_store

__all__ = ["Report", "Rows", "Unreadable", "audit", "read_store"]
