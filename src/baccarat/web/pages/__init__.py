"""The pages people see in a browser: rendered here, with small ES modules and one set of styles.

Except in the shoe verifier, the browser applies no rules of the game: totals, prices, roads and
edges come from the server; templates arrange them and scripts draw them.
"""
