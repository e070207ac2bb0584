"""Encrypts a store's secrets again with a new key."""

from cryptography.exceptions import InvalidTag
from sqlalchemy import select

from baccarat.house.events import OPERATOR, STREAM, KeyRotated
from baccarat.house.outcomes import Outcome, Resealed, SideChanges
from baccarat.house.ports import Clock, Job, Need, View
from baccarat.store import schema as s
from baccarat.store.sqlstore import SqlStore
from baccarat.store.vault import Vault, VaultError, second_factor_id


def rotate(store: SqlStore, old: Vault, new: Vault, clock: Clock) -> Job:
    """Return the job that replaces the key of a store which no server is using.

    Shoes that the old key does not decrypt were encrypted with a key that was lost before; they
    stay as they are. If the old key does not decrypt a second factor, it is the wrong key.
    """
    shoes: dict[bytes, bytes] = {}
    for row in store.rows(select(s.shoes.c.shoe, s.shoes.c.sealed)):
        try:
            shoes[row.shoe] = new.encrypt(old.decrypt(row.sealed, row.shoe), row.shoe)
        except (InvalidTag, ValueError):
            continue
    staff = store.rows(select(s.people).where(s.people.c.second_factor.is_not(None)))
    factors = {
        row.id: new.encrypt(old.second_factor(row.id, row.second_factor), second_factor_id(row.id))
        for row in staff
    }
    if not shoes and not factors and store.rows(select(s.shoes.c.shoe).limit(1)):
        raise VaultError("the key decrypts nothing in this store: give its current key")

    def work(view: View) -> Outcome:
        rotated = KeyRotated(view.now, new.mark, OPERATOR)
        return Outcome((rotated,), side_changes=SideChanges(resealed=Resealed(shoes, factors)))

    return Job(Need(STREAM), work, clock=clock)
