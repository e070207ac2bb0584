"""On SQLite, small rows live in their primary key alone, and in no second tree beside it.

PostgreSQL keeps rows and keys apart in any case, so there nothing changes.
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if op.get_bind().dialect.name != "sqlite":
        return
    made = {"transactions": _transactions, "postings": _postings}
    made |= {"balances": _balances, "marks": _marks}
    for name in reversed(made):  # postings refer to transactions: they go first, and come back last
        op.execute(f"CREATE TABLE held_{name} AS SELECT * FROM {name}")  # noqa: S608
        op.drop_table(name)
    for name, make in made.items():
        make()
        op.execute(f"INSERT INTO {name} SELECT * FROM held_{name}")  # noqa: S608
        op.drop_table(f"held_{name}")
    op.create_index("ix_transactions_player", "transactions", ["player", "stream", "sequence"])


def _transactions() -> None:
    op.create_table(
        "transactions",
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("sequence", sa.BigInteger, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("stream", "sequence", "player", name="pk_transactions"),
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
        sa.PrimaryKeyConstraint("account", "stream", "sequence", "player", name="pk_postings"),
        sa.ForeignKeyConstraint(
            ["stream", "sequence", "player"],
            ["transactions.stream", "transactions.sequence", "transactions.player"],
            name="fk_postings_transactions",
        ),
        sa.CheckConstraint("amount <> 0", name="ck_postings_something"),
        sqlite_with_rowid=False,
    )


def _balances() -> None:
    op.create_table(
        "balances",
        sa.Column("account", sa.Text, nullable=False),
        sa.Column("balance", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("account", name="pk_balances"),
        sa.CheckConstraint(
            "balance >= 0 OR account LIKE 'house/%'", name="ck_balances_not_below_zero"
        ),
        sqlite_with_rowid=False,
    )


def _marks() -> None:
    op.create_table(
        "marks",
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("sequence", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("stream", "kind", "sequence", name="pk_marks"),
        sqlite_with_rowid=False,
    )
