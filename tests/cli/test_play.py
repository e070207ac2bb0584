"""A table in the terminal: input, refusals, and an audit of the payments.

Most tests play through piped input and read the transcript. The audit shares no code with the
package: it takes the cards and wagers from the printed lines and settles them by `reference`.
"""

import io
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

import pytest

from baccarat.cli import main, play
from baccarat.cli.shared.play_screen import COMMANDS
from baccarat.cli.shared.seat import Seat, example, parse_wagers, smallest_wager
from baccarat.core.coup import parse_coup
from baccarat.core.errors import BaccaratError
from baccarat.core.wagers import Wager, refusals
from baccarat.loader import built_in_cards, load
from support import reference

SUITS = {"♠": "s", "♥": "h", "♦": "d", "♣": "c"}
AMOUNT = r"-?[\d,]+\.\d\d"
FIRST_FOUR = r"^  (Player .*Banker .*Player .*Banker .*)$"


@pytest.fixture
def table(monkeypatch, capsys):
    """Return a function that plays lines at a table and returns what was printed."""

    def sit(arguments: str, *lines: str) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        assert main(["play", *arguments.split()]) == 0
        printed = capsys.readouterr()
        assert printed.err == ""
        return re.sub(r" +$", "", printed.out, flags=re.MULTILINE)

    return sit


def one_line(text: str) -> str:
    """Return the text without line breaks, so that wrapped sentences are found."""
    return " ".join(text.split())


def coins(text: str) -> int:
    return int(text.replace(",", "").replace(".", "").replace("+", ""))


@dataclass(frozen=True)
class PrintedCoup:
    """One coup as printed in a transcript."""

    text: str
    balance_before: int
    wagers: dict[str, int]
    order: tuple[str, ...]
    """The first four cards, in the order dealt."""
    player: reference.Hand
    banker: reference.Hand

    @property
    def facts(self) -> reference.Facts:
        return reference.facts(self.player, self.banker)


def printed_coups(transcript: str) -> list[PrintedCoup]:
    """Return the coups of a transcript; its last part is the farewell."""
    parts = re.split(r"^(?=Round \d+)", transcript, flags=re.MULTILINE)[1:-1]
    return [printed_coup(part) for part in parts]


def printed_coup(text: str) -> PrintedCoup:
    _typed, _, answer = text.rpartition("Place your bets: ")[2].partition("\n")
    wagers = re.findall(rf"(\w[\w ]*?) ({AMOUNT})", one_line(answer).partition(" No more bets.")[0])
    return PrintedCoup(
        text,
        coins(re.search(rf"balance ({AMOUNT})", text)[1]),
        {bet_id(name): coins(stake) for name, stake in wagers},
        tuple(re.search(FIRST_FOUR, text, re.MULTILINE)[1].split()),
        *(printed_hand(text, name) for name in ("Player", "Banker")),
    )


def bet_id(name: str) -> str:
    known = {"three giving eight": "3g8"}
    return known.get(name.strip().lower(), name.strip().lower().replace(" ", "-"))


def printed_hand(text: str, name: str) -> reference.Hand:
    line = re.search(rf"^  {name}((?: +(?:\d+|[AJQK])[♠♥♦♣])+) +(\d)$", text, re.MULTILINE)
    hand = tuple((face[:-1], SUITS[face[-1]]) for face in line[1].split())
    assert reference.total(hand) == int(line[2])
    return hand


# A line of wagers


