"""An answer that only tells events is not kept beside them, and answers stand by their key.

Keys that begin with the time are then written side by side, at the end, whoever made them.
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_KEY = ["key", "owner"]


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        _made_anew()
    else:
        _changed()


def _changed() -> None:
    op.add_column("answers", sa.Column("first", sa.BigInteger))
    op.execute("UPDATE answers SET first = sequence + 1")
    op.alter_column("answers", "first", nullable=False)
    op.alter_column("answers", "answer", nullable=True)
    op.drop_constraint("pk_answers", "answers")
    op.create_primary_key("pk_answers", "answers", _KEY)


def _made_anew() -> None:
    op.rename_table("answers", "held_answers")
    op.create_table(
        "answers",
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("answer", sa.LargeBinary),
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("sequence", sa.BigInteger, nullable=False),
        sa.Column("first", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint(*_KEY, name="pk_answers"),
        sqlite_with_rowid=False,
    )
    op.execute("INSERT INTO answers SELECT *, sequence + 1 FROM held_answers ORDER BY key, owner")
    op.drop_table("held_answers")
