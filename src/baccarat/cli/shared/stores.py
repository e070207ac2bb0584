"""Opens the stores that commands name, and commits the operator's changes."""

import argparse
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from baccarat.cli.shared.options import add_value
from baccarat.core.errors import BaccaratError

if TYPE_CHECKING:
    from baccarat.house.ports import Job
    from baccarat.store.sqlstore import SqlStore


def add_store(parser: argparse.ArgumentParser) -> None:
    words = "the store of a house: a SQLite file, or a postgresql:// address"
    add_value(parser, "store", "STORE", words)


def store_address(store: str) -> str:
    """Return a store's database URL; a plain name is taken as the name of a SQLite file."""
    # In a URL, the file name would end at "?" and "%41" would become "A".
    escaped = store.replace("%", "%25").replace("?", "%3F")
    return store if "://" in store else f"sqlite:///{escaped}"


def existing_store(store: str) -> str:
    """Return a store's database URL; raise an error if it is a file that does not exist."""
    if "://" not in store and not Path(store).exists():
        raise BaccaratError(
            f"store {store!r} does not exist: give a file created by baccarat serve"
        )
    return store_address(store)


@contextmanager
def open_store(store: str) -> "Iterator[SqlStore]":
    """Open an existing store, and close it afterwards. Needs the extra `house`."""
    from baccarat.store.sqlstore import SqlStore  # slow to import

    with closing(SqlStore.open(existing_store(store))) as opened:
        yield opened


def commit(store: "SqlStore", jobs: "Iterable[Job]") -> None:
    """Carry out the operator's jobs; raise an error with the reason if one of them is refused."""
    for done in store.commit(list(jobs)):
        if isinstance(done, Exception):
            raise done


def print_account(done: str, account: str, role: str, password: str) -> None:
    """Print what was done to an account, and its initial password, which is never shown again."""
    print(f"Account {done}: {account} ({role})")
    print(f"Initial password: {password}")
    print("It expires in 24 hours and must be changed at the first sign-in.")
