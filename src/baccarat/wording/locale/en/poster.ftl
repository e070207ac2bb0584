### Posters, letters and audit reports on paper. Posters also use rules-, rule- and phrase- messages.

## poster

poster-title = { $game }: rules, odds and house edge
poster-grid = Banker's total and Player's third card
poster-third = Player's third card
poster-zero = 0: ten or face card
poster-stood_means = stood: Player took no card
poster-stood = stood
poster-never = never
poster-every_bet = All bets with their payouts and exact house edge
poster-wins_narrow = Chance { $wins }
poster-verify = Check a shoe yourself
poster-rules = Rules and odds
poster-qr = QR code
poster-logo = Logo of the house
poster-player_total = Player's total
poster-tiles = Wins if both hands end with exactly this total. Below the odds: chance and house edge.
poster-copies = Take these rules with you: A4 copies at { $place }.

poster-otherwise = Otherwise, when { $when }
poster-returned = stake returned
poster-percent = { $percent }% of stake
poster-figures = Chance: how often the bet wins. House edge: the share of a bet that the house keeps on average. { $decks ->
        [one] Both are exact for a full shoe of one deck; the last digit is rounded.
       *[other] Both are exact for a full shoe of { $decks } decks; the last digit is rounded.
    }
poster-agreed = Agreed with each player, from { $least } to { $most }. Shown here for { $value }.
poster-offer = Bets marked † need an agreement: you can accept this table's standing offer, { $value }, with your first bet.
poster-range = House edge on { $bet }: from { $least } to { $most }.
poster-letter = Your letter has your own figures.

poster-edge = The house edge
poster-edge_means = Every bet wins or loses by chance. Over many rounds, the house keeps a fixed share of all bets on average: the house edge. The lower it is, the less a bet costs you.
poster-example = Bet { $stake } on { $bet } in each of { $coups } rounds, { $turnover } in all: at an edge of { $edge }, { $winner ->
        [house] the house keeps { $average } on average.
        [player] you win { $average } on average.
       *[none] you break even on average.
    }
poster-guide_example = For example, if the house edge of a bet is { $edge }, you lose { $average } on average for every { $turnover } you bet.
poster-guide_varies = House edges vary by { $by }.
poster-by-region = region
poster-by-casino = casino
poster-by-game = game
poster-guide_decisions = In some games, players' skill or betting decisions change the house edge.
poster-guide_advantage = The house always has some advantage.

poster-version = Version { NUMBER($version, useGrouping: 0) }

## letter

letter-title = { $game }: the house edge under your agreement
letter-heading = { $game }: your agreement
letter-agreed = You and the house have agreed:
letter-agreed_at = For your bets at the table { $table }, you and the house have agreed:
letter-edge = The house edge is the share of a bet that the house keeps on average over many rounds. This is the edge that applies to your bets, next to the edges at the lowest and highest values that can be agreed.
letter-edge_of = House edge of
letter-as_agreed = as agreed
letter-mean = Mean of { $bets }
letter-pays = What your bets pay
letter-costs = What they cost on average
letter-differs = What else these figures depend on
letter-parameter = { $meaning }: { $here } (in the rules: { $usual }).
letter-reading = { $question } Here: { $here } Usually: { $usual }
letter-exact = { $decks ->
        [one] All figures are exact for a full shoe of one deck; the last digit is rounded. The agreement changes no other rule.
       *[other] All figures are exact for a full shoe of { $decks } decks; the last digit is rounded. The agreement changes no other rule.
    }
letter-house = for the house
letter-player = the player

## report

report-title = Printed and exact house edges
report-description = An audit of printed house edges against exact ones
report-lead = This report compares every printed house edge with the exact one, lists every gap, and shows every ambiguous rule under each of its readings.

report-posters = { $n ->
        [one] poster
       *[other] posters
    }
report-games = { $n ->
        [one] game
       *[other] games
    }
report-figures = { $n ->
        [one] printed figure
       *[other] printed figures
    }
report-wrong = of them wrong
report-ambiguities = { $n ->
        [one] ambiguity
       *[other] ambiguities
    } in { $places ->
        [one] { $places } place
       *[other] { $places } places
    }
