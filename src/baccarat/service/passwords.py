"""Initial passwords of staff accounts, which nobody chooses."""

import secrets


def new_password() -> str:
    """Return a random password, to be shown once and changed at the first sign-in."""
    return secrets.token_urlsafe(12)
