"""`baccarat play`: a table in the terminal, with play money.

One round after the other: wagers are asked for, a coup is dealt, the wagers are settled. A coup
is dealt and settled before it is shown, so that whoever leaves in the middle of it (Ctrl-C)
leaves with the right balance.
"""

import argparse
import contextlib
import io
import json
import random
import shutil
import sys
import time
from collections.abc import Sequence
from itertools import pairwise

from rich.console import Console, RenderableType
from rich.text import Text

from baccarat.cli import drawing_play as drawing
from baccarat.cli.common import add_game, add_json, console, game_of
from baccarat.cli.drawing_roads import render, render_big_road
from baccarat.cli.seat import Seat, parse_wagers, smallest_wager
from baccarat.core.coup import Coup, Deal
from baccarat.core.errors import BaccaratError
from baccarat.core.facts import PairKind, pair_kind
from baccarat.core.money import format_coins, parse_coins
from baccarat.core.rulecard import Game
from baccarat.core.settlement import Settled
from baccarat.core.tableau import Rule
from baccarat.core.wagers import Wager
from baccarat.roads import Result, Winner, roads
from baccarat.shoe import CUT, Burn, Shoe, shuffled

WIDTH = 80
"""Wider lines are harder to read, and nothing here needs them."""
PACE = 0.6
"""Seconds between two cards on a terminal."""
SLOWEST = 60
PROMPT = "Place your bets: "
FIRST_CARDS = 4

