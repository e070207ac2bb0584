"""The API: HTTP and WebSockets over the service.

The one rule: who someone is and what they may do is decided here; what happens is not.
"""
