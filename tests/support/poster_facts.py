"""The facts of the five posters, written by hand from their text and never from a rule card.

Each poster is complete by itself, even where it repeats another. A number in a comment is the line
of the poster's text. A1, A2 and so on are the gaps and contradictions that the requirements list;
what is in force there is a decision of ours, and is written here from the requirements.

How facts are written:

- Totals and points are rows of digits: '0189' is 0, 1, 8 and 9. 'Banker with 4: draws on 234567'
  means that the player's third card counts 2 to 7.
- Cells of the tableau are the banker's totals and the player's third cards, '012/any'; 'stood'
  means that the player took no third card.
- What has no entry is not printed: a poster without 'minimum age' names none.

Rules of every table (R01, R02, R05, R12, R35, R40 to R42) are not facts of a card: the tests of the
table cover them. Stake limits, the ranges of what a table sets and the currency are ours.
"""

from dataclasses import dataclass, field
from typing import Any

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
PRINTED_POINTS = dict(zip(RANKS, (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0), strict=True))


@dataclass(frozen=True)
class PosterFacts:
    """What one poster says."""

    cards: dict[str, dict[str, Any]]
    """The facts of each rule card of the poster, by the card's id."""
    points: dict[str, int] | None = None
    """What each rank counts, if printed."""
    totals: dict[str, int] = field(default_factory=dict)
    """Printed examples: the total of a hand."""
    order: tuple[str, ...] = ()
    """What happens in a round, in the printed order, if it is printed."""


def ur_way(odds: dict[int, str], *, not_printed: str = "") -> dict[str, Any]:
    """Return the facts of the ten bets on a tied total, given what each pays."""
    facts: dict[str, Any] = {}
    for total, pays in odds.items():
        facts[f"ur-way-{total} is called"] = f"UR WAY {total}"
        facts[f"ur-way-{total} is also called"] = ["Individual Égalités"]
        facts[f"ur-way-{total} pays"] = f"{pays} if tie on {total}"
        facts[f"ur-way-{total} needs"] = "banker or player or tie"
        if str(total) in not_printed:
            facts[f"ur-way-{total} odds are not printed"] = True
    return facts


