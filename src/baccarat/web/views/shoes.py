"""The documents of shoes, encoded once.

A revealed shoe never changes: its document is cached as bytes, up to a limit, and its ETag follows
from the shoe's id alone. The ETag of a shoe in play contains the number of its last journal entry.
"""

import asyncio
import gzip
from collections import OrderedDict

from baccarat.store import history
from baccarat.store.sqlstore import AsyncStore, SqlStore
from baccarat.table.automatic.shoe_document import VERSION, shoe_document
from baccarat.table.events import decode, encode
from baccarat.web.schema import JSON
from baccarat.web.server.etags import Content

KEPT = 32 * 1024 * 1024
"""Maximum size of the cached documents, in bytes."""
MAX_REVEALED = 100_000
"""Maximum number of shoes remembered as revealed."""
BUILDING = 50
"""Cost of building a document, in points (`Site.charge`)."""


def revealed_tag(shoe: str) -> str:
    """Return the ETag of a revealed shoe's document."""
    return f'"{shoe}-{VERSION}"'


class ShoeDocuments:
    """Builds the documents of shoes, and caches those of revealed shoes."""

    def __init__(self, keeper: AsyncStore) -> None:
        self._keeper = keeper
        self._kept: OrderedDict[str, Content] = OrderedDict()
        self._bytes = 0
        self._revealed: OrderedDict[str, None] = OrderedDict()
        """Shoes known to be revealed, whether or not their documents are cached."""
        self._making: dict[str, asyncio.Task[Content | None]] = {}
        self._one_at_a_time = asyncio.Lock()
        self.made = 0
        """Number of documents built so far."""

    def known(self, shoe: str) -> Content | None:
        """Return the document of a revealed shoe if it is cached, or None."""
        if shoe in self._kept:
            self._kept.move_to_end(shoe)
        return self._kept.get(shoe)

    def is_revealed(self, shoe: str) -> bool:
        """Return whether this server knows that the shoe is revealed."""
        return shoe in self._revealed

    async def tag_now(self, shoe: str) -> str | None:
        """Return the ETag of a shoe in play, or None if the shoe does not exist or is over."""

        def ask(store: SqlStore) -> str | None:
            stream = history.stream_of_shoe(store, bytes.fromhex(shoe))
            state = store.state(stream) if stream else None
            if state is None or state.shoe is None or state.shoe.terms.shoe.hex() != shoe:
                return None
            return _tag_at(shoe, state.sequence)

        return await self._keeper.read(ask)

    async def of(self, shoe: str) -> Content | None:
        """Return the current document of a shoe, or None if it does not exist.

        Concurrent requests for the same shoe build it once.
        """
        if shoe not in self._making:
            self._making[shoe] = asyncio.create_task(self._make(shoe))
            self._making[shoe].add_done_callback(lambda _: self._making.pop(shoe, None))
        return await asyncio.shield(self._making[shoe])

    async def _make(self, shoe: str) -> Content | None:
        async with self._one_at_a_time:  # so as not to delay other readers
            made = await self._keeper.read(_document, shoe)
        self.made += 1
        if made is not None and made.etag == revealed_tag(shoe):
            self._keep(shoe, made)
        return made

    def _keep(self, shoe: str, made: Content) -> None:
        self._revealed[shoe] = None
        if len(self._revealed) > MAX_REVEALED:
            self._revealed.popitem(last=False)
        self._kept[shoe] = made
        self._bytes += _size(made)
        while self._bytes > KEPT:
            _, dropped = self._kept.popitem(last=False)
            self._bytes -= _size(dropped)


def _size(found: Content) -> int:
    return len(found.content) + len(found.zipped or b"")


def _tag_at(shoe: str, sequence: int) -> str:
    return f'"{shoe}-{VERSION}-{sequence}"'


def _document(store: SqlStore, shoe: str) -> Content | None:
    name = bytes.fromhex(shoe)
    stream = history.stream_of_shoe(store, name)
    if stream is None:
        return None
    entries = history.entries_of_shoe(store, stream, name)
    document = shoe_document((decode(entry.body) for entry in entries), name)
    content = encode(document)
    if document["reveal"] is None:
        return Content(content, None, JSON, _tag_at(shoe, entries[-1].sequence))
    return Content(content, gzip.compress(content, 6, mtime=0), JSON, revealed_tag(shoe))
