"""The service: runs the tables of a house, and recovers from failures.

The service drives tables under leases, commits commands to the store and sends events to readers.
Time and randomness are passed in, so that tests can run it on simulated time.
"""
