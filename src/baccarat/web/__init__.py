"""The web server: HTTP API, WebSockets and pages on top of the service.

This package authenticates visitors and checks permissions; the house decides what a command does.
"""
