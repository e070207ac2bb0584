### Why a request is refused: what is wrong, then what to do.

## Bets that the rules of the game do not allow

refusal-no-such-bet = This table does not offer { $name }. Choose one of { $bets }.
refusal-bet-twice = You have two bets on { $name }. Combine them into one.
refusal-bad-stake = { $name }: { $stake } is not a valid stake. It must be a whole number of coins above zero.
refusal-outside-limits = { $name } takes bets from { $least } to { $most }; you bet { $stake }.
refusal-off-step = { $name }: wins on { $stake } can't be paid exactly. Bet a multiple of { $step }.
refusal-excluded = { $name } and { $others } can't be bet together. Choose one.
refusal-needs-another = Bet { $others } first: { $name } needs another bet in the same round.
refusal-over-coup-limit = Your bets come to { $total }. You can bet at most { $most } on a round here.

## When bets are taken

refusal-round-takes-no-bets = { $current ->
    [0] No round has been opened here yet. Wait for the first one.
   *[other] Round { NUMBER($round, useGrouping: 0) } is not open for bets. The current round is { NUMBER($current, useGrouping: 0) }.
}
refusal-paused = The table is paused. You can bet again when it resumes.
refusal-paused-with-bets = The table is paused. You can take back the bets you've placed, and bet again when it resumes.
refusal-no-more-bets = No more bets on round { NUMBER($round, useGrouping: 0) }. Wait for round { NUMBER($next, useGrouping: 0) }.
refusal-round-without-bets = Round { NUMBER($round, useGrouping: 0) } is dealt without bets because a card of the shoe has been seen. Wait for round { NUMBER($next, useGrouping: 0) }.
refusal-card-queried = A card may have left the shoe, so bets on round { NUMBER($round, useGrouping: 0) } can't be placed, changed or taken back until the dealer has explained it. If the round is cancelled, wait for round { NUMBER($next, useGrouping: 0) }.
refusal-next-card-seen = No more bets on round { NUMBER($round, useGrouping: 0) }: the next card may have been seen. Wait for round { NUMBER($next, useGrouping: 0) }.
refusal-bets-changed = { $bets ->
    [none] Your bets were changed in the meantime: you have none on this round now. Bet again if you want to.
   *[other] Your bets were changed in the meantime. They are now { $bets }. Check them, then bet again.
}
refusal-no-seat = { $seats ->
    [one] The only seat is taken for round { NUMBER($round, useGrouping: 0) }. Wait for the next round.
   *[other] All { $seats } seats are taken for round { NUMBER($round, useGrouping: 0) }. Wait for the next round.
}

## Agreements between a player and the house

refusal-nothing-to-agree = Nothing in this table's rules can be agreed with a player.
refusal-cannot-be-agreed = { $name } can't be agreed with a player at this table. Leave it out.
refusal-agreement-incomplete = An agreement at this table must set { $names }, each exactly once.
refusal-agreement-out-of-range = “{ $value }” can't be agreed. { $name } must be between { $least } and { $most }.
refusal-agreement-needed = Agree on { $terms } before you bet on { $name }: accept the table's standing offer of { $offer }, or ask for other terms.
refusal-agreement-held = You have already agreed on { $values } at this table. End that agreement first, or bet under it.
refusal-offer-changed = The table's standing offer is { $offer }, not { $values }. Look at it again, then bet.
refusal-grants-below-offer = The table offers { $offer } to everyone but grants only { $grants } on request. Grant at least what is offered.
refusal-agreement-unpayable = With { $values }, only multiples of { $step } could be paid exactly on { $bet }, and none is within the limits. Agree on a rounder figure.
refusal-agreement-outdated = Your agreement no longer fits the rules of this table. Make a new one with the house, or end it.
refusal-agreement-not-proposed = { $proposed ->
    [nothing] Nothing has been proposed. Propose { $values } first.
   *[other] { $values } is not what was proposed. Confirm { $proposed }, or propose your own terms.
}
refusal-agreement-own-proposal = Your side proposed this. The other side must confirm it.

