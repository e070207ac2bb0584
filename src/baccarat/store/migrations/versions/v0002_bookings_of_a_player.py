"""An index by player: one's own ledger and results are read without looking at everybody's."""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_transactions_player", "transactions", ["player", "stream", "sequence"])
