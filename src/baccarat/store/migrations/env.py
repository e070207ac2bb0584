"""How Alembic runs the migrations: on the connection, and in the transaction, it is handed."""

from alembic import context

from baccarat.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=False,  # the transaction is the caller's
)
context.run_migrations()
