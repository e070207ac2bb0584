"""Transactions are found by their player, and postings stand in the order of the journal.

So what a player did is read by one key, and new postings are written side by side, at the end.
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_OF_PLAYER = ["player", "stream", "sequence"]
_IN_ORDER = ["stream", "sequence", "player", "account"]


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        _made_anew()
    else:
        _keyed_anew()


def _keyed_anew() -> None:
    op.drop_constraint("fk_postings_transactions", "postings")
    op.drop_index("ix_transactions_player", "transactions")
    for table, key in (("transactions", _OF_PLAYER), ("postings", _IN_ORDER)):
        op.drop_constraint(f"pk_{table}", table)
        op.create_primary_key(f"pk_{table}", table, key)
    op.create_foreign_key(
        "fk_postings_transactions", "postings", "transactions", _OF_PLAYER, _OF_PLAYER
    )


def _made_anew() -> None:
    made = {"transactions": _transactions, "postings": _postings}
    for table, make in made.items():
        op.rename_table(table, f"held_{table}")
        make()
        key = ", ".join(_OF_PLAYER if table == "transactions" else _IN_ORDER)
        op.execute(f"INSERT INTO {table} SELECT * FROM held_{table} ORDER BY {key}")  # noqa: S608
    for table in reversed(made):  # held postings refer to held transactions
        op.drop_table(f"held_{table}")


def _transactions() -> None:
    op.create_table(
        "transactions",
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("sequence", sa.BigInteger, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint(*_OF_PLAYER, name="pk_transactions"),
        sa.ForeignKeyConstraint(
            ["stream", "sequence"],
            ["journal.stream", "journal.sequence"],
            name="fk_transactions_journal",
        ),
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
        sa.PrimaryKeyConstraint(*_IN_ORDER, name="pk_postings"),
        sa.ForeignKeyConstraint(
            _OF_PLAYER,
            [f"transactions.{name}" for name in _OF_PLAYER],
            name="fk_postings_transactions",
        ),
        sa.CheckConstraint("amount <> 0", name="ck_postings_something"),
        sqlite_with_rowid=False,
    )
