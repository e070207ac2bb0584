### Rules, odds and the audit of posters.

## rules

rules-title = Rules and odds
rules-heading = Rules and odds
rules-lead = Every game with its rules, payouts and exact house edge, generated from the rule cards that the tables use.
rules-of = rules, odds and house edge
rules-played = Tables:
rules-not_played = Not on offer at the moment.
rules-to_audit = Posters checked against exact figures
rules-to_catalogue = Published side bets and their exact house edges
rules-at_table = As played at { $table }, with that table's limits.
rules-printed = These are the rules as printed on the rule card.
rules-as_played = See them as played at:
rules-to_table = Go to table
rules-as_printed = Rule card defaults
rules-to_odds = Remove cards and see the house edge change
rules-bets = The bets
rules-bet = Bet
rules-when = When
rules-pays = Pays
rules-wins = Chance
rules-edge = House edge
rules-stakes = Limits
rules-grid = Banker's third card
rules-banker = Banker
rules-natural = natural: no draw
rules-legend = D draws, S stands. Columns: Player's third card; 0 is a ten or face card; “stood” means Player took no card.
rules-tableau = Third-card rules
rules-player_third = Player's third card
rules-player_having = Player has
rules-third = Third card
rules-banker_third = Banker's third card, by Player's third card
rules-banker_having = Banker has
rules-draws_when = Draws against
rules-stands_when = Stands against
rules-poster = Poster of this table (PDF, A4)
rules-digest = SHA-256 of the rule card:
rules-poster_number = casino poster { $number }
rules-coup_maximum = At this table you can bet up to { $most } on a round, all bets together.
rules-seats = { $seats ->
        [one] At this table { $seats } player can bet on a round.
       *[other] At this table up to { $seats } players can bet on a round.
    }

rules-listed = Rules that disputes have shown to be unclear
rules-listed_lead = The house listed these questions after a dispute.
rules-listed_open = open
rules-listed_resolved = resolved
rules-listed_open_words = Disputes over this are decided in the player's favour.
rules-listed_since = Listed:
rules-listed_from = Applies to rounds settled after

rules-cell-draws = D
rules-cell-stands = S

rules-cell_does-draws = draws
rules-cell_does-stands = stands

## odds

odds-title = Odds
odds-heading = Remove cards and see the house edge change
odds-lead = Every figure is exact: it counts every way the remaining cards can be dealt.
odds-game = Game
odds-choose = Choose
odds-to_rules = Rules
odds-gone = Cards removed
odds-left = { $left } of { $size } left
odds-suits_matter = This game has bets on suits, so remove cards by suit.
odds-ranks_only = No bet in this game depends on suits, so ranks are enough.
odds-reset = Full shoe
odds-edges = House edge of every bet
odds-bet = Bet
odds-edge = House edge
odds-moved = Change
odds-picture = Chart
odds-wins = Chance
odds-deviation = Deviation
odds-legend = House edge: the share of a bet the house keeps on average. Below zero, the player has the advantage. Thick bar: the shoe now. Thin bar: a full shoe. Deviation: standard deviation of the result per unit bet.
odds-session = A session
odds-session_lead = You place the same bet on every round, each dealt from a full shoe. The chances for your bankroll are exact, not simulated.
odds-stake = Amount per round
odds-coups = Rounds
odds-bankroll = Bankroll
odds-stop = Stop when you have won
odds-compute = Calculate
odds-to_audit = Posters checked against exact figures

odds-suit-s = of spades
odds-suit-h = of hearts
odds-suit-d = of diamonds
odds-suit-c = of clubs

## catalogue

catalogue-title = Side bets
catalogue-heading = Published side bets
catalogue-lead = Side bets that casinos and publishers describe, each with its exact house edge and a check of the published figure.
catalogue-family = Family
catalogue-all = all
catalogue-decks = Decks
catalogue-show = Show
catalogue-compare = Compare the marked bets
catalogue-compare_one = Compare { $bet }
catalogue-compared = Side by side
catalogue-bets = { $n ->
        [one] { $n } bet
       *[other] { $n } bets
    }
