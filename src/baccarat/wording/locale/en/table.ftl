### The table: felt, bets, roads, agreements, reality checks.

## table

table-group = Bets from { $first } to { $last }
table-spot = { $name }. Pays { $pays }. House edge { $edge }. Minimum { $least }, maximum { $most }.
table-spot_limits = { $least }–{ $most }
table-rules = Rules and odds
table-to_rules = Rules
table-rules_close = Close
table-verify = Verify this table's shoes
table-player = Player
table-banker = Banker
table-total = Total
table-edge = House edge
table-spot_edge = house edge
table-ring = pays, house edge, limits
table-ring_alike = pays, house edge
table-ring_limits = { $least }–{ $most } on each
table-agreed = Agreed with you: { $terms }.
table-plate = { $decks ->
        [one] { $decks } deck · round { $round }
       *[other] { $decks } decks · round { $round }
    }
table-clock = Time left to bet
table-dock = Chips and bets
table-chip = Chip
table-deal = Deal
table-undo = Undo
table-clear = Clear
table-double = Double
table-repeat = Repeat
table-prices = Odds
table-prices_title = What each bet costs
table-prices_lead = The house edge is the share of your bet the house keeps on average. { $decks ->
        [one] The figures are exact for a full shoe of { $decks } deck under this table's rules.
       *[other] The figures are exact for a full shoe of { $decks } decks under this table's rules.
    }
table-prices_hour = About { $rounds } rounds an hour.
table-prices_close = Close
table-pays = Pays
table-bet_limits = Limits
table-take_back = Take these chips back
table-exactly = Exact house edge
table-wins_at_all = Chance of winning
table-variance = Variance
table-report = Report
table-report_heading = Report an error
table-report_lead = Did a card go to the wrong hand, or was a total or payout wrong? Report it to the pit, whether or not you bet. The game goes on, and the pit decides.
table-report_cut_off = Report it before the first card of the next round: after that, the result stands.
table-report_shoe = You can report it until the first card of the next shoe.
table-report_which = Which round?
table-report_words = What went wrong?
table-report_send = Send report
table-report_no = Cancel
table-real_cards = A dealer deals real cards, so there is no shoe to verify. Dealing errors are corrected during the round. If one is reported afterwards, the round can be settled again.
table-staked = Bets
table-broke = You've used up your play money.
table-refill = Refill to { $amount }
table-watching = You're watching. Sign in to play.
table-roads = Roads of this shoe
table-panels = Figures, shoe and proofs
table-tab_terms = Agreement
table-tab_figures = Figures
table-tab_shoe = Shoe
table-tab_proofs = Proofs
table-tab_options = Options
table-real = Balance
table-play_money = Play money
table-bonus = Bonus
table-in_play = In play
table-net = Won or lost
table-time = Time
table-costs_lead = The exact house edge at this table. About { $rounds } rounds an hour.
table-costs_lead_cards = The exact house edge at this table. The dealer sets the pace, so figures are per round.
table-bet = Bet
table-deviation = Standard deviation per unit bet
table-hour = Per hour
table-hour_all = Your bets, per hour
table-coup = Per round
table-coup_all = Your bets, per round
table-commitment = Commitment
table-contribute = Add my own randomness to every new shoe
table-proofs_lead = These proofs show that each card came next in the order that was fixed before the shoe began.
table-limits = Limits, breaks and help
table-four = Four-colour deck
table-sound = Sounds
table-squeeze = Squeeze
table-squeeze_title = Turn your side's cards if you have the largest bet on it
table-squeeze_card = Face-down card. Drag its edge or use the arrow keys to peek.
table-turn = Turn
table-single_keys = Keyboard shortcuts
table-keys = Arrow keys move between spots, Enter places a chip, and Delete takes a bet back. 1 to 6 choose a chip. U undoes, C clears, D doubles, R repeats and T turns a card. E or a long press shows the odds, edge and limits of a bet.
table-lag = What you see may be slightly behind the game. The server's clock decides when betting closes.

## terms

terms-range = { $least } to { $most }. { $single ->
        [yes] A request for { $granted } is
       *[no] Requests for { $granted } or less are
    } granted at once; the pit decides on higher ones.
