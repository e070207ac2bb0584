"""A player's balances."""

from baccarat.house.money.ledger import bonus_account, real_account
from baccarat.store.sqlstore import SqlStore
from baccarat.web.schema.players import Money


def balance_of(store: SqlStore, account: str) -> Money:
    """Return a player's real and bonus balances in coins; a guest's are play money."""
    return {
        "real": store.balance(real_account(account)),
        "bonus": store.balance(bonus_account(account)),
    }