@pytest.mark.parametrize(
    ("line", "wagers"),
    [
        ("banker 20, tie 5", [("banker", 2000), ("tie", 500)]),
        ("b 20 t 5", [("banker", 2000), ("tie", 500)]),
        ("B 20.50", [("banker", 2050)]),
        ("BANKER 20;Ti 5", [("banker", 2000), ("tie", 500)]),
        ("t 5 b 20", [("tie", 500), ("banker", 2000)]),
        ("p 1,000", [("player", 100_000)]),
        ("p 1,000,000", [("player", 100_000_000)]),
        ("p £20", [("player", 2000)]),
        ("  p   20  ", [("player", 2000)]),
        ("b 20 7 5", [("banker", 2000), ("ur-way-7", 500)]),
        ("b 20,7 5", [("banker", 2000), ("ur-way-7", 500)]),
        ("ur way 7 5 b 5", [("ur-way-7", 500), ("banker", 500)]),
        ("UR-WAY-7 5", [("ur-way-7", 500)]),
        ("3 8 3g8 3 8 3", [("ur-way-3", 800), ("3g8", 300), ("ur-way-8", 300)]),
        ("three 5", [("3g8", 500)]),
        ("Three giving eight 5", [("3g8", 500)]),
    ],
)
def test_wagers_are_parsed_as_people_write_them(line, wagers):
    game = load("double-chance").game()
    assert parse_wagers(game, line) == tuple(Wager(*wager) for wager in wagers)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("bunker 20", "unknown bet 'bunker' (did you mean 'banker'?)"),
        ("hlep", "unknown bet 'hlep' (did you mean 'help'?)"),
        ("bets 5", "type 'bets' on a line of its own"),
        ("20 banker", "unknown bet '20': type a bet and its stake, such as banker 5"),
        ("ban 20", "'ban' could be Banker or Banker pair"),
        ("banker", "Banker needs a stake"),
        ("banker 5, tie", "Tie needs a stake"),
        ("banker -5", "Banker: '-5' is not an amount of money"),
        ("banker 1e3", "Banker: '1e3' is not an amount of money"),
        ("banker 5.005", "Banker: '5.005' is not an amount of money"),
        (f"banker {'9' * 5000}", "Banker: '999999999999999999999999' is not an amount of money"),
        ("x" * 5000, f"unknown bet '{'x' * 24}'"),
        (",;,", "no bets found in ',;,': type, for example, banker 5"),
        ("- 5", "unknown bet '-'"),
    ],
)
def test_invalid_lines_are_refused(line, expected):
    with pytest.raises(BaccaratError, match=re.escape(expected)) as error:
        parse_wagers(load("punto-banco").game(), line, other_words=COMMANDS)
    assert len(str(error.value)) < 200


@pytest.mark.parametrize("card", built_in_cards())
def test_every_name_of_every_bet_is_understood(card):
    game = load(card).game()
    for bet in game.bets:
        for name in (bet.short, bet.id, bet.name, bet.name.upper()):
            assert parse_wagers(game, f"{name} 5") == (Wager(bet.id, 500),)
    assert not refusals(game, parse_wagers(game, example(game)))


@pytest.mark.requirement("R35")
def test_the_smallest_wager_is_the_minimum_rounded_up_to_the_step():
    assert smallest_wager(load("punto-banco").game()) == 500
    assert smallest_wager(load("online").game()) == 100
    # 19:20 and a tie that pays 3%: multiples of 100 coins; Tie is the smaller one.
    game = load("double-chance").game(double_chance="3%")
    assert smallest_wager(game) == 500


# Play


def test_several_coups_with_several_wagers(table):
    lines = ("banker 20, tie 5", "", "p 10 pp 5", "again", "quit", "b 20")
    printed = table("punto-banco --seed 1", *lines)
    coups = printed_coups(printed)
    assert [coup.wagers for coup in coups] == [
        {"banker": 2000, "tie": 500},
        {},
        {"player": 1000, "player-pair": 500},
        {"player": 1000, "player-pair": 500},
    ]
    assert "You saw 4 rounds and bet on 3. You staked 55.00 and " in printed
    assert printed.endswith("of play money. Goodbye.\n")


@pytest.mark.requirement("R05")
def test_wagers_are_valid_for_one_coup_and_an_empty_line_sits_out(table):
    first, second = printed_coups(table("punto-banco --seed 1", "banker 20", ""))
    assert (first.wagers, second.wagers) == ({"banker": 2000}, {})
    assert "You sit this round out." in second.text
    assert "in this round" not in second.text


@pytest.mark.parametrize("card", built_in_cards())
@pytest.mark.requirement("R13")
@pytest.mark.requirement("R01")
def test_balances_add_up_to_the_coin_over_a_whole_shoe(table, card):
    one_side = "banker 20" if card in reference.ONE_SIDE_ONLY else "banker 20 player 10"
    sides = {"online": "", "double-chance": "7 5 3g8 5", "punto-banco-2000": "0 3 7 5 3g8 2"}
    wagers = f"{one_side} tie 5 {sides.get(card, 'pp 5 bp 5')}"
    printed = table(f"{card} --seed 8 --bankroll 100000", wagers, *["again"] * 100)
    coups = printed_coups(printed)
    assert len(coups) == 101
    balance, staked = 10_000_000, 0
    for coup in coups:
        assert coup.balance_before == balance
        pays = reference.CARDS[card](coup.facts)
        nets = {bet: stake * pays[bet] for bet, stake in coup.wagers.items()}
        assert len(nets) == len(parse_wagers(load(card).game(), wagers))
        balance += sum(nets.values())
        staked += sum(coup.wagers.values())
        audit_settlement(coup, nets, balance)
    in_all = rf"bet on 101\. You staked ({AMOUNT}) and (\w+) ({AMOUNT})"
    summary = re.search(in_all, one_line(printed))
    assert coins(summary[1]) == staked
    up = coins(summary[3]) * {"won": 1, "lost": -1}[summary[2]]
    assert 10_000_000 + up == balance


