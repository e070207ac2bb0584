### What staff read about events: the audit log, alerts for the pit, and proposals that need a second person.
### `event-` is followed by the name of an event, `proposal-` and `subject-` by the kind of a proposal.

## Topics of the audit log

topic-sign-in = Sign-ins and staff accounts
topic-cash = Cash paid in, paid out and voided
topic-large-win = Large wins
topic-override = Rounds cancelled or corrected, disputes, rulings, changes of dealer, pauses
topic-two-people = Proposals that need a second person
topic-settings = Settings of tables and of the gaming day
topic-clock = Server clocks, and which server runs a table
topic-adjustment = Bonuses granted, released and forfeited
topic-players = Partners, exclusions and house limits
topic-alarm = Alarms, dealing errors, unusual results, suspected partners, shared browsers
topic-cards = Deck sets and the shoes they fill
topic-data-loss = Lost data

topic-short-sign-in = sign-in
topic-short-cash = cash
topic-short-large-win = large win
topic-short-override = override
topic-short-two-people = two people
topic-short-settings = settings
topic-short-clock = clock
topic-short-adjustment = adjustment
topic-short-players = players
topic-short-alarm = alarm
topic-short-cards = cards
topic-short-data-loss = data loss

## Who did it, if not a person with an account

who-house = the house
who-operator = the operator
who-house-file = the house file
who-alarm = the alarm
who-resolved = a ruling on the rules

## Roles

role-player = player
role-dealer = dealer
role-cashier = cashier
role-auditor = auditor
role-pit = pit
role-shoe = electronic shoe

## Sign-ins and staff accounts

event-SignInFailed = Wrong password entered for { $account }.
event-SignInsLocked = After { $wrong } wrong passwords in a row for { $account }, sign-ins from the browsers or networks they came from are locked for a while.
event-SignedIn = { $account } signed in.
event-PasswordChanged = { $account } changed their password.
event-PasswordIssued = New initial password issued to { $account }.
event-AccountOpened = Account opened: { $account } ({ $role }).
event-AccountSuspended = Account suspended: { $account }. Reason: { $words }
event-EmergencyStopped = Emergency stop of all tables.
event-StopExplained = Reason for the emergency stop: { $words }
event-KeyRotated = The server’s key was replaced (new key { $mark }).
event-SecondFactorSet = { $account } set up a second factor.
event-SecondFactorRemoved = Second factor removed: { $account }.
event-RecoveryCodeUsed = { $account } signed in with a recovery code. Codes left: { $left }.
event-StaffAssigned = { $tables_n ->
    [0] { $account } may work at every table.
   *[other] { $account } was assigned to { $tables }.
}
event-SuspensionLifted = Suspension lifted: { $account }.
event-AccountClosed = Account closed: { $account }.
event-PersonErased = Personal data erased: { $account }.

## Cash

method-cash = in cash
method-card = by card
method-transfer = by bank transfer
method-cheque = by cheque
paid-how = { $method } (reference { $reference })
event-MoneyPaidIn = { $amount } paid in for { $account }, { $how }.
event-MoneyPaidOut = { $amount } paid out to { $account }, { $how }.
event-CashVoided = { $paid ->
        [pay-in] Voided: { $amount } paid in for { $account }
       *[pay-out] Voided: { $amount } paid out to { $account }
    } (entry { NUMBER($entry, useGrouping: 0) }). Reason: { $words }

## Rounds

event-LargeWinPaid = { $player } won { $net } in round { NUMBER($round, useGrouping: 0) }.
event-RoundCancelled = Round { NUMBER($round, useGrouping: 0) } cancelled: { $reason }.
event-CoupRectified = Round { NUMBER($round, useGrouping: 0) }: cards changed from { $before } to { $after }.{ $excess_n ->
        [0] {""}
       *[other] { $goes ->
            [burned] { " " }Burned: { $excess }.
           *[returned] { " " }Returned to the shoe: { $excess }.
        }
    }{ $by_n ->
        [0] {""}
       *[other] { " " }Players' result before: { $paid_before }, after: { $paid_after }.
    }{ $words ->
        [none] {""}
       *[other] { " " }Reason: { $words }.
    }
