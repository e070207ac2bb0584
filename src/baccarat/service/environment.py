"""The environment of a service: its store, vault, clock, randomness and name."""

import secrets
from dataclasses import dataclass, field

from baccarat.house.ports import Clock
from baccarat.store.sqlstore import AsyncStore
from baccarat.store.vault import Vault
from baccarat.table.automatic.dealer import Randomness


@dataclass(frozen=True)
class Environment:
    """Everything external that a service uses."""

    keeper: AsyncStore
    vault: Vault
    clock: Clock
    randomness: Randomness
    holder: str
    """The name under which this server takes leases, unique for each server and each run."""
    webhook_secret: str = field(default="", repr=False)
    """The secret that signs alerts which are sent on."""


def new_holder(vault: Vault) -> str:
    """Return a new server name, which includes the identifier of this server's key."""
    return f"server-{vault.mark}-{secrets.token_hex(4)}"


def has_another_key(holder: str, vault: Vault) -> bool:
    """Return whether a server's name has the identifier of a different key.

    Names from older versions do not have an identifier.
    """
    parts = holder.split("-")
    return len(parts) == 3 and parts[1] != vault.mark


def new_password() -> str:
    """Return a random initial password, to be shown once and changed at the first sign-in."""
    return secrets.token_urlsafe(12)
