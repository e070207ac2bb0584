"""Facts about the cards of a hand other than its total: suits, colours, ranks and sums of
points."""
