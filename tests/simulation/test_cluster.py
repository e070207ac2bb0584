"""Simulation on a real cluster: scheduler and workers are separate processes."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import pytest
from distributed import Client

from baccarat import BaccaratError, load
from baccarat.cli import main
from baccarat.shoe import ShoeRules
from baccarat.simulation import cluster, execution, jobs
from baccarat.simulation.execution import Execution, simulate
from baccarat.simulation.gpu import jobs as gpu
from baccarat.simulation.run import Run
from support.documented import ROOT

CHUNK = 400 * jobs.GROUP  # long enough for a worker to be found busy
SECONDS_TO_START = 60


@dataclass
class Processes:
    """A cluster, and a client to inspect it."""

    address: str
    scheduler: subprocess.Popen
    look: Client

    def workers(self) -> dict[str, int]:
        """Return the address and process of each worker."""
        return self.look.run(os.getpid)


@contextmanager
def running(workers: int, folder, **more: str):
    """Run a cluster on this machine, and always end its processes."""
    started: list[subprocess.Popen] = []
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")} | more

    def start(program: str, *options: str) -> subprocess.Popen:
        command = [sys.executable, "-m", f"distributed.cli.{program}", "--no-dashboard", *options]
        with (folder / "log").open("ab") as log:
            process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        started.append(process)
        return process

    file = folder / "scheduler.json"
    try:
        scheduler = start(
            "dask_scheduler",
            *("--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file)),
        )
        deadline, address = time.monotonic() + SECONDS_TO_START, ""
        while not address:
            assert time.monotonic() < deadline, (folder / "log").read_text(encoding="utf-8")
            time.sleep(0.05)
            with suppress(FileNotFoundError, json.JSONDecodeError):  # missing, or half written
                address = json.loads(file.read_text(encoding="utf-8"))["address"]
        for number in range(workers):
            place = str(folder / f"worker-{number}")
            options = ("--nthreads", "1", "--no-nanny", "--local-directory", place)
            start("dask_worker", address, *options)
        with cluster._silenced("distributed.client"):
            look = Client(address, set_as_default=False, timeout=2)
            try:
                if workers:
                    look.wait_for_workers(workers, timeout=SECONDS_TO_START)
                yield Processes(address, scheduler, look)
            finally:
                look.close()
    finally:
        for process in started:
            process.kill()
            process.wait()


def unknown_there(*span: int) -> None:
    """Workers cannot import this module."""


@pytest.fixture(scope="module")
def asked() -> Run:
    game = load("fortune-six").game()
    return Run(game, ShoeRules(game.decks), seed=11, shoes=16 * CHUNK + 7, by_place=True)


@pytest.fixture(scope="module")
def whole(asked):
    return simulate(asked, Execution(threads=2)).tally


def test_a_killed_worker_does_not_change_the_result(asked, whole, tmp_path, capsys):
    with running(2, tmp_path) as there:
        workers = there.workers()
        killed: list[tuple[int, int]] = []

        def kill_a_busy_one(done: int, _: int) -> None:
            if killed or not done:
                return
            victim, process = next(iter(workers.items()))
            os.kill(process, signal.SIGSTOP)
            time.sleep(0.3)  # by now it has reported what it finished
            if lost := there.look.processing()[victim]:
                os.kill(process, signal.SIGKILL)
                killed.append((done, len(lost)))
            else:
                os.kill(process, signal.SIGCONT)

        found = simulate(
            asked, Execution(cluster=there.address, chunk=CHUNK, progress=kill_a_busy_one)
        )
        [(done, lost)] = killed
        assert 0 < done < asked.shoes - CHUNK
        assert lost
        assert repr(found.tally).encode() == repr(whole).encode()
        assert len(there.workers()) == 1
        words = ["simulate", "online", "--shoes", "9000", "--seed", "3", "--json"]
        assert main([*words, "--threads", "2"]) == 0
        here = capsys.readouterr()
        assert main([*words, "--cluster", there.address]) == 0
        assert capsys.readouterr() == here
        assert main([*words, "--cluster", there.address, "--device", "auto"]) == 0
        hoping = capsys.readouterr()
        assert hoping.out == here.out
        if gpu.why_not(Run(asked.game, asked.rules, 1, 64)):
            assert hoping.err.count("Some workers continue on the CPU: no usable NVIDIA GPU") == 1
        # Custom strategies and counts with exact values are also sent to workers.
        own = str(ROOT / "examples" / "strategies" / "streaks.py")
        session = ["session", "commission", "--wagers", "banker 20", "--bankroll", "500"]
        count = ["count", str(ROOT / "examples" / "rule-cards" / "pairs.toml"), "tie"]
        for words in (
            [*session, "--strategy", own, "--sessions", "300", "--seed", "3", "--json"],
            [*count, "--shoes", "300", "--exact-shoes", "70", "--seed", "3", "--json"],
        ):
            assert main([*words, "--threads", "1"]) == 0
            here = capsys.readouterr()
            assert main([*words, "--cluster", there.address]) == 0
            assert capsys.readouterr() == here


def test_a_dead_scheduler_keeps_finished_work(asked, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "SECONDS_TO_CONNECT", 1)
    file = tmp_path / "kept.json"
    with running(1, tmp_path) as there:

        def kill_it(done: int, _: int) -> None:
            if done:
                there.scheduler.kill()
                there.scheduler.wait()

        with pytest.raises(
            execution.Stopped, match="lost the connection to the cluster at tcp://"
        ) as stopped:
            simulate(asked, Execution(cluster=there.address, chunk=CHUNK, progress=kill_it))
    total = stopped.value.total
    assert 0 < total.shoes < asked.shoes
    assert total == simulate(Run(asked.game, asked.rules, 11, total.shoes, by_place=True)).tally
    execution.write_checkpoint(asked, total, file)
    assert simulate(asked, Execution(checkpoint=file)).complete


def test_if_all_workers_are_gone_the_run_stops(asked, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "WORKER_TIMEOUT", 1)
    with running(1, tmp_path) as there:
        with monkeypatch.context() as patch:
            patch.setattr(cluster, "_part", unknown_there)
            with pytest.raises(BaccaratError, match="install the same"):
                simulate(asked, Execution(cluster=there.address))
        [process] = there.workers().values()

        def kill_it(done: int, _: int) -> None:
            if done == CHUNK:
                os.kill(process, signal.SIGKILL)

        with pytest.raises(
            execution.Stopped, match="has lost all its workers: start some"
        ) as stopped:
            simulate(asked, Execution(cluster=there.address, chunk=CHUNK, progress=kill_it))
        assert 0 < stopped.value.total.shoes < asked.shoes


def test_a_cluster_without_workers_is_refused(tmp_path, capsys):
    with running(0, tmp_path) as there:
        assert main(["simulate", "online", "--cluster", there.address]) == 2
    reply = capsys.readouterr()
    assert reply.out == ""
    assert f"has no workers: start some with `dask worker {there.address}`" in reply.err


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("tcp://127.0.0.1:1", "no Dask scheduler answers at tcp://127.0.0.1:1"),
        ("http://127.0.0.1:1", "no Dask scheduler answers"),
        ("tls://127.0.0.1:1", "no Dask scheduler answers"),
        ("potato", "write it as tcp://scheduler:8786"),
        ("127.0.0.1", "'127.0.0.1' is not the address of a scheduler"),
    ],
)
def test_a_missing_scheduler_is_reported(address, message, capsys, monkeypatch):
    monkeypatch.setattr(cluster, "SECONDS_TO_CONNECT", 1)
    assert main(["simulate", "online", "--cluster", address]) == 2
    assert message in capsys.readouterr().err


def test_another_listening_program_is_not_taken_for_a_scheduler(capsys, monkeypatch):
    monkeypatch.setattr(cluster, "SECONDS_TO_CONNECT", 1)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = f"tcp://127.0.0.1:{listening.getsockname()[1]}"
        assert main(["simulate", "online", "--cluster", address]) == 2
    assert f"no Dask scheduler answers at {address}" in capsys.readouterr().err


def test_a_missing_extra_is_named(asked, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(BaccaratError, match=r"pip install 'baccarat\[cluster\]'"):
        simulate(asked, Execution(cluster="tcp://127.0.0.1:1"))


def test_workers_use_their_gpus(tmp_path):
    """The GPUs are simulated; the results are identical."""
    game = load("online").game(decks=1)
    asked = Run(game, ShoeRules(game.decks, cut=38), seed=11, shoes=128)
    quiet = {"NUMBA_ENABLE_CUDASIM": "1", "PYTHONWARNINGS": "ignore"}
    with running(1, tmp_path, **quiet) as there:
        kept = execution.run_job(asked, Execution(cluster=there.address, device="gpu", chunk=128))
        by_place = Run(game, asked.rules, seed=11, shoes=128, by_place=True)
        with pytest.raises(BaccaratError, match="without results by position"):
            execution.run_job(by_place, Execution(cluster=there.address, device="gpu"))
        assert execution.run_job(by_place, Execution(cluster=there.address, device="auto")).by_place
    assert kept == simulate(asked).tally