catalogue-legend = The bar shows how much of each unit staked the bet returns on average: darker parts come from larger payouts, and red is what the house keeps. The line marks a fair bet. A bet with unclear rules is listed once for each way to read them.
catalogue-picture = returns { $returned } of the stakes
catalogue-name = Bet and payouts
catalogue-edge = House edge
catalogue-hit = Chance
catalogue-variance = Variance
catalogue-deviation = Standard deviation
catalogue-returned = Return
catalogue-published = Published
catalogue-agrees = agrees
catalogue-differs = differs:
catalogue-unpublished = no figure

## audit

audit-title = Poster audits
audit-heading = Posters checked against exact figures
audit-lead = Casino posters print figures and leave some rules unclear. Here every printed figure is compared with the exact one, and every unclear rule is worked out in each way it can be read.
audit-findings = Summary
audit-claims = printed figures
audit-about = About
audit-printed = Printed
audit-exact = Exact
audit-verdict = Verdict
audit-no_claims = This poster prints no figures.
audit-in_force = used here
audit-legend = In each chart, the line at zero is a fair bet; marks to its left favour the player. A filled mark is the reading used here; a triangle is the printed figure.

## script odds

script-odds-left = { $left } of { $size } left
script-odds-amounts = Enter amounts such as 20 or 12.50 for the bet and the bankroll.
script-odds-whole = Enter whole numbers of cards, from 0 to { $most } of each.
script-odds-coups = Enter a whole number of rounds from 1 to { $most }.
script-odds-computing = Calculating
script-odds-results = Result after all rounds
script-odds-results_words = How likely each result is if your money lasts for all rounds. Losses are on the left in red, wins are on the right in green, and breaking even is in between.
script-odds-ends = What happens to your bankroll
script-odds-ends_words = The chance of having lost your bankroll by each round.
script-odds-ends_goal = By each round: the chance of having lost your bankroll (solid) and of having reached your goal (dashed).
script-odds-quantiles = The same in figures: share of sessions that end at this result or below
script-odds-exact = Rounds are treated as independent, as with a shuffler; with a shoe they nearly are. Each chance is accurate to within { $error }.

script-odds-night-edge = House edge
script-odds-night-cost = Average total cost of all rounds
script-odds-night-hour = Average cost of an hour ({ $coups } rounds)
script-odds-night-spread = Standard deviation
script-odds-night-behind = Behind after all rounds
script-odds-night-even = Even after all rounds
script-odds-night-ahead = Ahead after all rounds
script-odds-night-ruined = Lose the bankroll
script-odds-night-reached = Reach the goal

## phrases that describe what a bet pays; each is complete, so no grammar is assumed

phrase-bet = { $name } { $lines }.
phrase-pays = pays { $odds } when { $when }
phrase-pays-percent = pays { $percent }% of the stake when { $when }
phrase-returns = returns the stake when { $when }
phrase-otherwise = otherwise { $line }
phrase-stand-off = stand-off
phrase-on-tie = { $odds } on a tie
phrase-on-total = { $total ->
        [8] { $odds } on an 8
       *[other] { $odds } on a { $total }
    }
