### The pit, the cashier, the auditor and the list of significant events.

## pit

pit-title = Pit
pit-floor = Floor
pit-cards = Cards
pit-decisions = Decisions
pit-decisions_lead = Everything that is waiting for a decision. A second person must confirm payments above { $amount }; payments that take one person's total for the day above { $day }; every payment made with an answer to a dispute, and every payment under a reading that the house listed itself; large cash amounts; higher table limits; rulings on unclear rules; actions on pit, cashier and shoe accounts; changes to a complete coup; and the cancellation of a round once cards are out.
pit-since = Today, since
pit-turnover = Turnover
pit-result = House result
pit-drop = Drop (paid in at the cashier)
pit-paid_out = Paid out at the cashier
pit-alerts = Alerts
pit-no_alerts = No alerts.
pit-tables = Tables
pit-dealer = Dealer: { $name }
pit-voids = { $count ->
        [one] { $count } cancelled round today
       *[other] { $count } cancelled rounds today
    }
pit-no_dealer = no dealer
pit-dealt_by = { $name } today: { $rounds } { $rounds ->
        [one] round
       *[other] rounds
    }, { $errors } { $errors ->
        [one] error
       *[other] errors
    } flagged
pit-round = Round
pit-players = Players
pit-staked = At stake
pit-left = Cards left
pit-dealt = Progress through the shoe
pit-hold = Hold
pit-expected = Expected
pit-chance = Normal range
pit-drawing = Result { $result }; expected { $expected }; normal range { $low } to { $high }.
pit-disputed = Also paid in disputes: { $amount }
pit-reason = Reason
pit-pause = Pause table
pit-resume = Resume
pit-answer_call = Answer the call for the floor
pit-with_house = Paused with the whole house. Resume the house below.
pit-house_paused = The whole house is paused.
pit-cancel = Cancel round { NUMBER($round, useGrouping: 0) }
pit-cancel_words = All bets are returned. Once a card is out, a second person must confirm; an automatic table waits half a minute for that. At a table with real cards, once the result is known, give the reason why the round can't be rectified.
pit-kill = Pause the whole house
pit-kill_words = No table takes bets or opens rounds. Rounds in progress are finished and paid.
pit-pause_all = Pause all tables
pit-resume_all = Resume all tables
pit-seconds = Waiting for a second person
pit-no_seconds = Nothing is waiting for a second person.
pit-proposed_by = Proposed by { $name }; can be confirmed until
pit-account_name = Name:
pit-proposal_reason = Reason:
pit-bonus_in_play = Bonus money in play
pit-reason_second = Reason (needed if a second person must confirm)
pit-another = You proposed this. Another person must confirm it.
pit-confirm = Confirm as second person
pit-withdraw = Withdraw proposal
pit-reject = Decline
pit-to_it = Review
pit-disputes = Disputes
pit-no_disputes = No open disputes.
pit-dispute = { $table }, round { NUMBER($round, useGrouping: 0) }: { $player }
pit-won-player = Player wins
pit-won-banker = Banker wins
pit-won-tie = Tie
pit-to_round = The round, card by card
pit-paid_then = settled at { $amount }
pit-other_options = Other readings
pit-reading = Reading
pit-comes_to = Result
pit-best = best for the player
pit-pending = waiting for a card
pit-impossible = not possible
pit-still_correctable = You can decide once every error report on this round has been decided. At a table with a cut-off for reporting errors, the first card of the next coup must also have been drawn.
pit-still_pending = You can decide once the cards that the dispute depends on have been dealt, or the shoe has ended.
pit-pay = Decide and pay { $amount }
pit-propose = Propose to pay { $amount }
pit-pay_nothing = Decide: nothing more is due
pit-more_disputes = { $n ->
    [one] One more dispute is shown once these have been decided.
   *[other] { $n } more disputes are shown once these have been decided.
}
pit-owed = Listed as the ambiguity { $ambiguity }: { $question } Decide in the player's favour and pay an amount.
pit-cited = The player cites the listed ambiguity { $ambiguity }: { $question } Pay an amount, unless the ambiguity does not concern this round. A decision to pay nothing needs two people.
pit-withdrawn = { $ambiguity } applied to this dispute until it was withdrawn: { $question } Reason: { $reason } A decision to pay nothing needs two people.
pit-answer = Answer in words
pit-answer_words = Answer to the player
pit-answer_amount = Amount to pay, in { $currency }
pit-answer_note = One person can answer without paying, unless they dealt the round, opened the dealer's account or issued its password, or unless a listed ambiguity is cited or was withdrawn. A second person must confirm any payment.
pit-answer_send = Send answer
pit-answer_pays = Proposed payment: { $amount }
pit-list = List as an ambiguity
pit-list_note = If the rules really leave this open, list it. Until two people resolve it, disputes over it are decided in the player's favour, at every table with these rules. A second person must confirm readings that can be replayed.
pit-list_question = What do the rules leave open?
pit-list_fragment = Readings under which rounds can be replayed, written like an [[ambiguity]] section of a rule card (optional)
pit-list_send = List it
pit-list_waits = Proposed: list this as an ambiguity. A second person must confirm it.
pit-listed = Listed ambiguities
pit-listed_words = Rules that the house has called unclear after a dispute. While a listed rule is open, disputes over it are decided in the player's favour. Resolving it takes two people; the resolution applies to rounds settled from then on. If it was listed by mistake, two people can withdraw it: open disputes are then decided without it, and their players see why.
pit-listed_open = open
pit-listed_resolved = resolved
pit-listed_withdrawn = withdrawn
pit-listed_from = Listed by { $by } after { $player }'s dispute over round { NUMBER($round, useGrouping: 0) } at { $table }:
pit-listed_fragment = Readings for the replay
pit-listed_resolution = How it is resolved, and why
pit-listed_resolve = Resolve
pit-listed_resolve_asked = Proposed: resolve it.
pit-listed_resolved_why = How it was resolved, and why: { $words }
pit-listed_mistake = Listed by mistake?
pit-listed_withdraw_note = Open disputes are then decided without it. Their players see the reason, and paying nothing takes two people. Decided disputes stay as they are.
pit-listed_withdraw = Withdraw this ambiguity
pit-listed_withdrawal = Why it should not have been listed
pit-listed_withdraw_asked = Proposed: withdraw it, so that open disputes are decided without it.
pit-listed_withdrawn_why = Why it was withdrawn: { $words }
pit-errors = Reported errors
pit-error = { $table }, round { NUMBER($round, useGrouping: 0) }
pit-reported_by = Reported by { $by }
pit-error_waits = A decision on this error is waiting for a second person.
pit-drawn = Cards in the order they left the shoe
pit-drawn_words = All cards in order, including excess cards, separated by spaces: 7h is the seven of hearts, and 10s is the ten of spades.
pit-told_cards = As entered:
pit-preview = Preview
pit-would_be = Corrected coup
pit-player = Player
pit-was = Result before
pit-becomes = Result after
pit-moves = Difference
pit-lost = Not recoverable
pit-lost_words = { $amount } of the overpayment has already left the player's wallet. The error was the house's, so the player does not owe it.
pit-nothing_lost = The whole overpayment can be recovered.
pit-propose_again = Propose to settle the round again
pit-settle_again = Settle the round again
pit-dismiss = No error
pit-agreements = Agreements
pit-no_agreements = No agreements or requests.
pit-agreed = Agreed: { $terms }.
pit-nothing_agreed = Nothing is agreed.
pit-agreed_from = From round { NUMBER($round, useGrouping: 0) }: { $terms }.
pit-own_terms = no agreement
pit-terms_proposed = { $by ->
    [player] The player proposes { $terms }. The terms apply once the house confirms them.
   *[house] The house proposes { $terms }. The terms apply once the player confirms them.
}
pit-agree = Agree
pit-decline = Decline
pit-end_agreement = End agreement
pit-end_agreement_words = { $player } is notified at the table and sees the reason. Until there is a new agreement, bets that need one are refused.
pit-letter = Letter
pit-questions = Unclear rules
pit-questions_words = It takes two people to resolve an unclear rule. The chosen reading applies from the next shoe.
pit-propose_reading = Propose this reading
pit-resolved = Resolved. The reading will be:
pit-resolved_from = From the first shoe that begins after
pit-players_title = Players
pit-colleague = Open a staff account
pit-colleague_words = An initial password is generated and shown once, to the person who confirms the new account. It expires after 24 hours and must be changed at first sign-in. Opening an account for the pit, a cashier or an electronic shoe takes two members of the pit.
pit-staff = Staff
pit-staff_words = One person can suspend any account. Lifting a suspension, issuing a new password and closing an account take two people for pit, cashier and shoe accounts, and one person for other accounts. If you opened someone's account or issued their password, you and that person can't confirm each other's actions.
pit-role_of = Role
pit-state = Status
pit-suspend = Suspend
pit-lift = Lift suspension
pit-issue = Issue new password
pit-close = Close account
pit-until = until
pit-manage = Manage
pit-role = Role
pit-no_rounds = No bets settled today.
pit-partners = Partners
pit-no_partners = No linked partners.
pit-no_suspected = No suspected partners to decide on.
pit-one_with = Linked with { $names }; they share the maximum of each bet.
pit-apart_from = Decided: not a partner of { $names }.
pit-together = Account IDs of the players
pit-link = Link as partners
pit-part = Not partners
pit-seen = Evidence
pit-only_points = This is only an indication: players with similar habits can look like partners.
pit-bonus = Bonus money
pit-no_bonus = No open bonus.
pit-bonus_open = Still to be bet: { $left }, until { $until }
pit-times = Wagering requirement, as a multiple of the bonus (leave empty for the default)
pit-played = Play
pit-played_period = Period
pit-played_time = Time
pit-played_rounds = Rounds
pit-played_average = Average bet
pit-played_result = Player's result
pit-played_words = Average bet: total stakes divided by rounds. Expected: minus the sum of all stakes, each times the exact edge of its bet, ± one standard deviation.
pit-this_day = This gaming day
pit-this_week = This week
pit-this_month = This month
pit-minutes = { $n } min
pit-protection = Protection
pit-may_play = The player may bet.
pit-may_not_play = The player may not bet. { $why }
pit-sitting = The player has been playing for { $minutes } min in this sitting; result { $net }.
pit-limit_of = { $owner ->
        [house] The house has limited
       *[player] The player has limited
    } { $kind ->
        [deposit] deposits
        [loss] losses
       *[time] time
    } to { $amount }{ $kind ->
        [time] { " " }min
       *[other] { "" }
    } a { $period }; used: { $used }.
