### Why the house refuses a request, and problems with requests: what is wrong, then what to do.

## Roles and accounts

refusal-role = { $action ->
    [wager] Only players can bet.
    [contribute] Only players can contribute to a shoe.
    [see_own_money] Only players have a wallet and results.
    [deal] Only dealers and the pit can deal.
    [tell] Only dealers, the pit and the table's shoe can enter cards.
    [report] Only players, dealers, the pit and cashiers can report an error.
    [remedy] Only the pit can decide on a dealer's error.
    [agree] Only the pit can agree terms with a player.
    [decide] Only the pit can decide disputes.
    [resolve] Only the pit can resolve unclear rules.
    [link] Only the pit can link or unlink players.
    [pause] Only the pit can pause or resume a table.
    [cancel] Only the pit can cancel a round.
    [configure] Only the pit can change a table's settings.
    [keep_decks] Only the pit can keep the log of deck sets.
    [open_account] Only the pit can manage staff accounts.
    [pay] Only cashiers can pay money in or out.
    [confirm_cash] Only cashiers and the pit can confirm payments.
    [grant_bonus] Only the pit can grant bonus money or take it back.
    [protect] Only the pit can limit or exclude a player.
    [protect_oneself] Only players have limits, breaks and exclusions of their own.
    [watch] Only the pit and the auditor can see results, alerts and significant events.
    [see_all_money] Only the pit and the auditor can see every wallet.
    [export] Only the auditor can export journals.
    [use_second_factor] Only dealers, the pit, cashiers and the auditor can use a second factor.
   *[other] Your account can't do this.
}
refusal-page-for = { $action ->
    [deal] This page is for dealers and pit staff.
    [pay] This page is for cashiers.
    [export] This page is for auditors.
    [watch] This page is for pit staff and auditors.
   *[other] This page is for pit staff.
} If you are one of them, sign in with your staff account. Otherwise, go back to the tables.
refusal-no-deck-set = Deck set { $set } is not known. Record it first.
refusal-deck-set-elsewhere = Deck set { $set } was not counted and shuffled for this table. Ask the pit to do so.
refusal-deck-set-known = There is already a deck set { $set }. Choose another id.
refusal-deck-set-retired = Deck set { $set } has been retired. Use another set.
refusal-serial-known = Deck { $serial } is already part of a set. Check the serial numbers.
refusal-deck-set-moved = Deck set { $set } has been prepared for another table in the meantime. Reload the page.
refusal-deck-set-in-shoe = Deck set { $set } is in the shoe at { $table }. Close that shoe first.
refusal-shuffled-and-counted = The person who counts the cards can't be the one who shuffled them. Name someone else.
refusal-cards-missing = { $counted ->
    [one] { $counted } card was
   *[other] { $counted } cards were
} counted, but the set has { $cards }. Count again, exchange the missing card, or retire the set.
refusal-no-stop = There was no emergency stop whose reason is missing.
refusal-wrong-code = That code is wrong, or was used before. Enter the newest code from your authenticator app.
refusal-no-second-factor = { $name } has no second factor.
refusal-not-assigned = { $name } is assigned to other tables, not to { $table }. Ask the pit to change the assignment.
refusal-no-assignments = { $name } doesn't work at tables. Only dealers and members of the pit are assigned to tables.
refusal-suspended = The account of { $name } is suspended or closed.
refusal-closed = The account { $account } is closed.
refusal-no-account = Account { $account } not found. Check the ID.
refusal-no-player = Player { $account } not found. Check the ID.
refusal-bad-id = { $account } is not a valid account ID. Use 1 to 40 lower-case letters, digits and hyphens, starting with a letter or digit.
refusal-guest-id = { $account } is not a valid account ID: guests' IDs must start with { $prefix }, and other IDs must not. Choose another.
refusal-id-taken = The ID { $account } is taken. Choose another.
refusal-bad-name = { $why ->
    [length] Use 1 to { $most } characters for a name.
    [invisible] The name { $name } contains invisible characters. Remove them.
    [spaces] The name { $name } has extra spaces. Use single spaces between words.
    [special-letters] The name { $name } contains special forms of letters. Use ordinary ones.
    [no-letter] The name { $name } needs a letter or a digit.
    [accents] The name { $name } has too many accents on one letter. Remove some.
    [alphabets] The name { $name } mixes letters from several alphabets. Use only one.
    [of-the-house] The name { $name } looks like a name used by the house. Choose another.
   *[of-another] The name { $name } is too similar to someone else's. Add something to tell them apart.
}
refusal-password-changed = Your password has been changed in the meantime. Sign in again.
refusal-same-password = The new password is the same as the current one. Choose another.
refusal-player-account = { $name } is a player. Players' accounts stay open so that their money can be paid out. Exclude the player instead.
refusal-own-account = { $name } can't do this to their own account. Another member of the pit can.
refusal-staff-closed = The account of { $name } is closed. Open another one with a new ID.
refusal-not-suspended = The account of { $name } is not suspended.
refusal-staff-only = Open only staff accounts here. Players open their own.
refusal-erase-guest = { $account } is a guest and has no personal data.
refusal-erase-open = The account { $account } is open. Close it first.
refusal-erase-money = { $account } has { $coins } in the wallet or on tables. Pay it out first.
refusal-erase-excluded = { $account } is excluded, so the house must keep their personal data until the exclusion ends.

