"""A rule card that is on no poster, to cover the rest of the vocabulary: common side bets, and bets
on pairs and suits, alone and combined with the winner. Each bet is defined twice: as lines of
a rule card, and as plain Python over the reference's facts.
"""

from functools import cache

from baccarat.core.rulecard import RuleCard
from baccarat.library import check_soundness
from baccarat.loader import check_text
from support import reference as ref

HEAD = """
format = 1
id = "side-bets"
name = "Side bets"
version = 1
source = "tests/support/synthetic.py"
summary = "The side bets of the field, and bets on pairs and suits."

[parameters.decks]
unit = "count"
default = 8
minimum = 1
maximum = 24
meaning = "number of decks"

[tableau]
naturals = "8-9"
player_draws = "0-5"
player_stands = "6-7"
banker_draws = ["0-2/any", "3/0-7,9", "4/2-7", "5/4-7", "6/6-7", "0-5/stood"]
banker_stands = ["3/8", "4/0-1,8-9", "5/0-3,8-9", "6/0-5,8-9", "6/stood", "7/any,stood"]

[limits]
minimum = "0.01"
maximum = "1000.00"
"""

Lines = list[tuple[str, str]]
"""(when, pays) for each line of a bet, as in a rule card."""

BETS: dict[str, Lines] = {
    "dragon-7": [('winner = "banker", banker_total = 7, banker_cards = 3', "40:1")],
    "panda-8": [('winner = "player", player_total = 8, player_cards = 3', "25:1")],
    "dragon-bonus": [
        ('winner = "player", any = [{ player_natural = true }, { banker_natural = true }]', "1:1"),
        ('winner = "tie", player_natural = true', "stand-off"),
        ('winner = "player", margin = 9', "30:1"),
        ('winner = "player", margin = 8', "10:1"),
        ('winner = "player", margin = 7', "6:1"),
        ('winner = "player", margin = 6', "4:1"),
        ('winner = "player", margin = 5', "2:1"),
        ('winner = "player", margin = 4', "1:1"),
    ],
    "banker-by-far": [('winner = "banker", margin = { min = 5, max = 8 }', "8:1")],
    "big": [("cards = { min = 5 }", "27:50")],
    "small": [("cards = 4", "3:2")],
    "lucky-6": [
        ('winner = "banker", banker_total = 6, banker_cards = 3', "20:1"),
        ('winner = "banker", banker_total = 6', "12:1"),
    ],
    "third-cards": [
        ('player_third = [0, 9], banker_third = "none"', "4:1"),
        ('not = { player_third = "none" }, banker_third = { min = 7 }', "7:2"),
        ("player_start = 7, banker_start = { max = 2 }", "stand-off"),
    ],
    "pair": [("player_pair = true", "11:1")],
    "either-pair": [("any = [{ player_pair = true }, { banker_pair = true }]", "5:1")],
    "both-pairs": [("player_pair = true, banker_pair = true", "75:1")],
    "perfect-pair": [
        ("all = [{ player_perfect_pair = true }, { banker_perfect_pair = true }]", "200:1"),
        ("any = [{ player_perfect_pair = true }, { banker_perfect_pair = true }]", "25:1"),
    ],
    "graded-pair": [
        ("banker_perfect_pair = true", "20:1"),
        ("banker_pair = true, banker_natural = true", "12:1"),
        ("banker_pair = true", "7:1"),
    ],
    "pair-and-winner": [
        ('player_pair = true, winner = "player"', "12:1"),
        ('player_pair = true, winner = "tie"', "stand-off"),
        ('banker_pair = true, winner = "banker", banker_cards = 3', "15:2"),
    ],
    "suits-and-winner": [
        ('player_perfect_pair = true, banker_pair = true, winner = "banker"', "90:1"),
        ('banker_perfect_pair = true, player_perfect_pair = false, winner = "tie"', "60:1"),
        ("player_perfect_pair = true, player_third = { max = 4 }", "33:4"),
    ],
    "no-pair-wins": [('player_pair = false, banker_pair = false, winner = "player"', "1:1")],
}


