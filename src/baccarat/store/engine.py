"""Opening a database: its address, its settings for durability, its migrations.

In goes an address, out comes an engine whose tables are as this program needs them. The one rule:
a commit that has been acknowledged is on the disk. SQLite runs in WAL mode with synchronous FULL
(NORMAL can lose commits at power loss), PostgreSQL as its administrator set it, and never with
synchronous_commit off. A PostgreSQL on another machine is reached by TLS unless its address says
otherwise. Whoever only copies a store opens it to read, and it stays as it is.
"""

import logging
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event, inspect
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, OperationalError

from baccarat.core.errors import BaccaratError
from baccarat.store import schema as s

BUSY_MS = 10_000
"""How long SQLite waits for another process to finish its commit."""
WRITES = "baccarat_writes"
"""Execution option of connections that will write: SQLite then locks at once, not halfway."""
FORBIDDEN = "42501"
"""What PostgreSQL calls it when a role may not do something."""
TO_CONNECT = (
    "check the address, that PostgreSQL runs there and has this database, and the password, which "
    "belongs in ~/.pgpass or the file that PGPASSFILE names"
)
TO_ENCRYPT = (
    "a PostgreSQL on another machine is reached by TLS: turn ssl on there, or write "
    "?sslmode=disable in the address where the network itself is trusted"
)
TO_SERVE = (
    "a server writes to all its tables and converts them, so let its role own the schema and the "
    "tables; SELECT suffices for audit-house and backup"
)
TO_READ = "let this role SELECT from all its tables"
NO_STORE = "is no store: name one that baccarat serve made"

log = logging.getLogger(__name__)


class StoreError(BaccaratError):
    """A database that cannot be used, and what would be right."""


def open_engine(address: str | URL) -> Engine:
    """An engine for `sqlite:///FILE` or `postgresql://…`, migrated to this program's schema."""
    url = _url(address)
    # A connection that the database has dropped meanwhile is found out before it is used.
    engine = create_engine(_encrypted(url), pool_pre_ping=url.get_backend_name() == "postgresql")
    try:
        with _opening(url):
            if url.get_backend_name() == "sqlite":
                make_private(Path(url.database or ""))
                _set_up_sqlite(engine)
            else:
                event.listen(engine, "connect", _set_up_postgresql)
            _migrate(engine)
    except StoreError:
        engine.dispose()
        raise
    return engine


@contextmanager
def read_only(address: str) -> Iterator[tuple[Connection, str]]:
    """A store as it is at one moment, and its schema, which may be one of before; or a StoreError.

    Nothing is made, converted or set, and what would write fails.
    """
    url = _url(address)
    if url.get_backend_name() == "sqlite":
        file = Path(url.database or "").absolute().as_uri()
        engine = create_engine(
            url.set(database=file, query={"mode": "ro", "uri": "true"}),
            connect_args={"timeout": BUSY_MS / 1000},
        )
        event.listen(engine, "begin", _begin)
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
            yield connection, schema
    finally:
        engine.dispose()


@contextmanager
def _opening(url: URL, *, rights: str = TO_SERVE) -> Iterator[None]:
    """What a database says against it, in words, and the remedy; `rights` are those it takes."""
    try:
        yield
    except DBAPIError as error:
        reason = reason_of(error)
        if reason == "database is locked":
            reason = (
                f"another program has been writing to it for {BUSY_MS // 1000} seconds, as when it "
                "is converted; try again when that has ended"
            )
        elif lacks_rights(error):
            reason += f": {rights}"
        elif url.get_backend_name() == "postgresql" and _no_connection(error):
            reason += f": {TO_ENCRYPT if 'does not support SSL' in reason else TO_CONNECT}"
        raise StoreError(f"the database at {_shown(url)} cannot be opened: {reason}") from error


def reason_of(error: Exception) -> str:
    """What a database says, in one line."""
    said = error.orig if isinstance(error, DBAPIError) else error
    return str(said).strip().splitlines()[0]


def lacks_rights(error: Exception) -> bool:
    """Did the database forbid it?"""
    return getattr(getattr(error, "orig", None), "sqlstate", None) == FORBIDDEN


def _no_connection(error: DBAPIError) -> bool:
    """A database that was reached says what it refuses by a state."""
    return isinstance(error, OperationalError) and getattr(error.orig, "sqlstate", None) is None


def check_address(address: str) -> None:
    """Is it a store's at all?"""
    _url(address)


def file_of(address: str) -> str:
    """A SQLite store's file: what an address writes as %3F is a question mark in its name."""
    return _url(address).database or ""


