"""One module for each change of the schema, oldest first; never edited once released."""
