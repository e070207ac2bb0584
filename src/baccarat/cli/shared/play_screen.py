"""What `baccarat play` shows, as things for a rich console to print.

Cards are small faces; every announcement is a sentence, so that nothing depends on colour alone
and a transcript reads like a session at the table. Readable from 80 columns on.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from baccarat.analysis.edges import analyse
from baccarat.cli.common import add_row, counted, table
from baccarat.cli.seat import BeyondBalance, Seat, example, smallest_wager
from baccarat.core.cards import Card, total
from baccarat.core.coup import Coup, Deal
from baccarat.core.errors import BaccaratError, one_of
from baccarat.core.money import Rounding, format_coins, percent_string
from baccarat.core.rulecard import STAND_OFF, Game
from baccarat.core.settlement import Settled
from baccarat.core.wagers import Wager, WagerRefused
from baccarat.core.words import odds_in_words, rules_in_words
from baccarat.roads import Result, statistics
from baccarat.shoe import Shoe

COMMANDS = {
    "again": "the same wagers as last time (r)",
    "bets": "every bet: what it pays, its limits, its house edge",
    "roads": "all the roads of this shoe",
    "rules": "who draws, and who may wager on what",
    "help": "this",
    "quit": "leave the table (q, or Ctrl-D)",
}
"""What can be typed besides wagers."""

STYLES = {"player": "bold bright_blue", "banker": "bold red", "tie": "bold green"}

CUT_CARD = Text("[cut card]", style="black on yellow")

_SETTLED = {"loses": "Collected", "wins": "Paid", "stand-off": "Returned"}
"""What the dealer does with a wager, in the order in which it is done."""

_NOTICE = "notice"
_SHORT_RULES = ("cards", "deal", "tableau", "bets", "wagering")


def indented(thing: RenderableType) -> Padding:
    """A part of the story, wrapped within its indentation."""
    return Padding(Text(thing) if isinstance(thing, str) else thing, (0, 0, 0, 2), expand=False)


def face(card: Card) -> Text:
    """A small card: K♥. All are of one width."""
    colour = "red" if card.suit in ("h", "d") else "black"
    return Text(f"{card.face():>3} ", style=f"bold {colour} on bright_white")


def side(hand: str) -> Text:
    """'Player' or 'Banker', in its colour."""
    return Text(hand.capitalize(), style=STYLES[hand])


def opening(seat: Seat) -> Iterable[Text]:
    """The card's name, what is at stake, and what the card must tell people."""
    game = seat.game
    parameters = game.card.parameters.values()
    settings = [
        f"{parameter.name} {parameter.format(game.parameters[parameter.name])}"
        for parameter in parameters
    ]
    currency = game.card.currency
    yield Text.assemble((game.card.name, "bold"), (" · " + " · ".join(settings), "dim"))
    yield Text(game.card.summary)
    yield Text()
    yield Text.assemble(
        ("Play money: ", "bold"),
        f"you have {format_coins(seat.bankroll)} {currency} that nobody can spend.",
    )
    yield Text(f"Wager by writing {example(game)}. Enter alone watches a coup, help says more.")
    for section in rules_in_words(game):
        if section.key == _NOTICE:
            yield from (Text(line, style="dim") for line in ("", *section.lines))


def new_shoe(game: Game, shoe: Shoe) -> Text:
    decks = "1 deck" if game.decks == 1 else f"{game.decks} decks"
    text = Text.assemble(("A new shoe", "bold"), f": {decks}, shuffled, the cut card in. ")
    if shoe.exposed is not None:
        more = "1 more is" if shoe.burned == 2 else f"{shoe.burned - 1} more are"
        text.append(f"The first card is {shoe.exposed.face()}: {more} burned.")
    elif shoe.burned:
        text.append("One card is burned.")
    return text


def shoe_is_over(results: Sequence[Result]) -> Text:
    counts = statistics(results)
    ties = "1 was a tie" if counts.tie == 1 else f"{counts.tie} were ties"
    return Text(
        f"The shoe is over after {counted(len(results), 'coup')}: Banker won {counts.banker}, "
        f"Player {counts.player}, and {ties}."
    )


def status(seat: Seat, shoe: Shoe, *, width: int) -> Text:
    """The line above the prompt: which coup, how much shoe, how much money."""
    last = ", the last of this shoe" if shoe.last_coup else ""
    balance = f"balance {format_coins(seat.balance)} {seat.game.card.currency}"
    title = f"Coup {shoe.coups + 1}{last} · {shoe.left} cards in the shoe · {balance} "
    return Text.assemble((title, "bold"), ("─" * (width - len(title)), "dim"))


def taken(game: Game, wagers: Sequence[Wager]) -> Text:
    """The wagers as they lie on the layout."""
    if not wagers:
        return Text("You sit this coup out. No more bets.")
    placed = ", ".join(f"{game.bet(w.bet).name} {format_coins(w.stake)}" for w in wagers)
    return Text(f"{placed}. No more bets.")


def refused(error: BaccaratError, seat: Seat) -> Iterable[Text]:
    """Every reason against what was typed and, for wagers, that none of them was taken."""
    match error:
        case WagerRefused(refusals=refusals):
            reasons = [(f"Refused, {one.rule}: ", one.words) for one in dict.fromkeys(refusals)]
        case BeyondBalance():
            reasons = [("Refused, more than you have: ", str(error))]
        case _:
            yield Text(f"{error}.", style="yellow")
            return
    for reason, words in reasons:
        yield Text.assemble((reason, "bold yellow"), f"{words}.")
    yield Text(f"Nothing was taken; your balance is {format_coins(seat.balance)}.", style="dim")


