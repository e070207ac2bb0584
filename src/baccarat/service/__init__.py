"""The service: a house that runs by the clock, whatever fails.

It drives tables under leases, takes commands to the store and tells readers what has happened.
Time and randomness are handed in: a test runs it on simulated time.
"""