event-RoundCorrected = Round { NUMBER($round, useGrouping: 0) } corrected from { $before } to { $after }: { $moved } changed hands. Players' result before: { $paid_before }, after: { $paid_after }.
event-DealerChanged = { $how ->
        [left] { $before } left the table.
        [free] { $dealer } took the table.
        [alone] { $dealer } took over the table from { $before }.
       *[confirmed] { $dealer } took over the table from { $before }, confirmed by { $by }.
    }
event-ErrorReported = Error reported in round { NUMBER($round, useGrouping: 0) }: { $words }
event-ReportDismissed = Round { NUMBER($round, useGrouping: 0) } stands; the reported error was dismissed: { $words }
event-FloorCalled = { $dealer } called the floor. The table is frozen.
event-BurnCorrected = Burned card corrected from { $entered } to { $shown } ({ $count } burned): { $words }
event-CutCardTakenBack = Cut card recorded by mistake and taken back in round { NUMBER($round, useGrouping: 0) }: { $words }
event-ReadingDisputed = The shoe read { $read }, but the dealer entered { $entered } (round { NUMBER($round, useGrouping: 0) }).
event-FloorAnswered = The pit answered the call for the floor: { $words }
event-RectificationConsidered = Round { NUMBER($round, useGrouping: 0) } cannot be rectified: { $words }
event-DisputeDecided = Dispute over round { NUMBER($round, useGrouping: 0) } decided: { $paid } paid to { $player }.
event-DisputeAnswered = Dispute over round { NUMBER($round, useGrouping: 0) } answered: { $amount } paid to { $player }. { $words }
event-AmbiguityListed = { $ambiguity } listed as an ambiguity of { $card }, after { $player }'s dispute over round { NUMBER($round, useGrouping: 0) } at { $table }: { $question }
event-ListedAmbiguityResolved = { $ambiguity } ({ $card }) resolved: { $words }
event-ListedAmbiguityWithdrawn = { $ambiguity } ({ $card }) withdrawn: { $words }
event-AmbiguityResolved = Ruling on “{ $ambiguity }” ({ $card }): “{ $reading }”. { $words }

coup-hands = Player { $player } ({ $player_total }), Banker { $banker } ({ $banker_total })
coup-not-complete = { $count ->
        [0] no cards
       *[other] { $cards } (not complete)
    }
coup-no-result = not known

cancelled-misdeal = misdeal
cancelled-shuffler-fault = shuffler fault
cancelled-foreign-card = card that does not belong to the shoe
cancelled-power = power failure
cancelled-other = other reason

## Tables

event-TableOpened = Table opened.
event-TablePaused = { $how ->
        [frozen] Table frozen by an emergency stop.
        [alarm] Table paused automatically by an alarm.
       *[reason] Table paused: { $reason }
    }
event-TableResumed = { $stays ->
        [yes] The house was resumed, but the table remains paused.
       *[no] Table resumed.
    }
event-SettingsChanged = { $changes_n ->
        [0] Settings changed.
       *[other] Settings changed: { $changes }.
    }
event-LeaseTaken = { $holder } now runs the table (epoch { NUMBER($epoch, useGrouping: 0) }).
event-GamingDaySet = Gaming days begin at { $starts }:00 in the time zone { $zone }.
event-DeckSetReceived = Deck set { $deck_set } received: { $colour }, decks { $serials }
event-DeckSetPrepared = Deck set { $deck_set } counted ({ $cards } cards) for { $table }; shuffled by { $shuffled_by }
event-DeckCardChanged = { $card } in deck set { $deck_set } exchanged for the one from deck { $serial }: { $words }
event-DeckSetRetired = Deck set { $deck_set } retired: { $words }
event-ShoeBegun = Shoe begun with deck set { $deck_set }, cut by { $cut_by ->
        [player] a player
        [dealer] the dealer
       *[pit] the pit
    }
event-FootageNoted = Camera reference of round { NUMBER($round, useGrouping: 0) } at { $table }: { $reference }
event-ClockChanged = The clock of { $server } jumped by { $milliseconds } ms.
event-DataLost = Data lost on { $server }: { $words }