pit-limit_asked = The player has asked for a looser limit ({ $kind ->
        [deposit] deposits
        [loss] losses
       *[time] time
    } a { $period }), which they can confirm from
pit-check_every = The player gets a reality check every { $n } min.
pit-no_check = The player has no reality checks.
pit-days = Days until it expires (leave empty for the default)
pit-grant = Grant bonus
pit-take_back = Forfeit all bonus money
pit-limits = Limits set by the house
pit-limit = Limit on
pit-limit_deposit = deposits
pit-limit_loss = losses
pit-limit_minutes = Minutes of play
pit-set_time_limit = Set time limit
pit-period = Per
pit-period_day = day
pit-period_week = week
pit-period_month = month
pit-set_limit = Set limit
pit-months = Months
pit-exclude = Exclude player

pit-as-dealer = dealer
pit-as-cashier = cashier
pit-as-auditor = auditor
pit-as-pit = pit
pit-as-shoe = electronic shoe (reports cards only)

pit-effect-cards = Cards before:
pit-effect-cards_after = Cards after:
pit-effect-stakes = Bets:
pit-effect-no_stakes = none
pit-effect-results = Each player's result in the round
pit-effect-balance = Player's balance
pit-effect-bonus_balance = Player's bonus money
pit-effect-before = Before
pit-effect-after = After
pit-effect-unknown = not known yet
pit-effect-bonus = bonus money

