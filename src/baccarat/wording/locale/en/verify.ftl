### The page that verifies a shoe.

## verify

verify-title = Verify a shoe
verify-heading = Verify a shoe yourself
verify-lead = We commit to the order of a shoe before the first bet. Here your own browser checks that we kept to it: every card, every secret, the whole order.
verify-noscript = The check runs in your browser and needs JavaScript. On the command line, use baccarat verify.
verify-of_house = A shoe dealt here
verify-table = Table
verify-shoe = Shoe, newest first
verify-loading = Loading shoes
verify-of_mine = Or your own file
verify-file = SHOE.json
verify-file_help = Choose a file or drop it here. It stays on this device.
verify-paste = Or paste the text
verify-text = Document text
verify-commitment = The commitment you noted
verify-commitment_help = 64 hexadecimal digits, published before the first bet. Without it, the check can't show that this is the shoe we committed to.
verify-check = Verify
verify-verdict = Result
verify-nothing_yet = Nothing verified yet.
verify-keep = Save this document
verify-proves = What it proves
verify-proof_if = This holds if you noted the commitment before adding randomness and betting. If at least one contributor chose their secret at random and independently of the house, no one could know the order before the secrets were revealed.
verify-cannot = What it cannot prove
verify-elsewhere = A separate program for the same check:

verify-proof-order = The order of all cards was fixed before the house knew the contributions. That order, shuffled once more with the public seed, was dealt: no card was left out, swapped or added.
verify-proof-secrets = No secret was replaced after its owner committed to it.
verify-proof-hands = Every card went to the hand the rules require. The burned cards, the cut card and the end of the shoe were as committed.
verify-proof-decks = The shoe contained complete decks. This is proven once the shoe is revealed.

verify-limit-time = When the commitment was published. The document contains no trusted timestamp, so note the commitment yourself.
verify-limit-withholding = That no one withheld a secret on purpose. A contributor working for the house could wait for the other secrets and hold back their own. Missing secrets are therefore shown and counted.
verify-limit-abandoning = That no shoe was abandoned on purpose. The house could abandon a shoe that goes badly for it. Abandoned shoes are revealed and counted too.
verify-limit-looking = That no one knew the order. Once the last secret is revealed, the house can work out the order and could pass it on to a player.
verify-limit-random = That the order is random if no one contributed. In that case the check proves only that the order was fixed beforehand.

## script verify

script-verify-option = { $number } · { $start }…
script-verify-asked = { $start }…
script-verify-no_shoes = No shoes yet
script-verify-working = Verifying
script-verify-no_commitment = A commitment has 64 hexadecimal digits. Copy all of them.
script-verify-commitment_is = Commitment: { $commitment }
script-verify-not_proven = Not proven: { $steps }.
script-verify-not_given = Not proven: that this commitment was published before the first bet. Compare it with the one you noted.
script-verify-house_says = This is the commitment we list for this shoe. Enter the one you noted before the first bet, and you don't have to trust us.
script-verify-house_step = Commitment as listed by the house
script-verify-skipped = Skipped because an earlier check failed.
script-verify-more = and { $number } more

script-verify-state-good = All checks passed.
script-verify-state-open = All checks possible so far have passed.
script-verify-state-unpublished = All checks of the document have passed.
script-verify-state-faulty = This shoe was not dealt as committed.
script-verify-state-unreadable = This is not a shoe document.

script-verify-is-holds = passed
script-verify-is-fault = failed
script-verify-is-open = not known yet
script-verify-is-unchecked = not checked

script-verify-step-form = The document
script-verify-step-promise = Commitment
script-verify-step-published = Your noted commitment
script-verify-step-contributions = Contributions
script-verify-step-shuffle = Second shuffle
script-verify-step-burn = Burned cards
script-verify-step-cards = Proof of every card
script-verify-step-tableau = Hands
script-verify-step-end = End of the shoe
script-verify-step-reveal = Complete order