change = { $name }: { $before } → { $after }
change-bet = { $name } on { $bet }: { $before } → { $after }
setting-rules = rules
setting-source = source of the cards
setting-cut = cards behind the cut card
setting-burn = cards burned after the shuffle
setting-excess = excess cards
setting-dummy = what a cancelled round pays back
setting-error_cut_off = cut-off for reporting errors
setting-deck_sets = deck set for every shoe
setting-shuffler = shuffling machine
setting-inspector = pit must confirm every rectification
setting-deal_now = dealing at once if everyone asks
setting-squeeze = time for a player to turn a card
setting-standing_offer = standing offer
setting-grants_up_to = highest terms granted automatically
setting-minimum = minimum
setting-maximum = maximum
setting-coup_maximum = maximum per round
setting-seats = seats
setting-betting = betting time
setting-card = time between cards
setting-pause = pause between rounds
setting-contribute = time to contribute
setting-reveal = time to reveal contributions
setting-no-limit = no limit
setting-seconds = { $n } s

## Bonuses, players

event-BonusOpened = { $amount } of bonus money granted to { $account }.
event-BonusReleased = { $amount } of bonus money released to { $account }.
event-BonusForfeited = { $end ->
        [withdrawal] { $amount } of { $account }'s bonus money forfeited on a withdrawal
        [expiry] { $amount } of { $account }'s bonus money expired
       *[taken-back] { $amount } of { $account }'s bonus money taken back
    }{ $staked_n ->
        [0] .
       *[other] ; { $staked } more is on tables.
    }
event-PartnersChanged = { $partners_n ->
        [0] { $account } no longer has partners.
       *[other] { $account } is now a partner of { $partners }.
    }{ $why ->
        [declared] { " " }They named each other.
       *[pit] {""}
    }{ $words_n ->
        [0] {""}
       *[other] { " " }Reason: { $words }
    }
event-KeptApart = { $account } is not a partner of { $others }. Reason: { $words }
event-AgreementMade = Terms agreed with { $player } from round { NUMBER($from_round, useGrouping: 0) }: { $values }. { $how ->
        [offer] The player accepted the table's standing offer.
        [grant] The request was within what the house grants automatically.
       *[both] Proposed by { $proposed_by }, confirmed by { $confirmed_by }.
    }
event-AgreementEnded = The agreement with { $player } has ended. It no longer applies from round { NUMBER($from_round, useGrouping: 0) } on.{ $words_n ->
        [0] {""}
       *[other] { " " }Reason: { $words }
    }
event-PlayerExcluded = { $self ->
        [yes] { $account } self-excluded while { $staked } was at stake in a round in progress; the round will be played out.
       *[no] { $account } was excluded.
    }
event-LimitSet = { $what ->
        [deposit] House limit for { $account }: deposits of at most { $amount }
        [loss] House limit for { $account }: losses of at most { $amount }
        [time] House limit for { $account }: at most { $minutes ->
            [one] { $minutes } minute
           *[other] { $minutes } minutes
        } of play
       *[none] House limit removed for { $account }: { $limit ->
            [deposit] deposits
            [loss] losses
           *[time] time of play
        }
    } per { $period ->
        [day] day
        [week] week
       *[month] month
    }.

## Alarms

event-BrowserShared = { $account } signed in with a browser that { $others } had used.
event-AlarmRaised = Alarm: { $words }.
event-IrregularityFound = Round { NUMBER($round, useGrouping: 0) }, { $kind ->
        [wrong-side] card with the wrong hand
        [swapped] cards swapped
        [extra] extra card
        [missing] card missing
        [impossible] impossible card
        [not-next] card out of order
        [exposed] card exposed early
       *[in-doubt] unexplained card
    }: { $words }.
event-CardInDoubt = Round { NUMBER($round, useGrouping: 0) }: { $words }.
event-CardExplained = Round { NUMBER($round, useGrouping: 0) }: the dealer explained { $card }, sent by the shoe, as { $was ->
        [drawn] drawn in the coup
        [exposed] exposed early
        [burned] the card to be burned
       *[mistake] a mistake by the shoe
    }.
event-BonusBreachFlagged = { $player }'s bets on round { NUMBER($round, useGrouping: 0) } break the rule on bonus money (R37).
event-PartnersSuspected = { $players }: they bet on the same side in { $same } of { $rounds } rounds and together exceeded the maximum in { $passed_n } of them. This is at least 10^{ $weight } times more likely for partners than for players who bet independently, each with their own habits.
event-ResultUnusual = { $money ->
        [play] The house's result with guests today is { $result }, outside { $low } to { $high }; { $expected } was expected.
       *[real] The house's result today is { $result }, outside { $low } to { $high }; { $expected } was expected.
    }

## Errors in the cards. A full stop or a remedy follows each message that begins with `irregular-`

