"""Where each HTTP/1.1 request on a connection begins and ends, and what makes one ambiguous.

The parser (llhttp) accepts some requests that a proxy may read differently, and then the proxy and
this server see different requests (request smuggling). It also sets no limits. Here every part of a
request is delimited and checked before the parser gets it.
"""

import re
from collections.abc import Callable, Sequence

LONGEST_HEADERS = 64 * 1024
MAX_HEADERS = 128
"""Maximum header lines in a request, or in a body's trailer; also the WebSocket library's limit."""
LONGEST_PATH, LONGEST_QUERY = 1024, 4096
"""Maximum bytes of a request's first line before and after its question mark.

The path is compared with every route, and the query is read, before any rate limit applies.
"""
MAX_CHUNKS = 1_000
"""Maximum number of chunks in a body; each takes as long to read as a small request."""
_ALONE = "a line does not end in CR LF; send both characters"
_CONTROLS = bytes({*range(32), 127} - set(b"\t\r\n"))
_CODING = b"transfer-encoding"
_BLANK_LINE = re.compile(rb"\n\r?\n")
_CHUNK = re.compile(rb"([0-9a-fA-F]{1,8})[ \t]*(?:;[^\r\n]*)?\r\n")


class Malformed(Exception):
    """A request that is invalid, ambiguous or over a limit; the text says why."""


class Framing:
    """Splits the bytes that arrive on a connection into the parts of its requests."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._searched = 0
        """Bytes of an incomplete head or trailer that contain no blank line."""
        self._left = 0
        """Bytes still to come of the body or the chunk."""
        self._chunks: int | None = None
        """Chunks received of the current body; None if the body is not chunked."""
        self._next: Callable[[], bytes] = self._head

    def add(self, data: bytes) -> None:
        self._data += data

    @property
    def is_between_requests(self) -> bool:
        """Whether the next part is the head of a request."""
        return self._next == self._head

    @property
    def is_empty(self) -> bool:
        return not self._data

    def part(self) -> bytes:
        """Return the next part of a request, or nothing if it has not arrived; raise Malformed."""
        return self._next()

    def _head(self) -> bytes:
        head = self._lines()
        if head:
            first, *lines = head.split(b"\r\n")
            self._left, self._chunks = _body_of(first, lines)
            self._next = self._chunk if self._chunks is not None else self._body
            self._end_body()
        return head

    def _body(self) -> bytes:
        part = self._taken(self._left)
        self._left -= len(part)
        self._end_body()
        return part

    def _end_body(self) -> None:
        if not self._left:
            self._next = self._head if self._chunks is None else self._chunk

    def _chunk(self) -> bytes:
        """Return the line before a chunk."""
        end = self._data.find(b"\n") + 1
        if not end:
            if len(self._data) > LONGEST_HEADERS:
                raise Malformed("a chunk's first line is too long; leave out its extensions")
            return b""
        line = self._taken(end)
        found = _CHUNK.fullmatch(line)
        if found is None:
            raise Malformed("a chunk does not begin with its size and CR LF")
        self._chunks = (self._chunks or 0) + 1
        if self._chunks > MAX_CHUNKS:
            raise Malformed(f"the body has more than {MAX_CHUNKS:,} chunks; send larger ones")
        size = int(found[1], 16)
        self._left = size + 2  # the chunk and its CR LF
        self._next = self._body if size else self._trailer
        return line

    def _trailer(self) -> bytes:
        """Return the blank line after the last chunk; the fields before it are dropped."""
        if self._data == b"\r":
            return b""
        if self._data.startswith(b"\r\n"):
            self._next = self._head
            return self._taken(2)
        if not self._lines():
            return b""
        self._next = self._head
        return b"\r\n"

    def _lines(self) -> bytes:
        """Return the lines up to the next blank line, once they have arrived."""
        if self._data.startswith(b"\n"):
            raise Malformed(_ALONE)
        found = _BLANK_LINE.search(self._data, self._searched)
        length = found.end() if found else len(self._data)
        if length > LONGEST_HEADERS:
            raise Malformed(f"its headers are longer than {LONGEST_HEADERS:,} bytes; send fewer")
        if found is None:
            self._searched = max(0, length - 2)
            return b""
        self._searched = 0
        lines = self._taken(length)
        _check_lines(lines)
        return lines

    def _taken(self, length: int) -> bytes:
        part = bytes(self._data[:length])
        del self._data[:length]
        return part


def _check_lines(lines: bytes) -> None:
    """Raise Malformed if the lines of a head or trailer could be misread."""
    count = lines.count(b"\r\n")
    if count > MAX_HEADERS + 2:
        raise Malformed(f"it has more than {MAX_HEADERS} headers; send fewer")
    if not lines.count(b"\n") == lines.count(b"\r") == count:
        raise Malformed(_ALONE)
    if lines.translate(None, _CONTROLS) != lines:
        raise Malformed("a header has a control character; remove it")
    if b"\n " in lines or b"\n\t" in lines:
        raise Malformed("a header is folded over several lines; send it in one")


def _body_of(first: bytes, lines: Sequence[bytes]) -> tuple[int, int | None]:
    """Return the length of a request's body and, if the body is chunked, 0 chunks.

    Raise Malformed if the first line or the headers leave this in doubt.
    """
    path, _, query = first.partition(b"?")
    if len(path) > LONGEST_PATH or len(query) > LONGEST_QUERY:
        most = f"{LONGEST_PATH:,} bytes before the question mark and {LONGEST_QUERY:,} after it"
        raise Malformed(f"the first line is too long; send at most {most}")
    if not first.endswith((b" HTTP/1.1", b" HTTP/1.0")):
        raise Malformed("it uses another protocol; send HTTP/1.1")
    names = [line.partition(b":")[0].lower() for line in lines]
    if first.endswith(b"1.1") and names.count(b"host") != 1:
        raise Malformed("it must have one Host header")
    if names.count(b"content-length") > 1:
        raise Malformed("it has Content-Length twice; send it once")
    if _CODING in names:
        if b"content-length" in names:
            raise Malformed("it has both Content-Length and Transfer-Encoding; send one of them")
        if first.endswith(b"1.0"):
            raise Malformed("HTTP/1.0 has no Transfer-Encoding; send Content-Length")
        codings = [line for line, name in zip(lines, names, strict=True) if name == _CODING]
        if [_value(line).lower() for line in codings] != [b"chunked"]:
            raise Malformed("its Transfer-Encoding is not supported; use chunked")
        return 0, 0
    if b"content-length" in names:
        length = _value(lines[names.index(b"content-length")])
        if not length.isdigit() or len(length) > 15:
            raise Malformed("its Content-Length is not a number of bytes")
        return int(length), None
    return 0, None


def _value(line: bytes) -> bytes:
    return line.partition(b":")[2].strip(b" \t")