pit-is-active = active
pit-is-initial-password = initial password, not changed yet
pit-is-suspended = suspended
pit-is-closed = closed

pit-kind-today = Today, real and bonus money
pit-kind-guests = Today, guests' play money

pit-waits-proposal = Second person needed:
pit-waits-dispute = Dispute:
pit-waits-error = Error reported:
pit-waits-agreement = Agreement requested:
pit-waits-partners = Suspected partners:

pit-cancelled-misdeal = Misdeal
pit-cancelled-shuffler-fault = Shuffler fault
pit-cancelled-foreign-card = Card from another deck
pit-cancelled-power = Power failure
pit-cancelled-other = Other

## events

events-title = Audit log
events-lead = Significant events from the journals: what happened, when, and who did it.
events-topic = Topic
events-every = all topics
events-where = Where
events-everywhere = everywhere
events-since = Since
events-days = { $n ->
        [one] { $n } day
       *[other] { $n } days
    }
events-show = Show
events-files = Files
events-csv = CSV
events-json = JSON Lines
events-when = When
events-what = Event
events-who = Who
events-more = Only the newest { $n } events are shown. The files contain all of them.
events-none = No events match.

## reports

day-report-csv = CSV
day-report-pdf = PDF
day-report-tab = Reports
day-report-title = Report for { $day }
day-report-span = From { $begins } to { $ends }, house time ({ $zone })
day-report-name = Name
day-report-by_house = The house
day-report-by_cage = Cash and exclusions
day-report-by_table = By table
day-report-by_dealer = By dealer
day-report-by_cashier = By cashier
day-report-by_large = Large payments and wins
day-report-by_excluded = Players excluded
day-report-time = Time
day-report-what = What
day-report-player = Player
day-report-amount = Amount
day-report-where = Staff or round
day-report-staff = Excluded by
day-report-until = At least until
day-report-themselves = themselves
day-report-round = { $table }, round { $round }
day-report-is-MoneyPaidIn = paid in
day-report-is-MoneyPaidOut = paid out
day-report-is-CashVoided = voided
day-report-is-LargeWinPaid = large win
day-report-rounds = Rounds
day-report-turnover = Turnover
day-report-result = Result
day-report-expected = Expected
day-report-hold = Hold
day-report-errors = Errors
day-report-cancelled = Cancelled
day-report-corrections = Corrections
day-report-corrected = Cost of corrections
day-report-disputes = Disputes
day-report-dispute_payments = Paid in disputes
day-report-large_wins = Large wins
day-report-paid_in = Paid in
day-report-paid_out = Paid out
day-report-voids = Voids
day-report-large_payments = Large payments
day-report-exclusions = Exclusions
day-report-notes = Real money only. Result: what the house won, after corrections and before payments in disputes. Expected: each stake times the exact edge of its bet. Corrections and payments in disputes count on the day on which they were made. Large payments: payments and voids that took two people.

