"""The house: who may do what, whose money is where, and the file that describes it all.

Pure values and functions; the only file read is the house file.
"""
