"""The path of a bet: which modules run between its endpoint and the store, and their calls."""

import threading
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

import baccarat
from baccarat.web.api.tables import place_wagers
from support.served import HOUSE, served

SOURCE = f"{Path(baccarat.__file__).parent}/"
ROOT = Path(__file__).parent.parent.parent
BETS = 4
"""Number of bets traced; only calls made for every one of them count."""
FROM_ENDPOINT, FROM_SOCKET = 15, 19
"""Maximum number of modules that may run, from the endpoint and from the socket."""
ENDPOINT = place_wagers.__code__.co_name


class Trace:
    """Records calls of our functions, in all threads that are started after it is installed."""

    def __init__(self) -> None:
        self.recording = False
        self.calls: set[tuple[str, str, bool]] = set()
        """Caller, callee, and whether it was called by the endpoint or by the committing thread."""

    @contextmanager
    def install(self) -> Iterator[None]:
        threading.setprofile(self._profile)
        try:
            yield
        finally:
            threading.setprofile(None)

    def _profile(self, frame, event: str, _) -> None:
        if not self.recording or event != "call" or not is_ours(frame):
            return
        callers, outer = [], frame.f_back
        while outer is not None:
            if is_ours(outer):
                callers.append(outer)
            outer = outer.f_back
        inside = threading.current_thread().name == "group-commit" or any(
            one.f_code.co_name == ENDPOINT for one in [frame, *callers]
        )
        self.calls.add((module_of(callers[0]) if callers else "", module_of(frame), inside))


def is_ours(frame) -> bool:
    return frame.f_code.co_filename.startswith(SOURCE)


def module_of(frame) -> str:
    return frame.f_code.co_filename.removeprefix(SOURCE).removesuffix(".py")


def bet(client: httpx.Client, number: int, stake: int, key: str) -> None:
    body = {"round": number, "wagers": [{"bet": "player", "stake": stake}]}
    headers = {"Idempotency-Key": key}
    answer = client.put("/api/tables/open/wagers", json=body, headers=headers)
    assert answer.status_code == 200, answer.text


@pytest.fixture(scope="module")
def calls(tmp_path_factory) -> set[tuple[str, str, bool]]:
    """Return the calls made for every one of several bets."""
    trace, found = Trace(), []
    folder, house = tmp_path_factory.mktemp("house"), replace(HOUSE, tables=HOUSE.tables[:1])
    with (
        trace.install(),
        served(folder, house=house) as running,
        running.player("ann", 100_000) as ann,
    ):
        number = ann.get("/api/tables/open").json()["round"]
        bet(ann, number, 500, "first")
        for n in range(BETS):
            trace.calls, trace.recording = set(), True
            bet(ann, number, 1_000 + 500 * n, f"bet-{n}")
            trace.recording = False
            found.append(trace.calls)
    return set.intersection(*found)


def layers() -> dict[str, int]:
    """Return the rank of every package in the import contract, lowest layer first."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    (ordered,) = (
        contract["layers"] for contract in contracts if contract["name"] == "Imports point one way"
    )
    return {
        package.strip(): rank
        for rank, layer in enumerate(reversed(ordered))
        for package in layer.split("|")
    }


def test_a_bet_passes_through_few_modules(calls):
    inside = sorted({called for _, called, inside in calls if inside})
    around = sorted({called for _, called, _ in calls} - set(inside))
    print(f"{len(inside)} modules from the endpoint:", *inside, sep="\n  ")
    print(f"{len(around)} more from the socket:", *around, sep="\n  ")
    assert len(inside) <= FROM_ENDPOINT
    assert len(inside) + len(around) <= FROM_SOCKET


def test_no_lower_layer_calls_a_higher_one(calls):
    rank = layers()
    assert [
        (caller, called)
        for caller, called, inside in sorted(calls)
        if inside and caller and rank[caller.split("/")[0]] < rank[called.split("/")[0]]
    ] == []
