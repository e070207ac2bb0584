"""Group commit: while one commit is being made durable, the commands that arrive wait together.

In go jobs from any thread, each with whoever asked; out they go to the store in groups, as large as
the time of one commit lets them grow, and all answers of a group are handed over together. The one
rule: nobody is answered before the commit.
"""

import queue
import threading
import time
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from baccarat.core.errors import BaccaratError
from baccarat.house.ports import Done, Job, Result, Store

MOST_TOGETHER = 1_000
"""Jobs in one commit: about a tenth of a second of work, for which everyone in it waits."""
Asker = TypeVar("Asker")


class GroupCommit(Generic[Asker]):
    """The one thread that commits. Use it in a `with` block; leaving it finishes what waits.

    `answer` is called in that thread, with the results of a group and who asked for each.
    """

    def __init__(
        self, store: Store, answer: Callable[[Sequence[tuple[Asker, Result]]], None]
    ) -> None:
        self._store, self._answer = store, answer
        self.timed: Callable[[float], None] = lambda _: None
        """Told, in that thread, how many seconds each commit took that made something durable."""
        self._waiting: queue.SimpleQueue[tuple[Job, Asker] | None] = queue.SimpleQueue()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="group-commit", daemon=True)

    def __enter__(self) -> "GroupCommit[Asker]":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closed.set()
        self._waiting.put(None)
        self._thread.join()

    def submit(self, job: Job, asker: Asker) -> None:
        """Do a job; its result is handed over once durable."""
        if self._closed.is_set():
            raise BaccaratError("the store is closing: no command is taken any more")
        self._waiting.put((job, asker))

    def _run(self) -> None:
        more = True
        while more:
            group, more = self._next_group()
            if group:
                results = self._results([job for job, _ in group])
                self._answer([(one, res) for (_, one), res in zip(group, results, strict=True)])

    def _next_group(self) -> tuple[list[tuple[Job, Asker]], bool]:
        """All that waits, at least one, and whether there can be more."""
        group: list[tuple[Job, Asker]] = []
        item = self._waiting.get()
        while item is not None:
            group.append(item)
            if len(group) == MOST_TOGETHER:
                return group, True
            try:
                item = self._waiting.get_nowait()
            except queue.Empty:
                return group, True
        return group, False

    def _results(self, jobs: list[Job]) -> list[Result]:
        begun = time.perf_counter()
        try:
            results = self._store.commit(jobs)
        except Exception as error:
            return [error] * len(jobs)
        if any(isinstance(one, Done) and not one.repeated for one in results):
            self.timed(time.perf_counter() - begun)
        return results
