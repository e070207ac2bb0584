"""The endpoints of the HTTP API, and the table socket."""
