### The dealer's console.

## dealer

dealer-title = Dealer's console
dealer-choose = Choose a table
dealer-lead = Tables with real cards. Take a table, and the console guides you from “place your bets” to the last payment.
dealer-deals = Dealer: { $name }
dealer-nobody = no dealer
dealer-none = No table here is dealt by hand. To add one, set source = "cards" in the house file.
dealer-round = round
dealer-wagers = Bets
dealer-left = Cards left
dealer-limits = Minimum and maximum of each bet
dealer-left_of = Unseen cards of rank { $rank }
dealer-coups = Coups in this shoe
dealer-coup = Current coup
dealer-settling = Settle in this order
dealer-loose = Excess cards
dealer-back = Taken back; next from the shoe
dealer-pad = Enter a card: rank, then suit
dealer-typed = Entered
dealer-clear = Clear
dealer-acts = Dealer's actions
dealer-send = Send
dealer-leave = Cancel
dealer-legend = Type a card's rank and suit (8 H; 0 or T for a ten, A or 1 for an ace), or scan its barcode. Press P or B first to enter the hand it was dealt to. Backspace or Z: correct the last card; press again for the card before it, or touch a card. Delete: the card was never drawn. Digits: pick a choice. Esc: go back.
dealer-single_keys = Accept single-key input and barcodes

dealer-suit-s = Spades
dealer-suit-h = Hearts
dealer-suit-d = Diamonds
dealer-suit-c = Clubs

dealer-put-player = on Player
dealer-put-banker = on Banker

dealer-act-take-table = Take table
dealer-act-leave-table = Leave table
dealer-act-begin-shoe = New shoe
dealer-act-burn = Burn
dealer-act-place-your-bets = Place your bets
dealer-act-no-more-bets = No more bets
dealer-act-result = Result
dealer-act-pay = Pay
dealer-act-cut-card = Cut card
dealer-act-re-enter = Re-enter last card
dealer-act-call-floor = Call the floor
dealer-act-report = Report error
dealer-act-cancel = Cancel round


## What to do next

console-no-dealer = Nobody is dealing at this table. Take the table.
console-called = The floor was called. The table is frozen until a member of the pit answers.
console-frozen = Emergency stop: leave the cards and chips as they are, and wait for the pit.
console-paused = The table is paused. Ask the pit to resume it.
console-begin-shoe = Shuffle, cut, and begin a shoe.
console-wrong = { $fault }. { $remedy }
console-change-waits = A change to this complete coup is waiting for the pit. Wait, or withdraw it.
console-unconfirmed = The shoe sent { $cards }, which the dealer called a mistake or placed elsewhere. Ask the pit to confirm the coup.
console-open = Bets are open: say “no more bets” when it is time.
console-no-bets = Deal this coup without bets: say “no more bets”.
console-next-card = Next card to { $hand }: { $why }.
console-coup-over = The coup is over: { $why }. Announce the result.
console-pay = Collect the losing bets, then pay the winning ones.
console-pay-nothing = Nobody has bet. Confirm with “Pay”.
console-shoe-alarm = Close the shoe: { $alarm }.
console-shoe-over = The shoe is over. Close it.
console-burn = { $why ->
        [after-shuffle] Burn { $count } face down after the shuffle.
        [dealer-change] The dealer has changed: burn { $count } face down.
        [exposed] Burn the exposed card.
       *[taken-back] A card was taken back and may be the next one: burn { $count ->
            [one] { $count } card
           *[other] { $count } cards
        } face down.
    }
console-burn-first-card = Turn up the first card of the shoe and enter it. The console then says how many more to burn.
console-card-seen = Deal this coup without bets, because the next card has been seen. Open the round.
console-place-bets = Say “place your bets”.

console-step-take-table = Take the table
console-step-wait = Wait for the pit
console-step-called = Wait for the floor
console-step-begin-shoe = Begin a shoe
console-step-explain = Say what the card was
console-step-rectify = Stop: put the coup right
console-step-no-more-bets = Call “no more bets”
console-step-card = Draw for { $hand }
console-step-result = Announce the result
console-step-close-shoe = Close the shoe
console-step-burn = Burn { $count }
console-step-burn-first-card = Show the first card
console-step-place-your-bets = Call “place your bets”

console-settle-collect = Collect { $bets }
console-settle-give-back = Leave { $bets }
console-settle-pay = Pay { $bets }
console-odds = { $bet } { $odds }
console-no-wagers = No bets to settle

