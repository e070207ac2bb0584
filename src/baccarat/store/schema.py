"""The tables of the database, after the newest migration.

Journal, transactions and postings are append-only. Heads, balances and leases hold the current
values, so that taking a wager never requires reading a whole journal. The constraints are the last
line of defence: they prevent a duplicate sequence number, a negative balance of a player or a
table, and a transaction without its journal entry. On SQLite, tables with small rows are created
WITHOUT ROWID (`sqlite_with_rowid`), so that there is no second B-tree.
"""

from typing import Any

import sqlalchemy as sa
from sqlalchemy.schema import SchemaItem
from sqlalchemy.types import TypeEngine

metadata = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(referred_table_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)


def required(**types: type[TypeEngine[Any]]) -> list[sa.Column[Any]]:
    """Return NOT NULL columns with these names and types, in this order."""
    return [sa.Column(name, kind, nullable=False) for name, kind in types.items()]


def _table(name: str, *parts: SchemaItem, **options: Any) -> sa.Table:
    return sa.Table(name, metadata, *parts, **options)


journal = _table(
    "journal",
    *required(stream=sa.Text, sequence=sa.BigInteger, hash=sa.LargeBinary, body=sa.LargeBinary),
    sa.PrimaryKeyConstraint("stream", "sequence"),
    sa.CheckConstraint("sequence > 0", name="from_one"),
)

marks = _table(
    "marks",
    # Index of entries by type, except for the most frequent types.
    *required(stream=sa.Text, kind=sa.Text, sequence=sa.BigInteger),
    sa.PrimaryKeyConstraint("stream", "kind", "sequence"),
    sqlite_with_rowid=False,
)

heads = _table(
    "heads",
    sa.Column("stream", sa.Text, primary_key=True),
    *required(sequence=sa.BigInteger, hash=sa.LargeBinary),
)

snapshots = _table(
    "snapshots",
    sa.Column("stream", sa.Text, primary_key=True),
    *required(sequence=sa.BigInteger, body=sa.LargeBinary),
)

BLOCK = 4096
"""Number of journal entries in a block. Within a block, a stream's transactions are sorted by
player. So new rows are always written close to each other, and a player's transactions are found
with one lookup in each block. This number must never change, because stored rows depend on it."""

played = _table(
    "played",
    # Streams in which a player has transactions.
    *required(player=sa.Text, stream=sa.Text),
    sa.PrimaryKeyConstraint("player", "stream"),
    sqlite_with_rowid=False,
)

transactions = _table(
    "transactions",
    *required(stream=sa.Text, block=sa.BigInteger, player=sa.Text),
    *required(sequence=sa.BigInteger, kind=sa.Text),
    sa.PrimaryKeyConstraint("stream", "block", "player", "sequence"),
    sa.ForeignKeyConstraint(["stream", "sequence"], ["journal.stream", "journal.sequence"]),
    sa.CheckConstraint(f"block = sequence / {BLOCK}", name="in_its_block"),
    sqlite_with_rowid=False,
)

postings = _table(
    "postings",
    *required(account=sa.Text, stream=sa.Text, sequence=sa.BigInteger),
    *required(player=sa.Text, amount=sa.BigInteger, block=sa.BigInteger),
    # New rows are added at the end. A player's postings are found through their transactions.
    sa.PrimaryKeyConstraint("stream", "sequence", "player", "account"),
    sa.ForeignKeyConstraint(
        ["stream", "block", "player", "sequence"],
        [f"transactions.{name}" for name in ("stream", "block", "player", "sequence")],
    ),
    sa.CheckConstraint("amount <> 0", name="something"),
    sqlite_with_rowid=False,
)

balances = _table(
    "balances",
    sa.Column("account", sa.Text, primary_key=True),
    *required(balance=sa.BigInteger),
    sa.CheckConstraint("balance >= 0 OR account LIKE 'house/%'", name="not_below_zero"),
    sqlite_with_rowid=False,
)

