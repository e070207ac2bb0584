"""The web server: HTTP API, WebSockets and pages on top of the service.

Authentication and permissions are decided here; what a command does is decided by the house.
"""
