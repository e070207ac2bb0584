"""Databases that cannot be served, audited or backed up: what is told, and the remedy with it."""

import sqlite3

import psycopg
import pytest

from baccarat.auditor.rows import _shown as shown_by_the_auditor
from baccarat.store.engine import _shown, _url
from baccarat.store.sqlstore import SqlStore
from documented import run
from stores import Evening, new_database

KEY = "00" * 32
OURS = "is no store: name one that baccarat serve made"
CONNECT = "check the address, that PostgreSQL runs there and has this database, and the password"
COMMANDS = {
    "audit-house": "baccarat audit-house '{address}'",
    "backup": "baccarat backup '{address}' '{folder}/copy.db'",
    "serve": "baccarat serve --port 0 --store '{address}'",
}


@pytest.fixture
def told(tmp_path, monkeypatch):
    """What a command says about an address."""
    monkeypatch.setenv("BACCARAT_KEY", KEY)

    def said(command: str, address: str) -> str:
        words = COMMANDS[command].format(address=address, folder=tmp_path)
        status, printed, complaint = run(words)
        assert (status, printed, complaint.count("\n")) == (2, "", 1), complaint
        return complaint

    return said


def as_role(address: str, role: str) -> str:
    return address.replace("//postgres:", f"//{role}:", 1)


def ask(address: str, *statements: str) -> None:
    with psycopg.connect(address, autocommit=True) as connection:
        for one in statements:
            connection.execute(one)


@pytest.mark.parametrize("command", ["audit-house", "backup"])
def test_an_empty_database_is_said_to_be_no_store(server, told, command):
    address = new_database(server)
    complaint = told(command, address)
    assert OURS in complaint
    assert f"the database at {shown_by_the_auditor(address)[:30]}" in complaint


@pytest.mark.parametrize("command", COMMANDS)
def test_tables_of_another_program_are_said_to_be_no_store(server, told, command):
    address = new_database(server)
    ask(address, "CREATE TABLE journal (song TEXT)")
    expected = "is no store: it has tables of another program" if command == "serve" else OURS
    assert expected in told(command, address)
    ask(address, "CREATE TABLE alembic_version (version_num TEXT)")
    assert expected in told(command, address)
    ask(address, "INSERT INTO alembic_version VALUES ('0011')", "DROP TABLE journal")
    assert OURS in told(command, address)


def test_a_sqlite_file_of_another_program_is_said_to_be_no_store(tmp_path, told):
    connection = sqlite3.connect(tmp_path / "songs.db")
    connection.execute("CREATE TABLE journal (song TEXT)")
    connection.close()
    for command in ("audit-house", "backup"):
        assert OURS in told(command, f"sqlite:///{tmp_path}/songs.db")
    assert "tables of another program" in told("serve", f"sqlite:///{tmp_path}/songs.db")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_database_that_cannot_be_reached_is_told_with_its_address_and_a_remedy(
    server, told, command
):
    there = new_database(server)
    complaint = told(command, "postgresql://ann:secret@127.0.0.1:1/x")
    assert "the database at postgresql://ann:***@127.0.0.1:1/x cannot be" in complaint
    for address, reason in (
        ("postgresql://ann:secret@127.0.0.1:1/x", "refused"),
        ("postgresql://ann@127.0.0.1:1/x?password=secret", "refused"),
        (there.replace("?", "nowhere?", 1), "does not exist"),
        (as_role(there, "nobody"), "does not exist"),
    ):
        complaint = told(command, address)
        assert reason in complaint
        assert CONNECT in complaint
        assert "secret" not in complaint


@pytest.mark.parametrize("command", COMMANDS)
def test_a_role_without_rights_is_told_which_it_needs(server, told, command, tmp_path):
    address = new_database(server)
    role = f"r{address.partition('?')[0].rpartition('/')[2]}"
    store = SqlStore.open(address)
    Evening(store).open(ann=50_000)
    store.close()
    ask(address, f"CREATE ROLE {role} LOGIN")
    reading = "let this role SELECT from all its tables"
    serving = "let its role own the schema and the tables"
    complaint = told(command, as_role(address, role))
    assert "permission denied" in complaint
    assert (serving if command == "serve" else reading) in complaint
    ask(address, f"GRANT SELECT ON alembic_version TO {role}")
    assert (serving if command == "serve" else reading) in told(command, as_role(address, role))
    ask(address, f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {role}")
    if command == "serve":
        complaint = told(command, as_role(address, role))
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
    assert _shown(_url(address)) == shown


def test_what_is_no_address_is_shown_without_a_password_too():
    for address in ("postgresql://ann:a?secret@host/x", "postgresql://ann:a/secret@host/x"):
        assert "secret" not in shown_by_the_auditor(address)
