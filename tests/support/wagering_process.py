"""A server to be killed: deals and wagers for ever, and prints every key that was answered.

python wagering_process.py ADDRESS SEED
"""

import random
import sys

from baccarat.house.ports import Done
from baccarat.store.sqlstore import SqlStore
from support.stores import TERM, Evening


def main(address: str, seed: str) -> None:
    store, rng = SqlStore.open(address), random.Random(seed)
    evening = Evening(store)
    if store.head("house").sequence == 0:
        evening.open(ann=10**6, bob=10**6)
    else:  # continue where the killed process stopped
        evening.now = evening.state.at + TERM
        evening.random = random.Random(f"shoes {seed}")
        evening.lease(f"server {seed}")
    while True:
        if evening.state.round.phase != "open":
            evening.until("open")
        for n in range(8):
            key = f"{seed}-{evening.state.round.number}-{n}"
            wagers = [
                evening.wager(player, ("player", rng.choice([500, 1000, 1500])), key=key)
                for player in ("ann", "bob")
            ]
            for player, result in zip(("ann", "bob"), store.commit(wagers), strict=True):
                if isinstance(result, Done):
                    print(player, key, flush=True)
        evening.until("settled")


if __name__ == "__main__":
    main(*sys.argv[1:])
