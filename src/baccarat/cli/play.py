"""`baccarat play`: a table in the terminal, with play money.

In each round the player is asked for wagers, a coup is dealt, and the wagers are settled. A coup is
dealt and settled before it is shown, so the balance is correct even if the player leaves (Ctrl-C)
while it is being shown.
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

from baccarat import BaccaratError, Coup, Deal, Game, Settled
from baccarat.analysis.records import result_of
from baccarat.cli.shared import play_screen as drawing
from baccarat.cli.shared.options import add_game, add_number, add_seconds, add_value, game_of
from baccarat.cli.shared.printing import attributes, console, indented
from baccarat.cli.shared.road_drawing import Drawing
from baccarat.cli.shared.seat import Seat, parse_wagers, smallest_wager
from baccarat.cli.shared.shoe_options import add_shoe, rules_of
from baccarat.core.money import format_coins, parse_coins
from baccarat.core.roads import Result, roads
from baccarat.core.tableau import TurnRule
from baccarat.core.wagers import Wager
from baccarat.shoe import Shoe, ShoeRules, shuffled
from baccarat.wording.catalogue import catalogue
from baccarat.wording.dealing import reason_in_words

WIDTH = 80
"""Maximum line width in columns; longer lines are harder to read and never needed."""
DELAY = 0.6
"""Seconds between two cards on a terminal."""
LONGEST_DELAY = 60
PROMPT = "Place your bets: "
FIRST_CARDS = 4

_ALIASES = {"r": "again", "q": "quit", "exit": "quit", "?": "help"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_number(parser, "--seed", "random seed, to deal the same shoes again")
    add_value(parser, "--bankroll", "AMOUNT", "play money to start with", default="1000")
    add_shoe(parser, shuffler=False)
    words = f"pause between cards (default: {DELAY} on a terminal, otherwise 0)"
    add_seconds(parser, "--delay", words, LONGEST_DELAY)


def run(args: argparse.Namespace) -> int:
    game = game_of(args)
    seat = Seat(game, parse_coins(args.bankroll))
    if not seat.can_wager:
        least = format_coins(smallest_wager(game))
        raise BaccaratError(
            f"--bankroll {args.bankroll}: must be at least {least}, the minimum bet"
        )
    # With a seed, the shoe is reproducible; without one, it cannot be predicted.
    randomness = random.SystemRandom() if args.seed is None else random.Random(args.seed)  # noqa: S311
    dealer = Dealer(game, randomness, rules_of(args, game))
    if isinstance(sys.stdin, io.TextIOWrapper):
        # Invalid UTF-8 is treated as a typing error and must not end the visit.
        sys.stdin.reconfigure(errors="replace")
    if args.json:
        return _play_by_lines(seat, dealer)
    visit = Visit(seat, dealer, args.delay)
    visit.begin()
    # Ctrl-C is a normal way to leave at any moment.
    with contextlib.suppress(KeyboardInterrupt):
        while seat.can_wager and visit.round():
            pass
    visit.end()
    return 0


class Dealer:
    """Deals coups from one shoe after another."""

    def __init__(self, game: Game, randomness: random.Random, rules: ShoeRules) -> None:
        self.game = game
        self._randomness, self._rules = randomness, rules
        self.change_shoe()

    def change_shoe(self) -> None:
        order = shuffled(decks=self.game.decks, randomness=self._randomness)
        self.shoe = Shoe(order, self._rules)
        self.results: list[Result] = []
        """The results of this shoe so far, for the roads."""

    def deal(self) -> tuple[list[Deal], int | None]:
        """Return the states of one coup, and the index of the state in which the cut card came out,
        if any."""
        states, cut_before = [Deal(self.game.tableau)], None
        while not states[-1].over:
            was_out = self.shoe.progress.cut_card_out
            states.append(states[-1].give(self.shoe.deal()))
            if self.shoe.progress.cut_card_out and not was_out:
                cut_before = len(states) - 1
        self.shoe.end_coup()
        self.results.append(result_of(states[-1].coup, self.game.tableau.naturals))
        return states, cut_before


class Visit:
    """A player's visit to the table: prompts, output, and the last wagers."""

    def __init__(self, seat: Seat, dealer: Dealer, delay: float | None) -> None:
        self.seat, self.dealer = seat, dealer
        self.out: Console = console()
        self.by_hand = sys.stdin.isatty() and sys.stdout.isatty()
        self.delay = (DELAY if self.by_hand else 0.0) if delay is None else delay
        # Sentences can be wrapped to fit a narrow terminal.
        on_screen = shutil.get_terminal_size().columns if sys.stdout.isatty() else WIDTH
        self.out.width = min(on_screen, WIDTH)
        if self.by_hand:
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401  (enables arrow keys and history)

    def begin(self) -> None:
        self._print(*drawing.opening(self.seat), "")
        self._show_new_shoe()

    def end(self) -> None:
        if not self.seat.can_wager:
            self._print(drawing.nothing_left(self.seat))
        self._print(*drawing.summary(self.seat))

    def round(self) -> bool:
        """Play one round; return False if the player leaves instead."""
        self._print("", drawing.status(self.seat, self.dealer.shoe.progress, width=self.out.width))
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
            self._print("", f"You leave during a round, which ends {coup}.")
            if settled:
                self._print(drawing.net_of_coup(settled, self.seat.balance))
            return False
        if self.dealer.shoe.over:
            self._print("", drawing.shoe_is_over(self.dealer.results))
            self.dealer.change_shoe()
            self._show_new_shoe()
        return True

    def _wagers(self) -> tuple[Wager, ...] | None:
        """Ask until the wagers are valid; return () if the player sits out, None if the player
        leaves."""
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
                    case "roads":
                        self._print(Drawing(roads(self.dealer.results)))
                    case word if word in drawing.ANSWERS:
                        self._print(*drawing.ANSWERS[word](self.seat.game))
                    case _:
                        wagers = parse_wagers(self.seat.game, line, other_words=drawing.COMMANDS)
                        return self.seat.check(wagers)
            except BaccaratError as error:
                self._print(*map(indented, drawing.refused(error, self.seat)))
        return None

    def _ask(self) -> str | None:
        """Return a line from the player; None at the end of input."""
        if self.by_hand:
            try:
                return input(PROMPT)
            except (EOFError, KeyboardInterrupt):
                self._print("")
                return None
        line = sys.stdin.readline()
        typed = "".join(char for char in line if char.isprintable())
        self._print(PROMPT + typed)
        return line or None

    def _show_new_shoe(self) -> None:
        self._print(drawing.new_shoe(self.seat.game, self.dealer.shoe))

    def _show_coup(
        self, states: Sequence[Deal], cut_before: int | None, wagers: Sequence[Wager]
    ) -> None:
        """Show the coup card by card, and with each third card the row of the tableau that requires
        it."""
        self._print(indented(drawing.accepted_wagers(self.seat.game, wagers)), "")
        for number, (before, after) in enumerate(pairwise(states), start=1):
            turn = before.turn
            hand = str(turn.hand)
            if turn.reason.row is TurnRule.START:
                announced = Text.assemble("  " if number == 1 else "   ", drawing.side(hand), " ")
            else:
                announced = Text(f"  {reason_in_words(turn.reason, catalogue())}: ")
            self.out.print(announced, end="")
            self._pause()
            if number == cut_before:
                self.out.print(drawing.CUT_CARD, end=" ")
            card = (after.player if hand == "player" else after.banker)[-1]
            self.out.print(drawing.face(card), end="" if number < FIRST_CARDS else "\n")
            if number == FIRST_CARDS:
                self._print(indented(drawing.totals(after)))
        if len(states[-1].banker) == 2:
            reason = reason_in_words(states[-1].turn.reason, catalogue())
            self._print(indented(f"{reason}."))
        if self.dealer.shoe.progress.last_coup:
            self._print(indented("The cut card is out: one more round in this shoe."))
        self._pause()
        self._print("", indented(drawing.hands(states[-1].coup)))
        self._print(indented(drawing.winner(states[-1].coup)))

    def _show_settlement(self, coup: Coup, settled: Sequence[Settled]) -> None:
        """Show which wagers are collected, paid and returned, and the updated road."""
        if settled:
            self._print(indented(drawing.settlement(self.seat.game, coup, settled)))
            self._print(indented(drawing.net_of_coup(settled, self.seat.balance)))
        self._print("", indented(Drawing(roads(self.dealer.results), big_road_only=True)))

    def _pause(self) -> None:
        if self.delay:
            time.sleep(self.delay)

    def _print(self, *things: RenderableType) -> None:
        for thing in things:
            # A string may contain what the player typed: never parse it as rich markup.
            self.out.print(Text(thing) if isinstance(thing, str) else thing)


def _play_by_lines(seat: Seat, dealer: Dealer) -> int:
    """Play for another program: read a line of wagers for each coup, and print a line of JSON.

    An empty line means that the player sits the coup out.
    """
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
            "wagers": [attributes(s.wager, "bet", "stake") | {"net": s.net} for s in settled],
            "net": sum(wager.net for wager in settled),
            "balance": seat.balance,
            "cards_left": dealer.shoe.progress.left,
            "last_of_shoe": dealer.shoe.over,
        }
        print(json.dumps(answer), flush=True)
        if dealer.shoe.over:
            dealer.change_shoe()
    return 0
