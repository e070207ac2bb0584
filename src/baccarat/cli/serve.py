"""`baccarat serve`: a house that is open."""

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path

from baccarat.cli import DONE
from baccarat.core.errors import BaccaratError

KEY = "BACCARAT_KEY"
PIT_PASSWORD = "BACCARAT_PIT_PASSWORD"  # noqa: S105  (the name of a variable)
TOKEN = "BACCARAT_OPERATIONS_TOKEN"  # noqa: S105  (the name of a variable)
SHORTEST_TOKEN = 16
STORE = "baccarat.db"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--house", type=Path, metavar="FILE", help="the house (house.toml)")
    parser.add_argument(
        "--store", default=STORE, metavar="STORE", help=f"a SQLite file ({STORE}) or postgresql://…"
    )
    parser.add_argument(
        "--key", type=Path, metavar="FILE", help=f"the vault's key; or {KEY} in the environment"
    )
    parser.add_argument("--host", default="127.0.0.1", help="where to listen (127.0.0.1)")
    parser.add_argument("--port", type=int, default=8000, help="0 for any that is free (8000)")
    parser.add_argument(
        "--sockets-per-address",
        type=int,
        default=500,
        metavar="N",
        help="connections that one address may have open (500)",
    )
    parser.add_argument(
        "--operations-token",
        type=Path,
        metavar="FILE",
        help="a file with the token for /metrics and the details of /ready, which are closed "
        f"without one; or {TOKEN} in the environment",
    )
    parser.add_argument(
        "--approved", metavar="DIGEST", help="serve only as this program (baccarat components)"
    )


def run(args: argparse.Namespace) -> int:
    # The prompt does not wait for these.
    from baccarat.house.housefile import default_house, load_house
    from baccarat.service.components import check_approved
    from baccarat.service.loop import run_loop
    from baccarat.store.engine import check_address
    from baccarat.web.logs import log_to
    from baccarat.web.serving import listening_at, serve

    if args.sockets_per_address < 1:
        raise BaccaratError(
            f"--sockets-per-address {args.sockets_per_address}: it must be 1 or more"
        )
    if args.approved is not None:
        check_approved(args.approved)
    house = load_house(args.house) if args.house else default_house()
    address = store_address(args.store)
    check_address(address)
    key, token = _key(args, address), _token(args)
    with listening_at(args.host, args.port) as at:
        log_to()

        def announce(where: str) -> None:
            print(f"{house.name}: {len(house.tables)} tables at {where}", flush=True)
            if sys.stdout.isatty():
                print("Open it in a browser; Ctrl-C ends it after the rounds.", flush=True)

        run_loop(
            serve(
                house,
                store=address,
                key=key,
                at=at,
                announce=announce,
                warn=warn,
                pit_password=os.environ.get(PIT_PASSWORD),
                sockets=args.sockets_per_address,
                operations_token=token,
            )
        )
    return DONE


def warn(words: str) -> None:
    print(f"baccarat: {words}", file=sys.stderr, flush=True)


def store_address(store: str, *, must_exist: bool = False) -> str:
    """A store's address; a plain name is a SQLite file."""
    if "://" in store:
        return store
    if must_exist and not Path(store).exists():
        raise BaccaratError(f"there is no store {store!r}: name a file that baccarat serve made")
    # An address is read with its name cut off at "?" and "%41" turned into "A".
    return "sqlite:///" + store.replace("%", "%25").replace("?", "%3F")


def _token(args: argparse.Namespace) -> str | None:
    """The operations token, from a file or from the environment; None for none."""
    token = os.environ.get(TOKEN)
    if args.operations_token is not None:
        try:
            token = args.operations_token.read_text(encoding="ascii").strip()
        except (OSError, ValueError) as error:
            raise BaccaratError(f"the operations token cannot be read: {error}") from None
    if token is not None and (len(token) < SHORTEST_TOKEN or not token.isascii()):
        raise BaccaratError(
            f"the operations token is too short: use at least {SHORTEST_TOKEN} random characters"
        )
    return token


def _key(args: argparse.Namespace, address: str) -> Callable[[bool], bytes]:
    """From the environment, or from a file beside the store, which is made when it is missing:
    asked for when everything else is well, so that a start that is refused leaves none behind.
    Where other servers are up there is a key already, and none is made."""
    from baccarat.service.driver import TERM
    from baccarat.store.engine import file_of
    from baccarat.store.vault import KEY_SIZE, key_from_file

    given = os.environ.get(KEY)
    if given is not None and args.key is None:
        try:
            key = bytes.fromhex(given)
        except ValueError:
            key = b""
        if len(key) != KEY_SIZE:
            raise BaccaratError(f"{KEY} is no key: it holds {2 * KEY_SIZE} hexadecimal digits")
        return lambda _: key
    if args.key is None and not address.startswith("sqlite:"):
        raise BaccaratError(
            f"a PostgreSQL store needs the key that all its servers share: give --key FILE, or set "
            f"{KEY}"
        )
    path = args.key or Path(file_of(address) + ".key")
    if path.exists():  # one that is no key is found out before a store is made
        key = key_from_file(path)
        if os.name == "posix" and path.stat().st_mode & 0o077:
            warn(f"others than its owner may read the key file {path}: chmod 600 {path}")
        return lambda _: key

    def made(others_up: bool) -> bytes:  # noqa: FBT001
        if others_up:
            raise BaccaratError(
                f"there is no key file {path}, and other servers of this house are up: give --key "
                f"the file that they have; one that was killed counts for {TERM // 1000} s"
            )
        return key_from_file(path)

    return made
