"""Passwords: argon2id, and nothing else knows how.

In goes a password, out comes a string that holds salt, cost and hash. The one rule: the cost is
the house's (19 MiB, two passes), and a hash made at another cost is made anew at the next sign-in.
"""

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from baccarat.core.errors import BaccaratError
from baccarat.house.weak_passwords import weakness

SHORTEST, LONGEST = 8, 200
_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


def hash_password(password: str) -> str:
    """The string to keep."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise BaccaratError(
            f"a password has {SHORTEST} to {LONGEST} characters, and this one {len(password)}"
        )
    return _HASHER.hash(password)


def check_chosen(password: str, *own: str, house: str = "") -> None:
    """Nothing, or a BaccaratError when a person chose a password that is guessed first.

    `own` are the account's id and name.
    """
    found = weakness(password, *own, house=house)
    if found is not None:
        raise BaccaratError(
            f"this password {found}: choose another, such as a few words that only you put together"
        )


def is_password(kept: str, password: str) -> bool:
    """Is this the password? A damaged string is nobody's password."""
    try:
        return _HASHER.verify(kept, password[: LONGEST + 1])
    except (VerificationError, InvalidHashError):
        return False


def should_be_renewed(kept: str) -> bool:
    """Was it made at another cost than today's?"""
    return _HASHER.check_needs_rehash(kept)
