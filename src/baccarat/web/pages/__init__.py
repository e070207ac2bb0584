"""The pages people see in a browser: rendered here, with small ES modules and one set of styles.

The browser computes nothing: rules, totals, prices, roads and edges come from the server as
finished values; templates arrange them and scripts draw them.
"""
