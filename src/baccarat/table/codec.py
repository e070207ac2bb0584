"""Encodes values as canonical JSON and decodes them; each value has exactly one encoding.

Keys are sorted and whitespace is left out; bytes are written as lower-case hex, and cards are
written as `Kh`. The journal hashes these bytes, so decoding is strict: unknown fields and other
encodings are refused.
"""

import json
from typing import Annotated, Any, Generic, NoReturn, TypeVar

import msgspec

from baccarat.core.cards import RANKS, SUITS, Card
from baccarat.core.errors import BaccaratError
from baccarat.core.text import Translated
from baccarat.shoe.commitment import Hex

T = TypeVar("T")


class NotCanonical(BaccaratError):
    """A value that has no canonical form, or bytes that are not in canonical form."""


class Value(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base class of values that are encoded as JSON objects with named fields."""


def _format(name: str) -> msgspec.Meta:
    return msgspec.Meta(extra_json_schema={"format": name})


Coins = Annotated[int, _format("coins")]
"""An amount of money in coins."""
Time = Annotated[int, _format("milliseconds")]
"""Server time in milliseconds since 1970."""
AccountId = Annotated[str, _format("account")]
Values = tuple[tuple[str, str], ...]
"""Names and values of the parameters agreed with a player; empty if nothing is agreed."""
Readings = tuple[tuple[str, str], ...]
"""Pairs of an ambiguity's id and the id of one of its readings, in the order of the rule card."""


_CARDS = {str(card): card for card in (Card(r, s) for r in RANKS for s in (*SUITS, None))}


def _write(value: Any) -> str:
    if type(value) in (Card, Translated):
        return str(value)
    if type(value) is Hex:
        return value.hex()
    raise NotCanonical(f"{type(value).__name__} has no canonical form")


def _read(kind: type, text: Any) -> Any:
    """Read a card or hex bytes; msgspec adds the field's path to a ValueError or TypeError."""
    if kind is Hex:
        return Hex.fromhex(text)
    if text not in _CARDS:
        raise ValueError(f"{text!r} is not a card")
    return _CARDS[text]


_ENCODER = msgspec.json.Encoder(enc_hook=_write, order="sorted")
encode = _ENCODER.encode
"""Return the canonical bytes of a value."""


class Decoder(Generic[T]):
    """Reads the canonical bytes of values of one type."""

    def __init__(self, kind: Any) -> None:
        self._decoder: msgspec.json.Decoder[T] = msgspec.json.Decoder(kind, dec_hook=_read)

    def decode(self, data: bytes) -> T:
        """Return the value with these canonical bytes; raise NotCanonical for any other bytes."""
        try:
            value = self._decoder.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise NotCanonical(f"{data[:60]!r} is not canonical: {error}") from None
        if encode(value) != data:
            raise NotCanonical(
                f"{data[:60]!r} is not in canonical form: sort the keys and leave out blanks"
            )
        return value


def to_plain(value: Any) -> Any:
    """Return a value as dicts, lists, strings and numbers, as decoded from its JSON."""
    return msgspec.json.decode(encode(value))


def canonical_text(plain: Any) -> str:
    """Return canonical JSON text of plain values; reject floats, whose text is not unique."""
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    json.loads(text, parse_float=_refuse_float, parse_constant=_refuse_float)
    return text


def _refuse_float(text: str) -> NoReturn:
    raise NotCanonical(f"{text} is a float: write money in coins, odds as a fraction")
