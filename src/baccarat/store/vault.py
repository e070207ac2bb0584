"""The vault: undealt cards, encrypted at rest by a key that is not in the database.

In goes a sealed shoe, out comes AES-256-GCM ciphertext bound to the shoe's id, and back. The one
rule: the key lives in a file or in the environment of the server, never in the store, and nothing
here shows a card.
"""

import hmac
import json
import os
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from baccarat.core.errors import BaccaratError
from baccarat.shoe.commitment import SealedShoe
from baccarat.table.canonical import canonical_bytes, from_plain

KEY_SIZE, NONCE_SIZE = 32, 12


class VaultError(BaccaratError):
    """A secret that cannot be opened; the message shows nothing of it."""


class Vault:
    """Seals and opens the secrets of shoes under one key."""

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_SIZE:
            raise VaultError(f"a vault's key has {KEY_SIZE} bytes, not {len(key)}")
        self._cipher = AESGCM(key)
        self.mark = hmac.digest(key, b"baccarat/mark/1", "sha256").hex()[:8]
        """It tells keys apart, and nothing of what they are."""

    def __repr__(self) -> str:
        return "Vault(key not shown)"

    def seal(self, shoe: SealedShoe) -> bytes:
        """The ciphertext to keep."""
        plain = canonical_bytes(shoe)
        nonce = os.urandom(NONCE_SIZE)
        return nonce + self._cipher.encrypt(nonce, plain, shoe.terms.shoe)

    def open(self, shoe: bytes, sealed: bytes) -> SealedShoe:
        """The shoe of this id."""
        nonce, data = sealed[:NONCE_SIZE], sealed[NONCE_SIZE:]
        try:
            plain = self._cipher.decrypt(nonce, data, shoe)
        except (InvalidTag, ValueError):
            raise VaultError(
                f"the secret of shoe {shoe.hex()} cannot be opened: it was damaged, or sealed "
                "under another key; start with the key file it was made with"
            ) from None
        return from_plain(SealedShoe, json.loads(plain))


def key_from_file(path: Path) -> bytes:
    """The key of a file, which is made, for its owner's eyes only, when it is not there."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return _read_key(path)
    except OSError as error:
        raise VaultError(f"the key file {path} cannot be made: {error.strerror}") from error
    key = os.urandom(KEY_SIZE)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(key.hex() + "\n")
        file.flush()
        os.fsync(file.fileno())
    return key


def _read_key(path: Path) -> bytes:
    try:
        key = bytes.fromhex(path.read_text(encoding="ascii"))
    except OSError as error:
        raise VaultError(f"the key file {path} cannot be read: {error.strerror}") from error
    except ValueError:
        key = b""
    if len(key) != KEY_SIZE:
        raise VaultError(f"{path} is no key file: it holds {2 * KEY_SIZE} hexadecimal digits")
    return key
