"""Transactions stand in blocks of their stream, and in a block by their player.

So new ones are written side by side, whoever's they are; with the player first, every wager changed
a page of its own, and a house slowed down as it grew. A table says in which streams a player has
any.
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_BLOCK = "sequence / 4096"
_PLAYER = ["player", "stream"]
_KEY = ["stream", "block", "player", "sequence"]
_IN_ORDER = ["stream", "sequence", "player", "account"]


def upgrade() -> None:
    op.create_table(
        "played",
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("stream", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint(*_PLAYER, name="pk_played"),
        sqlite_with_rowid=False,
    )
    op.execute("INSERT INTO played SELECT DISTINCT player, stream FROM transactions")
    if op.get_bind().dialect.name == "postgresql":  # there a key has a name of its own
        op.drop_constraint("fk_postings_transactions", "postings")
        op.drop_constraint("pk_postings", "postings")
        op.drop_constraint("pk_transactions", "transactions")
    for table in ("transactions", "postings"):
        op.rename_table(table, f"held_{table}")
    _transactions()
    _postings()
    op.execute(
        f"INSERT INTO transactions SELECT stream, {_BLOCK}, player, sequence, kind "  # noqa: S608
        f"FROM held_transactions ORDER BY stream, {_BLOCK}, player, sequence"
    )
    op.execute(
        f"INSERT INTO postings SELECT account, stream, sequence, player, amount, {_BLOCK} "  # noqa: S608
        f"FROM held_postings ORDER BY {', '.join(_IN_ORDER)}"
    )
    for table in ("postings", "transactions"):  # held postings refer to held transactions
        op.drop_table(f"held_{table}")


def _transactions() -> None:
    op.create_table(
        "transactions",
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("block", sa.BigInteger, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("sequence", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint(*_KEY, name="pk_transactions"),
        sa.ForeignKeyConstraint(
            ["stream", "sequence"],
            ["journal.stream", "journal.sequence"],
            name="fk_transactions_journal",
        ),
        sa.CheckConstraint(f"block = {_BLOCK}", name="in_its_block"),
        sqlite_with_rowid=False,
    )


def _postings() -> None:
    op.create_table(
        "postings",
        sa.Column("account", sa.Text, nullable=False),
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("sequence", sa.BigInteger, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("amount", sa.BigInteger, nullable=False),
        sa.Column("block", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint(*_IN_ORDER, name="pk_postings"),
        sa.ForeignKeyConstraint(
            _KEY, [f"transactions.{name}" for name in _KEY], name="fk_postings_transactions"
        ),
        sa.CheckConstraint("amount <> 0", name="something"),
        sqlite_with_rowid=False,
    )
