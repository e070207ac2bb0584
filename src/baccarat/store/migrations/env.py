"""Alembic environment: runs the migrations on the given connection, in the caller's transaction."""

from alembic import context

from baccarat.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=False,  # the caller has already begun a transaction
)
context.run_migrations()