rounds-title = Find rounds
rounds-words = If no times are given, rounds that ended in the last 24 hours are shown: at most { $n }, newest first. Round 0 means every round.
rounds-since = From ({ $zone })
rounds-until = To ({ $zone })
rounds-round = Round { NUMBER($n, useGrouping: 0) }
rounds-cancelled = Cancelled: { $why }.
rounds-table = Table
rounds-cards = Cards:
rounds-bets = Bets
rounds-before = Wallet before
rounds-after = Wallet after
rounds-corrected = Corrected result
rounds-no_bets = No bets.
rounds-footage = Camera reference: { $reference } ({ $by })
rounds-note = Camera reference
rounds-save = Save reference
rounds-none = No rounds found.

## cashier

cashier-title = Cashier
cashier-lead = Pay money in and out for players. Money paid in can be bet at once. A payout of the player's own money is refused only if the wallet does not cover it.
cashier-find = Player's ID or name
cashier-look = Find
cashier-nobody = No player's ID or name contains “{ $part }”.
cashier-wallet = Wallet
cashier-amount = Amount
cashier-method = Method
cashier-method-cash = Cash
cashier-method-card = Card
cashier-method-transfer = Bank transfer
cashier-method-cheque = Cheque
cashier-reference = Reference (slip, transfer or cheque number; no names)
cashier-receipt = Receipt
cashier-day = Day sheet
cashier-day_of = Day sheet for { $day }
cashier-day_words = A void is listed on the day it was made, and subtracted from the total of payments like the one it reverses.
day-report-words = House time ({ $zone }), from
cashier-other_day = Another gaming day
cashier-show = Show
cashier-print = Print
cashier-by_cashier = By cashier and method
cashier-cashier = Cashier
cashier-in = Paid in
cashier-out = Paid out
cashier-net = Net
cashier-total = Total
cashier-payments = Payments
cashier-player = Player
cashier-no_payments = No payments on this day.
cashier-second = Second person
receipt-title = Receipt { $n }
receipt-in = Received from the player
receipt-out = Paid to the player
receipt-void-in = Void of entry { $n }: deposit returned to the player
receipt-void-out = Void of entry { $n }: withdrawal returned by the player
receipt-number = Receipt number
receipt-voided = This payment was voided by entry { $n }.
receipt-handled = Handled by
receipt-confirmed = Confirmed by
receipt-signed-player = Signature of the player
receipt-signed-cashier = Signature of the cashier
receipt-back = Back to the player
cashier-bookings = Recent entries
cashier-no_bookings = No entries yet.
cashier-what = Type
cashier-seconds = Waiting for a second person
cashier-void = Void
cashier-void_words = Reverses this payment. Money paid in can be taken back only while it is still in the wallet, and it still counts towards the player's deposit limits.
cashier-entry = entry { $n }
cashier-voids = Void of entry { $n }
cashier-alone = Above { $amount } per player and gaming day, a second person must confirm: another cashier or the pit.