report-decided = of these decided by printed figures

report-summary = Summary
report-figure = { $printed } ({ $bets })
report-prints = { $figures } on { $game }
report-found-wrong = { $game } prints { $printed } for { $bets }. The exact edge is { $exact }, so the printed figure is { $off } percentage points { $way ->
        [high] too high
       *[low] too low
    }.
report-found-truncated = Truncated instead of rounded up: { $figures }.
report-found-rounded_up = Rounded up instead of down: { $figures }.
report-found-mean = Correct only as a mean, not for each bet: { $figures }.
report-found-unnamed = { $game } prints { $figures } without naming the bet.
report-found-outside = { $game } prints the range { $printed }. Exact edges of { $bet } from { $part } are outside it.
report-found-decided = Printed figures decide { $where }.
report-found-pointed = Only figures of sister posters point to a reading of { $where }.
report-found-undecided = No printed figure decides { $where }. Only the rule card shows which reading is used there.
report-found-idle = No edge depends on { $where }.
report-found-joint = On { $game }, { $readings } would together favour the player by { $edge } on { $bet }.
report-on = { $id } on { $games }
report-places = { $where } ({ $places ->
        [one] { $places } place
       *[other] { $places } places
    })

report-gifts = What a misreading would give away
report-gifts_words = Under these readings, the bet would favour the player by this share of every stake. A single missing row can have this much effect, so a rule card must state which reading is used.
report-gift_reading = Reading
report-gift_bet = Bet
report-gift_favour = In the player's favour
report-gift_edge = House edge
report-gifts_scale = The length of a bar grows with the square root of the edge, so that small edges can be seen.
report-read_as = { $id } read as “{ $reading }”

report-how = How to read this report
report-how_correct = A printed figure is correct if its digits are those of the exact edge, whether rounded, truncated or rounded up. A figure for several bets is correct if it holds for each of them, or for their mean. Anything else is wrong.
report-how_dot = The dot shows how far the exact edge is from the printed one, in units of the last printed digit. A dot within the [band] is a rounding difference; an arrow means that the dot is off the scale.
report-how_readings = Each ambiguity is tried under every reading, with all others unchanged; ambiguities of the tableau are also tried in combination. ● is the reading used, ○ is another reading, and ▮ is the printed figure. Left of zero, in [red], a bet favours the player.
report-how_supported = A reading is supported if it agrees with those figures on its own poster that distinguish the readings. A figure of a sister poster is only a pointer: it shows which reading another poster was computed with.
report-how_exact = All edges are computed from the rule cards alone, as fractions, for a full shoe; the last digit shown is rounded.

report-no_claims = This poster prints no house edges.
report-no_ambiguities = The rule card has no ambiguous rules.
report-about = Printed for
report-printed = Printed
report-exact = Exact
report-off = Difference (in units of the last digit)
report-verdict = Verdict
report-verdict-rounded = correct when rounded
report-verdict-truncated = correct when truncated
report-verdict-rounded_up = correct when rounded up
report-verdict-mean = correct only as the mean of these bets
report-verdict-wrong = wrong: { $off } percentage points { $way ->
        [high] too high
       *[low] too low
    }
report-contradiction-rounded = { $id } (correct when rounded): { $figures }.
report-contradiction-truncated = { $id } (truncated instead of rounded up): { $figures }.
report-contradiction-rounded_up = { $id } (rounded up instead of down): { $figures }.
report-contradiction-mean = { $id } (correct only as a mean, not for each bet): { $figures }.
report-contradiction-wrong = { $id } ({ $n ->
        [one] the printed figure is wrong
       *[other] the printed figures are wrong
    }): { $figures }.
report-contradiction-unnamed = { $id } (the poster does not say which bet { $n ->
        [one] this figure is for
       *[other] these figures are for
    }): { $figures }.
report-unnamed = { $n ->
        [one] no bet named; taken as { $bets }
       *[other] no bet named; taken as the mean of { $bets }
    }
report-at = { $bets } at { $at }

