"""Opens a database: its address, durability settings and migrations.

Every acknowledged commit is on disk. SQLite runs in WAL mode with synchronous=FULL, because NORMAL
can lose commits at power loss. PostgreSQL runs with its administrator's settings, except that
synchronous_commit is always on. Connections to a PostgreSQL server on another machine use TLS with
a verified certificate, unless the address says otherwise. Commands that only copy a store open it
read-only and leave it unchanged.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import unquote

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event, inspect
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, OperationalError

from baccarat.core.errors import BaccaratError
from baccarat.store import dialects
from baccarat.store import schema as s

FORBIDDEN = "42501"
"""PostgreSQL's SQLSTATE for insufficient privilege."""
TO_CONNECT = (
    "check the address, that PostgreSQL is running there with this database, and the password "
    "(in ~/.pgpass or the file named by PGPASSFILE)"
)
TO_ENCRYPT = (
    "PostgreSQL on another machine must use TLS: turn on ssl there, or add ?sslmode=disable to the "
    "address if you trust the network"
)
TO_VERIFY = (
    "the certificate of PostgreSQL on another machine must be verified: give the authority that "
    "signed it with ?sslrootcert=FILE in the address, or add ?sslmode=require if nobody can "
    "intercept the connection"
)
TO_SERVE = (
    "the server's role must own the schema and the tables, because it creates and writes them; "
    "SELECT is enough for audit-house and backup"
)
TO_READ = "allow this role to SELECT from all its tables"
NO_STORE = "is not a store: give one that `baccarat serve` created"


class StoreError(BaccaratError):
    """A database cannot be used; the message includes the remedy."""


def open_engine(address: str | URL) -> Engine:
    """Return an engine for `sqlite:///FILE` or `postgresql://…`, migrated to the current schema."""
    url = url_of(address)
    # Before a pooled connection is used, check that the database has not dropped it.
    engine = create_engine(_encrypted(url), pool_pre_ping=url.get_backend_name() == "postgresql")
    try:
        with _opening(url):
            if url.get_backend_name() == "sqlite":
                make_private(Path(url.database or ""))
            dialects.set_up(engine)
            _migrate(engine)
    except StoreError:
        engine.dispose()
        raise
    return engine


@contextmanager
def read_only(address: str) -> Iterator[Connection]:
    """Connect to a store with a consistent, read-only snapshot, or raise StoreError.

    Nothing is created or changed, and statements that write fail.
    """
    url = url_of(address)
    if url.get_backend_name() == "sqlite":
        file = Path(url.database or "").absolute().as_uri()
        engine = create_engine(
            url.set(database=file, query={"mode": "ro", "uri": "true"}),
            connect_args={"timeout": dialects.BUSY_MS / 1000},
        )
        event.listen(engine, "begin", dialects.begin)
    else:
        engine = create_engine(
            _encrypted(url),
            isolation_level="REPEATABLE READ",
            execution_options={"postgresql_readonly": True},
        )
    try:
        with _opening(url, rights=TO_READ):
            connection = engine.connect()
        with connection:
            with _opening(url, rights=TO_READ):
                schema = _schema_of(connection, url)
                is_ours = inspect(connection).has_table("journal")
            if schema is None or not is_ours:
                raise StoreError(f"the database at {_shown(url)} {NO_STORE}")
            yield connection
    finally:
        engine.dispose()


@contextmanager
def _opening(url: URL, *, rights: str = TO_SERVE) -> Iterator[None]:
    """Turn database errors into a StoreError; `rights` is the remedy for missing privileges."""
    try:
        yield
    except DBAPIError as error:
        reason = reason_of(error)
        if reason == "database is locked":
            seconds = f"{dialects.BUSY_MS // 1000} seconds"
            reason = f"another program has been writing to it for {seconds}; try again later"
        elif lacks_rights(error):
            reason += f": {rights}"
        elif url.get_backend_name() == "postgresql" and _no_connection(error):
            reason += f": {_remedy(reason)}"
        raise StoreError(f"the database at {_shown(url)} cannot be opened: {reason}") from error


def _remedy(reason: str) -> str:
    """Return the remedy for a failed connection to a PostgreSQL server."""
    if "certificate" in reason:
        return TO_VERIFY
    return TO_ENCRYPT if "does not support SSL" in reason else TO_CONNECT


def reason_of(error: Exception) -> str:
    """Return the first line of a database's error message."""
    return str(getattr(error, "orig", error)).strip().splitlines()[0]


def lacks_rights(error: Exception) -> bool:
    """Return whether the database refused a statement because of missing privileges."""
    return getattr(getattr(error, "orig", None), "sqlstate", None) == FORBIDDEN


def _no_connection(error: DBAPIError) -> bool:
    """Return whether the database could not be reached; all other errors have a SQLSTATE."""
    return isinstance(error, OperationalError) and getattr(error.orig, "sqlstate", None) is None