def audit_settlement(coup: PrintedCoup, nets: dict[str, Fraction], balance: int) -> None:
    """Check the order (winner, losers collected, winners paid, net result) and the amounts."""
    result = {"player": "Player wins", "banker": "Banker wins", "tie": "Tie, "}
    after = coup.text[coup.text.index(f"  {result[coup.facts.winner]}") :]
    rows = re.findall(
        rf"^  (Collected|Paid|Returned) +(\S.*?)  +({AMOUNT}) .*?([-+]?{AMOUNT})$", after, re.M
    )
    words = {-1: "Collected", 1: "Paid", 0: "Returned"}
    sign = {bet: (net > 0) - (net < 0) for bet, net in nets.items()}
    assert {bet_id(name): (word, coins(stake), coins(net)) for word, name, stake, net in rows} == {
        bet: (words[sign[bet]], coup.wagers[bet], net) for bet, net in nets.items()
    }
    order = [word for word, *_ in rows]
    assert order == sorted(order, key=["Collected", "Paid", "Returned"].index)
    net = sum(nets.values())
    said = re.search(rf"You (.*?) in this round\. Balance ({AMOUNT})\.", one_line(after))
    verb, *amount = said[1].split()
    assert coins(said[2]) == balance
    if net == 0:
        assert said[1] == "broke even"
    else:
        assert (verb, coins(*amount)) == ("won" if net > 0 else "lost", abs(net))


def test_a_net_loss_is_never_called_a_win(table):
    printed = table("punto-banco --seed 8", "banker 5 tie 100", *["again"] * 5)
    mixed = [coup for coup in printed_coups(printed) if coup.facts.winner == "banker"]
    assert mixed
    for coup in mixed:
        assert "  Paid       Banker    5.00  at 19:20    +4.75\n" in coup.text
        assert "  You lost 95.25 in this round." in coup.text
        assert "won" not in coup.text


@pytest.mark.requirement("R06")
@pytest.mark.requirement("R12")
def test_cards_are_dealt_alternately_and_third_cards_are_explained(table):
    coups = printed_coups(table("online --seed 2", *[""] * 60))
    for coup in coups:
        faces = [face for face in coup.order if face[-1] in SUITS]
        dealt = [(face[:-1], SUITS[face[-1]]) for face in faces]
        assert dealt == [coup.player[0], coup.banker[0], coup.player[1], coup.banker[1]]
        start = [reference.total(hand[:2]) for hand in (coup.player, coup.banker)]
        assert f"  Player {start[0]}, Banker {start[1]}.\n" in coup.text
        assert reference.deal([*dealt, *coup.player[2:], *coup.banker[2:]]) == (
            coup.player,
            coup.banker,
        )
        drawn = re.findall(r"draws on \d[^:]*(?: \(.*\))?: +(\S+)$", coup.text, re.MULTILINE)
        assert drawn == [rank + symbol(suit) for rank, suit in coup.player[2:] + coup.banker[2:]]
        stood = len(coup.banker) == 2
        assert (
            bool(re.search(r"^  .*(stands on \d[^;]*|are drawn)\.$", coup.text, re.MULTILINE))
            == stood
        )


def symbol(suit: str) -> str:
    return next(sign for sign, letter in SUITS.items() if letter == suit)


@pytest.mark.requirement("R02")
def test_there_is_no_prompt_between_the_first_card_and_the_settlement(table):
    for coup in printed_coups(table("punto-banco --seed 3", "b 20", "again", "again")):
        asked, no_more, dealt = (
            coup.text.index(words) for words in ("Place your bets", "No more bets", "  Player ")
        )
        assert asked < no_more < dealt
        assert coup.text.count("Place your bets") == 1


# The shoe


