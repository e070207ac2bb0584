"""A small valid card, and every kind of fault that a change can cause."""

from typing import NamedTuple

from baccarat.loader import Finding, check_text

SOUND = """\
format = 1
id = "example"
name = "Example"
version = 1
source = "tests/loader/test_loader.py"
summary = "A card without faults."

[parameters.decks]
unit = "count"
default = 8
minimum = 1
maximum = 24
meaning = "number of decks"

[parameters.tie_odds]
unit = "odds"
default = "9:1"
minimum = "8:1"
maximum = "9:1"
meaning = "what the tie bet pays"

[tableau]
naturals = "8-9"
player_draws = "0-5"
player_stands = "6-7"
banker_draws = ["0-2/any", "3/0-7,9", "4/2-7", "5/4-7", "6/6-7"]
banker_stands = ["3/8", "4/0-1,8-9", "5/0-3,8-9", "6/0-5,8-9", "7/any,stood"]

[limits]
minimum = "0.10"
maximum = "100.00"

[[bet]]
id = "player"
name = "Player"
lines = [
  { when = { winner = "player" }, pays = "1:1" },
  { when = { winner = "tie" }, pays = "stand-off" },
]
excludes = ["banker"]

[[bet]]
id = "banker"
name = "Banker"
minimum = "0.20"
lines = [
  { when = { winner = "banker" }, pays = "19:20" },
  { when = { winner = "tie" }, pays = "stand-off" },
]

[[bet]]
id = "tie"
name = "Tie"
lines = [{ when = { winner = "tie" }, pays = "tie_odds" }]

[[bet]]
id = "six"
name = "Six"
lines = [
  { when = { winner = "banker", banker_total = 6, banker_cards = 2 }, pays = "12:1" },
  { when = { winner = "banker", banker_total = 6 }, pays = "20:1" },
]
requires = ["player", "tie"]

[[ambiguity]]
id = "A3"
question = "What does the banker do when the player stood?"
cells = ["0-6/stood"]
in_force = "standard"
status = "resolved"
resolution = "As the player does."

[[ambiguity.reading]]
id = "standard"
text = "Draws on 0 to 5."
draws = ["0-5/stood"]
stands = ["6/stood"]

[[ambiguity.reading]]
id = "literal"
text = "Stands."
stands = ["0-6/stood"]

[[ambiguity]]
id = "A9"
question = "One bet or two? Does it need another?"
bets = ["six"]
requires = ["six"]
in_force = "one"
status = "open"

[[ambiguity.reading]]
id = "one"
text = "One bet."

[[ambiguity.reading]]
id = "two"
text = "Two bets, which stand alone."
requires = []

[[ambiguity.reading.bet]]
id = "six-two"
replaces = "six"
lines = [{ when = { winner = "banker", banker_total = 6, banker_cards = 2 }, pays = "12:1" }]

[[ambiguity.reading.bet]]
id = "six-three"
replaces = "six"
lines = [{ when = { winner = "banker", banker_total = 6, banker_cards = 3 }, pays = "20:1" }]

[[claim]]
bets = ["tie"]
printed = "4.84%"
at = { tie_odds = "9:1" }

[[note]]
id = "A10"
kind = "note"
text = "A misprint."

[[note]]
id = "A16"
kind = "gap"
text = "Nothing is said of errors."
in_force = "They are put right."

[notice]
minimum_age = 18
contacts = ["a friend"]

[bonus]
most_win_chance = "90%"
"""

WINNER_IS_BANKER = '{ when = { winner = "banker" }, pays = "19:20" }'
TIE_PAYS = '{ when = { winner = "tie" }, pays = "tie_odds" }'


class Fault(NamedTuple):
    """A change to the valid card, and the finding that it causes."""

    old: str
    new: str
    key: str
    problem: str
    """Part of the message; `remedy` likewise."""
    remedy: str
    at: str = ""
    """Text on the reported line; by default the changed text itself."""
    count: int = 1
    """Total number of findings."""