## Disputes

refusal-already-disputed = You've already disputed round { NUMBER($round, useGrouping: 0) }. A round can be disputed only once.
refusal-too-many-disputes = You have { $open } disputes that haven't been decided yet. Wait until one of them is decided.
refusal-explain-in-words = Explain this in 1 to { $most } characters.
refusal-cancelled-round = Round { NUMBER($round, useGrouping: 0) } was cancelled and has no result. All stakes were returned.
refusal-no-settled-bet = { $player } has no settled bet on round { NUMBER($round, useGrouping: 0) }. Players can dispute only their own bets.
refusal-already-reported = You've already reported round { NUMBER($round, useGrouping: 0) }. The pit will look into it.
refusal-report-dismissed = Your report on round { NUMBER($round, useGrouping: 0) } was dismissed, so you can't report this round again. If you had a bet on it, you can dispute it.
refusal-reported-enough = { $reports } reports on round { NUMBER($round, useGrouping: 0) } are already waiting for a decision, so the pit will look at it. Talk to the staff if you saw something else.
refusal-report-first = Decide on the error reported in round { NUMBER($round, useGrouping: 0) } first, because the round can still be corrected (R43). Then decide the dispute.
refusal-result-not-final = An error in round { NUMBER($round, useGrouping: 0) } can still be reported until the first card of the next coup (R43). Decide the dispute after that card.
refusal-dispute-decided = { $player }'s dispute over round { NUMBER($round, useGrouping: 0) } has already been decided.
refusal-dispute-not-opened = { $player } has not disputed round { NUMBER($round, useGrouping: 0) }.
refusal-cards-to-come = { $pending } of { $options } options { $pending ->
    [one] depends
   *[other] depend
} on cards that are still in the shoe. Decide when those cards have been dealt or the shoe has ended.
refusal-nothing-to-replay = Each rule of round { NUMBER($round, useGrouping: 0) } has only one reading, so there is nothing to replay. Answer the dispute in words instead.
refusal-answer-negative = The amount must be 0 or more.
refusal-answer-below-replay = A rule of this round is still ambiguous, so the dispute must be decided in { $player }'s favour (R46). Decide it by replay, which pays the best reading, or answer it with a payment of at least { $due }.
refusal-answer-must-pay = { $ambiguity } was listed as an ambiguity because of this dispute, so the dispute must be decided in { $player }'s favour (R46). Answer it in words with a payment, which a second person must confirm.
refusal-not-listed = { $ambiguity } is not a listed ambiguity that applies to round { NUMBER($round, useGrouping: 0) }. Choose another, or leave it out.
refusal-not-best = Decide by the readings that are best for { $player } (R46): { $best }. This pays { $due } more. You chose { $chosen }.
refusal-already-resolved = { $ambiguity } has already been resolved at this table. Still open: { $open }.
refusal-not-ambiguous = { $ambiguity } is not an open question at this table. Open: { $open }.
refusal-no-such-reading = { $reading } is not one of the readings. Choose one of { $readings }.
refusal-resolution-invalid = This can't be resolved that way: { $fault }.

## A table and its settings

refusal-table-not-opened = This table has not been opened yet. Open it first.
refusal-table-opened = This table has already been opened.
refusal-bad-settings = The table can't run with these settings: { $fault }.
refusal-minimum-above-maximum = The minimum of { $minimum } is above the maximum of { $maximum }. Lower the minimum or raise the maximum.
refusal-excess-not-returned = Excess cards can't be returned to the shoe: the rules of { $card } do not provide for reconstruction (R44). Burn them instead.
refusal-bets-stopped = The house has stopped the game for now. Your bets stay as they are until the game goes on.
refusal-bets-frozen = The dealer has called a supervisor. Bets can't be placed, changed or taken back until the game goes on.
refusal-house-frozen = The house was stopped in an emergency. Wait until the pit resumes the game.
refusal-table-frozen = { $dealer } called the floor, so the table is frozen. Wait until a member of the pit answers.
refusal-floor-answered-by-pit = Only a member of the pit can answer the dealer's call.
refusal-floor-not-called = Nobody has called the floor at this table.
refusal-floor-own-call = { $by } deals at this table or called the floor. Another member of the pit must answer.
refusal-paused-by-pit = The table is paused. Ask the pit to resume it.
refusal-house-paused = The whole house is paused. Resume the house first.

