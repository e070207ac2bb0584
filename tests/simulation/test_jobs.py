"""Long jobs: progress is shown, and finished work is never lost."""

import io
import json
import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from numba.core import event

from baccarat import BaccaratError
from baccarat.cli import main
from baccarat.cli.shared import long_work as shown
from baccarat.files import whole_file
from baccarat.simulation import execution, jobs

STEPS = 4 * jobs.GROUP


@dataclass(frozen=True)
class Steps(jobs.Sums):
    steps: int

    @property
    def coups(self) -> int:
        return 10 * self.done


@dataclass(frozen=True)
class Walk:
    """A job of steps of ten coups each; the step numbered `fails_at` fails."""

    units: int = STEPS
    chunk: int = jobs.GROUP
    fails_at: int = STEPS
    clock: "Clock | None" = field(default=None, compare=False)
    """For a job whose first part must be compiled, which takes three seconds on this clock."""

    @property
    def identity(self) -> dict[str, int]:
        return {"units": self.units}

    def part(self, first: int, count: int) -> Steps:
        if first <= self.fails_at < first + count:
            raise BaccaratError("the road ends here")
        if self.clock and first == 0 and count > 1:
            with event.trigger_event("numba:compile"), event.trigger_event("numba:compile"):
                self.clock.now += 3
        if self.clock:
            self.clock.now += 1
        return Steps(count)


class Clock:
    now = 100.0

    def monotonic(self) -> float:
        return self.now


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@dataclass
class Options:
    threads: int | None = 1
    cluster: str | None = None
    device: str = "cpu"
    checkpoint: object = None
    output: tuple[()] = ()


def words_on(terminal: Terminal) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", terminal.getvalue())


def test_progress_is_shown_on_a_terminal(monkeypatch):
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    monkeypatch.setenv("COLUMNS", "100")
    assert shown.do_work(Options(), Walk(), unit="step").total == Steps(STEPS)
    assert f"{STEPS} of {STEPS} steps" in words_on(terminal)
    assert re.search(r"[\d,.]+ M coups/s, 0:00:00 left", words_on(terminal))
    monkeypatch.setattr("sys.stderr", nobody := io.StringIO())
    shown.do_work(Options(), Walk(clock=Clock()), unit="step")
    assert nobody.getvalue() == ""


def test_compilation_is_announced_and_its_duration_is_shown(monkeypatch):
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    monkeypatch.setattr(shown, "time", clock := Clock())
    outcome = shown.do_work(Options(), Walk(clock=clock), unit="step")
    reply = words_on(terminal)
    assert reply.count("Compiling (about ten seconds") == 1
    assert reply.count("Compiled in 3.0 s") == reply.count("Compiled in") == 1
    assert reply.index("Compiled in") > reply.index("Compiling (")
    assert outcome.seconds == 4


def test_work_from_a_checkpoint_does_not_count_towards_the_speed(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.stderr", Terminal())
    file = tmp_path / "kept.json"
    half = Walk(fails_at=STEPS // 2)
    stopped = shown.do_work(Options(checkpoint=file), half, unit="step")
    assert stopped.total == Steps(STEPS // 2)
    assert not file.exists()
    assert "the road ends here" in str(stopped.fault)
    execution.write_checkpoint(half, stopped.total, file)
    outcome = shown.do_work(Options(checkpoint=file), Walk(), unit="step")
    assert (outcome.total, outcome.kept, outcome.fault) == (Steps(STEPS), 5 * STEPS, None)
    reply = shown.Outcome(Steps(200_000), "step", 0, 500_000, 0.5).speed()
    assert reply == "500,000 of them from the checkpoint, 0.50 s, 3.0 million per second"
    again = shown.do_work(Options(checkpoint=file), Walk(), unit="step")
    assert again.speed() == f"{10 * STEPS:,} of them from the checkpoint"
    assert (
        shown.Outcome(Steps(200_000), "step", 0, 0, 0.5).speed() == "0.50 s, 4.0 million per second"
    )


def test_a_job_that_fails_at_once_has_no_partial_result():
    with pytest.raises(BaccaratError, match="the road ends here") as failure:
        shown.do_work(Options(), Walk(fails_at=0), unit="step")
    assert not isinstance(failure.value, execution.Stopped)


def test_a_full_disk_for_the_checkpoint_does_not_lose_results(full_disk, capsys):
    words = ["simulate", "online", "--shoes", "300", "--seed", "5"]
    assert main(words) == 0
    whole = capsys.readouterr().out
    file = full_disk / "run.json"
    assert main([*words, "--checkpoint", str(file)]) == 2
    reply = capsys.readouterr()
    assert reply.out.splitlines()[3:] == whole.splitlines()[3:]
    assert reply.err == (
        f"baccarat: the checkpoint {file} cannot be written: No space left on device\n"
    )
    assert [path.name for path in full_disk.iterdir()] == ["filling"]
    assert main([*words, "--checkpoint", str(file), "--json"]) == 2
    reply = capsys.readouterr()
    assert json.loads(reply.out)["shoes"] == 300
    assert "No space left" in json.loads(reply.err)["error"]


def test_a_disk_that_fills_up_stops_the_job_and_keeps_its_results(full_disk, monkeypatch):
    monkeypatch.setattr(execution, "SECONDS_BETWEEN_CHECKPOINTS", 0)
    file = full_disk / "kept.json"
    outcome = shown.do_work(Options(checkpoint=file), Walk(), unit="step")
    assert outcome.total == Steps(jobs.GROUP)
    assert str(outcome.fault) == f"the checkpoint {file} cannot be written: No space left on device"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--threads 0", "--threads 0: must be between 1 and 1,024"),
        ("--threads 2 --cluster tcp://127.0.0.1:1", "cannot be used together"),
        ("--checkpoint nowhere/run.json --seed 1", "the folder nowhere does not exist"),
        ("--checkpoint run.json", "add --seed N"),
    ],
)
def test_invalid_options_are_refused(words, message, capsys):
    assert main(["simulate", "online", "--shoes", "1", *words.split()]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert message in printed.err


def test_one_shoe_and_one_coup_are_singular(capsys):
    assert main(["simulate", "online", "--shoes", "1", "--shuffler", "--seed", "1"]) == 0
    assert "1 coup in 1 shoe," in capsys.readouterr().out


def test_devices_and_links_are_written_to_and_never_replaced(tmp_path):
    with whole_file(Path("/dev/null")) as file:
        file.write(b"gone")
    assert not Path("/dev/null").is_file()
    with pytest.raises(BaccaratError, match="No space left"), whole_file(Path("/dev/full")) as file:
        file.write(b"too much")
    assert not Path("/dev/full").is_file()
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    with whole_file(tmp_path / "link") as file:
        file.write(b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"
    (tmp_path / "real").chmod(0o600)
    (tmp_path / "real.new").write_text("someone else's")
    with whole_file(tmp_path / "real") as file:
        file.write(b"newer")
    assert (tmp_path / "real").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "real.new").read_text() == "someone else's"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "real", "real.new"]


def test_two_options_cannot_name_the_same_file(capsys, tmp_path):
    words = ["simulate", "online", "--shoes", "10", "--seed", "1"]
    for first, second in (("--checkpoint", "--export"), ("--export", "--output")):
        assert main([*words, first, str(tmp_path / "x.csv"), second, str(tmp_path / "x.csv")]) == 2
        assert "use different files" in capsys.readouterr().err
