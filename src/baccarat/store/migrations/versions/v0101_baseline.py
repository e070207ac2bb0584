"""The baseline: every table of `store/schema.py`.

Until the first release, this is the only migration. When the schema or the encoding of stored data
changes, increase its number: a store with a lower number is refused. In the first release, replace
`create_all` with the statements that it runs; later changes become further migrations.
"""

from alembic import op

from baccarat.store.schema import metadata

revision = "0101"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create all tables in an empty database."""
    metadata.create_all(op.get_bind(), checkfirst=False)
