"""The web server: the application, and what applies to every request."""
