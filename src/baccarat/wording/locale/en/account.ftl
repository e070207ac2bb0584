### Signing in, the account, limits and breaks.

## account

account-title = Account
account-welcome = Welcome
# For visitors to a house with or without guests, and for guests who would lose or keep their play money.
account-lead-guests = Sign in, open an account, or play as a guest with play money.
account-lead-none = Sign in, or open an account.
account-lead-guest = You're a guest with play money. If you open an account, your play money is lost.
account-lead-keep = You're a guest with play money. Open an account to keep it and to come back later.
account-kept = You keep your { $amount } of play money, your bets and your history.
account-starts = You start with { $amount } of play money. There is nothing to pay.
account-noscript = Please turn on JavaScript to use these forms.
account-sign_in = Sign in
account-open = Open an account
account-as_guest = Play as a guest
account-guest_words = { $amount } of play money, at every table open to guests. No name, no password.
account-id = Account ID
account-id_rule = Lower-case letters, digits and hyphens. Only you and our staff see your ID.
account-name = Name
account-name_rule = Other players see your name only if you add randomness to a shoe.
account-password = Password
account-born = Date of birth
account-born_rule = You must be { $age } or over. Only our staff see this date.
account-password_rule = At least { $shortest } characters. A few words with spaces are easy to remember. We can't recover your password, so keep it safe.
account-money = Money
account-real = Balance
account-bonus = Bonus
account-play_money = Play money
account-in_play = In play
account-money_words = Deposit and withdraw at the cashier. Bets use your balance first, then bonus money.
account-money_guest = Play money has no value and is never paid out.
account-to_history = My rounds
account-to_statement = My statement
account-session = This session
account-since = Started
account-ends = Ends by
account-session_words = { $minutes ->
        [one] You are signed out after { $minutes } minute of inactivity.
       *[other] You are signed out after { $minutes } minutes of inactivity.
    }
account-guest_ends = When your guest session ends, your play money is gone.
account-guest_keeps = Open an account to keep it.
account-sign_out = Sign out
account-sessions = Where you are signed in
account-unknown_agent = Unknown device
account-this_one = this session
account-last_used = last used around
account-end = Sign out
account-end_label = Sign out of { $agent }
account-sessions_words = Addresses are shortened. If you don't recognise a session, sign out of it and change your password.
account-given = This is an initial password. Choose your own to continue.
account-agreements = Agreements
account-agreement = { $table }: { $values }, from round { NUMBER($round, useGrouping: 0) } on.
account-agreed_at = Agreed:
account-ended = Ended before it applied to a round:
account-ended_after = Ended after round { NUMBER($round, useGrouping: 0) }:
account-ended_why = Reason: { $words }
account-partners = Partners
account-no_partners = You have no linked partners.
account-one_with = Linked with { $names }.
account-named = You named { $names }. You'll be linked once they name you.
account-partners_words = If you play together with someone, link your accounts. Partners share the maximum of each bet, and while one of you is excluded or on a break, none of you can bet or pay in. The pit can unlink you.
account-partner = Their account ID
account-name_partner = Add as partner
account-change_password = Change password
account-password_old = Current password
account-password_new = New password
account-password_words = At least { $shortest } characters. We can't recover your password, so keep it safe.

account-kind-guest = Guest, with play money
account-kind-play = Player, with play money
account-kind-player = Player
account-kind-dealer = Dealer
account-kind-pit = Pit
account-kind-cashier = Cashier
account-kind-auditor = Auditor
account-kind-shoe = Electronic shoe, which only reports cards

## limits

limits-title = Safer gambling
limits-heading = Safer gambling
limits-lead = { $hours ->
        [one] See where you stand and set your limits. A lower limit applies at once. A higher one can be confirmed { $hours } hour after you ask for it.
       *[other] See where you stand and set your limits. A lower limit applies at once. A higher one can be confirmed { $hours } hours after you ask for it.
    }
limits-excluded = You are excluded from playing
limits-excluded_until = At least until
limits-excluded_words = You can't bet or pay in. You can collect your money at the cashier at any time.
limits-still_staked = You have { $amount } at stake in a round in progress. The round will be played, and any winnings will be paid to you. Until betting closes, you can take your bets back at the table.
limits-returns = You asked to return. You can play again from
limits-ask_return = Ask to return (takes effect after a day)
limits-on_break = You're on a break
limits-break_until = Until
limits-warnings = Limits nearly reached
limits-guest = You're playing with play money. Open an account to set limits on deposits, losses and time.
limits-warned = At least { $percent }% used.
limits-born = Date of birth
limits-born_words = Some games have their own minimum age. Enter your date of birth to bet real money on them. You can enter it once and can't change it later. Only our staff see it.
limits-born_give = Save
limits-sitting = This session
limits-net = Won or lost
limits-time = Time played
limits-staked = At stake now
limits-no_sitting = You're not playing.
limits-sitting_words = A session starts with a bet and ends after half an hour without one.
limits-check = Reality check
limits-check_words = A reminder of how long you've played and what you've won or lost. You can't bet until you answer it.
limits-every = Remind me
limits-every_house = { $minutes ->
        [one] Every { $minutes } minute (default)
       *[other] Every { $minutes } minutes (default)
    }
