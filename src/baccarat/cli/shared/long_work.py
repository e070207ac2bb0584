"""What the commands with long work share: their options, the progress bar, what to do when it ends.

`add_work` adds the options, `seed_of` reads or draws the seed, `do_work` does the job and
returns an `Outcome`. A command then returns what `output.report` returns, which is handed the
outcome's fault: what was computed is never lost.
"""

import argparse
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

from baccarat.cli.common import counted
from baccarat.cli.output import add_output, add_plot, check_output
from baccarat.core.errors import BaccaratError
from baccarat.simulation import work
from baccarat.simulation.work import Job, P

MOST_THREADS = 1024
MILLION = 1_000_000


def add_work(parser: argparse.ArgumentParser) -> None:
    """Options that say how long work is done."""
    parser.add_argument("--seed", type=int, help="the number that all cards follow from")
    parser.add_argument("--threads", type=int, help="how many to use (default: all cores)")
    parser.add_argument(
        "--cluster", metavar="ADDRESS", help="of a Dask scheduler, such as tcp://scheduler:8786"
    )
    parser.add_argument(
        "--device",
        choices=work.DEVICES,
        default="cpu",
        help="gpu for an NVIDIA card, auto for one if there is one (default: %(default)s)",
    )
    parser.add_argument(
        "--checkpoint",
        type=Path,
        metavar="FILE",
        help="keep what is done there, and go on from it after an interruption",
    )
    add_output(parser)
    add_plot(parser)


def seed_of(args: argparse.Namespace) -> int:
    """The seed that was named, or a new one."""
    if args.seed is not None:
        return int(args.seed)
    if args.checkpoint:
        raise BaccaratError("--checkpoint goes on with the same cards only: add --seed N")
    return secrets.randbits(63)


@dataclass(frozen=True)
class Outcome(Generic[P]):
    """What a job came to, and how it went."""

    total: P
    kept: int
    """Coups among them that a checkpoint brought."""
    seconds: float
    """What the others took; compiling is left out."""
    fault: BaccaratError | None = None
    """Why it could not go on, when it could not."""

    def speed(self) -> str:
        """'0.51 s, 160.3 million a second', and what a checkpoint brought."""
        brought = f"{self.kept:,} of them from the checkpoint"
        new = self.total.coups - self.kept
        if not new:
            return brought
        per_second = new / max(self.seconds, 1e-9) / MILLION
        speed = f"{self.seconds:.2f} s, {per_second:,.1f} million a second"
        return f"{brought}, {speed}" if self.kept else speed


def do_work(args: argparse.Namespace, job: Job[P], *, unit: str) -> Outcome[P]:
    """Do a job as the options say, a bar showing how it goes.

    `unit` is one of what the job counts, such as "shoe".
    """
    if args.threads is not None and not 1 <= args.threads <= MOST_THREADS:
        raise BaccaratError(f"--threads {args.threads}: 1 to {MOST_THREADS} is allowed")
    if args.threads is not None and args.cluster is not None:
        raise BaccaratError("--threads are of this machine, --cluster is of others: name one")
    check_output(args)
    _check_different(args)
    how: dict[str, Any] = {
        "cluster": args.cluster,
        "device": args.device,
        "checkpoint": args.checkpoint,
    }
    if args.device != "cpu" and not args.cluster:
        how["device"] = _prepared(args.device, job)
    with watching(job.units, unit) as watch:
        fault = None
        try:
            total = work.do(job, threads=args.threads, progress=watch.told, notice=_notice, **how)
        except work.Stopped as stopped:
            total, fault = stopped.total, stopped
        return Outcome(total, watch.kept, watch.seconds, fault)


def _prepared(device: str, job: Job[Any]) -> str:
    """The device to use. Says what `auto` has found; people at a terminal are told why they wait
    for the compiler."""
    from baccarat.simulation import gpu

    reason = gpu.why_not(job)
    try:
        if not reason:
            if sys.stderr.isatty():
                print(f"Compiling for {gpu.card().name}: some seconds.", file=sys.stderr)
            gpu.prepare(job)
    except BaccaratError as error:
        if device == "gpu":
            raise
        reason = str(error)
    if device == "auto":
        print(
            f"On this processor: {reason}" if reason else f"On {gpu.card().name}", file=sys.stderr
        )
    return "cpu" if device == "auto" and reason else device


def _notice(words: str) -> None:
    print(words, file=sys.stderr)


def _check_different(args: argparse.Namespace) -> None:
    """No two files of a command may be one."""
    named: dict[Path, str] = {}
    for option in ("checkpoint", "export", "plot", "output"):
        given = getattr(args, option, None) or []
        for path in given if isinstance(given, list) else [given]:
            if (other := named.get(path.resolve())) is not None:
                raise BaccaratError(f"--{other} and --{option} are both {path}: name two files")
            named[path.resolve()] = option


@contextmanager
def watching(units: int, unit: str) -> Iterator["Watch"]:
    """A watch over work in hand, with a bar on standard error for people at a terminal.

    The bar goes away when the work ends.
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
    """Told how work goes on, by the work and by the compiler, and tells the person who waits.

    The compiler announces its work when the kernel it needs is not kept on disk yet.
    """

    def __init__(self, bar: Progress, units: int) -> None:
        self._bar, self._units = bar, units
        self._task = bar.add_task("work", total=units, speed="")
        self.kept = self._done_before = 0
        self._began: float | None = None
        self._compiling = 0
        """Functions in the compiler's hands: one may need another."""
        self._compile_began = self._compiled = self._compiled_before = 0.0
        self._to_tell = False

    @property
    def seconds(self) -> float:
        """Since the work began, without what compiling took."""
        if self._began is None:
            return 0.0
        compiled = self._compiled - self._compiled_before
        return max(time.monotonic() - self._began - compiled, 0.0)

    def told(self, done: int, coups: int) -> None:
        """As `work.Progress`."""
        if self._began is None:
            self._began, self._compiled_before = time.monotonic(), self._compiled
            self.kept, self._done_before = coups, done
        if self._to_tell:
            self._say(f"Compiled in {self._compiled:.1f} s.")
            self._to_tell = False
        speed, here = "", done - self._done_before
        if here:
            left = self.seconds / here * (self._units - done)
            per_second = (coups - self.kept) / max(self.seconds, 1e-9) / MILLION
            speed = f"{per_second:,.1f} M coups/s, {timedelta(seconds=round(left))} left"
        self._bar.update(self._task, completed=done, speed=speed)

    def on_start(self, _event: Any) -> None:
        if not self._compiling:
            self._compile_began = time.monotonic()
            if not self._compiled:
                self._say("Compiling for this processor: about ten seconds, this once.")
        self._compiling += 1

    def on_end(self, _event: Any) -> None:
        self._compiling -= 1
        if not self._compiling:
            self._compiled += time.monotonic() - self._compile_began
            self._to_tell = True

    def _say(self, words: str) -> None:
        if not self._bar.disable:
            self._bar.console.print(words, style="dim")
