"""A second factor for staff: time-based one-time codes (TOTP, RFC 6238), and recovery codes.

A code can be used once: the store keeps the time step of the last code, and only later steps are
accepted. Recovery codes replace a lost phone; each can be used once, and the store keeps only their
digests. The secret is stored encrypted; neither it nor any code is ever in a journal.
"""

import base64
import hmac
from hashlib import sha256
from typing import NamedTuple
from urllib.parse import quote

STEP_MS, DIGITS = 30_000, 6
"""How long a code is shown, and its length; authenticator apps use these values by default."""
DRIFT = 1
"""Number of steps by which a phone's clock may be fast or slow."""
SECRET_BYTES = 20
RECOVERY_CODES = 10


class SecondFactor(NamedTuple):
    """An account's second factor, as it is stored."""

    sealed: bytes
    """The encrypted secret."""
    last_step: int
    """Time step of the last code that was used."""
    recovery: tuple[str, ...]
    """Digests of the recovery codes that have not been used yet."""


def code_at(secret: bytes, step: int) -> str:
    """Return the code of a time step (RFC 4226, section 5.3)."""
    digest = hmac.digest(secret, step.to_bytes(8, "big"), "sha1")
    start = digest[-1] & 15
    number = int.from_bytes(digest[start : start + 4], "big") & 0x7FFF_FFFF
    return str(number % 10**DIGITS).zfill(DIGITS)


def step_of(secret: bytes, code: str, now: int, *, after: int = 0) -> int | None:
    """Return the time step of a code, or None if it is wrong or not later than step `after`."""
    current = now // STEP_MS
    for step in range(max(current - DRIFT, after + 1), current + DRIFT + 1):
        if hmac.compare_digest(code_at(secret, step).encode(), _plain(code).encode()):
            return step
    return None


def in_base32(secret: bytes) -> str:
    """Return a secret as people type it into an authenticator app."""
    return base64.b32encode(secret).decode("ascii")


def setup_address(secret: bytes, account: str, house: str) -> str:
    """Return the address that authenticator apps read from a QR code."""
    issuer = quote(house, safe="")
    return f"otpauth://totp/{issuer}:{account}?secret={in_base32(secret)}&issuer={issuer}"


def recovery_digest(code: str) -> str:
    """Return the digest of a recovery code that the store keeps; random codes need no salt."""
    return sha256(f"baccarat/recovery/1 {_plain(code)}".encode()).hexdigest()


def _plain(code: str) -> str:
    return code.replace(" ", "").replace("-", "").lower()
