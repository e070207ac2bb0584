"""The stores of houses: how commands name and open them, and the operator's changes."""

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
    """Return a store's address; a plain name is a SQLite file."""
    # In an address, the file name would end at "?" and "%41" would become "A".
    escaped = store.replace("%", "%25").replace("?", "%3F")
    return store if "://" in store else f"sqlite:///{escaped}"


def existing_store(store: str) -> str:
    """Return the address of a store; refuse a file that does not exist."""
    if "://" not in store and not Path(store).exists():
        raise BaccaratError(
            f"store {store!r} does not exist: give a file created by baccarat serve"
        )
    return store_address(store)


@contextmanager
def open_store(store: str) -> "Iterator[SqlStore]":
    """Open an existing store and close it afterwards; this needs the extra `house`."""
    from baccarat.store.sqlstore import SqlStore  # slow to import

    with closing(SqlStore.open(existing_store(store))) as opened:
        yield opened


def commit(store: "SqlStore", jobs: "Iterable[Job]") -> None:
    """Carry out the operator's jobs, or raise the reason one is refused."""
    for done in store.commit(list(jobs)):
        if isinstance(done, Exception):
            raise done


def print_account(done: str, account: str, role: str, password: str) -> None:
    """Print the result for an account and its initial password, which is shown only here."""
    print(f"Account {done}: {account} ({role})")
    print(f"Initial password: {password}")
    print("It expires in 24 hours and must be changed at the first sign-in.")
