"""Tables that the server deals: the next step, the dealer, the shoe document."""