phrase-with-cards = { $odds } with { $cards } cards
phrase-half = half
phrase-needs = Bet { $others } first
phrase-excludes = Not with { $others }
phrase-exact-tie = Exact tie { $first }–{ $last }
phrase-list = { $one }, { $other }
phrase-and = { $one } and { $other }
phrase-or = { $one } or { $other }
phrase-to = { $first } to { $last }
phrase-not = not ({ $one })
phrase-always = always
phrase-player-wins = Player wins
phrase-banker-wins = Banker wins
phrase-tie-wins = the hands tie
phrase-player_total = Player's total is { $values }
phrase-banker_total = Banker's total is { $values }
phrase-margin = the totals differ by { $values }
phrase-player_cards = Player has { $values } cards
phrase-banker_cards = Banker has { $values } cards
phrase-cards = { $values } cards are dealt
phrase-player_natural = Player has a natural
phrase-player_natural-not = Player has no natural
phrase-banker_natural = Banker has a natural
phrase-banker_natural-not = Banker has no natural
phrase-player_start = Player's first two cards make { $values }
phrase-banker_start = Banker's first two cards make { $values }
phrase-player_third = Player's third card is worth { $values }
phrase-player_third-none = Player has no third card
phrase-banker_third = Banker's third card is worth { $values }
phrase-banker_third-none = Banker has no third card
phrase-player_pair = Player's first two cards are a pair
phrase-player_pair-not = Player's first two cards are not a pair
phrase-banker_pair = Banker's first two cards are a pair
phrase-banker_pair-not = Banker's first two cards are not a pair
phrase-player_perfect_pair = Player's first two cards are a suited pair
phrase-player_perfect_pair-not = Player's first two cards are not a suited pair
phrase-banker_perfect_pair = Banker's first two cards are a suited pair
phrase-banker_perfect_pair-not = Banker's first two cards are not a suited pair
phrase-totals_sum = the totals of both hands add up to { $values }
phrase-player_suits = { $values ->
        [1] Player's hand is suited
       *[other] the number of suits in Player's hand is { $values }
    }
phrase-banker_suits = { $values ->
        [1] Banker's hand is suited
       *[other] the number of suits in Banker's hand is { $values }
    }
phrase-player_start_suits = { $values ->
        [1] Player's first two cards are suited
       *[other] the number of suits in Player's first two cards is { $values }
    }
phrase-banker_start_suits = { $values ->
        [1] Banker's first two cards are suited
       *[other] the number of suits in Banker's first two cards is { $values }
    }
phrase-start_suits = { $values ->
        [1] the first four cards have the same suit
       *[other] the number of suits in the first four cards is { $values }
    }
phrase-coup_suits = { $values ->
        [1] all cards of the coup have the same suit
       *[other] the number of suits in the coup is { $values }
    }
phrase-player_colours = { $values ->
        [1] all cards of Player's hand have the same colour
       *[other] the number of colours in Player's hand is { $values }
    }
phrase-banker_colours = { $values ->
        [1] all cards of Banker's hand have the same colour
       *[other] the number of colours in Banker's hand is { $values }
    }
phrase-player_start_colours = { $values ->
        [1] Player's first two cards have the same colour
       *[other] the number of colours in Player's first two cards is { $values }
    }
phrase-banker_start_colours = { $values ->
        [1] Banker's first two cards have the same colour
       *[other] the number of colours in Banker's first two cards is { $values }
    }
phrase-start_colours = { $values ->
        [1] the first four cards have the same colour
       *[other] the number of colours in the first four cards is { $values }
    }
phrase-coup_colours = { $values ->
        [1] all cards of the coup have the same colour
       *[other] the number of colours in the coup is { $values }
    }
phrase-player_ranks = { $values ->
        [1] all cards of Player's hand have the same rank
       *[other] the number of ranks in Player's hand is { $values }
    }
phrase-banker_ranks = { $values ->
        [1] all cards of Banker's hand have the same rank
       *[other] the number of ranks in Banker's hand is { $values }
    }
phrase-player_start_ranks = { $values ->
        [1] Player's first two cards have the same rank
       *[other] the number of ranks in Player's first two cards is { $values }
    }
phrase-banker_start_ranks = { $values ->
        [1] Banker's first two cards have the same rank
       *[other] the number of ranks in Banker's first two cards is { $values }
    }
phrase-start_ranks = { $values ->
        [1] the first four cards have the same rank
       *[other] the number of ranks in the first four cards is { $values }
    }
