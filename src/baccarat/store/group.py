"""Group commit: while one commit is being made durable, the commands that arrive wait together.

In go jobs from any thread, each getting a future; out they go to the store in groups, as large as
the time of one commit lets them grow. The one rule: a future is answered after its commit.
"""

import queue
import threading
from concurrent.futures import Future

from baccarat.core.errors import BaccaratError
from baccarat.house.ports import Done, Job, Store

MOST_TOGETHER = 500

Waiting = tuple[Job, "Future[Done]"]


class GroupCommit:
    """The one thread that commits. Use it in a `with` block; leaving it finishes what waits."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: queue.SimpleQueue[Waiting | None] = queue.SimpleQueue()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="group-commit", daemon=True)

    def __enter__(self) -> "GroupCommit":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closed.set()
        self._waiting.put(None)
        self._thread.join()

    def submit(self, job: Job) -> "Future[Done]":
        """Its result, once durable; an exception when it was refused or failed."""
        if self._closed.is_set():
            raise BaccaratError("the store is closing: no command is taken any more")
        future: Future[Done] = Future()
        self._waiting.put((job, future))
        return future

    def _run(self) -> None:
        while True:
            group, more = self._next_group()
            if group:
                self._commit(group)
            if not more:
                return

    def _next_group(self) -> tuple[list[Waiting], bool]:
        """All that waits, at least one, and whether there can be more."""
        group: list[Waiting] = []
        item = self._waiting.get()
        while item is not None:
            if item[1].set_running_or_notify_cancel():  # nobody waits for a cancelled one
                group.append(item)
            if len(group) == MOST_TOGETHER:
                return group, True
            try:
                item = self._waiting.get_nowait()
            except queue.Empty:
                return group, True
        return group, False

    def _commit(self, group: list[Waiting]) -> None:
        try:
            results = self._store.commit([job for job, _ in group])
        except Exception as error:
            for _, future in group:
                future.set_exception(error)
            return
        for (_, future), result in zip(group, results, strict=True):
            if isinstance(result, Exception):
                future.set_exception(result)
            else:
                future.set_result(result)