DOUBLE_CHANCE = PosterFacts(
    points=PRINTED_POINTS,  # 10
    cards={
        "double-chance": {
            "source": "000_c9cd64c21fdcf3a3.txt",
            "name": "Double Chance Baccarat",  # 3
            "notes": ["A15: note, in force", "A17: gap, in force", "A19: gap, in force"],  # 15; 39
            "decks": "8",  # 9
            "decks is set by": "poster",
            # The tableau, 18-29. There is no row for a banker with 0, 1 or 2 (A2).
            "player draws on": "012345",
            "player stands on": "67",
            "naturals": "89",
            "banker with 3": "draws on 012345679, stands on 8",
            "banker with 4": "draws on 234567, stands on 0189",
            "banker with 5": "draws on 4567, stands on 012389",
            "banker with 6": "draws on 67, stands on 01234589",
            "banker with 7": "stands",
            "A2 is about": "012/any",
            "A2 in force": "draws 012/any",
            "A2 other readings": ["stands 012/any"],
            "A2 is resolved": True,
            "A3 is about": "0123456/stood",
            "A3 in force": "draws 012345/stood, stands 6/stood",
            "A3 other readings": ["stands 0123456/stood"],
            "A3 is resolved": True,
            # Main bets. A tie pays a share of the stake that was agreed on beforehand, 35.
            "player is called": "Player",  # 12
            "player pays": "1:1 if player wins; double_chance if tie",  # 34
            "player is not combined with": "banker",  # 12
            "banker is called": "Banker",  # 53; "Bank" elsewhere
            "banker pays": "19:20 if banker wins; double_chance if tie",  # 33
            "banker is not combined with": "player",  # 12
            "double_chance ranges": "2% to 10%",  # 65
            "double_chance": "2%",  # A17: the house's standing offer
            "double_chance is set by": "agreement",  # 35, 74
            "tie is called": "Tie",  # 13
            "tie pays": "tie_odds if tie",
            "tie_odds": "9:1",  # 36
            "tie_odds is set by": "table",  # 36
            "tie stands alone": True,  # 13
            # Side bets, 45-55. UR WAY needs one of the main bets, 14. Its odds are missing after
            # line 49: the edges on line 72 give those of 6 and 7, the others are assumed (A4).
            **ur_way(
                {
                    0: "150:1",
                    1: "215:1",
                    2: "225:1",
                    3: "200:1",
                    4: "120:1",
                    5: "110:1",
                    6: "44:1",
                    7: "44:1",
                    8: "80:1",
                    9: "80:1",
                },
                not_printed="01234589",
            ),
            "A4 is about": (
                "what is paid on ur-way-0, ur-way-1, ur-way-2, ur-way-3, ur-way-4, "
                "ur-way-5, ur-way-6, ur-way-7, ur-way-8, ur-way-9"
            ),
            "A4 in force": "as the bets above",
            "A4 other readings": ["ur-way-6 pays 45:1 if tie on 6, ur-way-7 pays 45:1 if tie on 7"],
            "A4 is resolved": True,
            "3g8 is called": "Three giving eight (3G8)",  # 51
            "3g8 is also called": ["3G8"],  # 51
            "3g8 pays": "180:1 if banker's first two make 3 and player's third is 8",  # 53, 55
            # Edges, 61-72. Those of line 63 are printed without naming the bet (A6).
            "edge of banker and player (not named) at double_chance 10%": "0.195%",
            "edge of banker and player (not named) at double_chance 2%": "0.956%",
            "edge of tie at tie_odds 9:1": "4.84%",
            "edge of 3g8": "17.77%",
            "edge of ur-way-7": "8.43%",
            "edge of ur-way-6": "13.42%",
            # The house's promises, and help.
            "partners share the maximum": True,  # 38
            "errors until next coup": True,  # 39
            "disputes for player": True,  # 5
            "warning is about": ["stop", "before"],  # 76
            "contact www.begambleaware.org": "begambleaware",  # 78
            "contact 08088020133": "gamcare",  # 78
            "player is also called": ["Punto"],  # 12
            "banker is also called": ["Bank", "Banco"],  # 12
            "tie is also called": ["Égalité", "Any Tie"],  # 13
            # The guide to the house edge, 59.
            "guide: example": "5%",
            "guide: varies by": ["region", "casino", "game"],
            "guide: decisions matter": True,
            "guide: always advantage": True,
            "guide: in writing": True,  # 74
            "fair gambling": True,  # 5
            "copies": "reception",  # 80
        },
    },
)

