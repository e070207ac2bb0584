"""One module for each schema change, oldest first; never edited once released."""