console-total = { $hand } { $total }
console-result = { $winner ->
        [player] Player wins: Player { $player }, Banker { $banker }
        [banker] Banker wins: Player { $player }, Banker { $banker }
       *[tie] Tie: Player { $player }, Banker { $banker }
    }

## Choices when something is wrong

choice-reconstruct = Reconstruct: { $hands }.
choice-take-back = { $goes ->
        [returned] Take back { $cards } (next in the shoe, next coup without bets): { $hands }.
       *[burned] Take back { $cards } (burned): { $hands }.
    }
choice-takes-two = The pit must confirm this.
choice-misread = { $card } was really { $was }.
choice-came-first = { $cards } came before { $card }.
choice-hand = { $hand } { $cards } ({ $total })
choice-hand-empty = { $hand } without cards
choice-re-enter = { $card } was entered wrongly: enter card { $place } again
choice-cancel = The coup can't be put right: cancel the round
choice-was-drawn = It was drawn and is the next card of the coup
choice-was-exposed = It was exposed and will be burned
choice-was-burned = It is the card that had to be burned
choice-was-mistake = The device made a mistake: no such card left the shoe

## script dealer

script-dealer-deals = Dealer: { $name }
script-dealer-nobody = No dealer
script-dealer-limits_of = { $least }–{ $most }
script-dealer-staked = bets { $amount }
script-dealer-correct_card = Correct { $card }
script-dealer-why_wrong = Why was the card wrong?
script-dealer-why-key = Wrong key
script-dealer-why-read = Card misread
script-dealer-why-scan = Scanner error
script-dealer-why-not_drawn = Never drawn
script-dealer-players = { $count ->
        [one] { $count } player
       *[other] { $count } players
    }
script-dealer-of = of { $cards }
script-dealer-of_burned = of { $cards }, { $burned } burned face down
script-dealer-cut = cut card is out
script-dealer-last = last coup
script-dealer-over = shoe finished
script-dealer-take = Take table
script-dealer-ask_for = Request table
script-dealer-asked = Requested. The current dealer or the pit must confirm.
script-dealer-you_asked = You requested this table. The current dealer or the pit must confirm.
script-dealer-asks = { $name } requests this table
script-dealer-hand_over = Hand over to { $name }
script-dealer-keep = Not now
script-dealer-take_back = Withdraw
script-dealer-change = The dealer asks to change a complete coup
script-dealer-change_waits = The change to this coup is waiting for the pit
script-dealer-confirm_change = Confirm the change
script-dealer-reason_for_second = Reason, shown to the second person
script-dealer-correction = Proposed: settle round { NUMBER($round, useGrouping: 0) } again
script-dealer-dismissal = Proposed: round { NUMBER($round, useGrouping: 0) } stands because there was no error
script-dealer-correction_waits = Round { NUMBER($round, useGrouping: 0) }: the decision on the reported error is waiting for a second person
script-dealer-confirm_correction = Confirm
script-dealer-effect_line = { $player }: { $stakes }. Result before: { $before }, after: { $after }
script-dealer-open_result = not known yet
script-dealer-begin_shoe = New shoe
script-dealer-close_shoe = Close shoe
script-dealer-wrong = Error. Choose what to do:
script-dealer-exposed = No card is due. Was { $card } exposed?
script-dealer-burn_it = Yes, burn it
script-dealer-entered_early = Betting is closed, because { $card } was entered while bets were open. Was it exposed by accident?
script-dealer-first_card = No, it is the first card of the coup
script-dealer-burn_more = Burn { $count } more face down
script-dealer-cut_early = { $left } of { $cards } cards are left. Did the cut card really come out?
script-dealer-cut_out = Yes, the cut card is out
script-dealer-called = { $name } called the floor. The table is frozen.
script-dealer-answer_call = Answer: let the game go on
script-dealer-call_found = What did you find, and what did you decide?
script-dealer-close = Close the shoe
script-dealer-rest = Scan or type every unseen card, separated by spaces, to check that the shoe is complete. Leave the field empty to skip the check.
script-dealer-report = Report an error in round { NUMBER($round, useGrouping: 0) }
script-dealer-what = What went wrong? Another person will decide.
script-dealer-report_which = In which round is the error?
script-dealer-report_round = Round { NUMBER($round, useGrouping: 0) }
script-dealer-report_line = Error reported in round { NUMBER($round, useGrouping: 0) }: { $words }
script-dealer-reported = An error in round { NUMBER($round, useGrouping: 0) } was reported
script-dealer-settle_again = Settle the round again
script-dealer-as_drawn = Enter the cards in the order they left the shoe.
script-dealer-no_error = No error
script-dealer-why = Reason
script-dealer-undo_cut = Was the cut card recorded by mistake?
script-dealer-undo_cut_card = Undo cut card
script-dealer-burn_again = Correct the card that was burned last
script-dealer-burn_card = The card that was really turned up, such as 8h
script-dealer-no_deck_set = No deck set is ready for this table. Ask the pit to count and shuffle one.
script-dealer-which_set = Which deck set is in the shoe?
script-dealer-who_cut = Who cut the cards?
script-dealer-cut_by-player = A player
script-dealer-cut_by-dealer = The dealer
script-dealer-cut_by-pit = The pit
script-dealer-cut_card = Cut card
script-dealer-cancel = Cancel round { NUMBER($round, useGrouping: 0) }: choose a reason
script-dealer-cancel_why = What happened? If a second person must confirm, they will see this.
script-dealer-considered = The result is known. Why can't the round be put right? The pit must confirm.
script-dealer-confirm = Cancel round { NUMBER($round, useGrouping: 0) }?
script-dealer-confirm_it = Confirm: return all bets
script-dealer-take_back_dummy = Withdraw the cancellation
script-dealer-called_off = The cancellation is waiting for a second person. Reason: { $reason }.
script-dealer-wait = Please wait. Your last entry is still being sent.
script-dealer-not_now = Not possible now: { $act }. { $next }
script-dealer-proposed = The pit must confirm this.
script-dealer-adds_up = The shoe is complete: all { $seen } cards are accounted for.
script-dealer-none_too_often = { $unseen ->
        [one] No card appeared too often. { $unseen } card was not seen, so the shoe can't be checked fully.
       *[other] No card appeared too often. { $unseen } cards were not seen, so the shoe can't be checked fully.
    }
