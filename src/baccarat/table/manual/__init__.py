"""Tables with real cards: the dealer's console, decisions and corrections."""
