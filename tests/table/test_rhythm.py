"""The rhythm of a table: its pace, and cards that everyone with a bet asks for."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat.core.wagers import Wager
from baccarat.house.housefile import HouseFileError, default_house, read_house
from baccarat.house.safety.profiles import built_in_profiles, load_profile
from baccarat.shoe.commitment import Source
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.automatic.next_step import next_step
from baccarat.table.refusals import Code, Refused
from baccarat.table.settings import CLOCKS, Clock, Pace, pace_of
from baccarat.table.state import restore, snapshot
from support.live import FAST, LiveTable, settings_for

HOUSE = """
format = 1
name = "The house"
play_money = "1000"
{house}

[[table]]
id = "one"
name = "One"
card = "punto-banco"
{table}
"""
STRICT = 'birth_dates = true\nstake_cap = "1000"'


def settings_in(house: str = "", table: str = ""):
    text = HOUSE.format(house=house, table=table)
    return read_house(text, name="house.toml").tables[0].settings


# ---- the pace ----------------------------------------------------------------------------------


def test_the_pace_sets_the_clock_and_single_times_change_it():
    assert settings_in().clock == Clock() == CLOCKS[Pace.STANDARD]
    for pace, clock in CLOCKS.items():
        assert settings_in(table=f'pace = "{pace}"').clock == clock
        assert pace_of(clock) is pace
    changed = settings_in(table='pace = "slow"\nbetting = 30\ncontribute = 5\nreveal = 5').clock
    assert changed == replace(CLOCKS[Pace.SLOW], betting=30_000, contribute=5_000, reveal=5_000)
    assert settings_in(table="pause = 0").clock.pause == 0
    with pytest.raises(HouseFileError, match="pace"):
        settings_in(table='pace = "hurried"')


def test_the_default_house_has_tables_of_every_pace():
    clocks = [plan.settings.clock for plan in default_house().tables]
    assert {pace_of(clock) for clock in clocks} == set(Pace)
    assert pace_of(clocks[0]) is Pace.STANDARD


# ---- asking for the cards ----------------------------------------------------------------------


def table_with(*players: str, deal_now: int | None = 0, clock: Clock = FAST) -> LiveTable:
    """Return a table with an open round and a bet of each player."""
    table = LiveTable(settings_for(deal_now=deal_now, clock=clock))
    table.until(e.RoundOpened)
    for player in players:
        bet(table, player)
    return table


def bet(table: LiveTable, player: str) -> None:
    table.do(c.PlaceWagers(table.state.round.number, player, (Wager("player", 500),)))


def ask(table: LiveTable, player: str) -> tuple[e.Event, ...]:
    return table.do(c.AskToDeal(table.state.round.number, player))


def refusal(act, *values) -> Code:
    with pytest.raises(Refused) as found:
        act(*values)
    return found.value.code


def test_the_cards_are_dealt_once_everyone_with_a_bet_has_asked():
    table = table_with("ann", "bob")
    planned = next_step(table.state).at
    (asked,) = ask(table, "ann")
    assert (asked.player, next_step(table.state).at) == ("ann", planned)
    assert ask(table, "ann") == ()  # asking again changes nothing
    ask(table, "bob")
    assert next_step(table.state).at <= table.now < planned
    assert restore(snapshot(table.state)) == table.state
    closed = table.until(e.BettingClosed)
    assert closed.at < planned
    table.until(e.RoundOpened)
    assert table.state.round.asked == ()


def test_a_new_player_restores_the_betting_time_and_a_withdrawn_bet_does_not_count():
    table = table_with("ann", "bob")
    planned = next_step(table.state).at
    ask(table, "ann")
    table.do(c.PlaceWagers(table.state.round.number, "bob", ()))
    assert next_step(table.state).at < planned
    bet(table, "cat")
    assert next_step(table.state).at == planned
    table.do(c.PlaceWagers(table.state.round.number, "cat", ()))
    table.do(c.PlaceWagers(table.state.round.number, "ann", ()))
    assert next_step(table.state).at == planned  # nobody has a bet


def test_asking_is_refused_without_a_bet_or_where_it_is_not_possible():
    table = table_with("ann")
    assert refusal(ask, table, "bob") is Code.NOT_ALLOWED
    assert refusal(table.do, c.AskToDeal(7, "ann")) is Code.NO_SUCH_ROUND
    table.until(e.BettingClosed)
    assert refusal(ask, table, "ann") is Code.BETTING_CLOSED
    assert refusal(ask, table_with("ann", deal_now=None), "ann") is Code.NOT_ALLOWED


@pytest.mark.requirement("G11")
@given(st.integers(0, 20_000), st.integers(0, 10_000), st.integers(0, 12_000))
def test_g11_asking_for_the_cards_makes_no_round_too_short(floor, pause, late):
    clock = Clock(betting=max(1, floor - pause) + 2_000, card=0, pause=pause)
    table = table_with(deal_now=floor, clock=clock)
    for _ in range(3):
        table.now += min(late, clock.betting - 1)
        bet(table, "ann")
        ask(table, "ann")
        table.until(e.RoundOpened)
    opened = [event.at for event in table.events if isinstance(event, e.RoundOpened)]
    assert min(after - before for before, after in pairwise(opened)) >= floor


@pytest.mark.requirement("G11")
def test_the_profile_decides_whether_players_may_ask_for_the_cards():
    allowed = {name: load_profile(name).deal_now for name in built_in_profiles()}
    assert allowed == {"uk": False, "greece": True, "online": True}
    uk, greece = f'profile = "uk"\n{STRICT}', f'profile = "greece"\n{STRICT}'
    assert settings_in(uk).deal_now is None
    assert settings_in(greece).deal_now == 3_000  # the minimum time of a round
    assert settings_in(greece, "deal_now = false").deal_now is None
    assert settings_in().deal_now == 0
    assert settings_in(table=f'source = "{Source.CARDS}"').deal_now is None
    with pytest.raises(HouseFileError, match="Great Britain does not let players"):
        settings_in(uk, "deal_now = true")