def driver_address(address: str) -> str:
    """Return the address of a PostgreSQL store in the form that the driver expects."""
    url = _encrypted(url_of(address)).set(drivername="postgresql")
    return url.render_as_string(hide_password=False)


def _encrypted(url: URL) -> URL:
    """Return the address, with verified TLS as the default for PostgreSQL on another machine."""
    chosen = "sslmode" in url.query or "PGSSLMODE" in os.environ
    if url.get_backend_name() != "postgresql" or chosen or not _leads_elsewhere(url):
        return url
    return url.update_query_dict({"sslmode": "verify-full"})


def _leads_elsewhere(url: URL) -> bool:
    """Return whether any host in the address is neither a socket nor this machine.

    libpq connects to `hostaddr` whatever the host name is, and takes each of them from the
    environment if the address lacks it. If a service file is used, it chooses the host and the TLS
    mode.
    """
    host = [one for one in (url.host, url.query.get("host")) if one]
    address = [url.query["hostaddr"]] if url.query.get("hostaddr") else []
    if not host and not address and ("service" in url.query or "PGSERVICE" in os.environ):
        return False
    host = host or [os.environ.get("PGHOST", "")]
    named = host + (address or [os.environ.get("PGHOSTADDR", "")])
    texts = [part for one in named for part in ([one] if isinstance(one, str) else one)]
    return any(not _is_here(host) for text in texts for host in text.split(","))


def _is_here(host: str) -> bool:
    host = unquote(host)
    host = host.rpartition(":")[0] if host.count(":") == 1 else host  # may include a port
    if not host or host.startswith(("/", "@")) or host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def url_of(address: str | URL) -> URL:
    """Parse the address of a store, or raise StoreError."""
    try:
        url = make_url(address)
        backend = url.get_backend_name()
    except (ArgumentError, NoSuchModuleError, ValueError):
        backend = ""
    if backend not in ("sqlite", "postgresql"):
        raise StoreError(
            f"{str(address)[:80]!r} is not a store: write sqlite:///FILE or postgresql://USER@HOST/NAME"
        )
    if backend == "sqlite" and not url.database:
        raise StoreError("a store in memory would be lost: use sqlite:///FILE")
    return url.set(drivername="postgresql+psycopg") if backend == "postgresql" else url


def _shown(url: URL) -> str:
    """Return the address without its password, for messages."""
    url = url.difference_update_query(["password"])
    return url.set(drivername=url.get_backend_name()).render_as_string(hide_password=True)


def make_private(path: Path) -> None:
    """Create a file that only its owner can access; SQLite's companion files get the same mode."""
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    except FileNotFoundError:
        words = f"cannot create {path}: the folder {path.parent} does not exist; create it first"
        raise StoreError(words) from None
    except OSError as error:
        raise StoreError(f"cannot open {path}: {error.strerror}") from error


def _migrations() -> tuple[ScriptDirectory, Config]:
    """Return the directory of all migrations, and Alembic's configuration to run them."""
    config = Config()
    config.set_main_option("script_location", "baccarat:store/migrations")
    return ScriptDirectory.from_config(config), config


def _schema_of(connection: Connection, url: URL) -> str | None:
    """Return the number of the database's schema, or None if it has no schema yet.

    Raise StoreError if the number is unknown.
    """
    current = MigrationContext.configure(connection).get_current_revision()
    script, _ = _migrations()
    if current is not None and current < str(script.get_base()):
        raise StoreError(
            f"the database at {_shown(url)} was written by a version before the first release "
            f"(schema {current}) and cannot be converted: use a new database, or the version that "
            "wrote this one"
        )
    if current not in {None, *(known.revision for known in script.walk_revisions())}:
        raise StoreError(
            f"the database at {_shown(url)} was written by a newer version (schema {current}): "
            "use that version, or another database"
        )
    return current


def _check_tables(connection: Connection, schema: str | None) -> None:
    """Raise StoreError if a store has no journal, or if a new store's tables already exist."""
    there, shown = {*inspect(connection).get_table_names()}, _shown(connection.engine.url)
    if schema is not None and "journal" not in there:
        raise StoreError(f"the database at {shown} {NO_STORE}, or an empty database")
    taken = sorted(there & {*s.metadata.tables})
    if schema is None and taken:
        raise StoreError(
            f"the database at {shown} is not a store: it has another program's tables with the "
            f"same names ({', '.join(taken)}); use an empty database"
        )


def _migrate(engine: Engine) -> None:
    """Bring the schema up to date."""
    script, config = _migrations()
    with dialects.writing(engine) as connection:
        if engine.dialect.name == "postgresql":
            # Servers that start at the same time migrate one after another.
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7312004)")
        schema = _schema_of(connection, engine.url)
        _check_tables(connection, schema)
        if schema != script.get_current_head():
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