def totals(deal: Deal) -> Text:
    """What the dealer announces after the first four cards."""
    player, banker = total(deal.player), total(deal.banker)
    return Text.assemble(side("player"), f" {player}, ", side("banker"), f" {banker}.")


def hands(coup: Coup) -> Table:
    """Both hands as they lie at the end, with their totals."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    for hand, cards in (("player", coup.player), ("banker", coup.banker)):
        faces = Text(" ").join(face(card) for card in cards)
        grid.add_row(side(hand), faces, Text(str(total(cards)), "bold"))
    return grid


def winner(coup: Coup) -> Text:
    """The announcement of the result."""
    high, low = sorted((coup.player_total, coup.banker_total), reverse=True)
    if coup.winner == "tie":
        return Text(f"Tie, {high} all.", STYLES["tie"])
    return Text(f"{coup.winner.capitalize()} wins, {high} to {low}.", STYLES[coup.winner])


def settlement(game: Game, coup: Coup, settled: Sequence[Settled]) -> Table:
    """Losing wagers are collected, then winners are paid, then stakes returned."""
    pays = game.pay_table.pays(coup)
    rows = Table.grid(padding=(0, 2, 0, 0))
    for column in range(5):
        rows.add_column(justify="right" if column in (2, 4) else "left", overflow="fold")
    for outcome, word in _SETTLED.items():
        for one in (one for one in settled if one.outcome == outcome):
            bet = game.bet(one.wager.bet)
            odds = odds_in_words(pays[bet.id])
            remark = {"loses": "", "wins": f"at {odds}"}.get(outcome, outcome)
            stake = format_coins(one.wager.stake)
            add_row(rows, [word, bet.name, stake, remark, signed(one.net)])
    return rows


def net_of_coup(settled: Sequence[Settled], balance: int) -> Text:
    """What the coup as a whole did to the balance. A loss is called one."""
    net = sum(one.net for one in settled)
    style = "bold green" if net > 0 else "bold"
    words = f"On this coup you {won_or_lost(net)}."
    return Text.assemble((words, style), f" Balance {format_coins(balance)}.")


def won_or_lost(net: int) -> str:
    if net == 0:
        return "neither won nor lost"
    return f"{'won' if net > 0 else 'lost'} {format_coins(abs(net))}"


def signed(coins: int) -> str:
    return f"+{format_coins(coins)}" if coins > 0 else format_coins(coins)


def bets(game: Game) -> Iterable[RenderableType]:
    """Every bet: how to write it, what it pays, what it takes, what it costs."""
    listing = table("short", "bet", "pays", ">stake from", ">to", ">step", ">house edge")
    for column in listing.columns:
        column.overflow = "fold"  # a figure broken in two is better than one cut short
    for figures in analyse(game):
        bet = figures.bet
        odds = dict.fromkeys(line.pays for line in bet.lines if isinstance(line.pays, Fraction))
        paying = [odds_in_words(pay) for pay in odds if pay != STAND_OFF]
        stakes = [format_coins(coins) for coins in (*game.limits(bet), figures.stake_step)]
        short = Text(bet.short, style="bold")
        add_row(listing, [short, bet.name, one_of(paying), *stakes, percent_string(figures.edge)])
    yield listing
    note = "The house edge is what the house keeps of a stake on average, here from a full shoe."
    if game.card.limits.rounding is Rounding.REFUSE:
        note += " A stake is a multiple of its step, so that it pays whole coins."
    yield Text(note, style="dim")


def rules(game: Game) -> Iterable[RenderableType]:
    """The sections that matter at the table; `baccarat show` has them all."""
    for section in rules_in_words(game):
        if section.key in _SHORT_RULES:
            yield Text(section.title, style="bold")
            yield from (indented(line) for line in section.lines)


def help_text(game: Game) -> Iterable[RenderableType]:
    yield Text(
        f"Write your wagers on one line, each a bet and its stake: {example(game)}. A bet is its "
        "short label or its name, or the beginning of it. Wagers are taken together or refused "
        "together, and are good for one coup. Enter alone sits the coup out."
    )
    listing = Table.grid(padding=(0, 2, 0, 0))
    for word, meaning in COMMANDS.items():
        listing.add_row(Text(word, style="bold"), Text(meaning))
    yield indented(listing)


def nothing_left(seat: Seat) -> Text:
    least = format_coins(smallest_wager(seat.game))
    return Text(
        f"Your balance of {format_coins(seat.balance)} is below the smallest wager here, {least}: "
        "the bankroll is played out. It was only play money; stopping now is the right move with "
        "either kind."
    )


def summary(seat: Seat) -> Iterable[Text]:
    """What the visit came to, said as plainly as a coup's."""
    coups = "1 coup" if seat.coups == 1 else f"{seat.coups} coups"
    words = f"You saw {coups} and wagered on {seat.wagered or 'none'}"
    if seat.wagered:
        words += f": {format_coins(seat.staked)} staked, and in all you {won_or_lost(seat.net)}"
    yield Text(f"{words}.", style="bold")
    yield Text(
        f"You came with {format_coins(seat.bankroll)} and leave with {format_coins(seat.balance)} "
        f"{seat.game.card.currency} of play money. Goodbye."
    )
