### The lobby.

## lobby

lobby-title = Tables
lobby-heading = Take a seat
lobby-lead = Live punto banco and its variations, with the exact house edge of every bet.
lobby-guest = Play now
lobby-guest_note = As a guest, with { $amount } of play money. No account needed.
lobby-on = Go to table
lobby-seats_free = Seats free
lobby-members = Members only
lobby-all = All games
lobby-filter = Filter by game
lobby-limits = { $least }–{ $most }
lobby-pace-fast = Fast, { $rounds } rounds an hour
lobby-pace-standard = { $rounds } rounds an hour
lobby-pace-slow = Slow, { $rounds } rounds an hour
lobby-pace-dealer = Dealt by hand
lobby-edge = House edge from { $edge } ({ $bet }).
lobby-mine = Your bets
lobby-favourite = Favourite: { $table }
lobby-favourite_title = Favourites come first

## script lobby

script-lobby-one_seated = 1 player
script-lobby-seated = { $count } players
script-lobby-free = { $seats ->
        [one] The only seat is free
       *[other] { $free } of { $seats } seats free
    }
script-lobby-full = { $seats ->
        [one] The only seat is taken
       *[other] All { $seats } seats taken
    }
script-lobby-last_shoe = Last shoe
script-lobby-last_coup = { $winner } { $high }–{ $low }
script-lobby-no_coups = First round soon
script-lobby-winner-player = Player
script-lobby-winner-banker = Banker
script-lobby-winner-tie = Tie

script-lobby-call-none = { $left ->
        [0] Opens soon
       *[other] Opens in { $left } s
    }
script-lobby-call-open = Place bets · { $left } s
script-lobby-call-by_dealer = Place bets
script-lobby-call-without_bets = No bets this round
script-lobby-call-card_seen = Betting stopped
script-lobby-call-closed = No more bets
script-lobby-call-dealing = Dealing
script-lobby-call-decided = Dealing
script-lobby-call-settled = Next round soon
script-lobby-call-cancelled = Next round soon
script-lobby-call-pausing = Pausing
script-lobby-call-paused = Paused
script-lobby-call-absent = New shoe
script-lobby-call-contributing = New shoe
script-lobby-call-revealing = New shoe
script-lobby-call-ready = New shoe