script-verify-says-form = The document has every part it needs and nothing else.
script-verify-says-promise = The commitment is the hash of these terms, rules and order.
script-verify-says-published = The commitment is the one you noted.
script-verify-says-contributions = Every revealed secret is the one its owner committed to.
script-verify-says-shuffle = The contributions give the seed, and the seed gives the dealing order.
script-verify-says-burn = The right number of cards was burned.
script-verify-says-cards = Each card was next in the committed order.
script-verify-says-tableau = Each card went to the hand the rules require, and no coup has an extra or missing card.
script-verify-says-end = Dealing stopped where the cut card requires, and not earlier.
script-verify-says-reveal = The revealed order gives the committed root and contains complete decks.

script-verify-later-published = Enter the commitment you noted to compare it.
script-verify-later-contributions = Contributions are still being taken.
script-verify-later-shuffle = The seed is known once every contribution is revealed.
script-verify-later-burn = No card has been burned yet.
script-verify-later-cards = No card has been dealt yet.
script-verify-later-tableau = No coup has been played yet.
script-verify-later-end = The shoe is still being dealt.
script-verify-later-reveal = The order is revealed when the shoe ends. Until then no one can say what the shoe still contains.

script-verify-fact-decks = decks: { $value }
script-verify-fact-cards = cards: { $value }
script-verify-fact-count = number: { $value }
script-verify-fact-withheld = withheld: { $value }
script-verify-fact-burned = burned: { $value }
script-verify-fact-coups = coups: { $value }
script-verify-fact-ended = { $value }

script-verify-ended-dealt-out = dealt out
script-verify-ended-abandoned = abandoned

script-verify-fault-not-json = Not valid JSON at character { $at }.
script-verify-fault-too-deep = Nested too deeply at character { $at }.
script-verify-fault-bad-number = At character { $at }: not a whole number of at most 15 digits.
script-verify-fault-too-large = The document is { $size } MiB. A shoe document can be at most 16 MiB.
script-verify-fault-no-object = Not a JSON object.
script-verify-fault-key-twice = { $key } appears twice.
script-verify-fault-missing = { $key } is missing.
script-verify-fault-unknown-key = { $key } is not expected there.
script-verify-fault-bad-value = { $key } has an invalid value.
script-verify-fault-no-tableau = The value of “rules” is not JSON that contains a tableau.
script-verify-fault-shuffler-terms = The source is a shuffler, but the terms include a cut card or burned cards.
script-verify-fault-other-terms = The commitment does not match these terms, rules and root.
script-verify-fault-not-published = The commitment is not the one you entered.
script-verify-fault-contribution-twice = Contribution { $number } is listed twice.
script-verify-fault-other-secret = The secret of contribution { $number } does not match its commitment.
script-verify-fault-dealt-without-seed = Cards were dealt before the seed was known.
script-verify-fault-other-seed = The contributions give a different seed.
script-verify-fault-nothing-shown = The first card decides how many cards are burned, but it is not shown.
script-verify-fault-shown-unasked = A card is shown that the rule does not require.
script-verify-fault-burned-otherwise = Cards burned: { $burned }. The rule requires { $rule }.
script-verify-fault-no-card-left = Coup { $where }: no card was left.
script-verify-fault-not-its-turn = Coup { $where }: position { $position } was dealt instead of position { $turn }. (Coup 0 means the burned cards.)
script-verify-fault-bad-proof = Coup { $where }: the proof of { $card } at position { $position } does not lead to the root. (Coup 0 means the burned cards.)
script-verify-fault-card-too-many = Coup { $coup }: { $card } was dealt after the coup had ended.
script-verify-fault-other-hand = Coup { $coup }: { $card } went to { $hand }, but the rules give it to the other hand.
script-verify-fault-incomplete = Coup { $coup }: ended earlier than the rules allow.
script-verify-fault-not-cut-short = Coup { $coup }: marked as cut short, but complete.
script-verify-fault-after-the-end = Coup { $coup }: the shoe had already ended.
script-verify-fault-ended-early = The shoe is marked as dealt out, but more coups were due.
script-verify-fault-abandoned-yet-over = The shoe is marked as abandoned, but was dealt out.
script-verify-fault-not-revealed = The shoe has ended but is not revealed.
script-verify-fault-revealed-early = The shoe was revealed before it ended.
script-verify-fault-other-root = The revealed order and key do not give the committed root.
script-verify-fault-not-whole-decks = Copies of { $card }: { $times }. Complete decks contain { $decks }.
