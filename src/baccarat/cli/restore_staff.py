"""`baccarat restore-staff`: give one of the staff their account back, by whoever runs the server.

Lifts a suspension, if there is one, and prints a new initial password. From inside the house that
takes two people for the pit and cashiers, who may not be there. It is in the journal as the
operator's doing.
"""

import argparse
from contextlib import closing

from baccarat.cli import DONE
from baccarat.cli.open_pit import now, print_password
from baccarat.cli.serve import store_address
from baccarat.core.errors import BaccaratError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("store", metavar="STORE", help="a SQLite file or postgresql://…")
    parser.add_argument("id", metavar="ID", help="the account's id")


def run(args: argparse.Namespace) -> int:
    from baccarat.house import jobs  # the prompt does not wait for these
    from baccarat.house.events import OPERATOR
    from baccarat.house.passwords import hash_password
    from baccarat.service.passwords import new_password
    from baccarat.store.sqlstore import SqlStore

    address, password = store_address(args.store, must_exist=True), new_password()
    with closing(SqlStore.open(address)) as store:
        found = store.person(args.id)
        if found is None:
            raise BaccaratError(f"there is no account {args.id!r}: check the id")
        due = [jobs.issue_password(args.id, hash_password(password), OPERATOR, now)]
        if found.account.suspended and not found.account.closed:
            due.append(jobs.lift_suspension(args.id, OPERATOR, now))
        for done in store.commit(due):
            if isinstance(done, Exception):
                raise done
    print(f"Account restored: {args.id} ({found.account.role})")
    print_password(password)
    return DONE