def test_a_new_shoe_follows_when_the_cut_card_is_reached(table):
    printed = table("punto-banco --seed 5 --decks 2 --cut 20", *[""] * 40)
    first, second, *_ = re.split(r"^New shoe: 2 decks", printed, flags=re.MULTILINE)[1:]
    coups = re.split(r"^(?=Round \d+)", first, flags=re.MULTILINE)[1:]
    left = [int(re.search(r"(\d+) cards in the shoe", coup)[1]) for coup in coups]
    shown = [re.findall(r"[♠♥♦♣]", coup.partition("Player wins")[0]) for coup in coups]
    assert all(shown)
    assert left == sorted(left, reverse=True)
    *before, with_cut, last = coups
    assert not any("cut card" in coup for coup in before)
    assert "[cut card]" in with_cut
    assert "The cut card is out: one more round in this shoe." in with_cut
    assert left[-2] >= 20 > left[-1]
    assert "(last of this shoe)" in last
    assert "[cut card]" not in last
    assert f"The shoe is over after {len(coups)} rounds" in last
    assert "Round 1 ·" in second
    assert "Big Road" in second


@pytest.mark.requirement("R03")
def test_no_card_is_dealt_more_often_than_the_shoe_holds_it(table):
    printed = table("punto-banco --seed 5 --decks 1 --cut 12 --burn none", *[""] * 12)
    shoe, *_ = re.split(r"^The shoe is over", printed, flags=re.MULTILINE)
    parts = re.split(r"^(?=Round \d+)", shoe, flags=re.MULTILINE)[1:]
    coups = [printed_coup(part) for part in parts]
    dealt = Counter(card for coup in coups for card in coup.player + coup.banker)
    assert set(dealt.values()) == {1}
    assert "52 cards in the shoe" in parts[0]


@pytest.mark.parametrize(
    ("burn", "expected"),
    [
        ("none", "8 decks, shuffled and cut.\n"),
        ("one", "One card is burned."),
        ("first-card", "The first card is"),
    ],
)
def test_the_burn_is_shown(table, burn, expected):
    printed = table(f"online --seed 1 --burn {burn}")
    assert expected in printed
    exposed = re.search(
        r"first card is (\S+): (\d+) more cards? (?:is|are) burned", one_line(printed)
    )
    left = int(re.search(r"(\d+) cards in the shoe", printed)[1])
    burned = 1 + int(exposed[2]) if exposed else {"none": 0, "one": 1}[burn]
    assert left == 416 - burned


def test_the_same_seed_deals_the_same_shoe(table):
    lines = ("b 20", "bets", "again", "", "roads")
    seeds = ("--seed 1", "--seed 1", "--seed 2", "", "")
    first, same, *others = (table(f"fortune-six {seed}", *lines) for seed in seeds)
    assert first == same
    assert len({first, *others}) == 4


# Refusals


@pytest.mark.parametrize(
    ("arguments", "line", "expected"),
    [
        pytest.param(
            "double-chance",
            "7 5",
            "Refused (another bet is required): UR WAY 7: bet on Banker, Player or Tie first",
            marks=pytest.mark.requirement("R28"),
        ),
        pytest.param(
            "punto-banco",
            "b 20 p 20",
            "Refused (bets cannot be combined): Banker and Player",
            marks=pytest.mark.requirement("R32"),
        ),
        pytest.param(
            "punto-banco",
            "b 4",
            "Refused (table limits): Banker: 4.00 is outside the table limits; "
            "bet 5.00 to 1,000.00",
            marks=pytest.mark.requirement("R35"),
        ),
        pytest.param(
            "punto-banco",
            "b 20 pp 201",
            "Player pair: 201.00 is outside the table limits; bet 5.00 to 200.00",
            marks=pytest.mark.requirement("R35"),
        ),
        ("punto-banco", "b 5.50", "Refused (stake step): Banker: 5.50 cannot be paid out exactly"),
        ("punto-banco", "b 5.50", "bet a multiple of 0.20"),
        ("punto-banco", "b 20, b 20", "Refused (duplicate bet): Banker is bet on twice"),
        ("punto-banco", "b 0", "Banker: invalid stake 0: must be a positive whole number of coins"),
        (
            "punto-banco --bankroll 30",
            "b 20 t 15",
            "Refused (over your balance): these bets come to 35.00, but your balance is 30.00: "
            "stake 5.00 less",
        ),
        ("punto-banco", "[/] 5", "Unknown bet '[/]'"),
        ("punto-banco", "[red]b[/red] 5", "Unknown bet '[red]b[/red]'"),
        ("punto-banco", "💥 5", "Unknown bet '💥'"),
        ("punto-banco", "again", "You have not placed any bets to repeat yet."),
    ],
)
def test_a_refused_wager_costs_nothing(table, arguments, line, expected):
    printed = table(f"{arguments} --seed 1", line)
    assert expected in one_line(printed)
    assert ("No bets were placed." in printed) == ("Refused" in printed)
    assert "You saw 0 rounds" in printed
    assert printed.count("Place your bets") == 2