phrase-player_consecutive = the ranks of Player's hand are consecutive
phrase-player_consecutive-not = the ranks of Player's hand are not consecutive
phrase-banker_consecutive = the ranks of Banker's hand are consecutive
phrase-banker_consecutive-not = the ranks of Banker's hand are not consecutive
phrase-player_start_consecutive = the ranks of Player's first two cards are consecutive
phrase-player_start_consecutive-not = the ranks of Player's first two cards are not consecutive
phrase-banker_start_consecutive = the ranks of Banker's first two cards are consecutive
phrase-banker_start_consecutive-not = the ranks of Banker's first two cards are not consecutive
phrase-player_sum = the points of Player's hand add up to { $values }
phrase-banker_sum = the points of Banker's hand add up to { $values }
phrase-player_start_sum = the points of Player's first two cards add up to { $values }
phrase-banker_start_sum = the points of Banker's first two cards add up to { $values }
phrase-start_sum = the points of the first four cards add up to { $values }
phrase-coup_sum = the points of the coup add up to { $values }
phrase-count-player = { $values ->
        [0] there are no { $cards } in Player's hand
       *[other] the number of { $cards } in Player's hand is { $values }
    }
phrase-count-banker = { $values ->
        [0] there are no { $cards } in Banker's hand
       *[other] the number of { $cards } in Banker's hand is { $values }
    }
phrase-count-player_start = { $values ->
        [0] there are no { $cards } in Player's first two cards
       *[other] the number of { $cards } in Player's first two cards is { $values }
    }
phrase-count-banker_start = { $values ->
        [0] there are no { $cards } in Banker's first two cards
       *[other] the number of { $cards } in Banker's first two cards is { $values }
    }
phrase-count-start = { $values ->
        [0] there are no { $cards } in the first four cards
       *[other] the number of { $cards } in the first four cards is { $values }
    }
phrase-count-coup = { $values ->
        [0] there are no { $cards } in the coup
       *[other] the number of { $cards } in the coup is { $values }
    }
phrase-count-player_third = { $values ->
        [0] Player's third card, if any, is not one of the { $cards }
        [1] Player's third card is one of the { $cards }
       *[other] the number of { $cards } as Player's third card is { $values }
    }
phrase-count-banker_third = { $values ->
        [0] Banker's third card, if any, is not one of the { $cards }
        [1] Banker's third card is one of the { $cards }
       *[other] the number of { $cards } as Banker's third card is { $values }
    }
phrase-at_least = at least { $number }
phrase-of-A = aces
phrase-of-2 = twos
phrase-of-3 = threes
phrase-of-4 = fours
phrase-of-5 = fives
phrase-of-6 = sixes
phrase-of-7 = sevens
phrase-of-8 = eights
phrase-of-9 = nines
phrase-of-10 = tens
phrase-of-J = jacks
phrase-of-Q = queens
phrase-of-K = kings
phrase-of-spades = spades
phrase-of-hearts = hearts
phrase-of-diamonds = diamonds
phrase-of-clubs = clubs
phrase-of-red = red cards
phrase-of-black = black cards

## the rules of a game in words, for pages, posters and the command `show`

rule-title-cards = The cards
rule-title-deal = The deal
rule-title-tableau = Banker's third card
rule-title-bets = The bets
rule-title-wagering = Bets and limits
rule-title-procedures = Errors and disputes
rule-title-house = House procedures
rule-title-parameters = Set at the table
rule-title-ambiguities = Unclear rules
rule-title-notes = Notes
rule-title-notice = Safer gambling

rule-decks = { $decks ->
        [one] One deck of 52 cards,
       *[other] { $decks } decks of 52 cards,
    } { $source ->
        [shoe] dealt from a shoe
        [shuffler] dealt from a shuffler
        [cards] dealt by a dealer
       *[any] dealt from a shoe or shuffler
    }. An ace counts 1, cards from 2 to 9 count their number, and tens and face cards count 0.
rule-total = A hand's total is the last digit of the sum of its cards. The hand closer to 9 wins.

rule-house = Everyone plays against the house, which pays all winning bets and collects all losing bets.
rule-betting = Bets are placed before the first card and are for one round. After the first card, bets can't be placed, changed or taken back.
rule-order = The dealer deals in turn to Player, Banker, Player, Banker and announces the totals. Any third cards follow, Player first.
rule-third_card = A hand has two or three cards. The rules decide whether it draws a third one; there is nothing to choose.
rule-naturals = If either hand has a natural ({ $totals } with two cards), no more cards are drawn.
rule-player = Player draws on { $draws } and stands on { $stands }.
rule-player_draws = Player always draws.
rule-player_stands = Player never draws.
rule-settling = The result is announced, then losing bets are collected, then winning bets are paid.

