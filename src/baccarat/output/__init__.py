"""Results as plots and as tables for pandas, polars and files."""