## Two people

refusal-proposer-suspended = The account of { $name }, who proposed this, is suspended or closed. Withdraw the proposal and make a new one.
refusal-proposer-changed = { $name } got a new password or was suspended after proposing this. Withdraw the proposal and make a new one.
refusal-same-issuer = { $issuer } saw the initial passwords of both { $first } and { $second }, directly or through others, so { $first } and { $second } do not count as two people. Ask someone else to confirm, or ask the operator to issue one of them a new password (restore-staff-account).
refusal-issued-by-other = { $issuer } helped to open { $name }'s account or issued its password, so { $issuer } and { $name } do not count as two people. Ask someone else to confirm, or ask the operator to issue one of them a new password (restore-staff-account).

## Money

refusal-insufficient-funds = Your bets come to { $total }, but you have only { $left }. Bet { $less } less.
refusal-no-wallet = { $name } has no wallet. Only players with an account have one.
refusal-bad-amount = { $amount } is not a valid amount. Enter a whole number of coins from 1 to { $most }.
refusal-not-covered = { $amount } is more than the { $balance } in the wallet. Enter a smaller amount.
refusal-void-too-late = Entry { NUMBER($entry, useGrouping: 0) } is more than 24 hours old and can't be voided. Pay in or out instead.
refusal-not-a-payment = Entry { NUMBER($entry, useGrouping: 0) } is not a payment to or from { $account }. Choose one of their payments.
refusal-already-voided = Entry { NUMBER($entry, useGrouping: 0) } has already been voided.
refusal-play-money-full = You still have all your play money, in your balance or on tables.
refusal-not-a-guest = { $name } is not a guest. Play money is for guests only.
refusal-already-registered = This account is already registered. Sign out to open another.
refusal-stake-cap = Your bets come to { $total }. You can bet at most { $most } a round in this house.
refusal-partners-over-maximum = { $name }: your { $stake } and your partners' { $others } exceed the maximum of { $most }, which partners share. You can bet up to { $left }.

## Bonus money

refusal-bonus-times = A wagering requirement of { $times }× the bonus is not allowed: { $profile } allows at most { $most }×.
refusal-bonus-days = A bonus can't be open for { $days ->
    [one] { $days } day
   *[other] { $days } days
}. Choose 1 to { $most } days.
refusal-bonus-room = { $amount } is too much: the house grants a player at most { $most } of bonus money a day, and { $left } is left today. Grant less, or raise “most” under [bonus] in the house file.
refusal-bonus-open = The player still has { $coins } of bonus money. Wait until it is released, forfeited or lost before granting more.
refusal-bonus-after-own = You have { $elsewhere } of your own money on another table, and bonus money can be bet only after your own. Wait until that round is over, withdraw those bets, or bet less here.
refusal-bonus-breach = { $bonus } of { $people ->
    [one] your { $stake }
   *[other] the { $stake } bet by you and your partners
} is bonus money, and at least one of { $bets } wins in { $chance } of rounds. If most of the stake is bonus money, that share can be at most 90%. Bet less bonus money, or place fewer bets.