report-status-resolved = resolved
report-status-open = open
report-support-supported = supported
report-support-contradicted = contradicted
report-support-undecided = undecided
report-in_force = (used)
report-edge_of = House edge of
report-no_bet = No edge depends on this rule. It only determines which bets are accepted.
report-more_bets = { $n ->
        [one] { $n } more bet depends on this rule.
       *[other] { $n } more bets depend on this rule.
    }
report-best = Best for the player under { $letter }: { $bet }, { $edge }.
report-no_evidence = No printed figure distinguishes these readings.
report-evidence = Decided by printed figures: { $figures }.
report-resolved = Resolved.
report-pointers = Figures of sister posters: { $figures }.
report-support = Printed figures
report-sisters-agree = sister agrees
report-sisters-disagree = sister disagrees

report-by_bet = Each bet alone
report-span = { $low } to { $high }
report-ranges = Printed ranges
report-range_printed = Printed range
report-range_bet = Bet alone
report-range_exact = Exact range
report-range_outside = Outside the printed range
report-range_none = nothing

report-joint = Combinations of other readings
report-joint_readings = Readings
report-joint_best = Best for the player
report-joint_bets = { $n ->
        [one] { $n } more bet depends on these rules.
       *[other] { $n } more bets depend on these rules.
    }
report-joint_untried = { $n ->
        [one] { $n } more combination was not tried.
       *[other] { $n } more combinations were not tried.
    }

report-notes = Gaps and notes
report-note-gap = gap, filled by a house procedure:
report-note-note = note:
report-note_in_force = In force:

## par-sheet

par-sheet-title = PAR sheet
par-sheet-description = Probability accounting report: combinations, returns and volatility of every bet
par-sheet-identity = What these figures apply to
par-sheet-card = Rule card
par-sheet-source = Source of the rules
par-sheet-digest = SHA-256 of the rule card
par-sheet-program = Computed by
par-sheet-shoe = Shoe
par-sheet-shoe_value = { $decks ->
        [one] one deck, { $cards } cards, full and well shuffled
       *[other] { $decks } decks, { $cards } cards, full and well shuffled
    }
par-sheet-sequences = Ordered sequences of six cards
par-sheet-reading = Reading of an ambiguous rule

par-sheet-overview = All bets
par-sheet-bet = Bet
par-sheet-return = Return to player
par-sheet-edge = House edge
par-sheet-hit = Hit frequency
par-sheet-every = Rounds per hit
par-sheet-standoff = Stand-offs
par-sheet-variance = Variance
par-sheet-deviation = Standard deviation
par-sheet-volatility = Volatility index

par-sheet-when = Outcome
par-sheet-pays = Pays
par-sheet-combinations = Combinations
par-sheet-probability = Probability
par-sheet-contribution = Contribution
par-sheet-returned = Return
par-sheet-loses = Anything else: the bet loses
par-sheet-total = Total

par-sheet-bands = Return after a number of rounds
par-sheet-rounds = Rounds
par-sheet-error = Error at most
par-sheet-by_decks = By number of decks
par-sheet-decks = Decks

par-sheet-how = Definitions
par-sheet-how_combinations = Combinations are the ways to draw six cards from the full shoe, in order. A coup that needs four or five cards counts all its continuations, so every sequence has the same weight and all outcomes of a bet add up to the same total.
par-sheet-how_outcomes = The first outcome that applies decides. “Pays” is the net win per unit staked; the stake is returned in addition.
par-sheet-how_contribution = Contribution is the probability times the net win; contributions add up to minus the house edge. Return is the probability times everything paid back, including the stake; returns add up to the return to player.
par-sheet-how_hit = Hit frequency is the probability of a net win; stand-offs are not hits.
par-sheet-how_volatility = Variance and standard deviation are those of the net win of one round per unit staked. The volatility index is 1.645 standard deviations, for a confidence of 90%.
par-sheet-how_bands = With the given confidence, the mean return of this many rounds lies in the band. The bands use the normal approximation; by the Berry–Esseen theorem, the true confidence differs from the given one by at most the error. If the error is large, the bet wins too rarely for the band after that many rounds to be reliable.
par-sheet-how_exact = Everything is computed from the rule card in exact fractions, without simulation; the last digit shown is rounded.
