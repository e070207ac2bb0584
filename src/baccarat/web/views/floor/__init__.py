"""Views for the pit: staff, and what happens on the floor."""
