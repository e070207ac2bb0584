"""Documents of shoes, encoded once.

A shoe that has been revealed never changes: its document is kept as bytes, a bounded number of
them, and the tag of a revealed shoe is known from its name alone. Of a shoe in play the tag is the
last entry of its table's journal.
"""

import asyncio
import gzip
from collections import OrderedDict
from typing import NamedTuple

from fastapi import Request, Response
from pydantic_core import to_json

from baccarat.service.world import Keeper
from baccarat.shoe.document import VERSION
from baccarat.store import history
from baccarat.store.sqlstore import SqlStore
from baccarat.table.events import decode
from baccarat.table.records import shoe_document
from baccarat.web.answers import JSON
from baccarat.web.etags import FOR_EVER, not_modified, tags_of, takes_gzip

KEPT = 32 * 1024 * 1024
"""Bytes of documents that are kept."""
MOST_REVEALED = 100_000
"""Shoes that are remembered as revealed."""
BUILDING = 50
"""Points that it costs to make a document (`Site.charge`)."""


class Document(NamedTuple):
    """A shoe's document as it is sent; compressed too, once it never changes again."""

    content: bytes
    zipped: bytes | None
    etag: str


def revealed_tag(shoe: str) -> str:
    """The tag of a revealed shoe's document."""
    return f'"{shoe}-{VERSION}"'


class ShoeDocuments:
    """Those of revealed shoes, and those that are being made."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._kept: OrderedDict[str, Document] = OrderedDict()
        self._bytes = 0
        self._revealed: OrderedDict[str, None] = OrderedDict()
        """Shoes that are known to be revealed, whether or not their documents are kept."""
        self._making: dict[str, asyncio.Task[Document | None]] = {}
        self._one_at_a_time = asyncio.Lock()
        self.made = 0
        """Documents made so far."""

    def known(self, shoe: str) -> Document | None:
        """The document of a revealed shoe, if it is kept."""
        if shoe in self._kept:
            self._kept.move_to_end(shoe)
        return self._kept.get(shoe)

    def is_revealed(self, shoe: str) -> bool:
        """Return whether the shoe is known here to be revealed."""
        return shoe in self._revealed

    async def tag_now(self, shoe: str) -> str | None:
        """The tag of a shoe in play; None when there is no such shoe, or it is over."""

        def ask(store: SqlStore) -> str | None:
            stream = history.stream_of_shoe(store, bytes.fromhex(shoe))
            state = store.state(stream) if stream else None
            if state is None or state.shoe is None or state.shoe.terms.shoe.hex() != shoe:
                return None
            return _tag_at(shoe, state.sequence)

        return await self._keeper.read(ask)

    async def of(self, shoe: str) -> Document | None:
        """The document as of now; None when there is no such shoe. Asked for twice at the same
        time, it is made once."""
        if shoe not in self._making:
            self._making[shoe] = asyncio.create_task(self._make(shoe))
            self._making[shoe].add_done_callback(lambda _: self._making.pop(shoe, None))
        return await asyncio.shield(self._making[shoe])

    async def _make(self, shoe: str) -> Document | None:
        async with self._one_at_a_time:  # other readers have their turn
            made = await self._keeper.read(lambda store: _document(store, shoe))
        self.made += 1
        if made is not None and made.etag == revealed_tag(shoe):
            self._keep(shoe, made)
        return made

    def _keep(self, shoe: str, made: Document) -> None:
        self._revealed[shoe] = None
        if len(self._revealed) > MOST_REVEALED:
            self._revealed.popitem(last=False)
        self._kept[shoe] = made
        self._bytes += _size(made)
        while self._bytes > KEPT:
            _, dropped = self._kept.popitem(last=False)
            self._bytes -= _size(dropped)


def answer(request: Request, found: Document) -> Response:
    """A document to a client, or "you have it already"."""
    caching = "no-cache" if found.zipped is None else FOR_EVER
    if found.etag in tags_of(request):
        return not_modified(found.etag, caching)
    headers = {"ETag": found.etag, "Cache-Control": caching, "Vary": "Accept-Encoding"}
    if found.zipped is not None and takes_gzip(request):
        headers["Content-Encoding"] = "gzip"
        return Response(found.zipped, media_type=JSON, headers=headers)
    return Response(found.content, media_type=JSON, headers=headers)


def _size(one: Document) -> int:
    return len(one.content) + len(one.zipped or b"")


def _tag_at(shoe: str, sequence: int) -> str:
    return f'"{shoe}-{VERSION}-{sequence}"'


def _document(store: SqlStore, shoe: str) -> Document | None:
    name = bytes.fromhex(shoe)
    stream = history.stream_of_shoe(store, name)
    if stream is None:
        return None
    entries = history.entries_of_shoe(store, stream, name)
    document = shoe_document((decode(entry.body) for entry in entries), name)
    content = to_json(document)
    if document["reveal"] is None:
        return Document(content, None, _tag_at(shoe, entries[-1].sequence))
    return Document(content, gzip.compress(content, 6, mtime=0), revealed_tag(shoe))
