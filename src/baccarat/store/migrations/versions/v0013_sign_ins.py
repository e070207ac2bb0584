"""Sessions that people see, and addresses at which a name has signed in."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "known_places",
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_known_places"),
    )
    op.create_table(
        "sessions",
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("account", sa.Text, nullable=False),
        sa.Column("begun", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("agent", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_sessions"),
    )
    op.create_index("ix_sessions_account", "sessions", ["account"])
