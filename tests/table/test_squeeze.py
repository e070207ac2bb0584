"""The squeeze: who may turn cards, for how long, and who sees a card before it is turned."""

import json
from dataclasses import replace

import pytest

from baccarat.core.wagers import Wager
from baccarat.house.housefile import default_house
from baccarat.service.public_view import own_view, table_view
from baccarat.service.visibility import Reader, entry_texts
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.automatic.next_step import next_step
from baccarat.table.journal import beginning, chain
from baccarat.table.refusals import Code, Refused
from baccarat.table.settings import CLOCKS, Pace, pace_of
from baccarat.table.state import apply, restore, snapshot
from support.live import FAST, LiveTable, settings_for

SQUEEZE = replace(FAST, squeeze=5_000)


def table_with(*, squeeze: bool = True, **bets: tuple[str, int]) -> LiveTable:
    """Return a table with an open round, on which these players bet and asked to turn cards."""
    table = LiveTable(settings_for(clock=SQUEEZE if squeeze else FAST))
    table.until(e.RoundOpened)
    for player, (bet, stake) in bets.items():
        table.do(c.PlaceWagers(1, player, (Wager(bet, stake),)))
        if squeeze:
            table.do(c.AskToSqueeze(1, player))
    return table


def refusal(table: LiveTable, command: c.Command) -> Code:
    with pytest.raises(Refused) as found:
        table.do(command)
    return found.value.code


def all_of(table: LiveTable, kind: type[e.Event]) -> list[e.Event]:
    return [event for event in table.events if isinstance(event, kind)]


def seen_by(account: str, event: e.Event) -> dict | None:
    """Return an event as it is sent to a player; None if it is not sent."""
    (entry,) = chain(beginning("table:test"), [e.encode(event)])
    text = entry_texts(entry, lambda account: account).to(Reader(account))
    return json.loads(text) if text else None


def test_the_largest_stake_on_a_side_turns_its_cards_and_the_first_to_ask_wins_a_tie():
    table = table_with(
        ann=("player", 500), bob=("player", 900), cat=("player", 900), dan=("banker", 500)
    )
    table.until(e.RoundSettled)
    offered, dealt = all_of(table, e.CardOffered), all_of(table, e.CardDealt)
    assert {(card.hand, card.player) for card in offered} == {("player", "bob"), ("banker", "dan")}
    assert [(card.hand, card.peek) for card in offered] == [
        (card.hand, card.card) for card in dealt
    ]


def test_without_a_stake_on_the_side_or_without_asking_cards_are_dealt_face_up():
    table = table_with(ann=("tie", 500))
    table.do(c.PlaceWagers(1, "bob", (Wager("player", 500),)))  # does not ask
    table.until(e.RoundSettled)
    assert all_of(table, e.CardOffered) == []
    table = table_with(ann=("player", 500))
    table.do(c.PlaceWagers(1, "ann", (Wager("banker", 500),)))
    table.until(e.RoundSettled)
    assert {card.hand for card in all_of(table, e.CardOffered)} == {"banker"}


def test_a_card_that_nobody_turns_is_dealt_when_its_time_is_up():
    table = table_with(ann=("player", 500))
    offered = table.until(e.CardOffered)
    assert offered.until == offered.at + 5_000 == next_step(table.state).at
    assert restore(snapshot(table.state)) == table.state
    dealt = table.until(e.CardDealt)
    assert (dealt.at, dealt.card) == (offered.until, offered.peek)
    assert table.state.round.offered is None


def test_turning_a_card_deals_it_at_once_but_never_faster_than_without_a_squeeze():
    plain, squeezed = table_with(squeeze=False), table_with(ann=("player", 500))
    plain.until(e.RoundSettled)
    while not all_of(squeezed, e.RoundSettled):
        squeezed.step()
        if squeezed.state.round.offered:
            (dealt, *_) = squeezed.do(c.TurnCard(1, "ann"))
            assert (dealt.card, dealt.at) == (
                all_of(squeezed, e.CardOffered)[-1].peek,
                squeezed.now,
            )
    assert len(all_of(squeezed, e.CardOffered)) >= 2
    assert [card.card for card in all_of(plain, e.CardDealt)] == [
        card.card for card in all_of(squeezed, e.CardDealt)
    ]
    assert squeezed.now == plain.now


