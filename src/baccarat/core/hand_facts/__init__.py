"""Facts about the cards of a hand: their suits, colours, ranks and points, beyond its total."""
