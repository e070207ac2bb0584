"""The output of `baccarat play`, for a rich console to print.

Cards are drawn as small faces, and every announcement is a sentence, so that nothing depends on
colour alone and a transcript reads like a session at the table. The output needs at least 80
columns.
"""

from collections.abc import Iterable, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from baccarat import Game, Settled
from baccarat.analysis.edges import BetFigures, analyse
from baccarat.cli.shared.printing import counted, indented, table
from baccarat.cli.shared.seat import BeyondBalance, Seat, example, smallest_wager
from baccarat.core.bets import STAND_OFF
from baccarat.core.cards import Card, total
from baccarat.core.coup import Coup, Deal, Winner
from baccarat.core.errors import BaccaratError, one_of
from baccarat.core.money import Rounding, format_coins, percent_string
from baccarat.core.roads import Result, statistics
from baccarat.core.wagers import Wager, WagerRefused
from baccarat.shoe import Shoe
from baccarat.shoe.progress import Progress
from baccarat.wording.rules import odds_in_words, rules_in_words

COMMANDS = {
    "again": "repeat your last bets (r)",
    "bets": "list all bets with their payouts, limits and house edges",
    "roads": "draw all roads of this shoe",
    "rules": "explain the third-card rules and which bets are allowed",
    "help": "show this help (?)",
    "quit": "leave the table (q, or Ctrl-D)",
}
"""Commands that can be typed in place of bets, with their descriptions."""

STYLES = {"player": "bold bright_blue", "banker": "bold red", "tie": "bold green"}

CUT_CARD = Text("[cut card]", style="black on yellow")

_SETTLED = {"loses": "Collected", "wins": "Paid", "stand-off": "Returned"}
"""What the dealer does with each wager, in the order in which wagers are settled."""

_NOTICE = "notice"
_SHORT_RULES = ("cards", "deal", "tableau", "bets", "wagering")


def face(card: Card) -> Text:
    """Return a small card such as K♥; all cards have the same width."""
    colour = "red" if card.suit in ("h", "d") else "black"
    return Text(f"{card.face():>3} ", style=f"bold {colour} on bright_white")


def side(hand: str) -> Text:
    """Return 'Player' or 'Banker' in its colour."""
    return Text(hand.capitalize(), style=STYLES[hand])


def opening(seat: Seat) -> Iterable[Text]:
    """Yield the game's name, the player's play money, and the notices that the rule card
    requires."""
    game = seat.game
    settings = "".join(
        f" · {name} {parameter.format(game.parameters[name])}"
        for name, parameter in game.card.parameters.items()
    )
    yield Text.assemble((game.card.name, "bold"), (settings, "dim"))
    yield Text(game.card.summary)
    yield Text()
    yield Text.assemble(
        ("Play money: ", "bold"),
        f"you start with {format_coins(seat.bankroll)} {game.card.currency}.",
    )
    yield Text(f"Type bets such as {example(game)}; press Enter to sit out; type help for more.")
    for section in rules_in_words(game):
        if section.key == _NOTICE:
            yield from (Text(line, style="dim") for line in ("", *section.lines))


def new_shoe(game: Game, shoe: Shoe) -> Text:
    decks = counted(game.decks, "deck")
    text = Text.assemble(("New shoe", "bold"), f": {decks}, shuffled and cut. ")
    if shoe.exposed is not None:
        more = counted(shoe.progress.burned - 1, "more card")
        are = "is" if shoe.progress.burned == 2 else "are"
        text.append(f"The first card is {shoe.exposed.face()}: {more} {are} burned.")
    elif shoe.progress.burned:
        text.append("One card is burned.")
    return text


def shoe_is_over(results: Sequence[Result]) -> Text:
    counts = statistics(results)
    ties = "1 was a tie" if counts.tie == 1 else f"{counts.tie} were ties"
    return Text(
        f"The shoe is over after {counted(len(results), 'round')}: Banker won {counts.banker}, "
        f"Player {counts.player}, and {ties}."
    )


def status(seat: Seat, shoe: Progress, *, width: int) -> Text:
    """Return the line above the prompt: the coup, the cards left, and the balance."""
    last = " (last of this shoe)" if shoe.last_coup else ""
    balance = f"balance {format_coins(seat.balance)} {seat.game.card.currency}"
    title = f"Round {shoe.coups + 1}{last} · {shoe.left} cards in the shoe · {balance} "
    return Text.assemble((title, "bold"), ("─" * (width - len(title)), "dim"))


def accepted_wagers(game: Game, wagers: Sequence[Wager]) -> Text:
    """Return the accepted wagers as one line."""
    if not wagers:
        return Text("You sit this round out. No more bets.")
    placed = ", ".join(f"{game.bet(w.bet).name} {format_coins(w.stake)}" for w in wagers)
    return Text(f"{placed}. No more bets.")


def refused(error: BaccaratError, seat: Seat) -> Iterable[Text]:
    """Yield every reason why the input was refused and, for wagers, that none of them was
    accepted."""
    match error:
        case WagerRefused(refusals=refusals):
            reasons = [(f"Refused ({why.rule}): ", why.words) for why in dict.fromkeys(refusals)]
        case BeyondBalance():
            reasons = [("Refused (over your balance): ", str(error))]
        case _:
            words = str(error)
            yield Text(f"{words[:1].upper()}{words[1:]}.", style="yellow")
            return
    for reason, words in reasons:
        yield Text.assemble((reason, "bold yellow"), f"{words}.")
    yield Text(f"No bets were placed. Your balance is {format_coins(seat.balance)}.", style="dim")