terms-offer = Standing offer
terms-offer_edge = House edge on { $bet }
terms-offer_lead = Accept it with your first bet on { $bets }. It applies from that bet on.
terms-offer_title = Standing offer: { $values }
terms-offer_ask = You need an agreement to bet on { $bets }. Under this offer, the house edge is:
terms-offer_holds = It applies from this bet on, until you or the house ends it.
terms-offer_letter = You get these figures in a letter.
terms-offer_accept = Accept and bet
terms-offer_no = Not now
terms-ask_for = Percentage you want for { $name }
terms-slider = { $name }: choose a percentage
terms-ask = Send request
terms-confirm = Confirm
terms-decline = Decline
terms-end = End agreement
terms-letter = Letter (PDF)

## script table

script-table-balance = Balance
script-table-with_bonus = With bonus
script-table-your_stake = Your bet: { $amount }.
script-table-others = others { $amount }
script-table-players = { $players ->
        [one] { $players } player
       *[other] { $players } players
    }
script-table-share = { $percent }%
script-table-back = returned
script-table-mine = You: { $result }
script-table-even = Even
script-table-score = { $first }–{ $second }
script-table-cancelled = Round cancelled. All bets are returned.
script-table-empty = Your balance is zero. Pay in at the cashier.
script-table-empty_guest = You've used up your play money. Refill it with one tap.
script-table-not_now = Betting is closed. Wait for the next round.
script-table-elsewhere = Your bets were changed in another window. These are your bets now.
script-table-rule_number = Rule { $number }: { $name }
script-table-rules_failed = The rules couldn't be loaded. Please try again.
script-table-rule_named = Rule: { $name }
script-table-left = { $left } of { $size } cards left.
script-table-no_shoe = The next shoe is being prepared.
script-table-contributed = Randomness in this shoe from: { $names }.
script-table-and_you = { $name } (you)
script-table-uncontributed = No player added randomness to this shoe.
script-table-position = Position { $position }
script-table-nonce = Nonce
script-table-path = Path to the root
script-table-verify = Verify
script-table-holds = Proof is valid.
script-table-fails = Proof is not valid.
script-table-lost = Connection lost. Reconnecting. The bets shown are those the house has accepted.
script-table-offline = You're offline, so no chips can be placed. The bets shown are those the house has accepted.
script-table-restarting = The server is restarting. Your bets stand.
script-table-connected = Reconnected. Catching up.
script-table-returned = Reconnected. You missed nothing.
script-table-gap = Catching up.
script-table-gap_again = Couldn't catch up yet. Trying again.
script-table-over = Your session has ended. Sign in to bet.
script-table-over_in = Sign in and return to this table
script-table-dealer = Dealer: { $name }
script-table-no_dealer = No dealer yet
script-table-report_round = Round { NUMBER($round, useGrouping: 0) }
script-table-report_title = Report an error in round { NUMBER($round, useGrouping: 0) }
script-table-hour_mine = Betting { $stake } on every round costs { $cost } an hour on average, give or take { $spread }.
script-table-coup_mine = Betting { $stake } costs { $cost } a round on average, give or take { $spread }.
script-table-coup_least = The minimum bet of { $stake } costs { $cost } a round on average, give or take { $spread }.
script-table-hour_least = The minimum bet of { $stake } on every round costs { $cost } an hour on average, give or take { $spread }.

script-table-rule-deal = The deal
script-table-rule-wagering = Bets and limits
script-table-rule-limits = Limits, breaks and help

script-table-to_come-one_more = The cut card is out. One more round after this one.
script-table-to_come-next_is_last = The next round is the last of this shoe.
script-table-to_come-last_coup = Last round of this shoe.
script-table-to_come-shoe_over = The shoe is finished.
script-table-last_shoe = Last shoe: Banker { $banker }, Player { $player }, Tie { $tie }.
script-table-last_runs = Longest runs: Banker { $longest_banker_run }, Player { $longest_player_run }.
# $asked and $players count players with a bet.
script-table-deal_now = Deal at once if everyone with a bet asks: { $asked } of { $players } so far
script-table-deal_asked = You asked to deal now: { $asked } of { $players } players so far
script-table-squeeze_player = Turn Player's card
script-table-squeeze_banker = Turn Banker's card
script-table-squeezed_player = A player is turning Player's card
script-table-squeezed_banker = A player is turning Banker's card

