"""Practice for dealers: coups in memory, most of them with a planted error.

An exercise is played at a table of its own, by the commands and decisions of a real table, so
exactly what a real table would flag counts as an error. Nothing is kept: the same cards and the
same kind of error always give the same exercise.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache

from baccarat.core.cards import Card
from baccarat.core.misdeals import Irregularity, IrregularityKind, deal_correctly
from baccarat.core.tableau import Hand
from baccarat.shoe import Burn
from baccarat.shoe.commitment import Source
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.decide import decide
from baccarat.table.rules import game_of, rules_text
from baccarat.table.settings import Excess, Settings
from baccarat.table.state import TableState, apply

DEALER = "practice"
Kind = IrregularityKind


class StepKind(StrEnum):
    """What happens at the table in one step."""

    BETS = "bets"
    NO_MORE_BETS = "no-more-bets"
    CARDS = "cards"
    """Cards are dealt to hands; two cards in one step are laid down together."""
    TAKEN_BACK = "taken-back"
    """A card too many goes back into the shoe."""
    SHOWN = "shown"
    """A card falls out of the shoe, face up."""
    SENT = "sent"
    """The electronic shoe reports a card."""
    RESULT = "result"
    PAID = "paid"


@dataclass(frozen=True)
class Step:
    kind: StepKind
    cards: tuple[tuple[Card, Hand | None], ...] = ()


@dataclass(frozen=True)
class Exercise:
    """A coup, step by step.

    error: Index of the step with the planted error; None if everything is right.
    found: What a real table flags at that step.
    """

    steps: tuple[Step, ...]
    error: int | None = None
    found: Irregularity | e.CardInDoubt | None = None


@dataclass
class _Scratch:
    """A table in memory, and the steps that were played at it."""

    steps: list[Step] = field(default_factory=list)
    state: TableState | None = None
    found: Irregularity | e.CardInDoubt | None = None

    def do(self, *commands: c.Command) -> None:
        for command in commands:
            for event in decide(self.state, command, 0):
                self.state = apply(self.state, event)
                if isinstance(event, e.IrregularityFound):
                    self.found = event.wrong
                elif isinstance(event, e.CardInDoubt):
                    self.found = event

    def step(self, kind: StepKind, *commands: c.Command) -> None:
        self.steps.append(Step(kind))
        self.do(*commands)

    def lay(self, *dealt: tuple[Card, Hand | None]) -> None:
        """Deal cards in one step, each to a hand."""
        self.steps.append(Step(StepKind.CARDS, dealt))
        self.found = None
        for card, hand in dealt:
            self.do(c.PlaceCard(DEALER, card, hand, self.number, self.place))

    @property
    def number(self) -> int:
        return self.state.round.number if self.state else 0

    @property
    def place(self) -> int:
        return len(self.state.round.cards) + 1 if self.state else 1

    def open(self) -> None:
        self.step(StepKind.BETS, c.CallBets(DEALER))

    def close(self) -> None:
        self.step(StepKind.NO_MORE_BETS, c.CallNoMoreBets(DEALER))

    def result(self) -> None:
        self.step(StepKind.RESULT, c.AnnounceResult(DEALER))

    def pay(self) -> None:
        self.step(StepKind.PAID, c.PayRound(DEALER))


@cache
def _settings() -> Settings:
    """Return settings with one deck, so that a card that comes out twice can be noticed."""
    rules = rules_text("commission", parameters={"decks": "1"})
    return Settings(rules, source=Source.CARDS, burn=Burn.NONE, excess=Excess.RETURNED)


def exercise(order: Sequence[Card], kind: Kind | None) -> Exercise:
    """Return a coup from these shuffled cards, with an error of this kind; None for no error."""
    table = _Scratch()
    table.do(c.OpenTable(DEALER, _settings()), c.TakeTable(DEALER), c.BeginShoe(DEALER, bytes(16)))
    coup, spare = _coup(order, longest=kind is Kind.MISSING)
    dealt = [(card, hand) for card, hand in coup]
    if kind is Kind.NOT_NEXT:
        _return_a_card(table, dealt, spare[0])
        table.open()
        table.close()
        table.lay((spare[1], Hand.PLAYER))
    elif kind in (Kind.EXPOSED, Kind.IN_DOUBT):
        table.open()
        _early(table, spare[0], device=kind is Kind.IN_DOUBT)
    else:
        table.open()
        table.close()
        _with_error(table, dealt, spare[0], kind)
    error = len(table.steps) - 1 if kind is not None else None
    rest = [Step(StepKind.RESULT), Step(StepKind.PAID)] if kind is not None else []
    steps = [*table.steps, *rest[table.steps[-1].kind is StepKind.RESULT :]]
    return Exercise(tuple(steps), error, table.found if kind is not None else None)


def _coup(
    order: Sequence[Card], *, longest: bool
) -> tuple[list[tuple[Card, Hand]], Sequence[Card]]:
    """Return the next coup, on request one with a third card, and the cards after it.

    A shuffled deck always has such a coup.
    """
    for start in range(len(order)):
        correct = deal_correctly(game_of(_settings().rules).tableau, order[start : start + 6])
        hands = [turn.hand for turn in correct.turns if turn.hand is not None]
        if len(hands) > 4 or not longest:
            cards = order[start : start + len(hands)]
            return list(zip(cards, hands, strict=True)), order[start + len(hands) :]
    raise ValueError("these cards have no coup with a third card")


def _with_error(
    table: _Scratch, dealt: list[tuple[Card, Hand]], extra: Card, kind: Kind | None
) -> None:
    """Deal a coup up to and including the step with the error."""
    chosen = extra.points % 3  # index of a card that goes wrong, one of the first three
    match kind:
        case Kind.WRONG_SIDE:
            _lay_each(table, dealt[:chosen])
            card, hand = dealt[chosen]
            table.lay((card, _other(hand)))
        case Kind.SWAPPED:
            _lay_each(table, dealt[:chosen])
            (one, hand), (two, other) = dealt[chosen : chosen + 2]
            table.lay((one, other), (two, hand))
        case Kind.IMPOSSIBLE:
            _lay_each(table, dealt[: chosen + 1])
            table.lay((dealt[chosen][0], dealt[chosen + 1][1]))
        case Kind.MISSING:
            _lay_each(table, dealt[:-1])
            table.result()
        case Kind.EXTRA:
            _lay_each(table, dealt)
            table.lay((extra, Hand.BANKER))
        case _:
            _lay_each(table, dealt)
            table.result()
            table.pay()


def _lay_each(table: _Scratch, dealt: Sequence[tuple[Card, Hand]]) -> None:
    for one in dealt:
        table.lay(one)


def _other(hand: Hand) -> Hand:
    return Hand.BANKER if hand is Hand.PLAYER else Hand.PLAYER


def _return_a_card(table: _Scratch, dealt: list[tuple[Card, Hand]], extra: Card) -> None:
    """Deal a coup with a card too many, which goes back into the shoe, and pay."""
    table.open()
    table.close()
    _lay_each(table, dealt)
    table.do(c.PlaceCard(DEALER, extra, Hand.BANKER, table.number, table.place))
    table.steps.append(Step(StepKind.TAKEN_BACK, ((extra, None),)))
    table.do(c.RectifyCoup(DEALER))
    table.result()
    table.pay()


def _early(table: _Scratch, card: Card, *, device: bool) -> None:
    """Let a card be seen, or be reported by an electronic shoe, while bets are open."""
    if device:
        table.steps.append(Step(StepKind.SENT, ((card, None),)))
        table.do(c.PlaceCard(DEALER, card, device=True))
    else:
        table.steps.append(Step(StepKind.SHOWN, ((card, None),)))
        table.do(c.PlaceCard(DEALER, card, None, table.number, 0))
