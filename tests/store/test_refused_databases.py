"""Databases that cannot be served, audited or backed up: the message names a remedy."""

import socketserver
import sqlite3
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest

from baccarat.auditor.rows import SCHEMA
from baccarat.auditor.rows import _shown as shown_by_the_auditor
from baccarat.auditor.rows import _tls as tls_of_the_auditor
from baccarat.store.engine import _shown, driver_address, url_of
from baccarat.store.sqlstore import SqlStore
from support.documented import run
from support.stores import Evening, new_database

KEY = "00" * 32
OURS = "is not a store: give one that `baccarat serve` created"
CONNECT = "check the address, that PostgreSQL is running there with this database"
COMMANDS = {
    "audit-house": "baccarat audit-house '{address}'",
    "backup": "baccarat backup '{address}' '{folder}/copy.db'",
    "serve": "baccarat serve --port 0 --store '{address}'",
}


@pytest.fixture
def error_of(tmp_path, monkeypatch):
    """Return the error message of a command for an address."""
    monkeypatch.setenv("BACCARAT_KEY", KEY)

    def error_message(command: str, address: str) -> str:
        words = COMMANDS[command].format(address=address, folder=tmp_path)
        status, printed, complaint = run(words)
        assert (status, printed, complaint.count("\n")) == (2, "", 1), complaint
        return complaint

    return error_message


def as_role(address: str, role: str) -> str:
    return address.replace("//postgres:", f"//{role}:", 1)


def ask(address: str, *statements: str) -> None:
    with psycopg.connect(address, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)


@pytest.mark.parametrize("command", ["audit-house", "backup"])
def test_an_empty_database_is_refused(server, error_of, command):
    address = new_database(server)
    complaint = error_of(command, address)
    assert OURS in complaint
    assert f"the database at {shown_by_the_auditor(address)[:30]}" in complaint


@pytest.mark.parametrize("command", COMMANDS)
def test_a_database_with_tables_of_another_program_is_refused(server, error_of, command):
    address = new_database(server)
    ask(address, "CREATE TABLE journal (song TEXT)")
    expected = "is not a store: it has another program's tables" if command == "serve" else OURS
    assert expected in error_of(command, address)
    ask(address, "CREATE TABLE alembic_version (version_num TEXT)")
    assert expected in error_of(command, address)
    ask(address, f"INSERT INTO alembic_version VALUES ('{SCHEMA}')", "DROP TABLE journal")  # noqa: S608
    assert OURS in error_of(command, address)


def test_a_sqlite_file_of_another_program_is_refused(tmp_path, error_of):
    connection = sqlite3.connect(tmp_path / "songs.db")
    connection.execute("CREATE TABLE journal (song TEXT)")
    connection.close()
    for command in ("audit-house", "backup"):
        assert OURS in error_of(command, f"sqlite:///{tmp_path}/songs.db")
    assert "another program's tables" in error_of("serve", f"sqlite:///{tmp_path}/songs.db")


@pytest.mark.parametrize("command", COMMANDS)
def test_an_unreachable_database_is_reported_with_its_address_and_a_remedy(
    server, error_of, command
):
    there = new_database(server)
    complaint = error_of(command, "postgresql://ann:secret@127.0.0.1:1/x")
    assert "the database at postgresql://ann:***@127.0.0.1:1/x cannot be" in complaint
    for address, reason in (
        ("postgresql://ann:secret@127.0.0.1:1/x", "refused"),
        ("postgresql://ann@127.0.0.1:1/x?password=secret", "refused"),
        (there.replace("?", "nowhere?", 1), "does not exist"),
        (as_role(there, "nobody"), "does not exist"),
    ):
        complaint = error_of(command, address)
        assert reason in complaint
        assert CONNECT in complaint
        assert "secret" not in complaint


@pytest.mark.parametrize("command", COMMANDS)
def test_a_database_role_without_privileges_is_shown_which_it_needs(
    server, error_of, command, tmp_path
):
    address = new_database(server)
    role = f"r{address.partition('?')[0].rpartition('/')[2]}"
    store = SqlStore.open(address)
    Evening(store).open(ann=50_000)
    store.close()
    ask(address, f"CREATE ROLE {role} LOGIN")
    reading = "allow this role to SELECT from all its tables"
    serving = "the server's role must own the schema and the tables"
    complaint = error_of(command, as_role(address, role))
    assert "permission denied" in complaint
    assert (serving if command == "serve" else reading) in complaint
    ask(address, f"GRANT SELECT ON alembic_version TO {role}")
    assert (serving if command == "serve" else reading) in error_of(command, as_role(address, role))
    ask(address, f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {role}")
    if command == "serve":
        complaint = error_of(command, as_role(address, role))
        assert serving in complaint
        assert "same key" not in complaint
    else:
        words = COMMANDS[command].format(address=as_role(address, role), folder=tmp_path)
        assert run(words)[0] == 0


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql://ann:secret@host/x", "postgresql://ann:***@host/x"),
        ("postgresql://ann@host/x", "postgresql://ann@host/x"),
        ("postgresql://host/x?password=secret", "postgresql://host/x"),
        ("postgresql://ann@host/x?password=p@secret", "postgresql://ann@host/x"),
        (
            "postgresql://ann:se%40cret@host:5/x?a=b&password=secret",
            "postgresql://ann:***@host:5/x?a=b",
        ),
    ],
)
def test_an_address_is_shown_without_its_password(address, shown):
    assert shown_by_the_auditor(address) == shown
    assert _shown(url_of(address)) == shown


