"""Passwords, stored as argon2id hashes (19 MiB, two passes).

A stored string holds salt, cost and hash, so a hash made at another cost still verifies.
"""

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from baccarat.core.errors import BaccaratError

SHORTEST, LONGEST = 8, 200
_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


def hash_password(password: str) -> str:
    """Return the string to store, or raise BaccaratError for a bad length."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise BaccaratError(
            f"Use {SHORTEST} to {LONGEST} characters: this password has {len(password)}."
        )
    return _HASHER.hash(password)


def is_password(kept: str, password: str) -> bool:
    """Return whether this is the password; never true if the stored string is damaged."""
    try:
        return _HASHER.verify(kept, password[: LONGEST + 1])
    except (VerificationError, InvalidHashError):
        return False
