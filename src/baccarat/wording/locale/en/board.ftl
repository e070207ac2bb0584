### The display boards at the tables.

## board

board-title = Display board
board-lost = Connection lost. Reconnecting …
board-limits = Minimum and maximum of each bet

## script board

script-board-player = Player
script-board-banker = Banker
script-board-winner-player = Player wins
script-board-winner-banker = Banker wins
script-board-winner-tie = Tie
script-board-limits_of = { $least } – { $most }
script-board-round = Round { NUMBER($round, useGrouping: 0) }
script-board-coups = { $count ->
        [one] { $count } coup in this shoe
       *[other] { $count } coups in this shoe
    }
script-board-left = { $left } of { $size } cards left
script-board-to_come-one_more = one more round after this one
script-board-to_come-next_is_last = the next round is the last
script-board-to_come-last_coup = last round
script-board-to_come-shoe_over = shoe finished