rule-stood = If Player stands, Banker draws on { $draws } and stands on anything else.
rule-stood_stands = If Player stands, Banker stands.
rule-banker = With { $totals }, Banker draws if Player's third card is worth { $cards }.
rule-banker_draws = With { $totals }, Banker draws whatever Player's third card is.
rule-banker_stands = With { $totals }, Banker stands whatever Player's third card is.

rule-returned = A winning bet is returned together with the winnings. In every case not listed, the bet loses.
rule-first = If several lines of a bet apply, only the first one counts.
rule-pair = A pair is two cards of the same rank: 10-10 and K-K are pairs, but 10-K is not.

rule-limits = Bets are from { $least } to { $most }, unless the table shows other limits.
rule-limits_shown = Every bet must be within its limits, which are shown at the table.
rule-limits_here = Every bet must be within the limits shown here.
rule-limits_of = { $bets }: from { $least } to { $most }.
rule-rounding = { $way ->
        [down] Payouts that are not whole coins are rounded down.
        [up] Payouts that are not whole coins are rounded up.
        [half-up] Payouts are rounded to the nearest coin, and half a coin is rounded up.
       *[half-even] Payouts are rounded to the nearest coin, and half a coin is rounded to the nearest even number of coins.
    }
rule-step = Bets on { $bets } must be multiples of { $step }.
rule-partners = Partners' bets are added together and can't go over the maximum.
rule-apart = You can't bet on both { $one } and { $other } in the same round.
rule-combined = You can combine any bets in one round, even bets on opposite hands.
rule-combined_others = You can combine any other bets.
rule-requires = To bet on { $bets }, you must also bet on { $others }.
rule-alone = You can bet on { $bets } alone.
rule-alone_all = You can place any bet alone.
rule-bonus = If you bet mostly with bonus money, you can't combine bets in such a way that at least one of them wins in more than { $chance }% of rounds.

rule-errors_until_next_coup = An extra or missing card is corrected if it is noticed or reported before the first card of the next round. After that, all results stand, including that of the round with the error.
rule-reconstruction = Cards dealt out of order are put back in the intended order. No bets are taken on a card that has been seen: either the round it is used in is dealt without bets, or the card is burned.
rule-cancelled_returns_stakes = A cancelled round has no result, and all bets are returned.
rule-disputes_for_player = While the meaning of a rule is unclear, disputes about it are decided in the player's favour. Once the house has resolved the rule's meaning, that meaning applies.

rule-own_fault = If a fault interrupts a round, the round is finished and paid if possible. Otherwise it is cancelled: it has no result, and all bets are returned{ $decided ->
        [paid] , except those that had already won, which are paid
       *[returned] { "" }
    }.
rule-own_disputes = If you bet on a round, you can dispute its result once it is settled. The house answers every dispute.
rule-own_report = Anyone at the table can report a dealing error, whether or not they have bet. A report does not stop the game.
rule-own_cut_off = An extra or missing card is corrected if it is noticed or reported before the first card of the next round. After that, all results stand, including that of the round with the error.
rule-own_shoe = A dealing error can be reported until the first card of the next shoe, and is corrected even if more rounds have been dealt since.

rule-parameter = { $name }: { $meaning }, from { $least } to { $most }. Shown here for { $value }.
rule-parameter_table = { $name }: { $value } ({ $meaning }).
rule-resolved = { $id } (resolved): { $question } Here: { $reading }
rule-open = { $id } (open): { $question } Here: { $reading }
rule-regulator = Regulator: { $regulator }.
rule-responsible_gaming = The games are run in line with the principles of responsible gaming.
rule-fair_gambling = The house is bound by these rules. They are its commitment to fair and open gambling.