irregular-wrong-side = { $hand ->
        [player] { $card } is with Banker but belongs to Player ({ $reason })
       *[banker] { $card } is with Player but belongs to Banker ({ $reason })
    }
irregular-swapped = { $hand ->
        [player] { $card }, which belongs to Player, and { $others }, which belongs to Banker, are swapped
       *[banker] { $card }, which belongs to Banker, and { $others }, which belongs to Player, are swapped
    }
irregular-extra = { $card } is one card too many ({ $reason })
irregular-missing = { $hand ->
        [player] Player is due a card ({ $reason })
       *[banker] Banker is due a card ({ $reason })
    }
irregular-impossible = { $card } is impossible, because every { $card } of this shoe is already out
irregular-not-next = { $count ->
        [one] { $card } came before { $others }, which was taken back and must come first
       *[other] { $card } came before { $others }, which were taken back and must come first
    }
irregular-exposed = { $count ->
        [0] { $card } was exposed before “no more bets” and is burned
        [one] { $card } was exposed before “no more bets” and is burned; { $others } was taken back and is still next
       *[other] { $card } was exposed before “no more bets” and is burned; { $others } were taken back and are still next
    }
irregular-in-doubt = { $card } was sent by the shoe, but { $why }

remedy-wrong-side = Put it where it belongs, then rectify the coup.
remedy-swapped = Put both where they belong, then rectify.
remedy-extra = Take it back, then rectify.
remedy-missing = Draw it.
remedy-impossible = Check the card. Rectify with the correct one, or call the pit (foreign card).
remedy-not-next = Rectify so that any card taken back comes first.
remedy-exposed = It counts as burned.
remedy-in-doubt = Say what it was.

doubt-moved-on = the table had moved on to { $due }
doubt-other-place = { $due } was next, not { $sent }
doubt-irregular = something had to be put right first
doubt-no-coup = no coup was being dealt
doubt-frozen = the floor had been called
doubt-complete = the coup already had all its cards

place-in-coup = card { $place } of round { NUMBER($round, useGrouping: 0) }
place-exposed = exposed card { $place } after round { NUMBER($round, useGrouping: 0) }

alarm-run = the shoe may not have been shuffled, because { $count } cards came in factory order ({ $cards })
alarm-repeat = the shoe may not have been shuffled, because { $count } cards came in the same order as before ({ $cards })
alarm-does-not-add-up = the shoe does not consist of complete decks{ $count ->
        [0] {""}
       *[other] ; too many: { $cards }
    }{ $missing ->
        [0] {""}
       *[other] ; missing: { $lacking }
    }
alarm-foreign-card = a card does not belong to the shoe

error-by-device = The shoe sent { $card } as card { $place } of round { NUMBER($round, useGrouping: 0) }, which was settled with other cards.

## Proposals that need a second person

event-ActionProposed = Proposed: { $proposal }{ $words_n ->
        [0] {""}
       *[other] { " " }Reason: { $words }
    }
event-ProposalEnded = { $why ->
        [withdrawn] Proposal withdrawn
        [replaced] Proposal replaced by another
        [expired] Proposal expired
        [changed] Proposal ended because the facts have changed
       *[done] Proposal carried out
    }: { $subject }.

proposal-cancel = Cancel round { NUMBER($round, useGrouping: 0) }: { $reason }. Cards out: { $cards_n ->
        [0] none
       *[other] { $cards }
    }. Stakes: { $staked }.{ $taken_back_n ->
        [0] {""}
       *[other] { " " }Reported in this round and then removed: { $taken_back }.
    }
proposal-rectify = Change the cards of round { NUMBER($round, useGrouping: 0) } from { $coup_before } to { $coup_after }. Players' result before: { $before }, after: { $after }.{ $mistaken_n ->
        [0] {""}
       *[other] { " " }The shoe sent { $mistaken }, which the dealer called a mistake or put elsewhere.
    }
