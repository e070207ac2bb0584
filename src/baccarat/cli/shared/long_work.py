"""Shared parts of commands with long jobs: options, the progress bar, and the outcome.

`add_work` adds the options, `seed_of` returns the given seed or a random one, and `do_work` runs
the job and returns an `Outcome`. The command then passes the outcome's fault to `output.report`,
which writes what was computed before it raises the fault.
"""

import argparse
import os
import secrets
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Generic

from numba.core import event
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.text import Text

from baccarat.cli.shared.options import add_choice, add_file, add_number, add_value, check_range
from baccarat.cli.shared.output import add_output, check_output
from baccarat.cli.shared.printing import counted
from baccarat.core.errors import BaccaratError
from baccarat.shoe import ShoeRules
from baccarat.simulation import execution
from baccarat.simulation.jobs import Job, P

MAX_THREADS = 1024
MILLION = 1_000_000


def add_work(parser: argparse.ArgumentParser, *, plot: bool = True) -> None:
    """Add the options that determine how a long job is run, and where its result goes."""
    add_number(parser, "--seed", "random seed (default: a new one, printed)")
    add_number(parser, "--threads", "threads to use (default: all cores)")
    words = "run on the workers of this Dask scheduler, such as tcp://scheduler:8786"
    add_value(parser, "--cluster", "ADDRESS", words)
    words = "where to run; gpu is an NVIDIA GPU, auto uses one if there is one and the job is large"
    add_choice(parser, "--device", execution.DEVICES, words, "cpu")
    words = "save progress in FILE and continue from it after an interruption (requires --seed)"
    add_file(parser, "--checkpoint", words)
    add_output(parser)
    if plot:
        add_file(parser, "--plot", "plot the result in a .png or .svg file")


def seed_of(args: argparse.Namespace) -> int:
    """Return the given seed, or a random one."""
    if args.seed is not None:
        return int(args.seed)
    if args.checkpoint:
        raise BaccaratError("--checkpoint requires --seed: add --seed N")
    return secrets.randbits(63)


@dataclass(frozen=True)
class Outcome(Generic[P]):
    """The result of a job, how long it took, and why it stopped early, if it did."""

    total: P
    unit: str
    """What the job counts, such as "shoe"."""
    left: int
    """Number of units that were not done."""
    kept: int
    """Number of coups that came from a checkpoint."""
    seconds: float
    """Seconds that the other coups took, not including compilation."""
    fault: BaccaratError | None = None
    """Why the job stopped early, if it did."""

    def speed(self) -> str:
        """Return the time and speed, such as '0.5 s, 9.3 million per second', and how many coups
        came from a checkpoint."""
        brought = f"{self.kept:,} of them from the checkpoint"
        new = self.total.coups - self.kept
        if not new:
            return brought
        speed = f"{self.seconds:.2f} s, {_millions(new, self.seconds)} million per second"
        return f"{brought}, {speed}" if self.kept else speed

    def shown(self, seed: int, rules: ShoeRules) -> Iterator[Text]:
        """Yield lines with the seed and shoe rules, what was done or left, and the speed."""
        yield Text(f"seed {seed} · {rules}", "dim")
        if self.left:
            yield Text(f"Stopped early: {counted(self.left, self.unit)} not simulated.", "yellow")
        done = f"{counted(self.total.coups, 'coup')} in {counted(self.total.done, self.unit)}"
        yield Text(f"{done}, {self.speed()}")


def _millions(coups: int, seconds: float) -> str:
    """Return the number of coups per second in millions; slow work has more decimals."""
    per_second = coups / max(seconds, 1e-9) / MILLION
    return f"{per_second:,.1f}" if per_second >= 0.1 else f"{per_second:.3f}"


def do_work(args: argparse.Namespace, job: Job[P], *, unit: str) -> Outcome[P]:
    """Run a job as the options require, with a progress bar.

    `unit` is the noun for what the job counts, such as "shoe".
    """
    if args.threads is not None:
        check_range("--threads", args.threads, 1, MAX_THREADS)
    if args.threads is not None and args.cluster is not None:
        raise BaccaratError("--threads and --cluster cannot be used together")
    check_output(args)
    _check_different(args)
    device = args.device
    if device != "cpu" and not args.cluster:
        device = _prepared(args, job)
    with watching(job.units, unit) as watch:
        how = execution.Execution(
            threads=args.threads,
            cluster=args.cluster,
            device=device,
            checkpoint=args.checkpoint,
            progress=watch.update,
            notice=_notice,
        )
        fault = None
        try:
            total = execution.run_job(job, how)
        except execution.Stopped as stopped:
            total, fault = stopped.total, stopped
        left = job.units - total.done
        return Outcome(total, unit, left, watch.kept, watch.seconds, fault)