@pytest.mark.requirement("R35")
def test_a_refusal_names_every_reason_and_does_not_affect_the_next_line(table):
    printed = table("double-chance --seed 1", "b 1 p 2000 7 5.00", "b 5")
    assert printed.count("Refused (table limits)") == 2
    assert printed.count("Refused (bets cannot be combined)") == 1
    (coup,) = printed_coups(printed)
    assert coup.wagers == {"banker": 500}


@pytest.mark.requirement("R33")
@pytest.mark.requirement("R34")
def test_wagers_that_the_card_allows_are_accepted(table):
    (both,) = printed_coups(table("commission --seed 1", "b 20 p 20"))
    assert both.wagers == {"banker": 2000, "player": 2000}
    (tie,) = printed_coups(table("punto-banco --seed 1", "t 20"))
    assert tie.wagers == {"tie": 2000}


def test_repeated_bets_are_checked_again(table):
    lines = ["t 40", *["again"] * 3]
    printed = table("punto-banco --seed 1 --bankroll 70", *lines)
    assert "these bets come to 40.00, but your balance is 30.00: stake 10.00 less" in one_line(
        printed
    )


def test_the_seat_does_not_settle_a_wager_above_its_balance():
    seat = Seat(load("punto-banco").game(), 1000)
    coup = parse_coup("P:9hKd=9 B:8hKc=8")
    with pytest.raises(BaccaratError):
        seat.settle(coup, [Wager("player", 2000)])
    assert (seat.balance, seat.coups, seat.last) == (1000, 0, ())


# Starting and leaving


@pytest.mark.parametrize("lines", [[], ["quit"], ["Q"], ["exit"], ["b 20", "quit", "b 20"]])
def test_leaving_prints_a_summary(table, lines):
    printed = table("online --seed 1", *lines)
    assert "You saw " in printed
    assert printed.endswith("Goodbye.\n")


def test_play_ends_when_the_balance_is_below_the_minimum_bet(table):
    printed = table("punto-banco --seed 1 --bankroll 12", "t 10", "t 5", "never read")
    assert "Your balance of 2.00 is below the minimum bet of 5.00" in one_line(printed)
    assert "You staked 10.00 and lost 10.00." in printed
    assert "leave with 2.00 GBP" in printed
    assert "never read" not in printed


@pytest.mark.parametrize("card", built_in_cards())
@pytest.mark.requirement("R47")
def test_the_opening_shows_play_money_and_the_notice(table, card):
    printed = one_line(table(f"{card} --seed 1"))
    assert "Play money" in printed
    notice = load(card).notice
    for words in (notice.warning, notice.regulator, *notice.contacts):
        assert (words or "") in printed
    assert ("You must be 21 or over to play" in printed) == (notice.minimum_age == 21)


@pytest.mark.parametrize("card", built_in_cards())
def test_everything_fits_80_columns(table, card):
    lines = [*COMMANDS][1:-1]
    printed = table(f"{card} --seed 4", example(load(card).game()), *lines, *["again"] * 70, *lines)
    assert max(map(len, printed.splitlines())) <= 80


def test_a_narrow_terminal_wraps_figures_and_never_cuts_them(table, monkeypatch):
    monkeypatch.setattr(play, "WIDTH", 44)
    printed = table("punto-banco --seed 1 --bankroll 999999999999999", "pp 5", "bets")
    assert "999,999,999,999,999.00" in printed
    assert "…" not in printed