limits-every_never = Never
limits-every_minutes = { $minutes ->
        [one] Every { $minutes } minute
       *[other] Every { $minutes } minutes
    }
limits-set = Set
limits-remove = Remove
limits-none = no limit
limits-minutes = { $minutes } min
limits-hours_minutes = { $hours } h { $minutes } min
limits-by_house = We've set a limit of { $amount } for you. If you set one too, the lower one applies.
limits-used = { $used } of { $amount } used.
limits-resets = Resets
limits-pending = Requested: { $amount }. You can confirm it from
limits-confirm = Confirm now
limits-withdraw = Withdraw request
limits-for = For
limits-hours = { $hours ->
        [one] { $hours } hour
       *[other] { $hours } hours
    }
limits-days = { $days ->
        [one] { $days } day
       *[other] { $days } days
    }
limits-weeks = { $weeks ->
        [one] { $weeks } week
       *[other] { $weeks } weeks
    }
limits-months = { $months ->
        [one] { $months } month
       *[other] { $months } months
    }
limits-until = No betting until
limits-until_least = No betting until at least
limits-no = Back
limits-break = Take a break
limits-break_words = You can't bet or pay in for a while. The break starts at once and can't be shortened.
limits-break_yes = Start break
limits-exclusion = Self-exclusion
limits-exclusion_words = { $months ->
        [one] If it's no longer fun, exclude yourself. You can't bet for at least { $months } month, starting as soon as you confirm.
       *[other] If it's no longer fun, exclude yourself. You can't bet for at least { $months } months, starting as soon as you confirm.
    }
limits-exclusion_yes = Exclude me
limits-bonus = Bonus money
limits-bonus_wagered = Wagered so far
limits-bonus_until = Valid until
limits-bonus_words = Once you've met the wagering requirement, the bonus and its winnings are yours.
limits-bonus_forfeit = If you withdraw your own money before that, you lose the bonus.
limits-bonus_release = Claim it
limits-bonus_expired = Your bonus expired on
limits-bonus_none = You have no bonus.
limits-of = { $part } of { $whole }
limits-help = Get help
limits-help_words = Talk to someone. It's free and confidential.
limits-help_none = No help line is listed for these games. Ask our staff.

limits-kind-deposit = Deposits
limits-kind-loss = Losses
limits-kind-time = Time

limits-about-deposit = The most you can pay in.
limits-about-loss = Losses minus wins, including bets in play. A bet that could take you over the limit is refused. Only your own money counts, not bonus money.
limits-about-time = How long you can play. After that, you can't bet until the period ends.

limits-period-day = Per day
limits-period-week = Per week
limits-period-month = Per month

limits-in-money = in { $sign }
limits-in-minutes = in minutes

limits-does-wagers = You can't bet at any table or pay in, starting now.
limits-does-stands = Bets already accepted stand: the round is played, and any winnings are paid.
limits-does-staked = You have { $amount } at stake now.
limits-does-money = Your money stays yours. You can collect it at any time.
limits-does-fixed = You can extend the exclusion, but no one can shorten it.
limits-does-after = The exclusion doesn't end by itself: ask to return, then wait one more day.
limits-does-session = You stay signed in to see the round, your money and your history.

limits-break_does-wagers = You can't bet at any table or pay in, starting now.
limits-break_does-fixed = No one can shorten the break.

limits-bonus_ended-released = Your bonus is now your own money.
limits-bonus_ended-forfeited = You lost your bonus.

## warning

warning-deposit = { $used } of { $most } paid in { $period ->
    [day] today
    [week] this week
   *[month] this month
}.
warning-loss = { $used } of { $most } lost or at stake { $period ->
    [day] today
    [week] this week
   *[month] this month
}.
warning-time = { $used } of { $most ->
    [one] { $most } minute
   *[other] { $most } minutes
} played { $period ->
    [day] today
    [week] this week
   *[month] this month
}.

## script account

script-account-missing = Required

script-account-need-id = Use up to 40 lower-case letters, digits and hyphens, starting with a letter or digit. The ID can't start with “guest-”.
script-account-need-account = Use up to 40 lower-case letters, digits and hyphens.
script-account-need-name = Use 1 to 40 characters, with letters from one alphabet only and no invisible characters.
script-account-need-born = Enter a complete date.
script-account-need-password = Use 8 to 200 characters.
script-account-need-new = Use 8 to 200 characters.
script-account-need-old = Use at most 200 characters.
script-account-need-partner = Use up to 40 lower-case letters, digits and hyphens.


## script limits

script-limits-done = Done.
script-limits-requested = Requested. The limit stays as it is until you confirm the new one.

script-limits-need-day = Enter a complete date.
script-limits-need-coins = Enter an amount such as 20 or 12.50.
script-limits-need-minutes = Enter a whole number of minutes.
