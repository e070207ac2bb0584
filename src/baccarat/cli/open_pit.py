"""`baccarat open-pit`: an account of the pit, opened by whoever runs the server.

From inside the house two people of the pit open another one's account, so the first two come from
here. It is in the journal as the operator's doing.
"""

import argparse
import time
from contextlib import closing

from baccarat.cli import DONE
from baccarat.cli.serve import store_address


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("store", metavar="STORE", help="a SQLite file or postgresql://…")
    parser.add_argument("id", metavar="ID", help="the account's id: small letters, digits, hyphens")
    parser.add_argument("name", metavar="NAME", help="as others see it")


def run(args: argparse.Namespace) -> int:
    from baccarat.house import jobs  # the prompt does not wait for these
    from baccarat.house.events import OPERATOR
    from baccarat.house.passwords import hash_password
    from baccarat.house.roles import Account, Role
    from baccarat.service.passwords import new_password
    from baccarat.store.sqlstore import SqlStore

    address = store_address(args.store, must_exist=True)
    account, password = Account(args.id, Role.PIT, args.name), new_password()
    with closing(SqlStore.open(address)) as store:
        hashed = hash_password(password)
        job = jobs.open_account(account, now, password=hashed, by=OPERATOR, given=True)
        (done,) = store.commit([job])
    if isinstance(done, Exception):
        raise done
    print(f"Account opened: {account.id} (pit)")
    print_password(password)
    return DONE


def print_password(password: str) -> None:
    """An initial password, which is printed nowhere else and never again."""
    print(f"Initial password: {password}")
    print("It expires in 24 hours and must be changed at the first sign-in.")


def now() -> int:
    return time.time_ns() // 1_000_000