script-dealer-alarm = Stop: { $words }
script-dealer-not_over = The coup is not over. { $next }
script-dealer-again = Instead of { $card }:
script-dealer-to_burn = Card to burn:
script-dealer-card = Card:
script-dealer-nothing = nothing
script-dealer-linked = Connected
script-dealer-lost = Connection lost. Keep going: your entries are saved, and each will be recorded only once.
script-dealer-lost_waiting = Connection lost. Entries waiting: { $count }. { $what }.
script-dealer-sending = Sending: { $what }
script-dealer-not_sent = Not recorded: { $what }.

script-dealer-to-player = To Player:
script-dealer-to-banker = To Banker:

script-dealer-with-player = On Player:
script-dealer-with-banker = On Banker:

script-dealer-step-announce = Announce:
script-dealer-step-collect = Collect:
script-dealer-step-give-back = Leave:
script-dealer-step-pay = Pay:

script-dealer-moves-collect = { $bet } { $amount }
script-dealer-moves-give-back = { $bet } { $amount }
script-dealer-moves-pay = { $bet } { $amount }

script-dealer-reason-misdeal = Misdeal
script-dealer-reason-shuffler-fault = Shuffler or shoe fault
script-dealer-reason-foreign-card = Card from another deck
script-dealer-reason-power = Power or network failure
script-dealer-reason-other = Other

## Practice

practice-title = Practice
practice-lead = Watch each coup step by step. When something goes wrong, stop and say what. There is no money here, and nothing is recorded.
practice-loose = Other cards
practice-next = Next step
practice-right = Nothing was wrong
practice-stop = Stop: something is wrong
practice-list = Caught so far
practice-again = Start again
practice-no_error = Nothing was wrong
practice-step-bets = “Place your bets.” Bets are open.
practice-step-no-more-bets = “No more bets.”
practice-step-cards = { $cards }
practice-step-taken-back = { $cards } was one card too many and goes back into the shoe.
practice-step-shown = { $cards } falls out of the shoe, face up.
practice-step-sent = The electronic shoe reports { $cards }.
practice-step-result = The dealer announces the result.
practice-step-paid = The dealer collects and pays.
practice-dealt = { $card } to { $hand }.
practice-kind-wrong-side = Card on the wrong hand
practice-kind-swapped = Two cards swapped
practice-kind-extra = One card too many
practice-kind-missing = One card missing
practice-kind-impossible = Card that is already out
practice-kind-not-next = Not the card that was put back
practice-kind-exposed = Card shown during betting
practice-kind-in-doubt = Card reported too early by the shoe
script-practice-coup = Coup { $n }
script-practice-next = Next step
script-practice-next_coup = Next coup
script-practice-caught = Caught.
script-practice-missed = Not caught.
script-practice-score = { $caught } of { $all }
