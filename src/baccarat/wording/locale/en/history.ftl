### A player's history and disputes.

## history

history-title = History
history-heading = My rounds
history-statement = My statement
history-rounds_lead = Every round you bet on, newest first. Open one to replay it card by card.
history-statement_lead = Everything that changed your balance, newest first.
history-nothing = Nothing here yet.
history-csv = Download as CSV
history-rounds = Rounds
history-count = { $count }
history-staked = Staked
history-day = Day
history-all_tables = All tables
history-session = Last session only
history-choose = Show
history-choose_all = Show all
history-none_chosen = No rounds match. Choose another table or day.
history-to_summary = Summary to print or keep
history-summary = Summary of my rounds
history-made = made
history-from = From
history-to = to
history-by_table = By table
history-by_bet = By bet
history-later_sum = Corrections and disputes, included in the totals above:
history-print = Print
history-when = When
history-table = Table
history-round = Round
history-result = Result
history-wagers = Bets
history-net = Won or lost
history-what = Type
history-amount = Amount
history-balance = Balance after
history-again = Round { NUMBER($round, useGrouping: 0) }
history-older = Older
history-newest = Newest
history-replay = Round { NUMBER($round, useGrouping: 0) }
history-step = Next card
history-from_start = Start again
history-play = Play
history-your_wagers = Your bets
history-bet = Bet
history-stake = Stake
history-back = All my rounds
history-verify = Verify the shoe
history-stood = Player and Banker
history-none = You had no bet on this round.
history-cancelled_words = This round was cancelled and has no result.
history-put_right = Corrections
history-rectified = The hands were corrected. The cards left the shoe in this order: { $cards }.
history-corrected = The round was settled again with the cards in the order they left the shoe: { $cards }.
history-corrected_row = (corrected)
history-settled = Settled
history-as_settled = As settled
history-as_corrected = As corrected
history-came_to = Result

history-later-correct = Correction
history-later-dispute = Paid after the dispute

history-tab-rounds = Rounds
history-tab-statement = Statement
history-tab-disputes = Disputes

history-winner-player = Player
history-winner-banker = Banker
history-winner-tie = Tie
history-winner-cancelled = Cancelled

history-hand-player = Player
history-hand-banker = Banker

history-kind-pay-in = Paid in
history-kind-pay-out = Paid out
history-kind-void = Payment voided
history-kind-play-money = Play money
history-kind-bonus-grant = Bonus granted
history-kind-bonus-release = Bonus released
history-kind-bonus-forfeit = Bonus forfeited
history-kind-stake = Bet
history-kind-stake-back = Bet returned
history-kind-settle = Round settled
history-kind-cancel = Round cancelled
history-kind-dispute = Dispute decided
history-kind-correct = Round corrected

## dispute

dispute-title = Dispute this round
dispute-title_opened = Your dispute
dispute-lead = If you think this round was not settled as the rules say, tell the pit in your own words. The pit answers you here. You can dispute a round once.
dispute-unclear = Rules that can be read in more than one way
dispute-unclear_lead = These rules can be read in more than one way. Your bets were settled by the readings in force.
dispute-unclear_open = If another reading would have paid you more, you can open a dispute.
dispute-unclear_bound = Until a rule is resolved, the pit must use the reading that pays you most in total. One reading applies to all your bets, and you're paid the difference.
dispute-options = Your bets under each reading
dispute-reading = Reading
dispute-comes_to = Result
dispute-pending = not known yet
dispute-impossible = not possible
dispute-why = What do you think is wrong?
dispute-open = Open dispute
dispute-proposed = The best reading for you pays { $amount } more.
dispute-proposed_nothing = No reading pays you more than you were paid.
dispute-error_words = A dealer error in this round may still be corrected, so the pit decides on that first. You lose nothing by waiting.
dispute-pit_words = The pit has received your dispute and will decide.
dispute-second_words = One person has decided. A second person must confirm.
dispute-pending_words = Some readings depend on cards still in the shoe. The pit decides once they are known, at the latest when the shoe ends.
dispute-was_paid = Decided: you were paid { $amount } more.
dispute-was_nothing = Answered: nothing more was paid.
dispute-mine = My disputes
dispute-mine_lead = Rounds you disputed, and the pit's answers. To dispute another round, open its page.
dispute-none_yet = You have no disputes.
dispute-reason = Reason
dispute-state_is = Status
dispute-paid = Paid
dispute-answer = Answer: { $words }
dispute-withdrawn = We had listed this rule as unclear: “{ $question }” Two members of staff have withdrawn the listing, so your dispute is decided without it. Their reason: { $reason }
dispute-cites = Is it about a rule that we already list as unclear?
dispute-cites_none = No, something else

dispute-in_force = These are the readings in force.
dispute-not_accepted = These bets would not have been accepted. { $why }
dispute-not_dealt = { $hand ->
    [player] Player
   *[banker] Banker
} would draw a card that has not been dealt yet, so the result is not known.
dispute-never_seen = The shoe has ended, and its next card was never seen.
dispute-result = { $coup }. Result of the bets: { $net }.
dispute-best = Until an ambiguous rule is resolved, the reading best for the player applies (R46).
dispute-due = The bets were settled at { $paid }, so { $due } is still due.
dispute-none_better = No possible reading would pay the player more than they were paid.
dispute-depend = { $pending ->
        [one] { $pending } of { $options } options still depends on cards that haven't been dealt.
       *[other] { $pending } of { $options } options still depend on cards that haven't been dealt.
    }

dispute-state-open = waiting for the pit
dispute-state-seconding = waiting for a second person
dispute-state-decided = decided

## script history

script-history-say = { $hand }: { $card }. Total { $total }.
script-history-result = { $winner }. Player { $player }, Banker { $banker }.

script-history-hand-player = Player
script-history-hand-banker = Banker

script-history-winner-player = Player wins
script-history-winner-banker = Banker wins
script-history-winner-tie = Tie

## script dispute

script-dispute-reason_missing = Say what you think is wrong.