PUNTO_BANCO_2000 = PosterFacts(
    points=PRINTED_POINTS,  # 10
    cards={
        "punto-banco-2000": {
            "source": "001_452b504ba3ebf619.txt",
            "notes": [
                "A15: note, in force",
                "A18: note",
                "A19: gap, in force",
            ],  # 15; 57 (OUR WAY); 19
            "name": "Punto Banco 2000",  # 3
            "decks": "8",  # 9
            "decks is set by": "poster",
            # The tableau, 79-90. There is no row for a banker with 0, 1 or 2 (A2).
            "player draws on": "012345",
            "player stands on": "67",
            "naturals": "89",
            "banker with 3": "draws on 012345679, stands on 8",
            "banker with 4": "draws on 234567, stands on 0189",
            "banker with 5": "draws on 4567, stands on 012389",
            "banker with 6": "draws on 67, stands on 01234589",
            "banker with 7": "stands",
            "A2 is about": "012/any",
            "A2 in force": "draws 012/any",
            "A2 other readings": ["stands 012/any"],
            "A2 is resolved": True,
            "A3 is about": "0123456/stood",
            "A3 in force": "draws 012345/stood, stands 6/stood",
            "A3 other readings": ["stands 0123456/stood"],
            "A3 is resolved": True,
            # Main bets. A tie is a stand-off, 39.
            "player is called": "Player",  # 12
            "player pays": "1:1 if player wins; stake back if tie",  # 38
            "player is not combined with": "banker",  # 12
            "banker is called": "Banker",  # 29; "Bank" elsewhere
            "banker pays": "1:2 if banker wins with 6; 1:1 if banker wins; stake back if tie",  # 37
            "banker is not combined with": "player",  # 12
            "tie is called": "Tie",  # 13
            "tie pays": "tie_odds if tie",
            "tie_odds": "9:1",  # 16
            "tie_odds is set by": "table",  # 16
            "tie stands alone": True,  # 13
            # Side bets, 21-31; the odds of UR WAY, 59-77. UR WAY needs one of the main bets, 14.
            **ur_way(
                {
                    0: "150:1",
                    1: "215:1",
                    2: "225:1",
                    3: "200:1",
                    4: "120:1",
                    5: "110:1",
                    6: "45:1",
                    7: "45:1",
                    8: "80:1",
                    9: "80:1",
                }
            ),
            "3g8 is called": "Three giving eight (3G8)",  # 27
            "3g8 is also called": ["3G8"],  # 27
            "3g8 pays": "200:1 if banker's first two make 3 and player's third is 8",  # 29, 31
            # Edges, 47-57.
            "edge of banker": "1.45%",
            "edge of player": "1.23%",
            "edge of tie at tie_odds 9:1": "4.84%",
            "edge of 3g8": "8.70%",
            "edge of ur-way-7": "8.2%",
            "edge of ur-way-0": "13.4%",
            # The house's promises, and help.
            "partners share the maximum": True,  # 18
            "errors until next coup": True,  # 19
            "disputes for player": True,  # 5
            "warning is about": ["stop", "before"],  # 92
            "contact www.begambleaware.org": "begambleaware",  # 94
            "contact 08088020133": "gamcare",  # 94
            "player is also called": ["Punto"],  # 12
            "banker is also called": ["Bank", "Banco"],  # 12
            "tie is also called": ["Égalité", "Any Tie"],  # 13
            # The guide to the house edge, 45.
            "guide: example": "5%",
            "guide: varies by": ["region", "casino", "game"],
            "guide: decisions matter": True,
            "guide: always advantage": True,
            "fair gambling": True,  # 5
            "copies": "reception",  # 96
        },
    },
)

ONLINE = PosterFacts(
    points=None,  # A14: only the last digit of a sum is explained
    totals={"9 8": 7, "9 9 5": 3},  # 25: sums of 17 and 23
    cards={
        "online": {
            "source": "002_fdb2a8f552184a5d.txt",
            "name": "Online Baccarat",  # 3 has Baccarat alone
            "decks": "8",  # not printed (A11)
            "decks is set by": "table",
            "notes": ["A11: note, in force", "A14: note, in force"],
            # Drawing, 25 and 31-41. A banker with 0, 1 or 2 draws in any case, 41.
            "player draws on": "012345",
            "player stands on": "67",
            "naturals": "89",
            "banker with 0": "draws",
            "banker with 1": "draws",
            "banker with 2": "draws",
            "banker with 3": "draws on 012345679, stands on 8",
            "banker with 4": "draws on 234567, stands on 0189",
            "banker with 5": "draws on 4567, stands on 012389",
            "banker with 6": "draws on 67, stands on 01234589",
            "banker with 7": "stands",
            "A3 is about": "3456/stood",
            "A3 in force": "draws 345/stood, stands 6/stood",
            "A3 other readings": ["draws 3/stood, stands 456/stood", "stands 3456/stood"],
            "A3 is resolved": True,
            # Bets, 13-17 and 47-51. No combination is forbidden (R33).
            "player is called": "Player",
            "player pays": "1:1 if player wins; stake back if tie",  # 47, 51
            "banker is called": "Banker",
            "banker is also called": ["Bank"],  # 13
            "banker pays": "19:20 if banker wins; stake back if tie",  # 49 has 0.95:1; 51
            "tie is called": "Tie",
            "tie pays": "8:1 if tie",  # 51
            "most win chance with bonus money": "90%",  # 19
        },
    },
)

