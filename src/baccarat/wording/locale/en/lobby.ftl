### The lobby.

## lobby

lobby-title = Tables
lobby-heading = Take a seat
lobby-lead = Live punto banco and its variations. See the exact house edge of every bet, and verify every shoe.
lobby-guest = Play now
lobby-guest_note = As a guest, with { $amount } of play money. No account needed.
lobby-on = Go to table
lobby-seats_free = Seats free
lobby-members = Members only
lobby-all = All games
lobby-filter = Filter by game
lobby-limits = { $least }–{ $most }

## script lobby

script-lobby-one_seated = 1 player
script-lobby-seated = { $count } players
script-lobby-free = { $free } of { $seats } seats free
script-lobby-full = All { $seats } seats taken

script-lobby-phase-open = Place bets · { $left } s
script-lobby-phase-by_dealer = Place bets
script-lobby-phase-none = Opens soon
script-lobby-phase-closed = No more bets
script-lobby-phase-dealing = Dealing
script-lobby-phase-decided = Dealing
script-lobby-phase-settled = Next round soon
script-lobby-phase-cancelled = Next round soon
script-lobby-phase-paused = Paused
script-lobby-phase-shuffling = New shoe
