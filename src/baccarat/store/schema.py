"""The tables of the database, as the newest migration leaves them.

Journal, transactions and postings are only ever added to. Heads, balances and leases say what they
come to, so that nobody has to add up a journal to take a wager. The constraints are the backstop: a
sequence that exists twice, a player or a table below zero, a transaction without its journal entry
cannot be written, whatever a program believes. On SQLite, small rows live in their primary key
(`sqlite_with_rowid`), and in no second tree beside it.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    false,
)

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(referred_table_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

journal = Table(
    "journal",
    metadata,
    Column("stream", Text, nullable=False),
    Column("sequence", BigInteger, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("body", LargeBinary, nullable=False),
    PrimaryKeyConstraint("stream", "sequence"),
    CheckConstraint("sequence > 0", name="from_one"),
)

marks = Table(
    "marks",
    metadata,
    # Where entries of a kind stand; not of the kinds that most entries are of.
    Column("stream", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("sequence", BigInteger, nullable=False),
    PrimaryKeyConstraint("stream", "kind", "sequence"),
    sqlite_with_rowid=False,
)

heads = Table(
    "heads",
    metadata,
    Column("stream", Text, primary_key=True),
    Column("sequence", BigInteger, nullable=False),
    Column("hash", LargeBinary, nullable=False),
)

snapshots = Table(
    "snapshots",
    metadata,
    Column("stream", Text, primary_key=True),
    Column("sequence", BigInteger, nullable=False),
    Column("body", LargeBinary, nullable=False),
)

BLOCK = 4096
"""Entries of a stream whose transactions stand together, in the order of their players. So new ones
are written side by side however much there is already, and what a player did is found by a look
into each block. It never changes: it is in what has been written."""

played = Table(
    "played",
    metadata,
    # In which streams a player has transactions.
    Column("player", Text, nullable=False),
    Column("stream", Text, nullable=False),
    PrimaryKeyConstraint("player", "stream"),
    sqlite_with_rowid=False,
)

transactions = Table(
    "transactions",
    metadata,
    Column("stream", Text, nullable=False),
    Column("block", BigInteger, nullable=False),
    Column("player", Text, nullable=False),
    Column("sequence", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    PrimaryKeyConstraint("stream", "block", "player", "sequence"),
    ForeignKeyConstraint(["stream", "sequence"], ["journal.stream", "journal.sequence"]),
    CheckConstraint(f"block = sequence / {BLOCK}", name="in_its_block"),
    sqlite_with_rowid=False,
)

postings = Table(
    "postings",
    metadata,
    Column("account", Text, nullable=False),
    Column("stream", Text, nullable=False),
    Column("sequence", BigInteger, nullable=False),
    Column("player", Text, nullable=False),
    Column("amount", BigInteger, nullable=False),
    Column("block", BigInteger, nullable=False),
    # New ones come side by side, at the end. A player's own are found by their transactions.
    PrimaryKeyConstraint("stream", "sequence", "player", "account"),
    ForeignKeyConstraint(
        ["stream", "block", "player", "sequence"],
        [f"transactions.{name}" for name in ("stream", "block", "player", "sequence")],
    ),
    CheckConstraint("amount <> 0", name="something"),
    sqlite_with_rowid=False,
)

balances = Table(
    "balances",
    metadata,
    Column("account", Text, primary_key=True),
    Column("balance", BigInteger, nullable=False),
    CheckConstraint("balance >= 0 OR account LIKE 'house/%'", name="not_below_zero"),
    sqlite_with_rowid=False,
)

people = Table(
    "people",
    metadata,
    Column("id", Text, primary_key=True),
    Column("role", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("guest", Boolean, nullable=False),
    Column("password", Text),
    # When the password was set: sessions that began before are over.
    Column("since", BigInteger, nullable=False, server_default="1"),
    # Everyone of the staff who opened the account or issued its password, with blanks.
    Column("issued_by", Text, nullable=False, server_default=""),
    # When an initial password expires, which its owner must change; 0 for one of their own.
    Column("expires_at", BigInteger, nullable=False, server_default="0"),
    # Suspended or closed.
    Column("suspended", Boolean, nullable=False, server_default=false()),
)

safety = Table(
    "safety",
    metadata,
    Column("player", Text, primary_key=True),
    # What the player's events and wagers come to, in canonical form; empty for nothing yet.
    Column("body", LargeBinary, nullable=False),
)

answers = Table(
    "answers",
    metadata,
    Column("owner", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("body", LargeBinary, nullable=False),
    # None where it only tells the entries from the first to this one. Of an answer that was kept
    # before there was a `first`, that says nothing.
    Column("answer", LargeBinary),
    Column("stream", Text, nullable=False),
    Column("sequence", BigInteger, nullable=False),
    Column("first", BigInteger, nullable=False),
    # The key comes first: those that begin with the time are then written side by side.
    PrimaryKeyConstraint("key", "owner"),
    sqlite_with_rowid=False,
)

leases = Table(
    "leases",
    metadata,
    Column("stream", Text, primary_key=True),
    Column("epoch", Integer, nullable=False),
    Column("holder", Text, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
)

attempts = Table(
    "attempts",
    metadata,
    # A digest: whatever somebody typed as a name may be a secret.
    Column("name", Text, primary_key=True),
    Column("wrong", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
)

known_places = Table(
    "known_places",
    metadata,
    # A digest of a name and an address at which it has signed in, and when it last did.
    Column("digest", Text, primary_key=True),
    Column("at", BigInteger, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    # What people see of their sessions, until they end. Whether one holds, its cookie says.
    Column("digest", Text, primary_key=True),
    Column("account", Text, nullable=False),
    Column("begun", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    Column("address", Text, nullable=False),
    Column("agent", Text, nullable=False),
    Index("ix_sessions_account", "account"),
)

servers = Table(
    "servers",
    metadata,
    Column("holder", Text, primary_key=True),
    # Until when it counts as up unless it says so again.
    Column("until", BigInteger, nullable=False),
)

shoes = Table(
    "shoes",
    metadata,
    Column("shoe", LargeBinary, primary_key=True),
    Column("stream", Text, nullable=False),
    Column("sealed", LargeBinary, nullable=False),
)
