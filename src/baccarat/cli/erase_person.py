"""`baccarat erase-person`: erase the personal data of a player with no balance, or of a closed
staff account.

The journal keeps the account's id and actions, and its hash chain remains valid.
"""

import argparse

from baccarat.cli import DONE
from baccarat.cli.export_person import add_arguments as add_arguments
from baccarat.cli.shared.stores import commit, open_store


def run(args: argparse.Namespace) -> int:
    from baccarat.house.personal_data import erase_person
    from baccarat.store.sqlstore import system_clock

    with open_store(args.store) as store:
        known = store.person_signing_in(args.id)
        account = known.account.id if known else args.id
        commit(store, [erase_person(account, system_clock)])
    print(f"Personal data erased: {args.id}")
    return DONE
