"""The log of deck sets: the cards that the house uses, and who counted and shuffled them."""
