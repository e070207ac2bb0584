"""The device cookie: an encrypted list of the accounts that signed in with a browser.

"The same device" means the same browser with the same cookies. Browsers are not fingerprinted. The
list is stored only in the browser, encrypted, so that the next person who uses the browser can
neither read the list nor add a name. A browser whose cookies were cleared, or another browser, is
another device. So the cookie can show that accounts share a browser, but never that they do not.
The cookie is only evidence for the pit, because it can be copied from one browser to another.
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
MAX_REMEMBERED = 10
_NONCE = 12


class Devices:
    """Encrypts and decrypts the device cookie with a key derived from the house's key."""

    def __init__(self, secret: bytes) -> None:
        self._cipher = AESGCM(hmac.digest(secret, b"baccarat/device/1", sha256))

    def seal(self, accounts: list[str]) -> str:
        nonce = os.urandom(_NONCE)
        plain = json.dumps(accounts[-MAX_REMEMBERED:]).encode()
        sealed = base64.urlsafe_b64encode(nonce + self._cipher.encrypt(nonce, plain, None))
        return sealed.decode().rstrip("=")  # a cookie with "=" in it would be quoted

    def open(self, cookie: str) -> list[str]:
        """Return the accounts in a cookie, oldest first; none if the cookie is not genuine."""
        try:
            data = base64.urlsafe_b64decode((cookie + "=" * (-len(cookie) % 4)).encode())
            plain = self._cipher.decrypt(data[:_NONCE], data[_NONCE:], None)
        except (InvalidTag, binascii.Error, ValueError):
            return []
        return [str(one) for one in json.loads(plain)]
