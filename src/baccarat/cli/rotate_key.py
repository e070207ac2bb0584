"""`baccarat rotate-key`: replace the key of a store that no server is using.

Undealt cards and second factors are encrypted again with the new key, in one transaction, and all
sessions end. The old key is kept beside the new one, because earlier backups need it.
"""

import argparse
from pathlib import Path

from baccarat.cli import DONE
from baccarat.cli.shared.options import add_file
from baccarat.cli.shared.stores import add_store, commit, open_store
from baccarat.core.errors import BaccaratError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_store(parser)
    add_file(parser, "--key", "file with the current key (default: STORE.key)")


def run(args: argparse.Namespace) -> int:
    from baccarat.service.balancing import others_up
    from baccarat.store.rotation import rotate
    from baccarat.store.sqlstore import system_clock
    from baccarat.store.vault import Vault, key_from_file

    path = args.key or Path(f"{args.store}.key")
    new, old = (path.with_name(f"{path.name}.{suffix}") for suffix in ("new", "old"))
    if not path.exists():
        raise BaccaratError(f"key file {path} does not exist: give the current key with --key")
    for file in (new, old):
        if file.exists():
            raise BaccaratError(
                f"{file} exists: move it to a safe place first (after an interrupted rotation, the "
                f"server starts with either {path} or {new})"
            )
    with open_store(args.store) as store:
        if running := others_up(store.servers(), system_clock()):
            raise BaccaratError(f"stop the servers of this house first: {', '.join(running)}")
        before, after = (Vault(key_from_file(file)) for file in (path, new))
        try:
            job = rotate(store, before, after, system_clock)
        except BaccaratError:
            new.unlink()
            raise
        commit(store, [job])
    path.rename(old)
    new.rename(path)
    print(f"New key: {path}")
    print(f"Old key: {old} (earlier backups need it; store it away from them)")
    return DONE
