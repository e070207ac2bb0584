"""A second, slow punto banco, written from the requirements alone, for tests to compare with.

It shares no code with the package: cards are plain (rank, suit) pairs, the tableau is written out
row by row, a bet is a Python expression. Shoes are Counters of cards, small enough that every
ordered sequence of six cards can be dealt.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import NamedTuple

Card = tuple[str, str | None]
Hand = tuple[Card, ...]
Pays = dict[str, Fraction]

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
SUITS = ["s", "h", "d", "c"]

# R04
POINTS = {"A": 1, "10": 0, "J": 0, "Q": 0, "K": 0} | {str(n): n for n in range(2, 10)}

# R09 to R11: what the player must have been given for the banker to draw; "-": the player stood
BANKER_DRAWS_ON = {
    0: "0123456789-",
    1: "0123456789-",
    2: "0123456789-",
    3: "01234567 9-",
    4: "  234567  -",
    5: "    4567  -",
    6: "      67   ",
    7: "           ",
}


def total(cards: Sequence[Card]) -> int:
    return sum(POINTS[rank] for rank, _ in cards) % 10


def who_is_next(player: Sequence[Card], banker: Sequence[Card]) -> str | None:
    """'player', 'banker', or None when the coup is over."""
    dealt = len(player) + len(banker)
    if dealt < 4:  # R06
        return ("player", "banker", "player", "banker")[dealt]
    p, b = total(player[:2]), total(banker[:2])
    if p >= 8 or b >= 8:  # R07
        return None
    if p <= 5 and len(player) == 2:  # R08
        return "player"
    given = str(POINTS[player[2][0]]) if len(player) == 3 else "-"
    return "banker" if given in BANKER_DRAWS_ON[b] and len(banker) == 2 else None


def deal(cards: Iterable[Card]) -> tuple[Hand, Hand]:
    """Deal one coup from the front of the cards."""
    player: Hand = ()
    banker: Hand = ()
    source = iter(cards)
    while side := who_is_next(player, banker):
        if side == "player":
            player = (*player, next(source))
        else:
            banker = (*banker, next(source))
    return player, banker


class Facts(NamedTuple):
    """The facts of a coup that bets depend on."""

    player_total: int
    banker_total: int
    player_cards: int
    banker_cards: int
    player_start: int
    banker_start: int
    player_third: int | None
    banker_third: int | None
    player_pair: bool
    banker_pair: bool
    player_perfect: bool
    banker_perfect: bool

    @property
    def winner(self) -> str:
        if self.player_total == self.banker_total:
            return "tie"
        return "player" if self.player_total > self.banker_total else "banker"


def facts(player: Hand, banker: Hand) -> Facts:
    return Facts(
        player_total=total(player),
        banker_total=total(banker),
        player_cards=len(player),
        banker_cards=len(banker),
        player_start=total(player[:2]),
        banker_start=total(banker[:2]),
        player_third=POINTS[player[2][0]] if len(player) == 3 else None,
        banker_third=POINTS[banker[2][0]] if len(banker) == 3 else None,
        player_pair=player[0][0] == player[1][0],
        banker_pair=banker[0][0] == banker[1][0],
        player_perfect=player[0] == player[1] and player[0][1] is not None,
        banker_perfect=banker[0] == banker[1] and banker[0][1] is not None,
    )


# What a unit on each bet wins, net, under the readings in force.

LOSES = Fraction(-1)


def if_(condition: bool, odds: Fraction | int) -> Fraction:
    return Fraction(odds) if condition else LOSES


def side(f: Facts, hand: str, odds: Fraction | int, tie: Fraction | int = 0) -> Fraction:
    """Return what a bet on one hand wins; a tie pays `tie` (0: the stake is returned)."""
    return Fraction(tie) if f.winner == "tie" else if_(f.winner == hand, odds)


def with_commission(f: Facts, tie: Fraction | int = 0) -> Pays:
    """R20, R21, R23 or R24."""
    return {
        "player": side(f, "player", 1, tie),
        "banker": side(f, "banker", Fraction(19, 20), tie),
    }


def without_commission(f: Facts) -> Pays:
    """R20, R22, R23."""
    half_on_six = Fraction(1, 2) if f.banker_total == 6 else 1
    return {"player": side(f, "player", 1), "banker": side(f, "banker", half_on_six)}


def tie_bet(f: Facts, odds: int) -> Pays:
    """R25, R26."""
    return {"tie": if_(f.winner == "tie", odds)}


def ur_way(f: Facts, odds: Sequence[int]) -> Pays:
    """R27."""
    return {f"ur-way-{n}": if_(f.player_total == f.banker_total == n, odds[n]) for n in range(10)}


def three_giving_eight(f: Facts, odds: int) -> Pays:
    """R29."""
    return {"3g8": if_(f.banker_start == 3 and f.player_third == 8, odds)}


def pairs(f: Facts) -> Pays:
    """R30."""
    return {"player-pair": if_(f.player_pair, 11), "banker-pair": if_(f.banker_pair, 11)}


def fortune_six_bet(f: Facts) -> Pays:
    """R31, A9: one bet."""
    won = f.winner == "banker" and f.banker_total == 6
    return {"fortune-six": if_(won, 12 if f.banker_cards == 2 else 20)}


UR_WAY_ODDS = (150, 215, 225, 200, 120, 110, 45, 45, 80, 80)  # 001
UR_WAY_ODDS_000 = (150, 215, 225, 200, 120, 110, 44, 44, 80, 80)  # A4


def double_chance(f: Facts, agreed: Fraction = Fraction(2, 100)) -> Pays:
    main = with_commission(f, tie=agreed) | tie_bet(f, 9)
    return main | ur_way(f, UR_WAY_ODDS_000) | three_giving_eight(f, 180)


def punto_banco_2000(f: Facts) -> Pays:
    main = without_commission(f) | tie_bet(f, 9)
    return main | ur_way(f, UR_WAY_ODDS) | three_giving_eight(f, 200)


def online(f: Facts) -> Pays:
    return with_commission(f) | tie_bet(f, 8)


def commission(f: Facts) -> Pays:
    return with_commission(f) | tie_bet(f, 8) | pairs(f)


def no_commission(f: Facts) -> Pays:
    return without_commission(f) | tie_bet(f, 8) | pairs(f)


def fortune_six(f: Facts) -> Pays:
    return no_commission(f) | fortune_six_bet(f)


def punto_banco(f: Facts) -> Pays:
    return with_commission(f) | tie_bet(f, 9) | pairs(f)


CARDS = {
    "commission": commission,
    "double-chance": double_chance,
    "fortune-six": fortune_six,
    "no-commission": no_commission,
    "online": online,
    "punto-banco": punto_banco,
    "punto-banco-2000": punto_banco_2000,
}

ONE_SIDE_ONLY = {"double-chance", "punto-banco-2000", "punto-banco"}  # R32; R33 for the others
TIE_STANDS_ALONE = {"double-chance", "punto-banco-2000", "punto-banco"}  # R34


# Every coup of a small shoe.


class WeighedCoup(NamedTuple):
    player: Hand
    banker: Hand
    weight: int
    """Number of ordered sequences of six cards that begin with this coup."""


def falling(n: int, k: int) -> int:
    product = 1
    for i in range(k):
        product *= n - i
    return product


def every_coup(shoe: Mapping[Card, int]) -> Iterator[WeighedCoup]:
    """Yield every coup that can be dealt from the shoe; weights add up to falling(size, 6)."""
    left, size = dict(shoe), sum(shoe.values())

    def walk(player: Hand, banker: Hand, weight: int) -> Iterator[WeighedCoup]:
        side = who_is_next(player, banker)
        if side is None:
            drawn = len(player) + len(banker)
            yield WeighedCoup(player, banker, weight * falling(size - drawn, 6 - drawn))
            return
        for card, n in left.items():
            if n:
                left[card] = n - 1
                if side == "player":
                    yield from walk((*player, card), banker, weight * n)
                else:
                    yield from walk(player, (*banker, card), weight * n)
                left[card] = n

    yield from walk((), (), 1)


def facts_of(coups: Iterable[WeighedCoup]) -> Counter[Facts]:
    """Count the sequences for each combination of facts."""
    counts: Counter[Facts] = Counter()
    for player, banker, weight in coups:
        counts[facts(player, banker)] += weight
    return counts


def expectations(counts: Mapping[Facts, int], pays_of: Callable[[Facts], Pays]) -> Pays:
    """Return the expected win of a unit on each bet of a card."""
    sums: Pays = {}
    for f, weight in counts.items():
        for bet, pay in pays_of(f).items():
            sums[bet] = sums.get(bet, Fraction(0)) + weight * pay
    whole = sum(counts.values())
    return {bet: value / whole for bet, value in sums.items()}


def results(counts: Mapping[Facts, int]) -> Pays:
    """Return the chance of each winner."""
    whole = sum(counts.values())
    chances = dict.fromkeys(("player", "banker", "tie"), Fraction(0))
    for f, weight in counts.items():
        chances[f.winner] += Fraction(weight, whole)
    return chances


# The results of whole decks, from the 55 two-card hands by points.


def count_results(points: Sequence[int]) -> dict[str, int]:
    """Count the ordered six-card sequences that each hand wins, given the number of cards by value.

    Two-card hands as unordered pairs of point values, 55 for the player times 55 for the banker,
    each with the number of ways to be drawn in order; then the third cards one by one.
    """
    counts = {"player": 0, "banker": 0, "tie": 0}
    hands = list(combinations_with_replacement(range(10), 2))
    size = sum(points)

    def finish(p: int, b: int, weight: int) -> None:
        counts["tie" if p == b else "player" if p > b else "banker"] += weight

    for first, second in hands:
        for third, fourth in hands:
            left, ways = list(points), 1
            for value in (first, second, third, fourth):
                ways *= left[value]
                left[value] -= 1
            ways *= (1 + (first != second)) * (1 + (third != fourth))
            if not ways:
                continue
            p, b = (first + second) % 10, (third + fourth) % 10
            if p >= 8 or b >= 8:
                finish(p, b, ways * falling(size - 4, 2))
            elif p >= 6:
                _banker_draws(b, "-", p, ways, left, size - 4, finish)
            else:
                for x in range(10):
                    after = list(left)
                    after[x] -= 1
                    total = (p + x) % 10
                    _banker_draws(b, str(x), total, ways * left[x], after, size - 5, finish)
    return counts


def _banker_draws(b, given, player_total, ways, left, size, finish) -> None:
    """Count results of the banker's turn, with `size` cards left."""
    others = 1 if given != "-" else size - 1
    if given not in BANKER_DRAWS_ON[b]:
        finish(player_total, b, ways * size * others)
        return
    for y, n in enumerate(left):
        finish(player_total, (b + y) % 10, ways * n * others)
