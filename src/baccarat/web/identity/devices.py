"""The device: a sealed cookie in which a browser carries the accounts that signed in with it.

All that "the same device" means here is the same browser with the same cookies. Nothing is
measured, and the house keeps no list: the browser keeps it, encrypted, so that nobody who uses it
next can read it or put a name in. Whoever clears cookies, or uses another browser, is another
device. The one rule: it can show that accounts share a browser, never that they do not. It is
evidence for the pit and nothing more: a whole cookie can be copied from one browser to another.
"""

import base64
import binascii
import hmac
import json
import os
from hashlib import sha256

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

COOKIE = "baccarat_device"
LASTS_S = 365 * 24 * 3600
MOST_REMEMBERED = 10
_NONCE = 12


class Devices:
    """Seals and opens the cookie under a key of the house."""

    def __init__(self, secret: bytes) -> None:
        self._cipher = AESGCM(hmac.digest(secret, b"baccarat/device/1", sha256))

    def seal(self, accounts: list[str]) -> str:
        nonce = os.urandom(_NONCE)
        plain = json.dumps(accounts[-MOST_REMEMBERED:]).encode()
        sealed = base64.urlsafe_b64encode(nonce + self._cipher.encrypt(nonce, plain, None))
        return sealed.decode().rstrip("=")  # a cookie with "=" in it would be quoted

    def open(self, cookie: str) -> list[str]:
        """The accounts, oldest first; none for a cookie that was not sealed here."""
        try:
            data = base64.urlsafe_b64decode((cookie + "=" * (-len(cookie) % 4)).encode())
            plain = self._cipher.decrypt(data[:_NONCE], data[_NONCE:], None)
        except (InvalidTag, binascii.Error, ValueError):
            return []
        return [str(one) for one in json.loads(plain)]