## Two people

refusal-own-proposal = You've already proposed this. Someone else must confirm it.
refusal-pit-must-confirm = { $by } has already proposed this. A member of the pit must confirm it.
refusal-not-your-proposal = Only { $by }, who proposed this, or the pit can withdraw it.
refusal-proposal-changed = The proposal has changed or ended since you saw it. Look at it again.

## A server that deals a table

refusal-stale-epoch = Epoch { NUMBER($epoch, useGrouping: 0) } of the lease on this table is not current. The current epoch is { NUMBER($current, useGrouping: 0) }.
refusal-epoch-not-next = Epoch { NUMBER($epoch, useGrouping: 0) } cannot begin. The next epoch is { NUMBER($next, useGrouping: 0) }.
refusal-step-not-due = The next step is { $due }, not { $step }.
refusal-step-by-dealer = A dealer runs this table, so the server cannot take the step { $step }.
refusal-step-while-paused = The table is paused, so the server cannot take the step { $step }.
refusal-step-too-early = { $step } is due in { $wait } ms.
refusal-terms-differ = The terms of this shoe do not match the table. Use the table's settings.
refusal-no-committed-shoe = The table has no shoe. Commit to one first.
refusal-wrong-position = Position { $position } of the shoe is not next.
refusal-wrong-proof = The proof of position { $position } does not lead to the committed root.
refusal-wrong-order = This is not the order that was committed to.
refusal-contributions-closed = Contributions aren't taken at the moment. Wait for the next shoe.
refusal-commitment-size = A commitment must be 32 bytes long, not { $bytes }.
refusal-already-contributed = You've already contributed to this shoe. Wait for the next one.
refusal-commitment-taken = Another player has sent the same commitment. Choose 32 random bytes of your own.
refusal-contributors-full = { $most } players have already contributed to this shoe. Try the next one.
refusal-reveal-closed = Contributions can't be revealed at the moment.
refusal-nothing-to-reveal = You have nothing to reveal: you didn't contribute to this shoe, or you've already revealed your contribution.
refusal-wrong-secret = This is not the secret you committed to.

## The dealer, the shoe and the round at a table of real cards