FAULTS = {
    # Keys
    "an unknown key": Fault(
        "minimum_age = 18", "minimun_age = 18", "notice.minimun_age",
        "unknown key 'minimun_age' (did you mean 'minimum_age'?)",
        "notice has minimum_age, regulator, warning, contacts, responsible_gaming",
    ),
    "an unknown key like no other": Fault(
        "[bonus]", "[bonus]\nzzz = 1", "bonus.zzz", "unknown key 'zzz'", "has most_win_chance",
        at="zzz",
    ),
    "an unknown table": Fault(
        "[bonus]", "[bonuses]", "bonuses",
        "unknown key 'bonuses' (did you mean 'bonus'?)", "the card has format, id",
    ),
    "a missing key": Fault(
        'question = "What', '# question = "What', "ambiguity[0]", "'question' is missing",
        "what the rules leave open: write one line of", at="[[ambiguity]]",
    ),
    "a missing table": Fault(
        '[limits]\nminimum = "0.10"\nmaximum = "100.00"\n', "", "the card", "'limits' is missing",
        "write [limits]", at="format",
    ),
    "a missing list of tables": Fault(
        'lines = [{ when = { winner = "tie" }, pays = "tie_odds" }]', "", "bet[2]",
        "'lines' is missing", "write [[bet.lines]]", at='[[bet]]\nid = "tie"',
    ),
    # Wrong types
    "a number for text": Fault(
        'name = "Banker"', "name = 7", "bet[1].name", "7 is not text", "one line of 1 to 1000",
    ),
    "empty text": Fault('name = "Banker"', 'name = " "', "bet[1].name", "' ' is not text", "write"),
    "text that a terminal would obey": Fault(
        'name = "Banker"', 'name = "\\u001b[2J"', "bet[1].name", r"'\x1b[2J' is not text",
        "printable",
    ),
    "text without end": Fault(
        'name = "Banker"', f'name = "{"x" * 1001}"', "bet[1].name", "xxx…' is not text", "1000",
    ),
    "a name with a blank": Fault(
        'id = "A3"', 'id = "A 3"', "ambiguity[0].id", "'A 3' is not a short name",
        "letters, digits and hyphens",
    ),
    "text for a number": Fault(
        "version = 1", 'version = "1"', "version", "'1' is not a whole number from 1 to 1000000",
        "write a whole number",
    ),
    "a flag for a number": Fault(
        "version = 1", "version = true", "version", "true is not a whole number", "write",
    ),
    "another format": Fault("format = 1", "format = 2", "format", "2 is not 1", "write 1"),
    "a number for a flag": Fault(
        'requires = ["player", "tie"]', 'requires = ["player", "tie"]\nassumed = 1',
        "bet[3].assumed", "1 is not true or false", "write true or false", at="assumed",
    ),
    "a word that is none of the choices": Fault(
        'status = "open"', 'status = "closed"', "ambiguity[1].status",
        "'closed' is not \"open\" or \"resolved\"", 'write "open" or "resolved"',
    ),
    "a list for a choice": Fault(
        'unit = "odds"', "unit = []", "parameters.tie_odds.unit", "a list is not", '"count"',
    ),
    "text for a list": Fault(
        'contacts = ["a friend"]', 'contacts = "a friend"', "notice.contacts",
        "'a friend' is not a list", "write a list, each item one line",
    ),
    "a wrong item of a list": Fault(
        'contacts = ["a friend"]', 'contacts = [\n  "a friend",\n  1979-05-27,\n]',
        "notice.contacts[1]", "1979-05-27 is not text", "write", at="  1979",
    ),
    "a list for a table": Fault(
        "[notice]", "[[notice]]", "notice", "a list is not a table", "write the keys of notice",
    ),
    "a table for named tables": Fault(
        "[parameters.tie_odds]", "[[parameters.tie_odds]]", "parameters.tie_odds",
        "a list is not a table", "write the keys of parameters.NAME",
    ),
    "a table for a list of tables": Fault(
        '[[claim]]', '[claim]', "claim", "a table is not a list of tables", "write [[claim]]",
    ),
    "a number for a list of tables": Fault(
        'lines = [{ when = { winner = "tie" }, pays = "tie_odds" }]', "lines = [5]",
        "bet[2].lines[0]", "5 is not a table", "write the keys of bet.lines",
    ),
    "a number for parameters": Fault(
        "at = { tie_odds", "at = 5 # {", "claim[0].at", "5 is not a table",
        "parameters and numbers such as",
    ),
    "money as a number": Fault(
        'minimum = "0.20"', "minimum = 0.20", "bet[1].minimum", "0.2 is not an amount of money",
        'write an amount above zero such as "25" or "2.50"',
    ),
    "no money": Fault(
        'minimum = "0.20"', 'minimum = "0.00"', "bet[1].minimum", "'0.00' is not", "above zero",
    ),
    "a printed figure without its sign": Fault(
        'printed = "4.84%"', 'printed = "4.84"', "claim[0].printed",
        "'4.84' is not a printed percentage", 'such as "4.84%"',
    ),
    "a win chance above one": Fault(
        '"90%"', '"900%"', "bonus.most_win_chance", "'900%' is not a percentage", '"100%"',
        at="most_win",
    ),
    "a huge number": Fault(
        "minimum_age = 18", f"minimum_age = 0x1{'0' * 5000}", "notice.minimum_age",
        "a huge number is not a whole number from 16 to 30", "write",
    ),
    # Odds and parameters
    "odds that are not odds": Fault(
        "19:20", "19-20", "bet[1].lines[0].pays", "'19-20' is not valid odds",
        'write odds such as "19:20", or "stand-off", or the name of a parameter',
        at='  { when = { winner = "banker" }',
    ),
    "odds as a number": Fault(
        '"19:20"', "0.95", "bet[1].lines[0].pays", "0.95 is not valid odds", '"19:20"',
        at="pays = 0.95",
    ),
    "odds of nothing": Fault(
        '"19:20"', '"0:20"', "bet[1].lines[0].pays", "'0:20' is not valid odds", '"19:20"',
        at='"0:20"',
    ),
    "odds that name an unknown parameter": Fault(
        TIE_PAYS, TIE_PAYS.replace("tie_odds", "tie_ods"), "bet[2].lines[0].pays",
        "'tie_ods' is not a parameter (did you mean 'tie_odds'?)",
        'write odds such as "9:1", "stand-off" or "tie_odds"', count=2,
    ),
    "odds that name a count": Fault(
        TIE_PAYS, TIE_PAYS.replace("tie_odds", "decks"), "bet[2].lines[0].pays",
        "'decks' is a count", '"tie_odds"', count=2,
    ),
    "a parameter that nothing uses": Fault(
        TIE_PAYS, TIE_PAYS.replace("tie_odds", "9:1"), "parameters.tie_odds",
        "no bet uses 'tie_odds'", "use it in a line's `pays`", at="[parameters.tie_odds]",
    ),
    "a parameter out of its own range": Fault(
        'default = "9:1"', 'default = "10:1"', "parameters.tie_odds.default",
        "tie_odds must be between 8:1 and 9:1, not 10:1", "use a value that",
    ),
    "a parameter whose range is upside down": Fault(
        'minimum = "8:1"', 'minimum = "10:1"', "parameters.tie_odds.minimum",
        "the minimum is above the maximum", "swap them", count=2,
    ),
    "a parameter without odds": Fault(
        'minimum = "8:1"', "minimum = 0", "parameters.tie_odds.minimum",
        "odds cannot be zero", "write odds above zero",
    ),
    "a percentage above the whole": Fault(
        'unit = "odds"', 'unit = "percent"', "parameters.tie_odds.maximum",
        "900% is more than 100%", 'at most "100%"', at='maximum = "9:1"',
    ),
    "a parameter that is not a number": Fault(
        'maximum = "9:1"', 'maximum = "nine"', "parameters.tie_odds.maximum",
        "'nine' is not a number", 'write 8, "9:1", "10%"',
    ),
    "a parameter with a name of its own kind": Fault(
        "[parameters.tie_odds]", '[parameters."Tie odds"]', "parameters.'Tie odds'",
        "'Tie odds' is not the name of a parameter", "lower-case letters", count=3,
    ),
    "no decks": Fault(
        "[parameters.decks]", "[parameters.packs]", "parameters", "'decks' is missing",
        "add [parameters.decks]", count=2,
    ),
    "half a deck": Fault(
        "default = 8", 'default = "1/2"', "parameters.decks.default",
        "decks must be a whole number, not 0.5", "use a value",
    ),
    "more decks than can be counted": Fault(
        "maximum = 24", "maximum = 25", "parameters.decks", "decks cannot be 1 to 25",
        "values from 1 to 24", at="[parameters.decks]",
    ),
    "decks that are odds": Fault(
        'unit = "count"', 'unit = "odds"', "parameters.decks", "decks cannot be 1:1 to 24:1",
        'use unit = "count"', at="[parameters.decks]",
    ),
    # Conditions
    "an unknown fact": Fault(
        WINNER_IS_BANKER, WINNER_IS_BANKER.replace("winner", "winer"),
        "bet[1].lines[0].when.winer", "'winer' is not a fact (did you mean 'winner'?)",
        "choose winner, player_total, banker_total",
    ),
    # Counts of cards, and facts about suits and ranks
    "a count that is not a table": Fault(
        "banker_total = 6 }, pays", "count = 6 }, pays",
        "bet[3].lines[1].when.count", "6 is not a count of cards", 'write { of = "J Q K"',
        at="count = 6",
    ),
    "no counts": Fault(
        "banker_total = 6 }, pays", "count = [] }, pays",
        "bet[3].lines[1].when.count", "the list of counts is empty", "write at least one",
        at="count = []",
    ),
    "a rank that does not exist": Fault(
        "banker_total = 6 }, pays", 'count = { of = "J 11", in = "coup", is = 1 } }, pays',
        "bet[3].lines[1].when.count.of", "'11' is not a rank, a card, a suit or a colour",
        'write ranks, cards, suits or colours, such as "10 J Q K"', at="J 11",
    ),
    "a suit that does not exist": Fault(
        "banker_total = 6 }, pays", 'count = { of = "heart", in = "coup", is = 1 } }, pays',
        "bet[3].lines[1].when.count.of",
        "'heart' is not a rank, a card, a suit or a colour (did you mean 'hearts'?)",
        'such as "10 J Q K", "9d", "hearts" or "red"', at='"heart"',
    ),
    "a card in lower case": Fault(
        "banker_total = 6 }, pays", 'count = { of = "kh", in = "coup", is = 1 } }, pays',
        "bet[3].lines[1].when.count.of", "(did you mean 'Kh'?)", "such as", at='"kh"',
    ),
    "a T for a ten": Fault(
        "banker_total = 6 }, pays", 'count = { of = "T", in = "coup", is = 1 } }, pays',
        "bet[3].lines[1].when.count.of", "(did you mean '10'?)", "such as", at='"T"',
    ),
    "a fact that this place does not have": Fault(
        "banker_total = 6 }, pays", "coup_ranks = 1 }, pays",
        "bet[3].lines[1].when.coup_ranks", "'coup_ranks' is not a fact",
        "choose player_ranks, banker_ranks, player_start_ranks, banker_start_ranks, start_ranks "
        "or count", at="coup_ranks",
    ),
    "a count of nothing": Fault(
        "banker_total = 6 }, pays", 'count = { in = "coup", is = 1 } }, pays',
        "bet[3].lines[1].when.count", "'of' is missing", "write ranks", at='in = "coup"',
    ),
    "a count nowhere": Fault(
        "banker_total = 6 }, pays", 'count = { of = "K", is = 1 } }, pays',
        "bet[3].lines[1].when.count", "'in' is missing", "choose player, banker", at='of = "K"',
    ),
    "a place that does not exist": Fault(
        "banker_total = 6 }, pays", 'count = { of = "K", in = "coups", is = 1 } }, pays',
        "bet[3].lines[1].when.count.in", "'coups' is not a place (did you mean 'coup'?)",
        "choose player, banker, player_start", at='"coups"',
    ),
    "a count without a number": Fault(
        "banker_total = 6 }, pays", 'count = { of = "K", in = "coup" } }, pays',
        "bet[3].lines[1].when.count", "a count needs either `is`, or `min`, `max` or both",
        "with `is`, `min` or `max`", at='of = "K"',
    ),
    "a count with two numbers": Fault(
        "banker_total = 6 }, pays", 'count = { of = "K", in = "coup", is = 1, min = 1 } }, pays',
        "bet[3].lines[1].when.count", "a count needs either `is`, or `min`, `max` or both",
        "with `is`, `min` or `max`", at='of = "K"',
    ),
    "a count with something else": Fault(
        "banker_total = 6 }, pays", 'count = { of = "K", at = "coup", is = 1 } }, pays',
        "bet[3].lines[1].when.count.at", "'at' is not part of a count", "write { of =",
        at='at = "coup"',
    ),
    "more cards than a hand has": Fault(
        "banker_total = 6 }, pays", 'count = { of = "K", in = "player", is = 4 } }, pays',
        "bet[3].lines[1].when.count", "4 is not a value of count of K in player",
        "write 0, 1, 2 or 3", at='of = "K"',
    ),
    "two counts that need more cards than a hand has": Fault(
        "banker_total = 6 }, pays",
        'count = [{ of = "K", in = "banker", is = 2 }, { of = "Q", in = "banker", is = 2 }] }, '
        "pays",
        "bet[3].lines[1].when",
        "count of K in banker and count of Q in banker contradict each other",
        "correct or remove one of them", at='of = "K"',
    ),
    "suits that contradict each other": Fault(
        "banker_total = 6 }, pays", "player_suits = 1, margin = 5, player_colours = 2 }, pays",
        "bet[3].lines[1].when",
        "no coup meets this condition: player_suits and player_colours contradict each other",
        "correct or remove one of them", at="player_suits = 1",
    ),
    "an alternative that contradicts itself": Fault(
        "banker_total = 6 }, pays",
        "not = { not = { any = [{ banker_total = 6 }, { player_suits = 1, player_colours = 2 }] } }"
        " }, pays",
        "bet[3].lines[1].when.not.not.any[1]",
        "no coup meets this condition: player_suits and player_colours contradict each other",
        "correct or remove one of them", at="not = { not = { any",
    ),
    "an alternative on its own line that contradicts itself": Fault(
        "banker_total = 6 }, pays",
        "any = [\n { banker_total = 6 },\n { cards = 4, banker_third = 3 },\n] }, pays",
        "bet[3].lines[1].when.any[1]",
        "no coup meets this condition: cards and banker_third contradict each other",
        "correct or remove one of them", at="{ cards = 4, banker",
    ),
    "alternatives that contradict a fact": Fault(
        "banker_total = 6 }, pays",
        "cards = 4, all = [{ any = [{ player_cards = 3 }, { banker_cards = 3 }] }] }, pays",
        "bet[3].lines[1].when",
        "no coup meets this condition: cards and any contradict each other",
        "correct or remove one of them", at="cards = 4, all",
    ),
    "an alternative that excludes everything": Fault(
        "banker_total = 6 }, pays",
        "any = [{ banker_total = 6 }, { not = { cards = { min = 4 } } }] }, pays",
        "bet[3].lines[1].when.any[1]", "no coup meets this condition", "correct or remove it",
        at="any = [",
    ),
    "colours that contradict named cards": Fault(
        "banker_total = 6 }, pays",
        'player_colours = 1, count = [{ of = "9d", in = "player", min = 1 }, '
        '{ of = "9s", in = "player", min = 1 }] }, pays',
        "bet[3].lines[1].when",
        "player_colours, count of 9d in player and count of 9s in player contradict each other",
        "correct or remove one of them", at="player_colours = 1",
    ),
    "three cards of one rank among two": Fault(
        "banker_total = 6 }, pays",
        'count = { of = "8", in = "player_start", min = 3 } }, pays',
        "bet[3].lines[1].when.count", "this is not a range of count of 8 in player_start",
        "write { min = 0, max = 2 }", at='of = "8"',
    ),
    "a pair with an odd total": Fault(
        "banker_total = 6 }, pays", "player_start_ranks = 1, player_start = 7 }, pays",
        "bet[3].lines[1].when", "player_start_ranks and player_start contradict each other",
        "correct or remove one of them", at="player_start_ranks = 1",
    ),
    "too many facts at once": Fault(
        "banker_total = 6 }, pays",
        "coup_suits = 3, start_ranks = 3, coup_sum = [5, 9, 14, 22] }, pays",
        "bet[3].lines", "these bets distinguish too many kinds of hands",
        "or split the bet into several",
        at='lines = [\n  { when = { winner = "banker", banker_total = 6, banker_cards = 2 }',
    ),
    "a value that a fact never has": Fault(
        WINNER_IS_BANKER, WINNER_IS_BANKER.replace('"banker"', '"bank"'),
        "bet[1].lines[0].when.winner", "'bank' is not a value of winner",
        'write "player", "banker" or "tie"',
    ),
    "a flag for a total": Fault(
        "banker_total = 6 }, pays", "banker_total = true }, pays",
        "bet[3].lines[1].when.banker_total", "true is not a value of banker_total", "0, 1, 2",
        at="banker_total = true",
    ),
    "no value": Fault(
        "banker_total = 6 }, pays", "banker_total = [] }, pays",
        "bet[3].lines[1].when.banker_total", "an empty list for banker_total", "0, 1, 2", at="= []",
    ),
    "a range upside down": Fault(
        "banker_total = 6 }, pays", "banker_total = { min = 7, max = 5 } }, pays",
        "bet[3].lines[1].when.banker_total",
        "this is not a range of banker_total (did you mean { min = 5, max = 7 }?)",
        "write { min = 0, max = 9 } or only one of the two", at="min = 7",
    ),
    "a range of something else": Fault(
        "banker_total = 6 }, pays", "banker_total = { least = 7 } }, pays",
        "bet[3].lines[1].when.banker_total", "this is not a range", "min", at="least",
    ),
    "a range from no card": Fault(
        "banker_total = 6 }, pays", 'player_third = { min = "none" } }, pays',
        "bet[3].lines[1].when.player_third", "this is not a range", "min = 0", at='"none"',
    ),
    "a range of words": Fault(
        WINNER_IS_BANKER, WINNER_IS_BANKER.replace('"banker"', "{ min = 1 }"),
        "bet[1].lines[0].when.winner", "winner cannot have a range", '"player", "banker"',
    ),
    "a range of flags": Fault(
        "banker_total = 6 }, pays", "banker_pair = { min = false } }, pays",
        "bet[3].lines[1].when.banker_pair", "banker_pair cannot have a range", "false or true",
        at="min = false",
    ),
    "a condition that asks nothing": Fault(
        WINNER_IS_BANKER, '{ when = {}, pays = "19:20" }', "bet[1].lines[0].when",
        "the condition is empty", "name at least one fact",
    ),
    "a condition that is none": Fault(
        WINNER_IS_BANKER, '{ when = "banker", pays = "19:20" }', "bet[1].lines[0].when",
        "'banker' is not a condition", "winner =",
    ),
    "any of nothing": Fault(
        WINNER_IS_BANKER, '{ when = { any = [] }, pays = "19:20" }', "bet[1].lines[0].when.any",
        "a list is not a list of conditions", "any = [{ … }, { … }]",
    ),
    "all of one": Fault(
        WINNER_IS_BANKER, '{ when = { all = { cards = 4 } }, pays = "19:20" }',
        "bet[1].lines[0].when.all", "a table is not a list of conditions", "all = [",
    ),
    "any of a wrong one": Fault(
        WINNER_IS_BANKER, '{ when = { any = [{ cards = 4 }, { cards = 7 }] }, pays = "19:20" }',
        "bet[1].lines[0].when.any[1].cards", "7 is not a value of cards", "write 4, 5 or 6",
    ),
    "not a fact": Fault(
        WINNER_IS_BANKER, '{ when = { not = { card = 4 } }, pays = "19:20" }',
        "bet[1].lines[0].when.not.card", "'card' is not a fact (did you mean 'cards'?)",
        "choose winner",
    ),
    "a deep condition": Fault(
        WINNER_IS_BANKER,
        f'{{ when = {"{ not = " * 29}{{ cards = 4 }}{" }" * 29}, pays = "19:20" }}',
        "bet[1].lines[0].when" + ".not" * 27, "nested too deeply", "split the line",
    ),
    # Bets
    "a bet given twice": Fault(
        'id = "tie"', 'id = "banker"', "bet[2].id", "'banker' is used twice",
        "give each a different id", count=3,
    ),
    "a bet that can never win": Fault(
        TIE_PAYS, TIE_PAYS.replace('"tie_odds"', '"stand-off"'), "bet[2]", "tie can never win",
        "add a line whose condition a coup can meet", at='[[bet]]\nid = "tie"', count=2,
    ),
    "a bet without lines": Fault(
        f"lines = [{TIE_PAYS}]", "lines = []", "bet[2]", "tie can never win", "add a line",
        at='[[bet]]\nid = "tie"', count=2,
    ),
    "a condition that no coup meets": Fault(
        WINNER_IS_BANKER, '{ when = { cards = 4, banker_third = 3 }, pays = "19:20" }',
        "bet[1].lines[0].when", "cards and banker_third contradict each other",
        "correct or remove one of them", count=2,
    ),
    "an odd pair": Fault(
        "banker_total = 6 }, pays", "banker_pair = true, banker_start = 7 }, pays",
        "bet[3].lines[1].when", "banker_pair and banker_start contradict each other",
        "correct or remove one of them", at="banker_start",
    ),
    "a hidden line": Fault(
        "banker_total = 6, banker_cards = 2 }, pays = \"12:1\" },",
        "banker_total = 6 }, pays = \"12:1\" },",
        "bet[3].lines[1].when", "the lines above already cover every coup",
        "put the narrower condition first", at='banker_total = 6 }, pays = "20:1"',
    ),
    "requires names no bet": Fault(
        'requires = ["player", "tie"]', 'requires = [\n  "player",\n  "ties",\n]',
        "bet[3].requires[1]", "'ties' is not another bet (did you mean 'tie'?)",
        "choose banker, player or tie", at='  "ties"',
    ),
    "a bet that requires itself": Fault(
        'requires = ["player", "tie"]', 'requires = ["six"]', "bet[3].requires[0]",
        "'six' is not another bet", "choose banker",
    ),
    "excludes names no bet": Fault(
        'excludes = ["banker"]', 'excludes = ["bank"]', "bet[0].excludes[0]",
        "'bank' is not another bet (did you mean 'banker'?)", "choose banker, six or tie",
    ),
    "a bet that stands alone and does not": Fault(
        'requires = ["player", "tie"]', 'requires = ["player"]\nstands_alone = true',
        "bet[3].stands_alone", "six has stands_alone but requires player", "remove one",
        at="stands_alone",
    ),
    "a bet that excludes what it requires": Fault(
        'requires = ["player", "tie"]', 'requires = ["player"]\nexcludes = ["player"]',
        "bet[3].requires", "six cannot be combined with any bet that it requires", "require a bet",
    ),
    # Limits
    "limits upside down": Fault(
        'minimum = "0.10"', 'minimum = "200.00"', "limits.minimum",
        "the minimum is above the maximum",
        "swap them",
    ),
    "a bet's limits upside down": Fault(
        'minimum = "0.20"', 'minimum = "0.20"\nmaximum = "0.10"', "bet[1].maximum",
        "its minimum 0.20 is above its maximum 0.10", "widen the limits", at='maximum = "0.10"',
    ),
    "a bet that the table takes no stake on": Fault(
        'minimum = "0.20"', 'minimum = "200.00"', "bet[1].minimum",
        "its minimum 200.00 is above its maximum 100.00", "widen the limits",
    ),
    "no stake on the step": Fault(
        "19:20", "1:30000", "bet[1]", "no stake from 0.20 to 100.00 pays a whole number of coins",
        "allow a multiple of 300.00, or set `rounding`", at='[[bet]]\nid = "banker"',
    ),
    # Tableau
    "totals that are none": Fault(
        'naturals = "8-9"', 'naturals = "8-10"', "tableau.naturals", "'8-10' is not totals",
        'totals such as "0-5"',
    ),
    "cells that are none": Fault(
        '"4/2-7"', '"4:2-7"', "tableau.banker_draws[2]", "'4:2-7' is not cells",
        'cells such as "3/0-7,9"', at="banker_draws",
    ),
    "cells upside down": Fault(
        '"4/2-7"', '"4/7-2"', "tableau.banker_draws[2]",
        "'4/7-2' is not cells (did you mean '4/2-7'?)", "cells", at="banker_draws",
    ),
    "a total that is missing": Fault(
        'player_draws = "0-5"', 'player_draws = "0-4"', "tableau",
        "the player's total 5 is missing", "put it in naturals, player_draws or player_stands",
        at="[tableau]",
    ),
    "a total that is doubled": Fault(
        'player_stands = "6-7"', 'player_stands = "5-7"', "tableau.player_stands",
        "the player's total 5 is in player_draws and player_stands", "put it in",
    ),
    "a cell that is missing": Fault(
        '"3/0-7,9"', '"3/0-2,4-7"', "tableau", "banker 3, player drew 3, 9 is missing",
        "put it in banker_draws or banker_stands, or let an ambiguity govern it", at="[tableau]",
    ),
    "a cell that is doubled": Fault(
        '"3/8", "4', '"3/8",\n  "3/3-4", "4', "tableau.banker_stands[1]",
        "banker 3, player drew 3–4 is in both columns", "keep the cell in one column",
        at='  "3/3-4"',
    ),
    "a cell twice in a column": Fault(
        '"4/2-7"', '"4/2-7", "4/5"', "tableau.banker_draws[3]",
        "banker 4, player drew 5 is in this column twice", "remove one",
        at="banker_draws",
    ),
    "a cell of a natural": Fault(
        '"3/8", "4', '"3/8", "8/any", "4', "tableau.banker_stands[1]",
        "banker 8, player drew 0–9: no hand draws after a natural", "remove it",
        at="banker_stands",
    ),
    # Ambiguities
    "an ambiguity given twice": Fault(
        'id = "A9"', 'id = "A3"', "ambiguity[1].id", "'A3' is used twice",
        "give each a different id",
    ),
    "a reading given twice": Fault(
        'id = "literal"', 'id = "standard"', "ambiguity[0].reading[1].id",
        "'standard' is used twice", "give each a different id",
    ),
    "one reading": Fault(
        SOUND[SOUND.index('\n[[ambiguity.reading]]\nid = "two"') : SOUND.index("\n[[claim]]")], "",
        "ambiguity[1]", "'A9' has fewer than two readings", "add [[ambiguity.reading]]",
        at='[[ambiguity]]\nid = "A9"',
    ),
    "a reading in force that is none": Fault(
        'in_force = "standard"', 'in_force = "standart"', "ambiguity[0].in_force",
        "'standart' is not a reading (did you mean 'standard'?)", "choose standard or literal",
    ),
    "resolved without saying how": Fault(
        'status = "open"', 'status = "resolved"', "ambiguity[1].status",
        "'A9' is resolved but has no resolution", "add `resolution`",
    ),
    "an ambiguity that governs nothing": Fault(
        'bets = ["six"]\nrequires = ["six"]\n', "", "ambiguity[1]", "'A9' governs nothing",
        "name the cells, bets or requires", at='[[ambiguity]]\nid = "A9"', count=4,
    ),
    "an ambiguity of no bet": Fault(
        'bets = ["six"]', 'bets = ["six", "sixes"]', "ambiguity[1].bets[1]",
        "'sixes' is not a bet (did you mean 'six'?)", "choose banker, player, six or tie",
    ),
    "an ambiguity of a natural": Fault(
        'cells = ["0-6/stood"]', 'cells = ["0-6/stood", "9/stood"]', "ambiguity[0].cells",
        "banker 9, player stood: no hand draws after a natural", "remove it", count=3,
    ),
    "ambiguities that overlap in a cell": Fault(
        'bets = ["six"]', 'bets = ["six"]\ncells = ["6/stood"]', "ambiguity[1]",
        "A9 and A3 both govern banker 6, player stood", "let one of them govern it",
        at='[[ambiguity]]\nid = "A9"', count=3,
    ),
    "ambiguities that overlap in a bet": Fault(
        'cells = ["0-6/stood"]', 'cells = ["0-6/stood"]\nbets = ["six"]', "ambiguity[1]",
        "A9 and A3 both govern what six pays", "let one", at='[[ambiguity]]\nid = "A9"',
    ),
    "ambiguities that overlap in what a bet requires": Fault(
        'cells = ["0-6/stood"]', 'cells = ["0-6/stood"]\nrequires = ["six"]', "ambiguity[1]",
        "A9 and A3 both govern what six requires", "let one", at='[[ambiguity]]\nid = "A9"',
    ),
    "a sister that is not there": Fault(
        'status = "open"', 'status = "open"\nsisters = ["punto-bank"]', "ambiguity[1].sisters[0]",
        "unknown rule card 'punto-bank' (did you mean 'punto-banco'?)", "name an existing card",
        at="sisters",
    ),
    "a reading that leaves a cell out": Fault(
        'stands = ["6/stood"]', "stands = []", "ambiguity[0].reading[0]",
        "banker 6, player stood is governed, but this reading does not settle it",
        "every reading must settle each governed cell exactly once, and no others",
        at='[[ambiguity.reading]]\nid = "standard"',
    ),
    "a reading that settles a cell twice": Fault(
        'stands = ["6/stood"]', 'stands = ["5-6/stood"]', "ambiguity[0].reading[0]",
        "banker 5, player stood is in both draws and stands", "once",
        at='[[ambiguity.reading]]\nid = "standard"',
    ),
    "a reading that settles what is not governed": Fault(
        'draws = ["0-5/stood"]', 'draws = ["0-5/stood", "3/8"]', "ambiguity[0].reading[0]",
        "banker 3, player drew 8 is settled here, but the ambiguity does not govern it", "no other",
        at='[[ambiguity.reading]]\nid = "standard"',
    ),
    "a reading of a bet that is not governed": Fault(
        'id = "six-two"\nreplaces = "six"', 'id = "six-two"\nreplaces = "tie"',
        "ambiguity[1].reading[1].bet[0]", "'tie' is not governed by 'A9'", "use six in `id` or",
        at='[[ambiguity.reading.bet]]\nid = "six-two"',
    ),
    "a reading of no bet": Fault(
        'id = "six-two"\nreplaces = "six"', 'id = "six-two"', "ambiguity[1].reading[1].bet[0]",
        "'six-two' is not governed by 'A9' (did you mean 'six'?)", "use six",
        at='[[ambiguity.reading.bet]]\nid = "six-two"',
    ),
    "a new bet with an old id": Fault(
        'id = "six-two"', 'id = "tie"', "ambiguity[1].reading[1].bet[0].id",
        "'tie' is already a bet of the card", "give the new bet a different id",
    ),
    "two new bets with one id": Fault(
        'id = "six-three"', 'id = "six-two"', "ambiguity[1].reading[1].bet[1].id",
        "'six-two' is used twice", "give each a different id",
    ),
    "a new bet that can never win": Fault(
        'banker_cards = 3 }, pays = "20:1"', 'banker_cards = 3 }, pays = "stand-off"',
        "ambiguity[1].reading[1].bet[1]", "six-three can never win", "add a line",
        at='[[ambiguity.reading.bet]]\nid = "six-three"',
    ),
    "a new bet that names an unknown parameter": Fault(
        'banker_cards = 3 }, pays = "20:1"', 'banker_cards = 3 }, pays = "six_odds"',
        "ambiguity[1].reading[1].bet[1].lines[0].pays", "'six_odds' is not a parameter",
        "write odds",
        at='"six_odds"',
    ),
    "a reading that requires no bet": Fault(
        "requires = []", 'requires = ["bank"]', "ambiguity[1].reading[1].requires[0]",
        "'bank' is not another bet (did you mean 'banker'?)", "choose banker",
    ),
    "a reading that requires what nothing governs": Fault(
        'bets = ["six"]\nrequires = ["six"]', 'bets = ["six"]',
        "ambiguity[1].reading[1].requires", "'A9' governs no bet's `requires`",
        "name the bets in the ambiguity's `requires`", at="requires = []",
    ),
    # Claims
    "a claim about no bet": Fault(
        'bets = ["tie"]', 'bets = ["ties"]', "claim[0].bets[0]",
        "'ties' is not a bet (did you mean 'tie'?)", "choose banker, player, six or tie",
    ),
    "a claim about nothing": Fault(
        'bets = ["tie"]', "bets = []", "claim[0].bets", "the claim names no bet", "name",
    ),
    "a claim out of a parameter's range": Fault(
        'at = { tie_odds = "9:1" }', 'at = { tie_odds = "7:1" }', "claim[0].at.tie_odds",
        "tie_odds must be between 8:1 and 9:1, not 7:1", "use a value",
    ),
    "a claim at an unknown parameter": Fault(
        'at = { tie_odds = "9:1" }', 'at = { odds = "9:1" }', "claim[0].at.odds",
        "'odds' is not a parameter (did you mean 'tie_odds'?)", "choose decks or tie_odds",
    ),
    "a claim at no number": Fault(
        'at = { tie_odds = "9:1" }', 'at = { tie_odds = "nine" }', "claim[0].at.tie_odds",
        "'nine' is not a number", "write",
    ),
    # Notes
    "a note given twice": Fault(
        'id = "A16"', 'id = "A10"', "note[1].id", "'A10' is used twice", "give each a different id",
    ),
    "a note of an unknown kind": Fault(
        'kind = "gap"', 'kind = "hole"', "note[1].kind", '\'hole\' is not "note" or "gap"', "write",
    ),
    "a note without a text": Fault(
        'text = "A misprint."\n', "", "note[0]", "'text' is missing", "write", at="[[note]]",
    ),
}  # fmt: skip


def findings_of(text: str) -> list[Finding]:
    return check_text(text, name="x").report.findings


def changed(old: str, new: str, text: str = SOUND) -> str:
    """Return the text with the first `old` replaced."""
    assert old in text
    return text.replace(old, new, 1)
