"""The vault: undealt cards, encrypted at rest with a key that is not in the database.

Sealed shoes are stored as AES-256-GCM ciphertext that is bound to the shoe's id. The key is in a
file or in the server's environment, never in the store. No message or repr here shows a card.
"""

import hmac
import os
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from baccarat.core.errors import BaccaratError
from baccarat.shoe.commitment import SealedShoe
from baccarat.table.codec import Decoder, NotCanonical, encode

KEY_SIZE, NONCE_SIZE = 32, 12
_SHOES: Decoder[SealedShoe] = Decoder(SealedShoe)


class VaultError(BaccaratError):
    """A secret cannot be decrypted; the message reveals nothing about the secret."""


class Vault:
    """Encrypts and decrypts the secrets of shoes with one key."""

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_SIZE:
            raise VaultError(f"the key must have {KEY_SIZE} bytes, not {len(key)}")
        self._cipher = AESGCM(key)
        self.mark = hmac.digest(key, b"baccarat/mark/1", "sha256").hex()[:8]
        """A short identifier of the key, which does not reveal the key."""

    def __repr__(self) -> str:
        return "Vault(key not shown)"

    def seal(self, shoe: SealedShoe) -> bytes:
        """Return the ciphertext of a shoe's secret, to be stored."""
        plain = encode(shoe)
        nonce = os.urandom(NONCE_SIZE)
        return nonce + self._cipher.encrypt(nonce, plain, shoe.terms.shoe)

    def open(self, shoe: bytes, sealed: bytes) -> SealedShoe:
        """Return the decrypted shoe with this id, or raise VaultError."""
        nonce, data = sealed[:NONCE_SIZE], sealed[NONCE_SIZE:]
        try:
            return _SHOES.decode(self._cipher.decrypt(nonce, data, shoe))
        except (InvalidTag, ValueError, NotCanonical):
            raise VaultError(
                f"cannot decrypt the secret of shoe {shoe.hex()}: it is damaged or was encrypted "
                "with another key; start the server with the key that encrypted it"
            ) from None


def key_from_file(path: Path) -> bytes:
    """Return the key from a file; if there is no file, create one that only its owner can read."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return _read_key(path)
    except OSError as error:
        raise VaultError(f"cannot create the key file {path}: {error.strerror}") from error
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
        raise VaultError(f"cannot read the key file {path}: {error.strerror}") from error
    except ValueError:
        key = b""
    if len(key) != KEY_SIZE:
        raise VaultError(
            f"{path} is not a key file: it must have {2 * KEY_SIZE} hexadecimal digits"
        )
    return key
