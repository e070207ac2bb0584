"""The baseline: every table of `store/schema.py`.

Until the first release this is the only migration. When the schema or the encoding of stored data
changes, raise its number: a store with a lower one is refused. The first release replaces
`create_all` by the statements it stands for, and later changes are migrations after it.
"""

from alembic import op

from baccarat.store.schema import metadata

revision = "0100"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create all tables in an empty database."""
    metadata.create_all(op.get_bind(), checkfirst=False)
