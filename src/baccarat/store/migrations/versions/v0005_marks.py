"""Where in a journal entries of a kind stand: a few are found without reading them all."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

UNMARKED = {"WagersPlaced", "CardDealt", "CardPlaced"}
TOGETHER = 10_000


def upgrade() -> None:
    marks = op.create_table(
        "marks",
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("sequence", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("stream", "kind", "sequence", name="pk_marks"),
    )
    connection = op.get_bind()
    streams = connection.execute(sa.text("SELECT stream, sequence FROM heads")).all()
    some = sa.text(
        "SELECT sequence, body FROM journal WHERE stream = :stream AND sequence > :after "
        "AND sequence <= :after + :most ORDER BY sequence"
    )
    for stream, last in streams:
        for after in range(0, last, TOGETHER):
            given = {"stream": stream, "after": after, "most": TOGETHER}
            found = [
                {"stream": stream, "kind": kind, "sequence": sequence}
                for sequence, body in connection.execute(some, given)
                if (kind := json.loads(bytes(body))["type"]) not in UNMARKED
            ]
            if found:
                connection.execute(marks.insert(), found)