refusal-no-dealer-here = The server deals this table, so it has no dealer.
refusal-other-dealer = { $dealer } is dealing at this table. Take the table first.
refusal-no-dealer-yet = Nobody is dealing at this table. Take the table first.
refusal-table-not-asked-for = { $dealer } has not asked for this table, or the request has expired. { $dealer } must ask for it again.
refusal-hand-over-by-others = Only { $dealer }, who is dealing, or a member of the pit can confirm this.
refusal-hand-over-own = You asked for the table, so you can't confirm the request yourself. { $dealer } or a member of the pit must confirm it.
refusal-leave-during-round = Round { NUMBER($round, useGrouping: 0) } is not over. Finish it before you leave the table.
refusal-burn-during-round = Round { NUMBER($round, useGrouping: 0) } is not over. Finish it before you burn cards.
refusal-shoe-in-use = Round { NUMBER($round, useGrouping: 0) } is not over. Finish it before you end the shoe.
refusal-round-not-over = Round { NUMBER($round, useGrouping: 0) } is not over. Settle or cancel it before you open another.
refusal-no-shoe = The table has no shoe. Begin one first.
refusal-deck-set-needed = Choose the deck set in the shoe, and say who cut the cards.
refusal-deck-set-not-counted = Deck set { $set } has not been counted and shuffled since the last shoe. Ask the pit.
refusal-deck-set-size = Deck set { $set } has { $has ->
    [one] { $has } deck
   *[other] { $has } decks
}, but this game needs { $needs }. Choose another set.
refusal-no-burn-to-correct = There is no burned card to correct.
refusal-burn-count = { $burned ->
    [one] { $burned } card was
   *[other] { $burned } cards were
} burned, but this card would have called for { $due }. Close the shoe, or leave the card as it is.
refusal-no-cut-card = A shuffling machine has no cut card.
refusal-shuffler-of-cards = Only a table with real cards can have a shuffling machine (shuffler). Use source = "cards", or source = "shuffler" for cards dealt by the server.
refusal-cut-card-not-out = The cut card is not out.
refusal-undo-needs-pit = It is too late to change this alone. Ask a member of the pit.
refusal-reading-number = Reading { NUMBER($number, useGrouping: 0) } is not the next one. Send reading { NUMBER($due, useGrouping: 0) }.
refusal-shoe-at-table = A shoe is already at the table. Close it first.
refusal-shoe-alarm = The shoe has raised an alarm. Close it and begin another.
refusal-shoe-over = { $left ->
    [one] The shoe is over, with { $left } card left. Close it and begin another.
   *[other] The shoe is over, with { $left } cards left. Close it and begin another.
}
refusal-cut-card-out = The cut card is already out.
refusal-cut-card-early = { $left } of { $cards } cards are left. If the cut card really came out, confirm it.
refusal-burn-not-due = No card has to be burned now.
refusal-burn-due = { $why ->
    [after-shuffle] Burn first: the shoe is new.
    [dealer-change] Burn first: the dealer has changed.
    [exposed] Burn first: a card was exposed.
   *[taken-back] Burn first: a card was taken back.
}
refusal-first-card-needed = Show the first card. It decides how many cards are burned.
refusal-too-many-burned = { $shown ->
    [one] { $shown } card was shown, but only { $due } may be burned.
   *[other] { $shown } cards were shown, but only { $due } may be burned.
}
refusal-betting-not-open = “No more bets” can be called only while bets are open.
refusal-no-coup-dealt = A result can be announced only while a coup is being dealt.
refusal-nothing-to-pay = A round can be paid only once, after its result was announced.
refusal-card-seen-early = The next card may have been seen while bets were open. Cancel the round, then burn.

## Cards

refusal-no-suit = { $card } has no suit. Enter the suit too, such as { $card }h.
refusal-shoe-empty = { $card } can't have been drawn: all cards of this shoe are already out. Check the cards.
refusal-card-impossible = { $card } can't have been drawn: every { $card } of this shoe is already out. Check the card.
refusal-foreign-card = { $card } can't have been drawn: every { $card } of this shoe is already out. Check the card, or cancel the round because of a foreign card.
refusal-taken-back-first = { $card } can't be the next card: { $due } was taken back and must come first.
refusal-not-next-card = { $card } was entered for another position, or too late. Look at the table and enter the card that is missing.
refusal-card-too-late = The table moved on before { $card } was received. Look at the table and enter the card that is missing.
refusal-place-needed = { $card } was entered without its position, and it is not clear where it belongs. Look at the table and enter the card with its position.
refusal-no-card-to-explain = { $waiting ->
    [none] No card is waiting for an explanation, so { $card } can't be explained.
   *[other] { $waiting } is waiting for an explanation, not { $card }.
}
refusal-explain-while-betting = Bets are open, and { $card } may be the next card. Burn it as an exposed card, or cancel the round first.
refusal-drawn-for-no-coup = No coup is being dealt, so { $card } can't have been drawn.
refusal-exposed-in-coup = A coup is being dealt, so { $card } isn't an exposed card.

## Errors in the coup

