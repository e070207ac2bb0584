"""Views of reports: gaming days, rounds found by table and time, and a player's play."""
