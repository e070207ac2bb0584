"""Tables that a server deals: the next step, the automatic dealer and the shoe document."""