## Safer gambling

refusal-bad-limit = { $amount } is not a valid limit. Enter a whole number of coins or minutes, or no limit.
refusal-limit-too-early = A looser limit takes effect only if you ask for it again after { $hours ->
    [one] { $hours } hour
   *[other] { $hours } hours
}. Ask again from { $again }, if you still want it.
refusal-birth-date-known = Your date of birth is already on record. If it is wrong, ask the pit.
refusal-bad-birth-date = { $date } is not a plausible date of birth. Enter a date within the last { $years } years.
refusal-bad-interval = Reality checks can't come every { $minutes ->
    [one] { $minutes } minute
   *[other] { $minutes } minutes
}. Choose 1 to { $most } minutes, or 0 for the house's interval.
refusal-reality-check = A reality check is due. Look at your time and result, then answer it.
refusal-result-changed = Your result has changed since it was shown: you have { $how ->
    [lost] lost
   *[won] won
} { $net }, and { $staked } is at stake. Look at it again, then answer.
refusal-bad-break = A break can't last { $hours ->
    [one] { $hours } hour
   *[other] { $hours } hours
}. Choose { $least } to { $most } hours.
refusal-bad-exclusion = An exclusion can't last { $months ->
    [one] { $months } month
   *[other] { $months } months
}. Choose { $least } to { $most } months.
refusal-excluded-until = { $who ->
    [you] You are excluded from play until at least { $until }. Your money can be paid out at any time.
   *[player] This player is excluded from play until at least { $until }. Their money can be paid out at any time.
}
refusal-excluded-returning = { $who ->
    [you] You are excluded from play until { $until }, a day after you asked to return. Your money can be paid out at any time.
   *[player] This player is excluded from play until { $until }, a day after they asked to return. Their money can be paid out at any time.
}
refusal-self-excluded = { $who ->
    [you] You are excluded from play until a day after you ask to return. Your money can be paid out at any time.
   *[player] This player is excluded from play until a day after they ask to return. Their money can be paid out at any time.
}
refusal-linked-excluded = { $who ->
    [you] An account linked with yours is excluded from play, and linked accounts count as one. You can't pay in or bet for now; your money can be paid out at any time. If it is another person's account, ask the pit.
   *[player] An account linked with this player's is excluded from play, and linked accounts count as one. Nothing can be paid in or bet for now; money can be paid out at any time. If it is another person's account, ask the pit.
}
refusal-on-a-break = { $who ->
    [you] You are on a break until { $until }.
   *[player] This player is on a break until { $until }.
}
refusal-linked-on-a-break = { $who ->
    [you] An account linked with yours is on a break, and linked accounts count as one. You can't pay in or bet for now; your money can be paid out at any time. If it is another person's account, ask the pit.
   *[player] An account linked with this player's is on a break, and linked accounts count as one. Nothing can be paid in or bet for now; money can be paid out at any time. If it is another person's account, ask the pit.
}
refusal-no-receipt = Entry { $entry } is not a payment: choose one from the day sheet.
refusal-time-limit = { $who ->
    [you] You've reached the time limit
   *[player] This player has reached the time limit
}: { $minutes ->
    [one] { $minutes } minute
   *[other] { $minutes } minutes
} of play a { $period ->
    [day] day
    [week] week
   *[month] month
}. Betting is possible again from { $until }.
refusal-register-silent = The exclusion register has not confirmed that you may play. Try again later.
refusal-in-register = You are on the exclusion register, so you can't play here. Contact the register.
refusal-age-unknown = You must be { $years } or over to play here, and your date of birth is not on record. Enter it on the Safer gambling page (/account/limits).
refusal-age-missing = You must be { $years } or over to play here. Enter your date of birth.
refusal-under-age = You must be { $years } or over to play here.
refusal-loss-limit = You can bet { $stands ->
    [no] at most { $left }
   *[yes] at most { $left } more
} until { $until }: your loss limit is { $most } a { $period ->
    [day] day
    [week] week
   *[month] month
}.
refusal-deposit-limit = At most { $left } can be paid in until { $until }: the limit is { $most } a { $period ->
    [day] day
    [week] week
   *[month] month
}.

