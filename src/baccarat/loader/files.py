"""Finding and reading rule card files; the only module of the loader that accesses the disk."""

from functools import cache
from pathlib import Path

from baccarat.core.errors import BaccaratError, nearest, one_of
from baccarat.loader.findings import shown

BUILT_IN = Path(__file__).parent.parent / "rulecards"
CATALOGUE = BUILT_IN / "catalogue"
"""Rule cards of published side bets, which can also be loaded by their ids."""
LARGEST_FILE = 1 << 18
"""Maximum size of a file in bytes; rule cards are a few kilobytes long."""


@cache
def built_in_cards() -> tuple[str, ...]:
    """Return the ids of the built-in rule cards."""
    return tuple(sorted(path.stem for path in BUILT_IN.glob("*.toml")))


@cache
def catalogue_cards() -> tuple[str, ...]:
    """Return the ids of the rule cards in the catalogue of published bets."""
    return tuple(sorted(path.stem for path in CATALOGUE.glob("*.toml")))


def find(card: str | Path) -> Path:
    """Return the path of a rule card's file, given an id or a path."""
    name = str(card)
    for ids, folder in ((built_in_cards(), BUILT_IN), (catalogue_cards(), CATALOGUE)):
        if name in ids:
            return folder / f"{name}.toml"
    path = Path(card)
    if path.suffix == ".toml" or len(path.parts) > 1 or _is_there(path):
        return path
    raise BaccaratError(
        f"unknown rule card {shown(name)}{nearest(name, [*built_in_cards(), *catalogue_cards()])}: "
        f"choose {one_of([*built_in_cards(), 'a card of the catalogue'])}, such as "
        f"{catalogue_cards()[0]}, or give the path of a .toml file"
    )


def sister_of(folder: Path | None, name: str) -> str:
    """Return a sister card's id or path, given its name; file names are relative to `folder`."""
    return name if folder is None or name in built_in_cards() else str(folder / name)


def read_text(
    path: Path,
    what: str = "rule card",
    *,
    suffix: str = ".toml",
    largest: int | None = LARGEST_FILE,
) -> str:
    """Return the text of a rule card's file, or of another kind of file described by `what`."""
    name = shown(str(path))
    try:
        if path.is_dir():
            raise BaccaratError(
                f"{name} is a directory: give the path of the {what}'s {suffix} file"
            )
        with path.open("rb") as file:
            data = file.read() if largest is None else file.read(largest + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise BaccaratError(f"{name} cannot be read: {reason}") from error
    if largest is not None and len(data) > largest:
        raise BaccaratError(f"{name} is too large for a {what}: at most {largest:,} bytes")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise BaccaratError(
            f"{name} is not UTF-8 text: byte {data[error.start]:#04x} on line {line}; "
            f"save the {what} as UTF-8"
        ) from error


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # the name is too long for a file name, or contains a NUL
        return False