script-table-notice-irregular = { $kind ->
        [wrong-side] The dealer is correcting an error: { $card } went to the wrong hand.
        [swapped] The dealer is correcting an error: { $card } was swapped with another card.
        [extra] The dealer is correcting an error: { $card } is one card too many.
        [missing] The dealer is correcting an error: a card is missing.
        [exposed] { $card } was exposed before “no more bets” and is burned.
       *[other] The dealer is correcting an error: { $card } cannot be the next card.
    }
script-table-notice-rectified = The hands were corrected: the cards are now in the order in which they left the shoe.
script-table-notice-corrected = Round { NUMBER($round, useGrouping: 0) } was corrected: { $winner }, { $coup }.
script-table-notice-given = { $amount } was added to your balance.
script-table-notice-taken = { $amount } was taken back.
script-table-notice-reported = You reported round { NUMBER($round, useGrouping: 0) }. The pit will look into it.
script-table-notice-dismissed = The pit reviewed round { NUMBER($round, useGrouping: 0) }. The result stands: { $words }
script-table-notice-called = The dealer has called a supervisor. The game will continue in a moment.
script-table-notice-alarm = { $kind ->
        [unshuffled] The table is stopped: the shoe may not have been shuffled.
        [does-not-add-up] The table is stopped: the shoe has missing or extra cards.
       *[other] The table is stopped: a card does not belong to the shoe.
    }

script-table-hand-player = Player
script-table-hand-banker = Banker
script-table-hand-tie = Tie

script-table-call-none = Opens soon
script-table-call-open = Place your bets
script-table-call-by_dealer = Place your bets
script-table-call-without_bets = No bets this round
script-table-call-card_seen = Betting stopped
script-table-call-closed = No more bets
script-table-call-dealing = No more bets
script-table-call-decided = Result
script-table-call-settled = Next round soon
script-table-call-cancelled = Round cancelled
script-table-call-pausing = The table is paused
script-table-call-paused = The table is paused
script-table-call-absent = New shoe coming
script-table-call-contributing = New shoe: add your randomness
script-table-call-revealing = New shoe: players' contributions are being revealed
script-table-call-ready = Burning cards

script-table-hint-by_dealer = The dealer closes betting
script-table-hint-without_bets = A card was exposed, so there is no betting on this round. Betting opens again with the next one.
script-table-hint-card_seen = A card may have left the shoe. Your bets stand, and nobody can place, change or take back a bet until the dealer has explained the card or the round is cancelled.
script-table-hint-pausing = The table will pause after this round. You can still take your bets back.

script-table-wins-player = Player wins
script-table-wins-banker = Banker wins
script-table-wins-tie = Tie

script-table-say-opened = Round { NUMBER($round, useGrouping: 0) }. Place your bets.
script-table-say-without = Round { NUMBER($round, useGrouping: 0) } is dealt without bets because a card was exposed.
script-table-say-closed = No more bets.
script-table-say-card = { $hand }: { $card }. { $total }.
script-table-say-turn = { $hand }: you may turn this card. Press T or the Turn button.
script-table-say-decided = { $winner }. Player { $player }, Banker { $banker }.
script-table-say-won = You win { $amount }.
script-table-say-lost = You lose { $amount }.
script-table-say-even = You break even.
script-table-say-cut = The cut card is out.

## script cards

script-cards-name = { $rank } of { $suit }
script-cards-face_down = Face-down card
script-cards-coup = Player { $player }, Banker { $banker }

script-cards-rank-A = ace
script-cards-rank-2 = two
script-cards-rank-3 = three
script-cards-rank-4 = four
script-cards-rank-5 = five
script-cards-rank-6 = six
script-cards-rank-7 = seven
script-cards-rank-8 = eight
script-cards-rank-9 = nine
script-cards-rank-10 = ten
script-cards-rank-J = jack
script-cards-rank-Q = queen
script-cards-rank-K = king

script-cards-suit-s = spades
script-cards-suit-h = hearts
script-cards-suit-d = diamonds
script-cards-suit-c = clubs

