"""The vault: secrets encrypted at rest with a key that is not in the database.

Undealt cards are stored as AES-256-GCM ciphertext that is bound to the shoe's id, and the secrets
of second factors as ciphertext that is bound to the account. The key is in a
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
_NOT_OURS = (
    "cannot decrypt the secret of {}: it is damaged or was encrypted with another key; start the "
    "server with the key that encrypted it"
)


class VaultError(BaccaratError):
    """A secret cannot be decrypted; the message reveals nothing about the secret."""


class Vault:
    """Encrypts and decrypts secrets with one key."""

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
        return self.encrypt(encode(shoe), shoe.terms.shoe)

    def open(self, shoe: bytes, sealed: bytes) -> SealedShoe:
        """Return the decrypted shoe with this id, or raise VaultError."""
        try:
            return _SHOES.decode(self.decrypt(sealed, shoe))
        except (InvalidTag, ValueError, NotCanonical):
            raise VaultError(_NOT_OURS.format(f"shoe {shoe.hex()}")) from None

    def second_factor(self, account: str, sealed: bytes) -> bytes:
        """Return the decrypted secret of an account's second factor, or raise VaultError."""
        try:
            return self.decrypt(sealed, second_factor_id(account))
        except (InvalidTag, ValueError):
            raise VaultError(_NOT_OURS.format(f"the second factor of {account}")) from None

    def encrypt(self, plain: bytes, bound_to: bytes) -> bytes:
        """Return ciphertext that can only be decrypted together with the same `bound_to`."""
        nonce = os.urandom(NONCE_SIZE)
        return nonce + self._cipher.encrypt(nonce, plain, bound_to)

    def decrypt(self, sealed: bytes, bound_to: bytes) -> bytes:
        """Return the plaintext, or raise InvalidTag or ValueError."""
        return self._cipher.decrypt(sealed[:NONCE_SIZE], sealed[NONCE_SIZE:], bound_to)


def second_factor_id(account: str) -> bytes:
    """Return what the ciphertext of an account's second factor is bound to."""
    return f"second factor of {account}".encode()


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
