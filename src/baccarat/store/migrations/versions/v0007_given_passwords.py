"""Whose own a password is, since when; and who has opened an account of the staff alone."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    since = sa.Column("since", sa.BigInteger, nullable=False, server_default="1")
    op.add_column("people", since)
    opened_by = sa.Column("opened_by", sa.Text, nullable=False, server_default="")
    op.add_column("people", opened_by)
    connection = op.get_bind()
    opened = sa.text(
        "SELECT body FROM journal JOIN marks USING (stream, sequence) "
        "WHERE stream = 'house' AND kind = 'AccountOpened'"
    )
    told = [json.loads(bytes(body))["value"] for (body,) in connection.execute(opened)]
    change = sa.text("UPDATE people SET opened_by = :by WHERE id = :account")
    for one in told:
        if one.get("by"):
            connection.execute(change, {"by": one["by"], "account": one["account"]})
