"""The pages: what people see in a browser. Rendered here, drawn by small ES modules, styled once.

The one rule: nothing is computed in the browser. Rules, totals, prices, roads and edges come from
the rooms below as finished values; templates arrange them and scripts draw them.
"""
