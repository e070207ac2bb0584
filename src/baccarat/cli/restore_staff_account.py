"""`baccarat restore-staff-account`: restore a staff account, as the operator of the server.

This lifts a suspension, if any, and prints a new initial password. In a running house, restoring a
pit or cashier account takes two people, who may not be available. The journal records the operator
as the one who restored it.
"""

import argparse
from functools import partial

from baccarat.cli import DONE, export_person
from baccarat.cli.shared.stores import commit, open_store, print_account
from baccarat.core.errors import BaccaratError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    export_person.add_arguments(parser)
    words = "also remove the account's second factor, so that its owner can sign in without it"
    parser.add_argument("--remove-second-factor", action="store_true", help=words)


def run(args: argparse.Namespace) -> int:
    from baccarat.house import jobs  # slow to import
    from baccarat.house.events import OPERATOR
    from baccarat.house.people import accounts
    from baccarat.house.people.passwords import hash_password
    from baccarat.service.environment import new_password
    from baccarat.store.sqlstore import system_clock

    password = new_password()
    with open_store(args.store) as store:
        found = store.person(args.id)
        if found is None:
            raise BaccaratError(f"account {args.id!r} does not exist: check the id")
        issue = partial(accounts.issue_password, password=hash_password(password))
        due = [jobs.about_staff(args.id, OPERATOR, system_clock, issue)]
        if found.account.suspended and not found.account.closed:
            due.append(jobs.about_staff(args.id, OPERATOR, system_clock, accounts.lift_suspension))
        if args.remove_second_factor:
            remove = accounts.remove_second_factor
            due.append(jobs.about_staff(args.id, OPERATOR, system_clock, remove))
        commit(store, due)
    print_account("restored", args.id, found.account.role, password)
    return DONE