def test_only_the_player_who_turns_a_card_is_sent_it_before_it_is_dealt():
    table = table_with(ann=("player", 500), bob=("banker", 500))
    offered = table.until(e.CardOffered)
    whole, public = seen_by("ann", offered), seen_by("bob", offered)
    assert whole["peek"]["card"] == str(offered.peek.card)
    assert public.keys() == whole.keys() - {"player", "peek"}
    view = table_view(table.state, lambda account: account)
    assert (view.squeeze.hand, view.squeeze.until) == ("player", offered.until)
    assert (view.cards, view.due.of) == ((), 5_000)
    assert own_view(table.state, "ann").peek == offered.peek
    assert own_view(table.state, "bob").peek is None
    (asked, _) = all_of(table, e.SqueezeAsked)
    assert seen_by("bob", asked) is None


def test_turning_and_asking_are_refused_where_they_are_not_possible():
    table = table_with(ann=("player", 500))
    assert table.do(c.AskToSqueeze(1, "ann")) == ()
    assert refusal(table, c.AskToSqueeze(1, "bob")) is Code.NOT_ALLOWED
    assert refusal(table, c.AskToSqueeze(2, "ann")) is Code.NO_SUCH_ROUND
    assert refusal(table, c.TurnCard(1, "ann")) is Code.WRONG_PHASE
    table.until(e.CardOffered)
    assert refusal(table, c.TurnCard(1, "bob")) is Code.WRONG_PHASE
    assert refusal(table, c.TurnCard(2, "ann")) is Code.WRONG_PHASE
    assert refusal(table, c.AskToSqueeze(1, "ann")) is Code.BETTING_CLOSED
    assert refusal(table_with(squeeze=False), c.AskToSqueeze(1, "ann")) is Code.NOT_ALLOWED


def test_another_server_continues_a_squeeze():
    table = table_with(ann=("player", 500))
    offered = table.until(e.CardOffered)
    replayed = None
    for event in table.events:
        replayed = apply(replayed, event)
    assert replayed == table.state
    table.do(c.TakeLease(2, "there"))
    assert (next_step(table.state).at, table.state.round.offered) == (offered.until, offered)
    (dealt,) = table.do(c.TurnCard(1, "ann"))
    assert dealt.card == offered.peek


def test_cancelling_a_round_takes_two_people_and_shows_the_card_that_lies_face_down():
    table = table_with(ann=("player", 500))
    offered = table.until(e.CardOffered)
    left = table.state.shoe.progress.left
    (proposed,) = table.do(c.CancelRound(1, e.CancelReason.OTHER, "pit"))
    assert isinstance(proposed, e.ActionProposed)
    assert refusal(table, c.TurnCard(1, "ann")) is Code.WRONG_PHASE  # on hold
    assert next_step(table.state).at > offered.until
    dealt, cancelled = table.do(c.CancelRound(1, e.CancelReason.OTHER, "other"))
    assert (dealt.card, cancelled.by) == (offered.peek, ("pit", "other"))
    assert (table.state.round.offered, table.state.shoe.progress.left) == (None, left - 1)


def test_cards_are_turned_at_slow_tables_by_default_and_never_at_fast_ones():
    assert {pace: bool(clock.squeeze) for pace, clock in CLOCKS.items()} == {
        Pace.FAST: False,
        Pace.STANDARD: False,
        Pace.SLOW: True,
    }
    for plan in default_house().tables:
        slow = pace_of(plan.settings.clock) is Pace.SLOW
        assert bool(plan.settings.clock.squeeze) is slow