## Partners

refusal-partner-is-self = You can't name yourself as a partner. Name someone else.
refusal-too-many-named = You have named { $most } people who have not named you, which is the maximum. Ask the pit for help.
refusal-link-one = Linking takes at least two players. Name another player.
refusal-group-too-large = This would link { $count } players; the maximum is { $most }. Check the list.
refusal-partners-changed = The players' partners have just changed. Try again.
refusal-not-a-player = { $name } is not a player with an account. Guests and staff have no partners.

## Tables and the house

refusal-no-table = Table { $table } not found. Choose one of { $tables }.
refusal-no-guests = This house does not admit guests. Open an account.
refusal-no-guests-here = { $table } does not admit guests. Open an account, or choose another table.
refusal-table-held = { $holder } drives this table for another { NUMBER($milliseconds, useGrouping: 0) } ms.
refusal-lease-lost = Epoch { NUMBER($epoch, useGrouping: 0) } of the lease on this table has ended.
refusal-currency = The money in this store is in { $held }, but the house file has { $currency }. Write currency = "{ $held }", or use a new store.
refusal-not-the-shoe = { $account } is not the shoe of { $table }. Add shoe = "{ $account }" to this table in the house file.
refusal-shoe-without-dealer = Nobody is dealing at { $table }. A dealer must take the table before the shoe can send cards.
refusal-deals-by-itself = { $table } is dealt by the server and has no dealer.
refusal-not-a-card = { $card } is not a card. Enter the rank (A, 2 to 9, 10, T or 0, J, Q, K, or 1 to 13) and the suit (s, h, d, c), in either order, for example 8h.
refusal-no-agreement = There is no agreement with { $name } at { $table }.
refusal-foreign-limits = The rule card's limits are not in { $currency }. Also set { $missing }.
refusal-cycle-too-short = Betting and the pause together take { NUMBER($milliseconds, useGrouping: 0) } ms, but { $profile } requires at least { NUMBER($least, useGrouping: 0) } ms. Make one of them longer.
refusal-key-reused = This idempotency key was used for another command. Use a new key for each command.
refusal-audit-too-large = The journals have { $entries } entries, too many for an audit on the server. Run baccarat audit-house.
refusal-audit-running = An audit is already running. Try again when it is finished.
refusal-too-large = This needs more memory than a computation may use here. Ask for less.
refusal-session-too-large = This session is too large to compute here. Choose fewer rounds, a smaller bankroll, or stakes that are multiples of a larger amount.
refusal-bankroll = A bankroll of { $bankroll } does not cover one round, which costs { $stake }.
refusal-no-history = Staff accounts can't bet and have no wallet, limits or history.

## Problems with requests