GREEK = {
    "source": "003_987184913b6e8f00.txt",
    "decks": "8",  # not printed (A11)
    "decks is set by": "table",
    "notes": [
        "A11: note, in force",
        "A16: gap, in force",
    ],  # no number of decks, no cut-off or dispute rule
    # The game board, 51-67. A banker with 0, 1 or 2 draws in any case, 61.
    "player draws on": "012345",
    "player stands on": "67",
    "naturals": "89",
    "banker with 0": "draws",
    "banker with 1": "draws",
    "banker with 2": "draws",
    "banker with 3": "draws on 012345679, stands on 8",
    "banker with 4": "draws on 234567, stands on 0189",
    "banker with 5": "draws on 4567, stands on 012389",
    "banker with 6": "draws on 67, stands on 01234589",
    "banker with 7": "stands",
    "A3 is about": "3456/stood",
    "A3 in force": "draws 345/stood, stands 6/stood",
    "A3 other readings": ["stands 3456/stood"],
    "A3 is resolved": True,
    # Bets of all three games. Banker and Player may be combined, 39, 43 and 47.
    "player is called": "Player",
    "player pays": "1:1 if player wins; stake back if tie",  # 76, 86, 95; the tie: A13
    "banker is called": "Banker",
    "tie is called": "Tie",
    "tie is also called": ["Égalité"],  # 29
    "tie pays": "8:1 if tie",  # 78, 89, 98
    "player-pair is called": "Player pair",
    "player-pair pays": "11:1 if player pair",  # 25; 79, 90, 99
    "banker-pair is called": "Banker pair",
    "banker-pair pays": "11:1 if banker pair",  # 25; 79, 90, 99
    "A12 is about": "what is needed for player-pair, banker-pair",
    "A12 in force": "as the bets above",
    "A12 other readings": ["needs banker or player"],
    "A12 is resolved": True,
    "A13 is about": "what is paid on player, banker",
    "A13 in force": "as the bets above",
    "A13 is resolved": True,
    # The house's promises, and help. There is no cut-off for errors and no dispute clause (A16).
    "reconstruction": True,  # 27
    "cancelled returns stakes": True,  # 31
    "minimum age": 21,  # 104
    "regulator": "Hellenic Gaming Commission",  # 104
    "warning is about": ["addiction", "loss"],  # 104
    "contact 2109237777": "support line",  # 104
    "responsible gaming": True,  # 104
}
"""What the three games of the Greek poster share."""

GREEK_GAMES = PosterFacts(
    points=PRINTED_POINTS,  # 35
    totals={"5 9": 4},  # 35
    cards={
        "commission": GREEK
        | {
            "name": "Baccarat with Commission",  # 37
            "banker pays": "19:20 if banker wins; stake back if tie",  # 77 has 95 to 100
            "A13 other readings": [
                "player pays 1:1 if player wins, banker pays 19:20 if banker wins"
            ],
        },
        "no-commission": GREEK
        | {
            "name": "No Commission Baccarat",  # 41
            "banker pays": (  # 87, 88
                "1:2 if banker wins with 6; 1:1 if banker wins; stake back if tie"
            ),
            "A13 other readings": [
                "player pays 1:1 if player wins, "
                "banker pays 1:2 if banker wins with 6; 1:1 if banker wins"
            ],
        },
        "fortune-six": GREEK
        | {
            "name": "No Commission Baccarat Fortune Six",  # 45
            "banker pays": (  # 96, 97
                "1:2 if banker wins with 6; 1:1 if banker wins; stake back if tie"
            ),
            "A13 other readings": [
                "player pays 1:1 if player wins, "
                "banker pays 1:2 if banker wins with 6; 1:1 if banker wins"
            ],
            "notes": [
                "A11: note, in force",
                "A16: gap, in force",
                "A18: note",
            ],  # 102 has lost its label
            "fortune-six is called": "Fortune Six",  # 100
            "fortune-six is also called": ["Super Six Plus"],  # 100
            "fortune-six pays": (  # 100, 102
                "12:1 if banker wins with 6 in 2 cards; 20:1 if banker wins with 6 in 3 cards"
            ),
            "A9 is about": "what is paid on fortune-six",
            "A9 in force": "as the bets above",
            "A9 other readings": [
                "fortune-six-two-cards pays 12:1 if banker wins with 6 in 2 cards, "
                "fortune-six-three-cards pays 20:1 if banker wins with 6 in 3 cards"
            ],
            "A9 is resolved": True,
            "A12 is about": "what is needed for player-pair, banker-pair, fortune-six",
        },
    },
    # The deal, 47, and the settlement, 69 (R06, R13).
    order=(
        *("Bets", "Player, Banker, Player, Banker", "totals", "third cards"),
        *("result is announced", "losing bets are collected", "winning bets are paid"),
    ),
)

