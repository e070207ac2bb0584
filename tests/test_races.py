"""Races."""

import os
from functools import partial

import pytest

from baccarat.core.wagers import Wager
from racing import HAND, STREAM, Race, racing
from stores import new_database

TRIES = int(os.environ.get("RACES", "20"))
STAKE = 4_500
ALONE = 20_000


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def race(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("races")
    sqlite = f"sqlite:///{folder}/house.db"
    address = (
        sqlite if request.param == "sqlite" else new_database(request.getfixturevalue("server"))
    )
    with racing(address, folder, alone=ALONE) as found:
        yield found
        found.check()


@pytest.fixture(scope="module")
def staff(race):
    """Two people of the pit, each at a server of their own."""
    with (
        race.one.staff("pit") as pit,
        race.two.colleague("boss") as boss,
        race.one.colleague("pat") as pat,
    ):
        yield pit, boss, pat


def disputed(race: Race, stake: int):
    name, client = race.player(1_000_000)
    race.shoe()
    number = race.round("6h 2d Kc 3s", {name: [Wager("banker", stake)]})
    had = race.balance(name)
    path = f"/api/tables/{HAND}/rounds/{number}/dispute"
    with client:
        assert client.post(path, json={"reason": "the banker was to draw"}).is_success
    race.round("4c 9d 4h 9s")
    return name, number, had


def decide(client, number, name):
    path = f"/api/tables/{HAND}/disputes/{number}/{name}"
    shown = client.get(path).json()
    body = {"readings": shown["proposed"]["readings"], "reason": "it cannot be read"}
    return client.post(f"{path}/decision", json=body)


def correct(race, client, number):
    path = f"/api/tables/{HAND}/rounds/{number}/errors"
    return client.put(path, json={"cards": ["6h", "2d", "Kc", "5s"]}, headers=race.key())


def test_decision_between(race, staff):
    pit, boss, pat = staff
    name, number, had = disputed(race, STAKE)
    with race.between(race.two, STREAM, partial(correct, race, pit, number)):
        answer = decide(boss, number, name)
    print(answer.status_code, answer.text[:300])
    print(race.balance(name) - 1_000_000, race.best(number, name))
    assert race.balance(name) - 1_000_000 == race.best(number, name)[1]


def test_decision_race(race, staff):
    pit, boss, pat = staff
    wrong = []
    for _ in range(TRIES):
        name, number, had = disputed(race, STAKE)
        fixed, decided = race.at_once(
            partial(correct, race, pit, number), partial(decide, boss, number, name)
        )
        assert fixed.is_success, fixed.text
        if decided.is_error:
            assert decide(boss, number, name).is_success
        if race.balance(name) - 1_000_000 != race.best(number, name)[1]:
            wrong.append(race.balance(name) - 1_000_000)
    assert wrong == []
