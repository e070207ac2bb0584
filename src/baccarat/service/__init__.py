"""The service: runs a house by the clock, and recovers from any failure.

It drives tables under leases, commits commands to the store and sends events to readers. Time and
randomness are passed in, so that tests can run it on simulated time.
"""