def totals(deal: Deal) -> Text:
    """Return what the dealer announces after the first four cards."""
    player, banker = total(deal.player), total(deal.banker)
    return Text.assemble(side("player"), f" {player}, ", side("banker"), f" {banker}.")


def hands(coup: Coup) -> Table:
    """Return the final cards of both hands, with their totals."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    for hand, cards in (("player", coup.player), ("banker", coup.banker)):
        faces = Text(" ").join(face(card) for card in cards)
        grid.add_row(side(hand), faces, Text(str(total(cards)), "bold"))
    return grid


def winner(coup: Coup) -> Text:
    """Return the announcement of the result."""
    high, low = sorted((coup.player_total, coup.banker_total), reverse=True)
    if coup.winner is Winner.TIE:
        return Text(f"Tie, {high} all.", STYLES["tie"])
    return Text(f"{coup.winner.capitalize()} wins, {high} to {low}.", STYLES[coup.winner])


def settlement(game: Game, coup: Coup, settled: Sequence[Settled]) -> Table:
    """Return the settled wagers: losers collected, then winners paid, then stakes returned."""
    pays = game.pay_table.pays(coup)
    rows = Table.grid(padding=(0, 2, 0, 0))
    for column in range(5):
        rows.add_column(justify="right" if column in (2, 4) else "left", overflow="fold")
    for outcome, word in _SETTLED.items():
        for wager, net in ((s.wager, s.net) for s in settled if s.outcome == outcome):
            odds = odds_in_words(pays[wager.bet])
            remark = {"loses": "", "wins": f"at {odds}"}.get(outcome, outcome)
            bet, stake = game.bet(wager.bet).name, format_coins(wager.stake)
            rows.add_row(*map(Text, (word, bet, stake, remark, signed(net))))
    return rows


def net_of_coup(settled: Sequence[Settled], balance: int) -> Text:
    """Return a line with the coup's net result, stated as won or lost, and the new balance."""
    net = sum(wager.net for wager in settled)
    style = "bold green" if net > 0 else "bold"
    words = f"You {won_or_lost(net)} in this round."
    return Text.assemble((words, style), f" Balance {format_coins(balance)}.")


def won_or_lost(net: int) -> str:
    if net == 0:
        return "broke even"
    return f"{'won' if net > 0 else 'lost'} {format_coins(abs(net))}"


def signed(coins: int) -> str:
    return f"+{format_coins(coins)}" if coins > 0 else format_coins(coins)


def bets(game: Game) -> Iterable[RenderableType]:
    """Yield a table of all bets: how to type each bet, its odds, its limits and its house edge."""
    columns = ("short", "bet", "pays", ">min", ">max", ">step", ">house edge")
    listing = table(columns, (_bet_cells(game, figures) for figures in analyse(game).values()))
    for column in listing.columns:
        column.overflow = "fold"  # a wrapped figure is better than a truncated one
    yield listing
    note = (
        "The house edge is the share of a stake that the house keeps on average, from a full shoe."
    )
    if game.card.limits.rounding is Rounding.REFUSE:
        note += " Stakes must be multiples of the step, so that payouts are whole coins."
    yield Text(note, style="dim")


def _bet_cells(game: Game, figures: BetFigures) -> list[str | Text]:
    bet = figures.bet
    odds = dict.fromkeys(line.pays for line in bet.lines)
    paying = [odds_in_words(pay) for pay in odds if pay != STAND_OFF]
    stakes = [format_coins(coins) for coins in (*game.limits(bet), figures.bet.step)]
    edge = percent_string(figures.edge)
    return [Text(bet.short, "bold"), bet.name, one_of(paying), *stakes, edge]


def rules(game: Game) -> Iterable[RenderableType]:
    """Yield the sections of the rules that matter at the table; `baccarat show` prints all
    sections."""
    for section in rules_in_words(game):
        if section.key in _SHORT_RULES:
            yield Text(section.title, style="bold")
            yield from (indented(line) for line in section.lines)


def help_text(game: Game) -> Iterable[RenderableType]:
    yield Text(
        f"Type your bets on one line, each with its stake: {example(game)}. You can shorten the "
        "name of a bet or use its short label. If one bet is refused, none is placed. Bets are "
        "for one round. Press Enter to sit a round out."
    )
    listing = Table.grid(padding=(0, 2, 0, 0))
    for word, meaning in COMMANDS.items():
        listing.add_row(Text(word, style="bold"), Text(meaning))
    yield indented(listing)


def nothing_left(seat: Seat) -> Text:
    least = format_coins(smallest_wager(seat.game))
    return Text(
        f"Your balance of {format_coins(seat.balance)} is below the minimum bet of {least}, so the "
        "game is over. It was only play money. With real money, this would be the time to stop too."
    )


def summary(seat: Seat) -> Iterable[Text]:
    """Yield a summary of the visit: rounds, total stake, net result and final balance."""
    words = f"You saw {counted(seat.coups, 'round')} and bet on {seat.wagered or 'none'}"
    if seat.wagered:
        words += f". You staked {format_coins(seat.staked)} and {won_or_lost(seat.net)}"
    yield Text(f"{words}.", style="bold")
    yield Text(
        f"You started with {format_coins(seat.bankroll)} and leave with "
        f"{format_coins(seat.balance)} {seat.game.card.currency} of play money. Goodbye."
    )


ANSWERS = {"bets": bets, "rules": rules, "help": help_text}
"""Functions that answer commands about the game, by command."""
