"""Rule cards for posters, original and altered."""

from functools import cache
from pathlib import Path

from baccarat.core.rulecard import Game
from baccarat.loader import built_in_cards, check_text, load
from baccarat.loader.files import find
from baccarat.poster.content import Poster, poster_of
from support.documented import ROOT

EXAMPLES = sorted(str(path) for path in (ROOT / "examples" / "rule-cards").glob("*.toml"))
CARDS = [*built_in_cards(), *EXAMPLES]
MARKUP = "#set page(width: 1pt) *x* $y$ <b>&amp;</b> \\\\u{41} @z `q` // w"


def names(card: str) -> str:
    return Path(card).stem


@cache
def game_of(card: str) -> Game:
    return load(card).game()


def altered(old: str, new: str, card: str = "online") -> Poster:
    """Return the poster of a built-in card with a text in its file replaced."""
    text = find(card).read_text(encoding="utf-8")
    assert old in text
    draft = check_text(text.replace(old, new), name="x").draft
    assert draft is not None
    made = draft.card()
    assert made is not None
    return poster_of(made.game())
