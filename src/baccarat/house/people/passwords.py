"""Hashes and verifies passwords with argon2id (19 MiB, two passes).

A stored string contains the salt, the cost parameters and the hash, so a hash with other cost
parameters can still be verified.
"""

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from baccarat.core.errors import BaccaratError

SHORTEST, LONGEST = 8, 200
_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


def hash_password(password: str) -> str:
    """Return the hash to store, or raise BaccaratError if the password is too short or too long."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise BaccaratError(
            f"Use {SHORTEST} to {LONGEST} characters: this password has {len(password)}."
        )
    return _HASHER.hash(password)


def is_password(kept: str, password: str) -> bool:
    """Return whether the password matches the stored hash; false if the hash is damaged."""
    try:
        return _HASHER.verify(kept, password[: LONGEST + 1])
    except (VerificationError, InvalidHashError):
        return False
