"""The first schema: journal, ledger, people, answers, leases, shoes."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "journal",
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("sequence", sa.BigInteger, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("stream", "sequence", name="pk_journal"),
        sa.CheckConstraint("sequence > 0", name="ck_journal_from_one"),
    )
    op.create_table(
        "heads",
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("sequence", sa.BigInteger, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("stream", name="pk_heads"),
    )
    op.create_table(
        "snapshots",
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("sequence", sa.BigInteger, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("stream", name="pk_snapshots"),
    )
    _ledger()
    op.create_table(
        "people",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("guest", sa.Boolean, nullable=False),
        sa.Column("password", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_people"),
    )
    op.create_table(
        "answers",
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("answer", sa.LargeBinary, nullable=False),
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("sequence", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("owner", "key", name="pk_answers"),
    )
    op.create_table(
        "leases",
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("epoch", sa.Integer, nullable=False),
        sa.Column("holder", sa.Text, nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("stream", name="pk_leases"),
    )
    op.create_table(
        "shoes",
        sa.Column("shoe", sa.LargeBinary, nullable=False),
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("sealed", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("shoe", name="pk_shoes"),
    )


def _ledger() -> None:
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
    )
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
    )
    op.create_table(
        "balances",
        sa.Column("account", sa.Text, nullable=False),
        sa.Column("balance", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("account", name="pk_balances"),
        sa.CheckConstraint(
            "balance >= 0 OR account LIKE 'house/%'", name="ck_balances_not_below_zero"
        ),
    )