PUNTO_BANCO = PosterFacts(
    points=PRINTED_POINTS,  # 14
    cards={
        "punto-banco": {
            "source": "004_07b3a3159892e662.txt",
            "name": "Punto Banco",  # 5
            "decks": "8",  # 13
            "decks is set by": "poster",
            # The tableau, 52-63. The row of 3 has 8 in both columns and 3 in neither (A1). There is
            # no row for a banker with 0, 1 or 2 (A2).
            "player draws on": "012345",
            "player stands on": "67",
            "naturals": "89",
            "banker with 3": "draws on 012456789, stands on 8",
            "banker with 4": "draws on 234567, stands on 0189",
            "banker with 5": "draws on 4567, stands on 012389",
            "banker with 6": "draws on 67, stands on 01234589",
            "banker with 7": "stands",
            "A1 is about": "3/38",
            "A1 in force": "draws 3/3, stands 3/8",
            "A1 other readings": ["draws 3/38", "draws 3/8, stands 3/3", "stands 3/38"],
            "A1 is resolved": True,
            "A1 sister cards": ["double-chance", "punto-banco-2000"],
            "A2 is about": "012/any",
            "A2 in force": "draws 012/any",
            "A2 other readings": ["stands 012/any"],
            "A2 is resolved": True,
            "A2 sister cards": ["double-chance", "punto-banco-2000"],
            "A3 is about": "0123456/stood",
            "A3 in force": "draws 012345/stood, stands 6/stood",
            "A3 other readings": ["stands 0123456/stood"],
            "A3 is resolved": True,
            "A3 sister cards": ["double-chance", "punto-banco-2000"],
            # Main bets. A tie is a stand-off, 25.
            "player is called": "Player",  # 16
            "player pays": "1:1 if player wins; stake back if tie",  # 24
            "player is not combined with": "banker",  # 16
            "banker is called": "Banker",  # 35; "Bank" elsewhere
            "banker pays": "19:20 if banker wins; stake back if tie",  # 23
            "banker is not combined with": "player",  # 16
            "tie is called": "Tie",  # 17
            "tie pays": "tie_odds if tie",
            "tie_odds": "9:1",  # 26
            "tie_odds is set by": "table",  # 26
            "tie stands alone": True,  # 17
            # Pairs, 33-43: beside a main bet or instead of one, 39; the odds are the usual, 41.
            "player-pair is called": "Player pair",
            "player-pair pays": "pair_odds if player pair",
            "player-pair stands alone": True,
            "banker-pair is called": "Banker pair",
            "banker-pair pays": "pair_odds if banker pair",
            "banker-pair stands alone": True,
            "pair_odds": "11:1",  # 43
            "pair_odds is set by": "table",
            "notes": [
                "A10: note",
                "A15: note, in force",
                "A19: gap, in force",
            ],  # 18 speaks of UR WAY bets, there are none; 19; 29
            # The house's promises. There are no contacts, warning, age or regulator.
            "partners share the maximum": True,  # 28
            "errors until next coup": True,  # 29
            "disputes for player": True,  # 9
            "player is also called": ["Punto"],  # 16
            "banker is also called": ["Bank", "Banco"],  # 16
            "tie is also called": ["Égalité", "Any Tie"],  # 17
            "player-pair is also called": ["Baccarat Pairs", "Lucky Pair"],  # 35, 33
            "banker-pair is also called": ["Baccarat Pairs", "Lucky Pair"],  # 35, 33
            "fair gambling": True,  # 9
        },
    },
)

POSTERS = (DOUBLE_CHANCE, PUNTO_BANCO_2000, ONLINE, GREEK_GAMES, PUNTO_BANCO)
"""In the order of their files, 000 to 004."""

CARD_FACTS = {card: facts for poster in POSTERS for card, facts in poster.cards.items()}
"""The facts of every rule card, by its id."""
