"""`baccarat create-pit-account`: open an account for the pit or a cashier, as the operator.

In a running house, two members of the pit open such an account together, and afterwards neither of
them may approve a four-eyes decision with its owner. So the first accounts are opened with this
command. The journal records the operator as the one who opened them.
"""

import argparse

from baccarat.cli import DONE
from baccarat.cli.shared.options import add_choice, add_value
from baccarat.cli.shared.stores import add_store, commit, open_store, print_account


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_store(parser)
    words = "the id to sign in with: lower-case letters, digits and hyphens"
    add_value(parser, "id", "ID", words)
    add_value(parser, "name", "NAME", "the name shown to others")
    add_choice(parser, "--role", ("pit", "cashier"), "role of the account", "pit")


def run(args: argparse.Namespace) -> int:
    from baccarat.house import jobs  # slow to import
    from baccarat.house.events import OPERATOR
    from baccarat.house.people.passwords import hash_password
    from baccarat.house.people.roles import Account, Role
    from baccarat.service.environment import new_password
    from baccarat.store.sqlstore import system_clock

    account, password = Account(args.id, Role(args.role), args.name), new_password()
    with open_store(args.store) as store:
        hashed = hash_password(password)
        job = jobs.open_account(account, system_clock, password=hashed, by=OPERATOR, given=True)
        commit(store, [job])
    print_account("created", account.id, account.role, password)
    return DONE
