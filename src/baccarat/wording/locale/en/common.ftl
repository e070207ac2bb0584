### Text on every page: frame, problems, short notes.

## language

language-name = English

## pattern
## How dates are written, as in https://www.unicode.org/reports/tr35/tr35-dates.html

pattern-date = { "d MMMM y" }
pattern-moment = { "d MMM y, HH:mm:ss" }
pattern-time = { "d MMM y, HH:mm ('UTC'xxx)" }

## frame

frame-skip = Skip to content
frame-navigation = Main menu
frame-tables = Tables
frame-rules = Rules
frame-odds = Odds
frame-catalogue = Side bets
frame-history = History
frame-verify = Verify
frame-dealer = Dealer
frame-balance = Balance
frame-play_money = play money
frame-penniless = Your account is empty, so you can't bet yet.
frame-penniless_how = Pay money in at the cashier and give your account ID:
frame-penniless_guest = To try the tables first, sign out and play as a guest with { $amount } of play money.
frame-house_time = House time
frame-printed = { $house } · printed { $at } by { $who }
frame-gaming_day = Gaming day of { $day }. Gaming days begin at { $starts } ({ $zone }). All times on this page are in house time.
frame-sign_in = Sign in
frame-theme = Light or dark mode
frame-language = Language
frame-age = You must be { $age } or over to play.
frame-older = { $games }: you must be { $age } or over.
frame-safer = Limits, breaks and help
frame-fair = The order of every shoe is fixed before the first bet, and you can verify it afterwards.
frame-fair_some = The order of every shoe is fixed before the first bet, and you can verify it afterwards. This does not apply to tables with real cards.
frame-fair_cards = Real cards, dealt by a dealer. There is no shoe to verify.
frame-how = How it works

frame-desk-pit = Pit
frame-desk-cashier = Cashier
frame-desk-auditor = Auditor

## problem

problem-title = Something went wrong
problem-heading = That didn't work
problem-code = Code:
problem-back = Back to the tables

## script common

script-common-light = Light mode
script-common-dark = Dark mode
script-common-auto = Same as this device
script-common-and_bonus = + { $amount } bonus
script-common-slow = Calculating. The first time takes a few seconds.
script-common-thousand = { $count }K
script-common-million = { $count }M
script-common-no_answer = No answer from the server. Try again in a moment.
script-common-insecure = This page needs a secure connection. Open it over https, or on the server itself (localhost).


## script acts

script-acts-done = Done.
script-acts-second = Proposed. A second person must confirm it.
script-acts-password = Initial password for { $account }
script-acts-password_words = Shown only once. Hand it over in person. It expires after 24 hours and must be changed at first sign-in.
script-acts-noted = I've noted it
