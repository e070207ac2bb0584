"""`baccarat serve`, `load-test` and `backup` from the command line, including user errors."""

import json
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import ExitStack, closing

import httpx
import pytest
from sqlalchemy import URL
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from baccarat.auditor import audit, read_store
from baccarat.cli import main
from baccarat.cli.shared.stores import store_address
from baccarat.house import jobs
from baccarat.house.events import OPERATOR
from baccarat.house.people.roles import Account, Role
from baccarat.store.engine import url_of
from baccarat.store.sqlstore import SqlStore
from baccarat.web.server.process import addresses
from support.processes import HOUSE, WATCHING, Servers, check_nothing_lost, free_port, load_test_at

HALF = b"Host: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"


@pytest.fixture
def servers(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BACCARAT_KEY", raising=False)
    found = Servers(tmp_path)
    yield found
    found.close()


@pytest.mark.requirement("R40", "G35")
def test_a_drained_server_finishes_its_rounds(servers):
    folder = servers.folder
    server = servers.start(BACCARAT_PIT_PASSWORD="open sesame")  # noqa: S106
    assert server.announced == f"The quick house: 2 tables at {server.address}\n"
    with httpx.Client(base_url=server.address, timeout=30) as client:
        body = {"account": "pit", "password": "open sesame"}
        answer = client.post("/api/session", json=body).json()
        assert (answer["role"], answer["given_password"]) == ("pit", True)
        new = {"old": body["password"], "new": "a sentence of my own"}
        token = {"X-CSRF-Token": answer["csrf_token"]}
        assert client.put("/api/me/password", json=new, headers=token).status_code == 204
        body["password"] = new["new"]
    with load_test_at(server.address) as crowd:
        crowd.until(server, 3)
    assert server.stop(signal.SIGTERM) == 0
    report = check_nothing_lost(f"sqlite:///{folder}/baccarat.db", crowd)
    assert report.held == {}
    assert main(["backup", "baccarat.db", "copy.db"]) == 0
    for name in ("baccarat.db", "baccarat.db.key", "copy.db"):
        assert (folder / name).stat().st_mode & 0o777 == 0o600
    assert audit(read_store(f"sqlite:///{folder}/copy.db")).heads == report.heads
    (folder / "baccarat.db.key").chmod(0o644)
    assert servers.start().stop(signal.SIGTERM) == 0
    assert "is readable by others: run chmod 600" in servers.said()
    (folder / "baccarat.db.key").unlink()
    server = servers.start()
    assert "baccarat: the key does not decrypt the shoe at one" in servers.said()
    assert (
        "one"
        in httpx.get(f"{server.address}/ready", headers=WATCHING, timeout=30).json()["sealed_off"]
    )
    with httpx.Client(base_url=server.address, timeout=30) as client:
        client.post("/api/session", json=body)
        alerts = client.get("/api/pit").json()["alerts"]
        assert ("one", "sealed-off") in {(alert["table"], alert["kind"]) for alert in alerts}
    assert server.stop(signal.SIGTERM) == 0  # it does not wait for what cannot happen


def test_a_mistyped_key_file_is_refused_and_not_created(servers):
    servers.start()
    command = ["serve", "--house", "house.toml", "--port", "0", "--key", "mistyped.key"]
    done = subprocess.run(
        [sys.executable, "-m", "baccarat", *command], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "other servers of this house are running: use their key file with --key" in done.stderr
    assert not (servers.folder / "mistyped.key").exists()


def test_bad_requests_log_no_errors(servers):
    """uvicorn logs refused sockets, sockets that send no text and requests cut short by a stop as
    errors, and errors alert the operators."""
    server = servers.start()
    at = ("127.0.0.1", int(server.address.rpartition(":")[2]))
    events = f"{server.address.replace('http', 'ws')}/api/tables/one/events"
    for address in (events, f"{events}?after=-1", server.address.replace("http", "ws")):
        with pytest.raises(InvalidStatus):
            connect(address)
    with pytest.raises(InvalidStatus):
        connect(events, origin="https://elsewhere.example")
    with httpx.Client(base_url=server.address, timeout=30) as guest:
        guest.post("/api/guests").raise_for_status()
        cookies = "; ".join(f"{name}={value}" for name, value in guest.cookies.items())
        with connect(events, additional_headers={"Cookie": cookies}) as following:
            following.send(b"\xff", text=True)
            with pytest.raises(ConnectionClosed):
                list(iter(following.recv, None))
    with socket.create_connection(at, timeout=30) as line:
        line.sendall(b"POST /api/session HTTP/1.1\r\nHost: here\r\nContent-Length: 9\r\n\r\n{")
        httpx.get(f"{server.address}/health", timeout=30)  # by then the request has begun
        assert server.stop(signal.SIGTERM) == 0
        head, _, body = b"".join(iter(lambda: line.recv(4096), b"")).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 503 ")
    assert b"connection: close" in head.lower()
    assert b"nosniff" in head
    assert json.loads(body)["code"] == "stopping"
    lines = [json.loads(one) for one in servers.said().splitlines()]
    alarms = [one for one in lines if one["level"] == "error" or "error" in one]
    assert alarms == [], json.dumps(alarms, indent=1)
    asked = [one["status"] for one in lines if one["what"] == "request"]
    assert asked == [401, 422, 404, 403, 201, 101, 200, 503]


def complaint(capsys, *words: str) -> str:
    assert main(list(words)) == 2
    answer = capsys.readouterr().err
    assert answer.startswith("baccarat: ")
    assert answer.count("\n") == 1
    return answer


EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104


@pytest.mark.parametrize(
    "then", [b"good evening\r\n\r\n", b"POST /api/session HTTP/1.1\r\n" + HALF]
)
def test_a_server_stops_even_if_clients_read_nothing(servers, then):
    """Regression: it waited for ever, or ended with a traceback."""
    server = servers.start()
    port = int(server.address.rpartition(":")[2])
    with ExitStack() as stack:
        for times in range(8, 20):  # at some point the answers exceed the system's buffers
            line = stack.enter_context(socket.socket())
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            line.connect(("127.0.0.1", port))
            line.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * times + then)
        time.sleep(2)
        assert server.stop(signal.SIGTERM) == 0
    assert "Traceback" not in servers.said()


def test_the_printed_address_can_be_opened():
    assert addresses("127.0.0.1", 8000) == "http://127.0.0.1:8000"
    assert addresses("::1", 8000) == "http://[::1]:8000"
    for everywhere in EVERYWHERE:
        here, there = re.findall(r"http://(\S+):8000", addresses(everywhere, 8000))
        assert here == "127.0.0.1"
        assert there not in (*EVERYWHERE, "")


def test_invalid_serve_options_are_refused(servers, capsys, monkeypatch):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert "in use; choose another --port" in complaint(capsys, "serve", "--port", port)
    assert "99999 is not a port" in complaint(capsys, "serve", "--port", "99999")
    anywhere = ("serve", "--port", "0")
    assert "is not a store" in complaint(capsys, *anywhere, "--store", "mysql://x")
    missing = complaint(capsys, *anywhere, "--store", "nowhere/x.db")
    assert "the folder nowhere does not exist; create it first" in missing
    assert "requires the key" in complaint(capsys, *anywhere, "--store", "postgresql://x/y")
    assert "cannot be read" in complaint(capsys, *anywhere, "--house", "nowhere.toml")
    (servers.folder / "bad.key").write_text("no key")
    bad = complaint(capsys, *anywhere, "--store", "not-made.db", "--key", "bad.key")
    assert "is not a key file" in bad
    assert not (servers.folder / "not-made.db").exists()
    (servers.folder / "bad.key").unlink()
    monkeypatch.setenv("BACCARAT_KEY", "short")
    assert "64 hexadecimal digits" in complaint(capsys, "serve", "--port", "0")
    monkeypatch.delenv("BACCARAT_KEY")
    connection = sqlite3.connect("newer.db")
    connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
    connection.execute("INSERT INTO alembic_version VALUES ('9999')")
    connection.commit()
    connection.close()
    newer = complaint(capsys, "serve", "--port", "0", "--store", "newer.db")
    assert "written by a newer version" in newer
    assert "written by a newer version" in complaint(capsys, "audit-house", "newer.db")
    # A password that would not be used is not asked for.
    opening = ("create-pit-account", "newer.db", "a", "Ann")
    assert "written by a newer version" in complaint(capsys, *opening)
    assert list(servers.folder.glob("*.key")) == []  # a refused start creates no key
    assert "store 'nowhere.db' does not exist" in complaint(
        capsys, "backup", "nowhere.db", "copy.db"
    )
    assert "newer.db already exists" in complaint(capsys, "backup", "newer.db", "newer.db")


ODD = ["a b.db", "a?b.db", "a#b.db", "a%20b.db", "a%41.db", "100%.db", "größe.db", "a&b=c@d:e.db"]


@pytest.mark.parametrize("name", ODD)
def test_a_store_is_the_file_with_exactly_the_given_name(tmp_path, monkeypatch, capsys, name):
    """Regression: such names were taken for those of other files."""
    monkeypatch.chdir(tmp_path)
    for other in ("a", "a b.db", "aA.db"):
        SqlStore.open(f"sqlite:///{tmp_path}/{other}").close()
    (tmp_path / name).unlink(missing_ok=True)
    assert url_of(store_address(name)).database == name
    with closing(SqlStore.open(store_address(name))) as store:
        boss = Account("boss", Role.PIT, "Boss")
        store.commit([jobs.open_account(boss, lambda: 0, by=OPERATOR)])
    assert main(["audit-house", name]) == 0
    assert capsys.readouterr().out.startswith("1 event,")
    address = URL.create("sqlite", database=name).render_as_string()  # as a user might write it
    assert main(["audit-house", address]) == 0
    assert capsys.readouterr().out.startswith("1 event,")
    assert main(["backup", name, "copy.db"]) == 0
    assert "(1 journal entry)" in capsys.readouterr().out
    assert {path.name for path in tmp_path.iterdir()} - {
        f"{one}{end}" for one in (name, "a", "a b.db", "aA.db") for end in ("", "-wal", "-shm")
    } == {"copy.db"}


def test_an_audit_creates_no_file(tmp_path, monkeypatch, capsys):
    """Regression: `#` and `?` ended the file name, and the read-only option was lost."""
    monkeypatch.chdir(tmp_path)
    for name in ("a#b.db", "a?b.db"):
        (tmp_path / name).write_text("no database " * 99)
        assert "not a database" in complaint(capsys, "audit-house", name)
    assert {path.name for path in tmp_path.iterdir()} == {"a#b.db", "a?b.db"}


def test_the_key_file_is_next_to_its_store(servers):
    server = servers.start(0, "--store", "100%25?.db")
    assert server.stop(signal.SIGTERM) == 0
    names = {path.name for path in servers.folder.glob("100*")}
    assert names >= {"100%25?.db", "100%25?.db.key"}


@pytest.mark.parametrize("package", ["fastapi", "uvicorn", "sqlalchemy"])
def test_a_missing_package_is_reported_with_the_extra_to_install(servers, package):
    """Runs in a separate process: importing modules twice would break other tests."""
    without = f"import sys; sys.modules[{package!r}] = None; from baccarat.cli import main"
    command = f"{without}; sys.exit(main(['serve', '--port', '0', '--store', 'new.db']))"
    done = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr in {
        f"baccarat: baccarat serve requires {package}: pip install 'baccarat[{extra}]'\n"
        for extra in ("serve", "house")
    }


def test_a_load_test_that_cannot_run_says_why(servers, capsys):
    address = f"http://127.0.0.1:{free_port()}"
    assert "no server responds" in complaint(capsys, "load-test", address)
    assert "must be a percentage such as 10%" in complaint(
        capsys, "load-test", address, "--misbehaviour", "often"
    )
    assert "--players 0: must be 1 or more" in complaint(
        capsys, "load-test", address, "--players", "0"
    )


def test_load_test_clients_that_arrive_during_a_round_play_it(servers, capsys):
    """The next round would come after the client's stay."""
    house = servers.folder / "house.toml"
    house.write_text(HOUSE.replace('"1.2"', '"6"'), encoding="utf-8")
    server = servers.start()
    table = {"phase": "none"}
    while table["phase"] == "none":  # the server answers just before its first round
        table = httpx.get(f"{server.address}/api/tables/two", timeout=30).json()
    assert (table["phase"], table["round"]) == ("open", 1)
    words = ("--players", "8", "--duration", "3", "--seed", "1", "--json")
    assert main(["load-test", server.address, *words]) == 0
    assert json.loads(capsys.readouterr().out)["acknowledged"] >= 1


def test_a_load_test_whose_bets_are_refused_reports_it_and_ends(servers, capsys, monkeypatch):
    """The server's database accepts no more writes."""
    monkeypatch.setattr("baccarat.loadtest.clients.REFUSING", 2)
    monkeypatch.setattr("baccarat.cli.load_test.EVERY", 0.1)
    server = servers.start()
    said = complaint(capsys, "load-test", server.address, "--tables", "99")
    assert "only 2 tables of this house admit guests, not 99: one, two" in said
    with closing(sqlite3.connect(servers.folder / "baccarat.db")) as other:
        for table in ("journal", "servers"):
            full = "BEGIN SELECT RAISE(ABORT, 'full'); END"
            other.execute(f"CREATE TRIGGER full_{table} BEFORE INSERT ON {table} {full}")
    assert main(["load-test", server.address, "--players", "2", "--duration", "0.5"]) == 1
    out, err = capsys.readouterr()
    assert "no bet was accepted" in out
    assert "5 faults found" in out
    assert "bets per second, accepted or refused" in out
    assert "0 bets accepted; 2 players waiting" in err
