"""Output of results as plots, as pandas or polars data frames, and as files."""
