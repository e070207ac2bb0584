"""Idempotency keys: a command that is sent again is answered again, not done again.

The sender makes the key. The same key with the same body gets the same answer; with another body
it is refused. The one rule: a key belongs to its sender, and nobody can use another's.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from baccarat.core.errors import BaccaratError
from baccarat.table.refusals import Code, Refused

LONGEST_KEY = 80


@dataclass(frozen=True)
class Key:
    """Who sends it, and the key they made."""

    owner: str
    key: str

    def __post_init__(self) -> None:
        if not 0 < len(self.key) <= LONGEST_KEY or not self.key.isprintable():
            raise BaccaratError(
                f"{self.key[:LONGEST_KEY]!r} is no idempotency key: 1 to {LONGEST_KEY} printable "
                "characters, new for every command"
            )


def answer_of(first: int, bodies: Sequence[bytes], warnings: Sequence[str] = ()) -> bytes:
    """What a sender is told: the events that a command caused, and the number of the first."""
    warned = b',"warnings":%b' % json.dumps(warnings).encode() if warnings else b""
    return b'{"events":[%b],"first":%d%b}' % (b",".join(bodies), first, warned)


def digest(body: bytes) -> bytes:
    """What is kept of a command, to know it again."""
    return sha256(body).digest()


def check_same(before: bytes, body: bytes) -> None:
    """Nothing, or Refused when what was asked before under the key, by its digest, was another."""
    if before != digest(body):
        raise Refused(
            Code.KEY_REUSED,
            "this idempotency key was used for another command: make a new key for a new command",
        )