problem-not-signed-in = You are not signed in, or your session has ended. Sign in, or play as a guest.
problem-given-password = You still have your initial password. Choose your own on the Account page first. API clients: use PUT /api/me/password.
problem-csrf = Your session has changed. Reload this page. API clients: send the csrf_token from GET /api/session as X-CSRF-Token.
problem-code-needed = Enter the code from your authenticator app, or a recovery code. API clients: send it as code.
problem-wrong-code = That code is wrong, or was used before. Enter the newest code from your authenticator app, or a recovery code.
problem-needs-second-factor = Staff of this house need a second factor. Set it up on the Account page first. API clients: use POST and PUT /api/me/second-factor.
problem-wrong-password = Wrong account ID or password. Check both, or ask the pit.
problem-weak-password = { $why ->
    [own-name] This password contains your account ID or name.
    [mostly-name] This password is little more than your name.
    [number] This password is a short number.
    [pattern] This password is a keyboard pattern or repeats itself.
   *[common] This password is one of the most common.
} Choose another, such as a few words that only you would put together.
problem-sign-in-locked = Too many wrong passwords. Try again in { $minutes ->
    [one] { $minutes } minute
   *[other] { $minutes } minutes
}, or use a browser you have signed in with before.
problem-suspended = This account is suspended. Ask the pit.
problem-expired-password = This initial password has expired. Ask the pit for a new one.
problem-id-taken = This ID is taken. Choose another.
problem-rate-limited = Too many { $what ->
    [sign-ins] sign-in attempts
    [sign-ins-here] sign-in attempts from your network
    [new-accounts] new accounts from your network
    [bets] bets
    [changes] changes
    [figures] computations
    [contributions] contributions
    [contributions-here] contributions from your network
    [reports] reports
    [requests-here] requests from your network
   *[requests] requests
}. Try again in { $seconds ->
    [one] { $seconds } second
   *[other] { $seconds } seconds
}.
problem-too-many-connections = Your network has { $most } connections open, the maximum. Close one first.
problem-too-many-sockets = You have { $most } connections to tables open, the maximum. Close one first.
problem-busy = { $whose ->
    [yours] You have { $most } computations waiting
    [here] Your network has { $most } computations waiting
   *[all] { $most } computations are waiting
}. Try again later.
problem-busy-passwords = Too many people are signing in right now. Try again in a few seconds.
problem-took-too-long = This took longer than { $seconds ->
    [one] { $seconds } second
   *[other] { $seconds } seconds
} and was stopped. Ask for less, or try again later.
problem-audit-took-too-long = The audit took longer than { $seconds ->
    [one] { $seconds } second
   *[other] { $seconds } seconds
} and was stopped. Run baccarat audit-house, which has no time limit.
problem-computation-failed = The computation stopped unexpectedly. Try again later.
problem-no-letters = This server can't make letters. Install baccarat[poster] on it.
problem-no-posters = This server can't make posters. Install baccarat[poster] on it.
problem-stopping = { $state ->
    [read] The server is restarting. Try again.
    [nothing-done] The server is restarting, and nothing was done. Try again.
    [retry] The server is restarting, and it is not known whether this was done. Send it again with the same idempotency key.
   *[unknown] The server is restarting, and it is not known whether this was done. Check before you try again.
}
problem-store-unavailable = { $state ->
    [read] We can't reach our records right now. Please try again.
    [retry] It is not known whether this was done. Send it again with the same idempotency key.
   *[unknown] It is not known whether this was done. Check before you try again.
}
problem-internal = Something went wrong on the server. It has been logged.
problem-unprintable = This contains invisible characters. Remove them.
problem-bad-date = This is not a date. Use YYYY-MM-DD.
problem-value-missing = This is required.
problem-value-not-whole = Use a whole number.
problem-value-too-short = { $least ->
    [one] Use at least { $least } character.
   *[other] Use at least { $least } characters.
}
problem-value-too-long = { $most ->
    [one] Use at most { $most } character.
   *[other] Use at most { $most } characters.
}
problem-value-too-small = Use { $least } or more.
problem-value-too-large = Use { $most } or less.
problem-no-such-page = Page not found. Check the address, or go back to the tables.
problem-no-session = You have no such session. It may have ended already.
problem-no-round = Round { NUMBER($round, useGrouping: 0) } not found at { $table }.
problem-no-ended-round = Round { NUMBER($round, useGrouping: 0) } has not been played here, or is not over yet. Your history lists all your rounds.
problem-no-shoe = Shoe { $shoe } not found.
problem-no-game = Game { $game } not found. Choose one of { $games }.
problem-other-game = That is not the game at { $table }, which offers { $game }. See /rules/{ $card }.

## Listed ambiguities

refusal-already-listed = This dispute has already been listed as { $ambiguity }. Decide the dispute, or resolve or withdraw { $ambiguity }.
refusal-fragment-invalid = These readings can't be replayed. Correct them, or leave the field empty. Problem: { $fault }
refusal-not-listed-in-house = { $ambiguity } is not a listed ambiguity, or it has already been withdrawn.
refusal-not-open-in-house = { $ambiguity } is not an open ambiguity of the house. Open: { $open }.