REMOTE = ("db.example", "192.0.2.1", "[2001:db8::1]", "127.0.0.1,db.example")
HERE = ("127.0.0.1", "127.3.2.1", "localhost", "[::1]", "")


@contextmanager
def answering(answer: bytes) -> Iterator[tuple[int, list[bytes]]]:
    """Run a fake PostgreSQL with this answer to a TLS request; yield its port and its input."""
    sent: list[bytes] = []
    asked = (struct.pack("!ii", 8, 80877103), struct.pack("!ii", 8, 80877104))

    class Answers(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            while data := self.request.recv(4096):
                if data not in asked:
                    sent.append(data)
                    return
                self.request.sendall(answer)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Answers) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_address[1], sent
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_is_sent_to_another_machine_without_tls(error_of, command, monkeypatch):
    monkeypatch.delenv("PGSSLMODE", raising=False)
    with answering(b"N") as (port, sent):
        away = f"postgresql://ann:secret@db.example:{port}/x?hostaddr=127.0.0.1"
        complaint = error_of(command, away)
        assert "server does not support SSL, but SSL was required" in complaint
        assert "turn on ssl there, or add ?sslmode=disable" in complaint
        assert sent == []
        error_of(command, f"{away}&sslmode=disable")
        assert any(b"ann" in one for one in sent)


@pytest.mark.parametrize("command", COMMANDS)
def test_another_machine_must_show_its_certificate(error_of, command, tmp_path, monkeypatch):
    monkeypatch.delenv("PGSSLMODE", raising=False)
    monkeypatch.setenv("PGSSLROOTCERT", str(tmp_path / "none.crt"))
    with answering(b"S") as (port, sent):
        away = f"postgresql://ann:secret@db.example:{port}/x?hostaddr=127.0.0.1"
        complaint = error_of(command, away)
    assert "give the authority that signed it with ?sslrootcert=FILE" in complaint
    assert sent == []


def test_tls_is_required_for_remote_addresses(monkeypatch):
    for name in ("PGSSLMODE", "PGHOST", "PGHOSTADDR", "PGSERVICE"):
        monkeypatch.delenv(name, raising=False)
    by_query = {"host": "db.example", "hostaddr": "192.0.2.1"}
    remote = [f"postgresql://ann@{host}/x" for host in REMOTE]
    remote += [f"postgresql:///x?{name}={host}" for name, host in by_query.items()]
    for address in ("192.0.2.1", "127.0.0.1,192.0.2.1", "2001:db8::1"):  # regardless of its name
        remote += [f"postgresql://{host}/x?hostaddr={address}" for host in ("localhost", "")]
    remote += ["postgresql://localhost/x?host=db.example"]
    here = [f"postgresql://ann@{host}/x" for host in HERE]
    here += ["postgresql:///x?host=/run/postgresql", "postgresql://%2Frun%2Fpostgresql/x"]
    for address in remote:
        assert "sslmode=verify-full" in driver_address(address), address
        assert tls_of_the_auditor(address) == {"sslmode": "verify-full"}
        for mode in ("disable", "require"):
            error_message = f"{address}{'&' if '?' in address else '?'}sslmode={mode}"
            assert f"sslmode={mode}" in driver_address(error_message)
            assert tls_of_the_auditor(error_message) == {}
    for address in here:
        assert "sslmode" not in driver_address(address), address
        assert tls_of_the_auditor(address) == {}
    monkeypatch.setenv("PGHOSTADDR", "192.0.2.1")
    for address in ("postgresql:///x", "postgresql://localhost/x", "postgresql:///x?host=/run"):
        assert "sslmode=verify-full" in driver_address(address), address
        assert tls_of_the_auditor(address) == {"sslmode": "verify-full"}
    monkeypatch.delenv("PGHOSTADDR")
    monkeypatch.setenv("PGHOST", "db.example")
    assert "sslmode=verify-full" in driver_address("postgresql:///x")
    assert tls_of_the_auditor("postgresql:///x") == {"sslmode": "verify-full"}
    monkeypatch.setenv("PGSSLMODE", "prefer")
    assert "sslmode" not in driver_address("postgresql:///x")
    assert tls_of_the_auditor("postgresql:///x") == {}


def test_an_invalid_address_is_also_shown_without_its_password():
    for address in ("postgresql://ann:a?secret@host/x", "postgresql://ann:a/secret@host/x"):
        assert "secret" not in shown_by_the_auditor(address)
