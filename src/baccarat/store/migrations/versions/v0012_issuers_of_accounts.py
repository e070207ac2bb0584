"""Who opened an account or issued its password; when an initial password expires; suspensions."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_OPERATOR = "the operator"
_NEVER = 2**53 - 1
"""Passwords that were given before there was an expiry: to be changed, whenever that is."""


def upgrade() -> None:
    op.execute("ALTER TABLE people RENAME COLUMN opened_by TO issued_by")
    expires_at = sa.Column("expires_at", sa.BigInteger, nullable=False, server_default="0")
    op.add_column("people", expires_at)
    suspended = sa.Column("suspended", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("people", suspended)
    op.execute(f"UPDATE people SET expires_at = {_NEVER}, since = 1 WHERE since = 0")  # noqa: S608
    op.execute("UPDATE people SET issued_by = ''")
    closed = "password IS NULL AND role <> 'player'"
    connection = op.get_bind()
    told = sa.text(
        "SELECT body FROM journal JOIN marks USING (stream, sequence) "
        "WHERE stream = 'house' AND kind = :kind"
    )
    issuers = sa.text("UPDATE people SET issued_by = :issuers WHERE id = :account")
    for (body,) in connection.execute(told, {"kind": "AccountOpened"}).all():
        value = json.loads(bytes(body))["value"]
        named = (value.get("first", ""), value.get("by", ""))
        names = [one for one in named if one not in ("", _OPERATOR)]
        if names:
            found = {"issuers": " ".join(names), "account": value["account"]}
            connection.execute(issuers, found)
    suspend = sa.text(f"UPDATE people SET suspended = :yes WHERE id = :account AND {closed}")  # noqa: S608
    for (body,) in connection.execute(told, {"kind": "AccountClosed"}).all():
        account = json.loads(bytes(body))["value"]["account"]
        connection.execute(suspend, {"yes": True, "account": account})