def _prepared(args: argparse.Namespace, job: Job[Any]) -> str:
    """Return the device to use, after compiling the job's kernel for it.

    Print which device `auto` has chosen and, on a terminal, that the kernel is being compiled.
    """
    from baccarat.simulation.gpu import jobs as gpu

    device: str = args.device
    threads = args.threads or os.cpu_count() or 1
    reason = gpu.why_not_worthwhile(job, 0, threads) if device == "auto" else gpu.why_not(job)
    try:
        if not reason:
            if sys.stderr.isatty():
                _notice(f"Compiling for {gpu.find_gpu().name} (takes a few seconds)…")
            gpu.prepare(job)
    except BaccaratError as error:
        if device == "gpu":
            raise
        reason = str(error)
    if device == "auto":
        _notice(f"Running on the CPU: {reason}" if reason else f"Running on {gpu.find_gpu().name}")
    return "cpu" if device == "auto" and reason else device


def _notice(words: str) -> None:
    print(words, file=sys.stderr)


def _check_different(args: argparse.Namespace) -> None:
    """Raise an error if two options name the same file."""
    named: dict[Path, str] = {}
    for option in ("checkpoint", "export", "plot", "output"):
        given = getattr(args, option, None) or []
        for path in given if isinstance(given, list) else [given]:
            if (other := named.get(path.resolve())) is not None:
                raise BaccaratError(
                    f"--{other} and --{option} are both {path}: use different files"
                )
            named[path.resolve()] = option


@contextmanager
def watching(units: int, unit: str) -> Iterator["Watch"]:
    """Track a job's progress, with a progress bar if standard error is a terminal.

    The bar is removed when the job ends.
    """
    columns = (
        BarColumn(24),
        TextColumn("{task.completed:,} of " + counted(units, unit)),
        TextColumn("{task.fields[speed]}"),
    )
    with Progress(
        *columns,
        console=Console(file=sys.stderr, highlight=False),
        transient=True,
        disable=not sys.stderr.isatty(),
    ) as bar:
        watch = Watch(bar, units)
        with event.install_listener("numba:compile", watch):
            yield watch


class Watch(event.Listener):
    """Receives progress from the job and from the compiler, and shows it to the user.

    The compiler reports its work only if the kernel is not in the cache on disk yet.
    """

    def __init__(self, bar: Progress, units: int) -> None:
        self._bar, self._units = bar, units
        self._task = bar.add_task("work", total=units, speed="")
        self.kept = self._done_before = 0
        self._began: float | None = None
        self._compiling = 0
        """Number of functions being compiled; compiling one may start compiling another."""
        self._compile_began = self._compiled = self._compiled_before = 0.0
        self._compiled_unreported = False

    @property
    def seconds(self) -> float:
        """Seconds since the job began, not including compilation."""
        if self._began is None:
            return 0.0
        compiled = self._compiled - self._compiled_before
        return max(time.monotonic() - self._began - compiled, 0.0)

    def update(self, done: int, coups: int) -> None:
        """Show progress; this method is an `execution.Progress`."""
        if self._began is None:
            self._began, self._compiled_before = time.monotonic(), self._compiled
            self.kept, self._done_before = coups, done
        if self._compiled_unreported:
            self._say(f"Compiled in {self._compiled:.1f} s.")
            self._compiled_unreported = False
        speed, here = "", done - self._done_before
        if here:
            left = self.seconds / here * (self._units - done)
            per_second = _millions(coups - self.kept, self.seconds)
            speed = f"{per_second} M coups/s, {timedelta(seconds=round(left))} left"
        self._bar.update(self._task, completed=done, speed=speed)

    def on_start(self, _event: Any) -> None:
        if not self._compiling:
            self._compile_began = time.monotonic()
            if not self._compiled:
                self._say("Compiling (about ten seconds, on the first run only)…")
        self._compiling += 1

    def on_end(self, _event: Any) -> None:
        self._compiling -= 1
        if not self._compiling:
            self._compiled += time.monotonic() - self._compile_began
            self._compiled_unreported = True

    def _say(self, words: str) -> None:
        if not self._bar.disable:
            self._bar.console.print(words, style="dim")