def pays(f: ref.Facts) -> ref.Pays:
    """Return what the same bets pay, in Python."""
    player, banker, tie = (f.winner == name for name in ("player", "banker", "tie"))
    natural = f.player_start >= 8 or f.banker_start >= 8
    cards = f.player_cards + f.banker_cards
    margin_odds = {4: 1, 5: 2, 6: 4, 7: 6, 8: 10, 9: 30}
    return {
        "dragon-7": first((banker and f.banker_total == 7 and f.banker_cards == 3, 40)),
        "panda-8": first((player and f.player_total == 8 and f.player_cards == 3, 25)),
        "dragon-bonus": first(
            (player and natural, 1),
            (tie and natural, 0),
            (player, margin_odds.get(f.player_total - f.banker_total, -1)),
        ),
        "banker-by-far": first((5 <= f.banker_total - f.player_total <= 8, 8)),
        "big": first((cards >= 5, "27/50")),
        "small": first((cards == 4, "3/2")),
        "lucky-6": first((banker and f.banker_total == 6, 12 if f.banker_cards == 2 else 20)),
        "third-cards": first(
            (f.player_third in (0, 9) and f.banker_third is None, 4),
            (f.player_third is not None and (f.banker_third or 0) >= 7, "7/2"),
            (f.player_start == 7 and f.banker_start <= 2, 0),
        ),
        "pair": first((f.player_pair, 11)),
        "either-pair": first((f.player_pair or f.banker_pair, 5)),
        "both-pairs": first((f.player_pair and f.banker_pair, 75)),
        "perfect-pair": first(
            (f.player_perfect and f.banker_perfect, 200), (f.player_perfect or f.banker_perfect, 25)
        ),
        "graded-pair": first(
            (f.banker_perfect, 20),
            (f.banker_pair and f.banker_start >= 8, 12),
            (f.banker_pair, 7),
        ),
        "pair-and-winner": first(
            (f.player_pair and player, 12),
            (f.player_pair and tie, 0),
            (f.banker_pair and banker and f.banker_cards == 3, "15/2"),
        ),
        "suits-and-winner": first(
            (f.player_perfect and f.banker_pair and banker, 90),
            (f.banker_perfect and not f.player_perfect and tie, 60),
            (f.player_perfect and f.player_third in range(5), "33/4"),
        ),
        "no-pair-wins": first((not f.player_pair and not f.banker_pair and player, 1)),
    }


def first(*lines: tuple[bool, int | str]) -> ref.Fraction:
    """Return what the first matching line pays."""
    return next((ref.Fraction(odds) for holds, odds in lines if holds), ref.LOSES)


def bet(name: str, lines: Lines) -> str:
    """Return a bet in rule card format."""
    written = ", ".join(f'{{ when = {{ {when} }}, pays = "{pays}" }}' for when, pays in lines)
    return f'\n[[bet]]\nid = "{name}"\nname = "{name}"\nlines = [{written}]\n'


def card_of(text: str) -> RuleCard:
    """Return a rule card from its text, which must have no faults."""
    checked = check_text(text, name="x")
    assert checked.report.findings == []
    assert checked.draft is not None
    card = checked.draft.card()
    assert card is not None
    return card


@cache
def card() -> RuleCard:
    return card_of(HEAD + "".join(bet(name, lines) for name, lines in BETS.items()))


BANKER = bet(
    "banker",
    [('winner = "banker"', "19:20"), ('winner = "tie"', "stand-off")],
)


def rounding_head(minimum: str, policy: str) -> str:
    head = HEAD.replace('minimum = "0.01"', f'minimum = "{minimum}"')
    return head + f'rounding = "{policy}"\n'


def soundness_findings(text: str) -> list[str]:
    """Return the findings of the soundness check for a valid card."""
    checked = check_text(text, name="x")
    assert checked.report.findings == []
    check_soundness(checked)
    return [str(finding) for finding in checked.report.findings]