cashier-pay-in = Pay in
cashier-pay-out = Pay out

cashier-done-in = Paid in.
cashier-done-out = Paid out.

cashier-words-in = Refused if the player is excluded, on a break or over a limit; you'll see the reason.
cashier-words-out = Pays out only the player's own money. Under some house rules, the player then forfeits any bonus money.

## auditor

auditor-title = Auditor
auditor-lead = View and download all records. Nothing can be changed here.
auditor-check = Audit
auditor-check_words = Recomputes every balance, settlement and shoe from the journals alone, with separate code.
auditor-run = Run audit
auditor-holds = No findings.
auditor-found = { $n ->
        [one] { $n } finding
       *[other] { $n } findings
    }
auditor-checked = { $events } { $events ->
        [one] entry
       *[other] entries
    }, { $rounds } settled { $rounds ->
        [one] round
       *[other] rounds
    }, { $wagers } { $wagers ->
        [one] wager
       *[other] wagers
    }, { $shoes } { $shoes ->
        [one] shoe
       *[other] shoes
    };
auditor-staked = Staked in settled rounds
auditor-returned = Returned
auditor-ledger = Ledger
auditor-sum = The sum of all accounts is { $amount }.
auditor-with_players = held by players
auditor-ledger_csv = All entries (CSV)
auditor-ledger_json = JSON Lines
auditor-journals = Journals
auditor-journals_words = Keep a copy of the latest hashes outside this system. With that copy, baccarat audit-house --compare-heads can later prove that no entry was changed or removed.
auditor-journal = Journal
auditor-entries = Entries
auditor-head = Hash of the last entry
auditor-file = File
auditor-take = Download
auditor-heads = Download all hashes

## script pit

script-pit-changed = Something on the floor has changed. Reload the page when you are ready.

script-pit-phase-none = between rounds
script-pit-phase-open = bets open
script-pit-phase-closed = no more bets
script-pit-phase-dealing = dealing
script-pit-phase-decided = decided
script-pit-phase-settled = settled
script-pit-phase-cancelled = cancelled
script-pit-phase-frozen = frozen
script-pit-phase-paused = paused

## program

program-changed = Program files changed: { $files }{ $more ->
        [0] {""}
       *[other] { " " }and { $more } more
    }.
program-unreadable = A program file cannot be read: { $file }.

## Cards and shoes

decks-title = Cards and shoes
decks-lead = Every deck set from the day it arrives until it is retired. Before each shoe, one person counts a set and another shuffles it.
decks-none = No deck sets have been recorded.
decks-state-not-counted = not counted
decks-state-ready = ready
decks-state-in-shoe = in the shoe
decks-state-retired = retired
decks-facts = { $colour }, { $decks ->
    [one] { $decks } deck
   *[other] { $decks } decks
}, { $cards } cards.
decks-prepared = Counted by { $counted } and shuffled by { $shuffled } for { $table }.
decks-changed = { $card } exchanged for the one from deck { $serial } by { $by }: { $words }
decks-retired = Retired: { $words }
decks-prepare = Count and shuffle for a shoe
decks-counted = Cards you counted
decks-shuffled_by = Shuffled by
decks-for_table = For the next shoe at
decks-change = Exchange a card
decks-card = Card, such as 8h
decks-serial = Serial number of the spare deck
decks-why = Reason
decks-retire = Retire
decks-receive = Record a new set
decks-id = ID, such as red-7
decks-colour = Colour of the backs
decks-serials = Serial numbers of the decks, separated by spaces
decks-save = Save