@pytest.mark.requirement("R50")
def test_commands_at_the_table_are_answered(table):
    printed = table("no-commission --seed 4", "", "bets", "roads", "rules", "help", "?")
    assert re.search(r"^B +Banker +1:2 or 1:1 +5\.00 +1,000\.00 +0\.02 +1\.4581%$", printed, re.M)
    assert "Cockroach Pig" in printed
    assert "With 3, Banker draws if Player's third card is worth 0–7 or 9." in printed
    assert all(f"  {word} " in printed for word in COMMANDS)
    assert printed.count("Press Enter to sit a round out") == 2


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("online --bankroll 0.50", "--bankroll 0.50: must be at least 1.00, the minimum bet"),
        ("online --bankroll lots", "'lots' is not an amount of money"),
        ("online --cut 4", "cards from the end, not 4"),
        ("online --cut 500", "must be 11 to 404 cards from the end"),
        ("online --cut x", "--cut"),
        ("online --burn two", "--burn"),
        ("online --delay -1", "argument --delay: must be between 0 and 60 seconds, not '-1'"),
        ("online --delay nan", "must be between 0 and 60 seconds, not 'nan'"),
        ("online --delay slow", "must be between 0 and 60 seconds, not 'slow'"),
    ],
)
def test_invalid_options_are_refused(capsys, arguments, expected):
    assert main(["play", *arguments.split()]) == 2
    assert expected in capsys.readouterr().err


def test_the_delay_applies_before_every_card_and_the_result(table, monkeypatch):
    pauses: list[float] = []
    monkeypatch.setattr(play.time, "sleep", pauses.append)
    table("online --seed 1", "")
    assert pauses == []
    (coup,) = printed_coups(table("online --seed 1 --delay 0.25", ""))
    assert pauses == [0.25] * (len(coup.player) + len(coup.banker) + 1)


def test_bytes_that_are_not_text_are_treated_as_a_typing_error():
    done = subprocess.run(
        [sys.executable, "-m", "baccarat", "play", "online", "--seed", "1"],
        input=b"b \xff\n\xc3\x28 5\nb \x1b[2J\nb 20\n",
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert "You saw 1 round and bet on 1. You staked 20.00 and " in done.stdout.decode()
    assert b"\x1b" not in done.stdout


# On a terminal


class Terminal:
    """`baccarat play` running on a pseudo-terminal."""

    def __init__(self, *arguments: str) -> None:
        import pty

        self.ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "baccarat", "play", *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=os.environ | {"TERM": "xterm", "COLUMNS": "80"},
            # This signal is ignored in background jobs and their children.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        os.close(theirs)
        self.seen = ""

    def type(self, text: str) -> None:
        os.write(self.ours, text.encode())

    def wait_for(self, words: str) -> None:
        """Read until the words are on the screen (colours left out), or the program has ended."""
        deadline = time.monotonic() + 60
        while words not in self.seen and time.monotonic() < deadline:
            if select.select([self.ours], [], [], 0.1)[0]:
                try:
                    data = os.read(self.ours, 65536).decode(errors="replace")
                except OSError:  # the other side is closed
                    break
                self.seen += re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", data)
        assert words in self.seen

    def end(self) -> int:
        self.wait_for("Goodbye.")
        status = self.process.wait(timeout=60)
        os.close(self.ours)
        return status


@pytest.fixture
def terminal():
    pytest.importorskip("pty")
    opened: list[Terminal] = []

    def open_one(*arguments: str) -> Terminal:
        opened.append(Terminal(*arguments))
        return opened[-1]

    yield open_one
    for one in opened:
        one.process.kill()
        one.process.wait()


@pytest.mark.requirement("R02")
def test_ctrl_c_during_a_coup_settles_it_and_leaves(terminal):
    at = terminal("punto-banco", "--seed", "1", "--delay", "2")
    at.wait_for("Place your bets: ")
    at.type("banker 20\r")
    at.wait_for("No more bets.")
    at.wait_for("  Player ")
    at.process.send_signal(signal.SIGINT)
    assert at.end() == 0
    assert "You leave during a round, which ends P:6c9h=5 B:Qc9s=9." in at.seen
    assert "You won 19.00 in this round. Balance 1,019.00." in at.seen


@pytest.mark.parametrize("how", ["ctrl-d", "ctrl-c"])
def test_ctrl_d_and_ctrl_c_at_the_prompt_leave(terminal, how):
    at = terminal("punto-banco", "--seed", "1", "--delay", "0")
    at.wait_for("Place your bets: ")
    at.type("banker 20\r")
    at.wait_for("Round 2")
    at.wait_for("Balance 1,019.00.")
    at.seen = at.seen.rpartition("Balance 1,019.00.")[2]
    at.wait_for("Place your bets: ")
    if how == "ctrl-d":
        at.type("\x04")
    else:
        at.process.send_signal(signal.SIGINT)
        try:
            at.process.wait(5)
        except subprocess.TimeoutExpired:  # it came just before the program was reading
            at.process.send_signal(signal.SIGINT)
    assert at.end() == 0
    assert "Traceback" not in at.seen