people = _table(
    "people",
    sa.Column("id", sa.Text, primary_key=True),
    *required(role=sa.Text, name=sa.Text, guest=sa.Boolean),
    sa.Column("password", sa.Text),
    # When the password was set; earlier sessions are not valid.
    sa.Column("since", sa.BigInteger, nullable=False, server_default="1"),
    # Staff who opened the account or issued its password, separated by spaces.
    sa.Column("issued_by", sa.Text, nullable=False, server_default=""),
    # When the password expires, if it is an initial password; otherwise 0.
    sa.Column("expires_at", sa.BigInteger, nullable=False, server_default="0"),
    # Whether the account is suspended or closed.
    sa.Column("suspended", sa.Boolean, nullable=False, server_default=sa.false()),
    # The skeleton of the name (`names.skeleton`); empty for guests without a name of their own.
    sa.Column("looks", sa.Text, nullable=False, server_default=""),
    # The ID that a guest chose to sign in with; null for all other accounts.
    sa.Column("sign_in_id", sa.Text, unique=True),
    # Tables that a member of staff is assigned to, separated by spaces.
    sa.Column("tables", sa.Text, nullable=False, server_default=""),
    # When a member of staff last signed in; 0 if never.
    sa.Column("signed_in", sa.BigInteger, nullable=False, server_default="0"),
    # The encrypted secret of the second factor, the time step of the last code that was used, and
    # the digests of the recovery codes, separated by spaces.
    sa.Column("second_factor", sa.LargeBinary),
    sa.Column("last_step", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("recovery", sa.Text, nullable=False, server_default=""),
    sa.Index("ix_people_looks", "looks"),
)

proposed_names = _table(
    "proposed_names",
    # Names of proposed accounts, which a second person must confirm, and the proposal's entry.
    sa.Column("account", sa.Text, primary_key=True),
    *required(name=sa.Text, entry=sa.BigInteger),
)

safety = _table(
    "safety",
    sa.Column("player", sa.Text, primary_key=True),
    # The player's protection record in canonical form; empty until there is data.
    *required(body=sa.LargeBinary),
)

answers = _table(
    "answers",
    *required(owner=sa.Text, key=sa.Text, body=sa.LargeBinary),
    # Warnings as a JSON list, or null. The events are in the journal.
    sa.Column("warnings", sa.Text),
    *required(stream=sa.Text, sequence=sa.BigInteger, first=sa.BigInteger),
    # The key comes first, so that keys that begin with a timestamp are stored next to each other.
    sa.PrimaryKeyConstraint("key", "owner"),
    sqlite_with_rowid=False,
)

leases = _table(
    "leases",
    sa.Column("stream", sa.Text, primary_key=True),
    *required(epoch=sa.Integer, holder=sa.Text, expires_at=sa.BigInteger),
)

attempts = _table(
    "attempts",
    # Digest of the name that was typed, because people sometimes type a password as the name.
    sa.Column("name", sa.Text, primary_key=True),
    *required(wrong=sa.Integer, at=sa.BigInteger),
)

known_places = _table(
    "known_places",
    # Digest of a name and an address from which it signed in, and the time of the last sign-in.
    sa.Column("digest", sa.Text, primary_key=True),
    *required(at=sa.BigInteger),
)

sessions = _table(
    "sessions",
    # The open sessions, for their owners' lists. The cookie decides whether a session is valid.
    sa.Column("digest", sa.Text, primary_key=True),
    *required(
        account=sa.Text, begun=sa.BigInteger, seen=sa.BigInteger, address=sa.Text, agent=sa.Text
    ),
    sa.Index("ix_sessions_account", "account"),
)

servers = _table(
    "servers",
    sa.Column("holder", sa.Text, primary_key=True),
    # Until when the server counts as available, unless it sends another heartbeat.
    *required(until=sa.BigInteger),
)

shoes = _table(
    "shoes",
    sa.Column("shoe", sa.LargeBinary, primary_key=True),
    *required(stream=sa.Text, sealed=sa.LargeBinary),
)