refusal-explain-first = The shoe sent { $card }, which is not clearly the next card. Explain it first.
refusal-rectify-coup = Something is wrong with the cards of this coup. Rectify it or cancel the round first.
refusal-change-waits = { $by } has proposed a change to this coup. Wait for the pit to confirm it, or withdraw it.
refusal-device-overruled = The shoe sent { $cards }, which the dealer called a mistake or placed elsewhere. The pit must confirm the coup.
refusal-no-coup-to-rectify = A coup can be rectified only from its first card until it is paid.
refusal-nothing-to-rectify = Nothing is wrong with this coup, so it can't be rectified.
refusal-order-needed = Enter the cards in the order in which they left the shoe, or cancel the round.
refusal-not-current-coup = Round { NUMBER($round, useGrouping: 0) } is not being played. Only the current coup can be rectified.
refusal-own-coup = You dealt this round. Another member of the pit must confirm the change.
refusal-dealer-rectifies = The dealer can rectify this without the pit, because the coup is not complete or its cards stay as they are.
refusal-rectify-first = The result is known. Record why the round can't be rectified before you cancel it.
refusal-result-not-open = Round { NUMBER($round, useGrouping: 0) } has no result yet, or has already been paid.
refusal-deal-now-off = The cards at this table can't be dealt before the betting time is over.
refusal-asking-other-round = Round { NUMBER($round, useGrouping: 0) } is not the current round.
refusal-asking-closed = Betting on round { NUMBER($round, useGrouping: 0) } is already closed.
refusal-asking-no-bet = Bet first: only players with a bet can ask for this.
refusal-squeeze-off = Players don't turn the cards at this table.
refusal-nothing-to-turn = There is no card for you to turn.
refusal-turn-on-hold = The round is on hold. Wait a moment, then turn the card.
refusal-cancel-not-current = Round { NUMBER($round, useGrouping: 0) } is not being played. Only the current round can be cancelled.

## Errors in a round that was paid

refusal-reports-changed = { $reports ->
    [one] Round { NUMBER($round, useGrouping: 0) } now has { $reports } error report. Read it first.
   *[other] Round { NUMBER($round, useGrouping: 0) } now has { $reports } error reports. Read all of them first.
}
refusal-nothing-reported = No error in round { NUMBER($round, useGrouping: 0) } has been reported. Report one first.
refusal-own-report = { $by } reported the error in round { NUMBER($round, useGrouping: 0) }. Someone else must decide on it.
refusal-no-such-round = Round { NUMBER($round, useGrouping: 0) } has not been played at this table.
refusal-not-correctable = Round { NUMBER($round, useGrouping: 0) } can't be corrected now. While it is being dealt, it can be rectified at the console.
refusal-result-of-last-shoe = Round { NUMBER($round, useGrouping: 0) } stands: errors in a paid round can be reported until the first card of the next shoe.
refusal-result-disputed = Round { NUMBER($round, useGrouping: 0) } stands: a dispute over it has been paid.
refusal-result-stands = Round { NUMBER($round, useGrouping: 0) } stands (R43): errors must be reported before the first card of the next coup, and no report is waiting for a decision.
refusal-result-stands-reported = Round { NUMBER($round, useGrouping: 0) } stands (R43): errors must be reported before the first card of the next coup. The pit will decide on the errors reported in time.
refusal-coup-incomplete = { $hand ->
    [player] The cards do not complete the coup: Player is due another card. Add the card that came next in the shoe.
   *[banker] The cards do not complete the coup: Banker is due another card. Add the card that came next in the shoe.
}
refusal-correct-after-betting = Bets are open on round { NUMBER($open, useGrouping: 0) }, and a card that round { NUMBER($round, useGrouping: 0) } did not use may be the first card of round { NUMBER($open, useGrouping: 0) }. Correct round { NUMBER($round, useGrouping: 0) } after “no more bets”, or cancel round { NUMBER($open, useGrouping: 0) } first.
refusal-dealt-by-server = The server deals this table, so there are no dealing errors to report or correct. Players can dispute how a round was settled.
refusal-other-card-followed = { $card } did not come next in the shoe; { $followed } did.
