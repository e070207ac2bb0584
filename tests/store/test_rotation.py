"""Rotating the key: the new key opens every secret, and the old one opens nothing."""

import base64
from contextlib import closing
from dataclasses import replace

import pytest
from sqlalchemy import select

from baccarat.auditor import audit, read_store
from baccarat.cli import main
from baccarat.house.people import second_factor as sf
from baccarat.store import schema as s
from baccarat.store.sqlstore import SqlStore
from baccarat.store.vault import Vault, VaultError, key_from_file
from support.served import HOUSE, PASSWORD, closing_clients, served, until

PLAN = next(table for table in HOUSE.tables if table.id == "open")


@pytest.fixture
def stopped(tmp_path):
    """Return the store of a stopped house with a sealed shoe and a second factor."""
    with (
        served(tmp_path, house=replace(HOUSE, tables=(PLAN,))) as house,
        closing_clients(house),
        house.staff("dealer") as dealer,
    ):
        new = dealer.post("/api/me/second-factor").json()
        step = house.service.environment.clock() // sf.STEP_MS
        code = sf.code_at(base64.b32decode(new["secret"]), step)
        body = {"sealed": new["sealed"], "code": code, "password": PASSWORD}
        assert dealer.put("/api/me/second-factor", json=body).status_code == 200
        until(lambda: not house.is_writing())
        engine = house.store.engine
    with engine.begin() as connection:
        connection.execute(s.servers.delete())  # a stopped server counts as running for a while
    path = tmp_path / "house.db"
    (tmp_path / "house.db.key").write_text("00" * 32)  # the key of the tests' servers
    return path


def secrets_of(path, vault: Vault) -> list[object]:
    """Return the decrypted shoes and second factors."""
    with closing(SqlStore.open(f"sqlite:///{path}")) as store:
        shoes = store.rows(select(s.shoes))
        staff = store.rows(select(s.people).where(s.people.c.second_factor.is_not(None)))
    found: list[object] = [vault.open(row.shoe, row.sealed) for row in shoes]
    found += [vault.second_factor(row.id, row.second_factor) for row in staff]
    assert len(found) >= 2
    return found


def test_the_new_key_opens_every_secret_and_the_old_one_nothing(stopped, capsys):
    old = Vault(bytes(32))
    before = secrets_of(stopped, old)
    assert main(["rotate-key", str(stopped)]) == 0
    key = stopped.with_name("house.db.key")
    assert f"New key: {key}" in capsys.readouterr().out
    assert key.stat().st_mode & 0o077 == 0
    assert secrets_of(stopped, Vault(key_from_file(key))) == before
    assert stopped.with_name("house.db.key.old").read_text() == "00" * 32
    with pytest.raises(VaultError):
        secrets_of(stopped, old)
    assert audit(read_store(f"sqlite:///{stopped}")).findings == []


def test_a_wrong_or_missing_key_changes_nothing(stopped, capsys):
    before = secrets_of(stopped, Vault(bytes(32)))
    wrong = stopped.with_name("wrong.key")
    wrong.write_text("11" * 32)
    for arguments, words in (
        (["--key", str(wrong)], "cannot decrypt the secret of the second factor of the-dealer"),
        (["--key", str(wrong) + "x"], "does not exist"),
    ):
        assert main(["rotate-key", str(stopped), *arguments]) == 2
        assert words in capsys.readouterr().err
    assert sorted(one.name for one in stopped.parent.glob("*.key*")) == [
        "house.db.key",
        "wrong.key",
    ]
    assert secrets_of(stopped, Vault(bytes(32))) == before


def test_the_key_of_a_running_house_is_not_rotated(tmp_path, capsys):
    (tmp_path / "house.db.key").write_text("00" * 32)
    with served(tmp_path, house=replace(HOUSE, tables=(PLAN,))):
        assert main(["rotate-key", str(tmp_path / "house.db")]) == 2
    assert "stop the servers of this house first: server-" in capsys.readouterr().err