def driver_address(address: str) -> str:
    """A PostgreSQL store's address as its driver takes it."""
    url = _encrypted(_url(address)).set(drivername="postgresql")
    return url.render_as_string(hide_password=False)


def _encrypted(url: URL) -> URL:
    """The address, by TLS where it leads to another machine and says nothing else."""
    said = "sslmode" in url.query or "PGSSLMODE" in os.environ
    if url.get_backend_name() != "postgresql" or said or not _leads_elsewhere(url):
        return url
    return url.update_query_dict({"sslmode": "require"})


def _leads_elsewhere(url: URL) -> bool:
    """Return whether any of its hosts is neither a socket nor this machine.

    libpq connects to `hostaddr` whatever the host is called, and takes either of them from the
    environment where the address has none. A service file decides for itself.
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
    host = host.rpartition(":")[0] if host.count(":") == 1 else host  # the query may have ports
    if not host or host.startswith(("/", "@")) or host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _url(address: str | URL) -> URL:
    try:
        url = make_url(address)
        backend = url.get_backend_name()
    except (ArgumentError, NoSuchModuleError, ValueError):
        backend = ""
    if backend not in ("sqlite", "postgresql"):
        raise StoreError(
            f"{str(address)[:80]!r} is no store: write sqlite:///FILE or postgresql://USER@HOST/NAME"
        )
    if backend == "sqlite" and not url.database:
        raise StoreError("a store in memory would lose everything: write sqlite:///FILE")
    return url.set(drivername="postgresql+psycopg") if backend == "postgresql" else url


def _shown(url: URL) -> str:
    """Without the password, wherever it stands."""
    url = url.difference_update_query(["password"])
    return url.set(drivername=url.get_backend_name()).render_as_string(hide_password=True)


def make_private(path: Path) -> None:
    """A new file is for its owner's eyes only; what SQLite puts beside it is like the file."""
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    except FileNotFoundError:
        words = f"{path} cannot be made: there is no folder {path.parent}; make it first"
        raise StoreError(words) from None
    except OSError as error:
        raise StoreError(f"{path} cannot be opened: {error.strerror}") from error


def _set_up_sqlite(engine: Engine) -> None:
    event.listen(engine, "connect", _set_pragmas)
    event.listen(engine, "begin", _begin)


def _set_pragmas(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # transactions begin where we say, not where sqlite3 guesses
    cursor = connection.cursor()
    for pragma in (
        f"busy_timeout={BUSY_MS}",
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _set_up_postgresql(connection: Any, _: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit TO on")
    connection.commit()


def _script() -> tuple[ScriptDirectory, Config]:
    """All migrations."""
    config = Config()
    config.set_main_option("script_location", "baccarat:store/migrations")
    return ScriptDirectory.from_config(config), config


def newest_schema() -> str:
    """The one that this program writes."""
    return str(_script()[0].get_current_head())


def _schema_of(connection: Connection, url: URL) -> str | None:
    """None when the database has none; that of a newer program is left alone."""
    current = MigrationContext.configure(connection).get_current_revision()
    known = {revision.revision for revision in _script()[0].walk_revisions()}
    if current is not None and current not in known:
        raise StoreError(
            f"the database at {_shown(url)} was written by a newer program (its schema is "
            f"{current}): use that program, or another database"
        )
    return current


def _check_tables(connection: Connection, schema: str | None) -> None:
    """A store has its journal; tables of these names without a schema are another program's."""
    there, shown = {*inspect(connection).get_table_names()}, _shown(connection.engine.url)
    if schema is not None and "journal" not in there:
        raise StoreError(f"the database at {shown} {NO_STORE}, or an empty database")
    taken = sorted(there & {*s.metadata.tables})
    if schema is None and taken:
        raise StoreError(
            f"the database at {shown} is no store: it has tables of another program, with names "
            f"that are needed here ({', '.join(taken)}); name an empty database"
        )


def _migrate(engine: Engine) -> None:
    """Bring the schema up to date."""
    script, config = _script()
    with engine.connect().execution_options(**{WRITES: True}) as connection, connection.begin():
        if engine.dialect.name == "postgresql":
            # Two servers that start at once take turns here.
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7312004)")
        current, newest = _schema_of(connection, engine.url), script.get_current_head()
        _check_tables(connection, current)
        if current == newest:
            return
        config.attributes["connection"] = connection
        between, started = {"old": current, "new": newest}, time.monotonic()
        if current is not None:
            log.warning("converting the store, which can take minutes", extra=between)
        command.upgrade(config, "head")
    if current is not None:
        seconds = round(time.monotonic() - started, 1)
        log.warning("the store is converted", extra=between | {"seconds": seconds})
