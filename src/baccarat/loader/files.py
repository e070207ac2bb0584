"""Where rule cards lie, and their text: the only place that touches the disk."""

from functools import cache
from pathlib import Path

from baccarat.core.errors import BaccaratError, nearest
from baccarat.loader.findings import shown

BUILT_IN = Path(__file__).parent.parent / "rulecards"
LARGEST_FILE = 1 << 18
"""Rule cards are a few kilobytes; anything above this is not one."""


@cache
def built_in_cards() -> tuple[str, ...]:
    """The ids of the cards that come with the package."""
    return tuple(sorted(path.stem for path in BUILT_IN.glob("*.toml")))


def find(card: str | Path) -> Path:
    """The file of a card: a built-in id, or a path."""
    name = str(card)
    if name in built_in_cards():
        return BUILT_IN / f"{name}.toml"
    path = Path(card)
    if path.suffix == ".toml" or len(path.parts) > 1 or _is_there(path):
        return path
    raise BaccaratError(
        f"there is no rule card {shown(name)}{nearest(name, built_in_cards())}: "
        f"name one of {', '.join(built_in_cards())}, or the path of a .toml file"
    )


def sister_of(folder: Path | None, name: str) -> str:
    """What a card means by a sister's name: a built-in id, or a file beside the card's own."""
    return name if folder is None or name in built_in_cards() else str(folder / name)


def read_text(path: Path, what: str = "rule card") -> str:
    """The text of a file that can be a rule card, or what else is meant."""
    name = shown(str(path))
    try:
        if path.is_dir():
            raise BaccaratError(f"{name} is a directory: name the {what}'s .toml file")
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise BaccaratError(f"{name} cannot be read: {reason}") from error
    if len(data) > LARGEST_FILE:
        raise BaccaratError(f"{name} is no {what}: it has more than {LARGEST_FILE:,} bytes")
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
    except (OSError, ValueError):  # a name too long for a file, or with a NUL in it
        return False
