"""`baccarat serve`: run a server with the live tables of a house."""

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path

from baccarat.cli import DONE
from baccarat.cli.shared.options import add_file, add_number, add_value, check_range
from baccarat.cli.shared.printing import counted
from baccarat.cli.shared.stores import store_address
from baccarat.core.errors import BaccaratError

KEY = "BACCARAT_KEY"
PIT_PASSWORD = "BACCARAT_PIT_PASSWORD"  # noqa: S105  (the name of a variable)
WEBHOOK_SECRET = "BACCARAT_WEBHOOK_SECRET"  # noqa: S105  (the name of a variable)
TOKEN = "BACCARAT_OPERATIONS_TOKEN"  # noqa: S105  (the name of a variable)
SHORTEST_TOKEN = 16
STORE = "baccarat.db"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file(parser, "--house", "house file (default: a demo house with every built-in game)")
    words = "SQLite file or postgresql:// address of the data"
    add_value(parser, "--store", "STORE", words, default=STORE)
    add_file(parser, "--key", f"file with the encryption key for undealt cards; or set {KEY}")
    add_value(parser, "--host", None, "address to listen on", default="127.0.0.1")
    add_number(parser, "--port", "port to listen on, or 0 for any free port", 8000)
    words = "maximum open connections from one IP address"
    add_number(parser, "--max-connections-per-ip", words, 500)
    words = f"file with the access token for /metrics and the details of /ready; or set {TOKEN}"
    add_file(parser, "--operations-token", words)
    words = "start only if the program has this checksum (see baccarat checksum)"
    add_value(parser, "--require-checksum", "SHA256", words)


def run(args: argparse.Namespace) -> int:
    # These are slow to import.
    from baccarat.house.housefile import default_house, load_house
    from baccarat.service.checksum import check_approved
    from baccarat.service.event_loop import run_loop
    from baccarat.web.server.logs import log_to
    from baccarat.web.server.process import listening_at, serve

    check_range("--max-connections-per-ip", args.max_connections_per_ip, 1)
    if args.require_checksum is not None:
        check_approved(args.require_checksum)
    house = load_house(args.house) if args.house else default_house()
    address = store_address(args.store)
    key, token = _key(args, address), _token(args)
    with listening_at(args.host, args.port) as at:
        log_to()

        def announce(where: str) -> None:
            print(f"{house.name}: {counted(len(house.tables), 'table')} at {where}", flush=True)
            if sys.stdout.isatty():
                print(
                    "Open it in a browser. Press Ctrl-C to stop after the current rounds.",
                    flush=True,
                )

        run_loop(
            serve(
                house,
                store=address,
                key=key,
                at=at,
                announce=announce,
                warn=warn,
                pit_password=os.environ.get(PIT_PASSWORD),
                sockets=args.max_connections_per_ip,
                operations_token=token,
                webhook_secret=_webhook_secret(house.webhook),
            )
        )
    return DONE


def warn(words: str) -> None:
    print(f"baccarat: {words}", file=sys.stderr, flush=True)


def _webhook_secret(webhook: str) -> str:
    """Return the secret that signs alerts; raise an error if alerts are to be sent without one."""
    secret = os.environ.get(WEBHOOK_SECRET, "")
    if webhook and len(secret) < SHORTEST_TOKEN:
        raise BaccaratError(
            f"the house file has a webhook: set {WEBHOOK_SECRET} to at least {SHORTEST_TOKEN} "
            f"random characters, which the receiver needs too"
        )
    return secret


def _token(args: argparse.Namespace) -> str | None:
    """Return the operations token from a file or the environment, or None if neither is set."""
    token = os.environ.get(TOKEN)
    if args.operations_token is not None:
        try:
            token = args.operations_token.read_text(encoding="ascii").strip()
        except (OSError, ValueError) as error:
            raise BaccaratError(f"cannot read the operations token: {error}") from None
    if token is not None and (len(token) < SHORTEST_TOKEN or not token.isascii()):
        raise BaccaratError(
            f"invalid operations token: use at least {SHORTEST_TOKEN} random ASCII characters"
        )
    return token


def _key(args: argparse.Namespace, address: str) -> Callable[[bool], bytes]:
    """Return a function that reads the key from the environment, or from a file beside the store.

    A missing key file is created, but only when everything else has succeeded, so that a failed
    start leaves no key file behind. If other servers are running, the key must already exist, and
    none is created.
    """
    from baccarat.service.driver import TERM
    from baccarat.store.engine import url_of
    from baccarat.store.vault import KEY_SIZE, key_from_file

    url, given = url_of(address), os.environ.get(KEY)
    if given is not None and args.key is None:
        try:
            key = bytes.fromhex(given)
        except ValueError:
            key = b""
        if len(key) != KEY_SIZE:
            raise BaccaratError(f"invalid {KEY}: must be {2 * KEY_SIZE} hexadecimal digits")
        return lambda _: key
    if args.key is None and url.get_backend_name() != "sqlite":
        raise BaccaratError(
            f"a PostgreSQL store requires the key that all its servers share: add --key FILE or "
            f"set {KEY}"
        )
    path = args.key or Path(f"{url.database}.key")
    if path.exists():  # a bad key file is detected before a store is created
        key = key_from_file(path)
        if os.name == "posix" and path.stat().st_mode & 0o077:
            warn(f"the key file {path} is readable by others: run chmod 600 {path}")
        return lambda _: key

    def made(others_up: bool) -> bytes:  # noqa: FBT001
        if others_up:
            raise BaccaratError(
                f"key file {path} does not exist, but other servers of this house are running: "
                f"use their key file with --key (a killed server counts as running for "
                f"{TERM // 1000} s)"
            )
        return key_from_file(path)

    return made