_ALIASES = {"r": "again", "q": "quit", "exit": "quit", "?": "help"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("--seed", type=int, metavar="N", help="shuffle by this number, to repeat")
    parser.add_argument(
        "--bankroll", default="1000", metavar="AMOUNT", help="play money (default: %(default)s)"
    )
    parser.add_argument(
        "--cut",
        type=int,
        default=CUT,
        metavar="N",
        help="cards behind the cut card (default: %(default)s)",
    )
    parser.add_argument(
        "--burn",
        choices=[str(rule) for rule in Burn],
        default=str(Burn.FIRST_CARD),
        help="cards burned from a new shoe; first-card: as its face says (default: %(default)s)",
    )
    parser.add_argument(
        "--pace",
        type=_seconds,
        metavar="SECONDS",
        help=f"pause between cards, 0 for none (default: {PACE} on a terminal)",
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    game = game_of(args)
    seat = Seat(game, parse_coins(args.bankroll))
    if not seat.can_wager:
        least = format_coins(smallest_wager(game))
        raise BaccaratError(f"--bankroll {args.bankroll} is too little: bring at least {least}")
    by_hand = sys.stdin.isatty() and sys.stdout.isatty()
    pace = (PACE if by_hand else 0.0) if args.pace is None else args.pace
    # A seed is there to be repeated; without one, nobody can know the shoe.
    randomness = random.SystemRandom() if args.seed is None else random.Random(args.seed)  # noqa: S311
    dealer = Dealer(game, randomness, cut=args.cut, burn=Burn(args.burn))
    if args.json:
        return _play_by_lines(seat, dealer)
    visit = Visit(seat, dealer, pace)
    visit.begin()
    # Ctrl-C at any moment is a way to leave, not a fault.
    with contextlib.suppress(KeyboardInterrupt):
        while seat.can_wager and visit.round():
            pass
    visit.end()
    return 0


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1
    if not 0 <= seconds <= SLOWEST:
        raise argparse.ArgumentTypeError(f"{text!r} is no pause: 0 to {SLOWEST} seconds is allowed")
    return seconds


class Dealer:
    """Deals coups from one shoe after the other."""

    def __init__(self, game: Game, randomness: random.Random, *, cut: int, burn: Burn) -> None:
        self.game = game
        self._randomness, self._cut, self._burn = randomness, cut, burn
        self.results: list[Result] = []
        """What the roads show: the coups of this shoe."""
        self.shoe = self._new_shoe()

    def change_shoe(self) -> None:
        self.shoe = self._new_shoe()
        self.results = []

    def _new_shoe(self) -> Shoe:
        order = shuffled(decks=self.game.decks, randomness=self._randomness)
        return Shoe(order, cut=self._cut, burn=self._burn)

    def deal(self) -> tuple[list[Deal], int | None]:
        """The states of one coup, card by card, and before which of them the cut card came out."""
        states, cut_before = [Deal(self.game.tableau)], None
        while not states[-1].over:
            was_out = self.shoe.cut_card_out
            states.append(states[-1].give(self.shoe.deal()))
            if self.shoe.cut_card_out and not was_out:
                cut_before = len(states) - 1
        self.shoe.end_coup()
        self.results.append(result_of(states[-1].coup, self.game))
        return states, cut_before


def result_of(coup: Coup, game: Game) -> Result:
    """What the roads remember of a coup."""
    player, banker = coup.player[:2], coup.banker[:2]
    last = Deal(game.tableau, coup.player, coup.banker).turn
    return Result(
        Winner(coup.winner[0].upper()),
        player_pair=pair_kind(*player) != PairKind.NONE,
        banker_pair=pair_kind(*banker) != PairKind.NONE,
        natural=last.rule is Rule.NATURAL,
    )


class Visit:
    """A player's visit to the table: asking, showing, remembering what was wagered."""

    def __init__(self, seat: Seat, dealer: Dealer, pace: float) -> None:
        self.seat, self.dealer, self.pace = seat, dealer, pace
        self.out: Console = console()
        self.by_hand = sys.stdin.isatty() and sys.stdout.isatty()
        # Sentences may be wrapped, so a narrow terminal gets lines that fit.
        on_screen = shutil.get_terminal_size().columns if sys.stdout.isatty() else WIDTH
        self.out.width = min(on_screen, WIDTH)
        if isinstance(sys.stdin, io.TextIOWrapper):
            # Bytes that are no text are a slip of the keyboard, not the end of the visit.
            sys.stdin.reconfigure(errors="replace")
        if self.by_hand:
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401  (the arrow keys work, and earlier lines come back)

    def begin(self) -> None:
        self._say(*drawing.opening(self.seat), "")
        self._show_new_shoe()

    def end(self) -> None:
        if not self.seat.can_wager:
            self._say(drawing.nothing_left(self.seat))
        self._say(*drawing.summary(self.seat))

    def round(self) -> bool:
        """One round; False when the player leaves instead."""
        self._say("", drawing.status(self.seat, self.dealer.shoe, width=self.out.width))
        wagers = self._wagers()
        if wagers is None:
            return False
        states, cut_before = self.dealer.deal()
        settled = self.seat.settle(states[-1].coup, wagers)
        try:
            self._show_coup(states, cut_before, wagers)
            self._show_settlement(states[-1].coup, settled)
        except KeyboardInterrupt:
            coup = states[-1].coup
            self._say("", f"You leave during a coup; it is dealt to its end: {coup}.")
            if settled:
                self._say(drawing.net_of_coup(settled, self.seat.balance))
            return False
        if self.dealer.shoe.over:
            self._say("", drawing.shoe_is_over(self.dealer.results))
            self.dealer.change_shoe()
            self._show_new_shoe()
        return True

    def _wagers(self) -> tuple[Wager, ...] | None:
        """Ask until there are wagers, or none for this coup; None when the player leaves."""
        while (line := self._ask()) is not None:
            word = line.strip().casefold()
            try:
                match _ALIASES.get(word, word):
                    case "quit":
                        return None
                    case "":
                        return ()
                    case "again":
                        return self.seat.again()
                    case word if word in drawing.COMMANDS:
                        self._answer(word)
                    case _:
                        wagers = parse_wagers(self.seat.game, line, other_words=drawing.COMMANDS)
                        return self.seat.check(wagers)
            except BaccaratError as error:
                self._say(*map(drawing.indented, drawing.refused(error, self.seat)))
        return None

    def _ask(self) -> str | None:
        """A line from the player; None at the end of input."""
        if self.by_hand:
            try:
                return input(PROMPT)
            except (EOFError, KeyboardInterrupt):
                self._say("")
                return None
        line = sys.stdin.readline()
        typed = "".join(char for char in line if char.isprintable())
        self._say(PROMPT + typed)
        return line or None

    def _answer(self, word: str) -> None:
        game = self.seat.game
        match word:
            case "bets":
                self._say(*drawing.bets(game))
            case "roads":
                self._say(render(roads(self.dealer.results)))
            case "rules":
                self._say(*drawing.rules(game))
            case _:
                self._say(*drawing.help_text(game))

    def _show_new_shoe(self) -> None:
        self._say(drawing.new_shoe(self.seat.game, self.dealer.shoe))

    def _show_coup(
        self, states: Sequence[Deal], cut_before: int | None, wagers: Sequence[Wager]
    ) -> None:
        """Card by card, each third card with the row of the tableau that asks for it."""
        self._say(drawing.indented(drawing.taken(self.seat.game, wagers)), "")
        for number, (before, after) in enumerate(pairwise(states), start=1):
            turn = before.turn
            hand = str(turn.hand)
            if turn.rule is Rule.START:
                announced = Text.assemble("  " if number == 1 else "   ", drawing.side(hand), " ")
            else:
                announced = Text(f"  {turn.why}: ")
            self.out.print(announced, end="")
            self._pause()
            if number == cut_before:
                self.out.print(drawing.CUT_CARD, end=" ")
            card = (after.player if hand == "player" else after.banker)[-1]
            self.out.print(drawing.face(card), end="" if number < FIRST_CARDS else "\n")
            if number == FIRST_CARDS:
                self._say(drawing.indented(drawing.totals(after)))
        if len(states[-1].banker) == 2:
            self._say(drawing.indented(f"{states[-1].turn.why}."))
        if self.dealer.shoe.last_coup:
            self._say(drawing.indented("The cut card is out: one more coup in this shoe."))
        self._pause()
        self._say("", drawing.indented(drawing.hands(states[-1].coup)))
        self._say(drawing.indented(drawing.winner(states[-1].coup)))

    def _show_settlement(self, coup: Coup, settled: Sequence[Settled]) -> None:
        """Losing wagers are collected, then winners are paid; then the road has grown."""
        if settled:
            self._say(drawing.indented(drawing.settlement(self.seat.game, coup, settled)))
            self._say(drawing.indented(drawing.net_of_coup(settled, self.seat.balance)))
        self._say("", drawing.indented(render_big_road(roads(self.dealer.results))))

    def _pause(self) -> None:
        if self.pace:
            time.sleep(self.pace)

    def _say(self, *things: RenderableType) -> None:
        for thing in things:
            # A string may hold what the player typed: never read it as rich's markup.
            self.out.print(Text(thing) if isinstance(thing, str) else thing)


def _play_by_lines(seat: Seat, dealer: Dealer) -> int:
    """For programs: a line of wagers in (empty to watch), a line of JSON out."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    for line in sys.stdin:
        try:
            wagers = seat.check(parse_wagers(seat.game, line)) if line.strip() else ()
        except BaccaratError as error:
            print(json.dumps({"refused": str(error)}, ensure_ascii=False), flush=True)
            continue
        coup = dealer.deal()[0][-1].coup
        settled = seat.settle(coup, wagers)
        answer = {
            "coup": str(coup),
            "winner": coup.winner,
            "wagers": [{"bet": s.wager.bet, "stake": s.wager.stake, "net": s.net} for s in settled],
            "net": sum(one.net for one in settled),
            "balance": seat.balance,
            "cards_left": dealer.shoe.left,
            "last_of_shoe": dealer.shoe.over,
        }
        print(json.dumps(answer), flush=True)
        if dealer.shoe.over:
            dealer.change_shoe()
    return 0
