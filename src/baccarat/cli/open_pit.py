"""`baccarat open-pit`: an account of the pit, opened by whoever runs the server.

From inside the house two people of the pit open another one's account, so the first two come from
here. It is in the journal as the operator's doing.
"""

import argparse
import getpass
import os
import sys
import time
from contextlib import closing

from baccarat.cli import DONE
from baccarat.cli.serve import PIT_PASSWORD, store_address
from baccarat.core.errors import BaccaratError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("store", metavar="STORE", help="a SQLite file or postgresql://…")
    parser.add_argument("id", metavar="ID", help="the account's id: small letters, digits, hyphens")
    parser.add_argument("name", metavar="NAME", help="as others see it")


def run(args: argparse.Namespace) -> int:
    from baccarat.house import jobs  # the prompt does not wait for these
    from baccarat.house.events import OPERATOR
    from baccarat.house.passwords import hash_password
    from baccarat.house.roles import Account, Role
    from baccarat.store.sqlstore import SqlStore

    address = store_address(args.store, must_exist=True)
    account = Account(args.id, Role.PIT, args.name)
    with closing(SqlStore.open(address)) as store:
        hashed = hash_password(_password(account.id))
        job = jobs.open_account(account, _now, password=hashed, by=OPERATOR, given=True)
        (done,) = store.commit([job])
    if isinstance(done, Exception):
        raise done
    print(f"{account.id} is of the pit. They choose another password when they first sign in.")
    return DONE


def _password(account: str) -> str:
    """From the environment, or typed where nobody sees it."""
    given = os.environ.get(PIT_PASSWORD)
    if given is not None:
        return given
    if not sys.stdin.isatty():
        raise BaccaratError(f"no password for {account}: set {PIT_PASSWORD}, or type it")
    return getpass.getpass(f"A first password for {account}: ")


def _now() -> int:
    return time.time_ns() // 1_000_000
