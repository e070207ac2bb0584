"""Tables of exact figures: the catalogue of published bets, comparisons of games, PAR sheets."""