proposal-settle-again = Correct round { NUMBER($round, useGrouping: 0) } from { $coup_before } to { $coup }: { $moved } changes hands.
proposal-dismiss = Let round { NUMBER($round, useGrouping: 0) } stand and dismiss the error reported by { $reporters }.
proposal-take-table = { $dealer } asks to take over the table from { $before }.
proposal-limits = Change the table's settings: { $changes }.
proposal-decide = Decide the dispute over round { NUMBER($round, useGrouping: 0) }: pay { $due } to { $player }.
proposal-answer = Answer the dispute over round { NUMBER($round, useGrouping: 0) } and pay { $amount } to { $player }.
proposal-list = List an ambiguity of { $card }, with readings that decide every dispute over rounds played under this rule card: { $question }
proposal-withdraw-listed = Withdraw { $ambiguity } ({ $card }), so that open disputes are decided without it: { $question }
proposal-resolve-listed = Resolve { $ambiguity } ({ $card }): { $question }
proposal-resolve = Resolve “{ $ambiguity }” ({ $card }) as “{ $reading }”.
proposal-open = Open an account: { $account } ({ $role }).
proposal-close = Close the account of { $account }.
proposal-password = Issue a new password to { $account }.
proposal-second-factor = Remove the second factor of { $account }.
proposal-lift = Lift the suspension of { $account }.
proposal-pay-in = Pay in { $amount } for { $player }, { $how }.
proposal-pay-out = Pay out { $amount } to { $player }, { $how }.
proposal-void = { $paid ->
        [pay-in] Void { $amount } paid in for { $player }
       *[pay-out] Void { $amount } paid out to { $player }
    } (entry { NUMBER($entry, useGrouping: 0) }). Reason: { $reason }
proposal-grant = Grant { $player } { $amount } of bonus money, to be wagered { $times ->
        [one] { $times } time
       *[other] { $times } times
    } within { $days ->
        [one] { $days } day
       *[other] { $days } days
    }.
proposal-take-back = Take back all of { $player }'s bonus money, including bets on tables: { $amount }.

subject-dispute = dispute over round { NUMBER($round, useGrouping: 0) } by { $player }
subject-listing = listing of an ambiguity after { $player }'s dispute over round { NUMBER($round, useGrouping: 0) } at { $table }
subject-ambiguity = ruling on “{ $ambiguity }”
subject-cancel = cancellation of round { NUMBER($round, useGrouping: 0) }
subject-rectify = change to the cards of round { NUMBER($round, useGrouping: 0) }
subject-hand-over = request by { $dealer } to take over the table
subject-correct = reported error in round { NUMBER($round, useGrouping: 0) }
subject-account = account of { $account }
subject-bonus = bonus money for { $player }
subject-cash = cash for { $player }
subject-limits = table limits

## Alerts for the pit

alert-sealed-off = The table has stopped: the server's key cannot decrypt its shoe. Restart the servers with the key that the shoe was encrypted with; see “The key is lost” in the guide “Operating a house”.
alert-held = Round { NUMBER($round, useGrouping: 0) } had { $coins } at stake when the server started. The round was then finished, or its stakes were returned.
alert-MoneyPaidIn = { $amount } paid in for { $account } ({ $first }, confirmed by { $by })
alert-MoneyPaidOut = { $amount } paid out to { $account } ({ $first }, confirmed by { $by })
alert-CashVoided = { $paid ->
        [pay-in] Voided: { $amount } paid in for { $account }
       *[pay-out] Voided: { $amount } paid out to { $account }
    } ({ $first }, confirmed by { $by })
alert-result = Today's result, { $result }, is outside { $low } to { $high }; { $expected } was expected.
alert-result-guests = Today's result with guests, { $result }, is outside { $low } to { $high }; { $expected } was expected.
alert-called = { $dealer } calls the floor. The table is frozen until you answer.
alert-irregular = Round { NUMBER($round, useGrouping: 0) }: { $words }.
alert-shoe = Shoe alarm: { $words }.
alert-house-paused = The whole house is paused.
alert-house-paused-for = The whole house is paused: { $reason }
alert-paused = The table is paused.
alert-paused-for = The table is paused: { $reason }
alert-away = { $account } is excluded or on a break. If the accounts belong to the same person, link them.
alert-too-few = { $n ->
        [0] No member of the pit has an active account.
        [one] Only { $n } member of the pit has an active account.
       *[other] The pit has { $n } active accounts, but no two of their owners are independent of each other.
    } Decisions that need two people cannot be carried out: open accounts for other members of the pit before the house opens.
alert-bounds = Expected: each stake multiplied by the exact house edge of its bet. Normal range: an honest table's result is outside it in at most one check in { $n } (Bernstein's inequality, from the exact variance of these bets and the largest possible result of one round).

## The dealer's console

script-dealer-proposal_reason = Reason: { $words }