script-cards-row-start = the first four cards are dealt alternately, starting with Player
script-cards-row-natural-player = Player has a natural { $player }, so no more cards are drawn
script-cards-row-natural-banker = Banker has a natural { $banker }, so no more cards are drawn
script-cards-row-natural-both = Both hands have a natural ({ $player } and { $banker }), so no more cards are drawn
script-cards-row-player-draws = Player draws on { $player }
script-cards-row-stood-draws = Player stands on { $player }; Banker draws on { $banker }
script-cards-row-stood-stands = Player stands on { $player }; Banker stands on { $banker }
script-cards-row-given-draws = { $given ->
        [0] Banker draws on { $banker } against a third card worth 0
       *[other] Banker draws on { $banker } against a third card worth { $given }
    }
script-cards-row-given-stands = { $given ->
        [0] Banker stands on { $banker } against a third card worth 0
       *[other] Banker stands on { $banker } against a third card worth { $given }
    }
script-cards-row-complete = Banker has a third card, so no more cards are drawn

## script roads

script-roads-bead_plate = Bead plate
script-roads-big_road = Big road
script-roads-big_eye_boy = Big Eye Boy
script-roads-small_road = Small Road
script-roads-cockroach_pig = Cockroach Pig
script-roads-if_player = If Player wins
script-roads-if_banker = If Banker wins

script-roads-letter-B = B
script-roads-letter-P = P
script-roads-letter-T = T

script-roads-colour-R = red
script-roads-colour-B = blue
script-roads-colour-none = no mark

script-roads-count-banker = Banker
script-roads-count-player = Player
script-roads-count-tie = Tie
script-roads-count-banker_pairs = Banker pairs
script-roads-count-player_pairs = Player pairs
script-roads-count-naturals = Naturals
script-roads-count-longest_banker_run = Longest Banker run
script-roads-count-longest_player_run = Longest Player run
script-roads-count-coups = Rounds

## script terms

script-terms-now = In force
script-terms-none = none
script-terms-next = Next
script-terms-from_round = { $values } from round { NUMBER($round, useGrouping: 0) }
script-terms-decline = Decline
script-terms-withdraw = Withdraw request
script-terms-agreed = Agreed. See “Agreement”.
script-terms-agreed_letter = Agreed. Your letter is under “Agreement”.
script-terms-spot_offer = standing offer
script-terms-spot_agreed = agreed with you: { $terms }
script-terms-ended_why = Why it ended
script-terms-ended = The house has ended your agreement at this table. Reason: { $words }
script-terms-choice_edge = House edge on { $bet }: { $edge }.
script-terms-choice-granted = If you send this, it's agreed at once and applies from your next bet on.
script-terms-choice-pit = If you send this, the pit decides. Nothing changes until it agrees; the answer appears here.
script-terms-offered = We've made you an offer. See “Agreement”.
script-terms-changed = Your agreement at this table has changed.

script-terms-proposed-player = Your request
script-terms-proposed-house = Our offer

## script reality

script-reality-title = Reality check
script-reality-minutes = { $minutes } min
script-reality-hours = { $hours } h { $minutes } min
script-reality-lost = You have played for { $time } and lost { $amount }.
script-reality-won = You have played for { $time } and won { $amount }.
script-reality-even = You have played for { $time } and are even.
script-reality-and_staked = Another { $amount } is at stake in a round that isn't settled yet.
script-reality-time = Time played
script-reality-net = Won or lost so far
script-reality-staked = At stake now
script-reality-on = Keep playing
script-reality-break = { $hours ->
        [one] Take a break: { $hours } hour
       *[other] Take a break: { $hours } hours
    }
script-reality-break_words = You can't bet until you answer. A break starts at once and can't be shortened.
script-reality-leave = Leave the table
script-reality-stopped = No more betting for now
script-reality-stopped_words = Your earlier bets stand: the round will be played, and any winnings will be paid to you. Until betting closes, you can still take your bets back. Stay at the table to do that or to watch.
script-reality-stay = Stay and watch
script-reality-withdraw = You can take all earlier bets back until betting closes.
script-reality-to_limits = Limits, breaks and help

script-reality-warned-deposit = You have paid in { $used } of your { $amount } limit
script-reality-warned-loss = You have lost or staked { $used } of your { $amount } limit
script-reality-warned-time = You have played { $used } of your { $amount } limit

script-reality-period-day = today.
script-reality-period-week = this week.
script-reality-period-month = this month.
