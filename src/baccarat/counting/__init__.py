"""Card counting: tags, exact valuation, and studies that combine them."""
